"""The single rulings refuse what cannot be: unknown fields, values of a wrong kind, positions no game comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from tianhei.arena.forms import FORMS
from tianhei.arena.protocol import Session
from tianhei.arena.rulings import RULINGS

Line = dict[str, Any]
SEVEN = ["butterfly", "sniper", "doctor", "police", "civilian", "killer", "killer"]
EVEN = {"1": 2, "2": 1, "3": 2, "4": 1}
GOOD: Mapping[str, list[Line]] = {
    "rules": [{"rules": "classic", "lang": "en"}],
    "setup": [{"rules": "classic", "players": 8}],
    "night": [
        {"rules": "butterfly", "roles": SEVEN, "alive": [1, 2, 3, 4, 6, 7], "needles": {"3": 1, "5": 2},
         "actions": {"carry": 4, "shoot": 3, "needle": 3, "check": 6}, "stated": {"kill": {"6": 3, "7": 2}},
         "previous_carry": 2, "lot": 2},
        {"rules": "classic", "roles": ["killer", "police", "civilian"], "alive": [1, 2, 3],
         "actions": {"kill": 3, "check": 1}},
    ],
    "order": [
        {"rules": "butterfly", "players": 7, "alive": [1, 2, 4, 6], "dead_tonight": [5, 3], "round": 2,
         "previous_anchor": 7, "lot": 4},
        {"rules": "classic", "players": 4, "alive": [1, 2, 4], "dead_tonight": [3], "anchor": 3, "round": 1},
    ],
    "council": [{"rules": "classic", "stated": [3, 5, None], "lot": 5}],
    "tally": [{"rules": {"preset": "butterfly", "tie": "revote"}, "alive": [1, 2, 3, 4], "ballots": EVEN,
               "revote": {**EVEN, "4": 2}, "lot": 1}],
    "chain": [{"rules": "classic-arena", "players": 6, "alive": [1, 2, 3, 4], "anchor": 6, "round": 1,
               "ballots": [EVEN, EVEN], "round_pk": [1, 2], "lot": 2}],
    "victory": [{"rules": "classic", "alive_counts": {"killer": 1, "police": 1},
                 "dealt_counts": {"killer": 2, "police": 2, "civilian": 4}}],
}  # fmt: skip
WRONG: tuple[Any, ...] = (
    None, True, False, 0, -1, -5, 1000, 10**6, 2**63, 1.5, 3.0, 1e300, "", "x", "3", "x" * 5000, [], {}, [[]], [None],
    ["a"], [-5], [True], [1.0], [0], [1000], [2**63], [1, 1], [{}], ["killer"] * 1200, {"x": 1}, {"1": True},
    {"1": "2"}, {"1": -1}, {"1": 1.5}, {"1": []}, {"0": 1}, {"01": 1}, {"1000": 1}, {"killer": -1}, {"killer": True},
    {"killer": "2"}, {"killer": 1000}, {"kill": True}, {"kill": "3"}, {"kill": [3]}, {"kill": {"1": True}},
    {"kill": {"x": 1}}, {"preset": ["x"]}, {"preset": {}}, {"preset": None}, [{"1": "2"}], [{"x": 1}], [[[[]]]],
)  # fmt: skip
PYTHON = re.compile(
    r"object has no|invalid literal|NoneType|not iterable|unhashable|not supported between|Traceback|<class|argument|"
    r"out of range|not subscriptable|KeyError|TypeError|ValueError|recursion|unpack|attribute|must be str|tuple"
)
CASES = [(name, place) for name, lines in GOOD.items() for place in range(len(lines))]
SESSION = Session()


def ask(name: str, line: Line) -> Any:
    return json.loads(SESSION.line(json.dumps({"cmd": name, **line}).encode()))


def refused(name: str, line: Line) -> str:
    reply = ask(name, line)
    assert reply["ok"] is False, (name, line, reply)
    assert not PYTHON.search(reply["error"]["message"]), reply
    assert 10 < len(reply["error"]["message"]) < 500
    return str(reply["error"]["message"])


def changed(name: str, place: int = 0, /, **fields: Any) -> str:
    """The error of a good request after some changes."""
    return refused(name, GOOD[name][place] | fields)


def whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def is_legal(name: str, line: Line, reply: Line) -> bool:
    """Whether a reply speaks of seats of this table only, and of numbers that can be."""
    table = len(line["roles"]) if name == "night" else line.get("players") or max(line.get("alive") or [999])
    match name:
        case "night":
            seats = [*map(int, reply["deaths"]), *reply["saved"], *reply["empty_needles"], *reply["silenced"]]
            return all(whole(seat, 1, table) for seat in seats) and set(reply["needles"].values()) <= {1, 2}
        case "order":
            both = [*reply["last_words"], *reply["speeches"]]
            return len(set(both)) == len(both) and all(whole(seat, 1, table) for seat in both)
        case "council":
            return all(seat is None or whole(seat, 1, 999) for seat in (reply["target"], *reply["tied"]))
        case "tally":
            return set(reply["out"]) | set(reply["tied"]) <= set(line["alive"])
        case "chain":
            return reply["result"] in ("draw", "nobody") or reply["seat"] in line["alive"]
        case "setup":
            return all(whole(count, 1, 999) for count in reply["roles"].values())
        case "victory":
            return reply["winner"] in ("good", "killers", "draw", None)
        case _:
            return bool(reply["text"])


def test_every_field_of_every_ruling_stands_in_a_good_request() -> None:
    assert set(GOOD) == set(FORMS) == set(RULINGS)
    for name, lines in GOOD.items():
        assert {"cmd", "id"}.union(*lines) == set(FORMS[name].fields)
    assert all(ask(name, line)["ok"] for name, lines in GOOD.items() for line in lines)
    assert ask("tally", {**GOOD["tally"][0], "lot": None})["out"] == [2]
    assert ask("chain", {**GOOD["chain"][0], "lot": 2})["seat"] == 2


@pytest.mark.parametrize(("name", "place"), CASES)
def test_a_value_of_a_wrong_kind_never_makes_a_ruling(name: str, place: int) -> None:
    good = GOOD[name][place]
    for field in FORMS[name].fields.keys() - {"cmd", "id"}:
        for value in WRONG:
            line = {**good, field: value}
            reply = ask(name, line)
            if not reply["ok"]:
                refused(name, line)
            else:
                assert is_legal(name, line, reply), (line, reply)
                assert FORMS[name].fields[field].fits(value) or value is None, (line, reply)
                assert type(value) not in (bool, float, str) or (field, value) == ("rules", "classic"), (line, reply)


@pytest.mark.parametrize(("name", "place"), CASES)
def test_null_is_the_same_as_left_out(name: str, place: int) -> None:
    for field in GOOD[name][place]:
        left_out = {key: value for key, value in GOOD[name][place].items() if key != field}
        reply, without = ask(name, {**left_out, field: None}), ask(name, left_out)
        if FORMS[name].fields[field].needed:
            assert field in refused(name, left_out) and field in refused(name, {**left_out, field: None})
        else:
            assert reply == without


@pytest.mark.parametrize("name", list(GOOD))
def test_an_unknown_field_is_named_with_those_that_are_known(name: str) -> None:
    for wrong in ("needels", "Rules", "", "x" * 5000):
        text = refused(name, {**GOOD[name][0], wrong: None})
        assert "unknown field" in text
        assert all(field in text for field in FORMS[name].fields)


def test_council() -> None:
    for stated in (["a"], [-5], [0], [True], [3, "3"], {"1": 3}, None):
        assert "stated must be a list of a seat or null" in changed("council", stated=stated)


def test_victory() -> None:
    dealt = {"killer": 3, "police": 3, "civilian": 6}
    for alive in ({"killer": -1}, {"police": -3}, {"killer": True}, {"killer": 2.0}):
        assert "alive_counts must be" in changed("victory", alive_counts=alive, dealt_counts=dealt)
    assert "4 killer alive of 3 dealt" in changed("victory", alive_counts={"killer": 4}, dealt_counts=dealt)
    assert "butterfly" in changed("victory", alive_counts={"butterfly": 1}, dealt_counts=dealt)
    assert "butterfly" in changed("victory", dealt_counts={**dealt, "butterfly": 1})
    assert "at most one doctor" in changed("victory", rules="butterfly", dealt_counts={"killer": 1, "doctor": 2})
    assert "killer" in changed("victory", alive_counts={}, dealt_counts={"police": 1})


def test_order() -> None:
    for day in (0, -3, 201, "1"):
        assert "round must be the number of a day" in changed("order", round=day)
    assert "5 stands in alive too" in changed("order", alive=[1, 2, 5], dead_tonight=[5])
    assert "different seats" in changed("order", alive=[1, 1, 2])
    assert "different seats" in changed("order", dead_tonight=[3, 3])
    assert "8 is not one of the seats 1 to 7" in changed("order", dead_tonight=[8])
    assert "at most 4 die" in changed("order", players=9, dead_tonight=[3, 5, 7, 8, 9], previous_anchor=None)
    assert "at most 1 die" in changed("order", 1, players=5, dead_tonight=[3, 5], anchor=None)
    assert "anchor 3" in changed("order", 1, players=5, dead_tonight=[5])
    assert "4 stands in alive too" in changed("order", 1, dead_tonight=None, anchor=4)
    assert "2 stands in alive too" in changed("order", previous_anchor=2)
    assert "anchor is of the classic game" in changed("order", anchor=3)


def test_night() -> None:
    assert "needles must be" in changed("night", needles={"3": 7})
    assert "3 lives, and 2 empty needles kill" in changed("night", needles={"3": 2})
    assert "9 is not one of the seats" in changed("night", needles={"9": 1})
    assert "9 is not one of the seats" in changed("night", previous_carry=9)
    assert "needles is of the butterfly game" in changed("night", 1, needles={"3": 1})
    assert "no role of the classic game" in changed("night", 1, roles=["killer", "police", "doctor"])
    assert "at most one doctor" in changed("night", roles=[*SEVEN[:4], "doctor", *SEVEN[5:]])
    assert "give one of them" in changed("night", actions={"kill": 3})
    assert "4 is no living killer" in changed("night", stated={"kill": {"4": 3}})
    assert "7 states 5, who is not alive" in changed("night", stated={"kill": {"6": 3, "7": 5}})
    assert "no council" in changed("night", actions={}, stated={"carry": {"1": 3}})


def test_chain_and_tally() -> None:
    together = {"rules": {"preset": "butterfly", "tie": "all"}, "players": 4, "alive": [1, 2, 3, 4]}
    assert "ask tally" in refused("chain", {**together, "ballots": [EVEN]})
    assert ask("chain", {**together, "ballots": [{**EVEN, "4": 2}]})["seat"] == 2
    assert "round_pk is of the classic game" in changed("chain", rules={"preset": "butterfly", "tie": "chain"})
    assert "two at least" in changed("chain", round_pk=[1])
    assert "6 is not alive" in changed("chain", round_pk=[1, 6])
    assert "4 stands in alive too" in changed("chain", anchor=4)
    assert "7 is not one of the seats 1 to 6" in changed("chain", anchor=7)
    assert "5 has no vote" in changed("tally", ballots={"5": 1})
    assert "unknown field" in changed("tally", anchor=6)


def test_without_a_lot_council_and_tally_say_who_is_tied_and_the_others_need_it() -> None:
    assert ask("council", {"rules": "classic", "stated": [3, 5]}) == {"ok": True, "target": None, "tied": [3, 5]}
    by_lot = {"rules": {"preset": "butterfly", "tie": "lot"}, "alive": [1, 2, 3, 4], "ballots": EVEN}
    assert ask("tally", by_lot) == {"ok": True, "out": [], "tied": [1, 2]}
    assert ask("tally", {**by_lot, "lot": 2})["out"] == [2]
    draws_first = {"preset": "classic", "no_death_start": "random"}
    for name, line in (
        ("order", {"rules": draws_first, "players": 4, "alive": [1, 2, 4], "round": 1}),
        ("chain", {"rules": "classic-arena", "players": 4, "alive": [1, 2, 3, 4], "ballots": [EVEN] * 3}),
        ("night", {**GOOD["night"][0], "lot": None}),
        ("council", {"rules": "classic", "stated": [3, 5], "lot": 4}),
        ("tally", {**by_lot, "lot": 3}),
    ):
        assert ask(name, line)["error"]["code"] == "needs_lot", name


@pytest.mark.parametrize("name", ["start", "answer", "view", "waves", "replay"])
def test_the_commands_of_a_game_refuse_the_same(name: str) -> None:
    lines: dict[str, Line] = {
        "start": {"rules": "classic", "roles": ["killer", "police", "civilian", "civilian"]},
        "answer": {"request": "n1.kill1.01", "answer": {"target": 2}},
        "view": {"seat": 1}, "waves": {}, "replay": {"rules": "classic", "players": 8, "waves": []},
    }  # fmt: skip
    good = lines[name]
    assert "unknown field" in refused(name, {**good, "needels": 1})
    for field in ("rules", "roles", "players", "seed", "lots", "request", "answer", "seat", "waves"):
        for value in WRONG if field in good or name in ("start", "replay") else ():
            reply = ask(name, {**good, field: value})
            assert reply["ok"] or not PYTHON.search(reply["error"]["message"]), (field, value, reply)
    wrong: tuple[Any, ...] = (["x"], [1], [{}, {}], [{"answers": 3}], [{"answers": {}, "events": 3}], {"x": 1}, "x")
    for waves in wrong:
        assert "waves must be a list" in refused("replay", {"rules": "classic", "players": 8, "waves": waves})


def test_what_is_nested_deep_is_an_error_and_no_crash() -> None:
    for depth in (200, 900, 1000, 1020):
        deep = "[" * depth + "]" * depth
        for line in (
            '{"cmd": "council", "rules": "classic", "stated": %s}',
            '{"cmd": "view", "id": %s}',
            '{"cmd": %s}',
        ):
            assert json.loads(SESSION.line((line % deep).encode()))["ok"] is False


def test_what_the_contract_allows_is_not_refused() -> None:
    """A null council is one left out; a counter may list every role; a lot may have drawn a living anchor."""
    night = {**GOOD["night"][0], "actions": {"kill": None}, "stated": {"kill": {"6": 3, "7": 3}}}
    assert ask("night", night)["ok"]
    counts = {"police": 1, "killer": 1, "civilian": 2, "doctor": 0, "sniper": 0, "butterfly": 0, "elder": 0}
    assert ask("victory", {"rules": "classic", "alive_counts": counts, "dealt_counts": counts})["ok"]
    drawn = {"rules": {"preset": "classic", "no_death_start": "random"}, "players": 4, "alive": [1, 2, 3, 4]}
    assert ask("chain", {**drawn, "anchor": 2, "ballots": [{"1": 2, "2": 3, "3": 2, "4": 2}]})["ok"]
