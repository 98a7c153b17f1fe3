"""The commands of tables for people: serve them, make one move at one, and take the private out of a game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tianhei.arena.choosing import usual_lang
from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from tianhei.agents.roster import SeatPlan
    from tianhei.prompts.vocabulary import Lang

_BOT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]{0,39}")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default="tables")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option("--port", default=8000, show_default=True, help="The port to listen at.")
@click.option("--bot", "bots", metavar="NAME=PLAYER", multiple=True, help="A bot that tables may have, by a name.")
@click.option(
    "--budget", metavar="AMOUNT", help="What one table may spend on models: 2.50 (US dollars) or '500k tokens'."
)
@click.option("--open", "is_open", is_flag=True, help="Let everybody open tables, not only who has the link.")
@click.option("--origin", "origins", multiple=True, metavar="URL", help="An address of the page behind a proxy.")
@clear_errors
def serve(
    folder: Path,
    host: str,
    port: int,
    bots: tuple[str, ...],
    budget: str | None,
    is_open: bool,
    origins: tuple[str, ...],
) -> None:
    """Serve tables at which people and bots play together in the browser; all of it is kept in FOLDER.

    Stop it at any time: when it is started again, every table stands where it stood. There is always the bot
    'scripted'; others are named here, and guests can choose from nothing else.
    """
    from tianhei.arena.budget import read_budget

    try:
        from tianhei.arena.tables.house import House
        from tianhei.arena.tables.server import create_app, run
    except ImportError as error:
        raise click.ClickException(f"{error.name} is missing: pip install 'tianhei[web]'") from None

    allowed = named_bots(bots)
    if budget:
        read_budget(budget)
    else:
        _check_unpaid(allowed, is_open)
    house = House(folder, allowed, budget=(lambda: read_budget(budget)) if budget else None, report=say)
    app = create_app(house, is_open=is_open, origins=origins)
    shown = f"[{host}]" if ":" in host else host
    place = f"http://{shown}:{port}/"
    link = place if is_open else f"{place}#{house.open_token()}"
    if is_open or sys.stderr.isatty():
        say(f"Open a table at  {link}")
    else:  # whatever reads this may keep it, and others may read that
        say(f"Open a table at the link in  {house.store.keep_link(link)}")
    if not is_open:
        say("Whoever has that link can open tables here; players get links of their own.")
    run(app, host, port)


def _check_unpaid(allowed: Mapping[str, SeatPlan], is_open: bool) -> None:
    """Say which bots cost money without an end; refused where everybody may make them."""
    from tianhei.agents.roster import where_is

    paid = ", ".join(name for name, plan in allowed.items() if plan.kind == "endpoint" and where_is(plan)[2])
    if paid and is_open:
        raise click.ClickException(
            f"--open lets everybody spend on {paid}: say what a table may spend at most, as in --budget 0.50"
        )
    if paid:
        say(f"There is no --budget: what a table may spend on {paid} has no limit; set one with --budget 0.50")


def named_bots(items: Iterable[str]) -> dict[str, SeatPlan]:
    """The bots that were named as NAME=PLAYER. SpecError says what fails."""
    from tianhei.agents.roster import SpecError, parse_spec

    found: dict[str, SeatPlan] = {}
    for item in items:
        name, equals, spec = item.partition("=")
        if not equals or not _BOT.fullmatch(name.strip()):
            raise SpecError(f"--bot {item}: it takes NAME=PLAYER, with a name of letters, digits, spaces, . _ or -")
        found[name.strip()] = parse_spec(spec)
        _check(found[name.strip()], item)
    return found


def _check(plan: SeatPlan, item: str) -> None:
    """SpecError where this can be no bot, or not now."""
    from tianhei.agents.roster import SpecError, where_is
    from tianhei.arena.endpoint import key_from_environment

    if plan.kind == "human":
        raise SpecError(f"--bot {item}: a person is no bot; people join by their links")
    if plan.kind == "endpoint" and (key_env := where_is(plan)[2]) and not key_from_environment(key_env):
        raise SpecError(f"--bot {item}: the key is missing; set the environment variable {key_env}")


@click.command()
@click.argument("url", metavar="TABLE_URL")
@click.option("-l", "--lang", type=click.Choice(("en", "zh")), help="Language. Default: the environment's.")
@click.option("--wait", is_flag=True, help="Wait until the seat is asked something.")
@clear_errors
def answer(url: str, lang: Lang | None, wait: bool) -> None:
    """Make one move at a table, by a seat's link: see what happened, answer what is asked, and go."""
    import asyncio

    import httpx2

    from tianhei.arena.person import Person
    from tianhei.arena.screen import console_for, harmless
    from tianhei.arena.tables.calling import move, read_link
    from tianhei.arena.tables.refused import Refused

    console = console_for()
    language: Lang = lang or usual_lang()

    def show(text: str) -> None:
        console.print(harmless(text), markup=False, highlight=False)

    try:
        asyncio.run(move(read_link(url), language, Person(language, console), show, wait=wait))
    except Refused as refused:
        raise click.ClickException(f"{refused} ({refused.name})") from None
    except httpx2.HTTPError as error:
        raise click.ClickException(f"the table cannot be reached: {error}") from None
    except KeyboardInterrupt:
        raise click.ClickException("nothing was answered") from None


@click.command()
@click.argument("path", metavar="GAME", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Where the copy goes.")
@clear_errors
def redact(path: Path, out: Path) -> None:
    """Copy a game without names, private words and prompts; the copy can be read, verified and studied.

    What was said in public stays: read it before you pass it on.
    """
    from tianhei.transcripts.file import TranscriptError
    from tianhei.transcripts.redaction import redacted
    from tianhei.transcripts.replay import verified

    lines = b"".join(redacted(path))
    try:
        with out.open("xb") as file:
            file.write(lines)
    except OSError as error:
        raise TranscriptError(f"{out}: cannot be written: {error.strerror or error}; name a new file") from None
    click.echo(f"{out}: {verified(out)}")
