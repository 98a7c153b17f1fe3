"""What words do to others: beliefs and votes that follow an accusation, and checks that police make known."""

from __future__ import annotations

import numpy as np

from tianhei.transcripts.metrics.believed import log_odds
from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows
from tianhei.transcripts.metrics.measure import LIFT, MEAN, RATE, Metric
from tianhei.transcripts.metrics.said import accuses, before_vote, heard, once, says_killer
from tianhei.transcripts.metrics.voting import named


def _for_own_side(frame: Frame, claims: Rows) -> Array:
    """1 where an accusation is of somebody of the other side, -1 where of one's own."""
    speaker, about = frame.claims.seat()[claims], frame.claims.seat("about")[claims]
    return np.where(frame.killer[speaker] != frame.killer[about], 1.0, -1.0)


def _accusations(frame: Frame) -> Rows:
    """Accusations of a living other before the vote, each seat once a day by the same speaker."""
    claims = frame.claims
    about = claims.seat("about")
    alive = (about >= 0) & (about != claims.seat()) & (np.append(frame.left, -np.inf)[about] > claims.number("day"))
    return once(frame, before_vote(frame) & accuses(frame) & alive)


def belief_swing(frame: Frame) -> Array:
    """How far good listeners come to suspect whom one accuses, counted for one's own side.

    Measured from the start of the day to the moment before its vote, so that others' words of that day are in it too.
    Formula: mean change of log odds of b(the accused), negative where he is of the speaker's side, over listeners
    Range: log odds; b held within .01 and .99
    Chance: 0
    Source: the synthetic votes of Werewolf Arena (arXiv 2407.13943), here with beliefs asked aside
    """
    found = log_odds(frame, _accusations(frame))
    moved = found.change * _for_own_side(frame, found.claims)
    return frame.sums(frame.claims.seat()[found.claims], moved, 1.0, 0.0)


def vote_swing(frame: Frame) -> Array:
    """How much likelier than by chance others vote for whom one accused, counted for one's own side.

    Formula: mean of s ([the listener votes for the accused] - 1 / (n - 1)), s = 1 if he is of the other side, else -1;
    first vote of the day, listeners who had heard it
    Range: -1 to 1
    Chance: 0
    Source: as belief_swing, where no beliefs were asked
    """
    votes = frame.votes
    said, cast = heard(frame, _accusations(frame), named(frame))
    sign = _for_own_side(frame, said)
    expected = 1 / (votes.number("alive_n")[cast] - 1)
    rows = np.where(np.isfinite(expected), frame.claims.seat()[said], -1)
    hits = (votes.seat("target")[cast] == frame.claims.seat("about")[said]) * sign
    return frame.sums(rows, hits, 1.0, np.nan_to_num(expected) * sign)


def _disclosed(frame: Frame) -> Rows:
    """The first true reports by police, before a vote, of killers who live."""
    claims = frame.claims
    true = frame.police[claims.seat()] & claims.among("truth", "truth") & says_killer(frame)
    about = claims.seat("about")
    alive = (about >= 0) & (np.append(frame.left, -np.inf)[about] > claims.number("day"))
    return once(frame, before_vote(frame) & true & alive)


def disclosure(frame: Frame) -> Array:
    """How often a killer whom the police truly report leaves by the vote of that day.

    Formula: reported killers that are out by that day's vote / true reports, each speaker and killer once a day
    Range: 0 to 1
    Chance: mean of 1 / n
    Source: the 'disclose' of Mini-Mafia (arXiv 2509.23023)
    """
    claims, chosen = frame.claims, _disclosed(frame)
    day = claims.number("day")[chosen]
    out = frame.left[claims.seat("about")[chosen]] == day + 0.5
    living = frame.number_of(np.ones(len(frame.seats), np.bool_), claims.game[chosen], day)
    return frame.sums(claims.seat()[chosen], out, 1.0, 1 / living)


def disclosure_latency(frame: Frame) -> Array:
    """Days between the check of a killer and its first true report.

    Formula: mean of day of the report - night of the check, checks that were reported at all
    Range: days, 0 at once
    Chance: none
    Source: the project's own
    """
    claims, chosen = frame.claims, _disclosed(frame)
    keys = np.stack([claims.seat()[chosen], claims.seat("about")[chosen]], axis=1)
    first = np.unique(keys, axis=0, return_index=True)[1] if len(chosen) else np.empty(0, np.intp)
    chosen = chosen[first]
    days = claims.number("day")[chosen] - claims.number("night")[chosen]
    known: Mask = np.isfinite(days) & (claims.number("night")[chosen] > 0)
    rows = np.where(known, claims.seat()[chosen], -1)
    return frame.sums(rows, np.nan_to_num(days), 1.0)


METRICS = (
    Metric("P1", "belief_swing", "persuasion", "listeners", LIFT, belief_swing),
    Metric("P1v", "vote_swing", "persuasion", "listeners", LIFT, vote_swing, is_core=False),
    Metric("P3", "disclosure", "persuasion", "reports", RATE, disclosure),
    Metric("P3l", "disclosure_latency", "persuasion", "reports", MEAN, disclosure_latency, is_core=False),
)
