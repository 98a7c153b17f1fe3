"""A mind: one seat at one request, with its ledger, its reads, and whom it would see voted out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tianhei.agents.scripted.ledger import Ledger
from tianhei.agents.scripted.reads import SURE, Persona, Reads, persona
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.view import View

PROMISE = 2.5
"""How much more a vote announced today weighs than one that was not: only real news outweighs it."""
LOYALTY = 2.2
"""How much less suspicious a killer finds his mates."""


class Mind:
    """What a seat makes of its view when it is asked something. Nothing of it outlives the request."""

    def __init__(self, view: View, request: Request) -> None:
        self.view = view
        self.request = request
        self.me = view.seat
        self.record = view.record
        self.ledger = Ledger(view.record)
        self.who: Persona = persona(view, self.ledger)
        self.reads = Reads(view, self.ledger, self.who)
        self.mates = view.mates if view.role is Role.KILLER else ()
        self.aim = dict(self.reads.score)
        """Whom this seat wants out, the more the higher: its reads, bent by whose side it is on."""
        if view.side is Side.KILLERS:
            self._bend()

    def _bend(self) -> None:
        """Killers spare their mates unless they are past saving; an elder on their side guesses who they are."""
        for seat, score in self.reads.score.items():
            if seat in self.mates:
                lost = score > 3.5 and self.steady(f"give up {seat}", 60)
                self.aim[seat] = score - (0.0 if lost else LOYALTY)
            elif self.view.role is Role.ELDER and score > 1.5 and score < SURE:
                self.aim[seat] = score - LOYALTY

    def odds(self, purpose: str, percent: int) -> bool:
        """A draw for this request."""
        return self.view.luck.number(f"{self.request.id}.{purpose}", 100) < percent

    def steady(self, purpose: str, percent: int) -> bool:
        """A draw that comes out the same all day."""
        return self.view.luck.number(f"d{self.record.day}.{purpose}", 100) < percent

    @cached_property
    def pressure(self) -> int:
        """How many others push or back a vote against this seat today."""
        pushers = {*self.ledger.accusers(self.me), *self.ledger.backing.get(self.me, ())}
        return len(pushers - {self.me})

    @cached_property
    def in_danger(self) -> bool:
        """Whether this seat may well be voted out today."""
        return self.ledger.is_candidate(self.me) or self.pressure >= max(3, len(self.record.living) // 3)

    @cached_property
    def promised(self) -> Seat | None:
        """Whom this seat has said today that it votes for."""
        return self.ledger.meant.get((self.record.day, self.me))

    @property
    def officers(self) -> list[Seat]:
        """The living others who claim police, first claim first."""
        return [seat for seat in self.reads.credit if seat in self.reads.score]

    def choose(self, options: Sequence[Seat]) -> Seat:
        """Whom of these this seat votes for (never itself while there is another)."""
        pool = [seat for seat in options if seat != self.me] or list(options)
        aim, promised = self.aim, self.promised
        return max(pool, key=lambda seat: (aim.get(seat, 0.0) + (PROMISE if seat == promised else 0.0), -seat))

    @property
    def has_view(self) -> bool:
        """Whether anybody stands out enough to be worth a vote."""
        return max(self.aim.values(), default=0.0) > 0.9
