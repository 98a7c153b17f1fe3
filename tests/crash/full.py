"""The proof at any size: what was tried, how much of it, how long it took, and everything that was found."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from crash.damage import flips, named
from crash.disks import FAULTS, failures
from crash.mortal import Mortals
from crash.runs import check, check_end, kill, killed, runner, whole

Done = tuple[str, str, str, float]
"""What was tried, its figures, what was found, and seconds."""


def exceptions(folder: Path, kills: int) -> str:
    return kill(runner("raise"), folder / "g", kills)


def ends(folder: Path, kills: int) -> str:
    return kill(runner("gone"), folder / "g", kills)


def power(folder: Path, kills: int) -> str:
    return kill(runner("gone", power=True), folder / "g", kills)


def sigkill(folder: Path, kills: int) -> str:
    with Mortals() as mortals:
        return kill(mortals, folder / "g", min(kills, 2))


def cuts(folder: Path, kills: int) -> str:
    """The game goes on from every byte of its file."""
    data = whole().ran.after
    for size in range(len(data) + 1):
        check_end(folder / "g", runner()(folder / "g", data[:size], None))
    return f"{len(data) + 1:,} cuts"


def bits(folder: Path, kills: int) -> str:
    """Every bit of the file is flipped."""
    tried = 0
    for line, changed in flips(whole().ran.after):
        assert named(changed) == line, f"a flip in line {line + 1} is not reported"
        tried += 1
    return f"{tried:,} flipped bits"


def disks(folder: Path, kills: int) -> str:
    """Every fault at every operation, from every file that one kill leaves."""
    path, tried = folder / "g", 0
    files, _ = killed(runner(), path, Counter({b"": 1}))
    for before in files:
        for fault in FAULTS:
            for ran, _ in failures(path, before, fault):
                check(ran)
                check_end(path, runner()(path, ran.after, None))
                tried += 1
    return f"{tried:,} failures of the disk, from {len(files)} files"


PARTS: dict[str, Callable[[Path, int], str]] = {
    "exceptions": exceptions, "ends": ends, "power": power, "sigkill": sigkill, "cuts": cuts, "bits": bits,
    "disks": disks,
}  # fmt: skip


def prove(work: tuple[str, int]) -> Done:
    """One part of the proof."""
    (name, kills), start, found, figures = work, time.perf_counter(), "", ""
    with TemporaryDirectory() as folder:
        try:
            figures = PARTS[name](Path(folder), kills)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
    return name, figures, found, time.perf_counter() - start


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The sizes; an error in words and exit 2 for what cannot be."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.crash", description="Break a game off everywhere, in every way, and go on with it."
    )
    parser.add_argument("--kills", type=int, default=2, choices=range(1, 4), help="kills in a row (SIGKILL: 2 at most)")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"only these, by commas: {', '.join(PARTS)}")
    parser.add_argument("--processes", type=int, default=2, choices=range(1, 65), metavar="N")
    given = parser.parse_args(arguments)
    given.parts = [part.strip() for part in given.parts.split(",")]
    if unknown := [part for part in given.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    return given


def results(parts: Sequence[str], kills: int, processes: int) -> Iterator[Done]:
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(prove, [(part, kills) for part in parts])


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove it and print the figures; 1 if anything is found."""
    given, start, failed = parse(arguments), time.perf_counter(), 0
    for name, figures, found, took in results(given.parts, given.kills, given.processes):
        print(f"{name}: {f'FAILED {found}' if found else figures}; {took:.0f} s", flush=True)
        failed += bool(found)
    seconds = time.perf_counter() - start
    print(f"{failed} of {len(given.parts)} parts failed; {seconds:.0f} s in {given.processes} processes")
    return int(failed > 0)
