"""Files that are cut off or changed: where their lines are, and each of their bits flipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from crash.table import TABLES
from players import bots, play_game
from tianhei.transcripts.file import Damaged, parse

Bounds = tuple[int, int]


def bounds(data: bytes) -> list[Bounds]:
    """Where each line begins and ends, its newline included."""
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def one_of_each(data: bytes) -> dict[str, Bounds]:
    """The bounds of a line of each kind: of those with a Chinese character, where there are any, the shortest."""
    found: dict[str, list[Bounds]] = {}
    for line, (start, end) in zip(parse(data).lines, bounds(data), strict=True):
        kind = "done" if "done" in line.data else "sent" if line.kind == "call" else line.kind
        found.setdefault(kind, []).append((start, end))
    return {kind: min(each, key=lambda one: (data[slice(*one)].isascii(), one[1] - one[0]))
            for kind, each in found.items()}  # fmt: skip


def game_of_size(path: Path, size: int) -> bytes:
    """A finished game of exactly that many bytes; the name of its program fills it up."""
    head = TABLES["bots"].header
    for _ in range(2):
        path.unlink(missing_ok=True)
        play_game(path, head, bots(3, "zh"))
        head = replace(head, program="x" * (size - path.stat().st_size))
    return path.read_bytes()


def flips(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The data with each of its bits flipped in turn, and the number of the line that it is in."""
    changed, line = bytearray(data), 0
    for place, byte in enumerate(data):
        for bit in range(8):
            changed[place] = byte ^ 1 << bit
            yield line, bytes(changed)
        changed[place] = byte
        line += byte == 10


def named(data: bytes) -> int | None:
    """The number of the line that is found damaged."""
    try:
        parse(data)
    except Damaged as damage:
        return damage.number
    return None
