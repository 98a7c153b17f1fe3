"""What so many games can show: the half-width of an interval, and the difference that would be found.

A win at rate p over N games that are independent is known to 1.96 C / sqrt(N p (1 - p)) Elo points on either side,
with C = 400 / ln 10, the slope of the Elo scale. The ratings of M players from homogeneous teams, every ordered pair
alike, come from a logistic fit whose information per game is p (1 - p).
"""

from __future__ import annotations

from math import ceil, inf, log, sqrt

ELO = 400 / log(10)
"""Elo points for one unit of log odds."""
Z = 1.959964
"""Two-sided 95 %."""
Z_POWER = 0.841621
"""80 % power."""
LEAST_BOARDS = 5
"""Fewer clusters than this carry no interval worth printing."""
RANKING_BOARDS = 40
"""From so many boards on a ranking's intervals keep their level."""


def half_width(games: int, p: float = 0.5) -> float:
    """Elo points on either side of a win rate of p over so many independent games."""
    return Z * ELO / sqrt(games * p * (1 - p))


def overall_half_width(players: int, boards: int, p: float = 0.5, effect: float = 1.0) -> float:
    """Elo points on either side of the overall rating of one of M players, all ordered pairs on every board.

    The two games of a pair on a board differ by the sum of both sides' strengths, so that the overall rating, half that
    sum, has variance (M - 1) / (2 S p (1 - p) M^2) in squared log odds, with S boards. ``effect`` is what a pilot
    found that variance to be times (`pilot.Agreement`): 1 where games of a board are independent.
    """
    return Z * ELO * sqrt(effect * (players - 1) / (2 * boards * p * (1 - p) * players**2))


def side_half_width(players: int, boards: int, p: float = 0.5) -> float:
    """The same for the rating of one side alone; infinite for two players, whose two sides cannot be told apart."""
    if players < 3:
        return inf
    both, difference = (players - 1) / players**2, (players - 1) / (players * (players - 2))
    return Z * ELO * sqrt((both + difference) / (2 * boards * p * (1 - p)))


def boards_for(width: float, players: int, p: float = 0.5, effect: float = 1.0) -> int:
    """The least number of boards whose overall ratings are known to this half-width, and at least LEAST_BOARDS."""
    found = (Z * ELO / width) ** 2 * effect * (players - 1) / (2 * p * (1 - p) * players**2)
    return max(LEAST_BOARDS, ceil(found))


def difference_found(boards: int, p: float = 0.5, correlation: float = 0.0) -> float:
    """The difference of two win rates on the same boards that is found with 80 % power at the 5 % level."""
    return min(1.0, (Z + Z_POWER) * sqrt(2 * p * (1 - p) * (1 - correlation) / boards))
