"""The command ``tianhei claims``: who claimed what, in which words, and whether it was true."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tianhei.arena.commands.running import clear_errors, say

if TYPE_CHECKING:
    from rich.console import Console

    from tianhei.arena.judging import Opinion
    from tianhei.prompts.vocabulary import Lang, Vocabulary
    from tianhei.transcripts.claims import Entry, Statement
    from tianhei.transcripts.game import Recording

SHOWN = 40
"""Letters of the words of a claim that a table shows."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "source", type=click.Choice(("declared", "extracted")),
              help="Only claims that speakers declared, or only those read from words. Default: both.")  # fmt: skip
@click.option("--judge", metavar="MODEL", help="Have a model read the speeches too: PROVIDER/MODEL or MODEL@URL.")
@click.option("-l", "--lang", type=click.Choice(("en", "zh")), help="Language of the table. Default: the game's.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each claim and statement.")
@clear_errors
def claims(paths: tuple[Path, ...], source: str | None, judge: str | None, lang: Lang | None, as_json: bool) -> None:
    """The claims of these games: who said what when, in which words, and was it a lie.

    docs/claims.md says what counts as a claim, a lie and a mistake, and how well the words are read.
    """
    from tianhei.transcripts.claims import ledger, statements
    from tianhei.transcripts.file import files_of
    from tianhei.transcripts.game import load

    for path in files_of(paths):
        recorded = load(path)
        entries = [entry for entry in ledger(recorded) if source in (None, entry.source)]
        told = () if source == "declared" else statements(recorded)
        if as_json:
            for row in (*map(_entry_row, entries), *map(_statement_row, told)):
                click.echo(json.dumps({"game": recorded.header.game, **row}, ensure_ascii=False))
        else:
            _print(recorded, entries, told, lang or _lang(recorded))
        if judge:
            _judge(recorded, judge, lang or _lang(recorded), as_json=as_json)


def _lang(recorded: Recording) -> Lang:
    return "zh" if recorded.header.lang == "zh" else "en"


def _judge(recorded: Recording, judge: str, lang: Lang, *, as_json: bool) -> None:
    """Have a model read the speeches, and print what it finds."""
    import asyncio

    from tianhei.agents.roster import SpecError, parse_spec
    from tianhei.arena.judging import Tab, opinions, speeches_of
    from tianhei.arena.pool import Endpoints

    plan, tab = parse_spec(judge), Tab()
    if not plan.is_model:
        raise SpecError(f"{judge}: no language model; name PROVIDER/MODEL, MODEL@URL or local")

    async def ask() -> list[Opinion]:
        async with Endpoints(say) as endpoints:
            return await opinions(endpoints.of(plan), speeches_of(recorded), lang, tab)

    found = asyncio.run(ask())
    if as_json:
        for row in (row for opinion in found for row in opinion.rows()):
            click.echo(json.dumps({"game": recorded.header.game, "judge": judge, **row}, ensure_ascii=False))
    else:
        _print_opinions(recorded, found, judge, tab.calls, lang)


def _print_opinions(recorded: Recording, found: Sequence[Opinion], judge: str, calls: int, lang: Lang) -> None:
    from rich.text import Text

    from tianhei.arena.screen import console_for
    from tianhei.prompts.vocabulary import Vocabulary, texts_of
    from tianhei.transcripts.claims.ledger import plain

    said, vocabulary, console = texts_of(lang, "claims"), Vocabulary(lang), console_for()
    faults, events = sum(bool(opinion.fault) for opinion in found), recorded.events
    console.print(Text(said["judge.heading"].format(model=judge, calls=calls, faults=faults), "bold"))
    for opinion in found:
        marks = [vocabulary.claim(plain(claim, opinion.seat), opinion.seat) for claim in opinion.claims]
        marks += [said[f"judge.{name}"] for name, holds in opinion.labels.items() if holds]
        if marks:
            seat = {"day": events[opinion.event].day, "seat": vocabulary.seat(opinion.seat)}
            console.print(Text(said["judge.line"].format(labels=vocabulary.listed(marks), **seat)))


