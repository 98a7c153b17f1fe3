"""The transcript as a file: numbered JSON lines, each with a CRC-32 chained to the line before; append-only.

A line is ``{"n": number, "line": kind, …, "crc": "8 hex digits"}`` and a newline. The sum covers every byte of the line
before ``,"crc"``, and starts from the sum of the line before; so any changed bit, and any cut inside a line, is found.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from zlib import crc32

import orjson

HELD_AT_MOST = 1 << 16
"""Bytes of lines that may wait to be written together."""
_END = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_END_LENGTH = len(b',"crc":"01234567"}')


def to_bytes(data: Any) -> bytes:
    """Compact JSON in UTF-8; lone surrogates are escaped, so that it stays UTF-8."""
    try:
        return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        return json.dumps(data, separators=(",", ":")).encode()


def from_bytes(raw: bytes) -> Any:
    """What `to_bytes` wrote. ValueError if it is no JSON."""
    try:
        return orjson.loads(raw)
    except ValueError:  # lone surrogates, or no JSON
        try:
            return json.loads(raw)
        except RecursionError:
            raise ValueError("it is nested too deep") from None


class TranscriptError(Exception):
    """A transcript that cannot be read, written or continued; the message says what to do."""


class Damaged(TranscriptError):
    """A transcript whose bytes are not those that were written."""

    def __init__(self, path: Path | str, number: int, what: str) -> None:
        super().__init__(f"{path}: line {number + 1} is damaged: {what}")
        self.number = number


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 0, its kind, and all its fields."""

    number: int
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Contents:
    """A transcript's lines as read. ``tail`` holds the bytes of a torn last line; ``size`` those of whole lines.

    ``lacks_newline`` marks a last line that is whole but for its newline.
    """

    lines: list[Line]
    size: int
    sum: int
    tail: bytes = b""
    lacks_newline: bool = False


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and all transcripts in the folders and below, in order. TranscriptError if one is not there."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.jsonl"))
        elif path.exists():
            yield path
        else:
            raise TranscriptError(f"{path}: there is no such file or folder; name transcripts or folders of them")


def read(path: Path | str, wanted: Callable[[bytes], bool] | None = None) -> Contents:
    """Read and check every line. Damaged names the first that is not as written; a torn last line is returned apart.

    Lines whose bytes are not ``wanted`` are checked alike, by their sum and their number, and left out.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise TranscriptError(f"{path}: {error.strerror or error}") from None
    return parse(data, path, wanted)


def parse(data: bytes, path: Path | str = "transcript", wanted: Callable[[bytes], bool] | None = None) -> Contents:
    """Check the bytes of a transcript; ``path`` only names it in errors."""
    lines: list[Line] = []
    total = size = 0
    *whole, tail = data.split(b"\n")
    for number, raw in enumerate(whole):
        body, total = _summed(raw, total, number, path)
        if wanted is None or wanted(body):
            lines.append(_line(body, number, path))
        elif not body.startswith(b'{"n":%d,' % number):
            raise Damaged(path, number, "it has another number")
        size += len(raw) + 1
    if not tail:
        return Contents(lines, size, total)
    try:
        body, total = _summed(tail, total, len(whole), path)
        line = _line(body, len(whole), path)
    except Damaged:
        if _END.search(tail) or not _begins_line(tail, len(whole)):
            raise
        return Contents(lines, size, total, tail)
    return Contents([*lines, line], size + len(tail), total, lacks_newline=True)


def _begins_line(tail: bytes, number: int) -> bool:
    """Whether a torn line is this one's beginning, as far as it was written; a lost block reads as zeros."""
    start = b'{"n":%d,"line":"' % number
    return start.startswith(tail[: len(start)].rstrip(b"\0"))


def _summed(raw: bytes, before: int, number: int, path: Path | str) -> tuple[bytes, int]:
    """A line without its checksum, which fits, and the sum so far."""
    end = _END.fullmatch(raw[-_END_LENGTH:])
    if end is None:
        raise Damaged(path, number, "it does not end in a checksum")
    body = raw[:-_END_LENGTH]
    total = crc32(body, before)
    if total != int(end[1], 16):
        raise Damaged(path, number, "its checksum does not fit")
    return body, total


