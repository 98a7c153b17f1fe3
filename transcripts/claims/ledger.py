"""The ledger of a game: every claim that was made in public, from two sources that are kept apart.

*Declared* claims are those that a speaker listed beside its words; *extracted* ones are read from the words alone, of
every speech alike. The same claim often stands in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tianhei.arena.claims import Claim
from tianhei.arena.events import PUBLIC, Event, LastWords, Phase, Speech
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View, Views
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims.extractor import read
from tianhei.transcripts.claims.knowledge import Known, card_of
from tianhei.transcripts.claims.truth import SIGNS, LieType, Truth, judge
from tianhei.transcripts.claims.words.reading import Reading
from tianhei.transcripts.game import Recording

Source = Literal["declared", "extracted"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One claim: made by ``seat`` in the event of that index, by the words from ``start`` to ``end`` of its text.

    ``start`` and ``end`` are None where no words are known for it. ``checkable``: it says what can be true or false;
    ``truth`` is None where it cannot, or where the recording does not tell.
    """

    event: int
    day: int
    phase: Phase
    seat: Seat
    source: Source
    claim: Claim
    start: int | None
    end: int | None
    truth: Truth | None
    lie_type: LieType | None
    checkable: bool


@dataclass(frozen=True, slots=True)
class Withheld:
    """An officer spoke that day and did not tell of a living killer whom its team had found, nor had any of them.

    Told is a check that is reported, and a killer who is named by one who says that he is police.
    It is no lie, and often right play. ``event`` is the last speech of that day in which it could have been told.
    """

    event: int
    day: int
    seat: Seat
    about: Seat
    night: int


def ledger(recording: Recording) -> tuple[Entry, ...]:
    """All claims of a game, in the order in which they were made."""
    judging = Judging(recording)
    return tuple(entry for said in readings(recording) for entry in judging.of(said))


def withheld(recording: Recording) -> tuple[Withheld, ...]:
    """What officers kept to themselves, day by day."""
    return tuple(_withheld(recording))


class Said(NamedTuple):
    """A speech as it was read: its place among the events, the speaker's view just before it, what its words say."""

    place: int
    event: Event
    view: View
    text: str
    claims: tuple[Claim, ...]
    """Those that the speaker declared."""
    reading: Reading

    @property
    def seat(self) -> Seat:
        return self.view.seat


def readings(recording: Recording) -> Iterator[Said]:
    """Each speech of a game, read. Its view is the game's own and goes on with it: use it before the next."""
    header = recording.header
    names = {spec.name: seat for seat, spec in enumerate(header.seats, start=1) if spec.name}
    before = ""
    for index, event, view in speeches(recording):
        body = event.body
        if isinstance(body, Speech | LastWords):
            reading = Reading()
            if body.text and (lang := lang_of(body.text)):
                players, game = len(header.seats), header.rules_name
                reading = read(body.text, body.by, lang, players, game, names=names, before=before)
                before = f"{body.by}: {body.text}"
            yield Said(index, event, view, body.text, tuple(dict.fromkeys(body.claims or ())), reading)


def speeches(recording: Recording) -> Iterator[tuple[int, Event, View]]:
    """Each speech and last words, with its place among the events and the speaker's view just before it."""
    header = recording.header
    views = Views(header.rules, header.counts, header.seed)
    for index, event in enumerate(recording.events):
        if event.audience == PUBLIC and isinstance(event.body, Speech | LastWords):
            yield index, event, views.of(event.body.by)
        views.add((event,))


def lang_of(text: str) -> Lang | None:
    """The language of a speech by its script; None where it is neither of ours."""
    if re.search("[\u3040-\u30ff\uac00-\ud7af]", text):
        return None
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


@dataclass
class Judging:
    """Judges the claims of a game by what their speakers knew then; it is given the speeches in order."""

    recording: Recording
    known: dict[tuple[object, ...], Known] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._cards = tuple(map(card_of, self.recording.header.dealt().roles))

    def of(self, said: Said) -> Iterator[Entry]:
        """The claims of one speech."""
        for source, claim, start, end in _claims(said):
            verdict = judge(claim, said.view, self._known(said.view), self._cards)
            yield Entry(
                said.place, said.event.day, said.event.phase, said.seat, source, claim, start, end,
                verdict.truth, verdict.lie_type, verdict.checkable,
            )  # fmt: skip

    def _known(self, view: View) -> Known:
        """What a seat knows now; reckoned once until something new can be known."""
        record = view.record
        news = (view.seat, record.day, record.phase, record.stage, len(record.dead), len(view.checks))
        if news not in self.known:
            self.known[news] = Known(view)
        return self.known[news]


def _claims(said: Said) -> Iterator[tuple[Source, Claim, int | None, int | None]]:
    """The claims of a speech. A declared one stands by the words from which the like of it is read, if any."""
    found = said.reading.claims
    for claim in said.claims:
        like = [item for item in found if (item.claim.kind, item.claim.seat) == (claim.kind, claim.seat)]
        words = next((item for item in like if item.claim.what == claim.what), like[0] if like else None)
        yield "declared", claim, words.start if words else None, words.end if words else None
    for item in found:
        yield "extracted", item.claim, item.start, item.end


def plain(claim: Claim, speaker: Seat) -> Claim:
    """A claim as it is told: 'I am not a killer' as 'I am good'; in Chinese the former would read as a question."""
    is_good = claim.kind == "role" and claim.what == "not_killer" and claim.seat == speaker
    return Claim("clear", speaker) if is_good else claim


def is_police(entry: Entry) -> bool:
    """Whether a claim says that its speaker is police."""
    claim = entry.claim
    return claim.kind == "check" or (claim.kind == "role" and claim.seat == entry.seat and claim.what == "police")


def _named(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Who was named a killer as by the police: by a check, or by one who says, then or before, that he is police."""
    came_out: dict[Seat, int] = {}
    for entry in filter(is_police, entries):
        came_out.setdefault(entry.seat, entry.event)
    for entry in entries:
        claim, out = entry.claim, came_out.get(entry.seat)
        names = claim.kind == "accuse" or (claim.kind == "role" and claim.what == "killer")
        if (claim.kind == "check" and claim.what == "killer") or (names and out is not None and out <= entry.event):
            yield entry


def _withheld(recording: Recording) -> Iterator[Withheld]:
    cards = tuple(map(card_of, recording.header.dealt().roles))
    told = [
        (entry.day, entry.claim.seat) for entry in _named(ledger(recording)) if cards[entry.seat - 1] == Role.POLICE
    ]
    found: dict[tuple[int, Seat, Seat], Withheld] = {}
    for index, event, view in speeches(recording):
        if cards[view.seat - 1] == Role.POLICE:
            for night, target, answer in view.checks:
                if target in view.record.living and SIGNS.get(answer, card_of(answer)) == Role.KILLER:
                    found[event.day, view.seat, target] = Withheld(index, event.day, view.seat, target, night)
    for kept in found.values():
        if not any(kept.night <= day <= kept.day and about == kept.about for day, about in told):
            yield kept
