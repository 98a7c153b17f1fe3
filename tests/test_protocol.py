"""The referee protocol, as a program of another language meets it: over the pipes of ``tianhei referee``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from players import BUTTERFLY_SEVEN, CLASSIC_SEVEN, ByLot
from tianhei.arena.events import BODIES
from tianhei.arena.requests import Request

ROLES = {
    "classic": [name for name, count in CLASSIC_SEVEN.items() for _ in range(count)],
    "butterfly": [name for name, count in BUTTERFLY_SEVEN.items() for _ in range(count)],
}
COMMAND = [sys.executable, "-c", "from tianhei.arena.cli import main; main()", "referee"]


class Client:
    """One conversation with the process; every request carries an id, which must come back."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._sent = 0

    def raw(self, line: bytes) -> Any:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def __call__(self, cmd: str, **fields: Any) -> Any:
        self._sent += 1
        reply = self.raw(json.dumps({"cmd": cmd, "id": self._sent, **fields}).encode())
        assert reply.pop("id") == self._sent
        return reply

    def ok(self, cmd: str, **fields: Any) -> Any:
        reply = self(cmd, **fields)
        assert reply.pop("ok") is True, reply
        return reply

    def fails(self, cmd: str, **fields: Any) -> tuple[str, str]:
        reply = self(cmd, **fields)
        assert reply["ok"] is False, reply
        return reply["error"]["code"], reply["error"]["message"]

    def close(self) -> None:
        """The process ends at end of file, and quietly."""
        rest, _ = self._process.communicate(timeout=60)
        assert rest == b""
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def process() -> Iterator[Client]:
    client = Client()
    yield client
    client.close()


def test_rules(process: Client) -> None:
    reply = process.ok("rules", rules="classic", lang="zh")
    assert len(reply["hash"]) == 64
    assert reply["options"]["vote_form"] == "called"
    assert "杀手" in reply["text"]
    assert process.ok("rules", rules={"preset": "classic", "max_days": 7})["options"]["max_days"] == 7
    assert process.fails("rules", rules={"preset": "classic", "max_days": 0})[0] == "bad_rules"
    assert process.fails("rules", rules="moon")[0] == "bad_rules"
    assert process.fails("rules")[0] == "bad_request"
    assert process.fails("rules", rules="classic", lang="fr")[0] == "bad_request"


def test_setup(process: Client) -> None:
    assert process.ok("setup", rules="classic", players=8) == {
        "roles": {"police": 2, "killer": 2, "civilian": 4}, "alternatives": {},
    }  # fmt: skip
    assert list(process.ok("setup", rules="butterfly", players=13)["alternatives"]) == ["recommended_4_4"]
    assert process.fails("setup", rules="classic", players=40)[0] == "no_setup"
    assert process.fails("setup", rules="classic", players="8")[0] == "bad_request"


def test_night(process: Client) -> None:
    table = {"rules": "butterfly", "roles": ROLES["butterfly"], "alive": list(range(1, 8))}
    reply = process.ok("night", **table, needles={"3": 1}, actions={"kill": 3, "needle": 3, "check": 6, "silence": 2})
    assert reply == {
        "deaths": {}, "saved": [3], "empty_needles": [], "needles": {"3": 1}, "silenced": [2], "police": "nod",
    }  # fmt: skip
    dies = process.ok("night", **table, needles={"3": 1}, actions={"carry": 4, "kill": 1, "needle": 3})
    assert dies["deaths"] == {"1": ["kill"], "3": ["needles"], "4": ["with_butterfly:kill"]}
    assert process.fails("night", **table, actions={"carry": 1})[0] == "illegal"
    assert process.fails("night", **table, actions={"dance": 1})[0] == "illegal"
    assert process.fails("night", **table, actions={"kill": 9})[0] == "illegal"
    stated = process.ok("night", **table, stated={"kill": {"6": 3, "7": 3}})
    assert stated["deaths"] == {"3": ["kill"]}


