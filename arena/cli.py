"""The command ``tianhei``. What a command needs is imported when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from tianhei.arena.choosing import chosen_rules, chosen_seats, chosen_seed, chosen_table, usual_lang
from tianhei.arena.running import JsonLines, check_seat, chosen_sight, run_game, say

if TYPE_CHECKING:
    from tianhei.arena.host import Clock
    from tianhei.prompts.vocabulary import Lang

P = ParamSpec("P")
LANGS = click.Choice(("en", "zh"))
DEFAULT_GAME = "classic-arena"


def _clear_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that a user can mend into one clear line."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from tianhei.agents.embedded import ModelError
        from tianhei.agents.roster import SpecError
        from tianhei.arena.host import EndpointDown, PlayerFailed
        from tianhei.arena.referee import Differs
        from tianhei.arena.rules.options import RulesError
        from tianhei.prompts.pack import PackError
        from tianhei.transcripts.file import TranscriptError

        try:
            command(*args, **kwargs)
        except (
            TranscriptError,
            RulesError,
            SpecError,
            PackError,
            ModelError,
            EndpointDown,
            PlayerFailed,
            Differs,
        ) as error:
            raise click.ClickException(str(error)) from None
        except BrokenPipeError:
            sys.stderr.close()

    return run


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tianhei", prog_name="tianhei")
def main() -> None:
    """Tianhei 天黑: language models play the Chinese killer game 杀人游戏, and every game is kept.

    A first game, with an embedded model and no key:  tianhei play
    """


def _game_options(command: Callable[P, None]) -> Callable[P, None]:
    """The options by which rules and table are chosen."""
    for option in (
        click.option("--seed", default=None, help="What deal, lots and players' luck follow from. Default: random."),
        click.option("--roles", "roles", metavar="ROLE=N,…", help="A custom table, e.g. killer=2,police=1,civilian=4."),
        click.option("-n", "--size", type=int, help="How many players."),
        click.option(
            "-s",
            "--set",
            "changes",
            metavar="OPTION=VALUE",
            multiple=True,
            help="Change one option (tianhei rules --options lists them).",
        ),
        click.option("-g", "--game", default=DEFAULT_GAME, show_default=True, help="A rule set by its preset's name."),
    ):
        command = option(command)
    return command


def _sight_options(command: Callable[P, None]) -> Callable[P, None]:
    """The options by which a game is looked at."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines."),
        click.option("--as", "seat", type=int, metavar="N", help="Show what seat N may know."),
        click.option("--reveal", is_flag=True, help="Show the whole truth."),
    ):
        command = option(command)
    return command


@main.command()
@_game_options
@click.option("-l", "--lang", type=LANGS, help="Language of the game. Default: the environment's.")
@click.option("-a", "--all", "everybody", metavar="PLAYER", help="Who sits in every seat not named. Default: local.")
@click.option("--seat", "single", metavar="N=PLAYER", multiple=True, help="Who sits in seat N.")
@click.option("--players", "table", metavar="FILE", help="A TOML file that fills the seats.")
@click.option("-o", "--out", metavar="FILE", help="Where the transcript goes. Default: a new file in runs/.")
@click.option("--deadline", type=float, metavar="SECONDS", help="How long a model may take for one answer.")
@_sight_options
@click.option("-q", "--quiet", is_flag=True, help="Print the transcript's path alone.")
@click.option("--fixed-clock", is_flag=True, hidden=True)
@_clear_errors
def play(
    game: str,
    changes: tuple[str, ...],
    size: int | None,
    roles: str | None,
    seed: str | None,
    lang: Lang | None,
    everybody: str | None,
    single: tuple[str, ...],
    table: str | None,
    out: str | None,
    deadline: float | None,
    reveal: bool,
    seat: int | None,
    as_json: bool,
    quiet: bool,
    fixed_clock: bool,
) -> None:
    """Play one game and keep its transcript.

    PLAYER is local (the embedded model), scripted, random, PROVIDER/MODEL (openai/gpt-5-mini), MODEL@URL for any other
    OpenAI-compatible endpoint, or file.py:Class; settings follow a question mark: openai/gpt-5-mini?effort=low.
    """
    import secrets

    import tianhei
    from tianhei.arena.host import FixedClock, SystemClock
    from tianhei.arena.seating import Seating
    from tianhei.transcripts.header import LIMITS, Header, TableSettings

    rules, counts = chosen_table(game, changes, size, roles)
    language: Lang = lang or usual_lang()
    plans = chosen_seats(sum(counts.values()), everybody, single, table)
    check_seat(seat, len(plans))
    clock: Clock = FixedClock() if fixed_clock else SystemClock()
    seating = Seating(plans, language, say)
    header = Header(
        rules=rules,
        counts=counts,
        seed=chosen_seed(seed) if seed is not None else secrets.randbelow(2**31),
        lang=language,
        seats=seating.specs(),
        table=TableSettings(LIMITS[language], deadline),
        started=clock.stamp(),
        program=f"tianhei {tianhei.__version__}",
    )
    path = Path(out) if out else Path("runs") / f"{header.started[:19].replace(':', '')}-{game}-{header.game[:8]}.jsonl"
    run_game(path, header, seating, clock, chosen_sight(reveal, seat), as_json, quiet)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-q", "--quiet", is_flag=True, help="Print the transcript's path alone.")
