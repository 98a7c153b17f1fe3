"""A slice of the comparison of engine and oracle; `python -m tests.proof` runs all of it."""

from __future__ import annotations

import pytest

from proof import compare_rulings, full


@pytest.mark.parametrize("title", ["classic", "butterfly"])
@pytest.mark.parametrize("part", range(3))
def test_random_games(title: str, part: int) -> None:
    """Wave by wave: requests, what is told to whom, outcome; wrong answers change nothing."""
    done = full.games(title, range(part * 50, part * 50 + 50))
    assert not done.differences, "\n".join(done.differences[:5])
    assert done.counts["games"] == 50


@pytest.mark.parametrize("command", list(compare_rulings.MAKERS))
def test_random_rulings(command: str) -> None:
    done = full.rulings(command, range(800))
    assert not done.differences, "\n".join(done.differences[:5])


def test_exhaustive_slices() -> None:
    """Each small check whole, of each large one every 211th input."""
    total = full.run(full.tasks(0, 0, 211, 6))
    differences = [found for figures in total.values() for found in figures.differences]
    assert not differences, "\n".join(differences[:5])
