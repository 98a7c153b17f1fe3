"""Runs the notebook of the docs without any of Jupyter; ``python -m columns.notebook`` writes its outputs into it."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "three_findings.ipynb"


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return found


async def run(notebook: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Run all cells, one after another; the names they leave behind, and what each printed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            code = compile(source, cell["id"], "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            with redirect_stdout(StringIO()) as out:
                result = eval(code, names)
                if inspect.isawaitable(result):
                    await result
            printed.append(out.getvalue())
    return names, printed


def main() -> None:
    """Run it and keep what it prints."""
    notebook = read()
    _, printed = asyncio.run(run(notebook))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, text) in enumerate(zip(cells, printed, strict=True), start=1):
        cell["execution_count"] = number
        lines = text.splitlines(keepends=True)
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if text else []
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
