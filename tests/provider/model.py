"""A model of few words: it takes the first seat offered and signs every text with the question, so that each of its
answers can be told from any other, and from the bait that faults are laden with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from provider.ledger import Act, Entry, tokens
from provider.server import said

THINKING = 0.002
"""Seconds over a vote, so that votes that are asked for together are on their way together."""
BAIT = "BAIT"
"""Stands in every text that must never become an answer."""
_SEAT = re.compile(r"S([1-9]\d*)")


class Signing:
    """The rule of a server with such a model. It knows a question that it has been shown the form of once."""

    def __init__(self) -> None:
        self._forms: dict[str, Mapping[str, Any]] = {}

    def __call__(self, entry: Entry) -> Act:
        return self.spoken(entry, self.content(entry))

    def fields(self, entry: Entry, *, bait: bool = False) -> dict[str, Any]:
        """Its answer; ``bait``: the last seat offered instead, and words that name themselves."""
        asked = entry.body.get("response_format", {}).get("json_schema")
        if asked:
            self._forms[f"{entry.game}/{entry.request}"] = asked["schema"]
        form = self._forms[f"{entry.game}/{entry.request}"]
        return {name: _filled(name, part, entry, bait) for name, part in form["properties"].items()}

    def content(self, entry: Entry, *, bait: bool = False) -> str:
        """Its answer as it writes it."""
        return json.dumps(self.fields(entry, bait=bait))

    def spoken(self, entry: Entry, content: Any, *, counted: str = "", **more: Any) -> Act:
        """A completion with this content; ``counted`` is what its tokens are counted by, where it is another text."""
        written = counted or (content if isinstance(content, str) else "")
        whole = said(content, usage=usage(entry, written), **more)
        return Act(body=whole, headers={"x-request-id": entry.call}, after=THINKING if ".vote" in entry.call else 0.0)


def usage(entry: Entry, written: str) -> dict[str, Any]:
    """The tokens of a request and its answer; what the seat had sent before came from a cache."""
    return {
        "prompt_tokens": entry.prompt,
        "completion_tokens": tokens(written),
        "prompt_tokens_details": {"cached_tokens": entry.shared},
    }


def _filled(name: str, form: Mapping[str, Any], entry: Entry, bait: bool) -> Any:
    if form["type"] == "array":
        return []
    if "enum" not in form:
        return f"{BAIT} at {entry.request}." if bait else f"My {name} at {entry.request}. I have no more to say."
    seats = sorted((int(found[1]), value) for value in form["enum"] if (found := _SEAT.fullmatch(value)))
    return seats[-1 if bait else 0][1] if seats else form["enum"][-1 if bait else 0]
