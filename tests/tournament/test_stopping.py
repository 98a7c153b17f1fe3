"""Ctrl-C stops a run at once, whoever plays, and the same command goes on with it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.models import endpoint
from tianhei.arena.tournament.folder import is_finished, path_of, planned
from tianhei.arena.tournament.plan import read_plan

PLAN = """
name = "stopped"
boards = 5
anchors = []
lines = {lines}

[[tables]]
rules = "classic-arena"
players = 6

[players]
a = "{player}"
b = "random"
"""
SECONDS = 2.0
"""That it takes to stop, beside what this machine takes to start and to come as far: half of that, when it is quiet."""
STARTS_WITHIN = 60.0


def command(*arguments: object) -> list[str]:
    return [str(Path(sys.executable).parent / "tianhei"), "bench", "run", *map(str, arguments)]


def interrupted(folder: Path, plan: Path, games: int) -> None:
    """Start a run in a process of its own, interrupt it once so many games have begun, and see that it is soon gone."""
    process = subprocess.Popen(command(plan, "--out", folder, "--quiet"), stderr=subprocess.PIPE, text=True)
    try:
        began = time.monotonic()
        while len(list(folder.glob("games/*.jsonl"))) < games:
            assert process.poll() is None, process.stderr and process.stderr.read()
            assert time.monotonic() - began < STARTS_WITHIN
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        _, said = process.communicate(timeout=60)
        stopped = time.monotonic()
    finally:
        process.kill()  # a run that waits for a model would outlive a test that failed
        process.communicate()
    assert process.returncode == 1
    assert f"stopped; go on with: tianhei bench run {folder}" in said
    assert "Traceback" not in said
    assert stopped - sent < SECONDS + (sent - began)


@pytest.mark.report("PE-09")
def test_scripted_games_in_processes_of_their_own(tmp_path: Path) -> None:
    file, folder = tmp_path / "plan.toml", tmp_path / "run"
    file.write_text(
        PLAN.format(player="scripted", lines='["solver", "oracle", "scripted", "random"]').replace("= 5", "= 60")
    )
    interrupted(folder, file, 20)
    plan = read_plan(file)
    games = planned(plan)
    before = {game.id for game in games if is_finished(path_of(folder, game))}
    assert len(before) < len(games), "it was still playing"
    done = subprocess.run(command(folder, "--json"), capture_output=True, text=True, timeout=300, check=True)
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["finished"], last["left"], last["void"]) == (len(games), 0, {})
    assert all(is_finished(path_of(folder, game)) for game in games)
    assert len(list((folder / "games").iterdir())) == len(games)


def test_games_that_wait_for_a_model(tmp_path: Path) -> None:
    with endpoint(latency=60) as (url, _):
        file, folder = tmp_path / "plan.toml", tmp_path / "run"
        file.write_text(PLAN.format(player=f"fake@{url}", lines="[]"))
        interrupted(folder, file, 5)
