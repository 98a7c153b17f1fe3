"""The disk is waited for in a thread of its own, while other lines are written."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tianhei.transcripts import file
from tianhei.transcripts.file import Appender, read

SECONDS = 0.2


class Slow:
    """`os` as the transcript's file sees it; its first write takes until others are done, or some time."""

    def __init__(self) -> None:
        self.begun = Event()
        self.others_done = Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, file: int, data: bytes) -> int:
        if not self.begun.is_set():
            self.begun.set()
            self.others_done.wait(SECONDS)
        return os.write(file, data)


def test_lines_stand_in_their_order_though_another_thread_syncs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "os", slow := Slow())
    written = Appender(tmp_path / "g")
    written.append("note", {"note": "held"}, hold=True)
    thread = Thread(target=written.sync)
    thread.start()
    assert slow.begun.wait(60)
    written.append("note", {"note": "written"})
    slow.others_done.set()
    thread.join()
    written.close()
    assert [line.data["note"] for line in read(tmp_path / "g").lines] == ["held", "written"]
