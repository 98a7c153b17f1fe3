"""Intervals by resampling boards with all their games: what happens on one board is not independent."""

from __future__ import annotations

import numpy as np

from tianhei.transcripts.metrics.frame import Array

RESAMPLES = 2_000
LEAST_BOARDS = 5
"""Fewer boards carry no interval."""
MOST_BLOCKS = 1_000
"""More boards than this are put together, as they come, into so many blocks, which are as independent.

A standard error from so many blocks is itself known to 2 %."""


def weights(blocks: int, resamples: int, seed: int) -> Array:
    """How often each block is drawn in each resample."""
    return np.random.default_rng(seed).multinomial(blocks, np.full(blocks, 1 / blocks), size=resamples).astype(float)


def interval(values: Array, boards: int) -> tuple[float, float] | None:
    """The 95 % percentile interval of resampled values; None where too few boards, or no resample, carry one."""
    sound = values[np.isfinite(values)]
    if boards < LEAST_BOARDS or len(sound) < len(values) / 2:
        return None
    low, high = np.percentile(sound, [2.5, 97.5])
    return float(low), float(high)
