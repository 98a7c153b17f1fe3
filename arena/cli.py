"""The command ``tianhei``. What a command needs is imported when it runs, so that ``--help`` is quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

import click

from tianhei.arena.bench import bench, exam
from tianhei.arena.choosing import chosen_rules, chosen_seats, chosen_seed, chosen_table, usual_lang
from tianhei.arena.claiming import claims
from tianhei.arena.importing import import_games
from tianhei.arena.running import JsonLines, Look, check_seat, chosen_sight, clear_errors, dry_game, run_game, say
from tianhei.arena.scoring import score
from tianhei.arena.serving import answer, redact, serve
from tianhei.arena.studying import export, sql
from tianhei.arena.viewing import export_html
from tianhei.arena.whatifs import fork, review

if TYPE_CHECKING:
    from tianhei.arena.host import Clock
    from tianhei.arena.seating import Seating
    from tianhei.prompts.vocabulary import Lang, Theme

P = ParamSpec("P")
LANGS = click.Choice(("en", "zh"))
DEFAULT_GAME = "classic-arena"


SECTIONS = {
    "Play": {
        "play": "Play one game and keep its transcript.",
        "resume": "Go on with a game that was stopped.",
        "watch": "Follow a game while it is played.",
        "serve": "Serve tables for people and bots, in a browser.",
        "answer": "Make one move at a table, from a terminal.",
        "model": "The models that run inside the program.",
        "doctor": "Probe a model's endpoint before a game relies on it.",
    },
    "Look at a game": {
        "show": "Print a game from its transcript.",
        "verify": "Check that no byte has changed and the rules were kept.",
        "export-html": "Write a game as one page that opens anywhere.",
        "review": "Chances over time, and the choices that cost most.",
        "fork": "Play on from a cut with another mind in a seat.",
        "cost": "What its models used.",
        "redact": "Copy a game without names and private words.",
        "import": "Turn other arenas' games into transcripts.",
    },
    "Study many games": {
        "score": "How well players voted, reasoned, deceived.",
        "claims": "Who said what when, and whether it was so.",
        "manners": "How players behaved at the table.",
        "export": "Write games as tables for other tools.",
        "sql": "Ask games a question in SQL.",
    },
    "Compare players": {
        "bench": "Benchmarks: many games by a plan, and a report.",
        "exam": "Examine a model on the rules and on its form.",
        "check-player": "Examine a player of your own.",
    },
    "The rules": {
        "rules": "Print the rules of a game.",
        "referee": "Answer the referee protocol, for other engines.",
    },
}
"""The commands by what they are for, and each in a line; every command stands in one section."""


class _Sections(click.Group):
    """The command line, its help in sections."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, all in two columns of the same width."""
        width = max(map(len, self.commands))
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), said) for name, said in commands.items()])


