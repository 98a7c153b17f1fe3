"""Looking at games: as text, as they are played, as a page; whether they are sound, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tianhei.arena.choosing import usual_lang
from tianhei.arena.commands.options import LANGS, sight_options
from tianhei.arena.commands.running import JsonLines, check_seat, chosen_sight, clear_errors, say

if TYPE_CHECKING:
    from tianhei.prompts.vocabulary import Lang
    from tianhei.transcripts.viewer.frames import Eyes


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@sight_options
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


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@sight_options
@click.option("-l", "--lang", type=LANGS, help="Language of the judge's words. Default: the game's.")
@click.option("--every", type=float, default=0.5, show_default=True, metavar="SECONDS", help="How often to look.")
@click.option(
    "--speed", type=click.FloatRange(0.25, 16), default=1.0, show_default=True, help="Of a game that is over: its pace."
)
@click.option("--day", type=click.IntRange(1), default=1, show_default=True, help="Of one that is over: from this day.")
@clear_errors
def watch(
    path: Path, reveal: bool, seat: int | None, as_json: bool, lang: Lang | None, every: float, speed: float, day: int
) -> None:
    """Follow a game that is being played; play one that is over back, at the pace of reading.

    While a game is played back, space holds it, the right arrow goes to the next line, the down arrow to the next day,
    + and - change the pace, q leaves. Where there is no terminal, all of it is printed at once.
    """
    import time

    from tianhei.arena.screen import Screen, console_for
    from tianhei.transcripts.game import load

    sight = chosen_sight(reveal, seat)
    recorded = load(path)
    check_seat(seat, len(recorded.header.seats))
    over = recorded.end is not None or recorded.void is not None
    console = console_for()
    if over and not as_json and console.is_terminal:
        from tianhei.arena.playback import Keys, Left, Playback

        with Keys() as keys, suppress(Left):
            playback = Playback(recorded.header, console, keys, speed=speed, first_day=day, sight=sight, lang=lang)
            playback.open()
            playback.show(recorded.events)
            playback.closing(recorded)
        return
    screen = Screen(recorded.header, console, sight=sight, lang=lang)
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


@click.command()
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


@click.command("export-html")
@click.argument("path", metavar="GAME", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The page. Default: beside the game, as .html.")
@click.option("--eyes", default="truth", show_default=True, metavar="N|public|truth", help="Whose eyes it is seen by.")
@click.option("--blind", is_flag=True, help="For raters: no players' names, no cards, no verdict.")
@click.option("--no-review", is_flag=True, help="Do not reckon how the chances stood, which takes some seconds.")
@clear_errors
def export_html(path: Path, out: Path | None, eyes: str, blind: bool, no_review: bool) -> None:
    """Write a game as one HTML file, to be opened anywhere without a network.

    A file for --eyes truth can be looked at by any seat's eyes, and hides the truth until one asks for it; one for a
    seat or the public holds nothing else. Once the game is over, the truth tells how the chances stood, too.
    """
    from tianhei.transcripts.game import load
    from tianhei.transcripts.viewer.export import replay_page
    from tianhei.transcripts.viewer.frames import document

    recorded = load(path)
    chosen = _eyes(eyes, len(recorded.header.seats))
    if blind and chosen == "truth":
        chosen = "public"
    shown = document(recorded, chosen, players=not blind, ending=not blind)
    if chosen == "truth" and not no_review:
        shown["chances"] = _chances(path)
    page = replay_page(shown, blind=blind)
    target = out or path.with_suffix(".html")
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}; choose another file with -o") from None
    say(f"{target} ({target.stat().st_size / 1024:.0f} kB)")


def _chances(path: Path) -> dict[str, Any] | None:
    """How the chances of a game stood, for its page; None where that cannot be said."""
    from tianhei.arena.referee import Differs
    from tianhei.arena.whatif.lookback import lookback
    from tianhei.transcripts.file import TranscriptError

    try:
        return lookback(path)
    except (TranscriptError, Differs) as error:
        say(f"The page has no review: {error}")
        return None


def _eyes(text: str, players: int) -> Eyes:
    if text == "public":
        return "public"
    if text == "truth":
        return "truth"
    if text.isascii() and text.isdigit() and 1 <= int(text) <= players:
        return int(text)
    raise click.UsageError(f"--eyes {text}: give a seat from 1 to {players}, public or truth")


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@clear_errors
def cost(paths: tuple[Path, ...], as_json: bool) -> None:
    """What the models of these games used: tokens, money, and how much of it came to answers."""
    from tianhei.arena.costs import Costs, costs_of
    from tianhei.arena.tallies import cost_table
    from tianhei.transcripts.game import load

    by_model: dict[str, Costs] = {}
    imported = False
    for path in paths:
        recorded = load(path)
        imported |= recorded.header.source is not None
        for name, costs in costs_of(recorded).items():
            by_model.setdefault(name, Costs()).add(costs)
    if as_json:
        click.echo(json.dumps({name: costs.to_json() for name, costs in by_model.items()}, indent=2))
    else:
        cost_table(by_model, imported=imported)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--by", type=click.Choice(("player", "role", "game")), default="player", show_default=True,
              help="What figures are kept apart by, besides the player.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--taken-over", is_flag=True, help="Count seats that somebody else took over, too.")
@click.option("-l", "--lang", type=LANGS, help="Language. Default: the environment's.")
@clear_errors
def manners(
    paths: tuple[Path, ...],
    by: Literal["player", "role", "game"],
    as_json: bool,
    taken_over: bool,
    lang: Lang | None,
) -> None:
    """How the players of these games behaved: repetitions, slips, choices by place; each beside its chance."""
    from tianhei.arena.tallies import manners_table, taken_over_note
    from tianhei.transcripts.file import TranscriptError, files_of
    from tianhei.transcripts.game import Recording, load
    from tianhei.transcripts.manners import manners as manners_of
    from tianhei.transcripts.takeovers import seats_taken_over

    taken: list[int] = []

    def readable() -> Iterator[Recording]:
        for path in paths:
            try:
                files = [*files_of([path])]
            except TranscriptError as error:
                click.echo(f"left out: {error}", err=True)
                continue
            for file in files:
                try:
                    recorded = load(file)
                except TranscriptError as error:
                    click.echo(f"left out: {error}", err=True)
                    continue
                taken.append(len(seats_taken_over(recorded)))
                yield recorded

    rows, lang = manners_of(readable(), by, taken_over=taken_over), lang or usual_lang()
    if not taken:
        raise click.ClickException("no transcript that can be read is among these files")
    if not rows:
        raise click.ClickException("somebody else took over every seat of these games; --taken-over counts them")
    note = taken_over_note(sum(taken), lang, kept=taken_over)
    if as_json:
        click.echo(json.dumps([row.to_json() for row in rows], indent=2, ensure_ascii=False))
        click.echo(note, err=True, nl=bool(note))
    else:
        manners_table(rows, lang, note)
