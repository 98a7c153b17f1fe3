"""The truth while a game runs: who sits where, who lives, what was told to whom. Only the rules change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tianhei.arena.chance import Chance, Deal
from tianhei.arena.events import JUDGE, PUBLIC, Audience, Body, Drawn, Event, Phase
from tianhei.arena.requests import Kind, Limits, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules.options import Rules


class Table:
    """One game's state. Scripts read and change it; players never see it."""

    def __init__(self, rules: Rules, deal: Deal, chance: Chance, limits: Limits | None = None) -> None:
        self.rules = rules
        self.roles = deal.roles
        self.players = len(deal.roles)
        self.chance = chance
        self.limits = limits or Limits()
        self.living: tuple[Seat, ...] = tuple(range(1, self.players + 1))
        self.dealt = Counter(deal.roles)
        self._who: dict[Role, tuple[Seat, ...]] = {}
        self.day = 1
        self.phase: Phase = "deal"
        self.deaths = 0
        """Deaths so far, counted in the order in which the dead leave (A1-33)."""
        self.words_left = 0
        """Last words left so far."""
        self.anchor: Seat | None = None
        """The last of the latest night's dead, from whom the speaking order starts."""
        self.needles: dict[Seat, int] = {}
        self.silenced: frozenset[Seat] = frozenset()
        self.carried: Seat | None = None
        """Whom the butterfly carried last night."""
        self.events: list[Event] = []

    def role(self, seat: Seat) -> Role:
        return self.roles[seat - 1]

    def side(self, seat: Seat) -> Side:
        """The side a seat wins with."""
        role = self.role(seat)
        helper = role is Role.ELDER and getattr(self.rules, "elder_side", "good") == "killers"
        return Side.KILLERS if role is Role.KILLER or helper else Side.GOOD

    def who(self, role: Role) -> tuple[Seat, ...]:
        """The living holders of a role, in seat order."""
        if role not in self._who:
            self._who[role] = tuple([seat for seat in self.living if self.roles[seat - 1] is role])
        return self._who[role]

    def alive_counts(self) -> Counter[Role]:
        return Counter(self.roles[seat - 1] for seat in self.living)

    def out(self, seats: Iterable[Seat]) -> None:
        """These seats are dead."""
        gone = set(seats)
        self.living = tuple(seat for seat in self.living if seat not in gone)
        self._who.clear()

    def tell(self, audience: Audience, body: Body) -> None:
        """Record that this became known to these."""
        self.events.append(Event(self.day, self.phase, audience, body))

    def tell_all(self, body: Body) -> None:
        self.tell(PUBLIC, body)

    def draw(self, purpose: str, options: tuple[Seat, ...]) -> Seat:
        """A lot among ``options``, recorded for the judge."""
        value = self.chance.draw(purpose, self.day, options)
        self.tell(JUDGE, Drawn(purpose, options, value))
        return value

    def ask(
        self,
        seat: Seat,
        kind: Kind,
        options: tuple[Seat, ...] = (),
        *,
        step: str | None = None,
        may_pass: bool = True,
        text: int = 0,
        round: int = 1,
    ) -> Request:
        """A request to a seat; its id says the day, the step and the seat, and nothing hidden."""
        when = "n" if self.phase == "night" else "d"
        name = f"{when}{self.day}.{step or kind}{round}.{seat:02}"
        return Request(name, seat, kind, options, may_pass, text, round)
