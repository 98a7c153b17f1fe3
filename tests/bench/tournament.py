"""What a benchmark's run and report cost, as ratios in one run: ``python -m bench.tournament``.

The run of scripted 12-seat games against the bare host with transcripts; two worker processes against two bare loops;
the report against only parsing its transcripts' JSON, and the memory that it takes; how soon a run of many finished
games plays on; and a thousand games at once in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from tianhei.agents.roster import scripted_player
from tianhei.arena.host import Host, Sitter
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role
from tianhei.arena.tournament.folder import GAMES, PLAN, path_of, planned
from tianhei.arena.tournament.plan import Plan, make_plan
from tianhei.arena.tournament.report import write_report
from tianhei.arena.tournament.run import Progress, run
from tianhei.arena.view import View
from tianhei.transcripts.header import Header, SeatSpec


def plan_text(games: int, player: str = "scripted") -> str:
    """A plan of so many games at 12 seats."""
    other = "random" if player == "scripted" else player
    lines = (
        'name = "speed"', f"boards = {games // 2}", "anchors = []", "lines = []", "games_at_once = 1000",
        "[[tables]]", 'rules = "classic-arena"', "players = 12", "[players]", f'a = "{player}"', f'b = "{other}"',
    )  # fmt: skip
    return "\n".join(lines) + "\n"


def made(folder: Path, games: int, player: str = "scripted") -> Plan:
    """The plan in its folder."""
    import tomllib

    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    text = plan_text(games, player)
    (folder / PLAN).write_text(text)
    return make_plan(tomllib.loads(text))


def emptied(folder: Path) -> None:
    """No games."""
    for path in (folder / GAMES).iterdir():
        path.unlink()


def bare(folder: Path, plan: Plan, part: int = 0, parts: int = 1) -> None:
    """The host alone: a loop over games, their players made once."""
    sitters = {name: Sitter(scripted_player(seat, "en")) for name, seat in plan.players.items()}

    async def play() -> None:
        for game in planned(plan)[part::parts]:
            board, specs = game.board, tuple(SeatSpec(plan.players[name].player) for name in game.seats)
            counts = {Role(name): count for name, count in board.table.counts.items()}
            header = Header(game.rules, counts, board.seed, board.lang, specs, deal=board.deal)
            seated = {seat: sitters[name] for seat, name in enumerate(game.seats, start=1)}
            await Host(path_of(folder, game), header, seated).play()

    asyncio.run(play())


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """What it takes."""
    began = clock()
    work()
    return clock() - began


def _bare_part(folder: Path, plan: Plan, part: int, ready: Any, go: Any, out: Any) -> None:
    ready.release()
    go.wait()
    out.put(seconds(lambda: bare(folder, plan, part, 2), time.monotonic))


def two_bare_loops(folder: Path, plan: Plan) -> float:
    """Wall seconds of two loops in processes of their own, each half the games; their start is not counted."""
    context = get_context("spawn")
    ready, go, out = context.Semaphore(0), context.Event(), context.Queue()
    loops = [context.Process(target=_bare_part, args=(folder, plan, part, ready, go, out)) for part in range(2)]
    for loop in loops:
        loop.start()
    for _ in loops:
        ready.acquire()
    go.set()
    longest = max(out.get() for _ in loops)
    for loop in loops:
        loop.join()
    return float(longest)


class Waiting:
    """A scripted player that lets others go first at every request, so that all games are alive at once."""

    def __init__(self) -> None:
        from tianhei.agents.random_player import RandomPlayer

        self._player = RandomPlayer(lang="en")

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        await asyncio.sleep(0)
        return await self._player.act(view, request, ask)


def _most() -> float:
    """MiB in use at most so far; of this program alone, not of the one that started it."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def _now() -> float:
    """MiB in use."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def at_once(folder: Path, games: int) -> tuple[int, float]:
    """Play so many games at once in this process: the most that ran together, and KiB for each."""
    plan = made(folder, games, "bench.tournament:Waiting")
    planned(plan)
    progress, before, most = Progress(), _now(), 0

    def look() -> None:
        nonlocal most
        most = max(most, progress.running)

    progress.heard = look
    run(folder, plan, progress)
    assert progress.done == games, (progress.done, progress.void)
    return most, (_most() - before) * 1024 / most


def in_a_process_of_its_own(name: str, *arguments: object) -> Any:
    """The result of a function here, in a new process, so that memory is its own."""
    call = f"print(json.dumps(t.{name}(*map(eval, sys.argv[1:]))))"
    code = f"import json, sys\nfrom bench import tournament as t\n{call}"
    command = [sys.executable, "-c", code, *map(repr, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def reported(folder: str) -> tuple[float, float]:
    """CPU seconds and MiB of a report."""
    from tianhei.arena.tournament.folder import open_run

    plan = open_run(Path(folder), None)
    return seconds(lambda: write_report(Path(folder), plan)), _most()


def live(folder: str, games: int) -> tuple[int, float]:
    """`at_once`, for a process of its own."""
    return at_once(Path(folder), games)


def parsed(folder: Path) -> float:
    """CPU seconds of parsing every line, and nothing else."""

    def parse() -> None:
        for path in (folder / GAMES).iterdir():
            for line in path.read_bytes().splitlines():
                json.loads(line)

    return seconds(parse)


def resumed(folder: Path, plan: Plan) -> float:
    """Wall seconds until the command that goes on with a run has begun a game that was missing, of the last 200."""
    missing = [path_of(folder, game) for game in planned(plan)[-200:]]
    for path in missing:
        path.unlink()
    began = time.monotonic()
    command = [str(Path(sys.executable).parent / "tianhei"), "bench", "run", str(folder), "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while not any(path.exists() for path in missing):
            time.sleep(0.01)
        taken = time.monotonic() - began
        process.wait()
    return taken


def working(folder: Path, plan: Plan) -> float:
    """Wall seconds that two workers take for all games, by the rate at which the last two thirds came to their end.

    Before that the workers start, and this process plays a lot itself.
    """
    progress, seen = Progress(), list[float]()
    progress.heard = lambda: seen.append(time.time()) if progress.done else None
    run(folder, plan, progress, 2)
    ended = sorted(path.stat().st_mtime for path in (folder / GAMES).iterdir())
    start = max(seen[0], ended[len(ended) // 3])
    return len(ended) * (ended[-1] - start) / sum(each > start for each in ended)


def ratios(turns: int, games: int) -> dict[str, float]:
    """The run against the bare loops, in turns, by medians."""
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        folder = Path(name)
        plan = made(folder, games)
        one, two = [], []
        for _ in range(turns):
            emptied(folder)
            alone = seconds(lambda: bare(folder, plan))
            emptied(folder)
            one.append(seconds(lambda: run(folder, plan, Progress(), 1)) / alone)
        large = made(folder, games * 8)
        for _ in range(max(1, turns // 2)):
            emptied(folder)
            loops = two_bare_loops(folder, large)
            emptied(folder)
            two.append(loops / working(folder, large))
    return {"run_to_bare_host": median(one), "two_workers_to_two_loops": median(two)}


def many(games: int) -> dict[str, float]:
    """The report and the resume of a run of many games, and as many at once as a thousand."""
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        folder = Path(name)
        plan = made(folder, games)
        run(folder, plan, Progress())
        parsing = parsed(folder)
        cpu, memory = in_a_process_of_its_own("reported", str(folder))
        resume = resumed(folder, plan)
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        most, each = in_a_process_of_its_own("live", name, 1000)
    return {
        "games_reported": games, "report_to_json": cpu / parsing, "report_MiB": memory, "seconds_to_resume": resume,
        "games_at_once": most, "KiB_a_live_game": each,
    }  # fmt: skip


def _memory() -> str | None:
    """A folder in memory, where there is one: the disk is not what is measured."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--games", type=int, default=50, help="in a turn")
    parser.add_argument("--many", type=int, default=10_000, help="games that are reported and resumed")
    chosen = parser.parse_args(arguments)
    shown(ratios(chosen.turns, chosen.games))
    shown(many(chosen.many))


def shown(found: Mapping[str, float]) -> None:
    """Print figures, a line each."""
    for name, value in found.items():
        print(f"{name:26} {value:10.2f}", flush=True)


if __name__ == "__main__":
    main()
