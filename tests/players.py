"""Helpers of the tests: tables, players that answer by lot, and fake models that are strict and count.

Fakes sit at the boundary: a fake model is an `Endpoint`, and nothing of our own is ever replaced.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from tianhei.agents.model import ModelPlayer
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.calls import Meter
from tianhei.arena.chance import Chance, Deal, Keyed
from tianhei.arena.claims import Claim
from tianhei.arena.events import Drawn
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Ask, Completion, Prompt, Reply, Unusable, Usage
from tianhei.arena.referee import Referee
from tianhei.arena.requests import ABSENT, CLAIMING, TARGETED, Answer, Request
from tianhei.arena.roles import SINGLES, Role, Seat
from tianhei.arena.rules.options import Rules, RulesError, make, options
from tianhei.arena.rules.setups import custom, roles_of
from tianhei.arena.view import View, Views
from tianhei.transcripts.file import read
from tianhei.transcripts.header import Header, SeatSpec, TableSettings

CLASSIC_SEVEN = {"killer": 2, "police": 1, "civilian": 4}
CLASSIC_FIVE = {"killer": 1, "police": 1, "civilian": 3}
BUTTERFLY_SEVEN = {"butterfly": 1, "sniper": 1, "doctor": 1, "police": 1, "elder": 1, "killer": 2}


class ByLot:
    """Any legal answer. It is drawn by the seed and the request's id alone, so the order of asking cannot matter."""

    def __init__(self, seed: object, *, absence: float = 0.03, passing: float = 0.15) -> None:
        self._seed = seed
        self._absence = absence
        self._passing = passing

    def answer(self, request: Request) -> Answer:
        rng = Random(f"{self._seed}/{request.id}")
        if rng.random() < self._absence:
            return ABSENT
        kind = request.kind
        target: Seat | None = None
        if kind in TARGETED and not (request.may_pass and rng.random() < self._passing):
            target = rng.choice(request.options)
        targets: tuple[Seat, ...] = ()
        if kind == "demand" and len(request.options) > 1 and rng.random() < 0.3:
            targets = tuple(rng.sample(request.options, 2))
        claims = None
        if kind in CLAIMING and rng.random() < 0.3:
            claims = (Claim("role", request.seat, rng.choice(("killer", "police"))),)
        return Answer(
            target=target,
            text=rng.choice(("", "我是警察。", "I am the killer.", "Seat 2 lies."))[: request.text],
            targets=targets,
            raised=kind == "hand" and (not request.may_pass or rng.random() < 0.4),
            claims=claims,
            note=rng.choice((None, None, f"note of {request.seat}")),
        )


def play(referee: Referee, player: ByLot, shuffle: Random | None = None) -> Referee:
    """Play to the end; ``shuffle`` lets the answers of a wave arrive in any order."""
    while pending := list(referee.pending):
        if shuffle:
            shuffle.shuffle(pending)
        for request in pending:
            referee.answer(request.id, player.answer(request))
    return referee


def deal_of(referee: Referee) -> Deal:
    """The cards of a game, as its first event tells the judge."""
    body = referee.waves[0].events[0].body
    assert isinstance(body, Drawn)
    assert isinstance(body.value, tuple)
    return Deal(tuple(map(Role, body.value)))


def views_of(referee: Referee, seed: int | str = 0) -> Views:
    """The views of all seats, folded from everything that has happened."""
    views = Views(referee.rules, Counter(deal_of(referee).roles), seed)
    for wave in referee.waves:
        views.add(wave.events)
    return views


def offered(request: Request) -> Iterator[Answer]:
    """Every choice that a request offers, without words; for demands, every pair of seats."""
    yield ABSENT
    if request.may_pass:
        yield Answer()
    if request.kind in TARGETED:
        yield from (Answer(target=seat) for seat in request.options)
    elif request.kind == "hand":
        yield Answer(raised=True)
    elif request.kind == "demand":
        yield from (Answer(targets=pair) for pair in combinations(request.options, 2))


def random_rules(rng: Random, game: str, **fixed: Any) -> Rules:
    """Any valid rule set, in short games."""
    while True:
        wild = rng.choice((0.0, 0.2, 0.6, 1.0))
        infos = [info for info in options(game) if rng.random() < wild]
        changes = {info.name: rng.choice(list(info.allowed)) for info in infos}
        try:
            return make(game, {**changes, "max_days": rng.randint(1, 6), **fixed})
        except RulesError:
            continue


def random_deal(rng: Random, rules: Rules) -> Deal:
    """Any table that can be, its cards shuffled."""
    while True:
        counts = {role.value: rng.randint(0, 1 if role in SINGLES else 4) for role in roles_of(rules)}
        try:
            custom(rules, counts)
        except RulesError:
            continue
        roles = [Role(role) for role, count in counts.items() for _ in range(count)]
        rng.shuffle(roles)
        return Deal(tuple(roles))


