"""A pilot: replicates of the same boards, how far their games agree, and what that makes of the number of boards."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, cast

import pytest

from tianhei.arena.tournament.figures import figures
from tianhei.arena.tournament.folder import planned
from tianhei.arena.tournament.outline import outline
from tianhei.arena.tournament.pilot import Agreement, agreement
from tianhei.arena.tournament.plan import PlanError
from tianhei.arena.tournament.power import Z, boards_for, difference_found, overall_half_width
from tianhei.arena.tournament.results import Row

from .plans import plan
from .test_controls import played
from .worlds import PLAYERS, spread


@dataclass(frozen=True)
class Simulated:
    """A game whose points are drawn: what `agreement` reads of a row."""

    teams: tuple[str, str]
    cluster: str
    drawn: float
    game: Any = played(0, "a", "b", "good").game
    winner: str = "killers"

    def points(self, *, killers: bool) -> float:
        return self.drawn if killers else 1 - self.drawn


def world(random: Random, boards: int, replicates: int, shared: float, teams: float, players: str = "ab") -> list[Row]:
    """Points about .5 of variance 1: a share from the board alone, another from the board for each pair of teams."""
    rows: list[Simulated] = []
    for board in range(boards):
        luck = random.gauss(0, sqrt(shared))
        for pair in ((one, other) for one in players for other in players if one != other):
            own = random.gauss(0, sqrt(teams))
            for _ in range(replicates):
                noise = random.gauss(0, sqrt(1 - shared - teams))
                rows.append(Simulated(pair, str(board), 0.5 + luck + own + noise))
    return cast(list[Row], rows)


def measured(rows: list[Row], players: int = 2) -> Agreement:
    found = agreement(rows, players)
    assert found is not None
    return found


@pytest.mark.parametrize(("shared", "teams"), [(0.0, 0.0), (0.3, 0.2), (0.1, 0.0)])
def test_known_correlations_come_back_and_their_intervals_hold_them(shared: float, teams: float) -> None:
    """Pilots of 20 boards and 5 replicates: no bias, and 95 % intervals that hold the truth (60 pilots each)."""
    random, pilots = Random(7), 60
    found = [measured(world(random, 20, 5, shared, teams)) for _ in range(pilots)]
    for truth, figure in ((shared + teams, "same"), (shared, "board"), (1 - shared, "effect")):
        each = [getattr(one, figure) for one in found]
        assert sum(one.value for one in each) / pilots == pytest.approx(truth, abs=0.05), figure
        assert sum(one.low <= truth <= one.high for one in each) >= 0.85 * pilots, figure


def test_the_correlation_is_the_one_of_a_one_way_analysis() -> None:
    """Three boards of two games each, by hand: the mean squares within and between boards give the board's part."""
    points = {"0": (0.0, 0.0), "1": (1.0, 1.0), "2": (0.0, 2.0)}
    rows = [Simulated(("a", "b"), board, one) for board, both in points.items() for one in both]
    within = 2 / 3  # squares 0, 0 and 2 on three degrees of freedom
    between = 2 * ((0 - 2 / 3) ** 2 + 2 * (1 - 2 / 3) ** 2) / 2  # board means 0, 1 and 1 about 2 / 3, two degrees
    board = (between - within) / 2
    found = measured(cast(list[Row], rows))
    assert found.same.value == pytest.approx(board / (board + within))
    assert found.replicated.value == pytest.approx(1 + board / (board + within))
    assert found.board.value == 0 and found.effect.value == 1, "one pair of teams shares its boards with none"


def test_without_replicates_nothing_is_measured() -> None:
    assert agreement(world(Random(1), 20, 1, 0.2, 0.2), 2) is None
    assert agreement(world(Random(1), 2, 5, 0.2, 0.2), 2) is None, "two boards carry no interval"


def test_boards_are_asked_for_by_the_design_effect() -> None:
    found = measured(world(Random(3), 40, 5, 0.4, 0.0))
    assert found.effect.value == pytest.approx(0.6, abs=0.2)
    few, safe = found.boards_for["25"]
    assert few == pytest.approx(boards_for(25, 2) * found.effect.value, rel=0.1)
    assert safe == pytest.approx(boards_for(25, 2) * found.effect.high, rel=0.1)


def test_the_formulas_of_precision_take_the_design_effect() -> None:
    """Variance times the effect: a half-width by its root, boards in proportion."""
    assert overall_half_width(8, 41, effect=0.25) == overall_half_width(8, 41) / 2
    assert boards_for(10, 4, effect=0.5) == pytest.approx(boards_for(10, 4) / 2, abs=1)
    assert plan(boards=None, width=25, design_effect=0.5).count == boards_for(25, 2, effect=0.5)
    needed = boards_for(25, 2, effect=0.8)
    plan(boards=needed, width=25, design_effect=0.8).refuse_small()
    with pytest.raises(PlanError, match=f"set boards = {boards_for(25, 2)}"):
        plan(boards=needed, width=25).refuse_small()
    lines = "\n".join(outline(plan(boards=40, design_effect=0.75), sized=False))
    assert f"+-{overall_half_width(2, 40, effect=0.75):.0f} Elo" in lines and "design effect 0.75" in lines
    assert f"{difference_found(40, correlation=0.25):.0%} of the games" in lines
    assert "a pilot (boards = 20, replicates = 5)" in "\n".join(outline(plan(boards=40), sized=False))


def test_the_design_effect_foretells_how_far_ratings_spread() -> None:
    """Boards that decide much: a slice; `python -m tournament` has the figures. 240 ratings: within 15 %."""
    found = spread(2.0, 41, range(40))
    assert found.correlation == pytest.approx(0.39, abs=0.01)
    assert found.error == pytest.approx(found.foretold, rel=0.15)
    assert found.error < 0.9 * overall_half_width(PLAYERS, 41) / Z


def test_replicates_have_the_same_cards_and_other_luck() -> None:
    once, again = planned(plan(arms=["mute"])), planned(plan(arms=["mute"], replicates=3))
    assert [game for game in again if game.replicate == 1] == once, "the first are the games of a plan without"
    assert len({game.id for game in again}) == len(again)
    main = [game for game in again if game.arm == "full" and game.track == "duplicate"]
    assert len(main) == 3 * sum(game.arm == "full" and game.track == "duplicate" for game in once)
    assert all(game.replicate == 1 for game in again if game.arm == "mute")
    for game in once:
        alike = [one for one in main if (one.board, one.seats) == (game.board, game.seats)]
        assert game.arm != "full" or len({one.seed for one in alike}) == 3


def test_fields_that_came_later_leave_published_hashes_alone() -> None:
    assert plan().hash == plan(replicates=1, design_effect=1.0, probes=[], games_at_once=20).hash
    assert len({plan().hash, plan(replicates=2).hash, plan(design_effect=0.9).hash, plan(games_at_once=3).hash}) == 4


def test_the_report_of_a_pilot_has_its_agreement_and_others_have_none() -> None:
    rows = [played(board, *sides, ("killers", "good", "draw")[(board * 7 + again) % 3])
            for board in range(6) for sides in (("a", "b"), ("b", "a")) for again in range(2)]  # fmt: skip
    found = figures(plan(replicates=2), len(rows), rows)
    assert found.agreement is not None and found.agreement.boards == 6 and found.agreement.replicates == 2
    assert found.to_json()["agreement"]["games"] == 24
    assert figures(plan(), len(rows), rows).agreement is None
