"""What accusations and reports bring about, in games written by hand."""

from __future__ import annotations

from math import log

from pytest import approx

from metrics.hand import Hand, claim, value

CARDS = "KKPPCCCC"


def test_swing_of_beliefs() -> None:
    """Civilian 5 accuses 1: listener 6 goes from .2 to .5, log 4. 7 accuses the good 8: 6 goes from .5 to .8, -log 4.

    What the accuser himself and killers come to believe does not count.
    """
    game = Hand(CARDS)
    game.says(5, 1, claims=[claim("accuse", 1)])
    game.says(7, 1, claims=[claim("accuse", 8)])
    for seat, before, after in (
        (2, {1: 0.2}, {1: 0.9}),
        (5, {1: 0.2}, {1: 0.9}),
        (6, {1: 0.2, 8: 0.5}, {1: 0.5, 8: 0.8}),
    ):
        game.believes(seat, 1, before, point="day_start")
        game.believes(seat, 1, after)
    assert value("P1", game.tables, [5]) == approx((log(4), 1, 0))
    assert value("P1", game.tables, [7]) == approx((-log(4), 1, 0))


def test_swing_of_votes() -> None:
    """5 accuses killer 1; of 2, 6, 7 one votes for 1: 1/3 - 1/7. The accused and the accuser do not count."""
    game = Hand(CARDS)
    game.says(5, 1, claims=[claim("accuse", 1), claim("vote", 1)])
    game.votes(1, {1: 5, 2: 5, 5: 1, 6: 1, 7: 2})
    assert value("P1v", game.tables) == approx((1 / 3 - 1 / 7, 3, 0))


def test_swing_against_ones_own_side_is_negative() -> None:
    """5 accuses the good 6, whom one of two follows: -(1/2 - 1/7)."""
    game = Hand(CARDS)
    game.says(5, 1, claims=[claim("accuse", 6)])
    game.votes(1, {1: 6, 7: 1, 6: 1})
    assert value("P1v", game.tables) == approx((-(1 / 2 - 1 / 7), 2, 0))


def test_disclosure() -> None:
    """Officer 3 reports 1, who leaves that day, on day 2 2, who stays. 8 live, then 7: chance (1/8 + 1/7) / 2."""
    game = Hand(CARDS)
    game.says(3, 1, claims=[claim("check", 1, "killer", "truth", night=1)])
    game.says(3, 2, claims=[claim("check", 2, "killer", "truth", night=1)])
    game.says(2, 1, claims=[claim("check", 5, "killer", "lie", night=1)])
    game.dies(1, 1, "vote")
    assert value("P3", game.tables) == approx((1 / 2, 2, (1 / 8 + 1 / 7) / 2))
    assert value("P3l", game.tables)[:2] == approx(((0 + 1) / 2, 2))


def test_no_disclosure_after_the_vote() -> None:
    game = Hand(CARDS)
    game.says(3, 1, kind="last_words", stage="", phase="vote", claims=[claim("check", 1, "killer", "truth")])
    assert value("P3", game.tables)[1] == 0
    game.says(3, 2, kind="last_words", stage="", phase="dawn", claims=[claim("check", 1, "killer", "truth")])
    assert value("P3", game.tables)[1] == 1
