"""Pictures of a report: what stands on them is inside them, however long the names."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tianhei.arena.tournament import pictures
from tianhei.arena.tournament.ratings import Ratings, Strength
from tianhei.arena.tournament.report import LANGS, words_of
from tianhei.arena.tournament.shares import Rate
from tianhei.prompts.vocabulary import Lang

NAMES = (
    ("a", "b"),
    ("gpt-5-mini-low", "claude-sonnet-4-5-high", "llama-3.3-70b"),
    tuple(f"a-model-with-a-long-name-{number}" for number in range(8)),
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are drawn, laid out but not yet written."""
    found: list[Any] = []

    def keep(figure: Any) -> str:
        figure.draw_without_rendering()
        found.append(figure)
        return ""

    monkeypatch.setattr(pictures, "svg", keep)
    return found


def rated(names: tuple[str, ...]) -> Ratings:
    strengths = {name: Strength(100.0 * place, 30, 100.0 * place - 60, 100.0 * place + 60)
                 for place, name in enumerate(names)}  # fmt: skip
    return Ratings(names, strengths, strengths, strengths, {}, 0.0, (), {}, (names,), {}, 10, 10)


@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("names", NAMES, ids=len)
def test_keys_and_names_are_inside_the_picture(lang: Lang, names: tuple[str, ...], made: list[Any]) -> None:
    said = words_of(lang)
    rates = {one: {other: Rate(3, 9) for other in names if other != one} for one in names}
    pictures.forest(rated(names), said)
    pictures.matrix(rates, names, said)
    pictures.dots({name: {"classic-arena-10": Rate(3, 9), "butterfly-13": Rate(1, 9)} for name in names}, "x")
    for figure in made:
        (axes,) = figure.axes
        columns = [text for text in axes.get_xticklabels() if between(text.get_position()[0], axes.get_xlim())]
        lines = [text for text in axes.get_yticklabels() if between(text.get_position()[1], axes.get_ylim())]
        keys = [text for legend in figure.legends for text in legend.get_texts()]
        assert len(lines) == len(names)
        for box in (text.get_window_extent() for text in (*columns, *lines, *keys)):
            assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 + 1
            assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 + 1
        beside = sorted((text.get_window_extent() for text in columns), key=lambda box: box.x0)
        assert all(one.x1 <= other.x0 for one, other in pairwise(beside))


def between(place: float, ends: tuple[float, float]) -> bool:
    return min(ends) <= place <= max(ends)
