"""The matrix as a page: docs/providers.md, written from the figures of one run."""

from __future__ import annotations

import platform
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from provider.cells import KINDS, PLACES, TIMES, Cell, Result, cells
from provider.faults import GROUPS, HANDLINGS, Fault, Times
from provider.matrix import Figures

HERE = Path(__file__).parent
Row = Sequence[object]
LIBRARIES = ("openai", "httpx2", "tenacity")


def page(found: Sequence[Figures], seconds: float, processes: int) -> str:
    """The whole page."""
    run = sum(len(figures.results) for figures in found)
    kinds = {cell.kind for figures in found for cell, _ in figures.results}
    asked = [cell for cell in cells(figures.fault for figures in found) if cell.kind in kinds]
    empty = [cell for cell in asked if cell.meaningless]
    problems = [problem for figures in found for problem in figures.problems]
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    parts = [
        "# When a provider misbehaves\n",
        "This page is written by the command that measures it; every figure is of one run.\n",
        "```text\npython -m tests.provider                   # every fault at every place; rewrites this page\n"
        "python -m tests.provider --faults 401,500  # some of them, printed only; --help names the faults\n```\n",
        f"**{len(problems)} differences** from what is promised below in {run:,} cells ({len(found)} faults × "
        f"{len(kinds)} kinds of calls × {len(PLACES)} places × {len(TIMES)} counts, less {len(empty)} without meaning) "
        f"on {datetime.now(UTC):%Y-%m-%d %H:%M UTC}, commit `{commit()}`, in {seconds:.0f} seconds ({processes} "
        f"processes, Python {platform.python_version()}, {libraries}).\n",
        _HOW,
        _promises(),
        *(_group(title, faults, found) for title, faults in GROUPS.items()),
        _meaningless(empty),
    ]
    if problems:
        parts.append("## Differences\n\n" + "\n".join(f"- {problem}" for problem in problems) + "\n")
    return "\n".join(filter(None, parts))


_HOW = """## How

A server on loopback (`tests/provider/server.py`) plays the model of all five seats of a small game and commits one
fault: at the first, a middle or the last speech, last words, vote or night choice; once, twice, or always from there
on. Beside it a second game asks the same server. A game that is stopped is gone on with from its own file, at last
with the fault removed, and must end. Each cell compares three books: the server's ledger of every request and token,
the transcript and its costs, and what is promised here. Every answer is signed with its question, and every fault is
laden with a bait: a choice and words of its own, which must never be booked or heard. Refused connections, unknown
names and failures of TLS come from the client's transport, all else from the server.

A game without faults makes 15 requests. Where a fault costs no answer, the game is the same, word for word, as one
without it; the game beside it always is.
"""


def _promises() -> str:
    rows = [(name, *(_said(times, outcomes[times]) for times in TIMES)) for name, outcomes in HANDLINGS.values()]
    return "## What is promised\n\n" + table(("what is done", *TIMES), rows)


def _said(times: Times, outcome: str) -> str:
    if outcome != "fallback":
        return outcome if outcome == "finished" else "void, with the cause; can be gone on with"
    return "finished; " + ("each such answer" if times == "always" else "that answer") + " absent, with the cause"


def _group(title: str, faults: Sequence[Fault], found: Sequence[Figures]) -> str:
    ran = {figures.fault: figures for figures in found}
    rows = [_row(fault, ran[fault.name].results) for fault in faults if fault.name in ran]
    if not rows:
        return ""
    return f"## Faults of {title}\n\n" + table(("fault", "what is done", "stands as a try", *TIMES, "requests"), rows)


def _row(fault: Fault, results: Sequence[tuple[Cell, Result]]) -> Row:
    outcomes = [_outcomes(result for cell, result in results if cell.times == times) for times in TIMES]
    requests = [result.requests for _, result in results]
    done = HANDLINGS[fault.handling][0]
    return fault.name, done, fault.tried or "–", *outcomes, f"{min(requests)} to {max(requests)}"


def _outcomes(results: Iterable[Result]) -> str:
    counts = Counter(f"{each.outcome} ({each.cause})" if each.cause else each.outcome for each in results)
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "–"


def _meaningless(empty: Sequence[Cell]) -> str:
    if not empty:
        return ""
    by_reason: dict[tuple[str, str, str], set[str]] = {}
    for cell in empty:
        by_reason.setdefault((cell.name, f"{cell.place}, {cell.times}", cell.meaningless), set()).add(cell.kind)
    rows = [(name, where, ", ".join(kind for kind in KINDS if kind in kinds), reason)
            for (name, where, reason), kinds in by_reason.items()]  # fmt: skip
    return f"## Cells without meaning: {len(empty)}\n\n" + table(("fault", "where", "kinds", "why"), rows)


def table(head: Row, rows: Iterable[Row]) -> str:
    """A Markdown table."""
    lines = [head, ["--"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def commit() -> str:
    """The commit of the working tree, and whether what was run had changes."""
    try:
        head, changed = (
            subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
            for words in (
                ("rev-parse", "--short=12", "HEAD"),
                ("status", "--porcelain", "--", ".", "../../arena", "../../agents", "../../transcripts"),
            )
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head} with changes" if changed else head
