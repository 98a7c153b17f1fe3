"""Last words: who has them, in which order, and the silence that takes them away."""

from __future__ import annotations

from typing import Any

import pytest

from tianhei.arena.events import Called, Dawn, LastWords, Silenced, VotedOut
from tianhei.arena.requests import ABSENT, Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.butterfly import dawn, night
from tianhei.arena.rules.chain import Verdict
from tianhei.arena.rules.ending import judged
from tianhei.arena.rules.options import RulesError, make
from tianhei.arena.rules.speaking import last_words, order_of_last_words
from tianhei.arena.table import Table

from .table import THIRTEEN, TWELVE, Seats, naming, passing, play, table_of, told

SEATS = Seats(THIRTEEN)


def speaks(request: Request) -> Answer:
    return Answer(text=f"I was {request.seat}")


def heard(table: Table) -> list[Seat]:
    return [words.by for words in told(table, LastWords)]


def die(table: Table, *groups: tuple[Seat, ...]) -> list[Seat]:
    """Groups die one after another, each group in its order; who was heard."""
    for dead in groups:
        table.out(dead)
        play(last_words(table, dead), speaks)
    return heard(table)


def test_s1_70_the_quota_is_the_number_of_killers_dealt() -> None:
    """A1-33: the killed and the voted-out are counted alike, in order."""
    table = table_of(TWELVE, "classic")
    assert die(table, (7,), (1,), (8,), (2,), (9,)) == [7, 1, 8]
    assert [words.number for words in told(table, LastWords)] == [1, 2, 3]


def test_a1_34_with_no_police_dealt() -> None:
    assert die(table_of("K1 K2 C1 C2 C3 C4", "classic"), (3,), (4,), (5,)) == [3, 4]


@pytest.mark.parametrize(("value", "expected"), [("quota", [9, 10, 11]), ("all", [9, 10, 11, 12]), ("none", [])])
@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_last_words_options(game: str, value: str, expected: list[Seat]) -> None:
    cards = THIRTEEN if game == "butterfly" else TWELVE
    assert die(table_of(cards, game, last_words=value), (9, 10), (11, 12)) == expected


def test_a1_33_a_death_without_words_counts_for_the_quota() -> None:
    """The second of three dead is silenced: he leaves nothing, and the fourth is still too late."""
    table = table_of(THIRTEEN, last_words="quota")
    table.silenced = frozenset((10,))
    assert die(table, (9, 10), (11,), (12,)) == [9, 11]


@pytest.mark.parametrize(("day", "order"), [(1, [4, 12]), (2, [12, 4]), (3, [4, 12])])
def test_s0_55_the_order_of_the_nights_dead(day: int, order: list[Seat]) -> None:
    table = table_of(THIRTEEN, day=day)
    dead = order_of_last_words(table.rules, 13, day, (12, 4))
    assert die(table, dead) == order
    (called,) = [called for called in told(table, Called) if called.stage == "last_words"]
    assert list(called.seats) == order


@pytest.mark.parametrize(("silenced_last_words", "expected"), [(False, []), (True, ["C1"])])
def test_a0_47_silenced_and_dead(silenced_last_words: bool, expected: list[str]) -> None:
    table = table_of(THIRTEEN, silenced_last_words=silenced_last_words)
    reckoning = play(night(table), naming({"K1": "C1", "E": "C1"}, SEATS)).result
    play(dawn(table, reckoning, tuple(reckoning.deaths)), speaks)
    assert told(table, Silenced) == [Silenced((SEATS["C1"],))]
    assert [SEATS.name(seat) for seat in heard(table)] == expected


@pytest.mark.parametrize(("silenced_last_words", "expected"), [(False, []), (True, ["C1"])])
def test_a0_48_silenced_and_voted_out(silenced_last_words: bool, expected: list[str]) -> None:
    table = table_of(THIRTEEN, silenced_last_words=silenced_last_words)
    table.silenced = frozenset((SEATS["C1"],))
    play(judged(table, Verdict((SEATS["C1"],)), table.living), speaks)
    assert [SEATS.name(seat) for seat in heard(table)] == expected


def test_a0_51_a0_79_the_dying_elder_and_butterfly_have_acted() -> None:
    table = table_of(THIRTEEN)
    acts = {"K1": "E", "E": "C1", "B": "K2", "S": "B"}
    reckoning = play(night(table), naming(acts, SEATS)).result
    assert SEATS.names(reckoning.deaths) == {"B", "K2"}, "the kill is void, since K2 was carried"
    assert SEATS.names(reckoning.silenced) == {"C1"}


