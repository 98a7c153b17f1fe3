"""Votes, raised hands and demands: the hand follows the words unless there is news."""

from __future__ import annotations

from tianhei.agents.scripted.mind import Mind
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Seat


def vote(mind: Mind) -> Answer:
    """A sealed vote, or the silenced player's in the defence."""
    request = mind.request
    if request.may_pass and abstains(mind):
        return Answer()
    return Answer(target=mind.choose(request.options))


def hand(mind: Mind) -> Answer:
    """A hand for the candidate called, if he is the one; a hand that must go up goes up."""
    if not mind.request.may_pass:
        return Answer(raised=True)
    record = mind.record
    candidates = record.speakers if record.stage == "pk" else record.candidates or record.living
    may_abstain = record.rules.abstain == "allowed" and record.stage != "off_field"
    if may_abstain and abstains(mind):
        return Answer()
    return Answer(raised=mind.choose(candidates) == mind.request.options[0])


def abstains(mind: Mind) -> bool:
    """Early on, now and then, a seat that has said nothing and sees nobody keeps its vote."""
    early = mind.record.day <= 2 and len(mind.record.living) > 7
    return early and mind.promised is None and not mind.has_view and mind.steady("abstain", 20)


def demand(mind: Mind) -> Answer:
    """A PK between two who are both strongly suspected, seldom."""
    backed = sorted(
        (seat for seat in mind.request.options if mind.aim.get(seat, 0.0) > 1.5), key=lambda seat: -mind.aim[seat]
    )
    named: tuple[Seat, ...] = tuple(backed[:2])
    if len(named) < 2 or mind.in_danger or not mind.odds("demand", 15):
        return Answer()
    return Answer(targets=named)
