"""One model behind an OpenAI-compatible endpoint: one client, one retry layer, what it refuses remembered.

The SDK's own retries are off. A fault that may pass is tried again, after the endpoint's own Retry-After where it names
one, and meanwhile no other call goes to the same endpoint; a fault that cannot pass (a refused key, an unknown model)
stops the game, which can be resumed. Every request that came to nothing is reported as it happens.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from tianhei.arena.calls import EndpointDown, Meter, Trouble, Try
from tianhei.arena.endpoint.limiter import Limiter
from tianhei.arena.endpoint.prices import price
from tianhei.arena.endpoint.response import Strange, completion_of
from tianhei.arena.endpoint.trouble import (
    LASTING,
    is_filtered,
    is_out_of_quota,
    is_too_long,
    passing,
    retry_after,
)  # fmt: skip
from tianhei.arena.endpoint.ways import SHAPES, Ways
from tianhei.arena.player import Completion, Prompt, Unusable, Usage
from tianhei.transcripts.file import to_bytes

FIRST_PATIENCE = 15.0
"""Seconds for which an address that has never answered is tried."""
LONGEST_WAIT = 30.0
"""Seconds between two tries, at most, where the endpoint asks for nothing else."""
UNLIMITED_REPLY = 8192
"""Tokens that a reply is reckoned to take at most where nothing limits it."""
BYTES_PER_TOKEN = 3.5
LEAST_BYTES_PER_TOKEN = 2.0
"""No tokenizer in use makes more tokens of a text of this length, in Chinese or English."""
CLIPPED_AT = 12
"""A prompt of which less than one token in so many bytes was read was cut by the server."""
SHOWN = 500
"""Characters of an error that are kept."""
BLANKS = 2
"""Answers without a word that are taken for the endpoint's fault; the next is the model's."""
_OUR_CALL = re.compile(r"(?:[0-9a-f]+/)?[nd]\d+\.\S+#\d+")


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a model is and how it is asked.

    ``timeout`` is in seconds for one try, waiting for a place not counted; ``patience`` for all tries of one call.
    """

    base_url: str
    model: str
    key: str = ""
    temperature: float | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None
    timeout: float = 120.0
    patience: float = 600.0
    concurrency: int = 8
    paid: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


class _Passing(Exception):
    """A request that came to nothing and may be made again after ``wait`` seconds."""

    def __init__(self, tried: Try, wait: float) -> None:
        super().__init__(tried.what)
        self.tried = tried
        self.wait = wait


