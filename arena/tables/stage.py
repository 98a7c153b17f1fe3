"""When a game is shown, and when its people are asked: one queue of what happened, shown to all at the table's pace.

The host may be ahead of what is shown, by the one bot that thinks while the last speech is read. Nights are windows of
fixed length, cut into places: in each, every living person is asked something, the referee's question or the table's
own, for the same time; what came of it is shown to all at its end. In the first all are asked one of the table's own
besides. So nothing but the game itself tells who acts. After a restart a night goes on where its window stands.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tianhei.arena.calls import Try
from tianhei.arena.events import Ballots, Called, Dawn, Event, LastWords, Over, Revealed, Speech, Tied, VotedOut
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.tables.asking import Ask, Questions, cover_ask
from tianhei.arena.tables.audience import Audience, Message
from tianhei.arena.tables.clock import TableClock
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.state import State, Window
from tianhei.arena.view import Views
from tianhei.transcripts.header import Header
from tianhei.transcripts.viewer.frames import Eyes, Frames, opening

NIGHT_BYTES = 16 * 1024
"""Whatever is shown of a deal or a night is at least so long, to everybody."""
ONLOOKERS = ("host", "invite", "spectator")
"""Who sees what the whole table sees; the host alone where nobody may look on."""
_OPENING = (Speech, LastWords, Dawn, VotedOut, Ballots, Tied, Over)
_SPOKEN = ("speech", "speech_and_vote", "last_words")
_NIGHTLY = ("kill", "check", "carry", "shoot", "needle", "silence")


@dataclass(slots=True)
class Night:
    """A night's window: when it began, how long each of its places is, and how many have been opened.

    ``before``: how many had been opened when the server went away.
    """

    day: int
    start: float
    places: int
    length: float
    opened: int = 0
    before: int = 0

    def begins(self, place: int) -> float:
        return self.start + place * self.length

    def closes(self, place: int) -> float:
        """When the questions of a place are closed."""
        return self.begins(place + 1) - _margin(self.length)


def _margin(length: float) -> float:
    """How long before a place of the night ends its questions are closed, so that the next can be open in time."""
    return min(1.0, length / 5)


@dataclass(frozen=True, slots=True)
class Asked:
    """The host asks these; ``asks`` are the people's questions among them; ``done`` had answered before a restart."""

    requests: tuple[Request, ...]
    asks: tuple[Ask, ...]
    done: frozenset[Seat] = frozenset()


class Keeper(Protocol):
    """Who keeps the table: what the stage tells it."""

    def save(self) -> None:
        """Something has changed that must outlast the server."""

    def absent(self, seat: Seat, request: str) -> None:
        """This person let the time go by."""

    async def before_end(self) -> None:
        """The verdict comes next."""


