"""Night work: whom each role points at, and what a team says in its council."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import spread
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.requests import Answer, Kind
from tianhei.arena.roles import SINGLES, Seat, Side

CERTAIN = 3.0
"""A mark on which a sniper shoots: an officer's word, a false claim, not a mere read."""
STRONG = 1.3
"""A mark on which a butterfly or an elder spends the night."""


def _best(mind: Mind, seats: Sequence[Seat], worth: Callable[[Seat], float], chance: float) -> Seat:
    """The seat of most worth, with a little luck."""
    luck = spread(mind.view.luck, mind.request.id, mind.record.players)
    return max(seats, key=lambda seat: worth(seat) + chance * luck[seat - 1])


def _stated(mind: Mind) -> Counter[Seat]:
    """What the council named in the round before."""
    record, number = mind.record, mind.request.round
    return Counter(
        said.target
        for night, said in mind.view.statements
        if night == record.day and said.round == number - 1 and said.target is not None
    )


def _joined(mind: Mind) -> tuple[Seat, Seat | None] | None:
    """In a later round, the target named most, and one who named it; ties the same way for all members."""
    named = {seat: count for seat, count in _stated(mind).items() if seat in mind.request.options}
    if not named:
        return None
    turn, players = mind.record.day, mind.record.players
    target = max(named, key=lambda seat: (named[seat], (seat * 5 + turn * 7) % players, seat))
    mate = next(
        (said.by for night, said in mind.view.statements
         if night == turn and said.target == target and said.by != mind.me),
        None,
    )  # fmt: skip
    return target, mate


def kill(mind: Mind, talk: Talk) -> Answer:
    """Claimed police first, then whoever the table trusts and listens to; never a mate."""
    if joined := _joined(mind):
        return _agree(talk, *joined, "team_kill")
    friends = (*mind.mates, mind.me)
    seats = [seat for seat in mind.request.options if seat not in friends]
    if not seats:
        return Answer(target=None if mind.request.may_pass else mind.request.options[0])
    target = _best(mind, seats, lambda seat: _threat(mind, seat), 0.9)
    is_officer = mind.ledger.roles.get(target) == "police"
    talk.say("team_police" if is_officer else "team_kill", who=target)
    return Answer(target=target, text=talk.text)


def _threat(mind: Mind, seat: Seat) -> float:
    """How much the killers gain by this death."""
    ledger, score = mind.ledger, mind.reads.score.get(seat, 0.0)
    threat = -0.5 * max(-2.5, min(score, 2.5))
    role = ledger.roles.get(seat)
    if role == "police":
        threat += 4.0
    elif role in SINGLES:
        threat += 1.5
    friends = (*mind.mates, mind.me)
    threat += 0.35 * len({(said.day, said.at) for said in ledger.accused if said.by == seat and said.at in friends})
    if (mind.record.day - 1, "kill", seat) in mind.view.actions:
        threat -= 0.7  # He was saved last night, and may be again.
    return threat


def check(mind: Mind, talk: Talk) -> Answer:
    """The unchecked player whose answer would most change today's vote."""
    if joined := _joined(mind):
        return _agree(talk, *joined, "team_check")
    options, known = mind.request.options, mind.who.known
    seats = [seat for seat in options if seat != mind.me and seat not in known]
    if not seats:
        return Answer(target=None if mind.request.may_pass else options[0])
    pushed = Counter(ballot.at for ballot in mind.ledger.ballots if ballot.day == mind.record.day - 1)

    def worth(seat: Seat) -> float:
        liar = mind.reads.credit.get(seat, 0.0) < 0  # An officer needs no sign to know a false one.
        return min(mind.reads.score.get(seat, 0.0), 2.5) + 0.1 * pushed[seat] - (4.0 if liar else 0.0)

    target = _best(mind, seats, worth, 1.2)
    talk.say("team_check", who=target)
    return Answer(target=target, text=talk.text)


def _agree(talk: Talk, target: Seat, mate: Seat | None, own: str) -> Answer:
    """In a later round: with a mate, or once more with ``own`` words."""
    if mate is None:
        talk.say(own, who=target)
    else:
        talk.say("team_agree", who=target, mate=mate)
    return Answer(target=target, text=talk.text)


def carry(mind: Mind) -> Seat | None:
    """A strong suspect, to disarm the killers; else, sometimes, an officer to shield; else a hunch."""
    return _held(mind, protect=45)


def _held(mind: Mind, protect: int) -> Seat | None:
    seats = [seat for seat in mind.request.options if seat != mind.me]
    suspect = _best(mind, seats, lambda seat: mind.reads.score.get(seat, 0.0), 0.3)
    if mind.reads.score.get(suspect, 0.0) > STRONG:
        return suspect
    trusted = [seat for seat in mind.officers if mind.reads.credit[seat] > 0.5 and seat in seats]
    if trusted and mind.odds("shield", protect):
        return trusted[0]
    return suspect


def shoot(mind: Mind) -> Seat | None:
    """Only on evidence: a miss kills a friend."""
    seats = [seat for seat in mind.request.options if seat != mind.me]
    target = max(seats, key=lambda seat: (mind.reads.score.get(seat, 0.0), -seat))
    if mind.reads.score.get(target, 0.0) > CERTAIN or not mind.request.may_pass:
        return target
    return None


def needle(mind: Mind) -> Seat | None:
    """Whoever the killers would want, once each: a second empty needle kills."""
    used = Counter(target for _, action, target in mind.view.actions if action == "needle")
    fresh = [seat for seat in mind.request.options if not used[seat]]
    if not fresh:
        if mind.request.may_pass:
            return None
        fewest = min(used[seat] for seat in mind.request.options)
        fresh = [seat for seat in mind.request.options if used[seat] == fewest]

    def worth(seat: Seat) -> float:
        officer = 3.0 * max(mind.reads.credit.get(seat, 0.0), 0.0)
        return officer - min(mind.reads.score.get(seat, -0.5), 2.5)

    return _best(mind, fresh, worth, 0.8)


def silence(mind: Mind) -> Seat | None:
    """A suspect's mouth; on the killers' side, the mouth that the table trusts."""
    seats = [seat for seat in mind.request.options if seat != mind.me]
    sign = -1.0 if mind.view.side is Side.KILLERS else 1.0
    target = _best(mind, seats, lambda seat: sign * mind.reads.score.get(seat, 0.0), 0.3)
    sure = sign * mind.reads.score.get(target, 0.0) > (STRONG if sign > 0 else -9.0)
    if sure or not mind.request.may_pass or mind.odds("silence a hunch", 40):
        return target
    return None


ALONE: Mapping[Kind, Callable[[Mind], Seat | None]] = {
    "carry": carry, "shoot": shoot, "needle": needle, "silence": silence,
}  # fmt: skip
COUNCIL: Mapping[Kind, Callable[[Mind, Talk], Answer]] = {"kill": kill, "check": check}