class OpenAIEndpoint:
    """One model at one endpoint. Made inside the running event loop; `close` it there."""

    def __init__(self, settings: Settings, limiter: Limiter | None = None, *, http_client: Any = None) -> None:
        """``limiter`` is shared by all that go to one endpoint; ``http_client`` replaces the transport, for tests."""
        from openai import AsyncOpenAI, DefaultAioHttpClient

        self.settings = settings
        self.paid = settings.paid
        self.ways = Ways()
        self._limiter = limiter or Limiter(settings.concurrency)
        self._client = AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.key or "none",
            max_retries=0,
            timeout=None,  # one try has its limit from outside
            http_client=http_client or DefaultAioHttpClient(timeout=None),
        )
        self._down: EndpointDown | None = None
        self._has_answered = False

    async def close(self) -> None:
        await self._client.close()

    def cost(self, usage: Usage) -> Decimal | None:
        return price(self.settings.model, self.settings.base_url, usage) if self.paid else Decimal(0)

    def traits(self) -> Mapping[str, Any]:
        """What is known of the model by now: which shape of replies it takes, what it goes without."""
        return self.ways.to_json()

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        """The model's completion, tried again while the fault may pass and patience lasts."""
        began = time.monotonic()
        so_far = _SoFar()
        try:
            return await self._try(prompt, call, meter, so_far)
        except _Passing as error:
            return await self._patiently(error, began, prompt, call, meter, so_far)

    async def _patiently(
        self, first: _Passing, began: float, prompt: Prompt, call: str, meter: Meter, so_far: _SoFar
    ) -> Completion:
        """Go on after a first request that came to nothing."""
        from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

        faults = [first]

        async def attempt() -> Completion:
            if faults:
                raise faults.pop()
            return await self._try(prompt, call, meter, so_far)

        def failed(state: RetryCallState) -> _Passing:
            error = state.outcome.exception() if state.outcome else None
            assert isinstance(error, _Passing)
            return error

        def stop(state: RetryCallState) -> bool:
            error = failed(state)
            new = not self._has_answered and error.tried.cause in ("unreachable", "no_json")
            patience = min(FIRST_PATIENCE, self.settings.patience) if new else self.settings.patience
            return time.monotonic() - began - so_far.waited + error.wait > patience

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_Passing),
            stop=stop,
            wait=lambda state: failed(state).wait,
            before_sleep=lambda state: meter.failed(replace(failed(state).tried, wait=round(failed(state).wait, 3))),
            reraise=True,
        )
        try:
            return await retrying(attempt)
        except _Passing as error:
            meter.failed(error.tried)
            raise EndpointDown(f"{self._where}: {error}", error.tried.cause) from None

    async def _try(self, prompt: Prompt, call: str, meter: Meter, so_far: _SoFar) -> Completion:
        """One request, made again at once where the endpoint refuses a part of it that can be left out."""
        while True:
            self._stop_if_down()
            need = self._need(prompt)
            asked = time.monotonic()
            tokens, longest = (need.prompt or 0) + (need.completion or 0), max(self.settings.patience, LONGEST_WAIT)
            async with self._limiter.turn(tokens, longest):
                so_far.waited += time.monotonic() - asked
                self._stop_if_down()
                meter.begins(need)
                body = self._body(prompt)
                began = time.monotonic()
                try:
                    completion = await self._asked(body, call)
                    self._check(prompt, completion, so_far)
                except Strange as error:
                    what = self._clean(str(error))
                    raise self._passing(error.cause, what, began, after=error.after, usage=error.usage) from None
                except TimeoutError:
                    what = f"no answer within {self.settings.timeout:g} s"
                    raise self._passing("timeout", what, began, after=0.0) from None
                except Exception as error:
                    self._judge(error, body, meter, began)
                    continue
            self._limiter.answered()
            self._has_answered = True
            return _counted(completion, prompt)

    def _stop_if_down(self) -> None:
        if self._down:
            raise EndpointDown(str(self._down), self._down.cause, lasting=True)

    async def _asked(self, body: dict[str, Any], call: str) -> Completion:
        """One request. The SDK gets its bytes: to check a body with a schema costs it more than all the rest."""
        from httpx2 import Response

        headers = {"Content-Type": "application/json", "X-Request-Id": call, "X-Client-Request-Id": call}
        async with asyncio.timeout(self.settings.timeout):
            response = await self._client.post(
                "/chat/completions", cast_to=Response, content=to_bytes(body), options={"headers": headers}
            )
        answered = response.headers.get("x-request-id", "")
        if answered != call and _OUR_CALL.fullmatch(answered):
            raise Strange("crossed", f"the answer to another call, {answered}")
        try:
            return completion_of(response.content, self.settings.model)
        except Strange as error:
            error.after = retry_after(response.headers)
            raise

    def _check(self, prompt: Prompt, completion: Completion, so_far: _SoFar) -> None:
        """Refuse an answer to a prompt that the server has cut, and for some times one that says nothing at all."""
        said = completion.text.strip() or completion.reasoning or completion.refusal or completion.finish != "stop"
        if not said and so_far.blanks < BLANKS:
            so_far.blanks += 1
            raise Strange("blank", "an answer without a word", completion.usage)
        read, size = completion.usage.prompt, _size(prompt)
        if read is not None and read + (completion.usage.cached or 0) < size / CLIPPED_AT - 50:
            what = f"only {read} tokens of a prompt of {size} bytes were read: give the server a longer context"
            raise Strange("clipped", what, completion.usage)

    def _judge(self, error: Exception, body: Mapping[str, Any], meter: Meter, began: float) -> None:
        """Raise what an error means; return where the request has been changed and is to be made again."""
        import openai
        from httpx2 import DecodingError

        seconds = round(time.monotonic() - began, 3)
        if not isinstance(error, openai.APIStatusError):
            if not isinstance(error, openai.APIConnectionError):
                raise error
            garbled = isinstance(error.__cause__, DecodingError)
            raise self._passing("no_json" if garbled else "unreachable", self._clean(_reason(error)), began) from None
        status, said = error.status_code, self._clean(_said(error))[:SHOWN]
        if is_too_long(status, said) or is_filtered(status, said):
            meter.failed(Try("refused", f"HTTP {status}: {said}", seconds))
            raise Unusable("overflow" if is_too_long(status, said) else "filtered", said) from None
        before = self.ways.to_json()
        if status in (400, 404, 422, 500) and (change := self.ways.adapt(said, body)):
            meter.failed(Try("adapting", f"HTTP {status}: {said}", seconds, 0.0))
            if self.ways.to_json() != before:
                meter.adapted(change)
            return
        cause = passing(status)
        if cause and not is_out_of_quota(status, said):
            raise self._passing(
                cause, f"HTTP {status}: {said}", began, after=retry_after(error.response.headers)
            ) from None
        lasting, hint = LASTING.get(status, ("refused", "the request is refused"))
        if is_out_of_quota(status, said):
            lasting, hint = "quota", "the account has no quota left"
        meter.failed(Try(lasting, f"HTTP {status}: {said}", seconds))
        self._down = EndpointDown(f"{self._where}: {hint}: {said}", lasting, lasting=True)
        raise self._down from None

    def _passing(
        self, cause: Trouble, what: str, began: float, *, after: float | None = None, usage: Usage | None = None
    ) -> _Passing:
        tried = Try(cause, what, round(time.monotonic() - began, 3), usage=usage or Usage())
        return _Passing(tried, self._limiter.back_off(after, LONGEST_WAIT))

    def _need(self, prompt: Prompt) -> Usage:
        """The most that a request can use."""
        longest = self._longest(prompt) or UNLIMITED_REPLY
        return Usage(int(_size(prompt) / LEAST_BYTES_PER_TOKEN) + 50, None, longest, estimated=True)

    def _longest(self, prompt: Prompt) -> int | None:
        return min(filter(None, (self.settings.max_tokens, prompt.max_tokens)), default=None)

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        settings, dropped = self.settings, self.ways.dropped
        body: dict[str, Any] = {"model": settings.model, "messages": self.ways.messages(prompt)}
        longest = self._longest(prompt)
        if longest and "max_tokens" not in dropped:
            body["max_tokens"] = longest
        elif longest and "max_completion_tokens" not in dropped:
            body["max_completion_tokens"] = longest
        temperature = prompt.temperature if prompt.temperature is not None else settings.temperature
        if temperature is not None and "temperature" not in dropped:
            body["temperature"] = temperature
        if settings.reasoning_effort and "reasoning_effort" not in dropped:
            body["reasoning_effort"] = settings.reasoning_effort if prompt.reasons else "low"
        elif not prompt.reasons and "chat_template_kwargs" not in dropped:
            body["chat_template_kwargs"] = {"enable_thinking": False}
        if prompt.schema is not None and SHAPES[self.ways.shape] != "text":
            body["response_format"] = _format(SHAPES[self.ways.shape], prompt.schema)
        return {**body, **prompt.extra, **settings.extra}

    @property
    def _where(self) -> str:
        return f"{self.settings.model} at {self.settings.base_url}"

    def _clean(self, text: str) -> str:
        """What an endpoint says, without the key, which some repeat."""
        return text.replace(self.settings.key, "***") if self.settings.key else text