@click.group(cls=_Sections, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tianhei", prog_name="tianhei")
def main() -> None:
    """Tianhei 天黑: language models play the Chinese killer game 杀人游戏, and every game is kept.

    A first game, with an embedded model and no key:  tianhei play
    """
    for stream in (sys.stdout, sys.stderr):  # a console that cannot show a letter never stops a game
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


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


_budget_option = click.option(
    "--budget", metavar="AMOUNT", help="What the game may spend on models: 2.50 (US dollars) or '500k tokens'."
)


@main.command()
@_game_options
@click.option("-l", "--lang", type=LANGS, help="Language of the game. Default: the environment's.")
@click.option("-a", "--all", "everybody", metavar="PLAYER", help="Who sits in every seat not named. Default: local.")
@click.option("--seat", "single", metavar="N=PLAYER", multiple=True, help="Who sits in seat N.")
@click.option("--players", "table", metavar="FILE", help="A TOML file that fills the seats.")
@click.option("-o", "--out", metavar="FILE", help="Where the transcript goes. Default: a new file in runs/.")
@click.option("--deadline", type=float, metavar="SECONDS", help="How long a model may take for one answer.")
@_budget_option
@_sight_options
@click.option("-q", "--quiet", is_flag=True, help="Print the transcript's path alone.")
@click.option(
    "--theme",
    type=click.Choice(("plain", "neutral")),
    default="plain",
    show_default=True,
    help="The game's words for models: neutral ones speak of no killing, for endpoints that refuse it.",
)
@click.option("--probes", default="", metavar="POINTS", help="When to ask aside what the seats believe: day,vote.")
@click.option("--dry-run", is_flag=True, help="Say what the models would use, and play nothing.")
@click.option("--fixed-clock", is_flag=True, hidden=True)
@clear_errors
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
    budget: str | None,
    reveal: bool,
    seat: int | None,
    as_json: bool,
    quiet: bool,
    theme: Theme,
    probes: str,
    dry_run: bool,
    fixed_clock: bool,
) -> None:
    """Play one game and keep its transcript.

    PLAYER is local (the embedded model), scripted, random, PROVIDER/MODEL (openai/gpt-5-mini), MODEL@URL for any other
    OpenAI-compatible endpoint, or file.py:Class; settings follow a question mark: openai/gpt-5-mini?effort=low.
    """
    import secrets

    from tianhei.arena.host import FixedClock, SystemClock
    from tianhei.arena.probing import read_points
    from tianhei.arena.seating import program
    from tianhei.transcripts.header import CANARY, LIMITS, Header, TableSettings

    rules, counts = chosen_table(game, changes, size, roles)
    language: Lang = lang or usual_lang()
    plans = chosen_seats(sum(counts.values()), everybody, single, table)
    check_seat(seat, len(plans))
    points = read_points(probes)
    clock: Clock = FixedClock() if fixed_clock else SystemClock()
    started, drawn = clock.stamp(), chosen_seed(seed) if seed is not None else secrets.randbelow(2**31)

    def header(seating: Seating) -> Header:
        return Header(
            rules=rules,
            counts=counts,
            seed=drawn,
            lang=language,
            seats=seating.specs(),
            table=TableSettings(LIMITS[language], deadline, theme=theme),
            started=started,
            program=program(plans.values()),
            canary=CANARY,
            probes=points,
        )

    if dry_run:
        dry_game(header, plans, language, theme)
        return
    path = Path(out) if out else Path("runs") / f"{started[:19].replace(':', '')}-{game}-{secrets.token_hex(4)}.jsonl"
    look = Look(chosen_sight(reveal, seat), as_json, quiet)
    run_game(path, header, plans, language, theme, clock, look, budget)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_budget_option
@_sight_options
@click.option("-q", "--quiet", is_flag=True, help="Print the transcript's path alone.")
@clear_errors
def resume(path: Path, budget: str | None, reveal: bool, seat: int | None, as_json: bool, quiet: bool) -> None:
    """Go on with a game that was stopped, from its transcript; nothing that was answered is asked again."""
    from tianhei.arena.host import SystemClock
    from tianhei.arena.seating import plans_of, theme_of
    from tianhei.transcripts.game import load

    recorded = load(path)
    header = recorded.header
    header.check_ours()
    check_seat(seat, len(header.seats))
    lang: Lang = "zh" if header.lang == "zh" else "en"
    look = Look(chosen_sight(reveal, seat), as_json, quiet)
    theme = theme_of(header)
    run_game(path, lambda seating: None, plans_of(header, path), lang, theme, SystemClock(), look, budget)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@clear_errors
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
    screen.closing(recorded)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@_sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@click.option("--every", type=float, default=0.5, show_default=True, metavar="SECONDS", help="How often to look.")
@clear_errors
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
        if recorded.end is not None or recorded.void is not None:
            break
        time.sleep(every)
        recorded = load(path)
    if not as_json:
        screen.closing(recorded)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@clear_errors
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


@main.command()
def referee() -> None:
    """Answer the referee protocol on standard input and output: JSON lines in, JSON lines out."""
    from tianhei.arena.protocol import serve

    serve()


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@clear_errors
def cost(paths: tuple[Path, ...], as_json: bool) -> None:
    """What the models of these games used: tokens, money, and how much of it came to answers."""
    from tianhei.arena.costs import Costs, costs_of
    from tianhei.arena.tallies import cost_table
    from tianhei.transcripts.game import load

    by_model: dict[str, Costs] = {}
    for path in paths:
        for name, costs in costs_of(load(path)).items():
            by_model.setdefault(name, Costs()).add(costs)
    if as_json:
        click.echo(json.dumps({name: costs.to_json() for name, costs in by_model.items()}, indent=2))
    else:
        cost_table(by_model)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--by", type=click.Choice(("player", "role", "game")), default="player", show_default=True,
              help="What figures are kept apart by, besides the player.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@clear_errors
