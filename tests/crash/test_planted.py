"""The proof would notice: each fault that is planted in the writing, reading or repair of files is found."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crash.damage import flips, named
from crash.points import Disk
from crash.runs import check_syncs, kill, runner, whole
from crash.table import play
from tianhei.transcripts import file
from tianhei.transcripts.file import Appender, TranscriptError
from tianhei.transcripts.game import recording

Patch = pytest.MonkeyPatch


def not_cut(patch: Patch) -> None:
    patch.setattr(Appender, "_repair", lambda self: None)


def cut_too_far(patch: Patch) -> None:
    patch.setattr(Appender, "_repair", lambda self: os.ftruncate(self._file, max(0, self._size - 100)))


def torn_lines_kept(patch: Patch) -> None:
    patch.setattr(Appender, "_repair", lambda self: os.write(self._file, b"\n"))


def written_after_a_failure(patch: Patch) -> None:
    patch.setattr(Appender, "_changing", lambda self: nullcontext())


def not_synced(patch: Patch) -> None:
    patch.setattr(Appender, "sync", lambda self: None)


def synced_too_late(patch: Patch) -> None:
    sync, append = Appender.sync, Appender.append

    def late(self: Any, kind: str, fields: Any, **more: Any) -> int:
        number = append(self, kind, fields, **more)
        if kind in ("reply", "wave"):
            sync(self)
        return number

    patch.setattr(Appender, "sync", lambda self: None)
    patch.setattr(Appender, "append", late)


def answers_forgotten(patch: Patch) -> None:
    patch.setattr("tianhei.arena.host.recording", lambda *given: replace(recording(*given), done={}))


def sums_not_checked(patch: Patch) -> None:
    patch.setattr(file, "crc32", lambda data, before=0: 0)


def one_kill(folder: Path) -> None:
    kill(runner("raise", "vote"), folder / "g", 1)


def one_power_cut(folder: Path) -> None:
    kill(runner("gone", power=True), folder / "g", 1)


def order(folder: Path) -> None:
    path = folder / "g"
    path.unlink(missing_ok=True)
    disk = Disk(lambda name: None, path)
    play(path, "day", lambda name: None, lambda call, prompt: None, disk)
    check_syncs(disk)


def bits(folder: Path) -> None:
    runner("raise", "bots")(folder / "g", b"", None)
    assert all(named(changed) == line for line, changed in flips((folder / "g").read_bytes()))


FAULTS: list[tuple[Callable[[Patch], None], Callable[[Path], None]]] = [
    (not_cut, one_kill),
    (cut_too_far, one_kill),
    (torn_lines_kept, one_kill),
    (written_after_a_failure, one_kill),
    (answers_forgotten, one_kill),
    (not_synced, one_power_cut),
    (synced_too_late, order),
    (sums_not_checked, bits),
]


@pytest.mark.parametrize(("plant", "look"), FAULTS, ids=[plant.__name__ for plant, _ in FAULTS])
def test_a_planted_fault_is_found(
    tmp_path: Path, monkeypatch: Patch, plant: Callable[[Patch], None], look: Callable[[Path], None]
) -> None:
    look(tmp_path)
    for table in ("day", "vote", "bots"):
        whole(table)
    plant(monkeypatch)
    with pytest.raises((AssertionError, TranscriptError)):
        look(tmp_path)
