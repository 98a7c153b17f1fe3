"""Nights, orders and councils against the worked tables of the rules page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from . import council, counts, orders
from .night import Night, dawn, illegal
from .options import resolve
from .rulings import answer

CLASSIC, BUTTERFLY = resolve("classic"), resolve("butterfly")
CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("night_cases.json").read_text(encoding="utf-8"))
LETTERS = {"B": "butterfly", "S": "sniper", "D": "doctor", "P": "police", "E": "elder", "K": "killer", "C": "civilian"}


def night_of(
    names: list[str], actions: dict[str, str], needles: dict[str, int], **options: object
) -> tuple[Night, dict[int, str]]:
    """A night in letters; also the letters by seat."""
    seat = {name: i for i, name in enumerate(names, 1)}
    roles = {i: LETTERS[name[0]] for name, i in seat.items()}
    night = Night(
        BUTTERFLY | options,
        roles,
        frozenset(roles),
        {a: seat[t] for a, t in actions.items()},
        {seat[n]: c for n, c in needles.items()},
    )
    return night, {i: name for name, i in seat.items()}


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_night_cases(case: dict[str, Any]) -> None:
    night, name = night_of(case["alive"], case["night"], case["earlier_empty_needles"])
    got = dawn(night)
    assert illegal(night) is None
    assert {name[s]: list(c) for s, c in got.deaths.items()} == case["deaths"]
    assert sorted(name[s] for s in got.saved) == sorted(case["saved"])
    assert sorted(name[s] for s in got.empty) == sorted(case["empty_needles"])
    assert {name[s]: c for s, c in got.totals.items()} == case["needle_totals"]
    assert sorted(name[s] for s in got.silenced) == sorted(case["silenced"])
    assert got.police == case["police_answer"]


TABLE_OF_13 = ["B", "S", "D", "P", "E", "K1", "K2", "K3", "C1", "C2", "C3", "C4", "C5"]
TABLE_OF_18 = ["B", "S", "D", "P1", "P2", "E", "K1", "K2", "K3", "K4", "K5", "C1", "C2", "C3", "C4", "C5", "C6", "C7"]


@pytest.mark.parametrize(
    ("names", "actions", "option", "value", "expected"),
    [
        (TABLE_OF_18, {"carry": "P1", "check": "K1"}, "carried_police", "blocks_self", "nod"),
        (TABLE_OF_13, {"carry": "P", "check": "K1"}, "carried_police", "blocks_self", "none"),
        (TABLE_OF_18, {"carry": "P1", "check": "P1"}, "carried_police", "blocks_self", "none"),
        (TABLE_OF_13, {"carry": "C1", "silence": "B"}, "silence_copied", True, ["B", "C1"]),
        (TABLE_OF_13, {"carry": "C1", "silence": "C1"}, "silence_copied", True, []),
    ],
)
def test_options_without_deaths(
    names: list[str], actions: dict[str, str], option: str, value: object, expected: object
) -> None:
    night, name = night_of(names, actions, {}, **{option: value})
    got = dawn(night)
    seen = got.police if "check" in actions else sorted(name[s] for s in got.silenced)
    assert seen == expected


def test_dragged_by_needles_only_if_not_dead_otherwise() -> None:
    drag = {"butterfly_needle_death_drags": True}
    night, _ = night_of(TABLE_OF_13, {"carry": "C1", "needle": "B"}, {"B": 1}, **drag)
    assert dawn(night).deaths == {1: ("needles",), 9: ("with_butterfly:needles",)}
    night, _ = night_of(TABLE_OF_13, {"carry": "C1", "needle": "B"}, {"B": 1, "C1": 1}, **drag)
    assert dawn(night).deaths == {1: ("needles",), 9: ("needles",)}


@pytest.mark.parametrize(
    ("actions", "options"),
    [({"carry": "B"}, {}), ({"kill": "K2"}, {"kill_teammate": "forbidden"}), ({}, {"night_pass": "forbidden"})],
)
def test_illegal_nights(actions: dict[str, str], options: dict[str, object]) -> None:
    assert illegal(night_of(TABLE_OF_13, actions, {}, **options)[0])


def test_inputs_of_the_table_of_counts() -> None:
    assert sum(1 for _ in counts.inputs()) == counts.INPUTS


def seats(text: str) -> list[int]:
    return [int(s) for s in text.split()]


@pytest.mark.parametrize(
    ("dead", "words", "forward", "words_back", "reverse"),
    [
        ("", "", "1 2 3 4 5 6 7 8 9 10 11 12 13", "", "13 12 11 10 9 8 7 6 5 4 3 2 1"),
        ("7", "7", "8 9 10 11 12 13 1 2 3 4 5 6", "7", "6 5 4 3 2 1 13 12 11 10 9 8"),
        ("1", "1", "2 3 4 5 6 7 8 9 10 11 12 13", "1", "13 12 11 10 9 8 7 6 5 4 3 2"),
        ("13", "13", "1 2 3 4 5 6 7 8 9 10 11 12", "13", "12 11 10 9 8 7 6 5 4 3 2 1"),
        ("1 13", "1 13", "2 3 4 5 6 7 8 9 10 11 12", "13 1", "12 11 10 9 8 7 6 5 4 3 2"),
        ("4 12", "4 12", "13 1 2 3 5 6 7 8 9 10 11", "12 4", "3 2 1 13 11 10 9 8 7 6 5"),
        ("3 4 5", "3 4 5", "6 7 8 9 10 11 12 13 1 2", "5 4 3", "2 1 13 12 11 10 9 8 7 6"),
        ("2 9 10 13", "2 9 10 13", "1 3 4 5 6 7 8 11 12", "13 10 9 2", "1 12 11 8 7 6 5 4 3"),
    ],
)
def test_defence_orders(dead: str, words: str, forward: str, words_back: str, reverse: str) -> None:
    gone = seats(dead)
    alive = [s for s in range(1, 14) if s not in gone]
    for day, said, order in ((1, words, forward), (2, words_back, reverse), (3, words, forward)):
        assert orders.last_words_order(BUTTERFLY, 13, day, gone) == seats(said)
        assert orders.speech_order(BUTTERFLY, 13, day, alive, gone) == seats(order)


@pytest.mark.parametrize(
    ("victim", "before", "ccw", "cw"),
    [
        ("1", "", "2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2"),
        ("5", "", "6 7 8 9 10 11 12 1 2 3 4", "4 3 2 1 12 11 10 9 8 7 6"),
        ("12", "", "1 2 3 4 5 6 7 8 9 10 11", "11 10 9 8 7 6 5 4 3 2 1"),
        ("", "", "1 2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2 1"),
        ("5", "6 7", "8 9 10 11 12 1 2 3 4", "4 3 2 1 12 11 10 9 8"),
    ],
)
def test_speech_orders(victim: str, before: str, ccw: str, cw: str) -> None:
    alive = [s for s in range(1, 13) if s not in seats(victim) + seats(before)]
    for numbering, order in (("ccw", ccw), ("cw", cw)):
        options = CLASSIC | {"seat_numbering": numbering}
        assert orders.speech_order(options, 12, 1, alive, seats(victim)) == seats(order)


def test_no_death_start() -> None:
    alive = [1, 2, 4, 5]
    after = BUTTERFLY | {"no_death_start": "previous_anchor"}
    assert orders.speech_order(after, 5, 2, alive, [], 3) == [2, 1, 5, 4]
    assert orders.speech_order(after, 5, 1, alive, []) == [1, 2, 4, 5]
    drawn = BUTTERFLY | {"no_death_start": "random"}
    assert orders.speech_order(drawn, 5, 2, alive, [], None, 4) == [4, 2, 1, 5]


def test_quota_and_silence() -> None:
    quota = BUTTERFLY | {"last_words": "quota"}
    assert orders.with_last_words(quota, [4, 12, 2], 1, 3, [4]) == [12]
    assert orders.with_last_words(quota | {"silenced_last_words": True}, [4], 0, 3, [4]) == [4]
    assert orders.with_last_words(BUTTERFLY, [4, 12], 9, 3, []) == [4, 12]
    assert orders.with_last_words(BUTTERFLY | {"last_words": "none"}, [4], 0, 3, []) == []


@pytest.mark.parametrize(
    ("rule", "stated", "target"),
    [
        ("lot", [5, 5, None], 5),
        ("lot", [5, 6, 6], 6),
        ("lot", [None, None], None),
        ("lot", [5, 6], 6),
        ("no_kill", [5, 6], None),
        ("ask_again", [5, 6], None),
        ("first", [6, 5], 5),
    ],
)
def test_council_decisions(rule: str, stated: list[int | None], target: int | None) -> None:
    assert council.decision(CLASSIC | {"killers_tie": rule}, stated, lot=6) == target


def test_council_rounds() -> None:
    assert council.is_over(CLASSIC, [{1: 5, 2: None}])
    assert council.is_over(CLASSIC, [{1: None, 2: None}])
    assert council.is_over(CLASSIC, [{1: 5}])
    assert not council.is_over(CLASSIC, [{1: 5, 2: 6}])
    assert council.is_over(CLASSIC, [{1: 5, 2: 6}] * 2)
    again = CLASSIC | {"killers_tie": "ask_again"}
    assert not council.is_over(again, [{1: 5, 2: 6}] * 2)
    assert council.is_over(again, [{1: 5, 2: 6}] * 3)


def test_carried_member_is_left_out_while_another_lives() -> None:
    lenient = BUTTERFLY | {"carried_killer": "others_still_kill"}
    assert council.heard(lenient, "kill", {6: 9, 7: None, 8: 3}, [6]) == [None, 3]
    assert council.heard(lenient, "kill", {6: 9}, [6]) == [9]
    assert council.heard(BUTTERFLY, "kill", {6: 9, 7: 3}, [6]) == [9, 3]


@pytest.mark.parametrize(
    ("request_line", "expected"),
    [
        (
            {"cmd": "setup", "rules": "classic", "players": 10},
            {"ok": True, "roles": {"police": 2, "killer": 2, "civilian": 6}, "alternatives": {}},
        ),
        (
            {
                "cmd": "night",
                "rules": "classic",
                "roles": ["killer", "police", "civilian"],
                "alive": [1, 2, 3],
                "actions": {"kill": 2, "check": 1},
            },
            {
                "ok": True,
                "deaths": {"2": ["kill"]},
                "saved": [],
                "empty_needles": [],
                "needles": {},
                "silenced": [],
                "police": "nod",
            },
        ),
        (
            {
                "cmd": "order",
                "rules": "butterfly",
                "players": 5,
                "alive": [1, 2, 5],
                "dead_tonight": [3, 4],
                "round": 2,
            },
            {"ok": True, "last_words": [4, 3], "speeches": [2, 1, 5]},
        ),
        (
            {"cmd": "order", "rules": "classic", "players": 4, "alive": [1, 3, 4], "anchor": 2, "round": 1},
            {"ok": True, "last_words": [2], "speeches": [3, 4, 1]},
        ),
        (
            {"cmd": "council", "rules": "classic", "stated": [4, 7, None], "lot": 7},
            {"ok": True, "target": 7, "tied": [4, 7]},
        ),
        (
            {"cmd": "tally", "rules": "butterfly", "alive": [1, 2, 3], "ballots": {"1": 2, "2": 3, "3": 2}},
            {"ok": True, "out": [2], "tied": []},
        ),
        (
            {"cmd": "victory", "rules": "classic", "alive_counts": {"police": 1}, "dealt_counts": {}},
            {"ok": True, "winner": "good", "reason": "S1-75"},
        ),
        (
            {
                "cmd": "chain",
                "rules": "classic",
                "players": 2,
                "alive": [1, 2],
                "anchor": None,
                "ballots": [{"1": 2, "2": 2}],
            },
            {
                "ok": True,
                "result": "out",
                "seat": 2,
                "stages": [{"stage": "vote", "speakers": [], "candidates": [1, 2], "tied": [2]}],
            },
        ),
    ],
)
def test_rulings_in_the_words_of_the_protocol(request_line: dict[str, Any], expected: dict[str, Any]) -> None:
    assert answer(request_line) == expected


@pytest.mark.parametrize(
    ("request_line", "code"),
    [
        ({"cmd": "setup", "rules": "butterfly", "players": 14}, "no_setup"),
        (
            {"cmd": "night", "rules": "classic", "roles": ["killer", "police"], "alive": [1], "actions": {"check": 1}},
            "illegal",
        ),
        (
            {
                "cmd": "chain",
                "rules": "classic-theory",
                "players": 2,
                "alive": [1, 2],
                "anchor": None,
                "ballots": [{"1": None, "2": 1}],
            },
            "must_vote",
        ),
    ],
)
def test_rulings_refused(request_line: dict[str, Any], code: str) -> None:
    got = answer(request_line)
    assert not got["ok"] and got["error"]["code"] == code
