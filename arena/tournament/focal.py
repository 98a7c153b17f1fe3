"""The track `focal`: what a player does in one seat among the pool, against the pool's own player in that seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tianhei.arena.roles import Role
from tianhei.arena.tournament.boards import pool_at
from tianhei.arena.tournament.controls import Difference, difference
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.results import Row
from tianhei.arena.tournament.shares import Rate


@dataclass(frozen=True, slots=True)
class Focal:
    """A player in one seat of the pool's table: how often its side won, by ``killers`` and ``town``, and what it adds.

    ``adds`` is the mean difference, over boards, to the points of that seat where the pool's own player has it.
    """

    sides: Mapping[str, Rate]
    adds: Difference | None

    def to_json(self) -> dict[str, Any]:
        sides = {side: rate.to_json() for side, rate in self.sides.items()}
        return {"sides": sides, "adds": self.adds.to_json() if self.adds else None}


def focal(plan: Plan, rows: Sequence[Row]) -> dict[str, Focal]:
    """By player, the pool's own included. ``rows`` are finished games; those of other tracks are passed over."""
    points: dict[str, dict[tuple[str, int], tuple[str, float]]] = defaultdict(dict)
    """By player, then by board and replicate: the side of its seat, and the points."""
    own: dict[tuple[str, int], float] = {}
    for one in rows:
        if one.game.focus is None:
            continue
        place = one.game.focus - 1
        name, is_killer = one.game.seats[place], one.roles[place] is Role.KILLER
        key, won = (one.cluster, one.game.replicate), one.points(killers=is_killer)
        points[name][key] = ("killers" if is_killer else "town"), won
        if one.game.seats == tuple(pool_at(plan, one.game.board)):
            own[key] = won
    found: dict[str, Focal] = {}
    for name, of in sorted(points.items()):
        sides = {side: [won for held, won in of.values() if held == side] for side in ("killers", "town")}
        paired = [(key[0], won - own[key]) for key, (_, won) in of.items() if key in own and name not in plan.pool]
        rates = {side: Rate(sum(won), len(won)) for side, won in sides.items()}
        found[name] = Focal(rates, difference(paired) if paired else None)
    return found
