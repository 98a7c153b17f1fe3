"""The levels that results are read against: what scripted tables come to, and where a player stands between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

from tianhei.arena.tournament.results import Row

FLOOR, CEILING = "uninformed", "oracle"
LEAST_SPAN = 0.05
"""With floor and ceiling nearer than this nothing can be told between them."""
Cells: TypeAlias = Mapping[tuple[str, str], tuple[float, int]]
"""By killers' and good players' player: the killers' points, and games."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """Where a player stands between the uninformed (0) and the ceiling (1), against the same opponents and cards.

    ``reached``, ``floor`` and ``ceiling`` are side-balanced win rates. The ceiling is the oracle's as the good side; as
    killers it is to win always. The interval is a jackknife's over boards.
    """

    value: float
    low: float
    high: float
    reached: float
    floor: float
    ceiling: float

    def to_json(self) -> dict[str, Any]:
        return {name: round(getattr(self, name), 4) for name in self.__slots__}


def normalised(rows: Sequence[Row], players: Sequence[str]) -> dict[str, Normalised]:
    """Of each player that met the same opponents as floor and ceiling did; empty where these did not play."""
    by_board: dict[str, dict[tuple[str, str], tuple[float, int]]] = defaultdict(dict)
    for one in rows:
        if one.game.track == "duplicate" and all(one.teams):
            points, games = by_board[one.cluster].get(one.teams, (0.0, 0))
            by_board[one.cluster][one.teams] = points + one.points(killers=True), games + 1
    found: dict[str, Normalised] = {}
    total = _sum(by_board)
    for name in players:
        others = [other for other in players if other != name]
        whole = _standing(total, name, others)
        if whole is None or len(by_board) < 2:
            continue
        without = [_standing(_less(total, cells), name, others) for cells in by_board.values()]
        value, reached, floor, ceiling = whole
        half = _half_width([one[0] for one in without if one is not None])
        found[name] = Normalised(value, value - half, value + half, reached, floor, ceiling)
    return found


def _sum(by_board: Mapping[str, Cells]) -> Cells:
    found: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for cells in by_board.values():
        for key, (points, games) in cells.items():
            found[key] = found[key][0] + points, found[key][1] + games
    return dict(found)


def _less(whole: Cells, part: Cells) -> Cells:
    """All boards but one; a cell that was played there alone is gone."""
    left = {key: (whole[key][0] - points, whole[key][1] - games) for key, (points, games) in part.items()}
    return {key: cell for key, cell in {**whole, **left}.items() if cell[1]}


def _standing(cells: Cells, name: str, others: Sequence[str]) -> tuple[float, float, float, float] | None:
    """The value, and the three win rates that it comes from."""

    def mean(pairs: Sequence[tuple[str, str]]) -> float | None:
        shares = [cells[pair][0] / cells[pair][1] for pair in pairs if pair in cells]
        return sum(shares) / len(shares) if len(shares) == len(pairs) and pairs else None

    as_killers = [mean([(one, other) for other in others]) for one in (name, FLOOR)]
    against = [mean([(other, one) for other in others]) for one in (name, FLOOR, CEILING)]
    if None in as_killers or None in against:
        return None
    reached, floor = (((killers or 0.0) + 1 - (lost or 0.0)) / 2
                      for killers, lost in zip(as_killers, against, strict=False))  # fmt: skip
    ceiling = (1 + 1 - (against[2] or 0.0)) / 2
    if ceiling - floor < LEAST_SPAN:
        return None
    return (reached - floor) / (ceiling - floor), reached, floor, ceiling


def _half_width(values: Sequence[float]) -> float:
    from scipy import stats

    number = len(values)
    if number < 2:
        return 0.0
    mean = sum(values) / number
    error = sqrt((number - 1) / number * sum((value - mean) ** 2 for value in values))
    return float(stats.t.ppf(0.975, number - 1)) * error
