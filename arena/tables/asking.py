"""What people are asked: each question open for a while, and answered once or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.requests import Answer, Illegal, Request, answer_from_json, check
from tianhei.arena.roles import Seat
from tianhei.arena.tables.audience import Audience, Message
from tianhei.arena.tables.clock import TableClock
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.state import Belief, State
from tianhei.arena.tables.words import both, cover, question, starters

COVER = "cover-"
"""What the ids of the table's own questions begin with; the referee knows nothing of them."""
GRACE = 10.0
"""Seconds that a question is open at the least when the server was away meanwhile."""
WARNING = 15.0
"""Seconds before the end at which whoever has not answered is reminded, where people sit together."""
_FIELDS = frozenset(("target", "text", "targets", "raise", "claims"))


@dataclass(slots=True)
class Ask:
    """A question, who is asked, and what came of it; ``ends`` is in table time.

    ``answer`` is None in the end where the time was over. ``written`` is done once the answer is in the transcript.
    ``shown`` is what the person sees; empty as long as it is not the question's turn.
    """

    request: Request
    cover: str = ""
    shown: Mapping[str, Any] = field(default_factory=dict)
    ends: float = 0.0
    answer: asyncio.Future[Answer | None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    written: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def seat(self) -> Seat:
        return self.request.seat

    @property
    def is_open(self) -> bool:
        """Whether the person sees it and may answer."""
        return bool(self.shown) and not self.answer.done()

    def give(self, answer: Answer | None) -> None:
        """Settle it; a second answer changes nothing."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def put(self, stage: str, ends: float) -> None:
        """Make it ready to be shown."""
        request = self.request
        self.ends = ends
        self.shown = {
            "request": request.id,
            "kind": "cover" if self.cover else request.kind,
            "options": list(request.options),
            "may_pass": request.may_pass,
            "text_limit": request.text or None,
            "question": both(f"ask.{self.cover}") if self.cover else question(request, stage),
            "starters": starters(request),
            "cover": bool(self.cover),
        }


def cover_ask(seat: Seat, others: tuple[Seat, ...], day: int, number: int) -> Ask:
    """One of the table's own questions to a person in a night."""
    return Ask(Request(_cover_id(day, number, seat), seat, "vote", others), cover(number))


def _cover_id(day: int, number: int, seat: Seat) -> str:
    return f"{COVER}{day}-{number}.{seat}"


def answer_of(request: Request, data: Mapping[str, Any]) -> Answer:
    """What a person sent for a request. Refused where it is not among the answers that the request offers."""
    fields = {name: value for name, value in data.items() if name in _FIELDS}
    if data.get("pass") is True:
        if given := sorted(name for name in fields if fields[name]):
            raise Refused(409, "illegal", f"whoever passes gives no {', '.join(given)}")
        fields = {}
    try:
        answer = answer_from_json(fields)
        check(request, answer)
    except Illegal as error:
        raise Refused(409, "illegal", str(error)) from None
    return answer


class Questions:
    """All questions to the people of one game."""

    def __init__(
        self,
        state: State,
        clock: TableClock,
        audience: Audience,
        save: Callable[[], None],
        absent: Callable[[Seat, str], None],
        *,
        slow: bool,
    ) -> None:
        """``absent`` is told of a person who let the time go by."""
        self._state = state
        self._clock = clock
        self._audience = audience
        self._save = save
        self._absent = absent
        self._slow = slow
        self._asks: dict[str, Ask] = {}
        self._fates = {_cover_id(each.day, each.place, each.seat): "already_answered" for each in state.beliefs}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, asks: Sequence[Ask]) -> None:
        """These will be asked."""
        self._asks |= {ask.request.id: ask for ask in asks}

    def remember(self, sources: Mapping[str, str]) -> None:
        """These were answered before, by those sources."""
        self._fates |= {
            name: "already_answered" if source == "human" else "too_late" for name, source in sources.items()
        }

    def is_settled(self, ask: Ask) -> bool:
        """Whether this was answered before the server was away."""
        return ask.request.id in self._fates

    async def answered(self, request: Request) -> Answer | None:
        """What the person answers; None where the time went by."""
        ask = self._asks[request.id]
        answer = await ask.answer
        asyncio.get_running_loop().call_soon(_done, ask.written)  # once the host has written it, which takes no wait
        return answer

    def open(self, asks: Sequence[Ask]) -> None:
        """Note until when these are open, and close them then."""
        self.note_ends()
        if asks:
            task = asyncio.create_task(self._close(asks))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def ends(self, ask: Ask, ends: float) -> float:
        """When a question ends: as was said before the server was away, where it was open then."""
        if (said := self._state.asks.get(ask.request.id)) is None:
            return ends
        return self.lasting(ask.request.id, self._clock.at(said), ends - self._clock.time())

    def lasting(self, name: str, ends: float, most: float) -> float:
        """When something ends that was open when the server went away: as was said, but with time enough.

        That is less after each restart, so that a server that comes and goes does not hold up the table for ever.
        """
        times = self._state.restarts.get(name, 0)
        self._state.restarts[name] = times + 1
        return max(ends, self._clock.time() + min(GRACE, most) * 0.5**times)

    def note_ends(self) -> None:
        """Write down until when what is open may be answered."""
        waiting = {name for name, ask in self._asks.items() if not ask.shown}  # open before the server was away
        kept = {name: ends for name, ends in self._state.asks.items() if name in waiting}
        self._state.asks = kept | {ask.request.id: self._clock.wall(ask.ends) for ask in self.opened() if not ask.cover}
        self._save()

    def opened(self) -> Iterator[Ask]:
        """The questions that are open now."""
        return (ask for ask in self._asks.values() if ask.is_open)

    def messages(self, asks: Iterable[Ask]) -> list[Message]:
        """Questions as their people's streams are sent them; those that end together say so to the thousandth."""
        zero = self._clock.wall(0.0)
        return [{"type": "ask", "ask": {**ask.shown, "ends_at": round((zero + ask.ends) * 1000)}} for ask in asks]

    def give(self, seat: Seat, name: str, data: Mapping[str, Any]) -> Ask:
        """A person answers. Refused, by name, where that is not to be; whose a question is says its id alone."""
        whose = name.rsplit(".", 1)[-1]
        if not (whose.isdecimal() and int(whose) == seat):
            raise Refused(409, "not_yours", "this question was not put to your seat")
        ask = self._asks.get(name)
        if ask is None or not ask.shown:
            if name in self._fates:
                raise Refused(409, self._fates[name], "this question is closed")
            raise Refused(409, "unknown_request", "no such question is open")
        if ask.answer.done():
            is_late = ask.answer.cancelled() or ask.answer.result() is None  # cancelled where the cards are dealt anew
            fate = "too_late" if is_late else "already_answered"
            raise Refused(409, fate, "this question is closed")
        answer = answer_of(ask.request, data)
        if ask.cover:
            day, place = name.removeprefix(COVER).split(".")[0].split("-")
            belief = Belief(day=int(day), place=int(place), question=ask.cover, seat=seat, target=answer.target)
            self._state.beliefs.append(belief)
            self._save()
            _done(ask.written)
        ask.give(answer)
        self._audience.tell(f"seat/{seat}", {"type": "unask", "request": name})
        return ask

    def drop(self, seat: Seat) -> None:
        """The person of this seat answers nothing more for now."""
        for ask in self._asks.values():
            if ask.seat == seat and not ask.cover:
                ask.give(None)

    def stop(self) -> None:
        """Close nothing more."""
        for task in tuple(self._tasks):
            task.cancel()

    async def _close(self, asks: Sequence[Ask]) -> None:
        """Remind whoever has not answered, and close what nobody answered in time."""
        ends = max(ask.ends for ask in asks)
        left = ends - self._clock.time()
        await self._clock.until(ends - (left / 2 if self._slow else min(WARNING, left / 3)))
        for ask in {ask.seat: ask for ask in reversed(asks) if ask.is_open}.values():  # of two, the first
            self._audience.tell(f"seat/{ask.seat}", {"type": "nudge", "request": ask.request.id})
        await self._clock.until(ends)
        for ask in asks:
            if ask.is_open:
                ask.give(None)
                self._audience.tell(f"seat/{ask.seat}", {"type": "unask", "request": ask.request.id, "why": "too_late"})
                if not ask.cover:
                    self._absent(ask.seat, ask.request.id)


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
