"""Controls: the same boards and seats played with one thing changed, compared pair by pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from tianhei.arena.tournament.folder import is_finished, path_of, planned
from tianhei.arena.tournament.plan import Arm, Plan
from tianhei.arena.tournament.results import Row
from tianhei.transcripts.game import load
from tianhei.transcripts.manners import manners

CONTRASTS: Mapping[str, tuple[Arm, Arm]] = {
    "information": ("claims_only", "mute"),
    "rhetoric": ("full", "claims_only"),
    "talk": ("full", "mute"),
    "renamed": ("renamed", "full"),
    "claims_off": ("claims_off", "full"),
    "thought_off": ("thought_off", "full"),
    "note_off": ("note_off", "full"),
}
"""What each difference of two arms, the first less the second, stands for."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference of points over pairs of games, with its 95 % interval over boards (None: under two boards)."""

    value: float
    low: float | None
    high: float | None
    pairs: int
    boards: int

    def to_json(self) -> dict[str, Any]:
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        rounded = {name: None if one is None else round(one, 4) for name, one in numbers.items()}
        return {**rounded, "pairs": self.pairs, "boards": self.boards}


def contrasts(rows: Sequence[Row], players: Iterable[str]) -> dict[str, dict[str, dict[str, Difference]]]:
    """By contrast, player and side (``killers``, ``town``, ``both``): what the first arm adds to its points."""
    arms: dict[Arm, dict[tuple[object, ...], Row]] = defaultdict(dict)
    for one in (one for one in rows if one.game.replicate == 1):
        arms[one.game.arm][one.game.track, one.cluster, one.game.focus, one.game.seats] = one
    found: dict[str, dict[str, dict[str, Difference]]] = {}
    for name, (first, second) in CONTRASTS.items():
        pairs = [(one, arms[second][key]) for key, one in arms[first].items() if key in arms[second]]
        by_player = {player: _by_side(pairs, player) for player in players} if pairs else {}
        if kept := {player: sides for player, sides in by_player.items() if sides}:
            found[name] = kept
    return found


def _by_side(pairs: Sequence[tuple[Row, Row]], player: str) -> dict[str, Difference]:
    """Of the sides that were all this player's."""
    found: dict[str, list[tuple[str, float]]] = {"killers": [], "town": [], "both": []}
    for one, other in pairs:
        for place, side in enumerate(("killers", "town")):
            if one.teams[place] == player:
                point = one.cluster, one.points(killers=place == 0) - other.points(killers=place == 0)
                found[side].append(point)
                found["both"].append(point)
    return {side: difference(points) for side, points in found.items() if points}


def difference(points: Sequence[tuple[str, float]]) -> Difference:
    """The mean of differences, each with its board; games of a board are one cluster (CR1, Student's t)."""
    from scipy import stats

    mean = sum(value for _, value in points) / len(points)
    sums: dict[str, float] = defaultdict(float)
    for board, value in points:
        sums[board] += value - mean
    boards = len(sums)
    if boards < 2:
        return Difference(mean, None, None, len(points), boards)
    error = sqrt(boards / (boards - 1) * sum(one * one for one in sums.values())) / len(points)
    half = float(stats.t.ppf(0.975, boards - 1)) * error
    return Difference(mean, mean - half, mean + half, len(points), boards)


MANNERS = (
    "chooses_first_listed", "chooses_last_listed", "votes_lowest_number", "votes_highest_number", "foreign_roles",
)  # fmt: skip
"""Table manners that controls are about: does the order of a list choose, do other games' cards come up."""


@dataclass(frozen=True, slots=True)
class Manner:
    """One measure of table manners: a rate over ``of`` things looked at, and what chance gives (None: nothing)."""

    rate: float | None
    of: int
    chance: float | None


def manners_by_arm(runs: Iterable[tuple[Path, Plan]], *, taken_over: bool = False) -> dict[str, dict[str, Manner]]:
    """By arm and model, as ``arm | model``, where models played; without seats that somebody else took over."""
    arms: dict[Arm, list[Path]] = defaultdict(list)
    for folder, plan in runs:
        for game in planned(plan):
            path = path_of(folder, game)
            if any(plan.seat(name).is_model for name in game.seats) and is_finished(path):
                arms[game.arm].append(path)
    found: dict[str, dict[str, Manner]] = {}
    for arm, paths in arms.items():
        for one in manners((load(path) for path in paths), "player", taken_over=taken_over):
            if one.measure.name in MANNERS and one.of:
                here = found.setdefault(f"{arm} | {one.group.player}", {})
                here[one.measure.name] = Manner(one.rate, one.of, one.chance)
    return found
