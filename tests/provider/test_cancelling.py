"""Cancelling calls, games and runs: nothing is asked afterwards, and what was played can go on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from players import canonical
from provider.asking import KEY, PROMPT, Noting, of, spec, tianhei, with_endpoint
from provider.cells import CALM
from provider.game import DISTURBED, play
from provider.ledger import Act, Entry, Ledger
from provider.model import Signing
from provider.server import Provider, Serve, ok, refusal
from tianhei.agents.model import ModelPlayer
from tianhei.arena.endpoint import OpenAIEndpoint
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.transcripts.game import load

TIANHEI = Path(sys.executable).with_name("tianhei")
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
        await asyncio.sleep(0.055)
        assert len(server.ledger.entries) <= at + 1  # what was on its way
        return True

    was_under_way: bool = await with_endpoint(of(server), cancel)
    return was_under_way


@pytest.mark.report("CC-05")
@pytest.mark.parametrize("acts", [[ok()], [refusal(503, "busy"), ok()], [Act(429, {}, {"Retry-After": "0.04"}), ok()]])
def test_a_call_is_cancelled_at_each_step(serve: Serve, acts: list[Act]) -> None:
    calls: dict[str, list[Act]] = {}
    server = serve(lambda entry: calls.setdefault(entry.call, list(acts)).pop(0))

    async def all_of() -> int:
        steps = 0
        while await cancelled(server, f"c{steps}", steps):
            steps += 1 if steps < 10 else steps
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


@pytest.mark.slow
@pytest.mark.report("CC-05")
def test_a_run_that_is_interrupted_asks_nothing_more_and_can_go_on(serve: Serve, tmp_path: Path) -> None:
    model = Signing()

    def rule(entry: Entry) -> Act:
        act = model(entry)
        return act if len(server.ledger.entries) < 3 else Act(share=0.0, ends="silence")

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
    said = running.communicate(timeout=60)
    took = time.monotonic() - began
    server.settle()
    assert "resume game.jsonl" in said[1]
    assert took < 30.0
    assert len(server.ledger.entries) <= asked + 1
    server.rule = model
    assert tianhei("resume", str(tmp_path / "game.jsonl")).exit_code == 0
    assert load(tmp_path / "game.jsonl").end is not None
