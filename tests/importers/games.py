"""Imported games for tests: the small files beside, and what stands in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

from tianhei.arena.events import Body, Event, Foreign
from tianhei.transcripts.file import parse
from tianhei.transcripts.game import Recording, recording
from tianhei.transcripts.importers import Imported, read_file

SMALL = Path(__file__).parent / "small"
ARENA = SMALL / "werewolf_arena" / "game_complete.json"
KAGGLE, FANLANG = SMALL / "kaggle.json", SMALL / "fanlang9.json"
AIWOLF = tuple(SMALL / f"aiwolf.{ending}" for ending in ("log", "jsonl", "json"))
EVERY = (ARENA, KAGGLE, FANLANG, *AIWOLF)
GAMES = "TIANHEI_GAMES"
T = TypeVar("T", bound=Body)


def imported(path: Path) -> Imported:
    """The game of a file, which must be of a known kind."""
    found = read_file(path)
    assert found is not None
    return found


def loaded(path: Path) -> Recording:
    """The game of a file, written as a transcript and read again."""
    return recording(parse(imported(path).to_bytes()), path)


def bodies(recorded: Recording, kind: type[T]) -> list[T]:
    """The events of a kind."""
    return [event.body for event in recorded.events if isinstance(event.body, kind)]


def foreign(recorded: Recording, name: str) -> list[Event]:
    """The events that the source has under this name."""
    return [event for event in recorded.events if isinstance(event.body, Foreign) and event.body.name == name]


def changed(path: Path, target: Path, change: Any) -> Path:
    """A copy of a JSON file after a change to its data."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    target.write_text(json.dumps(data), encoding="utf-8")
    return target


def real_games(folder: str, ending: str) -> list[Path]:
    """Recorded games of others, where the variable TIANHEI_GAMES names a folder of them."""
    root = os.environ.get(GAMES)
    return sorted((Path(root) / folder).glob(f"*{ending}")) if root else []
