"""Beliefs of the good side, asked aside: how near they come to the truth, and how much is made of what is known.

At each fixed point a seat gives every living other the probability of being a killer. All its points of a game weigh as
one, and so all games alike. Killers are left out: they know. That the probabilities need not add up to the number of
killers is no fault: how many live is public in neither game; what scaling them would change is printed beside.
"""

from __future__ import annotations

import numpy as np

from tianhei.transcripts.metrics.believed import CLIP, Beliefs, asked_vote, believed, reputation
from tianhei.transcripts.metrics.frame import Array, Frame, Rows, join, kept
from tianhei.transcripts.metrics.measure import MEAN, RATE, Metric, Statistic, ratio

SKILL = Statistic(3, lambda s: 1 - ratio(s[..., 0], s[..., 2]), lambda s: s[..., 1], lambda s: np.zeros_like(s[..., 0]))
"""Losses, games, and the losses of a constant belief."""
GAIN = Statistic(
    3, lambda s: ratio(s[..., 2] - s[..., 0], s[..., 1]), lambda s: s[..., 1], lambda s: np.zeros_like(s[..., 0])
)
"""The same three: by how much the loss is smaller."""
EFFICIENCY = Statistic(
    3, lambda s: ratio(s[..., 0], s[..., 2]), lambda s: s[..., 1], lambda s: np.zeros_like(s[..., 0])
)
"""Gain, games, and the gain of the exact solver."""
BINS = 50
"""Beliefs are counted in steps of two hundredths for their calibration."""
_CENTRES = (np.arange(BINS) + 0.5) / BINS
DECILES = 10
NEWTON = 30
"""Steps of Newton's method, from no slope at all, none longer than 1."""


def _calibration(s: Array) -> tuple[Array, Array]:
    """Bias and slope of the logistic regression of the truth on log odds, by Newton's method."""
    number, hits = s[..., :BINS], s[..., BINS:]
    odds = np.log(_CENTRES / (1 - _CENTRES))
    bias, slope = np.zeros(s.shape[:-1]), np.zeros(s.shape[:-1])
    for _ in range(NEWTON):
        chance = 1 / (1 + np.exp(-np.clip(bias[..., None] + slope[..., None] * odds, -30, 30)))
        rest, spread = hits - number * chance, number * chance * (1 - chance)
        a, b, c = spread.sum(-1), (spread * odds).sum(-1), (spread * odds**2).sum(-1)
        one, two = rest.sum(-1), (rest * odds).sum(-1)
        below = a * c - b * b
        bias = bias + np.clip(ratio(c * one - b * two, below), -1, 1)
        slope = slope + np.clip(ratio(a * two - b * one, below), -1, 1)
    sound = (np.abs(slope) < 20) & (np.abs(bias) < 20)
    return np.where(sound, bias, np.nan), np.where(sound, slope, np.nan)


def _error(s: Array) -> Array:
    """Expected calibration error over ten bins of nearly equal mass."""
    number, hits = s[..., :BINS], s[..., BINS:]
    total = number.sum(-1, keepdims=True)
    bin_of = np.clip(np.floor(DECILES * ratio(np.cumsum(number, -1) - number / 2, total)), 0, DECILES - 1)
    found = np.zeros(s.shape[:-1])
    for decile in range(DECILES):
        inside = bin_of == decile
        found = found + np.abs((np.where(inside, hits - number * _CENTRES, 0)).sum(-1))
    return ratio(found, total[..., 0])


def _asked(s: Array) -> Array:
    number: Array = s[..., :BINS].sum(-1)
    return number


SLOPE = Statistic(2 * BINS, lambda s: _calibration(s)[1], _asked)
BIAS = Statistic(2 * BINS, lambda s: _calibration(s)[0], _asked)
ERROR = Statistic(2 * BINS, _error, _asked)
"""Numbers and hits by steps of belief: slope and bias of the calibration, and its error."""


def _by_good(frame: Frame, beliefs: Beliefs) -> Rows:
    return np.where(frame.good[beliefs.by], beliefs.by, -1)


def _each(beliefs: Beliefs, values: Array) -> Array:
    """A sum over one occasion's seats as their mean, weighted so that a seat's game counts once."""
    found: Array = values * beliefs.weight / np.maximum(beliefs.number, 1)
    return found


def _squares(frame: Frame, p: Array) -> Array:
    beliefs = believed(frame)
    loss, base = (p - beliefs.is_killer) ** 2, beliefs.base * (1 - beliefs.base)
    ones = np.ones(len(p))
    parts = [_each(beliefs, part) for part in (loss, ones, base)]
    return frame.sums(_by_good(frame, beliefs), *parts)


