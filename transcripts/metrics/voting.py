"""Votes: how often they fall on killers beyond chance, and what they are worth.

Counted are ballots of a day's first vote that name somebody else; abstentions, void ballots and votes for oneself are
left out, and so are later votes on a few candidates, which have another chance. Only their worth counts those too.
"""

from __future__ import annotations

import numpy as np

from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows, kept
from tianhei.transcripts.metrics.measure import LIFT, RATE, Metric
from tianhei.transcripts.metrics.worth import vote_worth


@kept
def named(frame: Frame) -> Mask:
    """The ballots of a day's first vote that name somebody else."""
    votes = frame.votes
    target = votes.seat("target")
    found: Mask = votes.among("stage", "round") & (target >= 0) & (target != votes.seat())
    return found


@kept
def on_killer(frame: Frame) -> Mask:
    """The ballots that name a killer."""
    target = frame.votes.seat("target")
    found: Mask = (target >= 0) & frame.killer[target]
    return found


@kept
def chance(frame: Frame) -> Array:
    """The chance that a vote by lot names a killer, among the living whom the voter does not know to be good."""
    votes = frame.votes
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = votes.number("killers_alive_n") / (votes.number("alive_n") - votes.number("known_good_n"))
    return found


def _counted(frame: Frame, which: Mask) -> Array:
    """Hits, votes and expected hits of the ballots chosen, where their chance is known."""
    expected = chance(frame)
    which = which & np.isfinite(expected)
    rows: Rows = np.where(which, frame.votes.seat(), -1)
    return frame.sums(rows, on_killer(frame), 1.0, np.nan_to_num(expected))


def vote_precision(frame: Frame) -> Array:
    """Share of a civilian's votes that name a killer, printed so that the lift can be read; it ranks nobody.

    Formula: votes on killers / votes that name somebody else, civilians, first vote of each day
    Range: 0 to 1
    Chance: mean of k / (n - g), k killers and n players alive, g those the voter knows to be good, itself included
    Source: DSGBench (arXiv 2503.06047), there without chance
    """
    return _counted(frame, frame.civilian[frame.votes.seat()] & named(frame))


def vote_lift(frame: Frame) -> Array:
    """How much likelier than by chance a civilian's vote names a killer. Civilians alone: checks are no deduction.

    Formula: mean of [vote names a killer] - k / (n - g), first vote of each day
    Range: -1 to 1
    Chance: 0; people in 44 games of Mafia +0.025
    Source: the project's own; people: a recount of the games of Ibraheem et al., Putting the Con in Context (2022)
    """
    return _counted(frame, frame.civilian[frame.votes.seat()] & named(frame))


def informed_lift(frame: Frame) -> Array:
    """The same for good players who hold a power: what they know beyond their card counts into it.

    Formula: mean of [vote names a killer] - k / (n - g), good players that are no civilians
    Range: -1 to 1
    Chance: 0
    Source: as vote_lift
    """
    seat = frame.votes.seat()
    return _counted(frame, frame.good[seat] & ~frame.civilian[seat] & named(frame))


def first_mover_lift(frame: Frame) -> Array:
    """The lift of civilians' votes on days on which nobody had yet claimed a role or check or accused anybody.

    Formula: vote_lift over ballots that no public claim or accusation of that day preceded
    Range: -1 to 1
    Chance: 0
    Source: an answer to the herding in Kaggle's werewolf, where all vote alike after one claim
    """
    first = frame.votes.false("first_claim_before")
    return _counted(frame, frame.civilian[frame.votes.seat()] & named(frame) & first)


def vote_value(frame: Frame) -> Array:
    """What a vote adds to its side's chance to win, against a vote by lot, the other ballots being as they were.

    Formula: mean over votes of V(with the vote) - mean over targets u of V(with the vote on u); V is the value at the
    nightfall to come, a tie taken as the mean over the tied (or nobody), of the voter's own side
    Range: -1 to 1
    Chance: 0
    Source: after AIVAT (Burch et al., arXiv 1612.06915), with values of play by lot
    """
    found = vote_worth(frame)
    return frame.sums(found.rows, found.worth, 1.0, 0.0)


def bus_rate(frame: Frame) -> Array:
    """How much likelier than by chance a killer votes for a partner; it may be cover or a blunder.

    Formula: mean of [vote names a partner] - (k - 1) / (n - 1), killers, first vote of each day
    Range: -1 to 1
    Chance: 0; people in 44 games of Mafia -0.094 (3.2 % against 12.6 %)
    Source: a re-analysis of Kaggle's werewolf games (yui-sh.github.io); people as for vote_lift
    """
    votes = frame.votes
    expected = (votes.number("killers_alive_n") - 1) / (votes.number("alive_n") - 1)
    which = frame.killer[votes.seat()] & named(frame) & np.isfinite(expected)
    rows: Rows = np.where(which, votes.seat(), -1)
    return frame.sums(rows, on_killer(frame), 1.0, np.nan_to_num(expected))


METRICS = (
    Metric("V1", "vote_precision", "voting", "votes", RATE, vote_precision, is_core=False),
    Metric("V2", "vote_lift", "voting", "votes", LIFT, vote_lift, sums_of="V1"),
    Metric("V2i", "informed_lift", "voting", "votes", LIFT, informed_lift, is_core=False),
    Metric("V3", "first_mover_lift", "voting", "votes", LIFT, first_mover_lift),
    Metric("V6", "vote_value", "voting", "votes", LIFT, vote_value),
    Metric("V8", "bus_rate", "voting", "votes", LIFT, bus_rate),
)
