"""The notebook of the docs runs, and comes to what stands in it."""

from __future__ import annotations

import asyncio

from columns.notebook import read, run


def test_the_notebook_runs_and_finds_something() -> None:
    """From a folder of games to three findings: rates with intervals around them, over the very games it played."""
    notebook = read()
    names, printed = asyncio.run(run(notebook))
    assert "games=30, damaged=[]" in printed[1]
    for finding in ("lift", "true", "false", "hidden", "known"):
        value, low, high = names[finding]
        assert low <= value <= high, finding
    assert names["lift"][1] > 0, "scripted civilians beat chance"
    assert names["known"][0] > names["hidden"][0], "who says to be police is killed sooner"
    shown = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [bool(outputs) for outputs in shown] == [bool(text) for text in printed], "python -m columns.notebook"
