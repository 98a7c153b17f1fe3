"""The rulings on the carried one, each on a night that it decides, and what carrying does not do."""

from __future__ import annotations

from typing import Any

import pytest

from tianhei.arena.events import Called, Checked, Resolved
from tianhei.arena.roles import Role
from tianhei.arena.rules.butterfly import day, night
from tianhei.arena.rules.classic import night as classic_night

from .table import EIGHTEEN, THIRTEEN, TWELVE, Seats, dawn_of, kept, naming, passing, play, table_of, told

SEATS = Seats(THIRTEEN)

RULINGS = [
    # ruling, acts, earlier needles; the dead, who got an empty needle, who is silenced, the sign to the police
    ("A0-17", "check P", "", "", "", "", "shake"),
    ("A0-20", "carry C1, check B", "", "", "", "", "shake"),
    ("A0-22", "kill S, shoot K1, needle C1", "", "S K1", "C1", "", "no_check"),
    ("A0-22", "shoot D, kill C1, needle C1", "", "D", "", "", "no_check"),
    ("A0-34", "carry C1, kill B, needle C1", "", "B C1", "", "", "no_check"),
    ("A0-35", "carry C1, shoot C1, kill B, needle B", "", "", "C1", "", "no_check"),
    ("A0-37", "carry C1, shoot B, needle B", "C1=1", "C1", "C1", "", "no_check"),
    ("A0-37", "carry C1, needle B", "C1=1", "C1", "B C1", "", "no_check"),
    ("A0-39", "carry K1, kill K1", "", "", "", "", "no_check"),
    ("A0-40", "carry K1, kill B", "", "", "", "", "no_check"),
    ("A0-41", "carry S, shoot B", "", "", "", "", "no_check"),
    ("A0-41", "carry D, needle B", "", "", "", "", "no_check"),
    ("A0-41", "carry E, silence B", "", "", "", "", "no_check"),
    ("A0-52", "carry E, silence E", "", "", "", "", "no_check"),
    ("A0-52", "carry E, silence C1", "", "", "", "", "no_check"),
    ("A0-53", "carry C1, silence C1", "", "", "", "", "no_check"),
    ("A0-79", "carry K1, shoot B, kill C1", "", "B K1", "", "", "no_check"),
    ("A0-84", "carry C1, kill C1, shoot B", "", "B C1", "", "", "no_check"),
]


@pytest.mark.parametrize(
    ("acts", "before", "dead", "empty", "silenced", "police"),
    [case[1:] for case in RULINGS],
    ids=[f"{case[0]}: {case[1]}" for case in RULINGS],
)
def test_rulings(acts: str, before: str, dead: str, empty: str, silenced: str, police: str) -> None:
    dawn = dawn_of(acts, before=before)
    assert set(dawn.deaths) == set(dead.split())
    assert dawn.empty == set(empty.split())
    assert dawn.silenced == set(silenced.split())
    assert dawn.police == police


def test_a0_17_two_officers_check_one_between_them() -> None:
    seats = Seats(EIGHTEEN)
    table = table_of(EIGHTEEN)
    played = play(night(table), naming({"P1": "K1", "P2": "K1"}, seats))
    assert [request.kind for request in played.asked("check")] == ["check", "check"]
    assert played.result.police == "nod"
    assert seats["P1"] in played.asked("check")[0].options


def test_a0_42_by_day_the_carried_speak_and_vote() -> None:
    table = table_of(THIRTEEN)
    play(night(table), naming({"B": "C1"}, SEATS))
    asked = play(day(table, ()), passing).asked("speech_and_vote")
    assert SEATS["C1"] in [request.seat for request in asked]


def test_a0_43_carrying_lasts_for_one_night() -> None:
    table = table_of(THIRTEEN)
    play(night(table), naming({"B": "K1", "K1": "C1"}, SEATS))
    second = play(night(table), naming({"K1": "C1"}, SEATS)).result
    assert set(second.deaths) == {SEATS["C1"]}


