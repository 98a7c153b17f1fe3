"""Public reports of whole runs: loops, sockets, concurrency, quotas, budgets, who looks on."""

from __future__ import annotations

import asyncio
import io
import os
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from openai import DefaultAioHttpClient
from rich.console import Console

from provider.asking import PROMPT, Noting, of, seated, with_endpoint
from provider.cells import CALM
from provider.game import BESIDE, DISTURBED, header, play
from provider.ledger import Act, Entry
from provider.model import Signing
from provider.server import Serve, ok, refusal
from tianhei.agents.model import ModelPlayer
from tianhei.arena.budget import Budget
from tianhei.arena.calls import EndpointDown, OutOfBudget, Try
from tianhei.arena.costs import costs_of
from tianhei.arena.endpoint import OpenAIEndpoint
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Completion
from tianhei.arena.roles import Seat
from tianhei.arena.screen import Screen
from tianhei.transcripts.game import load


@pytest.mark.report("CC-01")
def test_two_loops_in_one_process(serve: Serve, tmp_path: Path) -> None:
    server = serve(Signing())
    for name in ("a", "b"):
        assert play(server, {tmp_path / name: (DISTURBED, CALM)}, lambda entry: "") == [None]
        assert load(tmp_path / name).tries == []
    assert len(server.ledger.entries) == 30


@pytest.mark.report("CC-02", "CC-04")
@pytest.mark.parametrize("concurrency", [250, 400])
def test_as_many_at_once_as_were_asked_for(serve: Serve, concurrency: int) -> None:
    """Waiting for a place is not charged to the time of a try, and no socket stays open.

    Nobody is answered before all are there, and then a little later, so that one too many would be seen.
    """

    async def rule(entry: Entry) -> Act:
        while server.ledger.most_at_once < concurrency:
            await asyncio.sleep(0.01)
        return Act(body=ok().body, after=0.1)

    server = serve(rule)
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0

    async def all_of(endpoint: OpenAIEndpoint) -> list[Completion]:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}", meter) for n in range(400)))

    meter = Noting()
    asyncio.run(with_endpoint(of(server, concurrency=concurrency, timeout=20.0, patience=0.0), all_of))
    assert meter.causes == []
    assert server.ledger.most_at_once == concurrency
    server.settle()
    end = time.monotonic() + 30.0
    while before and len(os.listdir("/proc/self/fd")) > before:
        assert time.monotonic() < end, "sockets stay open"
        time.sleep(0.01)


@pytest.mark.report("CC-02")
def test_waiting_for_a_place_takes_no_time_of_a_try(serve: Serve) -> None:
    """All together take longer than one try may."""
    server = serve(lambda entry: Act(body=ok().body, after=0.1))

    async def all_of(endpoint: OpenAIEndpoint) -> list[Completion]:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}", meter) for n in range(32)))

    meter = Noting()
    asyncio.run(with_endpoint(of(server, concurrency=1, timeout=3.0, patience=0.0), all_of))
    assert (meter.causes, server.ledger.most_at_once) == ([], 1)


@pytest.mark.report("CC-04")
def test_a_connection_that_is_never_made_ends_with_the_time_of_a_try(serve: Serve) -> None:
    server, meter, lost = serve([ok()]), Noting(), iter((60.0,))

    async def never(request: httpx2.Request) -> None:
        await asyncio.sleep(next(lost, 0.0))

    async def run() -> None:
        http_client = DefaultAioHttpClient(timeout=None, event_hooks={"request": [never]})
        endpoint = OpenAIEndpoint(of(server, timeout=2.0), http_client=http_client)
        assert (await endpoint.complete(PROMPT, "c", meter)).text == "fine"
        await endpoint.close()

    began = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - began < 50.0, "it did not wait for the connection"
    assert meter.causes == ["timeout"]


@pytest.mark.report("CC-06")
def test_an_empty_account_stops_every_game_at_once(serve: Serve, tmp_path: Path) -> None:
    """Of 32 games no more calls go out than were on their way together; none is finished, all can go on."""
    quota = refusal(429, "You exceeded your current quota.", code="insufficient_quota")
    server = serve(lambda entry: Act(quota.status, quota.body, after=0.02))
    paths = {tmp_path / str(seed): header(seed, (1, 2, 3, 4, 5)) for seed in range(32)}

    async def run() -> list[Any]:
        async def games(endpoint: OpenAIEndpoint) -> list[Any]:
            hosts = [
                Host(path, head, seated(endpoint, 1, 2, 3, 4, 5), clock=FixedClock()) for path, head in paths.items()
            ]
            return await asyncio.gather(*(host.play() for host in hosts), return_exceptions=True)

        found: list[Any] = await with_endpoint(of(server, concurrency=8), games)
        return found

    stopped = asyncio.run(run())
    assert {(type(error), getattr(error, "cause", ""), getattr(error, "lasting", "")) for error in stopped} == {
        (EndpointDown, "quota", True)
    }
    assert len(server.ledger.entries) <= 8
    for path in paths:
        recorded = load(path)
        assert recorded.void is not None
        assert recorded.void["cause"] == "quota"
        assert recorded.open_replies == {}
        assert not any("fallback" in reply.source for wave in recorded.waves for reply in wave.replies.values())
    server.rule = Signing()
    asyncio.run(with_endpoint(of(server), lambda endpoint: _resumed(list(paths)[:2], endpoint)))


