"""What replicates tell: how far games on one board agree, and what that makes of the number of boards.

Within one team of killers against one team of others, games of a board share its cards. Their points split into what
the board gives to these teams, part of which it gives to all teams alike, and what differs from one game to the next.
The part that all teams share cancels out where players are compared on the same boards; replicates average the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import sqrt
from typing import Any, TypeAlias

from tianhei.arena.tournament.power import boards_for
from tianhei.arena.tournament.results import Row

Cells: TypeAlias = Mapping[tuple[str, str, str], Mapping[str, Sequence[float]]]
"""By table and the two teams: by board, the killers' points in each replicate."""
WIDTHS = (50.0, 25.0)
"""Elo points to either side for which the number of boards is told."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure with its 95 % interval: a jackknife's over boards."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far games of one board agree, as intra-class correlations of the killers' points.

    ``same`` is between replicates, ``board`` between games of other teams on the same cards. ``effect`` is the variance
    of a comparison of players with one game each, against that of games on boards of their own: 1 less ``board``.
    ``replicated`` is the variance of a mean over a board's replicates against as many boards. ``boards_for`` gives the
    boards that ratings take, by half-width in Elo points, with ``effect`` and with its upper end.
    """

    boards: int
    games: int
    replicates: float
    """On average, to each board and pair of teams."""
    draws: float
    killers: float
    """Their share of points."""
    same: Measured
    board: Measured
    effect: Measured
    replicated: Measured
    boards_for: Mapping[str, tuple[int, int]]

    def to_json(self) -> dict[str, Any]:
        """All figures, rounded."""

        def rounded(value: Any) -> Any:
            if isinstance(value, Mapping):
                return {name: rounded(one) for name, one in value.items()}
            return round(value, 4) if isinstance(value, float) else value

        return {name: rounded(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class _Parts:
    """Variances: within replicates, of a board for one pair of teams, and of what a board gives to all teams."""

    within: float
    teams: float
    board: float

    @property
    def same(self) -> float:
        return self.teams / (self.teams + self.within)

    @property
    def shared(self) -> float:
        return self.board / (self.teams + self.within)


def agreement(rows: Sequence[Row], players: int) -> Agreement | None:
    """Of games with replicates; None where there are none, on fewer than three boards, or nothing ever varies."""
    cells: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    played = [one for one in rows if one.game.track == "duplicate" and all(one.teams)]
    for one in played:
        cells[one.game.board.table.name, *one.teams][one.cluster].append(one.points(killers=True))
    boards = sorted({board for of in cells.values() for board in of})
    whole = _parts(cells)
    if whole is None or len(boards) < 3:
        return None
    without = [_parts({key: _left(of, board) for key, of in cells.items()}) for board in boards]
    parts = [one for one in without if one is not None]
    pairs = [points for of in cells.values() for points in of.values()]
    each = sum(map(len, pairs)) / len(pairs)

    def measured(figure: Callable[[_Parts], float]) -> Measured:
        value, half = figure(whole), _half_width([figure(one) for one in parts])
        return Measured(value, value - half, value + half)

    effect = measured(lambda one: 1 - one.shared)
    level = _even(cells)
    return Agreement(
        boards=len(boards),
        games=len(played),
        replicates=each,
        draws=sum(one.winner == "draw" for one in played) / len(played),
        killers=sum(one.points(killers=True) for one in played) / len(played),
        same=measured(lambda one: one.same),
        board=measured(lambda one: one.shared),
        effect=effect,
        replicated=measured(lambda one: 1 + (each - 1) * one.same),
        boards_for={
            f"{width:g}": (boards_for(width, players, level, max(0.0, effect.value)),
                           boards_for(width, players, level, max(0.0, effect.high)))
            for width in WIDTHS
        },
    )  # fmt: skip


def _left(of: Mapping[str, Sequence[float]], board: str) -> dict[str, Sequence[float]]:
    return {name: points for name, points in of.items() if name != board}


def _parts(cells: Cells) -> _Parts | None:
    """The variances by a one-way analysis, pooled over pairs of teams; None where they cannot be told."""
    inside = between = weight = 0.0
    inside_free = between_free = 0
    means: dict[str, dict[tuple[str, str, str], float]] = defaultdict(dict)
    for key, of in cells.items():
        games, number = sum(map(len, of.values())), len(of)
        if number < 2:
            continue
        middle = sum(map(sum, of.values())) / games
        for board, points in of.items():
            mean = sum(points) / len(points)
            inside += sum((point - mean) ** 2 for point in points)
            inside_free += len(points) - 1
            between += len(points) * (mean - middle) ** 2
            means[board][key] = mean - middle
        between_free += number - 1
        weight += games - sum(len(points) ** 2 for points in of.values()) / games
    if not inside_free or not weight:
        return None
    within = inside / inside_free
    teams = (between - between_free * within) / weight
    if teams + within <= 0:
        return None
    return _Parts(within, teams, _shared(means))


def _shared(means: Mapping[str, Mapping[tuple[str, str, str], float]]) -> float:
    """The covariance of two pairs of teams over the boards of their table."""
    products: dict[tuple[Any, Any], list[float]] = defaultdict(list)
    for of in means.values():
        for one, other in combinations(sorted(of), 2):
            products[one, other].append(of[one] * of[other])
    free = sum(len(found) - 1 for found in products.values())
    return sum(map(sum, products.values())) / free if free > 0 else 0.0


def _even(cells: Cells) -> float:
    """The win rate p of a table whose p (1 - p) is that of these games' mean."""
    shares = [sum(map(sum, of.values())) / sum(map(len, of.values())) for of in cells.values()]
    spread = sum(share * (1 - share) for share in shares) / len(shares)
    return 0.5 - sqrt(max(0.0, 0.25 - max(spread, 1e-4)))


def _half_width(values: Sequence[float]) -> float:
    """Of a 95 % interval, from the values without each board in turn."""
    from scipy import stats

    number, mean = len(values), sum(values) / len(values)
    error = sqrt((number - 1) / number * sum((value - mean) ** 2 for value in values))
    return float(stats.t.ppf(0.975, number - 1)) * error
