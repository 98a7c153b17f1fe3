"""What was cut off is repaired before anything else is written; what was changed is named, and left as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from crash.damage import bounds, flips, game_of_size, named, one_of_each
from crash.runs import check_end, put, runner, whole
from tianhei.transcripts.file import Appender, Damaged, parse
from tianhei.transcripts.game import load

SIZE = 4096
RUN = runner()
DATA = whole().ran.after
EACH = one_of_each(DATA)


def repair(start: int, end: int, cut: int) -> str:
    """What is done about a line that is cut there."""
    if cut == end - 1:
        return "the last line lacked its newline"
    return f"a torn last line of {cut - start} bytes was cut off" if cut > start else ""


@pytest.mark.report("PE-01")
@pytest.mark.parametrize("kind", EACH)
def test_a_line_that_was_cut_anywhere_spoils_nothing_that_follows(tmp_path: Path, kind: str) -> None:
    path, (start, end) = tmp_path / "g", EACH[kind]
    before = parse(DATA[:start]).lines
    for cut in range(start, end):
        put(path, DATA[:cut])
        file = Appender(path)
        assert file.repaired == repair(start, end, cut)
        file.append("note", {"note": "人"})
        file.close()
        found = parse(path.read_bytes())
        kept = parse(DATA[:end]).lines if cut == end - 1 else before
        assert (found.tail, found.lacks_newline) == (b"", False)
        assert found.lines[:-1] == kept, cut
        assert found.lines[-1].data["note"] == "人"


@pytest.mark.report("PE-01")
@pytest.mark.parametrize("kind", ["done", "reply"])
def test_a_game_goes_on_from_every_byte_of_its_last_line(tmp_path: Path, kind: str) -> None:
    """Also from inside a Chinese character; the repair is a line of the transcript."""
    path, (start, end) = tmp_path / "g", EACH[kind]
    assert not DATA[start:end].isascii()
    for cut in range(start, end):
        check_end(path, RUN(path, DATA[:cut], None))
        repairs = [note["what"] for note in load(path).notes if note["note"] == "repair"]
        assert repairs == list(filter(None, [repair(start, end, cut)]))


@pytest.mark.report("PE-01")
def test_a_finished_game_is_mended_at_every_byte_of_its_last_three_lines(tmp_path: Path) -> None:
    path, (start, _) = tmp_path / "g", bounds(DATA)[-3]
    for cut in range(start, len(DATA)):
        check_end(path, RUN(path, DATA[:cut], None))


def test_every_flipped_bit_is_reported_in_its_line(tmp_path: Path) -> None:
    data = game_of_size(tmp_path / "g", SIZE)
    assert len(data) == SIZE and named(data) is None
    found = [(line, named(changed)) for line, changed in flips(data)]
    assert len(found) == 32768
    assert [(line, other) for line, other in found if line != other] == []


def test_a_damaged_game_is_not_gone_on_with_and_not_touched(tmp_path: Path) -> None:
    """Its last newline among the rest: a whole line that ends in something else was not torn off."""
    path, data = tmp_path / "g", game_of_size(tmp_path / "g", SIZE)
    for number, (line, changed) in enumerate(flips(data)):
        if number % 101 and number < SIZE * 8 - 8:
            continue
        put(path, changed)
        with pytest.raises(Damaged, match=f"line {line + 1} is damaged: "):
            Appender(path)
        assert path.read_bytes() == changed


@pytest.mark.parametrize("text", ["my notes", '{"a": 1}', '{"n":1,"line":"', " ", "人"])
def test_what_no_game_began_is_not_taken_for_a_torn_line(tmp_path: Path, text: str) -> None:
    """A file of somebody's own, given by mistake, is not cut off."""
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Damaged, match="line 1 is damaged: it does not end in a checksum"):
        RUN(path, path.read_bytes(), None)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("written", [0, 3, 20])
def test_a_block_that_a_power_cut_left_empty_is_a_torn_line(tmp_path: Path, written: int) -> None:
    path, (start, _) = tmp_path / "g", bounds(DATA)[9]
    check_end(path, RUN(path, DATA[: start + written] + bytes(500), None))
    assert [note["what"] for note in load(path).notes] == [f"a torn last line of {500 + written} bytes was cut off"]
