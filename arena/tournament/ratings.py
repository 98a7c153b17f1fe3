"""Strengths of players, from all games at once: one game is one observation.

The log odds of the good side's win are ``alpha[table] + mean over its seats of town[player] - mean over the killers'
seats of killer[player]``; draws after Davidson: a draw's weight is ``nu`` against ``exp(+-odds / 2)`` of the two sides.
Fitted by penalised maximum likelihood with a weak normal prior (SD 3 on strengths), which keeps a player that always
wins finite and biases others little. Where some teams are of one player and others not, a term for each side says
what being of one player is worth to it. Intervals are robust to games that share a board (CR1 with Student's t of S - 1
degrees of freedom, S boards), or the normal approximation of the posterior. Each side's strengths are centred on zero;
overall is their mean with fixed weights. In Elo points, 400 / ln 10 to the unit of log odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tianhei.arena.tournament.power import ELO

Array = NDArray[np.float64]
PRIOR_SD = 3.0
"""Of a strength, in log odds."""
TABLE_SD = 10.0
"""Of a table's balance: next to nothing is assumed of it."""
STEPS = 60
TOLERANCE = 1e-9
AT_ONCE = 5_000
"""Games whose derivatives are reckoned together."""
LEAST_ERROR = 1e-6
"""Elo points: players whose results are alike on every board have no error, and do not differ."""
DRAWS = 4000
"""Of the estimate's distribution, for chances of ranks."""

Result = Literal["good", "killers", "draw"]


@dataclass(frozen=True, slots=True)
class Played:
    """One game: its table, its board (games of a board are not independent), who sat on which side, how it ended."""

    table: str
    board: str
    town: Sequence[str]
    killers: Sequence[str]
    result: Result


@dataclass(frozen=True, slots=True)
class Strength:
    """An estimate in Elo points, its standard error, and its 95 % interval."""

    value: float
    error: float
    low: float
    high: float

    @property
    def upwards(self) -> Strength:
        """The same difference, told so that it is not below zero."""
        return self if self.value >= 0 else Strength(-self.value, self.error, -self.high, -self.low)


@dataclass(frozen=True, slots=True)
class Pair:
    """How two players differ overall, with the p value of the difference before and after Holm's correction."""

    one: str
    other: str
    difference: Strength
    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """What a set of games says of its players; ``boards`` is how many clusters the errors rest on."""

    players: tuple[str, ...]
    town: Mapping[str, Strength]
    killer: Mapping[str, Strength]
    overall: Mapping[str, Strength]
    tables: Mapping[str, float]
    """The good side's log odds of winning between equal players, by table."""
    draw: float
    """Davidson's nu; 0 where no game was drawn."""
    pairs: tuple[Pair, ...]
    ranks: Mapping[str, tuple[float, ...]]
    """The chance of each rank, the first rank first."""
    tiers: tuple[tuple[str, ...], ...]
    """Players that cannot be told from the first of their tier."""
    same: Mapping[str, Strength]
    """What it is worth to a side (``killers``, ``town``) to be all one player; empty where that did not vary."""
    games: int
    boards: int


@dataclass(frozen=True, slots=True)
class Fit:
    """The estimate and its covariances: by the prior and the likelihood's curvature, and robust to boards."""

    beta: Array
    posterior: Array
    robust: Array
    clusters: int


@dataclass(frozen=True, slots=True)
class Design:
    """The columns' names in order (players twice, tables, sides of one player), and the games as numbers.

    ``rows`` holds coefficients, a row a game; ``outcome`` one of three; ``boards`` each game's board's number.
    """

    players: tuple[str, ...]
    tables: tuple[str, ...]
    same: tuple[str, ...]
    rows: Array
    outcome: Array
    boards: Array


def design(games: Sequence[Played]) -> Design:
    """The games as the model sees them."""
    players = tuple(sorted({name for game in games for name in (*game.town, *game.killers)}))
    tables = tuple(sorted({game.table for game in games}))
    column = {name: place for place, name in enumerate(players)}
    alike = {"town": [len(set(game.town)) == 1 for game in games],
             "killers": [len(set(game.killers)) == 1 for game in games]}  # fmt: skip
    same = tuple(side for side, found in alike.items() if len(set(found)) == 2)
    rows = np.zeros((len(games), 2 * len(players) + len(tables) + len(same)))
    outcome = np.zeros((len(games), 3))
    board_numbers: dict[str, int] = {}
    boards = np.zeros(len(games))
    for place, game in enumerate(games):
        for name in game.town:
            rows[place, column[name]] += 1 / len(game.town)
        for name in game.killers:
            rows[place, len(players) + column[name]] -= 1 / len(game.killers)
        rows[place, 2 * len(players) + tables.index(game.table)] = 1
        for number, side in enumerate(same, start=2 * len(players) + len(tables)):
            rows[place, number] = alike[side][place] * (1 if side == "town" else -1)
        outcome[place, ("good", "killers", "draw").index(game.result)] = 1
        boards[place] = board_numbers.setdefault(game.board, len(board_numbers))
    return Design(players, tables, same, rows, outcome, boards)


