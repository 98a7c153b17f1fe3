"""The follower: votes for whoever most have named or voted for today. The upper bound of herding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tianhei.agents.baselines.speaker import Speaker
from tianhei.agents.scripted.ledger import Ledger
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.speech import accuse
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.roles import Seat
from tianhei.arena.view import View


class FollowMajority(Speaker):
    """Counts today's ballots and announced votes, then accusations, then the ballots of the last vote."""

    name = "follow-majority"

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        ledger = Ledger(view.record)
        accusers = {seat: ledger.accusers(seat) for seat in pool}
        return _most(_without(ledger.backing, view.seat), pool) or _most(_without(accusers, view.seat), pool) or (
            _most(_last_vote(view), pool)
        )  # fmt: skip

    def push(self, mind: Mind, talk: Talk, target: Seat) -> None:
        others = [seat for seat in mind.ledger.backing.get(target, ()) if seat not in (mind.me, target)]
        others += [seat for seat in mind.ledger.accusers(target) if seat not in (mind.me, target)]
        if others:
            talk.say("second", accuse(target), who=target, other=others[-1])
        else:
            super().push(mind, talk, target)


def _without(backing: Mapping[Seat, Sequence[Seat]], me: Seat) -> dict[Seat, int]:
    """How many others stand against each seat."""
    return {seat: sum(voter != me for voter in voters) for seat, voters in backing.items()}


def _last_vote(view: View) -> dict[Seat, int]:
    ballots = view.record.votes[-1].ballots if view.record.votes else {}
    cast = list(ballots.values())
    return {seat: cast.count(seat) for seat in view.record.living}


def _most(counts: Mapping[Seat, int], pool: Sequence[Seat]) -> Seat | None:
    """The seat of the pool with the highest count; of equals the lowest; None where nobody counts."""
    best = max(pool, key=lambda seat: (counts.get(seat, 0), -seat))
    return best if counts.get(best, 0) else None
