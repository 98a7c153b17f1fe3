"""From counts to rows: by player, role or game, each with its rate, its interval and its chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.game import Recording
from tianhei.transcripts.manners import accusing, choosing, inventing, repeating, speaking
from tianhei.transcripts.manners.measure import Measure
from tianhei.transcripts.manners.sitting import Sitting, sitting

By: TypeAlias = Literal["player", "role", "game"]
BY: tuple[By, ...] = get_args(By)

MEASURES: tuple[Measure, ...] = (
    *repeating.MEASURES,
    *accusing.MEASURES,
    *inventing.MEASURES,
    *speaking.MEASURES,
    *choosing.MEASURES,
)

Z = 1.959964
"""Normal quantile of a 95 % interval."""


class Group(NamedTuple):
    """Whose figures they are: a model (or a player without one), with its role or the game where they are apart."""

    player: str
    role: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one group: ``hits`` of ``of``, and ``chance``, the rate that chance gives (None: unknown)."""

    group: Group
    measure: Measure
    hits: float
    of: int
    chance: float | None

    @property
    def rate(self) -> float | None:
        """``hits / of``, 0 to 1; None where there was nothing to look at."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the rate; None where there is no rate.

        Where things count in part (a share of a speech) it is rather too wide: a share varies no more than a yes or no.
        """
        return wilson(self.hits, self.of) if self.of else None

    def to_json(self) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        found: dict[str, Any] = {name: value for name, value in self.group._asdict().items() if value}
        return found | {
            "measure": self.measure.name, "hits": self.hits, "of": self.of, "unit": self.measure.of,
            "rate": self.rate, "low": low, "high": high, "chance": self.chance, "floor": self.measure.floor,
        }  # fmt: skip


def wilson(hits: float, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of ``hits / of``."""
    rate, square = hits / of, Z * Z
    middle = (rate + square / (2 * of)) / (1 + square / of)
    half = Z / (1 + square / of) * sqrt(rate * (1 - rate) / of + square / (4 * of * of))
    return middle - half if hits else 0.0, middle + half if hits < of else 1.0


@dataclass(slots=True)
class _Sum:
    hits: float = 0.0
    of: int = 0
    expected: float = 0.0
    expected_of: int = 0


def manners(recordings: Iterable[Recording], by: By = "role", *, taken_over: bool = False) -> tuple[Row, ...]:
    """The table manners of all who sat in these games: a row for each group and measure, in order of appearance.

    Seats that somebody else took over are left out, unless ``taken_over``. The games are read one by one and not kept,
    so there may be many.
    """
    sums: dict[Group, dict[str, _Sum]] = {}
    for game, other in _pairs(map(sitting, recordings)):
        left_out = frozenset[Seat]() if taken_over else game.taken_over
        groups = {seat: _group(game, seat, by) for seat in range(1, game.players + 1) if seat not in left_out}
        for group in groups.values():
            sums.setdefault(group, {measure.name: _Sum() for measure in MEASURES})
        for measure in MEASURES:
            for seat, hits, chance in measure.count(game, other):
                if seat in left_out:
                    continue
                found = sums[groups[seat]][measure.name]
                found.hits += hits
                found.of += 1
                if chance is not None:
                    found.expected += chance
                    found.expected_of += 1
    return tuple(_row(group, measure, found[measure.name]) for group, found in sums.items() for measure in MEASURES)


def _row(group: Group, measure: Measure, found: _Sum) -> Row:
    chance = found.expected / found.expected_of if found.expected_of else None
    return Row(group, measure, found.hits, found.of, chance)


def _group(game: Sitting, seat: Seat, by: By) -> Group:
    name = game.names[seat - 1]
    match by:
        case "player":
            return Group(name)
        case "role":
            return Group(name, role=game.roles[seat - 1])
        case "game":
            return Group(name, game=game.game)


def _pairs(games: Iterable[Sitting]) -> Iterator[tuple[Sitting, Sitting | None]]:
    """Each game with the next of the same rules and language, the last with the first; with None where it is alone."""
    first: dict[tuple[str, Lang], Sitting] = {}
    last: dict[tuple[str, Lang], Sitting] = {}
    for game in games:
        kind = (game.rules, game.lang)
        if kind in last:
            yield last[kind], game
        first.setdefault(kind, game)
        last[kind] = game
    for kind, game in last.items():
        yield game, None if first[kind] is game else first[kind]