@dataclass(slots=True)
class _SoFar:
    """One call so far: seconds that it has waited for a place among the others, and answers without a word."""

    waited: float = 0.0
    blanks: int = 0


def _format(shape: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if shape == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}


def _size(prompt: Prompt) -> int:
    """Bytes of all words of a prompt."""
    return sum(len(turn["content"].encode("utf-8", "surrogatepass")) for turn in prompt.messages())


def _counted(completion: Completion, prompt: Prompt) -> Completion:
    """The completion with its tokens estimated where the endpoint did not say."""
    usage = completion.usage
    if usage.prompt is not None and usage.completion is not None:
        return completion
    said = len((completion.text + completion.reasoning).encode("utf-8", "surrogatepass"))
    return replace(
        completion,
        usage=replace(
            usage,
            prompt=usage.prompt if usage.prompt is not None else round(_size(prompt) / BYTES_PER_TOKEN),
            completion=usage.completion if usage.completion is not None else round(said / BYTES_PER_TOKEN),
            estimated=True,
        ),
    )


def _reason(error: Exception) -> str:
    """The first cause of a failed connection, in words."""
    found: BaseException = error
    while found.__cause__ is not None:
        found = found.__cause__
    return f"{type(found).__name__}: {found}" if str(found) else type(found).__name__


def _said(error: Any) -> str:
    """What an error response says, in whichever shape it says it."""
    try:
        text: str = error.response.text
    except Exception:  # a body that cannot be decoded
        text = str(error.message)
    return " ".join(text.split()) or str(error.message)


def key_from_environment(name: str) -> str:
    """The key in an environment variable; empty where it is not set."""
    return os.environ.get(name, "")
