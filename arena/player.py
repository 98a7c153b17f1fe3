"""The contract between the host and whoever sits in a seat.

A player is a function of its view, the request and its own luck. It keeps no memory and holds no client: a model is
reached through `ask`, which belongs to the host. From this follow resume, forks, takeovers and the secrecy of views.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, NamedTuple, Protocol

from tianhei.arena.requests import Answer, Request
from tianhei.arena.view import View

Cause = Literal[
    "unreadable",
    "illegal",
    "ambiguous",
    "truncated",
    "empty",
    "refused",
    "filtered",
    "overflow",
    "timeout",
    "transport",
    "error",
]
"""Why a player gave no usable answer. `timeout`, `transport` and `error` are never the model's own choice."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model: one system and one user message, so that roles alternate by construction.

    ``public`` is the same text for every seat of a game that uses the pack, and only grows at its end; ``private``
    follows it in the user message. ``schema`` is the JSON Schema of the reply; ``extra`` holds further fields of the
    request body; ``prefill`` opens the model's own turn, where the endpoint can continue it. With ``reasons`` false
    a model that reasons is asked to do without, as far as its endpoint can be told.
    """

    system: str
    public: str
    private: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    prefill: str = ""
    reasons: bool = True

    def messages(self) -> list[dict[str, str]]:
        """The messages as the chat endpoint takes them."""
        turns = [("system", self.system), ("user", self.public + self.private), ("assistant", self.prefill)]
        return [{"role": role, "content": text} for role, text in turns if text]

    @property
    def hash(self) -> str:
        """SHA-256 over all words that are sent."""
        return sha256(
            "\0".join((self.system, self.public, self.private, self.prefill)).encode("utf-8", "surrogatepass")
        ).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the endpoint counted them; None where it did not say.

    ``prompt`` includes those ``cached``, ``completion`` those of ``reasoning``. ``estimated``: reckoned by length here.
    """

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model returned: its text, its reasoning apart, why it stopped, and what it cost.

    ``scores`` holds, for each token generated, the log-probabilities of the likeliest tokens, where asked for.
    ``served`` is the model that the endpoint says answered: that which was asked for, a dated snapshot of it, or
    another; empty where it does not say. ``fingerprint`` is what it says of its own configuration.
    """

    text: str
    reasoning: str = ""
    finish: str = "stop"
    usage: Usage = Usage()
    scores: tuple[Mapping[str, float], ...] = ()
    refusal: str = ""
    served: str = ""
    fingerprint: str = ""


class Reply(NamedTuple):
    """A player's answer and what goes with it: private thought, and where its choice stood in the list it saw.

    ``cut`` says that a text was longer than the limit and was shortened. ``source`` names who gave the answer, where
    that is not whoever sits in the seat.
    """

    answer: Answer
    thought: str = ""
    position: int | None = None
    cut: bool = False
    source: str = ""


_SENTENCE_END = re.compile(r"[。！？!?…\n]|\.(?=\s|$)")


def to_sentence_end(text: str) -> str:
    """A text that was cut off, taken back to its last whole sentence, unless that would lose more than half of it."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends and ends[-1] * 2 >= len(text) else text.rstrip()


class Unusable(Exception):
    """A player has no usable answer to give; the host records the cause and takes `absent`."""

    def __init__(self, cause: Cause, detail: str = "") -> None:
        super().__init__(detail or cause)
        self.cause = cause


class Ask(Protocol):
    """How a player reaches its model. Raises Unusable where the endpoint could not be had."""

    async def __call__(self, prompt: Prompt) -> Completion: ...


class Player(Protocol):
    """Whoever sits in a seat."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer one request. Raises Unusable where there is no usable answer."""
        ...