def test_order(process: Client) -> None:
    table = {"rules": "butterfly", "players": 7}
    reply = process.ok("order", **table, alive=[1, 2, 4, 6, 7], dead_tonight=[5, 3], round=1)
    assert reply == {"last_words": [3, 5], "speeches": [6, 7, 1, 2, 4]}
    reply = process.ok("order", **table, alive=[1, 2, 4, 6, 7], dead_tonight=[5, 3], round=2)
    assert reply == {"last_words": [5, 3], "speeches": [2, 1, 7, 6, 4]}
    lot = {"rules": {"preset": "classic", "no_death_start": "random"}, "players": 4, "alive": [1, 2, 4], "round": 1}
    assert process.ok("order", **lot, anchor=None, lot=4)["speeches"] == [4, 1, 2]
    assert process.fails("order", **lot, anchor=None)[0] == "needs_lot"


def test_council(process: Client) -> None:
    assert process.ok("council", rules="classic", stated=[3, 3, 5, None]) == {"target": 3, "tied": []}
    assert process.ok("council", rules="classic", stated=[3, 5]) == {"target": None, "tied": [3, 5]}
    assert process.ok("council", rules="classic", stated=[3, 5], lot=5) == {"target": 5, "tied": [3, 5]}
    assert process.ok("council", rules="classic", stated=[None]) == {"target": None, "tied": []}


def test_tally(process: Client) -> None:
    ballots = {"1": 2, "2": 1, "3": 2, "4": None}
    assert process.ok("tally", rules="classic", alive=[1, 2, 3, 4], ballots=ballots) == {"out": [2], "tied": []}
    even = {**ballots, "4": 1}
    assert process.ok("tally", rules="butterfly", alive=[1, 2, 3, 4], ballots=even) == {"out": [], "tied": [1, 2]}
    all_die = {"preset": "butterfly", "tie": "all"}
    assert process.ok("tally", rules=all_die, alive=[1, 2, 3, 4], ballots=even)["out"] == [1, 2]
    error = process("tally", rules="butterfly", alive=[1, 2, 3, 4], ballots=ballots)["error"]
    assert (error["code"], error["seats"]) == ("must_vote", [4])


def test_chain(process: Client) -> None:
    table = {"rules": "classic", "players": 6, "alive": [1, 2, 3, 4], "anchor": 6}
    tie, out = {"1": 2, "2": 1, "3": 2, "4": 1}, {"1": 2, "2": 1, "3": 2, "4": 2}
    reply = process.ok("chain", **table, ballots=[tie, out])
    assert (reply["result"], reply["seat"]) == ("out", 2)
    assert [stage["stage"] for stage in reply["stages"]] == ["vote", "pk"]
    assert reply["stages"][1] == {"stage": "pk", "speakers": [1, 2], "candidates": [1, 2], "tied": [2]}
    assert process.ok("chain", **table, ballots=[tie, tie, tie])["result"] == "draw"
    error = process("chain", **table, ballots=[tie, tie, {**tie, "4": None}])["error"]
    assert (error["code"], error["seats"]) == ("must_vote", [4])
    assert process.fails("chain", **table, ballots=[tie])[0] == "bad_request"


def test_victory(process: Client) -> None:
    dealt = {"killer": 2, "police": 2, "civilian": 4}
    ask = {"rules": "classic", "dealt_counts": dealt}
    assert process.ok("victory", **ask, alive_counts={"killer": 1, "police": 1, "civilian": 1})["winner"] is None
    assert process.ok("victory", **ask, alive_counts={"police": 1}) == {"winner": "good", "reason": "S1-75"}
    assert process.ok("victory", **ask, alive_counts={"killer": 1, "civilian": 2})["winner"] == "killers"
    assert process.fails("victory", **ask, alive_counts={"wizard": 1})[0] == "bad_request"


REQUEST_FIELDS = {"request", "seat", "kind", "options", "may_pass", "text", "round"}


