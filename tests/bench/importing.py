"""How fast games are imported, as ratios in the same run: ``python -m bench.importing [PATHS]``.

Against reading the file (its JSON; of a log its lines and their columns), against this and writing the finished lines
with their sums, which is the least that any import must do, and against reading the transcript that it becomes. CPU
time; the quicker half of the turns counts.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tianhei.transcripts.file import encode, parse
from tianhei.transcripts.game import recording
from tianhei.transcripts.importers import IMPORTERS, File, Importer, files_of

SMALL = Path(__file__).parent.parent / "importers" / "small"


class Figure(NamedTuple):
    """Of one kind of file: how many, their size in bytes, CPU seconds to parse, write, import, read back all."""

    files: int
    size: int
    parsing: float
    writing: float
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


def written(lines: Sequence[tuple[str, Mapping[str, Any]]]) -> list[bytes]:
    """The finished lines of a game as bytes."""
    found, total = [], 0
    for number, (kind, fields) in enumerate(lines):
        raw, total = encode(number, kind, fields, total)
        found.append(raw)
    return found


def figure(importer: Importer, files: Sequence[File], turns: int) -> Figure:
    """The figure of these files, each turn with files that nothing has parsed before."""

    def fresh() -> list[File]:
        return [File(file.path, file.data) for file in files]

    games = [importer.read(file).to_bytes() for file in fresh()]
    lines = [[(line.kind, line.data) for line in parse(game).lines] for game in games]
    return Figure(
        len(files),
        sum(len(file.data) for file in files),
        cpu(lambda: [parsed(file) for file in fresh()], turns),
        cpu(lambda: [written(game) for game in lines], turns),
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
    print(f"{'kind':<22}{'files':>6}{'MB':>8}{'MB/s':>8}{'÷ parsing':>11}{'÷ with writing':>16}"
          f"{'÷ reading back':>16}")  # fmt: skip
    for kind, found in measured(chosen.paths, chosen.turns):
        print(
            f"{kind:<22}{found.files:>6}{found.size / 1e6:>8.2f}{found.size / 1e6 / found.importing:>8.1f}"
            f"{found.importing / found.parsing:>11.2f}{found.importing / (found.parsing + found.writing):>16.2f}"
            f"{found.importing / found.reading:>16.2f}"
        )


if __name__ == "__main__":
    main()
