"""Votes of games written by hand; the arithmetic stands in each test."""

from __future__ import annotations

import pytest
from pytest import approx

from metrics.hand import Hand, value
from tianhei.arena.rules.presets import read_rules


def eight() -> Hand:
    """Seats 1, 2 killers, 3, 4 police, 5 to 8 civilians; 8 dies in the first night."""
    game = Hand("KKPPCCCC")
    game.dies(8, 1)
    return game


def test_vote_lift_is_of_civilians_alone() -> None:
    """Seven live, two killers. Civilians 5, 6 hit, 7 misses: 2/3. By chance 2/6 each. Lift 2/3 - 1/3 = 1/3."""
    game = eight()
    game.votes(1, {1: 5, 2: 5, 3: 1, 4: 1, 5: 1, 6: 2, 7: 3}, known={3: 2, 4: 2})
    assert value("V1", game.tables) == approx((2 / 3, 3, 1 / 3))
    assert value("V2", game.tables) == approx((1 / 3, 3, 0))


def test_chance_follows_what_the_voter_knows() -> None:
    """An officer knows two to be good: chance 2 / (7 - 2) = .4. One hits, one misses: .5 - .4 = .1."""
    game = eight()
    game.votes(1, {3: 1, 4: 5, 5: 1}, known={3: 2, 4: 2})
    assert value("V2i", game.tables) == approx((0.1, 2, 0))


def test_only_first_votes_on_others_count() -> None:
    """Civilian 5 for himself, 6 abstains, 7 hits in a PK: nothing to look at; then 5 hits once: 1 - 2/6."""
    game = eight()
    game.votes(1, {5: 5, 6: None})
    game.votes(1, {7: 1}, stage="pk", candidates=[1, 3])
    assert value("V2", game.tables)[1] == 0
    game.votes(1, {5: 1})
    assert value("V2", game.tables) == approx((2 / 3, 1, 0))


def test_first_movers_had_heard_nothing() -> None:
    """Before any claim 5 misses: -1/3; after one 6 hits: left out; unknown: left out."""
    game = eight()
    game.votes(1, {5: 3}, first=False)
    game.votes(1, {6: 1}, first=True)
    game.votes(1, {7: 1}, first=None)
    assert value("V3", game.tables) == approx((-1 / 3, 1, 0))


def test_bus_rate() -> None:
    """Killer 1 votes for 2, killer 2 for 5: 1/2. By chance (2 - 1) / (7 - 1) = 1/6. Lift 1/3."""
    game = eight()
    game.votes(1, {1: 2, 2: 5, 5: 1})
    assert value("V8", game.tables) == approx((1 / 3, 2, 0))


def test_what_is_absent_is_not_zero() -> None:
    found, n, _ = value("V2", Hand("KKPPCCCC").tables)
    assert n == 0
    assert found != found, "not a number"


def test_worth_of_a_vote() -> None:
    """Killer 1, officer 2, civilians 3, 4, five dealt (5 died). Nightfall without parity:

    N(1,1,1): either victim ends it: 1. N(0,..) = 0. N(1,0,2) = 1. N(1,1,2) = 7/9.
    Leaving is worth to the killer: 1 -> 0; 2 -> N(1,0,2) = 1; 3 or 4 -> N(1,1,1) = 1.
    Others vote 2: 1, 4: 3. Seat 3 votes 1: 1 has two: value 0. Its choices: 1 -> 0; 2 -> three tied, 1, 2 and 3:
    (0 + 1 + 1) / 3 = 2/3; 4 -> 1, 3 and 4 tied: 2/3. Mean (0 + 2/3 + 2/3) / 3 = 4/9. The killers lose 4/9 by it.
    """
    game = Hand("KPCCC")
    game.dies(5, 1)
    game.votes(1, {2: 1, 4: 3, 3: 1})
    assert value("V6", game.tables, [3]) == approx((4 / 9, 1, 0))


def test_worth_of_a_killers_vote_has_the_other_sign() -> None:
    """Killer 1 votes 3 beside 2: 1, 3: 1 and 4: 3: now 1 and 3 tie: (0 + 1) / 2. On 2 or 4 it would be seat 1 alone: 0.

    Mean (1/2 + 0 + 0) / 3 = 1/6; the vote adds 1/2 - 1/6 = 1/3 for the killers.
    """
    game = Hand("KPCCC")
    game.dies(5, 1)
    game.votes(1, {1: 3, 2: 1, 3: 1, 4: 3})
    assert value("V6", game.tables, [1]) == approx((1 / 3, 1, 0))


def test_worth_of_a_vote_on_the_tied_alone() -> None:
    """In a PK of 1 and 3, seat 2 can move it between them: others 3: 1, 1: 3. Votes 1: 0. On 3: 1. 0 - 1/2 = -1/2."""
    game = Hand("KPCCC")
    game.dies(5, 1)
    game.votes(1, {1: 3, 2: 1, 3: 1}, stage="pk", candidates=[1, 3])
    assert value("V6", game.tables, [2]) == approx((0.5, 1, 0))


def test_the_worth_is_the_same_whatever_speech_carries() -> None:
    game = Hand("KPCCC")
    rules, _ = read_rules({"preset": "bench-10", "channel": "mute"})
    game.tables["games"]["ruleset"] = [rules.hash]
    game.dies(5, 1)
    game.votes(1, {2: 1, 4: 3, 3: 1})
    assert value("V6", game.tables, [3]) == approx((4 / 9, 1, 0))


def test_no_worth_under_rules_without_a_value() -> None:
    game = Hand("KPCCC", rules="classic")
    game.votes(1, {2: 1, 4: 3, 3: 1})
    assert value("V6", game.tables)[1] == 0


@pytest.mark.parametrize("code", ["V6"])
def test_worth_where_a_tie_lets_nobody_leave(code: str) -> None:
    """bench-13b with all living: seat 9 alone votes. For its target the value is that of the target's leaving."""
    from tianhei.arena.roles import Role
    from tianhei.transcripts.metrics.value import frozen, without

    game = Hand("KKKCCCCCBSDPE", rules="bench-13b")
    game.votes(1, {9: 1})
    table = frozen("bench-13b")
    leaving = {role: table.night(without(table.dealt, role)) for role in Role}
    others = [Role.KILLER] * 3 + [Role.CIVILIAN] * 5 + [Role.SNIPER, Role.DOCTOR, Role.POLICE, Role.ELDER]
    mean = sum(leaving[role] for role in others) / len(others)
    assert value(code, game.tables) == approx((mean - leaving[Role.KILLER], 1, 0))
