"""Writing gathered tables as files: one file for each table, and a description of all columns beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from tianhei.transcripts.columns.gather import parts_of, quoted
from tianhei.transcripts.columns.schema import TABLES, Table
from tianhei.transcripts.exporters.card import DATA, card
from tianhei.transcripts.file import TranscriptError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Kind: TypeAlias = Literal["parquet", "csv", "arrow", "hf"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SCHEMA = "schema.json"


def export(parts: Path, folder: Path, kind: Kind, made: date) -> list[Path]:
    """Write the tables of a gathered folder into another; the files written. ``made`` is the date on the card."""
    import duckdb

    target = folder / DATA if kind == "hf" else folder
    target.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as base:
        rows = {name: _count(base, parts, name) for name in TABLES}
        written = [table for name, table in TABLES.items() if rows[name] or kind != "hf"]  # hf loads no empty table
        files = [_WRITERS[kind](base, parts, table, target) for table in written]
        if kind == "hf":
            files.append(_card(base, parts, folder, rows, made))
    schema = folder / SCHEMA
    described = {name: asdict(table) for name, table in TABLES.items()}
    schema.write_text(json.dumps(described, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return [*files, schema]


def _parquet(base: DuckDBPyConnection, parts: Path, table: Table, folder: Path) -> Path:
    file = folder / f"{table.name}.parquet"
    base.execute(f"copy (from {parts_of(parts, table.name)}) to {quoted(file)} (format parquet, compression zstd)")
    return file


def _csv(base: DuckDBPyConnection, parts: Path, table: Table, folder: Path) -> Path:
    """Lists are joined by spaces; an absent value is an empty field, an empty text is quoted."""
    file = folder / f"{table.name}.csv"
    columns = ", ".join(
        f'array_to_string("{column.name}", \' \') as "{column.name}"' if column.type == "seats" else f'"{column.name}"'
        for column in table.columns
    )
    base.execute(f"copy (select {columns} from {parts_of(parts, table.name)}) to {quoted(file)} (format csv, header)")
    return file


def _arrow(base: DuckDBPyConnection, parts: Path, table: Table, folder: Path) -> Path:
    """An Arrow IPC stream."""
    try:
        arrow, ipc = import_module("nanoarrow"), import_module("nanoarrow.ipc")  # it has no types
    except ImportError:
        raise TranscriptError('Arrow files need nanoarrow: install "tianhei[eval]", or export parquet') from None
    file = folder / f"{table.name}.arrows"
    with ipc.StreamWriter.from_path(file) as writer:
        writer.write_stream(arrow.c_array_stream(base.sql(f"from {parts_of(parts, table.name)}")))
    return file


def _card(base: DuckDBPyConnection, parts: Path, folder: Path, rows: Mapping[str, int], made: date) -> Path:
    games = parts_of(parts, "games")
    langs = [lang for (lang,) in base.execute(f"select distinct lang from {games} where lang <> ''").fetchall()]
    rules: Mapping[str, int] = dict(
        base.execute(f"select rule_game, count(*) from {games} group by all order by all").fetchall()
    )
    file = folder / "README.md"
    file.write_text(card(rows, langs, rules, made), encoding="utf-8")
    return file


def _count(base: DuckDBPyConnection, parts: Path, name: str) -> int:
    ((count,),) = base.execute(f"select count(*) from {parts_of(parts, name)}").fetchall()
    return int(count)


_WRITERS: Mapping[Kind, Callable[[DuckDBPyConnection, Path, Table, Path], Path]] = {
    "parquet": _parquet, "csv": _csv, "arrow": _arrow, "hf": _parquet,
}  # fmt: skip
