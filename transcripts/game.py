"""A game's transcript: what its lines mean. The header, the waves with their replies, the calls, the end.

The words of a player stand once, in its reply; an event that repeats them (a speech, a statement, a note) leaves them
out, and reading puts them back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tianhei.arena.events import PUBLIC, Event, event_from_json
from tianhei.arena.player import Reply
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Answer, Illegal, Request, answer_from_json
from tianhei.arena.roles import Seat
from tianhei.transcripts.file import Contents, TranscriptError, read
from tianhei.transcripts.header import Header, header_from_json


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """A reply as it stands in the file: the answer, who gave it (``source``), and the private parts."""

    request: str
    answer: Answer
    source: str
    thought: str = ""
    position: int | None = None
    cut: bool = False


def reply_to_json(request: Request, reply: Reply, source: str) -> dict[str, Any]:
    """A reply's fields for the file."""
    data: dict[str, Any] = {"request": request.id, "answer": reply.answer.to_json(request.kind), "source": source}
    if reply.thought:
        data["thought"] = reply.thought
    if reply.position is not None:
        data["position"] = reply.position
    if reply.cut:
        data["cut"] = True
    return data


def reply_from_json(data: Mapping[str, Any]) -> RecordedReply:
    """Read a reply; TranscriptError if it cannot be one."""
    try:
        answer = answer_from_json(data["answer"])
        return RecordedReply(
            data["request"],
            answer,
            data["source"],
            data.get("thought", ""),
            data.get("position"),
            data.get("cut", False),
        )
    except (KeyError, Illegal) as error:
        raise TranscriptError(f"a reply cannot be read: {error}") from None


def events_to_json(wave: Wave) -> list[dict[str, Any]]:
    """A wave's events for the file: the audience only where it is not everybody, players' words left out."""
    answers = {request.seat: answer for request, answer in zip(wave.requests, wave.answers, strict=True)}
    written = []
    for event in wave.events:
        data = event.to_json()
        if event.audience == PUBLIC:
            del data["audience"]
        if answers:
            _leave_out_words(data, answers)
        written.append(data)
    return written


def wave_to_json(number: int, wave: Wave, replies: Mapping[str, RecordedReply]) -> dict[str, Any]:
    """A closed wave's fields for the file, its replies in seat order."""
    line: dict[str, Any] = {"wave": number}
    if wave.requests:
        given = [(request, replies[request.id]) for request in sorted(wave.requests, key=lambda each: each.seat)]
        line["replies"] = [
            reply_to_json(request, Reply(reply.answer, reply.thought, reply.position, reply.cut), reply.source)
            for request, reply in given
        ]
    return {**line, "events": events_to_json(wave)}


def _leave_out_words(data: dict[str, Any], answers: Mapping[int, Answer]) -> None:
    kind = data["kind"]
    if kind == "note":
        if answers[data["audience"][0]].note == data["text"]:
            del data["text"]
    elif kind in ("speech", "last_words", "stated") and data["by"] in answers:
        if answers[data["by"]].text == data["text"]:
            del data["text"]
        data.pop("claims", None)


def _put_back_words(data: Mapping[str, Any], answers: Mapping[int, Answer]) -> Mapping[str, Any]:
    if "text" in data or data["kind"] not in ("note", "speech", "last_words", "stated"):
        return data
    answer = answers[data["audience"][0] if data["kind"] == "note" else data["by"]]
    if data["kind"] == "note":
        return {**data, "text": answer.note}
    claims = None if answer.claims is None else [claim.to_json() for claim in answer.claims]
    return {**data, "text": answer.text, "claims": claims}


@dataclass(slots=True)
class RecordedWave:
    """A closed wave: its replies by request id, and its events as they stand in the file."""

    replies: dict[str, RecordedReply]
    raw_events: list[dict[str, Any]]

    @property
    def answers(self) -> dict[str, Answer]:
        return {request: reply.answer for request, reply in self.replies.items()}

    @property
    def events(self) -> list[Event]:
        """The events with the players' words put back."""
        answers = {seat_of(request): reply.answer for request, reply in self.replies.items()}
        return [event_from_json(_put_back_words(data, answers)) for data in self.raw_events]


