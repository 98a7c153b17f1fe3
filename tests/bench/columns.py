"""How fast games become tables and tables figures, and what memory that takes: ``python -m bench.columns [GAMES]``.

Some games are played by scripted players; transcripts and tables of more are copies of theirs under other ids. Each
figure is a ratio to the reading of the same games in the same process; memory is the peak of a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.commands.scoring import rated
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.roles import Role
from tianhei.arena.rules.presets import read_rules
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.gather import BATCH, gather, read_parts, write_parts
from tianhei.transcripts.columns.schema import Tables, concat
from tianhei.transcripts.file import chain, files_of, from_bytes, read
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec, header_from_json
from tianhei.transcripts.metrics.card import Tally
from tianhei.transcripts.metrics.trio import trio

DISTINCT = 24
"""Games that are played; the others are their copies."""
MODELS = 10
"""Who plays in the copies: one as the killers, another as the good side."""
TRANSCRIPTS = (200, 400)
"""How many are turned into tables; the batches are as large, so more take no more memory."""
COUNTS = {Role.POLICE: 2, Role.KILLER: 2, Role.CIVILIAN: 4}


def write_games(folder: Path, games: int) -> None:
    """So many games of scripted players, in folders of a thousand."""
    rules, _ = read_rules("classic-arena")
    sitters = dict.fromkeys(range(1, 9), Sitter(ScriptedPlayer("en")))
    for number in range(games):
        path = folder / f"{number // 1000:03}" / f"{number % 1000:03}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number < DISTINCT:
            header = Header(rules, COUNTS, number, "en", (SeatSpec("scripted"),) * 8)
            asyncio.run(Host(path, header, sitters, clock=FixedClock()).play())
        else:
            _copy(folder / "000" / f"{number % DISTINCT:03}.jsonl", path, f"copy {number}")


def _copy(source: Path, target: Path, started: str) -> None:
    """The same game under another id."""
    lines = read(source).lines
    header = replace(header_from_json(lines[0].data), started=started)
    rest = ((line.kind, line.data) for line in lines[1:])
    target.write_bytes(b"".join(chain(iter([("header", header.to_json()), *rest]))))


def write_tables(games: Path, parts: Path, number: int) -> None:
    """The tables of so many games: copies of those in the folder."""
    files = list(files_of([games]))[:DISTINCT]
    played = [tables_of(load(path)) for path in files]
    for name in played[0]:
        (parts / name).mkdir(parents=True)
    for start in range(0, number, BATCH):
        copies = [_renamed(played[at % DISTINCT], at) for at in range(start, min(start + BATCH, number))]
        write_parts(concat(copies), parts, start // BATCH)


def _renamed(tables: Tables, number: int) -> Tables:
    """The same tables under another id, two copies on a board, and other players for each."""
    found = {name: {**columns, "game": [f"{number:016}"] * len(columns["game"])} for name, columns in tables.items()}
    found["games"]["board"] = [f"{number // 2:012}"]
    killers, town = number % MODELS, (number + 1 + number // MODELS % (MODELS - 1)) % MODELS
    found["seats"]["model"] = [f"model {killers if side == 'killers' else town}" for side in found["seats"]["side"]]
    return found


def tables_share(folder: Path) -> tuple[float, float]:
    """How many times the parsing of their JSON, and the loading of the transcripts, the making of tables takes."""
    spent: dict[str, float] = dict.fromkeys(("json", "loading", "tables"), 0.0)
    files = list(files_of([folder]))[:DISTINCT]
    tables_of(load(files[0]))  # what is made once for all games
    for path in files:
        with timed(spent, "json"):
            for line in path.read_bytes().splitlines():
                from_bytes(line)
        with timed(spent, "loading"):
            recording = load(path)
            recording.events  # noqa: B018 - every event is read
        with timed(spent, "tables"):
            tables_of(recording)
    return spent["tables"] / spent["json"], spent["tables"] / spent["loading"]


def scoring(parts: Path) -> dict[str, float]:
    """Processor seconds for ``reading`` all tables, ``scoring`` them, the ``intervals`` and the ``ratings``."""
    spent: dict[str, float] = dict.fromkeys(("reading", "scoring", "intervals", "ratings"), 0.0)
    tally = Tally()
    batches = read_parts(parts)
    while True:
        with timed(spent, "reading"):
            tables = next(batches, None)
        if tables is None:
            break
        with timed(spent, "scoring"):
            tally.add(tables)
    with timed(spent, "intervals"):
        tally.rows("model")
    with timed(spent, "ratings"):
        rated(tally.games)
        trio(tally.games)
    return spent


@contextmanager
def timed(spent: dict[str, float], name: str) -> Generator[None]:
    """Add the processor's time for what is done within."""
    began = time.process_time()
    yield
    spent[name] += time.process_time() - began


def memory(step: str, folder: Path, games: int) -> float:
    """Megabytes at the peak of a process that takes this step with so many games."""
    command = [sys.executable, "-m", "bench.columns", "--step", step, str(folder), str(games)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def take(step: str, folder: Path, games: int) -> float:
    """One step in this process; its peak of memory in megabytes."""
    with tempfile.TemporaryDirectory() as scratch:
        if step == "gather":
            gather(list(files_of([folder]))[:games], Path(scratch), processes=1)
        else:
            scoring(folder)
    return _peak()


def _peak() -> float:
    """The most memory that this process has had, in megabytes; its parent's is not counted, as getrusage would."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s*(\d+) kB", told)[0]) / 1024


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=2000)
    parser.add_argument("--step", nargs=3)
    chosen = parser.parse_args()
    if chosen.step:
        step, folder, games = chosen.step
        print(take(step, Path(folder), int(games)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder, parts = Path(scratch, "games"), Path(scratch, "parts")
        write_games(folder, max(TRANSCRIPTS))
        to_json, to_loading = tables_share(folder)
        print(
            f"making the tables of a game / parsing its JSON: {to_json:.0f}; / loading it: {to_loading:.1f}", flush=True
        )
        for part in (4, 2, 1):
            games = chosen.games // part
            write_tables(folder, parts / str(part), games)
            spent = scoring(parts / str(part))
            whole = spent["scoring"] + spent["intervals"] + spent["ratings"]
            print(f"{games:,} games: reading their tables {spent['reading']:.2f} s, scoring {spent['scoring']:.2f} s, "
                  f"intervals {spent['intervals']:.2f} s, ratings {spent['ratings']:.2f} s: "
                  f"{spent['scoring'] / spent['reading']:.2f} times the reading, "
                  f"with intervals and ratings {whole / spent['reading']:.2f}; "
                  f"peak of memory {memory('score', parts / str(part), games):.0f} MB", flush=True)  # fmt: skip
        for games in TRANSCRIPTS:
            print(
                f"{games:,} transcripts to tables: peak of memory {memory('gather', folder, games):.0f} MB", flush=True
            )


if __name__ == "__main__":
    main()
