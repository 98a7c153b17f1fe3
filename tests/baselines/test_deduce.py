"""What follows from facts and claims: against a list of all deals, under new seat numbers, and in honest games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from math import comb, isclose

import pytest

from baselines.play import alike, made, played, seen
from proof.drive import answer
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.claims import Claim, own_role_claims
from tianhei.arena.deduce import (
    MOST_CASES,
    Contradiction,
    Credibility,
    Facts,
    Statement,
    TooMany,
    deals,
    posterior,
)  # fmt: skip
from tianhei.arena.events import (
    PUBLIC,
    Audience,
    Body,
    Called,
    Checked,
    Dawn,
    Event,
    Handicap,
    Mates,
    RoleDealt,
    Speech,
    VotedOut,
)  # fmt: skip
from tianhei.arena.facts import facts_of
from tianhei.arena.referee import Referee
from tianhei.arena.roles import SPECIALS, Role, Seat, Side
from tianhei.arena.rules.options import make
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import custom, written
from tianhei.arena.rules.victory import victory
from tianhei.arena.situations import Stranger
from tianhei.arena.view import View, Views

Roles = tuple[Role, ...]
STATED = Credibility(officer=3.0, innocent=0.5, slip=0.125, own=0.25)

TABLES: tuple[tuple[str, str, dict[str, int], dict[str, object]], ...] = (
    ("classic", "classic", {"killer": 2, "police": 2, "civilian": 3}, {}),
    ("no mates killed", "classic", {"killer": 2, "police": 1, "civilian": 4}, {"kill_teammate": "forbidden"}),
    ("roles", "classic", {"killer": 2, "police": 2, "civilian": 2},
     {"check_answer": "role", "reveal_on_vote": "side", "reveal_at_dawn": "role", "victory": "all_good"}),
    ("silent judge", "classic", {"killer": 2, "police": 2, "civilian": 3},
     {"call_dead_roles": False, "victory": "all_good", "parity": True}),
    ("first day", "classic", {"killer": 1, "police": 1, "civilian": 4}, {"first_phase": "day"}),
    ("end's words", "classic", {"killer": 2, "police": 2, "civilian": 2},
     {"last_words_at_end": True, "last_words": "all"}),
    ("butterfly", "butterfly", {"butterfly": 1, "sniper": 1, "police": 1, "killer": 2, "civilian": 2},
     {"reveal_on_vote": "role"}),
    ("helper", "butterfly", {"elder": 1, "doctor": 1, "police": 1, "killer": 2, "civilian": 3},
     {"elder_side": "killers", "call_dead_roles": False, "tie": "all"}),
)  # fmt: skip


def test_the_figures_of_the_standard_tables() -> None:
    """12 seats have 18,480 deals and 16 have 900,900; of 13 butterfly seats 8,648,640, from a special's 665,280."""
    for game, players, number in (("classic", 12, 18_480), ("classic", 16, 900_900), ("butterfly", 13, 8_648_640)):
        rules = make(game)
        counts, _ = written(rules, players)
        facts = Facts(rules, counts, {})
        assert deals(facts) == number
        found = posterior(facts)
        assert all(isclose(chance, counts[Role.KILLER] / players) for chance in found.killer.values())
        assert all(isclose(chance, counts[Role.POLICE] / players) for chance in found.police.values())
    sniper = Facts(make("butterfly"), counts, {4: frozenset((Role.SNIPER,))})
    assert deals(sniper) == 665_280


def moments(name: str, seed: int) -> Iterator[tuple[Views, Roles]]:
    """The views of a game, after each wave: strangers who claim anything in half of the seats, honest solvers else."""
    _, game, dealt, changes = next(table for table in TABLES if table[0] == name)
    rules = make(game, {"max_days": 4, **changes})
    counts = custom(rules, dealt)
    cards = deal(counts, f"{name} {seed}")
    referee = Referee(rules, cards, Keyed(seed))
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    players = (Stranger("en"), made("claim-truster"), made("scripted"))
    while referee.outcome is None:
        yield views, cards.roles
        wave = None
        for request in referee.pending:
            said = answer(players[(request.seat + seed) % 3], views.of(request.seat), request)
            wave = referee.answer(request.id, said)
        assert wave is not None
        views.add(wave.events)
    yield views, cards.roles


@cache
def every_deal(cards: Roles) -> list[Roles]:
    return sorted(set(permutations(cards)))


