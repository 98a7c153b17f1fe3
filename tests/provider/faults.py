"""The 48 faults: how each is committed, and what must come of it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Literal

from provider.ledger import RESET, Act, Entry
from provider.model import BAIT, Signing, usage
from provider.server import refusal, said

Handling = Literal["again", "blank", "stop", "adapt", "ask", "ask_once", "shorten", "lose", "read"]
Times = Literal["once", "twice", "always"]
Outcome = Literal["finished", "void", "fallback"]

HANDLINGS: Mapping[Handling, tuple[str, Mapping[Times, Outcome]]] = {
    "again": ("tried again until patience is over", {"once": "finished", "twice": "finished", "always": "void"}),
    "blank": ("twice tried again, then taken for the model's and asked again",
              {"once": "finished", "twice": "finished", "always": "fallback"}),
    "stop": ("stops the game at once", {"once": "void", "twice": "void", "always": "void"}),
    "adapt": ("left out, remembered and noted", {"once": "finished", "twice": "finished", "always": "finished"}),
    "ask": ("asked again, twice at most", {"once": "finished", "twice": "finished", "always": "fallback"}),
    "ask_once": ("asked again, once at most", {"once": "finished", "twice": "fallback", "always": "fallback"}),
    "shorten": ("asked once more with a shortened record",
                {"once": "finished", "twice": "fallback", "always": "fallback"}),
    "lose": ("not asked again", {"once": "fallback", "twice": "fallback", "always": "fallback"}),
    "read": ("read as it was meant", {"once": "finished", "twice": "finished", "always": "finished"}),
}  # fmt: skip
"""What is done about a fault, and how the game goes on where it comes once, twice, or always from some call on."""

TIMEOUT = 1.0
"""Seconds for one try, where the fault is that it takes longer; others take a hundredth of it."""
RETRY_AFTER = 1.0


@dataclass(frozen=True, slots=True)
class Occasion:
    """One request at which a fault is committed, the ``turn``-th of its game (from 1)."""

    entry: Entry
    model: Signing
    turn: int

    @property
    def good(self) -> str:
        return self.model.content(self.entry)

    @property
    def bait(self) -> str:
        return self.model.content(self.entry, bait=True)

    def said(self, content: Any, **more: Any) -> Act:
        return self.model.spoken(self.entry, content, **more)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. ``cause`` is the word for it in the transcript: of the try, of the void game, or of the fallback.

    ``commit`` says how the server commits it; None: the client's transport does. ``part`` is what a request must hold
    for the fault to come up at all, ``as_try`` the cause of the tries of a fault that is handled otherwise.
    ``waits`` are the seconds that it names, at least and at most.
    """

    name: str
    handling: Handling
    cause: str
    commit: Callable[[Occasion], Act] | None = None
    part: Callable[[Mapping[str, Any]], Any] = lambda body: "anything"
    as_try: str = ""
    is_slow: bool = False
    waits: tuple[float, float] = (0.0, 0.0)

    @property
    def once_each(self) -> bool:
        """Whether it brings no second request of the same question."""
        return self.handling in ("lose", "read") or (self.handling == "adapt" and self.cause != "response_format")

    @property
    def tried(self) -> str:
        """The cause under which each time stands as a request that came to nothing; empty where it is a completion."""
        return self.cause if self.handling in ("again", "stop") else self.as_try

    def tries(self, committed: int) -> int:
        """Requests that stand in the transcript as tries, where the fault was committed so often."""
        if not self.tried:
            return 0
        return committed - committed // 3 if self.handling == "blank" else committed

    def act(self, occasion: Occasion) -> Act:
        """What the server does."""
        assert self.commit is not None
        return replace(self.commit(occasion), fault=self.name)


def _page(status: int) -> Callable[[Occasion], Act]:
    page = f"<html><body>{BAIT}: nginx</body></html>".encode()
    return lambda occasion: Act(status, page, {"Content-Type": "text/html"})


def _error(status: int, message: str, headers: Mapping[str, str] | None = None, **more: Any) -> Callable[..., Act]:
    return lambda occasion: replace(refusal(status, message, **more), headers=headers or {})


