"""The commands that hand games to other tools: ``tianhei export`` and ``tianhei sql``."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tianhei.transcripts.columns.gather import Gathered

_PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
_JOBS = click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes. Default: one for each core.")


@click.command()
@_PATHS
@click.option("-o", "--out", required=True, metavar="FOLDER", type=click.Path(path_type=Path), help="Where to.")
@click.option("--as", "kind", type=click.Choice(("parquet", "csv", "arrow", "hf")), default="parquet",
              show_default=True, help="hf: a folder that Hugging Face datasets loads, with its card.")  # fmt: skip
@_JOBS
@clear_errors
def export(
    paths: tuple[Path, ...], out: Path, kind: Literal["parquet", "csv", "arrow", "hf"], jobs: int | None
) -> None:
    """Write games as tables for other tools: seats, votes, speeches, claims and the rest.

    PATHS are transcripts, or folders of them. docs/columns.md says what every column means.
    """
    from datetime import UTC, datetime

    from tianhei.transcripts.exporters.write import export as write

    with _gathered(paths, jobs) as (parts, found):
        files = write(parts, out, kind, datetime.now(UTC).date())
    say(f"{found.games:,} games: {len(files)} files in {out}")


@click.command()
@_PATHS
@click.argument("query")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--json", "form", flag_value="json", help="Print a JSON object for each row.")
@_JOBS
@clear_errors
def sql(paths: tuple[Path, ...], query: str, form: str | None, jobs: int | None) -> None:
    """Ask games a question in SQL (DuckDB): tables games, seats, requests, speeches, votes, deaths, nights, checks,
    claims, statements, probes, beliefs.

    PATHS are transcripts, folders of them, or one folder that export wrote as parquet or hf, which saves reading the
    games again. docs/sql.md has ten questions worked out.
    """
    import duckdb

    with duckdb.connect() as base, _views(base, paths, jobs):
        try:
            answer = base.sql(query)
            names, rows = (answer.columns, answer.fetchall()) if answer else ([], [])
        except duckdb.Error as error:
            raise click.ClickException(f"the database says: {error}") from None
    match form:
        case "csv":
            _print_csv(names, rows)
        case "json":
            for row in rows:
                click.echo(_json(dict(zip(names, row, strict=True))))
        case _:
            _print_table(names, rows)


@contextmanager
def _views(base: DuckDBPyConnection, paths: Sequence[Path], jobs: int | None) -> Generator[None]:
    """The tables of these games in a database, by their names."""
    from tianhei.transcripts.columns.gather import parts_of, quoted, rowless
    from tianhei.transcripts.columns.schema import TABLES

    if exported := _exported(paths):
        for name, table in TABLES.items():
            file = exported / f"{name}.parquet"
            rows = f"read_parquet({quoted(file)})" if file.exists() else rowless(table)
            base.execute(f"create view {name} as from {rows}")
        yield
        return
    with _gathered(paths, jobs) as (parts, _):
        for name in TABLES:
            base.execute(f"create view {name} as from {parts_of(parts, name)}")
        yield


def _exported(paths: Sequence[Path]) -> Path | None:
    """The folder of parquet files, where the one path named is an export."""
    if len(paths) == 1:
        for folder in (paths[0], paths[0] / "data"):
            if (folder / "games.parquet").exists():
                return folder
    return None


@contextmanager
def _gathered(paths: Sequence[Path], jobs: int | None) -> Generator[tuple[Path, Gathered]]:
    """The tables of these games in a folder of their own, as long as they are needed."""
    from tempfile import TemporaryDirectory

    from tianhei.transcripts.columns.gather import Runs, gather
    from tianhei.transcripts.file import files_of

    files = list(files_of(paths))
    with TemporaryDirectory(prefix="tianhei-") as folder:
        parts = Path(folder)
        found = gather(files, parts, known=Runs(_plans(files)), processes=jobs)
        for error in found.damaged:
            say(f"left out: {error}")
        if not found.games:
            raise click.ClickException(f"none of these {len(files)} files is a transcript that can be read")
        yield parts, found


def _plans(files: Sequence[Path]) -> Mapping[Path, str]:
    """The plans of the runs among whose games these files are."""
    from tianhei.arena.tournament.folder import GAMES, PLAN
    from tianhei.arena.tournament.plan import PlanError, read_plan

    found: dict[Path, str] = {}
    for folder in {path.parent for path in files}:
        plan = folder.parent / PLAN
        if folder.name == GAMES and plan.exists():
            try:
                found[folder] = read_plan(plan).name
            except PlanError as error:
                say(f"its games are read without it: {error}")
    return found


def _harmless(text: str) -> str:
    from tianhei.arena.screen import harmless

    return harmless(text)


def _json(row: Mapping[str, Any]) -> str:
    """A row as one line; letters that steer a terminal are escaped."""
    text = json.dumps(row, ensure_ascii=False, default=str)
    return text if text == _harmless(text) else json.dumps(row, default=str)


def _print_csv(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    import csv
    import sys

    writer = csv.writer(sys.stdout, lineterminator="\n")
    to_terminal = sys.stdout.isatty()
    writer.writerow(names)
    for row in rows:
        cells = [_cell(value) for value in row]
        writer.writerow([_harmless(cell) if to_terminal else cell for cell in cells])


def _cell(value: Any) -> str:
    """A value in a CSV file, as the exports have it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _print_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    numbers = [all(isinstance(row[place], int | float | None) for row in rows) for place in range(len(names))]
    for name, is_number in zip(names, numbers, strict=True):
        table.add_column(Text(name), justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    Console().print(table)


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return _harmless(" ".join(map(str, value)) if isinstance(value, list) else str(value))
