"""Replies made at random, read and judged, at any size; and what is printed of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context

from reading.growth import FAMILIES, MOST, growth
from reading.judge import judge
from reading.numbered import case
from reading.planted import PLANTED, found_after

SLICE = 10_000
SHOWN = 5


@dataclass(slots=True)
class Figures:
    """How many replies were read, what came of them, and everything that was wrong."""

    came_of: Counter[tuple[str, str]] = field(default_factory=Counter)
    characters: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.came_of.update(other.came_of)
        self.characters += other.characters
        self.seconds += other.seconds
        self.wrong += other.wrong


def replies(numbers: range) -> Figures:
    """Make, read and judge these replies."""
    figures, began = Figures(), time.process_time()
    for number in numbers:
        made = case(number)
        came, wrong = judge(made)
        figures.came_of[made.fate, came] += 1
        figures.characters += len(made.text)
        figures.wrong += [f"reply {number} ({', '.join(made.made)}): {what}" for what in wrong]
    figures.seconds = time.process_time() - began
    return figures


def slices(first: int, number: int) -> list[range]:
    """The numbers of all replies, in pieces."""
    return [range(start, min(start + SLICE, first + number)) for start in range(first, first + number, SLICE)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read so many replies and print what came of them; 1 if anything is wrong or not found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.reading",
        description="Read replies made at random and judge what was read; measure how the time of reading grows; plant "
        "faults in the reader and see that they are found.",
    )
    parser.add_argument("--replies", type=_natural, default=1_000_000, metavar="N", help="how many (1,000,000)")
    parser.add_argument("--first", type=_whole, default=0, metavar="N", help="number of the first (0)")
    parser.add_argument("--processes", type=_natural, default=2, metavar="N", help="at once (2)")
    given = parser.parse_args(arguments)
    began, total = time.perf_counter(), Figures()
    with get_context("spawn").Pool(given.processes) as pool:
        for figures in pool.imap_unordered(replies, slices(given.first, given.replies)):
            total.add(figures)
            done, seconds = total.came_of.total(), time.perf_counter() - began
            print(f"\r{done:,} of {given.replies:,} replies, {seconds:.0f} s", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    print("\n".join(lines(total)))
    slow = [line for line in _growth() if line]
    missed = list(_missed())
    print(f"{len(FAMILIES)} families of nasty replies, doubled up to a megabyte: {len(slow)} grow more than linearly")
    print(f"{len(PLANTED)} faults planted in the reader, {len(PLANTED) - len(missed)} found")
    for line in (*slow, *(f"NOT FOUND {name}" for name in missed)):
        print(f"  {line}")
    print(f"{time.perf_counter() - began:.0f} s in {given.processes} processes")
    return int(bool(total.wrong or slow or missed))


def lines(total: Figures) -> Iterator[str]:
    """The figures in words."""
    number = total.came_of.total()
    yield (
        f"{number:,} replies of {total.characters / 1e6:,.0f} million characters; {len(total.wrong)} wrong; "
        f"{total.seconds:.0f} s of one core"
    )
    for fate, meaning in (("must", "must be read"), ("may", "may be read"), ("never", "never may")):
        came = sorted((count, what) for (which, what), count in total.came_of.items() if which == fate)
        yield f"  {meaning}: " + ", ".join(f"{what} {count:,}" for count, what in reversed(came))
    yield from (f"  WRONG {wrong}" for wrong in total.wrong[:SHOWN])


def _growth() -> Iterator[str]:
    for name in FAMILIES:
        if (worst := growth(name)) > MOST:
            yield f"GROWS {worst:.1f}-fold when doubled: {name}"


def _missed() -> Iterator[str]:
    yield from (fault.name for fault in PLANTED if found_after(fault) is None)


def _natural(text: str) -> int:
    if _whole(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 1 on is needed")
    return int(text)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 0 on is needed")
    return int(text)
