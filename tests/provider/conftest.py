"""Servers that are closed, and asked to the end of their script, when a test ends; and clients that wait little."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from provider.ledger import Act
from provider.matrix import FIRST_WAIT
from provider.server import Provider, Rule, Script, Serve
from tianhei.arena.endpoint import limiter


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults are tried again at once."""
    monkeypatch.setattr(limiter, "FIRST_WAIT", FIRST_WAIT)


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[Provider] = []

    def open_server(acts: list[Act] | Rule) -> Provider:
        servers.append(Provider(Script(acts) if isinstance(acts, list) else acts))
        return servers[-1]

    yield open_server
    for server in servers:
        server.close()
