"""The command at full size: its sizes, and what it says of a part that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from crash.full import PARTS, main, parse, prove


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kills", "4"], "--kills: invalid choice"),
        (["--parts", "power,x"], "there is no part 'x'; there are exceptions, "),
        (["--processes", "0"], "--processes: "),
        (["--scale", "2"], "unrecognized arguments: --scale 2"),
    ],
)
def test_a_size_that_cannot_be_is_named(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert said in capsys.readouterr().err


def test_without_a_size_it_is_all_of_it() -> None:
    given = parse([])
    assert (given.parts, given.kills) == (list(PARTS), 2)


def test_a_part_says_what_it_tried_and_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    name, figures, found, _ = prove(("power", 1))
    assert (name, found) == ("power", "")
    assert "sequences of 1 kills" in figures

    def fails(folder: Path, kills: int) -> str:
        raise AssertionError("an answer was bought again")

    monkeypatch.setitem(PARTS, "cuts", fails)
    assert prove(("cuts", 1))[:3] == ("cuts", "", "AssertionError: an answer was bought again")
