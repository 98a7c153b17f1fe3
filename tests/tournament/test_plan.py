"""A plan is read, and what cannot be is refused with the field's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tianhei.arena.tournament.outline import outline
from tianhei.arena.tournament.plan import PlanError, make_plan, read_plan
from tianhei.arena.tournament.power import (
    boards_for,
    difference_found,
    half_width,
    overall_half_width,
    side_half_width,
)  # fmt: skip

from .plans import SMALL, plan

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown field": ({"moon": 1}, "moon: Extra inputs are not permitted"),
    "nobody to sit with": ({"tracks": ["focal"], "pool": []}, r"the track focal needs somebody to sit with"),
    "no size": ({"boards": None}, "say boards = N, or width"),
    "told": ({"players": {"a": "oracle", "b": "random"}}, "players.a: oracle knows too much to be rated"),
    "a model's line": ({"lines": ["openai/gpt-4o"]}, "only scripted players are drawn as lines"),
    "arm": ({"arms": ["loud"]}, "arms.0: "),
    "no boards": ({"boards": 0}, "boards: "),
    "one player": ({"players": {"a": "random"}}, "two at least"),
    "unknown player": ({"players": {"a": "random", "b": "wizard"}}, "players.b: no player 'wizard'"),
    "anchor's name": (
        {"anchors": ["random"], "players": {"random": "random", "b": "uniform"}},
        "players.random: a player that ships has this name",
    ),
    "unknown preset": ({"tables": [{"rules": "moon"}]}, "tables: moon: unknown preset"),
    "no set-up": ({"tables": [{"rules": "classic", "players": 4}]}, "no classic set-up is written for 4 players"),
    "unknown option": ({"tables": [{"rules": "classic", "set": {"moon": 1}}]}, "unknown option 'moon'"),
    "no table": ({"tables": []}, "tables: "),
    "track": ({"tracks": ["solo"]}, "tracks.0: "),
    "variant": ({"variants": [4]}, "variants.0: "),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused(name: str) -> None:
    changes, message = WRONG[name]
    with pytest.raises(PlanError, match=message):
        make_plan({**SMALL, **changes})


def test_a_file_that_is_no_plan(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="No such file"):
        read_plan(tmp_path / "none")
    (tmp_path / "text").write_text("= moon")
    with pytest.raises(PlanError, match="it is no TOML"):
        read_plan(tmp_path / "text")


def test_the_design_does_not_depend_on_the_players() -> None:
    assert plan().design == plan(players={"x": "random", "y": "random", "z": "uniform"}, boards=9).design
    assert plan().design != plan(seed=2).design
    assert plan().design != plan(languages=["zh"]).design


def test_the_formulas_of_precision_give_the_published_table() -> None:
    """Half-widths of one matchup and of eight players' ratings, to the games that they take."""
    assert round(half_width(186)) == 50 and round(half_width(742)) == 25
    assert round(half_width(290, 0.2)) == 50
    assert boards_for(50, 8) == 11 and boards_for(25, 8) == 41
    assert round(overall_half_width(8, 1000 // 56) / 1.96) == 20
    assert abs(side_half_width(8, 95) - 25) < 0.6
    assert round(difference_found(393), 2) == 0.10 and round(difference_found(197, correlation=0.5), 2) == 0.10


def test_n_too_small_to_say_is_refused_with_the_number_that_would_do() -> None:
    with pytest.raises(PlanError, match=r"2 boards; set boards = 5 at least, for intervals, or 40, for a ranking"):
        list(outline(plan()))
    needed = boards_for(25, 2)
    with pytest.raises(PlanError, match=rf"n is too small to say what width = 25 asks: .* set boards = {needed}$"):
        plan(boards=needed - 1, width=25).refuse_small()
    plan(boards=needed, width=25).refuse_small()
    plan(boards=5).refuse_small()
    assert overall_half_width(2, needed) <= 25 < overall_half_width(2, needed - 1)


def test_a_plan_that_has_come_to_mean_other_games_has_another_hash() -> None:
    """Published hashes of plans whose games are still the same hold: duplicates, with boards as a number."""
    two = {"tables": [{"rules": "bench-10"}, {"rules": "bench-13b"}]}
    changes: tuple[dict[str, Any], ...] = ({"tracks": ["mixed"]}, {"tracks": ["duplicate", "roles"]},
                                           {"tracks": ["focal"]}, {"boards": None, "width": 50, **two})  # fmt: skip
    for change in changes:
        with pytest.MonkeyPatch.context() as patch:
            now = plan(**change).hash
            patch.setattr("tianhei.arena.tournament.plan.SEATING", 1)
            assert plan(**change).hash != now
    for change in ({"boards": 40}, {"boards": 40, **two}, {"boards": None, "width": 50}):
        with pytest.MonkeyPatch.context() as patch:
            now = plan(**change).hash
            patch.setattr("tianhei.arena.tournament.plan.SEATING", 1)
            assert plan(**change).hash == now


def test_boards_of_all_tables_count_together() -> None:
    """Ratings are fitted over all tables, so that a plan for a width shares its boards out among them."""
    two = {"tables": [{"rules": "bench-10"}, {"rules": "bench-13b"}]}
    needed = boards_for(25, 2)
    found = plan(boards=None, width=25, **two)
    assert needed <= found.total == 2 * found.count <= needed + 1
    shown = [line for line in outline(found, sized=False) if line.startswith("overall")]
    assert f"overall ratings: +-{overall_half_width(2, found.total):.0f} Elo" in shown[0]
    few = list(outline(plan(boards=3, **two), sized=False))
    assert any("it takes boards = 20;" in line for line in few), "as the plan would say it"
    assert any(f"for +-25 Elo boards = {found.count}" in line for line in few)
    assert f"on {found.total} boards, {found.count} at each of 2 tables" in next(iter(outline(found, sized=False)))
    with pytest.raises(PlanError, match=r"2 boards at each of 2 tables; set boards = 3 at least, .* or 20, for"):
        plan(boards=2, **two).refuse_small()
    plan(boards=3, **two).refuse_small()
    with pytest.raises(PlanError, match=rf"set boards = {found.count}$"):
        plan(boards=found.count - 1, width=25, **two).refuse_small()
    plan(boards=found.count, width=25, **two).refuse_small()


def test_the_outline_says_what_so_many_boards_can_show() -> None:
    lines = list(outline(plan(boards=5), sized=True))
    assert any("n is too small to rank: it takes boards = 40;" in line for line in lines)
    assert any("it costs nothing" in line for line in lines)
    assert not any("too small" in line for line in outline(plan(boards=40), sized=False))


def test_the_plan_is_hashed_before_its_seeds_are_known() -> None:
    """The hash holds whatever the beacon; the seeds do not."""
    before, after = plan(boards=5), plan(boards=5, beacon="drawn later")
    assert before.hash == after.hash and before.design != after.design
    assert before.hash != plan(boards=5, players={"a": "random", "c": "uniform"}).hash
    assert any(f"plan hash {before.hash}: publish it" in line for line in outline(before, sized=False))


def test_the_outline_sizes_the_calls_of_models() -> None:
    priced = plan(players={"a": "openai/gpt-4o-mini", "b": "random"}, boards=5)
    (line,) = [line for line in outline(priced) if "gpt-4o-mini" in line]
    assert "calls" in line and "$" in line
