"""What a seat's page makes of the stream, and what it sends back."""

from __future__ import annotations

import json
from itertools import pairwise
from math import dist
from typing import Any

import pytest

from tianhei.arena.rules.presets import PRESETS
from tianhei.arena.screen import harmless
from tianhei.arena.tables.choices import choices
from tianhei.arena.tables.plan import Plan
from viewer.node import run

ASK = {"request": "d1.vote1.03", "kind": "vote", "options": [1, 2], "may_pass": True, "text_limit": 0}
DRAFT = {"chosen": [2], "text": "", "claims": [], "raised": False}


def one(act: str, **asked: Any) -> Any:
    (told,) = run("hearing.mjs", [{"act": act, **asked}])
    return told


def hello(*numbers: int) -> dict[str, Any]:
    return {"type": "hello", "document": {"frames": [{"n": number} for number in numbers]}, "lobby": {"you": {}}}


def test_a_frame_that_comes_twice_is_shown_once() -> None:
    frames = [{"type": "frame", "frame": {"n": number}} for number in (2, 2, 1, 3)]
    room = one("room", messages=[hello(0, 1), *frames])
    assert [frame["n"] for frame in room["frames"]] == [0, 1, 2, 3]


def test_a_new_hello_begins_anew_and_drops_old_questions() -> None:
    room = one("room", messages=[hello(0, 1, 2), {"type": "ask", "ask": ASK}, hello(0, 1)])
    assert [frame["n"] for frame in room["frames"]] == [0, 1]
    assert room["asks"] == []


def test_a_question_stands_once_until_it_is_taken_back() -> None:
    ask = {"type": "ask", "ask": ASK}
    assert len(one("room", messages=[hello(), ask, ask])["asks"]) == 1
    assert one("room", messages=[hello(), ask, {"type": "unask", "request": ASK["request"]}])["asks"] == []


def test_whoever_is_back_is_asked_again_what_is_open() -> None:
    """Hello holds what is open, and the same question may follow once more."""
    again = {**hello(), "asks": [ASK]}
    assert one("room", messages=[again, {"type": "ask", "ask": ASK}])["asks"] == [ASK]


def test_a_small_difference_of_clocks_is_none() -> None:
    """The server's date has whole seconds."""
    assert one("room", messages=[{"type": "date", "now": 1900}])["ahead"] == 0
    assert one("room", messages=[{"type": "date", "now": 61_000}])["ahead"] == 60_000
    assert one("room", messages=[{"type": "date", "now": None}])["ahead"] == 0


def test_an_unknown_message_changes_nothing() -> None:
    assert one("room", messages=[hello(0), {"type": "tomorrow"}]) == one("room", messages=[hello(0)])


def test_the_end_takes_questions_away() -> None:
    room = one("room", messages=[hello(), {"type": "ask", "ask": ASK}, {"type": "end", "document": {"frames": []}}])
    assert room["asks"] == []
    assert room["ending"]["document"] == {"frames": []}


def test_the_clock_is_the_servers() -> None:
    """A device that is 60 s behind shows the time that the server means."""
    assert one("left", ask={"ends_at": 100_000}, ahead=60_000, here=30_000) == 10
    assert one("left", ask={"ends_at": 100_000}, ahead=0, here=200_000) == 0
    assert one("left", ask={"ends_at": None}, ahead=0, here=0) is None


@pytest.mark.parametrize(
    ("ask", "draft", "passed", "body"),
    [
        ({"kind": "vote"}, {}, False, {"target": 2}),
        ({"kind": "vote"}, {}, True, {"pass": True}),
        ({"kind": "hand"}, {"raised": True}, False, {"raise": True}),
        ({"kind": "demand"}, {"chosen": [1, 2]}, False, {"targets": [1, 2]}),
        ({"kind": "speech", "text_limit": 9}, {"text": "Hm."}, False, {"text": "Hm."}),
        ({"kind": "kill", "text_limit": 9}, {"text": "He."}, False, {"target": 2, "text": "He."}),
        ({"kind": "cover"}, {}, False, {"target": 2}),
        (
            {"kind": "speech_and_vote", "text_limit": 9},
            {"text": "Hm.", "claims": [{"kind": "accuse", "seat": 2}]},
            False,
            {"target": 2, "text": "Hm.", "claims": [{"kind": "accuse", "seat": 2}]},
        ),
    ],
)
def test_an_answer_carries_what_its_kind_asks_for(
    ask: dict[str, Any], draft: dict[str, Any], passed: bool, body: dict[str, Any]
) -> None:
    told = one("answer", ask=ASK | ask, draft=DRAFT | draft, **{"pass": passed})
    assert told == {"request": ASK["request"], **body}


