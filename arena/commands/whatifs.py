"""The commands ``fork`` and ``review``: what a change would have been worth, and where a game was lost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from tianhei.arena.whatif.arms import Arms, Change, Ended
    from tianhei.arena.whatif.rollouts import Kind
    from tianhei.arena.whatif.swing import Swing
    from tianhei.prompts.vocabulary import Lang
    from tianhei.transcripts.fork import Parent

LANGS = click.Choice(("en", "zh"))


@click.command()
@click.argument("path", metavar="GAME", type=click.Path(path_type=Path))
@click.option("--at", "where", metavar="CUT", help="Where to cut: d2, n2.kill1, d2.vote1, or a request's id.")
@click.option("--seat", "seats", metavar="N=PLAYER", multiple=True, help="Who sits in seat N from the cut on.")
@click.option("--delete", "deleted", metavar="WORDS", help="What is not said: a request's id, an event's number, 3@d1.")
@click.option("--repeat", type=click.IntRange(1, 999), default=20, show_default=True, help="Games of each arm.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder of the games. Default: a new one in runs/.")
@click.option("--budget", metavar="AMOUNT", help="What all games may spend on models: 2.50 or '500k tokens'.")
@click.option("-l", "--lang", type=LANGS, help="Language of the report. Default: the game's.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@clear_errors
def fork(
    path: Path,
    where: str | None,
    seats: tuple[str, ...],
    deleted: str | None,
    repeat: int,
    out: Path | None,
    budget: str | None,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """Play a game on from a cut with another mind in a seat, or without something that was said.

    Beside it the game is played on unchanged from the same cut, as many times, and the paired difference is told.
    """
    import asyncio

    from tianhei.arena.budget import read_budget
    from tianhei.arena.host import SystemClock
    from tianhei.arena.pool import Endpoints
    from tianhei.arena.whatif.arms import Arms
    from tianhei.arena.whatif.swing import swing
    from tianhei.transcripts.fork import Parent

    parent = Parent(path)
    change, name = _change(parent, where, seats, deleted)
    clock = SystemClock()
    folder = out or Path("runs") / f"{clock.stamp()[:19].replace(':', '')}-{path.stem}-{name}"
    arms = Arms(parent, change, folder, repeat)
    budgets = [read_budget(budget)] if budget else []

    async def play() -> Mapping[Any, list[Ended]]:
        async with Endpoints(say) as endpoints:
            return await arms.play(endpoints, clock, budgets)

    ended = asyncio.run(play())
    found = swing([game.winner for game in ended["changed"]], [game.winner for game in ended["unchanged"]])
    if as_json:
        click.echo(json.dumps(_figures(arms, ended, found), indent=2, ensure_ascii=False))
    else:
        _show(arms, name, ended, found, lang)


def _change(parent: Parent, where: str | None, seats: Sequence[str], deleted: str | None) -> tuple[Change, str]:
    """What is asked for, and its short name."""
    from tianhei.arena.choosing import named_seats
    from tianhei.arena.whatif.arms import Change

    if deleted is not None:
        if where or seats:
            raise click.UsageError("--delete says by itself where the game is cut; leave --at and --seat out")
        words = parent.words(deleted)
        return Change(words.wave + 1, {}, words), f"without-{words.request}"
    if where is None or not seats:
        raise click.UsageError("say where to cut with --at and who sits there then with --seat, or use --delete")
    chosen = named_seats(seats, len(parent.recorded.header.seats))
    return Change(parent.cut(where).wave, chosen), where


def _figures(arms: Arms, ended: Mapping[Any, Sequence[Ended]], found: Swing) -> dict[str, Any]:
    games = {
        arm: [{"path": str(game.path), "winner": game.winner, "days": game.days} for game in of]
        for arm, of in ended.items()
    }
    return {
        "parent": arms.parent.recorded.header.game,
        "waves": arms.change.waves,
        "seats": {str(seat): plan.player for seat, plan in arms.change.seats.items()},
        "deleted": arms.change.deleted.request if arms.change.deleted else None,
        "swing": found.to_json(),
        "arms": games,
    }


def _show(arms: Arms, name: str, ended: Mapping[Any, Sequence[Ended]], found: Swing, lang: Lang | None) -> None:
    """Print both arms and the swing."""
    from tianhei.arena.whatif.showing import show_swing

    header = arms.parent.recorded.header
    show_swing(arms, name, ended, found, lang or ("zh" if header.lang == "zh" else "en"))


@click.command()
@click.argument("path", metavar="GAME", type=click.Path(path_type=Path))
@click.option("--games", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Games from each moment.")
@click.option(
    "--by",
    "kind",
    type=click.Choice(("uninformed", "scripted")),
    default="uninformed",
    show_default=True,
    help="Who plays on from each moment: players who learn nothing, or scripted ones who hear and see.",
)
@click.option("-l", "--lang", type=LANGS, help="Language of the report. Default: the game's.")
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
@clear_errors
def review(path: Path, games: int, kind: Kind, lang: Lang | None, as_json: bool) -> None:
    """Look back on a game: its chances over time, the choices that threw most away, and words against deeds.

    It plays many games on from every moment, which takes from seconds to a few minutes. A game that was played
    elsewhere cannot be played on: of it only words against deeds are shown.
    """
    from tianhei.arena.whatif.review import review as review_of
    from tianhei.arena.whatif.reviewing import Board, Turns
    from tianhei.arena.whatif.rollouts import Rollouts
    from tianhei.arena.whatif.turns import told_turns, turns
    from tianhei.transcripts.fork import Parent
    from tianhei.transcripts.game import load

    recorded = load(path)
    if recorded.header.source:
        elsewhere = told_turns(recorded)
        if as_json:
            only = {"game": recorded.header.game, "rollouts": None, "turns": [turn.to_json() for turn in elsewhere]}
            click.echo(json.dumps(only, indent=2, ensure_ascii=False))
        else:
            Turns(recorded.header, lang or ("zh" if recorded.header.lang == "zh" else "en")).foreign(elsewhere)
        return
    parent = Parent(path)
    rollouts = Rollouts(parent, games, kind)
    found, told = review_of(parent, rollouts), turns(parent)
    if as_json:
        data = {"game": parent.recorded.header.game, "rollouts": {"by": kind, "games": games}, **found.to_json()}
        click.echo(json.dumps({**data, "turns": [turn.to_json() for turn in told]}, indent=2, ensure_ascii=False))
        return
    header = parent.recorded.header
    Board(parent, rollouts, lang or ("zh" if header.lang == "zh" else "en")).show(found, told)
