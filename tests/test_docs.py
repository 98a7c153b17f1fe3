"""The documentation is true: its commands run, its code runs, its files are read, its links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])
_BLOCK = re.compile(r"(?:<!-- (\w+) -->\n)?```(\w+)(?: file=(\S+))?\n(.*?)```", re.DOTALL)


class Block(NamedTuple):
    """One fenced block: the page, the mark before it, its language, the file it is, and its text."""

    page: str
    mark: str
    lang: str
    file: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for mark, lang, file, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        yield Block(page.name, mark, lang, file, text)


def environment() -> dict[str, str]:
    """The environment of a reader whose shell finds the command."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "LANG": "en_US.UTF-8"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """Files first, then commands line by line and code; set-up commands (marked) are run by CI itself."""
    found = [block for block in blocks(page) if not block.mark]
    (tmp_path / "game.jsonl").unlink(missing_ok=True)
    for block in found:
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    for block in found:
        if block.lang == "sh":
            _run(["bash", "-euo", "pipefail", "-c", block.text], tmp_path)
        elif block.lang == "python" and not block.file:
            if not (tmp_path / "game.jsonl").exists():
                _run(["tianhei", "play", "--all", "scripted", "--out", "game.jsonl", "--quiet"], tmp_path)
            _run([sys.executable, "-c", block.text], tmp_path)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_table_of_the_docs_is_read(tmp_path: Path) -> None:
    """The TOML that the page shows fills seats."""
    from tianhei.agents.roster import read_table

    found = [block for block in blocks(ROOT / "docs" / "players.md") if block.lang == "toml"]
    assert found
    for block in found:
        path = tmp_path / "table.toml"
        path.write_text(block.text, encoding="utf-8")
        assert read_table(path, 8)[3].player == "openai/gpt-5-mini"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_both_languages_tell_the_same_commands() -> None:
    """The Chinese page shows no command that the program does not have."""
    from tianhei.arena.cli import main

    for page in PAGES:
        for name in re.findall(r"\btianhei ([a-z][\w-]*)", page.read_text(encoding="utf-8")):
            assert name in main.commands, f"{page.name} names the command {name}"


def test_every_command_is_in_the_help() -> None:
    """`--help` lists every command with a sentence."""
    done = subprocess.run(["tianhei", "--help"], env=environment(), capture_output=True, text=True, timeout=60)
    from tianhei.arena.cli import main

    assert done.returncode == 0
    for name in main.commands:
        assert re.search(rf"^  {name} +\w", done.stdout, re.MULTILINE), name
