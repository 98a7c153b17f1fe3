"""Processes that are really killed: forked from one that has everything loaded, so that thousands may die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from crash.points import Disk, Points
from crash.runs import Ran, put
from crash.table import play


class Mortals:
    """Processes that go on with a game and end by SIGKILL at a boundary."""

    def __init__(self, table: str = "day") -> None:
        self._table = table

    def __enter__(self) -> Self:
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "crash.mortal"],
            cwd=Path(__file__).resolve().parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._parent.communicate()

    def __call__(self, path: Path, before: bytes, fatal: int | None) -> Ran:
        """One process; it says itself what it asks, so that this is known after its death."""
        assert self._parent.stdin and self._parent.stdout
        put(path, before)
        heard = path.with_suffix(".heard")
        heard.write_bytes(b"")
        print(json.dumps([str(path), self._table, fatal]), file=self._parent.stdin, flush=True)
        status = int(self._parent.stdout.readline())
        assert status in (0, 9), f"it ended by itself: {status}"
        asked = tuple((call, prompt) for call, prompt in map(str.split, heard.read_text().splitlines()))
        return Ran(self._table, before, path.read_bytes(), asked, status == 9)


def live(path: str, table: str, fatal: int | None) -> None:
    """The life of one process."""
    points = Points(fatal, "SIGKILL")
    ledger = os.open(Path(path).with_suffix(".heard"), os.O_WRONLY | os.O_APPEND)
    disk = Disk(points.at, Path(path))
    play(Path(path), table, points.at, lambda call, prompt: os.write(ledger, f"{call} {prompt}\n".encode()), disk)


def main() -> None:
    """A child for each line of standard input; its status on standard output."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            status = 1
            try:
                live(*json.loads(line))
                status = 0
            finally:
                os._exit(status)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