class ByHand:
    """The posterior by its definition: every deal, one after another."""

    def __init__(self, view: View, stated: Credibility, *, public: bool) -> None:
        self.view, self.stated, self.public = view, stated, public
        self.rules, self.dead = view.rules, view.record.dead
        cards = tuple(role for role, count in view.record.counts.items() for _ in range(count))
        self.weights = {
            roles: self.weight(roles)
            for roles in every_deal(cards)
            if (public or self.is_known(roles)) and self.fits(roles)
        }

    def chance(self, seat: Seat, role: Role) -> float:
        return sum(w for roles, w in self.weights.items() if roles[seat - 1] is role) / sum(self.weights.values())

    def is_known(self, roles: Roles) -> bool:
        view = self.view
        team = view.role in (Role.KILLER, Role.POLICE)
        mine = {seat for seat, role in enumerate(roles, start=1) if role is view.role}
        if roles[view.seat - 1] is not view.role or (team and mine != {view.seat, *view.mates}):
            return False
        return all(self.is_like(roles[seat - 1], told) for _, seat, told in view.checks)

    def fits(self, roles: Roles) -> bool:
        view, record = self.view, self.view.record
        shown: list[tuple[Seat, str]] = list(enumerate(record.roles, start=1))
        living = set(range(1, view.players + 1))
        batch: set[Seat] = set()
        called: set[Role] = set()
        for place, (_, event) in enumerate(record.events):
            match event.body:
                case VotedOut(seat=seat, revealed=told):
                    batch.add(seat)
                    shown += [(seat, told)] if told else []
                case Dawn(dead=dead, revealed=told_all):
                    batch.update(dead)
                    shown += (told_all or {}).items()
                    if self.rules.game == "classic" and self.rules.kill_teammate == "forbidden":
                        shown += [(seat, "good") for seat in dead]
                case Called(stage="night"):
                    called = {body.role for _, (_, _, _, body) in record.events[place + 1 :][:7]
                              if isinstance(body, Called) and body.role}  # fmt: skip
                    there = {roles[seat - 1] for seat in living} - {Role.CIVILIAN}
                    if not self.rules.call_dead_roles and called != there:
                        return False
                case _:
                    pass
            following = record.events[place + 1][1].body if place + 1 < len(record.events) else None
            if batch and not isinstance(following, VotedOut):
                living -= batch
                batch = set()
                may_be_over = record.outcome or (self.rules.last_words_at_end and record.stage == "last_words")
                last = living == set(record.living)
                alive = Counter(roles[seat - 1] for seat in living)
                if not (last and may_be_over) and victory(self.rules, alive, Counter(roles)):
                    return False
        return all(self.is_like(roles[seat - 1], told) for seat, told in shown)

    @staticmethod
    def is_like(role: Role, told: str) -> bool:
        if told in ("nod", "shake", "good", "killer", "not_killer"):
            return (role is Role.KILLER) == (told in ("nod", "killer"))
        return told in ("none", "no_check", role)

    def weight(self, roles: Roles) -> float:
        weight = 1.0
        if self.rules.game == "classic":
            killed = [seat for seat, (_, how) in self.dead.items() if how == "night"]
            weight *= self.stated.own ** sum(roles[seat - 1] is Role.KILLER for seat in killed)
        nights: dict[int, tuple[Seat, str]] = {}
        for by, day, claim in self.statements():
            if roles[by - 1] is Role.KILLER:
                continue
            if roles[by - 1] is not Role.POLICE:
                weight *= self.stated.innocent
            else:
                weight *= self.stated.officer if self.is_true(roles, day, claim, nights) else self.stated.slip
        return weight

    def is_true(self, roles: Roles, day: int, claim: Claim | None, nights: dict[int, tuple[Seat, str]]) -> bool:
        if claim is None:
            return True
        seat, night, what = claim.seat, claim.night, claim.what
        if night and nights.setdefault(night, (seat, what)) != (seat, what):
            return False
        first = 2 if self.rules.first_phase == "day" else 1
        if night and (not first <= night <= day or (seat in self.dead and self.dead[seat][0] < night)):
            return False
        role = roles[seat - 1]
        if what in ("none", "no_sign"):
            return True
        if what in SPECIALS and what != "police":
            return role is not Role.KILLER
        return self.is_like(role, what)

    def statements(self) -> list[tuple[Seat, int, Claim | None]]:
        found: list[tuple[Seat, int, Claim | None]] = []
        for day, said in self.view.record.speeches:
            if said.by == self.view.seat and not self.public:
                continue
            claims: Sequence[Claim] = said.claims if said.claims is not None else own_role_claims(said.text, said.by)
            for claim in claims:
                new: list[Claim | None] = []
                if claim.kind == "retract" and claim.seat == said.by:
                    found = [item for item in found if item[0] != said.by]
                elif claim.kind == "check":
                    new = [None, claim]
                elif claim.kind == "role" and claim.seat == said.by and claim.what == "police":
                    new = [None]
                for one in new:
                    if all((by, old) != (said.by, one) for by, _, old in found):
                        found.append((said.by, day, one))
        return found


