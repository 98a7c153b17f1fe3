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
    """Choices of what stands at a place of the list that was shown."""

    def count(game: Sitting, other: Sitting | None) -> Iterator[Count]:
        for choice in game.choices:
            yield Count(choice.seat, choice.listed[place] == choice.chosen, 1 / len(choice.listed))

    return count


def _at_end(end: int) -> Counting:
    """Ballots for the candidate whose number is at an end of the row."""

    def count(game: Sitting, other: Sitting | None) -> Iterator[Count]:
        for ballot in game.ballots:
            numbers = sorted(ballot.options)
            if ballot.choice in numbers and len(numbers) > 1:
                yield Count(ballot.seat, ballot.choice == numbers[end], 1 / len(numbers))

    return count


listed_first, listed_last = _at_place(0), _at_place(-1)
"""By chance ``1 / listed``: lists are shuffled, so whoever goes by anything else does no more."""
lowest_number, highest_number = _at_end(0), _at_end(-1)
"""By chance ``1 / n`` of n candidates but oneself."""

MEASURES = (
    Measure("votes_otherwise", "votes after a stated aim", "uniform over the candidates", votes_otherwise),
    Measure("chooses_first_listed", "choices", "uniform over the list", listed_first),
    Measure("chooses_last_listed", "choices", "uniform over the list", listed_last),
    Measure("votes_lowest_number", "votes for somebody", "uniform over the candidates", lowest_number),
    Measure("votes_highest_number", "votes for somebody", "uniform over the candidates", highest_number),
)
