"""Speeches: which points a seat makes, in which order, in the day's round, in a PK and with its last words."""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.scripted.ballot import abstains
from tianhei.agents.scripted.evidence import Point, against, fate, in_favour, own_vote
from tianhei.agents.scripted.ledger import Ballot, Report
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import reading
from tianhei.agents.scripted.story import checks_to_tell, claimed, comes_out, reporters, role_to_claim
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.claims import Claim
from tianhei.arena.roles import SINGLES, Role, Seat

SENTENCES = 3
"""A speech makes at most this many points, an officer's checks apart."""


def accuse(seat: Seat) -> Claim:
    """The claim that a seat is a killer."""
    return Claim("accuse", seat, "killer")


def clear(seat: Seat) -> Claim:
    """The claim that a seat is not."""
    return Claim("clear", seat, "not_killer")


def round_speech(mind: Mind, talk: Talk, options: Sequence[Seat], *, votes_now: bool) -> Seat:
    """The day's speech. Returns whom the speaker votes for, or means to."""
    fresh = identity(mind, talk)
    target = aimed(mind, talk, fresh, options)
    if not fresh:
        _defence(mind, talk)
        _answer(mind, talk, target)
        _officers(mind, talk, target)
    late = len(mind.ledger.spoke) * 2 >= len(mind.record.living)
    sure = votes_now or mind.has_view or late
    few = len(mind.record.living) <= 6
    if mind.aim.get(target, 0.0) > (0.3 if few else 0.55) or sure:
        _press(mind, talk, target)
    else:
        _open(mind, talk)
    if len(talk.parts) < SENTENCES or fresh:
        _close(mind, talk, target, sure=sure)
    return target


def aimed(mind: Mind, talk: Talk, fresh: Sequence[Report], options: Sequence[Seat]) -> Seat:
    """Whom the speaker wants out, with what it is telling now taken into account."""
    found = [report.seat for report in fresh if reading(report.what) and report.seat in options]
    countered = [claim.seat for claim in talk.claims if claim.kind == "accuse" and claim.seat in options]
    return (found or countered or [mind.choose(options)])[-1]


def identity(mind: Mind, talk: Talk, *, dying: bool = False) -> list[Report]:
    """A claim of police with all checks, or the new checks of one who has claimed; or a single role's claim."""
    out = comes_out(mind, dying=dying)
    if out:
        claim = Claim("role", mind.me, "police")
        lying = mind.view.role is Role.KILLER
        rivals = [seat for seat in mind.officers if lying or mind.reads.credit[seat] < 0]
        if rivals and not dying:
            talk.say("counter", claim, accuse(rivals[0]), who=rivals[0])
        else:
            talk.say("last_police" if dying else "claim_police", claim)
    if not out and claimed(mind) != "police":
        return []
    fresh = checks_to_tell(mind)
    told = [report for report in fresh if _tell(talk, report, mind)]
    return told


def _tell(talk: Talk, report: Report, mind: Mind) -> bool:
    claim = Claim("check", report.seat, report.what, report.night)
    if report.what in ("killer", "not_killer", "no_sign"):
        stance = {"killer": "report_killer", "not_killer": "report_good", "no_sign": "report_none"}[report.what]
        return talk.say(stance, claim, who=report.seat, night=report.night)
    return talk.say("report_role", claim, who=report.seat, night=report.night, role=report.what)


def _defence(mind: Mind, talk: Talk) -> None:
    """An answer to whoever reports or pushes this seat; a role, if it may save."""
    me, ledger = mind.me, mind.ledger
    role = role_to_claim(mind)
    if role is not None:
        talk.say("claim_role", Claim("role", me, role), role=role)
    rival = next(
        (seat for seat, told in ledger.roles.items()
         if told == mind.who.role and told in SINGLES and seat in mind.reads.score),
        None,
    )  # fmt: skip
    if rival and role is None and claimed(mind) is None and mind.view.role in SINGLES and mind.odds("own role", 70):
        told = mind.who.role
        talk.say("counter_role", Claim("role", me, told), accuse(rival), who=rival, role=told)
        return
    spoken = me in ledger.spoke
    by = [seat for seat in reporters(mind) if seat in mind.reads.score]
    if by and not spoken:
        talk.say("defend_check", accuse(by[0]), clear(me), who=by[0])
        return
    pushers = [seat for seat in ledger.accusers(me) if seat in mind.reads.score]
    if not pushers or spoken or role:
        return
    if (point := own_vote(mind)) and mind.odds("own vote", 60):
        talk.say(point.stance, clear(me), **point.slots)
    elif len(pushers) > 1 or mind.odds("defend", 60):
        talk.say("defend", clear(me), who=pushers[-1])


