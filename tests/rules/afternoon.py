"""The vote of a day with six living players, and what follows it."""

from __future__ import annotations

from typing import Any

from tianhei.arena.events import Called
from tianhei.arena.rules.butterfly import defence
from tianhei.arena.rules.chain import Day, Verdict, after_vote, first_vote, settle
from tianhei.arena.script import Script
from tianhei.arena.table import Table

from .table import Played, play, table_of, told, voting

SEVEN = "K1 C1 C2 C3 P1 P2 K2"
ORDER = (1, 2, 3, 4, 5, 6)


def six(game: str = "classic", **options: Any) -> Table:
    """Seven seats, the seventh killed this night, so that the day's order is 1 to 6."""
    options = {"vote_form": "simultaneous"} | options if game == "classic" else options
    return table_of(SEVEN, game, dead="K2", **options)


def chain(table: Table, *votes: str, **more: Any) -> Played[Verdict]:
    return play(first_vote(table, Day(ORDER)), voting(*votes, **more))


def stages(table: Table) -> list[tuple[str | None, tuple[int, ...]]]:
    """The stages that were called, and who speaks in them."""
    return [(called.stage, called.seats) for called in told(table, Called) if called.stage != "hands"]


def spoken(table: Table, day: Day) -> Script[Verdict]:
    """The butterfly game's defence and what follows it."""
    held = yield from defence(table, day)
    return (yield from settle(table, day, after_vote(table.rules, "round", day.order, held)))


FIRST = "1>2 2>3 3>2 4>3 5>- 6>-"
"""A first vote that ties 2 and 3, two abstaining."""
