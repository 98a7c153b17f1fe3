"""The orders of last words and speeches: the tables of both games, and who starts when nobody died."""

from __future__ import annotations

import pytest

from tianhei.arena.events import Drawn
from tianhei.arena.rules.options import make
from tianhei.arena.rules.speaking import days_order, order_of_last_words, order_of_speeches

from .table import THIRTEEN, TWELVE, kept, table_of


def seats(text: str) -> tuple[int, ...]:
    return tuple(int(seat) for seat in text.split())


UP_13 = tuple(range(1, 14))

DEFENCE = [
    # the night's dead, last words and defence on odd days, the same on even days
    ("", "", "1 2 3 4 5 6 7 8 9 10 11 12 13", "", "13 12 11 10 9 8 7 6 5 4 3 2 1"),
    ("7", "7", "8 9 10 11 12 13 1 2 3 4 5 6", "7", "6 5 4 3 2 1 13 12 11 10 9 8"),
    ("1", "1", "2 3 4 5 6 7 8 9 10 11 12 13", "1", "13 12 11 10 9 8 7 6 5 4 3 2"),
    ("13", "13", "1 2 3 4 5 6 7 8 9 10 11 12", "13", "12 11 10 9 8 7 6 5 4 3 2 1"),
    ("1 13", "1 13", "2 3 4 5 6 7 8 9 10 11 12", "13 1", "12 11 10 9 8 7 6 5 4 3 2"),
    ("4 12", "4 12", "13 1 2 3 5 6 7 8 9 10 11", "12 4", "3 2 1 13 11 10 9 8 7 6 5"),
    ("3 4 5", "3 4 5", "6 7 8 9 10 11 12 13 1 2", "5 4 3", "2 1 13 12 11 10 9 8 7 6"),
    ("2 9 10 13", "2 9 10 13", "1 3 4 5 6 7 8 11 12", "13 10 9 2", "1 12 11 8 7 6 5 4 3"),
]


@pytest.mark.parametrize(("dead", "words_odd", "defence_odd", "words_even", "defence_even"), DEFENCE)
def test_start_of_the_defence(dead: str, words_odd: str, defence_odd: str, words_even: str, defence_even: str) -> None:
    """S0-55, S0-60, S0-62; A0-56 to A0-58."""
    rules = make("butterfly")
    for day, words, defence in (
        (1, words_odd, defence_odd),
        (2, words_even, defence_even),
        (3, words_odd, defence_odd),
    ):
        last = order_of_last_words(rules, 13, day, seats(dead))
        assert last == seats(words)
        alive = [seat for seat in UP_13 if seat not in seats(dead)]
        assert order_of_speeches(rules, 13, day, alive, last[-1] if last else None) == seats(defence)


SPEECHES = [
    # the victim, seats dead before, order if the right-hand neighbour is seat + 1, order if it is seat - 1
    ("1", "", "2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2"),
    ("5", "", "6 7 8 9 10 11 12 1 2 3 4", "4 3 2 1 12 11 10 9 8 7 6"),
    ("12", "", "1 2 3 4 5 6 7 8 9 10 11", "11 10 9 8 7 6 5 4 3 2 1"),
    ("", "", "1 2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2 1"),
    ("5", "6 7", "8 9 10 11 12 1 2 3 4", "4 3 2 1 12 11 10 9 8"),
]


@pytest.mark.parametrize("day", [1, 2])
@pytest.mark.parametrize(("victim", "before", "ccw", "cw"), SPEECHES)
def test_order_of_speeches(victim: str, before: str, ccw: str, cw: str, day: int) -> None:
    """S1-56; A1-16 and A1-17: rightwards on every day, past the dead."""
    gone = seats(victim) + seats(before)
    alive = [seat for seat in range(1, 13) if seat not in gone]
    anchor = int(victim) if victim else None
    for numbering, order in (("ccw", ccw), ("cw", cw)):
        rules = make("classic", {"seat_numbering": numbering})
        assert order_of_speeches(rules, 12, day, alive, anchor) == seats(order)


def test_a0_57_the_direction_goes_by_the_day_also_when_nobody_died() -> None:
    table = table_of(THIRTEEN, day=2)
    assert days_order(table, ()) == tuple(reversed(UP_13))
    table.day = 3
    assert days_order(table, ()) == UP_13


def test_a0_61_the_one_before_the_anchor_is_dead_too() -> None:
    rules = make("butterfly")
    order = order_of_speeches(rules, 13, 1, [seat for seat in UP_13 if seat not in (5, 6, 7)], 7)
    assert order[0] == 8 and order[-1] == 4


@pytest.mark.parametrize(("no_death_start", "first"), [("judge", 1), ("previous_anchor", 6), ("random", 9)])
def test_a1_18_a_peaceful_night(no_death_start: str, first: int) -> None:
    table = table_of(TWELVE, "classic", no_death_start=no_death_start, lots=[9])
    table.out([5])
    days_order(table, (5,))
    table.day = 2
    order = days_order(table, ())
    assert order[0] == first
    assert order == tuple(sorted(table.living, key=lambda seat: (seat - first) % 12))
    assert len(kept(table, Drawn)) == (no_death_start == "random")


@pytest.mark.parametrize(
    ("no_death_start", "order"),
    [("judge", "13 12 11 10 9 8 6 5 4 3 2 1"), ("previous_anchor", "6 5 4 3 2 1 13 12 11 10 9 8")],
)
def test_a0_59_a_peaceful_night(no_death_start: str, order: str) -> None:
    """The anchor of the day before counts, in today's direction."""
    table = table_of(THIRTEEN, no_death_start=no_death_start)
    table.out([7])
    days_order(table, (7,))
    table.day = 2
    assert days_order(table, ()) == seats(order)


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_a0_59_previous_anchor_before_anybody_died(game: str) -> None:
    table = table_of(THIRTEEN if game == "butterfly" else TWELVE, game, no_death_start="previous_anchor")
    assert days_order(table, ())[0] == 1


def test_a0_60_the_last_of_the_dead_is_the_anchor_though_silenced() -> None:
    table = table_of(THIRTEEN)
    table.out([4, 12])
    table.silenced = frozenset((12,))
    assert days_order(table, (4, 12))[0] == 13


def test_a0_82_one_voted_out_is_no_anchor() -> None:
    table = table_of(THIRTEEN, no_death_start="previous_anchor")
    table.out([7])
    days_order(table, (7,))
    table.out([3])
    table.day = 2
    assert days_order(table, ())[0] == 6
