"""The proof at any size: what was compared, how much of it, how long it took, and everything that was found."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context

from secrecy.leaks import LEAKS, hunt
from secrecy.ledger import Figures, compare
from secrecy.manner import Manner
from secrecy.tables import SETTINGS, Setting
from secrecy.watch import Eyes, Game

MANNERS = (Manner(0, 0, 0), Manner(0, 0, 1), Manner(0, 1, 0), Manner(1, 0, 1))
"""The ways of answering in which every deal is played."""
SHOWN = 3
Done = tuple[str, Figures, list[str], float]


def games(setting: Setting, manners: Sequence[Manner]) -> Iterator[Game]:
    """Every deal of a table, in each way of answering."""
    return (Game(setting, roles, manner) for manner in manners for roles in setting.deals())


def prove(place: int, manners: Sequence[Manner] = MANNERS) -> Done:
    """One table of the proof, by its place in the list."""
    setting, start = SETTINGS[place], time.perf_counter()
    ledger = compare(games(setting, manners), Eyes())
    return setting.name, ledger.figures, ledger.findings, time.perf_counter() - start


def main() -> int:
    """Prove it at full size and print the figures; 1 if anything is found, or a planted leak is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy", description="Compare what seats are shown.")
    parser.add_argument("--manners", type=int, default=len(MANNERS), choices=range(1, len(MANNERS) + 1))
    parser.add_argument("--processes", type=int, default=2, choices=range(1, 65), metavar="N")
    given = parser.parse_args()
    start, total, failed = time.perf_counter(), Figures(), 0
    work = partial(prove, manners=MANNERS[: given.manners])
    largest_first = sorted(range(len(SETTINGS)), key=lambda place: -SETTINGS[place].players)
    with get_context("spawn").Pool(given.processes) as pool:
        for name, figures, findings, seconds in pool.imap_unordered(work, largest_first):
            print(f"{name}: {figures}; {len(findings)} findings; {seconds:.1f} s of one core", flush=True)
            for finding in findings[:SHOWN]:
                print(f"  LEAK {finding}")
            total.add(figures)
            failed += len(findings)
    print(f"in all: {total}; {failed} findings")
    missed = [leak.name for leak in LEAKS if not hunt(leak).findings]
    print(
        f"{len(LEAKS)} leaks planted, {len(LEAKS) - len(missed)} found{''.join(f'; MISSED {name}' for name in missed)}"
    )
    print(f"{time.perf_counter() - start:.0f} s in {given.processes} processes")
    return int(failed > 0 or bool(missed))
