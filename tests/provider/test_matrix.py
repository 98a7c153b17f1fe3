"""Every fault once: at one kind of call, one place and one count, chosen so that all of these come up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from provider import command, matrix
from provider.cells import KINDS, PLACES, TIMES, Bench, Cell, cells
from provider.faults import FAULTS, GROUPS


def chosen() -> list[Cell]:
    """One cell of each fault, the next in turn each time."""
    every = len(KINDS) * len(PLACES) * len(TIMES)
    found: list[Cell] = []
    for number, name in enumerate(FAULTS):
        own = cells([name])
        turned = own[number * 7 % every :] + own
        found.append(next(cell for cell in turned if not cell.meaningless))
    return found


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with matrix.opened() as bench:
        yield bench


@pytest.mark.parametrize("cell", chosen(), ids=str)
def test_a_fault_costs_what_is_promised_and_no_more(bench: Bench, cell: Cell) -> None:
    assert bench.run(cell).problems == []


def test_there_are_48_faults_and_all_kinds_places_and_counts_come_up() -> None:
    assert len(FAULTS) == sum(map(len, GROUPS.values())) == 48
    assert len(cells(FAULTS)) == 1728
    seen = {(cell.kind, cell.place) for cell in chosen()} | {(cell.kind, cell.times) for cell in chosen()}
    assert len(seen) == len(KINDS) * (len(PLACES) + len(TIMES))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--faults", "506"], "no fault begins with '506'"),
        (["--faults", "401,"], "no fault begins with ''"),
        (["--kinds", "shout"], "no kind of call begins with 'shout'"),
        (["--processes", "0"], "a whole number from 1 on is needed"),
        (["--page", "/nowhere/at/all.md"], "there is no folder"),
    ],
)
def test_what_cannot_be_run_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(words)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_the_command_prints_a_table_and_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.md"
    words = ["--faults", "finish content", "--kinds", "speech", "--processes", "2", "--page", str(target)]
    assert command.main(words) == 0
    printed = capsys.readouterr().out
    assert target.read_text(encoding="utf-8") in printed
    row = "| finish content_filter | not asked again | – | 3 fallback (filtered) | 2 fallback (filtered) | 3 fallback"
    assert row in printed
    assert "Cells without meaning: 1" in printed
