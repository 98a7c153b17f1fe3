"""What a plan will do before it does it: games, calls, tokens, cost, and what can be concluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tianhei.arena.costs import Costs
from tianhei.arena.estimate import estimate
from tianhei.arena.pool import Endpoints
from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.folder import planned
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.power import (
    RANKING_BOARDS,
    boards_for,
    difference_found,
    overall_half_width,
)  # fmt: skip
from tianhei.arena.tournament.start import header_of, seating_of, seats_of

NO_PILOT = "games of a board are taken as independent: a pilot (boards = 20, replicates = 5) measures the design_effect"
SAMPLES = 2
"""Games of each kind whose prompts are written to size the rest."""


def outline(plan: Plan, *, sized: bool = True) -> Iterator[str]:
    """The outline in lines."""
    plan.refuse_small()
    games = planned(plan)
    each = f", {plan.count} at each of {len(plan.tables)} tables" if len(plan.tables) > 1 else " at one table"
    yield f"{plan.name}: {len(games):,} games on {plan.total} boards{each}"
    yield f"plan hash {plan.hash}: publish it before {'it is played' if plan.beacon else 'a beacon is known'}"
    yield f"boards' seeds follow from design {plan.design[:12]}" + (
        f" with beacon {plan.beacon}" if plan.beacon else ""
    )
    for table in plan.tables:
        dealt = ", ".join(f"{number} {role}" for role, number in table.counts.items())
        yield f"  table {table.name}: {table.rules.game}, {dealt}; rules {table.rules.hash[:16]}"
    for (track, arm, name), number in Counter((game.track, game.arm, game.board.table.name) for game in games).items():
        yield f"  {track:<10} {arm:<12} {name:<24} {number:>7,} games"
    yield from _power(plan)
    if sized:
        yield from _costs(plan, games)


def _power(plan: Plan) -> Iterator[str]:
    """What all boards together can show, whichever their table."""
    contenders, count = len(plan.players), plan.total
    if contenders >= 2 and "duplicate" in plan.tracks:
        effect = plan.design_effect
        width, uneven = (overall_half_width(contenders, count, p, effect) for p in (0.5, 0.2))
        yield f"overall ratings: +-{width:.0f} Elo at even tables, 95 % (at 80:20 tables +-{uneven:.0f})"
        if width > 50:
            enough, more = (
                plan.at_each_table(boards_for(wanted, contenders, effect=effect)) for wanted in (50.0, 25.0)
            )
            yield f"for +-50 Elo it takes boards = {enough}, for +-25 Elo boards = {more}"
        yield f"with the design effect {effect:g}, as a pilot measured it" if effect != 1 else NO_PILOT
    if plan.replicates > 1:
        yield f"{plan.replicates} replicates show how far games of a board agree; these widths count one of them"
    found = difference_found(count, correlation=1 - plan.design_effect)
    yield f"a difference of {found:.0%} of the games between two players on the same boards is found with 80 % power"
    if count < RANKING_BOARDS:
        least = plan.at_each_table(RANKING_BOARDS)
        yield f"n is too small to rank: it takes boards = {least}; with less a report gives intervals alone"


def _costs(plan: Plan, games: list[Game]) -> Iterator[str]:
    """Sample games of each kind are written out, and their figures scaled up."""
    games = [game for game in games if any(plan.seat(name).is_model for name in set(game.seats))]
    kinds = Counter(_kind(game) for game in games)
    left = Counter({kind: min(SAMPLES, number) for kind, number in kinds.items()})
    sums: dict[str, Costs] = {}
    endpoints = Endpoints()
    for game in games:
        kind = _kind(game)
        if not left[kind]:
            continue
        left[kind] -= 1
        scale = kinds[kind] / min(SAMPLES, kinds[kind])
        seating = seating_of(plan, game, endpoints)
        header = header_of(plan, game, seating, "")
        for name, costs in estimate(header, seating.packs(), seats_of(plan, game)).items():
            sums.setdefault(name, Costs()).add(_scaled(costs, scale))
    if not sums:
        yield "no language model plays: it costs nothing"
    for name, costs in sums.items():
        price = "price unknown" if costs.unpriced else f"${costs.money:.2f}"
        repeated = costs.cached / (costs.prompt or 1)
        yield f"  {name}: about {costs.calls:,} calls, {costs.prompt:,} tokens in ({repeated:.0%} of them repeated), {costs.completion:,} out, {price}"  # noqa: E501


def _kind(game: Game) -> tuple[object, ...]:
    return game.track, game.board.table.name, game.arm, game.board.lang, tuple(sorted(game.seats))


def _scaled(costs: Costs, scale: float) -> Costs:
    """The same costs for so many times the games."""
    return replace(
        costs,
        calls=round(costs.calls * scale),
        requests=round(costs.requests * scale),
        prompt=round(costs.prompt * scale),
        cached=round(costs.cached * scale),
        completion=round(costs.completion * scale),
        money=costs.money * round(scale * 1000) / 1000,
    )
