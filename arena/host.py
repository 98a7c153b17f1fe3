"""The host plays one game: asks whoever sits in the open seats, writes down what happens, and goes on where it stopped.

Start is resume: the host rebuilds the game from its transcript (an empty file is the shortest one) and asks what is
still open. A reply that is in the file is never asked for again, and neither is a model's answer that was received.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from tianhei.arena.budget import Budget, Reservation
from tianhei.arena.calls import Endpoint, EndpointDown, OutOfBudget, Try
from tianhei.arena.guard import Guard, Leak
from tianhei.arena.player import Ask, Completion, Player, Prompt, Reply, Unusable, Usage, to_sentence_end
from tianhei.arena.probing import Probe, due, is_probe, probe_from_json
from tianhei.arena.referee import Wave
from tianhei.arena.requests import ABSENT, Answer, Illegal, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.council import TEAM_OF
from tianhei.arena.rules.victory import Outcome
from tianhei.arena.view import Views
from tianhei.transcripts.calls import (
    PublicText,
    completion_from_json,
    done_to_json,
    prompts_sent,
    sent_to_json,
    try_to_json,
    usage_from_json,
    usage_to_json,
)  # fmt: skip
from tianhei.transcripts.file import Appender, TranscriptError
from tianhei.transcripts.game import Recording, events_to_json, recording, reply_to_json, seat_of
from tianhei.transcripts.header import Header
from tianhei.transcripts.replay import rebuild

Source = Literal["model", "human", "bot"]


T = TypeVar("T")


class Clock(Protocol):
    """Where the host gets its time."""

    def now(self) -> float:
        """Seconds, from any start."""
        ...

    def stamp(self) -> str:
        """The date and time, ISO 8601 in UTC."""
        ...


class SystemClock:
    """The real time."""

    def now(self) -> float:
        return time.monotonic()

    def stamp(self) -> str:
        return datetime.now(UTC).isoformat(timespec="seconds")


class FixedClock:
    """A clock that stands still: under it, scripted games of one seed are the same bytes."""

    def now(self) -> float:
        return 0.0

    def stamp(self) -> str:
        return "1970-01-01T00:00:00+00:00"


class PlayerFailed(Exception):
    """A player's own code broke: the game stops, and can be resumed once it is mended."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: the player, where its model is reached, and what kind of source its answers are."""

    player: Player
    source: Source = "bot"
    endpoint: Endpoint | None = None
    waits: bool = False
    """Whether a player without an endpoint may wait for something all the same, as one of the user's own may."""

    @property
    def is_instant(self) -> bool:
        """Whether it answers from its own head, at once: a scripted player."""
        return self.source == "bot" and self.endpoint is None and not self.waits


class Watcher(Protocol):
    """Somebody who looks on while a game is played."""

    def asked(self, requests: tuple[Request, ...], views: Views) -> None:
        """These are open now."""

    def told(self, wave: Wave, views: Views) -> None:
        """This has happened; the views know it already."""

    def failed(self, seat: Seat, tried: Try) -> None:
        """A seat's request to its model came to nothing; it is made again after ``tried.wait`` seconds, if ever."""


