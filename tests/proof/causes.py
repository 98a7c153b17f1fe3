"""Why somebody can have died in a night, by that night's choices alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tianhei.arena.events import Resolved
from tianhei.arena.roles import Seat


def fits(cause: str, seat: Seat, night: Resolved, roles: Sequence[str]) -> bool:
    """Whether a death can have this cause, from the night's choices alone."""
    aim = night.actions
    if cause.startswith("with_butterfly:"):
        butterfly = next((s for s, role in enumerate(roles, 1) if role == "butterfly"), None)
        return aim.get("carry") == seat and butterfly in night.deaths
    if cause == "needles":
        return seat in (aim.get("needle"), aim.get("carry")) and night.needles.get(seat, 0) > 1
    return aim.get({"kill": "kill", "shot": "shoot"}[cause]) == seat


def plainly_saved(options: Mapping[str, Any], night: Resolved, roles: Sequence[str]) -> bool:
    """Killed and needled, and nothing else in the way: nobody who matters is carried, and there is no shot at him."""
    aim = night.actions
    victim, carried = aim.get("kill"), aim.get("carry")
    if victim is None or aim.get("needle") != victim or aim.get("shoot") == victim or carried == victim:
        return False
    powers = carried is not None and roles[carried - 1] in ("killer", "doctor")
    return not powers and not (options["butterfly_unsaveable"] and roles[victim - 1] == "butterfly")
