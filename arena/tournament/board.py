"""A run on a live terminal: what is done and running, by track, how fast, what it costs and what it waits for."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table as Grid
from rich.text import Text

from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.run import Progress

UPDATES_A_SECOND = 4


class Board:
    """Shows a run while the context lasts."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self._plan = plan
        self._progress = progress
        self._start = time.monotonic()
        console = Console(stderr=True, highlight=False)
        self._live = Live(self._shown(), console=console, refresh_per_second=UPDATES_A_SECOND, transient=True)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def update(self) -> None:
        """Something has changed."""
        self._live.update(self._shown())

    def _shown(self) -> Group:
        now = self._progress
        done = now.finished_before + now.done
        seconds = time.monotonic() - self._start
        rate = now.done / seconds if seconds > 1 else 0.0
        speed = f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
        grid = Grid.grid(padding=(0, 2))
        grid.add_row(Text(self._plan.name, "bold"), ProgressBar(total=max(1, now.total), completed=done, width=40),
                     f"{done:,} of {now.total:,} games")  # fmt: skip
        facts = Grid.grid(padding=(0, 2))
        running = f"{now.running:,}" if not now.workers else f"in {now.workers} processes"
        facts.add_row("running", running, "left", f"{now.left:,}", "time", _clock(seconds),
                      "to go", _clock(now.left / rate) if rate else "–", "rate", speed)  # fmt: skip
        if now.budget:
            facts.add_row("spent", f"{now.budget.spent:.4f}", "under way", f"{now.budget.reserved:.4f}",
                          "budget", str(now.budget))  # fmt: skip
        lines = [grid, facts]
        tracks = [f"{name} {now.by_track[name]:,} of {count:,}" for name, count in now.planned_by_track.items()]
        told = [("by track", tracks)]
        told += [(title, [f"{name} x {count:,}" for name, count in counts.most_common()])
                 for title, counts in (("void", now.void), ("requests in vain", now.faults))]  # fmt: skip
        for title, parts in told:
            if parts:
                listed = "  ".join(parts)
                lines.append(Text(f"{title}: {listed}", "dim"))  # type: ignore[arg-type]
        if now.waiting and now.running:
            lines.append(Text(now.waiting, "yellow"))  # type: ignore[arg-type]
        return Group(*lines)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
