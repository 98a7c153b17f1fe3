"""The command ``tianhei score``: the card of every player of some games, from their transcripts."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tianhei.arena.choosing import usual_lang
from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from rich.console import Console

    from tianhei.arena.tournament.ratings import Ratings
    from tianhei.prompts.vocabulary import Lang
    from tianhei.transcripts.columns.schema import Tables
    from tianhei.transcripts.metrics.card import Group, Row, Summed, Tally
    from tianhei.transcripts.metrics.games import Played
    from tianhei.transcripts.metrics.trio import Trio

BATCH = 100
"""Games whose tables a process has in memory at a time."""
EXPORTED_BATCH = 500
"""The same where they are read from tables."""
LEAST = 20
"""Games that a process of their own is worth."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--by", type=click.Choice(("model", "side", "role")), default="model", show_default=True,
              help="What figures are kept apart by: the model alone, with its side, or with its role.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--parquet", metavar="FILE", type=click.Path(path_type=Path), help="Write the figures to this file.")
@click.option("--all", "everything", is_flag=True, help="Print figures without data, and those beside the core, too.")
@click.option("--taken-over", is_flag=True, help="Count seats that somebody else took over, too.")
@click.option("--resamples", type=click.IntRange(min=100), default=2000, show_default=True, metavar="N",
              help="How often boards are drawn anew for the intervals.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes. Default: one for each core.")
@click.option("-l", "--lang", type=click.Choice(("en", "zh")), help="Language. Default: the environment's.")
@clear_errors
def score(
    paths: tuple[Path, ...],
    by: Literal["model", "side", "role"],
    as_json: bool,
    parquet: Path | None,
    everything: bool,
    taken_over: bool,
    resamples: int,
    jobs: int | None,
    lang: Lang | None,
) -> None:
    """How well the players of these games voted, reasoned, deceived and detected; each figure beside its chance.

    PATHS are transcripts, folders of them, or folders that export wrote as parquet or hf.
    """
    from tianhei.transcripts.metrics.card import Twice
    from tianhei.transcripts.metrics.trio import trio

    try:
        tally = tallied(paths, taken_over=taken_over, jobs=jobs)
    except Twice as error:
        raise click.ClickException(str(error)) from None
    if not tally.games and not tally.boards:
        raise click.ClickException("no game among these files came to its end: there is nothing to score")
    rows, ratings, trios = tally.rows(by, resamples=resamples), rated(tally.rated), trio(tally.rated)
    if parquet:
        write_parquet(rows, parquet)
    if as_json:
        click.echo(json.dumps(to_json(tally, rows, ratings, trios), indent=2, ensure_ascii=False))
    else:
        print_card(tally, rows, ratings, trios, lang or usual_lang(), everything=everything)