def _answer(mind: Mind, talk: Talk, target: Seat) -> None:
    """An answer to a question put to this seat today."""
    if talk.parts or mind.me in mind.ledger.spoke:
        return
    askers = [said.by for said in mind.ledger.asked if said.at == mind.me and said.day == mind.record.day]
    living = [by for by in askers if by in mind.reads.score]
    if not living:
        return
    if votes := votes_to_ask(mind, mind.me, living[-1]):
        talk.say("answer_vote", who=living[-1], day=votes[-1].day, target=votes[-1].at)
    elif target != living[-1] and mind.aim.get(target, 0.0) > 0.5:
        talk.say("answer", accuse(target), who=living[-1], suspect=target)
    else:
        talk.say("answer_unsure", who=living[-1])


def _officers(mind: Mind, talk: Talk, target: Seat) -> None:
    """A word on those who claim police, once after each new claim or when two stand against each other."""
    ledger, me, credit = mind.ledger, mind.me, mind.reads.credit
    pushers = ledger.accusers(me)
    officers = [seat for seat in mind.officers if seat not in mind.mates or mind.odds("own mate", 50)]
    judged = {said.at for said in (*ledger.accused, *ledger.vouched) if said.by == me}
    if not officers or len(talk.parts) >= 2 or (judged.issuperset(officers) and not mind.odds("again", 25)):
        return
    best, worst = max(officers, key=credit.__getitem__), min(officers, key=credit.__getitem__)
    if credit[best] - credit[worst] > 0.15 and worst not in mind.mates:
        talk.say("side", clear(best), accuse(worst), who=best, other=worst)
    elif credit[best] > 0.5:
        if best not in (target, *pushers):
            talk.say("believe", clear(best), who=best)
    elif credit[worst] < 0 and worst != target:
        talk.say("doubt", accuse(worst), who=worst)


def _press(mind: Mind, talk: Talk, target: Seat) -> None:
    """The case against the target: a fact, or somebody else's push seconded, or a mere read."""
    if any(claim == accuse(target) for claim in talk.claims) or _reported_now(talk, target):
        return
    own = mind.ledger.reports.get(mind.me, ())
    if found := next((report for report in own if report.seat == target and reading(report.what)), None):
        _tell(talk, found, mind)
        return
    points = against(mind, target)
    said_before = [said.at for said in mind.ledger.accused if said.by == mind.me and said.day < mind.record.day]
    if points:
        rank = min(mind.view.luck.number(f"{mind.request.id}.point", len(points) + 1), len(points) - 1)
        point = points[0] if points[0].stance == "check_push" else points[rank]
    elif (others := _pushers(mind, target)) and mind.odds("second", 65):
        point = Point("second", {"who": target, "other": others[-1]})
    elif said_before and said_before[-1] in mind.reads.score and target not in said_before:
        point = Point("change", {"who": target, "old": said_before[-1]})
    elif target in mind.officers and mind.reads.credit[target] < 0:
        point = Point("doubt", {"who": target})
    else:
        point = Point("press_thin", {"who": target})
    talk.say(point.stance, accuse(target), **point.slots)


def _reported_now(talk: Talk, target: Seat) -> bool:
    return any(claim.kind == "check" and claim.seat == target for claim in talk.claims)


def _pushers(mind: Mind, target: Seat) -> list[Seat]:
    """Who pushes the target today, but for those whom nobody would second."""
    false = {seat for seat, credit in mind.reads.credit.items() if credit < 0}
    false |= {seat for seat, is_killer in (*mind.who.known.items(), *mind.ledger.sides.items()) if is_killer}
    return [by for by in mind.ledger.accusers(target) if by not in (mind.me, target, *false)]


