"""What whoever opens a table may choose of a game's rules, as the page that asks for it needs it."""

from __future__ import annotations

from typing import Any

from tianhei.arena.rules.options import make, options
from tianhei.arena.rules.presets import Preset


def choices(preset: Preset) -> list[dict[str, Any]]:
    """Every option with what it is in this preset, what it may be, and what it needs beside it to be anything else."""
    rules = make(preset.game, preset.changes)
    return [
        {
            "name": info.name,
            "value": getattr(rules, info.name),
            **({"most": info.allowed[-1]} if isinstance(info.allowed, range) else {"allowed": list(info.allowed)}),
            "default": info.default,
            "needs": dict(info.needs),
        }
        for info in options(preset.game)
    ]
