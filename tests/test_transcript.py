"""The transcript: what was written stands, and whatever was not written so is found."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from players import BUTTERFLY_SEVEN, CLASSIC_FIVE, CLASSIC_SEVEN, Fixed, bots, canonical, header, play_game
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.claims import Claim
from tianhei.arena.events import Note, Speech
from tianhei.arena.host import Sitter
from tianhei.arena.player import Reply
from tianhei.arena.referee import Differs
from tianhei.arena.requests import Answer, Limits
from tianhei.transcripts.file import (
    Appender,
    Damaged,
    TranscriptError,
    chain,
    encode,
    from_bytes,
    parse,
    read,
    to_bytes,
)
from tianhei.transcripts.game import load
from tianhei.transcripts.header import header_from_json
from tianhei.transcripts.replay import verified


def game(path: Path, **more: Any) -> Path:
    """A small finished game."""
    head = header(CLASSIC_FIVE, rules={"max_days": 1, "vote_form": "simultaneous"}, **more)
    play_game(path, head, bots(5))
    return path


def resume(path: Path) -> None:
    play_game(path, None, bots(5))


def is_whole(data: bytes) -> bool:
    """Whether a transcript of these bytes shows no damage and nothing torn."""
    try:
        found = parse(data)
    except Damaged:
        return False
    return not found.tail and not found.lacks_newline


def test_every_flipped_bit_is_reported(tmp_path: Path) -> None:
    data = bytearray(game(tmp_path / "g").read_bytes())
    assert is_whole(bytes(data))
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    for place in range(len(data)):
        until = next(end for end in [*ends[1:], len(data), len(data)] if end > place)
        for bit in range(8):
            data[place] ^= 1 << bit
            assert not is_whole(bytes(data[:until])), f"bit {bit} of byte {place}"
            data[place] ^= 1 << bit


def test_a_cut_inside_a_line_is_found_and_a_cut_at_its_end_is_unfinished(tmp_path: Path) -> None:
    data, cut = game(tmp_path / "g").read_bytes(), tmp_path / "cut"
    ends = {place + 1 for place, byte in enumerate(data) if byte == 10}
    for length in range(1, len(data)):
        assert is_whole(data[:length]) == (length in ends), length
    for length in sorted(ends)[:-1]:
        cut.write_bytes(data[:length])
        assert load(cut).end is None


@pytest.mark.parametrize("what", ["swapped", "doubled", "dropped", "foreign"])
def test_lines_that_are_whole_but_out_of_place_are_found(tmp_path: Path, what: str) -> None:
    lines = game(tmp_path / "g").read_bytes().splitlines(keepends=True)
    other = game(tmp_path / "h", seed=2).read_bytes().splitlines(keepends=True)
    changed = {
        "swapped": [lines[0], lines[2], lines[1], *lines[3:]],
        "doubled": [*lines[:2], lines[1], *lines[2:]],
        "dropped": [*lines[:2], *lines[3:]],
        "foreign": [*lines[:2], other[2], *lines[3:]],
    }[what]
    with pytest.raises(Damaged, match=r"line [23] is damaged"):
        parse(b"".join(changed))


def test_a_line_anew_in_chain_is_sound_but_does_not_fit_its_rules(tmp_path: Path) -> None:
    path = game(tmp_path / "g")
    lines = [(line.kind, dict(line.data)) for line in read(path).lines]
    victim = next(event for event in lines[-2][1]["events"] if event["kind"] == "over")
    victim["winner"] = "killers" if victim["winner"] != "killers" else "good"
    path.write_bytes(b"".join(chain(iter(lines))))
    with pytest.raises(Differs, match=r"wave \d+: event \d+ is .* now, and was "):
        verified(path)


def test_a_torn_last_line_is_cut_and_noted(tmp_path: Path) -> None:
    path = game(tmp_path / "g")
    whole, data = canonical(path), path.read_bytes()
    path.write_bytes(data[:-5])
    resume(path)
    assert [note["what"] for note in load(path).notes] == [
        f"a torn last line of {len(data.splitlines()[-1]) - 4} bytes was cut off"
    ]
    assert canonical(path) == whole


def test_a_whole_last_line_without_its_newline_is_kept(tmp_path: Path) -> None:
    path = game(tmp_path / "g")
    whole, data = canonical(path), path.read_bytes()
    path.write_bytes(data[:-1])
    assert parse(data[:-1]).lacks_newline
    resume(path)
    assert [note["what"] for note in load(path).notes] == ["the last line lacked its newline"]
    assert path.read_bytes().startswith(data)
    assert canonical(path) == whole


@pytest.mark.parametrize("length", [-1, -5])
def test_verify_tells_of_a_torn_last_line(tmp_path: Path, length: int) -> None:
    path = game(tmp_path / "g")
    path.write_bytes(path.read_bytes()[:-5] if length == -5 else path.read_bytes()[:-1] + b"\x0b")
    with pytest.raises(Damaged, match="torn"):
        verified(path)


def test_verify_tells_of_a_missing_end(tmp_path: Path) -> None:
    path = game(tmp_path / "g")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert "unfinished" in verified(path)


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    path = game(tmp_path / "g")
    first = Appender(path)
    try:
        with pytest.raises(TranscriptError, match="another process is writing"):
            Appender(path)
        script = f"from tianhei.transcripts.file import Appender; Appender({str(path)!r})"
        other = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8")
        assert "another process is writing" in other.stderr
        assert load(path).end is not None
    finally:
        first.close()
    Appender(path).close()


ODD = "half a \ud83d face, a NUL \0, a line\u2028break, 中文 and an \U0001f600"


def test_odd_texts_survive(tmp_path: Path) -> None:
    path = tmp_path / "g"
    sitters = bots(5)
    sitters[2] = Sitter(Fixed(Reply(Answer(text=ODD, note=ODD), thought=ODD)))
    play_game(path, header(CLASSIC_FIVE, rules={"max_days": 1, "first_phase": "day"}, seed=3), sitters)
    told = [event.body for event in load(path).events]
    whole = ODD.replace("\ud83d", "\ufffd")  # half a character is none: it is replaced before it is told
    assert whole in [body.text for body in told if isinstance(body, Speech)]
    assert whole in [body.text for body in told if isinstance(body, Note)]
    assert b"\n" not in to_bytes({"x": ODD})
    assert from_bytes(to_bytes({"x": ODD})) == {"x": ODD}
    path.read_bytes().decode("utf-8")
    assert verified(path).startswith("sound")


def test_words_stand_once_and_are_put_back(tmp_path: Path) -> None:
    path, said = tmp_path / "g", "a sentence that is nowhere else"
    claims = (Claim("accuse", 1, "killer"),)
    sitters = bots(5)
    sitters[4] = Sitter(Fixed(Reply(Answer(text=said, claims=claims, note="a note that is nowhere else"))))
    play_game(path, header(CLASSIC_FIVE, rules={"max_days": 1, "first_phase": "day"}, seed=3), sitters)
    speeches = [event.body for event in load(path).events if isinstance(event.body, Speech) and event.body.by == 4]
    assert [(speech.text, speech.claims) for speech in speeches] == [(said, claims)] * len(speeches)
    assert speeches
    assert path.read_text().count(said) == len(speeches)
    assert path.read_text().count("a note that is nowhere else") == len(speeches)


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    """The file with its header changed and all sums made to fit."""
    lines = [(line.kind, dict(line.data)) for line in read(path).lines]
    edit(lines[0][1])
    path.write_bytes(b"".join(chain(iter(lines))))
    return path


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "seed": (lambda head: head.update(seed=99), "game id does not fit"),
    "rules": (lambda head: head["rules"].update(max_days=9), "hash of its rules"),
    "an unknown option": (lambda head: head["rules"].update(moon="full"), "unknown option 'moon'"),
    "counts": (lambda head: head["counts"].update(civilian=4), "game id does not fit"),
    "a limit": (lambda head: head["table"]["limits"].update(speech=9), "game id does not fit"),
    "a seat": (lambda head: head["seats"][0].update(player="scripted"), "game id does not fit"),
    "no seed": (lambda head: head.pop("seed"), "header cannot be read: 'seed'"),
    "a later format": (lambda head: head.update(format="tianhei/2"), "its format is 'tianhei/2'; this program reads"),
    "no format": (lambda head: head.pop("format"), "its format is None"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_header_is_refused(tmp_path: Path, name: str) -> None:
    edit, message = EDITS[name]
    path = edited(game(tmp_path / "g"), edit)
    with pytest.raises(TranscriptError, match=message):
        load(path)


def test_what_is_no_transcript_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g"
    for data, message in (
        (b"", "its game never started"),
        (b"hello\n", "line 1 is damaged: it does not end in a checksum"),
        (encode(0, "wave", {"events": []}, 0)[0], "does not begin with a header"),
        (encode(1, "header", {}, 0)[0], "it is numbered 1"),
    ):
        path.write_bytes(data)
        with pytest.raises(TranscriptError, match=message):
            load(path)
    with pytest.raises(TranscriptError, match="No such file"):
        load(tmp_path / "none")
    lines = [(line.kind, line.data) for line in read(game(tmp_path / "h")).lines]
    path.write_bytes(b"".join(chain(iter([*lines, ("omen", {})]))))
    with pytest.raises(TranscriptError, match="unknown kind of line 'omen'"):
        load(path)


def test_a_header_reads_back_as_it_was() -> None:
    head = header(
        BUTTERFLY_SEVEN, game="butterfly", rules={"elder_side": "killers"}, seed="moon", lang="zh", deadline=2.5,
        limits=Limits(speech=5),
    )  # fmt: skip
    assert header_from_json(from_bytes(to_bytes(head.to_json()))) == head


def test_a_large_seed_reads_back_as_it_was() -> None:
    head = header(CLASSIC_FIVE, seed=10**25)
    assert header_from_json(from_bytes(to_bytes(head.to_json()))) == head


@pytest.mark.parametrize("written", [0, 7])
@pytest.mark.parametrize("line", [1, 4, 9])
def test_a_full_disk_leaves_a_file_that_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: int, written: int
) -> None:
    whole = canonical(game(tmp_path / "whole"))
    path, real, writes = tmp_path / "g", os.write, 0

    def full(file: int, data: bytes) -> int:
        nonlocal writes
        writes += 1
        if writes == line + 1 and written:
            return real(file, data[:written])
        if writes > line:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data)

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        with pytest.raises(TranscriptError, match="No space left on device; make room and resume"):
            game(path)
    assert is_whole(path.read_bytes())
    resume(path)
    assert canonical(path) == whole


def test_short_writes_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, real = game(tmp_path / "whole").read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:11]))
    assert game(tmp_path / "g").read_bytes() == whole


@pytest.mark.parametrize("place", ["a folder", "below a file"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path if place == "a folder" else tmp_path / "file" / "g"
    with pytest.raises(TranscriptError, match="cannot be written"):
        Appender(path)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("rules", ["classic", "butterfly"])
def test_under_a_fixed_clock_one_seed_is_the_same_bytes(tmp_path: Path, rules: str, lang: str) -> None:
    counts = CLASSIC_SEVEN if rules == "classic" else BUTTERFLY_SEVEN
    for name, player in (("random", None), ("scripted", ScriptedPlayer(lang))):
        sitters = bots(7, lang) if player is None else dict.fromkeys(range(1, 8), Sitter(player))
        paths = [tmp_path / f"{name}{copy}" for copy in range(2)]
        for path in paths:
            play_game(path, header(counts, game=rules, lang=lang, player=name), sitters)
        assert paths[0].read_bytes() == paths[1].read_bytes()
        assert verified(paths[0]).startswith("sound, ")
        assert all(json.loads(line) for line in paths[0].read_bytes().splitlines())
