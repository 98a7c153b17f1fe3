"""Beliefs as the metrics meet them: whose, about whom, when, and what chance would say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows, join, kept, match

CLIP = 0.01
"""Beliefs are held within this and its complement before a logarithm is taken."""
POINTS = {"day_start": 0.1, "before_vote": 0.4, "night_start": 0.6}
"""The fixed points that count, as parts of a day: the night's dead leave at 0, who is voted out at ½."""


class Beliefs(NamedTuple):
    """What seats believed of living others at the fixed points, one entry for each pair.

    ``place`` is the row of the table; ``asked`` numbers the occasions: a seat at a point. ``weight`` makes all
    occasions of a seat in a game weigh as one. ``base`` is the share of killers among those asked about.
    """

    place: Rows
    game: Rows
    by: Rows
    about: Rows
    day: Array
    time: Array
    asked: Rows
    p: Array
    is_killer: Array
    number: Array
    base: Array
    weight: Array
    posterior: Array


@kept
def believed(frame: Frame) -> Beliefs:
    """The beliefs that count."""
    sheet = frame.sheet("beliefs")
    by, about, p = sheet.seat(), sheet.seat("about"), sheet.number("p")
    day = np.nan_to_num(sheet.number("day"))
    time = np.full(len(sheet), np.nan)
    for point, part in POINTS.items():
        time[sheet.among("point", point)] = part
    time += day
    left = np.append(frame.left, -np.inf)
    used = np.flatnonzero((by >= 0) & (about >= 0) & (by != about) & np.isfinite(p) & (left[about] > time))
    by, about, p, time = by[used], about[used], np.clip(p[used], 0, 1), time[used]
    _, first, asked = np.unique(
        by * 10_000 + np.round(time * 10).astype(np.intp), return_index=True, return_inverse=True
    )
    number = np.bincount(asked, minlength=1)[asked]
    is_killer = frame.killer[about].astype(np.float64)
    killers = np.bincount(asked, weights=is_killer, minlength=1)[asked]
    occasions_of = np.bincount(by[first], minlength=len(frame.seats))
    return Beliefs(
        used, sheet.game[used], by, about, day[used], time, asked, p, is_killer, number.astype(np.float64),
        killers / np.maximum(number, 1), 1 / np.maximum(occasions_of[by], 1), sheet.number("posterior")[used],
    )  # fmt: skip


def first_left(frame: Frame) -> Array:
    """When the first killer of each game left."""
    found = np.full(len(frame.game_number), np.inf)
    rows = np.flatnonzero(frame.killer)
    np.minimum.at(found, frame.seats.game[rows], frame.left[rows])
    return found


def asked_before_vote(frame: Frame, claims: Rows) -> tuple[Rows, Rows]:
    """Pairs of a claim and what somebody else believed of its speaker before the vote of that day."""
    beliefs, table = believed(frame), frame.claims
    at = np.flatnonzero(_point(beliefs, "before_vote"))
    keys = table.seat()[claims] * 1000 + np.nan_to_num(table.number("day"))[claims].astype(np.intp)
    one, other = join(keys, (beliefs.about * 1000 + beliefs.day.astype(np.intp))[at])
    return one, at[other]


def _point(beliefs: Beliefs, name: str) -> Mask:
    found: Mask = np.abs(beliefs.time - beliefs.day - POINTS[name]) < 0.01
    return found


class Change(NamedTuple):
    """How log odds of listeners moved: the claim, the listener's row, and the change from day's start to the vote."""

    claims: Rows
    by: Rows
    change: Array


def log_odds(frame: Frame, claims: Rows) -> Change:
    """What good listeners, neither speaker nor meant, came to believe on the day of each claim of whom it is about."""
    beliefs, table = believed(frame), frame.claims
    day = beliefs.day.astype(np.intp)
    end = np.flatnonzero(_point(beliefs, "before_vote"))
    start = np.flatnonzero(_point(beliefs, "day_start"))
    size = len(frame.seats) + 1
    pair = (beliefs.about * 1000 + day) * size + beliefs.by
    before = match(pair[end], pair[start])
    end, start = end[before >= 0], start[before[before >= 0]] if len(start) else start
    odds = np.clip(beliefs.p, CLIP, 1 - CLIP)
    odds = np.log(odds / (1 - odds))
    keys = table.seat("about")[claims] * 1000 + np.nan_to_num(table.number("day"))[claims].astype(np.intp)
    one, other = join(keys, (beliefs.about * 1000 + day)[end])
    by = beliefs.by[end[other]]
    used = frame.good[by] & (by != table.seat()[claims[one]])
    change = odds[end[other]] - odds[start[other]]
    return Change(claims[one[used]], by[used], change[used])


class Voted(NamedTuple):
    """Ballots of a day's first vote beside the beliefs given before it: is the target among the most suspected?"""

    by: Rows
    is_top: Mask
    chance: Array


def asked_vote(frame: Frame) -> Voted:
    """The ballots that name one of those whom the voter was asked about just before."""
    beliefs, votes = believed(frame), frame.votes
    at = np.flatnonzero(_point(beliefs, "before_vote"))
    size = len(frame.seats) + 1
    asked = (beliefs.by[at] * 1000 + beliefs.day[at].astype(np.intp)) * size + beliefs.about[at]
    ballots = np.flatnonzero(votes.among("stage", "round") & (votes.seat("target") >= 0))
    day = np.nan_to_num(votes.number("day")).astype(np.intp)
    cast = ((votes.seat() * 1000 + day) * size + votes.seat("target"))[ballots]
    place = match(cast, asked)
    found = at[place[place >= 0]]
    if not len(found):
        return Voted(np.empty(0, np.intp), np.empty(0, np.bool_), np.empty(0))
    top = np.zeros(beliefs.asked.max() + 1)
    np.maximum.at(top, beliefs.asked, beliefs.p)
    tops = np.bincount(beliefs.asked, weights=beliefs.p == top[beliefs.asked])
    asked_of = beliefs.asked[found]
    return Voted(beliefs.by[found], beliefs.p[found] == top[asked_of], tops[asked_of] / beliefs.number[found])


class Reputation(NamedTuple):
    """What seats thought that others held them for, beside what those others said at the same point."""

    by: Rows
    thought: Array
    held: Array
    base: Array


def reputation(frame: Frame) -> Reputation:
    """The pairs in which both were asked."""
    beliefs = believed(frame)
    thought = frame.sheet("beliefs").number("of_me")[beliefs.place]
    size = len(frame.seats) + 1
    moment = np.round(beliefs.time * 10).astype(np.intp)
    mine = (moment * size + beliefs.by) * size + beliefs.about
    theirs = (moment * size + beliefs.about) * size + beliefs.by
    place = match(np.where(np.isfinite(thought), mine, -1), theirs)
    here, there = np.flatnonzero(place >= 0), place[place >= 0]
    return Reputation(beliefs.by[here], np.clip(thought[here], 0, 1), beliefs.p[there], beliefs.base[there])
