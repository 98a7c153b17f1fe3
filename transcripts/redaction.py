"""A game without its private words and its names: still whole, still run by the rules to the same end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tianhei.arena.requests import Answer
from tianhei.arena.roles import Seat
from tianhei.arena.rules.council import TEAM_OF
from tianhei.transcripts.file import TranscriptError, chain
from tianhei.transcripts.game import RecordedReply, Recording, load, wave_to_json
from tianhei.transcripts.header import Header
from tianhei.transcripts.replay import played_again

SEATS: Mapping[str, str] = {"en": "Player {seat}", "zh": "{seat}号"}
"""What stands in a speech where it named somebody."""
_KEPT_NOTES = ("takeover", "hand-back", "stand-in")


def redacted(path: Path | str) -> Iterator[bytes]:
    """The lines of a copy: no names, thoughts, notes, councils' words, prompts or models' own words.

    What was said in public stays, with names in it turned into seats. TranscriptError where that comes to another game.
    """
    return chain(_lines(load(path)))


def _lines(recorded: Recording) -> Iterator[tuple[str, Mapping[str, Any]]]:
    names = {spec.name: seat for seat, spec in enumerate(recorded.header.seats, start=1) if spec.name}
    header = replace(recorded.header, seats=tuple(replace(spec, name="") for spec in recorded.header.seats))
    yield "header", header.to_json()
    referee = header.referee()
    replies = [{name: _reply(reply, header, names) for name, reply in wave.replies.items()} for wave in recorded.waves]
    for number, (given, wave) in enumerate(zip(replies, played_again(referee, replies), strict=False)):
        yield "wave", wave_to_json(number, wave, given)
    for note in recorded.notes:
        if note["note"] in _KEPT_NOTES:
            yield "note", {name: note[name] for name in ("t", "note", "seat", "request") if name in note}
    if recorded.end is not None:
        if referee.outcome is None or referee.outcome.winner != recorded.end["winner"]:
            raise TranscriptError(f"{recorded.path}: without its private words it would not come to the same end")
        yield "end", recorded.end
    yield "note", {"note": "redacted"}


def _reply(reply: RecordedReply, header: Header, names: Mapping[str, Seat]) -> RecordedReply:
    """The same choice, with no private word and no name."""
    is_council = reply.request.partition(".")[2].startswith(tuple(TEAM_OF))
    text = "" if is_council else without_names(reply.answer.text, names, header.lang)
    answer: Answer = reply.answer._replace(text=text, note=None)
    return replace(reply, answer=answer, thought="")


def without_names(text: str, names: Mapping[str, Seat], lang: str) -> str:
    """A text with seats in the place of names, whole words where the name is written in letters with gaps between."""
    if not names:
        return text
    pattern = "|".join(
        rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
        for name in sorted(names, key=len, reverse=True)
    )
    seats = {name.casefold(): seat for name, seat in names.items()}
    wording = SEATS.get(lang, SEATS["en"])
    return re.sub(pattern, lambda found: wording.format(seat=seats[found[0].casefold()]), text, flags=re.I)
