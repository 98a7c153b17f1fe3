"""The command that writes a game as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tianhei.arena.running import clear_errors, say

if TYPE_CHECKING:
    from tianhei.transcripts.viewer.frames import Eyes


@click.command("export-html")
@click.argument("path", metavar="GAME", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The page. Default: beside the game, as .html.")
@click.option("--eyes", default="truth", show_default=True, metavar="N|public|truth", help="Whose eyes it is seen by.")
@click.option("--blind", is_flag=True, help="For raters: no players' names, no cards, no verdict.")
@clear_errors
def export_html(path: Path, out: Path | None, eyes: str, blind: bool) -> None:
    """Write a game as one HTML file, to be opened anywhere without a network.

    A file for --eyes truth can be looked at by any seat's eyes, and hides the truth until one asks for it; one for a
    seat or the public holds nothing else.
    """
    from tianhei.transcripts.game import load
    from tianhei.transcripts.viewer.export import replay_page
    from tianhei.transcripts.viewer.frames import document

    recorded = load(path)
    chosen = _eyes(eyes, len(recorded.header.seats))
    if blind and chosen == "truth":
        chosen = "public"
    page = replay_page(document(recorded, chosen, players=not blind, ending=not blind), blind=blind)
    target = out or path.with_suffix(".html")
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}; choose another file with -o") from None
    say(f"{target} ({target.stat().st_size / 1024:.0f} kB)")


def _eyes(text: str, players: int) -> Eyes:
    if text == "public":
        return "public"
    if text == "truth":
        return "truth"
    if text.isascii() and text.isdigit() and 1 <= int(text) <= players:
        return int(text)
    raise click.UsageError(f"--eyes {text}: give a seat from 1 to {players}, public or truth")
