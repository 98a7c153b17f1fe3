"""A practice night: a small table at which there is always a first day, and whoever practises lives to see it."""

from __future__ import annotations

import secrets

from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.referee import Referee
from tianhei.arena.roles import Counts, Seat
from tianhei.arena.rules.options import Rules
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.seats import nobody
from tianhei.arena.view import Views
from tianhei.transcripts.header import LIMITS


def practised(plan: Plan) -> Plan:
    """One person and five scripted players; two police, since without any the game would be over in the first night."""
    return Plan(
        lang=plan.lang,
        roles={"killer": 1, "police": 2, "civilian": 3},
        options={"council_rounds": 1, "kill_teammate": "forbidden"},
        people=1,
        practice=True,
        spectators="none",
        cover=False,
        survey=False,
    )


async def sparing(plan: Plan, seat: Seat) -> int:
    """A seed by which this seat lives through the first night, whatever the person who sits there does."""
    rules, counts = plan.table()
    while True:
        seed = secrets.randbelow(2**63)
        if seat in await _first_morning(rules, counts, seed, plan.lang):
            return seed


async def _first_morning(rules: Rules, counts: Counts, seed: int, lang: str) -> tuple[Seat, ...]:
    """Who lives after the first night of scripted players."""
    referee = Referee(rules, deal(counts, seed), Keyed(seed), LIMITS[lang])
    views, player = Views(rules, counts, seed), ScriptedPlayer(lang)
    views.add(referee.waves[0].events)
    while views.record.phase in ("deal", "night"):
        for request in referee.pending:
            reply = await player.act(views.of(request.seat), request, nobody)
            if wave := referee.answer(request.id, reply.answer):
                views.add(wave.events)
    return views.record.living
