"""The command: whole games from the shell, and errors that say in one line what to do."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from players import canonical
from tianhei.arena.cli import SECTIONS, main
from tianhei.transcripts.game import load

COMMAND = [sys.executable, "-c", "from tianhei.arena.cli import main; main()"]
RULES = ("-g", "classic", "--roles", "killer=1,police=1,civilian=3", "-s", "max_days=2", "-s", "first_phase=day")
SMALL = (*RULES, "--seed", "3")
ESCAPE = "\x1b"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def ok(*arguments: object) -> str:
    result = call(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def error(*arguments: object) -> str:
    """The one line that a failing command says."""
    result = call(*arguments)
    assert result.exit_code != 0, result.output
    lines = [line for line in result.stderr.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("Error: ")
    return lines[0]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "g.jsonl"
    ok("play", *SMALL, "-a", "random", "-l", "en", "-q", "-o", path)
    return path


@pytest.mark.parametrize("player", ["random", "scripted"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_a_whole_game(tmp_path: Path, game: str, lang: str, player: str) -> None:
    path = tmp_path / "g.jsonl"
    shown = ok("play", "-g", game, "-a", player, "-l", lang, "--seed", 5, "-o", path)
    assert ("好人" in shown) == (lang == "zh")
    assert str(path) in shown.replace("\n", "")
    assert ESCAPE not in shown
    assert load(path).header.lang == lang
    assert "sound, " in ok("verify", path)
    assert ok("show", path) == shown
    assert ok("watch", path) == shown


def test_quiet_prints_the_path_alone_and_a_new_game_has_a_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = {ok("play", *RULES, "-a", "random", "-q").strip() for _ in range(2)}
    assert len(paths) == 2
    assert all(Path(path).parent == Path("runs") and Path(path).is_file() for path in paths)


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_shows_the_events_that_may_be_seen(kept: Path) -> None:
    public, seat, everything = (events(ok("show", kept, "--json", *more)) for more in ((), ("--as", 2), ("--reveal",)))
    assert {event["audience"] for event in public} == {"public"}
    assert all(event["audience"] == "public" or 2 in event["audience"] for event in seat)
    assert [event for event in seat if event["kind"] == "role"]
    assert len(public) < len(seat) < len(everything)
    assert not [event for event in everything if event["kind"] == "note"]
    path = kept.with_name("again")
    played = call("play", *SMALL, "-a", "random", "-l", "en", "--json", "-o", path)
    assert events(played.stdout) == public
    assert played.stderr.strip() == str(path)


def test_what_each_pair_of_eyes_sees(kept: Path) -> None:
    public, mine, truth = ok("show", kept), ok("show", kept, "--as", 1), ok("show", kept, "--reveal")
    assert "judge's own" not in public
    assert "judge's own" not in mine
    assert "judge's own" in truth
    assert "You are" not in public.split("Who voted")[0]
    assert len(public) < len(mine) < len(truth)
    assert error("show", kept, "--as", 6) == "Error: --as 6: seats are numbered 1 to 5"
    assert error("show", kept, "--as", 0) == "Error: --as 0: seats are numbered 1 to 5"
    assert error("show", kept, "--as", 1, "--reveal") == "Error: --reveal and --as exclude each other"
    assert "杀人游戏" in ok("show", kept, "-l", "zh")


ERRORS: dict[str, tuple[tuple[object, ...], str]] = {
    "preset": (("-g", "moon"), "unknown preset 'moon'; there are classic, "),
    "option": (("-s", "moon=1"), "unknown option 'moon'; the classic game has "),
    "another game's option": (("-s", "elder_side=good"), "elder_side is an option of the butterfly game"),
    "value": (("-s", "vote_form=loud"), "vote_form = 'loud' is not allowed: it takes \"called\""),
    "number": (("-s", "max_days=0"), "max_days = '0' is not allowed: it takes a whole number from 1 to 200"),
    "no value": (("-s", "max_days"), "it takes OPTION=VALUE"),
    "size": (("-n", 5), "written: 6 to 17"),
    "size and roles": (("-n", 9, "--roles", "killer=1,civilian=3"), "do not agree; leave one out"),
    "roles": (("--roles", "killer=1,wizard=3"), "'wizard' is no role of the classic game; it has"),
    "no number": (("--roles", "killer=1,civilian"), "it takes ROLE=NUMBER"),
    "decided": (("--roles", "killer=2"), "at least one killer and one other player"),
    "spec": (("-a", "wizard"), "no player 'wizard': there are"),
    "provider": (("-a", "nobody/model"), "no player 'nobody/model'"),
    "setting": (("-a", "openai/m?moon=1"), "moon: Extra inputs are not permitted (settings are "),
    "setting's value": (("-a", "openai/m?temperature=9"), "temperature: Input should be less than or equal to 2"),
    "seat": (("--seat", "99=random"), "with a number from 1 to 8"),
    "seat without a player": (("--seat", "1"), "it takes NUMBER=PLAYER"),
    "key": (("-a", "openai/gpt"), "the key is missing; set the environment variable OPENAI_API_KEY"),
    "own key": (("-a", "m@http://127.0.0.1:9/v1?key_env=MY_KEY"), "set the environment variable MY_KEY"),
    "pack": (("-a", "m@http://127.0.0.1:9/v1?pack=moon"), "no prompt pack 'moon'"),
    "class": (("-a", "json:Player"), "json has no class Player with a method act"),
    "module": (("-a", "no.such:Player"), "cannot be loaded: No module named 'no'"),
    "file": (("-a", "/no/such.py:Player"), "there is no such file"),
    "table": (("--players", "/no/table.toml"), "/no/table.toml: No such file or directory"),
    "seen seat": (("--as", 9), "--as 9: seats are numbered 1 to 8"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_one_line_that_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for key in ("OPENAI_API_KEY", "MY_KEY"):
        monkeypatch.delenv(key, raising=False)
    arguments, message = ERRORS[name]
    first = () if "-a" in arguments else ("-a", "random")
    out = () if "-o" in arguments else ("-o", tmp_path / "g")
    assert message in error("play", *first, *arguments, *out)
    assert not (tmp_path / "g").exists()


def test_a_file_that_is_not_there_damaged_or_anothers(tmp_path: Path, kept: Path) -> None:
    for command in ("show", "watch", "resume"):
        assert "No such file" in error(command, tmp_path / "none")
        assert not (tmp_path / "none").exists()
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 1
    kept.write_bytes(data)
    for command in ("show", "watch", "resume"):
        assert re.search(r"line \d+ is damaged: it", error(command, kept))
    good = tmp_path / "good"
    ok("play", *SMALL, "-a", "random", "-q", "-o", good)
    result = call("verify", good, kept, tmp_path / "none")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{good}: sound")
    assert "Error: 2 of 3 transcripts are not sound" in result.stderr


def test_a_file_of_another_game_and_a_folder_are_refused_in_one_line(tmp_path: Path, kept: Path) -> None:
    assert "cannot be written: Is a directory" in error("play", *SMALL, "-a", "random", "-o", tmp_path)
    assert "holds another game; name a new file" in error("play", *SMALL, "-a", "scripted", "-o", kept)


def test_an_interrupted_play_with_the_same_seed_goes_on(kept: Path) -> None:
    before = kept.read_bytes()
    ok("resume", kept)
    assert kept.read_bytes() == before
    cut = kept.with_name("cut")
    cut.write_bytes(b"".join(before.splitlines(keepends=True)[:5]))
    assert "go on with" in ok("show", cut).replace("\n", " ")
    assert re.search(r": sound, unfinished after \d+ waves", ok("verify", cut))
    ok("resume", cut, "-q")
    assert canonical(cut) == canonical(kept)


SLOW = """
import asyncio
from pathlib import Path
from tianhei.agents.random_player import RandomPlayer

