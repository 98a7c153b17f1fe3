"""Playing a transcript's script again over its recorded replies: for resume, and to verify that the game was so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tianhei.arena.referee import Differs, Referee, Wave, replay
from tianhei.arena.view import Views
from tianhei.transcripts.file import Damaged, read, to_bytes
from tianhei.transcripts.game import RecordedReply, Recording, events_to_json, recording


def rebuild(recorded: Recording) -> tuple[Referee, Views]:
    """The referee and the views as they stood after the last recorded wave.

    Differs, naming the first difference, where the script no longer comes to the recorded events.
    """
    header = recorded.header
    referee = header.referee()
    views = Views(header.rules, header.counts, header.seed)
    opening = [referee.waves[0]] if recorded.waves else []
    waves = chain(opening, replay(referee, (wave.answers for wave in recorded.waves[1:])))
    for number, (wave, was) in enumerate(zip(waves, recorded.waves, strict=True)):
        events = events_to_json(wave)
        if to_bytes(events) != to_bytes(was.raw_events):
            raise Differs(f"{recorded.path}: wave {number}: {_first_difference(events, was.raw_events)}")
        views.add(wave.events)
    return referee, views


def played_again(referee: Referee, replies: Iterable[Mapping[str, RecordedReply]]) -> Iterator[Wave]:
    """The waves that these replies come to under a new referee, the first, which has none, included.

    Differs where one does not fit.
    """
    later = ({name: reply.answer for name, reply in each.items()} for each in islice(replies, 1, None))
    return chain(referee.waves[:1], replay(referee, later))


def verified(path: Path | str) -> str:
    """Check a transcript's bytes and run its script again; what it holds, in a few words.

    Damaged, TranscriptError or Differs say what is wrong.
    """
    contents = read(path)
    if contents.tail or contents.lacks_newline:
        what = f"it is torn after {len(contents.tail)} bytes" if contents.tail else "it is torn: its newline is missing"
        raise Damaged(path, len(contents.lines) - (not contents.tail), f"{what}; resume repairs it")
    recorded = recording(contents, path)
    waves = f"{len(recorded.waves)} waves"
    if source := recorded.header.source:
        events = f"{len(recorded.events)} events in {waves}"
        return f"sound, {events}, imported from {source}; not our rules, so not played again"
    referee, _ = rebuild(recorded)
    if referee.outcome is None or recorded.end is None:
        return f"sound, unfinished after {waves}"
    return f"sound, {referee.outcome.winner} by {referee.outcome.reason} after {waves}"


def _first_difference(now: Sequence[Any], was: Sequence[Any]) -> str:
    for place in range(max(len(now), len(was))):
        new = to_bytes(now[place]).decode() if place < len(now) else "nothing"
        old = to_bytes(was[place]).decode() if place < len(was) else "nothing"
        if new != old:
            return f"event {place} is {new} now, and was {old}; the rules or the file were changed since"
    return "they differ"