class Host:
    """One game between its transcript and its players."""

    def __init__(
        self,
        path: Path | str,
        header: Header | None,
        sitters: Mapping[Seat, Sitter],
        *,
        clock: Clock | None = None,
        watcher: Watcher | None = None,
        budgets: Sequence[Budget] = (),
    ) -> None:
        """Open the transcript and rebuild the game as far as it is recorded.

        ``header`` starts a new file; None takes the one that the file has. ``budgets`` are what its calls may spend:
        the game's own, which it has spent from as far as it is recorded, and those it shares. TranscriptError if the
        file is damaged, is being written, or does not fit.
        """
        self.clock = clock or SystemClock()
        self.watcher = watcher
        self.budgets = budgets
        self._sitters = sitters
        self._instant = frozenset(seat for seat, sitter in sitters.items() if sitter.is_instant)
        self._all_instant = len(self._instant) == len(sitters)
        self._file = Appender(path)
        self._before = 0.0
        try:
            recorded = self._open(header)
            self.header = recorded.header
            self._game = self.header.game
            self.referee, self.views = rebuild(recorded)
            self._close_calls(recorded)
            self._charge(recorded)
        except BaseException:
            self._file.close()
            raise
        self.past = recorded.events
        """What had happened when this host took over."""
        self._is_new = not recorded.waves
        self._started = self.clock.now()
        self._done = recorded.done
        self._open_replies = recorded.open_replies
        self._ended = recorded.end is not None
        self._given: dict[Seat, int | dict[str, Any]] = {**recorded.open_lines}
        self._probed = {probe_from_json(line).probe.key for line in recorded.probes}
        self._faulted = {note["request"] for note in recorded.notes if note["note"] == "fault"}
        self._guard = Guard()
        for found in (*(wave.replies for wave in recorded.waves), recorded.open_replies):
            for reply in found.values():
                self._learn(reply.request, reply.thought, reply.answer)
        self._public = PublicText()
        for _ in prompts_sent(recorded.sent, self._public):
            pass

    def _open(self, header: Header | None) -> Recording:
        contents = self._file.contents
        if not contents.lines:
            if header is None:
                raise TranscriptError(f"{self._file.path}: there is no game in this file to go on with")
            self._file.append("header", header.to_json())
            recorded = Recording(self._file.path, header)
        else:
            recorded = recording(contents, self._file.path)
            self._before = next((line.data["t"] for line in reversed(contents.lines) if "t" in line.data), 0.0)
            if header is not None and header.game != recorded.header.game:
                raise TranscriptError(f"{self._file.path}: it holds another game; name a new file")
        if self._file.repaired:
            self._file.append("note", {"note": "repair", "what": self._file.repaired})
        return recorded

    def _charge(self, recorded: Recording) -> None:
        """Take from the budgets what the game has spent so far. BudgetError where a price is unknown."""
        for budget in self.budgets:
            cost = {seat: sitter.endpoint.cost for seat, sitter in self._sitters.items() if sitter.endpoint}
            for seat in cost:
                budget.amount(Usage(), cost[seat])
            for call in (*recorded.done.values(), *recorded.tries):
                seat = seat_of(call["call"].partition("#")[0])
                if seat in cost:
                    used = Usage(**call["need"]) if "need" in call else usage_from_json(call)
                    budget.spent += budget.amount(used, cost[seat])

    def _close_calls(self, recorded: Recording) -> None:
        """Write down what a program that was killed left under way: it may have used all that it could need."""
        for call, line in recorded.under_way.items():
            tried = Try("stopped", "the program ended while it was under way", 0.0, need=Usage(**line["need"]))
            lost = try_to_json(call, tried)
            self._file.append("call", lost)
            recorded.tries.append(lost)

    async def play(self) -> Outcome:
        """Play to the end. EndpointDown, OutOfBudget, PlayerFailed or TranscriptError stop it where it can be resumed.

        A game that stops is void as it stands, and its transcript says why.
        """
        try:
            if self._is_new:
                self._close(self.referee.waves[0])
            for reply in self._open_replies.values():
                wave = self.referee.answer(reply.request, reply.answer)
                if wave is not None:
                    self._close(wave)
            while self.referee.outcome is None:
                await self._wave()
            outcome = self.referee.outcome
            if not self._ended:
                end = {"winner": outcome.winner, "reason": outcome.reason, "day": self.views.record.day}
                self._file.append("end", {"t": self._time(), **end})
            if not self._all_instant:
                self._file.sync()
            return outcome
        except (EndpointDown, Leak, OutOfBudget, PlayerFailed) as error:
            self._file.append("note", {"note": "void", "cause": _cause(error), "what": str(error)})
            raise
        except asyncio.CancelledError:
            with suppress(TranscriptError):
                self._file.append("note", {"note": "void", "cause": "stopped", "what": "it was stopped from outside"})
            raise
        finally:
            self._file.close()

    async def _wave(self) -> None:
        """Ask all that is open at once, and take the answers as they come."""
        requests = self.referee.pending
        if self.header.probes:
            probes = due(self.header.probes, requests, self.views.record, len(self.referee.waves))
            await self._together((probe.seat, self._probe(probe)) for probe in probes)
        if self.watcher:
            self.watcher.asked(requests, self.views)
        await self._together((request.seat, self._answer(request)) for request in requests)

    async def _together(self, asking: Iterable[tuple[Seat, Coroutine[Any, Any, None]]]) -> None:
        """Ask several seats at once; if one fails, none goes on."""
        waiting = []
        try:
            for seat, coming in asking:
                if seat in self._instant:  # needs no task of its own: it never waits
                    await coming
                else:
                    waiting.append(asyncio.ensure_future(coming))
            if waiting:
                await asyncio.gather(*waiting)
        except BaseException:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            raise

    async def _probe(self, probe: Probe) -> None:
        """Ask a seat aside what it believes, and write that down; no view ever holds it."""
        sitter = self._sitters[probe.seat]
        believe = getattr(sitter.player, "believe", None)
        if believe is None or probe.key in self._probed:
            return
        request = Request(probe.id, probe.seat, "vote")
        try:
            found = await self._from_player(request, lambda ask: believe(self.views.of(probe.seat), ask))
            told = found.to_json()
        except Unusable as error:
            told = {"cause": error.cause}
        self._probed.add(probe.key)
        line = {"t": self._time(), **probe.to_json(), "source": sitter.source, **told}
        self._file.append("probe", line, hold=self._all_instant)

    async def _answer(self, request: Request) -> None:
        """Ask one seat, write its reply down, and close the wave if it was the last."""
        reply, source = await self._reply(request)
        alone = len(self.referee.open) == 1
        try:
            wave = self.referee.answer(request.id, reply.answer)
        except Illegal as error:
            if request.id not in self._faulted:
                self._file.append("note", {"note": "fault", "request": request.id, "what": str(error)})
            reply, source = Reply(ABSENT), "fallback:illegal"
            wave = self.referee.answer(request.id, ABSENT)
        self._learn(request.id, reply.thought, reply.answer)
        data = reply_to_json(request, reply, source)
        if alone or request.seat in self._instant:  # one line less: the wave is next, or it costs nothing to have again
            self._given[request.seat] = data
        else:
            self._given[request.seat] = self._file.append("reply", {"t": self._time(), **data})
        if wave is not None:
            self._close(wave)

    def _learn(self, request: str, thought: str, answer: Answer) -> None:
        """Keep a reply's private words from everybody else's prompts."""
        council = answer.text if request.partition(".")[2].startswith(tuple(TEAM_OF)) else ""
        if thought or answer.note or council:
            self._guard.learn(seat_of(request), thought, answer.note, council)

    def _close(self, wave: Wave) -> None:
        """Write a closed wave, and let everybody see it."""
        line: dict[str, Any] = {"t": self._time(), "wave": len(self.referee.waves) - 1}
        if wave.requests:
            line["replies"] = [self._given[seat] for seat in sorted(self._given)]
        line["events"] = events_to_json(wave)
        self._file.append("wave", line, hold=self._all_instant)
        self._given.clear()
        self.views.add(wave.events)
        if self.watcher:
            self.watcher.told(wave, self.views)

    async def _reply(self, request: Request) -> tuple[Reply, str]:
        """A player's reply, made fit for the record; where it has none to give, `absent` and the cause."""
        sitter = self._sitters[request.seat]

        async def act(ask: Ask) -> Reply:
            return fitted(await sitter.player.act(self.views.of(request.seat), request, ask), request)

        try:
            reply = await self._from_player(request, act)
        except Unusable as error:
            return Reply(ABSENT), f"fallback:{error.cause}"
        if reply.answer.absent:  # a player may not call itself so
            return Reply(ABSENT), "fallback:error"
        return reply, reply.source or sitter.source

    async def _from_player(self, request: Request, asked: Callable[[Ask], Awaitable[T]]) -> T:
        """What a player gives, in time. Unusable where it has nothing to give, PlayerFailed where it breaks."""
        sitter = self._sitters[request.seat]
        ask = _Ask(self._done, self._call, request, sitter.endpoint) if sitter.endpoint else _no_endpoint
        try:
            if request.seat in self._instant:
                return await asked(ask)
            async with asyncio.timeout(self.header.table.deadline):
                return await asked(ask)
        except (Unusable, EndpointDown, Leak, OutOfBudget, TranscriptError):
            raise
        except TimeoutError:
            raise Unusable("timeout", "no answer before the table's deadline") from None
        except Exception as error:
            raise PlayerFailed(_broken(request, error)) from error

    async def _call(self, endpoint: Endpoint, request: Request, call: str, prompt: Prompt) -> Completion:
        meter = _Meter(self, endpoint, request.seat, call)
        sent = sent_to_json(call, prompt, self._public)
        self._guard.check(prompt, sent["added"], self.views.of(request.seat))
        self._note_call(call, sent)
        began = self.clock.now()
        try:
            completion = await endpoint.complete(prompt, f"{self._game}/{call}", meter)
        except (Unusable, EndpointDown, OutOfBudget) as error:
            cause = error.cause if isinstance(error, Unusable) else _cause(error)
            self._note_call(call, {"call": call, "failed": cause, "what": str(error)})
            raise
        except BaseException:
            meter.stopped(self.clock.now() - began)
            raise
        meter.settle(completion.usage)
        self._note_call(call, done_to_json(call, completion, self.clock.now() - began))
        if endpoint.paid:
            await asyncio.to_thread(self._file.sync)
        return completion

    def _note_call(self, call: str, fields: Mapping[str, Any]) -> None:
        """Write down what has become of a call."""
        aside = {"for": "probe"} if is_probe(call) else {}
        self._file.append("call", {"t": self._time(), **fields, **aside})

    def note(self, note: str, **fields: Any) -> None:
        """Write down something beside the game."""
        self._file.append("note", {"t": self._time(), "note": note, **fields})

    def leaving(self, call: str, need: Usage) -> None:
        """Write down what a request that leaves can use at most, so that a budget survives the end of the program."""
        self._note_call(call, {"call": call, "need": usage_to_json(need)})

    def tried(self, call: str, seat: Seat, tried: Try) -> None:
        """Write down a request that came to nothing."""
        self._note_call(call, try_to_json(call, tried))
        if self.watcher:
            self.watcher.failed(seat, tried)

    def _time(self) -> float:
        return round(self._before + self.clock.now() - self._started, 3)


