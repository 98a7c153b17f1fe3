"""The metrics give the numbers of the straightforward version, on games that were played."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from pytest import approx

from metrics import plain
from metrics.games import played, with_beliefs
from metrics.hand import value
from metrics.plain import Plain
from tianhei.transcripts.columns.schema import Tables, concat
from tianhei.transcripts.metrics import card
from tianhei.transcripts.metrics.card import BY, By, Row, Tally, summed

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


def like(rows: list[Row]) -> list[object]:
    """Rows with figures that may differ in the last digits."""
    return [(row[:5], *(each if each is None else approx(each) for each in row[5:])) for row in rows]


def exact(rows: list[Row]) -> list[object]:
    return [(row[:5], *row[5:]) for row in rows]


@pytest.mark.parametrize("by", BY)
def test_batches_make_no_difference(by: By) -> None:
    """Games one by one, all at once, and summed up elsewhere: the same figures, intervals and all."""
    parts = [
        *(played("bench-10", 1, start=start) for start in range(6)),
        *(played("bench-10", 1, sides=("random", "scripted-liar"), start=start) for start in range(3)),
    ]
    whole, one_by_one, sent = Tally(), Tally(), Tally()
    whole.add(concat(parts))
    for part in parts:
        one_by_one.add(part)
        sent.take(pickle.loads(pickle.dumps(summed(part))))
    for tally in (one_by_one, sent):
        assert exact(whole.rows(by, resamples=200)) == like(tally.rows(by, resamples=200))
        assert list(tally.games) == list(whole.games)
        assert (tally.boards, tally.left_out, tally.taken_over) == (6, 0, 0)


def copies(tables: Tables, start: int, number: int) -> Iterator[Tables]:
    """The same games so many times, under other names and on other boards."""
    for copy in range(start, start + number):
        found: Tables = {}
        for name, columns in tables.items():
            found[name] = {**columns, "game": [f"{copy} {game}" for game in columns["game"]]}
        found["games"]["board"] = [f"{copy} {board}" for board in tables["games"]["board"]]
        yield found


def test_a_further_game_takes_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once blocks and speeches are full: its id, its board's name and its seats, under 700 bytes."""
    monkeypatch.setattr(card, "MOST_BLOCKS", 20)
    monkeypatch.setattr(card, "MOST", 20)
    tables = concat([played("bench-10", 3), played("bench-10", 3, sides=("random", "scripted-liar"))])
    tally, sizes = Tally(), list[int]()
    tracemalloc.start()
    try:
        for start in range(0, 60, 10):
            tally.add(concat(copies(tables, start, 10)))
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert (len(tally.games), tally.boards) == (360, 180)
    assert 0 < (sizes[5] - sizes[1]) / 240 < 700
