"""Plans for the tests."""

from __future__ import annotations

from typing import Any

from tianhei.arena.tournament.plan import Plan, make_plan

SMALL: dict[str, Any] = {
    "name": "small", "boards": 2, "tables": [{"rules": "classic-arena", "players": 6}],
    "players": {"a": "random", "b": "uniform"}, "anchors": [], "lines": [],
}  # fmt: skip


def plan(**changes: Any) -> Plan:
    return make_plan({**SMALL, **changes})
