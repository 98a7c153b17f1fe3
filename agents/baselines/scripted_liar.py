"""A known stimulus: on a fixed day one killer claims police and reports good players as killers, always in one way.

The liar is the lowest living killer, and there is one a game. It comes out on day 2, or sooner once somebody else
claims police, and then against him. Nothing in what it says is drawn: the same table hears the same lie, in the same
words. On the good side, and as the liar's mate, it plays like the police who reveal and the table that follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.baselines.reveal_police import RevealPolice
from tianhei.agents.baselines.speaker import tell
from tianhei.agents.scripted.ledger import Ledger, Report
from tianhei.agents.scripted.lines import Lines
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.claims import Claim, ClaimWhat
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View


class ScriptedLiar(RevealPolice):
    """A false officer by the book."""

    name = "scripted-liar"
    day = 2
    """When the liar comes out at the latest."""

    def __init__(self, lang: str = "en") -> None:
        super().__init__(lang)
        first = {stance: lines[:1] for stance, lines in self.lines.stances.items()}
        self.lines = Lines(first, self.lines.words)

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        story = self.story(view, Ledger(view.record))
        lies = [report.seat for report in story if report.what == "killer" and report.seat in pool]
        return lies[0] if lies else super().aim(view, pool)

    def speak(self, mind: Mind, talk: Talk, target: Seat | None) -> None:
        story = self.story(mind.view, mind.ledger) if mind.request.kind != "last_words" else []
        if not story:
            super().speak(mind, talk, target)
            return
        tell(mind, talk, story)
        if target is not None:
            talk.say("call", Claim("vote", target), who=target)

    def story(self, view: View, ledger: Ledger) -> list[Report]:
        """The made-up checks that are due now and not told yet, one for each night; none where it is not the liar."""
        if not self._lies(view, ledger):
            return []
        told = list(ledger.reports.get(view.seat, ()))
        nights = {report.night for report in told}
        first = 1 if view.rules.first_phase == "night" else 2
        news: list[Report] = []
        for night in range(first, view.record.day + 1):
            if night not in nights and (report := _report(view, ledger, night, [*told, *news])):
                news.append(report)
        return news

    def _lies(self, view: View, ledger: Ledger) -> bool:
        if view.role is not Role.KILLER or not view.record.counts.get(Role.POLICE):
            return False
        team = sorted((view.seat, *view.mates))
        claimed = [seat for seat in team if ledger.roles.get(seat) == "police"]
        if claimed:
            return claimed == [view.seat]
        rivals = [seat for seat in ledger.officers() if seat not in team]
        living = [seat for seat in team if seat in view.record.living]
        return living[:1] == [view.seat] and (view.record.day >= self.day or bool(rivals))


def _report(view: View, ledger: Ledger, night: int, told: Sequence[Report]) -> Report | None:
    """The lie of a night: last night's check found a killer, those before cleared; rivals first, then by seat."""
    day, dead = view.record.day, view.record.dead
    done = {report.seat for report in told}
    team = (view.seat, *view.mates)
    there = [seat for seat in range(1, view.players + 1) if seat not in dead or dead[seat][0] >= night]
    fresh = [seat for seat in there if seat not in done and seat != view.seat]
    officers = ledger.officers()
    good = [seat for seat in fresh if seat not in team and ledger.sides.get(seat) is not False]
    victims = sorted((seat for seat in good if seat in view.record.living), key=lambda seat: seat not in officers)
    found = sum(report.what == "killer" for report in told)
    if night == day and victims and found < view.record.counts[Role.KILLER]:
        return Report(day, night, victims[0], "killer")
    what: ClaimWhat = "civilian" if getattr(view.rules, "check_answer", "side") == "role" else "not_killer"
    cleared = sorted((seat for seat in fresh if seat not in officers), key=lambda seat: seat not in view.mates)
    return Report(day, night, cleared[0], what) if cleared else None
