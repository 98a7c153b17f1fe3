"""Repetition: how much of a speech has stood word for word in what was said before it, or in an example.

A speech counts as the share of its runs that stand there, ``repeated / runs``, from 0 to 1; speeches too short for a
run are left out, as are those before which there was nothing to repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from tianhei.arena.roles import Seat
from tianhei.transcripts.manners.measure import Count, Measure
from tianhei.transcripts.manners.sitting import Sitting, Spoken

_SEVERAL: Seat = 0


class _Heard:
    """Runs that were said, and by whom."""

    def __init__(self) -> None:
        self._by: dict[str, Seat] = {}

    def add(self, said: Spoken) -> None:
        for run in said.runs:
            if self._by.setdefault(run, said.seat) != said.seat:
                self._by[run] = _SEVERAL

    def share(self, said: Spoken) -> float:
        """How much of a speech others than its speaker have said."""
        return sum(self._by.get(run, said.seat) != said.seat for run in said.runs) / len(said.runs)


def share(said: Spoken, known: Collection[str]) -> float:
    """How much of a speech stands among known runs."""
    return sum(run in known for run in said.runs) / len(said.runs)


def repeats_table(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """The share of a speech that others have said earlier the same day; by chance: earlier that day of another game."""
    elsewhere = _days(other) if other else []
    for number, day in enumerate(_days(game)):
        heard, heard_elsewhere = _Heard(), _Heard()
        that_day = elsewhere[min(number, len(elsewhere) - 1)] if elsewhere else []
        speakers: set[Seat] = set()
        for place, said in enumerate(day):
            if said.runs and speakers - {said.seat}:
                yield Count(said.seat, heard.share(said), heard_elsewhere.share(said) if elsewhere else None)
            speakers.add(said.seat)
            heard.add(said)
            for there in that_day[place : place + 1]:
                heard_elsewhere.add(there)


def repeats_itself(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """The share of a speech that its speaker has said earlier in the game; by chance: a speaker of another game."""
    mine: dict[Seat, list[Spoken]] = {}
    known: dict[Seat, set[str]] = {}
    known_elsewhere: dict[Seat, set[str]] = {}
    for said in game.worded:
        before = mine.setdefault(said.seat, [])
        there = _counterpart(other, game.names[said.seat - 1]) if other else []
        if said.runs and before:
            chance = share(said, known_elsewhere[said.seat]) if there else None
            yield Count(said.seat, share(said, known[said.seat]), chance)
        known.setdefault(said.seat, set()).update(said.runs)
        for one in there[len(before) : len(before) + 1]:
            known_elsewhere.setdefault(said.seat, set()).update(one.runs)
        before.append(said)


def copies_example(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """The share of a speech that stands in the example its prompt showed; by chance: of one who was shown no such."""
    for seat, example in game.examples.items():
        strangers = [
            share(said, example)
            for table in (game, other)
            if table
            for said in table.worded
            if said.runs and not example & table.examples.get(said.seat, frozenset())
        ]
        chance = sum(strangers) / len(strangers) if strangers else None
        for said in game.worded:
            if said.seat == seat and said.runs:
                yield Count(seat, share(said, example), chance)


def _days(game: Sitting) -> list[list[Spoken]]:
    return [list(day) for _, day in groupby(game.worded, key=lambda said: said.day)]


def _counterpart(other: Sitting, name: str) -> Sequence[Spoken]:
    """The speeches of whoever spoke most in another game, of the same model if it sat there."""
    by_seat: dict[Seat, list[Spoken]] = {}
    for said in other.worded:
        by_seat.setdefault(said.seat, []).append(said)
    same = [said for seat, said in by_seat.items() if other.names[seat - 1] == name]
    return max(same or by_seat.values(), key=len, default=[])


MEASURES = (
    Measure("repeats_the_table", "speeches", "against another game's day", repeats_table),
    Measure("repeats_itself", "speeches", "against a speaker of another game", repeats_itself),
    Measure("copies_the_example", "speeches", "speeches whose prompts showed no such example", copies_example),
)
