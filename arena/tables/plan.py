"""What a table is to be, as whoever opens it says: the game, the seats of people and bots, the pace."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tianhei.arena.choosing import chosen_table
from tianhei.arena.roles import Counts, Seat
from tianhei.arena.rules.options import Rules, RulesError
from tianhei.arena.rules.presets import PRESETS
from tianhei.arena.tables.refused import Refused

SCRIPTED = "scripted"
"""The bot that is always there, and that sits in for whoever is away."""
MOST_SEATS = 30


class Plan(BaseModel):
    """A table as ordered. ``people`` are seats, or how many are drawn; ``bots`` name the others, ``bot`` the rest.

    ``cover`` hides by timing who is a person (None: where people sit together); ``delay`` is in seconds.
    """

    model_config = ConfigDict(extra="forbid")

    game: str = "classic-arena"
    size: int | None = Field(default=None, ge=3, le=MOST_SEATS)
    roles: dict[str, int] | None = Field(default=None, max_length=8)
    options: dict[str, str | int | bool] = Field(default_factory=dict, max_length=40)
    lang: Literal["zh", "en"] = "en"
    people: int | list[Annotated[int, Field(ge=1)]] = 1
    bots: dict[int, str] = Field(default_factory=dict, max_length=MOST_SEATS)
    bot: str = SCRIPTED
    pace: str = "normal"
    cover: bool | None = None
    spectators: Literal["none", "public", "delayed", "end"] = "public"
    delay: float = Field(default=900, ge=300, le=1e6)
    disclose: Literal["number", "who"] = "number"
    survey: bool = True
    practice: bool = False

    @property
    def watched(self) -> bool:
        """Whether spectators are shown the game while it is played."""
        return self.spectators in ("public", "end")

    def table(self) -> tuple[Rules, Counts]:
        """The rules and the cards. Refused says what cannot be."""
        if self.game not in PRESETS:  # a name, never a path
            raise Refused(409, "bad_game", f"no game {self.game!r}; there are {', '.join(PRESETS)}")
        changes = [f"{name}={_written(value)}" for name, value in self.options.items()]
        roles = ",".join(f"{name}={count}" for name, count in self.roles.items()) if self.roles else None
        try:
            rules, counts = chosen_table(self.game, changes, self.size, roles)
        except RulesError as error:
            raise Refused(409, "bad_game", str(error)) from None
        if sum(counts.values()) > MOST_SEATS:
            raise Refused(409, "bad_game", f"a table has at most {MOST_SEATS} seats")
        return rules, counts


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def peoples_seats(plan: Plan, players: int) -> tuple[Seat, ...]:
    """Where people sit: as named, else by lot. Refused where that cannot be."""
    if isinstance(plan.people, list):
        seats = sorted(set(plan.people))
        if not seats or seats[-1] > players:
            raise Refused(409, "bad_seats", f"people's seats are numbered 1 to {players}, and there is at least one")
        if both := set(seats) & set(plan.bots):
            raise Refused(409, "bad_seats", f"seat {min(both)} is both a person's and a bot's")
        return tuple(seats)
    free = [seat for seat in range(1, players + 1) if seat not in plan.bots]
    if not 1 <= plan.people <= len(free):
        raise Refused(409, "bad_seats", f"a table of {players} has 1 to {len(free)} seats for people")
    return tuple(sorted(secrets.SystemRandom().sample(free, plan.people)))


def check_bots(plan: Plan, players: int, allowed: Collection[str] | Mapping[str, object]) -> None:
    """Refused unless every bot is one that whoever runs the server allows."""
    for name in (plan.bot, *plan.bots.values()):
        if name not in allowed:
            raise Refused(409, "bad_bot", f"no bot {name!r} here; there are {', '.join(allowed)}")
    if wrong := [seat for seat in plan.bots if not 1 <= seat <= players]:
        raise Refused(409, "bad_seats", f"bots: seats are numbered 1 to {players}, not {wrong[0]}")
