"""The proof at any size: what was compared, how much of it, how long it took, and everything that was found."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

from secrecy.leaks import LEAKS, Leak, hunt
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


def prove(place: int, manners: Sequence[Manner] = MANNERS, every: int = 1) -> Done:
    """One table of the proof, by its place in the list: all its deals, or one ``every``-th of them, near each other."""
    setting, start = SETTINGS[place], time.perf_counter()
    if every > 1:
        setting = replace(setting, sample=max(2, len(setting.deals()) // every))
    ledger = compare(games(setting, manners), Eyes())
    return setting.name, ledger.figures, ledger.findings, time.perf_counter() - start


def missed(leak: Leak) -> list[str]:
    """The leak, if it is planted and not found."""
    return [] if hunt(leak).findings else [f"a planted leak is not found: {leak.name}"]


def largest_first() -> list[int]:
    """The tables' places, so that no large one is left for the end."""
    return sorted(range(len(SETTINGS)), key=lambda place: -SETTINGS[place].players)


def main() -> int:
    """Prove it at full size and print the figures; 1 if anything is found, or a planted leak is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.secrecy", description="Compare what seats are shown.")
    parser.add_argument("--manners", type=int, default=len(MANNERS), choices=range(1, len(MANNERS) + 1))
    parser.add_argument("--deals", type=int, default=1, choices=range(1, 1001), metavar="N", help="one N-th of them")
    parser.add_argument("--processes", type=int, default=2, choices=range(1, 65), metavar="N")
    given = parser.parse_args()
    start, total, failed = time.perf_counter(), Figures(), 0
    work = partial(prove, manners=MANNERS[: given.manners], every=given.deals)
    with get_context("spawn").Pool(given.processes) as pool:
        for name, figures, findings, seconds in pool.imap_unordered(work, largest_first()):
            print(f"{name}: {figures}; {len(findings)} findings; {seconds:.1f} s of one core", flush=True)
            for finding in findings[:SHOWN]:
                print(f"  LEAK {finding}")
            total.add(figures)
            failed += len(findings)
    print(f"in all: {total}; {failed} findings")
    leaks = LEAKS[:: given.deals]
    lost = [told for leak in leaks for told in missed(leak)]
    print(f"{len(leaks)} leaks planted, {len(leaks) - len(lost)} found{''.join(f'; {told}' for told in lost)}")
    print(f"{time.perf_counter() - start:.0f} s in {given.processes} processes")
    return int(failed > 0 or bool(lost))