def random_referee(seed: int, game: str, **fixed: Any) -> Referee:
    """A new game with random rules and cards."""
    rng = Random(f"{game}/{seed}")
    rules = random_rules(rng, game, **fixed)
    chance: Chance = Keyed(seed)
    return Referee(rules, random_deal(rng, rules), chance)


def header(
    counts: Mapping[str, int],
    *,
    game: str = "classic",
    rules: Mapping[str, Any] | None = None,
    seed: int | str = 1,
    lang: str = "en",
    player: str = "random",
    **table: Any,
) -> Header:
    """The header of a game in which the same kind of player sits everywhere."""
    found = make(game, rules)
    seats = (SeatSpec(player),) * sum(counts.values())
    return Header(found, custom(found, counts), seed, lang, seats, TableSettings(**table))


class Free:
    """An endpoint that costs nothing."""

    paid = False

    def cost(self, usage: Usage) -> Decimal | None:
        return Decimal(0)


class FakeModel(Free):
    """A model that answers at once and in the right form, always the same to the same prompt; it counts its calls."""

    def __init__(self, reply: Callable[[Prompt], str] | None = None) -> None:
        self._reply = reply or fitting
        self.calls: list[str] = []
        self.prompts: dict[str, Prompt] = {}
        self.at_once = self.most_at_once = 0

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        call = call.rpartition("/")[2]
        self.calls.append(call)
        self.prompts[call] = prompt
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return Completion(self._reply(prompt))


class StrictModel(Free):
    """A model with a fixed list of answers, each for one call by its id; any other, and one left over, is a fault."""

    def __init__(self, script: Sequence[tuple[str, str | Exception]]) -> None:
        self._left = list(script)

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        call = call.rpartition("/")[2]
        assert self._left, f"{call} was not expected, nor anything else"
        expected, reply = self._left.pop(0)
        assert call == expected
        if isinstance(reply, Exception):
            raise reply
        return Completion(reply)

    def finish(self) -> None:
        """Every answer was asked for."""
        assert self._left == []


def fitting(prompt: Prompt) -> str:
    """A reply that fits the prompt's schema, drawn by the prompt's hash."""
    assert prompt.schema is not None
    return json.dumps(_fill(prompt.schema, Random(prompt.hash)), ensure_ascii=False)


def _fill(schema: Mapping[str, Any], rng: Random) -> Any:
    match schema["type"]:
        case "object":
            return {name: _fill(part, rng) for name, part in schema["properties"].items()}
        case "array":
            return [_fill(schema["items"], rng) for _ in range(rng.choice((0, 0, 2)))]
        case _:
            return rng.choice(schema["enum"]) if "enum" in schema else rng.choice(("A word.", "一句话。", ""))


class Fixed:
    """A player that gives one reply to every request, or raises."""

    def __init__(self, reply: Reply | Exception) -> None:
        self._reply = reply

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        if isinstance(self._reply, Exception):
            raise self._reply
        return self._reply


class NoAnswer(Fixed):
    """A player that never has an answer."""

    def __init__(self) -> None:
        super().__init__(Unusable("empty"))


def models(seats: int, model: Any, lang: Any = "en") -> dict[Seat, Sitter]:
    """The same model in every seat."""
    return {seat: Sitter(ModelPlayer(lang), "model", model) for seat in range(1, seats + 1)}


def bots(seats: int, lang: str = "en") -> dict[Seat, Sitter]:
    """A random player in every seat; the first might wait, so that every line is written by itself."""
    return {seat: Sitter(RandomPlayer(lang), waits=seat == 1) for seat in range(1, seats + 1)}


def play_game(path: Path, head: Header | None, sitters: Mapping[Seat, Sitter], **more: Any) -> Host:
    """Host one game, or go on with it, to its end."""

    async def run() -> Host:
        host = Host(path, head, sitters, clock=FixedClock(), **more)
        await host.play()
        return host

    return asyncio.run(run())


def canonical(path: Path | str) -> dict[str, Any]:
    """A transcript for comparison: replies of a wave by seat; times, sums, line numbers, repairs and stops left out.

    Calls are compared by their id and what came back; how much of a prompt was new depends on the order of sending.
    """
    found: dict[str, Any] = {"waves": [], "done": {}, "notes": []}
    replies: dict[int, Any] = {}
    for line in read(path).lines:
        data = {name: value for name, value in line.data.items() if name not in ("n", "t", "crc", "seconds")}
        match line.kind:
            case "reply":
                replies[line.number] = data
            case "wave":
                wave = [replies[given] if isinstance(given, int) else given for given in data.get("replies", [])]
                given = [{name: value for name, value in reply.items() if name != "line"} for reply in wave]
                found["waves"].append({"number": data["wave"], "replies": given, "events": data["events"]})
            case "call" if "done" in data:
                found["done"][data["call"]] = data
            case "call":
                continue
            case "note":
                found["notes"] += [data] if data["note"] not in ("repair", "void") else []
            case kind:
                found[kind] = data
    found["notes"].sort(key=json.dumps)
    return found
