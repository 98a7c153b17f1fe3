"""Where a game is kept and how it begins: whatever was there before, it starts, goes on, or is named."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crash.runs import check_end, runner, whole
from players import CLASSIC_FIVE, Fixed, bots, canonical, header, play_game
from tianhei.arena.cli import main
from tianhei.arena.host import Sitter
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer
from tianhei.transcripts.file import read
from tianhei.transcripts.game import load

RUN = runner()
HEADER = ("header: not written", "header: half", "header: no newline", "header: written")


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.mark.report("PE-02")
@pytest.mark.parametrize("boundary", HEADER)
def test_a_game_that_was_killed_before_its_header_stood_is_named_and_can_be_started(
    tmp_path: Path, boundary: str
) -> None:
    path = tmp_path / "g"
    ran = RUN(path, b"", whole().ran.passed.index(boundary))
    assert path.exists()
    if boundary in HEADER[:2]:
        said = call("resume", path)
        assert said.exit_code == 1
        assert said.stderr.startswith(f"Error: {path}: ")
        assert re.search(r"never started|no transcript of a game$", said.stderr)
        assert path.read_bytes() == ran.after
    check_end(path, RUN(path, ran.after, None))


@pytest.mark.report("PE-02")
def test_the_repair_of_a_header_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "g"
    ran = RUN(path, b"", HEADER.index("header: half"))
    RUN(path, ran.after, None)
    assert [note["what"] for note in load(path).notes] == [f"a torn last line of {len(ran.after)} bytes was cut off"]


@pytest.mark.report("PE-03")
def test_a_fault_of_a_player_is_noted_once(tmp_path: Path) -> None:
    """Though the game is broken off between the note and the reply."""
    path, whole_path = tmp_path / "g", tmp_path / "whole"
    head = header(CLASSIC_FIVE, rules={"max_days": 1, "first_phase": "day"})
    sitters = {**bots(5), 3: Sitter(Fixed(Reply(Answer(target=77))), waits=True)}
    play_game(whole_path, head, sitters)
    known, data = canonical(whole_path), whole_path.read_bytes()
    lines = read(whole_path).lines
    first = next(line.number for line in lines if line.data.get("note") == "fault")
    path.write_bytes(b"".join(data.splitlines(keepends=True)[: first + 1]))
    play_game(path, head, sitters)
    assert canonical(path) == known


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    """An endpoint that refuses every key."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = b'{"error": {"message": "no", "type": "error"}}'
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


NAMES = ("google/gemma-2:9b", "../x", "/etc/x", "CON", "名字 with a space", "n" * 300)


@pytest.mark.report("PE-11")
@pytest.mark.parametrize("name", NAMES)
def test_a_models_name_is_in_the_transcript_and_not_in_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusing: str, name: str
) -> None:
    home = tmp_path / "a" / "home"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)
    options = ("-g", "classic", "--roles", "killer=1,civilian=2", "-l", "en", "-q")
    said = call("play", *options, "-a", f"{name}@{refusing}")
    assert said.exit_code == 1
    assert "key" in said.stderr
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert path.parent == home / "runs"
    assert re.fullmatch(r"[\w-]{1,100}\.jsonl", path.name, re.ASCII)
    assert {seat.model for seat in load(path).header.seats} == {name}


@pytest.mark.report("PE-11")
@pytest.mark.parametrize("option", [("-g", "../x"), ("-a", "CON"), ("--seat", "1=../x"), ("--seat", "../x=random")])
def test_a_name_that_is_none_is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: tuple[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = call("play", "-q", "-a", "random", *option)
    assert said.exit_code == 1
    assert re.fullmatch(r"Error: .*(\.\./x|CON).*\n", said.stderr)
    assert list(tmp_path.iterdir()) == []
