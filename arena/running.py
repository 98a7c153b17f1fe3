"""Playing a game from the command line: shows it while it runs, and says where it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tianhei.arena.host import Clock, Host, Watcher
    from tianhei.arena.screen import Screen, Sight


def say(text: str) -> None:
    """A line for the user beside the output."""
    click.echo(text, err=True)


def check_seat(seat: int | None, players: int) -> None:
    """Refuse a seat that the table does not have."""
    if seat is not None and not 1 <= seat <= players:
        raise click.UsageError(f"--as {seat}: seats are numbered 1 to {players}")


def chosen_sight(reveal: bool, seat: int | None) -> Sight:
    """Whose eyes look on: the table's, the judge's, or one seat's."""
    if reveal and seat is not None:
        raise click.UsageError("--reveal and --as exclude each other")
    return "all" if reveal else seat if seat is not None else "public"


def run_game(path: Path, header: Any, seating: Any, clock: Clock, sight: Sight, as_json: bool, quiet: bool) -> None:
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
            say(f"The game is kept; go on with: tianhei resume {path}")
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
        return JsonLines(sight), None
    from tianhei.arena.screen import Screen, console_for

    screen = Screen(host.header, console_for(), sight=sight)
    screen.open()
    screen.show(host.past)
    return screen, screen


class JsonLines:
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
