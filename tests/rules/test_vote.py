"""The vote: its forms, who may vote for whom, the silenced, the absent (R-VOTE, R-ABSENT)."""

from __future__ import annotations

import pytest

from tianhei.arena.events import Ballots, Called, Hand, Speech
from tianhei.arena.rules.chain import DRAW, NOBODY, Day, Verdict, first_vote

from .afternoon import FIRST, ORDER, chain, six, spoken, stages
from .table import ballots, passing, play, told, voting


@pytest.mark.parametrize(("abstain", "may_pass"), [("allowed", True), ("forbidden", False)])
def test_abstention(abstain: str, may_pass: bool) -> None:
    """S1-62, A0-64."""
    for game in ("classic", "butterfly"):
        table = six(game, abstain=abstain)
        script = first_vote(table, Day(ORDER)) if game == "classic" else spoken(table, Day(ORDER))
        asked = play(script, voting("1>2 2>3 3>2 4>2 5>2 6>2")).asked("vote", "speech_and_vote")
        assert {request.may_pass for request in asked} == {may_pass}


@pytest.mark.parametrize("form", ["called", "simultaneous"])
@pytest.mark.parametrize("self_vote", ["allowed", "forbidden"])
def test_a1_22_voting_for_oneself(self_vote: str, form: str) -> None:
    table = six(self_vote=self_vote, vote_form=form)
    asked = chain(table, "1>2 2>3 3>2 4>2 5>2 6>2").asked("vote", "hand")
    own = [request.seat for request in asked if request.seat in request.options]
    assert bool(own) == (self_vote == "allowed")


def test_a0_64_the_defence_offers_all_the_living() -> None:
    table = six("butterfly")
    asked = play(spoken(table, Day(ORDER)), voting("1>2 2>3 3>2 4>2 5>2 6>2")).asked("speech_and_vote")
    assert [request.seat for request in asked] == list(ORDER)
    assert {request.options for request in asked} == {ORDER}


@pytest.mark.parametrize("silenced_votes", [True, False])
def test_a0_45_the_silenced_vote_without_speaking(silenced_votes: bool) -> None:
    table = six("butterfly", silenced_votes=silenced_votes)
    table.silenced = frozenset((3,))
    played = play(spoken(table, Day(ORDER)), voting("1>2 2>3 3>2 4>2 5>2 6>2"))
    assert [request.seat for request in played.asked("vote")] == ([3] if silenced_votes else [])
    assert 3 not in [request.seat for request in played.asked("speech_and_vote")]
    assert 3 not in [speech.by for speech in told(table, Speech)]


def test_r_vote_called() -> None:
    """S1-61, A1-15, A1-21: candidates are called, hands are open at once, and each is raised once."""
    table = six(vote_form="called")
    played = chain(table, "1>2 2>1 3>2 4>2 5>- 6>3")
    assert [called.seats for called in told(table, Called) if called.stage == "hands"] == [(s,) for s in ORDER]
    hands = told(table, Hand)
    assert hands == [Hand(2, 1), Hand(1, 2), Hand(3, 2), Hand(4, 2), Hand(6, 3)]
    calls = {wave[0].options[0]: [request.seat for request in wave] for wave in played.waves}
    assert calls[1] == [1, 2, 3, 4, 5, 6] and calls[2] == [1, 3, 4, 5, 6] and calls[3] == [5, 6]
    assert calls[6] == [5]
    assert told(table, Ballots) == [Ballots("round", ballots=dict(ballots("1>2 2>1 3>2 4>2 5>- 6>3")))]


@pytest.mark.parametrize(("self_vote", "last"), [("allowed", [6, 6]), ("forbidden", [6, 5])])
def test_r_vote_called_and_compulsory(self_vote: str, last: list[int]) -> None:
    """The last candidate whom a voter may still choose is compulsory."""
    table = six(vote_form="called", abstain="forbidden", self_vote=self_vote)
    asked = play(first_vote(table, Day(ORDER)), passing).asked("hand")
    must = {request.seat: request.options[0] for request in asked if not request.may_pass}
    assert [must[1], must[6]] == last
    assert all(must[seat] == 6 for seat in (2, 3, 4, 5))


def test_r_vote_secret_shows_totals_only() -> None:
    table = six(vote_form="secret")
    chain(table, "1>2 2>1 3>2 4>2 5>- 6>3")
    assert told(table, Ballots) == [Ballots("round", totals={1: 1, 2: 3, 3: 1}, abstained=1)]


@pytest.mark.parametrize("form", ["after_speech", "after_speech_secret"])
def test_r_vote_after_speech(form: str) -> None:
    """A0-63: each ballot is open at once, or all are told as totals at the end."""
    table = six("butterfly", vote_form=form)
    vote = ballots("1>2 2>1 3>2 4>2 5>2 6>3")
    assert play(spoken(table, Day(ORDER)), voting(vote)).result == Verdict((2,))
    shown = told(table, Ballots)
    if form == "after_speech":
        assert shown == [Ballots("round", ballots={seat: vote[seat]}) for seat in ORDER]
        kinds = [type(event.body) for event in table.events]
        assert kinds == [Speech, Ballots] * 6
    else:
        assert shown == [Ballots("round", totals={1: 1, 2: 4, 3: 1})]


def test_a1_44_no_majority_is_needed() -> None:
    assert chain(six(), "1>2 2>3 3>4 4>2 5>- 6>-").result == Verdict((2,))


@pytest.mark.parametrize("form", ["called", "simultaneous", "secret"])
def test_r_absent_a_void_ballot_counts_for_nobody(form: str) -> None:
    """Voters left out of a text are absent: void even where voting is compulsory."""
    table = six(vote_form=form, abstain="forbidden")
    assert chain(table, "1>2 2>3 3>2").result == Verdict((2,))
    assert told(table, Ballots)[-1].void == (4, 5, 6)


@pytest.mark.parametrize("form", ["called", "simultaneous", "secret"])
def test_r_absent_no_ballot_at_all_and_nobody_is_out(form: str) -> None:
    table = six(vote_form=form)
    assert chain(table, "").result == NOBODY
    assert told(table, Ballots)[-1].void == ORDER
    assert stages(table) == [("vote", ORDER)]
    assert chain(six(vote_form=form), FIRST, "").result == NOBODY


def test_r_absent_no_ballot_at_all_off_the_field_is_still_a_tie() -> None:
    assert chain(six(), FIRST, FIRST, "").result == DRAW
    assert chain(six(final_tie="nobody"), FIRST, FIRST, "").result == NOBODY


def test_r_absent_in_the_defence() -> None:
    table = six("butterfly")
    assert play(spoken(table, Day(ORDER)), voting("1>2 2>3 3>2")).result == Verdict((2,))
    assert [shown.void for shown in told(table, Ballots)] == [(), (), (), (4,), (5,), (6,)]
    assert [speech.by for speech in told(table, Speech)] == [1, 2, 3]
    assert play(spoken(six("butterfly"), Day(ORDER)), voting("")).result == NOBODY
