"""What a change was worth: the mean paired difference of two arms' outcomes, with its interval.

The outcome of a game is the killers' share of it: 1 if they won, 1/2 if nobody did. The interval is that of Agresti
and Min (2005) for paired proportions: half a pair that differs is added in either direction, and one that does not; so
it has a width even where no pair differed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

from tianhei.arena.events import Winner

SHARE: dict[Winner, float] = {"killers": 1.0, "draw": 0.5, "good": 0.0}
"""The killers' share of a game, by its winner."""
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Swing:
    """The difference of the killers' share, the first arm's less the second's: its mean, and the interval's ends.

    ``pairs`` are how many it was taken over, ``differ`` in how many of them the arms ended otherwise.
    """

    pairs: int
    differ: int
    mean: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """All figures; ``level`` is the interval's."""
        return {
            "pairs": self.pairs, "differ": self.differ, "mean": self.mean, "low": self.low, "high": self.high,
            "level": LEVEL,
        }  # fmt: skip


def swing(changed: Sequence[Winner], unchanged: Sequence[Winner]) -> Swing:
    """The paired difference of two arms, repeat by repeat. ValueError where they are not paired, or empty."""
    differences = [SHARE[one] - SHARE[other] for one, other in zip(changed, unchanged, strict=True)]
    pairs = len(differences)
    if not pairs:
        raise ValueError("there is no pair to compare")
    total, squares = sum(differences), sum(difference**2 for difference in differences)
    padded = pairs + 2
    centre = total / padded
    variance = (squares + 1) / padded - centre**2
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(variance / padded)
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return Swing(pairs, sum(difference != 0 for difference in differences), total / pairs, low, high)
