"""What a game of a plan starts from: who sits in its seats, how they are asked, and its header."""

from __future__ import annotations

from tianhei.agents.roster import SeatPlan
from tianhei.arena.pool import Endpoints
from tianhei.arena.roles import Role, Seat
from tianhei.arena.seating import Seating, program
from tianhei.arena.tournament.boards import WITHOUT, Game
from tianhei.arena.tournament.plan import Plan
from tianhei.transcripts.header import CANARY, LIMITS, Header, TableSettings


def header_of(plan: Plan, game: Game, seating: Seating, started: str) -> Header:
    """What a game starts from."""
    board = game.board
    return Header(
        rules=game.rules,
        counts={Role(name): count for name, count in board.table.counts.items()},
        seed=game.seed,
        lang=board.lang,
        seats=seating.specs(),
        table=TableSettings(LIMITS[board.lang], theme=game.theme),
        started=started,
        program=program(plan.seat(name) for name in set(game.seats)),
        deal=board.deal,
        canary=CANARY,
        probes=plan.probes,
    )


def seating_of(plan: Plan, game: Game, endpoints: Endpoints) -> Seating:
    """The players of a game in their seats, models in the board's wording. PackError where one could say nothing."""
    seating = Seating(seats_of(plan, game), game.board.lang, endpoints, game.theme)
    seating.check(game.rules)
    return seating


def seats_of(plan: Plan, game: Game) -> dict[Seat, SeatPlan]:
    """Who sits where, asked as the board and the arm say."""
    off = (WITHOUT[game.arm],) if game.arm in WITHOUT else ()

    def asked(found: SeatPlan) -> SeatPlan:
        without = tuple(dict.fromkeys((*found.without, *off)))
        return found.model_copy(update={"variant": game.board.variant, "without": without}) if found.is_model else found

    return {seat: asked(plan.seat(name)) for seat, name in enumerate(game.seats, start=1)}


def is_instant(plan: Plan, game: Game) -> bool:
    """Whether nobody in a game waits for anything."""
    return all(plan.seat(name).kind == "scripted" for name in set(game.seats))