def _open(mind: Mind, talk: Talk) -> None:
    """Nothing stands out yet: a word on the night, a question, a word for somebody, or a pass."""
    record, ledger = mind.record, mind.ledger
    if not talk.parts and not ledger.spoke - set(record.dead):
        dead = [seat for seat, left in record.dead.items() if left == (record.day, "night")]
        left = [
            (by, told.seat)
            for by in dead
            for told in ledger.reports.get(by, ())
            if told.day == record.day and told.seat in mind.reads.score
        ]
        if record.day == 1 and record.rules.first_phase == "day":
            talk.say("open")
        elif left:
            talk.say("open_report", dead=left[-1][0], who=left[-1][1])
        elif dead:
            talk.say("open_death", dead=dead[:1])
        else:
            talk.say("open_peace")
    asked = {said.at for said in ledger.asked if said.day == record.day}
    waiting = [seat for seat in record.speakers if seat not in ledger.spoke and seat not in (mind.me, *asked)]
    draw = mind.view.luck.number(f"{mind.request.id}.opening", 100)
    if waiting and draw < 60:
        _question(mind, talk, max(waiting, key=lambda seat: mind.aim.get(seat, 0.0)))
    elif draw < 75:
        trusted = min(mind.reads.score, key=mind.reads.score.__getitem__)
        point = in_favour(mind, trusted)
        talk.say(point.stance, clear(trusted), **point.slots)
    elif record.rules.abstain == "allowed" and abstains(mind):
        talk.say("abstain")
    elif draw < 90 or talk.parts:
        talk.say("hold")


def _question(mind: Mind, talk: Talk, who: Seat) -> None:
    ask = Claim("ask", who)
    if votes := votes_to_ask(mind, who, mind.me):
        talk.say("ask_vote", ask, who=who, day=votes[-1].day, target=votes[-1].at)
    else:
        talk.say("ask", ask, who=who)


def votes_to_ask(mind: Mind, who: Seat, asker: Seat) -> list[Ballot]:
    """The votes of a seat that somebody may ask about: not on the asker, nor his own, nor on one known as a killer."""
    ballots = mind.ledger.ballots
    asked = {(ballot.day, ballot.stage, ballot.at) for ballot in ballots if ballot.by == asker}
    return [
        ballot
        for ballot in ballots
        if ballot.by == who
        and ballot.at != asker
        and (ballot.day, ballot.stage, ballot.at) not in asked
        and not ((known := fate(mind, ballot.at)) and known[0])
    ]


def _close(mind: Mind, talk: Talk, target: Seat, *, sure: bool) -> None:
    """The vote named, or called for by one whose word weighs; else a count when it is late."""
    if not sure:
        return
    vote = Claim("vote", target)
    speakers = mind.record.speakers
    heard = not speakers or speakers[-1] != mind.me or not mind.record.rules.vote_form.startswith("after_speech")
    leads = heard and (claimed(mind) == "police" or len(mind.ledger.backing.get(target, ())) >= 3)
    talk.say("call" if leads and mind.odds("call", 60) else "vote", vote, who=target)
    left = len(mind.record.living)
    if left <= 6 and len(talk.parts) < SENTENCES and mind.odds("count", 25):
        found = [seat for seat in mind.record.dead if (known := fate(mind, seat)) and known[0]]
        killers = mind.record.counts[Role.KILLER] - len(found)
        if killers > 1:
            talk.say("count", alive=left, killers=killers)


def pk_speech(mind: Mind, talk: Talk) -> None:
    """In a PK: the tied plead and name another; the rest pick between them."""
    record = mind.record
    tied = record.speakers if record.stage == "pk" else record.candidates
    others = [seat for seat in tied if seat != mind.me]
    if not others:
        talk.say("hold")
        return
    fresh = identity(mind, talk)
    target = aimed(mind, talk, fresh, others)
    if mind.me in tied:
        role = role_to_claim(mind) if not fresh else None
        if role is not None:
            talk.say("claim_role", Claim("role", mind.me, role), role=role)
        elif not fresh:
            talk.say("pk_self", clear(mind.me))
        _press(mind, talk, target)
    elif others_left := [seat for seat in others if seat != target]:
        talk.say("pk_pick", accuse(target), Claim("vote", target), who=target, other=others_left[0])
        return
    talk.say("vote", Claim("vote", target), who=target)


def last_words(mind: Mind, talk: Talk) -> None:
    """What the dead leave: an officer's checks, a suspect, somebody to trust."""
    fresh = identity(mind, talk, dying=True)
    own = mind.who.role
    if claimed(mind) is None and own in SINGLES and mind.odds("leave role", 70):
        talk.say("last_role", Claim("role", mind.me, own), role=own)
    if fresh and any(reading(report.what) for report in fresh):
        return
    target = max(mind.aim, key=lambda seat: (mind.aim[seat], -seat))
    if mind.aim[target] > 0.6:
        talk.say("last_suspect", accuse(target), who=target)
        trusted = min(mind.reads.score, key=mind.reads.score.__getitem__)
        if trusted != target and mind.reads.score[trusted] < -0.8 and mind.odds("trust", 40):
            talk.say("last_trust", clear(trusted), who=trusted)
    elif not talk.parts:
        talk.say("last_plain")
