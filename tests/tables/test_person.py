"""A person in a terminal seat: asked until the answer is one, shown the own view, and leaving no trace of it."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from players import CLASSIC_FIVE, header
from tables.guests import everybody_leaves, open_table, serving, sit_down
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.cli import main
from tianhei.arena.events import Called, Event, VotedOut
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.person import LETTERS_A_SECOND, RESULT_LETTERS, Person, Reading
from tianhei.arena.requests import Answer, Request
from tianhei.arena.screen import Screen
from tianhei.arena.tables.calling import Link, move, read_link
from tianhei.arena.tables.refused import Refused
from tianhei.transcripts.game import load, seat_of
from tianhei.transcripts.replay import verified


def person(*lines: str, out: io.StringIO | None = None) -> Person:
    """Somebody who types these lines."""
    typed: Iterator[str] = iter(lines)
    console = Console(file=out or io.StringIO(), width=100, color_system=None)
    return Person("en", console, lambda prompt: next(typed))


@pytest.mark.parametrize(
    ("request_", "typed", "answer"),
    [
        (Request("r.1", 1, "vote", (2, 3)), ("3",), Answer(target=3)),
        (Request("r.1", 1, "vote", (2, 3)), ("-",), Answer()),
        (Request("r.1", 1, "vote", (2, 3), may_pass=False), ("", "9", "x", "2"), Answer(target=2)),
        (Request("r.1", 1, "kill", (2, 3), text=90), ("3", "quietly"), Answer(target=3, text="quietly")),
        (Request("r.1", 1, "speech", text=10), ("far too long for it", "short"), Answer(text="short")),
        (Request("r.1", 1, "speech", text=10), ("",), Answer()),
        (Request("r.1", 1, "speech_and_vote", (2,), text=9), ("hello", "2"), Answer(target=2, text="hello")),
        (Request("r.1", 1, "hand", (2,)), ("y",), Answer(raised=True)),
        (Request("r.1", 1, "hand", (2,), may_pass=False), ("n", "y"), Answer(raised=True)),
        (Request("r.1", 1, "demand", (2, 3, 4)), ("2", "2 4"), Answer(targets=(2, 4))),
        (Request("r.1", 1, "demand", (2, 3, 4)), ("-",), Answer()),
    ],
)
def test_a_person_is_asked_until_the_answer_is_one(request_: Request, typed: tuple[str, ...], answer: Answer) -> None:
    assert person(*typed).ask(request_, "") == answer


def test_a_person_plays_a_whole_game_among_bots(tmp_path: Path) -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None)

    def typed(prompt: str) -> str:
        offered = re.search(r"\((\d+|y)", prompt)
        return offered[1] if offered else ""

    someone = Person("en", console, typed)
    sitters = {seat: Sitter(ScriptedPlayer("en")) for seat in range(2, 6)}
    sitters[1] = Sitter(someone, "human", waits=True)
    path = tmp_path / "game.jsonl"
    asyncio.run(Host(path, header(CLASSIC_FIVE), sitters, clock=FixedClock()).play())
    recorded = load(path)
    mine = {r.source for wave in recorded.waves for r in wave.replies.values() if seat_of(r.request) == 1}
    assert mine == {"human"}
    assert "Your card:" in out.getvalue()
    for seat in range(2, 6):
        assert f"to Player {seat}" not in out.getvalue()


def test_results_stay_as_long_as_they_take_to_read() -> None:
    slept: list[float] = []
    screen = Screen(header(CLASSIC_FIVE), Console(file=io.StringIO()))
    reading = Reading(screen, slept.append)
    reading.show((Event(1, "day", "public", VotedOut(3)), Event(2, "night", "public", Called(stage="night"))))
    assert slept == [RESULT_LETTERS / LETTERS_A_SECOND] * 2


@pytest.mark.report("UI-01")
def test_marks_of_the_terminal_are_words_like_others() -> None:
    someone = person("[/red]")
    assert someone.ask(Request("r.1", 1, "speech", text=20), "").text == "[/red]"


def test_others_sights_are_refused_while_a_person_plays(tmp_path: Path) -> None:
    for extra in (("--reveal",), ("--as", "2")):
        arguments = ["play", "-a", "scripted", "--seat", "3=human", "-o", str(tmp_path / "game.jsonl"), *extra]
        refused = CliRunner().invoke(main, arguments)
        assert refused.exit_code == 2
        assert "as that seat may see it" in refused.output


def at_a_terminal(path: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], int]:
    """A game with a person in seat 2, in a real terminal: the program, and the other end of its terminal."""
    leader, follower = pty.openpty()
    quickly = "import tianhei.arena.person as p; p.LETTERS_A_SECOND = 1e9; from tianhei.arena.cli import main; main()"
    command = [sys.executable, "-c", quickly, "play", "-a", "scripted", "--seat", "2=human", "-l", "en"]
    process = subprocess.Popen(
        [*command, *arguments, "-o", str(path)], start_new_session=True,
        stdin=follower, stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(follower)
    return process, leader


def read_until(leader: int, words: bytes) -> bytes:
    """What the terminal shows, until it shows these words."""
    shown, until = b"", time.monotonic() + 30
    while words not in shown and time.monotonic() < until:
        if select.select([leader], [], [], 0.5)[0]:
            shown += os.read(leader, 65536)
    assert words in shown, shown
    return shown


def test_a_night_waits_until_the_day_is_read_and_a_stop_brings_the_window_back(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    process, leader = at_a_terminal(path, "-n", "9", "--seed", "11")
    try:
        before = read_until(leader, b"Press Enter when you have read")
        assert b"\x1b[?1049h" not in before, "the table is seen until Enter is pressed"
        os.write(leader, b"\n")
        aside = read_until(leader, b"Whom do the police check")
        assert b"Night 1" in aside.split(b"\x1b[?1049h")[1]
        process.send_signal(signal.SIGINT)
        told = read_until(leader, b"tianhei resume")
        assert b"The game is not over" in told.split(b"\x1b[?1049l")[1]
        assert process.wait(20) == 130
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert "unfinished" in verified(path)


def test_the_card_leaves_no_trace_in_the_window(tmp_path: Path) -> None:
    """In a real terminal, what only the seat knows stands between the marks of the other screen and nowhere else."""
    path = tmp_path / "game.jsonl"
    process, leader = at_a_terminal(path, "-n", "6", "--seed", "5")
    shown = b""
    with suppress(OSError):  # the program is done with the terminal
        until = time.monotonic() + 60
        while time.monotonic() < until:
            ready, _, _ = select.select([leader], [], [], 0.5)
            if ready:
                shown += os.read(leader, 65536)
            else:  # it waits for a line
                os.write(leader, b"\n")
    os.close(leader)
    try:
        assert process.wait(20) == 0
    finally:
        process.kill()
    text = shown.decode()
    inside = text.split("\x1b[?1049h")[1:]
    assert any("Your card" in part.split("\x1b[?1049l")[0] for part in inside)
    outside = text.split("\x1b[?1049h")[0] + "".join(part.split("\x1b[?1049l")[1] for part in inside)
    assert "Your card" not in outside
    assert "Judge" in outside
    assert "unfinished" not in verified(path)


def test_one_move_is_made_from_a_terminal_by_a_seats_link(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, pace="calm", survey=False)
            host, (someone,) = await sit_down(url, links)
            await someone.look_away()
            link = Link(url, links["table"], someone.token)
            said: list[str] = []
            assert not await move(link, "en", person(), said.append, wait=False)
            await host.post("host/start")
            await someone.post("seen")
            mover = Person("en", Console(file=io.StringIO()), lambda prompt: "-" if "nobody" in prompt else "hello all")
            for _ in range(3):  # a night, and what comes next as long as the seat is alive
                if not await move(link, "en", mover, said.append, wait=True):
                    break
            assert any("Night falls" in line for line in said)
            assert not any("Your card" in line and "killer" in line for line in said if "good side" in line)
            with pytest.raises(Refused) as refused:
                await move(Link(url, links["table"], "x" * 32), "en", mover, said.append, wait=False)
            assert refused.value.name == "unknown_token"
            await everybody_leaves(host, someone)

    asyncio.run(play())


@pytest.mark.parametrize("url", ["", "table", "http://a/t/x", "http://a/x#y", "ftp://a/t/x#y", "file:///t/x#y"])
def test_what_is_no_link_is_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_link(url)
    assert refused.value.name == "no_link"


def test_a_link_is_taken_apart() -> None:
    assert read_link("https://a.example:1/t/abc#TOKEN") == Link("https://a.example:1", "abc", "TOKEN")
