"""The command ``tianhei score``: the card of every player of some games, from their transcripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tianhei.arena.choosing import usual_lang
from tianhei.arena.running import clear_errors, say

if TYPE_CHECKING:
    from rich.console import Console

    from tianhei.arena.tournament.ratings import Ratings
    from tianhei.prompts.vocabulary import Lang
    from tianhei.transcripts.columns.schema import Tables
    from tianhei.transcripts.metrics.card import Group, Row, Tally
    from tianhei.transcripts.metrics.outcome import Played
    from tianhei.transcripts.metrics.trio import Trio

BATCH = 250
"""Games whose tables are in memory at a time."""
EXPORTED_BATCH = 2_000
"""The same where they are read from tables."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--by", type=click.Choice(("model", "side", "role")), default="model", show_default=True,
              help="What figures are kept apart by: the model alone, with its side, or with its role.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--parquet", metavar="FILE", type=click.Path(path_type=Path), help="Write the figures to this file.")
@click.option("--all", "everything", is_flag=True, help="Print figures without data, and those beside the core, too.")
@click.option("--taken-over", is_flag=True, help="Keep seats that somebody else took over.")
@click.option("--resamples", type=click.IntRange(min=100), default=2000, show_default=True, metavar="N",
              help="How often boards are drawn anew for the intervals.")  # fmt: skip
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
    lang: Lang | None,
) -> None:
    """How well the players of these games voted, reasoned, deceived and detected; each figure beside its chance.

    PATHS are transcripts, folders of them, or folders that export wrote as parquet or hf.
    """
    from tianhei.transcripts.metrics.card import Tally
    from tianhei.transcripts.metrics.trio import trio

    tally = Tally(taken_over=taken_over)
    for tables in read_tables(paths):
        tally.add(tables)
    if not tally.games and not tally.boards:
        raise click.ClickException("no game among these files came to its end: there is nothing to score")
    rows, ratings, trios = tally.rows(by, resamples=resamples), rated(tally.games), trio(tally.games)
    if parquet:
        write_parquet(rows, parquet)
    if as_json:
        click.echo(json.dumps(to_json(tally, rows, ratings, trios), indent=2, ensure_ascii=False))
    else:
        print_card(tally, rows, ratings, trios, lang or usual_lang(), taken_over=taken_over, everything=everything)


def read_tables(paths: Sequence[Path]) -> Iterator[Tables]:
    """The tables of games, some at a time: of transcripts, or of one exported folder. What cannot be read is named."""
    from tianhei.transcripts.columns.gather import read_games
    from tianhei.transcripts.columns.schema import concat
    from tianhei.transcripts.file import files_of

    for path in paths:
        for folder in (path, path / "data"):
            if (folder / "games.parquet").exists():
                yield from exported(folder)
    seen: set[str] = set()

    def games() -> Iterator[Tables]:
        for path in files_of(paths):
            tables, damaged = read_games([path])
            for error in damaged:
                say(f"left out: {error}")
            if not seen.isdisjoint(tables["games"]["game"]):
                say(f"left out: {path} holds a game that was read before")
            elif tables["games"]["game"]:
                seen.update(tables["games"]["game"])
                yield tables

    each = games()
    while batch := list(islice(each, BATCH)):
        yield concat(batch)


def exported(folder: Path) -> Iterator[Tables]:
    """The tables of a folder of parquet files, some games at a time."""
    import duckdb

    from tianhei.transcripts.columns.gather import quoted
    from tianhei.transcripts.columns.schema import TABLES

    with duckdb.connect() as base:
        for name in TABLES:
            base.execute(f"create view {name} as from read_parquet({quoted(folder / f'{name}.parquet')})")
        games = [game for (game,) in base.execute("select game from games").fetchall()]
        for start in range(0, len(games), EXPORTED_BATCH):
            found: Tables = {}
            for name, table in TABLES.items():
                columns = ", ".join(f'"{column}"' for column in table.names)
                query = f"select {columns} from {name} where list_contains($1, game)"
                rows = base.execute(query, [games[start : start + EXPORTED_BATCH]]).fetchall()
                values = list(zip(*rows, strict=True)) or [()] * len(table.names)
                found[name] = {column: list(each) for column, each in zip(table.names, values, strict=True)}
            yield found


def rated(games: Sequence[Played]) -> Ratings | str:
    """The ratings of all players, or why there are none."""
    from tianhei.arena.tournament import ratings

    results: Mapping[str, ratings.Result] = {"good": "good", "killers": "killers", "draw": "draw"}
    if len({name for one in games for name in (*one.town, *one.killers)}) == 1:
        return "one player alone"
    try:
        return ratings.rate([
            ratings.Played(one.table, one.board, one.town, one.killers, results[one.winner]) for one in games
        ])  # fmt: skip
    except ValueError as error:
        return str(error)


