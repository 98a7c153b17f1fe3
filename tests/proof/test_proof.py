"""A slice of the proof in less than two minutes; `make proof` runs all of it."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from proof import command, compare_rulings, full, notes, perft, report, theory
from secrecy.tables import SETTINGS
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


def test_secrecy_in_slices() -> None:
    """Two deals of each of the smallest tables, and a few leaks; `tests/secrecy` has slices of all."""
    small = [place for place in range(len(SETTINGS)) if SETTINGS[place].players == 6]
    total = full.run(partial(full.secrecy, place, 500) for place in small)
    differences = [found for figures in total.values() for found in figures.differences]
    assert not differences, "\n".join(differences[:5])
    assert len(total) == len(small) and all(figures.counts["pairs"] for figures in total.values())
    (leaks,) = full.run(full.tasks(full.Sizes(deals=20, parts=("planted leaks",)))).values()
    assert leaks.counts["leaks"] == leaks.counts["found"] > 1


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
    parts = "victory,games,million,theory,floors,perft,rulings,planted leaks"
    assert command.main(["--scale", "5000", "--parts", parts, "--processes", "1", "--page", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for title in ("**0 differences**", "## Against theory", "27/32 = 0.8438", "## Floors", "## The tree, counted"):
        assert title in text
    assert "0 differences" in capsys.readouterr().out
    assert notes.is_whole(text)


def test_what_is_written_by_hand_has_its_own_place_and_stays_there(tmp_path: Path) -> None:
    page = tmp_path / "proof.md"
    assert notes.write(page, "# Measured\n\n7 differences\n") == ""
    text = page.read_text(encoding="utf-8")
    assert notes.is_whole(text) and notes.notes_of(text) == ""
    noted = text + "\nAll seven are of one kind.\n"
    assert notes.is_whole(noted), "below the seal anybody may write"
    page.write_text(noted, encoding="utf-8")
    assert notes.write(page, "# Measured\n\n0 differences\n") == ""
    again = page.read_text(encoding="utf-8")
    assert notes.is_whole(again) and again.endswith("All seven are of one kind.\n") and "0 differences" in again
    for broken in (
        again.replace("0 differences", "0 differences, all understood"),
        again.replace("\n\n## Notes", "\n\nA claim in between.\n\n## Notes"),
        again.replace("<!-- Measured", "<!-- measured"),
    ):
        assert not notes.is_whole(broken)
        page.write_text(broken, encoding="utf-8")
        assert "changed by hand" in notes.write(page, "# Measured\n")
        assert "claim" not in page.read_text(encoding="utf-8")
        assert "understood" not in page.read_text(encoding="utf-8")


def test_nothing_by_hand_stands_among_the_measured_of_the_page() -> None:
    assert notes.is_whole(command.PAGE.read_text(encoding="utf-8")), "run `make proof`, and write below the seal"
