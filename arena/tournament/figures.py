"""The figures of a report, from a run's rows alone: every number with its count, its interval, its chance level."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tianhei.arena.costs import Costs
from tianhei.arena.tournament.controls import Difference, Manner, contrasts
from tianhei.arena.tournament.focal import Focal, focal
from tianhei.arena.tournament.levels import Normalised, normalised
from tianhei.arena.tournament.pilot import Agreement, agreement
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.power import LEAST_BOARDS, RANKING_BOARDS
from tianhei.arena.tournament.ratings import Played, Ratings, rate, to_json
from tianhei.arena.tournament.results import Row, order
from tianhei.arena.tournament.season import season_of
from tianhei.arena.tournament.shares import (
    Rate,
    balance_of,
    between,
    by_position,
    by_role,
    by_seat,
    is_balanced,
    sides_of,
    tally,
)  # fmt: skip

MOST_HINGED = 0.05
"""With a larger share of games that an unusable reply may have decided nobody is ranked."""


@dataclass(slots=True)
class Figures:
    """Everything that a report shows. Missing ratings say why in ``unrated``, a key of the report's texts."""

    name: str
    season: str
    design: str
    hash: str
    beacon: str
    planned: int
    finished: int
    boards: int
    contenders: tuple[str, ...]
    anchors: tuple[str, ...]
    void: Mapping[str, int]
    taken_over: int
    """Games in which somebody else took a seat over; left out where ``void`` counts them."""
    ratings: Ratings | None
    clean: Ratings | None
    """The same without the games in which somebody could not answer: a sensitivity, since it is selected."""
    unrated: str
    tracks: Mapping[str, Ratings]
    """The games of one track alone, where several are rated."""
    focal: Mapping[str, Focal]
    """By player: what one seat of its did among the pool's."""
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
    levels: Mapping[str, Mapping[str, Rate]]
    """By scripted player and table: killers' wins where it fills the table alone."""
    normalised: Mapping[str, Normalised]
    """Where a player stands between the uninformed and the ceiling."""
    contrasts: Mapping[str, Mapping[str, Mapping[str, Difference]]]
    """By contrast of arms, player and side."""
    by_board: Mapping[str, Mapping[str, Rate]]
    """By language and by wording: each contender's side-balanced rate."""
    spent: Mapping[str, Spent]
    """By contender with a model: what a seat of its uses in a game."""
    manners: Mapping[str, Mapping[str, Manner]] = field(default_factory=dict)
    """By arm and model, joined by a bar: places of choices, and words of cards that are not at the table."""
    agreement: Agreement | None = None
    """How far games of one board agree, where the plan has replicates."""
    strays: int = 0
    """Transcripts in the folder that are no games of the plan; left out."""
    limits: tuple[str, ...] = ()
    """What this run cannot tell, as keys of the report's texts."""
    plan: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ranked(self) -> Ratings | None:
        """The ratings, where players may be put in an order by them."""
        return None if "hinged" in self.limits else self.ratings

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""

        def rates(found: Mapping[Any, Mapping[Any, Rate]]) -> dict[str, dict[str, Any]]:
            return {str(a): {str(b): one.to_json() for b, one in inner.items()} for a, inner in found.items()}

        return {
            "name": self.name, "season": self.season, "design": self.design, "hash": self.hash, "beacon": self.beacon,
            "planned": self.planned,
            "finished": self.finished, "boards": self.boards, "void": dict(self.void), "taken_over": self.taken_over,
            "strays": self.strays,
            "ratings": to_json(self.ratings) if self.ratings else None, "unrated": self.unrated,
            "clean": to_json(self.clean) if self.clean else None, "sides": rates(self.sides),
            "tracks": {name: to_json(found) for name, found in self.tracks.items()},
            "focal": {name: found.to_json() for name, found in self.focal.items()},
            "matrix": rates(self.matrix), "lines": rates(self.lines), "roles": rates(self.roles),
            "seats": rates(self.seats), "positions": rates(self.positions),
            "balance": {name: dict(found) for name, found in self.balance.items()}, "balanced": self.balanced,
            "hinged": self.hinged.to_json(), "fallbacks": {name: dict(found) for name, found in self.fallbacks.items()},
            "costs": {name: found.to_json() for name, found in self.costs.items()},
            "outcomes": {name: dict(found) for name, found in self.outcomes.items()}, "limits": list(self.limits),
            "levels": rates(self.levels), "by_board": rates(self.by_board),
            "normalised": {name: found.to_json() for name, found in self.normalised.items()},
            "contrasts": {
                name: {player: {side: one.to_json() for side, one in sides.items()} for player, sides in of.items()}
                for name, of in self.contrasts.items()
            },
            "spent": {name: asdict(found) for name, found in self.spent.items()},
            "agreement": self.agreement.to_json() if self.agreement else None,
            "manners": {
                name: {key: asdict(found) for key, found in of.items()} for name, of in self.manners.items()
            },
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spent:
    """What one seat of a player uses in one game, on average: output tokens, US dollars (None: price unknown)."""

    tokens_out: float
    usd: float | None


def figures(plan: Plan, planned: int, rows: Iterable[Row], strays: int = 0) -> Figures:
    """Fold the rows of a run, or of several that are pooled. PlanError where they are not of one season.

    ``strays``: transcripts beside them that are no games of the plan.
    """
    found = sorted(rows, key=order)
    season = season_of(plan, found).id
    played = [one for one in found if one.winner]
    done = [one for one in played if one.game.arm == "full" and one.game.track != "lines"]
    fitted = [one for one in done if not set(one.game.seats) - set(plan.players)]
    ratings, unrated = _rated(fitted)
    whole = [one for one in fitted if not one.fallbacks]
    clean = ratings if len(whole) == len(fitted) else _rated(whole)[0]
    boards = len({one.cluster for one in done})
    theirs = [one for one in done if not plan.players.keys().isdisjoint(one.game.seats)]
    hinged = Rate(sum(one.hinged for one in theirs), len(theirs))
    balance = balance_of([one for one in found if one.game.track != "lines"])
    made = Figures(
        name=plan.name,
        season=season,
        design=plan.design,
        hash=plan.hash,
        beacon=plan.beacon,
        planned=planned,
        finished=len(played),
        boards=boards,
        contenders=tuple(plan.players),
        anchors=tuple(plan.anchors),
        void=Counter(one.void for one in found if one.void),
        taken_over=sum(one.taken_over > 0 for one in found),
        strays=strays,
        ratings=ratings,
        clean=clean,
        unrated=unrated,
        tracks=_by_track(fitted),
        focal=focal(plan, done),
        sides={name: sides_of(done, name) for name in (*plan.players, *plan.anchors)},
        matrix={one: {other: between(done, one, other) for other in plan.players if other != one}
                for one in plan.players},
        lines={anchor: {name: between(done, name, anchor) for name in plan.players} for anchor in plan.anchors},
        roles=by_role(done),
        seats=by_seat(done),
        positions=by_position(done),
        balance=balance,
        balanced=is_balanced(done, tuple(plan.players)),
        hinged=hinged,
        fallbacks=_fallbacks(found),
        costs=_costs(found),
        outcomes=_outcomes(done),
        levels=_levels(played),
        normalised=normalised(done, tuple(plan.players)),
        contrasts=contrasts(played, plan.players),
        by_board=_by_board(done, tuple(plan.players)),
        spent=_spent(done, tuple(plan.players)),
        agreement=agreement(fitted, len(plan.players)) if plan.replicates > 1 else None,
    )  # fmt: skip
    made.limits = tuple(_limits(plan, made))
    return made


def _rated(rows: Sequence[Row]) -> tuple[Ratings | None, str]:
    """The ratings, or why there are none, as a key of the report's texts."""
    if len({name for one in rows for name in one.game.seats}) < 2:
        return None, "unrated_alone" if rows else "unrated_nothing"
    try:
        return rate([_played(one) for one in rows]), ""
    except ValueError:
        return None, "unrated_one_board"


def _by_track(rows: Sequence[Row]) -> dict[str, Ratings]:
    tracks = dict.fromkeys(one.game.track for one in rows)
    if len(tracks) < 2:
        return {}
    alone = {track: _rated([one for one in rows if one.game.track == track])[0] for track in tracks}
    return {track: found for track, found in alone.items() if found}


def _played(one: Row) -> Played:
    return Played(
        one.game.board.table.name,
        one.cluster,
        one.players_of(killers=False),
        one.players_of(killers=True),
        "good" if one.winner == "good" else "killers" if one.winner == "killers" else "draw",
    )


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


def _levels(rows: Sequence[Row]) -> dict[str, dict[str, Rate]]:
    return tally(
        (one.game.seats[0], one.game.board.table.name, one.points(killers=True))
        for one in rows if one.game.track == "lines"
    )  # fmt: skip


def _language(one: Row) -> str:
    return one.game.board.lang


def _wording(one: Row) -> str:
    return f"{one.game.board.lang} {one.game.board.variant}"


def _by_board(rows: Sequence[Row], players: Sequence[str]) -> dict[str, dict[str, Rate]]:
    """Only kinds of boards of which there are two at least."""
    found: dict[str, dict[str, Rate]] = {}
    worded = len({one.game.board.variant for one in rows}) > 1
    for wanted, of in ((True, _language), (worded, _wording)):
        kinds = sorted({of(one) for one in rows})
        if wanted and len(kinds) > 1:
            for kind in kinds:
                kept = [one for one in rows if of(one) == kind]
                found[kind] = {name: sides_of(kept, name)["both"] for name in players}
    return found


def _spent(rows: Sequence[Row], players: Sequence[str]) -> dict[str, Spent]:
    found: dict[str, Spent] = {}
    for name in players:
        used = [one.used[name] for one in rows if name in one.used]
        if seats := sum(one.seats for one in used if one.calls):
            priced = [one.usd for one in used]
            known = None if None in priced else sum(one or 0.0 for one in priced) / seats
            found[name] = Spent(round(sum(one.tokens_out for one in used) / seats, 1), known)
    return found


def _limits(plan: Plan, found: Figures) -> Iterable[str]:
    if found.finished < found.planned:
        yield "unfinished"
    if found.strays:
        yield "strays"
    if found.boards < LEAST_BOARDS:
        yield "few_boards"
    elif found.boards < RANKING_BOARDS:
        yield "no_ranking"
    if (found.hinged.value or 0.0) > MOST_HINGED:
        yield "hinged"
    if not {"mute", "claims_only"} <= set(plan.arms):
        yield "one_channel"
    if not {"renamed", "claims_off"} <= set(plan.arms) or plan.arms_every > 4:
        yield "few_controls"
    if any(len(costs.served) > 1 for costs in found.costs.values()):
        yield "moved"
    if not plan.beacon:
        yield "no_beacon"
    if len(plan.variants) < 3:
        yield "few_variants"
    if len(plan.languages) == 1:
        yield "one_language"
    if set(plan.tracks) == {"duplicate"}:
        yield "no_strangers"
    if not any(seat.is_model for seat in plan.players.values()):
        yield "no_models"
