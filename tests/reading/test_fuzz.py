"""Replies made at random are read as they were made; what is planted is found; no reply takes more than linear time."""

from __future__ import annotations

import re

import pytest

from reading import full, growth
from reading.planted import PLANTED, Planted, found_after
from reading.questions import VOTE, questions
from tianhei.agents.reading import objects

REPLIES = 6_000
SIZE = 1 << 16


def test_replies_are_read_as_they_were_made() -> None:
    figures = full.replies(range(REPLIES))
    assert figures.wrong[:5] == []
    came = {what for _, what in figures.came_of}
    assert came == {"read", "unreadable", "illegal", "ambiguous", "truncated", "empty", "refused", "filtered"}
    read = sum(count for (fate, _), count in figures.came_of.items() if fate == "must")
    assert read > REPLIES / 3, "too few replies that must be read"


def test_every_form_of_request_is_asked_about() -> None:
    forms = {(asked.form, asked.pack.lang, asked.lines) for asked in questions()}
    assert len({form for form, _, _ in forms}) == 8
    assert len({(lang, lines) for _, lang, lines in forms}) == 4


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found(fault: Planted) -> None:
    assert found_after(fault) is not None, f"nobody noticed: {fault.name}"


@pytest.mark.parametrize("name", growth.FAMILIES)
def test_reading_takes_linear_time(name: str) -> None:
    assert growth.growth(name, SIZE) <= growth.MOST


def test_growth_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each brace is looked for from the beginning of the text."""
    past = objects._past  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(objects, "_past", lambda text, start: (text.split("}"), past(text, start))[1])
    assert growth.growth("braces of prose", SIZE // 8, [VOTE], tries=growth.TRIES) > growth.MOST


@pytest.mark.parametrize(
    "arguments", [["--replies", "0"], ["--replies", "many"], ["--processes", "-1"], ["--first", "x"]]
)
def test_wrong_sizes_are_refused_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        full.main(arguments)
    assert ended.value.code == 2
    assert re.search(r"error: argument --\w+: '.*': a whole number from \d on is needed", capsys.readouterr().err)
