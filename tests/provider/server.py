"""An OpenAI-compatible server on loopback, in a thread of its own: strict in what it takes, as faulty as it is told."""

from __future__ import annotations

import asyncio
import inspect
import json
import socket
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self, TypeAlias

from provider.ledger import Act, Entry, Ledger

Rule: TypeAlias = "Callable[[Entry], Act | Awaitable[Act]]"
PATH = "/v1/chat/completions"
TLS = b"\x16"
"""How a handshake of TLS begins."""
LONGEST_CLOSING = 5.0
"""Seconds until connections that clients have closed must be gone."""
Serve: TypeAlias = "Callable[[list[Act] | Rule], Provider]"
"""Opens a server for a test."""


class Script:
    """Answers each request by the next act; one too many is a fault, and so is one left over."""

    def __init__(self, acts: Sequence[Act]) -> None:
        self.left = list(acts)
        self.too_many = 0

    def __call__(self, entry: Entry) -> Act:
        if self.left:
            return self.left.pop(0)
        self.too_many += 1
        return Act(404, {"error": {"message": "nothing more was expected"}})


class Provider:
    """The server; a context manager. ``rule`` says what is done with each request, ``ledger`` what has been."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.ledger = Ledger()
        self.unexpected: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._deaf = socket.socket()  # bound, and nobody listens
        self._deaf.bind(("127.0.0.1", 0))
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        self._ready.wait()

    async def _run(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=1024)
        self.port: int = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def deaf_port(self) -> int:
        """A port at which nobody listens."""
        port: int = self._deaf.getsockname()[1]
        return port

    def settle(self) -> None:
        """Wait until every connection is closed: its clients have gone."""
        end = time.monotonic() + LONGEST_CLOSING
        while self._tasks:
            assert time.monotonic() < end, f"{len(self._tasks)} connections are still open"
            time.sleep(0.0005)

    def close(self) -> None:
        """Stop, and see to it that nothing unexpected was asked and nothing expected is left."""
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join()
        self._deaf.close()
        assert self.unexpected == []
        if isinstance(self.rule, Script):
            assert self.rule.too_many == 0, f"{self.rule.too_many} requests too many"
            assert self.rule.left == [], "an answer was never asked for"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has gone, or the server goes
        except Exception as error:
            self.unexpected.append(f"the server broke: {error!r}")
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection is kept. A client that begins with TLS is told off."""
        first = await reader.readexactly(1)
        if first == TLS:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            return False
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        raw = await reader.readexactly(int(headers["content-length"]))
        if head[0] != f"POST {PATH} HTTP/1.1":
            self.unexpected.append(head[0])
        ledger, entry = self.ledger, Entry(json.loads(raw), headers, time.monotonic())
        ledger.arrives(entry)
        try:
            found = self.rule(entry)
            entry.act = await found if inspect.isawaitable(found) else found
            return await _send(entry.act, reader, writer)
        finally:
            ledger.leaves(entry, time.monotonic())


async def _send(act: Act, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    if act.after:
        await asyncio.sleep(act.after)
    raw = _response(act)
    raw = raw[: int(len(raw) * act.share)]
    for byte in raw if act.pace else ():
        writer.write(bytes((byte,)))
        await writer.drain()
        await asyncio.sleep(act.pace)
    if not act.pace:
        writer.write(raw)
        await writer.drain()
    if act.ends == "silence":
        await reader.read()
    elif act.ends == "reset":
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    return act.ends == "kept"


def _response(act: Act) -> bytes:
    body = act.body if isinstance(act.body, bytes) else json.dumps(act.body).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **act.headers}
    lines = [f"HTTP/1.1 {act.status} Status", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def said(text: Any, *, finish: str = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    """A chat completion that says this; ``message`` has further fields, or others, of its message."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    whole: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    return whole if usage is None else {**whole, "usage": usage}


def ok(text: str = "fine", **message: Any) -> Act:
    """An answer without fault."""
    return Act(body=said(text, **message))


def refusal(status: int, message: str, **more: Any) -> Act:
    """An error as OpenAI words it."""
    return Act(status, {"error": {"message": message, "type": "error", **more}})
