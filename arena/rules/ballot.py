"""One vote: who may be voted for, by whom, how it is cast and shown, and who has the most (A1-15, A1-21 to A1-24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tianhei.arena.events import Ballots, Called, Hand, Stage
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import Rules
from tianhei.arena.script import Script
from tianhei.arena.table import Table

Cast: TypeAlias = Mapping[Seat, Seat | None]


@dataclass(frozen=True, slots=True)
class Poll:
    """A vote that was held: who chose whom (None: abstained), and who could not be had."""

    cast: Cast = field(default_factory=dict)
    void: tuple[Seat, ...] = ()

    def leaders(self, candidates: Sequence[Seat]) -> tuple[Seat, ...]:
        """Those with the most votes, as the candidates stand; where all abstained, all of them (A1-23)."""
        counts = dict.fromkeys(candidates, 0)
        for target in self.cast.values():
            if target is not None:
                counts[target] += 1
        most = max(counts.values())
        return tuple([seat for seat in candidates if counts[seat] == most])

    @property
    def nobody_voted(self) -> bool:
        """Whether everybody who answered abstained."""
        return not any([target is not None for target in self.cast.values()])


def voters_of(table: Table) -> tuple[Seat, ...]:
    """The living who may vote at all today: the silenced too, unless by option (A0-45)."""
    if getattr(table.rules, "silenced_votes", True):
        return table.living
    return tuple(seat for seat in table.living if seat not in table.silenced)


def choices(rules: Rules, voter: Seat, candidates: Sequence[Seat]) -> tuple[Seat, ...]:
    """The candidates this voter may name, in seat order."""
    allowed = rules.self_vote == "allowed"
    return tuple(sorted([seat for seat in candidates if allowed or seat != voter]))


def poll(
    table: Table,
    candidates: Sequence[Seat],
    voters: Sequence[Seat],
    *,
    compulsory: bool,
    stage: Stage,
    round: int,
) -> Script[Poll]:
    """Hold one vote of ``voters`` on ``candidates`` (in the day's order), in the table's form; tell the ballots."""
    table.phase = "vote"
    called = table.rules.vote_form == "called"
    held = yield from (_called if called else _sealed)(table, candidates, voters, compulsory, round)
    table.tell_all(shown(table, held, stage))
    return held


def shown(table: Table, held: Poll, stage: Stage) -> Ballots:
    """The ballots as the table sees them: open, or as totals in a secret vote."""
    if table.rules.vote_form in ("secret", "after_speech_secret"):
        counts = Counter(target for target in held.cast.values() if target is not None)
        abstained = sum(target is None for target in held.cast.values())
        return Ballots(stage, totals=dict(sorted(counts.items())), abstained=abstained, void=held.void)
    return Ballots(stage, ballots=dict(held.cast), void=held.void)


def _sealed(
    table: Table, candidates: Sequence[Seat], voters: Sequence[Seat], compulsory: bool, round: int
) -> Script[Poll]:
    """All choose at once."""
    if not voters:
        return Poll()
    everybody = tuple(sorted(candidates))
    answers = yield tuple(
        table.ask(
            voter,
            "vote",
            everybody if table.rules.self_vote == "allowed" else choices(table.rules, voter, candidates),
            may_pass=not compulsory,
            round=round,
        )
        for voter in voters
    )
    cast = {voter: answer.target for voter, answer in zip(voters, answers, strict=True) if not answer.absent}
    void = tuple(voter for voter, answer in zip(voters, answers, strict=True) if answer.absent)
    return Poll(cast, void)


def _called(
    table: Table, candidates: Sequence[Seat], voters: Sequence[Seat], compulsory: bool, round: int
) -> Script[Poll]:
    """Candidates are called in the day's order; each voter raises a hand once or never (S1-61, R-VOTE)."""
    raised: dict[Seat, Seat] = {}
    answered: set[Seat] = set()
    last_chance = {voter: _last_choice(table, voter, candidates) for voter in voters}
    for candidate in candidates:
        open_to = tuple(
            voter
            for voter in voters
            if voter not in raised and (voter != candidate or table.rules.self_vote == "allowed")
        )
        if not open_to:
            continue
        table.tell_all(Called(stage="hands", seats=(candidate,)))
        answers: Sequence[Answer] = yield tuple(
            table.ask(
                voter,
                "hand",
                (candidate,),
                step=f"hand{candidate:02}_",
                may_pass=not (compulsory and candidate == last_chance[voter]),
                round=round,
            )
            for voter in open_to
        )
        for voter, answer in zip(open_to, answers, strict=True):
            if not answer.absent:
                answered.add(voter)
            if answer.raised:
                raised[voter] = candidate
                table.tell_all(Hand(voter, candidate))
    abstained = set() if compulsory else answered - set(raised)
    cast = {voter: raised.get(voter) for voter in voters if voter in raised or voter in abstained}
    return Poll(cast, tuple(voter for voter in voters if voter not in cast))


def _last_choice(table: Table, voter: Seat, candidates: Sequence[Seat]) -> Seat:
    """The last candidate, in the order of calling, whom this voter may choose."""
    allowed = choices(table.rules, voter, candidates)
    return next(seat for seat in reversed(candidates) if seat in allowed)
