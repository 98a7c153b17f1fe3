"""A run's folder: ``plan.toml``, ``games/`` with a transcript each, and what is computed from them. Nothing else."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from tianhei.arena.tournament.boards import Game, games
from tianhei.arena.tournament.plan import Plan, PlanError, read_plan

PLAN = "plan.toml"
GAMES = "games"
_END = re.compile(rb'\{"n":\d+,"line":"end",.*,"crc":"[0-9a-f]{8}"\}')
TAIL = 400
"""Bytes at the end of a transcript in which its last line is looked for."""


def open_run(folder: Path, plan_file: Path | None) -> Plan:
    """The plan of a run's folder; a new folder gets a copy of the file. PlanError if the two do not agree."""
    kept = folder / PLAN
    if plan_file is None or (kept.exists() and kept.samefile(plan_file)):
        if not kept.exists():
            raise PlanError(f"{folder}: there is no run in this folder (it has no {PLAN})")
        return read_plan(kept)
    plan = read_plan(plan_file)
    if kept.exists():
        if read_plan(kept) != plan:
            raise PlanError(
                f"{folder}: it holds a run of another plan; name another folder with --out, or add players to it with "
                f"tianhei bench add {folder} NAME=PLAYER"
            )
        return plan
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(plan_file, kept)
    return plan


def planned(plan: Plan) -> list[Game]:
    """All games of a plan."""
    return list(games(plan, plan.count))


def strays(folder: Path, plan: Plan) -> int:
    """How many transcripts of a run are no games of its plan: of another version of it, or put there by hand."""
    expected = {path_of(folder, game) for game in planned(plan)}
    return sum(path not in expected for path in (folder / GAMES).glob("*.jsonl"))


def path_of(folder: Path, game: Game) -> Path:
    """Where a game's transcript is."""
    return folder / GAMES / f"{game.id}.jsonl"


def is_finished(path: Path) -> bool:
    """Whether a transcript has come to its end, by its last bytes."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            lines = file.read().rstrip(b"\n").split(b"\n")
    except FileNotFoundError:
        return False
    return bool(_END.fullmatch(lines[-1]))
