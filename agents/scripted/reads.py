"""Reads: how far a seat trusts each claim of police, and how much it suspects each of the living.

A read is a sum of plain marks, each resting on something public: a check by an officer who is believed, a vote on
somebody who turned out good, a push, a shield, words and hand that disagree. The weights are set by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from tianhei.agents.scripted.ledger import Ledger, Report
from tianhei.arena.chance import Luck
from tianhei.arena.claims import ClaimWhat
from tianhei.arena.roles import SINGLES, Role, Seat
from tianhei.arena.rules.options import Classic
from tianhei.arena.view import View

WHAT: Mapping[str, ClaimWhat] = {what: what for what in get_args(ClaimWhat)}
"""The words of claims, by themselves: a role or an answer of the judge as a claim says it."""
SURE = 8.0
"""The mark of a seat whose side one knows."""
HUNCH = 0.6
"""The most that a seat is suspected for nothing; the same all game."""
NIGHT_DEAD = 0.8
"""How good one is thought who died in the night."""
ALONE_CREDIT = 0.75
"""How far a claim of police is believed that nobody disputes."""


@dataclass(frozen=True, slots=True)
class Persona:
    """Whom a seat plays: its own card, or, for a killer, the innocent that it has claimed to be so far.

    ``known`` maps seats to whether they are killers; ``fellows`` are the other police it can vouch for.
    """

    role: ClaimWhat
    known: Mapping[Seat, bool] = field(default_factory=dict)
    fellows: tuple[Seat, ...] = ()


def persona(view: View, ledger: Ledger) -> Persona:
    """The persona of the view's seat: killers know only what they have told."""
    if view.role is Role.KILLER:
        told = ledger.reports.get(view.seat, ())
        known = {report.seat: report.what == "killer" for report in told if report.what != "no_sign"}
        return Persona(ledger.roles.get(view.seat, "civilian"), known)
    known = {seat: role == Role.KILLER for seat, role in view.told_roles.items()}
    known.update((seat, is_killer) for _, seat, answer in view.checks if (is_killer := reading(answer)) is not None)
    known.update(dict.fromkeys(view.mates, False))
    return Persona(WHAT[view.role or Role.CIVILIAN], known, view.mates)


def reading(answer: str) -> bool | None:
    """Whether the judge's answer to a check says killer; None where it says nothing."""
    return None if answer in ("none", "no_check", "no_sign") else answer in ("nod", "killer")


