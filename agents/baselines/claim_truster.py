"""Believes every check that is claimed, until something that it knows for certain, or another claim, contradicts it.

A report that is believed is followed: a reported killer has its vote, a cleared seat and a believed officer are spared.
One false report, as this seat knows, and nothing of that officer is believed; two officers who differ on a seat are
both not believed about it. Whoever claims police first is not believed any more than whoever does second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tianhei.agents.baselines.reveal_police import RevealPolice
from tianhei.agents.baselines.voter import lot
from tianhei.agents.scripted.ledger import Ledger, Report
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import persona, reading
from tianhei.agents.scripted.story import checks_to_tell
from tianhei.arena.roles import Seat
from tianhei.arena.view import View


class ClaimTruster(RevealPolice):
    """Easily led, and honest: how far can a table be taken in by a false officer."""

    name = "claim-truster"

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        ledger = Ledger(view.record)
        known = certain(view, ledger)
        believed = believed_reports(ledger, known)
        guilty = [seat for seat, is_killer in known.items() if is_killer]
        guilty += [report.seat for _, report in believed if reading(report.what)]
        if target := next((seat for seat in guilty if seat in pool), None):
            return target
        good = {seat for seat, is_killer in known.items() if not is_killer}
        good |= {seat for by, report in believed for seat in (by, report.seat)}
        return lot(view, tuple(seat for seat in pool if seat not in good) or tuple(pool))

    def news(self, mind: Mind) -> list[Report]:
        """All checks, once there is a killer to disclose."""
        shown = mind.ledger.roles.get(mind.me) == "police"
        return checks_to_tell(mind) if shown or super().news(mind) else []


def certain(view: View, ledger: Ledger) -> dict[Seat, bool]:
    """Seats of which this one knows whether they are killers, itself among the good; a killer knows what he lets on."""
    return {**ledger.sides, **persona(view, ledger).known, view.seat: False}


def believed_reports(ledger: Ledger, known: Mapping[Seat, bool]) -> list[tuple[Seat, Report]]:
    """The reports that nothing contradicts, with who told them."""
    told = [
        (by, report, what)
        for by, reports in ledger.reports.items()
        for report in reports
        if (what := reading(report.what)) is not None
    ]
    liars = {by for by, report, what in told if known.get(report.seat, what) != what}
    liars |= {by for by, is_killer in known.items() if is_killer}
    heard = [(by, report, what) for by, report, what in told if by not in liars]
    denied = {report.seat for _, report, what in heard if any(
        other.seat == report.seat and otherwise != what for _, other, otherwise in heard)}  # fmt: skip
    return [(by, report) for by, report, _ in heard if report.seat not in denied]
