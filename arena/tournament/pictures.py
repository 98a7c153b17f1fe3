"""Pictures of a report as SVG, by matplotlib. Text stays text, so that a browser sets it in any language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any
from warnings import catch_warnings, filterwarnings

from tianhei.arena.tournament.ratings import Ratings
from tianhei.arena.tournament.shares import Rate

WIDTH = 4.2
"""Inches, at ten points: legible in a column of a telephone's width."""
LONGEST = 16
"""Letters of a player's name that stand beside a picture."""
LETTER = 0.085
"""Inches that a letter of a name takes."""
MOST_COUNTED = 6
"""Players in a matrix whose cells have room for the number of games."""
INK, MUTED, ACCENT, KILLER, TOWN = "#22262e", "#8a93a3", "#2f6fdb", "#c2413b", "#2e8b57"


def canvas(width: float, height: float) -> tuple[Any, Any]:
    """A figure of so many inches, and its axes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": "tianhei", "font.family": "sans-serif", "font.size": 10,
        "axes.edgecolor": MUTED, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "text.color": INK,
        "axes.spines.top": False, "axes.spines.right": False, "axes.unicode_minus": False,
    })  # fmt: skip
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")


def svg(figure: Any) -> str:
    """A figure as SVG for a page; the figure is gone."""
    from matplotlib import pyplot

    out = StringIO()
    with catch_warnings():  # letters that matplotlib's font lacks are set by the browser's
        filterwarnings("ignore", message="Glyph")
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    pyplot.close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :].replace("<svg ", '<svg class="picture" role="img" ', 1)


def short(name: str) -> str:
    """A name that fits beside a picture."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def forest(found: Ratings, words: Mapping[str, str]) -> str:
    """Each player's overall rating with its interval, and both sides' beside it."""
    names = list(found.players)[::-1]
    figure, axes = canvas(WIDTH, 1.2 + 0.55 * len(names))
    for shift, label, table, colour, size in (
        (0.22, words["town"], found.town, TOWN, 5),
        (-0.22, words["killers"], found.killer, KILLER, 5),
        (0.0, words["overall"], found.overall, ACCENT, 8),
    ):
        values = [table[name].value for name in names]
        errors = [[table[n].value - table[n].low for n in names], [table[n].high - table[n].value for n in names]]
        axes.errorbar(values, [place + shift for place in range(len(names))], xerr=errors, fmt="o", color=colour,
                      markersize=size, capsize=3, linewidth=1.6 if size > 5 else 1.0, label=label)  # fmt: skip
    axes.axvline(0, color=MUTED, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(names)), [short(name) for name in names])
    axes.set_xlabel(words["elo"])
    figure.legend(loc="outside lower center", ncol=3, frameon=False, fontsize=9, handlelength=1.2, columnspacing=1.2)
    return svg(figure)