def manners(paths: tuple[Path, ...], by: Literal["player", "role", "game"], as_json: bool) -> None:
    """How the players of these games behaved: repetitions, slips, choices by place; each beside its chance."""
    from tianhei.arena.tallies import manners_table
    from tianhei.transcripts.file import TranscriptError, files_of
    from tianhei.transcripts.game import Recording, load
    from tianhei.transcripts.manners import manners as manners_of

    def readable() -> Iterator[Recording]:
        for path in paths:
            try:
                files = [*files_of([path])]
            except TranscriptError as error:
                click.echo(f"left out: {error}", err=True)
                continue
            for file in files:
                try:
                    yield load(file)
                except TranscriptError as error:
                    click.echo(f"left out: {error}", err=True)

    rows = manners_of(readable(), by)
    if not rows:
        raise click.ClickException("no transcript that can be read is among these files")
    if as_json:
        click.echo(json.dumps([row.to_json() for row in rows], indent=2, ensure_ascii=False))
    else:
        manners_table(rows)


@main.command()
@click.argument("player")
@click.option("--context", type=click.IntRange(min=1000), default=16_000, show_default=True, metavar="TOKENS",
              help="Up to which length of prompt to probe.")  # fmt: skip
@clear_errors
def doctor(player: str, context: int) -> None:
    """Probe a model before a game relies on it: some 15 small calls, and what will be used.

    PLAYER is as for play: PROVIDER/MODEL, MODEL@URL or local, with its settings after a question mark.
    """
    import asyncio

    from tianhei.agents.roster import SpecError, parse_spec
    from tianhei.arena.doctor import Doctor
    from tianhei.arena.pool import Endpoints

    plan = parse_spec(player)
    if not plan.is_model:
        raise SpecError(f"{player}: no language model sits there; name PROVIDER/MODEL, MODEL@URL or local")

    async def examine() -> bool:
        sound = True
        async with Endpoints(say) as endpoints:
            async for found in Doctor(endpoints.of(plan), context).examine():
                mark = {True: "ok", False: "FAULT", None: "-"}[found.ok]
                click.echo(f"{mark:<6}{found.probe:<18} {found.what}")
                sound = sound and found.ok is not False
        return sound

    if not asyncio.run(examine()):
        raise click.ClickException("this endpoint is not fit to be relied on as it is")


main.add_command(answer)
main.add_command(bench)
main.add_command(claims)
main.add_command(exam)
main.add_command(export)
main.add_command(export_html)
main.add_command(fork)
main.add_command(import_games)
main.add_command(redact)
main.add_command(review)
main.add_command(score)
main.add_command(serve)
main.add_command(sql)


@main.command("check-player")
@click.argument("player")
@clear_errors
def check_player(player: str) -> None:
    """Examine a player: whether it keeps the contract, in many small games of both kinds and languages.

    PLAYER is as for play: file.py:Class or module:Class of your own, a kind that ships, or a model (some 20 calls).
    """
    import asyncio

    from tianhei.agents.roster import parse_spec
    from tianhei.arena.checking import examine

    sound = True
    for found in asyncio.run(examine(parse_spec(player), say)).findings():
        mark = {True: "ok", False: "FAULT", None: "-"}[found.ok]
        click.echo(f"{mark:<6}{found.rule:<15} {found.what}")
        sound = sound and found.ok is not False
    if not sound:
        raise click.ClickException(f"{player} does not keep the players' contract")


@main.group()
def model() -> None:
    """Models that run inside the program."""


@model.command("list")
@clear_errors
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
@clear_errors
def model_add(name_or_path: str, name: str | None) -> None:
    """Add a model: a name of the list, a .gguf file of one's own, or OWNER/REPO:FILE.gguf of the hub."""
    from tianhei.agents.embedded import add

    found = add(name_or_path, name=name, report=say)
    click.echo(f"{found.name}: {found.path}")


@model.command("path")
@click.argument("name", required=False)
@clear_errors
def model_path(name: str | None) -> None:
    """Print where a model's weights are; without a name, the folder of all."""
    from tianhei.agents.embedded import find, models_folder

    click.echo(str(find(name).path if name else models_folder()))