class Slow(RandomPlayer):
    async def act(self, view, request, ask):
        await asyncio.sleep(0.05)
        while request.kind == "vote" and Path(__file__).with_name("held").exists():
            await asyncio.sleep(0.05)
        return await super().act(view, request, ask)
"""


def test_a_killed_game_goes_on_to_the_same_end(tmp_path: Path) -> None:
    player, path, whole = tmp_path / "slow.py", tmp_path / "g", tmp_path / "whole"
    player.write_text(SLOW)
    play = ("play", *SMALL, "-a", f"{player}:Slow", "-l", "en", "-q", "--fixed-clock", "-o")
    ok(*play, whole)
    held = player.with_name("held")
    held.touch()
    killed = subprocess.Popen([*COMMAND, *play, path], stdout=subprocess.DEVNULL)
    while not path.exists() or path.read_bytes().count(b"\n") < 6:
        assert killed.poll() is None, "it ended by itself"
        time.sleep(0.01)
    refused = call("resume", path)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    held.unlink()
    assert "another process is writing this transcript" in refused.stderr
    assert load(path).end is None
    ok("resume", path, "-q")
    assert canonical(path) == canonical(whole)


def test_watch_follows_a_game_to_its_end(tmp_path: Path) -> None:
    player, path = tmp_path / "slow.py", tmp_path / "g"
    player.write_text(SLOW)
    play = [*COMMAND, "play", *SMALL, "-a", f"{player}:Slow", "-l", "en", "-q", "-o", str(path)]
    playing = subprocess.Popen(play, stdout=subprocess.DEVNULL)
    while not path.exists() or not path.read_bytes().count(b"\n"):
        assert playing.poll() is None, "it ended by itself"
        time.sleep(0.01)
    seen = events(ok("watch", path, "--json", "--every", "0.02"))
    assert playing.wait(60) == 0
    assert seen == events(ok("show", path, "--json"))


def test_seats_from_a_table_and_from_the_command_line(tmp_path: Path) -> None:
    table, path = tmp_path / "table.toml", tmp_path / "g"
    table.write_text('[all]\nplayer = "random"\n[seats.2]\nplayer = "scripted"\n', encoding="utf-8")
    ok("play", *SMALL, "--players", table, "--seat", "3=scripted", "-q", "-o", path)
    assert [spec.player for spec in load(path).header.seats] == ["random", "scripted", "scripted", "random", "random"]


TABLES: dict[str, tuple[str, str]] = {
    "no toml": ("[all", "it is not TOML"),
    "a table": ("[moon]", "unknown table [moon]; there are [all] and [seats.NUMBER]"),
    "a seat": ('[seats.9]\nplayer = "random"', "[seats.9]: seats are numbered 1 to 5"),
    "a field": ('[all]\nplayer = "random"\nmoon = 1', "moon: Extra inputs are not permitted"),
    "a player": ('[seats.1]\npack = "official"', "player: Field required"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_does_not_fit_is_named(tmp_path: Path, name: str) -> None:
    text, message = TABLES[name]
    (tmp_path / "t.toml").write_text(text)
    line = error("play", *SMALL, "--players", tmp_path / "t.toml", "-o", tmp_path / "g")
    assert message in line
    assert "t.toml" in line


@pytest.mark.parametrize("text", ['[seats]\n1 = "random"', "all = 3", "seats = 3"])
def test_a_table_of_another_shape_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.toml").write_text(text)
    error("play", *SMALL, "--players", tmp_path / "t.toml", "-o", tmp_path / "g")


@pytest.mark.parametrize("spec", ["ollama/llama3.2:latest", "ollama/qwen2.5:7b", "qwen2.5:7b@http://127.0.0.1:9/v1"])
def test_a_model_with_a_tag_is_a_model(tmp_path: Path, spec: str) -> None:
    result = call("play", *SMALL, "-a", spec, "--seed", 1, "-o", tmp_path / "g", "--deadline", 0.01)
    assert "cannot be loaded" not in result.stderr


def test_a_table_of_nobody_is_refused(tmp_path: Path) -> None:
    assert "written: 6 to 17" in error("play", "-n", 0, "-a", "random", "-o", tmp_path / "g")


def test_any_text_is_a_seed(tmp_path: Path) -> None:
    ok("play", *RULES, "--seed=--5", "-a", "random", "-q", "-o", tmp_path / "g")


HALF = """
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer

