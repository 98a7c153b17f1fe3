"""Calls to models in a transcript: what was sent, so that each prompt can be rebuilt, and what came back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from tianhei.arena.calls import Try
from tianhei.arena.player import Completion, Prompt, Usage


class PublicText:
    """The longest public prompt text so far; calls write only how theirs differs from it."""

    def __init__(self) -> None:
        self.text = ""

    def growth(self, text: str) -> tuple[int, str]:
        """How much of the longest text ``text`` keeps, and what it adds to that; remembers it if it is longer."""
        if text.startswith(self.text):
            kept = len(self.text)
        else:
            kept = next(
                (place for place, (old, new) in enumerate(zip(self.text, text, strict=False)) if old != new),
                min(len(self.text), len(text)),
            )
        added = text[kept:]
        if len(text) > len(self.text):
            self.text = text
        return kept, added


def sent_to_json(call: str, prompt: Prompt, public: PublicText) -> dict[str, Any]:
    """What is needed to rebuild a prompt exactly, written before it leaves."""
    kept, added = public.growth(prompt.system + "\0" + prompt.public)
    data: dict[str, Any] = {"call": call, "hash": prompt.hash, "kept": kept, "added": added, "private": prompt.private}
    if prompt.prefill:
        data["prefill"] = prompt.prefill
    return data


def prompts_sent(sent: Iterable[Mapping[str, Any]], public: PublicText | None = None) -> Iterator[Prompt]:
    """The words of each prompt, rebuilt from the calls in the order in which they were sent."""
    public = public or PublicText()
    for call in sent:
        text = public.text[: call["kept"]] + call["added"]
        public.growth(text)
        system, _, shared = text.partition("\0")
        yield Prompt(system, shared, call["private"], prefill=call.get("prefill", ""))


def done_to_json(call: str, completion: Completion, seconds: float) -> dict[str, Any]:
    """A completion as it was received."""
    data: dict[str, Any] = {
        "call": call,
        "done": completion.text,
        "finish": completion.finish,
        "usage": usage_to_json(completion.usage),
        "seconds": round(seconds, 3),
    }
    if completion.reasoning:
        data["reasoning"] = completion.reasoning
    if completion.refusal:
        data["refusal"] = completion.refusal
    if completion.served:
        data["served"] = completion.served
    if completion.fingerprint:
        data["fingerprint"] = completion.fingerprint
    if completion.scores:
        data["scores"] = [dict(step) for step in completion.scores]
    return data


def try_to_json(call: str, tried: Try) -> dict[str, Any]:
    """A request that came to nothing."""
    data: dict[str, Any] = {"call": call, "try": tried.cause, "what": tried.what, "seconds": tried.seconds}
    if tried.wait is not None:
        data["wait"] = tried.wait
    if usage := usage_to_json(tried.usage):
        data["usage"] = usage
    if need := usage_to_json(tried.need):
        data["need"] = need
    return data


def usage_to_json(usage: Usage) -> dict[str, Any]:
    """What is known of the tokens."""
    return {name: value for name, value in asdict(usage).items() if value is not None and value is not False}


def usage_from_json(data: Mapping[str, Any]) -> Usage:
    """The tokens of a call as recorded."""
    return Usage(**data.get("usage", {}))


def completion_from_json(data: Mapping[str, Any]) -> Completion:
    """A recorded completion, as the player got it."""
    return Completion(
        data["done"],
        data.get("reasoning", ""),
        data["finish"],
        usage_from_json(data),
        tuple(data.get("scores", ())),
        data.get("refusal", ""),
        data.get("served", ""),
        data.get("fingerprint", ""),
    )
