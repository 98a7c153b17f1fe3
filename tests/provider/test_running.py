"""Public reports of whole runs: loops, sockets, concurrency, cancellation, quotas, budgets, keys."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner, Result
from openai import DefaultAioHttpClient
from rich.console import Console

from players import bots, canonical
from provider.cells import CALM
from provider.game import BESIDE, DISTURBED, header, play
from provider.ledger import Act, Entry, Ledger
from provider.meter import Noting
from provider.model import Signing
from provider.server import Provider, Serve, ok, refusal
from tianhei.agents.model import ModelPlayer
from tianhei.arena.budget import Budget
from tianhei.arena.calls import EndpointDown, OutOfBudget, Try
from tianhei.arena.cli import main
from tianhei.arena.costs import costs_of
from tianhei.arena.endpoint import OpenAIEndpoint, Settings
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Completion, Prompt
from tianhei.arena.roles import Seat
from tianhei.arena.screen import Screen
from tianhei.transcripts.game import load

PROMPT = Prompt("system", "public", " private", max_tokens=50)
TIANHEI = Path(sys.executable).with_name("tianhei")


def of(server: Provider, **settings: Any) -> Settings:
    return Settings(server.url, settings.pop("model", "m"), **settings)


async def with_endpoint(settings: Settings, use: Callable[[OpenAIEndpoint], Awaitable[Any]]) -> Any:
    endpoint = OpenAIEndpoint(settings)
    try:
        return await use(endpoint)
    finally:
        await endpoint.close()


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
    """Waiting for a place is not charged to the time of a try, and no socket stays open."""
    server = serve(lambda entry: Act(body=ok().body, after=0.5))
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0

    async def all_of(endpoint: OpenAIEndpoint) -> list[Completion]:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}", meter) for n in range(400)))

    meter = Noting()
    asyncio.run(with_endpoint(of(server, concurrency=concurrency, timeout=20.0, patience=0.0), all_of))
    assert meter.causes == []
    assert server.ledger.most_at_once == concurrency
    server.settle()
    end = time.monotonic() + 5.0
    while before and len(os.listdir("/proc/self/fd")) > before:
        assert time.monotonic() < end, "sockets stay open"
        time.sleep(0.01)


@pytest.mark.report("CC-02")
def test_waiting_for_a_place_takes_no_time_of_a_try(serve: Serve) -> None:
    server = serve(lambda entry: Act(body=ok().body, after=0.2))

    async def all_of(endpoint: OpenAIEndpoint) -> list[Completion]:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}", meter) for n in range(6)))

    meter = Noting()
    asyncio.run(with_endpoint(of(server, concurrency=1, timeout=0.9, patience=0.0), all_of))
    assert (meter.causes, server.ledger.most_at_once) == ([], 1)


@pytest.mark.report("CC-04")
def test_a_connection_that_is_never_made_ends_with_the_time_of_a_try(serve: Serve) -> None:
    server, meter, lost = serve([ok()]), Noting(), iter((60.0,))

    async def never(request: httpx2.Request) -> None:
        await asyncio.sleep(next(lost, 0.0))

    async def run() -> None:
        http_client = DefaultAioHttpClient(timeout=None, event_hooks={"request": [never]})
        endpoint = OpenAIEndpoint(of(server, timeout=0.2), http_client=http_client)
        assert (await endpoint.complete(PROMPT, "c", meter)).text == "fine"
        await endpoint.close()

    began = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - began < 2.0
    assert meter.causes == ["timeout"]


SLOWED = 0.02


async def cancelled(server: Provider, name: str, steps: int) -> bool:
    """Cancel a call after so many steps, if it is not over by then: it raises at once and asks for nothing more."""

    async def cancel(endpoint: OpenAIEndpoint) -> bool:
        call = asyncio.ensure_future(endpoint.complete(PROMPT, name, Noting()))
        for _ in range(steps):
            await asyncio.sleep(0)
        if call.done():
            return False
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        at = len(server.ledger.entries)
        await asyncio.sleep(0.06)
        assert len(server.ledger.entries) <= at + 1  # what was on its way
        return True

    was_under_way: bool = await with_endpoint(of(server), cancel)
    return was_under_way


@pytest.mark.report("CC-05")
@pytest.mark.parametrize("acts", [[ok()], [refusal(503, "busy"), ok()], [Act(429, {}, {"Retry-After": "0.05"}), ok()]])
def test_a_call_is_cancelled_at_each_step(serve: Serve, acts: list[Act]) -> None:
    calls: dict[str, list[Act]] = {}
    server = serve(lambda entry: calls.setdefault(entry.call, list(acts)).pop(0))

    async def all_of() -> int:
        steps = 0
        while await cancelled(server, f"c{steps}", steps):
            steps += 1 if steps < 20 else steps
        return steps

    assert asyncio.run(all_of()) > 5


@pytest.mark.report("CC-05")
@pytest.mark.parametrize("requests", [1, 2, 4, 8, 10, 13, 15])
def test_a_game_that_is_cancelled_asks_nothing_more_and_can_go_on(serve: Serve, tmp_path: Path, requests: int) -> None:
    model, server = Signing(), serve(Signing())
    whole, path = tmp_path / "whole", tmp_path / "game"
    play(server, {whole: (DISTURBED, CALM)}, lambda entry: "")
    server.ledger = Ledger()

    def rule(entry: Entry) -> Act:
        act = model(entry)
        return Act(body=act.body, headers=act.headers, after=SLOWED)

    server.rule = rule

    async def run() -> None:
        async def game(endpoint: OpenAIEndpoint) -> None:
            seats = {seat: Sitter(ModelPlayer("en"), "model", endpoint) for seat in range(1, 6)}
            playing = asyncio.ensure_future(Host(path, DISTURBED, seats, clock=FixedClock()).play())
            while len(server.ledger.entries) < requests:
                await asyncio.sleep(0.001)
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing

        began = time.monotonic()
        await with_endpoint(of(server, model="m1"), game)
        assert time.monotonic() - began < 60.0

    asyncio.run(run())
    server.settle()
    asked, done = len(server.ledger.entries), len(load(path).done)
    assert asked <= requests + 4
    play(server, {path: (DISTURBED, CALM)}, lambda entry: "")
    assert canonical(path)["waves"] == canonical(whole)["waves"]
    assert len(server.ledger.entries) - asked == 15 - done


@pytest.mark.report("CC-06")
def test_an_empty_account_stops_every_game_at_once(serve: Serve, tmp_path: Path) -> None:
    """Of 32 games no more calls go out than were on their way together; none is finished, all can go on."""
    quota = refusal(429, "You exceeded your current quota.", code="insufficient_quota")
    server = serve(lambda entry: Act(quota.status, quota.body, after=SLOWED))
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


def seated(endpoint: OpenAIEndpoint, *seats: Seat) -> dict[Seat, Sitter]:
    """A model in these seats, random players in the others."""
    return {**bots(5), **{seat: Sitter(ModelPlayer("en"), "model", endpoint) for seat in seats}}


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
            return Act(body=act.body, after=0.6)
        return act

    server, path = serve(rule), tmp_path / "game"

    async def run() -> None:
        slow, quick = (OpenAIEndpoint(of(server, model=name, timeout=0.4)) for name in ("slow", "quick"))
        seats = {**seated(quick, 4), 2: Sitter(ModelPlayer("en"), "model", slow)}
        head = header(2, (2,), model="slow")
        specs = [*head.seats[:3], header(2, (4,), model="quick").seats[3], head.seats[4]]
        both = type(head)(head.rules, head.counts, head.seed, head.lang, tuple(specs))
        await Host(path, both, seats, clock=FixedClock()).play()
        await asyncio.gather(slow.close(), quick.close())

    asyncio.run(run())
    costs = {name.partition(" ")[0]: each for name, each in costs_of(load(path)).items()}
    assert costs["slow"].failed["timeout"] == len(late) > 0
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


KEY = "sk-CANARY-9876543210"


def tianhei(*words: str) -> Result:
    """Run the command with a key in the environment."""
    return CliRunner().invoke(main, words, env={"CANARY": KEY})


def spec(server: Provider, **settings: object) -> str:
    more = "".join(f"&{name}={value}" for name, value in settings.items())
    return f"m@{server.url}?key_env=CANARY{more}"


@pytest.mark.report("PE-13", "PR-19")
def test_the_key_is_nowhere(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever repeats it: errors that pass, that are adapted to, that last, and pages."""
    monkeypatch.chdir(tmp_path)
    model = Signing()
    repeated = f"Incorrect key {KEY}: " + "x" * 470 + KEY
    odd = iter(
        (
            refusal(500, repeated),
            Act(429, {"error": repeated}),
            Act(body=f"<html>{KEY}</html>".encode()),
            Act(body={"choices": None, "error": {"message": KEY}}),
            refusal(400, f"max_tokens is not supported for {KEY}"),
            refusal(400, f"content_filter {KEY}"),
        )
    )

    def rule(entry: Entry) -> Act:
        assert entry.headers["authorization"] == f"Bearer {KEY}"
        return next(odd, None) or model(entry)

    server = serve(rule)
    words = ("play", "-g", "classic-arena", "-s", "max_days=1", "-a", "random", "--out", "game.jsonl", "--seed", "1")
    runs = [tianhei(*words, "--seat", f"2={spec(server, max_tokens=700)}")]
    server.rule = lambda entry: refusal(401, repeated)
    runs += [tianhei(*words[:-4], "--out", "void.jsonl", "--seat", f"2={spec(server)}")]
    runs += [tianhei("doctor", spec(server)), tianhei("resume", "void.jsonl")]
    runs += [tianhei(command, "game.jsonl") for command in ("show", "cost", "verify")]
    assert [run.exit_code for run in runs] == [0, 1, 1, 1, 0, 0, 0], runs[0].output
    texts = {path.name: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    texts |= {f"run {number}": run.output for number, run in enumerate(runs)}
    assert {name for name, text in texts.items() if KEY[:14] in text} == set()
    recorded = load(tmp_path / "game.jsonl")
    assert len(recorded.tries) == 6
    assert "***" in recorded.tries[0]["what"]
    assert recorded.header.program.startswith("tianhei ")


@pytest.mark.slow
@pytest.mark.report("CC-05")
def test_a_run_that_is_interrupted_asks_nothing_more_and_can_go_on(serve: Serve, tmp_path: Path) -> None:
    model = Signing()

    def rule(entry: Entry) -> Act:
        act = model(entry)
        return Act(body=act.body, headers=act.headers, after=0.3)

    server = serve(rule)
    words = ["play", "-g", "classic-arena", "-s", "max_days=1", "-a", "random", "--out", "game.jsonl", "--seed", "1"]
    running = subprocess.Popen(
        [TIANHEI, *words, "--seat", f"2={spec(server)}", "--seat", f"3={spec(server)}"],
        cwd=tmp_path, env={**os.environ, "CANARY": KEY}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while len(server.ledger.entries) < 3:
        time.sleep(0.01)
        assert running.poll() is None, running.communicate()
    asked, began = len(server.ledger.entries), time.monotonic()
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=30)
    took = time.monotonic() - began
    server.settle()
    assert "resume game.jsonl" in said[1]
    assert took < 5.0
    assert len(server.ledger.entries) <= asked + 1
    server.rule = model
    assert tianhei("resume", str(tmp_path / "game.jsonl")).exit_code == 0
    assert load(tmp_path / "game.jsonl").end is not None
