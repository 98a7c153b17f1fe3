"""The command: which faults, in how many processes; prints the matrix, and writes the page when all of it ran."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from provider.cells import KINDS, Kind
from provider.faults import FAULTS, GROUPS
from provider.matrix import run
from provider.page import page

Name = TypeVar("Name", bound=str)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "providers.md"


def parse(arguments: Sequence[str] | None) -> tuple[list[str], list[Kind], int, Path | None]:
    """Faults, kinds of calls, processes and where the page goes; an error in words and exit 2 for what cannot be."""
    listed = "\n".join(f"{title}:\n  " + "\n  ".join(each.name for each in faults) for title, faults in GROUPS.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.provider",
        description="Commit every fault of a provider at every place of a game, and compare all books.\n"
        "The whole of it rewrites docs/providers.md; a part is only printed.",
        epilog=f"faults of {listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--faults", default="", metavar="NAME,…", help="only those whose names begin so, by commas")
    parser.add_argument("--kinds", default="", metavar="KIND,…", help=f"only these kinds of calls: {', '.join(KINDS)}")
    parser.add_argument("--processes", type=_natural, default=2, metavar="N")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page here, whatever was run")
    given = parser.parse_args(arguments)
    try:
        names, kinds = _begun("fault", list(FAULTS), given.faults), _begun("kind of call", list(KINDS), given.kinds)
    except ValueError as error:
        parser.error(str(error))
    target: Path | None = given.page or (None if given.faults or given.kinds else PAGE)
    if target and not target.parent.is_dir():
        parser.error(f"there is no folder {target.parent} to write the page in")
    return names, kinds, given.processes, target


def _begun(what: str, names: list[Name], words: str) -> list[Name]:
    """The names that begin with one of the words; all of them where there is none. ValueError for a strange one."""
    starts = tuple(word.strip().lower() for word in words.split(",")) if words else ("",)
    for start in starts if words else ():
        if not start or not any(name.lower().startswith(start) for name in names):
            raise ValueError(f"no {what} begins with {start!r}; --help names them all")
    return [name for name in names if name.lower().startswith(starts)]


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a whole number from 1 on is needed")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the matrix; 1 if anything is otherwise than promised."""
    names, kinds, processes, target = parse(arguments)
    start = time.monotonic()

    def heard(done: int) -> None:
        print(f"{done} of {len(names)} faults, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)

    try:
        found = run(names, kinds, processes, heard)
    except KeyboardInterrupt:
        print("stopped; nothing was written", file=sys.stderr)
        return 130
    text = page(found, time.monotonic() - start, processes)
    print(text)
    if target:
        target.write_text(text, encoding="utf-8")
        print(f"written: {target}", file=sys.stderr)
    return int(any(figures.problems for figures in found))