def efficient(rows: Iterable[Row], ratings: Ratings | str) -> list[str]:
    """Players than whom nobody is both as strong and as cheap, of those whose costs are known: the strongest first."""
    if isinstance(ratings, str):
        return []
    costs = {row.group.name: row.value for row in rows if row.code == "I3" and row.value is not None}
    points = {name: (ratings.overall[name].value, -cost) for name, cost in costs.items() if name in ratings.overall}
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

    clean = rated([one for one in tally.games if one.clean])
    return {
        "games": len(tally.games), "boards": tally.boards, "left_out": tally.left_out, "taken_over": tally.taken_over,
        "figures": [row.to_json() for row in rows],
        "ratings": ratings if isinstance(ratings, str) else ratings_to_json(ratings),
        "ratings_clean": clean if isinstance(clean, str) else ratings_to_json(clean),
        "efficient": efficient(rows, ratings),
        "trio": {name: asdict(one) for name, one in trios.items()},
    }  # fmt: skip


def write_parquet(rows: Iterable[Row], path: Path) -> None:
    """The rows as a columnar file, by DuckDB."""
    import duckdb

    with duckdb.connect() as base:
        base.execute(
            "create table card (name varchar, side varchar, role varchar, code varchar, figure varchar, "
            "family varchar, unit varchar, value double, low double, high double, chance double, n double, "
            "boards bigint)"
        )
        if values := [(*row.group, *row[1:]) for row in rows]:
            base.executemany(f"insert into card values ({', '.join('?' * len(values[0]))})", values)
        quoted = str(path).replace("'", "''")
        base.execute(f"copy card to '{quoted}' (format parquet, compression zstd)")


def print_card(
    tally: Tally, rows: Sequence[Row], ratings: Ratings | str, trios: Mapping[str, Trio], lang: Lang, *,
    taken_over: bool, everything: bool,
) -> None:  # fmt: skip
    """Print a table for each player."""
    from rich.text import Text

    from tianhei.arena.screen import console_for
    from tianhei.arena.tournament.power import LEAST_BOARDS, RANKING_BOARDS
    from tianhei.prompts.vocabulary import Vocabulary, texts_of

    said, console = texts_of(lang, "score"), console_for()
    console.print(Text(said["games"].format(games=f"{len(tally.games):,}", boards=f"{tally.boards:,}"), "bold"))
    if tally.left_out:
        console.print(Text(said["left_out"].format(count=f"{tally.left_out:,}"), "dim"))
    if tally.taken_over:
        kept = "taken_over_kept" if taken_over else "taken_over"
        console.print(Text(said[kept].format(count=f"{tally.taken_over:,}"), "dim"))
    if tally.boards < RANKING_BOARDS:
        key, least = ("few_boards", LEAST_BOARDS) if tally.boards < LEAST_BOARDS else ("narrow", RANKING_BOARDS)
        console.print(Text(said[key].format(boards=least), "dim"))
    if isinstance(ratings, str):
        console.print(Text(said["unranked"].format(why=ratings), "dim"))
    from tianhei.transcripts.metrics.catalogue import METRICS

    core = {metric.code for metric in METRICS if metric.is_core} | {"I2", "O1s", "O3s"}
    vocabulary = Vocabulary(lang)
    for group, held in groupby(rows, key=lambda row: row.group):
        shown = [row for row in held if everything or (row.value is not None and row.code in core)]
        if shown:
            _print_group(console, said, _title(group, said, vocabulary), shown)
            if not (group.side or group.role):
                _print_strengths(console, said, group.name, ratings, trios)
    if best := efficient(rows, ratings):
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
                f"{row.n:,.0f}",
                said.get(f"unit.{row.of}", row.of),
            )  # fmt: skip
    console.print(grid)


def _print_strengths(
    console: Console, said: Mapping[str, str], name: str, ratings: Ratings | str, trios: Mapping[str, Trio]
) -> None:
    """The ratings of a player, and its parts as killer, police and civilian where those were apart."""
    from rich.text import Text

    lines: list[str] = []
    if not isinstance(ratings, str) and name in ratings.overall:
        for key, found in (("overall", ratings.overall), ("killers", ratings.killer), ("town", ratings.town)):
            one = found[name]
            lines.append(f"  O2   {said[key]} {one.value:+.0f} ({one.low:+.0f} … {one.high:+.0f})")
    if name in trios:
        for key, interval in trios[name].intervals.items():
            ends = f" ({interval[0]:.2f} … {interval[1]:.2f})" if interval else ""
            lines.append(f"  O5   {said[key]} {getattr(trios[name], key):.2f}{ends}")
    for line in lines:
        console.print(Text(line))
