"""How a table stands before and beside its game, as each may know it."""

from __future__ import annotations

from typing import Any

from tianhei.arena.tables.game import Bots
from tianhei.arena.tables.state import Chair, State
from tianhei.arena.tables.words import both, notices

_OWN = ("seat", "name", "joined", "ready", "seen", "taken", "replaced")
_OF_CHAIR = (*_OWN, "left")


def lobby_of(state: State, bots: Bots, whose: str) -> dict[str, Any]:
    """What may be known of the table by whoever has this token; only the host knows whose names are people's."""
    plan = state.plan
    plans, providers = bots.plans(state), bots.providers(state)
    ai: dict[str, Any] = {"count": len(plans)}
    if plan.disclose == "who":
        ai["names"] = {str(seat): plan.bots.get(seat, plan.bot) for seat in plans}
    found: dict[str, Any] = {
        "table": state.table,
        "phase": "paused" if state.paused and state.phase == "playing" else state.phase,
        "why": state.why,
        "game": plan.game,
        "players": state.players,
        "lang": plan.lang,
        "pace": plan.pace,
        "practice": plan.practice,
        "doubled": state.doubled,
        "spectators": plan.spectators,
        "seats_for_people": len(state.chairs),
        "people": _people(state, whose),
        "ai": ai,
        "providers": providers,
        "notice": notices(len(plans), providers),
        "consent": both("consent"),
        "you": {"whose": "spectator" if whose == "delayed" else whose.partition("/")[0]},
    }
    if whose.startswith("seat/"):
        chair = state.chairs[int(whose.partition("/")[2])]
        found["you"] |= {name: getattr(chair, name) for name in _OWN}
    elif whose == "host":
        found["chairs"] = [{name: getattr(chair, name) for name in _OF_CHAIR} for chair in state.chairs.values()]
    return found


def _people(state: State, whose: str) -> list[dict[str, Any]]:
    """Who has joined. Names would tell in the game who is a person: others' are numbers, where bots are not named."""
    joined = sorted((chair for chair in state.chairs.values() if chair.joined), key=lambda chair: chair.client)

    def name(place: int, chair: Chair) -> str:
        known = whose in ("host", f"seat/{chair.seat}") or state.plan.disclose == "who"
        return chair.name if known else f"#{place}"

    return [{"name": name(place, chair), "ready": chair.ready} for place, chair in enumerate(joined, start=1)]