class _Ask:
    """How one request's player reaches its model: every call is written down before it leaves and when it is back."""

    __slots__ = ("_attempts", "_call", "_done", "_endpoint", "_request")

    def __init__(
        self,
        done: Mapping[str, Mapping[str, Any]],
        call: Callable[[Endpoint, Request, str, Prompt], Awaitable[Completion]],
        request: Request,
        endpoint: Endpoint,
    ) -> None:
        self._done = done
        self._call = call
        self._request = request
        self._endpoint = endpoint
        self._attempts = 0

    async def __call__(self, prompt: Prompt) -> Completion:
        self._attempts += 1
        call = f"{self._request.id}#{self._attempts}"
        if call in self._done:
            return completion_from_json(self._done[call])
        return await self._call(self._endpoint, self._request, call, prompt)


class _Meter:
    """One call's requests: paid for out of the budgets, and written down where they came to nothing."""

    __slots__ = ("_call", "_endpoint", "_host", "_need", "_reserved", "_seat")

    def __init__(self, host: Host, endpoint: Endpoint, seat: Seat, call: str) -> None:
        self._host = host
        self._endpoint = endpoint
        self._seat = seat
        self._call = call
        self._need: Usage | None = None
        self._reserved: Reservation | None = None

    def begins(self, need: Usage) -> None:
        if self._host.budgets:
            self._reserved = Reservation(self._host.budgets, need, self._endpoint.cost)
            self._host.leaving(self._call, need)
        self._need = need

    def failed(self, tried: Try) -> None:
        if tried.cause in ("timeout", "stopped") and tried.usage == Usage() and self._need:
            tried = replace(tried, need=self._need)
            self.settle(None)
        else:
            self.settle(tried.usage)
        self._host.tried(self._call, self._seat, tried)

    def stopped(self, seconds: float) -> None:
        """The game stops while the call is under way: what its request used, if one is out, nobody knows."""
        if self._need:
            with suppress(TranscriptError):
                self.failed(Try("stopped", "the game stopped while it was under way", round(seconds, 3)))

    def adapted(self, what: str) -> None:
        self._host.note("adapted", seat=self._seat, what=what)

    def settle(self, usage: Usage | None) -> None:
        """What was reserved for the request is spent as far as it was used; None: as far as it was reserved."""
        self._need = None
        if self._reserved:
            self._reserved.settle(usage)
            self._reserved = None


