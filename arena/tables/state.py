"""What a table has come to, beside its transcript: all that must outlast the server, in one small file."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, Field

from tianhei.arena.budget import Unit
from tianhei.arena.roles import Seat
from tianhei.arena.tables.plan import Plan

Phase = Literal["lobby", "playing", "ended", "closed"]


class Chair(BaseModel):
    """A person's seat. ``taken``: a bot sits in until the person is back; ``replaced``: for good."""

    seat: Seat
    generation: int = 1
    client: str = ""
    name: str = ""
    lang: str = ""
    joined: bool = False
    ready: bool = False
    seen: bool = False
    left: bool = False
    taken: bool = False
    replaced: bool = False
    notes: str = ""
    survey: list[Seat] | None = None
    surveyed: bool = False

    @property
    def plays(self) -> bool:
        """Whether the person answers for the seat."""
        return self.joined and not (self.left or self.taken or self.replaced)


class Belief(BaseModel):
    """An answer to a cover question: what a seat believed that night. ``place`` numbers the night's questions."""

    day: int
    place: int
    question: str
    seat: Seat
    target: Seat | None


class Forecast(BaseModel):
    """How likely a dead seat held others to be killers on a day, before its vote."""

    day: int
    seat: Seat
    marks: dict[Seat, float]


class Window(BaseModel):
    """A night's window: when it began (seconds since 1970), how long each place of it is, how many were opened."""

    day: int
    start: float
    length: float
    opened: int = 0


class State(BaseModel):
    """One table. ``shown`` counts the waves of the transcript that everybody has been shown; ``asks`` holds until when
    each open request may be answered (seconds since 1970), ``card`` until when cards may be looked at, ``night`` the
    last night's window; ``restarts`` counts how often each was gone on with after the server was away; ``places`` maps
    seats to those of the ``rematch``; ``spent`` is what earlier deals, and tables before this one, took of its budget.
    """

    table: str
    plan: Plan
    made: str
    players: int
    names: dict[Seat, str] = Field(default_factory=dict)
    chairs: dict[Seat, Chair] = Field(default_factory=dict)
    generations: dict[str, int] = Field(default_factory=dict)
    phase: Phase = "lobby"
    why: str = ""
    paused: bool = False
    doubled: bool = False
    seed: int | None = None
    deals: int = 0
    shown: int = 0
    asks: dict[str, float] = Field(default_factory=dict)
    card: float = 0.0
    night: Window | None = None
    restarts: dict[str, int] = Field(default_factory=dict)
    paused_at: float = 0.0
    beliefs: list[Belief] = Field(default_factory=list)
    forecasts: list[Forecast] = Field(default_factory=list)
    takeovers: list[dict[str, Any]] = Field(default_factory=list)
    survey_ends: float = 0.0
    rematch: str = ""
    places: dict[Seat, Seat] = Field(default_factory=dict)
    spent: dict[Unit, Decimal] = Field(default_factory=dict)

    def put_off(self, seconds: float) -> None:
        """Let everything that is open end so much later."""
        self.asks = {name: ends + seconds for name, ends in self.asks.items()}
        if self.card:
            self.card += seconds
        if self.night:
            self.night.start += seconds

    def forget(self) -> None:
        """Nothing of a game that was begun is left: another is dealt."""
        self.seed, self.shown, self.asks, self.beliefs = None, 0, {}, []
        self.card, self.night, self.restarts = 0.0, None, {}
        for chair in self.chairs.values():
            chair.seen = False
