"""A game without names and private words is the same game."""

from __future__ import annotations

import asyncio
from pathlib import Path

from click.testing import CliRunner

from players import CLASSIC_SEVEN, header
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.cli import main
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.view import View
from tianhei.transcripts.game import load
from tianhei.transcripts.header import SeatSpec
from tianhei.transcripts.redaction import without_names
from tianhei.transcripts.replay import rebuild, verified

SECRET = "SECRET"
NAME = "Winifred"


class Gossip(ScriptedPlayer):
    """Says somebody's name in public, and a secret in private."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        reply = await super().act(view, request, ask)
        answer = reply.answer._replace(note=f"{SECRET}-note")
        if request.kind in CLAIMING:
            answer = answer._replace(text=f"I trust {NAME}, and winifred trusts me.")
        elif request.text:
            answer = answer._replace(text=f"{SECRET}-council")
        return reply._replace(answer=answer, thought=f"{SECRET}-thought")


def played(path: Path) -> Path:
    from dataclasses import replace

    usual = header(CLASSIC_SEVEN)
    seats = tuple(SeatSpec("human", name=NAME if seat == 3 else "") for seat in range(1, 8))
    sitters = {seat: Sitter(Gossip("en"), "human", waits=True) for seat in range(1, 8)}
    host = Host(path, replace(usual, seats=seats), sitters, clock=FixedClock())
    host.note("takeover", seat=3)
    host.note("private", text=SECRET)
    asyncio.run(host.play())
    return path


def test_a_redacted_game_is_sound_and_holds_no_name_and_no_private_word(tmp_path: Path) -> None:
    game, copy = played(tmp_path / "game.jsonl"), tmp_path / "copy.jsonl"
    text = game.read_text()
    assert SECRET in text
    assert NAME in text
    done = CliRunner().invoke(main, ["redact", str(game), "-o", str(copy)])
    assert done.exit_code == 0, done.output
    redacted = copy.read_text()
    assert SECRET not in redacted
    assert NAME.casefold() not in redacted.casefold()
    assert "I trust Player 3, and Player 3 trusts me." in redacted
    assert verified(copy) == verified(game)
    before, after = load(game), load(copy)
    assert rebuild(after)[0].outcome == rebuild(before)[0].outcome
    assert [w.answers.keys() for w in after.waves] == [w.answers.keys() for w in before.waves]
    for was, now in zip(before.waves, after.waves, strict=True):
        for name, answer in was.answers.items():
            assert now.answers[name].target == answer.target
    assert [note["note"] for note in after.notes] == ["takeover", "redacted"]


def test_a_copy_never_takes_the_place_of_a_file(tmp_path: Path) -> None:
    game = played(tmp_path / "game.jsonl")
    refused = CliRunner().invoke(main, ["redact", str(game), "-o", str(game)])
    assert refused.exit_code == 1
    assert "name a new file" in refused.output
    assert SECRET in game.read_text()


def test_names_are_found_as_words_and_in_scripts_without_gaps() -> None:
    names = {"Al": 1, "Alba": 2, "小雪": 3}
    assert (
        without_names("Al and Alba and Albatross, al!", names, "en") == "Player 1 and Player 2 and Albatross, Player 1!"
    )
    assert without_names("我信小雪的话", names, "zh") == "我信3号的话"
    assert without_names("nobody", {}, "en") == "nobody"