def _next_second(occasion: Occasion) -> Act:
    date = (datetime.now(UTC) + timedelta(seconds=1)).replace(microsecond=0)
    return Act(429, {"error": {"message": "slow down"}}, {"Retry-After": format_datetime(date, usegmt=True)})


def _bad_key(occasion: Occasion) -> Act:
    return refusal(401, f"Incorrect API key provided: {occasion.entry.headers['authorization'].split()[-1]}.")


def _half(occasion: Occasion) -> Act:
    return occasion.said(occasion.bait[: len(occasion.bait) // 2], finish="length")


def _tag(occasion: Occasion) -> Act:
    unclosed = f"<think>{BAIT}. So it is: {occasion.bait}"
    return occasion.said(unclosed if occasion.turn % 2 else f"{BAIT}. So it is: {occasion.bait}\n</think>\n")


def _usage(occasion: Occasion) -> Act:
    odd = None if occasion.turn % 2 else {"prompt_tokens": "12", "completion_tokens": None}
    return Act(body={**said(occasion.good), "usage": odd})


def _surrogate(occasion: Occasion) -> Act:
    return occasion.said(occasion.good.replace("My ", "My \\ud83d "), counted=occasion.good)


def _parts(occasion: Occasion) -> Act:
    text = occasion.good
    return occasion.said([{"type": "text", "text": part} for part in (text[:9], text[9:])], counted=text)


def _tool_calls(occasion: Occasion) -> Act:
    call = {"id": "1", "type": "function", "function": {"name": "reply", "arguments": occasion.bait}}
    return occasion.said(None, finish="tool_calls", tool_calls=[call])


def _no_choice(choices: Any, **more: Any) -> Callable[[Occasion], Act]:
    return lambda occasion: Act(body={"id": None, "choices": choices, "usage": usage(occasion.entry, ""), **more})


def _clipped(occasion: Occasion) -> Act:
    return Act(body=said(occasion.bait, usage={"prompt_tokens": 3, "completion_tokens": 9}))


def _crossed(occasion: Occasion) -> Act:
    return Act(body=said(occasion.bait), headers={"x-request-id": f"{occasion.entry.game}/d9.speech1.01#1"})


def _has_system(body: Mapping[str, Any]) -> bool:
    return any(turn["role"] == "system" for turn in body["messages"])


ALTERNATE = "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."
NO_MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)
NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default is supported."
NO_FORMAT = Act(400, {"error": "'response_format.type' must be 'text'"})
QUOTA = "You exceeded your current quota, please check your plan and billing details."
FILTER = "The response was filtered due to the prompt triggering our content management policy."
TOO_LONG = "This model's maximum context length is 8192 tokens."
LIMITED = {"message": "Provider returned error", "code": 429}

CONNECTION = (
    Fault("refused connection", "again", "unreachable"),
    Fault("reset before headers", "again", "unreachable", lambda occasion: RESET),
    Fault("reset mid-body", "again", "unreachable",
          lambda occasion: replace(occasion.said(occasion.bait), share=0.9, ends="reset")),
    Fault("accepts and never answers", "again", "timeout", lambda occasion: Act(share=0.0, ends="silence"),
          is_slow=True),
    Fault("one byte per 30 s", "again", "timeout", lambda occasion: replace(occasion.said(occasion.bait),
                                                                            pace=TIMEOUT / 6), is_slow=True),
    Fault("DNS failure", "again", "unreachable"),
    Fault("TLS error", "again", "unreachable"),
    Fault("truncated JSON", "again", "no_json", lambda occasion: Act(body=b'{"choices": [{"message": {"content": "')),
    Fault("empty 200", "again", "no_json", lambda occasion: Act()),
    Fault("HTML 200", "again", "no_json", _page(200)),
    Fault("HTML 502", "again", "server", _page(502)),
    Fault("damaged gzip", "again", "no_json",
          lambda occasion: Act(body=gzip.compress(occasion.bait.encode())[:20] + b"damaged" * 9,
                               headers={"Content-Encoding": "gzip"})),
    Fault("reply after our deadline", "again", "timeout",
          lambda occasion: Act(body=said(occasion.bait), after=TIMEOUT * 1.5), is_slow=True),
    Fault("crossed replies", "again", "crossed", _crossed),
)  # fmt: skip
STATUS = (
    Fault("429 with Retry-After seconds", "again", "rate_limit",
          _error(429, "slow down", {"Retry-After": str(RETRY_AFTER)}), waits=(RETRY_AFTER, RETRY_AFTER)),
    Fault("429 with Retry-After as a date", "again", "rate_limit", _next_second, waits=(0.0, 1.0)),
    Fault("429 without Retry-After", "again", "rate_limit", _error(429, "slow down")),
    Fault("429 insufficient_quota", "stop", "quota", _error(429, QUOTA, code="insufficient_quota")),
    Fault("401", "stop", "key", _bad_key),
    Fault("403", "stop", "key", _error(403, "Country, region, or territory not supported")),
    Fault("404 model", "stop", "model", _error(404, "The model does not exist", code="model_not_found")),
    Fault("408", "again", "server", _error(408, "Request timeout")),
    Fault("500", "again", "server", _error(500, "The server had an error")),
    Fault("503 for minutes", "again", "server", _error(503, "The engine is currently overloaded")),
    Fault("529", "again", "server", _error(529, "Overloaded")),
    Fault("400 unsupported max_tokens", "adapt", "max_tokens", _error(400, NO_MAX_TOKENS),
          lambda body: body.get("max_tokens"), as_try="adapting"),
    Fault("400 unsupported temperature", "adapt", "temperature", _error(400, NO_TEMPERATURE),
          lambda body: body.get("temperature"), as_try="adapting"),
    Fault("400 roles must alternate", "adapt", "system", _error(400, ALTERNATE), _has_system,
          as_try="adapting"),
    Fault("500 system role not supported", "adapt", "system", _error(500, "System role not supported"), _has_system,
          as_try="adapting"),
    Fault("400 response_format refused, the error a string", "adapt", "response_format", lambda occasion: NO_FORMAT,
          lambda body: body.get("response_format", {}).get("type"), as_try="adapting"),
    Fault("400 context_length_exceeded", "shorten", "overflow", _error(400, TOO_LONG, code="context_length_exceeded"),
          as_try="refused"),
    Fault("400 content_filter", "lose", "filtered", _error(400, FILTER, code="content_filter"), as_try="refused"),
)  # fmt: skip
REPLY = (
    Fault("choices null with error 429 in a 200", "again", "rate_limit", _no_choice(None, error=LIMITED)),
    Fault("choices []", "again", "no_choice", _no_choice([])),
    Fault("content null with stop", "blank", "empty", lambda occasion: occasion.said(None), as_try="blank"),
    Fault('content "" with reasoning', "ask", "empty", lambda occasion: occasion.said("", reasoning=BAIT)),
    Fault("answer only in reasoning_content", "ask", "empty",
          lambda occasion: occasion.said(None, reasoning_content=occasion.bait)),
    Fault("length with half a JSON", "ask", "truncated", _half),
    Fault("length with null", "ask", "truncated", lambda occasion: occasion.said(None, finish="length")),
    Fault("finish content_filter", "lose", "filtered", lambda occasion: occasion.said("", finish="content_filter")),
    Fault("refusal field", "ask_once", "refused",
          lambda occasion: occasion.said(None, refusal=f"{BAIT}: I can't help to plan harm.")),
    Fault("unclosed or closing-only think tag", "ask", "empty", _tag),
    Fault("whitespace flood", "ask", "truncated",
          lambda occasion: occasion.said('{\n "thought":' + " \n" * 7500, finish="length")),
    Fault("usage null or strings", "read", "", _usage),
    Fault("lone surrogate", "read", "", _surrogate),
    Fault("content as a list of parts", "read", "", _parts),
    Fault("tool_calls instead of content", "ask", "empty", _tool_calls),
    Fault("prompt_tokens far below what was sent", "again", "clipped", _clipped),
)  # fmt: skip
GROUPS: Mapping[str, tuple[Fault, ...]] = {
    "the connection": CONNECTION,
    "the status": STATUS,
    "the reply": REPLY,
}
FAULTS: Mapping[str, Fault] = {fault.name: fault for faults in GROUPS.values() for fault in faults}
