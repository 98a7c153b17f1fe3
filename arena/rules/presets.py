"""Named rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.rules.options import Rules, RulesError, make


@dataclass(frozen=True, slots=True)
class Preset:
    """A game with some options changed, and the number of players it is meant for (None: any)."""

    game: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    players: int | None = None


_ARENA: Mapping[str, Any] = {"vote_form": "simultaneous", "final_tie": "lot"}

PRESETS: Mapping[str, Preset] = {
    "classic": Preset("classic"),
    "classic-arena": Preset("classic", _ARENA),
    "classic-high": Preset("classic", {"final_tie": "lot"}),
    "classic-theory": Preset(
        "classic",
        {
            "night_pass": "forbidden",
            "kill_teammate": "forbidden",
            "killers_tie": "lot",
            "council_rounds": 1,
            "vote_form": "simultaneous",
            "abstain": "forbidden",
            "self_vote": "forbidden",
            "tie": "lot",
            "parity": True,
            "last_words": "none",
        },
    ),
    "bench-10": Preset("classic", _ARENA, players=10),
    "butterfly": Preset("butterfly"),
    "butterfly-recommended": Preset("butterfly", {"setup13": "recommended_4_4"}),
    "butterfly-elder-killer": Preset("butterfly", {"elder_side": "killers"}),
    "bench-13b": Preset("butterfly", {"max_days": 26}, players=13),
}

USUAL_PLAYERS: Mapping[str, int] = {"classic": 12, "butterfly": 13}
"""The table size where neither preset nor user names one: a standard table of each document (S1-28, S0-7)."""


def preset(name: str) -> Preset:
    """The preset of that name; RulesError lists those there are."""
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesError(f"unknown preset {name!r}; there are {', '.join(PRESETS)}") from None


def read_rules(spec: Any) -> tuple[Rules, int | None]:
    """Rules from a preset's name, or from an object ``{"preset": name, option: value, ...}``.

    Returns the rules and the number of players the preset or object names (None: any).
    """
    if isinstance(spec, str):
        spec = {"preset": spec}
    if not isinstance(spec, Mapping):
        raise RulesError(f"rules are a preset's name or an object, not {type(spec).__name__}")
    changes = dict(spec)
    name = changes.pop("preset", None)
    game = changes.pop("game", None)
    if name is None and game is None:
        raise RulesError(f"rules need a preset: one of {', '.join(PRESETS)}")
    base = preset(name if name is not None else game)
    if game is not None and game != base.game:
        raise RulesError(f"preset {name!r} is of the {base.game} game, not of {game!r}")
    players = changes.pop("players", base.players)
    if players is not None and type(players) is not int:
        raise RulesError(f"players = {players!r} is not a whole number")
    return make(base.game, {**base.changes, **changes}), players
