"""The comparison at any size: what was compared, how much of it, how long it took, and every difference."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

from oracle.options import resolve
from proof import compare_rulings, exhaustive, open_questions
from proof.random_games import compare_seed, reached
from proof.tables import resolved

CHUNK = 200
SHOWN = 5


@dataclass
class Figures:
    """What one task compared."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    """What the games came through: ends by reason, what followed ties, lots, demands, councils without a member."""
    explained: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        self.counts += other.counts
        self.reached += other.reached
        self.explained += other.explained
        self.differences += other.differences
        self.seconds += other.seconds

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        return f"{self.name}: {counts}; {len(self.differences)} differences; {self.seconds:.1f} s of one core"


def games(title: str, seeds: range) -> Figures:
    """Whole random games of these seeds."""
    figures, start = Figures(f"{title} games"), time.perf_counter()
    for seed in seeds:
        try:
            played, difference = compare_seed(seed, title)
        except Exception as error:  # a crash of either side is a finding, and must name its seed
            figures.differences.append(f"{title} seed {seed}: {type(error).__name__}: {error}")
            continue
        figures.counts.update({"games": 1, "waves": len(played.history), "wrong answers": played.mistakes})
        figures.counts["answers"] += sum(map(len, played.history))
        figures.reached.update(reached(played))
        figures.differences += [f"{title} seed {seed}: {fault}" for fault in played.faults]
        if difference:
            why = open_questions.of_game(resolved(title, played.changes), difference.what, difference.engine)
            if why:
                figures.explained[why] += 1
            else:
                figures.differences.append(f"{title} seed {seed}: {difference}\n    {played.reproduce()}")
    figures.seconds = time.perf_counter() - start
    return figures


def rulings(command: str, seeds: range) -> Figures:
    """Random single rulings of these seeds."""
    figures, start = Figures(f"rulings {command}"), time.perf_counter()
    for seed in seeds:
        line, found = compare_rulings.compare(command, seed)
        figures.counts["rulings"] += 1
        if found:
            why = open_questions.of_ruling(line, resolve(line["rules"]), *found)
            if why:
                figures.explained[why] += 1
            else:
                figures.differences.append(f"{line}\n    engine {found[0]}\n    oracle {found[1]}")
    figures.seconds = time.perf_counter() - start
    return figures


def exhaust(name: str, every: int, most_voters: int) -> Figures:
    """One exhaustive check, with its variants under one name."""
    figures, start = Figures(f"every {name.split()[0]}".rstrip(",")), time.perf_counter()
    for same, given in exhaustive.checks(every, most_voters)[name]():
        figures.counts["inputs"] += 1
        if not same:
            figures.differences.append(f"{name}: {given}")
    figures.seconds = time.perf_counter() - start
    return figures


Task = Callable[[], Figures]


def tasks(number_of_games: int, number_of_rulings: int, every: int, most_voters: int, first: int = 0) -> list[Task]:
    """The work in pieces, the largest first."""
    found: list[Task] = []
    if every:
        names = sorted(exhaustive.checks(every, most_voters), key=lambda name: not name.startswith("ballots of 7"))
        found += [partial(exhaust, name, every, most_voters) for name in names]
    for start in range(first, first + number_of_games, CHUNK):
        seeds = range(start, min(start + CHUNK, first + number_of_games))
        found += [partial(games, title, seeds) for title in ("classic", "butterfly")]
    for command in compare_rulings.MAKERS:
        for start in range(first, first + number_of_rulings, CHUNK):
            seeds = range(start, min(start + CHUNK, first + number_of_rulings))
            found.append(partial(rulings, command, seeds))
    return found


def run(work: Iterable[Task], processes: int = 1) -> dict[str, Figures]:
    """Do the work, and sum it up by name."""
    total: dict[str, Figures] = {}

    def add(done: Figures) -> None:
        total.setdefault(done.name, Figures(done.name)).add(done)

    if processes == 1:
        for task in work:
            add(task())
        return total
    with get_context("spawn").Pool(processes) as pool:
        for done in pool.imap_unordered(_call, work):
            add(done)
    return total


def _call(task: Task) -> Figures:
    return task()


def main() -> int:
    """Compare at the sizes given, and print the figures; 1 if anything differs that is not an open question."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description="Compare engine and oracle.")
    parser.add_argument("--games", type=int, default=50_000, help="random games of each of the two kinds")
    parser.add_argument("--rulings", type=int, default=20_000, help="random rulings of each command")
    parser.add_argument("--every", type=int, default=1, help="exhaustive checks: each so-manieth input (0: none)")
    parser.add_argument("--voters", type=int, default=7, choices=range(4, 8), help="exhaustive ballots: up to so many")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if min(given.games, given.rulings, given.every) < 0 or given.processes < 1:
        parser.error("sizes are numbers from 0 on, processes from 1 on")
    start = time.perf_counter()
    total = run(tasks(given.games, given.rulings, given.every, given.voters, given.first), given.processes)
    for figures in total.values():
        print(figures)
        if figures.reached:
            print("  reached:", ", ".join(f"{what} {number:,}" for what, number in sorted(figures.reached.items())))
        for why, number in figures.explained.items():
            print(f"  open, {number:,} times: {why}")
        for difference in figures.differences[:SHOWN]:
            print(f"  DIFFERS {difference}")
    failed = sum(len(figures.differences) for figures in total.values())
    print(f"{failed} differences; {time.perf_counter() - start:.0f} s in {given.processes} processes")
    return int(failed > 0)