async def _resumed(paths: list[Path], endpoint: OpenAIEndpoint) -> None:
    for path in paths:
        models = [seat for seat, spec in enumerate(load(path).header.seats, start=1) if spec.model]
        await Host(path, None, seated(endpoint, *models), clock=FixedClock()).play()
        assert load(path).end is not None


class Watched(Budget):
    """A budget that remembers the most that was ever spent and put aside together."""

    highest = Decimal(0)

    def reserve(self, amount: Decimal) -> None:
        super().reserve(amount)
        self.highest = max(self.highest, self.spent + self.reserved)

    def settle(self, reserved: Decimal, spent: Decimal) -> None:
        super().settle(reserved, spent)
        self.highest = max(self.highest, self.spent + self.reserved)


@pytest.mark.report("CC-08")
def test_a_budget_is_never_passed(serve: Serve, tmp_path: Path) -> None:
    """By 64 games at once, at no instant, though requests fail; what was spent is what the server told."""
    model = Signing()

    def rule(entry: Entry) -> Act:
        act = model(entry)
        if len(server.ledger.entries) % 10 == 3:
            return refusal(503, "busy")
        return Act(body=act.body, headers=act.headers, after=0.002)

    server, budget = serve(rule), Watched(150_000, "tokens")
    paths = {tmp_path / str(seed): header(seed, (2, 4)) for seed in range(64)}

    async def games(endpoint: OpenAIEndpoint) -> list[Any]:
        hosts = [
            Host(path, head, seated(endpoint, 2, 4), clock=FixedClock(), budgets=[budget])
            for path, head in paths.items()
        ]
        return await asyncio.gather(*(host.play() for host in hosts), return_exceptions=True)

    ended = asyncio.run(with_endpoint(of(server, concurrency=16), games))
    assert any(isinstance(each, OutOfBudget) for each in ended)
    assert budget.highest <= budget.most
    assert budget.reserved == 0
    told = sum(sum(entry.reported or (0, 0)) for entry in server.ledger.entries)
    kept = sum(sum((costs.prompt, costs.completion)) for path in paths for costs in costs_of(load(path)).values())
    assert kept <= told <= budget.spent  # what was under way when its game stopped is not in its transcript
    stopped = [path for path, each in zip(paths, ended, strict=True) if isinstance(each, OutOfBudget)]
    assert all((load(path).void or {})["cause"] == "budget" for path in stopped)
    asyncio.run(with_endpoint(of(server), lambda endpoint: _resumed(stopped[:2], endpoint)))


@pytest.mark.report("CC-09")
def test_timeouts_are_counted_apart_for_each_model(serve: Serve, tmp_path: Path) -> None:
    model, late = Signing(), set[str]()

    def rule(entry: Entry) -> Act:
        act = model(entry)
        if entry.body["model"] == "slow" and entry.request not in late:
            late.add(entry.request)
            return Act(share=0.0, ends="silence") if len(late) <= 2 else act
        return act

    server, path = serve(rule), tmp_path / "game"

    async def run() -> None:
        slow, quick = (
            OpenAIEndpoint(of(server, model=name, timeout=timeout))
            for name, timeout in (("slow", 2.0), ("quick", 60.0))
        )
        seats = {**seated(quick, 4), 2: Sitter(ModelPlayer("en"), "model", slow)}
        head = header(2, (2,), model="slow")
        specs = [*head.seats[:3], header(2, (4,), model="quick").seats[3], head.seats[4]]
        both = type(head)(head.rules, head.counts, head.seed, head.lang, tuple(specs))
        await Host(path, both, seats, clock=FixedClock()).play()
        await asyncio.gather(slow.close(), quick.close())

    asyncio.run(run())
    costs = {name.partition(" ")[0]: each for name, each in costs_of(load(path)).items()}
    assert costs["slow"].failed["timeout"] == 2 < len(late)
    assert costs["quick"].failed["timeout"] == 0
    assert costs["slow"].fallbacks == costs["quick"].fallbacks == {}


class Watching:
    """A watcher that keeps what failed, and passes it on to a screen."""

    def __init__(self, screen: Screen) -> None:
        self.failures: list[tuple[Seat, Try]] = []
        self.screen = screen

    def asked(self, requests: Any, views: Any) -> None:
        self.screen.asked(requests, views)

    def told(self, wave: Any, views: Any) -> None:
        self.screen.told(wave, views)

    def failed(self, seat: Seat, tried: Try) -> None:
        self.failures.append((seat, tried))
        self.screen.failed(seat, tried)


@pytest.mark.report("CC-10")
def test_who_looks_on_is_told_what_is_waited_for(serve: Serve, tmp_path: Path) -> None:
    model, busy = Signing(), iter((True, True, True))

    def rule(entry: Entry) -> Act:
        act = model(entry)
        return refusal(503, "busy") if ".speech" in entry.call and next(busy, False) else act

    server, path = serve(rule), tmp_path / "game"
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    watching = Watching(Screen(BESIDE, console))

    async def game(endpoint: OpenAIEndpoint) -> None:
        host = Host(path, BESIDE, seated(endpoint, 2, 4), clock=FixedClock(), watcher=watching)
        await host.play()

    asyncio.run(with_endpoint(of(server), game))
    watching.screen.close()
    tries = load(path).tries
    assert [(tried.cause, tried.wait) for _, tried in watching.failures] == [(t["try"], t["wait"]) for t in tries]
    assert [tried.cause for _, tried in watching.failures] == ["server"] * 3
    assert {seat for seat, _ in watching.failures} == {2}
    assert isinstance(console.file, io.StringIO)
    assert "the endpoint has an error of its own; again in 0 s" in console.file.getvalue()
