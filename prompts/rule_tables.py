"""The tables of ``docs/rules.md`` that are written by the code they describe: options, presets, set-ups.

``python -m tianhei.prompts.rule_tables docs/rules.md`` brings the page up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.options import GAMES, OptionInfo, make, options
from tianhei.arena.rules.presets import PRESETS
from tianhei.arena.rules.setups import NoSetup, roles_of, written

LARGEST = 25
"""The butterfly game's set-ups grow without end; the table stops here."""


def option_table() -> str:
    """Every option: its name, games, values, default, rulings, what it is about, what it needs."""
    return _table(("option", "games", "values", "default", "rulings", "about", "needs"), _option_rows())


def _option_rows() -> Iterator[Sequence[str]]:
    by_game = {game: {info.name: info for info in options(game)} for game in GAMES}
    names = dict.fromkeys(name for infos in by_game.values() for name in infos)
    for name in names:
        having = {game: infos[name] for game, infos in by_game.items() if name in infos}
        first = next(iter(having.values()))
        yield (
            f"`{name}`",
            ", ".join(having),
            _each(having, lambda info: _values(info)),
            _each(having, lambda info: _code(info.default)),
            " ".join(dict.fromkeys(" ".join(info.ruling for info in having.values()).split())),
            first.about,
            ", ".join(f"`{need}` = {_code(value)}" for need, value in first.needs.items()),
        )


def _each(having: Mapping[str, OptionInfo], tell: Callable[[OptionInfo], str]) -> str:
    """What an option has in its games: once where they agree, else by game."""
    told = {game: tell(info) for game, info in having.items()}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return "; ".join(f"{game}: {text}" for game, text in told.items())


def _values(info: OptionInfo) -> str:
    if isinstance(info.allowed, range):
        return f"{info.allowed[0]} to {info.allowed[-1]}"
    return ", ".join(map(_code, info.allowed))


def _code(value: Any) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def preset_table() -> str:
    """Every preset: its game, the options that it changes, and its number of players."""
    return _table(("preset", "game", "players", "changes"), _preset_rows())


def _preset_rows() -> Iterator[Sequence[str]]:
    for name, preset in PRESETS.items():
        changes = ", ".join(f"`{option}` = {_code(value)}" for option, value in preset.changes.items())
        yield f"`{name}`", preset.game, str(preset.players or "any"), changes or "none"


def setup_table(game: str) -> str:
    """The set-ups that are written for a game, with their named alternatives."""
    rules = make(game)
    roles = roles_of(rules)
    return _table(("players", *roles, "by"), _setup_rows(game, roles))


def _setup_rows(game: str, roles: Sequence[Role]) -> Iterator[Sequence[str]]:
    for players in range(1, LARGEST + 1):
        try:
            counts, others = written(make(game), players)
        except NoSetup:
            continue
        yield _setup_row(players, roles, counts, "`setup13` = `dealt_3_5`" if others else "")
        for name, other in others.items():
            yield _setup_row(players, roles, other, f"`setup13` = `{name}`")


def _setup_row(players: int, roles: Sequence[Role], counts: Counts, by: str) -> Sequence[str]:
    return (str(players), *(str(counts.get(role, 0)) for role in roles), by)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["--"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


TABLES: Mapping[str, Callable[[], str]] = {
    "options": option_table,
    "presets": preset_table,
    "classic set-ups": lambda: setup_table("classic"),
    "butterfly set-ups": lambda: setup_table("butterfly"),
}


def filled(page: str) -> str:
    """The page with each table between its two markers as the code has it. ValueError where a marker is missing."""
    for name, table in TABLES.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            raise ValueError(f"the page has not one {begin} and one {end}")
        before, rest = page.split(begin)
        _, after = rest.split(end)
        page = f"{before}{begin}\n\n{table()}\n\n{end}{after}"
    return page


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
