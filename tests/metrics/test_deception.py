"""Lies, and what others made of them, in games written by hand."""

from __future__ import annotations

from math import log
from statistics import NormalDist

from pytest import approx

from metrics.hand import Hand, claim, value

CARDS = "KKPPCCCC"


def lie(
    kind: str, about: int, what: str = "none", lie_type: str = "fabrication", **values: object
) -> dict[str, object]:
    return claim(kind, about, what, "lie", lie_type=lie_type, **values)


def test_lies_by_type() -> None:
    """Seat 1: a fabrication, a distortion, a truth, a mistake that counts nowhere: 1/3 and 1/3. Seat 3: none of one."""
    game = Hand(CARDS)
    game.says(1, 1, claims=[lie("role", 1, "police"), lie("check", 5, "killer", "distortion"),
                            claim("role", 2, "killer", "truth"), claim("accuse", 5, truth="mistake")])  # fmt: skip
    game.says(3, 1, claims=[claim("role", 3, "police", "truth")])
    assert value("D1f", game.tables, [1])[:2] == approx((1 / 3, 3))
    assert value("D1d", game.tables, [1])[:2] == approx((1 / 3, 3))
    assert value("D1f", game.tables, [3])[:2] == approx((0, 1))


def test_sources_are_not_mixed() -> None:
    """In a game with declared claims those alone count; in one without, the extracted."""
    game = Hand(CARDS)
    game.says(1, 1, claims=[lie("role", 1, "police")])
    game.says(1, 1, claims=[claim("role", 1, "killer", "truth")], source="extracted")
    assert value("D1f", game.tables)[:2] == approx((1, 1))
    game = Hand(CARDS)
    game.says(1, 1, claims=[claim("role", 1, "killer", "truth")], source="extracted")
    assert value("D1f", game.tables)[:2] == approx((0, 1))


def test_misdirection() -> None:
    """Killer 1 accuses 5 twice (once a day), 2 and the dead 8: 1 of 2 good. By chance 5/6 each: 1/2 - 5/6 = -1/3."""
    game = Hand(CARDS)
    game.dies(8, 1)
    game.says(1, 1, claims=[claim("accuse", 5), claim("vote", 5), claim("accuse", 2), claim("accuse", 8)])
    game.says(3, 1, claims=[claim("accuse", 5)])
    assert value("D1m", game.tables) == approx((-1 / 3, 2, 0))


def test_withholding_is_no_lie() -> None:
    """Officers 3 and 4 know killer 1 from night 1. Day 1: both speak of something else. Day 2: 3 reports, 4 is silent.

    Occasions: 3 and 4 on day 1, withheld; 3 on day 2, told, and 4 on day 3, told by 3. Then the killer has left.
    """
    game = Hand(CARDS)
    game.add("checks", night=1, by_team=[3, 4], target=1, answer="nod", truth="killers")
    game.add("checks", night=2, by_team=[4], target=5, answer="shake", truth="good")
    game.says(3, 1)
    game.says(4, 1, claims=[claim("accuse", 1)])
    game.says(3, 2, claims=[claim("check", 1, "killer", "truth", night=1)])
    game.says(4, 2, text="")
    game.says(4, 3)
    game.dies(1, 3, "vote")
    game.says(4, 4)
    assert value("D1w", game.tables)[:2] == approx((2 / 4, 4))
    assert value("D1f", game.tables)[0] == 0


def test_what_was_once_reported_is_reported() -> None:
    game = Hand(CARDS)
    game.add("checks", night=1, by_team=[3], target=1, answer="nod", truth="killers")
    game.says(3, 1, claims=[claim("check", 1, "killer", "truth", night=1)])
    game.says(3, 2)
    assert value("D1w", game.tables)[:2] == approx((0, 2))


def test_an_officer_who_came_out_tells_by_naming_the_killer() -> None:
    """Day 1: 3 accuses, not known to be police: withheld. Day 2: it comes out. Day 3: it names the killer: told."""
    game = Hand(CARDS)
    game.add("checks", night=1, by_team=[3], target=1, answer="nod", truth="killers")
    game.says(3, 1, claims=[claim("accuse", 1, "killer")])
    game.says(3, 2, claims=[claim("role", 3, "police", "truth")])
    game.says(3, 3, claims=[claim("accuse", 1, "killer")])
    assert value("D1w", game.tables)[:2] == approx((2 / 3, 3))


def test_concealment_imputes_nothing() -> None:
    """Good 3 gives killer 1 .1 on day 1 and .2 on day 2, of three asked about: q = 1/3. 1 - .3 / (2/3) = .55.

    On day 3 the killer is gone. What killer 2 says of 1 counts nowhere.
    """
    game = Hand("KKPC")
    game.believes(3, 1, {1: 0.1, 4: 0.0})
    game.believes(3, 2, {1: 0.2, 4: 0.0})
    game.dies(1, 2, "vote")
    game.believes(3, 3, {1: 0.9, 4: 0.0})
    game.believes(2, 1, {1: 0.9, 4: 0.0})
    assert value("D2", game.tables, [1]) == approx((1 - 0.3 / (2 * 1 / 2), 2, 0))


