"""Whether players can be relied on: usable answers, words that give them away, true statements, and what it costs."""

from __future__ import annotations

import numpy as np

from tianhei.arena.claims import own_role_claims
from tianhei.transcripts.metrics.frame import Array, Frame, Rows, match
from tianhei.transcripts.metrics.measure import MEAN, RATE, Metric
from tianhei.transcripts.metrics.outcome import shares
from tianhei.transcripts.metrics.said import before_vote, counted


def fallbacks(frame: Frame) -> Array:
    """Share of decisions that the seat could not make itself: the rule for absent players answered in its place.

    Formula: requests answered by a fallback / requests; of imported games those of which the source would tell
    Range: 0 to 1
    Chance: none; a player with over .05 is not ranked
    Source: MindGames (arXiv 2605.29512) on unusable replies that win games for others
    """
    requests = frame.sheet("requests")
    imported = np.append(~frame.games.among("source_format", "tianhei", None), False)[requests.game]
    known = ~imported | np.isfinite(requests.number("faults"))
    return frame.sums(np.where(known, requests.seat(), -1), requests.among("source", "fallback"), 1.0)


def repairs(frame: Frame) -> Array:
    """Replies that could not be used, before one that could or the fallback.

    Formula: unusable replies / requests, as fallbacks
    Range: 0 up
    Chance: none
    Source: as fallbacks
    """
    requests = frame.sheet("requests")
    faults = requests.number("faults")
    rows = np.where(np.isfinite(faults), requests.seat(), -1)
    return frame.sums(rows, np.nan_to_num(faults), 1.0)


def leaks(frame: Frame) -> Array:
    """How often a killer says in public, in plain words, that he is one.

    Formula: speeches of killers with the words 'I am the killer', not asked, supposed or quoted / their speeches
    Range: 0 to 1
    Chance: none
    Source: the project's own
    """
    speeches = frame.sheet("speeches")
    public = speeches.among("kind", "speech", "last_words") & speeches.false("passed")
    rows: Rows = np.where(public & np.append(frame.killer, False)[speeches.seat()], speeches.seat(), -1)
    texts, seats = speeches.raw("text"), speeches.raw("seat")
    told = np.zeros(len(rows), dtype=np.bool_)
    for row in np.flatnonzero(rows >= 0).tolist():
        told[row] = any(claim.what == "killer" for claim in own_role_claims(texts[row] or "", seats[row]))
    return frame.sums(rows, told, 1.0)


def cost_per_game(frame: Frame) -> Array:
    """US dollars that a player's side costs for a game.

    Formula: cost of all its requests / games; a player's seats on one side of a game are one game
    Range: US dollars
    Chance: none
    Source: Kaggle; prices drift, so tokens stand beside
    """
    return _used(frame, "cost")


def tokens_per_game(frame: Frame) -> Array:
    """Tokens that a player wrote, reasoning included, for a game.

    Formula: completion tokens of all its requests / games, as cost_per_game
    Range: tokens
    Chance: none
    Source: as cost_per_game
    """
    return _used(frame, "completion_tokens")


def _used(frame: Frame, name: str) -> Array:
    requests = frame.sheet("requests")
    used = requests.number(name)
    sums = frame.sums(np.where(np.isfinite(used), requests.seat(), -1), np.nan_to_num(used), 1.0)
    return np.stack([sums[:, 0], np.where(sums[:, 1] > 0, shares(frame), 0.0)], axis=1)


def grounding(frame: Frame) -> Array:
    """Share of statements about the public record (who voted whom, who claimed what, who died when) that are true.

    Formula: true statements / statements that the record decides
    Range: 0 to 1
    Chance: none; 1 is best, and a false one is no lie but a slip
    Source: the project's own
    """
    said = frame.sheet("statements")
    known = said.true("true") | said.false("true")
    return frame.sums(np.where(known, said.seat(), -1), said.true("true"), 1.0)


def say_vote_gap(frame: Frame) -> Array:
    """How often the ballot is not for the seat for which the voter had called last.

    Formula: first votes of a day that name another than the voter's last call before it / votes after a call
    Range: 0 (best) to 1
    Chance: mean of 1 - 1 / (n - 1)
    Source: the project's own
    """
    claims, votes = frame.claims, frame.votes
    said = np.flatnonzero(before_vote(frame) & counted(frame) & claims.among("kind", "vote"))
    said = said[np.argsort(-claims.number("event")[said], kind="stable")]
    calls = claims.seat()[said] * 1000 + np.nan_to_num(claims.number("day")[said]).astype(np.intp)
    ballots = np.flatnonzero(votes.among("stage", "round") & (votes.seat("target") >= 0))
    keys = votes.seat()[ballots] * 1000 + np.nan_to_num(votes.number("day")[ballots]).astype(np.intp)
    place = match(keys, calls)
    cast, call = ballots[place >= 0], said[place[place >= 0]]
    differs = votes.seat("target")[cast] != claims.seat("about")[call]
    expected = 1 - 1 / (votes.number("alive_n")[cast] - 1)
    kept = np.where(np.isfinite(expected), votes.seat()[cast], -1)
    return frame.sums(kept, differs, 1.0, np.nan_to_num(expected))


METRICS = (
    Metric("I1", "fallbacks", "integrity", "requests", MEAN, fallbacks),
    Metric("I1r", "repairs", "integrity", "requests", MEAN, repairs, is_core=False),
    Metric("I1k", "leaks", "integrity", "speeches", MEAN, leaks, is_core=False),
    Metric("I3", "cost_per_game", "integrity", "games", MEAN, cost_per_game),
    Metric("I3t", "tokens_per_game", "integrity", "games", MEAN, tokens_per_game, is_core=False),
    Metric("G1", "grounding", "integrity", "statements", MEAN, grounding),
    Metric("G2", "say_vote_gap", "integrity", "votes", RATE, say_vote_gap),
)
