"""What a table has come to, beside its transcript: all that must outlast the server, in one small file."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

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
    """An answer to a cover question: what a seat believed that night."""

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


class State(BaseModel):
    """One table. ``shown`` counts the waves of the transcript that everybody has been shown; ``asks`` holds until when
    each open request may be answered (seconds since 1970)."""

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
    beliefs: list[Belief] = Field(default_factory=list)
    forecasts: list[Forecast] = Field(default_factory=list)
    takeovers: list[dict[str, Any]] = Field(default_factory=list)
    survey_ends: float = 0.0
    rematch: str = ""
