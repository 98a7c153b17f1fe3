"""Playing a plan's games: those that are not finished, many at once, and again from where they stopped.

Games of scripted players alone go to processes of their own, as many as there are cores; games with models share one
loop, and wait for their endpoints alone.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context
from pathlib import Path

from tianhei.arena.budget import Budget, read_budget
from tianhei.arena.calls import EndpointDown, OutOfBudget, Try
from tianhei.arena.host import Host, PlayerFailed, SystemClock
from tianhei.arena.pool import Endpoints
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.folder import GAMES, is_finished, path_of, planned
from tianhei.arena.tournament.plan import AT_ONCE, Plan, PlanError
from tianhei.arena.tournament.start import header_of, is_instant, seating_of
from tianhei.arena.view import Views
from tianhei.transcripts.file import TranscriptError

CHUNK = 25
"""Scripted games that a process takes at a time, at most."""


@dataclass(slots=True)
class Progress:
    """How a run stands. ``heard`` is called whenever something has changed."""

    total: int = 0
    finished_before: int = 0
    done: int = 0
    running: int = 0
    workers: int = 0
    """Processes that play games of scripted players."""
    void_games: dict[str, str] = field(default_factory=dict)
    void: Counter[str] = field(default_factory=Counter)
    """Games that stopped, by cause."""
    faults: Counter[str] = field(default_factory=Counter)
    """Requests that came to nothing, by cause."""
    by_track: Counter[str] = field(default_factory=Counter)
    planned_by_track: Counter[str] = field(default_factory=Counter)
    waiting: str = ""
    """What was last waited for."""
    budget: Budget | None = None
    heard: Callable[[], None] = lambda: None

    @property
    def left(self) -> int:
        return self.total - self.finished_before - self.done - self.void.total()


class Stopped(Exception):
    """A run that cannot go on as it is; everything played so far is kept. The message says why."""


@dataclass(frozen=True, slots=True)
class Lot:
    """What became of some games that were played together elsewhere: void ones by id with the cause, and faults."""

    void: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)


def run(folder: Path, plan: Plan, progress: Progress, processes: int | None = None, *, ray: str | None = None) -> None:
    """Play all that is not finished. Stopped where it cannot go on; KeyboardInterrupt leaves all as it stands.

    ``ray`` is the address of a cluster to play on, empty for one on this machine.
    """
    everything = planned(plan)
    todo = [game for game in everything if not is_finished(path_of(folder, game))]
    progress.total, progress.finished_before = len(everything), len(everything) - len(todo)
    progress.planned_by_track.update(game.track for game in everything)
    progress.by_track.update(progress.planned_by_track)
    progress.by_track.subtract(Counter[str](game.track for game in todo))
    progress.heard()
    instant = [game for game in todo if is_instant(plan, game)]
    slow = [game for game in todo if not is_instant(plan, game)]
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    if ray is not None:
        _run_on_ray(folder, plan, instant, slow, progress, ray)
        return
    if instant:
        _run_instant(folder, plan, instant, progress, processes or os.cpu_count() or 1)
    if slow:
        asyncio.run(_run_slow(folder, plan, slow, progress))


def _run_instant(folder: Path, plan: Plan, todo: Sequence[Game], progress: Progress, processes: int) -> None:
    chunks = _chunks(todo, max(1, min(CHUNK, len(todo) // (4 * processes))))
    if min(processes, len(chunks)) == 1:
        for chunk in chunks:
            _count(progress, chunk, play_chunk(folder, plan, chunk))
        return
    first, *others = chunks
    progress.workers = min(processes, len(others))
    with ProcessPoolExecutor(progress.workers, get_context("spawn"), initializer=_heed_no_keyboard) as pool:
        started = {pool.submit(play_chunk, folder, plan, chunk): chunk for chunk in others}
        try:
            _count(progress, first, play_chunk(folder, plan, first))  # while the others' processes start
            for future in as_completed(started):
                _count(progress, started[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():  # what they were at goes on from its transcript
                child.terminate()
            raise
    progress.workers = 0


def _chunks(games: Sequence[Game], size: int) -> list[Sequence[Game]]:
    return [games[start : start + size] for start in range(0, len(games), size)]


def _heed_no_keyboard() -> None:
    """An interrupt reaches every process of a terminal; the first one alone acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_on_ray(
    folder: Path, plan: Plan, instant: Sequence[Game], slow: Sequence[Game], progress: Progress, address: str
) -> None:
    if slow and plan.budget:
        raise PlanError(f"{plan.name}: a budget is kept by one process; leave it out of the plan, or leave out --ray")
    from tianhei.arena.tournament.cluster import play_on_ray

    lots = [(chunk, play_chunk) for chunk in _chunks(instant, CHUNK)]
    lots += [(chunk, play_slow_chunk) for chunk in _chunks(slow, plan.games_at_once or AT_ONCE)]
    play_on_ray(folder, plan, lots, address, lambda chunk, lot: _count(progress, chunk, lot))


