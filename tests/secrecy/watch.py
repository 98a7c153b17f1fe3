"""One game, and every byte that each seat and the table are shown in it, each beside what they may know by then.

Seat 0 is the table: what everybody hears, in data and in the judge's words, and who is asked what by day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any

from secrecy.knowledge import ALL, STEP, Fact, Knowledge
from secrecy.manner import SEED, Manner, wrong
from secrecy.readers import LANGS, at_request, whose_turn
from secrecy.tables import Roles, Setting
from tianhei.arena.chance import Deal
from tianhei.arena.events import PUBLIC, Dawn, Event
from tianhei.arena.player import Ask, Completion, Prompt, Unusable
from tianhei.arena.probing import due
from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import AlreadyAnswered, Illegal, Limits, Request, Unknown
from tianhei.arena.roles import Seat
from tianhei.arena.rules.setups import custom
from tianhei.arena.view import Record, View, Views
from tianhei.prompts.pack import TINY
from tianhei.prompts.vocabulary import THEMES
from tianhei.prompts.words import Words
from tianhei.transcripts.file import to_bytes

LIMITS = Limits(speech=60, pk=50, last_words=60, council=40)
_DIGITS = Completion("no answer", scores=({str(digit): -1.0 - digit for digit in range(10)},))


@dataclass(frozen=True)
class Game:
    """One game of the proof: the same table, cards and keys play it again byte for byte."""

    setting: Setting
    roles: Roles
    manner: Manner


@dataclass(frozen=True)
class Eyes:
    """How closely is looked: models' ``prompts``, the judge's ``words``, all that is ``held`` in a view's object.

    ``keep`` holds on to one watcher's items.
    """

    prompts: bool = True
    words: bool = True
    held: bool = False
    keep: Seat | None = None


@dataclass
class Track:
    """What one watcher knows and was shown so far, each as one sum over all of it."""

    known: bytes
    told: bytes = b""
    """What it knows by having been told: all but the passing of time."""
    shown: bytes = b""
    moments: list[tuple[bytes, bytes]] = field(default_factory=list)
    kept: list[tuple[bytes, bytes]] | None = None

    def learn(self, facts: Iterable[tuple[object, ...]]) -> None:
        """New facts, learned together: what was shown up to here followed from the facts before."""
        self.close()
        for fact in facts:
            raw = repr(fact).encode()
            self.known = _sum(self.known + raw)
            if fact != STEP:
                self.told = _sum(self.told + raw)

    def see(self, item: bytes) -> None:
        """One more thing that was shown."""
        if self.kept is not None:
            self.kept.append((self.known, item))
        self.shown = _sum(self.shown + item)

    def close(self) -> None:
        """A moment is over."""
        self.moments.append((self.known, self.shown))


@dataclass
class Story:
    """What came of a game: the moments of all watchers, whole views, shared prompt texts, and plain faults."""

    tracks: list[Track]
    views: list[tuple[Seat, bytes, bytes]] = field(default_factory=list)
    """Watcher, sum of its whole view, sum of what it was told."""
    shared: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    """Pack, sum of what all know and have heard, sum of the part of a prompt that is the same for all seats."""
    prompts: Counter[str] = field(default_factory=Counter)
    """How many prompts of each player were read, those of probes beside."""
    faults: list[str] = field(default_factory=list)
    items: int = 0
    bytes: int = 0


def _sum(data: bytes) -> bytes:
    return blake2b(data, digest_size=12).digest()


class Watch:
    """Plays one game and takes everything down."""

    def __init__(self, game: Game, eyes: Eyes) -> None:
        self.game = game
        self.eyes = eyes
        self.rules, roles = game.setting.rules, game.roles
        self.seats = range(1, len(roles) + 1)
        self.truth = Knowledge(self.rules, roles)
        self.referee = Referee(self.rules, Deal(roles), game.manner, LIMITS)
        counts = custom(self.rules, Counter(roles))
        self.views = Views(self.rules, counts, SEED)
        self.table = Record(self.rules, len(roles), counts, tuple(self.seats))
        self._before: dict[Seat, str] = {}
        """The last request that each seat has answered."""
        self._open = (game.setting.name, game.manner.open)
        """What all know of the game before it begins."""
        self._aside: set[tuple[object, ...]] = set()
        """Probes that were asked."""
        start = _sum(f"{game.setting.name}/{game.manner.open}".encode())
        self.story = Story([Track(_sum(start + bytes([seat]))) for seat in (0, *self.seats)])
        if eyes.keep is not None:
            self.story.tracks[eyes.keep].kept = []

    def play(self) -> Story:
        """Play to the end."""
        self._learn(self.truth.dealt())
        self._told(self.referee.waves[0])
        while self.referee.pending:
            self._asked(self.referee.pending)
            self._answered(self.referee.pending)
        for seat in self.seats:
            self._look(self.views.of(seat))
        for track in self.story.tracks:
            track.close()
        return self.story

    def _learn(self, facts: Iterable[Fact]) -> None:
        told: dict[Seat, list[tuple[object, ...]]] = {}
        for audience, fact in facts:
            for seat in range(len(self.story.tracks)) if audience == ALL else audience:
                told.setdefault(seat, []).append(fact)
        for seat, news in told.items():
            self.story.tracks[seat].learn(news)

    def _see(self, seat: Seat, item: bytes) -> None:
        if SEED.encode() in item:
            self.story.faults.append(f"the seed is shown to seat {seat}: {item[:200]!r}")
        self.story.items += 1
        self.story.bytes += len(item)
        self.story.tracks[seat].see(item)

    def _told(self, wave: Wave) -> None:
        self.views.add(wave.events)
        for event in wave.events:
            if event.audience == PUBLIC:
                self.table.add(0, event)
                self._see(0, to_bytes(event.to_json()))
                self._say(0, event)
            else:
                for seat in self.seats:
                    if event.visible_to(seat):
                        self._say(seat, event)
        if any(isinstance(event.body, Dawn) for event in wave.events):
            for seat in self.seats:
                self._look(self.views.of(seat))

    def _say(self, seat: Seat, event: Event) -> None:
        """The judge's words, as a screen shows them."""
        if self.eyes.words:
            for lang in LANGS:
                for theme in THEMES[: 2 - event.day % 2]:  # on even days in the other words too
                    self._see(seat, Words(lang, theme).line(event, self.table).encode())

    def _asked(self, requests: Sequence[Request]) -> None:
        if self.eyes.prompts:
            self._probed(requests)
        for request in requests:
            view = self.views.of(request.seat)
            asked = to_bytes(request.to_json())
            if request.id.startswith("d"):
                self._see(0, asked)
            self._see(request.seat, asked)
            self._look(view)
            for answer in wrong(request, len(self.seats)):
                self._see(request.seat, self._refused(request.id, answer))
            for other in ("n9.kill1.99", self._before.get(request.seat)):
                if other:
                    self._see(request.seat, self._refused(other, next(wrong(request, len(self.seats)))))
            self._before[request.seat] = request.id
            if self.eyes.prompts:
                for name, player in at_request(self.rules, *self._open, request.id):
                    self._prompts(name, view, partial(player.act, view, request))

    def _look(self, view: View) -> None:
        """The whole view, as the protocol shows it, and what a player in the same process holds in its hands."""
        whole = to_bytes(view.to_json())
        self._see(view.seat, whole)
        self._see(view.seat, view.luck.key)
        if self.eyes.held:
            self._see(view.seat, repr(sorted(vars(view).items())).encode())
        self.story.views.append((view.seat, _sum(whole), self.story.tracks[view.seat].told))
        told = to_bytes([event.to_json() for _, event in view.record.events])
        self.story.views.append((0, _sum(told), self.story.tracks[0].told))

    def _refused(self, request: str, answer: Any) -> bytes:
        try:
            self.referee.answer(request, answer)
        except (Illegal, Unknown, AlreadyAnswered) as error:
            return f"{error.code}: {error}".encode()
        raise AssertionError(f"{request} took {answer}")

    def _probed(self, requests: Sequence[Request]) -> None:
        """What a seat's model is asked aside, at the points for which the table asks."""
        record = self.views.record
        for probe in due(self.game.setting.probes, requests, record, len(self.referee.waves)):
            point = (probe.point, record.day, len(record.spoken), probe.seat)
            if point not in self._aside:
                self._aside.add(point)
                name, player = whose_turn(self.rules, *self._open, *point)
                view = self.views.of(probe.seat)
                self._prompts(f"{name}, aside", view, partial(player.believe, view))

    def _prompts(self, name: str, view: View, turn: Callable[[Ask], Coroutine[Any, Any, Any]]) -> None:
        """Everything that the player in this seat sends to its model, the second try included."""
        for prompt in _sent(turn):
            words = (prompt.messages(), prompt.schema, prompt.max_tokens, prompt.temperature, prompt.extra)
            self._see(view.seat, to_bytes(words))
            self.story.prompts[name] += 1
            if not name.startswith(TINY):
                shared = (prompt.system + "\0" + prompt.public).encode()
                table = self.story.tracks[0]
                self.story.shared.append((name, _sum(table.known + table.shown), _sum(shared)))

    def _answered(self, requests: tuple[Request, ...]) -> None:
        for request in requests:
            answer = self.game.manner.answer(request, self.rules, self.views.record)
            wave = self.referee.answer(request.id, answer)
            if wave is not None:
                self._learn(self.truth.closed(wave))
                self._told(wave)


def _sent(turn: Callable[[Ask], Coroutine[Any, Any, Any]]) -> Iterator[Prompt]:
    """The prompts of one turn; the model's answers are of no use, so that it is asked again."""
    sent: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        sent.append(prompt)
        return _DIGITS

    with suppress(Unusable):
        _run(turn(ask))
    yield from sent


def _run(turn: Coroutine[Any, Any, Any]) -> None:
    """A turn that waits for nothing runs to its end at once."""
    try:
        turn.send(None)
    except StopIteration:
        return
    raise AssertionError("the player waited")


def play(game: Game, eyes: Eyes | None = None) -> Story:
    """Play one game of the proof."""
    return Watch(game, eyes or Eyes()).play()
