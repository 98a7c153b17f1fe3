"""No prompt holds another seat's private words: a player that would send them is stopped before it does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from players import CLASSIC_SEVEN, FakeModel, bots, header
from tianhei.arena.guard import PROBE, Guard, Leak
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Ask, Prompt, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.view import View, Views
from tianhei.transcripts.game import load

SECRET = "I am a killer and my partner sits two seats to the left of me, so I will blame the third seat."


class Thinker:
    """Thinks the secret, and where it must say something says it does not know."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        target = request.options[0] if request.options and request.kind not in ("demand", "hand") else None
        raised = request.kind == "hand"
        text = "I do not know."[: request.text]
        return Reply(Answer(target=target, text=text, raised=raised), thought=SECRET)


class Gossip:
    """Somehow puts what seat 1 thought into its own prompt."""

    def __init__(self, said: str) -> None:
        self.said = said

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        await ask(Prompt("rules", "record", self.said, {"type": "object", "properties": {}}))
        return await Thinker().act(view, request, ask)


def play(path: Path, second: Any, model: FakeModel) -> None:
    async def run() -> None:
        sitters = {**bots(7), 1: Sitter(Thinker(), waits=True), 2: Sitter(second, "model", model)}
        rules = {"first_phase": "day", "max_days": 2, "seat_numbering": "ccw"}
        await Host(path, header(CLASSIC_SEVEN, rules=rules), sitters, clock=FixedClock()).play()

    asyncio.run(run())


def test_another_seats_thought_never_leaves(tmp_path: Path) -> None:
    model = FakeModel()
    with pytest.raises(Leak, match="seat 2 holds a thought of seat 1"):
        play(tmp_path / "game", Gossip(f"Think of it: {SECRET}"), model)
    assert model.calls == []
    void = load(tmp_path / "game").void
    assert void is not None and void["cause"] == "leak"


def test_what_was_never_secret_may_be_sent(tmp_path: Path) -> None:
    model = FakeModel()
    play(tmp_path / "game", Gossip("I do not know. " * PROBE), model)
    assert model.calls


def test_words_that_were_also_said_aloud_are_no_secret() -> None:
    from tianhei.arena.events import Event, Speech
    from tianhei.arena.view import Views
    from tianhei.transcripts.header import Header

    head: Header = header(CLASSIC_SEVEN)
    views = Views(head.rules, head.counts)
    guard = Guard()
    guard.learn(1, SECRET, None, "")
    prompt = Prompt("", "", SECRET)
    with pytest.raises(Leak):
        guard.check(prompt, "", views.of(2))
    guard.check(prompt, "", views.of(1))
    views.add([Event(1, "day", "public", Speech(1, SECRET, "round"))])
    guard.check(prompt, "", views.of(2))


def test_council_talk_is_the_teams_own() -> None:
    from tianhei.arena.events import Event, Stated
    from tianhei.arena.view import Views

    head = header(CLASSIC_SEVEN)
    views = Views(head.rules, head.counts)
    guard = Guard()
    guard.learn(1, "", None, SECRET)
    views.add([Event(1, "night", (1, 2), Stated(1, 3, SECRET, 1))])
    guard.check(Prompt("", "", SECRET), "", views.of(2))
    with pytest.raises(Leak, match="words to its team"):
        guard.check(Prompt("", "", "x"), SECRET, views.of(3))


@pytest.mark.parametrize(
    "secret", ["我是杀手，同伴是6号，今天先打3号，别让他跳警。", "先不提昨夜验的5号，等他们吵完我再报出来。"]
)
def test_a_short_secret_in_chinese_is_one_too(secret: str) -> None:
    """Chinese says in 20 letters what English says in 60."""
    guard, views = guarded()
    guard.learn(1, secret, None, "")
    with pytest.raises(Leak):
        guard.check(Prompt("", "", f"又想：{secret}"), "", views.of(2))


def test_what_a_seat_copied_from_its_own_prompt_is_no_secret() -> None:
    """A question that all of a team are asked stands in each one's prompt."""
    asked = "第1轮商量：各报各的，互相看不到；指的是同一个人就定了，不一样再商量一轮。"
    guard, views = guarded()
    guard.check(Prompt("", "", asked), "", views.of(1))
    guard.learn(1, asked, None, "")
    guard.check(Prompt("", "", asked), "", views.of(2))


def guarded() -> tuple[Guard, Views]:
    head = header(CLASSIC_SEVEN)
    return Guard(), Views(head.rules, head.counts)
