"""What a game will ask of its models: the game is played with scripted players, and every prompt is written and sized.

The number of calls, the prompts' lengths and how much of each repeats an earlier one come from real prompts of a game
of the same rules; how much a model writes is reckoned from the limits that its pack sets, without any reasoning.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping
from typing import Any, TypeVar

from tianhei.agents.roster import SeatPlan
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.agents.tiny import TinyPlayer
from tianhei.arena.costs import Costs
from tianhei.arena.endpoint.client import BYTES_PER_TOKEN
from tianhei.arena.endpoint.prices import price
from tianhei.arena.player import Completion, Prompt, Usage
from tianhei.arena.probing import Probe, due
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View, Views
from tianhei.prompts.compose import compose
from tianhei.prompts.pack import TINY, Pack
from tianhei.prompts.probe import ask_aside
from tianhei.prompts.tiny import MOST_WORDS
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.header import Header

T = TypeVar("T")
WORDS_OF_FIELDS = {"thought": 60, "say": 60, "to_team": 20, "note": 20}
"""Words that a model writes into the fields of a reply, about; an English word and 1.6 Chinese characters are alike."""
TOKENS_PER_WORD = 1.4
TOKENS_OF_FIELD = 8
"""What a field takes beside its words: its name, quotes, a label. Of a probe, what each number takes."""
EVEN_SCORES = {str(digit): -2.3 for digit in range(10)}
"""What a model that plays by scores is taken to answer: every digit alike."""


def estimate(header: Header, packs: Mapping[Seat, Pack], plans: Mapping[Seat, SeatPlan]) -> dict[str, Costs]:
    """What each model will use, by its spec; ``packs`` are those of the seats that have a model."""
    found: dict[str, Costs] = {}
    kept: dict[str, str] = {}
    for view, asked in _asked(header):
        if pack := packs.get(asked.seat):
            spec = header.seats[asked.seat - 1]
            costs = found.setdefault(f"{spec.model} @ {spec.endpoint}", Costs())
            for prompt, completion in _calls(pack, view, asked):
                usage = _usage(prompt, completion, kept, spec.model)
                costs.calls += 1
                costs.requests += 1
                costs.prompt += usage.prompt or 0
                costs.cached += usage.cached or 0
                costs.completion += usage.completion or 0
                costs.estimated += 1
                money = price(spec.model, spec.endpoint, usage) if not plans[asked.seat].is_local else None
                costs.money += money or 0
                costs.unpriced += money is None and not plans[asked.seat].is_local
    return found


def rehearsal(header: Header) -> Iterator[tuple[View, Request]]:
    """Every request of the game as scripted players play it, with the view of its seat, which goes on changing."""
    for view, asked in _asked(header):
        if isinstance(asked, Request):
            yield view, asked


def _asked(header: Header) -> Iterator[tuple[View, Request | Probe]]:
    """The same, and every probe before the requests at whose point it is due."""
    referee = header.referee()
    views = Views(header.rules, header.counts, header.seed)
    views.add(referee.waves[0].events)
    lang: Lang = "zh" if header.lang == "zh" else "en"
    player = ScriptedPlayer(lang=lang)
    while referee.outcome is None:
        wave, requests = None, tuple(referee.open.values())
        for probe in due(header.probes, requests, views.record, len(referee.waves)):
            yield views.of(probe.seat), probe
        for request in requests:
            view = views.of(request.seat)
            yield view, request
            wave = referee.answer(request.id, _at_once(player.act(view, request, _nobody)).answer)
        assert wave is not None
        views.add(wave.events)


def _calls(pack: Pack, view: View, asked: Request | Probe) -> Iterator[tuple[Prompt, int]]:
    """The prompts in which it is asked, and the tokens that each will be answered with, about."""
    if pack.name != TINY:
        if isinstance(asked, Probe):
            aside = ask_aside(pack, view)
            yield aside.prompt, 2 * TOKENS_OF_FIELD * len(aside.seats)
        else:
            composed = compose(pack, view, asked)
            words = sum(WORDS_OF_FIELDS.get(name, 0) * TOKENS_PER_WORD + TOKENS_OF_FIELD for name in composed.fields)
            yield composed.prompt, round(words)
        return
    prompts: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        prompts.append(prompt)
        return Completion("", scores=(EVEN_SCORES,))

    player = TinyPlayer(pack.lang, variant=pack.variant, theme=pack.theme)
    _at_once(player.believe(view, ask) if isinstance(asked, Probe) else player.act(view, asked, ask))
    for prompt in prompts:
        yield prompt, min(prompt.max_tokens or MOST_WORDS, round(MOST_WORDS * TOKENS_PER_WORD))


def _usage(prompt: Prompt, completion: int, kept: dict[str, str], model: str) -> Usage:
    """The tokens of one call; what repeats the longest public text that the model has read counts as cached."""
    public = prompt.system + prompt.public
    family = f"{model} {prompt.extra.get('id_slot')}"
    old = kept.get(family, "")
    shared = len(old) if public.startswith(old) else 0
    if len(public) > len(old) or not shared:
        kept[family] = public
    return Usage(_tokens(public + prompt.private), _tokens(public[:shared]), completion, estimated=True)


def _tokens(text: str) -> int:
    return round(len(text.encode()) / BYTES_PER_TOKEN)


def _at_once(reply: Coroutine[Any, Any, T]) -> T:
    """The answer of a player that waits for nothing."""
    try:
        reply.send(None)
    except StopIteration as stop:
        given: T = stop.value
        return given
    raise AssertionError("a player waited")


async def _nobody(prompt: Prompt) -> Completion:
    raise AssertionError("a scripted player asked a model")
