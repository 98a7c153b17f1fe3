"""A slice of `python -m bench.tournament`: what does not depend on how busy the machine is."""

from __future__ import annotations

from pathlib import Path

from bench.tournament import at_once, bare, emptied, made, seconds
from tianhei.arena.tournament.run import Progress, run


def test_a_run_costs_little_more_than_its_games(tmp_path: Path) -> None:
    """At most 1.3 times the bare host's CPU, by the best of turns; a first turn warms both up."""
    plan = made(tmp_path, 12)
    alone: list[float] = []
    within: list[float] = []
    for _ in range(6):
        emptied(tmp_path)
        alone.append(seconds(lambda: bare(tmp_path, plan)))
        emptied(tmp_path)
        within.append(seconds(lambda: run(tmp_path, plan, Progress(), 1)))
    assert min(within[1:]) < 1.3 * min(alone[1:])


def test_games_of_one_process_are_alive_at_once(tmp_path: Path) -> None:
    most, _ = at_once(tmp_path, 100)
    assert most == 100