def brier(frame: Frame) -> Array:
    """Mean squared error of the beliefs.

    Formula: 1 / (n - 1) times the sum over others of (b - y)², y = 1 for a killer; a seat's points of a game are one
    Range: 0 (best) to 1
    Chance: q (1 - q) of who gives each the same q = k / (n - 1)
    Source: Brier's proper score; WOLF (arXiv 2512.09187) reports it by role
    """
    return _squares(frame, believed(frame).p)


def brier_skill(frame: Frame) -> Array:
    """How much better the beliefs are than giving everybody the same.

    Formula: 1 - sum of Brier scores / sum of q (1 - q)
    Range: at most 1
    Chance: 0
    Source: as brier
    """
    return _squares(frame, believed(frame).p)


def scaled(beliefs: Beliefs) -> Array:
    """Beliefs scaled so that each occasion's add up to the killers among those asked about, none above 1."""
    if not len(beliefs.p):
        return beliefs.p
    total = np.bincount(beliefs.asked, weights=beliefs.p)[beliefs.asked]
    share = np.where(total > 0, beliefs.p / np.where(total > 0, total, 1), 1 / beliefs.number)
    return np.minimum(1.0, share * beliefs.base * beliefs.number)


def scaled_skill(frame: Frame) -> Array:
    """The skill of the same beliefs once scaled to the true number of killers, which their holder need not know.

    Formula: as brier_skill, with b k / sum of b, at most 1
    Range: at most 1
    Chance: 0
    Source: as brier
    """
    return _squares(frame, scaled(believed(frame)))


def bits(p: Array, is_killer: Array) -> Array:
    """The logarithmic loss of each belief, in bits."""
    held = np.clip(p, CLIP, 1 - CLIP)
    found: Array = -np.where(is_killer > 0, np.log2(held), np.log2(1 - held))
    return found


def information_gain(frame: Frame) -> Array:
    """How many bits a seat the beliefs know more than the same for everybody.

    Formula: mean of LS(q) - LS(b), LS the mean of -log2 of the belief in what is true; b held within .01 and .99
    Range: bits a seat; negative where worse than knowing nothing
    Chance: 0
    Source: the logarithmic proper score
    """
    beliefs = believed(frame)
    losses = (bits(beliefs.p, beliefs.is_killer), np.ones(len(beliefs.p)), bits(beliefs.base, beliefs.is_killer))
    return frame.sums(_by_good(frame, beliefs), *(_each(beliefs, part) for part in losses))


def clipped(frame: Frame) -> Array:
    """Share of beliefs beyond .01 and .99, which the logarithmic score holds back.

    Formula: beliefs below .01 or above .99 / beliefs
    Range: 0 to 1
    Chance: none
    Source: printed because it decides the logarithmic score of who answers 0 and 1
    """
    beliefs = believed(frame)
    return frame.sums(_by_good(frame, beliefs), np.abs(beliefs.p - 0.5) > 0.5 - CLIP, 1.0)


@kept
def _counted(frame: Frame) -> Array:
    beliefs = believed(frame)
    rows, step = _by_good(frame, beliefs), np.minimum((beliefs.p * BINS).astype(np.intp), BINS - 1)
    found = np.zeros((len(frame.seats), 2 * BINS))
    kept = rows >= 0
    np.add.at(found, (rows[kept], step[kept]), 1)
    np.add.at(found, (rows[kept], BINS + step[kept]), beliefs.is_killer[kept])
    return found


def calibration_slope(frame: Frame) -> Array:
    """Whether the beliefs are as far apart as they should be: below 1 they are too sure, above 1 too timid.

    Formula: c of logit P(killer) = a + c logit b, by maximum likelihood; beliefs in steps of .02
    Range: any; 1 is best
    Chance: 0 where beliefs say nothing
    Source: Cox's calibration
    """
    return _counted(frame)


def calibration_bias(frame: Frame) -> Array:
    """Whether the beliefs are too low (above 0) or too high on the whole.

    Formula: a of the same regression
    Range: any; 0 is best
    Chance: none
    Source: as calibration_slope
    """
    return _counted(frame)


def calibration_error(frame: Frame) -> Array:
    """Mean distance between belief and truth; too large in small samples.

    Formula: sum over ten bins of nearly equal mass of |sum of (y - b)| / number of beliefs
    Range: 0 (best) to 1
    Chance: none
    Source: expected calibration error; WOLF
    """
    return _counted(frame)


