"""Tables to measure: one speech, a few speeches, a vote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tianhei.arena.roles import Role, Seat
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners import MEASURES
from tianhei.transcripts.manners.measure import Count
from tianhei.transcripts.manners.sitting import Sitting, Spoken, spoken

COUNTS = {Role.POLICE: 2, Role.KILLER: 2, Role.CIVILIAN: 4}
ROLES = tuple(role for role, count in COUNTS.items() for _ in range(count))
LIVING = (2, 3, 4, 5, 7, 8)
SPEAKER = 4
_BY_NAME = {measure.name: measure for measure in MEASURES}


def said(text: str, lang: Lang = "en", seat: Seat = SPEAKER, day: int = 2, **more: Any) -> Spoken:
    """A speech on the second day, when seats 1 and 6 are dead."""
    return spoken(day, seat, text, lang, **{"living": LIVING, **more})


def table(speeches: Iterable[Spoken] = (), lang: Lang = "en", **more: Any) -> Sitting:
    """A table of eight."""
    return replace(Sitting("game", lang, "classic", ("m",) * 8, ROLES, COUNTS, tuple(speeches)), **more)


def counts(name: str, game: Sitting, other: Sitting | None = None) -> list[Count]:
    """What a measure counts."""
    return list(_BY_NAME[name].count(game, other))


def hits(name: str, game: Sitting, other: Sitting | None = None) -> list[float]:
    """How much of each thing counted, counts."""
    return [round(count.hits, 3) for count in counts(name, game, other)]
