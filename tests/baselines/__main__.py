"""The figures of docs/players.md: ``cd tests && python -m baselines [GAMES]``, an hour for 10,000 games."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from baselines import theory
from baselines.play import ByRole, alike, played
from baselines.test_floors import Careless
from tianhei.agents.roster import KINDS, TOLD
from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.options import Rules
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written

TABLES = ((2, 2, 5), (3, 3, 6), (4, 4, 8))
FEWER = 5
"""Games of whole benches are longer: so many times fewer are played."""


def won(rules: Rules, counts: Counts, player: ByRole, games: int, *, told: bool = False) -> Mapping[str, int]:
    """Who wins these games."""
    found: Counter[str] = Counter()
    for seed in range(games):
        outcome = played(rules, counts, player, f"baselines {seed}", told=told)[0].outcome
        assert outcome is not None
        found[outcome.winner] += 1
    return found


def floors(games: int) -> Iterator[str]:
    """Killers' wins under the rules of theory, beside what they must be."""
    careless = Careless()
    rows = (
        ("`uninformed-k`", alike("uninformed-k"), theory.uninformed_k),
        ("`reveal-police`, its killers voting by lot, mates included", lambda role: careless, theory.reveal),
        ("`reveal-police`", alike("reveal-police"), None),
        ("`oracle`", alike("oracle"), theory.oracle),
    )
    heads = [f"{sum(table)} = {table[0]}, {table[1]}, {table[2]}" for table in TABLES]
    yield f"| {games:,} games each | {' | '.join(heads)} |"
    yield "|---" * (len(TABLES) + 1) + "|"
    rules, _ = read_rules("classic-theory")
    for name, player, chance in rows:
        cells: list[str] = []
        for table in TABLES:
            counts: Counts = {Role.KILLER: table[0], Role.POLICE: table[1], Role.CIVILIAN: table[2]}
            share = won(rules, counts, player, games, told="oracle" in name)["killers"] / games
            cells.append(f"{share:.3f}" + (f" ({float(chance(*table)):.3f})" if chance else ""))
        yield f"| {name} | {' | '.join(cells)} |"


def benches(games: int) -> Iterator[str]:
    """Killers' wins, good wins and draws of every kind under the rules of the benches."""
    yield f"| {games:,} games each | bench-10 | bench-13b |"
    yield "|---|---|---|"
    for name in KINDS:
        cells: list[str] = []
        for preset in ("bench-10", "bench-13b"):
            rules, players = read_rules(preset)
            assert players is not None
            found = won(rules, written(rules, players)[0], alike(name), games, told=name in TOLD)
            killers, good, draws = (found[side] / games for side in ("killers", "good", "draw"))
            cells.append(f"{killers:.2f} ({good:.2f}, {draws:.2f})")
        yield f"| `{name}` | {' | '.join(cells)} |"


def main() -> None:
    """Print both tables."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for row in floors(games):
        print(row, flush=True)
    print()
    for row in benches(games // FEWER):
        print(row, flush=True)


if __name__ == "__main__":
    main()
