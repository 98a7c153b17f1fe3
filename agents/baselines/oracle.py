"""The oracle, the ceiling: a good player who was told who the killers are. Its games are never rated.

It is told by a handicap that the game's header declares. All oracles vote for the same killer, the lowest seat; at
night the specials hold, shoot and silence killers. As a killer it plays by lot and spares its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.baselines.speaker import Speaker
from tianhei.agents.probe import reckon
from tianhei.arena.player import Ask
from tianhei.arena.probing import Beliefs
from tianhei.arena.requests import Kind, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.view import View

_AT: dict[Kind, int] = {"shoot": 0, "silence": 0, "needle": 1, "carry": -1}
"""Which of the living killers a special acts on, so that no two undo each other: who is carried cannot be hit."""


class Oracle(Speaker):
    """Votes the killers out one by one."""

    name = "oracle"
    closing = "call"

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        """What it was told."""
        return reckon(view, {})

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        killers = [seat for seat in told_killers(view) if seat in pool]
        return killers[0] if killers and view.side is Side.GOOD else None

    def friends(self, view: View) -> Sequence[Seat]:
        return told_killers(view) if view.side is Side.KILLERS else ()

    def pointed(self, view: View, request: Request) -> Sequence[Seat]:
        killers = [seat for seat in told_killers(view) if seat in request.options]
        place = _AT.get(request.kind)
        if place is None or not killers or view.side is Side.KILLERS:
            return request.options
        return (killers[min(place, len(killers) - 1)],)


def told_killers(view: View) -> tuple[Seat, ...]:
    """The killers, as the handicap names them, with what a killer knows anyway."""
    told = {seat for seat, role in view.told_roles.items() if role == Role.KILLER}
    return tuple(sorted(told.union(view.mates if view.role is Role.KILLER else ())))
