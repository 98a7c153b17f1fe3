"""Reports over several runs: alike ones are pooled, of unlike ones it says what differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

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
from tianhei.arena.tournament.sections import markdown, sections

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

    one, same, other, mixed = ({"m-1": 3}, {"m-1": 9}, {"m-2": 3}, {"m-1": 1, "": 2})
    assert len(pooled([answered(one, 0), answered(same, 1)])[1]) == len(runs[0][2]) + len(runs[1][2])
    for unlike, listed in ((other, "m-2"), (mixed, "what was asked for and m-1")):
        with pytest.raises(PlanError, match=f"answered by m-1 in .*, and by {listed} there; .* report each alone"):
            pooled([answered(one, 0), answered(unlike, 1)])


def test_a_run_in_which_a_model_was_answered_by_two_says_so(parts: tuple[Path, Path]) -> None:
    plan = open_run(parts[0], None)
    found = list(rows(parts[0], plan))
    for served, warns in (({"": 4}, False), ({"m-1": 4}, False), ({"m-1": 4, "m-2": 4}, True), ({"": 1, "m": 2}, True)):
        costs = {"m @ u": Costs(calls=sum(served.values()), served=Counter(served))}
        made = figures(plan, len(found), [replace(found[0], costs=costs), *found[1:]])
        assert ("moved" in made.limits) == warns
        text = "\n".join(markdown(sections(made, words_of("en"), "en", "")))
        assert ("## Who answered" in text) == any(served), served
        assert all(f"| m @ u | {name or 'as asked for, or not told'} | {calls} |" in text or not any(served)
                   for name, calls in served.items())  # fmt: skip


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
