"""What a position is worth: the killers' points to come if everybody plays on by lot, a draw being half a point.

A position is how many of each role live, at nightfall (``night``) or before a day's vote (``day``). By lot means the
players called uninformed: killers name a random other, votes fall on a random living other, checks are not heeded.

In the classic game this is an exact recursion. With k killers, p police and c civilians alive

    N(k, p, c) = p / (p + c) D(k, p - 1, c) + c / (p + c) D(k, p, c - 1)
    D(k, p, c) = t N(k, p, c) + (1 - t) / (k + p + c) (k N(k - 1, p, c) + p N(k, p - 1, c) + c N(k, p, c - 1))

where the game's own rule of victory ends it, and t is 0 where a tie comes down to a lot, or the exact chance of a tie
where nobody leaves then. Without police and with parity it is the recursion of Migdal (arXiv 1009.1031) and Braverman,
Etesami and Mossel (Ann. Appl. Probab. 18(3), 2008). In the butterfly game nights are drawn; the values at nightfall are
frozen in a file, from which those of the day follow in the same way. Empty needles are no part of a position.

Values are fixed before games are scored, files by their hash: a value that is chosen after the fact can be made to say
anything (the caution about AIVAT, Burch et al., arXiv 1612.06915).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib import resources
from math import factorial
from typing import Literal, TypeAlias

import orjson

from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.options import Butterfly, Classic, Rules
from tianhei.arena.rules.setups import custom
from tianhei.arena.rules.victory import victory

ROLES = tuple(Role)
Living: TypeAlias = tuple[int, ...]
"""How many live of each role, in the order of ``ROLES``."""
Ties: TypeAlias = Literal["lot", "nobody"]

FROZEN: Mapping[str, str] = {
    "bench-10": "05a38ff532581249531326c769e389cd223737234417eb9b2d90b4aa7cc3c4b7",
    "bench-13b": "1c7cfec97b0f9afe6b097f6760d979983c8c6935b84e2d5641a5c65b5ec08f90",
    "butterfly": "700c2a459b30cff22dfa331bdbf4b11d202c9b6b80e835888dcb983be381be10",
    "butterfly-11": "8bb06f634643e7bce9855ce87c515c47e2684b9f476131a573c865591aaf5060",
    "butterfly-recommended": "a2d00af52d14d519b7e6891ee83024946b555e25dea86939a1ce1d1dfd2b683c",
}
"""The tables whose values are shipped, with the SHA-256 of each file: presets, at their usual number of players or at
the one behind the dash."""


class Unknown(ValueError):
    """No value is known for these rules and this table; the message says why."""


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one table: ``night`` and ``day`` in killers' points, 0 to 1, of a position in which the game is on.

    ``ties`` says what a tie comes to; ``ceiling`` is what killers get against a good side that knows them.
    """

    rules: Rules
    dealt: Living
    ties: Ties
    nightfall: Callable[[Living], float] = field(repr=False)
    ceiling: float | None = None

    def night(self, living: Living) -> float:
        """At nightfall, or once the game is over: what it came to."""
        over = ended(self.rules, living, self.dealt)
        return self.nightfall(living) if over is None else over

    def day(self, living: Living) -> float:
        """Before the vote of a day, or once the game is over: what it came to."""
        over = ended(self.rules, living, self.dealt)
        return day_of(living, self.ties, self.night) if over is None else over

    @property
    def start(self) -> float:
        """Of the table as dealt: the killers' points among players who play by lot."""
        return (self.night if self.rules.first_phase == "night" else self.day)(self.dealt)


def living_of(counts: Mapping[Role, int]) -> Living:
    """A position from role counts."""
    return tuple(counts.get(role, 0) for role in ROLES)


def without(living: Living, role: Role) -> Living:
    """The position when one of this role has left."""
    place = ROLES.index(role)
    return (*living[:place], living[place] - 1, *living[place + 1 :])


def ended(rules: Rules, living: Living, dealt: Living) -> float | None:
    """The killers' points where the game is over, else None."""
    outcome = victory(rules, dict(zip(ROLES, living, strict=True)), dict(zip(ROLES, dealt, strict=True)))
    return {"killers": 1.0, "good": 0.0, "draw": 0.5}[outcome.winner] if outcome else None


def day_of(living: Living, ties: Ties, night: Callable[[Living], float]) -> float:
    """A day's vote by lot: each of the living leaves alike, or nobody where a tie lets nobody leave."""
    players = sum(living)
    tied = float(tie_chance(players)) if ties == "nobody" else 0.0
    out = sum(number * night(without(living, role)) for role, number in zip(ROLES, living, strict=True) if number)
    return tied * (night(living) if tied else 0.0) + (1 - tied) * out / players


def ties_of(rules: Rules) -> Ties | None:
    """What a tie comes to where all tied are alike: one of them by lot, or nobody. None where it is neither.

    A chain of PKs that ends in a lot is a lot: each vote of it treats the tied alike.
    """
    if rules.tie == "lot" or (rules.tie == "chain" and rules.final_tie == "lot"):
        return "lot"
    return "nobody" if rules.tie == "nobody" else None


