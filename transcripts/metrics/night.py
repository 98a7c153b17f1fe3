"""Night play: what a choice is worth against a choice by lot, and whether killers find the police."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tianhei.arena.roles import Role
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly
from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows
from tianhei.transcripts.metrics.measure import LIFT, Metric
from tianhei.transcripts.metrics.value import ROLES, Living, Values
from tianhei.transcripts.metrics.worth import roles_at, table_values

DEADLY = ("kill", "carry", "shoot", "needle")
"""The actions that decide who lives. A check and a silence have no worth where nobody heeds them."""


class Done(NamedTuple):
    """An action of a night as the table has it."""

    row: int
    action: str
    seat: int | None
    target: int
    legal: Sequence[int]


def action_value(frame: Frame) -> Array:
    """What a night's choice adds to its side's chance to win, against a choice by lot, the others' being as they were.

    It knows all cards, so it pays for luck in one game and for skill in the mean. Kill, carry, shot and needle count;
    a team's action is shared by its living members, a pass is left out.
    Formula: mean of V(with the choice) - mean over legal targets of V; V is the value before the day's vote to come
    Range: -1 to 1
    Chance: 0
    Source: after AIVAT (Burch et al., arXiv 1612.06915), with values of play by lot
    """
    rows: list[int] = []
    worth: list[float] = []
    shares: list[float] = []
    killer = frame.killer.tolist()
    for seats, added in _valued(frame):
        for row in seats:
            rows.append(row)
            shares.append(1 / len(seats))
            worth.append((added if killer[row] else -added) / len(seats))
    return frame.sums(np.array(rows, dtype=np.intp), np.array(worth), np.array(shares), 0.0)


def _valued(frame: Frame) -> Iterator[tuple[list[int], float]]:
    """Each action with the rows of those who took it, and what it added to the killers' points."""
    tables = table_values(frame)
    roles = roles_at(frame)
    lookup, left = frame.lookup, frame.left
    cache: dict[tuple[int, Living, int], float] = {}
    needles: dict[int, Mapping[int, int]] = {}
    for game, night, done in _nights(frame):
        table = tables[game]
        if table is None:
            continue
        alive = [
            seat for seat in range(1, lookup.shape[1]) if lookup[game, seat] >= 0 and left[lookup[game, seat]] >= night
        ]
        cards = {seat: int(roles[game, seat]) for seat in alive}
        if isinstance(table.rules, Butterfly):
            dealt = [ROLES[int(place)] for place in roles[game, 1:] if place >= 0]
            reckoned = _Reckoned(table, dealt, alive, needles.get(game, {}), done)
            needles[game], worth_of = reckoned.needles, reckoned.of
        else:
            worth_of = _Simple(table, cards, cache).of
        for one in done:
            if one.action not in DEADLY or not one.legal:
                continue
            worth = {target: worth_of(one, target) for target in {*one.legal, one.target}}
            killers = [seat for seat in alive if ROLES[cards[seat]] is Role.KILLER]
            team = killers if one.seat is None else [one.seat]
            mean = sum(worth[target] for target in one.legal) / len(one.legal)
            yield [int(lookup[game, seat]) for seat in team], worth[one.target] - mean


class _Simple:
    """The classic game: the victim dies."""

    def __init__(self, table: Values, cards: Mapping[int, int], cache: dict[tuple[int, Living, int], float]) -> None:
        self._table = table
        self._cards = cards
        self._cache = cache
        held = list(cards.values())
        self._living = tuple(held.count(place) for place in range(len(ROLES)))

    def of(self, done: Done, target: int) -> float:
        card = self._cards[target]
        key = id(self._table), self._living, card
        if key not in self._cache:
            left = (*self._living[:card], self._living[card] - 1, *self._living[card + 1 :])
            self._cache[key] = self._table.day(left)
        return self._cache[key]


class _Reckoned:
    """The butterfly game: the night is reckoned anew with another target."""

    def __init__(
        self,
        table: Values,
        roles: Sequence[Role],
        alive: Sequence[int],
        needles: Mapping[int, int],
        done: Sequence[Done],
    ) -> None:
        self._table = table
        self._roles = roles
        self._alive = alive
        self._before = needles
        self._actions = {one.action: one.target for one in done}
        self.needles = self._resolve(self._actions)[1]

    def of(self, done: Done, target: int) -> float:
        return self._table.day(self._resolve({**self._actions, done.action: target})[0])

    def _resolve(self, actions: Mapping[str, int]) -> tuple[Living, Mapping[int, int]]:
        rules = self._table.rules
        assert isinstance(rules, Butterfly)
        found = resolve(rules, self._roles, self._alive, self._before, actions)
        living = [self._roles[seat - 1] for seat in self._alive if seat not in found.deaths]
        return tuple(living.count(role) for role in ROLES), found.needles


def _nights(frame: Frame) -> Iterator[tuple[int, int, list[Done]]]:
    """Each night's actions that named somebody, night by night."""
    nights = frame.sheet("nights")
    found: dict[tuple[int, int], list[Done]] = {}
    columns = (nights.raw(name) for name in ("night", "action", "seat", "target", "legal"))
    for row, (game, night, action, seat, target, legal) in enumerate(zip(nights.game.tolist(), *columns, strict=True)):
        if game >= 0 and target is not None:
            found.setdefault((game, night), []).append(Done(row, action, seat, target, legal or ()))
    for game, night in sorted(found):
        yield game, night, found[game, night]


def _targeting(frame: Frame, *, claimed: bool) -> Array:
    """Kills of good seats while police live: hits on police, shared by the living killers."""
    nights = frame.sheet("nights")
    target, night, number = nights.seat("target"), nights.number("night"), nights.number("claimed_n")
    open_claim: Mask = (number > 0) if claimed else (number == 0)
    kills = np.flatnonzero(nights.among("action", "kill") & (target >= 0) & open_claim & (nights.game >= 0))
    kills = kills[frame.good[target[kills]]]
    game, time = nights.game[kills], night[kills] - 0.25
    police, good = (frame.number_of(mask, game, time) for mask in (frame.police & frame.good, frame.good))
    kills, game, time = kills[police > 0], game[police > 0], time[police > 0]
    expected = (police / np.maximum(good, 1))[police > 0]
    seats = frame.lookup[game]
    here = frame.living(game, time) & np.append(frame.killer, False)[seats]
    kill, place = np.nonzero(here)
    rows: Rows = seats[kill, place]
    share = 1 / here.sum(axis=1)[kill]
    hits = frame.police[target[kills]][kill]
    return frame.sums(rows, hits * share, share, expected[kill] * share)


def kill_targeting(frame: Frame) -> Array:
    """How much likelier than by chance killers hit the police in nights before any living seat claimed to be police.

    Formula: mean of [the victim is police] - p / (p + c), p police and c others of the good side alive; kills of good
    seats, shared by the living killers
    Range: -1 to 1
    Chance: 0
    Source: a re-analysis of Kaggle's werewolf games (yui-sh.github.io)
    """
    return _targeting(frame, claimed=False)


def claimed_targeting(frame: Frame) -> Array:
    """The same once somebody living has claimed to be police, when it is no feat any more.

    Formula: as kill_targeting, in the other nights
    Range: -1 to 1
    Chance: 0
    Source: as kill_targeting
    """
    return _targeting(frame, claimed=True)


METRICS = (
    Metric("P4", "action_value", "night", "actions", LIFT, action_value),
    Metric("P5", "kill_targeting", "night", "kills", LIFT, kill_targeting),
    Metric("P5c", "claimed_targeting", "night", "kills", LIFT, claimed_targeting, is_core=False),
)
