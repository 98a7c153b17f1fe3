"""Set-ups: the written tables of both games, and what a custom table may be."""

from __future__ import annotations

from typing import Any

import pytest

from tianhei.arena.chance import Deal, Given, deal
from tianhei.arena.referee import Referee
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import RulesError, make
from tianhei.arena.rules.setups import NoSetup, custom, written
from tianhei.arena.rules.victory import first_check

from .table import roles

WRITTEN_0 = {11: (1, 3, 3), 12: (1, 3, 4), 13: (1, 3, 5), 15: (1, 4, 6), 17: (1, 5, 7), 18: (2, 5, 7)} | {
    players: (1, (players - 7) // 2, (players - 7) // 2 + 2) for players in (19, 21, 23, 25, 41)
}
"""Police, killers and civilians by players, beside one of each special."""

WRITTEN_1 = {
    6: (0, 2, 4), 7: (0, 2, 5), 8: (2, 2, 4), 9: (2, 2, 5), 10: (2, 2, 6), 11: (3, 3, 5), 12: (3, 3, 6),
    13: (3, 3, 7), 14: (3, 3, 8), 15: (4, 4, 7), 16: (4, 4, 8), 17: (4, 4, 9),
}  # fmt: skip


def three(counts: Any) -> tuple[int, int, int]:
    return tuple(counts.get(role, 0) for role in (Role.POLICE, Role.KILLER, Role.CIVILIAN))


@pytest.mark.parametrize("players", WRITTEN_0)
def test_butterfly_tables(players: int) -> None:
    """S0-2 to S0-6; A0-01 to A0-04."""
    rules = make("butterfly")
    counts, _ = written(rules, players)
    assert three(counts) == WRITTEN_0[players]
    assert all(counts[role] == 1 for role in (Role.BUTTERFLY, Role.SNIPER, Role.DOCTOR, Role.ELDER))
    assert sum(counts.values()) == players
    assert first_check(rules, counts) is None


@pytest.mark.parametrize("players", [*range(1, 11), 14, 16, 20, 22, 24])
def test_butterfly_tables_that_are_not_written(players: int) -> None:
    with pytest.raises(NoSetup):
        written(make("butterfly"), players)


def test_a0_02_thirteen_players() -> None:
    dealt = written(make("butterfly"), 13)
    recommended = written(make("butterfly", {"setup13": "recommended_4_4"}), 13)
    assert three(dealt[0]) == (1, 3, 5) and three(recommended[0]) == (1, 4, 4)
    assert dealt[1] == {"recommended_4_4": recommended[0]} and recommended[1] == {"dealt_3_5": dealt[0]}


@pytest.mark.parametrize("setup13", ["dealt_3_5", "recommended_4_4"])
def test_a0_05_even_numbers_with_a_second_officer(setup13: str) -> None:
    rules = make("butterfly", {"even_counts": "second_police", "setup13": setup13})
    assert three(written(rules, 14)[0]) == ((2, 3, 5) if setup13 == "dealt_3_5" else (2, 4, 4))
    for players in (16, 18, 20, 24):
        police, killers, civilians = three(written(rules, players - 1)[0])
        assert three(written(rules, players)[0]) == (police + 1, killers, civilians)
    with pytest.raises(NoSetup):
        written(rules, 10)


@pytest.mark.parametrize("players", WRITTEN_1)
def test_classic_tables(players: int) -> None:
    """S1-26 to S1-29; A1-02 to A1-04."""
    rules = make("classic")
    counts, alternatives = written(rules, players)
    assert three(counts) == WRITTEN_1[players]
    assert sum(counts.values()) == players
    assert not alternatives
    assert first_check(rules, counts) is None


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 18, 19, 30])
def test_a1_03_classic_tables_that_are_not_written(players: int) -> None:
    with pytest.raises(NoSetup, match=f"{players} players"):
        written(make("classic"), players)


@pytest.mark.parametrize(
    ("game", "counts", "wrong"),
    [
        ("classic", {"civilian": 4}, "at least one killer"),
        ("classic", {"killer": 4}, "at least one killer and one other"),
        ("classic", {"killer": 1, "sniper": 1, "civilian": 3}, "no role of the classic game"),
        ("classic", {"killer": 1, "police": 2}, "already decided.*S1-73"),
        ("classic", {"killer": 1, "police": -1, "civilian": 2}, "not a number of players"),
        ("classic", {"killer": True, "civilian": 2}, "not a number of players"),
        ("butterfly", {"killer": 1, "doctor": 2, "civilian": 4}, "at most one doctor"),
        ("butterfly", {"killer": 1, "butterfly": 2, "civilian": 4}, "at most one butterfly"),
        ("butterfly", {"killer": 1, "sniper": 2, "civilian": 4}, "at most one sniper"),
        ("butterfly", {"killer": 1, "elder": 3, "civilian": 4}, "at most one elder"),
        ("butterfly", {"killer": 1, "civilian": 4}, "already decided.*S0-67"),
        ("butterfly", {"killer": 3, "doctor": 1, "civilian": 2}, "already decided.*S0-68"),
    ],
)
def test_r_setup_tables_that_cannot_be(game: str, counts: dict[str, Any], wrong: str) -> None:
    with pytest.raises(RulesError, match=wrong):
        custom(make(game), counts)


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("classic", {"killer": 1, "civilian": 1}),
        ("classic", {"killer": 5, "police": 1, "civilian": 1}),
        ("butterfly", {"killer": 1, "police": 7, "civilian": 4}),
        ("butterfly", {"killer": 1, "doctor": 1, "civilian": 1}),
    ],
)
def test_r_setup_tables_that_can_be(game: str, counts: dict[str, int]) -> None:
    assert dict(custom(make(game), counts)) == counts


def test_r_setup_the_referee_refuses_a_decided_table() -> None:
    with pytest.raises(RulesError, match="R-SETUP"):
        Referee(make("butterfly"), Deal(roles("K1 K2 D C1")), Given(()))


def test_a0_07_every_card_is_dealt_and_the_seed_alone_decides() -> None:
    counts, _ = written(make("butterfly"), 18)
    one, again, other = deal(counts, 7), deal(counts, 7), deal(counts, 8)
    assert one == again != other
    assert {role: one.roles.count(role) for role in counts} == dict(counts)


def test_a_role_counted_as_none_is_not_dealt() -> None:
    assert dict(custom(make("classic"), {"killer": 1, "police": 0, "civilian": 2})) == {"killer": 1, "civilian": 2}