def fit(rows: Array, outcome: Array, boards: Array, strengths: int) -> Fit:
    """Newton's method on the penalised likelihood. The last coefficient is the log of nu where there are draws."""
    columns, drawn = rows.shape[1], bool(outcome[:, 2].any())
    precision = np.full(columns + drawn, TABLE_SD**-2)
    precision[:strengths] = PRIOR_SD**-2
    beta = np.zeros(columns + drawn)
    for _ in range(STEPS):
        score, curvature = _derivatives(beta, rows, outcome, drawn)
        total, hessian = score.sum(axis=0) - precision * beta, curvature + np.diag(precision)
        step = np.linalg.solve(hessian, total)
        largest = float(np.abs(step).max())
        beta = beta + step * min(1.0, 2.0 / largest if largest > 0 else 1.0)
        if largest < TOLERANCE:
            break
    score, curvature = _derivatives(beta, rows, outcome, drawn)
    inverse: Array = np.asarray(np.linalg.inv(curvature + np.diag(precision)), dtype=np.float64)
    clusters = int(boards.max()) + 1
    summed = np.zeros((clusters, len(beta)))
    np.add.at(summed, boards.astype(int), score)
    factor = clusters / max(1, clusters - 1)
    return Fit(beta, inverse, factor * inverse @ summed.T @ summed @ inverse, clusters)


