"""The figures of a report, from a run's rows alone: every number with its count, its interval, its chance level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt
from typing import Any

from tianhei.arena.costs import Costs
from tianhei.arena.roles import Role
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.power import LEAST_BOARDS, RANKING_BOARDS, Z
from tianhei.arena.tournament.ratings import Played, Ratings, rate, to_json
from tianhei.arena.tournament.results import Row

MOST_HINGED = 0.05
"""With a larger share of games that an unusable reply may have decided nobody is ranked."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its count and its Wilson interval; a draw counts half. ``chance`` is its level without skill."""

    wins: float
    games: int
    chance: float | None = None

    @property
    def value(self) -> float | None:
        return self.wins / self.games if self.games else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's, 95 %, as if games were independent."""
        if not self.games:
            return None
        share, n = self.wins / self.games, self.games
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_json(self) -> dict[str, Any]:
        interval = self.interval
        return {
            "value": _short(self.value), "games": self.games,
            "low": _short(interval[0]) if interval else None, "high": _short(interval[1]) if interval else None,
            "chance": _short(self.chance),
        }  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


@dataclass(slots=True)
class Figures:
    """Everything that a report shows. Missing ratings say why in ``unrated``."""

    name: str
    season: str
    design: str
    planned: int
    finished: int
    boards: int
    contenders: tuple[str, ...]
    anchors: tuple[str, ...]
    void: Mapping[str, int]
    ratings: Ratings | None
    clean: Ratings | None
    """The same without the games in which somebody could not answer: a sensitivity, since it is selected."""
    unrated: str
    sides: Mapping[str, Mapping[str, Rate]]
    """By player: its wins as ``killers``, as ``town``, and ``both`` with equal weights."""
    matrix: Mapping[str, Mapping[str, Rate]]
    """Of each player against each other, both sides together."""
    lines: Mapping[str, Mapping[str, Rate]]
    """By anchor: each contender's rate against it, killers and town."""
    roles: Mapping[str, Mapping[str, Rate]]
    seats: Mapping[str, Mapping[int, Rate]]
    """By table and seat: how often the seat's side won."""
    positions: Mapping[str, Mapping[int, Rate]]
    """By table and place in the first day's order of speaking."""
    balance: Mapping[str, Mapping[str, int]]
    """By player and role: in how many seats."""
    balanced: bool
    hinged: Rate
    fallbacks: Mapping[str, Mapping[str, int]]
    """By player and cause."""
    costs: Mapping[str, Costs]
    outcomes: Mapping[str, Mapping[str, int]]
    limits: tuple[str, ...] = ()
    """What this run cannot tell, as keys of the report's texts."""
    plan: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""

        def rates(found: Mapping[Any, Mapping[Any, Rate]]) -> dict[str, dict[str, Any]]:
            return {str(a): {str(b): one.to_json() for b, one in inner.items()} for a, inner in found.items()}

        return {
            "name": self.name, "season": self.season, "design": self.design, "planned": self.planned,
            "finished": self.finished, "boards": self.boards, "void": dict(self.void),
            "ratings": to_json(self.ratings) if self.ratings else None, "unrated": self.unrated,
            "clean": to_json(self.clean) if self.clean else None, "sides": rates(self.sides),
            "matrix": rates(self.matrix), "lines": rates(self.lines), "roles": rates(self.roles),
            "seats": rates(self.seats), "positions": rates(self.positions),
            "balance": {name: dict(found) for name, found in self.balance.items()}, "balanced": self.balanced,
            "hinged": self.hinged.to_json(), "fallbacks": {name: dict(found) for name, found in self.fallbacks.items()},
            "costs": {name: found.to_json() for name, found in self.costs.items()},
            "outcomes": {name: dict(found) for name, found in self.outcomes.items()}, "limits": list(self.limits),
        }  # fmt: skip


def figures(plan: Plan, planned: int, rows: Iterable[Row]) -> Figures:
    """Fold the rows of a run."""
    found = sorted(rows, key=lambda one: one.game.id)
    done = [one for one in found if one.winner]
    fitted = [one for one in done if not set(one.game.seats) - set(plan.players)]
    ratings, unrated = _rated(fitted)
    clean, _ = _rated([one for one in fitted if not one.fallbacks])
    boards = len({(one.game.board.table.name, one.game.board.number) for one in done})
    hinged = Rate(sum(one.hinged for one in done), len(done))
    balance = _balance(found)
    made = Figures(
        name=plan.name,
        season=_season(plan),
        design=plan.design,
        planned=planned,
        finished=len(done),
        boards=boards,
        contenders=tuple(plan.players),
        anchors=tuple(plan.anchors),
        void=Counter(one.void for one in found if one.void),
        ratings=ratings,
        clean=clean,
        unrated=unrated,
        sides={name: _sides(done, name) for name in (*plan.players, *plan.anchors)},
        matrix={one: {other: _between(done, one, other) for other in plan.players if other != one}
                for one in plan.players},
        lines={anchor: {name: _between(done, name, anchor) for name in plan.players} for anchor in plan.anchors},
        roles=_by_role(done),
        seats=_by_seat(done),
        positions=_by_position(done),
        balance=balance,
        balanced=all(len(set(of.values())) == 1 for of in _per_role(balance).values()),
        hinged=hinged,
        fallbacks=_fallbacks(found),
        costs=_costs(found),
        outcomes=_outcomes(done),
    )  # fmt: skip
    made.limits = tuple(_limits(plan, made))
    return made


