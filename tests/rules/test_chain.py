"""Ties: the worked chains T1 to T16, each way with a tie, the PK options, a PK on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tianhei.arena.events import Demanded, Drawn, Speech, Tied
from tianhei.arena.requests import Illegal
from tianhei.arena.rules.chain import DRAW, NOBODY, Day, Verdict, demands, first_vote, round_pk
from tianhei.arena.rules.ending import judged
from tianhei.arena.rules.victory import Outcome
from tianhei.arena.script import Script
from tianhei.arena.table import Table

from .afternoon import FIRST, ORDER, SEVEN, chain, six, spoken, stages
from .table import kept, passing, play, table_of, told, voting

THREE = "1>2 2>3 3>4 4>2 5>3 6>4"
FOUR = "1>1 2>2 3>3 4>4 5>- 6>-"
NONE = "1>- 2>- 3>- 4>- 5>- 6>-"
ALWAYS = {"narrowing": "always"}

CHAINS: list[tuple[str, dict[str, Any], Sequence[str], list[tuple[str, str]], Verdict]] = [
    ("T1", {}, ["1>2 2>3 3>2 4>2 5>- 6>3"], [], Verdict((2,))),
    ("T2", {}, [FIRST, "1>2 2>3 3>2 4>3 5>2 6>-"], [("pk", "2 3")], Verdict((2,))),
    (
        "T3, A1-42", {}, [FIRST, FIRST, "1>2 2>3 3>2 4>3 5>3 6>3"],
        [("pk", "2 3"), ("off_field", "1 4 5 6")], Verdict((3,)),
    ),
    ("T4, A1-40", {}, [FIRST, FIRST, "1>2 2>3 3>2 4>3 5>2 6>3"], [("pk", "2 3"), ("off_field", "1 4 5 6")], DRAW),
    (
        "T5", {"final_tie": "lot", "lots": [3]}, [FIRST, FIRST, "1>2 2>3 3>2 4>3 5>2 6>3"],
        [("pk", "2 3"), ("off_field", "1 4 5 6")], Verdict((3,)),
    ),
    (
        "T6, A1-25", {}, [THREE, "1>2 2>3 3>2 4>3 5>4 6>-", "1>2 2>3 3>2 4>3 5>3 6>3"],
        [("pk", "2 3 4"), ("off_field", "1 4 5 6")], Verdict((3,)),
    ),
    (
        "T7, A1-25", ALWAYS, [THREE, "1>2 2>3 3>2 4>3 5>4 6>-", "1>2 2>3 3>2 4>3 5>3 6>3"],
        [("pk", "2 3 4"), ("pk", "2 3")], Verdict((3,)),
    ),
    (
        "T8", ALWAYS, [FOUR, "1>2 2>1 3>2 4>3 5>1 6>3", "1>2 2>1 3>2 4>3 5>2 6>3"],
        [("pk", "1 2 3 4"), ("pk", "1 2 3")], Verdict((2,)),
    ),
    (
        "T9", ALWAYS,
        [FOUR, "1>2 2>1 3>2 4>3 5>1 6>3", "1>2 2>1 3>2 4>3 5>1 6>3", "1>2 2>1 3>2 4>3 5>2 6>2"],
        [("pk", "1 2 3 4"), ("pk", "1 2 3"), ("off_field", "4 5 6")], Verdict((2,)),
    ),
    (
        "T10, A1-26", ALWAYS, [FOUR, "1>2 2>1 3>2 4>1 5>- 6>3", "1>2 2>1 3>2 4>2 5>- 6>1"],
        [("pk", "1 2 3 4"), ("pk", "1 2")], Verdict((2,)),
    ),
    (
        "T12, A1-30", {}, [THREE, THREE, "1>2 2>3 3>2 4>3 5>2 6>3"],
        [("pk", "2 3 4"), ("off_field", "1 5 6")], DRAW,
    ),
    ("T13, A1-23", {}, [NONE, "1>2 2>3 3>2 4>2 5>- 6>-"], [("pk", "1 2 3 4 5 6")], Verdict((2,))),
    (
        "T14, A1-23, A1-28", {}, [NONE, NONE, "1>2 2>3 3>2 4>2 5>2 6>2"],
        [("pk", "1 2 3 4 5 6"), ("off_field", "")], Verdict((2,)),
    ),
    ("T15", {"all_abstain": "no_elimination"}, [NONE], [], NOBODY),
]  # fmt: skip


@pytest.mark.parametrize("form", ["called", "simultaneous", "secret"])
@pytest.mark.parametrize(
    ("options", "votes", "later", "verdict"), [case[1:] for case in CHAINS], ids=[case[0] for case in CHAINS]
)
def test_chains(
    options: dict[str, Any], votes: Sequence[str], later: list[tuple[str, str]], verdict: Verdict, form: str
) -> None:
    table = six(vote_form=form, **options)
    assert chain(table, *votes).result == verdict
    expected = [(stage, tuple(map(int, speakers.split()))) for stage, speakers in later]
    assert stages(table) == [("vote", ORDER), *expected]
    spoken = [(speech.stage, speech.by) for speech in told(table, Speech)]
    assert spoken == [(stage, seat) for stage, speakers in expected for seat in speakers]


def test_t11_a_demanded_pk_narrows_and_is_held_again() -> None:
    """R-ROUNDPK; S1-66: 4 to 3 speak and vote again, though narrowing is set to never."""
    table = six(round_pk="on")
    votes = voting("1>2 2>3 3>2 4>3 5>6 6>6", "1>2 2>3 3>2 4>3 5>3 6>-", demands={5: (6, 4, 3, 2), 6: (1, 2)})
    assert play(demanded(table), votes).result == Verdict((3,))
    assert stages(table) == [("demand", ()), ("pk", (2, 3, 4, 6)), ("pk", (2, 3, 6))]
    assert told(table, Demanded) == [Demanded(5, (2, 3, 4, 6), True), Demanded(6, (1, 2), False)]
    assert told(table, Tied) == [Tied((2, 3, 6), "pk")], "a demand is no tie"


def demanded(table: Table) -> Script[Verdict]:
    """The demands of a day, and the PK on the one that counts."""
    day = Day(ORDER)
    named = yield from demands(table, day)
    assert named
    return (yield from round_pk(table, day, named))


def test_r_roundpk_no_narrowing_goes_off_field() -> None:
    table = six(round_pk="on", tie="lot")
    tied = "1>2 2>3 3>2 4>3 5>- 6>-"
    votes = voting(tied, "1>2 2>3 3>2 4>3 5>2 6>3", demands={1: (2, 3)})
    assert play(demanded(table), votes).result == DRAW
    assert stages(table) == [("demand", ()), ("pk", (2, 3)), ("off_field", (1, 4, 5, 6))]


@pytest.mark.parametrize(("cards", "asked"), [(SEVEN, True), (SEVEN + " C4", False)])
def test_r_roundpk_while_no_more_than_seven_live(cards: str, asked: bool) -> None:
    table = table_of(cards, "classic", round_pk="on")
    played = play(demands(table, Day(table.living)), passing)
    assert played.result == ()
    assert [request.seat for request in played.asked("demand")] == (list(table.living) if asked else [])


def test_a1_31_no_demands_unless_by_option() -> None:
    table = six()
    assert not play(demands(table, Day(ORDER)), passing).waves


@pytest.mark.parametrize("form", ["called", "simultaneous", "secret"])
def test_t16_an_abstention_off_field_is_refused(form: str) -> None:
    """S1-64, A1-27."""
    table = six(vote_form=form)
    with pytest.raises(Illegal):
        chain(table, FIRST, FIRST, "1>2 2>3 3>2 4>3 5>- 6>-")


@pytest.mark.parametrize(("final_tie", "verdict"), [("draw", DRAW), ("lot", Verdict((2,))), ("nobody", NOBODY)])
def test_a1_29_still_tied(final_tie: str, verdict: Verdict) -> None:
    table = six(final_tie=final_tie, lots=[2])
    assert chain(table, FIRST, FIRST, "1>2 2>3 3>2 4>3 5>2 6>3").result == verdict
    assert told(table, Tied)[-1] == Tied((2, 3), final_tie)
    assert [draw.value for draw in kept(table, Drawn)] == ([2] if final_tie == "lot" else [])


@pytest.mark.parametrize(("pk_voters", "voters"), [("all", ORDER), ("untied", (1, 4, 5, 6))])
def test_a1_24_who_votes_on_the_field(pk_voters: str, voters: tuple[int, ...]) -> None:
    table = six(pk_voters=pk_voters)
    played = chain(table, FIRST, "1>2 2>3 3>2 4>2 5>- 6>-")
    second = [request for request in played.asked("vote") if request.round == 2]
    assert tuple(request.seat for request in second) == voters
    assert {request.options for request in second} == {(2, 3)}
    assert all(request.may_pass for request in second)


@pytest.mark.parametrize(("off_voters", "voters"), [("all", ORDER), ("untied", (1, 4, 5, 6))])
def test_a1_27_who_must_vote_off_the_field(off_voters: str, voters: tuple[int, ...]) -> None:
    table = six(off_voters=off_voters)
    played = chain(table, FIRST, FIRST, "1>2 2>3 3>2 4>2 5>2 6>2")
    third = [request for request in played.asked("vote") if request.round == 3]
    assert tuple(request.seat for request in third) == voters
    assert not any(request.may_pass for request in third)


@pytest.mark.parametrize("stage", ["pk_voters", "off_voters"])
def test_a1_28_with_nobody_untied_all_vote(stage: str) -> None:
    table = six(**{stage: "untied"})
    played = chain(table, NONE, NONE, "1>2 2>3 3>2 4>2 5>2 6>2")
    assert played.result == Verdict((2,))
    assert {request.seat for request in played.asked("vote") if request.round > 1} == set(ORDER)


@pytest.mark.parametrize(
    ("game", "tie", "verdict"),
    [
        ("classic", "lot", Verdict((3,))),
        ("classic", "nobody", NOBODY),
        ("butterfly", "lot", Verdict((3,))),
        ("butterfly", "nobody", NOBODY),
        ("butterfly", "all", Verdict((2, 3))),
    ],
)
def test_r_tie_settled_at_once(game: str, tie: str, verdict: Verdict) -> None:
    table = six(game, tie=tie, abstain="allowed", lots=[3])
    day = Day(ORDER)
    script = first_vote(table, day) if game == "classic" else spoken(table, day)
    assert play(script, voting(FIRST)).result == verdict
    assert told(table, Tied) == [Tied((2, 3), tie)]


@pytest.mark.parametrize(
    ("second", "verdict"),
    [("1>2 2>3 3>2 4>3 5>2 6>2", Verdict((2,))), ("1>2 2>3 3>2 4>3 5>2 6>3", NOBODY)],
)
def test_r_tie_revote(second: str, verdict: Verdict) -> None:
    """The tied speak, all must vote at once, among the tied; another tie and nobody is out."""
    table = six("butterfly", tie="revote", abstain="allowed")
    table.silenced = frozenset((3,))
    played = play(spoken(table, Day(ORDER)), voting(FIRST, second))
    assert played.result == verdict
    assert told(table, Tied)[0] == Tied((2, 3), "revote")
    assert told(table, Tied)[1:] == ([] if verdict.out else [Tied((2, 3), "nobody")])
    again = [request for request in played.asked("vote") if request.round == 2]
    assert [request.seat for request in again] == list(ORDER)
    assert {request.options for request in again} == {(2, 3)}
    assert not any(request.may_pass for request in again)
    assert [speech.by for speech in told(table, Speech) if speech.stage == "revote"] == [2]


def test_r_tie_chain_in_the_butterfly_game() -> None:
    """The silenced are passed over in a PK (A0-49); all vote at the same moment."""
    table = six("butterfly", tie="chain")
    table.silenced = frozenset((2,))
    tied = "1>2 2>3 3>2 4>3 5>2 6>3"
    played = play(spoken(table, Day(ORDER)), voting(tied, tied, tied))
    assert played.result == DRAW
    assert [speech.by for speech in told(table, Speech) if speech.stage == "pk"] == [3]
    assert [len(wave) for wave in played.waves if wave[0].kind == "vote" and wave[0].round > 1] == [6, 6]


def test_a0_65_a_butterfly_tie_and_nobody_dies() -> None:
    table = six("butterfly")
    assert play(spoken(table, Day(ORDER)), voting("1>2 2>3 3>2 4>3 5>2 6>3")).result == NOBODY


def test_r_tie_revote_that_narrows_is_still_a_tie() -> None:
    table = six("butterfly", tie="revote")
    first, second = "1>1 2>2 3>3 4>1 5>2 6>3", "1>1 2>2 3>1 4>1 5>2 6>2"
    assert play(spoken(table, Day(ORDER)), voting(first, second)).result == NOBODY
    assert told(table, Tied) == [Tied((1, 2, 3), "revote"), Tied((1, 2), "nobody")]


def test_s1_79_a_drawn_vote_ends_the_game() -> None:
    table = six()
    assert play(judged(table, DRAW, ORDER), passing).result == Outcome("draw", "S1-79")
    assert play(judged(table, NOBODY, ORDER), passing).result is None


def test_each_vote_and_each_pk_of_a_day_has_its_number() -> None:
    played = chain(six(), FIRST, FIRST, "1>2 2>3 3>2 4>3 5>2 6>3")
    ids = [request.id for request in played.asked() if request.seat == ORDER[0] or request.kind == "speech"]
    assert ids == [
        "d1.vote1.01", "d1.pk1.02", "d1.pk1.03", "d1.vote2.01",
        "d1.off_field2.01", "d1.off_field2.04", "d1.off_field2.05", "d1.off_field2.06", "d1.vote3.01",
    ]  # fmt: skip