def play_over(process: Client, game: str, seed: int, **changes: Any) -> list[Any]:
    """A whole game; all its events as they were told."""
    rules = {"preset": game, "max_days": 3, **changes}
    reply = process.ok("start", rules=rules, roles=ROLES[game], seed=seed)
    events, player, shuffle = list(reply["events"]), ByLot(seed), Random(seed)
    while reply["pending"]:
        assert all(set(item) == REQUEST_FIELDS for item in reply["pending"])
        item = shuffle.choice(reply["pending"])
        fields: dict[str, Any] = {**item, "options": tuple(item["options"])}
        request = Request(fields.pop("request"), **fields)
        left = len(reply["pending"])
        reply = process.ok("answer", request=request.id, answer=player.answer(request).to_json(request.kind))
        assert set(reply) == {"events", "pending", "outcome"}
        assert bool(reply["events"]) <= (left == 1)
        events += reply["events"]
    assert set(reply["outcome"]) == {"winner", "reason", "day"}
    assert events[-2]["winner"] == reply["outcome"]["winner"]
    return events


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_a_whole_game_with_its_views_waves_and_replay(process: Client, game: str) -> None:
    for seed in range(4):
        events = play_over(process, game, seed)
        assert {event["kind"] for event in events} <= set(BODIES)
        assert all({"kind", "day", "phase", "audience"} <= set(event) for event in events)
        waves = process.ok("waves")["waves"]
        assert [event for wave in waves for event in wave["events"]] == events
        for seat in range(1, 8):
            view = process.ok("view", seat=seat)
            audiences = ("public", *(e["audience"] for e in events if seat in set(e["audience"])))
            mine = [event for event in events if event["audience"] in audiences]
            mine = [{k: v for k, v in event.items() if k != "audience"} for event in mine]
            assert view == {"events": [{"seq": n, **event} for n, event in enumerate(mine)], "pending": []}
        table = {"rules": {"preset": game, "max_days": 3}, "roles": ROLES[game], "seed": seed}
        again = process.ok("replay", **table, waves=waves)
        assert again["waves"] == len(waves)
        assert again["outcome"]["winner"] == events[-2]["winner"]
        assert process.ok("waves")["waves"] == waves
        half = process.ok("replay", **table, waves=waves[: len(waves) // 2])
        assert half["pending"] != []


def test_an_edited_replay_names_the_first_difference(process: Client) -> None:
    play_over(process, "classic", 1)
    waves = process.ok("waves")["waves"]
    table = {"rules": {"preset": "classic", "max_days": 3}, "roles": ROLES["classic"], "seed": 1}
    before = process.ok("view", seat=1)
    edits: tuple[tuple[Callable[[Any], object], str], ...] = (
        (lambda copy: copy[1]["events"][0].update(kind="omen"), "wave 1, event 0: now .*, recorded .*omen"),
        (lambda copy: copy[2]["events"].pop(), r"wave 2: \d+ events now, \d+ recorded"),
        (lambda copy: copy[1]["answers"].update({"d9.vote1.01": {}}), r"wave 1: .*not asked \['d9.vote1.01'\]"),
        (lambda copy: copy[0]["events"][0].update(day=2), "wave 0, event 0"),
    )
    for edit, message in edits:
        copy = json.loads(json.dumps(waves))
        edit(copy)
        code, text = process.fails("replay", **table, waves=copy)
        assert code == "differs"
        assert re.search(message, text), text
    assert process.ok("view", seat=1) == before
    assert process.fails("replay", **{**table, "roles": ROLES["classic"][::-1]}, waves=waves)[0] == "differs"


def test_errors_change_nothing(process: Client) -> None:
    start = process.ok("start", rules="classic", roles=ROLES["classic"], seed=1)
    name = start["pending"][0]["request"]

    def state() -> Any:
        return process.ok("waves"), [process.ok("view", seat=seat) for seat in range(1, 8)]

    before = state()
    for request, answer, code in (
        (name, {"target": 9}, "illegal"),
        (name, {"target": "3"}, "illegal"),
        (name, {"target": True}, "illegal"),
        (name, {"raise": True}, "illegal"),
        (name, {"absent": True, "note": "x"}, "illegal"),
        (name, {"moon": 1}, "illegal"),
        (name, [3], "illegal"),
        (name, {"target": 3, "text": "x" * 9999}, "illegal"),
        ("n7.kill1.01", {"target": 3}, "unknown_request"),
        (None, {"target": 3}, "unknown_request"),
        ([1], {"target": 3}, "bad_request"),
    ):
        assert process.fails("answer", request=request, answer=answer)[0] == code
    for cmd, fields, code in (
        ("answer", {"request": name}, "bad_request"),
        ("view", {"seat": 0}, "bad_request"),
        ("view", {"seat": 8}, "bad_request"),
        ("view", {}, "bad_request"),
        ("start", {"rules": "moon"}, "bad_rules"),
        ("start", {"rules": "classic", "roles": ["killer"]}, "bad_rules"),
        ("start", {"rules": "classic", "roles": ["wizard", "killer"]}, "bad_request"),
        ("start", {"rules": "classic", "players": 99}, "no_setup"),
        ("dance", {}, "unknown_cmd"),
    ):
        assert process.fails(cmd, **fields)[0] == code, (cmd, fields)
    assert state() == before
    process.ok("answer", request=name, answer={"target": 3})
    assert process.fails("answer", request=name, answer={"target": 3})[0] == "already_answered"
    play_over(process, "classic", 2)
    assert process.fails("answer", request="d9.vote1.01", answer={})[0] == "game_over"


def test_bad_lines_get_an_error_and_the_conversation_goes_on(process: Client) -> None:
    for line in (b"{", b"\xff", b"nope", b'{"cmd": "rules"'):
        reply = process.raw(line)
        assert (reply["ok"], reply["error"]["code"]) == (False, "bad_json")
    for line in (b"[]", b"3", b'"rules"', b"null"):
        assert process.raw(line)["error"]["code"] == "bad_request"
    assert process.raw(b'{"id": "mine"}') == {
        "ok": False, "id": "mine", "error": process.raw(b"{}")["error"],
    }  # fmt: skip
    for own in (7, "seven", None, [1, {"a": 2}], {"x": "中"}):
        line = json.dumps({"cmd": "council", "rules": "classic", "stated": [], "id": own}).encode()
        assert process.raw(line)["id"] == own


def test_a_deeply_nested_line_is_bad_json() -> None:
    client = Client()
    try:
        assert client.raw(b"[" * 5000)["error"]["code"] == "bad_json"
    finally:
        client.close()


def test_lots_are_drawn_as_given(process: Client) -> None:
    rules = {"preset": "classic", "council_rounds": 1}
    process.ok("start", rules=rules, roles=ROLES["classic"], seed=1, lots=[6])
    process.ok("answer", request="n1.kill1.01", answer={"target": 5})
    process.ok("answer", request="n1.check1.03", answer={"target": 1})
    events = process.ok("answer", request="n1.kill1.02", answer={"target": 6})["events"]
    drawn = [event for event in events if event["kind"] == "drawn"]
    assert [(event["purpose"], event["options"], event["value"]) for event in drawn] == [("kill", [5, 6], 6)]


def test_a_lot_that_does_not_fit_changes_nothing(process: Client) -> None:
    rules = {"preset": "classic", "council_rounds": 1}
    process.ok("start", rules=rules, roles=ROLES["classic"], seed=1, lots=[7])
    process.ok("answer", request="n1.kill1.01", answer={"target": 5})
    process.ok("answer", request="n1.check1.03", answer={"target": 1})
    before = process.ok("view", seat=2)
    assert process.fails("answer", request="n1.kill1.02", answer={"target": 6})[0] == "needs_lot"
    assert process.ok("view", seat=2) == before


def test_many_lines_at_once_are_answered_in_order() -> None:
    asked = [json.dumps({"cmd": "council", "rules": "classic", "stated": [n % 5 + 1], "id": n}) for n in range(2000)]
    done = subprocess.run(COMMAND, input="\n".join(asked).encode(), capture_output=True, check=True)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == list(range(2000))
    assert all(reply["target"] == reply["id"] % 5 + 1 for reply in replies)
