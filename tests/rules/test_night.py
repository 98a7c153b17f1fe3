"""The butterfly game's night: the worked cases, the clauses N1 to N20, each option, and who may name whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tianhei.arena.events import Acted, Called, Checked, Needled, Resolved
from tianhei.arena.roles import Role
from tianhei.arena.rules.butterfly import night
from tianhei.arena.rules.classic import night as classic_night
from tianhei.arena.script import Script
from tianhei.arena.table import Table

from .table import EIGHTEEN, THIRTEEN, TWELVE, Seats, dawn_of, kept, naming, passing, play, table_of, told

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("night_cases.json").read_text(encoding="utf-8"))

ALL_OF = {"classic": TWELVE, "butterfly": THIRTEEN}
NIGHT_OF: dict[str, Callable[[Table], Script[Any]]] = {"classic": classic_night, "butterfly": night}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']}-{case['by']}" for case in CASES])
def test_worked_cases(case: dict[str, Any]) -> None:
    acts = ", ".join(f"{action} {target}" for action, target in case["night"].items())
    before = " ".join(f"{name}={count}" for name, count in case["earlier_empty_needles"].items())
    dawn = dawn_of(acts, before=before, cards=" ".join(case["alive"]))
    assert dawn.deaths == case["deaths"]
    assert dawn.saved == set(case["saved"])
    assert dawn.empty == set(case["empty_needles"])
    assert dawn.needles == case["needle_totals"]
    assert dawn.silenced == set(case["silenced"])
    assert dawn.police == case["police_answer"]


def test_n1_the_carried_suffer_what_hits_the_butterfly() -> None:
    assert set(dawn_of("carry C1, kill B").deaths) == {"B", "C1"}


@pytest.mark.parametrize("act", ["kill", "shoot", "needle", "silence"])
def test_n2_whatever_is_aimed_at_the_carried_is_void(act: str) -> None:
    dawn = dawn_of(f"carry C1, {act} C1")
    assert not dawn.deaths and not dawn.empty and not dawn.silenced
    assert "N2" in dawn.because


def test_n3_killed_shot_and_needled_to_death() -> None:
    dawn = dawn_of("kill C1, shoot C2, needle C3", before="C3=1")
    assert dawn.deaths == {"C1": ["kill"], "C2": ["shot"], "C3": ["needles"]}
    assert "N3" in dawn.because


@pytest.mark.parametrize("hit", ["kill", "shoot"])
def test_n4_one_hit_and_a_needle_lives(hit: str) -> None:
    dawn = dawn_of(f"{hit} C1, needle C1")
    assert dawn.saved == {"C1"} and not dawn.deaths and not dawn.needles


def test_n5_a_needle_without_a_hit_is_empty_and_counted() -> None:
    dawn = dawn_of("needle C1, kill C2")
    assert dawn.empty == {"C1"} and dawn.needles == {"C1": 1} and "C1" not in dawn.deaths


def test_n6_both_hits_and_a_needle_dies() -> None:
    assert dawn_of("kill C1, shoot C1, needle C1").deaths == {"C1": ["kill", "shot"]}


def test_n7_two_empty_needles_in_all_die() -> None:
    dawn = dawn_of("needle C1", before="C1=1")
    assert dawn.deaths == {"C1": ["needles"]} and dawn.needles == {"C1": 2}


@pytest.mark.parametrize(
    ("carried", "acts", "clause"),
    [
        ("S", "shoot C1", "N9"),
        ("D", "needle C1", "N10"),
        ("P", "check K1", "N11"),
        ("E", "silence C1", "N12"),
        ("K1", "kill C1", "N13"),
    ],
)
def test_n8_the_carried_lose_their_power(carried: str, acts: str, clause: str) -> None:
    """N9 to N13, each with its own role."""
    dawn = dawn_of(f"carry {carried}, {acts}")
    assert not dawn.deaths and not dawn.empty and not dawn.silenced
    assert dawn.police == ("none" if carried == "P" else "no_check")
    assert dawn.because == [clause]


def test_n13_any_killer_and_the_whole_team_but_other_causes_kill() -> None:
    for killer in ("K1", "K2", "K3"):
        assert not dawn_of(f"carry {killer}, kill C1").deaths
        assert dawn_of(f"carry {killer}, kill C1, shoot C1").deaths == {"C1": ["shot"]}


def test_n14_a_carried_civilian_changes_nothing() -> None:
    acts = "kill C1, shoot K1, needle C3, check K2, silence D"
    free, carried = dawn_of(acts), dawn_of(f"{acts}, carry C5")
    assert carried == free


def test_n15_the_butterfly_is_offered_all_living_but_herself() -> None:
    table = table_of(THIRTEEN, dead="C1")
    (carry,) = play(night(table), passing).asked("carry")
    assert carry.options == tuple(seat for seat in table.living if seat != carry.seat)


def test_n16_acts_on_the_butterfly_strike_both() -> None:
    """S0-48, in its three forms N17, N18 and N19."""
    assert set(dawn_of("carry C1, shoot B").deaths) == {"B", "C1"}
    assert dawn_of("carry C1, needle B").empty == {"B", "C1"}
    assert dawn_of("carry C1, shoot B, needle B").empty == {"C1"}


def test_n17_butterfly_hit_and_not_saved_takes_the_carried_along() -> None:
    assert dawn_of("carry C1, kill B, shoot B, needle C1").deaths == {
        "B": ["kill", "shot"],
        "C1": ["with_butterfly:kill", "with_butterfly:shot"],
    }


def test_n18_butterfly_needled_without_a_hit() -> None:
    assert dawn_of("carry C1, needle B").needles == {"B": 1, "C1": 1}


def test_n19_butterfly_hit_once_and_saved() -> None:
    dawn = dawn_of("carry C1, kill B, needle B")
    assert dawn.saved == {"B"} and dawn.needles == {"C1": 1} and not dawn.deaths


def test_n20_silence_is_not_shared() -> None:
    dawn = dawn_of("carry C1, silence B")
    assert dawn.silenced == {"B"} and "N20" in dawn.because


def test_a0_77_four_deaths_at_most() -> None:
    dawn = dawn_of("carry C1, shoot B, kill C2, needle C3", before="C3=1")
    assert set(dawn.deaths) == {"B", "C1", "C2", "C3"}


BOTH = "kill C1, shoot C1, needle C1"


@pytest.mark.parametrize(
    ("option", "value", "acts", "dead", "needles"),
    [
        ("double_hit_needled", "dies", BOTH, "C1", {}),
        ("double_hit_needled", "saved", BOTH, "", {}),
        ("double_hit_needled", "shot_always_kills", BOTH, "C1", {}),
        ("double_hit_needled", "shot_always_kills", "shoot C1, needle C1", "C1", {}),
        ("double_hit_needled", "shot_always_kills", "kill C1, needle C1", "", {}),
        ("double_hit_butterfly", "as_anyone", "carry C1, kill B, shoot B, needle B", "B C1", {}),
        ("double_hit_butterfly", "saved", "carry C1, kill B, shoot B, needle B", "", {"C1": 1}),
        ("double_hit_butterfly", "saved", BOTH, "C1", {}),
        ("butterfly_unsaveable", True, "carry C1, kill B, needle B", "B C1", {}),
        ("butterfly_unsaveable", True, "kill C1, needle C1", "", {}),
        ("butterfly_unsaveable", True, "carry C1, needle B", "", {"B": 1, "C1": 1}),
        ("saved_butterfly_carried", "empty", "carry C1, kill B, needle B", "", {"C1": 1}),
        ("saved_butterfly_carried", "shares_save", "carry C1, kill B, needle B", "", {}),
        ("saved_butterfly_carried", "nothing", "carry C1, kill B, needle B", "", {}),
        ("voided_attack", "never_happened", "carry K1, kill C1, needle C1", "", {"C1": 1}),
        ("voided_attack", "never_happened", "carry S, shoot C1, needle C1", "", {"C1": 1}),
        ("voided_attack", "still_uses_needle", "carry K1, kill C1, needle C1", "", {}),
        ("voided_attack", "still_uses_needle", "carry S, shoot C1, needle C1", "", {}),
        ("voided_attack", "still_uses_needle", "carry K1, kill C1, shoot C1, needle C1", "", {}),
        ("voided_attack", "still_uses_needle", "carry K1, kill C1, needle C2", "", {"C2": 1}),
        ("carried_doctor", "void", "carry D, needle C1", "", {}),
        ("carried_doctor", "pricks", "carry D, needle C1", "", {"C1": 1}),
        ("carried_doctor", "pricks", "carry D, kill C1, needle C1", "C1", {"C1": 1}),
        ("carried_doctor", "pricks", "carry D, needle D", "", {}),
        ("carried_doctor", "pricks", "carry D, needle B", "", {"B": 1, "D": 1}),
        ("needle_on_carried", "void", "carry C1, needle C1", "", {}),
        ("needle_on_carried", "counts", "carry C1, needle C1", "", {"C1": 1}),
        ("needle_on_carried", "counts", "carry C1, kill B, needle C1", "B C1", {"C1": 1}),
        ("carried_killer", "others_still_kill", "carry K1, kill C1", "C1", {}),
    ],
)
def test_options_of_the_reckoning(option: str, value: Any, acts: str, dead: str, needles: dict[str, int]) -> None:
    """A0-23 to A0-33 and A0-83: each value on a night that it decides."""
    dawn = dawn_of(acts, **{option: value})
    assert set(dawn.deaths) == set(dead.split())
    assert dawn.needles == needles


def test_a0_25_shares_save_counts_as_saved() -> None:
    assert dawn_of("carry C1, kill B, needle B", saved_butterfly_carried="shares_save").saved == {"B", "C1"}
    assert dawn_of("carry C1, kill B, needle B", saved_butterfly_carried="nothing").saved == {"B"}


def test_a0_36_butterfly_dead_of_needles() -> None:
    acts = "carry C1, needle B"
    assert dawn_of(acts, before="B=1").deaths == {"B": ["needles"]}
    assert dawn_of(acts, before="B=1", butterfly_needle_death_drags=True).deaths == {
        "B": ["needles"],
        "C1": ["with_butterfly:needles"],
    }


def test_a0_38_a_saving_needle_and_the_count() -> None:
    assert dawn_of("kill C1, needle C1", before="C1=1").needles == {"C1": 1}
    assert dawn_of("kill C1, needle C1", before="C1=1", save_resets_needles=True).needles == {}


def test_a0_26_silence_copied() -> None:
    assert dawn_of("carry C1, silence B", silence_copied=True).silenced == {"B", "C1"}
    assert dawn_of("carry E, silence B", silence_copied=True).silenced == set()


def test_a0_83_a_lone_carried_killer_kills_nobody() -> None:
    alone = dawn_of("carry K1, kill C1", dead="K2 K3", carried_killer="others_still_kill")
    assert not alone.deaths


def test_a0_18_one_of_two_officers_is_carried() -> None:
    assert dawn_of("carry P1, check K1", cards=EIGHTEEN).police == "none"
    blocks_self = {"cards": EIGHTEEN, "carried_police": "blocks_self"}
    assert dawn_of("carry P1, check K1", **blocks_self).police == "nod"
    assert dawn_of("carry P1, check K1", dead="P2", **blocks_self).police == "none"


def test_a0_19_to_a0_21_no_gesture_looks_alike() -> None:
    assert dawn_of("carry K1, check K1").police == dawn_of("carry P, check K1").police == "none"
    assert dawn_of("carry C1, check B").police == "shake"


def test_r_elder_a_check_shows_no_killer() -> None:
    assert dawn_of("check E", elder_side="killers").police == "shake"


def test_a0_10_the_order_of_calling_and_who_is_called() -> None:
    table = table_of(THIRTEEN)
    played = play(night(table), passing)
    called = [event.role for event in told(table, Called) if event.role]
    assert called == [Role.BUTTERFLY, Role.SNIPER, Role.KILLER, Role.DOCTOR, Role.POLICE, Role.ELDER]
    assert len(played.waves) == 1, "they choose unaware of one another"


@pytest.mark.parametrize(("call_dead_roles", "heard"), [(True, True), (False, False)])
def test_a0_71_dead_roles_are_called(call_dead_roles: bool, heard: bool) -> None:
    table = table_of(THIRTEEN, dead="S", call_dead_roles=call_dead_roles)
    play(night(table), passing)
    assert (Called(role=Role.SNIPER) in told(table, Called)) == heard


@pytest.mark.parametrize("call_dead_roles", [True, False])
def test_a1_02_roles_never_dealt_are_not_called(call_dead_roles: bool) -> None:
    table = table_of("K1 K2 C1 C2 C3 C4", "classic", call_dead_roles=call_dead_roles)
    play(classic_night(table), passing)
    assert Called(role=Role.POLICE) not in told(table, Called)


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize(("night_pass", "may_pass"), [("allowed", True), ("forbidden", False)])
def test_a0_11_a1_07_passing_at_night(game: str, night_pass: str, may_pass: bool) -> None:
    table = table_of(ALL_OF[game], game, night_pass=night_pass)
    assert {request.may_pass for request in play(NIGHT_OF[game](table), passing).asked()} == {may_pass}


def test_a0_12_a0_14_the_living_may_be_named_and_act() -> None:
    table = table_of(THIRTEEN, dead="E C1")
    asked = {request.kind: request for request in play(night(table), passing).asked()}
    assert set(asked) == {"carry", "shoot", "kill", "needle", "check"}
    for kind in ("shoot", "kill", "needle", "check"):
        assert asked[kind].options == table.living
    assert asked["shoot"].seat in asked["shoot"].options


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize("kill_teammate", ["allowed", "forbidden"])
def test_a0_16_a1_05_killing_a_teammate(game: str, kill_teammate: str) -> None:
    table = table_of(ALL_OF[game], game, kill_teammate=kill_teammate)
    killers = set(table.who(Role.KILLER))
    for request in play(NIGHT_OF[game](table), passing).asked("kill"):
        assert killers & set(request.options) == (killers if kill_teammate == "allowed" else set())


@pytest.mark.parametrize("repeat_target", ["allowed", "forbidden_for_carry"])
def test_a0_13_carrying_the_same_twice(repeat_target: str) -> None:
    seats = Seats(THIRTEEN)
    table = table_of(THIRTEEN, repeat_target=repeat_target)
    play(night(table), naming({"B": "C1"}, seats))
    (second,) = play(night(table), passing).asked("carry")
    assert (seats["C1"] in second.options) == (repeat_target == "allowed")
    (third,) = play(night(table), passing).asked("carry")
    assert seats["C1"] in third.options, "only the night before counts"


def test_r_know_the_police_learn_the_answer_before_dawn_also_the_dying() -> None:
    seats = Seats(EIGHTEEN)
    table = table_of(EIGHTEEN, dead="C1")
    play(night(table), naming({"P1": "K1", "K1": "P2"}, seats))
    for officer in ("P1", "P2"):
        assert told(table, Checked, seats[officer]) == [Checked(seats["K1"], "nod")]
    for other in ("K1", "C2", "B", "C1"):
        assert not told(table, Checked, seats[other])


def test_r_know_nobody_learns_of_carrying_saving_or_voiding() -> None:
    seats = Seats(THIRTEEN)
    table = table_of(THIRTEEN)
    play(night(table), naming({"B": "K1", "K1": "C1", "D": "C1"}, seats))
    (resolved,) = kept(table, Resolved)
    assert resolved.voids == ("kill",)
    assert resolved.because == ("N13", "N5")
    for seat in table.living:
        assert not told(table, Resolved, seat)
        assert [event.action for event in told(table, Acted, seat)] == {
            "B": ["carry"], "S": ["shoot"], "D": ["needle"], "E": ["silence"],
        }.get(seats.name(seat), [])  # fmt: skip


@pytest.mark.parametrize("announce_needles", [True, False])
def test_a0_80_who_is_told_of_an_empty_needle(announce_needles: bool) -> None:
    seats = Seats(THIRTEEN)
    table = table_of(THIRTEEN, announce_needles=announce_needles)
    play(night(table), naming({"D": "C1"}, seats))
    assert told(table, Needled, seats["C1"]) == ([Needled(1)] if announce_needles else [])
    assert not told(table, Needled, seats["D"]) and not told(table, Needled)


@pytest.mark.parametrize("check_answer", ["side", "role"])
def test_a1_09_the_thumb(check_answer: str) -> None:
    seats = Seats(TWELVE)
    for target, sign in (("K1", "nod"), ("C1", "shake"), ("P1", "shake")):
        table = table_of(TWELVE, "classic", check_answer=check_answer)
        play(classic_night(table), naming({"P1": target}, seats))
        expected = sign if check_answer == "side" else table.role(seats[target]).value
        assert told(table, Checked, seats["P2"]) == [Checked(seats[target], expected)]


def test_a1_11_a1_45_one_victim_who_still_acts() -> None:
    seats = Seats(TWELVE)
    table = table_of(TWELVE, "classic")
    played = play(classic_night(table), naming({"K1": "P1", "P1": "K1"}, seats))
    assert played.result == (seats["P1"],)
    assert told(table, Checked, seats["P1"]) == [Checked(seats["K1"], "nod")]