@pytest.mark.parametrize("name", [table[0] for table in TABLES])
def test_as_by_hand(name: str) -> None:
    """Every chance and the number of deals, for a seat and for an onlooker, at moments of several games."""
    compared = claimed = 0
    for seed in range(6):
        told = 0
        for number, (views, roles) in enumerate(moments(name, seed)):
            view = views.of(1 + (number + seed) % len(roles))
            public = number % 4 == 0
            facts = facts_of(view, public=public)
            known = len(view.record.dead) + len(facts.statements)
            if known <= told:
                continue
            told = known + 1
            by_hand = ByHand(view, STATED, public=public)
            assert deals(facts) == len(by_hand.weights)
            found = posterior(facts, STATED)
            for seat in facts.seats:
                assert isclose(found.killer[seat], by_hand.chance(seat, Role.KILLER), abs_tol=1e-12)
                assert isclose(found.police[seat], by_hand.chance(seat, Role.POLICE), abs_tol=1e-12)
            compared += 1
            claimed += bool(facts.statements)
    assert compared > 8
    assert claimed > 2


def renamed(facts: Facts, name: dict[Seat, Seat]) -> Facts:
    """The same facts at a table where the seats have other numbers."""
    return replace(
        facts,
        allowed={name[seat]: roles for seat, roles in facts.allowed.items()},
        batches=[(day, how, tuple(name[seat] for seat in seats)) for day, how, seats in facts.batches],
        statements=[
            replace(told, by=name[told.by], target=name[told.target] if told.target else None)
            for told in facts.statements
        ],
    )


@pytest.mark.parametrize("name", [table[0] for table in TABLES])
def test_the_numbers_of_the_seats_do_not_matter(name: str) -> None:
    for number, (views, roles) in enumerate(moments(name, 7)):
        if number % 5 == 0:
            facts = facts_of(views.of(1 + number % len(roles)))
            other = {seat: 1 + (seat * 3 + number) % len(roles) for seat in facts.seats}
            if len(set(other.values())) < len(roles):
                other = {seat: len(roles) + 1 - seat for seat in facts.seats}
            found, again = posterior(facts, STATED), posterior(renamed(facts, other), STATED)
            for seat in facts.seats:
                assert isclose(found.killer[seat], again.killer[other[seat]], abs_tol=1e-12)
                assert isclose(found.police[seat], again.police[other[seat]], abs_tol=1e-12)


def told_to(name: Callable[[Seat], Seat]) -> View:
    """A night and a day as seen by an officer who was dealt seat 4, with every seat renamed."""
    rules = make("classic", {"reveal_on_vote": "side"})
    views = Views(rules, {Role.KILLER: 2, Role.POLICE: 2, Role.CIVILIAN: 5}, 1)
    me = (name(4),)
    bodies: tuple[tuple[Audience, Body], ...] = (
        (me, RoleDealt(Role.POLICE, Side.GOOD)),
        (tuple(sorted((name(4), name(6)))), Mates(tuple(sorted((name(4), name(6)))))),
        (PUBLIC, Called(stage="night")),
        (me, Checked(name(2), "shake")),
        (PUBLIC, Dawn((name(1),))),
        (PUBLIC, Speech(name(3), "", claims=(Claim("check", name(5), "killer", 1),))),
        (PUBLIC, Speech(name(9), "", claims=(Claim("role", name(9), "police"),))),
        (PUBLIC, VotedOut(name(3), "killer")),
    )
    views.add(Event(1, "day", audience, body) for audience, body in bodies)
    return views.of(name(4))


def test_nor_do_they_in_a_view() -> None:
    found, again = (posterior(facts_of(told_to(name)), STATED) for name in (lambda seat: seat, lambda seat: 10 - seat))
    for seat in range(1, 10):
        assert isclose(found.killer[seat], again.killer[10 - seat], abs_tol=1e-12)
    assert found.killer[3] == 1
    assert [found.killer[seat] for seat in (2, 4, 6)] == [0, 0, 0]
    assert found.killer[9] > found.killer[5] == found.killer[8]


