"""A game that is killed at any boundary goes on to the same end, and buys nothing twice but what was in flight."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from crash.mortal import Mortals
from crash.points import Disk, Points, Way
from crash.runs import (
    answered,
    check,
    check_end,
    check_syncs,
    deaths,
    kill,
    killed,
    recorded_as,
    runner,
    tokens,
    whole,
)
from crash.table import play
from tianhei.transcripts import file
from tianhei.transcripts.file import Appender, TranscriptError, read

WRITES = ("header", "wave", "sent", "done", "reply", "note", "end", "newline")
MOMENTS = ("not written", "half", "no newline", "written")
PARTS = 2
SEQUENCES = 15
RUN = runner()


def test_every_boundary_has_its_name(tmp_path: Path) -> None:
    """Each kind of line before, within and behind its writing, each sync, each cut, each call: all are passed below."""
    data = whole().ran.after
    mended = [RUN(tmp_path / "g", data[:-lost], None) for lost in (1, 5)]
    passed = {name for ran in (whole().ran, *mended) for name in ran.passed}
    written = {f"{line}: {moment}" for line in WRITES for moment in MOMENTS}
    around = {f"{what}: {moment}" for what in ("sync", "cut") for moment in ("before", "after")}
    assert written | around | {"call: sent", "call: received"} <= passed


@pytest.mark.parametrize(("way", "table"), [("raise", "day"), ("raise", "bots"), ("gone", "bots")])
def test_one_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, way: Way) -> None:
    """Also of bots alone, whose lines wait to be written together."""
    monkeypatch.setattr(file, "HELD_AT_MOST", 700)
    kill(runner(way, table), tmp_path / "g", 1)


def test_one_power_cut(tmp_path: Path) -> None:
    """Only what was synced is left: of the answers that cost money, every one but those in flight."""
    kill(runner("gone", power=True), tmp_path / "g", 1)


def test_what_was_bought_is_on_the_disk_before_it_has_an_effect(tmp_path: Path) -> None:
    disk = Disk(lambda name: None, tmp_path / "g")
    play(tmp_path / "g", "day", lambda name: None, lambda call, prompt: None, disk)
    check_syncs(disk)


def test_a_call_is_in_the_file_before_it_leaves(tmp_path: Path) -> None:
    path, left = tmp_path / "g", list[str]()

    def leaves(call: str, prompt: str) -> None:
        left.append(recorded_as(call))
        assert left[-1] in [line.data["call"] for line in read(path).lines if line.data.get("hash") == prompt]

    play(path, "day", lambda name: None, leaves, Disk(lambda name: None, path))
    assert len(left) == len(whole().ran.asked)


@pytest.mark.report("PE-03")
@pytest.mark.parametrize("part", range(PARTS))
def test_every_pair_of_kills(tmp_path: Path, part: int) -> None:
    """The second falls into the resume, its repair among the rest."""
    kill(runner("raise", "vote"), tmp_path / "g", 2, part, PARTS)


def test_a_game_goes_on_without_its_header_given_again(tmp_path: Path) -> None:
    path = tmp_path / "g"
    files, _ = killed(runner("raise", "vote"), path, Counter({b"": 1}))
    for before in files:
        if before.count(b"\n"):
            check_end(path, runner("raise", "vote", anew=False)(path, before, None))


def test_sigkill_at_every_boundary(tmp_path: Path) -> None:
    """A real process leaves the file, and has made the calls, that the one within this process leaves and makes."""
    path, other, left = tmp_path / "g", tmp_path / "h", set[bytes]()
    with Mortals("vote") as mortals:
        for real, within in zip(deaths(mortals, path, b""), deaths(runner("gone", "vote"), other, b""), strict=True):
            check(real)
            assert (real.after, real.asked) == (within.after, within.asked), within.passed[-1]
            left.add(real.after)
    for before in left:
        check_end(path, runner("raise", "vote")(path, before, None))


@pytest.mark.report("PE-03")
def test_sigkill_again_and_again(tmp_path: Path) -> None:
    """Three kills in a row, at boundaries drawn by lot, then the end; then a finished game is let be."""
    path, most = tmp_path / "g", len(whole().ran.passed)
    with Mortals() as mortals:
        for seed in range(SEQUENCES):
            lot, before = Random(seed), b""
            for left in (3, 2, 1):
                ran = mortals(path, before, lot.randrange(most // left))
                check(ran)
                before = ran.after
            ended = mortals(path, before, None)
            check_end(path, ended)
            again = mortals(path, ended.after, None)
            assert (again.after, again.asked) == (ended.after, ())


@pytest.mark.report("PE-C1")
def test_sigkill_at_the_last_vote_of_day_three(tmp_path: Path) -> None:
    """When all other votes are recorded and the last has been asked for: only that call is made again."""
    path, known = tmp_path / "g", whole("three days").ran
    calls = [call for call, _ in known.asked]
    last = max(place for place, call in enumerate(calls) if recorded_as(call).startswith("d3.vote"))
    received = [place for place, name in enumerate(known.passed) if name == "call: received"]
    with Mortals("three days") as mortals:
        ran = mortals(path, b"", received[last])
    check(ran)
    assert ran.killed and ran.in_flight == [calls[last]]
    after = runner("raise", "three days")(path, ran.after, None)
    check_end(path, after)
    assert [call for call, _ in after.asked if call in calls[: last + 1]] == [calls[last]]


@pytest.mark.report("PE-05")
def test_tokens_are_folded_from_the_transcript(tmp_path: Path) -> None:
    """Killed half-way, resumed: the totals are those of the unbroken game to the token, and not of a part."""
    path, known = tmp_path / "g", whole()
    ran = RUN(path, b"", len(known.ran.passed) // 2)
    half = tokens(path)
    check_end(path, RUN(path, ran.after, None))
    assert tokens(path) == known.tokens
    assert set(half) == set(known.tokens) == {"prompt", "cached", "completion", "reasoning"}
    assert all(0 < half[kind] < known.tokens[kind] for kind in half)
    assert len(answered(path.read_bytes())) == len(known.ran.asked)


def test_at_no_boundary_is_there_a_second_writer(tmp_path: Path) -> None:
    """Nor does one that is refused touch the file, torn as it may be at that moment."""
    path, points = tmp_path / "g", Points()

    def look(name: str) -> None:
        points.at(name)
        before = path.read_bytes()
        with pytest.raises(TranscriptError, match="another process is writing this transcript"):
            Appender(path)
        assert path.read_bytes() == before

    play(path, "day", look, lambda call, prompt: None, Disk(look, path))
    assert tuple(points.passed) == whole().ran.passed
    assert path.read_bytes() == whole().ran.after
    Appender(path).close()
