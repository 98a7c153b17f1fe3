"""Seating players at a table: makes them, opens what their models need, and closes it after the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tianhei.agents.roster import LOCAL, SeatPlan, SpecError, pack_of, plan, scripted_player, where_is
from tianhei.arena.endpoint import OpenAIEndpoint, Settings, key_from_environment
from tianhei.arena.host import Endpoint, Sitter
from tianhei.arena.player import Player
from tianhei.arena.roles import Seat
from tianhei.prompts.pack import TINY, load
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.header import Header, SeatSpec

if TYPE_CHECKING:
    from tianhei.agents.embedded import EmbeddedServer, Model

Report = Callable[[str], None]
TINY_BYTES = 300_000_000
REMOTE_TIMEOUT = 120.0
"""Seconds for one try at an endpoint."""
CONCURRENCY = 8
"""Calls to one endpoint at once."""
SLOTS = 3
"""Families of prompts that the embedded server keeps evaluated: the record, the empty record, single sentences."""
LOCAL_TIMEOUT = 600.0
"""Seconds for one try of an embedded model."""


class Seating:
    """The players of one game, with the endpoints behind them; an async context, inside the running loop."""

    def __init__(self, plans: Mapping[Seat, SeatPlan], lang: Lang, report: Report = lambda text: None) -> None:
        self._plans = plans
        self._lang: Lang = lang
        self._report = report
        self._open = AsyncExitStack()
        self._endpoints: dict[Any, Endpoint] = {}
        self._servers: dict[str, EmbeddedServer] = {}
        self._players: dict[SeatPlan, Player] = {}

    def specs(self) -> tuple[SeatSpec, ...]:
        """Who sits where, for the transcript's header."""
        return tuple(self._spec(self._plans[seat]) for seat in sorted(self._plans))

    def _spec(self, found: SeatPlan) -> SeatSpec:
        if not found.is_model:
            return SeatSpec(found.player, params=found.params())
        pack = load(self._pack_name(found), self._lang)
        if found.is_local:
            model = self._local_model(found)
            params = {**found.params(), "sha256": model.sha256}
            return SeatSpec(found.player, model.name, LOCAL, pack.name, pack.hash, params)
        url, model_name, _ = where_is(found)
        return SeatSpec(found.player, model_name, url, pack.name, pack.hash, found.params())

    def _pack_name(self, found: SeatPlan) -> str:
        if found.is_local and found.pack is None and _is_tiny(self._local_model(found)):
            return TINY
        return pack_of(found)

    async def __aenter__(self) -> Self:
        await self._open.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._open.__aexit__(kind, error, trace)

    def sitters(self) -> dict[Seat, Sitter]:
        """Everybody in their seats; opens what is needed."""
        return {seat: self._sitter(found) for seat, found in self._plans.items()}

    def _sitter(self, found: SeatPlan) -> Sitter:
        if found not in self._players:
            self._players[found] = self._player(found)
        if not found.is_model:
            return Sitter(self._players[found], "bot", waits=found.kind == "python")
        return Sitter(self._players[found], "model", self._endpoint(found))

    def _player(self, found: SeatPlan) -> Player:
        if not found.is_model:
            return scripted_player(found, self._lang)
        pack = self._pack_name(found)
        if pack == TINY:
            from tianhei.agents.tiny import TinyPlayer

            return TinyPlayer(self._lang)
        from tianhei.agents.model import ModelPlayer

        reasons = found.reasons if found.reasons is not None else found.effort is not None
        return ModelPlayer(self._lang, pack, reasons=reasons, max_tokens=found.max_tokens)

    def _endpoint(self, found: SeatPlan) -> Endpoint:
        if found.is_local:
            return self._local_endpoint(found)
        url, model, key_env = where_is(found)
        key = key_from_environment(key_env)
        if key_env and not key:
            raise SpecError(f"{found.player}: the key is missing; set the environment variable {key_env}")
        settings = Settings(
            base_url=url,
            model=model,
            key=key,
            temperature=found.temperature,
            reasoning_effort=found.effort,
            max_tokens=found.max_tokens,
            timeout=found.timeout or REMOTE_TIMEOUT,
            concurrency=found.concurrency or CONCURRENCY,
        )
        return self._shared((settings.base_url, model, found), settings)

    def _shared(self, name: Any, settings: Settings) -> Endpoint:
        """One client for all seats that ask the same model in the same way."""
        if name not in self._endpoints:
            endpoint = OpenAIEndpoint(settings)
            self._open.push_async_callback(endpoint.close)
            self._endpoints[name] = endpoint
        return self._endpoints[name]

    def _local_model(self, found: SeatPlan) -> Model:
        from tianhei.agents.embedded import ensure_default, find

        _, _, name = found.player.partition("/")
        return find(name) if name else ensure_default(self._report)

    def _local_endpoint(self, found: SeatPlan) -> Endpoint:
        from tianhei.agents.embedded import EmbeddedServer

        model = self._local_model(found)
        if model.name not in self._servers:
            self._servers[model.name] = self._open.enter_context(EmbeddedServer(model, slots=SLOTS))
        server = self._servers[model.name]
        settings = Settings(
            base_url=server.base_url,
            model=server.model,
            key=server.api_key,
            temperature=found.temperature,
            max_tokens=found.max_tokens,
            timeout=found.timeout or LOCAL_TIMEOUT,
            concurrency=1,
            paid=False,
        )
        return self._shared((LOCAL, found), settings)


def _is_tiny(model: Model) -> bool:
    """Whether a model follows labels rather than the record when it writes a choice: below about half a billion."""
    return model.path.stat().st_size < TINY_BYTES


def plans_of(header: Header, path: Path | str) -> dict[Seat, SeatPlan]:
    """The seats of a recorded game, to be filled again. TranscriptError where a pack is no longer what it was."""
    plans: dict[Seat, SeatPlan] = {}
    for seat, spec in enumerate(header.seats, start=1):
        params = {name: value for name, value in spec.params.items() if name != "sha256"}
        fields = {"player": spec.player, **params, **({"pack": spec.pack} if spec.pack else {})}
        plans[seat] = plan(fields, f"{path}: seat {seat}")
        if spec.pack and load(spec.pack, "zh" if header.lang == "zh" else "en").hash != spec.pack_hash:
            raise TranscriptError(
                f"{path}: the prompt pack {spec.pack!r} has changed since this game began; go on with the version of "
                f"the program that began it ({header.program})"
            )
    return plans