class Reads:
    """One seat's reads: ``credit`` of those who claim police (-1 to 1), ``score`` of the living others."""

    def __init__(self, view: View, ledger: Ledger, who: Persona) -> None:
        self._view = view
        self._ledger = ledger
        self._who = who
        self._targets: dict[Seat, list[Seat]] = {}
        """Whom each seat accuses today."""
        for said in ledger.accused:
            if said.day == ledger.day:
                self._targets.setdefault(said.by, []).append(said.at)
        self.credit: dict[Seat, float] = {}
        for seat in ledger.officers():
            if seat != view.seat:
                self.credit[seat] = self._credit_of(seat)
        self._compare_officers()
        self.worth = self._worths()
        hunch = spread(view.luck, "hunch", view.players)
        self.score = {seat: HUNCH * hunch[seat - 1] for seat in view.record.living if seat != view.seat}
        self._mark_claims()
        self._mark_votes()
        self._mark_words()
        for seat, is_killer in who.known.items():
            if seat in self.score:
                self.score[seat] += SURE if is_killer else -SURE

    def _credit_of(self, seat: Seat) -> float:
        """The credit of one claim of police by itself."""
        who, ledger = self._who, self._ledger
        if seat in who.known:
            return -1.0 if who.known[seat] else 1.0
        if who.role == "police" and seat not in who.fellows:
            return -1.0
        if seat in ledger.sides:
            return -1.0 if ledger.sides[seat] else 1.0
        if any(self._is_false(report) for report in ledger.reports.get(seat, ())):
            return -0.9
        left = ledger.record.dead.get(seat)
        if left and left[1] == "night":
            return 0.95
        return ALONE_CREDIT - (0.3 if self._view.seat in self._targets.get(seat, ()) else 0.0)

    def _is_false(self, report: Report) -> bool:
        """Whether a report cannot be true, as this seat knows."""
        what, seat, ledger = reading(report.what), report.seat, self._ledger
        left = ledger.record.dead.get(seat)
        if report.night > report.day or (left and left[0] < report.night):
            return True
        if what is None:
            return False
        fact = self._who.known.get(seat, ledger.sides.get(seat))
        if seat == self._view.seat:
            fact = False
        if fact is None and what and left and left[1] == "night" and isinstance(ledger.record.rules, Classic):
            fact = False
        return fact is not None and fact != what

    def _compare_officers(self) -> None:
        """Too many officers, or officers who report each other: the undecided share what credit is left."""
        credit, places = self.credit, self._ledger.record.counts.get(Role.POLICE, 0)
        open_claims = [seat for seat, value in credit.items() if 0 < value <= ALONE_CREDIT]
        left = places - sum(value > ALONE_CREDIT for value in credit.values())
        if self._who.role == "police":
            left -= 1
        for place, seat in enumerate(open_claims):
            if len(open_claims) > left:
                credit[seat] *= max(left, 0) / len(open_claims)
                credit[seat] += 0.0 if place else 0.12
                if left <= 0:
                    credit[seat] = -0.8
        for seat in open_claims:
            against = max((credit[by] for by in self._officers_against(seat)), default=0.0)
            if against > 0:
                credit[seat] = -0.8 if against > ALONE_CREDIT else credit[seat] - 0.4
        for true in [seat for seat, value in credit.items() if value > ALONE_CREDIT]:
            for seat in self._officers_against(true).intersection(open_claims):
                credit[seat] = -0.8

    def _officers_against(self, seat: Seat) -> set[Seat]:
        """Which of the officers call this one a killer, by a check or in words."""
        ledger = self._ledger
        by_check = {by for by, told in ledger.reports.items() if any(_finds(report, seat) for report in told)}
        in_words = {said.by for said in ledger.accused if said.at == seat}
        return {by for by in by_check | in_words if by != seat and by in self.credit}

    def _worths(self) -> dict[Seat, float]:
        """What is thought of seats whose fate or check tells something: 1 good, -1 killer."""
        ledger = self._ledger
        worth: dict[Seat, float] = {}
        for by, told in ledger.reports.items():
            credit = self.credit.get(by, 0.0)
            for report in told if credit > 0.3 else ():
                if (what := reading(report.what)) is not None:
                    worth[report.seat] = -credit if what else credit
        for seat, (_, how) in ledger.record.dead.items():
            if how == "night":
                worth[seat] = NIGHT_DEAD
        for seat, value in self.credit.items():
            if abs(value) > 0.3:
                worth[seat] = value
        worth.update((seat, -1.0 if is_killer else 1.0) for seat, is_killer in ledger.sides.items())
        worth.update((seat, -1.0 if is_killer else 1.0) for seat, is_killer in self._who.known.items())
        return worth

    def _mark_claims(self) -> None:
        score, ledger = self.score, self._ledger
        for seat, credit in self.credit.items():
            if seat in score:
                score[seat] += -2.2 * credit if credit > 0 else -3.0 * credit
            for report in ledger.reports.get(seat, ()):
                what = reading(report.what)
                if report.seat in score and what is not None:
                    weight = (4.0 if credit > 0 else 0.8) if what else (-2.5 if credit > 0 else -0.4)
                    score[report.seat] += weight * credit
        singles = Counter(role for role in ledger.roles.values())
        for seat, role in ledger.roles.items():
            if seat in score and role in SINGLES:
                if role == self._who.role:
                    score[seat] += 4.0
                else:
                    score[seat] += 0.7 if singles[role] > 1 else -1.0

    def _mark_votes(self) -> None:
        score, worth, ledger = self.score, self.worth, self._ledger
        marks = dict.fromkeys(score, 0.0)
        mine = {(ballot.day, ballot.at) for ballot in ledger.ballots if ballot.by == self._view.seat}
        for ballot in ledger.ballots:
            by = ballot.by
            if by not in score:
                continue
            value = worth.get(ballot.at, 0.0)
            if value < 0:
                marks[by] += 0.5 * value
            elif value:  # A vote that one cast oneself is hard to hold against others.
                marks[by] += (0.1 if (ballot.day, ballot.at) in mine else 0.35) * value
            if ballot.stage == "round" and ledger.meant.get((ballot.day, by), ballot.at) != ballot.at:
                score[by] += 0.35
        for seat, mark in marks.items():
            score[seat] += max(-1.2, min(1.2, mark))

    def _mark_words(self) -> None:
        score, worth, ledger, me = self.score, self.worth, self._ledger, self._view.seat
        today, dead = ledger.day, ledger.record.dead
        for said in ledger.accused:
            value = worth.get(said.at, 0.0)
            if said.by in score:
                score[said.by] += 0.15 * value
                if said.at == me and said.day == today:
                    score[said.by] += 0.2
            if said.at in score:
                if said.by in dead and worth.get(said.by, 0.0) > 0.5:
                    score[said.at] += 0.25
                elif said.by == me:
                    score[said.at] += 0.4 if said.day == today else 0.2
        for said in ledger.vouched:
            if said.by in score:
                value = worth.get(said.at, 0.0)
                score[said.by] += -0.5 * value if value < 0 else -0.05 * value
        for day, seat in ledger.passed:
            if seat in score and day == today:
                score[seat] += 0.15
        for seat, voters in ledger.backing.items():
            if seat in score:
                score[seat] += 0.2 * sum(voter != me for voter in voters)


def spread(luck: Luck, purpose: str, players: int) -> list[float]:
    """A small number for every seat, 0 to below 1 in steps of 1/64: ten seats to a draw."""
    numbers: list[float] = []
    for start in range(0, players, 10):
        drawn = luck.number(f"{purpose} from {start}", 1 << 60)
        numbers += [(drawn >> shift & 63) / 64 for shift in range(0, 60, 6)]
    return numbers


def _finds(report: Report, seat: Seat) -> bool:
    return report.seat == seat and bool(reading(report.what))
