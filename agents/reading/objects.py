"""The JSON objects of a reply's text, and the one that answers.

Only what stands in no other brace is one: an object inside a broken object is a part of it, whatever it says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tianhei.agents.reading.choices import written
from tianhei.agents.reading.fault import Fault
from tianhei.prompts.replies import CHOICES, SAID

DEEPEST = 100
"""How deep an object may be nested; far below what the interpreter's own stack allows."""
_OPENING = re.compile(r"""\{\s*(?:(?P<json>["}])|(?P<like>['“”‘’`{]|\w{1,40}\s?[:：]))?""")
"""A brace that begins an object, what was to be one, or neither."""
_MEMBER = re.compile(r"""["'”’]\s*[:：=][\s[]*\Z""")
"""What stands before an object that is part of another, whose beginning is lost."""
_BEFORE = 40
_BRACE = re.compile(r"[{}]")


class Found(NamedTuple):
    """An object and where it stands in the text."""

    fields: Mapping[str, Any]
    start: int
    end: int


def objects(text: str) -> Iterator[Found]:
    """The objects of a text, in order. Fault at one that is broken: what it was to say, nobody knows."""
    place = 0
    while opening := _OPENING.search(text, place):
        start = opening.start()
        if opening["like"] or _MEMBER.search(text[max(0, start - _BEFORE) : start]):
            raise Fault("unreadable", "an object that is no JSON")
        if opening["json"]:
            fields, place = _decoded(text, start)
            yield Found(fields, start, place)
        else:
            place = _past(text, start)


def _decoded(text: str, start: int) -> tuple[Mapping[str, Any], int]:
    try:
        fields, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        raise Fault("unreadable", "a broken object") from None
    level: Sequence[Any] = [fields]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return fields, end
    raise Fault("unreadable", "an object nested too deep")


def _inside(value: Any) -> Sequence[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()


def _past(text: str, start: int) -> int:
    """Where a brace of prose is closed again."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    raise Fault("unreadable", "a brace that is never closed")


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose answers stand in it once."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        for name in (*CHOICES, *SAID):
            _agree(name, [value for key, value in pairs if key == name])
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, strict=False)


def answering(found: Sequence[Found], wanted: Sequence[str]) -> Mapping[str, Any]:
    """The object that has the fields wanted. Fault if none has, or if another one answers otherwise."""
    fitting = [each.fields for each in found if all(name in each.fields for name in wanted)]
    if not fitting:
        raise Fault("unreadable", f"no object with {', '.join(wanted)}")
    for name in wanted if len(found) > 1 else ():
        _agree(name, [each.fields[name] for each in found if name in each.fields])
    return fitting[-1]


def _agree(name: str, values: Sequence[Any]) -> None:
    """Fault unless a field says the same wherever it stands."""
    different = dict.fromkeys(map(written, values))
    if len(different) > 1:
        raise Fault("ambiguous", ", ".join(different) if name in CHOICES else "")
