"""What a model was found to refuse, so that it is asked without: once found, remembered for every later call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.player import Prompt

SHAPES = ("json_schema", "json_object", "text")
"""How a reply is asked to be shaped, from the strictest down; an endpoint that refuses one gets the next."""
OPTIONAL = ("max_tokens", "max_completion_tokens", "temperature", "reasoning_effort", "chat_template_kwargs")
"""Parameters that a model can do without; `max_completion_tokens` is tried where `max_tokens` is refused."""
_SYSTEM_REFUSED = ("system role not supported", "system role is not supported", "developer role", "system message")


@dataclass(slots=True)
class Ways:
    """How one model at one endpoint takes its requests, as found so far."""

    shape: int = 0
    dropped: set[str] = field(default_factory=set)
    folded: bool = False
    """Whether the system's text goes at the head of the user's, since the model knows no system role."""

    def to_json(self) -> dict[str, Any]:
        """Only what differs from the ordinary."""
        found: dict[str, Any] = {}
        if self.shape:
            found["shape"] = SHAPES[self.shape]
        if self.dropped:
            found["without"] = sorted(self.dropped)
        if self.folded:
            found["system"] = "folded"
        return found

    def messages(self, prompt: Prompt) -> list[dict[str, str]]:
        """The turns of a prompt as this model takes them."""
        turns = prompt.messages()
        if not self.folded or len(turns) < 2 or turns[0]["role"] != "system":
            return turns
        first = {"role": "user", "content": turns[0]["content"] + "\n\n" + turns[1]["content"]}
        return [first, *turns[2:]]

    def adapt(self, said: str, body: Mapping[str, Any]) -> str | None:
        """Go without what an error says was wrong in ``body``; what that is, or None where nothing can be left out.

        Of calls that are refused together the first adapts, and the others only go again.
        """
        text = said.lower()
        roles = [turn["role"] for turn in body["messages"]]
        if "system" in roles and ("must alternate" in text or any(words in text for words in _SYSTEM_REFUSED)):
            self.folded = True
            return "the system's text is given in the user's message"
        named = [name for name in OPTIONAL if name in text and name in body]
        if named:
            self.dropped.update(named[:1])
            return f"asked without {named[0]}"
        if "response_format" in body and ("response_format" in text or "json" in text or "schema" in text):
            sent = body["response_format"]["type"]
            self.shape = max(self.shape, SHAPES.index(sent) + 1)
            return f"replies are asked for as {SHAPES[self.shape]}"
        return None
