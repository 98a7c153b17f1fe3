"""Reports over several runs: alike ones are pooled, of unlike ones it says what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copyfile, copytree

import pytest
from click.testing import CliRunner, Result

from tianhei.arena.cli import main
from tianhei.arena.costs import Costs
from tianhei.arena.tournament.figures import figures
from tianhei.arena.tournament.folder import open_run
from tianhei.arena.tournament.plan import Plan, PlanError
from tianhei.arena.tournament.report import FILES, words_of
from tianhei.arena.tournament.results import Row, rows
from tianhei.arena.tournament.run import Progress, run
from tianhei.arena.tournament.season import pooled
from tianhei.arena.tournament.sections import sections

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


def test_what_two_snapshots_of_a_model_played_is_not_pooled(parts: tuple[Path, Path]) -> None:
    runs = [(part, plan, list(rows(part, plan))) for part in parts for plan in [open_run(part, None)]]

    def answered(by: Mapping[str, int], of: int) -> tuple[Path, Plan, list[Row]]:
        folder, plan, found = runs[of]
        costs = {"m @ u": Costs(calls=sum(by.values()), served=Counter(by))}
        return folder, plan, [replace(one, costs=costs) for one in found]

    one, same, other, both = ({"m-1": 3}, {"m-1": 9}, {"m-2": 3}, {"m": 2, "m-1": 1})
    for alike in (same, {}):
        assert len(pooled([answered(one, 0), answered(alike, 1)])[1]) == len(runs[0][2]) + len(runs[1][2])
    for unlike, listed in ((other, "m-2"), (both, "m and m-1")):
        with pytest.raises(PlanError, match=f"answered by m-1 in .*, and by {listed} there; .* report each alone"):
            pooled([answered(one, 0), answered(unlike, 1)])


@pytest.mark.parametrize(
    ("served", "moved", "shown"),
    [
        ({}, False, {}),
        ({"m": 4}, False, {}),
        ({"m-1": 4}, False, {"m-1": 4, "not told": 2}),
        ({"m": 1, "m-1": 5}, True, {"m": 1, "m-1": 5}),
        ({"m-1": 2, "m-2": 3}, True, {"m-1": 2, "m-2": 3, "not told": 1}),
    ],
)
def test_a_report_shows_who_answered_where_others_did(
    parts: tuple[Path, Path], served: Mapping[str, int], moved: bool, shown: Mapping[str, int]
) -> None:
    plan = open_run(parts[0], None)
    found = list(rows(parts[0], plan))
    costs = {"m @ u": Costs(calls=6, served=Counter(served))}
    made = figures(plan, len(found), [replace(found[0], costs=costs), *found[1:]])
    assert ("moved" in made.limits) == moved
    said = words_of("en")
    listed = [part.rows for part in sections(made, said, "en", "") if part.title == said["served"]]
    assert listed == ([[["m @ u", by, str(calls)] for by, calls in shown.items()]] if shown else [])


def test_seats_among_other_pools_are_not_pooled(tmp_path: Path) -> None:
    runs = []
    for seed, pool in ((1, "scripted"), (2, "solver")):
        fields = f'anchors = ["scripted", "solver"]\ntracks = ["focal"]\npool = ["{pool}"]'
        folder, file = tmp_path / pool, tmp_path / f"{pool}.toml"
        file.write_text(PLAN.format(seed=seed, other="random", more="").replace("anchors = []", fields))
        run(folder, open_run(folder, file), Progress(), 1)
        runs.append(folder)
    found = report(*runs, "--out", tmp_path / "both")
    assert found.exit_code == 1 and "have other pools (scripted; solver)" in found.output, found.output


def test_transcripts_of_no_game_of_the_plan_are_left_out_in_the_open(parts: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    copytree(parts[0], folder)
    others = list(parts[1].glob("games/*.jsonl"))
    for number, path in enumerate(others):
        copyfile(path, folder / "games" / f"stray-{number}.jsonl")
    found = report(folder, "-o", tmp_path / "out")
    assert f"{len(others)} transcripts in {folder / 'games'} are no games of its plan" in found.output
    said = words_of("en")["limit_strays"]
    assert said in (tmp_path / "out" / "report.en.md").read_text()
    assert report(parts[0], "-o", tmp_path / "clean").exit_code == 0
    assert said not in (tmp_path / "clean" / "report.en.md").read_text()


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
