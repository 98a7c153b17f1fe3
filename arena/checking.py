"""Examining a player before it plays: many small games, and of each answer whether it keeps the players' contract.

A player is a function of view, request and luck. So it is asked again, asked with a view folded anew from what its
seat has seen, and compared with a new player of its class; and nothing that it was handed may have changed. A model
is asked once each, in one seat of two games.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from functools import partial
from typing import Any

from tianhei.agents.roster import KINDS, TOLD, SeatPlan, new_player, player_class
from tianhei.arena.calls import Endpoint, EndpointDown, Try
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.contract import OF_MODELS, RULES, Report, circumstances, played
from tianhei.arena.player import Ask, Completion, Player, Prompt, Reply, Unusable, Usage
from tianhei.arena.referee import Referee
from tianhei.arena.requests import ABSENT, Answer, Request
from tianhei.arena.situations import FEW, SITUATIONS, Situation, Stranger
from tianhei.arena.view import Record, View, Views
from tianhei.prompts.vocabulary import Lang

LANGS: tuple[Lang, ...] = ("en", "zh")
GAMES = 2
"""Games for each situation and language."""
DEADLINE = 60.0
"""Seconds for one answer of a player without a model."""


async def examine(
    plan: SeatPlan,
    say: Callable[[str], None] = lambda text: None,
    *,
    situations: Sequence[Situation] = SITUATIONS,
    games: int = GAMES,
) -> Report:
    """Examine whoever is named, in so many games for each situation and language. EndpointDown for want of a model."""
    if plan.is_model:
        return await _examine_model(plan, say)
    cls = player_class(KINDS.get(plan.player, plan.player))
    report = Report(tuple(rule for rule in RULES if rule != "no waiting" or plan.kind == "scripted"))
    told = TOLD.get(plan.player, "")
    for lang in LANGS:
        sitter = Examined(report, partial(new_player, cls, lang), compared=True)
        first = {
            (situation.name, seed): await _game(situation, lang, seed, sitter, told=told)
            for seed in range(games) for situation in situations
        }  # fmt: skip
        for situation in (each for each in FEW if each in situations):
            again = Examined(Report(), partial(new_player, cls, lang))
            if await _game(situation, lang, 0, again, told=told) != first[situation.name, 0]:
                report.fault("no trace", f"{situation.name}, {lang}, seed 0", "another game when it was played again")
    return report


async def _examine_model(plan: SeatPlan, say: Callable[[str], None]) -> Report:
    """One game of each kind, the one in English, the other in Chinese."""
    from tianhei.arena.pool import Endpoints
    from tianhei.arena.seating import Seating

    report = Report(OF_MODELS)
    async with Endpoints(say) as endpoints:
        for lang, situation in zip(LANGS, FEW, strict=True):
            sitter = Seating({1: plan}, lang, endpoints).sitters()[1]
            assert sitter.endpoint is not None
            examined = Examined(report, partial(_itself, sitter.player), _Calls(sitter.endpoint), deadline=None)
            await _game(situation, lang, 1, examined, most=1)
    return report


def _itself(player: Player) -> Player:
    return player


async def _game(
    situation: Situation, lang: Lang, seed: int, examined: Examined, *, told: str = "", most: int = 99
) -> list[Answer]:
    """One game, the examined player in two seats of three (at most so many), strangers in the others."""
    rules, counts, stranger = situation.rules, situation.counts, Stranger(lang)
    seats = [seat for seat in range(1, sum(counts.values()) + 1) if (seat + seed) % 3][:most]
    handicaps = dict.fromkeys(seats, told) if told else {}
    referee = Referee(rules, deal(counts, seed), Keyed(seed), situation.limits, handicaps)
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    answers: list[Answer] = []
    examined.report.games += 1
    while referee.outcome is None:
        wave = None
        for request in referee.pending:
            view = views.of(request.seat)
            if request.seat in seats:
                where = f"{situation.name}, {lang}, seed {seed}, {request.id}"
                answer = await examined.answer(view, request, where)
                answers.append(answer)
            else:
                answer = (await stranger.act(view, request, _no_model)).answer
            wave = referee.answer(request.id, answer)
        assert wave is not None
        views.add(wave.events)
    return answers


async def _no_model(prompt: Prompt) -> Completion:
    raise RuntimeError("it asked a model, and none sits behind it")


class _Calls:
    """How a model under examination is reached. What its endpoint reports on the way is for the doctor to tell."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._number = 0

    async def __call__(self, prompt: Prompt) -> Completion:
        self._number += 1
        return await self._endpoint.complete(prompt, f"check{self._number}", self)

    def begins(self, need: Usage) -> None:
        """No budget is kept."""

    def failed(self, tried: Try) -> None:
        """It is tried again."""

    def adapted(self, what: str) -> None:
        """It is asked otherwise from now on."""


