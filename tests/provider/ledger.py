"""What a provider was asked and what it said, kept by the provider itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Act:
    """What is done with one request: a body that is bytes goes out as it is, any other as JSON.

    ``after`` seconds the answer begins; ``share`` of its bytes leave, each after ``pace`` seconds; then the connection
    is kept, reset, or left open in silence.
    """

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    share: float = 1.0
    pace: float = 0.0
    ends: Literal["kept", "reset", "silence"] = "kept"
    fault: str = ""
    """Which fault this is; empty where it is none."""

    @property
    def is_whole(self) -> bool:
        return self.share == 1.0 and self.ends == "kept" and not self.pace


RESET = Act(share=0.0, ends="reset")


@dataclass(slots=True)
class Entry:
    """One request: as it came, how much of it the same seat had sent before, and what was done with it.

    ``call`` is the id under which it was sent, ``GAME/REQUEST#ATTEMPT``; ``arrived`` is false where it never left.
    """

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    began: float
    at_once: int = 0
    prompt: int = 0
    shared: int = 0
    act: Act | None = None
    arrived: bool = True
    ended: float | None = None

    @property
    def call(self) -> str:
        return self.headers.get("x-request-id", "")

    @property
    def game(self) -> str:
        return self.call.rpartition("/")[0]

    @property
    def request(self) -> str:
        return self.call.rpartition("/")[2].partition("#")[0]

    @property
    def text(self) -> str:
        return "".join(f"<{turn['role']}>{turn['content']}" for turn in self.body["messages"])

    @property
    def reported(self) -> tuple[int, int] | None:
        """Tokens of prompt and completion, as the answer told them; None where it told none, or not the client."""
        if self.act is None or not self.act.is_whole or not isinstance(self.act.body, Mapping):
            return None
        match self.act.body.get("usage"):
            case {"prompt_tokens": int(prompt), "completion_tokens": int(completion)}:
                return prompt, completion
            case _:
                return None


class Ledger:
    """Every request, in the order of arrival."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.at_once = 0
        self._said: dict[str, list[str]] = {}

    def arrives(self, entry: Entry) -> None:
        """Book a request; what the same seat of the same game has sent before is known to a cache."""
        text = entry.text
        entry.prompt = tokens(text)
        seat = f"{entry.game}/{entry.request.rpartition('.')[2]}"
        entry.shared = max((shared(text, old) for old in self._said.get(seat, ())), default=0) // BYTES_PER_TOKEN
        self._said.setdefault(seat, []).append(text)
        self.at_once += 1
        entry.at_once = self.at_once
        self.entries.append(entry)

    def leaves(self, entry: Entry, now: float) -> None:
        """The server is done with a request."""
        entry.ended = now
        self.at_once -= 1

    @property
    def most_at_once(self) -> int:
        return max((entry.at_once for entry in self.entries), default=0)

    def of(self, game: str) -> list[Entry]:
        """The requests of one game."""
        return [entry for entry in self.entries if entry.game == game]


def tokens(text: str) -> int:
    """Tokens of a text: one for four bytes begun."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def shared(one: str, other: str) -> int:
    """Characters that two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
