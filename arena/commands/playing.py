"""Playing one game, and going on with one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

import click

from tianhei.arena.choosing import chosen_seats, chosen_seed, chosen_table, usual_lang
from tianhei.arena.commands.options import DEFAULT_GAME, LANGS, budget_option, sight_options
from tianhei.arena.commands.running import Look, check_seat, chosen_sight, clear_errors, dry_game, run_game

if TYPE_CHECKING:
    from tianhei.arena.host import Clock
    from tianhei.arena.seating import Seating
    from tianhei.prompts.vocabulary import Lang, Theme
    from tianhei.transcripts.header import Header

P = ParamSpec("P")


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


@click.command()
@_game_options
@click.option("-l", "--lang", type=LANGS, help="Language of the game. Default: the environment's.")
@click.option("-a", "--all", "everybody", metavar="PLAYER", help="Who sits in every seat not named. Default: local.")
@click.option("--seat", "single", metavar="N=PLAYER", multiple=True, help="Who sits in seat N.")
@click.option("--players", "table", metavar="FILE", help="A TOML file that fills the seats.")
@click.option("-o", "--out", metavar="FILE", help="Where the transcript goes. Default: a new file in runs/.")
@click.option("--deadline", type=float, metavar="SECONDS", help="How long a model may take for one answer.")
@budget_option
@sight_options
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


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@budget_option
@sight_options
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