def _derivatives(beta: Array, rows: Array, outcome: Array, drawn: bool) -> tuple[Array, Array]:
    """Each game's score, and the curvature of the sum; some games at a time, so that many take little memory."""
    score, curvature = np.zeros((len(rows), len(beta))), np.zeros((len(beta), len(beta)))
    for start in range(0, len(rows), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        score[some], curved = _derivatives_of(beta, rows[some], outcome[some], drawn)
        curvature += curved
    return score, curvature


def _derivatives_of(beta: Array, rows: Array, outcome: Array, drawn: bool) -> tuple[Array, Array]:
    """The same of games that are taken at once."""
    games, columns = rows.shape
    sides = np.zeros((games, 3, columns + drawn))
    sides[:, 0, :columns] = rows / 2
    sides[:, 1, :columns] = -rows / 2
    if drawn:
        sides[:, 2, columns] = 1
    weight = sides @ beta
    if not drawn:
        weight[:, 2] = -np.inf
    weight -= weight.max(axis=1, keepdims=True)
    chance = np.exp(weight)
    chance /= chance.sum(axis=1, keepdims=True)
    score = np.einsum("gc,gck->gk", outcome - chance, sides)
    mean = np.einsum("gc,gck->gk", chance, sides)
    flat = sides.reshape(-1, len(beta))
    return score, (flat * chance.reshape(-1, 1)).T @ flat - mean.T @ mean


def rate(games: Sequence[Played], *, interval: Literal["robust", "posterior"] = "robust", seed: int = 0) -> Ratings:
    """The ratings of all players of these games. ValueError where there are no games, or all are on one board."""
    if not games:
        raise ValueError("no game was finished: there is nothing to rate")
    made = design(games)
    players, outcome = made.players, made.outcome
    found = fit(made.rows, outcome, made.boards, 2 * len(players))
    if found.clusters < 2:
        raise ValueError("all games are on one board: their chance cannot be told from the players' strength")
    covariance = found.robust if interval == "robust" else found.posterior
    quantile = _quantile(found.clusters if interval == "robust" else None)
    number = len(players)
    centre = np.eye(number) - 1 / number
    pick = np.zeros((3, number, len(found.beta)))
    pick[0, :, :number] = centre
    pick[1, :, number : 2 * number] = centre
    pick[2] = (pick[0] + pick[1]) / 2
    town, killer, overall = (
        {name: _strength(pick[kind, place], found.beta, covariance, quantile) for place, name in enumerate(players)}
        for kind in range(3)
    )
    one_by_one = np.eye(len(found.beta))
    pairs = _pairs(players, pick[2], found.beta, covariance, quantile, found.clusters, interval)
    order = sorted(players, key=lambda name: -overall[name].value)
    return Ratings(
        players=tuple(order),
        town=town,
        killer=killer,
        overall=overall,
        tables={name: float(found.beta[2 * number + place]) for place, name in enumerate(made.tables)},
        draw=float(np.exp(found.beta[-1])) if outcome[:, 2].any() else 0.0,
        pairs=pairs,
        ranks=_ranks(players, pick[2], found.beta, covariance, seed),
        tiers=_tiers(order, pairs),
        same={
            side: _strength(column, found.beta, covariance, quantile)
            for side, column in zip(made.same, one_by_one[2 * number + len(made.tables) :], strict=False)
        },
        games=len(games),
        boards=found.clusters,
    )


def _quantile(clusters: int | None) -> float:
    from scipy import stats

    return float(stats.t.ppf(0.975, clusters - 1) if clusters else stats.norm.ppf(0.975))


def _strength(pick: Array, beta: Array, covariance: Array, quantile: float) -> Strength:
    value, error = float(pick @ beta) * ELO, sqrt(max(0.0, float(pick @ covariance @ pick))) * ELO
    return Strength(value, error, value - quantile * error, value + quantile * error)


def _pairs(
    players: Sequence[str],
    pick: Array,
    beta: Array,
    covariance: Array,
    quantile: float,
    clusters: int,
    interval: str,
) -> tuple[Pair, ...]:
    from scipy import stats

    found: list[tuple[str, str, Strength, float]] = []
    for one in range(len(players)):
        for other in range(one + 1, len(players)):
            difference = _strength(pick[one] - pick[other], beta, covariance, quantile)
            ratio = abs(difference.value) / max(difference.error, LEAST_ERROR)
            p = 2 * float(stats.t.sf(ratio, clusters - 1) if interval == "robust" else stats.norm.sf(ratio))
            found.append((players[one], players[other], difference, p))
    holm: dict[int, float] = {}
    worst = 0.0
    for place, number in enumerate(sorted(range(len(found)), key=lambda each: found[each][3])):
        worst = max(worst, min(1.0, (len(found) - place) * found[number][3]))
        holm[number] = worst
    return tuple(Pair(*pair, holm[number]) for number, pair in enumerate(found))


def _ranks(
    players: Sequence[str], pick: Array, beta: Array, covariance: Array, seed: int
) -> dict[str, tuple[float, ...]]:
    random = np.random.default_rng(seed)
    values, errors = np.linalg.eigh(pick @ covariance @ pick.T)
    spread = errors * np.sqrt(np.clip(values, 0, None))
    drawn = pick @ beta + random.standard_normal((DRAWS, len(players))) @ spread.T
    rank = (-drawn).argsort(axis=1).argsort(axis=1)
    return {
        name: tuple(float((rank[:, place] == at).mean()) for at in range(len(players)))
        for place, name in enumerate(players)
    }


def _tiers(order: Sequence[str], pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """From the strongest down: a tier holds whoever cannot be told from its first, after Holm's correction."""
    told = {frozenset((pair.one, pair.other)): pair.holm < 0.05 for pair in pairs}
    tiers: list[tuple[str, ...]] = []
    left = list(order)
    while left:
        same = [name for name in left if name == left[0] or not told[frozenset((left[0], name))]]
        tiers.append(tuple(same))
        left = [name for name in left if name not in same]
    return tuple(tiers)


def to_json(found: Ratings) -> dict[str, Any]:
    """All figures, Elo to one decimal."""

    def strength(each: Strength) -> dict[str, float]:
        return {name: round(getattr(each, name), 1) for name in ("value", "error", "low", "high")}

    return {
        "games": found.games,
        "boards": found.boards,
        "draw": round(found.draw, 4),
        "same": {side: strength(each) for side, each in found.same.items()},
        "tables": {name: round(value, 4) for name, value in found.tables.items()},
        "players": {
            name: {
                "overall": strength(found.overall[name]),
                "killer": strength(found.killer[name]),
                "town": strength(found.town[name]),
                "ranks": [round(chance, 4) for chance in found.ranks[name]],
            }
            for name in found.players
        },
        "pairs": [
            {"one": pair.one, "other": pair.other, **strength(pair.difference), "p": round(pair.p, 5),
             "holm": round(pair.holm, 5)}
            for pair in found.pairs
        ],
        "tiers": [list(tier) for tier in found.tiers],
    }  # fmt: skip
