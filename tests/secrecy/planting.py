"""Planting leaks: a list of them, and the ways to make one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from secrecy.tables import Setting, setting
from tianhei.arena.events import Audience, Body, Resolved
from tianhei.arena.roles import Role, Seat
from tianhei.arena.table import Table

Tell = Callable[[Table, Audience, Body], None]
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Leak:
    """A fault, the table at which it shows, and whether only models' prompts show it.

    ``deals`` of the table are tried (0: every one, those with ``police`` in these seats first), each in ``nights``
    ways of acting in the dark.
    """

    name: str
    plant: Callable[[Patch], None]
    setting: Setting
    prompts: bool = False
    words: bool = True
    deals: int = 40
    nights: int = 1
    police: tuple[Seat, ...] = ()


LEAKS: list[Leak] = []


def leak(name: str, where: str, **more: Any) -> Callable[[Callable[[Patch], None]], None]:
    """Enter a leak into the list."""

    def enter(plant: Callable[[Patch], None]) -> None:
        LEAKS.append(Leak(name, plant, setting(where), **more))

    return enter


def telling(patch: Patch, change: Callable[[Table, Audience, Body, Tell], None]) -> None:
    """Let ``change`` decide what is told to whom."""
    tell = Table.tell
    patch.setattr(Table, "tell", lambda table, audience, body: change(table, audience, body, tell))


def truth(patch: Patch) -> list[Table]:
    """The table of the game that was last begun, for faults in places that should not know it."""
    latest: list[Table] = []
    start = Table.__init__

    def remember(self: Table, *args: Any, **more: Any) -> None:
        start(self, *args, **more)
        latest[:] = [self]

    patch.setattr(Table, "__init__", remember)
    return latest


def killers(latest: list[Table]) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(1, latest[0].players + 1) if latest[0].role(seat) is Role.KILLER)


def by_role(table: Table, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    return tuple(sorted(seats, key=lambda seat: (table.role(seat), seat)))


def night_of(table: Table) -> Resolved | None:
    """The reckoning of the night that has just been told to the judge."""
    return next((event.body for event in reversed(table.events) if isinstance(event.body, Resolved)), None)


def widened(patch: Patch, kind: type[Body], audience: Callable[[Table, Audience, Any], Audience]) -> None:
    """Events of one kind are told to another audience."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, audience(table, told, body) if isinstance(body, kind) else told, body)

    telling(patch, change)


def reworded(patch: Patch, kind: type[Body], words: Callable[[Table, Any], Body]) -> None:
    """Events of one kind say something else."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, told, words(table, body) if isinstance(body, kind) else body)

    telling(patch, change)


def followed(patch: Patch, kind: type[Body], more: Callable[[Table, Any], Iterator[tuple[Audience, Body]]]) -> None:
    """Events of one kind draw further ones after them."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, told, body)
        if isinstance(body, kind):
            for audience, next_body in more(table, body):
                tell(table, audience, next_body)

    telling(patch, change)
