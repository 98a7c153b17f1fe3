"""Ratings: known strengths come back, intervals hold their level, names and order change nothing."""

from __future__ import annotations

from dataclasses import astuple
from random import Random

import pytest

from tianhei.arena.tournament import ratings
from tianhei.arena.tournament.power import ELO
from tianhei.arena.tournament.ratings import Played, rate, to_json

from .worlds import WORLDS, coverage, tournament


@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_the_truth_about_95_times_in_100(world: str) -> None:
    """A slice; `python -m tournament` has the figures. 480 intervals: 4 standard errors are 4 points."""
    found = coverage(world, 11, range(80))
    assert 0.90 < found.held / found.of < 0.99


def test_known_strengths_come_back() -> None:
    found = rate(list(tournament("spread", 200, 1)))
    truth = WORLDS["spread"]
    assert [name for name in found.players] == [f"m{number}" for number in (5, 4, 3, 2, 1, 0)]
    assert all(abs(found.overall[f"m{number}"].value - truth[number]) < 40 for number in range(6))
    assert abs(found.tables["t"] + 0.8) < 0.2
    assert abs(found.draw - 0.1) < 0.05


@pytest.mark.report("ST-03", "ST-04")
def test_order_and_names_of_games_players_and_boards_change_nothing() -> None:
    played = list(tournament("spread", 11, 3))
    names = {f"m{number}": name for number, name in enumerate(("Zoë", "王五", "a/b", "000", "x", "m1"))}
    renamed = [
        Played(
            one.table,
            f"board {one.board}",
            [names[name] for name in reversed(one.town)],
            [names[name] for name in reversed(one.killers)],
            one.result,
        )
        for one in played
    ]
    Random(1).shuffle(renamed)
    before, after = rate(played), rate(renamed)
    for old, new in names.items():
        assert before.overall[old].value == pytest.approx(after.overall[new].value, abs=1e-6)
        assert before.killer[old].low == pytest.approx(after.killer[new].low, abs=1e-6)
    assert [[names[name] for name in tier] for tier in before.tiers] == [list(tier) for tier in after.tiers]


def test_games_taken_some_at_a_time_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    played = list(tournament("spread", 11, 3))
    whole = rate(played)
    monkeypatch.setattr(ratings, "AT_ONCE", 7)
    parts = rate(played)
    for name, one in whole.overall.items():
        assert astuple(parts.overall[name]) == pytest.approx(astuple(one))


@pytest.mark.report("ST-05")
def test_equal_results_give_equal_ratings_and_a_draw_lies_between() -> None:
    games = [
        Played("t", str(board), [town] * 4, [killers] * 2, "draw")
        for board in range(6)
        for town, killers in (("a", "b"), ("b", "a"))
    ]
    found = rate(games)
    assert found.overall["a"].value == pytest.approx(0, abs=1e-6)
    assert found.overall["b"].value == pytest.approx(0, abs=1e-6)
    assert found.tiers == (tuple(found.players),)


def test_one_that_always_wins_is_finite_and_ahead() -> None:
    games = [
        Played("t", str(board), [town] * 4, [killers] * 2, "good" if town == "a" else "killers")
        for board in range(20)
        for town, killers in (("a", "b"), ("b", "a"))
    ]
    found = rate(games)
    assert 100 < found.overall["a"].value < 3000
    assert found.tiers == (("a",), ("b",))
    assert found.ranks["a"][0] > 0.99
    assert found.pairs[0].holm < 0.05


def test_what_cannot_be_rated_says_why() -> None:
    with pytest.raises(ValueError, match="no game was finished"):
        rate([])
    with pytest.raises(ValueError, match="all games are on one board"):
        rate([Played("t", "1", ["a"], ["b"], "good"), Played("t", "1", ["b"], ["a"], "good")])


def test_the_sides_of_a_mixed_team_count_by_their_share() -> None:
    """Two teams that differ in one of two seats differ by half of what the seat is worth."""
    games = [
        Played("t", str(board), ["a", other], ["k"], "good" if (board * 7) % 10 < wins else "killers")
        for board in range(60)
        for other, wins in (("a", 8), ("b", 4))
    ]
    found = rate(games)
    gap = found.town["a"].value - found.town["b"].value
    assert gap > 0 and found.overall.keys() == {"a", "b", "k"}
    assert to_json(found)["players"]["a"]["town"]["value"] == round(found.town["a"].value, 1)
    assert pytest.approx(173.7178, abs=1e-3) == ELO
