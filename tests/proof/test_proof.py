"""A slice of the proof in less than two minutes; `make proof` runs all of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from proof import command, compare_rulings, full, perft, report, theory
from tianhei.arena.rules.presets import PRESETS


@pytest.mark.parametrize("title", ["classic", "butterfly"])
@pytest.mark.parametrize("part", range(3))
def test_random_games(title: str, part: int) -> None:
    """Wave by wave: requests, what is told to whom, outcome; wrong answers change nothing."""
    done = full.games(title, range(part * 50, part * 50 + 50))
    assert not done.differences, "\n".join(done.differences[:5])
    assert done.counts["games"] == 50


@pytest.mark.parametrize("name", list(compare_rulings.MAKERS))
def test_random_rulings(name: str) -> None:
    done = full.rulings(name, range(800))
    assert not done.differences, "\n".join(done.differences[:5])


def test_exhaustive_slices() -> None:
    """Each small check whole, of each large one about every 200th input."""
    total = full.run(full.tasks(full.Sizes(every=200, voters=6, parts=full.PARTS[:9])))
    differences = [found for figures in total.values() for found in figures.differences]
    assert not differences, "\n".join(differences[:5])


def test_invariants_of_many_games() -> None:
    done = full.many(range(2000))
    assert not done.differences, "\n".join(done.differences[:5])
    assert done.counts["games"] == 2000


def test_trees_are_counted_alike() -> None:
    for place, small in enumerate(perft.TABLES):
        done = full.tree(place, full=False)
        assert not done.differences, done.differences
        assert len(done.values) == small.slice


KNOWN = {
    theory.Table(2, 0, 7): Fraction(27, 32),
    theory.Table(2, 0, 8): Fraction(221, 315),
    theory.Table(3, 0, 9): Fraction(193, 231),
    theory.Table(4, 0, 12): Fraction(5651, 6435),
    theory.Table(2, 0, 8, "day"): Fraction(251, 320),
    theory.Table(2, 2, 5): Fraction(253, 288),
}
"""Chances that have been published."""


@pytest.mark.parametrize("table", KNOWN, ids=lambda table: f"{table.label} {table.first}")
def test_the_recursion_gives_published_chances(table: theory.Table) -> None:
    assert theory.killers_win(table) == KNOWN[table]


def test_the_chance_of_a_tie_is_that_of_all_ballots() -> None:
    """Four voters: 81 ballots, one by one."""
    from itertools import product

    ballots = list(product(*[[seat for seat in range(4) if seat != voter] for voter in range(4)]))
    counts = [sorted((ballot.count(seat) for seat in range(4)), reverse=True) for ballot in ballots]
    assert theory.tie_chance(4) == Fraction(sum(count[0] == count[1] for count in counts), len(ballots))


@pytest.mark.parametrize("place", range(len(theory.tables())), ids=lambda place: theory.tables()[place].label)
def test_uninformed_players_come_to_theory(place: int) -> None:
    done = full.chances(place, range(300))
    assert not done.differences
    away = theory.standard_errors(theory.tables()[place], done.counts["killers"], 300)
    assert abs(away) < theory.STANDARD_ERRORS


def test_every_report_is_answered() -> None:
    names, presets = report.named(), {name for name, _, _ in theory.floors()}
    for entry in report.reports():
        assert entry["held_by"] or entry["ruling"], entry["id"]
        assert set(entry["held_by"]) <= set(names), entry["id"]
    assert presets == set(PRESETS)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--scale", "0"], "'0': a whole number from 1 on is needed"),
        (["--games", "many"], "'many': a whole number from 0 on is needed"),
        (["--parts", "nights,dawns"], "there is no part 'dawns'; there are nights"),
        (["--voters", "9"], "invalid choice"),
        (["--page", "nowhere/at/all.md"], "there is no folder nowhere/at"),
    ],
)
def test_bad_input_is_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(words)
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


def test_the_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "proof.md"
    parts = "victory,games,million,theory,floors,perft,rulings"
    assert command.main(["--scale", "5000", "--parts", parts, "--processes", "1", "--page", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for title in ("**0 differences**", "## Against theory", "27/32 = 0.8438", "## Floors", "## The tree, counted"):
        assert title in text
    assert "0 differences" in capsys.readouterr().out
