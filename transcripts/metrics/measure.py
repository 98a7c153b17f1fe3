"""What a metric is: what it sums up for each seat of each game, and how sums become a value beside its chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tianhei.transcripts.metrics.frame import Frame

Array: TypeAlias = NDArray[np.float64]
Family: TypeAlias = Literal["outcome", "voting", "belief", "deception", "persuasion", "night", "integrity"]


@dataclass(frozen=True, slots=True)
class Statistic:
    """From sums to a value: arrays of sums whose last axis has ``width`` parts, to arrays without that axis.

    ``n`` counts what was looked at; ``chance`` is the level without skill (None: there is none to give).
    """

    width: int
    value: Callable[[Array], Array]
    n: Callable[[Array], Array]
    chance: Callable[[Array], Array] | None = None


def ratio(above: Array, below: Array) -> Array:
    """A quotient, not a number where there is nothing below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = np.where(below != 0, above / below, np.nan)
    return found


MEAN = Statistic(2, lambda s: ratio(s[..., 0], s[..., 1]), lambda s: s[..., 1])
"""Sum and count: their quotient."""
RATE = Statistic(3, lambda s: ratio(s[..., 0], s[..., 1]), lambda s: s[..., 1], lambda s: ratio(s[..., 2], s[..., 1]))
"""Hits, count and hits to be expected: the rate beside the rate by chance."""
LIFT = Statistic(
    3, lambda s: ratio(s[..., 0] - s[..., 2], s[..., 1]), lambda s: s[..., 1], lambda s: np.zeros_like(s[..., 0])
)
"""Hits, count and hits to be expected: by how much the rate lies above chance."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure. ``of`` is what it counts; ``count`` gives the sums, a row for each seat of the frame.

    The docstring of ``count`` is the metric's page: what it is, then formula, range, chance and source.
    """

    code: str
    name: str
    family: Family
    of: str
    statistic: Statistic
    count: Callable[[Frame], Array]
    is_core: bool = True
    sums_of: str = ""
    """The metric whose sums are the same, where one is."""

    @property
    def about(self) -> str:
        return getdoc(self.count) or ""
