"""The words of a reply: what others hear, without what is private, within their limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from tianhei.agents.reading.fault import Fault, whole
from tianhei.agents.reading.reasoning import without_reasoning
from tianhei.arena.player import to_sentence_end
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import SAID

HARD_LIMIT = 1.25
"""A text is cut at this multiple of its limit, at the end of a sentence."""
LONGEST_WORD = 12
"""Letters of a word, on average over a whole text, beyond which it is no text."""
_PASS = frozenset(("过", "pass"))
_AROUND = " \t\n*_\"'“”‘’「」。.!！"
_PRIVATE = re.compile(
    r"""[{,]\s{0,9}\\?["'](?:thought|thinking|reasoning|note)\\?["']\s{0,9}[:：]"""
    r"|(?:[<＜]|&lt;)\s{0,3}[/／]?\s{0,3}(?:think|thought|reasoning)",
    re.IGNORECASE,
)
"""What no speech holds: the private fields of a reply, tags of reasoning that are torn or in disguise."""


def said(found: Mapping[str, Any], asked: Asked) -> tuple[str, bool]:
    """The public words; whether they were cut. Fault where something private cannot be told from them."""
    name = next((name for name in asked.fields if name in SAID), None)
    value = found[name] if name else None
    if name is None or value is None:
        return "", False
    if not isinstance(value, str):
        raise Fault("unreadable", f"{name} is no text")
    try:
        text = whole(without_reasoning(value).answer)
    except Fault as fault:
        raise Fault("unreadable", fault.detail) from None
    if _PRIVATE.search(text):
        raise Fault("unreadable", f"private parts within {name}")
    if not text or text.strip(_AROUND).lower() in _PASS:
        return "", False
    short = shortened(text, asked.limits.get(name, 0), asked.unit, asked.request.text)
    return short, short != text


def private(found: Mapping[str, Any], name: str, asked: Asked) -> str:
    """A private text of the reply; empty where it is missing or is none."""
    value = found.get(name)
    if name not in asked.fields or not isinstance(value, str):
        return ""
    text = whole(value.strip())
    return shortened(text, asked.limits.get(name, 0), asked.unit) if name == "note" else text


def shortened(text: str, limit: int, unit: str, most: int = 0) -> str:
    """The text, cut at the end of a sentence once it is longer than its limit allows, or than ``most`` characters.

    A limit of 0 is none.
    """
    kept = text
    if limit:
        hard = int(limit * HARD_LIMIT)
        kept = _words(text, hard)[: hard * LONGEST_WORD] if unit == "words" else text[:hard]
    kept = kept[:most] if most else kept
    return text if kept == text else to_sentence_end(kept)


def _words(text: str, most: int) -> str:
    """No more than so many words from its beginning."""
    ends = [word.end() for word in islice(re.finditer(r"\S+", text), most + 1)]
    return text if len(ends) <= most else text[: ends[-2]]