def test_a_claim_weighs_what_is_stated() -> None:
    counts = {Role.KILLER: 1, Role.POLICE: 1, Role.CIVILIAN: 3}
    facts = Facts(make("classic"), counts, {}, statements=[Statement(1, 1)])
    found = posterior(facts, Credibility(officer=6.0, innocent=0.5))
    total = 6.0 + 1.0 + 3 * 0.5
    assert isclose(found.police[1], 6.0 / total)
    assert isclose(found.killer[1], 1.0 / total)
    report = replace(facts, statements=[Statement(1, 1), Statement(1, 1, 2, 1, "killer")])
    found = posterior(report, Credibility(officer=6.0, innocent=0.5, slip=0.0))
    weights = {"police": 36.0 / 4, "killer": 1.0, "civilian": 3 * 0.25}
    assert isclose(found.police[1], weights["police"] / sum(weights.values()))


@pytest.mark.parametrize("preset", ["classic", "classic-theory", "bench-10", "butterfly", "butterfly-elder-killer"])
def test_the_true_deal_is_possible_in_games_of_honest_players(preset: str) -> None:
    """Nobody lies or errs, so nothing that is said excludes the truth even where a slip weighs nothing."""
    rules, players = read_rules(preset)
    counts, _ = written(rules, players or (9 if rules.game == "classic" else 11))
    honest, told = Credibility(slip=0.0, innocent=0.0), 0
    for seed in range(6):
        _, views = played(rules, counts, alike("claim-truster"), f"honest {seed}")
        truth = {seat: frozenset((role,)) for seat, role in enumerate(views.record.roles, start=1)}
        for seat in truth:
            for public in (False, True):
                facts = facts_of(views.of(seat), public=public)
                posterior(replace(facts, allowed=truth), honest)
                told += len(facts.statements)
    assert told


def test_the_truth_always_fits_the_facts() -> None:
    """Whatever anybody claims, what is certain is true."""
    for name, *_ in TABLES:
        for number, (views, roles) in enumerate(moments(name, 3)):
            view = views.of(1 + number % len(roles))
            facts = facts_of(view)
            truth = {seat: frozenset((role,)) for seat, role in enumerate(roles, start=1)}
            assert all(roles[seat - 1] in allowed for seat, allowed in facts.allowed.items())
            assert deals(replace(facts, allowed=truth)) == 1


def test_a_contradiction_is_named() -> None:
    """A mate whom one knows, and who tells another check than was seen: impossible if officers never slip."""
    counts = {Role.KILLER: 1, Role.POLICE: 2, Role.CIVILIAN: 3}
    known = {1: frozenset((Role.POLICE,)), 2: frozenset((Role.POLICE,)), 3: frozenset((Role.CIVILIAN,))}
    facts = Facts(make("classic"), counts, known, statements=[Statement(2, 1, 3, 1, "killer")])
    with pytest.raises(Contradiction, match="no deal fits"):
        posterior(facts, Credibility(slip=0.0))
    assert posterior(facts, Credibility(slip=0.1)).killer[3] == 0


def test_too_many_cases_are_refused() -> None:
    counts = {Role.KILLER: 2, Role.POLICE: 12, Role.CIVILIAN: 12}
    facts = Facts(make("classic"), counts, {}, statements=[Statement(seat, 1) for seat in range(1, 21)])
    cases = sum(comb(20, number) for number in range(13))
    with pytest.raises(TooMany, match=f"20 claimants and 12 police make {cases:,} cases, more than {MOST_CASES:,}"):
        posterior(facts)


@pytest.mark.parametrize(("night", "target", "possible"), [(1, 2, True), (2, 2, False), (2, 3, True), (3, 3, False),
                                                           (0, 2, True)])  # fmt: skip
def test_a_check_that_could_not_be_is_no_officers(night: int, target: Seat, possible: bool) -> None:
    """Seat 2 died in the first night: nobody could check it in the second, nor anybody on day 2 in the third."""
    counts = {Role.KILLER: 2, Role.POLICE: 2, Role.CIVILIAN: 5}
    facts = Facts(make("classic"), counts, {}, [(1, "night", (2,))], 1,
                  statements=[Statement(4, 2, target, night, "not_killer")])  # fmt: skip
    assert (posterior(facts, Credibility(slip=0.0)).police[4] > 0) == possible
    later = replace(facts, rules=make("classic", {"first_phase": "day"}), batches=[])
    assert (posterior(later, Credibility(slip=0.0)).police[4] > 0) == (night in (0, 2))


def test_a_handicap_is_certain() -> None:
    view = seen(1, Role.CIVILIAN, private=(Handicap({3: "killer", 6: "killer"}),))
    found = posterior(facts_of(view)).killer
    assert {seat for seat, chance in found.items() if chance} == {3, 6}
    assert all(posterior(facts_of(view, public=True)).killer.values())
