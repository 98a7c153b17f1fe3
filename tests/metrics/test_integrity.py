"""Fallbacks, slips and costs of games written by hand."""

from __future__ import annotations

from pytest import approx

from metrics.hand import Hand, claim, value

CARDS = "KKPPCCCC"


def test_fallbacks_and_unusable_replies() -> None:
    """Of four requests one fell back: 1/4. Replies: 2 + 0 + 1 faults of three that say so."""
    game = Hand(CARDS)
    game.asked(3, "model", faults=2)
    game.asked(3, "model", faults=0)
    game.asked(3, "fallback", fallback_cause="illegal", faults=1)
    game.asked(3, "bot")
    assert value("I1", game.tables)[:2] == approx((1 / 4, 4))
    assert value("I1r", game.tables)[:2] == approx((3 / 3, 3))


def test_of_an_imported_game_only_what_its_source_accounts_for_counts() -> None:
    """Two of three requests say how many replies were unusable: one fell back of two, one fault in two."""
    game = Hand(CARDS)
    game.tables["games"]["source_format"] = ["kaggle"]
    game.asked(3, "model", faults=0)
    game.asked(3, "fallback", fallback_cause="error", faults=1)
    game.asked(3, "model")
    game.asked(5, "human")
    assert value("I1", game.tables, [3])[:2] == approx((1 / 2, 2))
    assert value("I1r", game.tables, [3])[:2] == approx((1 / 2, 2))
    assert value("I1", game.tables, [5])[1] == 0


def test_killers_who_give_themselves_away() -> None:
    """One plain slip in two speeches; a question and a good player's words are none, a pass is no speech."""
    game = Hand(CARDS)
    game.says(1, 1, "I am the killer.")
    game.says(1, 2, "You think that I am a killer?")
    game.says(1, 3, "")
    game.says(5, 1, "I am the killer.")
    assert value("I1k", game.tables)[:2] == approx((1 / 2, 2))


def test_costs_are_of_a_players_side() -> None:
    """A model's two killers cost .01 and .03: .04 a game. Where no price is known there is no cost."""
    game = Hand(CARDS, models=["m", "m", *["n"] * 6])
    game.asked(1, "model", cost=0.01, completion_tokens=100)
    game.asked(2, "model", cost=0.03, completion_tokens=200)
    game.asked(3, "model", completion_tokens=50)
    assert value("I3", game.tables, [1, 2])[:2] == approx((0.04, 1))
    assert value("I3t", game.tables, [1, 2])[:2] == approx((300, 1))
    assert value("I3", game.tables, [3])[1] == 0


def test_say_vote_gap() -> None:
    """5 calls 1, then 2, and votes 2: no gap. 6 calls 1 and votes 2: a gap. 7 called nobody. Chance 1 - 1/7 each."""
    game = Hand(CARDS)
    game.says(5, 1, claims=[claim("vote", 1)])
    game.says(5, 1, claims=[claim("vote", 2)])
    game.says(6, 1, claims=[claim("vote", 1)])
    game.says(7, 1, stage="pk", claims=[claim("vote", 1)])
    game.votes(1, {5: 2, 6: 2, 7: 2})
    assert value("G2", game.tables) == approx((1 / 2, 2, 6 / 7))


def test_grounding() -> None:
    """Of three statements about the record two hold; of the fourth nothing is known."""
    game = Hand(CARDS)
    assert value("G1", game.tables)[1] == 0
    for seat, true in ((5, True), (5, False), (6, True), (6, None)):
        game.add("statements", event=1, day=1, seat=seat, what="voted", by=1, about=2, true=true)
    assert value("G1", game.tables)[:2] == approx((2 / 3, 3))
    assert value("G1", game.tables, [5])[:2] == approx((1 / 2, 2))
