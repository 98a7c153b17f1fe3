"""A disk that is full or fails leaves a file that can be gone on with, and the message says so."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from crash.disks import FAULTS, SHORT, Fault, failures
from crash.runs import check, check_end, runner, whole

RUN = runner()


def states() -> Mapping[str, bytes]:
    """What a run may find: nothing, half a line, a line without its newline."""
    data = whole().ran.after
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    return {"new": b"", "torn": data[: ends[9] - 20], "no newline": data[: ends[10] - 1]}


def named(fault: Fault) -> str:
    where = "the rest of a write" if fault.half else "a write, sync or cut"
    return f"{os.strerror(fault.error)}, {where}, {'from then on' if fault.lasting else 'once'}"


@pytest.mark.parametrize("state", ["new", "torn", "no newline"])
@pytest.mark.parametrize("fault", FAULTS, ids=map(named, FAULTS))
def test_whatever_fails_the_game_stops_with_a_message_and_goes_on(tmp_path: Path, fault: Fault, state: str) -> None:
    path = tmp_path / "g"
    runs = stopped = 0
    for ran, said in failures(path, states()[state], fault):
        runs += 1
        check(ran)
        if said is not None:
            stopped += 1
            assert str(said).startswith(f"{path}: cannot be written: {os.strerror(fault.error)}; ")
            assert str(said).endswith("and resume the game")
        check_end(path, RUN(path, ran.after, None))
    assert stopped >= runs - fault.half, "it went on as if nothing had failed"
    assert runs > 10


@pytest.mark.parametrize("state", ["new", "torn", "no newline"])
def test_a_write_of_which_the_disk_takes_half_is_completed(tmp_path: Path, state: str) -> None:
    path = tmp_path / "g"
    found = list(failures(path, before := states()[state], SHORT))
    whole_file = RUN(path, before, None).after
    assert [(ran.after, said) for ran, said in found] == [(whole_file, None)] * len(found)
    assert len(found) > 10
