"""Many transcripts to tables, in bounded memory: some games at a time, in several processes, into parquet files.

A folder of tables holds a folder for each table with numbered parts, one for each batch of games, in the games' order.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypeVar

import orjson

from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import SQL, TABLES, Table, Tables, concat, empty
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import load

T = TypeVar("T")
R = TypeVar("R")
BATCH = 200
"""Games whose tables a process holds at a time."""
Known: TypeAlias = Callable[[Path], Mapping[str, Any]]
"""What is known of a game by where its file is: columns of its row in games."""


@dataclass(slots=True)
class Gathered:
    """What became of the files: how many games there are, and the errors of those that could not be read."""

    games: int = 0
    damaged: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Runs:
    """What a benchmark's folder tells of its games: the track, by the file's name, and the run's name."""

    plans: Mapping[Path, str]
    """By the folder of the games: the name of the plan."""

    def __call__(self, path: Path) -> Mapping[str, Any]:
        name = self.plans.get(path.parent)
        return {} if name is None else {"track": path.stem.partition("-")[0], "season": name}


def nothing(path: Path) -> Mapping[str, Any]:
    """Nothing is known but what the transcript tells."""
    return {}


def read_games(files: Iterable[Path], known: Known = nothing) -> tuple[Tables, list[str]]:
    """The tables of these games, and the errors of those files that could not be read."""
    parts: list[Tables] = []
    damaged: list[str] = []
    for path in files:
        try:
            parts.append(tables_of(load(path), **known(path)))
        except TranscriptError as error:
            damaged.append(str(error))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            damaged.append(f"{path}: what it tells does not fit together ({type(error).__name__}: {error})")
    return concat(parts), damaged


def gather(
    files: Iterable[Path], folder: Path, *, known: Known = nothing, processes: int | None = None,
    heard: Callable[[Gathered], None] = lambda _: None,
) -> Gathered:  # fmt: skip
    """Write the tables of these transcripts into a folder; ``heard`` is called as they come in."""
    found = Gathered()
    for name in TABLES:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for games, damaged in _written(list(files), folder, known, processes or os.cpu_count() or 1):
        found.games += games
        found.damaged += damaged
        heard(found)
    return found


def _written(files: Sequence[Path], folder: Path, known: Known, processes: int) -> Iterator[tuple[int, list[str]]]:
    """Each batch as it is written: how many games it holds, and which files do not."""
    batches = [files[start : start + BATCH] for start in range(0, len(files), BATCH)]
    yield from in_turn(partial(_write, folder=folder, known=known), enumerate(batches), min(processes, len(batches)))


def in_turn(work: Callable[[T], R], parts: Iterable[T], processes: int) -> Iterator[R]:
    """What ``work`` makes of each part, in their order; in several processes, but for one."""
    if processes <= 1:
        yield from map(work, parts)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: deque[Future[R]] = deque()
        for part in parts:
            waiting.append(pool.submit(work, part))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _write(numbered: tuple[int, Sequence[Path]], folder: Path, known: Known) -> tuple[int, list[str]]:
    number, batch = numbered
    tables, damaged = read_games(batch, known)
    write_parts(tables, folder, number)
    return len(tables["games"]["game"]), damaged


def write_parts(tables: Tables, folder: Path, number: int) -> None:
    """Write one part of each table that has rows, as parquet; the first part always, so that every table is there."""
    import duckdb

    with TemporaryDirectory() as scratch, duckdb.connect(config={"threads": 1}) as base:
        for name, table in TABLES.items():
            columns = tables[name]
            if not columns["game"] and number:
                continue
            lines = Path(scratch, f"{name}.json")
            with lines.open("wb") as file:
                file.writelines(_line(table.names, row) for row in zip(*columns.values(), strict=True))
            part = folder / name / f"{number:06}.parquet"
            base.execute(f"copy (from {_json(lines, table)}) to {quoted(part)} (format parquet, compression zstd)")


def _line(names: Sequence[str], row: Sequence[Any]) -> bytes:
    try:
        return orjson.dumps(dict(zip(names, row, strict=True)), option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a lone surrogate, which no column can hold
        return _line(names, [_whole(value) for value in row])


def _whole(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _json(lines: Path, table: Table) -> str:
    if not lines.stat().st_size:
        return rowless(table)
    types = ", ".join(f"'{column.name}': '{SQL[column.type]}'" for column in table.columns)
    return f"read_json({quoted(lines)}, format = 'newline_delimited', columns = {{{types}}})"


def rowless(table: Table) -> str:
    """A table without a row, as SQL reads it."""
    columns = ", ".join(f'null::{SQL[column.type]} as "{column.name}"' for column in table.columns)
    return f"(select {columns} limit 0)"


def quoted(text: Path | str) -> str:
    """A text, or a path, as SQL writes it."""
    return "'" + str(text).replace("'", "''") + "'"


def parts_of(folder: Path, table: str) -> str:
    """A table of a gathered folder, as SQL reads it."""
    pattern = str(folder / table).replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")
    return f"read_parquet({quoted(pattern + '/*.parquet')})"


def read_tables(folder: Path) -> Tables:
    """All tables of a gathered folder, whole."""
    return concat(read_parts(folder))


def read_parts(folder: Path) -> Iterator[Tables]:
    """The tables of a gathered folder, one batch of games at a time."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as base:
        for games in sorted((folder / "games").glob("*.parquet")):
            found = empty()
            for name, columns in found.items():
                part = folder / name / games.name
                if part.exists():
                    rows = base.execute(f"select {', '.join(map(_name, columns))} from {quoted(part)}").fetchall()
                    for values, each in zip(columns.values(), zip(*rows, strict=True), strict=bool(rows)):
                        values += each
            yield found


def _name(column: str) -> str:
    return f'"{column}"'