def _entry_row(entry: Entry) -> dict[str, Any]:
    return {
        "event": entry.event, "day": entry.day, "phase": entry.phase, "seat": entry.seat, "source": entry.source,
        **{name: value for name, value in entry.claim.to_json().items() if name != "seat"}, "about": entry.claim.seat,
        "start": entry.start, "end": entry.end,
        "truth": entry.truth, "lie_type": entry.lie_type, "checkable": entry.checkable,
    }  # fmt: skip


def _statement_row(statement: Statement) -> dict[str, Any]:
    what, by, about = statement.stated
    return {
        "event": statement.event, "day": statement.day, "seat": statement.seat, "source": "extracted",
        "record": what, "by": by or None, "about": about, "start": statement.start, "end": statement.end,
        "true": statement.true,
    }  # fmt: skip


def _print(recorded: Recording, entries: Sequence[Entry], told: Sequence[Statement], lang: Lang) -> None:
    """One game as a table, then what was kept back, and what was said wrongly of the public record."""
    from rich.text import Text

    from tianhei.arena.screen import console_for
    from tianhei.prompts.vocabulary import Vocabulary, texts_of
    from tianhei.transcripts.claims import withheld

    said, vocabulary, console = texts_of(lang, "claims"), Vocabulary(lang), console_for()
    console.print(Text(said["title"].format(path=recorded.path, game=recorded.header.rules_name), "bold"))
    if not entries:
        console.print(Text(said["none"]))
    else:
        _print_entries(console, recorded, entries, said, vocabulary)
    for kept in withheld(recorded):
        seats = {"seat": vocabulary.seat(kept.seat), "about": vocabulary.seat(kept.about)}
        console.print(Text(said["withheld"].format(day=kept.day, night=kept.night, **seats)))
    if checked := [statement for statement in told if statement.true is not None]:
        true = sum(statement.true is True for statement in checked)
        console.print(Text(said["statements"].format(count=len(checked), true=true)))
        events = recorded.events
        for one in checked:
            if not one.true:
                text = _words(events[one.event].body, one.start, one.end)
                console.print(Text(said["wrong"].format(day=one.day, seat=vocabulary.seat(one.seat), text=text), "dim"))
    console.print()


def _print_entries(
    console: Console, recorded: Recording, entries: Sequence[Entry], said: Mapping[str, str], vocabulary: Vocabulary
) -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from tianhei.transcripts.claims.ledger import plain

    grid = Grid(box=None, padding=(0, 1), header_style="bold")
    for name in ("day", "seat", "said", "verdict", "source", "words"):
        grid.add_column(said[name], overflow="fold")
    events = recorded.events
    alike: dict[tuple[int, str, str], list[Entry]] = {}
    for entry in entries:
        claim = vocabulary.claim(plain(entry.claim, entry.seat), entry.seat)
        alike.setdefault((entry.event, claim, " · ".join(_verdict(entry, said))), []).append(entry)
    for (_, claim, verdict), same in alike.items():
        entry, sources = same[0], {one.source for one in same}
        words = next(
            (_words(events[one.event].body, one.start, one.end or 0) for one in same if one.start is not None), ""
        )
        grid.add_row(
            str(entry.day), vocabulary.seat(entry.seat), Text(claim),
            Text(verdict, "red" if entry.truth == "lie" else ""), said["both" if len(sources) == 2 else entry.source],
            Text(words, "dim"),
        )  # fmt: skip
    console.print(grid)
    console.print(Text(said["sources"], "dim"))


def _verdict(entry: Entry, said: Mapping[str, str]) -> Iterator[str]:
    if entry.truth:
        yield said[f"truth.{entry.truth}"]
    if entry.lie_type:
        yield said[f"lie.{entry.lie_type}"]


def _words(body: Any, start: int, end: int) -> str:
    """The words of a claim, as far as a table has room."""
    text = " ".join(str(body.text)[start:end].split()).strip(" ，。,.;；")
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