@pytest.mark.parametrize("carried", ["K1", "P", "S", "D", "E", "C1"])
def test_a0_44_neither_the_carried_nor_their_team_are_told(carried: str) -> None:
    """Their events are those of the same night without the carrying, but for the police's sign."""

    def seen(acts: dict[str, str]) -> dict[str, list[Any]]:
        table = table_of(THIRTEEN)
        play(night(table), naming(acts, SEATS))
        return {
            name: [event.body for event in table.events if event.visible_to(SEATS[name])]
            for name in THIRTEEN.split()
            if name not in ("B", "P")
        }

    acts = {"K1": "C2", "S": "C3", "D": "C4", "P": "K2", "E": "C5"}
    assert seen(acts) == seen({**acts, "B": carried})


def test_a1_10_the_police_check_the_living_or_nobody() -> None:
    table = table_of(TWELVE, "classic", dead="C1")
    asked = play(classic_night(table), passing).asked("check")
    assert {request.options for request in asked} == {table.living}
    assert all(request.may_pass for request in asked)


@pytest.mark.parametrize("call_dead_roles", [True, False])
def test_a1_12_police_calls_when_no_police_live(call_dead_roles: bool) -> None:
    table = table_of(TWELVE, "classic", dead="P1 P2 P3", victory="all_good", call_dead_roles=call_dead_roles)
    play(classic_night(table), passing)
    assert (Called(role=Role.POLICE) in told(table, Called)) == call_dead_roles


@pytest.mark.parametrize(("needle_on_carried", "voids"), [("void", ("kill", "needle")), ("counts", ("kill",))])
def test_n2_the_judge_keeps_what_was_void(needle_on_carried: str, voids: tuple[str, ...]) -> None:
    table = table_of(THIRTEEN, needle_on_carried=needle_on_carried)
    play(night(table), naming({"B": "C1", "K1": "C1", "D": "C1"}, SEATS))
    (resolved,) = kept(table, Resolved)
    assert resolved.voids == voids


@pytest.mark.parametrize(
    ("acts", "options", "clause", "not_clause"),
    [
        ("kill C1", {}, "N3", "N6"),
        ("kill C1, needle C1", {}, "N4", "N6"),
        ("kill C1, shoot C1, needle C1", {}, "N6", "N4"),
        ("carry D, kill C1, needle C1", {}, "N10", "N6"),
        ("carry D, kill C1, needle C1", {"carried_doctor": "pricks"}, "N10", "N6"),
        ("kill B, needle B", {"butterfly_unsaveable": True}, "N3", "N6"),
    ],
)
def test_the_judge_keeps_the_clause_that_decided(
    acts: str, options: dict[str, Any], clause: str, not_clause: str
) -> None:
    """N6 is of one who was both killed and shot; a single hit that no needle undoes is N3."""
    because = dawn_of(acts, **options).because
    assert clause in because
    assert not_clause not in because


def test_a0_18_a_check_that_only_the_carried_officer_asked_for_still_gets_no_sign() -> None:
    seats = Seats(EIGHTEEN)
    table = table_of(EIGHTEEN)
    play(night(table), naming({"B": "P1", "P1": "K1"}, seats))
    assert told(table, Checked, seats["P2"]) == [Checked(seats["K1"], "none")]


@pytest.mark.parametrize(
    ("acts", "empty"),
    [
        ("carry C1, needle C1", "C1"),
        ("carry C1, needle C1, kill C2", "C1"),
        ("carry C1, needle C1, kill C1", ""),
        ("carry C1, needle C1, shoot C1", ""),
        ("carry K1, needle K1, kill K1", ""),
    ],
)
def test_a0_29_a0_33_a_needle_that_counts_on_the_carried_may_be_used_up(acts: str, empty: str) -> None:
    used_up = dawn_of(acts, needle_on_carried="counts", voided_attack="still_uses_needle")
    assert used_up.empty == set(empty.split())
    carried = acts.split(",")[0].split()[1]
    assert dawn_of(acts, needle_on_carried="counts").empty == {carried}