def solver_efficiency(frame: Frame) -> Array:
    """What part of the information in the certain facts the beliefs hold; above 1 where more is read from words.

    Formula: sum of LS(q) - LS(b) / sum of LS(q) - LS(exact posterior), occasions whose posterior is known
    Range: at most about 1, and above where soft cues are used well
    Chance: 0
    Source: the project's own; GRAIL (arXiv 2506.17788) is a precedent
    """
    beliefs = believed(frame)
    unknown = np.isnan(beliefs.posterior)
    bad = np.bincount(beliefs.asked, weights=unknown)[beliefs.asked] > 0 if len(unknown) else unknown
    prior = bits(beliefs.base, beliefs.is_killer)
    solver = prior - bits(np.nan_to_num(beliefs.posterior, nan=0.5), beliefs.is_killer)
    parts = (prior - bits(beliefs.p, beliefs.is_killer), np.ones(len(prior)), solver)
    rows = np.where(bad, -1, _by_good(frame, beliefs))
    return frame.sums(rows, *(_each(beliefs, part) for part in parts))


def suspicion_auc(frame: Frame) -> Array:
    """How often a killer is suspected more than a good player, whatever the scale of the beliefs.

    Formula: mean over occasions of P(b of a killer > b of a good one) + ½ P(equal), over all such pairs
    Range: 0 to 1
    Chance: 0.5
    Source: WOLF, whose peers reach .55 to .58
    """
    beliefs = believed(frame)
    killers, others = np.flatnonzero(beliefs.is_killer > 0), np.flatnonzero(beliefs.is_killer == 0)
    one, other = join(beliefs.asked[killers], beliefs.asked[others])
    one, other = killers[one], others[other]
    above = (beliefs.p[one] > beliefs.p[other]) + 0.5 * (beliefs.p[one] == beliefs.p[other])
    pairs = np.bincount(beliefs.asked[one], minlength=1)[beliefs.asked[one]] if len(one) else np.empty(0)
    share = beliefs.weight[one] / np.maximum(pairs, 1)
    return frame.sums(_by_good(frame, beliefs)[one], above * share, share, 0.5 * share)


def vote_belief(frame: Frame) -> Array:
    """Whether good players vote for whom they suspect most.

    Formula: first votes of a day on a seat with the highest belief given before that vote / such votes
    Range: 0 to 1
    Chance: mean of seats with the highest belief / seats asked about
    Source: the project's own; 'self-awareness' of MAgIC (arXiv 2311.08562) is a precedent
    """
    found = asked_vote(frame)
    return frame.sums(np.where(frame.good[found.by], found.by, -1), found.is_top, 1.0, found.chance)


def proven_innocents(frame: Frame) -> Array:
    """How often somebody is suspected who is good for certain by what the seat knows.

    Formula: beliefs above .05 / beliefs about seats whose exact posterior is 0
    Range: 0 (best) to 1
    Chance: none
    Source: the project's own
    """
    beliefs = believed(frame)
    rows = np.where(beliefs.posterior < 1e-9, _by_good(frame, beliefs), -1)
    return frame.sums(rows, beliefs.p > 0.05, 1.0)


def own_reputation(frame: Frame) -> Array:
    """How well a seat of either side knows what others take it for.

    Formula: mean of (what it says j thinks of it - what j said) squared, at the same point
    Range: 0 (best) to 1
    Chance: the same for one who says k / (n - 1) of everybody, as j is asked
    Source: the project's own; AmongLLMs has such levels judged by models
    """
    found = reputation(frame)
    return frame.sums(found.by, (found.thought - found.held) ** 2, 1.0, (found.base - found.held) ** 2)


METRICS = (
    Metric("B1", "brier_skill", "belief", "seat games", SKILL, brier_skill),
    Metric("B1b", "brier", "belief", "seat games", RATE, brier, is_core=False, sums_of="B1"),
    Metric("B1r", "scaled_skill", "belief", "seat games", SKILL, scaled_skill, is_core=False),
    Metric("B2", "information_gain", "belief", "seat games", GAIN, information_gain),
    Metric("B2c", "clipped", "belief", "beliefs", MEAN, clipped, is_core=False),
    Metric("B3", "calibration_slope", "belief", "beliefs", SLOPE, calibration_slope),
    Metric("B3a", "calibration_bias", "belief", "beliefs", BIAS, calibration_bias, is_core=False, sums_of="B3"),
    Metric("B3e", "calibration_error", "belief", "beliefs", ERROR, calibration_error, is_core=False, sums_of="B3"),
    Metric("B4", "solver_efficiency", "belief", "seat games", EFFICIENCY, solver_efficiency),
    Metric("B5", "suspicion_auc", "belief", "seat games", RATE, suspicion_auc),
    Metric("B6", "vote_belief", "belief", "votes", RATE, vote_belief),
    Metric("B6i", "proven_innocents", "belief", "beliefs", MEAN, proven_innocents, is_core=False),
    Metric("B7", "own_reputation", "belief", "beliefs", RATE, own_reputation, is_core=False),
)
