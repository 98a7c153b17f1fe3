"""Beliefs of games written by hand."""

from __future__ import annotations

from math import log, log2
from typing import Any

import numpy as np
import pytest
from pytest import approx
from scipy.optimize import minimize

from metrics.hand import Hand, value
from tianhei.transcripts.columns.schema import Tables
from tianhei.transcripts.metrics.belief import BIAS, BINS, SLOPE

ASKED = {1: 0.8, 3: 0.2, 4: 0.5}
"""What seat 2 believes: 1 is the killer, 3 and 4 are good."""


def four() -> Hand:
    """Seat 1 a killer, 2 police, 3 and 4 civilians."""
    return Hand("KPCC")


def one() -> Tables:
    game = four()
    game.believes(2, 1, ASKED)
    return game.tables


def test_brier_and_its_skill() -> None:
    """(.2² + .2² + .5²) / 3 = .11; q = 1/3, so q (1 - q) = 2/9; skill 1 - .11 * 9 / 2 = .505."""
    assert value("B1b", one()) == approx((0.11, 1, 2 / 9))
    assert value("B1", one()) == approx((0.505, 1, 0))


def test_scaled_beliefs() -> None:
    """The sum is 1.5 and one is a killer: .8, .2, .5 become 8/15, 2/15, 1/3."""
    loss = ((7 / 15) ** 2 + (2 / 15) ** 2 + (1 / 3) ** 2) / 3
    assert value("B1r", one()) == approx((1 - loss * 9 / 2, 1, 0))


def test_information_gain() -> None:
    """LS(q) = -(log2 1/3 + 2 log2 2/3) / 3; LS(b) = -(log2 .8 + log2 .8 + log2 .5) / 3."""
    prior, own = -(log2(1 / 3) + 2 * log2(2 / 3)) / 3, -(2 * log2(0.8) + log2(0.5)) / 3
    assert value("B2", one()) == approx((prior - own, 1, 0))


def test_certain_beliefs_are_held_back() -> None:
    """0 for a killer costs -log2 .01. Two of three are beyond .01 and .99."""
    game = four()
    game.believes(2, 1, {1: 0.0, 3: 1.0, 4: 0.5})
    prior = -(log2(1 / 3) + 2 * log2(2 / 3)) / 3
    assert value("B2", game.tables)[0] == approx(prior - (-2 * log2(0.01) + 1) / 3)
    assert value("B2c", game.tables)[:2] == approx((2 / 3, 3))


def test_all_games_weigh_alike() -> None:
    """Seat 2 at two points .11 and 0, seat 3 at one point 1: (.055 + 1) / 2."""
    game = four()
    game.believes(2, 1, ASKED, point="day_start")
    game.believes(2, 1, {1: 1.0, 3: 0.0, 4: 0.0})
    game.believes(3, 1, {1: 0.0, 2: 1.0, 4: 1.0})
    assert value("B1b", game.tables)[:2] == approx(((0.055 + 1) / 2, 2))


def test_only_fixed_points_the_living_and_the_good_count() -> None:
    game = four()
    game.believes(1, 1, {2: 1.0, 3: 1.0, 4: 1.0})
    game.believes(2, 1, {1: 0.0}, point="after_speech")
    game.dies(4, 1)
    game.believes(2, 1, {4: 1.0})
    assert value("B1b", game.tables)[1] == 0


def test_calibration_of_beliefs_that_are_right() -> None:
    """Of ten beliefs at .31 about three are true, of ten at .71 about seven: slope near 1, bias near 0, by hand:

    the two points are fitted exactly: c = (logit .7 - logit .3) / (logit .71 - logit .31).
    """
    game = Hand("KKKPCCCCCC")
    for day, killers, p in ((1, 3, 0.31), (2, 7, 0.71)):
        for number in range(10):
            game.believes(4, day * 100 + number, {1 if number < killers else 5: p})
    logit = {p: log(p / (1 - p)) for p in (0.3, 0.7, 0.31, 0.71)}
    slope = (logit[0.7] - logit[0.3]) / (logit[0.71] - logit[0.31])
    assert value("B3", game.tables)[:2] == approx((slope, 20))
    assert value("B3a", game.tables)[0] == approx(logit[0.3] - slope * logit[0.31])
    assert value("B3e", game.tables)[0] == approx((abs(3 - 3.1) + abs(7 - 7.1)) / 20)


