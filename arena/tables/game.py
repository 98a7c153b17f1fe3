"""One game of a table as it is played: the host, the stage, and everybody in their seats."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

from tianhei.agents.roster import SeatPlan, where_is
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.budget import Budget
from tianhei.arena.host import Host, Sitter, SystemClock
from tianhei.arena.pool import Endpoints
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.seating import Seating, program
from tianhei.arena.tables.audience import Audience
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.seats import BotsSeat, PersonsSeat, seated
from tianhei.arena.tables.stage import Keeper, Stage
from tianhei.arena.tables.state import State
from tianhei.transcripts.game import Recording, load, seat_of
from tianhei.transcripts.header import LIMITS, Header, SeatSpec, TableSettings

PERSON: Literal["human"] = "human"
"""The player of a person's seat, in the record."""


@dataclass(frozen=True, slots=True)
class Bots:
    """The bots of a server: those its user allows, by the names that guests know; and what a table may spend."""

    allowed: Mapping[str, SeatPlan]
    endpoints: Endpoints
    budget: Callable[[], Budget] | None = None
    clock: SystemClock = field(default_factory=SystemClock)

    def plans(self, state: State) -> dict[Seat, SeatPlan]:
        """Who plays in the seats that are no person's."""
        plan = state.plan
        free = [seat for seat in range(1, state.players + 1) if seat not in state.chairs]
        return {seat: self.allowed[plan.bots.get(seat, plan.bot)] for seat in free}

    def purse(self, state: State) -> Budget | None:
        """The table's budget, in which what earlier deals took, and tables before this one, stays spent."""
        if self.budget is None:
            return None
        purse = self.budget()
        purse.spent += state.spent.get(purse.unit, Decimal(0))
        return purse

    def providers(self, state: State) -> list[str]:
        """Where the words of the table go: the hosts of its models."""
        plans = self.plans(state).values()
        return sorted({where_is(found)[0].split("/")[2] for found in plans if found.is_model and not found.is_local})


class Game:
    """One game between its people, its bots and its transcript."""

    def __init__(
        self,
        path: Path,
        state: State,
        bots: Bots,
        pace: Pace,
        audience: Audience,
        room: Keeper,
    ) -> None:
        """Begin it, or take it up where it stopped. TranscriptError where its file is damaged or in use."""
        recorded = _recorded(path)
        plan, lang = state.plan, state.plan.lang
        plans = bots.plans(state)
        seating = Seating(plans, lang, bots.endpoints)
        sitters = seating.sitters()
        header = recorded.header if recorded else _header(state, seating, plans, bots)
        cover = plan.cover if plan.cover is not None else not pace.slow
        disclosed = plan.disclose == "who"
        self.stage = Stage(header, pace, state, audience, room, cover=cover, players=disclosed)
        stand_in = ScriptedPlayer(lang)
        self._sitters: dict[Seat, Sitter] = {
            seat: seated(sitter, BotsSeat(sitter.player, self.stage, stand_in, self._stand_in))
            for seat, sitter in sitters.items()
        }
        for seat, chair in state.chairs.items():
            self._sitters[seat] = Sitter(PersonsSeat(chair, self.stage, stand_in), PERSON, waits=True)
        self.purse = bots.purse(state)
        self.host = Host(
            path,
            None if recorded else header,
            self._sitters,
            clock=bots.clock,
            watcher=self.stage,
            budgets=[self.purse] if self.purse else [],
        )
        if recorded and recorded.waves:
            waves = self.host.referee.waves
            self.stage.recall(waves[: state.shown])
            for wave in waves[state.shown :]:
                self.stage.again(wave)
            self.stage.half(seat_of(name) for name in recorded.open_replies)
            replies = {**recorded.open_replies}
            for each in recorded.waves:
                replies |= each.replies
            self.stage.questions.remember({name: reply.source for name, reply in replies.items()})

    def _stand_in(self, request: Request, what: str) -> None:
        self.host.note("stand-in", seat=request.seat, request=request.id, what=what)

    async def play(self, stop: asyncio.Event) -> bool:
        """Play and show it to the end, or until ``stop`` is set; whether it came to its end."""
        showing = asyncio.create_task(self.stage.run())
        playing = asyncio.create_task(self._play())
        stopping = asyncio.create_task(stop.wait())
        tasks = (showing, playing, stopping)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if showing.done():
                showing.result()  # what went wrong there goes wrong here
            if playing.done():
                playing.result()
            return playing.done()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self) -> None:
        await self.host.play()
        await self.stage.all_shown()


def _recorded(path: Path) -> Recording | None:
    """The game so far; None where not even its header is written."""
    if not path.exists() or b"\n" not in path.read_bytes()[: 1 << 20]:
        return None
    return load(path)


def _header(state: State, seating: Seating, plans: Mapping[Seat, SeatPlan], bots: Bots) -> Header:
    rules, counts = state.plan.table()
    if state.seed is None:
        state.seed = secrets.randbelow(2**63)
    found = dict(zip(sorted(plans), seating.specs(), strict=True))
    found |= {seat: SeatSpec(PERSON) for seat in state.chairs}
    return Header(
        rules=rules,
        counts=counts,
        seed=state.seed,
        lang=state.plan.lang,
        seats=tuple(replace(found[seat], name=state.names.get(seat, "")) for seat in sorted(found)),
        table=TableSettings(LIMITS[state.plan.lang]),
        started=bots.clock.stamp(),
        program=program(plans.values()),
    )
