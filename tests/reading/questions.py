"""Questions of every form, in both languages and with labels of one digit and two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from players import BUTTERFLY_SEVEN, CLASSIC_SEVEN, views_of
from tianhei.agents.reading import Fault, read
from tianhei.arena.chance import Deal, Keyed, deal
from tianhei.arena.player import Completion, Reply
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import make
from tianhei.arena.rules.setups import written
from tianhei.prompts.compose import Asked, compose
from tianhei.prompts.pack import load
from tianhei.prompts.replies import CHOICES


def first(
    kind: str, *, game: str = "classic", lang: Any = "en", players: int = 7, pack: str = "official", **changes: Any
) -> Asked:
    """The first question of this kind in a game where everybody names the last seat he may."""
    rules = make(game, {"first_phase": "day", "max_days": 3, **changes})
    counts = CLASSIC_SEVEN if game == "classic" else BUTTERFLY_SEVEN
    dealt = Deal(tuple(Role(name) for name, count in counts.items() for _ in range(count)))
    if players != 7:
        dealt = deal(written(rules, players)[0], 1)
    referee = Referee(rules, dealt, Keyed(1))
    while referee.outcome is None:
        for request in referee.pending:
            if request.kind == kind:
                return compose(load(pack, lang), views_of(referee).of(request.seat), request)
            may = request.options and request.kind not in ("hand", "demand")
            referee.answer(request.id, Answer(target=request.options[-1] if may else None))
    raise LookupError(f"no {kind} is asked in this game")


def in_lines(asked: Asked) -> Asked:
    """The same question, to be answered in labelled lines."""
    return replace(asked, lines=True, fields=tuple(name for name in asked.fields if name != "claims"))


def in_talk(asked: Asked) -> Asked:
    """The same question with no more to write than words and the choice."""
    return replace(asked, lines=True, fields=tuple(name for name in asked.fields if name in ("say", *CHOICES)))


VOTE = first("vote", vote_form="simultaneous", abstain="forbidden")
PASSING_VOTE = first("vote", vote_form="simultaneous")
SPEECH = first("speech")
DEFENCE = first("speech_and_vote", game="butterfly")
HAND = first("hand")
DEMAND = first("demand", round_pk="on")
COUNCIL = first("kill", first_phase="night")
ALL = (VOTE, PASSING_VOTE, SPEECH, DEFENCE, HAND, DEMAND, COUNCIL)
LINED = tuple(map(in_lines, ALL))
TALK = in_talk(DEFENCE)
LARGE_VOTE = first("vote", players=12, vote_form="simultaneous")


@cache
def questions() -> tuple[Asked, ...]:
    """All of them: each form as an object and in lines, some also as talk; and those of a pack that asks for lines."""
    asked = list(_asked())
    claims_only = replace(
        SPEECH,
        request=SPEECH.request._replace(text=0),
        fields=tuple(name for name in SPEECH.fields if name != "say"),
    )
    talks = [in_talk(each) for each in asked if "say" in each.fields and not each.lines]
    tight = replace(SPEECH, request=SPEECH.request._replace(text=90), limits={**SPEECH.limits, "say": 15})
    objects, lines = [each for each in asked if not each.lines], [each for each in asked if each.lines]
    return (*objects, claims_only, tight, *map(in_lines, objects), *talks, *lines)


def _asked() -> Iterator[Asked]:
    for lang in ("en", "zh"):
        for players in (7, 12):
            same: Any = {"lang": lang, "players": players}
            yield first("vote", vote_form="simultaneous", abstain="forbidden", **same)
            yield first("vote", vote_form="simultaneous", **same)
            yield first("speech", **same)
            yield first("last_words", vote_form="simultaneous", **same)
            yield first("hand", **same)
            yield first("kill", first_phase="night", **same)
            yield first("check", first_phase="night", **same)
        yield first("demand", round_pk="on", lang=lang)
        for kind in ("carry", "shoot", "needle", "silence"):
            yield first(kind, game="butterfly", first_phase="night", lang=lang)
        yield first("speech_and_vote", game="butterfly", lang=lang)
        yield first("speech_and_vote", game="butterfly", players=13, lang=lang)
        weak: Any = {"lang": lang, "pack": "weak"}
        yield first("vote", vote_form="simultaneous", **weak)
        yield first("speech", **weak)
        yield first("speech_and_vote", game="butterfly", players=13, **weak)
        yield first("kill", first_phase="night", **weak)
        yield first("demand", round_pk="on", **weak)


def reply(text: str, asked: Asked = VOTE, finish: str = "stop") -> Reply:
    """What is read from this text."""
    return read(Completion(text, finish=finish), asked)


def target(text: str, asked: Asked = VOTE) -> Seat | None:
    """The seat that this text chooses."""
    return reply(text, asked).answer.target


def cause(text: str, asked: Asked = VOTE, finish: str = "stop") -> str:
    """Why this text cannot be read."""
    return fault(text, asked, finish).cause


def fault(text: str, asked: Asked = VOTE, finish: str = "stop") -> Fault:
    """The fault of this text, which must have one."""
    try:
        found = reply(text, asked, finish)
    except Fault as error:
        return error
    raise AssertionError(f"it was read: {found}")
