"""Evidence: what the public record holds against a seat, or for it, as stances with their slots filled."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tianhei.agents.scripted.ledger import Ballot
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import reading
from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import Classic

BELIEVED = 0.5


class Point(NamedTuple):
    """A thing to say: its stance, and what fills the slots."""

    stance: str
    slots: dict[str, Seat | str]


def fate(mind: Mind, seat: Seat) -> tuple[bool, str] | None:
    """What the table can know of a seat: whether it is a killer, and the word for how that is known."""
    ledger = mind.ledger
    if seat in ledger.sides:
        return (True, "shown_killer") if ledger.sides[seat] else (False, "shown_good")
    if isinstance(mind.record.rules, Classic) and mind.record.dead.get(seat, (0, ""))[1] == "night":
        return False, "night_dead"  # in the butterfly game killers too are shot and needled
    for by, told in ledger.reports.items():
        if by == mind.me or mind.reads.credit.get(by, 0.0) > BELIEVED:
            for report in told:
                what = reading(report.what)
                if report.seat == seat and what is not None:
                    return what, "checked_killer" if what else "checked_good"
    return None


def against(mind: Mind, who: Seat) -> list[Point]:
    """Points against a living seat, the heaviest kinds first."""
    points = [*_checks(mind, who), *_votes(mind, who), *_words(mind, who)]
    return points + _today(mind, who)


def _checks(mind: Mind, who: Seat) -> list[Point]:
    points: list[Point] = []
    ledger = mind.ledger
    for by, told in ledger.reports.items():
        if by not in (mind.me, who) and mind.reads.credit.get(by, 0.0) > BELIEVED:
            points += [
                Point("check_push", {"who": who, "by": by})
                for report in told
                if report.seat == who and reading(report.what)
            ]
    for report in ledger.reports.get(who, ()):
        what, known = reading(report.what), fate(mind, report.seat)
        if report.seat != mind.me and what is not None and known and known[0] != what:
            said = "said_killer" if what else "said_good"
            points.append(Point("doubt_wrong", {"who": who, "target": report.seat, "said": said, "how": known[1]}))
    return points


def _votes(mind: Mind, who: Seat) -> list[Point]:
    points: list[Point] = []
    ledger, dead = mind.ledger, mind.record.dead
    mine = {(ballot.day, ballot.at) for ballot in ledger.ballots if ballot.by == mind.me}
    for ballot in ledger.ballots:
        day, at = ballot.day, ballot.at
        if ballot.by != who or at == mind.me:
            continue
        known = fate(mind, at)
        if known and not known[0] and (day, at) not in mine:
            points.append(Point("press_vote", {"who": who, "day": day, "target": at, "how": known[1]}))
        said = ledger.meant.get((day, who), at)
        if ballot.stage == "round" and said not in (at, mind.me):
            points.append(Point("press_gap", {"who": who, "day": day, "said": said, "voted": at}))
        out = next((seat for seat, left in dead.items() if left == (day, "vote")), None)
        if out and out != at and ballot.stage == "round" and ledger.sides.get(out) and _knew(mind, ballot, out):
            points.append(Point("press_missed", {"who": who, "day": day, "target": out, "other": at}))
    return points


def _knew(mind: Mind, ballot: Ballot, out: Seat) -> bool:
    """Whether a vote was cast when others stood on the one who went out; the first to vote could not know."""
    if not mind.record.rules.vote_form.startswith("after_speech"):
        return True
    day = [other for other in mind.ledger.ballots if other.day == ballot.day and other.stage == "round"]
    return sum(other.at == out for other in day[: day.index(ballot)]) >= 2


def _words(mind: Mind, who: Seat) -> list[Point]:
    points: list[Point] = []
    ledger, dead = mind.ledger, mind.record.dead
    mine = {said.at for said in ledger.accused if said.by == mind.me}
    for said in ledger.accused:
        if said.by == who and said.at != mind.me:
            known = fate(mind, said.at)
            if known and not known[0] and said.at in dead and said.at not in mine:
                slots: dict[str, Seat | str] = {"who": who, "day": said.day, "target": said.at, "how": known[1]}
                points.append(Point("press_push", slots))
        elif (
            said.at == who
            and dead.get(said.by, (0, ""))[1] == "night"
            and said.day <= dead[said.by][0]
            and not ((known := fate(mind, said.by)) and known[0])
        ):
            points.append(Point("press_dead", {"who": who, "dead": said.by}))
    for said in ledger.vouched:
        if said.by == who and said.at != mind.me and (known := fate(mind, said.at)) and known[0]:
            points.append(Point("press_shield", {"who": who, "day": said.day, "target": said.at, "how": known[1]}))
    return points


def _today(mind: Mind, who: Seat) -> list[Point]:
    """Lesser points: how it spoke today, and whom it followed before."""
    ledger, today = mind.ledger, mind.record.day
    points: list[Point] = []
    if (today, who) in ledger.passed:
        points.append(Point("press_pass", {"who": who}))
    elif who in ledger.spoke:
        named = [said.at for said in ledger.accused if said.by == who and said.day == today]
        if not named and ledger.meant.get((today, who)) is None and who not in ledger.roles:
            points.append(Point("press_vague", {"who": who}))
        trusted = [at for at in named if at != mind.me and mind.reads.score.get(at, 9.0) < 0.3]
        points += [Point("press_hasty", {"who": who, "target": at}) for at in trusted[:1]]
    counts = Counter((ballot.day, ballot.at) for ballot in ledger.ballots if ballot.stage == "round")
    for ballot in ledger.ballots:
        day, at = ballot.day, ballot.at
        if ballot.by == who and ballot.stage == "round" and day < today and counts[day, at] >= 4 and at != mind.me:
            spoken = any(said.by == who and said.at == at and said.day == day for said in ledger.accused)
            if not spoken and fate(mind, at) is None and not followed(mind, day, at):
                points.append(Point("press_follow", {"who": who, "day": day, "target": at}))
    return points


def followed(mind: Mind, day: int, at: Seat) -> bool:
    """Whether the speaker was in that crowd too."""
    return any(ballot.by == mind.me and (ballot.day, ballot.at) == (day, at) for ballot in mind.ledger.ballots)


def in_favour(mind: Mind, who: Seat) -> Point:
    """A reason to clear a seat: a vote on a killer, else the plain word."""
    for ballot in mind.ledger.ballots:
        if ballot.by == who and (known := fate(mind, ballot.at)) and known[0]:
            return Point("clear_vote", {"who": who, "day": ballot.day, "target": ballot.at, "how": known[1]})
    return Point("clear", {"who": who})


def own_vote(mind: Mind) -> Point | None:
    """The speaker's own vote on somebody who was a killer."""
    for ballot in mind.ledger.ballots:
        if ballot.by == mind.me and (known := fate(mind, ballot.at)) and known[0]:
            return Point("defend_vote", {"day": ballot.day, "target": ballot.at, "how": known[1]})
    return None