def test_text_is_counted_as_the_server_counts_it() -> None:
    for text in ("abc", "杀手", "🎭🎭", "é", ""):
        assert one("length", text=text) == len(text)


def test_events_are_read_however_the_stream_is_cut() -> None:
    events = [{"type": "frame", "text": "杀手\nand more"}, {"type": "clock"}, {"type": "unask"}]
    whole = ": still here\n\n" + "".join(f"id: {n}\ndata: {json.dumps(each)}\n\n" for n, each in enumerate(events))
    asked = [
        {"act": "stream", "chunks": [whole[start : start + size] for start in range(0, len(whole), size)]}
        for size in (1, 2, 7, len(whole))
    ]
    asked.append({"act": "stream", "chunks": [whole.replace("\n", "\r\n")]})
    assert run("hearing.mjs", asked) == [events] * 5


def test_numbers_go_round_the_way_the_rules_say() -> None:
    """The judge sits on top; seen from above, numbers that grow counter-clockwise go down on the left first."""
    first, left, right = run(
        "hearing.mjs",
        [
            {"act": "place", "place": 0, "places": 8, "direction": "ccw"},
            {"act": "place", "place": 1, "places": 8, "direction": "ccw"},
            {"act": "place", "place": 1, "places": 8, "direction": "cw"},
        ],
    )
    assert left[0] < first[0] < right[0]
    assert first[1] < left[1] == right[1]


@pytest.mark.parametrize(("places", "flat"), [(9, 0.84), (14, 0.84), (14, 0.43), (19, 0.43), (31, 0.43)])
def test_neighbours_stand_equally_far_apart_however_flat_the_table_is(places: int, flat: float) -> None:
    asked = [
        {"act": "place", "place": place % places, "places": places, "direction": "ccw", "flat": flat}
        for place in range(places + 1)
    ]
    spots = [(x, y / 84 * 100 * flat) for x, y in run("hearing.mjs", asked)]
    far = [dist(one, other) for one, other in pairwise(spots)]
    assert max(far) < 1.25 * min(far), far


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "chosen",
    (
        {},
        {"tie": "nobody"},
        {"tie": "lot", "last_words": "all"},
        {"abstain": "forbidden"},
        {"tie": "chain"},
        {"max_days": 3},
    ),
)
def test_what_a_host_chose_of_the_rules_is_a_table(preset: str, chosen: dict[str, str]) -> None:
    """What an option needs beside it goes with it, and what is left as it is is not sent."""
    found = choices(PRESETS[preset])
    size = PRESETS[preset].players or 13
    options = one("rules", rules=found, chosen=chosen, size=size)
    rules, _ = Plan(game=preset, size=None if PRESETS[preset].players else size, options=options).table()
    usual = {each["name"]: each["value"] for each in found}
    for name, value in chosen.items():
        assert getattr(rules, name) == value
    if all(usual[name] == value for name, value in chosen.items()):
        assert options == {}


def test_seats_are_as_marked_or_else_drawn() -> None:
    asked = {"people": 2, "size": 8}
    assert one("seats", marks={}, **asked) == {"people": 2, "bots": {}}
    marked = {"1": "=scripted", "3": "", "9": "person"}  # there is no seat 9 any more
    assert one("seats", marks=marked, **asked) == {"people": 2, "bots": {"1": "scripted"}}
    assert one("seats", marks={"5": "person", "2": "person", "1": "=a"}, **asked) == {
        "people": [2, 5],
        "bots": {"1": "a"},
    }


def test_letters_that_turn_others_around_are_shown_by_no_page_as_by_no_terminal() -> None:
    """Every letter below U+3000; a page wraps lines itself, so that a carriage return does no harm there."""
    letters = "".join(map(chr, range(0x3000)))
    told = [{"text": letters, "names": [letters], "n": 7}, "👩\u200d👩\u200d👧 \u200b"]
    shown = harmless(letters.replace("\r", ""))
    found = one("read", json=json.dumps(told))
    assert found[0]["text"].replace("\r", "") == shown
    assert found[0]["names"] == [found[0]["text"]]
    assert (found[0]["n"], found[1]) == (7, told[1])
    assert "\u202e" not in found[0]["text"]
