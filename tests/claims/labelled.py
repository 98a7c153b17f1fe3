"""The sentences that readers label: ours stand in ``sentences/*.jsonl``, those of other people's games by place only.

A sentence of another's game is given by its file, its place there and a hash of its words; it is read in place, from
the folder that the variable TIANHEI_GAMES names, and left out where that is not set.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang

HERE = Path(__file__).parent
GAMES = "TIANHEI_GAMES"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what its readers are told; ``cluster`` is the game or the author that it comes from."""

    id: str
    text: str
    before: str
    speaker: Seat
    seats: int
    names: Mapping[str, Seat]
    rule_game: str
    source: str
    cluster: str
    meant: str
    """The phenomenon that the sentence was written for; empty where it was not written for one."""


def sentences(lang: Lang) -> list[Sentence]:
    """All sentences of a language whose words can be had here."""
    found: list[Sentence] = []
    for line in (HERE / "sentences" / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if "file" in row:
            place = _games()
            if place is None:
                continue
            row |= _in_place(place / row["file"], row)
        told = row["speaker"], row["seats"], row.get("names", {}), row["rule_game"]
        origin = row["source"], row["cluster"], row.get("meant", "")
        found.append(Sentence(row["id"], row["text"], row.get("before", ""), *told, *origin))
    return found


def digest(text: str) -> str:
    """The hash by which a sentence is known again."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _games() -> Path | None:
    named = os.environ.get(GAMES)
    return Path(named) if named else None


def _in_place(path: Path, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The words of a sentence of another's game; ValueError where the file is not the one that was labelled."""
    said = speeches(path)[row["speech"]]
    text = said[slice(*row["at"])]
    if digest(text) != row["hash"]:
        raise ValueError(f"{path}: {row['speech']} does not hold the sentence {row['id']}")
    return {"text": text, "before": said[slice(*row["before_at"])], "names": names(path)}


@cache
def speeches(path: Path) -> Mapping[str, str]:
    """All speeches of a file by their key (a recording's title, or a line's number)."""
    if path.suffix == ".json":
        audio = json.loads(path.read_text(encoding="utf-8"))["audio"]
        return {title: part["text"] for title, part in audio.items()}
    return {number: parts[5].strip() for number, parts in _records(path) if parts[1] == "talk"}


@cache
def names(path: Path) -> Mapping[str, Seat]:
    """By name, the seats of a game whose players have names."""
    if path.suffix == ".json":
        return {}
    return {parts[5].rpartition(",")[2]: int(parts[2]) for _, parts in _records(path) if parts[1] == "status"}


def _records(path: Path) -> list[tuple[str, list[str]]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(str(number), parts) for number, line in enumerate(lines, 1) if len(parts := line.split(",", 5)) == 6]
