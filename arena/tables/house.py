"""All tables of one server: opened from their folders when it starts, and opened anew."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from tianhei.agents.roster import SeatPlan
from tianhei.arena.budget import Budget
from tianhei.arena.host import SystemClock
from tianhei.arena.pool import Endpoints, Report
from tianhei.arena.roles import Seat
from tianhei.arena.tables.game import Bots
from tianhei.arena.tables.hosting import rematch
from tianhei.arena.tables.pace import PACES, PRACTICE, Pace
from tianhei.arena.tables.plan import SCRIPTED, Plan, check_bots, peoples_seats
from tianhei.arena.tables.practice import practised
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.room import Room
from tianhei.arena.tables.state import Chair, State
from tianhei.arena.tables.store import Store
from tianhei.arena.tables.words import pseudonym
from tianhei.transcripts.file import TranscriptError

MOST_TABLES = 500
"""Tables that are open at one time."""


class House:
    """The tables of a server, and what all of them share; an async context inside the running loop."""

    def __init__(
        self,
        folder: Path,
        allowed: Mapping[str, SeatPlan] | None = None,
        *,
        budget: Callable[[], Budget] | None = None,
        paces: Mapping[str, Pace] = PACES,
        practice: Pace = PRACTICE,
        report: Report = lambda text: None,
    ) -> None:
        """``allowed`` are the bots by the names that guests know; ``budget`` makes what one table may spend."""
        self.store = Store(folder)
        self.paces = paces
        self.practice = practice
        self.report = report
        endpoints = Endpoints(report)
        self.bots = Bots({SCRIPTED: SeatPlan(player=SCRIPTED), **(allowed or {})}, endpoints, budget)
        self.rooms: dict[str, Room] = {}
        self.looking_back = asyncio.Semaphore(1)
        """Of all games that are over, one at a time is looked back upon."""
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._open.enter_async_context(self.bots.endpoints)
        for plan in self.bots.allowed.values():
            if plan.is_model:  # what is missing is said before anybody sits down
                self.bots.endpoints.of(plan)
        for table in self.store.tables():
            try:
                state = self.store.load(table)
                if state.plan.pace in self.paces and not self._unknown_bots(state):
                    self.rooms[table] = Room(self, state)
                else:
                    self.report(f"table {table} is left alone: its pace or a bot of it is not offered any more")
            except TranscriptError as error:
                self.report(f"table {table} is left alone: {error}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for room in self.rooms.values():
            await room.stop()
        self.let_go()
        await self._open.aclose()

    def let_go(self) -> None:
        """End all streams; whoever looks on comes back when the server does."""
        for room in self.rooms.values():
            room.let_go()

    def _unknown_bots(self, state: State) -> bool:
        return any(name not in self.bots.allowed for name in (state.plan.bot, *state.plan.bots.values()))

    def open_token(self) -> str:
        """The token by which tables are opened."""
        return self.store.token("", "open")

    def is_opener(self, token: str) -> bool:
        """Whether tables may be opened by this token."""
        return hmac.compare_digest(self.open_token().encode(), token.encode("utf-8", "replace"))

    def room(self, table: str) -> Room:
        """The table of that name. Refused where there is none."""
        if table not in self.rooms:
            raise Refused(404, "no_such_table", "there is no such table, or it was deleted")
        return self.rooms[table]

    def create(self, plan: Plan) -> Room:
        """Open a table. Refused says what cannot be."""
        if sum(room.state.phase in ("lobby", "playing") for room in self.rooms.values()) >= MOST_TABLES:
            raise Refused(429, "too_many", "too many tables are open here")
        if plan.practice:
            plan = practised(plan)
        if plan.pace not in self.paces:
            raise Refused(409, "bad_pace", f"no pace {plan.pace!r}; there are {', '.join(self.paces)}")
        _, counts = plan.table()
        players = sum(counts.values())
        check_bots(plan, players, self.bots.allowed)
        chairs = {seat: Chair(seat=seat) for seat in peoples_seats(plan, players)}
        state = State(
            table=self.store.new_table(), plan=plan, made=SystemClock().stamp(), players=players, chairs=chairs
        )
        self.store.save(state)
        self.rooms[state.table] = room = Room(self, state)
        return room

    def rematch(self, room: Room) -> Room:
        """The same table once more: its people get new seats, and new names, since the old ones tell who is one."""
        state = room.state
        if state.phase != "ended":
            raise Refused(409, "not_over", "the game is not over")
        before = self.rooms.get(state.rematch)
        if before and before.state.phase != "closed":
            return before
        sitting = [chair for _, chair in sorted(state.chairs.items()) if chair.joined and not chair.replaced]
        free = state.players - len(state.plan.bots)
        plan = state.plan.model_copy(update={"people": max(1, min(len(sitting), free))})
        other = self.create(plan)
        places: dict[Seat, Seat] = {}
        for old, new in zip(sitting, other.state.chairs.values(), strict=False):
            others = [*state.names.values(), *(chair.name for chair in other.state.chairs.values())]
            new.name, new.lang, new.client, new.joined = pseudonym(plan.lang, others), old.lang, old.client, True
            places[old.seat] = new.seat
        other.state.doubled, other.state.spent = state.doubled, dict((before or room).state.spent)
        other.save()
        rematch(room, other, places)
        return other

    async def delete(self, room: Room) -> None:
        """Take a table away, with all that was kept of it."""
        async with room.changing:
            await room.delete()
        if room.state.table not in self.rooms:
            return  # somebody else has taken it away meanwhile
        room.settle()
        gone = room.state
        for before in (each.state for each in self.rooms.values() if each.state.rematch == gone.table):
            before.spent, before.rematch = gone.spent, gone.rematch
            before.places = {old: gone.places[new] for old, new in before.places.items() if new in gone.places}
            self.store.save(before)
        del self.rooms[gone.table]
        self.store.delete(gone.table)
