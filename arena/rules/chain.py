"""From a day's ballots to who is out: the tie chain of the classic game and the other ways with ties (§5, R-TIE).

`after_vote` says what one vote leads to, from the rules and the ballots alone; `settle` lets it happen at a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tianhei.arena.events import Called, Demanded, Stage, Tied
from tianhei.arena.roles import Seat
from tianhei.arena.rules.ballot import Poll, poll, voters_of
from tianhei.arena.rules.options import Rules
from tianhei.arena.rules.speaking import in_order, speeches
from tianhei.arena.script import Script
from tianhei.arena.table import Table

DEMAND_AT_MOST = 7
"""A round PK may be demanded while no more than this many live (R-ROUNDPK)."""

Step: TypeAlias = Literal["out", "pk", "off_field", "revote", "lot", "all", "nobody", "draw"]
AGAIN: Mapping[Step, Stage] = {"pk": "pk", "off_field": "off_field", "revote": "revote"}
"""The steps that hold another vote, and its stage."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the day's vote came to: the seats that are out (none: nobody is), or the game is drawn."""

    out: tuple[Seat, ...] = ()
    draw: bool = False


NOBODY = Verdict()
DRAW = Verdict(draw=True)


@dataclass(frozen=True, slots=True)
class Next:
    """What a vote leads to, and whom it concerns: the one who is out, or the tied as they stand in the day's order."""

    step: Step
    seats: tuple[Seat, ...] = ()


@dataclass(slots=True)
class Day:
    """The order of a day, and how many votes and PKs it has held so far."""

    order: tuple[Seat, ...]
    votes: int = 0
    pks: int = 0


def after_vote(rules: Rules, stage: Stage, candidates: Sequence[Seat], held: Poll, *, demanded: bool = False) -> Next:
    """What a vote on these candidates (in the day's order) leads to; ``demanded``: it began as a round PK."""
    if not held.cast and stage != "off_field":  # R-ABSENT
        return Next("nobody")
    leaders = held.leaders(candidates) if held.cast else tuple(candidates)
    if len(leaders) == 1:
        return Next("out", leaders)
    match stage:
        case "round":
            if rules.tie == "chain":
                spared = rules.all_abstain == "no_elimination" and held.nobody_voted  # A1-23
                return Next("nobody" if spared else "pk", leaders)
            return Next(rules.tie, leaders)
        case "pk":
            narrowed = len(leaders) < len(candidates)
            again = narrowed and (demanded or rules.narrowing == "always")  # A1-25, A1-26
            return Next("pk" if again else "off_field", leaders)
        case "off_field":
            return Next(rules.final_tie, leaders)  # A1-29
        case _:
            return Next("nobody", leaders)


def speakers_of(stage: Stage, order: Iterable[Seat], tied: Sequence[Seat]) -> tuple[Seat, ...]:
    """Who speaks before a vote on the tied: they themselves (S1-77), or off the field all others (S1-78)."""
    return tuple([seat for seat in order if (seat in tied) != (stage == "off_field")])


def electors(
    rules: Rules, stage: Stage, living: Sequence[Seat], voters: Sequence[Seat], tied: Sequence[Seat]
) -> tuple[Seat, ...]:
    """Who of these voters votes on the tied: all, or by option the untied; with nobody untied, all (A1-28)."""
    who = rules.pk_voters if stage == "pk" else rules.off_voters if stage == "off_field" else "all"
    if who == "all" or all([seat in tied for seat in living]):
        return tuple(voters)
    return tuple([seat for seat in voters if seat not in tied])


def is_compulsory(rules: Rules, stage: Stage) -> bool:
    """Whether this vote allows no abstention (S1-64, R-TIE)."""
    return stage in ("off_field", "revote") or rules.abstain == "forbidden"


def first_vote(table: Table, day: Day) -> Script[Verdict]:
    """Everybody votes on everybody living; a tie is resolved by the rules of the table."""
    table.tell_all(Called(stage="vote", seats=day.order))
    held = yield from _vote(table, day, "round", day.order, voters_of(table))
    return (yield from settle(table, day, after_vote(table.rules, "round", day.order, held)))


def round_pk(table: Table, day: Day, demanded: Sequence[Seat]) -> Script[Verdict]:
    """The PK that somebody demanded, in place of the first vote (R-ROUNDPK)."""
    return (yield from _held_again(table, day, Next("pk", tuple(demanded)), demanded=True))


def settle(table: Table, day: Day, then: Next, *, demanded: bool = False) -> Script[Verdict]:
    """What a vote has led to, until somebody is out, nobody is, or the game is drawn."""
    if then.step == "out":
        return Verdict(then.seats)
    if then.seats:
        table.tell_all(Tied(then.seats, then.step))
    if then.step in AGAIN:
        return (yield from _held_again(table, day, then, demanded=demanded))
    match then.step:
        case "lot":
            return Verdict((table.draw("tie", then.seats),))
        case "all":
            return Verdict(tuple(sorted(then.seats)))
        case "draw":
            return DRAW
        case _:
            return NOBODY


def _held_again(table: Table, day: Day, then: Next, *, demanded: bool) -> Script[Verdict]:
    """Speeches and another vote on the tied."""
    rules, stage, tied = table.rules, AGAIN[then.step], then.seats
    speakers = speakers_of(stage, day.order, tied)
    table.phase = "day"
    day.pks += 1
    table.tell_all(Called(stage=stage, seats=speakers))
    yield from speeches(table, speakers, stage, round=day.pks)
    held = yield from _vote(table, day, stage, tied, electors(rules, stage, table.living, voters_of(table), tied))
    then = after_vote(rules, stage, tied, held, demanded=demanded)
    return (yield from settle(table, day, then, demanded=demanded))


def demands(table: Table, day: Day) -> Script[tuple[Seat, ...]]:
    """Round PK: the seats of the first valid demand in the day's order, or none (R-ROUNDPK)."""
    if getattr(table.rules, "round_pk", "off") == "off" or len(table.living) > DEMAND_AT_MOST:
        return ()
    table.phase = "vote"
    table.tell_all(Called(stage="demand"))
    living = table.living
    answers = yield tuple(
        table.ask(seat, "demand", tuple(other for other in living if other != seat)) for seat in living
    )
    made = {seat: answer.targets for seat, answer in zip(living, answers, strict=True) if answer.targets}
    honoured = next((seat for seat in day.order if seat in made), None)
    for seat in in_order(made, day.order):
        table.tell_all(Demanded(seat, in_order(made[seat], day.order), seat == honoured))
    return in_order(made[honoured], day.order) if honoured else ()


def _vote(table: Table, day: Day, stage: Stage, candidates: Sequence[Seat], voters: Sequence[Seat]) -> Script[Poll]:
    day.votes += 1
    compulsory = is_compulsory(table.rules, stage)
    return (yield from poll(table, candidates, voters, compulsory=compulsory, stage=stage, round=day.votes))
