"""The command that serves tables: where its opening link goes, and what it says of money."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner

from tables.test_games import answering, free_port
from tianhei.arena.cli import main

OPENING = re.compile(r"http://127\.0\.0\.1:\d+/#([\w-]{32})")
PAID = ["--bot", "gpt=openai/gpt-5-mini"]


def started(folder: Path, port: int, stderr: int, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from tianhei.arena.cli import main; main()", "serve", str(folder)]
    env = {**os.environ, "OPENAI_API_KEY": "a key of nobody"}
    return subprocess.Popen(
        [*command, "--port", str(port), *more], stdout=subprocess.DEVNULL, stderr=stderr, stdin=stderr, env=env
    )


def opens(port: int, token: str) -> bool:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx2.get(f"http://127.0.0.1:{port}/api/options", headers=headers).status_code == 200


def test_the_opening_link_goes_into_no_log_but_into_a_file_for_its_user_alone(tmp_path: Path) -> None:
    port, log, folder = free_port(), tmp_path / "log", tmp_path / "tables"
    folder.mkdir()
    kept = folder / "open-link"
    kept.write_text("an old one, which everybody can read")
    kept.chmod(0o644)
    with log.open("w+b") as out:
        process = started(folder, port, out.fileno(), *PAID)
        try:
            asyncio.run(answering(port))
            (token,) = OPENING.findall(kept.read_text())
            assert opens(port, token)
            assert kept.stat().st_mode & 0o777 == 0o600
            said = log.read_text()
            assert str(kept) in said
            assert token not in said
            assert "#" not in said
            assert "no --budget: what a table may spend on gpt has no limit" in said
        finally:
            process.kill()
            process.wait()


def test_the_opening_link_is_shown_to_whoever_sits_at_the_terminal(tmp_path: Path) -> None:
    port = free_port()
    ours, theirs = pty.openpty()
    process = started(tmp_path, port, theirs, *PAID, "--budget", "0.50")
    os.close(theirs)
    try:
        asyncio.run(answering(port))
        said = os.read(ours, 4096).decode()
        (token,) = OPENING.findall(said)
        assert opens(port, token)
        assert not (tmp_path / "open-link").exists()
        assert "budget" not in said
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_nobody_is_let_spend_without_a_budget_where_everybody_may_open_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key of nobody")
    refused = CliRunner().invoke(main, ["serve", str(tmp_path / "tables"), "--open", *PAID])
    assert refused.exit_code == 1
    assert "--open lets everybody spend on gpt" in refused.output
    assert "--budget" in refused.output
    assert not (tmp_path / "tables").exists()
