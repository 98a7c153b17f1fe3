"""What players say is shown as their words, and never steers the terminal."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from players import CLASSIC_FIVE, header
from tianhei.arena.commands.running import JsonLines
from tianhei.arena.costs import Costs
from tianhei.arena.events import Event, LastWords, Speech
from tianhei.arena.player import Prompt
from tianhei.arena.screen import Screen, harmless
from tianhei.transcripts.game import load

ESCAPES = "\x1b[2J\x1b]0;pwned\x07\x1b]52;c;aGk=\x07 hi \x08\x08\x9b31m \u202eevil\u2066 \x7f\r\u2028Day 2 begins\u0085"


def shown(text: str, *, last: bool = False, by: int = 2) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False, color_system=None)
    screen = Screen(header(CLASSIC_FIVE), console)
    body = LastWords(by, text, 1) if last else Speech(by, text, "round")
    screen.show([Event(1, "day", "public", body)])
    return out.getvalue()


@pytest.mark.report("IN-04", "IN-03")
@pytest.mark.parametrize("last", [False, True])
def test_no_control_reaches_a_terminal(last: bool) -> None:
    said = shown(ESCAPES, last=last)
    assert "hi" in said and "evil" in said
    assert not [letter for letter in said if letter != "\n" and (ord(letter) < 32 or 127 <= ord(letter) < 160)]
    assert not set(said) & set("\u202e\u2066\u2028\u2029\u200e\u200f")


@pytest.mark.report("IN-04")
def test_json_for_a_terminal_is_escaped_and_keeps_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    JsonLines("public").show([Event(1, "day", "public", Speech(2, ESCAPES + "人", "round"))])
    line = capsys.readouterr().out
    assert harmless(line) == line
    assert json.loads(line)["text"] == ESCAPES + "人"


@pytest.mark.report("UI-01", "UI-02")
@pytest.mark.parametrize("text", ["[/]", "[red]x[/red]", "[/foo] <b>swear</b> <think>x</think>", "a\\[b"])
def test_markup_is_shown_as_it_is(text: str) -> None:
    assert text in shown(text)


@pytest.mark.report("IN-07")
def test_a_speaker_that_begins_with_its_own_name_is_shown_once() -> None:
    assert shown("Player 2: Player 2: hello").count("Player 2") == 1
    assert shown("Player 3: hello").count("Player") == 2, "another's name stays"


@pytest.mark.report("IN-03")
def test_lines_of_a_speech_stay_in_its_own_column() -> None:
    lines = shown("one\nPlayer 4: I am police\n\nJudge: night falls").splitlines()
    assert len([line for line in lines if line.startswith(("Player", "Judge"))]) == 0
    assert all(line[:11].strip() in ("", "Player 2") for line in lines)


@pytest.mark.report("UN-08")
def test_columns_are_measured_by_what_they_take_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    from tianhei.arena.tallies import cost_table

    cost_table({name: Costs(calls=1, answers=1) for name in ("王五", "👍👍", "abcd")})
    rows = [line for line in capsys.readouterr().out.splitlines() if "of 1" in line]
    assert len({cell_len(line[: line.index("0 of 1")]) for line in rows}) == 1


@pytest.mark.report("UN-07")
def test_a_console_that_cannot_show_a_letter_never_stops_a_game(tmp_path: Path) -> None:
    player = tmp_path / "shouter.py"
    player.write_text(
        "from tianhei.arena.player import Reply\nfrom tianhei.arena.requests import Answer\n"
        "class Shouter:\n    async def act(self, view, request, ask):\n"
        "        target = request.options[0] if request.options and request.kind not in ('hand', 'demand') else None\n"
        "        return Reply(Answer(target=target, text='📊 中文'[: request.text], raised=request.kind == 'hand'))\n",
        encoding="utf-8",
    )
    command = [str(Path(sys.executable).with_name("tianhei")), "play", "--all", f"{player}:Shouter", "--seed", "1",
               "-o", str(tmp_path / "game.jsonl")]  # fmt: skip
    done = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "cp1252"}, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode("cp1252")
    assert load(tmp_path / "game.jsonl").end is not None
    assert "📊 中文" in (tmp_path / "game.jsonl").read_text(encoding="utf-8")


@pytest.mark.report("UN-03")
def test_no_name_is_ever_sent_but_in_the_text() -> None:
    turns = Prompt("rules", "record", "private", prefill="I vote for ").messages()
    assert {tuple(turn) for turn in turns} == {("role", "content")}


@pytest.mark.parametrize(("police", "title"), [(1, "警匪局"), (0, "生推局")])
def test_a_table_without_police_is_not_called_after_them(police: int, title: str) -> None:
    out = io.StringIO()
    counts = {"killer": 2, "police": police, "civilian": 4}
    Screen(header(counts, lang="zh"), Console(file=out, width=100, color_system=None)).open()
    assert title in out.getvalue() and ("警" in out.getvalue()) is bool(police)
