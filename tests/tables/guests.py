"""Helpers of the tables' tests: a real server on a real port, and people who do at it what they are told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import httpx2
import uvicorn

from tianhei.agents.roster import parse_spec
from tianhei.arena.tables.house import House
from tianhei.arena.tables.pace import PACES as REAL
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.server import Limits, create_app

QUICK = Pace(
    card=30, night=1.5, speech=30, read=0.02, vote=30, last_words=30, between=0.01, survey=20, letters=1e6
)  # fmt: skip
"""A pace for tests: people have time enough, and nobody else takes any."""
CALM = replace(QUICK, night=6)
"""The same, where what people answer by night matters: a machine that halts for a while costs nobody an answer."""
HASTY = Pace(
    card=0.3, night=0.6, speech=0.3, read=0.01, vote=0.3, last_words=0.3, between=0.01, survey=0.3, letters=1e6
)
"""A pace at which whoever is away is soon stood in for."""
PACES = {"quick": QUICK, "calm": CALM, "hasty": HASTY, "dusk": replace(QUICK, night=800), "hours": REAL["hours"]}
SMALL = {"roles": {"killer": 1, "police": 1, "civilian": 3}, "pace": "quick", "cover": False}
"""A table of five."""

Choose: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
"""What somebody answers to a question; None for nothing."""
HERE: list[Guest] = []
"""Everybody who is at a table now."""


@asynccontextmanager
async def serving(folder: Path, **settings: Any) -> AsyncGenerator[tuple[str, House]]:
    """A server on a free port: its address, and its tables."""
    limits = settings.pop("limits", None) or Limits()
    paces: Mapping[str, Pace] = settings.pop("paces", PACES)
    is_open = settings.pop("is_open", True)
    allowed = {"lot": parse_spec("random"), **settings.pop("allowed", {})}
    house = House(folder, allowed, paces=paces, **settings)
    app = create_app(house, is_open=is_open, limits=limits)
    config = uvicorn.Config(app, port=0, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        if running.done():
            running.result()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", house
    finally:
        here = [guest for guest in HERE if guest.loop is asyncio.get_running_loop()]  # a test that failed leaves others
        await everybody_leaves(*here)
        house.let_go()
        server.should_exit = True
        await running


@dataclass(eq=False)
class Guest:
    """Somebody at a table, known by a token: looks on, and answers as ``choose`` says."""

    url: str
    table: str
    token: str
    seat: int = 0
    choose: Choose | None = None
    heard: list[dict[str, Any]] = field(default_factory=list)
    raw: bytearray = field(default_factory=bytearray)
    chunks: list[tuple[float, int]] = field(default_factory=list)
    answered: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._http = httpx2.AsyncClient(
            base_url=self.url, timeout=30, headers={"Authorization": f"Bearer {self.token}"}
        )
        self._looking: asyncio.Task[None] | None = None
        self.loop = asyncio.get_running_loop()
        HERE.append(self)

    @property
    def api(self) -> str:
        return f"/api/tables/{self.table}"

    async def post(self, what: str, **body: Any) -> httpx2.Response:
        return await self._http.post(f"{self.api}/{what}", json=body)

    async def get(self, what: str = "") -> httpx2.Response:
        return await self._http.get(f"{self.api}{what}")

    def look(self) -> None:
        """Begin to look on."""
        self._looking = asyncio.create_task(self._look())

    async def look_away(self) -> None:
        if self._looking:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking
            self._looking = None

    async def line_closed(self) -> None:
        """Wait until the server has closed the stream."""
        assert self._looking is not None
        await asyncio.wait_for(self._looking, 5)

    async def close(self) -> None:
        await self.look_away()
        await self._http.aclose()
        if self in HERE:
            HERE.remove(self)

    async def _look(self) -> None:
        async with self._http.stream("GET", f"{self.api}/stream", timeout=60) as response:
            assert response.status_code == 200, await response.aread()
            rest = b""
            async for chunk in response.aiter_raw():
                self.raw += chunk
                self.chunks.append((asyncio.get_running_loop().time(), len(chunk)))
                *events, rest = (rest + chunk).split(b"\n\n")
                for event in events:
                    if event.startswith(b"data: "):
                        await self._hear(json.loads(event[6:]))

    async def _hear(self, message: dict[str, Any]) -> None:
        self.heard.append(message)
        if self.choose is None:
            return
        if message["type"] == "card":
            await self.post("seen")
        elif message["type"] == "ask":
            ask = message["ask"]
            if ask["request"] not in self.answered and (chosen := self.choose(ask)) is not None:
                response = await self.post("answer", request=ask["request"], **chosen)
                self.answered[ask["request"]] = response.status_code

    def of(self, kind: str) -> list[dict[str, Any]]:
        """What was heard of one kind."""
        return [message for message in self.heard if message["type"] == kind]

    def frames(self) -> list[dict[str, Any]]:
        """All frames since the last greeting."""
        found: list[dict[str, Any]] = []
        for message in self.heard:
            if message["type"] == "hello":
                found = list(message["document"]["frames"]) if message["document"] else []
            elif message["type"] == "frame":
                found.append(message["frame"])
        return found

    async def until(self, kind: str, /, seconds: float = 60, **fields: Any) -> dict[str, Any]:
        """Wait until a message of this kind, with these fields, has been heard."""
        async with asyncio.timeout(seconds):
            while True:
                for message in self.of(kind):
                    inner = message.get("ask") or message.get("frame") or message.get("lobby") or message
                    if all(inner.get(name) == value for name, value in fields.items()):
                        return message
                if self._looking and self._looking.done() and not self._looking.cancelled():
                    self._looking.result()
                await asyncio.sleep(0.005)


def by_lot(seed: int) -> Choose:
    """A person who answers whatever is asked, by lot."""

    def choose(ask: Mapping[str, Any]) -> Mapping[str, Any]:
        rng = Random(f"{seed}/{ask['request']}")
        match ask["kind"]:
            case "speech" | "last_words":
                return {"text": f"word-{seed}-{rng.randrange(10**6)}"}
            case "speech_and_vote":
                return {"text": f"word-{seed}", "target": rng.choice(ask["options"])}
            case "hand":
                return {"raise": not ask["may_pass"] or rng.random() < 0.4}
            case "demand":
                return {"pass": True}
            case _:
                return {"target": rng.choice(ask["options"])}

    return choose


def but_speeches(choose: Choose) -> Choose:
    """The same person, who does not speak."""
    return lambda ask: None if ask["kind"] == "speech" else choose(ask)


async def open_table(url: str, *, by: str = "", **plan: Any) -> dict[str, Any]:
    """Open a table, by the token for that where not everybody may; its tokens."""
    headers = {"Authorization": f"Bearer {by}"} if by else {}
    async with httpx2.AsyncClient(base_url=url, headers=headers) as http:
        response = await http.post("/api/tables", json={**SMALL, **plan})
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found


async def sit_down(url: str, links: Mapping[str, Any], **names: str) -> tuple[Guest, list[Guest]]:
    """The host, and everybody in their seats, ready."""
    host = Guest(url, links["table"], links["host"])
    people = []
    for number, (seat, token) in enumerate(links["seats"].items()):
        guest = Guest(url, links["table"], token, int(seat), by_lot(number))
        joined = await guest.post("join", consent=True, client=f"client-{seat}", name=names.get(f"p{seat}", ""))
        assert joined.status_code == 200, joined.text
        guest.look()
        await guest.until("hello")
        assert (await guest.post("ready")).status_code == 200
        people.append(guest)
    return host, people


async def everybody_leaves(*guests: Guest) -> None:
    """These go; whoever is still here when a server stops goes too, also where a test failed."""
    for guest in guests:
        await guest.close()
