"""Reports over several runs: alike ones are pooled, of unlike ones it says what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tianhei.arena.cli import main
from tianhei.arena.tournament.folder import open_run
from tianhei.arena.tournament.report import FILES
from tianhei.arena.tournament.run import Progress, run

PLAN = """
name = "part {seed}"
seed = {seed}
boards = 5
anchors = []
lines = []

[[tables]]
rules = "classic-arena"
players = 6
{more}

[players]
a = "scripted"
b = "{other}"
"""


def play(folder: Path, seed: int, other: str = "random", more: str = "") -> Path:
    file = folder.with_suffix(".toml")
    file.write_text(PLAN.format(seed=seed, other=other, more=more))
    run(folder, open_run(folder, file), Progress(), 1)
    return folder


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("parts")
    return play(folder / "one", 1), play(folder / "two", 2)


def report(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["bench", "report", *map(str, arguments)])


def test_alike_runs_on_other_boards_are_pooled(parts: tuple[Path, Path], tmp_path: Path) -> None:
    assert report(*parts, "--out", tmp_path / "both").exit_code == 0
    both, (one, two) = json.loads((tmp_path / "both" / "report.json").read_text()), parts
    alone = []
    for part in parts:
        assert report(part, "-o", tmp_path / part.name).exit_code == 0
        alone.append(json.loads((tmp_path / part.name / "report.json").read_text()))
    assert {data["season"] for data in (*alone, both)} == {both["season"]}
    for name in ("planned", "finished", "boards"):
        assert both[name] == alone[0][name] + alone[1][name]
    wins = [data["sides"]["a"]["killers"] for data in (*alone, both)]
    assert wins[2]["games"] == wins[0]["games"] + wins[1]["games"] == 10
    assert wins[2]["value"] == pytest.approx((wins[0]["value"] + wins[1]["value"]) / 2)
    assert both["hash"] == " + ".join(data["hash"] for data in alone)
    assert not {path.name for path in (*one.iterdir(), *two.iterdir())} & set(FILES), "runs are left alone"


def test_the_order_of_runs_changes_no_figure(parts: tuple[Path, Path], tmp_path: Path) -> None:
    for name, order in (("one", parts), ("other", parts[::-1])):
        assert report(*order, "--out", tmp_path / name).exit_code == 0
    one, other = (json.loads((tmp_path / name / "report.json").read_text()) for name in ("one", "other"))
    named = {"name", "hash", "design"}
    assert {key: one[key] for key in one if key not in named} == {key: other[key] for key in other if key not in named}


@pytest.mark.parametrize(
    ("other", "more", "why"),
    [
        ("uniform", "", "b (language en, wording 1): random tianhei"),
        ("random", "set = { council_rounds = 1 }", "is in the first alone"),
    ],
)
def test_unlike_runs_are_refused_and_the_message_says_what_differs(
    parts: tuple[Path, Path], tmp_path: Path, other: str, more: str, why: str
) -> None:
    found = report(parts[0], play(tmp_path / "unlike", 3, other, more), "--out", tmp_path / "both")
    assert found.exit_code == 1 and "are of two seasons" in found.output and why in found.output, found.output
    assert "report each alone" in found.output and not (tmp_path / "both").exists()


def test_boards_are_not_counted_twice(parts: tuple[Path, Path], tmp_path: Path) -> None:
    found = report(parts[0], play(tmp_path / "again", 1), "--out", tmp_path / "both")
    assert found.exit_code == 1 and "have boards in common (as board 0 at" in found.output
    assert "another seed" in found.output
    assert "have boards in common" not in report(parts[0], "-o", tmp_path / "alone").output


def test_several_runs_need_a_place_for_their_report(parts: tuple[Path, Path], tmp_path: Path) -> None:
    assert "several runs need --out" in report(*parts).output
    assert "--study takes one DIR" in report(*parts, "-o", tmp_path, "--study").output


def test_a_report_ends_with_who_leads(parts: tuple[Path, Path], tmp_path: Path) -> None:
    last = report(parts[0], "-o", tmp_path / "alone").output.splitlines()[-1]
    data = json.loads((tmp_path / "alone" / "report.json").read_text())["ratings"]
    (first, *alike), *_ = data["tiers"]
    best = data["players"][first]["overall"]
    shown = f"{first} leads with {best['value']:+.0f} [{best['low']:+.0f}, {best['high']:+.0f}] Elo points (95 %)"
    assert last.startswith(shown) and last.endswith(f"report: {tmp_path / 'alone' / 'report.en.html'}")
    assert ("cannot be told from" in last) == bool(alike)
