"""What a measure is: a name, what it counts among what, and what chance would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tianhei.arena.roles import Seat
from tianhei.transcripts.manners.sitting import Sitting


class Count(NamedTuple):
    """One thing looked at: whose it is, how much of it counts (0 to 1), how much would by chance (None: unknown)."""

    seat: Seat
    hits: float
    chance: float | None = 0.0


Counting: TypeAlias = Callable[[Sitting, Sitting | None], Iterator[Count]]
"""From a game, and another of the same rules and language where there is one, to counts."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure. ``of`` names what is looked at; ``floor`` what its chance is, in a few words."""

    name: str
    of: str
    floor: str
    count: Counting
