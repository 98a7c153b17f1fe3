"""The commands of a benchmark: ``tianhei bench plan | run | add | report | protocol``."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from tianhei.arena.tournament.plan import Plan
    from tianhei.arena.tournament.run import Progress

SECONDS_BETWEEN_LINES = 5.0
"""Between two lines of progress where the output is no terminal."""


@click.group()
def bench() -> None:
    """Benchmarks: many games by a plan, and what they say of the players."""


@bench.command("plan")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--no-dry-run", is_flag=True, help="Do not play sample games to size the prompts.")
@clear_errors
def plan_command(file: Path, no_dry_run: bool) -> None:
    """Say what a plan will do: its games, calls, tokens and cost, and what so many games can show."""
    from tianhei.arena.tournament.outline import outline
    from tianhei.arena.tournament.plan import read_plan

    for line in outline(read_plan(file), sized=not no_dry_run):
        click.echo(line)


@bench.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The run's folder. Default: runs/NAME of the plan.")
@click.option("--processes", type=click.IntRange(min=1), help="For games of scripted players. Default: one a core.")
@click.option("--ray", is_flag=False, flag_value="", metavar="[ADDRESS]",
              help="Play on a Ray cluster, or on one started here; all nodes must see the run's folder.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Progress as JSON lines.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@clear_errors
def run_command(
    file: Path, out: Path | None, processes: int | None, ray: str | None, as_json: bool, quiet: bool
) -> None:
    """Play a plan's games; the same command goes on with a run that was stopped.

    FILE is a plan, or the folder of a run.
    """
    from tianhei.arena.tournament.folder import open_run
    from tianhei.arena.tournament.plan import read_plan

    if file.is_dir():
        folder, plan = file, open_run(file, None)
    else:
        folder = out or Path("runs") / _folder_name(read_plan(file).name)
        read_plan(file).refuse_small()
        plan = open_run(folder, file)
    _play(folder, plan, processes, as_json=as_json, quiet=quiet, ray=ray)


@bench.command("report")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True,
                type=click.Path(path_type=Path, exists=True, file_okay=False))  # fmt: skip
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Where to. Default: DIR itself.")
@click.option("--study", is_flag=True, help="Also write how they played: cards, suspicion, claims, votes, lies.")
@click.option("--taken-over", is_flag=True, help="Count games in which somebody else took a seat over, too.")
@clear_errors
def report_command(folders: tuple[Path, ...], out: Path | None, study: bool, taken_over: bool) -> None:
    """Rebuild every table and picture of a run from its transcripts alone.

    Several runs are pooled, where they are of one season and have no board in common; they need --out.
    """
    from tianhei.arena.tournament.folder import open_run
    from tianhei.arena.tournament.report import FILES, leader, write_pooled

    if len(folders) > 1 and (out is None or study):
        raise click.UsageError("--study takes one DIR" if study else "several runs need --out: where to write to")
    runs = [(folder, open_run(folder, None)) for folder in folders]
    first, plan = runs[0]
    target = out or first
    found = write_pooled(runs, target, taken_over=taken_over)
    written = [target / name for name in FILES]
    if study:
        from tianhei.arena.tournament.study_pages import write_study

        written += write_study(first, plan, target, taken_over=taken_over)
    for path in written:
        click.echo(path)
    for folder, of in runs:
        _say_strays(folder, of)
    say(f"{leader(found)}; report: {target / 'report.en.html'}")


@bench.command("protocol")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@clear_errors
def protocol_command(file: Path | None) -> None:
    """Print the minimum protocol of a benchmark that is to be published, and what the plan FILE lacks of it."""
    from tianhei.arena.tournament.minimum import protocol
    from tianhei.arena.tournament.plan import read_plan

    for line in protocol(read_plan(file) if file else None):
        click.echo(line)


@bench.command("add")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("player", metavar="NAME=PLAYER")
@click.option("--processes", type=click.IntRange(min=1), help="For games of scripted players. Default: one a core.")
@click.option("--json", "as_json", is_flag=True, help="Progress as JSON lines.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@clear_errors
def add_command(folder: Path, player: str, processes: int | None, as_json: bool, quiet: bool) -> None:
    """Add a player to a run, and play the games that it lacks."""
    from tianhei.arena.tournament.adding import add_player

    name, equals, spec = player.partition("=")
    if not equals:
        raise click.UsageError(f"{player}: it takes NAME=PLAYER, as in mini=openai/gpt-5-mini")
    _play(folder, add_player(folder, name, spec), processes, as_json=as_json, quiet=quiet)


@click.command("exam")
@click.argument("player", required=False)
@click.option("--questions", "count", type=click.IntRange(min=0), default=60, show_default=True)
@click.option("--probes", type=click.IntRange(min=0), default=100, show_default=True,
              help="Requests of real games, to see how many replies can be used.")  # fmt: skip
@click.option("--seed", default="1", show_default=True, help="What questions and probes follow from.")
@click.option("--write", type=click.Path(path_type=Path), metavar="FILE", help="Write the questions, and ask nobody.")
@click.option("--json", "as_json", is_flag=True, help="Print the marks as JSON.")
@clear_errors
def exam(player: str | None, count: int, probes: int, seed: str, write: Path | None, as_json: bool) -> None:
    """Examine a model: questions on the rules, and whether its replies can be used.

    PLAYER is a model as for play, or random, which answers the questions by lot.
    """
    import asyncio

    from tianhei.agents.roster import SpecError, parse_spec
    from tianhei.arena.examining import CHANCE, LANGS, by_lot, examined, question_file, said
    from tianhei.arena.questions import questions

    asked = list(questions(count, seed, LANGS))
    if write is not None:
        write.write_text("".join(question_file(asked)), encoding="utf-8")
        click.echo(write)
        return
    if player is None:
        raise click.UsageError("name a PLAYER, or a file with --write")
    plan = parse_spec(player)
    if not plan.is_model and player != CHANCE:
        raise SpecError(f"{player}: no language model sits there; name PROVIDER/MODEL, MODEL@URL, local or {CHANCE}")
    marks = by_lot(asked, seed) if player == CHANCE else asyncio.run(examined(plan, asked, probes, seed, say))
    if as_json:
        click.echo(json.dumps({"player": player, "seed": seed, **marks.to_json()}, indent=2))
    else:
        click.echo("\n".join(said(marks)))


def _say_strays(folder: Path, plan: Plan) -> None:
    from tianhei.arena.tournament.folder import GAMES, strays

    if count := strays(folder, plan):
        say(f"{count:,} transcripts in {folder / GAMES} are no games of its plan as it is read now, and are left out")


def _folder_name(name: str) -> str:
    from tianhei.arena.tournament.boards import slug

    return slug(name)


def _play(
    folder: Path, plan: Plan, processes: int | None, *, as_json: bool, quiet: bool, ray: str | None = None
) -> None:
    from tianhei.arena.tournament.board import Board
    from tianhei.arena.tournament.run import Progress, Stopped, run

    _say_strays(folder, plan)
    progress = Progress()
    shown = Lines(progress, as_json=as_json) if as_json or quiet or not say_is_terminal() else Board(plan, progress)
    if not quiet:
        progress.heard = shown.update
    try:
        with shown:
            run(folder, plan, progress, processes, ray=ray)
    except KeyboardInterrupt:
        raise click.ClickException(f"stopped; go on with: tianhei bench run {folder}") from None
    except Stopped as error:
        raise click.ClickException(f"{error}; go on with: tianhei bench run {folder}") from None
    if progress.finished_before == progress.total:
        say(f"nothing to do: all {progress.total:,} games of this run are finished")
    void = f", {progress.void.total():,} are void ({', '.join(progress.void)}): run it again" if progress.void else ""
    done = progress.finished_before + progress.done
    say(f"{done:,} of {progress.total:,} games are finished{void}; report: tianhei bench report {folder}")


def say_is_terminal() -> bool:
    """Whether somebody looks on."""
    import sys

    return sys.stderr.isatty()


class Lines:
    """Progress for logs: a line now and then, on standard error, or JSON on standard output."""

    def __init__(self, progress: Progress, *, as_json: bool) -> None:
        self._progress = progress
        self._json = as_json
        self._start = self._said = time.monotonic()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *exit: object) -> None:
        if self._progress.heard == self.update:
            self._say()

    def update(self) -> None:
        """Something has changed."""
        if time.monotonic() - self._said >= SECONDS_BETWEEN_LINES:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        now = self._progress
        if self._json:
            click.echo(json.dumps({
                "seconds": round(self._said - self._start, 1), "games": now.total,
                "finished": now.finished_before + now.done, "running": now.running, "left": now.left,
                "void": dict(now.void), "faults": dict(now.faults), "waiting": now.waiting,
                "spent": str(now.budget.spent) if now.budget else None,
            }))  # fmt: skip
        else:
            faults = f", {now.faults.total()} requests came to nothing" if now.faults else ""
            say(f"{now.finished_before + now.done:,} of {now.total:,} games, {now.running} running{faults}")
