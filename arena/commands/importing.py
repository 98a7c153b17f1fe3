"""The command ``tianhei import``: other arenas' games become transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tianhei.arena.commands.running import clear_errors

if TYPE_CHECKING:
    from tianhei.transcripts.importers import Imported

KINDS = ("werewolf_arena", "kaggle", "aiwolf", "fanlang9")


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where they go.")
@click.option(
    "--from", "kind", type=click.Choice(KINDS), help="What kind of files they are. Default: by their contents."
)
@clear_errors
def import_games(paths: tuple[Path, ...], out: Path, kind: str | None) -> None:
    """Turn other arenas' games into transcripts: werewolf_arena, Kaggle's werewolf, AIWolf's logs, FanLang-9.

    PATHS are files, or folders in which files of a known kind are looked for. What an imported game lacks is left out,
    what has no place here is kept under its own name, and what is not known is kept and named.
    """
    from tianhei.transcripts.importers import NotRead, files_of, read_file

    done = faults = 0
    for path in files_of(iter(paths)):
        try:
            game = read_file(path, kind)
        except NotRead as error:
            faults += 1
            click.echo(str(error), err=True)
            continue
        if game is not None:
            done += 1
            click.echo(_told(path, game, _write(game, path, out)))
        elif path in paths:
            faults += 1
            click.echo(f"{path}: none of the kinds that are known ({', '.join(KINDS)}); name it with --from", err=True)
    if faults:
        raise click.ClickException(f"{faults} files were not imported, {done} were")
    if not done:
        raise click.ClickException(f"nothing to import in {', '.join(map(str, paths))}: no file of a known kind")


def _write(game: Imported, path: Path, out: Path) -> Path:
    from tianhei.transcripts.file import TranscriptError

    target = out / f"{path.stem}-{game.header.game}.jsonl"
    try:
        out.mkdir(parents=True, exist_ok=True)
        target.write_bytes(game.to_bytes())
    except OSError as error:
        raise TranscriptError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target


def _told(path: Path, game: Imported, target: Path) -> str:
    told, source = game.book.told, game.header.source
    counts = ", ".join(
        f"{told[kind]} {name}"
        for kind, name in (("speech", "speeches"), ("ballots", "ballots"), ("foreign", "of its own"))
    )
    line = f"{path}: {source.format if source else ''}, {len(game.header.seats)} seats, {counts} -> {target}"
    if not game.book.unknown:
        return line
    unknown = ", ".join(f"{name} × {count}" for name, count in sorted(game.book.unknown.items()))
    return f"{line}\n  not known here, and kept as it stands: {unknown}"
