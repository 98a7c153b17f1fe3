"""Choices: whether votes follow words, and whether a choice goes by the place in the list or by the number."""

from __future__ import annotations

from collections.abc import Iterator

from tianhei.arena.roles import Seat
from tianhei.transcripts.manners.accusing import aim
from tianhei.transcripts.manners.measure import Count, Counting, Measure
from tianhei.transcripts.manners.sitting import Ballot, Sitting


def votes_otherwise(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Ballots not for whom the voter last named that day; by chance: for any candidate but oneself, ``1 - 1 / n``.

    Only ballots in which the one named could be chosen, and was not the only one.
    """
    for ballot in game.ballots:
        named = _named(game, ballot)
        if named in ballot.options and len(ballot.options) > 1:
            yield Count(ballot.seat, ballot.choice != named, 1 - 1 / len(ballot.options))


def _named(game: Sitting, ballot: Ballot) -> Seat | None:
    """Whom the voter last said it would vote for, or accused, that day before the vote."""
    named: Seat | None = None
    for said in game.speeches[: ballot.heard]:
        if (said.day, said.seat) == (ballot.day, ballot.seat):
            retracted = {claim.seat for claim in said.claims or () if claim.kind == "retract"}
            named = aim(said) or (None if named in retracted else named)
    return named


def _at_place(place: int) -> Counting:
    def count(game: Sitting, other: Sitting | None) -> Iterator[Count]:
        for choice in game.choices:
            yield Count(choice.seat, choice.listed[place] == choice.chosen, 1 / len(choice.listed))

    return count


def _by_number(end: int) -> Counting:
    def count(game: Sitting, other: Sitting | None) -> Iterator[Count]:
        for choice in game.choices:
            seats = sorted(seat for seat in choice.listed if seat not in (None, choice.seat))
            if choice.chosen in seats and len(seats) > 1:
                yield Count(choice.seat, choice.chosen == seats[end], 1 / len(seats))

    return count


listed_first = _at_place(0)
"""Choices of what is listed first; by chance, whatever else they go by: ``1 / listed``, since lists are shuffled."""
listed_last = _at_place(-1)
"""Choices of what is listed last."""
lowest_number = _by_number(0)
"""Choices of the lowest number among the others listed; by chance ``1 / others``."""
highest_number = _by_number(-1)
"""Choices of the highest number among the others listed."""

MEASURES = (
    Measure("votes_otherwise", "votes after a stated aim", "uniform over the candidates", votes_otherwise),
    Measure("chooses_first_listed", "choices", "uniform over the list", listed_first),
    Measure("chooses_last_listed", "choices", "uniform over the list", listed_last),
    Measure("chooses_lowest_number", "choices of a seat", "uniform over the others listed", lowest_number),
    Measure("chooses_highest_number", "choices of a seat", "uniform over the others listed", highest_number),
)
