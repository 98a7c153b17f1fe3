"""A run on a real cluster of this machine, a worker and then a whole node killed: ``python -m tournament.cluster``.

Ray's own command starts a head without workers and two worker nodes. While games are played, one playing process is
killed, and later one node. The run must end complete, every game finished once, as if nothing had happened.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tianhei.arena.tournament.folder import is_finished, open_run, path_of, planned
from tianhei.arena.tournament.run import Progress, run
from tianhei.transcripts.game import load
from tianhei.transcripts.replay import verified

PORT = 6399
PLAN = """
name = "cluster"
boards = 20
anchors = ["solver"]
lines = ["solver", "oracle"]

[[tables]]
rules = "bench-10"

[players]
a = "scripted"
b = "random"
"""


def ray_start(*arguments: str) -> None:
    """Start one node."""
    command = [str(Path(sys.executable).parent / "ray"), "start", *arguments, "--disable-usage-stats"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def processes(*marks: str) -> Iterator[int]:
    """The ids of processes whose command line holds all of these."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if all(mark in line for mark in marks):
                yield int(folder.name)


def kill_some(games: Path, killed: list[str]) -> None:
    """After the first games a playing process is killed, then the node that came last."""
    for marks, least in ((("ray::play_chunk",), 10), (("raylet/raylet", str(PORT)), 60)):
        while len(list(games.glob("*.jsonl"))) < least:
            time.sleep(0.05)
        if found := sorted(processes(*marks)):
            os.kill(found[-1], signal.SIGKILL)
            killed.append(f"{marks[0]} {found[-1]}")


def main() -> None:
    """Start, play, kill, count."""
    try:
        ray_start("--head", f"--port={PORT}", "--num-cpus=0", "--include-dashboard=false")
        for _ in range(2):
            ray_start(f"--address=127.0.0.1:{PORT}", "--num-cpus=1")
        with tempfile.TemporaryDirectory() as name:
            folder, file = Path(name) / "run", Path(name) / "plan.toml"
            file.write_text(PLAN)
            plan, progress, killed = open_run(folder, file), Progress(), list[str]()
            threading.Thread(target=kill_some, args=(folder / "games", killed), daemon=True).start()
            began = time.monotonic()
            run(folder, plan, progress, ray=f"127.0.0.1:{PORT}")
            seconds = time.monotonic() - began
            games = planned(plan)
            files = {path.name for path in (folder / "games").iterdir()}
            assert files == {path_of(folder, game).name for game in games}, (
                "a game is missing, or there is one too many"
            )
            assert all(is_finished(path_of(folder, game)) for game in games)
            again = sum(bool(load(path_of(folder, game)).notes) for game in games)
            for game in games:
                verified(path_of(folder, game))
            print(f"{len(games)} games in {seconds:.0f} s, all finished once and sound; killed: {', '.join(killed)}; "
                  f"{again} games were repaired and gone on with; void {progress.void.total()}")  # fmt: skip
    finally:
        subprocess.run([str(Path(sys.executable).parent / "ray"), "stop", "--force"], capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
