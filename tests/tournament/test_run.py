"""A run: played once, gone on with, added to; the report is computed from the transcripts alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tianhei.arena.cli import main
from tianhei.arena.tournament.adding import add_player
from tianhei.arena.tournament.figures import figures
from tianhei.arena.tournament.folder import is_finished, open_run, path_of, planned
from tianhei.arena.tournament.plan import PlanError, read_plan
from tianhei.arena.tournament.report import write_report
from tianhei.arena.tournament.results import rows
from tianhei.arena.tournament.run import Progress, run

PLAN = """
name = "tiny run"
boards = 5
languages = ["en", "zh"]
anchors = ["uninformed"]
lines = []
tracks = ["duplicate", "mixed"]

[[tables]]
rules = "classic-arena"
players = 6

[players]
a = "scripted"
b = "random"
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    (folder / "plan").write_text(PLAN)
    plan = open_run(folder / "run", folder / "plan")
    progress = Progress()
    run(folder / "run", plan, progress, 1)
    assert (progress.done, progress.left, progress.void.total()) == (progress.total, 0, 0)
    write_report(folder / "run", plan)
    return folder / "run"


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["bench", *map(str, arguments)])


@pytest.mark.report("PE-09")
def test_a_finished_run_is_not_played_again(finished: Path) -> None:
    before = {path: path.read_bytes() for path in (finished / "games").iterdir()}
    found = command("run", finished)
    assert found.exit_code == 0 and "nothing to do: all 40 games" in found.output
    assert {path: path.read_bytes() for path in (finished / "games").iterdir()} == before


