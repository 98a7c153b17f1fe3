"""The rule options, resolved: a preset or a mapping becomes every option of its game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

Options = Mapping[str, Any]


@cache
def catalogue() -> dict[str, Any]:
    """The list of all options, with values, defaults and presets."""
    text = Path(__file__).with_name("options.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def game_of(options: Options) -> str:
    """'classic' or 'butterfly'; told by the form of the vote where it is not named."""
    named = options.get("game")
    if isinstance(named, str):
        return named
    return "butterfly" if str(options["vote_form"]).startswith("after_speech") else "classic"


def _for_game(value: Any, game: str) -> Any:
    return value[game] if isinstance(value, dict) else value


def _permits(values: Any, value: Any) -> bool:
    if values == "boolean":
        return isinstance(value, bool)
    if isinstance(values, str):
        low, high = values.removeprefix("integer ").split("..")
        return type(value) is int and int(low) <= value <= int(high)
    return value in values


def entries(game: str) -> list[dict[str, Any]]:
    book = catalogue()
    return [e for e in book["options"] + book["setup_options"] if game in e["games"]]


def resolve(spec: str | Mapping[str, Any]) -> dict[str, Any]:
    """Every option of the game that `spec` names; ValueError for a set that is refused."""
    given = {"preset": spec} if isinstance(spec, str) else dict(spec)
    chosen: dict[str, Any] = {**catalogue()["presets"].get(given.pop("preset", ""), {}), **given}
    game = str(chosen.pop("game", "classic"))
    chosen.pop("players", None)
    book = {e["name"]: e for e in entries(game)}
    for name, value in chosen.items():
        if name not in book or not _permits(_for_game(book[name]["values"], game), value):
            raise ValueError(f"{name} = {value!r} is no option of the {game} game")
    defaults = {name: _for_game(e["default"], game) for name, e in book.items()}
    full = {"game": game, **defaults, **chosen}
    for name, entry in book.items():
        unmet = any(full[k] != v for k, v in entry.get("needs", {}).items())
        if unmet and full[name] != defaults[name]:
            raise ValueError(f"{name} = {full[name]!r} needs {entry['needs']}")
    if full["reveal_on_vote"] == "none" and full.get("executed_last_words") == "good_only":
        raise ValueError("R-LASTWORDS: last words would tell the side")
    return full
