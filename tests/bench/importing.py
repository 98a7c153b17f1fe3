"""How fast games are imported, as ratios in the same run: ``python -m bench.importing [PATHS]``.

Against reading the file (its JSON; of a log its lines and their columns), and against reading the transcript that it
becomes. CPU time; the quicker half of the turns counts.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tianhei.transcripts.file import parse
from tianhei.transcripts.game import recording
from tianhei.transcripts.importers import IMPORTERS, File, Importer, files_of

SMALL = Path(__file__).parent.parent / "importers" / "small"


class Figure(NamedTuple):
    """Of one kind of file: how many, their size in bytes, CPU seconds to parse, import and read back all of them."""

    files: int
    size: int
    parsing: float
    importing: float
    reading: float


def cpu(work: Callable[[], object], turns: int) -> float:
    """CPU seconds of the quicker half of the turns."""
    found = []
    for _ in range(turns):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return median(sorted(found)[: (turns + 1) // 2])


def parsed(file: File) -> object:
    """What anybody who reads the file has to do first."""
    text = file.data.decode("utf-8", "replace")
    if file.path.suffix == ".log":
        return [line.split(",") for line in text.splitlines()]
    if file.path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def figure(importer: Importer, files: Sequence[File], turns: int) -> Figure:
    """The figure of these files, each turn with files that nothing has parsed before."""

    def fresh() -> list[File]:
        return [File(file.path, file.data) for file in files]

    games = [importer.read(file).to_bytes() for file in fresh()]
    return Figure(
        len(files),
        sum(len(file.data) for file in files),
        cpu(lambda: [parsed(file) for file in fresh()], turns),
        cpu(lambda: [importer.read(file).to_bytes() for file in fresh()], turns),
        cpu(lambda: [recording(parse(game), "game").events for game in games], turns),
    )


def measured(paths: Iterable[Path], turns: int) -> Iterator[tuple[str, Figure]]:
    """The figures by kind of file and ending."""
    kinds: dict[tuple[str, str], list[File]] = defaultdict(list)
    for path in files_of(iter(paths)):
        file = File(path, path.read_bytes())
        for kind, importer in IMPORTERS.items():
            if importer.sniff(file):
                kinds[kind, path.suffix].append(file)
    for (kind, ending), files in kinds.items():
        yield f"{kind} {ending}", figure(IMPORTERS[kind], files, turns)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("paths", nargs="*", type=Path, default=[SMALL])
    options.add_argument("--turns", type=int, default=9)
    chosen = options.parse_args()
    print(f"{'kind':<22}{'files':>6}{'MB':>8}{'MB/s':>8}{'÷ parsing':>11}{'÷ reading back':>16}")
    for kind, found in measured(chosen.paths, chosen.turns):
        print(
            f"{kind:<22}{found.files:>6}{found.size / 1e6:>8.2f}{found.size / 1e6 / found.importing:>8.1f}"
            f"{found.importing / found.parsing:>11.2f}{found.importing / found.reading:>16.2f}"
        )


if __name__ == "__main__":
    main()
