"""What a game will ask of its models: the game is played with scripted players, and every prompt is written and sized.

The number of calls, the prompts' lengths and how much of each repeats an earlier one come from real prompts of a game
of the same rules; how much a model writes is reckoned from the limits that its pack sets, without any reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tianhei.agents.roster import SeatPlan
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.costs import Costs
from tianhei.arena.endpoint.client import BYTES_PER_TOKEN
from tianhei.arena.endpoint.prices import price
from tianhei.arena.player import Completion, Prompt, Reply, Usage
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View, Views
from tianhei.prompts.compose import Asked, compose
from tianhei.prompts.pack import Pack
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.header import Header

WORDS_OF_FIELDS = {"thought": 60, "say": 60, "to_team": 20, "note": 20}
"""Words that a model writes into the fields of a reply, about; an English word and 1.6 Chinese characters are alike."""
TOKENS_PER_WORD = 1.4
TOKENS_OF_FIELD = 8
"""What a field takes beside its words: its name, quotes, a label."""


def estimate(header: Header, packs: Mapping[Seat, Pack], plans: Mapping[Seat, SeatPlan]) -> dict[str, Costs]:
    """What each model will use, by its spec; ``packs`` are those of the seats that have a model."""
    found: dict[str, Costs] = {}
    kept: dict[str, str] = {}
    for view, request in rehearsal(header):
        if pack := packs.get(request.seat):
            spec = header.seats[request.seat - 1]
            costs = found.setdefault(f"{spec.model} @ {spec.endpoint}", Costs())
            asked = compose(pack, view, request)
            usage = _usage(asked, kept, spec.model)
            costs.calls += 1
            costs.requests += 1
            costs.prompt += usage.prompt or 0
            costs.cached += usage.cached or 0
            costs.completion += usage.completion or 0
            costs.estimated += 1
            money = price(spec.model, spec.endpoint, usage) if not plans[request.seat].is_local else None
            costs.money += money or 0
            costs.unpriced += money is None and not plans[request.seat].is_local
    return found


def rehearsal(header: Header) -> Iterator[tuple[View, Request]]:
    """Every request of the game as scripted players play it, with the view of its seat, which goes on changing."""
    referee = header.referee()
    views = Views(header.rules, header.counts, header.seed)
    views.add(referee.waves[0].events)
    lang: Lang = "zh" if header.lang == "zh" else "en"
    player = ScriptedPlayer(lang=lang)
    while referee.outcome is None:
        wave = None
        for request in tuple(referee.open.values()):
            view = views.of(request.seat)
            yield view, request
            wave = referee.answer(request.id, _answer(player, view, request).answer)
        assert wave is not None
        views.add(wave.events)


def _usage(asked: Asked, kept: dict[str, str], model: str) -> Usage:
    """The tokens of one call; what repeats the longest public text that the model has read counts as cached."""
    prompt = asked.prompt
    public = prompt.system + prompt.public
    old = kept.get(model, "")
    shared = len(old) if public.startswith(old) else 0
    if len(public) > len(old) or not shared:
        kept[model] = public
    fields = sum(WORDS_OF_FIELDS.get(name, 0) * TOKENS_PER_WORD + TOKENS_OF_FIELD for name in asked.fields)
    return Usage(_tokens(public + prompt.private), _tokens(public[:shared]), round(fields), estimated=True)


def _tokens(text: str) -> int:
    return round(len(text.encode()) / BYTES_PER_TOKEN)


def _answer(player: ScriptedPlayer, view: View, request: Request) -> Reply:
    """A scripted player's reply; it waits for nothing."""
    try:
        player.act(view, request, _nobody).send(None)
    except StopIteration as stop:
        reply: Reply = stop.value
        return reply
    raise AssertionError("a scripted player waited")


async def _nobody(prompt: Prompt) -> Completion:
    raise AssertionError("a scripted player asked a model")
