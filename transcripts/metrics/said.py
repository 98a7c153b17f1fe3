"""Claims as the metrics meet them: which source counts, what was said before the vote, who heard it and how they voted.

A game's claims are those that its speakers declared, or, where it has none, those extracted from the words; the two are
never mixed within a game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows, join, kept, match


@kept
def counted(frame: Frame) -> Mask:
    """The claims of the source that counts in their game, by speakers that are known."""
    claims = frame.claims
    declared = claims.among("source", "declared")
    games = np.zeros(len(frame.game_number) + 1, dtype=np.bool_)
    games[claims.game[declared]] = True
    found: Mask = (claims.seat() >= 0) & (declared == games[claims.game])
    return found


@kept
def before_vote(frame: Frame) -> Mask:
    """The claims that count and were made before a day's first vote: in its speeches, or as last words at dawn."""
    speeches, claims = frame.sheet("speeches"), frame.claims
    early = speeches.among("phase", "dawn") | (speeches.among("stage", "round") & speeches.among("kind", "speech"))
    most = int(max(np.nan_to_num(sheet.number("event")).max(initial=0) for sheet in (speeches, claims))) + 1
    said = _event_keys(frame, "speeches", most)[early]
    found: Mask = counted(frame) & np.isin(_event_keys(frame, "claims", most), said)
    return found


def _event_keys(frame: Frame, table: str, most: int) -> Rows:
    sheet = frame.sheet(table)
    found: Rows = sheet.game * most + np.nan_to_num(sheet.number("event")).astype(np.intp)
    return found


@kept
def says_killer(frame: Frame) -> Mask:
    """Reports of a check that found a killer."""
    return frame.claims.among("kind", "check") & frame.claims.among("what", "killer")


@kept
def names_killer(frame: Frame) -> Mask:
    """Claims by which a seat names a killer as police do: by a check, or after it said that it is police."""
    claims, events = frame.claims, np.nan_to_num(frame.claims.number("event"))
    is_own = claims.seat() == claims.seat("about")
    police = claims.among("kind", "check") | (claims.among("kind", "role") & claims.among("what", "police") & is_own)
    came_out = np.full(len(frame.seats) + 1, np.inf)
    officers = np.flatnonzero(counted(frame) & police)
    np.minimum.at(came_out, claims.seat()[officers], events[officers])
    names = claims.among("kind", "accuse") | (claims.among("kind", "role") & claims.among("what", "killer"))
    found: Mask = says_killer(frame) | (names & (came_out[claims.seat()] <= events))
    return found


@kept
def accuses(frame: Frame) -> Mask:
    """Claims against a seat: an accusation, a call to vote for it, a report that it is a killer."""
    return frame.claims.among("kind", "accuse", "vote") | says_killer(frame)


def once(frame: Frame, which: Mask) -> Rows:
    """The first of the chosen claims that each speaker made about a seat on a day."""
    claims = frame.claims
    places = np.flatnonzero(which)
    size = len(frame.seats) + 1
    keys = (np.nan_to_num(claims.number("day")).astype(np.intp) * size + claims.seat() + 1) * size + claims.seat(
        "about"
    )
    _, first = np.unique(keys[places], return_index=True)
    found: Rows = places[np.sort(first)]
    return found


def day_keys(frame: Frame, table: str) -> Rows:
    """A number for each game and day, the same in all tables."""
    sheet = frame.sheet(table)
    found: Rows = sheet.game * 1000 + np.nan_to_num(sheet.number("day")).astype(np.intp)
    return np.where(sheet.game < 0, -1, found)


class Heard(NamedTuple):
    """Claims and the ballots of those who heard them: places in the two tables."""

    claims: Rows
    votes: Rows


def heard(frame: Frame, claims: Rows, ballots: Mask) -> Heard:
    """Pairs of a claim and a ballot of the same day, cast by somebody else whom it is not about, after it was made.

    In the butterfly game one votes right after one's own speech: who votes before the speaker has not heard him.
    """
    votes = frame.votes
    chosen = np.flatnonzero(ballots)
    ones, others = join(day_keys(frame, "claims")[claims], day_keys(frame, "votes")[chosen])
    said, cast = claims[ones], chosen[others]
    voter, speaker, about = votes.seat()[cast], frame.claims.seat()[said], frame.claims.seat("about")[said]
    early = votes.number("order")[cast] <= _spoken_at(frame)[said]
    used = (voter != speaker) & (voter != about) & (voter >= 0) & ~early
    return Heard(said[used], cast[used])


@kept
def _spoken_at(frame: Frame) -> Array:
    """The place in the order of voting at which each claim was made; not a number where speeches come before votes."""
    votes, claims = frame.votes, frame.claims
    opens = np.flatnonzero(votes.among("stage", "round"))
    place = match(_seat_days(frame, "claims"), _seat_days(frame, "votes")[opens])
    order = votes.number("order")[opens[place]] if len(opens) else np.full(len(claims), np.nan)
    in_turn = np.append(frame.games.among("rule_game", "butterfly"), False)[claims.game]
    found: Array = np.where((place >= 0) & in_turn & (claims.among("phase", "day")), order, np.nan)
    return found


def _seat_days(frame: Frame, table: str) -> Rows:
    """A number for each seat and day, the same in all tables."""
    sheet = frame.sheet(table)
    found: Rows = sheet.seat() * 1000 + np.nan_to_num(sheet.number("day")).astype(np.intp)
    return np.where(sheet.seat() < 0, -1, found)
