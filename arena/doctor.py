"""Probing an endpoint before a game relies on it: a few small calls, and what will be used."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import Any

from tianhei.arena.calls import EndpointDown, Try
from tianhei.arena.endpoint import OpenAIEndpoint
from tianhei.arena.player import Completion, Prompt, Unusable, Usage

REPLY_TOKENS = 400
"""Room for a model that reasons before it says a word."""
WORDS_PER_STEP = 700
"""Words of filler text that a prompt grows by to reach about a thousand tokens."""
VOTE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["vote"],
    "properties": {"vote": {"type": "string", "enum": ["S1", "S2"]}},
}
FILLER = "the judge counts the hands and the night goes on while everybody keeps quiet around the table "


@dataclass(frozen=True, slots=True)
class Finding:
    """What one probe found. ``ok`` is None where it is neither good nor bad."""

    probe: str
    ok: bool | None
    what: str


@dataclass(slots=True)
class _Tries:
    """A meter that remembers what failed."""

    failed_tries: list[Try] = field(default_factory=list)
    adaptations: list[str] = field(default_factory=list)
    used: list[Usage] = field(default_factory=list)

    def begins(self, need: Usage) -> None:
        """No budget is kept: the probes are small."""

    def failed(self, tried: Try) -> None:
        self.failed_tries.append(tried)

    def adapted(self, what: str) -> None:
        if what not in self.adaptations:
            self.adaptations.append(what)


class Doctor:
    """The probes of one endpoint; ``context`` is how many tokens of a prompt it is asked to read, at most."""

    def __init__(self, endpoint: OpenAIEndpoint, context: int = 16_000) -> None:
        self._endpoint = endpoint
        self._context = context
        self._meter = _Tries()
        self._calls = 0

    async def examine(self) -> AsyncIterator[Finding]:
        """Each finding as it is made; the first that fails for good is the last."""
        try:
            yield await self._reached()
            yield await self._structured()
            yield await self._system()
            async for finding in self._context_read():
                yield finding
            yield await self._caching()
            yield await self._latency()
        except EndpointDown as error:
            yield Finding("reachable", False, f"{error.cause}: {error}")
            return
        for tried in self._meter.failed_tries:
            if tried.cause != "adapting":
                yield Finding("failed requests", False, f"{tried.cause}: {tried.what}")
        yield Finding("used", None, self._used())

    async def _ask(self, private: str, **more: Any) -> Completion:
        self._calls += 1
        prompt = replace(Prompt("You answer briefly.", "", private, max_tokens=REPLY_TOKENS), **more)
        completion = await self._endpoint.complete(prompt, f"doctor{self._calls}", self._meter)
        self._meter.used.append(completion.usage)
        return completion

    async def _reached(self) -> Finding:
        began = time.monotonic()
        completion = await self._ask("Say the word night.")
        seconds = time.monotonic() - began
        said = " ".join((completion.text or completion.reasoning).split())[:60]
        is_other = completion.served not in ("", self._endpoint.settings.model)
        by = f", and {completion.served} is what answered" if is_other else ""
        return Finding("reachable", True, f"key and model are accepted{by}; it said {said!r} after {seconds:.2f} s")

    async def _structured(self) -> Finding:
        """A prompt that asks for something else than the schema: only an endpoint that enforces it will comply."""
        try:
            completion = await self._ask("Tell me in one sentence what a moon is.", schema=VOTE)
        except Unusable as error:
            return Finding("structured output", False, str(error))
        shape = self._endpoint.traits().get("shape", "json_schema")
        try:
            found = json.loads(completion.text)
            fits = isinstance(found, dict) and found.get("vote") in ("S1", "S2")
        except ValueError:
            fits = False
        if fits:
            return Finding("structured output", True, f"{shape} is honoured")
        ignored = "accepted, and ignored" if shape != "text" else "refused"
        return Finding("structured output", None, f"{shape} is {ignored}: every reply is checked all the same; a pack "
                       "of labelled lines (pack=weak) may do better")  # fmt: skip

    async def _system(self) -> Finding:
        word = token_hex(3)
        completion = await self._ask("What is the password?", system=f"The password is {word}. Say it when asked.")
        if "system" in self._endpoint.traits():
            return Finding("system role", None, "refused: its text is given in the user's message")
        heard = word in completion.text
        return Finding("system role", heard or None, "heard" if heard else "accepted; the model did not follow it")

    async def _context_read(self) -> AsyncIterator[Finding]:
        """Canaries at both ends of ever longer prompts."""
        size = 1000
        read = 0
        note = ""
        while size <= self._context:
            first, last = token_hex(3), token_hex(3)
            words = FILLER * (WORDS_PER_STEP * size // 1000 // len(FILLER.split()))
            text = f"The first code is {first}.\n{words}\nThe last code is {last}.\nWrite the first and the last code."
            try:
                completion = await self._ask(text)
            except Unusable as error:
                note = f"a prompt of about {size} tokens is refused: {error}"
                break
            except EndpointDown as error:
                if error.cause != "clipped":
                    raise
                yield Finding("context", False, str(error))
                return
            counted = completion.usage.prompt
            if counted is None or completion.usage.estimated:
                note = "the endpoint does not say how much it read"
            elif counted < size // 2:
                yield Finding("context", False, f"of about {size} tokens only {counted} were read: the prompt is cut")
                return
            read = size
            recalled = [code in completion.text + completion.reasoning for code in (first, last)]
            if not all(recalled):
                note = f"at {size} tokens the code at the {'start' if not recalled[0] else 'end'} was not recalled"
            size *= 2
        yield Finding("context", read >= 4000, f"prompts of {read} tokens are read" + (f"; {note}" if note else ""))

    async def _caching(self) -> Finding:
        text = f"Number {token_hex(3)}. " + FILLER * 120
        await self._ask(text + "Say one.")
        completion = await self._ask(text + "Say two.")
        cached = completion.usage.cached
        if cached is None:
            return Finding("prompt caching", None, "the endpoint does not say whether it caches")
        share = cached / (completion.usage.prompt or 1)
        return Finding("prompt caching", cached > 0 or None, f"{share:.0%} of a repeated prompt came from the cache")

    async def _latency(self) -> Finding:
        seconds: list[float] = []
        tokens: Sequence[int] = []
        for _ in range(3):
            began = time.monotonic()
            completion = await self._ask("Count from one to ten.")
            seconds.append(time.monotonic() - began)
            tokens = [*tokens, completion.usage.completion or 0]
        middle = sorted(seconds)[1]
        return Finding("latency", None, f"{middle:.2f} s for a short answer, {sum(tokens) / sum(seconds):.0f} tokens/s")

    def _used(self) -> str:
        prompt = sum(usage.prompt or 0 for usage in self._meter.used)
        completion = sum(usage.completion or 0 for usage in self._meter.used)
        traits = ", ".join(f"{name} {value}" for name, value in self._endpoint.traits().items()) or "nothing to adapt"
        return f"{traits} ({self._calls} calls, {prompt:,} tokens in and {completion:,} out)"
