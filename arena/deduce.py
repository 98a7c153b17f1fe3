"""What follows: the chance of every deal, from what a seat knows for certain and from what others claim.

    P(deal | facts, claims)  ~  [the deal fits the facts] x product over all statements w(statement, deal)

A statement is a claim to be police, or the report of a check. Of a speaker who is police in the deal it weighs
``officer`` if it is true there and ``slip`` if it is not; of a killer 1; of anybody else ``innocent``. So ``officer``
is the likelihood ratio of a report under a true officer and under a liar. A report is true if its target is what it
says, was alive in that night, and the night has been; of two officers' reports of one night that differ, the later
told is not true. Each of the classic game's night dead who is a killer weighs ``own``.

The facts are the counts, the own card and mates, own checks, what the judge has shown, that killers spare their own
where the rules say so, and that the game was not over after any batch of deaths. Nothing more is concluded from who
died in a butterfly night: it would need a model of six actors.

No deal is listed. Given which of the claimants are police, the weight of a deal is a product over seats; so seats are
dealt one by one, the living first, then the dead, last dead first, and only the counts so far are kept. These are the
living at that time, which is what the end of the game and the judge's calls depend on. Exact for every table written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, factorial
from typing import TypeAlias

from tianhei.arena.chance import Luck
from tianhei.arena.claims import ClaimWhat
from tianhei.arena.roles import SINGLES, Counts, Role, Seat
from tianhei.arena.rules.options import Butterfly, Classic, Rules
from tianhei.arena.rules.victory import victory

MOST_CASES = 4_000
"""Ways to say which claimants are police; a table with more is refused."""
DRAWN_CASES = 500
"""Ways that are drawn where there are too many."""

Tally: TypeAlias = tuple[int, ...]
"""How many seats so far hold each kind of card."""


class TooMany(ValueError):
    """There are too many claimants and too many police among the cards; the message says how many cases."""


class Contradiction(ValueError):
    """No deal fits: the facts and claims exclude one another."""


@dataclass(frozen=True, slots=True)
class Credibility:
    """What a statement weighs, against 1 for a killer's: likelihood ratios, stated and not fitted.

    ``own``: how likely the night's dead of the classic game are killers, against anybody else (1: nothing is assumed).
    """

    officer: float = 4.0
    innocent: float = 0.25
    slip: float = 0.02
    own: float = 1.0


USUAL = Credibility()


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim to be police (``target`` None), or one report as it was told on ``day``."""

    by: Seat
    day: int
    target: Seat | None = None
    night: int = 0
    what: ClaimWhat = "none"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is certain, and what was stated.

    ``allowed`` holds the roles that a seat may have, where not all; ``batches`` the dead of each time, in order, with
    the day and how; ``goes_on`` after how many of them the game is known not to have been over; ``called`` the roles
    that the judge called in a night after so many batches, where he leaves out those that are gone.
    """

    rules: Rules
    counts: Counts
    allowed: Mapping[Seat, frozenset[Role]]
    batches: Sequence[tuple[int, str, tuple[Seat, ...]]] = ()
    goes_on: int = 0
    called: Sequence[tuple[int, frozenset[Role]]] = ()
    statements: Sequence[Statement] = ()

    @property
    def seats(self) -> range:
        return range(1, sum(self.counts.values()) + 1)

    @property
    def dead(self) -> dict[Seat, tuple[int, str]]:
        """The dead: the day they left, and how."""
        return {seat: (day, how) for day, how, seats in self.batches for seat in seats}


@dataclass(frozen=True, slots=True)
class Posterior:
    """The chance of each seat, living or dead, to be a killer, and to be police."""

    killer: Mapping[Seat, float]
    police: Mapping[Seat, float]


def roles_like(told: str, counts: Counts) -> frozenset[Role]:
    """The roles that a word of the judge leaves: a role, a side, or his sign."""
    if told in ("good", "shake", "not_killer"):
        return frozenset(counts) - {Role.KILLER}
    return frozenset((Role.KILLER,)) if told in ("nod", "killer") else frozenset((Role(told),))


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Roles that need not be told apart are one kind: all single roles, but an elder who helps the killers."""

    kinds: tuple[tuple[Role, ...], ...]
    dealt: Tally
    of: Mapping[Role, int] = field(default_factory=dict)

    @classmethod
    def at(cls, facts: Facts) -> _Kinds:
        helper = isinstance(facts.rules, Butterfly) and facts.rules.elder_side == "killers"
        merged = tuple(role for role in SINGLES if facts.counts.get(role) and not (helper and role is Role.ELDER))
        apart = [(role,) for role in facts.counts if role not in merged]
        kinds = (*apart, merged) if merged else tuple(apart)
        dealt = tuple(sum(facts.counts[role] for role in kind) for kind in kinds)
        return cls(kinds, dealt, {role: place for place, kind in enumerate(kinds) for role in kind})

    def alive(self, tally: Tally) -> dict[Role, int]:
        """A tally as counts of roles; of a merged kind, any of its roles stands for all."""
        return {kind[0]: count for kind, count in zip(self.kinds, tally, strict=True)}


