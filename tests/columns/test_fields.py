"""The page of the transcript names every field that the program writes, in the section of its line."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from players import CLASSIC_FIVE, header
from tianhei.arena.calls import Try
from tianhei.arena.claims import Claim
from tianhei.arena.events import BODIES
from tianhei.arena.player import Completion, Prompt, Reply, Usage
from tianhei.arena.probing import Beliefs, Probe
from tianhei.arena.requests import Answer, Limits, Request
from tianhei.arena.roles import Role
from tianhei.transcripts.calls import PublicText, done_to_json, sent_to_json, try_to_json
from tianhei.transcripts.game import reply_to_json
from tianhei.transcripts.header import Header, SeatSpec, Source, imported

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
REPO = Path(__file__).parents[2]
SECTIONS = dict(re.findall(r"\n### (\w+)\n(.*?)(?=\n### |\Z)", PAGE, re.DOTALL))
EVENTS = dict(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*?) \|$", SECTIONS["wave"], re.MULTILINE))


def names(text: str) -> set[str]:
    """What stands between backquotes."""
    return set(re.findall(r"`([^`]+)`", text))


def test_every_field_of_a_header() -> None:
    spec = SeatSpec("p", "m", "e", "k", "h", {"a": 1}, "killers", "n")
    full = Header(
        header(CLASSIC_FIVE).rules, {Role.KILLER: 1}, 1, "en", (spec,), parent={"game": "a"}, probes=("day",)
    ).to_json()
    foreign = imported(Source("f", {"x": "s"}, "g", ("good",)), ["seer"], (spec,), "en").to_json()
    written = {*full, *foreign, *full["table"], *full["table"]["limits"], *full["seats"][0], *foreign["source"]}
    assert {field.name for field in fields(Limits)} <= written
    assert written <= names(SECTIONS["header"])


def test_every_field_of_a_call() -> None:
    usage = Usage(1, 1, 1, 1, True)
    written = {
        *sent_to_json("c", Prompt("s", "p", "q", prefill="x"), PublicText()),
        *done_to_json("c", Completion("t", "r", "stop", usage, ({"a": -1.0},), "no"), 1.0),
        *try_to_json("c", Try("server", "w", 1.0, 1.0, usage, usage)),
        *(field.name for field in fields(Usage)), "for", "failed",
    }  # fmt: skip
    assert written <= names(SECTIONS["call"])


def test_every_field_of_a_reply() -> None:
    request = Request("d1.speech1.01", 1, "speech_and_vote", (2,))
    answer = Answer(2, "t", (), False, False, (Claim("role", 1),), "n")
    written = {*reply_to_json(request, Reply(answer, "thought", 1, True), "bot"), *answer.to_json(request.kind)}
    for kind in ("hand", "demand"):
        written |= set(Answer().to_json(kind))
    written |= {*Answer(absent=True).to_json("vote"), *Claim("role", 1).to_json()}
    assert written <= names(SECTIONS["reply"])


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_every_field_of_an_event(kind: str) -> None:
    told = next(text for kinds, text in EVENTS.items() if kind in names(kinds))
    assert {field.name for field in fields(BODIES[kind])} <= names(told)


def test_every_field_of_a_probe() -> None:
    written = {*Probe("day_start", 1, 2, 3).to_json(), *Beliefs({1: 0.5}, {1: 0.5}).to_json(), "source", "cause"}
    assert written == names(SECTIONS["probe"])


def test_every_kind_of_note() -> None:
    """Whatever note the program's source writes stands on the page."""
    arena, transcripts = (
        "\n".join(path.read_text(encoding="utf-8") for path in (REPO / folder).rglob("*.py"))
        for folder in ("arena", "transcripts")
    )
    written = {
        *re.findall(r'"note", \{"note": "([\w-]+)"', arena + transcripts),
        *re.findall(r'\.note\("([\w-]+)"', arena),
        *re.findall(r'self\._note\("([\w-]+)"', arena),
    }
    assert {"repair", "void", "fault", "imported", "stand-in", "takeover"} <= written
    assert written <= names(SECTIONS["note"])
