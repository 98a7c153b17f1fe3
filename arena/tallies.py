"""Tables of figures in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.table import Table as Grid
from rich.text import Text

from tianhei.arena.costs import TOKENS, Costs, answered_by_others, total
from tianhei.arena.screen import console_for
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.manners import Row

NOTHING = "–"
"""What is not available."""


def estimate_table(by_model: Mapping[str, Costs]) -> None:
    """Print what the models of a game would use."""
    console = console_for()
    if not by_model:
        console.print("no model sits at this table: it costs nothing")
        return
    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    grid.add_column("model", overflow="fold")
    for name in ("calls", "tokens in", "of them repeated", "tokens out", "US $"):
        grid.add_column(name, justify="right")
    for name, costs in by_model.items():
        known = "unknown" if costs.unpriced else f"{costs.money:.4f}"
        grid.add_row(Text(name), f"{costs.calls:,}", f"~{costs.prompt:,}", f"{costs.cached / (costs.prompt or 1):.0%}",
                     f"~{costs.completion:,}", known)  # fmt: skip
    console.print(grid)
    note = "one game of scripted players, its prompts written and sized; no reasoning, no second questions"
    console.print(Text(note, "dim"))


def cost_table(by_model: Mapping[str, Costs], *, imported: bool = False) -> None:
    """Print the costs of each model, and their sum; ``imported``: some of the games are another arena's."""
    console = console_for()
    if not by_model:
        none = "not available: nothing tells of a model that was asked" if imported else "no model was asked"
        console.print(f"{none} in these games")
        return
    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    grid.add_column("model", overflow="fold")
    for name in ("calls", "requests", "in", "cached", "out", "reasoning", "US $", "kept", "without it"):
        grid.add_column(name, justify="right")
    rows = dict(by_model)
    if len(rows) > 1:
        rows["all"] = total(by_model.values())
    for name, costs in rows.items():
        known = f"{costs.money:.4f}" + (f" + {costs.unpriced} unknown" if costs.unpriced else "")
        mark = "~" if costs.estimated else ""
        calls = (_count(None if costs.untold and not count else count) for count in (costs.calls, costs.requests))
        grid.add_row(
            Text(name), *calls, _count(costs.tokens("prompt"), mark), _count(costs.tokens("cached")),
            _count(costs.tokens("completion"), mark), _count(costs.tokens("reasoning")),
            NOTHING if costs.priced is None else known,
            f"{costs.kept / costs.billed:.1%}" if costs.billed else NOTHING,
            f"{costs.fallbacks.total():,} of {costs.answers - costs.unaccounted:,}" if costs.is_accounted else NOTHING,
        )  # fmt: skip
    console.print(grid)
    if NOTHING in {_count(costs.tokens(kind)) for costs in rows.values() for kind in TOKENS}:
        console.print(Text(f"{NOTHING} not available: neither the endpoint nor the game's source tells", "dim"))
    for name, costs in answered_by_others(by_model).items():
        for served, count in sorted(costs.served.items()):
            console.print(Text(f"{name}: answered by {served}, {count:,} of {costs.calls:,} calls", "dim"))
    for name, costs in by_model.items():
        for what, causes in (("requests that came to nothing", costs.failed), ("answers without it", costs.fallbacks)):
            if causes:
                listed = ", ".join(f"{cause} {count:,}" for cause, count in causes.most_common())
                console.print(Text(f"{name}: {what}: {listed}", "dim"))
        if costs.pending:
            console.print(Text(f"{name}: {costs.pending} calls were under way when a game stopped", "dim"))
    if any(costs.estimated for costs in by_model.values()):
        console.print(Text("~ partly estimated by length: the endpoint did not count", "dim"))


def _count(number: int | None, mark: str = "") -> str:
    return NOTHING if number is None else f"{mark}{number:,}"


def taken_over_note(count: int, lang: Lang, *, kept: bool) -> str:
    """How many seats somebody else took over, and whether they count; nothing where there are none."""
    key = "taken_over_kept" if kept else "taken_over"
    return texts_of(lang, "score")[key].format(count=f"{count:,}") if count else ""


def manners_table(rows: Sequence[Row], lang: Lang, note: str = "") -> None:
    """Print table manners, group by group, under a note; a rate that is surely above its chance is bold."""
    said = texts_of(lang, "score")
    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    grid.add_column(said["manners.measure"])
    for name in ("rate", "interval", "chance", "n"):
        grid.add_column(said[f"manners.{name}"], justify="right")
    grid.add_column(said["manners.of"], style="dim")
    for group, held in groupby(rows, key=lambda row: row.group):
        grid.add_row(Text(" · ".join(filter(None, group)), "bold cyan"))
        for row in held:
            interval, chance = row.interval, row.chance
            is_above = interval is not None and chance is not None and interval[0] > chance
            grid.add_row(
                Text("  " + said[f"slip.{row.measure.name}"]),
                Text(_share(row.rate, said["manners.none"]), "bold" if is_above else ""),
                "–".join(f"{end:.1%}" for end in interval) if interval else "",
                _share(chance, said["manners.none"]) if row.of else "",
                f"{row.of:,}",
                said[f"looked_at.{row.measure.of}"],
            )
    console = console_for()
    if note:
        console.print(Text(note, "dim"))
    console.print(grid)


def _share(share: float | None, unknown: str) -> str:
    return unknown if share is None else f"{share:.1%}"
