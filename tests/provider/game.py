"""The small game in which faults are committed, another beside it that they must not touch, and their transport."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from openai import DefaultAioHttpClient

from provider.ledger import Act, Entry
from provider.server import Provider
from tianhei.agents.model import ModelPlayer
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.calls import EndpointDown
from tianhei.arena.endpoint import Limiter, OpenAIEndpoint, Settings
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import make
from tianhei.arena.rules.setups import custom
from tianhei.transcripts.header import Header, SeatSpec

KEY = "sk-CANARY-0123456789"
RULES: Mapping[str, Any] = {
    "max_days": 2, "vote_form": "simultaneous", "tie": "nobody", "last_words": "all", "last_words_at_end": True,
}  # fmt: skip
"""Played by `Signing` models: four night choices, four speeches, four votes at once, three last words."""
COUNTS = {"killer": 1, "police": 1, "civilian": 3}
CARDS = (Role.CIVILIAN, Role.CIVILIAN, Role.CIVILIAN, Role.POLICE, Role.KILLER)
ADDRESS = "http://127.0.0.1/v1"
"""What the header says, so that a game is the same on every port."""


def header(seed: int, models: tuple[Seat, ...], deal: tuple[Role, ...] | None = None, *, model: str = "") -> Header:
    """A game with a model in these seats and random players in the others."""
    rules, model = make("classic", RULES), model or f"m{seed}"
    specs = (
        SeatSpec(f"{model}@{ADDRESS}", model, ADDRESS) if seat in models else SeatSpec("random") for seat in range(1, 6)
    )
    return Header(rules, custom(rules, COUNTS), seed, "en", tuple(specs), deal=deal)


DISTURBED = header(1, (1, 2, 3, 4, 5), CARDS)
BESIDE = header(2, (2, 4))


@dataclass(frozen=True, slots=True)
class Asking:
    """How long the models of a game are waited for, in seconds."""

    timeout: float
    patience: float


class Played:
    """One game on a provider: its models ask through one client, which takes its turns with those of other games."""

    def __init__(
        self, path: Path, head: Header, provider: Provider, shared: Limiter, asking: Asking, fails: Fails
    ) -> None:
        settings = Settings(
            provider.url, head.seats[1].model, KEY, 0.7, timeout=asking.timeout, patience=asking.patience
        )
        self.endpoint = OpenAIEndpoint(settings, shared, http_client=client(provider, fails))
        model, bot = ModelPlayer("en"), RandomPlayer("en")
        sitters = {
            seat: Sitter(model, "model", self.endpoint) if spec.model else Sitter(bot)
            for seat, spec in enumerate(head.seats, start=1)
        }
        self.host = Host(path, head, sitters, clock=FixedClock())

    async def to_its_end(self) -> EndpointDown | None:
        """Play; what stopped it, if anything did."""
        try:
            await self.host.play()
        except EndpointDown as error:
            return error
        finally:
            await self.endpoint.close()
        return None


def play(provider: Provider, games: Mapping[Path, tuple[Header, Asking]], fails: Fails) -> list[EndpointDown | None]:
    """Play games side by side, or go on with them; what stopped each. Their connections are closed afterwards."""

    async def together() -> list[EndpointDown | None]:
        shared = Limiter(16)
        played = [Played(path, head, provider, shared, asking, fails) for path, (head, asking) in games.items()]
        return list(await asyncio.gather(*(game.to_its_end() for game in played)))

    stopped = asyncio.run(together())
    provider.settle()
    return stopped


Fails = Callable[[Entry], str]
"""Which request cannot even be sent, and by which fault; an empty word where it can."""


def client(provider: Provider, fails: Fails) -> httpx2.AsyncClient:
    """The client that endpoints use, but for requests that cannot be sent. Only a name that is unknown is made up."""

    async def sending(request: httpx2.Request) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        entry = Entry(json.loads(request.content), headers, time.monotonic(), arrived=False)
        if not (fault := fails(entry)):
            return
        entry.act = Act(fault=fault)
        provider.ledger.entries.append(entry)
        if fault == "DNS failure":
            raise httpx2.ConnectError(fault) from socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        changed = {"scheme": "https"} if fault == "TLS error" else {"port": provider.deaf_port}
        request.url = request.url.copy_with(**changed)

    return DefaultAioHttpClient(timeout=None, verify=False, event_hooks={"request": [sending]})
