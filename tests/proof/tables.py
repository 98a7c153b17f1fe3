"""Random rules and tables: every option of the list, every valid combination, 3 to 25 seats."""

from __future__ import annotations

from random import Random
from typing import Any

from oracle.options import entries, resolve
from oracle.setups import refused, setup
from tianhei.arena.rules.options import Rules, RulesError, make
from tianhei.arena.rules.setups import custom

SPECIALS = ("butterfly", "sniper", "doctor", "elder")


class Refusals(AssertionError):
    """One side deals a table that the other refuses."""


def values_of(entry: dict[str, Any], game: str) -> list[Any]:
    values = entry["values"][game] if isinstance(entry["values"], dict) else entry["values"]
    if values == "boolean":
        return [False, True]
    if isinstance(values, str):
        low, high = values.removeprefix("integer ").split("..")
        return list(range(int(low), int(high) + 1))
    return list(values)


def default_of(entry: dict[str, Any], game: str) -> Any:
    return entry["default"][game] if isinstance(entry["default"], dict) else entry["default"]


def random_changes(rng: Random, game: str) -> dict[str, Any]:
    """Changes to the defaults of a game that make a valid rule set."""
    wild = rng.choice((0.1, 0.4, 0.8, 1.0))
    changes: dict[str, Any] = {"max_days": rng.choice((1, 2, 3, 4, 6, 9))}
    for entry in entries(game):
        name = entry["name"]
        if name != "max_days" and rng.random() < wild:
            changes[name] = rng.choice(values_of(entry, game))
    if rng.random() < 0.4:
        changes["tie"] = "chain"
    full = resolved(game, {})  # the defaults
    full.update(changes)
    for entry in entries(game):
        if any(full[name] != needed for name, needed in entry.get("needs", {}).items()):
            changes.pop(entry["name"], None)
    if full["reveal_on_vote"] == "none" and full.get("executed_last_words") == "good_only":
        changes["executed_last_words"] = rng.choice(("both", "neither"))
    return changes


def resolved(game: str, changes: dict[str, Any]) -> dict[str, Any]:
    """The oracle's options."""
    return resolve({"game": game, **changes})


def random_roles(rng: Random, game: str, options: dict[str, Any], least: int, most: int) -> list[str]:
    """A written set-up or a custom one, shuffled."""
    players = rng.randint(least, most)
    counts = setup(options, players) if rng.random() < 0.5 else None
    if counts is None:
        counts = _custom(rng, game, players)
    roles = [role for role, count in counts.items() for _ in range(count)]
    rng.shuffle(roles)
    return roles


def _custom(rng: Random, game: str, players: int) -> dict[str, int]:
    """Counts that may be refused."""
    counts = {"killer": rng.randint(1, max(1, players // 3))}
    counts["police"] = rng.randint(0, max(1, players // 4))
    if game == "butterfly":
        counts |= {role: int(rng.random() < 0.8) for role in SPECIALS}
    counts["civilian"] = max(0, players - sum(counts.values()))
    return {role: count for role, count in counts.items() if count}


def random_table(rng: Random, game: str, least: int = 6, most: int = 25) -> tuple[dict[str, Any], Rules, list[str]]:
    """Changes, rules and roles that both sides accept; Refusals if they do not agree on a refusal."""
    while True:
        changes = random_changes(rng, game)
        options = resolved(game, changes)
        rules = make(game, changes)
        roles = random_roles(rng, game, options, least, most)
        theirs = refused(options, roles)
        try:
            custom(rules, {role: roles.count(role) for role in roles})
        except RulesError as error:
            if theirs is None:
                raise Refusals(f"{game} {changes} {roles}: engine refuses ({error}), oracle deals") from None
            continue
        if theirs is not None:
            raise Refusals(f"{game} {changes} {roles}: oracle refuses ({theirs}), engine deals")
        return changes, rules, roles
