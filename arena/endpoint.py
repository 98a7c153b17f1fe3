"""A model behind an OpenAI-compatible endpoint: one client, one retry layer, what it refuses remembered.

The SDK's own retries are off. Faults that pass are tried again here, with the endpoint's own Retry-After where it names
one; faults that cannot pass (a refused key, an unknown model) stop the game, which can be resumed.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.host import EndpointDown
from tianhei.arena.player import Completion, Prompt, Unusable, Usage

SHAPES = ("json_schema", "json_object", "text")
"""How a reply is asked to be shaped, from the strictest down; an endpoint that refuses one gets the next."""

_NO_QUOTA = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a model is and how it is asked. ``timeout`` is in seconds, for one try."""

    base_url: str
    model: str
    key: str = ""
    temperature: float | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    timeout: float = 120.0
    tries: int = 6
    concurrency: int = 8
    paid: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


class _Passing(Exception):
    """A fault that may pass; ``after`` is the wait in seconds that the endpoint asked for."""

    def __init__(self, what: str, after: float | None = None, *, cause: str = "transport") -> None:
        super().__init__(what)
        self.after = after
        self.cause = cause


class OpenAIEndpoint:
    """One model at one endpoint. Made inside the running event loop; `close` it there."""

    def __init__(self, settings: Settings) -> None:
        from openai import AsyncOpenAI

        self.settings = settings
        self.paid = settings.paid
        self.shape = 0
        """Which of SHAPES the endpoint takes, as found so far."""
        self.dropped: set[str] = set()
        """Parameters that the model refused, and goes without."""
        self._client = AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.key or "none",
            max_retries=0,
            timeout=settings.timeout,
        )
        self._slots = asyncio.Semaphore(settings.concurrency)

    async def close(self) -> None:
        await self._client.close()

    async def complete(self, prompt: Prompt, call: str) -> Completion:
        """The model's completion, tried again while the fault may pass."""
        from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            after = error.after if isinstance(error, _Passing) else None
            return after if after is not None else min(30.0, 0.5 * 2.0**state.attempt_number)

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_Passing),
            stop=stop_after_attempt(self.settings.tries),
            wait=wait,
            reraise=True,
        )
        try:
            async with self._slots:
                return await retrying(self._once, prompt, call)
        except _Passing as error:
            if error.cause == "transport":
                raise EndpointDown(f"{self.settings.base_url} cannot be reached: {error}") from None
            raise Unusable("empty" if error.cause == "empty" else "timeout", str(error)) from None

    async def _once(self, prompt: Prompt, call: str) -> Completion:
        import openai

        while True:
            shape = self.shape
            body = self._body(prompt)
            try:
                raw = await self._client.chat.completions.with_raw_response.create(
                    **body, extra_headers={"X-Request-Id": call}
                )
                return _completion(_json_of(raw.content))
            except openai.APITimeoutError:
                raise _Passing(f"no answer within {self.settings.timeout:g} s", cause="timeout") from None
            except openai.APIConnectionError as error:
                raise _Passing(self._clean(str(error.__cause__ or error))) from None
            except openai.BadRequestError as error:
                self._adapt(self._clean(error.message), body, shape)
                continue
            except openai.APIStatusError as error:
                raise self._judged(error) from None

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        settings = self.settings
        body: dict[str, Any] = {"model": settings.model, "messages": prompt.messages()}
        limit = min(filter(None, (settings.max_tokens, prompt.max_tokens)), default=None)
        if limit and "max_tokens" not in self.dropped:
            body["max_tokens"] = limit
        elif limit and "max_completion_tokens" not in self.dropped:
            body["max_completion_tokens"] = limit
        temperature = prompt.temperature if prompt.temperature is not None else settings.temperature
        if temperature is not None and "temperature" not in self.dropped:
            body["temperature"] = temperature
        if settings.reasoning_effort and "reasoning_effort" not in self.dropped:
            body["reasoning_effort"] = settings.reasoning_effort
        if prompt.schema is not None and SHAPES[self.shape] == "json_schema":
            schema = {"name": "reply", "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif prompt.schema is not None and SHAPES[self.shape] == "json_object":
            body["response_format"] = {"type": "json_object"}
        extra = {**prompt.extra, **settings.extra}
        for name in ("logprobs", "top_logprobs"):
            if name in extra:
                body[name] = extra.pop(name)
        if extra:
            body["extra_body"] = extra
        return body

    def _adapt(self, message: str, body: Mapping[str, Any], shape: int) -> None:
        """Go without what the model refused (of calls under way together, the first). Raises if nothing is left."""
        text = message.lower()
        if "context" in text and ("length" in text or "window" in text or "exceed" in text):
            raise Unusable("error", f"the prompt is too long for this model: {message}")
        if "content_filter" in text or "content management" in text:
            raise Unusable("filtered", message)
        for name in ("max_tokens", "max_completion_tokens", "temperature", "reasoning_effort"):
            if name in text and name in body:
                self.dropped.add(name)
                return
        if "response_format" in body and ("response_format" in text or "json" in text or "schema" in text):
            self.shape = max(self.shape, shape + 1)
            return
        raise EndpointDown(f"{self.settings.model} at {self.settings.base_url} refuses the request: {message}")

    def _clean(self, text: str) -> str:
        """What an endpoint says, without the key, which some repeat."""
        return text.replace(self.settings.key, "***") if self.settings.key else text

    def _judged(self, error: Any) -> Exception:
        """What an HTTP error means: it may pass, or the endpoint is of no use."""
        status, text = error.status_code, self._clean(str(error.message))
        where = f"{self.settings.model} at {self.settings.base_url}"
        if status == 429 and _NO_QUOTA in f"{text} {error.code} {error.type}":
            return EndpointDown(f"{where}: the account has no quota left: {text}")
        if status in (408, 409, 425, 429) or status >= 500:
            return _Passing(f"HTTP {status}: {text}", _retry_after(error.response.headers))
        hints = {401: "the key is refused", 403: "the key may not use this model", 404: "there is no such model"}
        return EndpointDown(f"{where}: {hints.get(status, f'HTTP {status}')}: {text}")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, as the endpoint says; None where it does not."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def _json_of(body: bytes) -> Mapping[str, Any]:
    """The object that a response holds; a page or a torn text in its place may pass."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise _Passing(f"a response that is no JSON: {body[:80]!r}", cause="empty") from None
    if not isinstance(found, Mapping):
        raise _Passing("a response that is no object", cause="empty")
    return found


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _completion(answer: Mapping[str, Any]) -> Completion:
    """A completion out of the response, whatever of it is missing or of another kind."""
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise _Passing(f"a response without a choice: {answer.get('error') or 'no reason given'}", cause="empty")
    choice = choices[0]
    message = _mapping(choice.get("message"))
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    return Completion(
        text=content if isinstance(content, str) else "",
        reasoning=reasoning if isinstance(reasoning, str) else "",
        finish=str(choice.get("finish_reason") or "stop"),
        usage=_usage(_mapping(answer.get("usage"))),
        scores=_scores(_mapping(choice.get("logprobs"))),
        refusal=str(message.get("refusal") or ""),
    )


def _usage(usage: Mapping[str, Any]) -> Usage:
    prompt_details = _mapping(usage.get("prompt_tokens_details"))
    completion_details = _mapping(usage.get("completion_tokens_details"))
    return Usage(
        _count(usage.get("prompt_tokens")),
        _count(prompt_details.get("cached_tokens")),
        _count(usage.get("completion_tokens")),
        _count(completion_details.get("reasoning_tokens")),
    )


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _scores(logprobs: Mapping[str, Any]) -> tuple[dict[str, float], ...]:
    steps = logprobs.get("content")
    return tuple(
        {top["token"]: top["logprob"] for top in step.get("top_logprobs") or [] if "token" in top and "logprob" in top}
        for step in (steps if isinstance(steps, list) else [])
        if isinstance(step, Mapping)
    )


def key_from_environment(name: str) -> str:
    """The key in an environment variable; empty where it is not set."""
    return os.environ.get(name, "")
