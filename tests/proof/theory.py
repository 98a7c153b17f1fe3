"""Known chances of winning, as exact fractions, and games of the uninformed player that must come to them.

The uninformed player turns a game into a draw of lots. With k killers and m others alive a night takes one of the
others, each alike; a day takes one of all, each alike, because everybody votes for one of the living others and the
vote treats all seats alike. Where a tie is resolved by lot somebody always goes; with `tie = nobody` nobody goes with
the chance of a tie, which is counted exactly. Killers win by parity, by the last civilian, or by the last police
officer where police were dealt. Officers are counted apart because killers win when one kind of good player is gone;
what they learn at night changes nothing for players who do not listen.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import factorial, sqrt
from typing import NamedTuple

from proof.drive import play_out, run_out
from tianhei.agents.uniform import UniformPlayer
from tianhei.agents.uninformed import UninformedPlayer
from tianhei.arena.player import Player
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import Rules
from tianhei.arena.rules.presets import PRESETS, USUAL_PLAYERS, preset, read_rules
from tianhei.arena.rules.setups import written

Terms = dict[tuple[int, int], Fraction]
STANDARD_ERRORS = 4
THROUGH_REFEREE = 50
"""Of every task the first games are also played through the referee, with speeches, and must end alike."""


class Table(NamedTuple):
    """One table of the theory."""

    killers: int
    police: int
    civilians: int
    first: str = "night"
    tie: str = "lot"

    @property
    def players(self) -> int:
        return self.killers + self.police + self.civilians

    @property
    def label(self) -> str:
        return f"{self.players} ({self.killers}, {self.police}, {self.civilians})"


@cache
def tie_chance(voters: int) -> Fraction:
    """The chance that several have the most votes when each votes for one of the others, all alike.

    One has the most if it got m votes and every other fewer. Ballots with given totals d_1 .. d_n in which nobody has
    voted for himself number the sum, over the sets S of those who did, of (-1)^|S| (n - |S|)! / prod (d_i - [i in S])!;
    so each candidate brings a sum of terms x^votes y^[in S], and the coefficients of the product are what is wanted.
    """
    decided = Fraction(0)
    for most in range(1, voters):
        product = _terms(range(most, most + 1))
        for _ in range(voters - 1):
            product = _times(product, _terms(range(most)), voters)
        for (votes, own), value in product.items():
            if votes == voters:
                decided += value * factorial(voters - own)
    return 1 - voters * decided / Fraction(voters - 1) ** voters


def _terms(totals: range) -> Terms:
    """One candidate with any of these totals: without his own vote, or with it (and then taken off with its sign)."""
    found: Terms = {(votes, 0): Fraction(1, factorial(votes)) for votes in totals}
    found |= {(votes, 1): Fraction(-1, factorial(votes - 1)) for votes in totals if votes}
    return found


def _times(left: Terms, right: Terms, most: int) -> Terms:
    found: Terms = {}
    for (a, b), value in left.items():
        for (c, d), other in right.items():
            if a + c <= most:
                found[a + c, b + d] = found.get((a + c, b + d), Fraction(0)) + value * other
    return found


def killers_win(table: Table) -> Fraction:
    """The killers' chance, exactly."""
    by_tie = table.tie == "nobody"
    dealt = table.police > 0

    @cache
    def night(k: int, p: int, c: int) -> Fraction:
        if (over := decided(k, p, c)) is not None:
            return over
        police = Fraction(p, p + c) * day(k, p - 1, c) if p else Fraction(0)
        return police + Fraction(c, p + c) * day(k, p, c - 1)

    @cache
    def day(k: int, p: int, c: int) -> Fraction:
        if (over := decided(k, p, c)) is not None:
            return over
        n = k + p + c
        police = Fraction(p, n) * night(k, p - 1, c) if p else Fraction(0)
        out = Fraction(k, n) * night(k - 1, p, c) + police + Fraction(c, n) * night(k, p, c - 1)
        return tie_chance(n) * night(k, p, c) + (1 - tie_chance(n)) * out if by_tie else out

    def decided(k: int, p: int, c: int) -> Fraction | None:
        if k == 0:
            return Fraction(0)
        return Fraction(1) if c == 0 or k >= p + c or (dealt and p == 0) else None

    return (night if table.first == "night" else day)(table.killers, table.police, table.civilians)


def tables() -> list[Table]:
    """Every table that is compared: without police in all variants, with police in those of the night."""
    plain = [
        Table(k, 0, n - k, first, tie)
        for n, k in ((9, 2), (10, 2), (12, 3), (16, 4)) for first in ("night", "day") for tie in ("lot", "nobody")
    ]  # fmt: skip
    return plain + [Table(k, p, c) for k, p, c in ((2, 2, 5), (3, 3, 6), (4, 4, 8))]


def rules_of(table: Table) -> Rules:
    """The preset `classic-theory` with this table's variant."""
    found, _ = read_rules({"preset": "classic-theory", "first_phase": table.first, "tie": table.tie})
    return found


def counts_of(table: Table) -> dict[Role, int]:
    found = {Role.KILLER: table.killers, Role.POLICE: table.police, Role.CIVILIAN: table.civilians}
    return {role: number for role, number in found.items() if number}


def winners(table: Table, seeds: range) -> tuple[Counter[str], list[str]]:
    """Who wins the games of these seeds, and where script and referee do not agree."""
    rules, counts, player = rules_of(table), counts_of(table), UninformedPlayer()
    mute = rules.replace({"channel": "mute"})
    found: Counter[str] = Counter()
    faults: list[str] = []
    for place, seed in enumerate(seeds):
        outcome = run_out(mute, counts, player, f"theory {seed}")
        found[outcome.winner] += 1
        if place < THROUGH_REFEREE and play_out(rules, counts, player, f"theory {seed}") != outcome:
            faults.append(f"{table} seed {seed}: the referee ends otherwise than the script")
    return found, faults


def standard_errors(table: Table, wins: int, games: int) -> float:
    """How far the share of games won lies from the exact chance."""
    chance = float(killers_win(table))
    return (wins / games - chance) / sqrt(chance * (1 - chance) / games)


PLAYERS: dict[str, Player] = {"uniform": UniformPlayer(), "uninformed": UninformedPlayer()}


def floors() -> list[tuple[str, int, str]]:
    """Preset, number of players, player."""
    return [
        (name, read_rules(name)[1] or USUAL_PLAYERS[preset(name).game], player)
        for name in PRESETS for player in PLAYERS
    ]  # fmt: skip


def floor(name: str, players: int, player: str, seeds: range) -> Counter[str]:
    """Who wins the games of these seeds under a preset, with the same player in every seat."""
    rules, _ = read_rules(name)
    counts, _ = written(rules, players)
    return Counter(run_out(rules, counts, PLAYERS[player], f"floor {seed}").winner for seed in seeds)
