"""Disks that fail: full, broken, slow to take all, and at the nth thing that is asked of them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from crash.runs import Ran, put
from crash.table import play
from tianhei.transcripts.file import TranscriptError


@dataclass(frozen=True, slots=True)
class Fault:
    """What the disk does: takes ``half`` of a write, fails with ``error`` (0: does not), once or from then on."""

    error: int = 0
    half: bool = False
    lasting: bool = False


SHORT = Fault(half=True)
FAULTS = [Fault(error, half, lasting) for error in (errno.ENOSPC, errno.EIO) for half in (False, True)
          for lasting in (False, True)]  # fmt: skip


class Failing:
    """`os` as the transcript's file sees it, failing at the ``nth`` write, sync or cut."""

    def __init__(self, fault: Fault, nth: int) -> None:
        self.operations = 0
        self._fault = fault
        self._nth = nth

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def _fails(self) -> None:
        """One operation more. OSError where it fails; where half of a write is taken, it is the rest that fails."""
        self.operations += 1
        since = self.operations - self._nth - self._fault.half
        if self._fault.error and (since == 0 or (self._fault.lasting and since > 0)):
            raise OSError(self._fault.error, os.strerror(self._fault.error))

    def write(self, file: int, data: bytes) -> int:
        self._fails()
        is_half = self._fault.half and self.operations == self._nth
        return os.write(file, data[: len(data) // 2] if is_half else data)

    def fsync(self, file: int) -> None:
        self._fails()

    def ftruncate(self, file: int, size: int) -> None:
        self._fails()
        os.ftruncate(file, size)


def fail(path: Path, before: bytes, disk: Failing) -> tuple[Ran, TranscriptError | None]:
    """A run from those bytes on that disk, and what it says."""
    put(path, before)
    asked: list[tuple[str, str]] = []
    said = None
    try:
        play(path, "day", lambda name: None, lambda call, prompt: asked.append((call, prompt)), disk)
    except TranscriptError as error:
        said = error
    return Ran("day", before, path.read_bytes(), tuple(asked), False), said


def failures(path: Path, before: bytes, fault: Fault) -> Iterator[tuple[Ran, TranscriptError | None]]:
    """A run for each thing that is asked of the disk, which fails there."""
    for nth in count(1):
        disk = Failing(fault, nth)
        ran = fail(path, before, disk)
        if disk.operations < nth:
            return
        yield ran
