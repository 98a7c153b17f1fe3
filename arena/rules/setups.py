"""Set-ups: which cards are dealt to how many players, as written, or custom by role counts (rules page §7)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tianhei.arena.roles import SINGLES, Counts, Role
from tianhei.arena.rules.options import Butterfly, Classic, Rules, RulesError
from tianhei.arena.rules.victory import first_check

CLASSIC_ROLES = (Role.POLICE, Role.KILLER, Role.CIVILIAN)
BUTTERFLY_ROLES = (
    Role.SNIPER, Role.DOCTOR, Role.BUTTERFLY, Role.ELDER, Role.POLICE, Role.KILLER, Role.CIVILIAN,
)  # fmt: skip

_CLASSIC_TEAMS = {range(6, 8): (0, 2), range(8, 11): (2, 2), range(11, 15): (3, 3), range(15, 18): (4, 4)}


class NoSetup(RulesError):
    """No set-up is written for that number of players."""


def roles_of(rules: Rules) -> tuple[Role, ...]:
    """The roles that the game knows."""
    return CLASSIC_ROLES if isinstance(rules, Classic) else BUTTERFLY_ROLES


def written(rules: Rules, players: int) -> tuple[Counts, Mapping[str, Counts]]:
    """The set-up written for ``players`` and the named alternatives to it; NoSetup where none is written."""
    counts = _classic(players) if isinstance(rules, Classic) else _butterfly(rules, players)
    if counts is None:
        raise NoSetup(_how_to(rules, players))
    if isinstance(rules, Classic) or players != 13:
        return counts, {}
    other = "dealt_3_5" if rules.setup13 == "recommended_4_4" else "recommended_4_4"
    return counts, {other: _thirteen(other)}


def sizes(rules: Rules, most: int = 18) -> tuple[int, ...]:
    """The numbers of players, to ``most``, for which a set-up is written."""
    found = _classic if isinstance(rules, Classic) else partial(_butterfly, rules)
    return tuple(players for players in range(1, most + 1) if found(players))


def _classic(players: int) -> Counts | None:
    for sizes, (police, killers) in _CLASSIC_TEAMS.items():
        if players in sizes:
            counts = {Role.POLICE: police, Role.KILLER: killers, Role.CIVILIAN: players - police - killers}
            return {role: count for role, count in counts.items() if count}
    return None


def _with_specials(killers: int, civilians: int, police: int = 1) -> Counts:
    singles = dict.fromkeys((Role.SNIPER, Role.DOCTOR, Role.BUTTERFLY, Role.ELDER), 1)
    return {**singles, Role.POLICE: police, Role.KILLER: killers, Role.CIVILIAN: civilians}


def _thirteen(choice: str) -> Counts:
    return _with_specials(4, 4) if choice == "recommended_4_4" else _with_specials(3, 5)


def _butterfly(rules: Butterfly, players: int) -> Counts | None:
    if players in (11, 12):  # A0-01: three killers with three to five civilians
        return _with_specials(3, players - 8)
    if players == 13:  # A0-02
        return _thirteen(rules.setup13)
    if players == 18:  # S0-6
        return _with_specials(5, 7, police=2)
    if players > 13 and players % 2:  # A0-03: players = 2 * killers + 7
        return _with_specials((players - 7) // 2, (players - 7) // 2 + 2)
    if players > 13 and rules.even_counts == "second_police":  # A0-05
        smaller = _butterfly(rules, players - 1)
        return smaller and {**smaller, Role.POLICE: 2}
    return None


def _how_to(rules: Rules, players: int) -> str:
    if isinstance(rules, Classic):
        sizes, example = "6 to 17", "police=2,killer=2,civilian=4"
    else:
        sizes = "11, 12, 13, 18 and every odd number from 15"
        example = "butterfly=1,sniper=1,doctor=1,elder=1,police=1,killer=3,civilian=4"
    return (
        f"no {rules.game} set-up is written for {players} players (written: {sizes}); make a custom one by naming "
        f"the roles, for example {example}"
    )


def custom(rules: Rules, counts: Mapping[str, Any]) -> Counts:
    """A custom table by role counts; RulesError says why it cannot be (R-SETUP)."""
    known = roles_of(rules)
    table: dict[Role, int] = {}
    for name, count in counts.items():
        if name not in known:
            raise RulesError(f"{name!r} is no role of the {rules.game} game; it has {', '.join(known)}")
        if type(count) is not int or count < 0:
            raise RulesError(f"{name} = {count!r} is not a number of players")
        if count:
            table[Role(name)] = count
    for role in SINGLES:
        if table.get(role, 0) > 1:
            raise RulesError(f"{role} = {table[role]}: a table has at most one {role} (R-SETUP)")
    if not table.get(Role.KILLER) or len(table) < 2:
        raise RulesError("a table needs at least one killer and one other player (R-SETUP)")
    if decided := first_check(rules, table):
        raise RulesError(
            f"this table is already decided when dealt: {decided.winner} by {decided.reason} (R-SETUP); "
            "change the role counts"
        )
    return {role: table[role] for role in known if role in table}
