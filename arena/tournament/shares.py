"""Shares of games won, by player, side, card, seat and place in the order of speaking, and how often each was held."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from tianhei.arena.roles import Role
from tianhei.arena.tournament.power import Z
from tianhei.arena.tournament.results import Row


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its count and its Wilson interval; a draw counts half. ``chance`` is its level without skill."""

    wins: float
    games: int
    chance: float | None = None

    @property
    def value(self) -> float | None:
        return self.wins / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, 95 %, as if games were independent."""
        if not self.games:
            return None
        share, n = self.wins / self.games, self.games
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_json(self) -> dict[str, Any]:
        interval = self.interval
        return {
            "value": short(self.value), "games": self.games,
            "low": short(interval[0]) if interval else None, "high": short(interval[1]) if interval else None,
            "chance": short(self.chance),
        }  # fmt: skip


def short(value: float | None) -> float | None:
    """To four places."""
    return None if value is None else round(value, 4)


def tally(games: Iterable[tuple[Any, Any, float]]) -> dict[Any, dict[Any, Rate]]:
    """Sum up points by two keys."""
    sums: dict[Any, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for first, second, points in games:
        sums[first][second].append(points)
    return {
        first: {second: Rate(sum(points), len(points)) for second, points in sorted(inner.items())}
        for first, inner in sorted(sums.items())
    }


def sides_of(rows: Sequence[Row], name: str) -> dict[str, Rate]:
    """Wins of teams that are all this player."""
    found = {}
    for place, side in enumerate(("killers", "town")):
        points = [one.points(killers=place == 0) for one in rows if one.teams[place] == name]
        found[side] = Rate(sum(points), len(points))
    values = [found[side].value for side in ("killers", "town")]
    known = [value for value in values if value is not None]
    games = min(found["killers"].games, found["town"].games) * 2
    found["both"] = Rate(sum(known) / 2 * games if len(known) == 2 else 0.0, games if len(known) == 2 else 0, 0.5)
    return found


def between(rows: Sequence[Row], one: str, other: str) -> Rate:
    """How often `one` won against `other`, whichever side it was on."""
    points = []
    for row in rows:
        if row.teams == (one, other):
            points.append(row.points(killers=True))
        elif row.teams == (other, one):
            points.append(row.points(killers=False))
    return Rate(sum(points), len(points), 0.5)


def _per_seat(rows: Iterable[Row], key: Callable[[Row, int], Any]) -> Iterable[tuple[Any, Any, float]]:
    for one in rows:
        for place, role in enumerate(one.roles):
            yield one.game.board.table.name, key(one, place), one.points(killers=role is Role.KILLER)


def by_role(rows: Sequence[Row]) -> dict[str, dict[str, Rate]]:
    """By player and card: how often its side won."""
    return tally(
        (name, str(role), one.points(killers=role is Role.KILLER))
        for one in rows for name, role in zip(one.game.seats, one.roles, strict=True)
    )  # fmt: skip


def by_seat(rows: Sequence[Row]) -> dict[str, dict[int, Rate]]:
    """By table and seat: how often the seat's side won."""
    return tally(_per_seat(rows, lambda one, place: place + 1))


def by_position(rows: Sequence[Row]) -> dict[str, dict[int, Rate]]:
    """Only of seats that spoke on the first day."""

    def games() -> Iterable[tuple[str, int, float]]:
        for one in rows:
            for place, seat in enumerate(one.speaking, start=1):
                killer = one.roles[seat - 1] is Role.KILLER
                yield one.game.board.table.name, place, one.points(killers=killer)

    return tally(games())


def balance_of(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """By player and card: in how many seats."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        for name, role in zip(one.game.seats, one.roles, strict=True):
            found[name][str(role)] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def is_balanced(rows: Sequence[Row], players: Sequence[str]) -> bool:
    """Whether each of these players held every card in every seat as often as the others did."""
    held = Counter(
        (name, one.game.board.table.name, seat, role)
        for one in rows
        for seat, (name, role) in enumerate(zip(one.game.seats, one.roles, strict=True))
        if name in players
    )
    places = {(table, seat, role) for _, table, seat, role in held}
    return all(len({held[(name, *place)] for name in players}) == 1 for place in places)
