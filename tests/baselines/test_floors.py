"""The baselines come to the chances that theory gives them, under the rules of theory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest

from baselines import theory
from baselines.play import alike, made, played
from tianhei.agents.baselines.reveal_police import RevealPolice
from tianhei.arena.player import Player
from tianhei.arena.roles import Role
from tianhei.arena.rules.presets import read_rules

GAMES = 150
STANDARD_ERRORS = 4
PUBLISHED = {
    (2, 2, 5): (0.699, 0.048), (3, 3, 6): (0.697, 0.012), (4, 4, 8): (0.722, 0.002),
}  # fmt: skip
"""Killers' wins against police who reveal, and against a good side that knows them, from simulations by others."""


class Careless(RevealPolice):
    """The table of that simulation: where there is no report everybody's vote is a lot, mates included."""

    spares = False


def killers_win(table: tuple[int, int, int], player: Callable[[Role], Player], *, told: bool = False) -> float:
    rules, _ = read_rules("classic-theory")
    killers, police, civilians = table
    counts = {Role.KILLER: killers, Role.POLICE: police, Role.CIVILIAN: civilians}
    won: Counter[str] = Counter()
    for seed in range(GAMES):
        referee, _ = played(rules, counts, player, f"floor {seed}", told=told)
        assert referee.outcome is not None
        won[referee.outcome.winner] += 1
    return won["killers"] / GAMES


def near(share: float, chance: float) -> bool:
    return abs(share - chance) <= STANDARD_ERRORS * sqrt(chance * (1 - chance) / GAMES) + 0.5 / GAMES


@pytest.mark.parametrize("table", PUBLISHED, ids=str)
def test_theory_agrees_with_what_is_published(table: tuple[int, int, int]) -> None:
    reveal, oracle = PUBLISHED[table]
    assert abs(float(theory.reveal(*table)) - reveal) < 0.007
    assert abs(float(theory.oracle(*table)) - oracle) < 0.0005


def test_police_who_reveal() -> None:
    careless = Careless()
    assert near(killers_win((2, 2, 5), lambda role: careless), float(theory.reveal(2, 2, 5)))


def test_uninformed_with_teamwork() -> None:
    assert near(killers_win((2, 2, 5), alike("uninformed-k")), theory.uninformed_k(2, 2, 5))


def test_the_oracle_is_the_ceiling() -> None:
    """Whoever the killers are: of those who know them every day takes one."""
    lots, oracle = made("uninformed-k"), made("oracle")
    chance = float(theory.oracle(2, 2, 5))
    assert near(killers_win((2, 2, 5), alike("oracle"), told=True), chance)
    killers = killers_win((2, 2, 5), lambda role: lots if role is Role.KILLER else oracle, told=True)
    assert near(killers, chance)
    assert killers_win((2, 2, 5), alike("oracle")) > 0.8, "without the handicap it knows nothing"
