"""From a response to a completion, whatever of it is missing or of another kind."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tianhei.arena.calls import Trouble
from tianhei.arena.player import Completion, Usage

SHOWN = 200
"""Characters of a strange response that are kept."""
_PATH = re.compile(r"[/~.]|[A-Za-z]:[/\\]|file:|.*\\")


class Strange(Exception):
    """A response that holds no completion; it may pass, ``after`` seconds where the endpoint names them."""

    def __init__(self, cause: Trouble, what: str, usage: Usage | None = None) -> None:
        super().__init__(what)
        self.cause: Trouble = cause
        self.usage = usage or Usage()
        self.after: float | None = None


def completion_of(body: bytes, asked: str = "") -> Completion:
    """The completion that a body of a response holds; ``asked`` is the model asked for. Strange if it holds none."""
    answer = _object(body)
    usage = usage_of(answer)
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        error = answer.get("error")
        limited = isinstance(error, Mapping) and str(error.get("code")) == "429"
        reason = json.dumps(error, ensure_ascii=False)[:SHOWN] if error else "no reason given"
        raise Strange("rate_limit" if limited else "no_choice", f"a response without a choice: {reason}", usage)
    choice = choices[0]
    if choice.get("error") or choice.get("finish_reason") == "error":
        reason = json.dumps(choice.get("error"), ensure_ascii=False)[:SHOWN]
        raise Strange("server", f"an answer that broke off: {reason}", usage)
    message = _mapping(choice.get("message"))
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    return Completion(
        text=_text(message.get("content")),
        reasoning=reasoning if isinstance(reasoning, str) else "",
        finish=str(choice.get("finish_reason") or "stop"),
        usage=usage,
        scores=_scores(_mapping(choice.get("logprobs"))),
        refusal=str(message.get("refusal") or ""),
        served=asked if asked and answer.get("model") == asked else _name(answer.get("model")),
        fingerprint=_name(answer.get("system_fingerprint")),
    )


def usage_of(answer: Mapping[str, Any]) -> Usage:
    """The tokens that a response says it used."""
    usage = _mapping(answer.get("usage"))
    prompt_details = _mapping(usage.get("prompt_tokens_details"))
    completion_details = _mapping(usage.get("completion_tokens_details"))
    return Usage(
        _count(usage.get("prompt_tokens")),
        _count(prompt_details.get("cached_tokens")),
        _count(usage.get("completion_tokens")),
        _count(completion_details.get("reasoning_tokens")),
    )


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        shown = body[:SHOWN].decode(errors="replace")
        hint = " (is the /v1 missing in its address?)" if shown.lstrip().startswith("<") else ""
        raise Strange("no_json", f"a response that is no JSON{hint}: {shown!r}") from None
    if not isinstance(found, Mapping):
        raise Strange("no_json", f"a response that is no object: {str(found)[:SHOWN]}")
    return found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _name(value: Any) -> str:
    """A name as a response gives it, of a path only the file: local servers tell where their weights are."""
    if not isinstance(value, str):
        return ""
    name = " ".join(value.split())
    return (re.split(r"[/\\]", name.rstrip("/\\"))[-1] if _PATH.match(name) else name)[:SHOWN]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _scores(logprobs: Mapping[str, Any]) -> tuple[dict[str, float], ...]:
    steps = logprobs.get("content")
    return tuple(
        {top["token"]: top["logprob"] for top in step.get("top_logprobs") or [] if "token" in top and "logprob" in top}
        for step in (steps if isinstance(steps, list) else [])
        if isinstance(step, Mapping)
    )
