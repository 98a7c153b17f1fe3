"""Seats, roles and sides: the nouns that every other module speaks in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self, TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted from 1 in dealing order; the judge sits between the last seat and seat 1 (A0-07)."""


class Named(StrEnum):
    """A list of names to which other games add their own: a plain call takes those listed, `named` any."""

    @classmethod
    def named(cls, name: str) -> Self:
        """The member of that name; a name of another game becomes a value of this type and is none of those listed."""
        try:
            return cls(name)
        except ValueError:
            value = str.__new__(cls, name)
            value._name_, value._value_ = name.upper(), name
            return value

    def __reduce_ex__(self, proto: Any) -> tuple[Any, ...]:
        return type(self).named, (self.value,)


class Role(Named):
    """A card. The classic game deals the first three; the butterfly game deals all seven; an imported game its own."""

    KILLER = "killer"
    POLICE = "police"
    CIVILIAN = "civilian"
    BUTTERFLY = "butterfly"
    SNIPER = "sniper"
    DOCTOR = "doctor"
    ELDER = "elder"


class Side(Named):
    """The two sides. ``KILLERS`` and ``GOOD`` are also the names of the winners; third parties are other games'."""

    GOOD = "good"
    KILLERS = "killers"


SPECIALS = (Role.BUTTERFLY, Role.SNIPER, Role.DOCTOR, Role.POLICE, Role.ELDER)
"""The special roles of the butterfly game (S0-67)."""

SINGLES = (Role.BUTTERFLY, Role.SNIPER, Role.DOCTOR, Role.ELDER)
"""Roles of which a table holds at most one (R-SETUP)."""

Counts: TypeAlias = Mapping[Role, int]
"""How many seats hold each role; a role that is left out counts as none."""


def label(seat: Seat, players: int) -> str:
    """How a seat is written as a choice: ``S4``, with two digits from ten players on."""
    return f"S{seat:02}" if players >= 10 else f"S{seat}"