def _line(body: bytes, number: int, path: Path | str) -> Line:
    try:
        data = from_bytes(body + b"}")
    except ValueError as error:
        raise Damaged(path, number, f"it is not JSON: {error}") from None
    if data.get("n") != number:
        raise Damaged(path, number, f"it is numbered {data.get('n')}")
    return Line(number, str(data.get("line")), data)


def encode(number: int, kind: str, fields: Mapping[str, Any], before: int) -> tuple[bytes, int]:
    """The bytes of one line, and its sum; ``before`` is the sum of the line before."""
    raw = to_bytes({"n": number, "line": kind, **fields})[:-1]
    total = crc32(raw, before)
    return b'%b,"crc":"%08x"}\n' % (raw, total), total


def chain(lines: Iterator[tuple[str, Mapping[str, Any]]]) -> Iterator[bytes]:
    """Number and sum lines anew, as for a fork or a copy with parts left out."""
    total = 0
    for number, (kind, fields) in enumerate(lines):
        raw, total = encode(number, kind, {k: v for k, v in fields.items() if k not in ("n", "line", "crc")}, total)
        yield raw


class Appender:
    """The one writer of a transcript. Each line is handed to the kernel before `append` returns.

    Where the disk fails, nothing more is written: a later line would not fit what the file holds.
    """

    def __init__(self, path: Path | str) -> None:
        """Open or create the file for writing, and read what it holds (``contents``).

        A torn last line is cut off and a whole one completed (``repaired`` says which). TranscriptError if another
        process writes the file; Damaged if its lines are not as written.
        """
        self.path = Path(path)
        self.repaired = ""
        self._held = b""
        self._broken = ""
        self._turn = Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise TranscriptError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        try:
            self._lock()
            self.contents = read(self.path) if os.fstat(self._file).st_size else Contents([], 0, 0)
            self._number, self._sum, self._size = len(self.contents.lines), self.contents.sum, self.contents.size
            self._repair()
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TranscriptError(f"{self.path}: another process is writing this transcript; wait for it") from None

    def _repair(self) -> None:
        if self.contents.tail:
            with self._changing():
                os.ftruncate(self._file, self._size)
            self.repaired = f"a torn last line of {len(self.contents.tail)} bytes was cut off"
        elif self.contents.lacks_newline:
            self._write(b"\n")
            self.repaired = "the last line lacked its newline"

    @contextmanager
    def _changing(self) -> Generator[None, None, None]:
        """Around whatever changes the disk: TranscriptError if it refuses, and the same ever after."""
        if self._broken:
            raise TranscriptError(self._broken)
        try:
            yield
        except OSError as error:
            advice = "make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "see to the disk"
            self._broken = f"{self.path}: cannot be written: {error.strerror or error}; {advice} and resume the game"
            raise TranscriptError(self._broken) from None
        except BaseException:
            self._broken = f"{self.path}: cannot be written: it was broken off within a line; resume the game"
            raise

    def append(self, kind: str, fields: Mapping[str, Any], *, hold: bool = False) -> int:
        """Write one line and return its number. TranscriptError if the disk refuses; the game can then be resumed.

        ``hold``: the line may wait for later ones, since what it says costs nothing to have again.
        """
        with self._turn:
            raw, total = encode(self._number, kind, fields, self._sum)
            self._held += raw
            self._sum = total
            self._number += 1
            if not hold or len(self._held) >= HELD_AT_MOST:
                self._flush()
            return self._number - 1

    def _flush(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._write(held)

    def _write(self, raw: bytes) -> None:
        done = 0
        with self._changing():
            try:
                while done < len(raw):
                    done += os.write(self._file, raw[done:])
            except OSError:
                if done:
                    os.ftruncate(self._file, self._size)
                raise
        self._size += len(raw)

    def sync(self) -> None:
        """Wait until the disk has it; in another thread, lines may be appended meanwhile.

        TranscriptError if the disk refuses: what the file seems to hold may then be lost.
        """
        with self._turn:
            self._flush()
        with self._changing():
            os.fsync(self._file)

    def close(self) -> None:
        """Write what is held and close the file; it can be opened again."""
        try:
            with self._turn:
                self._flush()
        finally:
            os.close(self._file)
