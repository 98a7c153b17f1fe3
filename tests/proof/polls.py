"""Every ballot of the ordinary vote, and of every vote that can follow it, through the scripts that the game plays.

One input is one vote: who is asked, what may be chosen, and what the rules make of the ballots (somebody is out,
nobody is, the game is drawn, all or one by lot of the tied go, or another vote with its candidates). Where a chain
goes on, its next vote is an input of its own: every stage with every tied set is opened directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice, product
from typing import Any, NamedTuple

from oracle import votes
from proof.normal import frozen
from proof.tables import resolved
from tianhei.arena.chance import Deal, Given
from tianhei.arena.events import Called, Tied
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.ballot import Poll, poll, voters_of
from tianhei.arena.rules.chain import Day, Next, Verdict, after_vote, round_pk, settle
from tianhei.arena.rules.options import make
from tianhei.arena.rulings import chain, tally
from tianhei.arena.script import Script
from tianhei.arena.table import Table

Found = Iterator[tuple[bool, Any]]
Then = tuple[str, tuple[Seat, ...]]
ASKED_UP_TO = 6
"""Ballots of so many voters are asked for with every tie option."""
TIES = ("nobody", "revote", "chain", "lot", "all")


class Opened(NamedTuple):
    """One stage of one table: the rules for both sides, how the engine opens it, and its candidates."""

    table: Table
    options: dict[str, Any]
    stage: str
    candidates: tuple[Seat, ...]
    open: Callable[[], Script[Verdict]]
    demanded: bool = False
    counted: bool = False
    """Whether the ballots go straight to their count, without being asked for."""


class First:
    """The first of several options: so both sides draw the same lot."""

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        return options[0]


def _table(game: str, changes: Mapping[str, Any], voters: int) -> Table:
    quiet = {"channel": "mute"} | ({"vote_form": "simultaneous"} if game == "classic" else {})
    table = Table(make(game, {**changes, **quiet}), Deal((Role.CIVILIAN,) * voters), Given([], First()))
    table.phase = "day"
    return table


def _ordinary(table: Table) -> Script[Verdict]:
    day = Day(table.living)
    day.votes = 1
    compulsory = table.rules.abstain == "forbidden"
    held = yield from poll(table, day.order, voters_of(table), compulsory=compulsory, stage="round", round=1)
    return (yield from settle(table, day, after_vote(table.rules, "round", day.order, held)))


def _engine(opened: Opened, answers: tuple[Answer, ...]) -> Then:
    """What the engine makes of one vote."""
    script = opened.open()
    next(script)
    opened.table.events = []
    return _outcome(opened.table, partial(script.send, answers))


def _count(opened: Opened, cast: Mapping[Seat, Seat | None]) -> Then:
    """What the engine makes of these ballots of an ordinary vote, once they are in."""
    table = opened.table
    table.events = []
    then = after_vote(table.rules, "round", table.living, Poll(cast))
    return _outcome(table, settle(table, Day(table.living, 1), then).__next__)


def _outcome(table: Table, step: Callable[[], Any]) -> Then:
    try:
        step()
    except StopIteration as stop:
        verdict: Verdict = stop.value
        tied = [event.body for event in table.events if type(event.body) is Tied]
        if not tied:
            return ("out", verdict.out) if verdict.out else ("nobody", ())
        then, seats = tied[-1].next, tied[-1].seats
        fits = {"all": tuple(sorted(seats)), "lot": (seats[0],)}.get(then, ())
        return (then, seats) if (verdict.out, verdict.draw) == (fits, then == "draw") else ("wrong verdict", seats)
    body = next(event.body for event in table.events if type(event.body) is Tied)
    return body.next, body.seats


def _votes(opened: Opened, every: int, *, abstain: bool) -> Found:
    """Every ballot of one opened stage, and first of all what is asked of whom."""
    table, options, stage = opened.table, opened.options, opened.stage
    living, candidates = table.living, opened.candidates
    voters = votes.electors(options, stage, living, candidates)
    table.events = []
    requests = next(opened.open())
    yield _asked(opened, requests, voters), (stage, candidates, "who is asked")
    choices: list[Seat | None] = [None, *candidates] if abstain else [*candidates]
    given = {choice: Answer(target=choice) for choice in choices}
    for choice in islice(product(choices, repeat=len(voters)), 0, None, every):
        cast = dict(zip(voters, choice, strict=True))
        then = votes.following(options, stage, candidates, cast, opened.demanded)
        ours = _count(opened, cast) if opened.counted else _engine(opened, tuple([given[target] for target in choice]))
        same = ours == (then.step, then.seats)
        yield same, None if same else (options, stage, candidates, choice, ours, then)


def _asked(opened: Opened, requests: Sequence[Request], voters: Sequence[Seat]) -> bool:
    """The same voters, options, compulsion and speakers on both sides."""
    options, stage = opened.options, opened.stage
    must = votes.compulsory(options, stage)
    ours = {r.seat: (r.options, r.may_pass) for r in requests}
    theirs = {s: (tuple(sorted(votes.choices(options, s, opened.candidates))), not must) for s in voters}
    called = [event.body for event in opened.table.events if type(event.body) is Called]
    speakers = [body.seats for body in called if body.stage == stage]
    return ours == theirs and (
        stage == "vote"
        or speakers == [tuple(votes.speakers(stage, opened.table.living, opened.candidates))]
    )  # fmt: skip


def ordinary(voters: int, tie: str, every: int = 1) -> Found:
    """Every ballot of so many voters in the ordinary vote, abstention and self-votes included, and what follows it.

    The ballots of seven are asked for once (`tie = nobody`), and for the other tie options go straight to their count.
    """
    changes = {"abstain": "allowed", "tie": tie}
    variants = ["chain", "no_elimination"] if tie == "chain" else ["chain"]
    for all_abstain in variants:
        more = {**changes, **({"all_abstain": all_abstain} if tie == "chain" else {})}
        table = _table("butterfly", more, voters)
        counted = voters > ASKED_UP_TO and tie != "nobody"
        asked = partial(_ordinary, table)
        opened = Opened(table, resolved("butterfly", more), "vote", table.living, asked, counted=counted)
        if all_abstain == "chain":
            yield from _votes(opened, every, abstain=True)
        else:  # differs from the other only where nobody votes for anybody
            silent = tuple(Answer() for _ in table.living)
            then = votes.following(opened.options, "vote", table.living, dict.fromkeys(table.living))
            yield _engine(opened, silent) == (then.step, then.seats), (voters, more, "all abstain")


def variants_of(stage: str) -> list[dict[str, Any]]:
    """The options that bear on what one ballot of a later stage comes to."""
    sides = ("all", "untied")
    if stage == "off_field":
        return [{"final_tie": how, "off_voters": who} for how, who in product(("draw", "lot", "nobody"), sides)]
    if stage == "revote":
        return [{"tie": "revote"}]
    if stage == "demanded":  # here it narrows whatever the option says
        return [{"pk_voters": who} for who in sides]
    return [{"narrowing": how, "pk_voters": who} for how, who in product(("never", "always"), sides)]


def later(voters: int, stage: str, changes: Mapping[str, Any], every: int = 1) -> Found:
    """Every ballot in a PK (opened by a tie or by a demand), an off-field vote or a revote, for every tied set."""
    game = "butterfly" if stage == "revote" else "classic"
    name = "pk" if stage == "demanded" else stage
    options = resolved(game, dict(changes))
    for size in range(2, voters + 1):
        for tied in combinations(range(1, voters + 1), size):
            table = _table(game, changes, voters)
            opened = Opened(table, options, name, tied, partial(_open, table, stage, tied), stage == "demanded")
            yield from _votes(opened, every, abstain=not votes.compulsory(options, name))


def _open(table: Table, stage: str, tied: tuple[Seat, ...]) -> Script[Verdict]:
    day = Day(table.living)
    if stage == "demanded":
        return round_pk(table, day, tied)
    if stage == "revote":  # as it comes after ballots that tie just these
        return settle(table, day, after_vote(table.rules, "round", table.living, Poll({seat: seat for seat in tied})))
    return settle(table, day, Next("pk" if stage == "pk" else "off_field", tied))


def as_rulings(voters: int, tie: str) -> Found:
    """The same ballots through the single rulings `tally` and, with both votes of the shortest chain, `chain`."""
    changes = {"abstain": "allowed", "tie": tie}
    options, alive = resolved("butterfly", changes), list(range(1, voters + 1))
    for number, choice in enumerate(product([None, *alive], repeat=voters)):
        cast = dict(zip(alive, choice, strict=True))
        leaders = votes.leaders(cast, alive)
        lot = leaders[number % len(leaders)] if tie == "lot" else None
        line: dict[str, Any] = {"cmd": "tally", "rules": {"preset": "butterfly", **changes}, "alive": alive,
                                "ballots": cast, "lot": lot}  # fmt: skip
        yield tally(line) == votes.verdict(options, alive, cast, lot), line
        if tie == "chain":
            held: list[dict[Seat, Seat | None]] = (
                [cast] if len(leaders) == 1 else [cast, {seat: leaders[0] for seat in alive}]
            )
            line = {**line, "cmd": "chain", "players": voters, "ballots": held}
            yield frozen(chain(line)) == frozen(votes.chain(options, alive, held)), line
