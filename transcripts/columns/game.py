"""One transcript to tables: derived from what was recorded, whether the game is finished, void or imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from tianhei.transcripts.columns.aside import beliefs, probes
from tianhei.transcripts.columns.ballots import votes
from tianhei.transcripts.columns.decisions import requests
from tianhei.transcripts.columns.nights import checks, nights
from tianhei.transcripts.columns.schema import TABLES, Tables
from tianhei.transcripts.columns.story import Story
from tianhei.transcripts.columns.words import claims, speeches, statements
from tianhei.transcripts.file import to_bytes
from tianhei.transcripts.game import Recording
from tianhei.transcripts.header import Header

Rows: TypeAlias = Iterator[tuple[Any, ...]]


def tables_of(recording: Recording, **known: Any) -> Tables:
    """All tables of one game; ``known`` are columns of its row in games that its transcript does not tell (`GAMES`)."""
    story = Story(recording)
    found: Tables = {}
    for name, rows in _ROWS.items():
        columns = TABLES[name].names
        values = list(zip(*rows(story), strict=True)) or [()] * len(columns)
        found[name] = {column: list(each) for column, each in zip(columns, values, strict=True)}
    for column, value in known.items():
        found["games"][column] = [value]
    return found


def _games(story: Story) -> Rows:
    recording = story.recording
    header, end = recording.header, recording.end or {}
    last = story.told[-1].event if story.told else None
    void = recording.void
    yield (
        story.game, str(recording.path), header.lang, header.rules_hash,
        None if header.source else json.dumps(header.rules.to_dict()), header.rules_name,
        header.source.format if header.source else "tianhei", len(header.seats), story.killers_among(story.seats),
        None if header.source else str(header.seed), _board(header), None, None,
        None if header.source else header.rules.channel, None if header.source else header.table.theme,
        end.get("winner"), end.get("reason"), end.get("day", last.day if last else None), bool(end),
        void["cause"] if void and not end else None, header.started or None, end.get("t"),
        None if header.source else bool(header.handicaps), (header.parent or {}).get("game"), header.program or None,
    )  # fmt: skip


def _board(header: Header) -> str | None:
    """The cards and the seed, as one word; absent where another's cards were dealt in a way that we do not know."""
    if header.source is not None:
        return None
    deal = [*header.deal] if header.deal else dict(header.counts)
    return sha256(to_bytes([header.rules.game, header.seed, deal, [*header.lots]])).hexdigest()[:12]


def _seats(story: Story) -> Rows:
    died = {death.seat: death for death in story.deaths}
    for seat, spec in enumerate(story.recording.header.seats, start=1):
        params: Mapping[str, Any] = spec.params
        death = died.get(seat)
        variant = params.get("variant", 1 if spec.pack else None)
        yield (
            story.game, seat, story.roles[seat - 1], story.sides[seat - 1], spec.player, spec.model or None,
            spec.endpoint or None, spec.pack or None, spec.pack_hash or None,
            None if variant is None else str(variant), params.get("persona", params.get("personality")),
            spec.handicap or None, spec.name or None, death and death.day, death and death.phase,
            death and death.cause, death is None,
        )  # fmt: skip


def _deaths(story: Story) -> Rows:
    for death in story.deaths:
        yield story.game, death.day, death.phase, death.seat, death.cause, death.revealed


_ROWS: Mapping[str, Callable[[Story], Rows]] = {
    "games": _games, "seats": _seats, "requests": requests, "speeches": speeches, "votes": votes, "deaths": _deaths,
    "nights": nights, "checks": checks, "claims": claims, "statements": statements,
    "probes": probes, "beliefs": beliefs,
}  # fmt: skip
