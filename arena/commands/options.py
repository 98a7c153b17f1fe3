"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

import click

P = ParamSpec("P")
LANGS = click.Choice(("en", "zh"))
DEFAULT_GAME = "classic-arena"


def sight_options(command: Callable[P, None]) -> Callable[P, None]:
    """The options by which a game is looked at."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines."),
        click.option("--as", "seat", type=int, metavar="N", help="Show what seat N may know."),
        click.option("--reveal", is_flag=True, help="Show the whole truth."),
    ):
        command = option(command)
    return command


budget_option = click.option(
    "--budget", metavar="AMOUNT", help="What the game may spend on models: 2.50 (US dollars) or '500k tokens'."
)
