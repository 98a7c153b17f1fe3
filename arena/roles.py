"""Seats, roles and sides: the nouns that every other module speaks in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted from 1 in dealing order; the judge sits between the last seat and seat 1 (A0-07)."""


class Role(StrEnum):
    """A card. The classic game deals the first three; the butterfly game deals all seven."""

    KILLER = "killer"
    POLICE = "police"
    CIVILIAN = "civilian"
    BUTTERFLY = "butterfly"
    SNIPER = "sniper"
    DOCTOR = "doctor"
    ELDER = "elder"


class Side(StrEnum):
    """The two sides. ``KILLERS`` and ``GOOD`` are also the names of the winners."""

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
