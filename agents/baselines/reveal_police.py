"""Honest coordination: an officer who has found a killer says so, the table votes for that seat, killers strike back.

Nobody thinks: the first report that somebody living is a killer is followed, and where there is none the lot decides.
The killers take an officer who has shown himself.
"""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.baselines.speaker import Speaker, tell
from tianhei.agents.scripted.ledger import Ledger, Report
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import reading
from tianhei.agents.scripted.speech import accuse
from tianhei.agents.scripted.story import checks_to_tell
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.claims import Claim
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View


class RevealPolice(Speaker):
    """Police disclose a killer whom they have checked and nobody has reported; everybody follows a report."""

    name = "reveal-police"

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        found = [seat for _, seat, answer in view.checks if reading(answer) and seat in pool]
        cleared = {*view.mates, *(seat for _, seat, answer in view.checks if reading(answer) is False)}
        told = [report.seat for report in reports_of_killers(Ledger(view.record)) if report.seat in pool]
        return next((seat for seat in (*found, *told) if seat not in cleared), None)

    def pointed(self, view: View, request: Request) -> Sequence[Seat]:
        if request.kind != "kill":
            return request.options
        friends = (view.seat, *view.mates)
        shown = [seat for seat in Ledger(view.record).officers() if seat in request.options and seat not in friends]
        return shown or request.options

    def speak(self, mind: Mind, talk: Talk, target: Seat | None) -> None:
        if mind.view.role is Role.POLICE and (news := self.news(mind)):
            tell(mind, talk, news)
            if target is not None and mind.request.kind != "last_words":
                talk.say("call", Claim("vote", target), who=target)
            return
        super().speak(mind, talk, target)

    def news(self, mind: Mind) -> list[Report]:
        """What an officer discloses now: living killers whom nobody has reported."""
        told = {report.seat for report in reports_of_killers(mind.ledger)}
        return [
            report for report in checks_to_tell(mind)
            if reading(report.what) and report.seat in mind.record.living and report.seat not in told
        ]  # fmt: skip

    def push(self, mind: Mind, talk: Talk, target: Seat) -> None:
        by = next((by for by, told in mind.ledger.reports.items() if by != mind.me and any(
            report.seat == target and reading(report.what) for report in told)), None)  # fmt: skip
        if by is None:
            super().push(mind, talk, target)
        else:
            talk.say("check_push", accuse(target), who=target, by=by)


def reports_of_killers(ledger: Ledger) -> list[Report]:
    """Every report that somebody is a killer, the first told first."""
    told = [report for reports in ledger.reports.values() for report in reports if reading(report.what)]
    return sorted(told, key=lambda report: report.day)
