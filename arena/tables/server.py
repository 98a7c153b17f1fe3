"""The addresses of a server of tables: pages, what may be asked and done at each, and a stream of what happens.

A token opens a seat, and travels in the header ``Authorization`` alone: it stands in no address, so in no log and no
referrer. Whatever is not allowed by the token is refused, by name.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import uvicorn
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import make
from tianhei.arena.rules.presets import PRESETS
from tianhei.arena.rules.setups import sizes
from tianhei.arena.tables import hosting
from tianhei.arena.tables.choices import choices
from tianhei.arena.tables.house import House
from tianhei.arena.tables.limits import Limit
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.room import Room
from tianhei.arena.tables.words import both
from tianhei.transcripts.redaction import redacted
from tianhei.transcripts.viewer.site import CONTENT_POLICY, PAGE, page_words

BIGGEST_BODY = 64 * 1024
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
"""What every answer carries."""
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How often one address, and one token, may ask: everything, opening tables, joining, and with a wrong token."""

    address: Limit = field(default_factory=lambda: Limit(300, 10))
    token: Limit = field(default_factory=lambda: Limit(60, 10))
    opening: Limit = field(default_factory=lambda: Limit(30, 3600))
    wrong: Limit = field(default_factory=lambda: Limit(30, 60))


def create_app(
    house: House, *, is_open: bool = False, limits: Limits | None = None, origins: Collection[str] = ()
) -> FastAPI:
    """The server of these tables. ``is_open``: everybody may open one; ``origins`` are other addresses of the page."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
        async with house:
            yield

    app = FastAPI(title="Tianhei", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.house, app.state.is_open, app.state.limits = house, is_open, limits or Limits()
    app.include_router(pages)
    app.include_router(doors)
    app.include_router(table)
    app.include_router(host)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _no_page)
    app.add_middleware(Gate, origins=frozenset(origins), limit=app.state.limits.address)
    return app


def run(app: FastAPI, host: str, port: int) -> None:
    """Serve until it is stopped by hand, or told to stop."""
    house: House = app.state.house

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            house.let_go()  # else it would wait for streams that never end
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=3
    )
    with suppress(KeyboardInterrupt):  # to stop it is no mistake
        Server(config).run()


class Gate:
    """In front of everything: the headers, the size of what is sent, where it is sent from, and how often."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], limit: Limit) -> None:
        self._app = app
        self._origins = origins
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = {name for name, _ in message["headers"]}
                extra = [
                    (name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in told
                ]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            body = await self._checked(scope, receive)
        except Refused as refused:
            await _refused(None, refused)(scope, receive, sending)
            return
        waiting = [body] if body is not None else []

        async def receiving() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, receiving, sending)

    async def _checked(self, scope: Scope, receive: Receive) -> Message | None:
        """The whole body of what is sent, if something is. Refused where it may not be."""
        self._limit.take(scope["client"][0] if scope["client"] else "")
        if scope["method"] in ("GET", "HEAD"):
            return None
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc != headers.get(b"host") and origin not in self._origins:
            raise Refused(403, "wrong_origin", "this was sent from another site's page")
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > BIGGEST_BODY:
                raise Refused(413, "too_long", f"at most {BIGGEST_BODY} bytes can be sent at once")
            if not message.get("more_body"):
                return {"type": "http.request", "body": body, "more_body": False}


def _refused(request: Any, refused: Exception) -> JSONResponse:
    assert isinstance(refused, Refused)
    return JSONResponse({"error": refused.name, "detail": str(refused)}, refused.status)


