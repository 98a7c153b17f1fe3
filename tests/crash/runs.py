"""What must hold of every run of a game, killed or not, and so of every sequence of kills.

A run depends on nothing but the bytes it finds: sequences of kills that leave the same bytes go on as one.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from crash.points import Disk, Killed, Points, Way
from crash.table import play
from players import canonical
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.file import Contents, TranscriptError, parse
from tianhei.transcripts.game import load
from tianhei.transcripts.replay import verified


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process found and left, and the calls that reached the model: id on the wire, and the prompt's hash."""

    table: str
    before: bytes
    after: bytes
    asked: tuple[tuple[str, str], ...]
    killed: bool
    passed: tuple[str, ...] = ()

    @property
    def in_flight(self) -> list[str]:
        """The calls of whose answers nothing is left."""
        done = answered(self.after)
        return [call for call, _ in self.asked if recorded_as(call) not in done]


Runner = Callable[[Path, bytes, int | None], Ran]
"""Goes on from those bytes, in that file, to the end or to the boundary of that number."""


def runner(way: Way = "raise", table: str = "day", *, power: bool = False, anew: bool = True) -> Runner:
    """Runs that end in that way within this process; ``power``: and the disk loses what was not synced."""

    def run(path: Path, before: bytes, fatal: int | None = None) -> Ran:
        put(path, before)
        asked: list[tuple[str, str]] = []
        points = Points(fatal, way)
        disk = Disk(points.at, path)
        try:
            play(path, table, points.at, lambda call, prompt: asked.append((call, prompt)), disk, anew=anew)
        except (Killed, TranscriptError):  # another seat may be the first to say that the file is broken off
            if not points.ended:
                raise
            if power:
                os.truncate(path, disk.synced)
        else:
            assert not points.ended, "it went on behind its end"
        return Ran(table, before, path.read_bytes(), tuple(asked), points.ended, tuple(points.passed))

    return run


def put(path: Path, data: bytes) -> None:
    """Let there be a new file with those bytes; without any there is none."""
    path.unlink(missing_ok=True)
    if data:
        path.write_bytes(data)


@dataclass(frozen=True, slots=True)
class Whole:
    """A game as it goes where nothing breaks it."""

    ran: Ran
    final: Mapping[str, Any]
    tokens: Mapping[str, int]


@cache
def whole(table: str = "day") -> Whole:
    """The unbroken game of a table."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "g"
        ran = runner("raise", table)(path, b"", None)
        assert verified(path).startswith("sound, ")
        return Whole(ran, canonical(path), tokens(path))


@lru_cache(64)
def contents(data: bytes) -> Contents:
    """What those bytes hold; asked about the same ones again and again."""
    return parse(data)


def recorded_as(call: str) -> str:
    """A call's id in the transcript, by its id on the wire."""
    return call.rpartition("/")[2]


def answered(data: bytes) -> set[str]:
    """The calls whose answers stand in a transcript."""
    return {line.data["call"] for line in contents(data).lines if line.kind == "call" and "done" in line.data}


def tokens(path: Path) -> Counter[str]:
    """All tokens of a game, folded from its transcript."""
    total: Counter[str] = Counter()
    for line in contents(path.read_bytes()).lines:
        if line.kind == "call" and "done" in line.data:
            total.update(line.data["usage"])
    return total


def check(ran: Ran) -> None:
    """Of any run: nothing good is lost, nothing answered is asked again, and only calls in flight are."""
    found = contents(ran.before)
    assert ran.after.startswith(ran.before[: found.size]), "a whole line is gone"
    if found.lines and found.lines[-1].kind == "end" and found.size == len(ran.before) and not found.lacks_newline:
        assert ran.after == ran.before, "a finished game was touched"
    assert len(set(ran.asked)) == len(ran.asked), "one run asked twice"
    assert set(ran.asked) <= set(whole(ran.table).ran.asked), "a call with another id, or in other words"
    assert not answered(ran.before) & {recorded_as(call) for call, _ in ran.asked}, "an answer was bought again"
    waves = {call.rpartition(".")[0] for call in ran.in_flight}
    seats = {call.partition("#")[0] for call in ran.in_flight}
    assert len(waves) <= 1 and len(seats) == len(ran.in_flight), f"more than one call of a seat is lost: {seats}"


def check_end(path: Path, ran: Ran) -> None:
    """Of a run that came to the end: it is the end of the unbroken game, and cost no more than what was lost."""
    check(ran)
    known, had = whole(ran.table), answered(ran.before)
    assert set(ran.asked) == {one for one in known.ran.asked if recorded_as(one[0]) not in had}
    assert canonical(path) == known.final
    assert tokens(path) == known.tokens
    recorded = load(path)
    for sent, prompt in zip(recorded.sent, prompts_sent(recorded.sent), strict=True):
        assert sent["hash"] == prompt.hash


def check_syncs(disk: Disk) -> None:
    """What was bought is on the disk before it has an effect: a reply, a wave, or another call for the same request."""
    done: dict[str, int] = {}
    size = 0
    for synced, raw in disk.writes:
        size += len(raw)
        line = json.loads(raw)
        if "done" in line:
            done[line["call"]] = size
            continue
        replies = [line, *(reply for reply in line.get("replies", ()) if isinstance(reply, dict))]
        requests = {reply["request"] for reply in replies if "request" in reply} | {line.get("call", "").split("#")[0]}
        for call, end in done.items():
            assert end <= synced or call.split("#")[0] not in requests, f"{call} was not synced before {raw!r}"


def deaths(run: Runner, path: Path, before: bytes) -> Iterator[Ran]:
    """A run that is killed for each boundary on the way from those bytes; the one that no boundary kills is checked."""
    fatal = 0
    while (ran := run(path, before, fatal)).killed:
        yield ran
        fatal += 1
    check_end(path, ran)


def killed(run: Runner, path: Path, files: Counter[bytes]) -> tuple[Counter[bytes], int]:
    """One kill more, at every boundary, from files that so many sequences left; and how many runs that took."""
    left: Counter[bytes] = Counter()
    runs = 0
    for before, sequences in files.items():
        for ran in deaths(run, path, before):
            check(ran)
            left[ran.after] += sequences
            runs += 1
    return left, runs


def kill(run: Runner, path: Path, times: int, part: int = 0, parts: int = 1) -> str:
    """Every sequence of so many kills; of the files that the first leaves, one part. What was tried, in figures."""
    files, runs = killed(run, path, Counter({b"": 1}))
    files = Counter(dict(list(files.items())[part::parts]))
    for _ in range(times - 1):
        files, more = killed(run, path, files)
        runs += more
    for before in files:
        check_end(path, run(path, before, None))
    return f"{files.total():,} sequences of {times} kills, by {runs:,} runs; they left {len(files):,} different files"
