"""The metrics give the numbers of the straightforward version, on games that were played."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest import approx

from metrics import plain
from metrics.games import played, with_beliefs
from metrics.hand import value
from metrics.plain import Plain
from tianhei.transcripts.columns.schema import Tables, concat
from tianhei.transcripts.metrics.card import BY, By, Tally

Slow = Callable[[Plain], tuple[float, int]]
PAIRS: dict[str, Slow] = {
    "V2": lambda games: plain.lift(games, lambda game, seat: games.role(game, seat) == "civilian"),
    "V2i": lambda games: plain.lift(games, lambda game, seat: games.role(game, seat) not in ("civilian", "killer")),
    "V6": plain.vote_value,
    "P4": plain.action_value,
    "P5": plain.targeting,
    "D5": plain.discrimination,
    "B1": plain.brier_skill,
}


@pytest.fixture(scope="module")
def classic() -> Tables:
    """Scripted and random players, and liars against scripted ones."""
    return with_beliefs(concat([
        played("bench-10", 6), played("bench-10", 4, sides=("random", "random"), start=20),
        played("bench-10", 4, sides=("scripted-liar", "scripted"), start=40),
    ]))  # fmt: skip


@pytest.fixture(scope="module")
def butterfly() -> Tables:
    return with_beliefs(concat([
        played("bench-13b", 3), played("bench-13b", 3, sides=("random", "random"), start=20),
        played("bench-13b", 4, sides=("scripted-liar", "reveal-police"), start=40),
    ]))  # fmt: skip


@pytest.mark.parametrize("code", PAIRS)
def test_classic(code: str, classic: Tables) -> None:
    found, n, _ = value(code, classic)
    assert (found, n) == approx(PAIRS[code](Plain(classic)))
    assert n > 3


@pytest.mark.parametrize("code", [code for code in PAIRS if code != "P5"])
def test_butterfly(code: str, butterfly: Tables) -> None:
    found, n, _ = value(code, butterfly)
    assert (found, n) == approx(PAIRS[code](Plain(butterfly)))
    assert n > 3


@pytest.mark.parametrize("code", ["V2", "V6", "V8"])
def test_players_by_lot_stay_at_chance(code: str) -> None:
    """Their interval holds the chance: 40 boards of the uninformed."""
    tally = Tally()
    tally.add(played("bench-10", 40, sides=("uninformed", "uninformed"), start=100))
    (found,) = (row for row in tally.rows(resamples=1000) if row.code == code)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0 <= found.high
    assert found.high - found.low < 0.12
    assert found.boards == 40


@pytest.mark.parametrize("by", BY)
def test_batches_make_no_difference(by: By) -> None:
    """Games one by one and all at once: the same figures, intervals and all."""
    parts = [played("bench-10", 1, start=start) for start in range(6)]
    whole, one_by_one = Tally(), Tally()
    whole.add(concat(parts))
    for part in parts:
        one_by_one.add(part)
    for one, other in zip(whole.rows(by, resamples=200), one_by_one.rows(by, resamples=200), strict=True):
        assert one[:5] == other[:5]
        assert [one.value, one.low, one.high, one.chance, one.n, one.boards] == [
            each if each is None else approx(each)
            for each in (other.value, other.low, other.high, other.chance, other.n, other.boards)
        ]
