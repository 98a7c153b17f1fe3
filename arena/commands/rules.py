"""The rules, for people and for other engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tianhei.arena.choosing import chosen_rules, usual_lang
from tianhei.arena.commands.options import DEFAULT_GAME, LANGS
from tianhei.arena.commands.running import clear_errors

if TYPE_CHECKING:
    from tianhei.prompts.vocabulary import Lang


@click.command()
@click.option("-g", "--game", default=DEFAULT_GAME, show_default=True, help="A rule set by its preset's name.")
@click.option("-s", "--set", "changes", metavar="OPTION=VALUE", multiple=True, help="Change one option.")
@click.option("-n", "--size", type=int, help="How many players.")
@click.option("-l", "--lang", type=LANGS, help="Language. Default: the environment's.")
@click.option("--options", "list_options", is_flag=True, help="List every option with its values and its value here.")
@clear_errors
def rules(game: str, changes: tuple[str, ...], size: int | None, lang: Lang | None, list_options: bool) -> None:
    """Print the rules of a game, as players are shown them."""
    from rich.text import Text

    from tianhei.arena.rules.options import options
    from tianhei.arena.rules.setups import written
    from tianhei.arena.screen import console_for
    from tianhei.prompts.rulebook import rule_text

    found, usual = chosen_rules(game, changes)
    if list_options:
        for info in options(found.game):
            value = json.dumps(getattr(found, info.name))
            click.echo(f"{info.name} = {value}    ({info.describe()}; {info.about}; {info.ruling})")
        return
    players = size if size is not None else usual
    counts = written(found, players)[0] if players is not None else None
    console = console_for()
    console.print(Text(rule_text(found, lang or usual_lang(), counts)), soft_wrap=not console.is_terminal)
    click.echo(f"\n{found.game} {found.hash[:16]}")


@click.command()
def referee() -> None:
    """Answer the referee protocol on standard input and output: JSON lines in, JSON lines out."""
    from tianhei.arena.protocol import serve

    serve()
