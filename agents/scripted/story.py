"""Stories: when the police come out and with which checks; when a killer claims police, and what it makes up.

A killer keeps no notes. Its story is what it has said in public, and every new line is made to fit that and the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tianhei.agents.scripted.ledger import Report
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import WHAT, reading, spread
from tianhei.arena.claims import ClaimWhat
from tianhei.arena.roles import SINGLES, Role, Seat, Side


def claimed(mind: Mind) -> ClaimWhat | None:
    """The role this seat has claimed so far."""
    return mind.ledger.roles.get(mind.me)


def checks_to_tell(mind: Mind) -> list[Report]:
    """The officer's checks that it has not told yet, oldest first; for a killer, those that it makes up now."""
    if mind.view.role is Role.POLICE:
        told = {(report.night, report.seat) for report in mind.ledger.reports.get(mind.me, ())}
        return [
            Report(mind.record.day, night, seat, _SIGNS.get(answer) or WHAT[answer])
            for night, seat, answer in mind.view.checks
            if (night, seat) not in told and answer != "no_check"
        ]
    return _made_up(mind)


_SIGNS: Mapping[str, ClaimWhat] = {"nod": "killer", "shake": "not_killer", "none": "no_sign"}


def comes_out(mind: Mind, *, dying: bool = False) -> bool:
    """Whether this seat claims police now for the first time."""
    if claimed(mind) is not None or not mind.record.counts.get(Role.POLICE, 0):
        return False
    if mind.view.role is Role.POLICE:
        return dying or _officer_comes_out(mind)
    if mind.view.role is Role.KILLER:
        return not dying and _killer_comes_out(mind)
    return False


def _officer_comes_out(mind: Mind) -> bool:
    ledger, view = mind.ledger, mind.view
    late = len(ledger.spoke) * 2 >= len(view.record.living)
    if mind.in_danger or _reported(mind) or (late and mind.pressure >= 2):
        return True
    open_mates = [mate for mate in view.mates if ledger.roles.get(mate) == "police"]
    killers = [seat for seat, is_killer in mind.who.known.items() if is_killer and seat in view.others]
    told = {report.seat for mate in open_mates for report in ledger.reports.get(mate, ())}
    news = [seat for seat in killers if seat not in told]
    if news and max(len(ledger.backing.get(seat, ())) for seat in news) < 3:
        return len(view.record.living) <= 6 or mind.odds("come out with a killer", 90)
    if open_mates:
        return False
    if mind.officers:
        return mind.odds("come out against a false one", 85)
    return len(view.record.living) <= 7 and len(view.checks) >= 2 and mind.odds("come out late", 60)


def _killer_comes_out(mind: Mind) -> bool:
    """A false claim: when silence loses, seldom otherwise, and never two in a team."""
    ledger = mind.ledger
    if any(ledger.roles.get(mate) == "police" for mate in mind.mates):
        return False
    if _reported(mind):
        return mind.odds("claim when reported", 55)
    if mind.in_danger:
        return mind.odds("claim when pushed", 30)
    if mind.officers:
        return mind.odds("claim against the real one", 12)
    return mind.record.day > 1 and mind.odds("claim out of the blue", 5)


def _reported(mind: Mind) -> bool:
    """Whether an officer, living or dead, has reported this seat as a killer."""
    return bool(reporters(mind))


def reporters(mind: Mind) -> list[Seat]:
    """Who reports this seat as a killer."""
    return [
        by
        for by, told in mind.ledger.reports.items()
        if by != mind.me and any(report.seat == mind.me and reading(report.what) for report in told)
    ]


def _made_up(mind: Mind) -> list[Report]:
    """False checks for the nights not told yet, each one possible on the public record."""
    record, told = mind.record, list(mind.ledger.reports.get(mind.me, ()))
    first = 1 if record.rules.first_phase == "night" else 2
    news: list[Report] = []
    for night in range(max((report.night + 1 for report in told), default=first), record.day + 1):
        seats = [seat for seat in _alive_at(mind, night) if all(seat != old.seat for old in told)]
        if seats:
            report = _made_up_check(mind, night, seats, told)
            told.append(report)
            news.append(report)
    return news


def _alive_at(mind: Mind, night: int) -> list[Seat]:
    """The others who could be checked in that night."""
    dead = mind.record.dead
    return [
        seat
        for seat in range(1, mind.record.players + 1)
        if seat != mind.me and (seat not in dead or dead[seat][0] >= night)
    ]


def _made_up_check(mind: Mind, night: int, seats: list[Seat], told: Iterable[Report]) -> Report:
    """A killer found, at most once a day and most likely last night; else somebody cleared."""
    day, luck, score = mind.record.day, mind.view.luck, mind.reads.score
    purpose = f"{mind.request.id}.night{night}"
    found = sum(report.what == "killer" for report in told)
    living = [seat for seat in seats if seat in score and seat not in mind.mates]
    rivals = [seat for seat in living if seat in mind.reads.credit]
    accusing = [seat for seat in rivals if seat in reporters(mind)]
    bold = night == day and found < mind.record.counts[Role.KILLER] - 1 and luck.number(purpose, 100) < 60
    if living and (bold or (accusing and night == day)):
        victim = (accusing or rivals or sorted(living, key=lambda seat: -score[seat]))[0]
        if mind.ledger.sides.get(victim) is not False:
            return Report(day, night, victim, "killer")
    shown = mind.ledger.sides
    hostile = {*rivals, *reporters(mind)}
    clean = [seat for seat in seats if not shown.get(seat) and seat not in hostile] or seats
    chance = spread(luck, purpose, mind.record.players)
    trusted = min(clean, key=lambda seat: score.get(seat, 0.0) + 2 * chance[seat - 1])
    what: ClaimWhat = "killer" if shown.get(trusted) else _innocent(mind)
    return Report(day, night, trusted, what)


def _innocent(mind: Mind) -> ClaimWhat:
    """What a check that clears somebody shows at this table."""
    return "civilian" if getattr(mind.record.rules, "check_answer", "side") == "role" else "not_killer"


def role_to_claim(mind: Mind) -> ClaimWhat | None:
    """The role that a seat names to save itself, if it names one: its own; a killer, one that is free."""
    if claimed(mind) is not None or mind.view.role is Role.POLICE or not mind.in_danger:
        return None
    taken = set(mind.ledger.roles.values())
    role = mind.view.role
    if mind.view.side is Side.KILLERS:
        free = [single for single in SINGLES if mind.record.counts.get(single) and single not in taken]
        if free and mind.odds("claim a special", 25):
            return WHAT[mind.view.luck.pick(f"{mind.request.id}.special", free)]
        return "civilian" if mind.odds("claim civilian", 35) else None
    if role is None or not mind.odds("claim own role", 70 if role in SINGLES else 35):
        return None
    return WHAT[role]
