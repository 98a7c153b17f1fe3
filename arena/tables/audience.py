"""Everybody who looks on at one table, each over a stream of server-sent events.

What happens is sent to all at the same moment, and every stream is sent the same number of bytes, so that neither the
moment nor the size tells what stands in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from tianhei.arena.tables.refused import Refused
from tianhei.transcripts.file import to_bytes

BLOCK = 1024
"""Everything is padded to a multiple of this."""
BEHIND = 500
"""A stream that has not taken so many messages is closed; it may come back and is told everything anew."""
ALIVE = 15.0
"""Seconds after which a quiet stream is sent an empty comment, so that nothing between takes it for dead."""
OF_LINK = 60
"""Streams of one link that many share, the invitation or the spectators', at one table."""
OF_ADDRESS = 20
"""Those among them that one address may have."""
OF_HOST = 4
"""Streams of the host."""
Message = Mapping[str, Any]


class Stream:
    """One connection: whose it is, where it comes from, and what waits to be sent."""

    def __init__(self, whose: str, address: str = "") -> None:
        self.whose = whose
        self.address = address
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, chunk: bytes) -> None:
        """Put these bytes in line."""
        if self._waiting.qsize() > BEHIND:
            self.close()
        else:
            self._waiting.put_nowait(chunk)

    def say(self, message: Message) -> None:
        """Put a message in line that is nobody else's concern."""
        self.send(padded(encoded((message,)), 0))

    def close(self) -> None:
        """End the stream after what is in line."""
        self._waiting.put_nowait(None)

    async def chunks(self) -> AsyncIterator[bytes]:
        """What is to be sent, as it comes."""
        while True:
            try:
                async with asyncio.timeout(ALIVE):
                    chunk = await self._waiting.get()
            except TimeoutError:
                chunk = b": \n\n"
            if chunk is None:
                return
            yield chunk


class Audience:
    """The streams of one table."""

    def __init__(self) -> None:
        self._streams: list[Stream] = []

    def __len__(self) -> int:
        return len(self._streams)

    def holds(self, stream: Stream) -> bool:
        """Whether this stream still looks on."""
        return stream in self._streams

    def watched(self, whose: str) -> bool:
        """Whether somebody with this token looks on."""
        return any(stream.whose == whose for stream in self._streams)

    def add(self, stream: Stream, first: Iterable[Message]) -> None:
        """Let one more look on, told ``first`` what it may know.

        Of a seat only the newest stream goes on, and of the host the newest few, however many others look on. Refused
        where an onlooker's link, or its address, has as many as it may have.
        """
        same = [each for each in self._streams if each.whose == stream.whose]
        if stream.whose == "host" or stream.whose.startswith("seat/"):
            for older in same[: max(0, len(same) + 1 - (OF_HOST if stream.whose == "host" else 1))]:
                self._end(older, {"type": "replaced"})
        elif len(same) >= OF_LINK:
            raise Refused(429, "too_many", "too many look on at this table")
        elif sum(each.address == stream.address for each in self._onlookers()) >= OF_ADDRESS:
            raise Refused(429, "too_many", "too many look on at this table from one address")
        self._streams.append(stream)
        stream.send(padded(encoded(first), 0))

    def remove(self, stream: Stream) -> None:
        """This one looks away."""
        if stream in self._streams:
            self._streams.remove(stream)

    def send(self, to: Mapping[str, list[Message]], least: int = 0) -> None:
        """Tell each what is meant for it (by ``whose``), and everybody else nothing, in the same number of bytes."""
        encodings = {whose: encoded(messages) for whose, messages in to.items()}
        size = max(least, *map(len, encodings.values())) if encodings else least
        for stream in tuple(self._streams):
            stream.send(padded(encodings.get(stream.whose, b""), size))

    def tell(self, whose: str, message: Message) -> None:
        """Tell one something that concerns nobody else, and that nobody else can see has been told."""
        for stream in tuple(self._streams):
            if stream.whose == whose:
                stream.say(message)

    def send_all(self, message: Message) -> None:
        """Tell everybody the same."""
        self.send({stream.whose: [message] for stream in self._streams})

    def end(self, whose: str | None, message: Message) -> None:
        """Tell one, or everybody, a last thing."""
        for stream in tuple(self._streams):
            if whose is None or stream.whose == whose:
                self._end(stream, message)

    def _end(self, stream: Stream, message: Message) -> None:
        stream.say(message)
        stream.close()
        self._streams.remove(stream)

    def _onlookers(self) -> list[Stream]:
        return [each for each in self._streams if each.whose != "host" and not each.whose.startswith("seat/")]


def encoded(messages: Iterable[Message]) -> bytes:
    """Messages as server-sent events."""
    return b"".join(b"data: %b\n\n" % to_bytes(message) for message in messages)


def padded(chunk: bytes, size: int) -> bytes:
    """A chunk, and comments up to the next whole block after ``size``."""
    room = -(-(max(len(chunk), size) + 4) // BLOCK) * BLOCK - len(chunk)
    return chunk + b": " + b" " * (room - 4) + b"\n\n"
