"""Playing a game from the command line: shows it while it runs, and says where it is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

if TYPE_CHECKING:
    from tianhei.agents.roster import SeatPlan
    from tianhei.arena.host import Clock, Host, Watcher
    from tianhei.arena.person import Person
    from tianhei.arena.roles import Seat
    from tianhei.arena.screen import Screen, Sight
    from tianhei.arena.seating import Seating
    from tianhei.prompts.vocabulary import Lang, Theme
    from tianhei.transcripts.header import Header


P = ParamSpec("P")


def clear_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that a user can mend into one clear line."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from tianhei.agents.embedded import ModelError
        from tianhei.agents.roster import SpecError
        from tianhei.arena.budget import BudgetError
        from tianhei.arena.calls import EndpointDown, OutOfBudget
        from tianhei.arena.guard import Leak
        from tianhei.arena.host import PlayerFailed
        from tianhei.arena.probing import ProbeError
        from tianhei.arena.referee import Differs
        from tianhei.arena.rules.options import RulesError
        from tianhei.arena.tournament.plan import PlanError
        from tianhei.prompts.pack import PackError
        from tianhei.transcripts.file import TranscriptError

        try:
            command(*args, **kwargs)
        except (
            TranscriptError,
            RulesError,
            SpecError,
            PackError,
            PlanError,
            ProbeError,
            ModelError,
            BudgetError,
            EndpointDown,
            Leak,
            OutOfBudget,
            PlayerFailed,
            Differs,
        ) as error:
            raise click.ClickException(str(error)) from None
        except BrokenPipeError:
            sys.stderr.close()

    return run


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


@dataclass(frozen=True, slots=True)
class Look:
    """How a game is shown while it is played."""

    sight: Sight
    as_json: bool = False
    quiet: bool = False


def run_game(
    path: Path,
    header: Callable[[Seating], Header | None],
    plans: Mapping[Seat, SeatPlan],
    lang: Lang,
    theme: Theme,
    clock: Clock,
    look: Look,
    budget: str | None = None,
) -> None:
    """Play or go on with a game, show it, and say where it is kept and what it used."""
    import asyncio

    from tianhei.arena.budget import read_budget
    from tianhei.arena.host import Host
    from tianhei.arena.pool import Endpoints
    from tianhei.arena.seating import Seating
    from tianhei.transcripts.game import load

    budgets = [read_budget(budget)] if budget else []
    people = {seat for seat, found in plans.items() if found.kind == "human"}
    if people and look.sight != "public" and look.sight not in people:
        raise click.UsageError("a person plays at this table: it is shown as that seat may see it, not otherwise")

    screen: Screen | None = None
    begun = False

    async def run() -> None:
        nonlocal screen, begun
        async with Endpoints(say) as endpoints:
            seating = Seating(plans, lang, endpoints, theme)
            if (begins := header(seating)) is not None:
                seating.check(begins.rules)
            host = Host(path, begins, seating.sitters(), clock=clock, budgets=budgets)
            begun = True
            if not look.quiet:
                host.watcher, screen = _watcher(host, look, seating.people())
            await host.play()

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        if screen is not None:
            screen.close()
            say(screen.say("unfinished", path=path))
        else:
            say(f"The game is kept; go on with: tianhei resume {path}")
        raise click.exceptions.Exit(130) from None
    except Exception:
        if begun:
            say(f"The game is kept; go on with: tianhei resume {path}")
        raise
    finally:
        if screen is not None:
            screen.close()
    if look.quiet or look.as_json:
        click.echo(str(path), err=look.as_json)
    elif screen is not None:
        screen.closing(load(path))


def dry_game(header: Callable[[Seating], Header], plans: Mapping[Seat, SeatPlan], lang: Lang, theme: Theme) -> None:
    """Print what the models of a game would use."""
    from tianhei.arena.estimate import estimate
    from tianhei.arena.pool import Endpoints
    from tianhei.arena.seating import Seating
    from tianhei.arena.tallies import estimate_table

    seating = Seating(plans, lang, Endpoints(say), theme)
    estimate_table(estimate(header(seating), seating.packs(), plans))


def _watcher(host: Host, look: Look, people: Sequence[Person]) -> tuple[Watcher, Screen | None]:
    if look.as_json:
        return JsonLines(look.sight), None
    from tianhei.arena.person import Reading
    from tianhei.arena.screen import Screen, console_for

    screen = Screen(host.header, console_for(), sight=look.sight)
    screen.open()
    screen.show(host.past)
    for person in people:
        person.screen = screen
    return (Reading(screen) if people and sys.stdin.isatty() else screen), screen


class JsonLines:
    """Prints the events that may be seen, one JSON object a line."""

    def __init__(self, sight: Sight) -> None:
        self._sight: Sight = sight

    def asked(self, requests: Any, views: Any) -> None:
        """Says nothing."""

    def told(self, wave: Any, views: Any) -> None:
        self.show(wave.events)

    def failed(self, seat: Any, tried: Any) -> None:
        """Says nothing: what failed stands in the transcript."""

    def show(self, events: Iterable[Any]) -> None:
        from tianhei.arena.screen import harmless, sees

        for event in events:
            if sees(self._sight, event):
                text = json.dumps(event.to_json(), ensure_ascii=False)
                click.echo(text if text == harmless(text) else json.dumps(event.to_json()))