Weights: TypeAlias = list[list[float]]
"""For each seat, in the order of dealing, the weight of each kind."""
Ways: TypeAlias = list[dict[Tally, float]]
"""After each seat, the weight by tally."""


class _Table:
    """The facts as a table to deal: the seats in order, and what must hold on the way."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.kinds = _Kinds.at(facts)
        gone = [seats for _, _, seats in facts.batches]
        living = [seat for seat in facts.seats if seat not in facts.dead]
        self.order = [*living, *(seat for batch in reversed(gone) for seat in batch)]
        self.place = {seat: place for place, seat in enumerate(self.order)}
        self._after = {len(facts.seats) - sum(map(len, gone[:number])): number for number in range(len(gone) + 1)}
        """By how many seats are dealt: after how many batches these were the living."""
        self._held: dict[tuple[int, Tally], bool] = {}

    def weights(self) -> Weights:
        """Weight 1 for each kind that a seat may have, else 0."""
        any_role = frozenset(self.facts.counts)
        allowed = [self.facts.allowed.get(seat, any_role) for seat in self.order]
        return [[float(not roles.isdisjoint(kind)) for kind in self.kinds.kinds] for roles in allowed]

    def deal(self, weights: Weights) -> tuple[Ways, Ways]:
        """The weights of all ways to deal the first seats, and of all to deal those that are left."""
        forward: Ways = [{(0,) * len(self.kinds.kinds): 1.0}]
        for dealt, row in enumerate(weights, start=1):
            found: dict[Tally, float] = {}
            for tally, weight in forward[-1].items():
                for more, factor in self._next(tally, row):
                    if self._holds(dealt, more):
                        found[more] = found.get(more, 0.0) + weight * factor
            forward.append(found)
        backward: Ways = [dict.fromkeys(forward[-1], 1.0)]
        for before, row in zip(forward[-2::-1], weights[::-1], strict=True):
            rest = backward[-1]
            backward.append({tally: self._rest(tally, row, rest) for tally in before})
        return forward, backward[::-1]

    def _rest(self, tally: Tally, row: Sequence[float], rest: Mapping[Tally, float]) -> float:
        return sum(factor * rest.get(more, 0.0) for more, factor in self._next(tally, row))

    def _next(self, tally: Tally, row: Sequence[float]) -> Iterator[tuple[Tally, float]]:
        for kind, factor in enumerate(row):
            if factor and tally[kind] < self.kinds.dealt[kind]:
                yield (*tally[:kind], tally[kind] + 1, *tally[kind + 1 :]), factor

    def _holds(self, dealt: int, tally: Tally) -> bool:
        """Whether the living of that time may have been these."""
        if (number := self._after.get(dealt)) is None:
            return True
        if (number, tally) not in self._held:
            self._held[number, tally] = self._could_be(number, tally)
        return self._held[number, tally]

    def _could_be(self, number: int, tally: Tally) -> bool:
        facts, kinds = self.facts, self.kinds
        if 0 < number <= facts.goes_on and victory(facts.rules, kinds.alive(tally), facts.counts):
            return False
        for roles in [roles for after, roles in facts.called if after == number]:
            for kind, count in zip(kinds.kinds, tally, strict=True):
                heard = sum(role in roles for role in kind)
                if Role.CIVILIAN not in kind and heard != (count if len(kind) > 1 else min(count, 1)):
                    return False
        return True


def deals(facts: Facts) -> int:
    """How many deals fit the facts, whatever was stated."""
    table = _Table(facts)
    forward, _ = table.deal(table.weights())
    merged = next((kind for kind in table.kinds.kinds if len(kind) > 1), ())
    known = sum(len(roles) == 1 and not roles.isdisjoint(merged) for roles in facts.allowed.values())
    return round(sum(forward[-1].values())) * factorial(len(merged) - known)


def posterior(facts: Facts, credibility: Credibility = USUAL) -> Posterior:
    """The chance of each seat to be a killer and to be police. Contradiction, or TooMany cases to weigh."""
    return _over(facts, _cases(facts), credibility)


def sampled(facts: Facts, luck: Luck, credibility: Credibility = USUAL, cases: int = DRAWN_CASES) -> Posterior:
    """The same from so many cases drawn evenly, for tables with too many. Contradiction where none of them fits."""
    could, most = _claimants(facts)
    numbers = [comb(len(could), number) for number in range(most + 1)]

    def draw(case: int) -> frozenset[Seat]:
        place = luck.number(f"case {case}", sum(numbers))
        size = next(size for size in range(most + 1) if place < sum(numbers[: size + 1]))
        return frozenset(luck.shuffled(f"officers {case}", could)[:size])

    return _over(facts, map(draw, range(cases)), credibility)


def _over(facts: Facts, cases: Iterable[frozenset[Seat]], credibility: Credibility) -> Posterior:
    """The posterior over all deals in which the officers among the claimants are one of these cases."""
    table = _Table(facts)
    found = {role: dict.fromkeys(facts.seats, 0.0) for role in (Role.KILLER, Role.POLICE)}
    total = 0.0
    for officers in cases:
        weights = table.weights()
        scale = _weigh(table, weights, officers, credibility)
        forward, backward = table.deal(weights)
        total += scale * sum(forward[-1].values())
        for seat, before, row, after in zip(table.order, forward, weights, backward[1:], strict=False):
            for role, chances in found.items():
                if (kind := table.kinds.of.get(role)) is not None and row[kind]:
                    chances[seat] += scale * row[kind] * _through(before, after, kind)
    if not total:
        raise Contradiction("no deal fits what is known and stated")
    killer, police = ({seat: chance / total for seat, chance in chances.items()} for chances in found.values())
    return Posterior(killer, police)


def _through(before: Mapping[Tally, float], after: Mapping[Tally, float], kind: int) -> float:
    """The weight of all deals in which the seat between gets this kind."""
    return sum(
        weight * after.get((*tally[:kind], tally[kind] + 1, *tally[kind + 1 :]), 0.0)
        for tally, weight in before.items()
    )


def _cases(facts: Facts) -> Iterator[frozenset[Seat]]:
    """Every way to say which of the claimants are police."""
    could, most = _claimants(facts)
    cases = sum(comb(len(could), number) for number in range(most + 1))
    if cases > MOST_CASES:
        raise TooMany(f"{len(could)} claimants and {most} police make {cases:,} cases, more than {MOST_CASES:,}")
    for number in range(most + 1):
        yield from map(frozenset, combinations(could, number))


def _claimants(facts: Facts) -> tuple[list[Seat], int]:
    """Who claims police and may be, and how many of them are at most."""
    any_role = frozenset(facts.counts)
    claimants = dict.fromkeys(statement.by for statement in facts.statements)
    could = [seat for seat in claimants if Role.POLICE in facts.allowed.get(seat, any_role)]
    return could, min(facts.counts.get(Role.POLICE, 0), len(could))


def _weigh(table: _Table, weights: Weights, officers: frozenset[Seat], credibility: Credibility) -> float:
    """Put the statements into the weights, if exactly these of the claimants are police; the factor of all deals."""
    facts, kinds, scale = table.facts, table.kinds, 1.0
    killer, police = kinds.of[Role.KILLER], kinds.of.get(Role.POLICE)
    told: dict[int, tuple[Seat | None, ClaimWhat]] = {}
    for statement in facts.statements:
        row, officer = weights[table.place[statement.by]], statement.by in officers
        for kind in range(len(row)):
            if officer != (kind == police):
                row[kind] = 0.0
            elif not officer and kind != killer:
                row[kind] *= credibility.innocent
        if not officer:
            continue
        first = told.setdefault(statement.night, (statement.target, statement.what)) if statement.night else None
        roles = _said(statement, facts.counts)
        if first not in (None, (statement.target, statement.what)) or not _could_check(facts, statement):
            scale *= credibility.slip
        elif roles is None or statement.target is None:
            scale *= credibility.officer
        else:
            row = weights[table.place[statement.target]]
            for kind, held in enumerate(kinds.kinds):
                row[kind] *= credibility.slip if roles.isdisjoint(held) else credibility.officer
    if isinstance(facts.rules, Classic):
        for seat, (_, how) in facts.dead.items():
            if how == "night":
                weights[table.place[seat]][killer] *= credibility.own
    return scale


def _said(statement: Statement, counts: Counts) -> frozenset[Role] | None:
    """The roles that a report leaves its target; None where it says nothing of him."""
    if statement.what in ("none", "no_sign"):
        return None
    return roles_like("not_killer" if statement.what in SINGLES else statement.what, counts)


def _could_check(facts: Facts, statement: Statement) -> bool:
    """Whether the police could check that seat in that night, when it was told (night 0: none is named)."""
    night, first = statement.night, 1 if facts.rules.first_phase == "night" else 2
    if statement.target is None or night == 0:
        return True
    left = facts.dead.get(statement.target)
    return first <= night <= statement.day and (left is None or left[0] >= night)
