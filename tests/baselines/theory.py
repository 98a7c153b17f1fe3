"""What the baselines must come to under the rules of theory, reckoned without the engine.

Rules: preset `classic-theory`: night first, everybody votes for another at once, a tie for the most votes is drawn by
lot, killers win when one kind of good player is gone or by parity. `killers`, `police`, `civilians` are k, p, c.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import perm
from random import Random

VOTES = 10_000
"""Votes drawn for the chance that the uninformed with teamwork vote a killer out."""


def over(k: int, p: int, c: int) -> int | None:
    """1 where the killers have won, 0 where the good have, None while the game goes on."""
    if k == 0:
        return 0
    return 1 if p == 0 or c == 0 or k >= p + c else None


def oracle(k: int, p: int, c: int) -> Fraction:
    """A killer goes every day, so the killers win only if their first k victims are all of one kind."""
    return sum((Fraction(perm(kind, kind), perm(p + c, kind)) for kind in (p, c) if kind <= k), Fraction(0))


def reveal(k: int, p: int, c: int) -> Fraction:
    """Police check a stranger each night; a killer found is voted out, and the officer who said so dies next."""

    @cache
    def night(k: int, p: int, fresh: int, checked: int, shown: bool) -> Fraction:
        found = Fraction(0)
        strangers = k + fresh
        for hit, chance in ((True, Fraction(k, strangers)), (False, Fraction(fresh, strangers))):
            if not chance:
                continue
            left, seen = (fresh, checked) if hit else (fresh - 1, checked + 1)
            town = p + left + seen
            victims = ((p, (p - 1, left, seen)), (left, (p, left - 1, seen)), (seen, (p, left, seen - 1)))
            if shown:
                victims = ((town, victims[0][1]), (0, victims[1][1]), (0, victims[2][1]))
            for number, (police, new, old) in victims:
                if number:
                    found += chance * Fraction(number, town) * day(k, police, new, old, hit)
        return found

    @cache
    def day(k: int, p: int, fresh: int, checked: int, hit: bool) -> Fraction:
        if (won := over(k, p, fresh + checked)) is not None:
            return Fraction(won)
        if hit:
            return then(k - 1, p, fresh, checked, True)
        outs = ((k, (k - 1, p, fresh, checked)), (p, (k, p - 1, fresh, checked)),
                (fresh, (k, p, fresh - 1, checked)), (checked, (k, p, fresh, checked - 1)))  # fmt: skip
        living = k + p + fresh + checked
        return sum((Fraction(number, living) * then(*state, False) for number, state in outs if number), Fraction(0))

    def then(k: int, p: int, fresh: int, checked: int, shown: bool) -> Fraction:
        won = over(k, p, fresh + checked)
        return night(k, p, fresh, checked, shown) if won is None else Fraction(won)

    return night(k, p, c, 0, False)


def uninformed_k(k: int, p: int, c: int) -> float:
    """As the uninformed, but killers vote for the others only; how often a killer goes is drawn."""
    return _by_lots(_hit)(k, p, c)


def _by_lots(hit: Callable[[int, int], float]) -> Callable[[int, int, int], float]:
    @cache
    def night(k: int, p: int, c: int) -> float:
        return p / (p + c) * day(k, p - 1, c) + c / (p + c) * day(k, p, c - 1)

    @cache
    def day(k: int, p: int, c: int) -> float:
        if (won := over(k, p, c)) is not None:
            return won
        killer, police = hit(k, p + c), p / (p + c)
        good = police * then(k, p - 1, c) + (1 - police) * then(k, p, c - 1)
        return killer * then(k - 1, p, c) + (1 - killer) * good

    def then(k: int, p: int, c: int) -> float:
        won = over(k, p, c)
        return night(k, p, c) if won is None else won

    return night


@cache
def _hit(k: int, good: int) -> float:
    """The share of votes of k killers and so many good in which a killer goes; seats 0 to k - 1 are the killers'."""
    rng, hits = Random(f"{k} {good}"), 0.0
    seats = range(k + good)
    for _ in range(VOTES):
        votes = [0] * len(seats)
        for voter in seats:
            target = rng.randrange(k, k + good) if voter < k else (voter + rng.randrange(1, len(seats))) % len(seats)
            votes[target] += 1
        most = [seat for seat in seats if votes[seat] == max(votes)]
        hits += sum(seat < k for seat in most) / len(most)
    return hits / VOTES
