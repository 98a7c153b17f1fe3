"""A handicap is declared, told to its seat alone, and kept: the game is another one, and never rated."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from players import bots, header, play_game, views_of
from tianhei.agents.baselines.oracle import Oracle
from tianhei.agents.roster import TOLD, parse_spec
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.events import Handicap
from tianhei.arena.host import Sitter
from tianhei.arena.pool import Endpoints
from tianhei.arena.referee import HANDICAPS, Referee
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import RulesError, make
from tianhei.arena.seating import Seating, plans_of
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec, header_from_json
from tianhei.transcripts.replay import verified

SEVEN = {"killer": 2, "police": 1, "civilian": 4}


def declared(**more: Any) -> Header:
    """A game in which seat 3 is told who the killers are."""
    head = header(SEVEN, **more)
    specs = [SeatSpec("oracle", handicap="killers") if seat == 3 else spec
             for seat, spec in enumerate(head.seats, start=1)]  # fmt: skip
    return replace(head, seats=tuple(specs))


def test_the_header_says_it_and_the_id_is_another() -> None:
    head, plain = declared(), header(SEVEN)
    assert head.handicaps == {3: "killers"}
    assert plain.handicaps == {}
    assert "handicap" not in json.dumps(plain.to_json())
    same_names = replace(head, seats=tuple(replace(spec, handicap="") for spec in head.seats))
    assert head.game != same_names.game


def test_who_is_seated_as_an_oracle_has_it() -> None:
    assert set(TOLD.values()) <= set(HANDICAPS)
    plans = {1: parse_spec("oracle"), 2: parse_spec("random")}
    assert [spec.handicap for spec in Seating(plans, "en", Endpoints()).specs()] == ["killers", ""]


def test_it_is_told_before_the_first_question_to_its_seat_alone() -> None:
    """Every other view is the same, byte for byte, as at the table without a handicap."""
    for game in ("classic", "butterfly"):
        counts = SEVEN if game == "classic" else {**SEVEN, "sniper": 1, "elder": 1}
        rules = make(game, {"dead_view": "all"})
        dealt = deal({Role(role): count for role, count in counts.items()}, 5)
        told, plain = (Referee(rules, dealt, Keyed(5), None, hands) for hands in ({3: "killers"}, None))
        new = [event for event in told.waves[0].events if event not in plain.waves[0].events]
        killers = {seat: "killer" for seat, role in enumerate(dealt.roles, start=1) if role is Role.KILLER}
        assert [(event.audience, event.body) for event in new] == [((3,), Handicap(killers))]
        assert told.pending == plain.pending
        one, other = views_of(told), views_of(plain)
        for seat in range(1, len(dealt.roles) + 1):
            same = one.of(seat).to_json() == other.of(seat).to_json()
            assert same == (seat != 3)
        assert one.of(3).told_roles == killers


def test_a_whole_game_shows_the_others_nothing(tmp_path: Path) -> None:
    """Played by the same lots, seat by seat, the views stay the same to the end."""
    games = [play_game(tmp_path / name, head, bots(7)) for name, head in (("a", declared()), ("b", header(SEVEN)))]
    for seat in (1, 2, 4, 5, 6, 7):
        one, other = (game.views.of(seat).to_json() for game in games)
        assert one == other
    mine = games[0].views.of(3).to_json()
    assert [event["kind"] for event in mine].count("handicap") == 1


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 9])
def test_it_survives_a_stop(tmp_path: Path, cut: int) -> None:
    """Cut after any line, the game goes on to the same end, and verifies."""
    whole, path = tmp_path / "whole", tmp_path / "cut"
    seated = bots(7) | {3: Sitter(Oracle("en"), waits=True)}
    play_game(whole, declared(), seated)
    lines = whole.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:cut]))
    host = play_game(path, None, seated)
    assert host.views.of(3).told_roles
    assert load(path).events == load(whole).events
    assert verified(path) == verified(whole)
    assert load(path).header.handicaps == {3: "killers"}
    plans = plans_of(load(path).header, path)
    assert plans[3].player == "oracle"


def test_an_edited_handicap_is_found() -> None:
    data = declared().to_json()
    assert header_from_json(data).handicaps == {3: "killers"}
    del data["seats"][2]["handicap"]
    with pytest.raises(TranscriptError, match="its game id does not fit its header; it was edited"):
        header_from_json(data)


@pytest.mark.parametrize("handicaps", [{3: "everything"}, {9: "killers"}, {0: "killers"}])
def test_others_are_refused(handicaps: dict[int, str]) -> None:
    with pytest.raises(RulesError, match="handicap"):
        Referee(make("classic"), deal({Role.KILLER: 2, Role.CIVILIAN: 5}, 1), Keyed(1), None, handicaps)