@_clear_errors
def resume(path: Path, reveal: bool, seat: int | None, as_json: bool, quiet: bool) -> None:
    """Go on with a game that was stopped, from its transcript; nothing that was answered is asked again."""
    from tianhei.arena.host import SystemClock
    from tianhei.arena.seating import Seating, plans_of
    from tianhei.transcripts.game import load

    recorded = load(path)
    header = recorded.header
    check_seat(seat, len(header.seats))
    lang: Lang = "zh" if header.lang == "zh" else "en"
    run_game(
        path,
        None,
        Seating(plans_of(header, path), lang, say),
        SystemClock(),
        chosen_sight(reveal, seat),
        as_json,
        quiet,
    )


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@_clear_errors
def show(path: Path, reveal: bool, seat: int | None, as_json: bool, lang: Lang | None) -> None:
    """Print a game from its transcript, as far as it has come."""
    from tianhei.arena.screen import Screen, console_for
    from tianhei.transcripts.game import load

    sight = chosen_sight(reveal, seat)
    recorded = load(path)
    check_seat(seat, len(recorded.header.seats))
    if as_json:
        JsonLines(sight).show(recorded.events)
        return
    screen = Screen(recorded.header, console_for(), sight=sight, lang=lang)
    screen.open()
    screen.show(recorded.events)
    screen.closing(recorded.header, path)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@click.option("--every", type=float, default=0.5, show_default=True, metavar="SECONDS", help="How often to look.")
@_clear_errors
def watch(path: Path, reveal: bool, seat: int | None, as_json: bool, lang: Lang | None, every: float) -> None:
    """Follow a game that is being played, by its transcript, until its end."""
    import time

    from tianhei.arena.screen import Screen, console_for
    from tianhei.transcripts.game import load

    sight = chosen_sight(reveal, seat)
    recorded = load(path)
    check_seat(seat, len(recorded.header.seats))
    screen = Screen(recorded.header, console_for(), sight=sight, lang=lang)
    shown: Any = JsonLines(sight) if as_json else screen
    if not as_json:
        screen.open()
    waves = 0
    while True:
        for wave in recorded.waves[waves:]:
            shown.show(wave.events)
        waves = len(recorded.waves)
        if recorded.end is not None:
            break
        time.sleep(every)
        recorded = load(path)
    if not as_json:
        screen.closing(recorded.header, path)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@_clear_errors
def verify(paths: tuple[Path, ...]) -> None:
    """Check transcripts: that no byte has changed, and that the rules, run again, come to the same game."""
    from tianhei.arena.referee import Differs
    from tianhei.transcripts.file import TranscriptError
    from tianhei.transcripts.replay import verified

    faults = 0
    for path in paths:
        try:
            click.echo(f"{path}: {verified(path)}")
        except (TranscriptError, Differs) as error:
            faults += 1
            click.echo(str(error), err=True)
    if faults:
        raise click.ClickException(f"{faults} of {len(paths)} transcripts are not sound")


@main.command()
@click.option("-g", "--game", default=DEFAULT_GAME, show_default=True, help="A rule set by its preset's name.")
@click.option("-s", "--set", "changes", metavar="OPTION=VALUE", multiple=True, help="Change one option.")
@click.option("-n", "--size", type=int, help="How many players.")
@click.option("-l", "--lang", type=LANGS, help="Language. Default: the environment's.")
@click.option("--options", "list_options", is_flag=True, help="List every option with its values and its value here.")
@_clear_errors
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


@main.command()
def referee() -> None:
    """Answer the referee protocol on standard input and output: JSON lines in, JSON lines out."""
    from tianhei.arena.protocol import serve

    serve()


@main.group()
def model() -> None:
    """Models that run inside the program."""


@model.command("list")
@_clear_errors
def model_list() -> None:
    """List the models that are here, and those that can be had by name."""
    from tianhei.agents.embedded import catalogue, installed, recommended
    from tianhei.agents.embedded.hub import reachable

    here = {found.name: found for found in installed()}
    for found in here.values():
        click.echo(f"here   {found.name}  {found.licence}  {found.path}")
    for offer in catalogue():
        if offer.name not in here:
            click.echo(f"to add {offer.name}  {offer.licence}  {offer.size / 1e6:,.0f} MB  {offer.note}")
    click.echo(f"for this machine: {recommended(hub=reachable()).name}")


@model.command("add")
@click.argument("name_or_path")
@click.option("--name", help="What to call it here.")
@_clear_errors
def model_add(name_or_path: str, name: str | None) -> None:
    """Add a model: a name of the list, a .gguf file of one's own, or OWNER/REPO:FILE.gguf of the hub."""
    from tianhei.agents.embedded import add

    found = add(name_or_path, name=name, report=say)
    click.echo(f"{found.name}: {found.path}")


@model.command("path")
@click.argument("name", required=False)
@_clear_errors
def model_path(name: str | None) -> None:
    """Print where a model's weights are; without a name, the folder of all."""
    from tianhei.agents.embedded import find, models_folder

    click.echo(str(find(name).path if name else models_folder()))