def _malformed(request: Any, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"][1:]))
    return JSONResponse({"error": "malformed", "detail": f"{where}: {first['msg']}"}, 400)


def _no_page(request: Any, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": "not_found", "detail": str(error.detail)}, error.status_code)


# Who asks.


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(401, "unknown_token", "this needs the token of a link: Authorization: Bearer TOKEN")
    return token


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at a table."""

    room: Room
    whose: str


async def _caller(table: str, request: Request, house: Annotated[House, Depends(_house)]) -> Caller:
    limits: Limits = request.app.state.limits
    token, address = _bearer(request), _address(request)
    room = house.room(table)
    try:
        whose = room.whose(token)
    except Refused:
        limits.wrong.take(address)
        raise
    shared = whose in ("invite", "spectator")  # who has such a link cannot keep others with it out
    limits.token.take(f"{token} {address}" if shared else token)
    return Caller(room, whose)


async def _host(caller: Annotated[Caller, Depends(_caller)]) -> Room:
    if caller.whose != "host":
        raise Refused(403, "not_allowed", "this is for the host of the table")
    return caller.room


async def _opener(request: Request, house: Annotated[House, Depends(_house)]) -> House:
    limits: Limits = request.app.state.limits
    if not request.app.state.is_open and not house.is_opener(_bearer(request)):
        limits.wrong.take(_address(request))
        raise Refused(401, "unknown_token", "tables are opened by the link that the server's user has")
    return house


Calling = Annotated[Caller, Depends(_caller)]
Hosting = Annotated[Room, Depends(_host)]
Opening = Annotated[House, Depends(_opener)]


# Pages.

pages = APIRouter()


LOOKING = ["GET", "HEAD"]


@pages.api_route("/", methods=LOOKING)
@pages.api_route("/t/{table}", methods=LOOKING)
@pages.api_route("/replay/{table}", methods=LOOKING)
async def page() -> Response:
    """The page, which is one and the same for every table."""
    return Response(PAGE.joinpath("index.html").read_bytes(), media_type="text/html")


@pages.api_route("/page/words.json", methods=LOOKING)
async def words() -> Response:
    """The page's words."""
    return JSONResponse(page_words())


@pages.api_route("/page/{name:path}", methods=LOOKING)
async def part(name: str) -> Response:
    """A file of the page."""
    place = PAGE
    for step in name.split("/"):
        if step not in {each.name for each in place.iterdir()}:
            raise HTTPException(404, "there is no such file")
        place = place.joinpath(step)
        if not (place.is_dir() or place.is_file()):
            break
    kind = _TYPES.get(name.rpartition(".")[2])
    if kind is None or not place.is_file():
        raise HTTPException(404, "there is no such file")
    return Response(place.read_bytes(), media_type=kind, headers={"cache-control": "no-cache"})


# Opening tables.

doors = APIRouter(prefix="/api")


@doors.get("/options")
async def options(house: Opening, request: Request) -> dict[str, Any]:
    """What a table may be here."""
    return {
        "games": list(PRESETS),
        "sizes": {
            name: [found.players] if found.players else sizes(make(found.game, found.changes))
            for name, found in PRESETS.items()
        },
        "rules": {name: choices(found) for name, found in PRESETS.items()},
        "bots": list(house.bots.allowed),
        "paces": list(house.paces),
        "langs": ["en", "zh"],
        "consent": both("consent"),
        "open": request.app.state.is_open,
    }


@doors.post("/tables")
async def open_table(house: Opening, plan: Plan, request: Request) -> dict[str, Any]:
    """Open a table."""
    request.app.state.limits.opening.take(_address(request))
    return links(house.create(plan))


def links(room: Room) -> dict[str, Any]:
    """The tokens of a table, for its host; a seat that somebody has already is opened by their own link alone."""
    seats = {str(seat): room.token(f"seat/{seat}") for seat, chair in room.state.chairs.items() if not chair.joined}
    sole = {whose: room.token(whose) for whose in ("host", "invite", "spectator")}
    return {"table": room.state.table, **sole, "seats": seats}


# At a table.

table = APIRouter(prefix="/api/tables/{table}")
DONE = {"done": True}
"""What everything that was done is answered with; it tells nothing else."""


class Body(BaseModel):
    """What is sent; a field too many is a mistake."""

    model_config = ConfigDict(extra="forbid")


class Joining(Body):
    """Who joins."""

    name: str = Field(default="", max_length=200)
    lang: Literal["zh", "en"] = "en"
    consent: bool = False
    client: str = Field(default="", max_length=100)


class Ready(Body):
    """Whether one is ready, and asks for double time."""

    ready: bool = True
    doubled: bool = False


class NoteText(Body):
    """A person's own notes."""

    text: str


class Marks(Body):
    """How likely seats are killers."""

    marks: dict[Seat, float] = Field(max_length=40)


class Survey(Body):
    """Which seats were bots'."""

    bots: list[Seat] = Field(default_factory=list, max_length=40)
    skip: bool = False


class Answering(BaseModel):
    """An answer to a question; what belongs to it depends on the question."""

    model_config = ConfigDict(extra="allow")

    request: str = Field(max_length=100)


@table.get("")
async def lobby(caller: Calling) -> dict[str, Any]:
    """How the table stands."""
    return caller.room.lobby(caller.whose)


@table.get("/stream")
async def stream(caller: Calling, request: Request) -> StreamingResponse:
    """What happens at the table, as it happens."""
    room = caller.room
    watching = room.look(caller.whose, _address(request))

    async def chunks() -> AsyncIterator[bytes]:
        try:
            async for chunk in watching.chunks():
                yield chunk
        finally:
            room.look_away(watching)

    return StreamingResponse(chunks(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


@table.post("/join")
async def join(caller: Calling, body: Joining) -> dict[str, Any]:
    """Take a seat."""
    return caller.room.join(caller.whose, body.name, body.lang, body.consent, body.client)


@table.post("/ready")
async def ready(caller: Calling, body: Ready) -> dict[str, Any]:
    """Say that one is ready."""
    caller.room.ready(caller.whose, body.ready, body.doubled)
    return DONE


@table.post("/seen")
async def seen(caller: Calling) -> dict[str, Any]:
    """Say that one has looked at the own card."""
    caller.room.back(caller.whose)
    caller.room.seen(caller.whose)
    return DONE


@table.post("/back")
async def back(caller: Calling) -> dict[str, Any]:
    """Say that one is here again."""
    caller.room.back(caller.whose)
    return DONE


@table.post("/leave")
async def leave(caller: Calling) -> dict[str, Any]:
    """Give the seat up."""
    caller.room.leave(caller.whose)
    return DONE


@table.post("/answer")
async def answer(caller: Calling, body: Answering) -> dict[str, Any]:
    """Answer a question."""
    caller.room.back(caller.whose)
    await caller.room.answer(caller.whose, body.request, body.model_extra or {})
    return DONE


@table.post("/note")
async def note(caller: Calling, body: NoteText) -> dict[str, Any]:
    """Keep one's own notes."""
    caller.room.note(caller.whose, body.text)
    return DONE


@table.post("/forecast")
async def forecast(caller: Calling, body: Marks) -> dict[str, Any]:
    """Mark the killers, among the dead."""
    caller.room.forecast(caller.whose, body.marks)
    return DONE


@table.post("/survey")
async def survey(caller: Calling, body: Survey) -> dict[str, Any]:
    """Guess the bots."""
    caller.room.survey(caller.whose, None if body.skip else body.bots)
    return DONE


@table.get("/replay")
async def replay(caller: Calling) -> dict[str, Any]:
    """The whole game, once it is over."""
    caller.room.may_see_all(caller.whose)
    return caller.room.truth()


@table.get("/chances")
async def chances(caller: Calling) -> dict[str, Any]:
    """How the chances stood over time, once the game is over; null where that cannot be said."""
    caller.room.may_see_all(caller.whose)
    return {"chances": await caller.room.chances()}


@table.get("/transcript")
async def transcript(caller: Calling) -> Response:
    """The game's transcript, once it is over; without names and private words for all but the host."""
    caller.room.may_see_all(caller.whose)
    path = caller.room.transcript()
    data = path.read_bytes() if caller.whose == "host" else b"".join(redacted(path))
    return Response(data, media_type="application/x-ndjson")


# The host.

host = APIRouter(prefix="/api/tables/{table}/host")


class Start(Body):
    """Whether bots fill what is empty."""

    fill: bool = False


class OfSeat(Body):
    """Which seat is meant."""

    seat: Seat


class OfLink(Body):
    """Whose link is meant: host, invite, spectator or seat/NUMBER."""

    whose: str = Field(max_length=20)


@host.post("/start")
async def start(room: Hosting, body: Start) -> dict[str, Any]:
    """Begin."""
    hosting.start(room, body.fill)
    return DONE


@host.post("/pause")
async def pause(room: Hosting) -> dict[str, Any]:
    """Stop the clock."""
    hosting.pause(room)
    return DONE


@host.post("/go")
async def go(room: Hosting) -> dict[str, Any]:
    """Let the clock go on."""
    hosting.go(room)
    return DONE


@host.post("/remove")
async def remove(room: Hosting, body: OfSeat) -> dict[str, Any]:
    """Put somebody out."""
    hosting.remove(room, body.seat)
    return DONE


@host.post("/replace")
async def replace(room: Hosting, body: OfSeat) -> dict[str, Any]:
    """Let a bot have a seat."""
    hosting.replace(room, body.seat)
    return DONE


@host.post("/renew")
async def renew(room: Hosting, body: OfLink) -> dict[str, Any]:
    """Make a new link."""
    return {"token": hosting.renew(room, body.whose)}


@host.post("/redeal")
async def redeal(room: Hosting) -> dict[str, Any]:
    """Deal anew."""
    await hosting.redeal(room)
    return DONE


@host.post("/end")
async def end(room: Hosting) -> dict[str, Any]:
    """End the game."""
    await hosting.end(room)
    return DONE


@host.post("/delete")
async def delete(room: Hosting, house: Annotated[House, Depends(_house)]) -> dict[str, Any]:
    """Take the table away."""
    await house.delete(room)
    return DONE


@host.post("/rematch")
async def rematch(room: Hosting, house: Annotated[House, Depends(_house)], request: Request) -> dict[str, Any]:
    """Play again with the same people; one more table is opened for it."""
    if room.state.rematch not in house.rooms:
        request.app.state.limits.opening.take(_address(request))
    return links(house.rematch(room))
