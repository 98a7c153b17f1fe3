"""The choice of a reply: which seat, hand or set of seats a value names; exactly, or it is none.

Labels are ASCII and read as wholes: S1 is never found inside S10, nor a label inside a sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from tianhei.agents.reading.fault import Fault
from tianhei.arena.roles import Seat
from tianhei.prompts.compose import Asked

Chosen: TypeAlias = Seat | bool | tuple[Seat, ...] | None

LONGEST_LABEL = 60
_NOBODY = frozenset(("nobody", "none", "no one", "pass", "null", "无", "不投", "弃权", "弃票", "过"))
_HANDS: Mapping[str, bool] = {
    "up": True, "true": True, "yes": True, "1": True, "举": True, "举手": True, "是": True,
    "down": False, "false": False, "no": False, "0": False, "不举": False, "不举手": False, "否": False,
}  # fmt: skip

_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}m")
_AROUND = " \t\r\n*_`~\"'“”‘’「」()（）[]【】<>"
"""Quotes, brackets and marks of markdown, which say nothing about what stands between them."""
_ONE = r"(?:(?:player|seat|no\.?|玩家|座位)\s?[:：]?\s?)?s?\s?([0-9]{1,4})\s?(?:号(?:玩家)?)?"
_SEAT = re.compile(rf"{_ONE}(?:\s?[(（]{_ONE})?", re.IGNORECASE | re.ASCII)
_MENTIONED = re.compile(r"\b(?:s|player\s?|seat\s?)0{0,3}([0-9]{1,3})\b|\b([0-9]{1,3})号", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"[,，、]")


def chosen(name: str, value: Any, asked: Asked, *, in_lines: bool = False) -> Chosen:
    """What the value of a field of choice names. ``in_lines``: nothing marks its end, so each digit must be there."""
    match name:
        case "hand":
            return _hand(value)
        case "targets":
            return _seats(value, asked, in_lines)
        case _:
            return _seat(value, asked, in_lines)


def written(value: Any) -> str:
    """A value as a model wrote it."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _bare(text: str) -> str:
    """A label without what decorates it: colours of a screen, quotes, marks, a full stop."""
    return _COLOUR.sub("", text).strip().strip(_AROUND).rstrip(".。").strip(_AROUND)


def _seat(value: Any, asked: Asked, in_lines: bool) -> Seat | None:
    """The seat of a label, or of its bare number or name; None for nobody."""
    if value is None or (isinstance(value, str) and not value.strip() and not in_lines):
        return None
    if isinstance(value, list) and len(value) > 1:
        raise Fault("ambiguous", written(value))
    if type(value) is not int and not isinstance(value, str):
        raise Fault("illegal", written(value))
    text = _bare(str(value))
    if text.lower() in _NOBODY:
        return None
    found = _SEAT.fullmatch(text) if len(text) <= LONGEST_LABEL else None
    digits = [digits for digits in found.groups() if digits] if found else []
    width = min(map(len, asked.seats)) - 1 if in_lines else 1
    if len(set(map(int, digits))) == 1 and min(map(len, digits)) >= width:
        return int(digits[0]) or None
    mentioned = {int(label or number) for label, number in _MENTIONED.findall(text)}
    raise Fault("ambiguous" if len(mentioned) > 1 else "illegal", written(value))


def _seats(value: Any, asked: Asked, in_lines: bool) -> tuple[Seat, ...]:
    """The seats of a list, each once; nobody is an answer only alone."""
    if in_lines:
        value = _COMMA.split(value) if value.strip() else []
    if not isinstance(value, list):
        raise Fault("unreadable", "targets is no list")
    named = list(dict.fromkeys(_seat(item, asked, in_lines) for item in value))
    seats = tuple(seat for seat in named if seat is not None)
    if seats and len(seats) < len(named):
        raise Fault("ambiguous", written(value))
    return seats


def _hand(value: Any) -> bool:
    word = _bare(str(value)).lower() if isinstance(value, str | bool) or type(value) is int else ""
    if word not in _HANDS:
        raise Fault("illegal", written(value))
    return _HANDS[word]
