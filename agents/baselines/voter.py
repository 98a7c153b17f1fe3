"""What the baselines share: a vote for whom one aims at, else by lot; nights by lot; no words.

Killers neither kill nor vote for their own; where only these can be chosen they pass, if they may.
"""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.uninformed import UninformedPlayer
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import CLAIMING, Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View

AGAIN = ("pk", "off_field", "revote")
"""Stages in which the tied are voted on again."""
_BY_LOT = UninformedPlayer()


class Voter:
    """Votes by lot among those that it does not spare; a player of this kind says whom it aims at instead."""

    name = "voter"
    spares = True
    """Whether a killer spares his mates in votes."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer one request; ``ask`` is never used."""
        if request.kind == "vote":
            return Reply(Answer(target=self.choose(view, request.options, may_pass=request.may_pass)))
        if request.kind == "hand":
            return Reply(Answer(raised=self._raises(view, request)))
        if request.kind in CLAIMING:
            return Reply(self.speech(view, request))
        return await _BY_LOT.act(view, request._replace(options=tuple(self.pointed(view, request))), ask)

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        """Whom of these it would see out; None: nobody stands out."""
        return None

    def pointed(self, view: View, request: Request) -> Sequence[Seat]:
        """Among whom the lot decides at night; with nobody among them it passes."""
        return request.options

    def speech(self, view: View, request: Request) -> Answer:
        """A pass; with a vote, where one is asked for."""
        votes = request.kind == "speech_and_vote"
        target = self.choose(view, request.options, may_pass=request.may_pass) if votes else None
        return Answer(target=target, claims=())

    def friends(self, view: View) -> Sequence[Seat]:
        """Who is spared."""
        return view.mates if self.spares and view.role is Role.KILLER else ()

    def pool(self, view: View, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        """Those of these seats that may be aimed at, in seat order."""
        friends = self.friends(view)
        return tuple(sorted(seat for seat in seats if seat != view.seat and seat not in friends))

    def choose(self, view: View, seats: Sequence[Seat], *, may_pass: bool) -> Seat | None:
        """Whom it votes for; None only where it would have to vote for itself or a friend, and need not."""
        if pool := self.pool(view, seats):
            return self.aim(view, pool) or lot(view, pool)
        return None if may_pass else lot(view, [seat for seat in seats if seat != view.seat] or seats)

    def _raises(self, view: View, request: Request) -> bool:
        if not request.may_pass:
            return True
        return self.choose(view, standing(view), may_pass=True) == request.options[0]


def standing(view: View) -> tuple[Seat, ...]:
    """Who can be voted out in the present vote, or in the one that follows the speeches."""
    record = view.record
    return record.speakers if record.stage == "pk" else record.candidates or record.living


def lot(view: View, seats: Sequence[Seat]) -> Seat:
    """One of these by lot, the same for the whole of a vote and the speeches before it."""
    stage = view.record.stage if view.record.stage in AGAIN else "round"
    return view.luck.pick(f"d{view.record.day}.{stage}.{tuple(seats)}", seats)
