"""How games end: wins by side, over the level of play by lot, and what three groups of players each add."""

from __future__ import annotations

import numpy as np

from tianhei.transcripts.metrics.frame import Array, Frame, kept
from tianhei.transcripts.metrics.measure import Metric, Statistic, ratio
from tianhei.transcripts.metrics.worth import table_values

BALANCED = Statistic(
    4,
    lambda s: (ratio(s[..., 0], s[..., 1]) + ratio(s[..., 2], s[..., 3])) / 2,
    lambda s: s[..., 1] + s[..., 3],
    lambda s: np.full_like(s[..., 0], 0.5),
)
"""Points and games of either side: the mean of the two rates."""
OWN_SIDE = Statistic(
    4, lambda s: ratio(s[..., 0], s[..., 1]), lambda s: s[..., 1], lambda s: ratio(s[..., 2], s[..., 3])
)
"""Points and games, points by lot and the games for which those are known."""
OVER_LOT = Statistic(3, lambda s: ratio(s[..., 0], s[..., 1]), lambda s: s[..., 2], lambda s: np.zeros_like(s[..., 0]))
"""Points above the level of play by lot, the distance from there to the best, and games."""
BOTH_OVER_LOT = Statistic(
    6,
    lambda s: (ratio(s[..., 0], s[..., 1]) + ratio(s[..., 3], s[..., 4])) / 2,
    lambda s: s[..., 2] + s[..., 5],
    lambda s: np.zeros_like(s[..., 0]),
)
"""The same three of killers, then of the good side: the mean of the two."""


@kept
def killers_points(frame: Frame) -> Array:
    """Of each game: 1 where the killers won, ½ in a draw, 0 where the good side won; not a number while it is open."""
    points = {"killers": 1.0, "draw": 0.5, "good": 0.0}
    return np.array([points.get(str(winner), np.nan) for winner in frame.games.raw("winner")])


@kept
def shares(frame: Frame) -> Array:
    """What part of its player's game each seat is: 1 / the seats that the same player holds on the same side."""
    keys: dict[tuple[int, str, str], int] = {}
    numbers = [
        keys.setdefault((game, name, side), len(keys))
        for game, (name, side, _) in zip(frame.seats.game.tolist(), frame.named(), strict=True)
    ]
    found = np.array(numbers, dtype=np.intp)
    return 1 / np.bincount(found)[found] if len(found) else np.empty(0)


def _own(frame: Frame) -> tuple[Array, Array]:
    """The points of each seat's side, 0 while the game is open, and the seat's share of a game that has ended."""
    points = killers_points(frame)[frame.seats.game]
    over = np.isfinite(points) & (frame.killer | frame.good)
    own = np.where(frame.killer, points, 1 - points)
    return np.where(over, own, 0.0), np.where(over, shares(frame), 0.0)


def balanced_win(frame: Frame) -> Array:
    """Points in all games, killers and good side weighing alike however often a player held either.

    Formula: (points as killers / games as killers + points as good / games as good) / 2; a draw is half a point, a game
    counts once for each player and side
    Range: 0 to 1; not available where a player was on one side alone
    Chance: 0.5 against its equals
    Source: role-balanced series, as of Foaster's werewolf
    """
    points, share = _own(frame)
    killer, good = frame.killer * share, frame.good * share
    return np.stack([points * killer, killer, points * good, good], axis=1)


def side_win(frame: Frame) -> Array:
    """Points of the seats' own sides.

    Formula: points / games, a draw half a point, a game once for each player and side
    Range: 0 to 1
    Chance: the exact or frozen value of play by lot at the same tables (over those games where it is known)
    Source: part of the balanced rate
    """
    points, share = _own(frame)
    lot, _ = _levels(frame)
    known = np.where(np.isfinite(lot), share, 0.0)
    return np.stack([points * share, share, np.nan_to_num(lot) * known, known], axis=1)


def over_lot(frame: Frame) -> Array:
    """How far points go from the level of play by lot towards those of who cannot do better, both sides alike.

    Formula: mean of both sides' sum of (points - W_lot) / sum of (W_best - W_lot); W_best is 1 for killers, and for the
    good side what it gets where it knows the killers
    Range: at most about 1; below 0 for worse than by lot; not available where a player was on one side alone
    Chance: 0
    Source: the project's own; AvalonBench (arXiv 2310.05036) compares with scripted players
    """
    sums = side_over_lot(frame)
    return np.concatenate([sums * frame.killer[:, None], sums * frame.good[:, None]], axis=1)


@kept
def side_over_lot(frame: Frame) -> Array:
    """The same of one side.

    Formula: sum of (points - W_lot) / sum of (W_best - W_lot)
    Range: at most about 1
    Chance: 0
    Source: as over_lot
    """
    points, share = _own(frame)
    lot, best = _levels(frame)
    share = np.where(np.isfinite(lot + best), share, 0.0)
    return np.stack([(points - np.nan_to_num(lot)) * share, np.nan_to_num(best - lot) * share, share], axis=1)


def _levels(frame: Frame) -> tuple[Array, Array]:
    """Points of each seat's side in play by lot, and at best."""
    tables = table_values(frame)
    start = np.array([table.start if table else np.nan for table in tables])[frame.seats.game]
    ceiling = np.array([np.nan if not table or table.ceiling is None else table.ceiling for table in tables])
    best = 1 - ceiling[frame.seats.game]
    return np.where(frame.killer, start, 1 - start), np.where(frame.killer, 1.0, best)


METRICS = (
    Metric("O1", "balanced_win", "outcome", "games", BALANCED, balanced_win),
    Metric("O1s", "side_win", "outcome", "games", OWN_SIDE, side_win, is_core=False),
    Metric("O3", "over_lot", "outcome", "games", BOTH_OVER_LOT, over_lot),
    Metric("O3s", "side_over_lot", "outcome", "games", OVER_LOT, side_over_lot, is_core=False),
)