def _count(progress: Progress, chunk: Iterable[Game], lot: Lot) -> None:
    progress.faults.update(lot.faults)
    for game in chunk:
        if game.id in lot.void:
            progress.void[lot.void[game.id]] += 1
        else:
            progress.done += 1
            progress.by_track[game.track] += 1
    progress.heard()


def play_slow_chunk(folder: Path, plan: Plan, games: Sequence[Game]) -> Lot:
    """Play some games with models, all at once, in this process."""
    progress = Progress()
    asyncio.run(_run_slow(folder, plan, games, progress))
    return Lot(progress.void_games, progress.faults)


def play_chunk(folder: Path, plan: Plan, games: Sequence[Game]) -> Lot:
    """Play some games of scripted players, in this process."""

    async def play() -> Lot:
        stopped: dict[str, str] = {}
        async with Endpoints() as endpoints:
            for game in games:
                try:
                    await _host(folder, plan, game, endpoints, []).play()
                except (PlayerFailed, TranscriptError) as error:
                    stopped[game.id] = _cause(error)
        return Lot(stopped)

    return asyncio.run(play())


def _host(folder: Path, plan: Plan, game: Game, endpoints: Endpoints, budgets: Sequence[Budget]) -> Host:
    """The host of a game, from the start or from where its transcript stops."""
    path = path_of(folder, game)
    clock = SystemClock()
    seating = seating_of(plan, game, endpoints)
    header = None if path.exists() and path.stat().st_size else header_of(plan, game, seating, clock.stamp())
    return Host(path, header, seating.sitters(), clock=clock, budgets=budgets)


async def _run_slow(folder: Path, plan: Plan, todo: Sequence[Game], progress: Progress) -> None:
    """Games with models, many at once; the first fault that no other call can survive stops all."""
    budgets = [read_budget(plan.budget)] if plan.budget else []
    progress.budget = budgets[0] if budgets else None
    _charge(folder, plan, budgets)
    try:
        async with Endpoints() as endpoints, asyncio.TaskGroup() as tasks:
            for lane, at_once in lanes(plan, todo):
                waiting = iter(lane)
                for _ in range(min(at_once, len(lane))):
                    tasks.create_task(_play_on(folder, plan, waiting, endpoints, budgets, progress))
    except ExceptionGroup as group:
        raise group.exceptions[0] from None


def lanes(plan: Plan, games: Sequence[Game]) -> Iterator[tuple[Sequence[Game], int]]:
    """Games that go side by side, and how many of them at once.

    Where the plan does not say, those with a model inside this program go one by one: several at once would take turns
    in its one memory of prompts, and each would be read anew.
    """
    if plan.games_at_once:
        yield games, plan.games_at_once
        return
    inside = [game for game in games if any(plan.seat(name).is_local for name in game.seats)]
    known = {game.id for game in inside}
    yield inside, 1
    yield [game for game in games if game.id not in known], AT_ONCE


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
            progress.void_games[game.id] = error.cause
        except OutOfBudget as error:
            raise Stopped(str(error)) from None
        except (PlayerFailed, TranscriptError) as error:
            cause = _cause(error)
            progress.void[cause] += 1
            progress.void_games[game.id] = cause
            progress.waiting = str(error)
        else:
            progress.done += 1
            progress.by_track[game.track] += 1
        finally:
            progress.running -= 1
            progress.heard()


def _cause(error: PlayerFailed | TranscriptError) -> str:
    """Why a game is void that its players or its file have stopped."""
    return "player" if isinstance(error, PlayerFailed) else "file"


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