def seat_of(request_id: str) -> int:
    """The seat that a request id ends in."""
    return int(request_id.rsplit(".", 1)[1])


@dataclass(slots=True)
class Recording:
    """A transcript as read: what is known of the game, finished or not.

    ``sent`` are the calls to models as they left, ``done`` what came back by call id, ``failed`` what did not;
    ``tries`` are single requests that came to nothing, ``under_way`` those of which nothing more is known, by call id,
    where a budget was kept. ``probes`` are what seats were asked aside. ``void`` notes that
    the game was stopped, where nothing follows.
    """

    path: Path | str
    header: Header
    waves: list[RecordedWave] = field(default_factory=list)
    open_replies: dict[str, RecordedReply] = field(default_factory=dict)
    open_lines: dict[Seat, int] = field(default_factory=dict)
    sent: list[Mapping[str, Any]] = field(default_factory=list)
    done: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    failed: list[Mapping[str, Any]] = field(default_factory=list)
    tries: list[Mapping[str, Any]] = field(default_factory=list)
    under_way: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: list[Mapping[str, Any]] = field(default_factory=list)
    probes: list[Mapping[str, Any]] = field(default_factory=list)
    end: Mapping[str, Any] | None = None
    void: Mapping[str, Any] | None = None

    @property
    def events(self) -> list[Event]:
        """All events so far, in order."""
        return [event for wave in self.waves for event in wave.events]

    @property
    def accounted(self) -> frozenset[str] | None:
        """Of an imported game, the kinds of requests that it accounts for: whether the seat answered itself is told.

        None of one of ours: all are.
        """
        if self.header.source is None:
            return None
        notes = (note for note in self.notes if note["note"] == "imported")
        return frozenset(kind for note in notes for kind in note.get("accounted", ()))


def load(path: Path | str, wanted: Callable[[bytes], bool] | None = None) -> Recording:
    """Read a transcript. Damaged or TranscriptError say what is wrong with it.

    ``wanted`` is as in `read`: what is recorded then lacks the waves that were not.
    """
    return recording(read(path, wanted), path)


def recording(contents: Contents, path: Path | str) -> Recording:
    """What a transcript's lines say."""
    lines = contents.lines
    if not lines:
        raise TranscriptError(f"{path}: there is nothing in it: its game never started")
    if lines[0].kind != "header":
        raise TranscriptError(f"{path}: it does not begin with a header; it is no transcript of a game")
    found = Recording(path, header_from_json(lines[0].data, path))
    for line in lines[1:]:
        _add(found, line.kind, line.data)
    return found


def _add(found: Recording, kind: str, data: Mapping[str, Any]) -> None:
    found.void = data if kind == "note" and data["note"] == "void" else None
    match kind:
        case "reply":
            reply = reply_from_json(data)
            found.open_replies[reply.request] = reply
            found.open_lines[seat_of(reply.request)] = data["n"]
        case "wave":
            for given in data.get("replies", ()):
                if not isinstance(given, int):
                    reply = reply_from_json(given)
                    found.open_replies[reply.request] = reply
            found.waves.append(RecordedWave(found.open_replies, data["events"]))
            found.open_replies, found.open_lines = {}, {}
        case "call":
            _take_call(found, data)
        case "note":
            found.notes.append(data)
        case "probe":
            found.probes.append(data)
        case "end":
            found.end = data
        case _:
            raise TranscriptError(f"{found.path}: unknown kind of line {kind!r}")


def _take_call(found: Recording, data: Mapping[str, Any]) -> None:
    if "need" in data and "try" not in data:
        found.under_way[data["call"]] = data
        return
    if "done" in data:
        found.done[data["call"]] = data
    elif "failed" in data:
        found.failed.append(data)
    elif "try" in data:
        found.tries.append(data)
    else:
        found.sent.append(data)
        return
    found.under_way.pop(data["call"], None)
