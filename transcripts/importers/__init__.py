"""Other arenas' games as transcripts: each module reads one kind of file; docs/importing.md says what each gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tianhei.transcripts.importers import aiwolf, fanlang9, kaggle, werewolf_arena
from tianhei.transcripts.importers.common import File, Imported, Importer, NotRead

IMPORTERS: Mapping[str, Importer] = {
    werewolf_arena.KIND: werewolf_arena,
    kaggle.KIND: kaggle,
    aiwolf.KIND: aiwolf,
    fanlang9.KIND: fanlang9,
}
"""Every kind of file that can be imported, by name."""

__all__ = ["IMPORTERS", "File", "Imported", "Importer", "NotRead", "files_of", "read_file"]


def files_of(paths: Iterator[Path]) -> Iterator[Path]:
    """The files to look at: those named, and those in the folders named; what only stands beside a game is none."""
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else (path,)
        yield from (each for each in found if not each.is_dir() and each.name != werewolf_arena.LOGS)


def read_file(path: Path, kind: str | None = None) -> Imported | None:
    """The game of a file, by its kind or, without one, by its contents; None where it is of no kind.

    NotRead where it is of a kind but cannot be read.
    """
    try:
        file = File(path, path.read_bytes())
    except OSError as error:
        raise NotRead(f"{path}: {error.strerror or error}") from None
    importer = IMPORTERS[kind] if kind else next((each for each in IMPORTERS.values() if each.sniff(file)), None)
    if importer is None:
        return None
    try:
        return importer.read(file)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        raise NotRead(f"{path}: it is no {importer.KIND} game that can be read ({what})") from None
