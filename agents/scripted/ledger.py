"""The public ledger: who claimed, accused, cleared, asked and voted what, folded from the record in one pass."""

from __future__ import annotations

from typing import NamedTuple

from tianhei.arena.claims import ClaimWhat, own_role_claims
from tianhei.arena.events import Dawn, VotedOut
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import Record


class Pointed(NamedTuple):
    """On ``day``, ``by`` spoke of ``at``: accused, cleared or asked that seat."""

    day: int
    by: Seat
    at: Seat


class Ballot(NamedTuple):
    """On ``day``, in ``stage``, ``by`` voted for ``at``."""

    day: int
    stage: str
    by: Seat
    at: Seat


class Report(NamedTuple):
    """A check as its officer told it on ``day``: of ``seat``, in ``night``, with what result."""

    day: int
    night: int
    seat: Seat
    what: ClaimWhat


class Ledger:
    """What everybody at the table has heard and seen."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.day = record.day
        self.accused: list[Pointed] = []
        self.vouched: list[Pointed] = []
        self.asked: list[Pointed] = []
        self.meant: dict[tuple[int, Seat], Seat] = {}
        """By day and speaker: the vote announced last."""
        self.roles: dict[Seat, ClaimWhat] = {}
        """The role each seat claims for itself; in the order of the first claim of that role."""
        self.reports: dict[Seat, list[Report]] = {}
        self.sides: dict[Seat, bool] = {}
        """Seats whose side the judge has shown: whether they were killers."""
        self.passed: list[tuple[int, Seat]] = []
        """By day and seat: speeches without a word."""
        self.spoke: set[Seat] = set()
        """Who has spoken today."""
        self.ballots: list[Ballot] = []
        self._hear()
        self._count()
        if record.rules.reveal_on_vote != "none" or record.rules.reveal_at_dawn != "none":
            self._reveal()
        self.backing: dict[Seat, list[Seat]] = {}
        """Today's votes, cast or announced: voters by candidate."""
        for voter, at in self._today().items():
            self.backing.setdefault(at, []).append(voter)

    def _hear(self) -> None:
        for day, speech in self.record.speeches:
            by = speech.by
            claims = speech.claims if speech.claims is not None else own_role_claims(speech.text, by)
            if day == self.day:
                self.spoke.add(by)
            if not claims and not speech.text:
                self.passed.append((day, by))
            for claim in claims:
                kind, seat = claim.kind, claim.seat
                if kind == "accuse":
                    self.accused.append(Pointed(day, by, seat))
                elif kind == "vote":
                    self.meant[day, by] = seat
                elif kind == "clear":
                    if seat != by:
                        self.vouched.append(Pointed(day, by, seat))
                elif kind == "ask":
                    self.asked.append(Pointed(day, by, seat))
                elif kind == "check":
                    self._report(Report(day, claim.night, seat, claim.what), by)
                elif kind == "role" and seat == by:
                    if self.roles.get(by) != claim.what:
                        self.roles.pop(by, None)
                        self.roles[by] = claim.what
                elif kind == "retract" and seat == by:
                    self.roles.pop(by, None)
                    self.reports.pop(by, None)

    def _report(self, report: Report, by: Seat) -> None:
        self.roles.setdefault(by, "police")
        told = self.reports.setdefault(by, [])
        if not any((old.night, old.seat, old.what) == report[1:] for old in told):
            told.append(report)

    def _count(self) -> None:
        new = tuple.__new__  # As Ballot(...) does, at a third of its time: this is most of what is folded.
        for vote in self.record.votes:
            day, stage = vote.day, vote.stage
            self.ballots += [new(Ballot, (day, stage, by, at)) for by, at in vote.ballots.items() if at is not None]

    def _reveal(self) -> None:
        for body in [event.body for _, event in self.record.events if type(event.body) in (VotedOut, Dawn)]:
            if type(body) is VotedOut and body.revealed:
                self.sides[body.seat] = body.revealed == Role.KILLER
            elif type(body) is Dawn and body.revealed:
                self.sides.update((seat, told == Role.KILLER) for seat, told in body.revealed.items())

    def _today(self) -> dict[Seat, Seat]:
        standing = {by: at for (day, by), at in self.meant.items() if day == self.day}
        standing.update({ballot.by: ballot.at for ballot in self.ballots if ballot.day == self.day})
        return standing

    def officers(self) -> list[Seat]:
        """Everybody, living or dead, who claims police, first claim first."""
        return [seat for seat, role in self.roles.items() if role == "police"]

    def accusers(self, seat: Seat) -> list[Seat]:
        """Who has accused this seat today in words, in order."""
        return list(dict.fromkeys(said.by for said in self.accused if said.at == seat and said.day == self.day))

    def is_candidate(self, seat: Seat) -> bool:
        """Whether the seat stands in a PK now."""
        record = self.record
        tied = record.speakers if record.stage == "pk" else record.candidates
        return record.stage in ("pk", "off_field", "revote") and seat in tied
