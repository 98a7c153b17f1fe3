"""Playing a plan's games: those that are not finished, many at once, and again from where they stopped.

A run is a folder: ``plan.toml``, ``games/`` with a transcript each, and what is computed from them. Nothing else is
state. Games of scripted players alone go to processes of their own, as many as there are cores; games with models share
one loop, and wait for their endpoints alone.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from tianhei.arena.budget import Budget, read_budget
from tianhei.arena.calls import EndpointDown, OutOfBudget, Try
from tianhei.arena.host import Host, PlayerFailed, SystemClock
from tianhei.arena.pool import Endpoints
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.seating import Seating, program
from tianhei.arena.tournament.boards import Game, games
from tianhei.arena.tournament.plan import Plan, PlanError, make_plan, read_plan
from tianhei.arena.tournament.power import boards_for
from tianhei.arena.view import Views
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.header import LIMITS, Header, TableSettings

PLAN = "plan.toml"
GAMES = "games"
CHUNK = 25
"""Scripted games that a process takes at a time."""
TAIL = 400
"""Bytes at the end of a transcript in which its last line is looked for."""


@dataclass(slots=True)
class Progress:
    """How a run stands. ``heard`` is called whenever something has changed."""

    total: int = 0
    finished_before: int = 0
    done: int = 0
    running: int = 0
    void: Counter[str] = field(default_factory=Counter)
    """Games that stopped, by cause."""
    faults: Counter[str] = field(default_factory=Counter)
    """Requests that came to nothing, by cause."""
    by_track: Counter[str] = field(default_factory=Counter)
    waiting: str = ""
    """What was last waited for."""
    budget: Budget | None = None
    heard: Callable[[], None] = lambda: None

    @property
    def left(self) -> int:
        return self.total - self.finished_before - self.done - self.void.total()


class Stopped(Exception):
    """A run that cannot go on as it is; everything played so far is kept. The message says why."""


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
    count = plan.boards or boards_for(plan.width or 1.0, len(plan.players))
    return list(games(plan, count))


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
    return b'"line":"end"' in lines[-1]


def header_of(plan: Plan, game: Game, seating: Seating, started: str) -> Header:
    """What a game starts from."""
    board = game.board
    return Header(
        rules=game.rules,
        counts={Role(name): count for name, count in board.table.counts.items()},
        seed=board.seed,
        lang=board.lang,
        seats=seating.specs(),
        table=TableSettings(LIMITS[board.lang]),
        started=started,
        program=program(plan.seat(name) for name in set(game.seats)),
        deal=board.deal,
    )


def seating_of(plan: Plan, game: Game, endpoints: Endpoints) -> Seating:
    """The players of a game in their seats."""
    seats = {seat: plan.seat(name) for seat, name in enumerate(game.seats, start=1)}
    return Seating(seats, game.board.lang, endpoints)


def is_instant(plan: Plan, game: Game) -> bool:
    """Whether nobody in a game waits for anything."""
    return all(plan.seat(name).kind == "scripted" for name in set(game.seats))


def run(folder: Path, plan: Plan, progress: Progress, processes: int | None = None) -> None:
    """Play all that is not finished. Stopped where it cannot go on; KeyboardInterrupt leaves all as it stands."""
    everything = planned(plan)
    todo = [game for game in everything if not is_finished(path_of(folder, game))]
    progress.total, progress.finished_before = len(everything), len(everything) - len(todo)
    progress.heard()
    instant = [game for game in todo if is_instant(plan, game)]
    slow = [game for game in todo if not is_instant(plan, game)]
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    if instant:
        _run_instant(folder, plan, instant, progress, processes or os.cpu_count() or 1)
    if slow:
        asyncio.run(_run_slow(folder, plan, slow, progress))


def _run_instant(folder: Path, plan: Plan, todo: Sequence[Game], progress: Progress, processes: int) -> None:
    chunks = [todo[start : start + CHUNK] for start in range(0, len(todo), CHUNK)]
    if processes == 1:
        for chunk in chunks:
            _count(progress, chunk, play_chunk(folder, plan, [game.id for game in chunk]))
        return
    with ProcessPoolExecutor(min(processes, len(chunks)), get_context("spawn")) as pool:
        started = {pool.submit(play_chunk, folder, plan, [game.id for game in chunk]): chunk for chunk in chunks}
        _collect(progress, started, pool)


def _collect(progress: Progress, started: dict[Future[list[str]], Sequence[Game]], pool: Executor) -> None:
    try:
        for future in as_completed(started):
            _count(progress, started[future], future.result())
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def _count(progress: Progress, chunk: Iterable[Game], stopped: Sequence[str]) -> None:
    for game in chunk:
        if game.id in stopped:
            progress.void["player"] += 1
        else:
            progress.done += 1
            progress.by_track[game.track] += 1
    progress.heard()


@cache
def _by_id(plan_key: str) -> dict[str, Game]:
    return {game.id: game for game in planned(_PLANS[plan_key])}


_PLANS: dict[str, Plan] = {}


def play_chunk(folder: Path, plan: Plan, ids: Sequence[str]) -> list[str]:
    """Play some games of scripted players, in this process; the ids of those whose player broke."""
    key = f"{plan.design}|{sorted(plan.players)}|{plan.boards}|{plan.width}|{plan.tracks}|{plan.channels}"
    _PLANS[key] = plan
    found = _by_id(key)

    async def play() -> list[str]:
        stopped = []
        async with Endpoints() as endpoints:
            for name in ids:
                try:
                    await _host(folder, plan, found[name], endpoints, []).play()
                except PlayerFailed:
                    stopped.append(name)
        return stopped

    return asyncio.run(play())


def _host(folder: Path, plan: Plan, game: Game, endpoints: Endpoints, budgets: Sequence[Budget]) -> Host:
    """The host of a game, from the start or from where its transcript stops."""
    path = path_of(folder, game)
    clock = SystemClock()
    seating = seating_of(plan, game, endpoints)
    header = None if path.exists() and path.stat().st_size else header_of(plan, game, seating, clock.stamp())
    return Host(path, header, seating.sitters(), clock=clock, budgets=budgets)


async def _run_slow(folder: Path, plan: Plan, todo: Sequence[Game], progress: Progress) -> None:
    """Games with models, so many at once; the first fault that no other call can survive stops all."""
    budgets = [read_budget(plan.budget)] if plan.budget else []
    progress.budget = budgets[0] if budgets else None
    _charge(folder, plan, budgets)
    waiting = iter(todo)
    try:
        async with Endpoints() as endpoints, asyncio.TaskGroup() as tasks:
            for _ in range(min(plan.games_at_once, len(todo))):
                tasks.create_task(_play_on(folder, plan, waiting, endpoints, budgets, progress))
    except ExceptionGroup as group:
        raise group.exceptions[0] from None


async def _play_on(
    folder: Path,
    plan: Plan,
    waiting: Iterator[Game],
    endpoints: Endpoints,
    budgets: Sequence[Budget],
    progress: Progress,
) -> None:
    """Play one game after another."""
    for game in waiting:
        progress.running += 1
        progress.heard()
        try:
            host = _host(folder, plan, game, endpoints, budgets)
            host.watcher = _Ear(progress)
            await host.play()
        except EndpointDown as error:
            if error.lasting:
                raise Stopped(str(error)) from None
            progress.void[error.cause] += 1
        except OutOfBudget as error:
            raise Stopped(str(error)) from None
        except (PlayerFailed, TranscriptError) as error:
            progress.void["player" if isinstance(error, PlayerFailed) else "file"] += 1
            progress.waiting = str(error)
        else:
            progress.done += 1
            progress.by_track[game.track] += 1
        finally:
            progress.running -= 1
            progress.heard()


def _charge(folder: Path, plan: Plan, budgets: Sequence[Budget]) -> None:
    """Take from a run's budget what its finished games have spent; those that go on are charged by their hosts."""
    if not budgets:
        return
    from tianhei.arena.costs import costs_of, total
    from tianhei.transcripts.game import load

    for game in planned(plan):
        path = path_of(folder, game)
        if is_finished(path):
            spent = total(costs_of(load(path)).values())
            for budget in budgets:
                budget.spent += spent.money if budget.unit == "usd" else spent.billed


class _Ear:
    """Hears what happens in one game of many."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def asked(self, requests: tuple[Request, ...], views: Views) -> None:
        """Nothing to count."""

    def told(self, wave: Wave, views: Views) -> None:
        """Nothing to count."""

    def failed(self, seat: Seat, tried: Try) -> None:
        self._progress.faults[tried.cause] += 1
        if tried.wait:
            self._progress.waiting = f"{tried.cause}: {tried.what[:100]}; again in {tried.wait:.0f} s"
        self._progress.heard()


def add_player(folder: Path, name: str, spec: str) -> Plan:
    """Write another player into a run's plan. PlanError if its name is taken or it cannot be."""
    import tomllib

    kept = folder / PLAN
    plan = open_run(folder, None)
    if name in plan.players:
        raise PlanError(f"{folder}: there is a player {name} already")
    text = kept.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    make_plan({**data, "players": {**data["players"], name: spec}}, kept)
    lines = text.splitlines()
    at = next(place for place, line in enumerate(lines) if line.strip() == "[players]") + 1
    lines.insert(at, f'"{name}" = "{spec}"')
    new = kept.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(kept)
    return read_plan(kept)
