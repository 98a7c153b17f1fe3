"""What single votes and night actions are worth: positions of games, looked up in the values of their table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tianhei.arena.roles import Role
from tianhei.arena.rules.options import make
from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows, kept
from tianhei.transcripts.metrics.value import ROLES, Living, Unknown, Values, values_of, without

CHUNK = 20_000
"""Votes reckoned at a time."""
_PLACE: Mapping[str, int] = {str(role): place for place, role in enumerate(ROLES)}


class Worth(NamedTuple):
    """Things done: the seat's row of each, and what it added to that seat's side's chance to win."""

    rows: Rows
    worth: Array


@kept
def table_values(frame: Frame) -> list[Values | None]:
    """The values of each game's table, None where none are known (another arena's rules, other roles)."""
    dealt: list[Counter[str]] = [Counter() for _ in frame.game_number]
    for game, role in zip(frame.seats.game.tolist(), frame.seats.raw("role"), strict=True):
        dealt[game][str(role)] += 1
    found: dict[tuple[str, str | None, tuple[tuple[str, int], ...]], Values | None] = {}
    made: list[Values | None] = []
    games = frame.games
    for name, options, counts in zip(games.raw("rule_game"), games.raw("options"), dealt, strict=True):
        key = name, options, tuple(sorted(counts.items()))
        if key not in found:
            found[key] = _values(name, options, counts)
        made.append(found[key])
    return made


def _values(name: str, options: str | None, counts: Mapping[str, int]) -> Values | None:
    if options is None or not set(counts) <= set(_PLACE):
        return None
    rules = make(name, {**json.loads(options), "channel": "full"})  # play by lot does not listen
    try:
        return values_of(rules, {Role(role): number for role, number in counts.items()})
    except Unknown:
        return None


@kept
def roles_at(frame: Frame) -> Rows:
    """The place among ``ROLES`` of each seat's role, by game and seat; -1 for others and for no seat."""
    places = np.array([_PLACE.get(str(role), -1) for role in frame.seats.raw("role")] or [-1], dtype=np.intp)
    found: Rows = np.where(frame.lookup >= 0, places[frame.lookup], -1)
    return found


class _Polls(NamedTuple):
    """The votes of some games. By poll: candidates, ballots and values of each seat's leaving, and of nobody's."""

    of_vote: Rows
    tally: Array
    candidates: Mask
    out: Array
    nobody: Array
    by_lot: Mask


def vote_worth(frame: Frame) -> Worth:
    """Of every ballot that names somebody, what it added to its side's chance over a ballot by lot."""
    votes = frame.votes
    polls = _polls(frame)
    if polls is None:
        return Worth(np.empty(0, np.intp), np.empty(0))
    target = np.nan_to_num(votes.number("target")).astype(np.intp)
    known = np.isfinite(polls.nobody)[polls.of_vote]
    chosen = np.flatnonzero((votes.seat("target") >= 0) & (votes.seat() >= 0) & known)
    chosen = chosen[polls.candidates[polls.of_vote[chosen], target[chosen]]]
    worth = np.empty(len(chosen))
    for start in range(0, len(chosen), CHUNK):
        part = chosen[start : start + CHUNK]
        worth[start : start + CHUNK] = _added(polls, polls.of_vote[part], _seat_numbers(frame)[part], target[part])
    rows = votes.seat()[chosen]
    return Worth(rows, np.where(frame.killer[rows], worth, -worth))


def _seat_numbers(frame: Frame) -> Rows:
    return np.nan_to_num(frame.votes.number("seat")).astype(np.intp)


def _added(polls: _Polls, poll: Rows, voter: Rows, target: Rows) -> Array:
    """Killers' points with the vote as it was, less their mean over votes on each candidate but the voter."""
    here = np.arange(len(poll))
    tally, candidates = polls.tally[poll], polls.candidates[poll]
    tally[here, target] -= 1
    total, ways = np.zeros(len(poll)), np.zeros(len(poll))
    actual = np.zeros(len(poll))
    for seat in range(1, tally.shape[1]):
        could, did = candidates[:, seat] & (voter != seat), target == seat
        tally[:, seat] += 1
        value = _after(tally, candidates, polls.out[poll], polls.nobody[poll], polls.by_lot[poll])
        tally[:, seat] -= 1
        total += np.where(could, value, 0.0)
        ways += could
        actual = np.where(did, value, actual)
    return actual - total / np.maximum(ways, 1)


def _after(tally: Array, candidates: Mask, out: Array, nobody: Array, by_lot: Mask) -> Array:
    """Killers' points after a vote with these ballots."""
    most = np.where(candidates, tally, -1).max(axis=1, keepdims=True)
    leaders = candidates & (tally == most)
    number = leaders.sum(axis=1)
    mean = np.where(leaders, out, 0.0).sum(axis=1) / np.maximum(number, 1)
    found: Array = np.where((number == 1) | by_lot, mean, nobody)
    return found


def _polls(frame: Frame) -> _Polls | None:
    votes = frame.votes
    if not len(votes):
        return None
    number = np.nan_to_num(votes.number("ballot")).astype(np.intp)
    keys, first, of_vote = np.unique(votes.game * (number.max() + 1) + number, return_index=True, return_inverse=True)
    game, day = votes.game[first], votes.number("day")[first]
    seats = frame.lookup.shape[1]
    target = np.nan_to_num(votes.number("target")).astype(np.intp)
    tally = np.bincount(of_vote * seats + target, minlength=len(keys) * seats).reshape(len(keys), seats).astype(float)
    tally[:, 0] = 0  # who voted for nobody
    living = frame.living(game, day)
    out, nobody, by_lot = _leaving(frame, game, living)
    return _Polls(of_vote, tally, _candidates(frame, first), out, nobody, by_lot)


def _candidates(frame: Frame, first: Rows) -> Mask:
    """Who stands in each poll, by seat."""
    found = np.zeros((len(first), frame.lookup.shape[1]), dtype=np.bool_)
    listed = frame.votes.raw("candidates")
    for poll, row in enumerate(first.tolist()):
        found[poll, listed[row] or ()] = True
    return found


def _leaving(frame: Frame, game: Rows, living: Mask) -> tuple[Array, Array, Mask]:
    """Killers' points at the next nightfall if each seat leaves, if nobody does, and whether a tie is a lot."""
    values, roles = table_values(frame), roles_at(frame)[game]
    counts = np.stack([(living & (roles == place)).sum(axis=1) for place in range(len(ROLES))], axis=1)
    by_role = np.full((len(game), len(ROLES)), np.nan)
    nobody = np.full(len(game), np.nan)
    known: dict[tuple[int, Living], tuple[list[float], float]] = {}
    for poll, (number, position) in enumerate(zip(game.tolist(), map(tuple, counts.tolist()), strict=True)):
        table = values[number]
        if table is None:
            continue
        key = id(table), position
        if key not in known:
            each = [table.night(without(position, role)) if position[place] else np.nan
                    for place, role in enumerate(ROLES)]  # fmt: skip
            known[key] = each, table.night(position)
        by_role[poll], nobody[poll] = known[key]
    out = np.where(living, np.take_along_axis(by_role, np.maximum(roles, 0), axis=1), 0.0)
    by_lot = np.array([table is not None and table.ties == "lot" for table in values], dtype=np.bool_)
    return np.nan_to_num(out), nobody, by_lot[game]
