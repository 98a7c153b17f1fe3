"""Writing another arena's game down as a transcript: the book of its lines, and how its files are read.

Nothing is made up and nothing is lost. What a source does not tell is left out; what ours has no word for becomes a
`Foreign` event under the source's own name; and a field or kind that an importer does not know is kept in the same way
and counted in ``unknown``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Audience,
    Body,
    Event,
    Foreign,
    LastWords,
    Mates,
    Phase,
    RoleDealt,
    Speech,
    Stage,
)
from tianhei.arena.player import Prompt
from tianhei.arena.roles import Role, Seat, Side
from tianhei.transcripts.calls import PublicText, sent_to_json
from tianhei.transcripts.file import TranscriptError, encode, from_bytes
from tianhei.transcripts.header import Header, SeatSpec, Source, imported

_SIDES = {
    "werewolf": "killers", "possessed": "killers", "villager": "good", "seer": "good", "doctor": "good",
    "witch": "good", "hunter": "good", "guard": "good", "bodyguard": "good", "medium": "good",
}  # fmt: skip
"""Whose side a card of the Werewolf games is on. The possessed is no werewolf, and wins with them."""
_KANA, _HAN, _LATIN = (re.compile(each) for each in ("[\u3040-\u30ff]+", "[\u4e00-\u9fff]+", "[A-Za-z]+"))

_ENOUGH = 500
"""Characters by which a language is told."""


class NotRead(TranscriptError):
    """A file that is not what it seemed, or lacks what a game cannot be told without; the message says what."""


class File:
    """A foreign file, read once."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.data = data

    @cached_property
    def json(self) -> Any:
        """Its JSON; None where it is none."""
        try:
            return from_bytes(self.data)
        except ValueError:
            return None

    @cached_property
    def text(self) -> str:
        return self.data.decode("utf-8-sig", "surrogateescape")

    @property
    def object(self) -> Mapping[str, Any]:
        """Its JSON object; an empty one where it is none."""
        return self.json if isinstance(self.json, dict) else {}

    @property
    def sum(self) -> str:
        return sha256(self.data).hexdigest()


class Importer(Protocol):
    """One kind of foreign file: ``sniff`` tells it by its contents, ``read`` writes its game down."""

    KIND: str

    def sniff(self, file: File) -> bool: ...

    def read(self, file: File) -> Imported: ...


@dataclass(slots=True)
class Book:
    """A game as it is written down: its lines in the order in which things happened.

    Replies and events gather until `close` writes them as one wave; calls stand before their wave.
    """

    lines: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    """Fields and kinds that the importer does not know, by name, with how often they came."""
    told: Counter[str] = field(default_factory=Counter)
    """How many events of each kind."""
    _accounted: dict[str, bool] = field(default_factory=dict)
    """By the kind of a request, whether the source would tell of each that the seat did not answer itself."""
    _replies: list[dict[str, Any]] = field(default_factory=list)
    _events: list[dict[str, Any]] = field(default_factory=list)
    _waves: int = 0
    _asked: set[str] = field(default_factory=set)
    _public: PublicText = field(default_factory=PublicText)

    def tell(self, day: int, phase: Phase, body: Body, audience: Audience = PUBLIC) -> None:
        """Something happened, and was told to these."""
        data = Event(day, phase, audience, body).to_json()
        if audience == PUBLIC:
            del data["audience"]
        self._events.append(data)
        self.told[body.kind] += 1

    def deal(self, day: int, players: Sequence[Player]) -> None:
        """Each was told its card, and the werewolves one another; who only helps them knows nobody."""
        for seat, player in enumerate(players, start=1):
            self.tell(day, "deal", RoleDealt(Role.named(player.card), Side.named(player.side)), (seat,))
        if wolves := tuple(seat for seat, player in enumerate(players, start=1) if player.card == "werewolf"):
            self.tell(day, "deal", Mates(wolves), wolves)

    def foreign(self, day: int, phase: Phase, name: str, data: Mapping[str, Any], audience: Audience = JUDGE) -> None:
        """Something that ours has no event for."""
        self.tell(day, phase, Foreign(name, dict(data)), audience)

    def unread(self, day: int, phase: Phase, name: str, data: Mapping[str, Any]) -> None:
        """Fields that the importer does not know: kept as they are, and counted."""
        if data:
            self.unknown.update(f"{name}.{key}" for key in data)
            self.foreign(day, phase, name, data)

    def answer(
        self, when: str, kind: str, seat: Seat, answer: Mapping[str, Any], *, number: int = 1, source: str = "model",
        thought: str = "", accounted: bool = False,
    ) -> str:  # fmt: skip
        """A seat decided something; ``when`` is ``d2`` or ``n2``. The request's id, with the next free number.

        ``accounted``: had the seat given no answer that could be used, the source would say so.
        """
        self._accounted[kind] = accounted and self._accounted.get(kind, True)
        while (request := f"{when}.{kind}{number}.{seat:02}") in self._asked:
            number += 1
        self._asked.add(request)
        reply = {"request": request, "answer": dict(answer), "source": source}
        if thought:
            reply["thought"] = thought
        self._replies.append(reply)
        return request

    def say(
        self, day: int, phase: Phase, seat: Seat, text: str, *, stage: Stage = "round", last_words: int = 0,
        number: int = 1, source: str = "model", thought: str = "", raw: str | None = None, time: float | None = None,
        accounted: bool = False,
    ) -> str:  # fmt: skip
        """A speech, or the ``last_words``-th last words; ``raw`` is what was answered, where that differs from it."""
        self.close()
        kind = "last_words" if last_words else "speech"
        answer = {"text": text if raw is None else raw}
        request = self.answer(
            f"d{day}", kind, seat, answer, number=number, source=source, thought=thought, accounted=accounted
        )
        self.tell(day, phase, LastWords(seat, text, last_words) if last_words else Speech(seat, text, stage))
        if raw is None or raw == text:
            del self._events[-1]["text"]
        self._write(time)
        return request

    def call(self, request: str, prompt: str, done: str, **more: Any) -> None:
        """The call to a model behind an answer; ``more`` is what is known of it: tokens, seconds, cost."""
        call = f"{request}#1"
        self.lines.append(("call", sent_to_json(call, Prompt("", "", prompt), self._public)))
        self.lines.append(("call", {"call": call, "done": done, "finish": "", **more}))

    @property
    def accounted(self) -> list[str]:
        """The kinds of requests of which the source tells each time whether the seat answered itself."""
        return sorted(kind for kind, accounted in self._accounted.items() if accounted)

    def close(self, time: float | None = None) -> None:
        """End a wave, ``time`` seconds after the game's start where that is known."""
        if self._replies or self._events:
            self._write(time)

    def _write(self, time: float | None) -> None:
        wave: dict[str, Any] = {} if time is None else {"t": round(time, 3)}
        wave |= {"wave": self._waves, "replies": self._replies, "events": self._events}
        self.lines.append(("wave", wave))
        self._replies, self._events, self._waves = [], [], self._waves + 1


