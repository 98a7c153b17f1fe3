"""Asking a model at an endpoint, as tests do: a meter that notes what it is told, a prompt, and one call or many."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from click.testing import CliRunner, Result

from players import bots
from provider.server import Provider
from tianhei.agents.model import ModelPlayer
from tianhei.arena.calls import Try
from tianhei.arena.cli import main
from tianhei.arena.endpoint import OpenAIEndpoint, Settings
from tianhei.arena.host import Sitter
from tianhei.arena.player import Completion, Prompt, Usage
from tianhei.arena.roles import Seat

KEY = "sk-CANARY-9876543210"
SCHEMA = {"type": "object", "properties": {"vote": {"type": "string"}}, "required": ["vote"]}
PROMPT = Prompt("system", "public", " private", SCHEMA, max_tokens=50, temperature=0.5)
Found = TypeVar("Found")


class Noting:
    """What a call did, in the order in which it did it."""

    def __init__(self) -> None:
        self.needs: list[Usage] = []
        self.tries: list[Try] = []
        self.adaptations: list[str] = []

    def begins(self, need: Usage) -> None:
        self.needs.append(need)

    def failed(self, tried: Try) -> None:
        self.tries.append(tried)

    def adapted(self, what: str) -> None:
        self.adaptations.append(what)

    @property
    def causes(self) -> list[str]:
        return [tried.cause for tried in self.tries]


def of(server: Provider, **settings: Any) -> Settings:
    """A model at this server."""
    return Settings(server.url, settings.pop("model", "m"), **settings)


async def with_endpoint(settings: Settings, use: Callable[[OpenAIEndpoint], Awaitable[Found]]) -> Found:
    """Open an endpoint, and close it after use."""
    endpoint = OpenAIEndpoint(settings)
    try:
        return await use(endpoint)
    finally:
        await endpoint.close()


def ask(server: Provider, times: int = 1, meter: Noting | None = None, **settings: Any) -> list[Completion]:
    """Ask one question, one time after the other."""

    async def asked(endpoint: OpenAIEndpoint) -> list[Completion]:
        calls = [f"d1.vote1.03#{number}" for number in range(1, times + 1)]
        return [await endpoint.complete(PROMPT, call, meter or Noting()) for call in calls]

    return asyncio.run(with_endpoint(of(server, **{"key": KEY, "patience": 5.0, **settings}), asked))


def bodies(server: Provider) -> list[dict[str, Any]]:
    """What the server was sent."""
    return [dict(entry.body) for entry in server.ledger.entries]


def seated(endpoint: OpenAIEndpoint, *seats: Seat) -> dict[Seat, Sitter]:
    """A model in these seats, random players in the others."""
    return {**bots(5), **{seat: Sitter(ModelPlayer("en"), "model", endpoint) for seat in seats}}


def tianhei(*words: str) -> Result:
    """Run the command with a key in the environment."""
    return CliRunner().invoke(main, words, env={"CANARY": KEY})


def spec(server: Provider, **settings: object) -> str:
    """This server's model, as a seat names it."""
    more = "".join(f"&{name}={value}" for name, value in settings.items())
    return f"m@{server.url}?key_env=CANARY{more}"
