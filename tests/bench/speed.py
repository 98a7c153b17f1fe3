"""How fast the referee and its transcript are, as ratios against a floor in the same run: ``python -m bench.speed``.

Both take short turns one after another, and medians count, so that a busy machine slows neither more than the other.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.floor import SPEECH, Floor
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.view import View
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec
from tianhei.transcripts.replay import rebuild


class Instant:
    """Answers at once: a set speech, a target by luck."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        if request.kind in ("speech", "last_words"):
            return Reply(Answer(text=SPEECH))
        return Reply(Answer(target=view.luck.pick(request.id, request.options)))


class Turn(NamedTuple):
    """What one turn cost: CPU in µs and bytes per decision."""

    cpu: float
    size: float


def ours(players: int, games: int, folder: Path) -> Turn:
    """Classic games with a quarter killers and a quarter police through the one host path."""
    rules, _ = read_rules("classic-arena")
    team = max(1, round(players / 4))
    counts = {Role.POLICE: team, Role.KILLER: team, Role.CIVILIAN: players - 2 * team}
    sitters = dict.fromkeys(range(1, players + 1), Sitter(Instant()))
    loop = asyncio.new_event_loop()
    decisions = size = 0
    for old in folder.iterdir():
        old.unlink()
    began = time.process_time()
    for seed in range(games):
        path = folder / f"{players}-{seed}.jsonl"
        header = Header(rules, counts, seed, "en", (SeatSpec("instant"),) * players)
        host = Host(path, header, sitters, clock=FixedClock())
        loop.run_until_complete(host.play())
        decisions += sum(len(wave.requests) for wave in host.referee.waves)
        size += path.stat().st_size
    cpu = time.process_time() - began
    loop.close()
    return Turn(cpu / decisions * 1e6, size / decisions)


def floor(players: int, games: int) -> float:
    """CPU in µs per decision of the floor."""
    began = time.process_time()
    decisions = sum(Floor(players, seed).play() for seed in range(games))
    return (time.process_time() - began) / decisions * 1e6


def replays(players: int, games: int, folder: Path) -> float:
    """How many times the parsing of its JSON the rebuilding of a finished game takes."""
    paths = [folder / f"{players}-{seed}.jsonl" for seed in range(games)]
    began = time.process_time()
    for path in paths:
        for line in path.read_bytes().splitlines():
            json.loads(line)
    parsing = time.process_time() - began
    began = time.process_time()
    for path in paths:
        rebuild(load(path))
    return (time.process_time() - began) / parsing


def measure(turns: int, games: int) -> dict[str, float]:
    """All ratios, each from the medians of several turns."""
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        folder = Path(name)
        played = [(ours(12, games, folder), floor(12, games)) for _ in range(turns)]
        again = median(replays(12, games, folder) for _ in range(turns))
        small = median(ours(6, games * 4, folder).cpu for _ in range(turns))
        large = median(ours(48, max(1, games // 10), folder).cpu for _ in range(turns))
    cpu, ground = median(turn.cpu for turn, _ in played), median(each for _, each in played)
    return {
        "us_per_decision": cpu,
        "floor_us_per_decision": ground,
        "ratio_to_floor": median(turn.cpu / each for turn, each in played),
        "bytes_per_decision": played[0][0].size,
        "growth_exponent_6_to_48": math.log(large / small) / math.log(8),
        "rebuild_to_json": again,
    }


def _memory() -> str | None:
    """A folder in memory, where there is one: the disk is not what is measured."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--games", type=int, default=12)
    chosen = parser.parse_args()
    for name, value in measure(chosen.turns, chosen.games).items():
        print(f"{name:26} {value:8.2f}")


if __name__ == "__main__":
    main()
