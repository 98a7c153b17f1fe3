"""Victory: who has won, from the counts of the living (rules page §6). The first matching row decides."""

from __future__ import annotations

from dataclasses import dataclass

from tianhei.arena.events import Winner
from tianhei.arena.roles import SPECIALS, Counts, Role
from tianhei.arena.rules.options import Butterfly, Classic, Rules


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, or a draw, and the rule that says so."""

    winner: Winner
    reason: str


DAY_CAP = Outcome("draw", "R-CAP")
FINAL_TIE = Outcome("draw", "S1-79")


def victory(rules: Rules, alive: Counts, dealt: Counts) -> Outcome | None:
    """The outcome once these are alive, or None while the game goes on."""
    if isinstance(rules, Classic):
        return _classic(rules, alive, dealt)
    return _butterfly(rules, alive)


def first_check(rules: Rules, dealt: Counts) -> Outcome | None:
    """The outcome of a table as dealt; a table that has one cannot be played."""
    return victory(rules, dealt, dealt)


def _classic(rules: Classic, alive: Counts, dealt: Counts) -> Outcome | None:
    killers, police, civilians = (alive.get(role, 0) for role in (Role.KILLER, Role.POLICE, Role.CIVILIAN))
    if killers == 0:
        return Outcome("good", "S1-75")
    if police == 0 and civilians == 0:
        return Outcome("killers", "S1-76")
    if rules.victory == "any_identity":
        if civilians == 0:
            return Outcome("killers", "S1-73")
        if police == 0 and dealt.get(Role.POLICE, 0) > 0:  # A1-37: an identity never dealt ends nothing
            return Outcome("killers", "S1-73")
    if rules.parity and killers >= police + civilians:
        return Outcome("killers", "A1-38")
    return None


def _butterfly(rules: Butterfly, alive: Counts) -> Outcome | None:
    killers = alive.get(Role.KILLER, 0)
    helpers = alive.get(Role.ELDER, 0) if rules.elder_side == "killers" else 0  # R-ELDER
    specials = sum(alive.get(role, 0) for role in SPECIALS) - helpers
    civilians = alive.get(Role.CIVILIAN, 0)
    if killers == 0 and specials == 0:
        return Outcome("draw", "S0-70")
    if killers == 0:
        return Outcome("good", "S0-69")
    if specials == 0:
        return Outcome("killers", "S0-67")
    if killers + helpers >= specials + civilians:
        return Outcome("killers", "S0-68")
    return None