def test_a_run_that_was_stopped_plays_what_is_missing(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    (folder / "plan.toml").write_bytes((finished / "plan.toml").read_bytes())
    plan = read_plan(folder / "plan.toml")
    wanted = planned(plan)
    for number, game in enumerate(wanted):
        whole = path_of(finished, game).read_bytes()
        if number % 3 == 0:
            path_of(folder, game).write_bytes(whole)
        elif number % 3 == 1:
            path_of(folder, game).write_bytes(whole[: len(whole) // 2])
    progress = Progress()
    run(folder, plan, progress, 1)
    assert progress.finished_before == len(wanted[::3])
    assert all(is_finished(path_of(folder, game)) for game in wanted)
    assert figures(plan, len(wanted), rows(folder, plan)).to_json() == figures(
        plan, len(wanted), rows(finished, plan)
    ).to_json()  # fmt: skip


@pytest.mark.report("PE-10")
def test_processes_write_files_of_their_own(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "plan").write_text(PLAN)
    plan = open_run(tmp_path / "run", tmp_path / "plan")
    progress = Progress()
    run(tmp_path / "run", plan, progress, 2)
    assert progress.done == progress.total == len(list((tmp_path / "run" / "games").iterdir()))
    found = [list(rows(folder, plan)) for folder in (finished, tmp_path / "run")]
    assert [(one.game.id, one.winner) for one in found[0]] == [(one.game.id, one.winner) for one in found[1]]


def test_a_player_is_added_and_only_its_games_are_played(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    for path in (finished / "plan.toml", *(finished / "games").iterdir()):
        (folder / path.relative_to(finished)).write_bytes(path.read_bytes())
    plan = add_player(folder, "c", "uniform")
    old = {path.name for path in (folder / "games").iterdir()}
    progress = Progress()
    run(folder, plan, progress, 1)
    duplicate = [game for game in planned(plan) if game.track == "duplicate"]
    assert len(duplicate) == 5 * 2 * (3 + 3)
    assert progress.finished_before == 5 * 2 * 3, "the mixed tables are seated anew, the pairs are kept"
    assert old < {path.name for path in (folder / "games").iterdir()}
    with pytest.raises(PlanError, match="there is a player c already"):
        add_player(folder, "c", "random")
    with pytest.raises(PlanError, match=r"players\.d: no player"):
        add_player(folder, "d", "wizard")


def test_nobody_is_added_where_the_anchors_play_otherwise_than_they_did(finished: Path, tmp_path: Path) -> None:
    """A finished game is put in another one's place, as if the players had changed since."""
    folder = tmp_path / "run"
    (folder / "games").mkdir(parents=True)
    for path in (finished / "plan.toml", *(finished / "games").iterdir()):
        (folder / path.relative_to(finished)).write_bytes(path.read_bytes())
    games = [game for game in planned(read_plan(folder / "plan.toml")) if game.board.number == 0]
    last, other = games[-1], games[0]
    path_of(folder, last).write_bytes(path_of(folder, other).read_bytes())
    before = (folder / "plan.toml").read_bytes()
    with pytest.raises(PlanError, match="is another game when it is played again"):
        add_player(folder, "c", "uniform")
    assert (folder / "plan.toml").read_bytes() == before


def test_names_and_order_of_players_change_no_game(finished: Path, tmp_path: Path) -> None:
    """The same players under other names, listed the other way round: every game of a board ends as it did."""
    other = PLAN.replace('a = "scripted"\nb = "random"', 'able = "random"\n"王五" = "scripted"')
    (tmp_path / "plan").write_text(other.replace('["duplicate", "mixed"]', '["duplicate"]'))
    plan = open_run(tmp_path / "run", tmp_path / "plan")
    run(tmp_path / "run", plan, Progress(), 1)
    names = {"王五": "a", "able": "b", "uninformed": "uninformed"}
    ends = {(one.cluster, tuple(names[name] for name in one.game.seats)): one.winner
            for one in rows(tmp_path / "run", plan)}  # fmt: skip
    old = rows(finished, read_plan(finished / "plan.toml"))
    before = {(one.cluster, one.game.seats): one.winner for one in old if one.game.track == "duplicate"}
    assert ends == before and len(ends) == 30


def test_a_folder_keeps_to_its_plan(finished: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(PLAN.replace("boards = 5", "boards = 6"))
    with pytest.raises(PlanError, match="it holds a run of another plan"):
        open_run(finished, other)
    with pytest.raises(PlanError, match="there is no run in this folder"):
        open_run(tmp_path, None)


def test_the_report_is_rebuilt_byte_for_byte(finished: Path) -> None:
    assert command("report", finished).exit_code == 0
    before = {path: path.read_bytes() for path in finished.iterdir() if path.is_file()}
    assert len(before) == 7
    for path in before:
        if path.name != "plan.toml":
            path.unlink()
    assert command("report", finished).exit_code == 0
    assert {path: path.read_bytes() for path in finished.iterdir() if path.is_file()} == before


@pytest.mark.report("ST-09", "ST-01")
def test_the_figures_add_up(finished: Path) -> None:
    plan = read_plan(finished / "plan.toml")
    found = figures(plan, len(planned(plan)), rows(finished, plan))
    assert found.finished == found.planned == 40
    assert sum(sum(of.values()) for of in found.outcomes.values()) == 40
    assert sum(rate.games for rate in found.matrix["a"].values()) == 10
    one, other = found.matrix["a"]["b"], found.matrix["b"]["a"]
    assert one.wins + other.wins == one.games == other.games
    assert sum(sum(of.values()) for of in found.balance.values()) == 40 * 6
    assert "no_ranking" in found.limits and "no_models" in found.limits
    data = json.loads((finished / "report.json").read_text())
    assert data["finished"] == 40 and data["ratings"]["players"].keys() == {"a", "b"}


def test_the_page_needs_no_network_and_speaks_both_languages(finished: Path) -> None:
    for lang, words in (("en", "What this cannot tell"), ("zh", "本报告说明不了什么")):
        page = (finished / f"report.{lang}.html").read_text()
        assert words in page and f'<html lang="{lang}">' in page
        for outside in ("<script", "src=", "@import", "url(http", "<link"):
            assert outside not in page


def test_a_cluster_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    for address, why in (("127.0.0.1:1", "the cluster cannot be reached"), ("there", "it takes HOST:PORT")):
        found = command("run", tmp_path / "plan.toml", "--out", tmp_path / "run", "--ray", address)
        assert found.exit_code == 1 and why in found.output, found.output
        assert not list((tmp_path / "run" / "games").iterdir())


def test_bad_input_is_one_line(tmp_path: Path) -> None:
    small = tmp_path / "small.toml"
    small.write_text(PLAN.replace("boards = 5", "boards = 4"))
    for name in ("plan", "run"):
        found = command(name, small)
        assert found.exit_code == 1 and "4 boards; set boards = 5 at least" in found.output
    assert "No such file" in command("plan", tmp_path / "none.toml").output
    assert "it takes NAME=PLAYER" in command("add", tmp_path, "x").output
    assert "there is no run in this folder" in command("report", tmp_path).output


def test_a_player_is_added_beside_players_with_tables_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text(
        PLAN.partition("[players]")[0] + '[players.a]\nplayer = "scripted"\n\n[players.b]\nplayer = "random"\n'
    )
    open_run(tmp_path / "run", tmp_path / "plan")
    assert list(add_player(tmp_path / "run", "c", "uniform").players) == ["a", "b", "c"]


def test_a_player_that_is_added_takes_no_board_away(tmp_path: Path) -> None:
    """With a width asked for, more players need fewer boards each; those that are played stay."""
    (tmp_path / "plan").write_text(PLAN.replace("boards = 5", "width = 150"))
    before = open_run(tmp_path / "run", tmp_path / "plan")
    after = add_player(tmp_path / "run", "c", "uniform")
    assert after.count == before.count
    assert {game.board.seed for game in planned(before)} <= {game.board.seed for game in planned(after)}
