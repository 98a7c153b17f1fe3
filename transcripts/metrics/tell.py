"""Whether a player's speech alone gives its side away: a simple classifier, and how well it does on other boards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from tianhei.transcripts.metrics.frame import Array, Frame, Rows
from tianhei.transcripts.metrics.games import boards_of
from tianhei.transcripts.metrics.measure import Statistic, ratio

BUCKETS = 64
"""Pairs of neighbouring letters are counted in so many classes."""
FOLDS = 5
STEPS = 32
"""Into so many ranks a player's scores are cut before they are counted by board."""
MOST = 5_000
"""Of each player so many seats of games are kept."""
LEAST = 20
"""Fewer games of either side say nothing."""
RIDGE = 1.0


def _area(s: Array) -> Array:
    """The chance that a killer scores above a good player, from counts by rank; equal ranks count half."""
    good, killers = s[..., :STEPS], s[..., STEPS:]
    below = np.cumsum(good, axis=-1) - good / 2
    return ratio((killers * below).sum(-1), killers.sum(-1) * good.sum(-1))


TELL = Statistic(2 * STEPS, _area, lambda s: s.sum(-1), lambda s: np.full_like(s[..., 0], 0.5))
"""Good seats, then killers' seats, by the rank of their score."""


class Spoken(NamedTuple):
    """What one seat said in a game, as numbers."""

    board: str
    is_killer: bool
    features: Array


def spoken(frame: Frame, which: Sequence[bool], heard: Collection[str] = ()) -> dict[str, list[Spoken]]:
    """By player, what its seats said, of those seats that said something; without players who are ``heard`` enough."""
    speeches = frame.sheet("speeches")
    public = np.flatnonzero(speeches.among("kind", "speech", "last_words") & (speeches.seat() >= 0))
    rows, texts = speeches.seat()[public], speeches.raw("text")
    words: dict[int, list[str]] = {}
    for place, row in zip(public.tolist(), rows.tolist(), strict=True):
        words.setdefault(row, []).append(texts[place] or "")
    names, killer, good = list(frame.named()), frame.killer.tolist(), frame.good.tolist()
    games, boards = frame.seats.game.tolist(), boards_of(frame)
    said: dict[str, list[Spoken]] = {}
    for row, told in words.items():
        name = names[row][0]
        if name not in heard and which[row] and (killer[row] or good[row]) and any(told):
            said.setdefault(name, []).append(Spoken(boards[int(games[row])], killer[row], features(told)))
    return said


def features(words: Sequence[str]) -> Array:
    """Log of letters a speech, share of passes, of question marks, of digits, and pairs of letters by class."""
    text = "\n".join(words)
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    pairs = (codes[:-1] * np.uint64(2654435761) + codes[1:] * np.uint64(40503)) % np.uint64(65521) % np.uint64(BUCKETS)
    counts = np.bincount(pairs.astype(np.intp), minlength=BUCKETS) / max(1, len(pairs))
    shape = [
        np.log1p(len(text) / len(words)), sum(not each for each in words) / len(words),
        sum(map(text.count, "?？")) / len(text), sum(map(str.isdigit, text)) / len(text),
    ]  # fmt: skip
    return np.concatenate([shape, np.sqrt(counts)])


def tell(said: Sequence[Spoken]) -> Iterator[tuple[str, Array]]:
    """How a player's seats rank by the chance to be a killer, by board, for `TELL`.

    Each board is scored by a ridge logistic regression on the boards of the other folds.

    Formula: area under the curve of that score, killers' seats against good ones of the same player
    Range: 0 to 1
    Chance: 0.5; people on Mafiascum .59 to .68
    Source: the Mafiascum dataset (arXiv 1811.07851)
    """
    if min(sum(each.is_killer for each in said), sum(not each.is_killer for each in said)) < LEAST:
        return
    fold = np.array([crc32(each.board.encode()) % FOLDS for each in said])
    inputs, truth = np.stack([each.features for each in said]), np.array([each.is_killer for each in said], float)
    score = np.full(len(said), np.nan)
    for held in range(FOLDS):
        train = fold != held
        if 0 < truth[train].sum() < train.sum():
            score[~train] = _fitted(inputs[train], truth[train], inputs[~train])
    known = np.flatnonzero(np.isfinite(score))
    rank: Rows = np.empty(len(known), np.intp)
    rank[np.argsort(score[known], kind="stable")] = np.arange(len(known)) * STEPS // max(1, len(known))
    for place, step in zip(known.tolist(), rank.tolist(), strict=True):
        found = np.zeros(2 * STEPS)
        found[step + STEPS * said[place].is_killer] = 1
        yield said[place].board, found


def _fitted(inputs: Array, truth: Array, others: Array) -> Array:
    """Log odds of others by a logistic regression on standardised inputs."""
    middle, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(inputs)), (inputs - middle) / spread])
    weights = np.zeros(design.shape[1])
    penalty = np.diag([1e-6, *[RIDGE] * inputs.shape[1]])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (truth - chance) - penalty @ weights
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + penalty
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    found: Array = np.column_stack([np.ones(len(others)), (others - middle) / spread]) @ weights
    return found