def matrix(found: Mapping[str, Mapping[str, Rate]], order: Sequence[str], words: Mapping[str, str]) -> str:
    """Who wins against whom."""
    from math import nan

    from matplotlib.colors import LinearSegmentedColormap

    size = len(order)
    figure, axes = canvas(WIDTH, 1.1 + 0.5 * size)
    colours = LinearSegmentedColormap.from_list("shares", ("#eeb4a8", "#f7f4ee", "#a9d3b5"))
    values = [[found[a].get(b, Rate(0, 0)).value if a != b else None for b in order] for a in order]
    shown = [[nan if value is None else value for value in line] for line in values]
    axes.imshow(shown, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            if value is not None:
                games = f"\nn={found[order[y]][order[x]].games}" if size <= MOST_COUNTED else ""
                axes.text(x, y, f"{value:.0%}{games}", ha="center", va="center", fontsize=9)
    names = [short(name) for name in order]
    letters = max(map(len, names))
    if letters * LETTER < (WIDTH - letters * LETTER) / size:
        axes.set_xticks(range(size), names)
        axes.set_yticks(range(size), names)
    else:  # too narrow for the names: columns have the rows' numbers
        axes.set_xticks(range(size), [str(place) for place in range(1, size + 1)])
        axes.set_yticks(range(size), [f"{name}  {place}" for place, name in enumerate(names, start=1)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(words["against"])
    return svg(figure)


def bars(rates: Mapping[Any, Rate], label: str, words: Mapping[str, str]) -> str:
    """Shares with their intervals along an axis, and the mean of all as a line."""
    figure, axes = canvas(WIDTH, 2.8)
    names = [name for name, rate in rates.items() if rate.games]
    values = [rates[name].value or 0.0 for name in names]
    spans = [rates[name].interval or (0.0, 0.0) for name in names]
    errors = [[max(0.0, v - s[0]) for v, s in zip(values, spans, strict=True)],
              [max(0.0, s[1] - v) for v, s in zip(values, spans, strict=True)]]  # fmt: skip
    axes.bar(range(len(names)), values, color="#b9cdf3", width=0.62)
    axes.errorbar(range(len(names)), values, yerr=errors, fmt="none", ecolor=INK, capsize=3, linewidth=1)
    games = sum(rates[name].games for name in names)
    if games:
        axes.axhline(sum(rates[name].wins for name in names) / games, color=ACCENT, linewidth=1, linestyle="--")
    axes.set_xticks(range(len(names)), [str(name) for name in names])
    axes.set_ylim(0, 1)
    axes.set_xlabel(label)
    axes.set_ylabel(words["won"])
    return svg(figure)


def dots(found: Mapping[str, Mapping[str, Rate]], label: str) -> str:
    """Shares with their intervals, a line for each name, a mark for each table; the smallest first."""
    order = sorted(found, key=lambda name: sum(rate.value or 0.0 for rate in found[name].values()), reverse=True)
    tables = sorted({table for of in found.values() for table in of})
    figure, axes = canvas(WIDTH, 1.1 + 0.3 * len(order) * max(1, len(tables) * 0.75))
    for number, table in enumerate(tables):
        shift = (len(tables) - 1) / 2 - number
        kept = [(place + 0.3 * shift, found[name][table]) for place, name in enumerate(order) if table in found[name]]
        places, values = [place for place, _ in kept], [rate.value or 0.0 for _, rate in kept]
        spans = [rate.interval or (0.0, 0.0) for _, rate in kept]
        errors = [[max(0.0, v - s[0]) for v, s in zip(values, spans, strict=True)],
                  [max(0.0, s[1] - v) for v, s in zip(values, spans, strict=True)]]  # fmt: skip
        axes.errorbar(values, places, xerr=errors, fmt="os^D"[number % 4], markersize=5, linewidth=1, capsize=2,
                      color=(ACCENT, KILLER, TOWN, MUTED)[number % 4], label=table)  # fmt: skip
    axes.axvline(0.5, color=MUTED, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(order)), [short(name) for name in order])
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(label)
    figure.legend(loc="outside lower center", ncol=2, frameon=False, fontsize=9)
    return svg(figure)


def pareto(found: Ratings, spent: Mapping[str, float], words: Mapping[str, str]) -> str:
    """Strength against what it costs; the line joins those whom none beats for less."""
    names = sorted((name for name in found.players if spent.get(name)), key=lambda name: spent[name])
    figure, axes = canvas(WIDTH, 3.6)
    best: list[str] = []
    for name in names:
        strength = found.overall[name]
        axes.errorbar([spent[name]], [strength.value], yerr=[[strength.value - strength.low],
                      [strength.high - strength.value]], fmt="o", color=ACCENT, capsize=3)  # fmt: skip
        axes.annotate(short(name), (spent[name], strength.value), xytext=(7, 5), textcoords="offset points")
        if not best or strength.value > found.overall[best[-1]].value:
            best.append(name)
    axes.plot([spent[name] for name in best], [found.overall[name].value for name in best], color=MUTED, linewidth=1)
    axes.margins(x=0.2, y=0.2)
    axes.set_xlabel(words["tokens_a_game"])
    axes.set_ylabel(words["elo"])
    return svg(figure)
