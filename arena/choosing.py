"""From the words of the command line to rules, a table and who sits at it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tianhei.agents.roster import SeatPlan
    from tianhei.arena.rules.options import Rules
    from tianhei.prompts.vocabulary import Lang

ARENA_PLAYERS = {"classic": 8, "butterfly": 11}
"""Table size of ``play`` where none is named: the smallest written ones with police, and with all specials."""


def usual_lang() -> Lang:
    """The language of the environment: Chinese where it says so, else English."""
    import locale
    import os

    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return (
        "zh" if name.lower().startswith("zh") or (not name and (locale.getlocale()[0] or "").startswith("zh")) else "en"
    )


def chosen_rules(game: str, changes: Iterable[str]) -> tuple[Rules, int | None]:
    """A preset's rules with ``OPTION=VALUE`` changes, and its table size. RulesError says what fails."""
    from tianhei.arena.rules.options import RulesError, options
    from tianhei.arena.rules.presets import read_rules

    rules, players = read_rules(game)
    known = {info.name: info for info in options(rules.game)}
    values: dict[str, Any] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise RulesError(f"--set {change}: it takes OPTION=VALUE")
        matching = (
            [value for value in known[name].allowed if str(value).lower() == text.lower()] if name in known else []
        )
        values[name] = matching[0] if matching else text
    return rules.replace(values), players


def chosen_table(game: str, changes: Iterable[str], size: int | None, roles: str | None) -> tuple[Rules, Any]:
    """The rules and the role counts of a table."""
    from tianhei.arena.rules.options import RulesError
    from tianhei.arena.rules.setups import custom, written

    rules, usual = chosen_rules(game, changes)
    if roles is None:
        return rules, written(rules, size if size is not None else usual or ARENA_PLAYERS[rules.game])[0]
    counts: dict[str, int] = {}
    for part in roles.split(","):
        name, _, number = part.strip().partition("=")
        if not number.isdecimal():
            raise RulesError(f"--roles {part.strip()}: it takes ROLE=NUMBER,ROLE=NUMBER,…")
        counts[name] = int(number)
    if size is not None and size != sum(counts.values()):
        raise RulesError(f"--size {size} and --roles (which are {sum(counts.values())}) do not agree; leave one out")
    return rules, custom(rules, counts)


def chosen_seats(seats: int, everybody: str | None, single: Iterable[str], table: str | None) -> dict[int, SeatPlan]:
    """Who sits where: everybody alike, then as a file says, then single seats. SpecError says what fails."""
    from tianhei.agents.roster import LOCAL, parse_spec, read_table

    plans = dict.fromkeys(range(1, seats + 1), parse_spec(everybody or LOCAL))
    if table:
        plans.update(read_table(table, seats))
    return plans | named_seats(single, seats)


def named_seats(single: Iterable[str], seats: int) -> dict[int, SeatPlan]:
    """The players of single seats, each as NUMBER=PLAYER. SpecError says what fails."""
    from tianhei.agents.roster import SpecError, parse_spec

    plans: dict[int, SeatPlan] = {}
    for item in single:
        number, equals, spec = item.partition("=")
        if not equals or not number.isdecimal() or not 1 <= int(number) <= seats:
            raise SpecError(f"--seat {item}: it takes NUMBER=PLAYER, with a number from 1 to {seats}")
        plans[int(number)] = parse_spec(spec)
    return plans


def chosen_seed(text: str) -> int | str:
    """A seed as given: a number where it is one that a file can hold, else the text."""
    try:
        number = int(text)
    except ValueError:
        return text
    return number if abs(number) < 2**63 else text
