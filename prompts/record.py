"""The public record as text: what everybody at the table has heard so far, as every prompt shows it.

The text only grows at its end, so that all seats share one prefix, and a game costs one rendering. The judge's lines
are marked as his, each player's begin with the number, and no player's text can make a line that looks like another's.
For a model whose context is full there is a short record: what was said on earlier days is cut to its first sentence,
for every seat in the same way, and nothing else is left out.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import replace
from functools import cache

from tianhei.arena.events import Called, Event, Hand, LastWords, Speech
from tianhei.arena.roles import Seat
from tianhei.arena.view import Record
from tianhei.prompts.vocabulary import Theme, texts_of
from tianhei.prompts.words import Lang, Words

KEPT = 64
"""How many records keep their text between calls."""
SHORT: dict[Lang, int] = {"zh": 60, "en": 100}
"""Characters that a shortened speech keeps at most."""

_SENTENCE = re.compile(r".+?(?:[。！？!?…]+|\.(?=\s|$)|$)")


class RecordWords(Words):
    """The judge's words as a record for models repeats them, which needs no call twice (``<language>/record.toml``)."""

    def __init__(self, lang: Lang, theme: Theme) -> None:
        super().__init__(lang, theme)
        self.texts = {**self.texts, **texts_of(lang, "record", theme)}


_brief = cache(RecordWords)


class Scribe:
    """Writes one record down, event by event, and remembers how far it has come.

    Of what was said before the day ``whole_from`` only the first sentences are written.
    """

    def __init__(self, record: Record, words: Words, whole_from: int = 0) -> None:
        self._source = record
        self._words = _brief(words.lang, words.theme)
        self._whole_from = whole_from
        seats = tuple(range(1, record.players + 1))
        self._so_far = Record(record.rules, record.players, record.counts, seats)
        self._text = ""
        self._day = 0
        self._raised: Seat | None = None
        """For whom the line at the end counts hands, if it does."""

    def is_of(self, record: Record) -> bool:
        """Whether this is the scribe of that very record."""
        return self._source is record

    def text(self) -> str:
        """The record as it now stands."""
        done, events = self._so_far.events, self._source.events
        if len(done) < len(events):
            pieces = [self._text]
            for place, event in events[len(done) :]:
                self._so_far.add(place, event)
                pieces.append(self._piece(event))
            self._text = "".join(pieces) if self._text else "".join(pieces).removeprefix("\n")
        return self._text

    def _piece(self, event: Event) -> str:
        """What one event adds: lines, each begun on a new line, or a number at the end of the last one."""
        line = self._line(shortened(event, self._words) if event.day < self._whole_from else event)
        if not line or event.day == self._day:
            return line
        self._day = event.day
        return "\n" + self._words.say("write.heading", day=event.day) + line

    def _line(self, event: Event) -> str:
        say, body = self._words.say, event.body
        if isinstance(body, Called) and (body.role is not None or body.stage == "hands"):
            return ""  # roles: the same every night; hands: a line only once somebody raises one
        if isinstance(body, Hand):
            if self._raised == body.candidate:
                return say("write.comma") + str(body.by)
            text = say("vote.hands", seat=self._words.seat(body.candidate), voters=body.by)
            text = say("write.judge", text=text)
        else:
            text = self._words.line(event, self._so_far)
        self._raised = body.candidate if isinstance(body, Hand) else None
        return "\n" + text if text else ""


def shortened(event: Event, words: Words) -> Event:
    """A speech or last words with the first sentence alone, marked; every other event as it is."""
    body = event.body
    if not isinstance(body, Speech | LastWords):
        return event
    text = body.text.strip()
    first = _SENTENCE.match((text.splitlines() or [""])[0])
    kept = first[0][: SHORT[words.lang]].rstrip() if first else ""
    if kept == text:
        return event
    return event._replace(body=replace(body, text=words.say("write.shortened", text=kept)))


_scribes: OrderedDict[tuple[int, Lang, str, int], Scribe] = OrderedDict()


def record_text(record: Record, words: Words) -> str:
    """The public record as a prompt shows it; after one more event it is the same text with something added."""
    return _scribe(record, words, 0).text()


def short_record_text(record: Record, words: Words) -> str:
    """The public record with the speeches of earlier days shortened; it only grows while the day lasts."""
    return _scribe(record, words, record.day).text()


def _scribe(record: Record, words: Words, whole_from: int) -> Scribe:
    key = (id(record), words.lang, words.theme, whole_from)
    scribe = _scribes.get(key)
    if scribe is None or not scribe.is_of(record):
        scribe = _scribes[key] = Scribe(record, words, whole_from)
    _scribes.move_to_end(key)
    while len(_scribes) > KEPT:
        _scribes.popitem(last=False)
    return scribe
