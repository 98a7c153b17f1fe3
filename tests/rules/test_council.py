"""Councils: how killers and police agree in the dark (R-COUNCIL, A0-15, A1-06, A1-08, R-CARRIED-COUNCIL)."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tianhei.arena.events import Agreed, Drawn, Stated
from tianhei.arena.requests import ABSENT, Answer, Request
from tianhei.arena.rules.butterfly import night
from tianhei.arena.rules.classic import night as classic_night
from tianhei.arena.rules.council import council
from tianhei.arena.table import Table

from .table import EIGHTEEN, THIRTEEN, TWELVE, Played, Seats, dawn_of, kept, naming, play, table_of, told

SEATS = Seats(TWELVE)


def agree(*rounds: str, action: Literal["kill", "check"] = "kill", **options: Any) -> tuple[Table, Played[str | None]]:
    """Rounds as ``C1 C2 -``: what each of the three members states; ! is absent. Returns the target by name."""
    table = table_of(TWELVE, "classic", **options)
    first = SEATS["K1" if action == "kill" else "P1"]

    def answering(request: Request) -> Answer:
        named = rounds[request.round - 1].split()[request.seat - first]
        if named == "!":
            return ABSENT
        return Answer(target=None if named == "-" else SEATS[named], text=named)

    played = play(council(table, action), answering)
    target = played.result.target
    return table, Played(SEATS.name(target) if target else None, played.waves)


@pytest.mark.parametrize(
    ("rounds", "target", "held"),
    [
        (["C1 C1 C1"], "C1", 1),
        (["C1 - -"], "C1", 1),  # silence assents
        (["- C1 C1"], "C1", 1),
        (["- - -"], None, 1),  # all passed
        (["C1 C2 -", "C2 C2 -"], "C2", 2),
        (["C1 C2 C3", "- - -"], None, 2),
        (["C1 C1 C2", "C1 C1 C2"], "C1", 2),  # unique plurality of the last round
        (["C1 C1 C2", "C2 C2 C1"], "C2", 2),  # of the last round alone
        (["! C1 !"], "C1", 1),
        (["! ! !"], None, 1),
    ],
)
def test_r_council_rounds(rounds: list[str], target: str | None, held: int) -> None:
    table, played = agree(*rounds)
    assert played.result == target
    assert len(played.waves) == held
    assert told(table, Agreed, SEATS["K3"]) == [Agreed("kill", SEATS[target] if target else None)]


@pytest.mark.parametrize("action", ["kill", "check"])
@pytest.mark.parametrize(
    ("killers_tie", "target", "draws"), [("lot", "C2", 1), ("first", "C1", 0), ("no_kill", None, 0)]
)
def test_r_council_ties(action: Literal["kill", "check"], killers_tie: str, target: str | None, draws: int) -> None:
    """A1-08: the police council follows the same rule."""
    table, played = agree("C1 C2 -", "C1 C2 -", action=action, killers_tie=killers_tie, lots=[SEATS["C2"]])
    assert played.result == target
    lots = kept(table, Drawn)
    assert [(lot.purpose, lot.options) for lot in lots] == [(action, (SEATS["C1"], SEATS["C2"]))] * draws


def test_r_council_a_lot_is_among_the_tied_of_the_last_round() -> None:
    table, _ = agree("C5 C6 C5", "C3 C1 C2", lots=[SEATS["C3"]])
    assert [lot.options for lot in kept(table, Drawn)] == [(SEATS["C1"], SEATS["C2"], SEATS["C3"])]


@pytest.mark.parametrize(
    ("rounds", "target", "held"),
    [
        (["C1 C2 -", "C1 C2 -", "C2 C2 -"], "C2", 3),
        (["C1 C2 -", "C1 C2 -", "C1 C2 -"], None, 3),
        (["C1 C2 -", "C1 C1 C2"], "C1", 2),  # no tie in the last round: no extra one
    ],
)
def test_r_council_ask_again(rounds: list[str], target: str | None, held: int) -> None:
    _, played = agree(*rounds, killers_tie="ask_again")
    assert (played.result, len(played.waves)) == (target, held)


@pytest.mark.parametrize("council_rounds", [1, 3, 5])
def test_r_council_number_of_rounds(council_rounds: int) -> None:
    _, played = agree(*["C1 C2 C2"] * council_rounds, council_rounds=council_rounds)
    assert (played.result, len(played.waves)) == ("C2", council_rounds)


def test_r_council_statements_are_sealed_then_told_to_the_living_team() -> None:
    table = table_of(TWELVE, "classic", dead="K2")
    script = council(table, "kill")
    wave = next(script)
    assert [request.seat for request in wave] == [SEATS["K1"], SEATS["K3"]]
    assert not table.events, "nothing is told while a round is open"
    script.send((Answer(target=SEATS["C1"], text="the loud one"), Answer(target=SEATS["C2"])))
    assert told(table, Stated, SEATS["K1"]) == [
        Stated(SEATS["K1"], SEATS["C1"], "the loud one", 1),
        Stated(SEATS["K3"], SEATS["C2"], "", 1),
    ]
    for other in ("K2", "P1", "C1"):
        assert not told(table, Stated, SEATS[other])


def test_r_council_one_sentence_unless_mute() -> None:
    for channel, may_speak in (("full", True), ("claims_only", True), ("mute", False)):
        table = table_of(TWELVE, "classic", channel=channel)
        wave = next(council(table, "kill"))
        assert all((request.text > 0) == may_speak for request in wave)


def test_r_council_a_team_of_one_has_one_round_and_no_sentence() -> None:
    table = table_of(TWELVE, "classic", dead="K2 K3", council_rounds=3)
    played = play(council(table, "kill"), naming({"K1": "C1"}, SEATS))
    assert [request.text for request in played.asked()] == [0]
    assert played.result.target == SEATS["C1"]


def test_r_council_no_team_asks_nobody() -> None:
    table = table_of("K1 K2 C1 C2 C3 C4", "classic")
    assert not play(council(table, "check"), naming({}, SEATS)).waves


def test_r_council_both_teams_share_their_waves() -> None:
    table = table_of(TWELVE, "classic")
    split = {"K1": ["C1", "C1"], "K2": ["C2", "C1"], "P1": ["K1", "K1"], "P2": ["K2", "K1"]}
    played = play(classic_night(table), naming(split, SEATS))
    assert [len(wave) for wave in played.waves] == [6, 6]


CARRIED = Seats(THIRTEEN)


@pytest.mark.parametrize(
    ("stated", "victims"),
    [
        ({"K1": "C1", "K2": "C2", "K3": "C2"}, "C2"),
        ({"K1": "C1", "K2": "C1", "K3": "C2"}, "C2"),  # a tie without him: by lot
        ({"K1": "C1"}, ""),  # only he named anybody
        ({"K1": "C1", "K2": "C1"}, "C1"),
    ],
)
def test_r_carried_council_killers(stated: dict[str, str], victims: str) -> None:
    """With others_still_kill the carried member's statement is left out of the decision; he is not told."""
    table = table_of(THIRTEEN, carried_killer="others_still_kill", council_rounds=1, lots=[CARRIED["C2"]])
    played = play(night(table), naming({"B": "K1", **stated}, CARRIED))
    assert CARRIED.names(played.result.deaths) == set(victims.split())
    assert told(table, Agreed, CARRIED["K1"]) == told(table, Agreed, CARRIED["K2"])


@pytest.mark.parametrize(
    ("stated", "police"),
    [
        ({"P1": "K1", "P2": "C1"}, "shake"),
        ({"P1": "C1", "P2": "K1"}, "nod"),
        ({"P1": "K1"}, "no_check"),
        ({"P2": "P1"}, "none"),  # the carried one cannot be checked (S0-28)
    ],
)
def test_r_carried_council_police(stated: dict[str, str], police: str) -> None:
    seats = Seats(EIGHTEEN)
    lots = [seats["K1"]]
    table = table_of(EIGHTEEN, carried_police="blocks_self", council_rounds=1, lots=lots)
    played = play(night(table), naming({"B": "P1", **stated}, seats))
    assert played.result.police == police


def test_a0_18_a0_83_by_default_the_whole_team_is_stopped() -> None:
    assert not dawn_of("carry K2, kill C1").deaths
    assert dawn_of("carry P2, check K1", cards=EIGHTEEN).police == "none"