class Half:
    async def act(self, view, request, ask):
        return Reply(Answer(text="half a \\ud83d face"[: request.text]) if request.text else Answer())
"""


def test_half_a_character_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text(HALF)
    play = ["play", *SMALL, "-s", "first_phase=day", "-a", f"{tmp_path / 'half.py'}:Half", "-o", str(tmp_path / "g")]
    done = subprocess.run([*COMMAND, *play], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0


def test_nothing_is_coloured_when_piped(kept: Path) -> None:
    for arguments in (["show", str(kept)], ["show", str(kept), "--reveal"], ["rules"], ["--help"], ["show", "none"]):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, encoding="utf-8")
        assert ESCAPE not in done.stdout + done.stderr


def test_the_rules_are_printed_as_players_are_shown_them() -> None:
    english, chinese = ok("rules", "-g", "butterfly", "-l", "en"), ok("rules", "-g", "butterfly", "-l", "zh")
    assert "butterfly" in english.lower()
    assert "花蝴蝶" in chinese
    assert english.splitlines()[-1] == chinese.splitlines()[-1]
    listed = ok("rules", "--options", "-s", "max_days=7")
    assert "max_days = 7    (a whole number from 1 to 200; " in listed
    assert ok("rules", "-n", 8) != ok("rules", "-n", 12)
    assert "unknown preset" in error("rules", "-g", "moon")


def test_help_and_version_are_quick_and_whole() -> None:
    for command in ((), ("play",), ("resume",), ("show",), ("watch",), ("verify",), ("rules",), ("referee",)):
        assert "Usage: " in ok(*command, "--help")
    assert ok("--version").startswith("tianhei, version ")
    heavy = "import sys, tianhei.arena.cli; sys.exit(any(name in sys.modules for name in ('openai', 'rich.panel')))"
    assert subprocess.run([sys.executable, "-c", heavy]).returncode == 0


def test_every_command_stands_in_one_section_of_the_help() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(main.commands)
