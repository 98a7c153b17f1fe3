"""The command ``tianhei``. What a command needs is imported when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

if TYPE_CHECKING:
    from tianhei.agents.roster import SeatPlan
    from tianhei.arena.host import Clock, Host, Watcher
    from tianhei.arena.rules.options import Rules
    from tianhei.arena.screen import Screen, Sight
    from tianhei.prompts.vocabulary import Lang
    from tianhei.transcripts.game import Recording

P = ParamSpec("P")
LANGS = click.Choice(("en", "zh"))
DEFAULT_GAME = "classic-arena"
ARENA_PLAYERS = {"classic": 8, "butterfly": 11}
"""Table size of ``play`` where none is named: the smallest written ones with police, and with all specials."""


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
        click.option("-s", "--set", "changes", metavar="OPTION=VALUE", multiple=True, help="Change one option."),
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


def _lang() -> Lang:
    import locale
    import os

    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return (
        "zh" if name.lower().startswith("zh") or (not name and (locale.getlocale()[0] or "").startswith("zh")) else "en"
    )


def _rules(game: str, changes: Iterable[str]) -> tuple[Rules, int | None]:
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


def _table(game: str, changes: Iterable[str], size: int | None, roles: str | None) -> tuple[Rules, Any]:
    """The rules and the role counts of a table."""
    from tianhei.arena.rules.options import RulesError
    from tianhei.arena.rules.setups import custom, written

    rules, usual = _rules(game, changes)
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


def _plans(seats: int, everybody: str | None, single: Iterable[str], table: str | None) -> dict[int, SeatPlan]:
    from tianhei.agents.roster import LOCAL, SpecError, parse_spec, read_table

    plans = dict.fromkeys(range(1, seats + 1), parse_spec(everybody or LOCAL))
    if table:
        plans.update(read_table(table, seats))
    for item in single:
        number, equals, spec = item.partition("=")
        if not equals or not number.isdecimal() or not 1 <= int(number) <= seats:
            raise SpecError(f"--seat {item}: it takes NUMBER=PLAYER, with a number from 1 to {seats}")
        plans[int(number)] = parse_spec(spec)
    return plans


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
    from tianhei.transcripts.game import Header, TableSettings

    rules, counts = _table(game, changes, size, roles)
    language: Lang = lang or _lang()
    plans = _plans(sum(counts.values()), everybody, single, table)
    _check_seat(seat, len(plans))
    clock: Clock = FixedClock() if fixed_clock else SystemClock()
    seating = Seating(plans, language, _say)
    header = Header(
        rules=rules,
        counts=counts,
        seed=_seed(seed) if seed is not None else secrets.randbelow(2**31),
        lang=language,
        seats=seating.specs(),
        table=TableSettings(deadline=deadline),
        started=clock.stamp(),
        program=f"tianhei {tianhei.__version__}",
    )
    path = Path(out) if out else Path("runs") / f"{header.started[:19].replace(':', '')}-{game}-{header.game[:8]}.jsonl"
    _run(path, header, seating, clock, _sight(reveal, seat), as_json, quiet)


def _seed(text: str) -> int | str:
    try:
        number = int(text)
    except ValueError:
        return text
    return number if abs(number) < 2**63 else text


def _say(text: str) -> None:
    click.echo(text, err=True)


def _check_seat(seat: int | None, players: int) -> None:
    if seat is not None and not 1 <= seat <= players:
        raise click.UsageError(f"--as {seat}: seats are numbered 1 to {players}")


def _sight(reveal: bool, seat: int | None) -> Sight:
    if reveal and seat is not None:
        raise click.UsageError("--reveal and --as exclude each other")
    return "all" if reveal else seat if seat is not None else "public"


def _run(path: Path, header: Any, seating: Any, clock: Clock, sight: Sight, as_json: bool, quiet: bool) -> None:
    """Play or go on with a game, show it, and say where it is kept."""
    import asyncio

    from tianhei.arena.host import Host

    screen: Screen | None = None
    begun = False

    async def run() -> Host:
        nonlocal screen, begun
        async with seating:
            host = Host(path, header, seating.sitters(), clock=clock)
            begun = True
            if not quiet:
                host.watcher, screen = _watcher(host, sight, as_json)
            await host.play()
            return host

    try:
        host = asyncio.run(run())
    except KeyboardInterrupt:
        raise click.ClickException(f"stopped; go on with: tianhei resume {path}") from None
    except Exception:
        if begun:
            _say(f"The game is kept; go on with: tianhei resume {path}")
        raise
    finally:
        if screen is not None:
            screen.close()
    if quiet or as_json:
        click.echo(str(path), err=as_json)
    elif screen is not None:
        screen.closing(host.header, path)


def _watcher(host: Host, sight: Sight, as_json: bool) -> tuple[Watcher, Screen | None]:
    if as_json:
        return _JsonLines(sight), None
    from tianhei.arena.screen import Screen, console_for

    screen = Screen(host.header, console_for(), sight=sight)
    screen.open()
    screen.show(host.past)
    return screen, screen


class _JsonLines:
    """Prints the events that may be seen, one JSON object a line."""

    def __init__(self, sight: Sight) -> None:
        self._sight: Sight = sight

    def asked(self, requests: Any, views: Any) -> None:
        """Says nothing."""

    def told(self, wave: Any, views: Any) -> None:
        self.show(wave.events)

    def show(self, events: Iterable[Any]) -> None:
        from tianhei.arena.screen import sees

        for event in events:
            if sees(self._sight, event):
                click.echo(json.dumps(event.to_json(), ensure_ascii=False))


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
    _check_seat(seat, len(header.seats))
    lang: Lang = "zh" if header.lang == "zh" else "en"
    _run(path, None, Seating(plans_of(header, path), lang, _say), SystemClock(), _sight(reveal, seat), as_json, quiet)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@_clear_errors
def show(path: Path, reveal: bool, seat: int | None, as_json: bool, lang: Lang | None) -> None:
    """Print a game from its transcript, as far as it has come."""
    _show(path, _sight(reveal, seat), as_json, lang)


def _show(path: Path, sight: Sight, as_json: bool, lang: Lang | None) -> Recording:
    from tianhei.arena.screen import Screen, console_for
    from tianhei.transcripts.game import load

    recorded = load(path)
    _check_seat(sight if isinstance(sight, int) else None, len(recorded.header.seats))
    if as_json:
        _JsonLines(sight).show(recorded.events)
        return recorded
    screen = Screen(recorded.header, console_for(), sight=sight, lang=lang)
    screen.open()
    screen.show(recorded.events)
    screen.closing(recorded.header, path)
    return recorded


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

    sight = _sight(reveal, seat)
    recorded = load(path)
    _check_seat(seat, len(recorded.header.seats))
    screen = Screen(recorded.header, console_for(), sight=sight, lang=lang)
    shown: Any = _JsonLines(sight) if as_json else screen
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
    from tianhei.arena.rules.options import options
    from tianhei.arena.rules.setups import written
    from tianhei.prompts.rulebook import rule_text

    found, usual = _rules(game, changes)
    if list_options:
        for info in options(found.game):
            value = json.dumps(getattr(found, info.name))
            click.echo(f"{info.name} = {value}    ({info.describe()}; {info.about}; {info.ruling})")
        return
    players = size if size is not None else usual
    counts = written(found, players)[0] if players is not None else None
    click.echo(rule_text(found, lang or _lang(), counts))
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

    found = add(name_or_path, name=name, report=_say)
    click.echo(f"{found.name}: {found.path}")


@model.command("path")
@click.argument("name", required=False)
@_clear_errors
def model_path(name: str | None) -> None:
    """Print where a model's weights are; without a name, the folder of all."""
    from tianhei.agents.embedded import find, models_folder

    click.echo(str(find(name).path if name else models_folder()))
