"""Simulated tournaments whose truth is known, and how often the intervals of their ratings hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tianhei.arena.tournament.power import ELO, Z, overall_half_width
from tianhei.arena.tournament.ratings import Played, rate

PLAYERS = 6
BOARD_SD = 0.5
"""Of a board's luck, in log odds."""
BOARD_SDS = (0.0, 1.0, 2.0)
"""Kinds of boards for the formula of the design effect."""
WORLDS: Mapping[str, tuple[float, ...]] = {
    "equal": (0.0,) * 6,
    "spread": tuple(np.array([-1.5, -0.9, -0.3, 0.3, 0.9, 1.5]) * 140 / np.std([-1.5, -0.9, -0.3, 0.3, 0.9, 1.5])),
    "outlier": (0.0,) * 5 + (430.0,),
}
"""Strengths in Elo points: six equal players, a spread of 140, one far ahead."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many intervals held the truth, of how many; how far estimates lay from it on average."""

    held: int
    of: int
    bias_of_best: float


def tournament(
    world: str, boards: int, seed: int, draws: float = 0.1, balance: float = -0.8, board_sd: float = BOARD_SD
) -> Iterator[Played]:
    """Every ordered pair on every board."""
    random = np.random.default_rng([seed, list(WORLDS).index(world)])
    strength = np.array(WORLDS[world]) / ELO
    for board in range(boards):
        luck = random.normal(0, board_sd)
        for town in range(PLAYERS):
            for killers in range(PLAYERS):
                if town != killers:
                    odds = balance + luck + strength[town] - strength[killers]
                    weights = np.array([np.exp(odds / 2), np.exp(-odds / 2), draws])
                    result = ("good", "killers", "draw")[random.choice(3, p=weights / weights.sum())]
                    yield Played("t", str(board), [f"m{town}"] * 6, [f"m{killers}"] * 2, result)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Spread:
    """Boards of a kind: the correlation of their games, how far ratings spread, and what the plan's formula says."""

    correlation: float
    error: float
    foretold: float


def spread(board_sd: float, boards: int, runs: range) -> Spread:
    """Of the overall ratings of six equal players, at even tables."""
    odds = board_sd * np.random.default_rng(0).normal(size=100_000)
    correlation = float(np.var(1 / (1 + np.exp(-odds))) / 0.25)
    rated = [rate(list(tournament("equal", boards, seed, 0.0, 0.0, board_sd))) for seed in runs]
    values = [found.overall[name].value for found in rated for name in found.players]
    return Spread(correlation, float(np.std(values)), overall_half_width(PLAYERS, boards, effect=1 - correlation) / Z)


def coverage(world: str, boards: int, runs: range) -> Coverage:
    """Of the overall ratings' intervals."""
    truth = np.array(WORLDS[world]) - np.mean(WORLDS[world])
    held, bias = 0, 0.0
    best = int(np.argmax(truth))
    for seed in runs:
        found = rate(list(tournament(world, boards, seed)))
        for player in range(PLAYERS):
            each = found.overall[f"m{player}"]
            held += each.low <= truth[player] <= each.high
        bias += found.overall[f"m{best}"].value - truth[best]
    return Coverage(held, PLAYERS * len(runs), bias / len(runs))
