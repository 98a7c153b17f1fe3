"""Nights of games written by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pytest import approx

from metrics.hand import Hand, value
from tianhei.arena.roles import Role
from tianhei.transcripts.metrics.value import frozen, living_of

ALL = tuple(range(1, 14))
THIRTEEN = "KKKCCCCCBSDPE"


def test_worth_of_a_kill() -> None:
    """Killer 1, officer 2, civilians 3, 4. Before the vote: the officer's death wins: 1; a civilian's: D(1,1,1) = 2/3.

    The killer's own death would lose: 0. All four are legal: mean (0 + 1 + 2/3 + 2/3) / 4 = 7/12. Kills 2: + 5/12.
    """
    game = Hand("KPCC")
    game.dies(2, 1)
    game.acts(1, "kill", 2, [1, 2, 3, 4])
    assert value("P4", game.tables) == approx((5 / 12, 1, 0))


def test_a_team_shares_its_action() -> None:
    """Two killers: each has half of the action, one action in all."""
    game = Hand("KKPPCCCCCC")
    game.dies(3, 1)
    game.acts(1, "kill", 3, [3, 5])
    table = frozen("bench-10")
    police, civilian = (
        table.day(living_of({Role.KILLER: 2, Role.POLICE: p, Role.CIVILIAN: c})) for p, c in ((1, 6), (2, 5))
    )
    found = value("P4", game.tables)
    assert found == approx((police - (police + civilian) / 2, 1, 0))
    assert value("P4", game.tables, [1])[:2] == approx((found[0], 0.5))


def test_checks_and_passes_have_no_worth() -> None:
    game = Hand("KKPPCCCCCC")
    game.acts(1, "check", 1, [1, 2])
    game.acts(1, "kill", None, [3, 5])
    assert value("P4", game.tables)[1] == 0


def position(*gone: int) -> float:
    roles = {1: Role.KILLER, 2: Role.KILLER, 3: Role.KILLER, 9: Role.BUTTERFLY, 10: Role.SNIPER, 11: Role.DOCTOR,
             12: Role.POLICE, 13: Role.ELDER}  # fmt: skip
    living = [roles.get(seat, Role.CIVILIAN) for seat in ALL if seat not in gone]
    return frozen("bench-13b").day(living_of({role: living.count(role) for role in Role}))


def acted(game: Hand, night: int, choices: Sequence[tuple[str, int | None, int]]) -> None:
    for action, seat, target in choices:
        game.acts(night, action, target, [other for other in ALL if other != seat and game.left.get(other) is None],
                  seat=seat)  # fmt: skip


def test_worth_of_a_save() -> None:
    """The killers hit 4, the doctor needles 4: saved, all 13 live. Any other needle leaves 4 dead. 12 legal targets.

    The doctor's choice is worth, to the killers, V(all) - (V(all) + 11 V(without 4)) / 12, and to him the opposite.
    """
    game = Hand(THIRTEEN, rules="bench-13b")
    acted(game, 1, [("kill", None, 4), ("needle", 11, 4)])
    everybody, dead = position(), position(4)
    assert value("P4", game.tables, [11]) == approx(((everybody + 11 * dead) / 12 - everybody, 1, 0))


def test_worth_of_a_shot_beside_a_kill() -> None:
    """The killers hit 4, the sniper shoots killer 1. Twelve legal shots: on 4 one death, on anybody else two."""
    game = Hand(THIRTEEN, rules="bench-13b")
    acted(game, 1, [("kill", None, 4), ("shoot", 10, 1)])
    mean = sum(position(*{4, seat}) for seat in ALL if seat != 10) / 12
    assert value("P4", game.tables, [10]) == approx((mean - position(1, 4), 1, 0))


def test_needles_are_remembered() -> None:
    """An empty needle on 5 in the first night; a second kills him, which no needle on another would have done."""
    game = Hand(THIRTEEN, rules="bench-13b")
    acted(game, 1, [("needle", 11, 5)])
    acted(game, 2, [("needle", 11, 5)])
    everybody, dead = position(), position(5)
    second = (11 * everybody + dead) / 12 - dead
    assert value("P4", game.tables, [11]) == approx((second / 2, 2, 0)), "the first needle changed nothing"


def test_targeting_before_and_after_a_claim() -> None:
    """Night 1: officer 3, of 2 and 6 others: 1 - 2/8. Night 2: civilian 5, 0 - 1/7. Night 3, a claim: 1 - 1/6."""
    game = Hand("KKPPCCCCCC")
    game.acts(1, "kill", 3, [3, 5])
    game.dies(3, 1)
    game.acts(2, "kill", 5, [3, 5])
    game.dies(5, 2)
    game.acts(3, "kill", 4, [3, 5], claimed=1)
    game.dies(4, 3)
    assert value("P5", game.tables) == approx((((1 - 2 / 8) + (0 - 1 / 7)) / 2, 2, 0))
    assert value("P5c", game.tables) == approx((1 - 1 / 6, 1, 0))


def test_no_targeting_without_police_or_of_ones_own() -> None:
    game = Hand("KKPCCCCC")
    game.dies(3, 1)
    game.acts(1, "kill", 1, [1, 3])
    game.acts(2, "kill", 5, [5])
    game.acts(1, "kill", 3, [3], claimed=None)
    assert value("P5", game.tables)[1] == 0
    assert value("P5c", game.tables)[1] == 0
