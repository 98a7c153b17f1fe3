"""A fake model endpoint in a process of its own, for measuring a client: fixed latency, seeded faults, a ledger.

The ledger holds, for each request, when it came and was answered, its game and seat (from the call's id), and its
prompt. `Ledger` computes from it what the client did: how many requests had to wait for one another, what a prefix
cache would not hold, and whether a Retry-After was broken.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

FAULTS = ("429", "5xx", "malformed", "prose", "empty", "drop")
RETRY_AFTER = 1.0
CHARACTERS_PER_TOKEN = 4
SPEECH = (
    "I listened to all of you. Seat two was in a hurry yesterday, and the vote shows who followed. I keep my eyes on "
    "the two who have not said whom they suspect, and I will vote with my own head. "
)
"""What a model says here: as many characters as an ordinary speech."""


class Asked(NamedTuple):
    """One request: seconds when it came and when its answer left, who asked, the prompt, and the fault injected."""

    came: float
    left: float
    game: str
    seat: str
    prompt: str
    fault: str


@dataclass(slots=True)
class Ledger:
    """All requests of a measurement."""

    asked: list[Asked] = field(default_factory=list)

    def of(self, game: str) -> Ledger:
        """The part of one game."""
        return Ledger([one for one in self.asked if one.game == game])

    @property
    def games(self) -> list[str]:
        return sorted({one.game for one in self.asked})

    @property
    def wall(self) -> float:
        """Seconds from the first request to the last answer."""
        return max(one.left for one in self.asked) - min(one.came for one in self.asked)

    @property
    def depth(self) -> int:
        """The most requests that did not overlap: each was made after the one before it was answered."""
        count, free = 0, 0.0
        for one in sorted(self.asked, key=lambda each: each.left):
            if one.came >= free:
                count, free = count + 1, one.left
        return count

    def uncached(self, *, shared: bool) -> int:
        """Tokens that a cache would not hold: one for each seat's earlier prompts, or one for the whole game's."""
        left = 0
        earlier: dict[tuple[str, str], list[str]] = defaultdict(list)
        for one in sorted(self.asked, key=lambda each: each.came):
            known = earlier[(one.game, "" if shared else one.seat)]
            left += len(one.prompt) - max((_common(one.prompt, old) for old in known), default=0)
            known.append(one.prompt)
        return left // CHARACTERS_PER_TOKEN

    @property
    def longest(self) -> int:
        """The longest prompt of each seat, in tokens, summed up."""
        longest: dict[tuple[str, str], int] = defaultdict(int)
        for one in self.asked:
            longest[one.game, one.seat] = max(longest[one.game, one.seat], len(one.prompt))
        return sum(longest.values()) // CHARACTERS_PER_TOKEN

    @property
    def sent(self) -> int:
        """Tokens of all prompts."""
        return sum(len(one.prompt) for one in self.asked) // CHARACTERS_PER_TOKEN

    @property
    def early(self) -> int:
        """Requests of a seat that came before the Retry-After of its 429 was over."""
        told: dict[tuple[str, str], float] = {}
        count = 0
        for one in sorted(self.asked, key=lambda each: each.came):
            count += one.came < told.get((one.game, one.seat), 0.0) + RETRY_AFTER - 0.02
            if one.fault == "429":
                told[one.game, one.seat] = one.left
        return count


def _common(one: str, other: str) -> int:
    """How many leading characters two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


class Fake:
    """The server."""

    def __init__(self, latency: float, faults: float, seed: int = 0) -> None:
        self.latency = latency
        self.faults = faults
        self.ledger = Ledger()
        self._random = Random(seed)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                came = time.monotonic()
                headers = dict(
                    line.lower().split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ": " in line
                )
                body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
                fault = self._fault()
                await asyncio.sleep(self.latency - (time.monotonic() - came))
                self._note(came, headers.get("x-request-id", ""), body, fault)
                if fault == "drop":
                    writer.transport.abort()
                    return
                writer.write(_response(body, fault))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _fault(self) -> str:
        drawn = self._random.random()
        return FAULTS[int(drawn / self.faults * len(FAULTS))] if drawn < self.faults else ""

    def _note(self, came: float, call: str, body: Mapping[str, Any], fault: str) -> None:
        game, _, request = call.partition("/")
        prompt = "\n".join(f"<|{turn['role']}|>\n{turn['content']}" for turn in body["messages"])
        seat = request.partition("#")[0].rpartition(".")[2]
        self.ledger.asked.append(Asked(came, time.monotonic(), game, seat, prompt, fault))


def _response(body: Mapping[str, Any], fault: str) -> bytes:
    status, extra = 200, ""
    if fault == "429":
        status, extra = 429, f"Retry-After: {RETRY_AFTER:g}\r\n"
    elif fault == "5xx":
        status = 503
    said = {"prose": "Let me think about it for a moment.", "empty": ""}.get(fault)
    if said is None:
        said = json.dumps(_fill(body["response_format"]["json_schema"]["schema"], Random(str(body["messages"]))))
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
    prompt = sum(len(turn["content"]) for turn in body["messages"]) // CHARACTERS_PER_TOKEN
    usage = {"prompt_tokens": prompt, "completion_tokens": len(said) // CHARACTERS_PER_TOKEN}
    raw = json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": "fake", "choices": [choice],
                      "usage": {**usage, "total_tokens": sum(usage.values())}}).encode()  # fmt: skip
    if status != 200:
        raw = b'{"error": {"message": "not now"}}'
    elif fault == "malformed":
        raw = raw[: len(raw) // 2]
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(raw)}\r\n{extra}\r\n"
    return head.encode() + raw


def _fill(schema: Mapping[str, Any], random: Random) -> Any:
    match schema["type"]:
        case "object":
            return {name: _fill(part, random) for name, part in schema["properties"].items()}
        case "array":
            return []
        case _:
            return random.choice(schema["enum"]) if "enum" in schema else SPEECH


async def main(arguments: Iterable[str]) -> None:
    """Serve on a free port until standard input is closed; then write the ledger to standard output."""
    latency, faults = map(float, arguments)
    fake = Fake(latency, faults)
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0, backlog=2048)
    port: int = server.sockets[0].getsockname()[1]
    sys.stdout.buffer.write(f"{port}\n".encode())
    sys.stdout.buffer.flush()
    await asyncio.to_thread(sys.stdin.read)
    pickle.dump([tuple(one) for one in fake.ledger.asked], sys.stdout.buffer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
