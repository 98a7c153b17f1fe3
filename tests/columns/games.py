"""Games for the tests of the tables: golden ones, and random ones under random rules, recorded without a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tianhei.transcripts
from players import ByLot, deal_of, play, random_referee
from tianhei.arena.player import Reply
from tianhei.arena.referee import Referee
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import Tables
from tianhei.transcripts.file import from_bytes, to_bytes
from tianhei.transcripts.game import RecordedWave, Recording, events_to_json, load, reply_from_json, reply_to_json
from tianhei.transcripts.header import Header, SeatSpec

GOLDEN = Path(tianhei.transcripts.__file__).parent / "golden"


def golden() -> list[Path]:
    return sorted(GOLDEN.glob("*.jsonl"))


def tables(name: str) -> Tables:
    """The tables of a golden game."""
    return tables_of(load(GOLDEN / f"{name}.jsonl"))


def rows(found: Tables, table: str, *columns: str, **where: Any) -> list[Any]:
    """These columns of the rows that fit; of one column, its values alone."""
    whole = zip(*found[table].values(), strict=True)
    names = list(found[table])
    fitting = [dict(zip(names, row, strict=True)) for row in whole]
    fitting = [row for row in fitting if all(row[name] == value for name, value in where.items())]
    return [row[columns[0]] if len(columns) == 1 else tuple(row[name] for name in columns) for row in fitting]


def random_games(count: int, game: str) -> Iterator[tuple[Referee, Recording]]:
    """Whole games by lot, as the referee knows them and as they would be recorded."""
    for seed in range(count):
        referee = play(random_referee(seed, game), ByLot(seed))
        yield referee, recording_of(referee, seed)


def recording_of(referee: Referee, seed: int) -> Recording:
    """What a transcript of this game would say."""
    roles = deal_of(referee).roles
    header = Header(
        referee.rules, dict(Counter(roles)), seed, "en", (SeatSpec("random"),) * len(roles), deal=roles,
    )  # fmt: skip
    found = Recording(f"random-{seed}", header)
    for wave in referee.waves:
        given = zip(wave.requests, wave.answers, strict=True)
        replies = [reply_from_json(reply_to_json(request, Reply(answer), "bot")) for request, answer in given]
        found.waves.append(
            RecordedWave({reply.request: reply for reply in replies}, from_bytes(to_bytes(events_to_json(wave))))
        )
    if referee.outcome:
        found.end = {"winner": referee.outcome.winner, "reason": referee.outcome.reason, "day": 1}
    return found
