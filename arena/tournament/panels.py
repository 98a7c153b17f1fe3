"""Pictures of a study: small panels side by side, each an SVG under its caption.

Captions and the keys of colours are the page's own text, so that they are set, and broken into lines, by the browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from tianhei.arena.tournament.pictures import ACCENT, INK, KILLER, MUTED, TOWN, WIDTH, canvas, short, svg

COLOURS = ("#4c78a8", "#f2a541", "#72b7b2", "#b07aa1", "#9c755f", "#e377a2", "#8cb369", "#c7c7c7")
"""For things without a colour of their own."""
SIDES: Mapping[str, str] = {"killers": KILLER, "good": TOWN}

Keys = Iterable[tuple[str, str]]
"""Colours and what they mean."""


def panels(*made: str) -> str:
    """Panels side by side, as far as the page is wide."""
    return f'<div class="panels">{"".join(made)}</div>'


def panel(caption: str, picture: str, keys: Keys = ()) -> str:
    """A picture under its caption, with the key of its colours."""
    marks = "".join(f'<span><i style="background:{colour}"></i>{escape(word)}</span>' for colour, word in keys)
    legend = f'<span class="keys">{marks}</span>' if marks else ""
    return f"<figure><figcaption>{escape(caption)}{legend}</figcaption>{picture}</figure>"


@lru_cache(maxsize=500)
def forest(rows: tuple[tuple[str, float, float | None, float | None, float | None], ...]) -> str:
    """For each player, first one on top: a value, the ends of its interval, and its chance as a grey bar."""
    figure, axes = canvas(WIDTH, 0.55 + 0.3 * len(rows))
    for place, (_, value, low, high, chance) in enumerate(reversed(rows)):
        if chance is not None:
            axes.plot([chance], [place], marker="|", markersize=17, markeredgewidth=4, color="#c9cfd9", zorder=1)
        if low is not None and high is not None:
            axes.plot([low, high], [place, place], color=ACCENT, linewidth=2, solid_capstyle="butt", zorder=2)
        axes.plot([value], [place], "o", color=ACCENT, markersize=7, zorder=3)
    axes.set_yticks(range(len(rows)), [short(row[0]) for row in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.margins(x=0.08)
    if len({end for _, *ends in rows for end in ends if end is not None}) == 1:
        axes.set_xlim(min(-0.03, rows[0][1]), max(1.03, rows[0][1]))
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="y", length=0)
    return svg(figure)


def over_time(
    lines: Mapping[str, Sequence[tuple[float, float]]], chances: Mapping[str, Sequence[tuple[float, float]]],
    xlabel: str, ylabel: str,
) -> str:  # fmt: skip
    """Shares by time for each side; dotted, what chance would say. Days begin at whole numbers."""
    figure, axes = canvas(WIDTH, 2.7)
    for side, points in lines.items():
        colour = SIDES[side]
        axes.plot(*_apart(points), marker="o", markersize=5, linewidth=1.8, color=colour)
        if side in chances:
            axes.plot(*_apart(chances[side]), linestyle=":", linewidth=1.4, color=colour)
    axes.set_ylim(0, 1)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    return svg(figure)


def _apart(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def stacks(
    counts: Mapping[Any, Sequence[float]], colours: Sequence[str], xlabel: str, ylabel: str, *, whole: bool
) -> str:
    """A bar for each day, its parts one over the other; ``whole`` makes every bar one, with its count on top."""
    figure, axes = canvas(WIDTH, 2.7)
    under = [0.0] * len(counts)
    totals = [sum(parts) for parts in counts.values()]
    for place, colour in enumerate(colours):
        heights = [parts[place] / (total if whole else 1) for parts, total in zip(counts.values(), totals, strict=True)]
        axes.bar(range(len(counts)), heights, bottom=under, color=colour, width=0.7)
        under = [low + height for low, height in zip(under, heights, strict=True)]
    if whole:
        for place, total in enumerate(totals):
            axes.text(place, 1.02, f"n={total:,.0f}", ha="center", va="bottom", fontsize=9, color=INK)
        axes.set_ylim(0, 1.1)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_xticks(range(len(counts)), [str(name) for name in counts])
    axes.set_xlim(-0.6, max(2.6, len(counts) - 0.4))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    return svg(figure)


def shares(rows: Mapping[str, Sequence[float]], colours: Sequence[str], xlabel: str) -> str:
    """A bar of one for each player, first one on top, its parts side by side, with its count at the end."""
    figure, axes = canvas(WIDTH, 0.75 + 0.36 * len(rows))
    names = list(rows)[::-1]
    for place, name in enumerate(names):
        total, left = sum(rows[name]), 0.0
        for part, colour in zip(rows[name], colours, strict=True):
            axes.barh(place, part / total, left=left, color=colour, height=0.62)
            left += part / total
        axes.text(1.02, place, f"n={total:,.0f}", va="center", fontsize=9, color=INK)
    axes.set_yticks(range(len(names)), [short(name) for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlim(0, 1.18)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(xlabel)
    return svg(figure)


def grid(counts: Sequence[Sequence[float]], lines: Sequence[str], columns: Sequence[str]) -> str:
    """How each line's counts part among the columns, in per cent."""
    from matplotlib.colors import LinearSegmentedColormap

    figure, axes = canvas(WIDTH, (1.0 if len(columns) > 5 else 0.5) + 0.42 * len(lines))
    found = [[count / (sum(line) or 1) for count in line] for line in counts]
    colours = LinearSegmentedColormap.from_list("shares", ("#f5f7fa", "#9dbdf0"))
    axes.imshow(found, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for y, line in enumerate(found):
        for x, share in enumerate(line):
            axes.text(x, y, f"{share:.0%}", ha="center", va="center", color=INK if share else MUTED)
    many = len(columns) > 5
    axes.set_xticks(range(len(columns)), columns, rotation=40 if many else 0, ha="left" if many else "center")
    axes.set_yticks(range(len(lines)), lines)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    return svg(figure)


def calibration(points: Sequence[tuple[float, float, float]], xlabel: str, ylabel: str) -> str:
    """Believed against found, dots by how many beliefs they hold; dashed, where both are the same."""
    figure, axes = canvas(WIDTH, 3.6)
    axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle="--", zorder=1)
    most = max(n for _, _, n in points)
    axes.plot([x for x, _, _ in points], [y for _, y, _ in points], color="#b9cdf3", linewidth=1.2, zorder=2)
    axes.scatter([x for x, _, _ in points], [y for _, y, _ in points], s=[14 + 110 * n / most for _, _, n in points],
                 color=ACCENT, linewidths=0, zorder=3)  # fmt: skip
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    return svg(figure)