class Stage:
    """Shows one game; the host's watcher."""

    def __init__(
        self,
        header: Header,
        pace: Pace,
        state: State,
        audience: Audience,
        room: Keeper,
        *,
        cover: bool,
        players: bool,
    ) -> None:
        """``cover``: nobody's haste is shown; ``players``: who sits where is."""
        self.clock = TableClock(paused=state.paused)
        self.questions = Questions(state, self.clock, audience, room.save, room.absent, slow=pace.slow)
        self.truth: list[tuple[float, Message]] = []
        """What eyes that see everything have been shown, and when (seconds since 1970)."""
        self._pace = pace
        self._header = header
        self._state = state
        self._audience = audience
        self._room = room
        self._cover = cover
        self._players = players
        self._views = Views(header.rules, header.counts, 0)
        eyes: list[Eyes] = ["public", "truth", *state.chairs]
        self._frames: dict[Eyes, Frames] = {each: Frames(header, each) for each in eyes}
        self._seen: dict[Eyes, list[Message]] = {each: [] for each in eyes}
        self._queue: asyncio.Queue[Asked | tuple[int, Wave]] = asyncio.Queue()
        self._night: Night | None = None
        self._pending: list[Event] = []
        self._free = self._opened = self.clock.time()
        self._told = self._begun = self._asked = 0
        self._answered: frozenset[Seat] = frozenset()
        self._progress = asyncio.Event()
        self._seeing = asyncio.Event()
        self._ends: tuple[float, Message] | None = None
        self._card: float | None = None
        self._luck = random.Random()

    # What the host tells.

    def recall(self, waves: Iterable[Wave]) -> None:
        """Take these as shown already."""
        for wave in waves:
            self._fold(wave.events)
            self._told += 1
        self._begun = self._asked = self._told
        self.truth = [(time.time(), item) for item in self._seen["truth"]]

    def again(self, wave: Wave) -> None:
        """Show this wave, whose answers were given before."""
        if wave.requests:
            self._asked += 1
            self._queue.put_nowait(Asked(wave.requests, (), frozenset(each.seat for each in wave.requests)))
        self.told(wave, None)

    def half(self, answered: Iterable[Seat]) -> None:
        """These seats had answered of the wave that is still open."""
        self._answered = frozenset(answered)

    def asked(self, requests: tuple[Request, ...], views: Views) -> None:
        """Ask the people among these when it is their turn."""
        asks = tuple(Ask(request) for request in requests if request.seat in self._state.chairs)
        self.questions.add(asks)
        self._asked += 1
        done, self._answered = self._answered, frozenset()
        self._queue.put_nowait(Asked(requests, asks, done))

    def told(self, wave: Wave, views: Views | None) -> None:
        """Show this when it is its turn."""
        if wave.requests and self._asked == self._told:  # all had answered when the server went away
            self._answered = frozenset()
            self.again(wave)
            return
        self._asked = max(self._asked, self._told + 1)
        self._queue.put_nowait((self._told, wave))
        self._told += 1

    def failed(self, seat: Seat, tried: Try) -> None:
        """Nothing is shown of it."""

    async def near(self) -> None:
        """Wait until the table is shown what came before the open requests: no bot runs further ahead."""
        wave = self._told
        while self._begun < wave:
            await self._progress.wait()

    def patience(self, request: Request) -> float:
        """How long a bot may think about a request."""
        if request.kind not in _NIGHTLY:
            return self._pace.seconds(request.kind)
        length = self._night.length if self._night else self._pace.night / self._places()
        return length - _margin(length)

    def slow_down(self, pace: Pace) -> None:
        """Go on at another pace, from the next question on."""
        self._pace = pace

    async def run(self) -> None:
        """Show what comes, as long as it comes."""
        try:
            while True:
                item = await self._queue.get()
                if isinstance(item, Asked):
                    await self._open(item)
                else:
                    await self._show(*item)
                self._queue.task_done()
        finally:
            self.questions.stop()

    async def all_shown(self) -> None:
        """Wait until everything that was told is shown."""
        await self._queue.join()
        await self.clock.until(self._free)

    # What the room asks.

    @property
    def day(self) -> int:
        return self._views.record.day

    @property
    def living(self) -> tuple[Seat, ...]:
        """Who is alive, as far as the table has been shown."""
        return self._views.record.living

    @property
    def first_night(self) -> bool:
        """Whether nobody has spoken or died yet."""
        return self._views.record.phase in ("deal", "night") and self.day == 1

    @property
    def may_forecast(self) -> bool:
        """Whether today's vote is still to come, and the dead do not know the cards."""
        record = self._views.record
        voted = any(vote.day == record.day for vote in record.votes)
        return record.phase != "over" and not voted and record.rules.dead_view != "all"

    def document(self, eyes: Eyes) -> dict[str, Any]:
        """The game as far as these eyes have been shown it."""
        found = opening(self._header, eyes, players=self._players)
        found["frames"] = list(self._seen[eyes])
        return found

    def standing(self, seat: Seat | None) -> list[Message]:
        """What is open now: the clock, and what this seat is asked."""
        found: list[Message] = [self._clock()] if self._ends else []
        if seat is not None and self._card is not None and not self._state.chairs[seat].seen:
            found.append(self._card_shown())
        return found + self.questions.messages(ask for ask in self.questions.opened() if ask.seat == seat)

    def saw(self) -> None:
        """Somebody has looked at the own card."""
        self._seeing.set()

    def pause(self) -> None:
        """Stop the clock."""
        self.clock.pause()

    def go(self) -> None:
        """Let the clock go on; what is open is told its new end."""
        self.clock.go()
        self.questions.note_ends()
        self._audience.send(self._to(lambda eyes: [self._clock()], tuple(self.questions.opened())))

    # Asking.

    def _places(self) -> int:
        """How many times the referee may ask in one night, by what everybody knows of the table."""
        rules, counts = self._header.rules, self._header.counts
        rounds = rules.council_rounds if max(counts.get(Role.KILLER, 0), counts.get(Role.POLICE, 0)) > 1 else 1
        return rounds + (rules.killers_tie == "ask_again" and rounds > 1)

    async def _open(self, asked: Asked) -> None:
        if self._night:
            await self._place(self._night, asked.asks, asked.done)
            return
        await self.clock.until(self._free)
        first = asked.requests[0]
        self._opened = self.clock.time()
        ends = self._opened + self._pace.seconds(first.kind)
        asks = [ask for ask in asked.asks if not ask.answer.done()]
        for ask in asks:
            ask.put(self._views.record.stage, self.questions.ends(ask, ends))
        last = max((ask.ends for ask in asks), default=ends)
        seats = sorted({*asked.done, *(each.seat for each in asked.requests)})  # whoever has answered is not told
        self._ends = last, {"type": "clock", "kind": first.kind, "seats": seats}
        self._audience.send(self._to(lambda eyes: [self._clock()], asks))
        self.questions.open(asks)

    def _fall(self, day: int) -> Night:
        """The night that begins, or that goes on after a restart, by the window that was kept of it."""
        places, kept = self._places(), self._state.night
        if kept and kept.day == day:
            return Night(day, self.clock.at(kept.start), places, kept.length, before=kept.opened)
        night = Night(day, self._free, places, self._pace.night / places)
        self._keep(night)
        self._room.save()
        return night

    def _keep(self, night: Night) -> None:
        self._state.night = Window(
            day=night.day,
            start=self.clock.wall(night.start),
            length=night.length,
            opened=max(night.opened, night.before),
        )

    async def _place(self, night: Night, asks: Sequence[Ask], done: Collection[Seat]) -> None:
        """Open the night's next place: show what the last one came to, and ask every living person something.

        A place that was open when the server went away has what is left of its time; those before it are over.
        """
        place = night.opened
        is_over = place < night.before - 1
        if place >= night.before:
            await self.clock.until(night.begins(place))
            if (late := self.clock.time() - night.begins(place)) > night.length / 2:
                night.start += late
        elif not is_over:
            most = night.length - _margin(night.length)
            ends = self.questions.lasting(f"night-{night.day}-{place}", night.closes(place), most)
            night.start += ends - night.closes(place)
        put = self._put(place, {ask.seat: ask for ask in asks if not ask.answer.done()}, done)
        self.questions.add([ask for ask in put if ask.cover])
        for ask in put:
            ask.put("night", night.closes(place))
            if is_over:
                ask.give(None)
        night.opened += 1
        self._keep(night)
        self._ends = night.begins(max(night.places, night.opened)), {"type": "clock", "kind": "night", "seats": []}
        pending, self._pending = self._pending, []
        self._emit(pending, put, least=NIGHT_BYTES)
        self.questions.open(put)

    def _put(self, place: int, real: Mapping[Seat, Ask], done: Collection[Seat]) -> list[Ask]:
        """What is asked in a place of the night; in the first, everybody is asked two things.

        A card's own question comes before the table's. Nobody is asked again what was answered before a restart.
        """
        put: list[Ask] = []
        for seat in self.living:
            if seat not in self._state.chairs:
                continue
            others = tuple(other for other in self.living if other != seat)
            if seat in real:
                put.append(real[seat])
            if place == 0:
                put.append(cover_ask(seat, others, self.day, 0))
            if seat not in real and seat not in done:
                put.append(cover_ask(seat, others, self.day, place + 1))
        return [ask for ask in put if not self.questions.is_settled(ask)]

    async def _end_night(self, night: Night) -> None:
        while night.opened < night.places:
            await self._place(night, (), ())
        await self.clock.until(night.begins(night.opened))
        pending, self._pending = self._pending, []
        self._night = self._ends = None
        self._emit(pending, least=NIGHT_BYTES)
        self._free = self.clock.time() + self._pace.between

    # Showing.

    async def _show(self, index: int, wave: Wave) -> None:
        kept = self._state.night
        known = kept is not None and any(_is_nightfall(event) and event.day == kept.day for event in wave.events)
        if not self._night:
            await self.clock.until(self._free if known else self._held(wave))
        self._begun = index + 1
        self._progress.set()
        self._progress = asyncio.Event()
        moment: list[Event] = []
        for event in wave.events:
            if self._night and event.phase == "night":
                self._pending.append(event)
                continue
            if self._night:
                await self._end_night(self._night)
            if moment and (_opens(event) or (moment[0].phase == "deal" != event.phase)):
                await self._moment(moment, known)
                moment = []
            if isinstance(event.body, Over):
                await self.clock.until(self._free)
                await self._room.before_end()
            moment.append(event)
            if _is_nightfall(event):
                await self._moment(moment, known)
                moment = []
                self._night = self._fall(event.day)
        if moment:
            await self._moment(moment)
        if not self._night:
            self._state.shown = index + 1
            self._room.save()

    def _held(self, wave: Wave) -> float:
        """Until when a wave is held back, so that nobody's haste tells who it is."""
        if not self._cover or not wave.requests:
            return self._free
        if wave.requests[0].kind not in _SPOKEN:
            return self._opened + self._pace.ballot()
        chair = self._state.chairs.get(wave.requests[0].seat)
        takes = self._pace.typing(wave.answers[0].text)
        if chair is None or not chair.plays:
            takes = takes * self._luck.uniform(1, 1.7) + self._luck.uniform(0.2, 1) * self._pace.read
            if self._pace.slow:
                takes += self._pace.speech * self._luck.uniform(0.02, 0.2)
        return self._opened + takes

    async def _moment(self, events: Sequence[Event], known: bool = False) -> None:
        """Show these at once when what was shown before has been read; ``known``: they were shown before a restart."""
        await self.clock.until(self._free)
        self._ends = None
        is_deal = events[0].phase == "deal"
        self._emit(events, least=NIGHT_BYTES if is_deal else 0)
        self._free = self.clock.time() + (0 if known else max(self._pause(event) for event in events))
        if is_deal and not known:
            await self._cards()

    def _pause(self, event: Event) -> float:
        if isinstance(event.body, Speech | LastWords):
            return self._pace.reading(event.body.text)
        return 0.0 if isinstance(event.body, Revealed) else self._pace.between

    async def _cards(self) -> None:
        """Wait until every person has looked at the own card, or had time enough."""
        self._card = self.clock.time() + self._pace.card
        if self._state.card:
            self._card = self.questions.lasting("card", self.clock.at(self._state.card), self._pace.card)
        self._state.card = self.clock.wall(self._card)
        self._room.save()
        self._audience.send_all(self._card_shown())
        over = asyncio.ensure_future(self.clock.until(self._card))
        try:
            while not over.done() and any(chair.plays and not chair.seen for chair in self._state.chairs.values()):
                self._seeing.clear()
                seeing = asyncio.ensure_future(self._seeing.wait())
                try:
                    await asyncio.wait((over, seeing), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    seeing.cancel()
        finally:
            over.cancel()
        self._card = None
        for chair in self._state.chairs.values():
            if chair.plays and not chair.seen:
                self._room.absent(chair.seat, "card")
        self._free = self.clock.time() + self._pace.between

    def _clock(self) -> Message:
        if self._ends is None:
            return {"type": "clock", "ends_at": None, "kind": "", "seats": []}
        ends, message = self._ends
        return {**message, "ends_at": round(self.clock.wall(ends) * 1000)}

    def _card_shown(self) -> Message:
        return {"type": "card", "ends_at": round(self.clock.wall(self._card or 0.0) * 1000)}

    def _fold(self, events: Sequence[Event]) -> dict[Eyes, list[Message]]:
        """The frames of these events for all eyes."""
        self._views.add(events)
        made: dict[Eyes, list[Message]] = {}
        for eyes, frames in self._frames.items():
            made[eyes] = [_alike(item) for item in frames.add(events)]
            self._seen[eyes] += made[eyes]
        return made

    def _emit(self, events: Sequence[Event], asks: Sequence[Ask] = (), *, least: int = 0) -> None:
        """Show these to all at once, and with them what each person is asked."""
        made = self._fold(events)
        self.truth += [(time.time(), item) for item in made["truth"]]
        frames: dict[Eyes, list[Message]] = {}
        for eyes, found in made.items():
            frames[eyes] = [{"type": "frame", "frame": item} for item in found]
        tail = [self._clock()] if self._ends else []
        self._audience.send(self._to(lambda eyes: frames[eyes] + tail, asks), least)

    def _to(self, of: Callable[[Eyes], list[Message]], asks: Sequence[Ask]) -> dict[str, list[Message]]:
        """Who is sent what: what the eyes see, and each person the own question."""
        to = {whose: list(of("public")) for whose in (ONLOOKERS if self._state.plan.watched else ("host",))}
        for seat in self._state.chairs:
            to[f"seat/{seat}"] = [*of(seat)]
        still = [ask for ask in asks if ask.is_open]
        for ask, message in zip(still, self.questions.messages(still), strict=True):
            to[f"seat/{ask.seat}"].append(message)
        return to


def _alike(item: dict[str, Any]) -> Message:
    """A frame in which whoever declares claims, as bots do, and who does not, as people may, look the same."""
    return {**item, "claims": item.get("claims", [])} if item["kind"] in ("speech", "last_words") else item


def _is_nightfall(event: Event) -> bool:
    return isinstance(event.body, Called) and event.body.stage == "night"


def _opens(event: Event) -> bool:
    """Whether something begins here that is shown by itself."""
    body = event.body
    return isinstance(body, _OPENING) or (isinstance(body, Called) and body.stage is not None)
