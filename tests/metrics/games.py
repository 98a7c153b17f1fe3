"""Whole games as tables: of scripted players, and of strange ones, with beliefs drawn by lot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tianhei.agents.roster import parse_spec, scripted_player
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import Tables, concat
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec


@cache
def played(rules: str, number: int, *, sides: Sequence[str] = ("scripted", "scripted"), start: int = 0) -> Tables:
    """The tables of so many games: who sits as killer and who on the good side, by kinds of players."""
    with TemporaryDirectory() as folder:
        return concat(_game(rules, seed, tuple(sides), Path(folder)) for seed in range(start, start + number))


def _game(name: str, seed: int, sides: tuple[str, ...], folder: Path) -> Tables:
    return tables_of(load(transcript(name, seed, sides, folder)))


def transcript(name: str, seed: int, sides: tuple[str, ...], folder: Path) -> Path:
    """The file of one game, with probes of whoever can be asked."""
    rules, players = read_rules(name)
    counts, _ = written(rules, players or 12)
    deal = Header(rules, counts, seed, "en", ()).dealt().roles
    kinds = [sides[role != "killer"] for role in deal]
    seats = tuple(map(SeatSpec, kinds))
    made = {kind: scripted_player(parse_spec(kind), "en") for kind in set(kinds)}
    path = folder / f"{name} {seed} {' '.join(sides)}.jsonl"
    sitters = {seat: Sitter(made[kind]) for seat, kind in enumerate(kinds, start=1)}
    header = Header(rules, counts, seed, "en", seats, probes=("day", "vote"))
    asyncio.run(Host(path, header, sitters, clock=FixedClock()).play())
    return path


def with_beliefs(tables: Tables, seed: int = 0) -> Tables:
    """The same with a belief, by lot, of every voter about every candidate: twice before each first vote."""
    random, found = Random(seed), concat([tables])
    beliefs = found["beliefs"]
    for values in beliefs.values():
        values.clear()
    votes = tables["votes"]
    for row, stage in enumerate(votes["stage"]):
        if stage != "round":
            continue
        for point in ("day_start", "before_vote"):
            for about in votes["candidates"][row]:
                if about != votes["seat"][row]:
                    told = {"game": votes["game"][row], "seat": votes["seat"][row], "day": votes["day"][row],
                            "point": point, "about": about, "p": random.randrange(101) / 100}  # fmt: skip
                    for column, values in beliefs.items():
                        values.append(told.get(column))
    return found