def _rated(rows: Sequence[Row]) -> tuple[Ratings | None, str]:
    try:
        return rate([_played(one) for one in rows]), ""
    except ValueError as error:
        return None, str(error)


def _played(one: Row) -> Played:
    board = one.game.board
    table = f"{board.table.name} {one.game.channel}" if one.game.channel != "full" else board.table.name
    return Played(
        table,
        f"{board.table.name} {board.number}",
        one.players_of(killers=False),
        one.players_of(killers=True),
        "good" if one.winner == "good" else "killers" if one.winner == "killers" else "draw",
    )


def _points(one: Row, *, killers: bool) -> float:
    if one.winner == "draw":
        return 0.5
    return float((one.winner == "killers") == killers)


def _tally(games: Iterable[tuple[Any, Any, float]]) -> dict[Any, dict[Any, Rate]]:
    """Sum up points by two keys."""
    sums: dict[Any, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for first, second, points in games:
        sums[first][second].append(points)
    return {
        first: {second: Rate(sum(points), len(points)) for second, points in sorted(inner.items())}
        for first, inner in sorted(sums.items())
    }


def _sides(rows: Sequence[Row], name: str) -> dict[str, Rate]:
    """Wins of teams that are all this player."""
    found = {}
    for side, killers in (("killers", True), ("town", False)):
        points = [_points(one, killers=killers) for one in rows if set(one.players_of(killers=killers)) == {name}]
        found[side] = Rate(sum(points), len(points))
    values = [found[side].value for side in ("killers", "town")]
    known = [value for value in values if value is not None]
    games = min(found["killers"].games, found["town"].games) * 2
    found["both"] = Rate(sum(known) / 2 * games if len(known) == 2 else 0.0, games if len(known) == 2 else 0, 0.5)
    return found


def _between(rows: Sequence[Row], one: str, other: str) -> Rate:
    """How often `one` won against `other`, whichever side it was on."""
    points = []
    for row in rows:
        killers, town = set(row.players_of(killers=True)), set(row.players_of(killers=False))
        if (killers, town) == ({one}, {other}):
            points.append(_points(row, killers=True))
        elif (killers, town) == ({other}, {one}):
            points.append(_points(row, killers=False))
    return Rate(sum(points), len(points), 0.5)


def _per_seat(rows: Iterable[Row], key: Callable[[Row, int], Any]) -> Iterable[tuple[Any, Any, float]]:
    for one in rows:
        for place, role in enumerate(one.roles):
            yield one.game.board.table.name, key(one, place), _points(one, killers=role is Role.KILLER)


def _by_role(rows: Sequence[Row]) -> dict[str, dict[str, Rate]]:
    return _tally(
        (name, str(role), _points(one, killers=role is Role.KILLER))
        for one in rows for name, role in zip(one.game.seats, one.roles, strict=True)
    )  # fmt: skip


def _by_seat(rows: Sequence[Row]) -> dict[str, dict[int, Rate]]:
    return _tally(_per_seat(rows, lambda one, place: place + 1))


def _by_position(rows: Sequence[Row]) -> dict[str, dict[int, Rate]]:
    """Only of seats that spoke on the first day."""

    def games() -> Iterable[tuple[str, int, float]]:
        for one in rows:
            for place, seat in enumerate(one.speaking, start=1):
                killer = one.roles[seat - 1] is Role.KILLER
                yield one.game.board.table.name, place, _points(one, killers=killer)

    return _tally(games())


def _balance(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        for name, role in zip(one.game.seats, one.roles, strict=True):
            found[name][str(role)] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def _per_role(balance: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The same by role, for players that sat at all."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name, counts in balance.items():
        for role, count in counts.items():
            found[role][name] = count
    return found


def _fallbacks(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        for seat, cause in one.fallbacks:
            found[one.game.seats[seat - 1]][cause] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def _costs(rows: Sequence[Row]) -> dict[str, Costs]:
    found: dict[str, Costs] = {}
    for one in rows:
        for name, costs in one.costs.items():
            found.setdefault(name, Costs()).add(costs)
    return dict(sorted(found.items()))


def _outcomes(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in rows:
        found[one.game.board.table.name][one.winner] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def _season(plan: Plan) -> str:
    """What must be the same for two runs to be compared: rules, words, models and how they are asked."""
    players = {name: seat.model_dump(exclude_none=True) for name, seat in sorted(plan.players.items())}
    parts = ([[table.name, table.rules.hash] for table in plan.tables], plan.languages, plan.variants, players)
    return sha256(repr(parts).encode()).hexdigest()[:16]


def _limits(plan: Plan, found: Figures) -> Iterable[str]:
    if found.finished < found.planned:
        yield "unfinished"
    if found.boards < LEAST_BOARDS:
        yield "few_boards"
    elif found.boards < RANKING_BOARDS:
        yield "no_ranking"
    if (found.hinged.value or 0.0) > MOST_HINGED:
        yield "hinged"
    if plan.channels == ("full",):
        yield "one_channel"
    if len(plan.variants) < 3:
        yield "few_variants"
    if len(plan.languages) == 1:
        yield "one_language"
    if "mixed" not in plan.tracks:
        yield "no_strangers"
    if not any(seat.is_model for seat in plan.players.values()):
        yield "no_models"
