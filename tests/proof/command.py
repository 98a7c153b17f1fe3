"""The command: sizes from the command line, progress while it works, the page when all of it is done."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from proof import notes
from proof.full import PARTS, Sizes, Totals, run, tasks
from proof.report import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "proof.md"
SHOWN = 5
SECONDS_BETWEEN_WORDS = 30


def parse(arguments: Sequence[str] | None) -> tuple[Sizes, int, Path | None]:
    """Sizes, processes and where the page goes; an error in words and exit 2 for what cannot be."""
    whole = Sizes()
    parser = argparse.ArgumentParser(
        prog="python -m tests.proof",
        description="Prove the rules: engine against oracle, invariants, theory, the count of the tree, and secrecy. "
        "The whole of it rewrites docs/proof.md, but for the notes at its end; a smaller one only prints.",
    )
    parser.add_argument("--scale", type=_natural, default=1, metavar="N", help="one N-th of everything (1: all)")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"only these, by commas: {', '.join(PARTS)}")
    parser.add_argument("--games", type=_count, metavar="N", help=f"games against the oracle ({whole.games:,})")
    parser.add_argument("--rulings", type=_count, metavar="N", help=f"rulings of each command ({whole.rulings:,})")
    parser.add_argument("--million", type=_count, metavar="N", help=f"games by invariants ({whole.million:,})")
    parser.add_argument("--theory", type=_count, metavar="N", help=f"games of each table of theory ({whole.theory:,})")
    parser.add_argument("--floors", type=_count, metavar="N", help=f"games of each floor ({whole.floors:,})")
    parser.add_argument("--every", type=_natural, metavar="N", help="exhaustive checks: about each N-th input")
    parser.add_argument("--deals", type=_natural, metavar="N", help="secrecy: one N-th of each table's deals and leaks")
    parser.add_argument("--voters", type=int, choices=range(4, 8), default=whole.voters, help="ballots: up to")
    parser.add_argument("--first", type=_count, default=0, metavar="SEED", help="first seed (default 0)")
    parser.add_argument("--processes", type=_natural, default=2, metavar="N")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page here, whatever the size")
    given = parser.parse_args(arguments)
    parts = tuple(part.strip() for part in given.parts.split(","))
    if unknown := sorted(set(parts) - set(PARTS)):
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    changed = {
        name: getattr(given, name) for name in ("games", "rulings", "million", "theory", "floors", "every", "deals")
    }
    sizes = replace(Sizes().smaller(given.scale), parts=parts, voters=given.voters, first=given.first,
                    **{name: value for name, value in changed.items() if value is not None})  # fmt: skip
    target: Path | None = given.page or (PAGE if sizes == replace(whole, first=given.first) else None)
    if target and not target.parent.is_dir():
        parser.error(f"there is no folder {target.parent} to write the page in")
    return sizes, given.processes, target


def _natural(text: str) -> int:
    number = _count(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 1 on is needed")
    return number


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 0 on is needed")
    return int(text)


class Progress:
    """A word on standard error now and then."""

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self._start = self._said = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now - self._said >= SECONDS_BETWEEN_WORDS or done == self._pieces:
            self._said = now
            print(f"{done} of {self._pieces} pieces, {now - self._start:.0f} s", file=sys.stderr, flush=True)


def show(total: Totals) -> int:
    """Print every figure and the first differences; how many there are."""
    for figures in sorted(total.values(), key=lambda each: PARTS.index(each.part) if each.part in PARTS else -1):
        print(figures)
        for why, number in figures.explained.items():
            print(f"  known, {number:,} times: {why}")
        for difference in figures.differences[:SHOWN]:
            print(f"  DIFFERS {difference}")
    return sum(len(figures.differences) for figures in total.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the proof; 1 if anything differs."""
    sizes, processes, target = parse(arguments)
    start = time.monotonic()
    work = tasks(sizes)
    try:
        total = run(work, processes, Progress(len(work)))
    except KeyboardInterrupt:
        print("stopped; nothing was written", file=sys.stderr)
        return 130
    failed, seconds = show(total), time.monotonic() - start
    cores = sum(figures.seconds for figures in total.values())
    print(f"{failed} differences; {seconds:.0f} s in {processes} processes, {cores:.0f} s of one core")
    if target:
        dropped = notes.write(target, page(total, sizes, seconds, processes))
        print(f"written: {target}")
        if dropped:
            print(dropped, file=sys.stderr)
    return int(failed > 0)