@cache
def tie_chance(voters: int) -> Fraction:
    """The chance that several share the most votes when each votes for one of the others, all alike.

    Counts the ways in which one seat has exactly m votes and the others fewer, by inclusion and exclusion over the
    voters who would have voted for themselves: x counts votes, y those voters.
    """
    single = Fraction(0)
    for most in range(1, voters):
        ways = _product(_seat(range(most, most + 1)), [_seat(range(most))] * (voters - 1), voters)
        single += sum(value * factorial(voters - own) for (votes, own), value in ways.items() if votes == voters)
    return 1 - voters * single / (voters - 1) ** voters if voters > 1 else Fraction(0)


_Ways: TypeAlias = dict[tuple[int, int], Fraction]


def _seat(totals: range) -> _Ways:
    """One seat with any of these totals: weight 1 / votes! without its own vote, -1 / (votes - 1)! with it."""
    plain = {(votes, 0): Fraction(1, factorial(votes)) for votes in totals}
    return plain | {(votes, 1): Fraction(-1, factorial(votes - 1)) for votes in totals if votes}


def _product(start: _Ways, others: list[_Ways], most: int) -> _Ways:
    found = start
    for other in others:
        more: _Ways = {}
        for (votes, own), value in found.items():
            for (added, self_votes), factor in other.items():
                if votes + added <= most:
                    key = votes + added, own + self_votes
                    more[key] = more.get(key, Fraction(0)) + value * factor
        found = more
    return found


def exact(rules: Classic, dealt: Counts) -> Values:
    """The recursion above. Unknown where a tie comes to something else than a lot or nobody."""
    ties, cards = ties_of(rules), living_of(dealt)
    if ties is None:
        raise Unknown(f"no exact value: a tie comes to {rules.tie}, and then {rules.final_tie}")

    @cache
    def night(living: Living) -> float:
        killers = living[ROLES.index(Role.KILLER)]
        town = sum(living) - killers
        return sum(
            number / town * day(without(living, role))
            for role, number in zip(ROLES, living, strict=True) if number and role is not Role.KILLER
        )  # fmt: skip

    def at_night(living: Living) -> float:
        over = ended(rules, living, cards)
        return night(living) if over is None else over

    def day(living: Living) -> float:
        over = ended(rules, living, cards)
        return day_of(living, ties, at_night) if over is None else over

    return Values(rules, cards, ties, night, _ceiling(rules, cards))


def _ceiling(rules: Classic, cards: Living) -> float:
    """The killers' points when a killer leaves every day: their first victims, by lot, are all of one kind."""

    def night(living: Living) -> float:
        over = ended(rules, living, cards)
        if over is not None:
            return over
        town = sum(living) - living[ROLES.index(Role.KILLER)]
        return sum(
            number / town * day(without(living, role))
            for role, number in zip(ROLES, living, strict=True) if number and role is not Role.KILLER
        )  # fmt: skip

    def day(living: Living) -> float:
        over = ended(rules, living, cards)
        return night(without(living, Role.KILLER)) if over is None else over

    return (night if rules.first_phase == "night" else day)(cards)


def written(living: Living) -> str:
    """A position as it stands in a file: the counts of ``ROLES``, joined by points."""
    return ".".join(map(str, living))


def positions(dealt: Living) -> Iterator[Living]:
    """Every position that may come of a table, the fewest living first."""
    found: list[Living] = [()]
    for number in dealt:
        found = [(*start, alive) for start in found for alive in range(number + 1)]
    yield from sorted(found, key=lambda living: (sum(living), living))


@cache
def frozen(name: str) -> Values:
    """The values shipped for a table. Unknown if the file is not the one that was frozen."""
    data = resources.files("tianhei.transcripts.metrics").joinpath("values", f"{name}.json").read_bytes()
    if sha256(data).hexdigest() != FROZEN[name]:
        raise Unknown(f"the values of {name} are not those that were frozen: the file was changed")
    from tianhei.arena.rules.presets import read_rules

    found = orjson.loads(data)
    rules, _ = read_rules(found["table"])
    if rules.hash != found["rules"]:
        raise Unknown(f"the values of {name} are of other rules than the preset has now")
    ties = ties_of(rules)
    if ties is None:
        raise Unknown(f"a tie of {name} comes neither to a lot nor to nobody")
    table = {tuple(map(int, key.split("."))): value for key, value in found["night"].items()}
    return Values(rules, living_of(custom(rules, found["dealt"])), ties, table.__getitem__, found["ceiling"])


def _is_part(cards: Living, whole: Living) -> bool:
    """Whether a table is a position of a greater one with the same kinds of cards, and so has its values."""
    return all(few <= many and bool(few) == bool(many) for few, many in zip(cards, whole, strict=True))


def values_of(rules: Rules, dealt: Counts) -> Values:
    """The values of a table: shipped, or part of a greater one, else exact. Unknown says why there are none."""
    cards = living_of(dealt)
    for name in FROZEN:
        found = frozen(name)
        if found.rules.hash == rules.hash and found.dealt == cards:
            return found
    for name in FROZEN:
        found = frozen(name)
        if isinstance(rules, Butterfly) and found.rules.hash == rules.hash and _is_part(cards, found.dealt):
            return replace(found, dealt=cards, ceiling=None)
    if isinstance(rules, Butterfly):
        raise Unknown(f"values of the butterfly game are shipped for {', '.join(FROZEN)} and smaller tables alone")
    return exact(rules, dealt)
