"""The reasoning that some servers leave inside a reply's text, between tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tianhei.agents.reading.fault import Fault

_NAME = r"[\w:.-]{0,20}?(?:think|thought|reason|reflect|analysis|scratchpad|monologue|思考|推理|想法)[\w:.-]{0,20}"
_TAG = re.compile(
    rf"[<\[◁](?:\|?\s?(?P<end>\\?/|end_(?:of_)?)?\s?(?:begin_of_|start_(?:of_)?)?(?P<name>{_NAME})(?:\s[^<>/]{{0,80}})?"
    r"\|?[>\]▷]|\|channel\|>\s?(?:(?:analysis|commentary)|(?P<final>final))[^<]{0,40}(?:<\|message\|>)?)",
    re.IGNORECASE,
)
"""The tags of reasoning models: in angles, squares or triangles, as special tokens, as channels."""


class Parts(NamedTuple):
    """A reply's text with its reasoning taken out."""

    answer: str
    reasoning: str


class _Tag(NamedTuple):
    name: str
    closes: bool
    start: int
    end: int


def without_reasoning(text: str) -> Parts:
    """Take out what stands between tags, nested or not; before a first tag that closes, all of it was reasoning.

    Fault where tags do not balance in any other way: what is private cannot be told from what is not.
    """
    kept: list[str] = []
    reasoning: list[str] = []
    inside: list[str] = []
    place = 0
    for tag in _tags(text):
        if not tag.closes:
            if not inside:
                kept.append(text[place : tag.start])
                place = tag.end
            inside.append(tag.name)
        elif inside:
            if inside.pop() != tag.name:
                raise Fault("unreadable", "the tags around its reasoning cross")
            if not inside:
                reasoning.append(text[place : tag.start])
                place = tag.end
        elif kept:
            raise Fault("unreadable", "a tag closes reasoning that none has opened")
        else:
            kept.append("")
            reasoning.append(text[: tag.start])
            place = tag.end
    if inside:
        said = any(part.strip() for part in kept)
        raise Fault("unreadable" if said else "empty", "a tag opens reasoning that none closes")
    kept.append(text[place:])
    return Parts(" ".join(kept).strip(), "\n".join(part.strip() for part in reasoning if part.strip()))


def _tags(text: str) -> Iterator[_Tag]:
    for found in _TAG.finditer(text):
        closes = bool(found["end"] or found["final"])
        yield _Tag((found["name"] or "channel").lower(), closes, *found.span())
