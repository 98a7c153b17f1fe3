"""The endpoints of a process: each model's client is opened once, shared by every game, and closed at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tianhei.agents.roster import SeatPlan, SpecError, where_is
from tianhei.arena.endpoint import Limiter, OpenAIEndpoint, Settings, key_from_environment

if TYPE_CHECKING:
    from tianhei.agents.embedded import EmbeddedServer, Model

Report = Callable[[str], None]
REMOTE_TIMEOUT = 120.0
"""Seconds for one try at an endpoint."""
PATIENCE = 600.0
"""Seconds for all tries of one call."""
CONCURRENCY = 8
"""Calls to one endpoint at once."""
SLOTS = 3
"""Families of prompts that the embedded server keeps evaluated: the record, the empty record, single sentences."""
LOCAL_TIMEOUT = 600.0
"""Seconds for one try of an embedded model."""


class Endpoints:
    """Opens what seats need; an async context, inside the running loop."""

    def __init__(self, report: Report = lambda text: None) -> None:
        self._report = report
        self._open = AsyncExitStack()
        self._endpoints: dict[SeatPlan, OpenAIEndpoint] = {}
        self._limiters: dict[tuple[str, str], Limiter] = {}
        self._servers: dict[str, EmbeddedServer] = {}

    async def __aenter__(self) -> Self:
        await self._open.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.__aexit__(kind, error, trace)

    def of(self, found: SeatPlan) -> OpenAIEndpoint:
        """The endpoint of a seat's model. SpecError where its key is missing."""
        asked = found.asking()
        if asked not in self._endpoints:
            settings = self._local(found) if found.is_local else _remote(found)
            endpoint = OpenAIEndpoint(settings, self._limiter(settings, found))
            self._open.push_async_callback(endpoint.close)
            self._endpoints[asked] = endpoint
        return self._endpoints[asked]

    def traits(self, found: SeatPlan) -> Mapping[str, Any]:
        """What is known of a seat's endpoint before a game begins."""
        endpoint = self._endpoints.get(found.asking())
        return endpoint.traits() if endpoint else {}

    def local_model(self, found: SeatPlan) -> Model:
        """The weights of an embedded model; fetched if they are the usual ones and not here yet."""
        from tianhei.agents.embedded import ensure_default, find

        _, _, name = found.player.partition("/")
        return find(name) if name else ensure_default(self._report)

    def _limiter(self, settings: Settings, found: SeatPlan) -> Limiter:
        """One for each address and key; the first seat that goes there sets its limits."""
        place = (settings.base_url, settings.key)
        if place not in self._limiters:
            self._limiters[place] = Limiter(
                settings.concurrency, requests_per_minute=found.rpm, tokens_per_minute=found.tpm
            )
        return self._limiters[place]

    def _local(self, found: SeatPlan) -> Settings:
        from tianhei.agents.embedded import EmbeddedServer

        model = self.local_model(found)
        if model.name not in self._servers:
            self._servers[model.name] = self._open.enter_context(EmbeddedServer(model, slots=SLOTS))
        server = self._servers[model.name]
        return Settings(
            base_url=server.base_url,
            model=server.model,
            key=server.api_key,
            temperature=found.temperature,
            max_tokens=found.max_tokens,
            timeout=found.timeout or LOCAL_TIMEOUT,
            patience=found.patience or LOCAL_TIMEOUT,
            concurrency=1,
            paid=False,
        )


def _remote(found: SeatPlan) -> Settings:
    url, model, key_env = where_is(found)
    key = key_from_environment(key_env)
    if key_env and not key:
        raise SpecError(f"{found.player}: the key is missing; set the environment variable {key_env}")
    return Settings(
        base_url=url,
        model=model,
        key=key,
        temperature=found.temperature,
        reasoning_effort=found.effort,
        max_tokens=found.max_tokens,
        timeout=found.timeout or REMOTE_TIMEOUT,
        patience=found.patience or PATIENCE,
        concurrency=found.concurrency or CONCURRENCY,
    )
