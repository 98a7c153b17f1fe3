"""The matrix would notice: faults planted in the client and the host, one at a time, are all found."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from provider import matrix
from provider.cells import Bench, Cell
from provider.server import Serve, ok
from provider.test_cancelling import cancelled
from tianhei.agents import model
from tianhei.arena import host
from tianhei.arena.endpoint import client, limiter
from tianhei.arena.endpoint.client import OpenAIEndpoint
from tianhei.arena.endpoint.ways import Ways
from tianhei.arena.host import Host
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer

Plant = Callable[[Any], Any]


def _forgetful(complete: Any) -> Any:
    async def forgotten(self: OpenAIEndpoint, *args: Any) -> Any:
        self.ways = Ways()
        return await complete(self, *args)

    return forgotten


def _booked(reply: Any) -> Any:
    async def as_the_models(self: Host, request: Any) -> tuple[Reply, str]:
        found, source = await reply(self, request)
        return (Reply(Answer()), "model") if source.startswith("fallback") else (found, source)

    return as_the_models


def _thinks_aloud(completion_of: Any) -> Any:
    def spoken(body: bytes, asked: str) -> Any:
        found = completion_of(body, asked)
        return replace(found, text=found.text or found.reasoning)

    return spoken


def _without_usage(try_to_json: Any) -> Any:
    return lambda *args: {name: value for name, value in try_to_json(*args).items() if name != "usage"}


def _holds_all(back_off: Any) -> Any:
    return lambda self, after, longest: back_off(self, None, longest) + 1000.0


PLANTED: tuple[tuple[str, Any, str, Plant, str], ...] = (
    ("a wait that is named is not kept", client, "retry_after", lambda _: lambda headers: None,
     "429 with Retry-After seconds: first speech, once"),
    ("waits are a thousand seconds longer", limiter.Limiter, "back_off", _holds_all, "500: middle vote, once"),
    ("what came to nothing is not written down", Host, "tried", lambda _: lambda *args: None, "500: last speech, once"),
    ("what it used is not written down", host, "try_to_json", _without_usage, "choices []: first vote, twice"),
    ("what is refused is forgotten", OpenAIEndpoint, "complete", _forgetful,
     "400 unsupported max_tokens: first speech, always"),
    ("no answer is booked as the model's", Host, "_reply", _booked, "length with null: middle vote, always"),
    ("the key is written down", OpenAIEndpoint, "_clean", lambda _: lambda self, text: text, "401: first vote, once"),
    ("another call's answer is taken", client, "_OUR_CALL", lambda _: re.compile("never"),
     "crossed replies: last last words, once"),
    ("reasoning is taken for the answer", client, "completion_of", _thinks_aloud,
     "answer only in reasoning_content: first night choice, once"),
    ("an empty account is tried again", client, "is_out_of_quota", lambda _: lambda status, said: False,
     "429 insufficient_quota: first speech, once"),
    ("an answer to half a prompt is taken", OpenAIEndpoint, "_check", lambda _: lambda *args: None,
     "prompt_tokens far below what was sent: first vote, once"),
    ("what was filtered is asked again", model, "_QUESTIONS", lambda _: {}, "finish content_filter: last vote, once"),
    ("a fault that passes stops the game", client, "passing", lambda _: lambda status: None, "408: last vote, twice"),
)  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with matrix.opened() as bench:
        yield bench


def cell(text: str) -> Cell:
    """The cell that is written so."""
    name, _, where = text.rpartition(": ")
    place, _, rest = where.partition(" ")
    kind, _, times = rest.rpartition(", ")
    found: Any = (name, kind, place, times)
    return Cell(*found)


@pytest.mark.parametrize(("name", "where", "what", "plant", "at"), PLANTED, ids=[entry[0] for entry in PLANTED])
def test_planted_fault_is_found(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, where: Any, what: str, plant: Plant, at: str
) -> None:
    assert bench.run(cell(at)).problems == []
    monkeypatch.setattr(where, what, plant(getattr(where, what)))
    assert bench.run(cell(at)).problems != [], name


def test_a_cancelled_call_that_is_made_again_is_found(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    complete: Any = OpenAIEndpoint.complete

    async def stubborn(self: OpenAIEndpoint, *args: Any) -> Any:
        try:
            return await complete(self, *args)
        except BaseException:
            return await complete(self, *args)

    monkeypatch.setattr(OpenAIEndpoint, "complete", stubborn)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        asyncio.run(cancelled(serve(lambda entry: ok()), "c", 4))
