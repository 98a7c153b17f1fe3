"""A game as the measures see it, folded once from its transcript: who said, voted and chose what, and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from tianhei.arena.claims import Claim
from tianhei.arena.events import PUBLIC, Ballots, Dawn, Event, LastWords, Speech, VotedOut
from tianhei.arena.roles import Counts, Role, Seat
from tianhei.arena.view import Record
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.game import RecordedReply, RecordedWave, Recording, seat_of
from tianhei.transcripts.manners.examples import examples_shown
from tianhei.transcripts.manners.lexicon import Lexicon, lexicon
from tianhei.transcripts.manners.text import Sentence, lang_of, runs, sentences
from tianhei.transcripts.takeovers import seats_taken_over

_PK_STAGES = frozenset(("pk", "off_field", "revote"))
_VOTES = frozenset(("vote", "defence"))
"""What the requests that hold a ballot are called in their ids."""
_LISTED = re.compile(r"S\d{1,2}(?:\s*[,，、]\s*S\d{1,2})+")
_LABEL = re.compile(r"S(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A speech with words or claims. ``living`` and ``told`` (cards shown by the judge) are as it began."""

    day: int
    seat: Seat
    text: str
    claims: tuple[Claim, ...] | None = None
    living: tuple[Seat, ...] = ()
    told: Mapping[Seat, str] = field(default_factory=dict)
    lang: Lang = "en"
    """By its own script, not the table's."""
    sentences: tuple[Sentence, ...] = ()
    runs: tuple[str, ...] = ()

    @property
    def words(self) -> Lexicon:
        return lexicon(self.lang)


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote. ``choice`` is None for an abstention; ``heard`` counts the speeches that came before it."""

    day: int
    seat: Seat
    choice: Seat | None
    options: tuple[Seat, ...]
    """The candidates but oneself."""
    heard: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice from a list of labels: the seats as they were listed (None: nobody), and which was chosen."""

    seat: Seat
    listed: tuple[Seat | None, ...]
    chosen: Seat | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game. ``names`` are models, or players where there is no model, seat 1 first; so are ``roles``."""

    game: str
    lang: Lang
    rules: str
    names: tuple[str, ...]
    roles: tuple[Role, ...]
    counts: Counts
    speeches: tuple[Spoken, ...] = ()
    """None of an imported game in a language that is not read here."""
    ballots: tuple[Ballot, ...] = ()
    choices: tuple[Choice, ...] = ()
    cuts: tuple[tuple[Seat, bool], ...] = ()
    """Each reply with words, and whether they were cut at the limit; an imported game does not tell."""
    examples: Mapping[Seat, frozenset[str]] = field(default_factory=dict)
    """The runs of the speeches that a seat's prompts gave as examples, where they gave any."""
    taken_over: frozenset[Seat] = frozenset()
    """The seats that somebody else than their player took over."""

    @property
    def players(self) -> int:
        return len(self.names)

    @property
    def worded(self) -> Iterator[Spoken]:
        """The speeches that hold words."""
        return (said for said in self.speeches if said.text.strip())


def spoken(day: int, seat: Seat, text: str, usual: Lang, **more: Any) -> Spoken:
    """A speech, read."""
    lang = lang_of(text, usual)
    return Spoken(day, seat, text, lang=lang, sentences=sentences(text), runs=tuple(runs(text, lang)), **more)


def sitting(recorded: Recording) -> Sitting:
    """A game from its transcript, as far as it has come."""
    header = recorded.header
    lang: Lang = "zh" if header.lang == "zh" else "en"
    story = _Story(lang, Record(header.rules, len(header.seats), header.counts, tuple(range(1, len(header.seats) + 1))))
    for wave in recorded.waves:
        story.add(wave)
    replies = [reply for wave in recorded.waves for reply in wave.replies.values()]
    limited = [] if header.source else [reply for reply in replies if reply.answer.text.strip()]
    return Sitting(
        game=header.game,
        lang=lang,
        rules=header.rules_name,
        names=tuple(spec.model or spec.player for spec in header.seats),
        roles=header.dealt().roles,
        counts=header.counts,
        speeches=tuple(story.speeches) if header.lang in get_args(Lang) else (),
        ballots=tuple(story.ballots),
        choices=tuple(_choices(replies, recorded.sent)),
        cuts=tuple((seat_of(reply.request), reply.cut) for reply in limited),
        examples=examples_shown(recorded.sent, lang),
        taken_over=seats_taken_over(recorded),
    )


class _Story:
    """Folds the waves of one game into speeches and ballots."""

    def __init__(self, lang: Lang, record: Record) -> None:
        self._lang: Lang = lang
        self._record = record
        self._told: dict[Seat, str] = {}
        self.speeches: list[Spoken] = []
        self.ballots: list[Ballot] = []

    def add(self, wave: RecordedWave) -> None:
        record, events = self._record, wave.events
        day, candidates = record.day, record.candidates if record.stage in _PK_STAGES else record.living
        for event in events:
            if event.audience == PUBLIC:
                self._hear(event)
        for seat, choice in _cast(wave, events):
            options = tuple(candidate for candidate in candidates if candidate != seat)
            self.ballots.append(Ballot(day, seat, choice, options, len(self.speeches)))

    def _hear(self, event: Event) -> None:
        record = self._record
        match event.body:
            case Speech(by=by, text=text, claims=claims) | LastWords(by=by, text=text, claims=claims):
                if text.strip() or claims:
                    said = spoken(event.day, by, text, self._lang, claims=claims, living=record.living, told=self._told)
                    self.speeches.append(said)
            case Dawn(revealed=revealed) if revealed:
                self._told = {**self._told, **revealed}
            case VotedOut(seat=seat, revealed=what) if what:
                self._told = {**self._told, seat: what}
            case _:
                pass
        record.add(len(record.events), event)


def _cast(wave: RecordedWave, events: Iterable[Event]) -> Iterator[tuple[Seat, Seat | None]]:
    """The ballots that a wave closed with: from the replies, since some are secret; of raised hands, from the event."""
    for reply in wave.replies.values():
        if _asked(reply.request) in _VOTES and not reply.answer.absent:
            yield seat_of(reply.request), reply.answer.target
    if any(_asked(request) == "hand" for request in wave.replies):
        for event in events:
            if isinstance(event.body, Ballots) and event.body.ballots:
                yield from event.body.ballots.items()


def _asked(request: str) -> str:
    """What a request is called in its id: ``vote`` of ``d2.vote1.03``."""
    return request.split(".")[1].rstrip("0123456789_")


def _choices(replies: Iterable[RecordedReply], sent: Iterable[Mapping[str, Any]]) -> Iterator[Choice]:
    """The choices whose place in a list was recorded, with the list, as the last prompt for it showed it."""
    prompts = {call["call"].partition("#")[0]: call["private"] for call in sent}
    for reply in replies:
        if reply.position is None or reply.request not in prompts:
            continue
        for listed in reversed(_LISTED.findall(prompts[reply.request])):
            seats = tuple(int(number) or None for number in _LABEL.findall(listed))
            if seats[reply.position - 1 : reply.position] == (reply.answer.target,):
                yield Choice(seat_of(reply.request), seats, reply.answer.target)
                break