class Examined:
    """A player in its seats. ``make`` gives a new one of its class; ``compared``: that and others are asked as well."""

    def __init__(
        self,
        report: Report,
        make: Callable[[], Player],
        ask: Ask = _no_model,
        *,
        compared: bool = False,
        deadline: float | None = DEADLINE,
    ) -> None:
        self.report = report
        self._make = make
        self._ask = ask
        self._compared = compared
        self._deadline = deadline
        self._player = make()

    async def answer(self, view: View, request: Request, where: str) -> Answer:
        """Ask, look at what comes, and return what can be played of it. It is shown nothing but copies of the view."""
        report, eyes = self.report, refolded(view)
        report.met.update(circumstances(view, request))
        before = repr(vars(eyes))
        began = time.perf_counter()
        try:
            acting = _Watched(self._player.act(eyes, request, self._ask))
            async with asyncio.timeout(self._deadline):
                reply = _reply(await acting)
        except Unusable as error:
            report.unusable[error.cause] += 1
            return ABSENT
        except EndpointDown:
            raise
        except Exception as error:
            report.fault("no exception", where, f"{type(error).__name__}: {error}")
            return ABSENT
        finally:
            report.seconds.append(time.perf_counter() - began)
        if acting.waited:
            report.fault("no waiting", where, "it waited")
        if repr(vars(eyes)) != before:
            report.fault("hands off", where, "the view is not what it was")
        if self._compared:
            await self._compare("the same twice", self._player, eyes, request, reply, where)
            await self._compare("view alone", self._player, refolded(view), request, reply, where)
            await self._compare("no memory", self._make(), refolded(view), request, reply, where)
        return played(report, reply, view, request, where)

    async def _compare(self, rule: str, player: Player, eyes: View, request: Request, was: Reply, where: str) -> None:
        try:
            given = (await player.act(eyes, request, self._ask)).answer
        except Exception as error:
            self.report.fault(rule, where, f"it failed then: {type(error).__name__}: {error}")
            return
        if given != was.answer:
            self.report.fault(rule, where, f"{was.answer.to_json(request.kind)}, then {given.to_json(request.kind)}")


def _reply(given: Any) -> Reply:
    """What was returned, if it is a reply at all."""
    if isinstance(given, Reply):
        answer: Any = given.answer
        if isinstance(answer, Answer):
            return given
    raise TypeError(f"it returned {type(given).__name__}, not Reply(Answer(...))")


class _Watched:
    """Waits for an answer, and knows afterwards whether there was anything to wait for."""

    def __init__(self, acting: Awaitable[Reply]) -> None:
        self._acting = acting
        self.waited = False

    def __await__(self) -> Generator[Any, Any, Reply]:
        steps = self._acting.__await__()
        while True:
            try:
                step = next(steps)
            except StopIteration as stop:
                reply: Reply = stop.value
                return reply
            self.waited = True
            yield step


def refolded(view: View) -> View:
    """A view of the same seat, folded anew from the events that it has seen."""
    record = Record(view.rules, view.players, view.record.counts, tuple(range(1, view.players + 1)))
    for place, event in view.record.events:
        record.add(place, event)
    other = View(view.seat, record, view.luck)
    for place, event in view.private:
        if event.visible_to(view.seat):
            other.add(place, event)
        else:  # seen with open eyes, after its death
            other.private.append((place, event))
    return other
