"""The boundaries of a process that plays a game: each has a name and a number, and at any of them it can end."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

Way = Literal["raise", "gone", "SIGKILL"]
"""How it ends: by an exception behind which it still cleans up; so that nothing it does has an effect any more, as
after SIGKILL; by SIGKILL itself."""


class Killed(BaseException):
    """The process ends here."""


class Points:
    """The boundaries passed so far, by name; the process ends at the one numbered ``fatal``."""

    def __init__(self, fatal: int | None = None, way: Way = "raise") -> None:
        self.passed: list[str] = []
        self._fatal = fatal
        self._way = way

    @property
    def ended(self) -> bool:
        return self._fatal is not None and len(self.passed) > self._fatal

    def at(self, name: str) -> None:
        """A boundary is reached."""
        if self.ended and self._way == "gone":
            raise Killed(name)
        self.passed.append(name)
        if len(self.passed) - 1 == self._fatal:
            if self._way == "SIGKILL":
                os.kill(os.getpid(), signal.SIGKILL)
            raise Killed(name)


class Disk:
    """`os` as the transcript's file sees it, with a boundary before, within and after whatever changes the disk.

    ``synced`` is how much of the file a power cut leaves, and ``writes`` are the lines with how much that was before
    each; nothing is really synced, so that it takes no time.
    """

    def __init__(self, at: Callable[[str], None], path: Path) -> None:
        self._at = at
        self.writes: list[tuple[int, bytes]] = []
        self.synced = path.stat().st_size if path.exists() else 0

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, file: int, data: bytes) -> int:
        line, done = _named(data), 0
        self.writes.append((self.synced, data))
        for moment, size in (("not written", 0), ("half", len(data) // 2), ("no newline", len(data) - 1)):
            done += os.write(file, data[done:size])
            self._at(f"{line}: {moment}")
        done += os.write(file, data[done:])
        self._at(f"{line}: written")
        return done

    def fsync(self, file: int) -> None:
        self._at("sync: before")
        self.synced = os.fstat(file).st_size
        self._at("sync: after")

    def ftruncate(self, file: int, size: int) -> None:
        self._at("cut: before")
        os.ftruncate(file, size)
        self.synced = min(self.synced, size)
        self._at("cut: after")


def _named(data: bytes) -> str:
    """What is written: a line by its kind, several lines, or the newline that one lacked."""
    if data.count(b"\n") > 1:
        return "lines"
    if data == b"\n":
        return "newline"
    fields = json.loads(data)
    if fields["line"] != "call":
        return str(fields["line"])
    return next((name for name in ("done", "failed", "try") if name in fields), "sent")