def _cause(error: Exception) -> str:
    """Why a game is void, in one word."""
    if isinstance(error, EndpointDown):
        return error.cause
    return "budget" if isinstance(error, OutOfBudget) else "leak" if isinstance(error, Leak) else "player"


def _broken(request: Request, error: Exception) -> str:
    """Whose player broke, at which request, and where in its code."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{last.filename}, line {last.lineno}"
    return f"the player of seat {request.seat} failed at {request.id}: {error!r} ({where}); mend it and resume"


async def _no_endpoint(prompt: Prompt) -> Completion:
    """What a player without a model reaches."""
    raise Unusable("error", "this seat has no endpoint")


def fitted(reply: Reply, request: Request) -> Reply:
    """The reply made fit for the record: half characters replaced, its text cut to the limit at a sentence's end."""
    text = reply.answer.text
    if len(text) <= request.text and text.isascii() and reply.answer.note is None:
        return reply
    if not (text.isascii() and (reply.answer.note or "").isascii()):
        text, note = _whole(text), reply.answer.note
        reply = reply._replace(answer=reply.answer._replace(text=text, note=None if note is None else _whole(note)))
    if len(text) <= request.text:
        return reply
    kept = to_sentence_end(text[: request.text])
    return reply._replace(answer=reply.answer._replace(text=kept), cut=True)


def _whole(text: str) -> str:
    """The text with lone surrogates, which no file can hold, replaced."""
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