@dataclass(frozen=True, slots=True)
class Imported:
    """A foreign game, ready to be written. ``end`` is None where the source does not come to one."""

    header: Header
    book: Book
    end: Mapping[str, Any] | None

    def to_bytes(self) -> bytes:
        """The transcript."""
        total, written = 0, []
        for number, (kind, fields) in enumerate(self._lines()):
            raw, total = encode(number, kind, fields, total)
            written.append(raw)
        return b"".join(written)

    def _lines(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        self.book.close()
        yield "header", self.header.to_json()
        unknown = dict(sorted(self.book.unknown.items()))
        yield "note", {"note": "imported", "unknown": unknown, "accounted": self.book.accounted}
        yield from self.book.lines
        if self.end is not None:
            yield "end", self.end


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat in a seat of the source: its card and side, and who it was, as far as that is told."""

    card: str
    side: str
    player: str
    name: str = ""
    model: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


def header_of(
    kind: str, files: Iterable[File], game: str, players: Iterable[Player], *, lang: str, rules: Mapping[str, Any],
    started: str = "",
) -> Header:  # fmt: skip
    """The header of an imported game."""
    seats = tuple(players)
    source = Source(kind, {file.path.name: file.sum for file in files}, game, tuple(p.side for p in seats), dict(rules))
    specs = tuple(SeatSpec(p.player, p.model, params=p.params, name=p.name) for p in seats)
    return imported(source, [p.card for p in seats], specs, lang, started, f"tianhei import {kind}")


def side_of(card: str) -> str:
    """The side of a card: the killers', the good, or its own name where it is of neither as far as is known here."""
    return _SIDES.get(card, card)


def lang_of(texts: Iterable[str]) -> str:
    """The language of speeches by the script of the first of them: ``ja``, ``zh`` or ``en``."""
    said = ""
    for text in texts:
        said += text
        if len(said) > _ENOUGH:
            break
    han, kana, latin = (sum(map(len, script.findall(said))) for script in (_HAN, _KANA, _LATIN))
    if (han + kana) * 3 <= latin:
        return "en"
    return "ja" if kana * 4 > han else "zh"


def rest(data: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """The fields of an object that are not among the known."""
    return {name: value for name, value in data.items() if name not in known}


def need(data: Mapping[str, Any], name: str, where: str) -> Any:
    """A field that a game cannot be told without."""
    if name not in data:
        raise NotRead(f"{where} has no {name!r}")
    return data[name]
