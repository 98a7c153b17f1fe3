"""Wins of games written by hand."""

from __future__ import annotations

from pytest import approx

from metrics.hand import Hand, value
from tianhei.transcripts.columns.schema import concat
from tianhei.transcripts.metrics.frame import Frame
from tianhei.transcripts.metrics.games import Played, played
from tianhei.transcripts.metrics.value import frozen

CARDS = "KKPPCCCCCC"
A, B = ["a"] * 2 + ["b"] * 8, ["b"] * 2 + ["a"] * 8


def three() -> list[Hand]:
    """`a` wins as killers, draws as killers, and loses as the good side."""
    return [
        Hand(CARDS, "killers", name="1", players=A), Hand(CARDS, "draw", name="2", players=A),
        Hand(CARDS, "killers", name="3", players=B),
    ]  # fmt: skip


def of(code: str, games: list[Hand], name: str) -> tuple[float, float, float | None]:
    tables = concat(game.tables for game in games)
    return value(code, tables, [row + 1 for row, who in enumerate(tables["seats"]["player"]) if who == name])


def test_both_sides_weigh_alike() -> None:
    """a: as killers (1 + ½) / 2 = ¾ in two games, as good 0 of one: mean 3/8. b: good (0 + ½) / 2, killers 1: 5/8."""
    assert of("O1", three(), "a") == approx((3 / 8, 3, 0.5))
    assert of("O1", three(), "b") == approx((5 / 8, 3, 0.5))


def test_one_side_alone_is_not_balanced() -> None:
    found, _, _ = of("O1", three()[:2], "a")
    assert found != found


def test_wins_beside_play_by_lot() -> None:
    """a's killers take 1.5 of 2 points; by lot .8256 each."""
    assert of("O1s", three()[:2], "a") == approx((0.75, 2, frozen("bench-10").start))


def test_from_lot_to_the_best() -> None:
    """Killers: (.75 - s) / (1 - s). The good side got a quarter: (.25 - (1 - s)) / (27/28 - (1 - s))."""
    start = frozen("bench-10").start
    assert start == approx(0.825624, abs=1e-6)
    killers, good = (0.75 - start) / (1 - start), (start - 0.75) / (start - 1 / 28)
    assert of("O3s", three()[:2], "a") == approx((killers, 2, 0))
    assert of("O3s", three()[:2], "b") == approx((good, 2, 0), abs=1e-6)


def test_both_sides_from_lot_to_the_best() -> None:
    """a is as far as killers as above, and lost the one game as the good side: (0 - (1 - s)) / (27/28 - (1 - s))."""
    start = frozen("bench-10").start
    killers, good = (0.75 - start) / (1 - start), (start - 1) / (start - 1 / 28)
    assert of("O3", three(), "a") == approx(((killers + good) / 2, 3, 0), abs=1e-6)
    one_side, _, _ = of("O3", three()[:2], "a")
    assert one_side != one_side


def test_a_game_counts_once_for_each_player_of_a_side() -> None:
    """Two of the good seats are c's, the others b's: one game each."""
    game = Hand(CARDS, "good", players=["a"] * 2 + ["c"] * 2 + ["b"] * 6)
    assert of("O1s", [game], "c")[:2] == approx((1, 1))
    assert of("O1s", [game], "b")[:2] == approx((1, 1))


def test_games_for_the_ratings() -> None:
    """Void games and those with a handicap are left out; a fallback makes a game unclean."""
    told = Hand(CARDS, "good", name="told")
    told.tables["games"]["handicap"] = [True]
    asked = Hand(CARDS, "good", name="asked", players=A, board="7")
    asked.asked(3, "fallback")
    tables = concat([told.tables, Hand(CARDS, None, name="void").tables, asked.tables])
    (found,) = played(Frame(tables))
    assert found == Played(
        found.table, found.board, ("a", "a"), ("b",) * 8, ("b", "b"), ("b",) * 6, "good", clean=False
    )
    assert found.board.endswith(" 7")