def test_calibration_is_the_most_likely_one() -> None:
    """Against a general optimiser, with many beliefs at both ends, and several counts at once as in resampling."""
    random = np.random.default_rng(1)
    centres = (np.arange(BINS) + 0.5) / BINS
    odds = np.log(centres / (1 - centres))
    counts = random.integers(0, 200, (6, BINS)) * (random.random((6, BINS)) < 0.3)
    counts[:, [0, -1]] += 300
    hits = random.binomial(counts, 1 / (1 + np.exp(0.5 - np.linspace(0, 1.2, 6)[:, None] * odds)))
    sums = np.concatenate([counts, hits], axis=1).astype(float)
    for number, of, bias, slope in zip(counts, hits, BIAS.value(sums), SLOPE.value(sums), strict=True):

        def loss(at: Any, number: Any = number, of: Any = of) -> float:
            fitted = at[0] + at[1] * odds
            return float((number * np.logaddexp(0, fitted) - of * fitted).sum())

        assert (bias, slope) == approx(tuple(minimize(loss, [0, 0]).x), abs=1e-4)


def test_efficiency_of_the_solver() -> None:
    """The solver says 1/2, 0, 1/2. Its loss (1 + 0 + 1) / 3, with the 0 held at .01."""
    game = four()
    game.believes(2, 1, ASKED, posterior={1: 0.5, 3: 0.0, 4: 0.5})
    game.believes(3, 1, {1: 0.9, 2: 0.9, 4: 0.9})  # without a posterior: left out
    prior, own = -(log2(1 / 3) + 2 * log2(2 / 3)) / 3, -(2 * log2(0.8) + log2(0.5)) / 3
    solver = (2 - log2(0.99)) / 3
    assert value("B4", game.tables) == approx(((prior - own) / (prior - solver), 1, 0))
    assert value("B6i", game.tables)[:2] == approx((1, 1)), ".2 about seat 3, who is good for certain"


def test_suspicion_auc() -> None:
    """Killers .6 and .2 against good .2 and .1: above, above, equal, above = 3.5 / 4."""
    game = Hand("KKPCC")
    game.believes(3, 1, {1: 0.6, 2: 0.2, 4: 0.2, 5: 0.1})
    assert value("B5", game.tables) == approx((3.5 / 4, 1, 0.5))


def test_votes_for_the_most_suspected() -> None:
    """Seat 2 suspects 1 and 3 alike and votes 3: agrees, chance 2/3. Seat 3 votes against its belief, chance 1/3."""
    game = four()
    game.believes(2, 1, {1: 0.5, 3: 0.5, 4: 0.1})
    game.believes(3, 1, {1: 0.9, 2: 0.5, 4: 0.1})
    game.votes(1, {1: 2, 2: 3, 3: 2})
    assert value("B6", game.tables) == approx((1 / 2, 2, (2 / 3 + 1 / 3) / 2))


def test_own_reputation() -> None:
    """Seat 2 thinks that 3 holds it at .5; 3 said .1: error .16. Chance: 3 was asked of one in three: (1/3 - .1)²."""
    game = four()
    game.believes(2, 1, ASKED, of_me={3: 0.5, 4: 0.5})
    game.believes(3, 1, {1: 0.4, 2: 0.1, 4: 0.1})
    assert value("B7", game.tables) == approx((0.16, 1, (1 / 3 - 0.1) ** 2))


@pytest.mark.parametrize("code", ["B1", "B2", "B3", "B4", "B5", "B6", "B7"])
def test_without_beliefs_there_is_nothing(code: str) -> None:
    found, n, _ = value(code, four().tables)
    assert n == 0
    assert found != found
