"""All cells, shared out among processes, each with a server of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from provider.cells import KINDS, Bench, Cell, Kind, Result, cells
from tianhei.arena.endpoint import limiter

FIRST_WAIT = 0.001
"""Seconds until the first new try: the waits grow as they do in earnest, from a smaller start."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of every cell of one fault."""

    fault: str
    results: tuple[tuple[Cell, Result], ...]

    @property
    def problems(self) -> list[str]:
        return [f"{cell}: {problem}" for cell, result in self.results for problem in result.problems]


@contextmanager
def opened() -> Generator[Bench]:
    """A bench in a folder that is gone afterwards, in a process that does not wait long."""
    usual, limiter.FIRST_WAIT = limiter.FIRST_WAIT, FIRST_WAIT
    try:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(Path(folder))
            try:
                yield bench
            finally:
                bench.close()
    finally:
        limiter.FIRST_WAIT = usual


def figures_of(name: str, kinds: Sequence[Kind] = KINDS) -> Figures:
    """Run the cells of a fault that have a meaning."""
    meant = [cell for cell in cells([name]) if cell.kind in kinds and not cell.meaningless]
    with opened() as bench:
        return Figures(name, tuple((cell, bench.run(cell)) for cell in meant))


def run(
    names: Sequence[str], kinds: Sequence[Kind], processes: int, heard: Callable[[int], None] = lambda done: None
) -> list[Figures]:
    """The cells of these faults, each process taking the next fault when it is free."""
    work = partial(figures_of, kinds=kinds)
    if processes == 1:
        return [_heard(number, work(name), heard) for number, name in enumerate(names, 1)]
    with get_context("spawn").Pool(processes) as pool:
        return [_heard(number, done, heard) for number, done in enumerate(pool.imap(work, names), 1)]


def _heard(number: int, done: Figures, heard: Callable[[int], None]) -> Figures:
    heard(number)
    return done
