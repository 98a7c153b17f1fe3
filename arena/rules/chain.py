"""From a day's ballots to who is out: the tie chain of the classic game and the other ways with ties (§5, R-TIE)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tianhei.arena.events import Called, Demanded, Stage, Tied
from tianhei.arena.roles import Seat
from tianhei.arena.rules.ballot import Poll, poll, voters_of
from tianhei.arena.rules.speaking import in_order, speeches
from tianhei.arena.script import Script
from tianhei.arena.table import Table

DEMAND_AT_MOST = 7
"""A round PK may be demanded while no more than this many live (R-ROUNDPK)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the day's vote came to: the seats that are out (none: nobody is), or the game is drawn."""

    out: tuple[Seat, ...] = ()
    draw: bool = False


NOBODY = Verdict()
DRAW = Verdict(draw=True)


@dataclass(slots=True)
class Day:
    """The order of a day, and how many votes and PKs it has held so far."""

    order: tuple[Seat, ...]
    votes: int = 0
    pks: int = 0


def first_vote(table: Table, day: Day) -> Script[Verdict]:
    """Everybody votes on everybody living; a tie is resolved by the rules of the table."""
    table.tell_all(Called(stage="vote", seats=day.order))
    held = yield from _vote(table, day, day.order, voters_of(table), table.rules.abstain == "forbidden", "round")
    return (yield from after_vote(table, day, held))


def after_vote(table: Table, day: Day, held: Poll) -> Script[Verdict]:
    """What follows the ordinary vote, once its ballots are in."""
    rules = table.rules
    if not held.cast:  # R-ABSENT
        return NOBODY
    leaders = held.leaders(day.order)
    if len(leaders) == 1:
        return Verdict(leaders)
    if rules.tie == "chain" and rules.all_abstain == "no_elimination" and held.nobody_voted:
        return _told(table, leaders, "nobody", NOBODY)  # A1-23
    match rules.tie:
        case "chain":
            return (yield from on_field(table, day, leaders))
        case "revote":
            return (yield from _revote(table, day, leaders))
        case "lot":
            return _by_lot(table, leaders)
        case "all":
            return _told(table, leaders, "all", Verdict(tuple(sorted(leaders))))
        case _:
            return _told(table, leaders, "nobody", NOBODY)


def on_field(table: Table, day: Day, tied: Sequence[Seat], *, demanded: bool = False) -> Script[Verdict]:
    """PK: the tied speak, then there is a vote on them (S1-77); one that narrows may be held again (A1-25, A1-26)."""
    repeats = demanded or table.rules.narrowing == "always"
    if not demanded:
        table.tell_all(Tied(tuple(tied), "pk"))
    while True:
        yield from _speak(table, day, tied, "pk")
        voters = _untied(table, tied) if table.rules.pk_voters == "untied" else voters_of(table)
        held = yield from _vote(table, day, tied, voters, table.rules.abstain == "forbidden", "pk")
        if not held.cast:
            return NOBODY
        leaders = held.leaders(tied)
        if len(leaders) == 1:
            return Verdict(leaders)
        if len(leaders) == len(tied) or not repeats:
            return (yield from off_field(table, day, leaders))
        tied = leaders
        table.tell_all(Tied(leaders, "pk"))


def off_field(table: Table, day: Day, tied: Sequence[Seat]) -> Script[Verdict]:
    """Off-field PK: the others speak, then everyone must vote on the tied (S1-78, S1-64)."""
    table.tell_all(Tied(tuple(tied), "off_field"))
    yield from _speak(table, day, [seat for seat in day.order if seat not in tied], "off_field")
    voters = _untied(table, tied) if table.rules.off_voters == "untied" else voters_of(table)
    held = yield from _vote(table, day, tied, voters, True, "off_field")
    leaders = held.leaders(tied) if held.cast else tuple(tied)
    if len(leaders) == 1:
        return Verdict(leaders)
    match table.rules.final_tie:  # A1-29
        case "draw":
            return _told(table, leaders, "draw", DRAW)
        case "lot":
            return _by_lot(table, leaders)
        case _:
            return _told(table, leaders, "nobody", NOBODY)


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


def _revote(table: Table, day: Day, tied: Sequence[Seat]) -> Script[Verdict]:
    """The tied speak, all vote again without abstaining; a second tie and nobody is out (R-TIE)."""
    table.tell_all(Tied(tuple(tied), "revote"))
    yield from _speak(table, day, tied, "revote")
    held = yield from _vote(table, day, tied, voters_of(table), True, "revote")
    if not held.cast:
        return NOBODY
    leaders = held.leaders(tied)
    return Verdict(leaders) if len(leaders) == 1 else _told(table, leaders, "nobody", NOBODY)


def _speak(table: Table, day: Day, speakers: Sequence[Seat], stage: Stage) -> Script[None]:
    table.phase = "day"
    day.pks += 1
    table.tell_all(Called(stage=stage, seats=tuple(speakers)))
    yield from speeches(table, speakers, stage, round=day.pks)


def _vote(
    table: Table, day: Day, candidates: Sequence[Seat], voters: Sequence[Seat], compulsory: bool, stage: Stage
) -> Script[Poll]:
    day.votes += 1
    return (yield from poll(table, candidates, voters, compulsory=compulsory, stage=stage, round=day.votes))


def _untied(table: Table, tied: Sequence[Seat]) -> tuple[Seat, ...]:
    """The untied alone vote; with nobody untied, all do."""
    if set(tied) == set(table.living):
        return voters_of(table)
    return tuple(seat for seat in voters_of(table) if seat not in tied)


def _by_lot(table: Table, tied: Sequence[Seat]) -> Verdict:
    table.tell_all(Tied(tuple(tied), "lot"))
    return Verdict((table.draw("tie", tuple(tied)),))


def _told(table: Table, tied: Sequence[Seat], result: str, verdict: Verdict) -> Verdict:
    table.tell_all(Tied(tuple(tied), result))
    return verdict
