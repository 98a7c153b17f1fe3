"""What killers, police and civilians of different players each add: to deceive, to disclose, to detect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tianhei.transcripts.metrics.bootstrap import MOST_BLOCKS, interval, weights
from tianhei.transcripts.metrics.frame import Array, Rows
from tianhei.transcripts.metrics.games import Names, Played

PRIOR_SD = 3.0
"""Of deceiving and disclosing, in log odds; detection is a factor with 1 for its logarithm's."""
REFITS = 500
STEPS = 100
TOLERANCE = 1e-7


@dataclass(frozen=True, slots=True)
class Trio:
    """A player's three strengths with their 95 % intervals."""

    deceive: float
    disclose: float
    detect: float
    intervals: Mapping[str, tuple[float, float] | None]


def trio(games: Sequence[Played], seed: int = 0) -> dict[str, Trio]:
    """Strengths of players from games in which killers, police and civilians are each of one player.

    Formula: logit P(killers win) = v_k (m_i - d_j) with i the killers', j the police's, k the civilians' player; the
    mean of m is 0 and that of v is 1; weak normal priors (SD 3; 1 for log v); a draw is half a win
    Range: m and d in log odds, v a positive factor; empty where police and civilians were never of different players
    Chance: equal players have equal m, d and v
    Source: Mini-Mafia (arXiv 2509.23023)
    """
    players, boards = Names(), Names()
    cells = np.array([
        (*(players.number(group[0]) for group in (one.killers, one.police, one.civilians)),
         {"killers": 2, "draw": 1, "good": 0}[one.winner], boards.number(one.board))
        for one in games if all(len(set(group)) == 1 for group in (one.killers, one.police, one.civilians))
    ])  # fmt: skip
    if not len(cells) or (cells[:, 1] == cells[:, 2]).all():
        return {}
    names = sorted(players[number] for number in range(len(players)))
    place = {name: number for number, name in enumerate(names)}
    who = np.array([place[players[number]] for number in range(len(players))])[cells[:, :3]]
    points, of = cells[:, 3] / 2, cells[:, 4] % MOST_BLOCKS
    blocks = min(len(boards), MOST_BLOCKS)
    met, pairing = np.unique(who, axis=0, return_inverse=True)

    def fitted(weight: Array, start: Array | None = None) -> tuple[Array, Array]:
        games: Array = np.bincount(pairing, weight, len(met)).astype(np.float64)
        won: Array = np.bincount(pairing, weight * points, len(met)).astype(np.float64)
        return _fit(met, games, won, len(names), start)

    found = fitted(np.ones(len(points)))
    drawn = np.stack([fitted(weight[of], found[1])[0] for weight in weights(blocks, REFITS, seed)])
    parts = ("deceive", "disclose", "detect")
    made: dict[str, Trio] = {}
    for name, number in place.items():
        deceive, disclose, detect = map(float, found[0][:, number])
        ends = {key: interval(drawn[:, part, number], len(boards)) for part, key in enumerate(parts)}
        made[name] = Trio(deceive, disclose, detect, ends)
    return made


def _fit(who: Rows, games: Array, won: Array, number: int, start: Array | None = None) -> tuple[Array, Array]:
    """Strengths by kind and player from the games of each trio and the points of its killers; and raw coefficients.

    Fisher's scoring, a step halved as long as the penalised likelihood does not grow.
    """
    killers, police, civilians = who.T
    here = np.arange(len(who))
    precision = np.repeat([PRIOR_SD**-2, PRIOR_SD**-2, 1.0], number)

    def slopes(raw: Array) -> tuple[Array, Array]:
        """Log odds of each trio, and their derivatives."""
        v = np.exp(raw[2 * number + civilians])
        found = np.zeros((len(who), 3 * number))
        odds = v * (raw[killers] - raw[number + police])
        found[here, killers], found[here, number + police], found[here, 2 * number + civilians] = v, -v, odds
        return odds, found

    def loss(raw: Array) -> float:
        odds, _ = slopes(raw)
        return float((games * np.logaddexp(0, odds) - won * odds).sum() + (precision * raw**2).sum() / 2)

    raw = np.zeros(3 * number) if start is None else start
    for _ in range(STEPS):
        odds, slope = slopes(raw)
        chance = 1 / (1 + np.exp(-odds))
        score = (won - games * chance) @ slope - precision * raw
        curve = (slope * (games * chance * (1 - chance))[:, None]).T @ slope + np.diag(precision)
        step = np.linalg.solve(curve, score)
        before = loss(raw)
        while loss(raw + step) > before + TOLERANCE and np.abs(step).max() > TOLERANCE:
            step = step / 2
        raw = raw + step
        if np.abs(step).max() < TOLERANCE:
            break
    m, d, v = raw[:number], raw[number : 2 * number], np.exp(raw[2 * number :])
    middle, factor = m.mean(), v.mean()
    return np.stack([(m - middle) * factor, (d - middle) * factor, v / factor]), raw