def test_a0_46_silence_lasts_a_day() -> None:
    table = table_of(THIRTEEN)
    reckoning = play(night(table), naming({"E": "C1"}, SEATS)).result
    play(dawn(table, reckoning, ()), passing)
    assert table.silenced == {SEATS["C1"]}
    play(night(table), passing)
    assert not table.silenced


def test_a0_50_a_void_silencing_is_not_announced() -> None:
    table = table_of(THIRTEEN)
    reckoning = play(night(table), naming({"E": "C1", "B": "C1"}, SEATS)).result
    play(dawn(table, reckoning, ()), passing)
    assert not told(table, Silenced)


@pytest.mark.parametrize(
    ("executed_last_words", "expected"),
    [("good_only", ["C1"]), ("both", ["K1", "C1"]), ("neither", [])],
)
def test_a0_66_voted_out(executed_last_words: str, expected: list[str]) -> None:
    table = table_of(THIRTEEN, executed_last_words=executed_last_words)
    for name in ("K1", "C1"):
        play(judged(table, Verdict((SEATS[name],)), table.living), speaks)
    assert [SEATS.name(seat) for seat in heard(table)] == expected


def test_s0_56_a_killer_killed_at_night_has_last_words() -> None:
    table = table_of(THIRTEEN)
    reckoning = play(night(table), naming({"S": "K1"}, SEATS)).result
    play(dawn(table, reckoning, (SEATS["K1"],)), speaks)
    assert heard(table) == [SEATS["K1"]]


def test_r_tie_all_the_tied_leave_words_in_the_days_order() -> None:
    table = table_of(THIRTEEN, tie="all", day=2)
    order = tuple(reversed(table.living))
    play(judged(table, Verdict((SEATS["K1"], SEATS["C1"], SEATS["C4"])), order), speaks)
    assert [SEATS.name(seat) for seat in heard(table)] == ["C4", "C1"]
    assert [out.seat for out in told(table, VotedOut)] == [SEATS["C4"], SEATS["C1"], SEATS["K1"]]


def test_r_lastwords_must_not_tell_the_side() -> None:
    with pytest.raises(RulesError, match="R-LASTWORDS"):
        make("butterfly", {"reveal_on_vote": "none"})
    for value in ("both", "neither"):
        make("butterfly", {"reveal_on_vote": "none", "executed_last_words": value})


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_r_absent_and_mute_leave_no_words(game: str) -> None:
    cards = THIRTEEN if game == "butterfly" else TWELVE
    absent = table_of(cards, game)
    play(last_words(absent, (9,)), lambda _: ABSENT)
    assert not heard(absent)
    mute = table_of(cards, game, channel="mute")
    assert not play(last_words(mute, (9,)), passing).waves
    assert told(mute, LastWords) == [LastWords(9, "", 1)]


@pytest.mark.parametrize(
    ("announce_causes", "causes"), [(False, None), (True, {1: ("kill",), 9: ("with_butterfly:kill",)})]
)
def test_a0_54_a0_81_names_in_seat_order_and_causes_by_option(announce_causes: bool, causes: Any) -> None:
    table = table_of(THIRTEEN, announce_causes=announce_causes, day=2)
    reckoning = play(night(table), naming({"B": "C1", "K1": "B"}, SEATS)).result
    play(dawn(table, reckoning, (9, 1)), passing)
    assert told(table, Dawn) == [Dawn((1, 9), causes)]


@pytest.mark.parametrize(
    ("reveal", "shown"),
    [("none", None), ("side", {1: "good", 6: "killer"}), ("role", {1: "butterfly", 6: "killer"})],
)
def test_a0_55_a1_35_what_dawn_tells(reveal: str, shown: Any) -> None:
    table = table_of(THIRTEEN, reveal_at_dawn=reveal)
    reckoning = play(night(table), naming({"S": "K1", "K1": "B"}, SEATS)).result
    play(dawn(table, reckoning, (1, 6)), passing)
    assert told(table, Dawn) == [Dawn((1, 6), None, shown)]


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize(
    ("reveal", "killer", "other"), [("none", None, None), ("side", "killer", "good"), ("role", "killer", "civilian")]
)
def test_a0_55_a1_35_what_the_vote_tells(game: str, reveal: str, killer: str | None, other: str | None) -> None:
    cards = THIRTEEN if game == "butterfly" else TWELVE
    more: dict[str, Any] = {"executed_last_words": "both"} if game == "butterfly" else {}
    seats = Seats(cards)
    table = table_of(cards, game, reveal_on_vote=reveal, **more)
    for name, told_of in (("K1", killer), ("C1", other)):
        play(judged(table, Verdict((seats[name],)), table.living), passing)
        assert told(table, VotedOut)[-1] == VotedOut(seats[name], told_of)