def tallied(paths: Sequence[Path], *, taken_over: bool = False, jobs: int | None = None) -> Tally:
    """The sums of games: of transcripts, or of exported folders. What cannot be read, or comes again, is named."""
    from tianhei.transcripts.columns.gather import in_turn
    from tianhei.transcripts.file import files_of
    from tianhei.transcripts.metrics.card import Tally

    tally = Tally(taken_over=taken_over)
    for path in paths:
        for folder in (path, path / "data"):
            if (folder / "games.parquet").exists():
                for tables in exported(folder):
                    tally.add(tables)
    copies: dict[str, list[Path]] = {}
    for path in files_of(paths):
        copies.setdefault(_game_of(path), []).append(path)
    games = list(copies.values())
    processes = max(1, min(jobs or os.cpu_count() or 1, len(games) // LEAST))
    size = min(BATCH, -(-len(games) // processes)) or 1
    parts = ((games[start : start + size], tally.heard) for start in range(0, len(games), size))
    for told, batch in in_turn(partial(_summed, taken_over=taken_over), parts, processes):
        for line in told:
            say(f"left out: {line}")
        tally.take(batch)
    return tally


def _game_of(path: Path) -> str:
    """The id of a file's game, as its first line has it; the path where there is none."""
    from tianhei.transcripts.file import from_bytes

    try:
        with path.open("rb") as file:
            return str(from_bytes(file.readline())["game"])
    except (OSError, ValueError, LookupError, TypeError):
        return str(path)


def _summed(part: tuple[Sequence[Sequence[Path]], Collection[str]], taken_over: bool) -> tuple[list[str], Summed]:
    """The sums of some games, each of which one or several files hold, and what was left out."""
    from tianhei.transcripts.columns.gather import read_games
    from tianhei.transcripts.columns.schema import concat
    from tianhei.transcripts.metrics.card import summed

    games, heard = part
    found: list[Tables] = []
    told: list[str] = []
    for copies in games:
        is_read = False
        for path in copies:
            if is_read:
                told.append(f"{path} holds a game that was read before")
                continue
            tables, damaged = read_games([path])
            told += damaged
            if is_read := not damaged:
                found.append(tables)
    return told, summed(concat(found), taken_over=taken_over, heard=heard)


def exported(folder: Path) -> Iterator[Tables]:
    """The tables of a folder of parquet files, some games at a time."""
    import duckdb

    from tianhei.transcripts.columns.gather import quoted
    from tianhei.transcripts.columns.schema import TABLES

    with duckdb.connect() as base:
        for name in TABLES:
            base.execute(f"create view {name} as from read_parquet({quoted(folder / f'{name}.parquet')}, "
                         "file_row_number = true)")  # fmt: skip
        base.execute("create table batches as select game, file_row_number // $1 as batch from games",
                     [EXPORTED_BATCH])  # fmt: skip
        for (batch,) in base.execute("select distinct batch from batches order by batch").fetchall():
            found: Tables = {}
            for name, table in TABLES.items():
                columns = ", ".join(f'"{column}"' for column in table.names)
                query = (f"select {columns} from {name} where game in (select game from batches where batch = $1) "
                         "order by file_row_number")  # fmt: skip
                rows = base.execute(query, [batch]).fetchall()
                values = list(zip(*rows, strict=True)) or [()] * len(table.names)
                found[name] = {column: list(each) for column, each in zip(table.names, values, strict=True)}
            yield found


def rated(games: Sequence[Played]) -> Ratings | str:
    """The ratings of all players, or why there are none."""
    from tianhei.arena.tournament import ratings

    results: Mapping[str, ratings.Result] = {"good": "good", "killers": "killers", "draw": "draw"}
    found = [ratings.Played(one.table, one.board, one.town, one.killers, results[one.winner]) for one in games]
    if not found:
        return "no game is left that rates anybody"
    if len({name for one in found for name in (*one.town, *one.killers)}) == 1:
        return "one player alone"
    try:
        return ratings.rate(found)
    except ValueError as error:
        return str(error)


def unknown(games: Iterable[Played]) -> set[tuple[str, str]]:
    """Players and ratings of which games tell nothing: of a side held on no board or one alone; overall, of either."""
    boards: dict[tuple[str, str], set[str]] = {}
    for one in games:
        for kind, names in (("killer", one.killers), ("town", one.town)):
            for name in set(names):
                held = boards.setdefault((name, kind), set())
                if len(held) < 2:
                    held.add(one.board)
    found = {(name, kind) for name, _ in boards for kind in ("killer", "town") if len(boards.get((name, kind), ())) < 2}
    return found | {(name, "overall") for name, _ in found}


def efficient(rows: Iterable[Row], ratings: Ratings | str, unrated: Collection[tuple[str, str]] = ()) -> list[str]:
    """Players than whom nobody is both as strong and as cheap, of those whose costs are known: the strongest first."""
    if isinstance(ratings, str):
        return []
    costs = {row.group.name: row.value for row in rows if row.code == "I3" and row.value is not None}
    points = {name: (ratings.overall[name].value, -cost) for name, cost in costs.items()
              if name in ratings.overall and (name, "overall") not in unrated}  # fmt: skip
    best = [
        name for name, (strength, cheap) in points.items()
        if not any(other >= strength and less >= cheap and (other, less) != (strength, cheap)
                   for other, less in points.values())
    ]  # fmt: skip
    return sorted(best, key=lambda name: -points[name][0])


def to_json(tally: Tally, rows: Sequence[Row], ratings: Ratings | str, trios: Mapping[str, Trio]) -> dict[str, Any]:
    """All of it as plain data."""
    from dataclasses import asdict

    from tianhei.arena.tournament.ratings import to_json as ratings_to_json

    of_clean = [one for one in tally.rated if one.clean]
    clean, unrated = rated(of_clean), unknown(tally.rated)

    def known(ratings: Ratings, unrated: Collection[tuple[str, str]]) -> dict[str, Any]:
        found = ratings_to_json(ratings)
        for name, kind in unrated:
            found["players"][name][kind] = None
            found["players"][name]["ranks"] = None
        return found

    return {
        "games": len(tally.games), "boards": tally.boards, "left_out": tally.left_out, "taken_over": tally.taken_over,
        "not_rated": len(tally.games) - len(tally.rated),
        "figures": [row.to_json() for row in rows],
        "ratings": ratings if isinstance(ratings, str) else known(ratings, unrated),
        "ratings_clean": clean if isinstance(clean, str) else known(clean, unknown(of_clean)),
        "efficient": efficient(rows, ratings, unrated),
        "trio": {name: asdict(one) for name, one in trios.items()},
    }  # fmt: skip


def write_parquet(rows: Iterable[Row], path: Path) -> None:
    """The rows as a columnar file, by DuckDB."""
    import duckdb

    from tianhei.transcripts.columns.gather import quoted

    with duckdb.connect() as base:
        base.execute(
            "create table card (name varchar, side varchar, role varchar, code varchar, figure varchar, "
            "family varchar, unit varchar, value double, low double, high double, chance double, n double, "
            "boards bigint)"
        )
        if values := [(*row.group, *row[1:]) for row in rows]:
            base.executemany(f"insert into card values ({', '.join('?' * len(values[0]))})", values)
        base.execute(f"copy card to {quoted(path)} (format parquet, compression zstd)")


def print_card(
    tally: Tally, rows: Sequence[Row], ratings: Ratings | str, trios: Mapping[str, Trio], lang: Lang, *,
    everything: bool,
) -> None:  # fmt: skip
    """Print a table for each player."""
    from rich.text import Text

    from tianhei.arena.screen import console_for
    from tianhei.arena.tallies import taken_over_note
    from tianhei.arena.tournament.power import LEAST_BOARDS, RANKING_BOARDS
    from tianhei.prompts.vocabulary import Vocabulary, texts_of
    from tianhei.transcripts.metrics.catalogue import METRICS

    said, console = texts_of(lang, "score"), console_for()
    console.print(Text(said["games"].format(games=f"{len(tally.games):,}", boards=f"{tally.boards:,}"), "bold"))
    if tally.left_out:
        console.print(Text(said["left_out"].format(count=f"{tally.left_out:,}"), "dim"))
    if note := taken_over_note(tally.taken_over, lang, kept=tally.keeps_taken_over):
        console.print(Text(note, "dim"))
    if others := len(tally.games) - len(tally.rated):
        console.print(Text(said["not_rated"].format(count=f"{others:,}"), "dim"))
    if tally.boards < RANKING_BOARDS:
        key, least = ("few_boards", LEAST_BOARDS) if tally.boards < LEAST_BOARDS else ("narrow", RANKING_BOARDS)
        console.print(Text(said[key].format(boards=least), "dim"))
    if isinstance(ratings, str):
        console.print(Text(said["unranked"].format(why=ratings), "dim"))
    unrated = unknown(tally.rated)
    core = {metric.code for metric in METRICS if metric.is_core} | {"I2", "O1s", "O3s"}
    vocabulary = Vocabulary(lang)
    for group, held in groupby(rows, key=lambda row: row.group):
        shown = [row for row in held if everything or (row.value is not None and row.code in core)]
        if shown:
            _print_group(console, said, _title(group, said, vocabulary), shown)
            if not (group.side or group.role):
                _print_strengths(console, said, group.name, ratings, trios, unrated)
    if best := efficient(rows, ratings, unrated):
        console.print(Text(said["efficient"].format(names=", ".join(best)), "bold"))


def _title(group: Group, said: Mapping[str, str], vocabulary: Any) -> str:
    side = said.get(f"side.{group.side}", group.side)
    role = vocabulary.texts.get(f"role.{group.role}", group.role)
    return " · ".join(filter(None, (group.name, side, role)))


def _print_group(console: Console, said: Mapping[str, str], title: str, rows: Iterable[Row]) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, padding=(0, 1), header_style="bold", title=Text(title, "bold cyan"), title_justify="left")
    grid.add_column(said["figure"])
    for name in ("value", "interval", "chance", "n"):
        grid.add_column(said[name], justify="right")
    grid.add_column(said["of"], style="dim")
    for family, held in groupby(rows, key=lambda row: row.family):
        grid.add_row(Text(said[f"family.{family}"], "italic"))
        for row in held:
            interval = "" if row.low is None or row.high is None else f"{row.low:.3f} … {row.high:.3f}"
            grid.add_row(
                Text(f"  {row.code:<4} {said[f'metric.{row.code}']}"),
                Text(said["none"] if row.value is None else f"{row.value:.3f}",
                     "bold" if row.is_off_chance else ""),
                interval,
                "" if row.chance is None else f"{row.chance:.3f}",
                counted(row.n),
                said.get(f"unit.{row.of}", row.of),
            )  # fmt: skip
    console.print(grid)


def counted(number: float) -> str:
    """A count; of what is shared among seats a part may be no whole number."""
    return f"{number:,.0f}" if number == round(number) else f"{number:,.2f}"


def _print_strengths(
    console: Console, said: Mapping[str, str], name: str, ratings: Ratings | str, trios: Mapping[str, Trio],
    unrated: Collection[tuple[str, str]],
) -> None:  # fmt: skip
    """The ratings of a player, and its parts as killer, police and civilian where those were apart."""
    from rich.text import Text

    lines: list[str] = []
    if not isinstance(ratings, str) and name in ratings.overall:
        for key, kind in (("overall", "overall"), ("killers", "killer"), ("town", "town")):
            one = getattr(ratings, kind)[name]
            known = f"{one.value:+.0f} ({one.low:+.0f} … {one.high:+.0f})"
            lines.append(f"  O2   {said[key]} {said['none'] if (name, kind) in unrated else known}")
    if name in trios:
        for key, interval in trios[name].intervals.items():
            ends = f" ({interval[0]:.2f} … {interval[1]:.2f})" if interval else ""
            lines.append(f"  O5   {said[key]} {getattr(trios[name], key):.2f}{ends}")
    for line in lines:
        console.print(Text(line))