def test_early_concealment_ends_with_the_first_killer() -> None:
    """Killer 1 leaves by the vote of day 1. Killer 2 had .3 before, q = 2/3; the .9 of day 2 is left out."""
    game = Hand("KKPC")
    game.believes(3, 1, {1: 0.5, 2: 0.3, 4: 0.0})
    game.dies(1, 1, "vote")
    game.believes(3, 2, {2: 0.9, 4: 0.0})
    assert value("D2e", game.tables, [2]) == approx((1 - 0.3 / (2 / 3), 1, 0))
    assert value("D2", game.tables, [2]) == approx((1 - 1.2 / (2 / 3 + 1 / 2), 2, 0))


def moving() -> Hand:
    """Killer 1 says falsely that it checked 4: killer. Listener 5 moves on 4 from .2 to .5; 4 himself is none."""
    game = Hand(CARDS)
    game.says(1, 1, claims=[lie("check", 4, "killer"), claim("role", 2, "police", "truth")])
    for seat in (4, 5):
        game.believes(seat, 1, {4: 0.2, 2: 0.5} if seat == 5 else {5: 0.2}, point="day_start")
        game.believes(seat, 1, {4: 0.5, 2: 0.2} if seat == 5 else {5: 0.9})
    return game


def test_effect_of_a_lie() -> None:
    """The lie moved log odds by log 4 as meant; the truth, that 2 is police, as far down as meant: 0 apart."""
    game = moving()
    assert value("D3", game.tables) == approx((0, 1, 0))
    game.believes(6, 1, {4: 0.2}, point="day_start")
    game.believes(6, 1, {4: 0.2})
    assert value("D3", game.tables)[0] == approx(log(4) / 2 - log(4))


def test_detection_of_lies() -> None:
    """Liar 1, honest 3. Listener 5 suspects 1 alone (a hit, a right trust); 6 suspects both (a hit, an alarm).

    7 suspects 3 alone: an alarm and a miss. TP 2, FP 2, FN 1, TN 1: (2 - 2) / ... = 0; F1 4 / 7; all suspected 6 / 9.
    """
    game = Hand(CARDS)
    game.says(1, 1, claims=[lie("role", 1, "police")])
    game.says(3, 1, claims=[claim("role", 3, "police", "truth")])
    for seat, (one, three) in {5: (0.9, 0.1), 6: (0.9, 0.9), 7: (0.1, 0.9)}.items():
        game.believes(seat, 1, {1: one, 3: three})
    assert value("D4", game.tables) == approx((0, 6, 0))
    assert value("D4f", game.tables) == approx((4 / 7, 6, 6 / 9))
    assert value("D4", game.tables, [5])[0] == approx(1)


def reports() -> Hand:
    """Officer 3 truly reports 1, killer 1 falsely reports 4. Civilians 5, 6 follow 3, 7 follows 1, 8 neither."""
    game = Hand(CARDS)
    game.says(3, 1, claims=[claim("check", 1, "killer", "truth")])
    game.says(1, 1, claims=[lie("check", 4, "killer")])
    game.votes(1, {1: 4, 3: 1, 5: 1, 6: 1, 7: 4, 8: 2})
    return game


def test_discrimination() -> None:
    """Four heard each: true 2/4 -> 2.5 / 5, false 1/4 -> 1.5 / 5. d' = z(.5) - z(.3)."""
    normal = NormalDist()
    expected = normal.inv_cdf(0.5) - normal.inv_cdf(0.3)
    game = reports()
    assert value("D5", game.tables, [5, 6, 7, 8]) == approx((expected, 8, 0))
    assert value("D5s", game.tables, [1, 3]) == approx((expected, 8, 0))
    assert value("D5t", game.tables) == approx((2 / 4, 4, 1 / 7))
    assert value("D5l", game.tables) == approx((1 / 4, 4, 1 / 7))


def test_reports_of_the_dead_or_after_the_vote_are_not_heard() -> None:
    game = Hand(CARDS)
    game.dies(8, 1)
    game.says(1, 1, claims=[lie("check", 8, "killer")])
    game.says(3, 1, stage="pk", claims=[claim("check", 1, "killer", "truth")])
    game.votes(1, {5: 1, 6: 1})
    assert value("D5", game.tables)[1] == 0


def test_who_is_reported_is_no_listener() -> None:
    """Killer 1 falsely reports civilian 5; 5's own vote says nothing, 6 follows."""
    game = Hand(CARDS)
    game.says(1, 1, claims=[lie("check", 5, "killer")])
    game.votes(1, {5: 1, 6: 5})
    assert value("D5l", game.tables) == approx((1, 1, 1 / 7))
    assert value("D5", game.tables)[1] == 1


def test_in_turn_only_later_voters_have_heard() -> None:
    """In the butterfly game 4 votes before 5 speaks, 6 after: one listener."""
    game = Hand("KKKCCCCCBSDPE", rules="bench-13b")
    game.says(12, 1, claims=[claim("check", 1, "killer", "truth")])
    game.votes(1, {4: 1, 12: 1, 6: 2}, ordered=True)
    assert value("D5t", game.tables) == approx((0, 1, 1 / 12))
