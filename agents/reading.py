"""Reading a model's reply: in stages, strictly, and never a guess from prose.

The answer is one JSON object. A choice comes from its field or not at all; reasoning never becomes speech; what cannot
be read has a named cause, so that the model can be asked once more and told why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tianhei.arena.claims import Claim, claim_from_json
from tianhei.arena.player import Cause, Completion, Reply, to_sentence_end
from tianhei.arena.requests import CLAIMING, Answer, Illegal, check
from tianhei.arena.roles import Seat
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import CHOICES, SAID

HARD_LIMIT = 1.25
"""A text is cut at this multiple of its limit, at the end of a sentence."""
_STARTS_TRIED = 40
"""At how many opening braces a reply is looked at for an object, so that reading stays linear."""
_PASS = frozenset(("", "过", "pass", "过。", "pass."))
_NOBODY = frozenset(("", "nobody", "none", "no one", "pass", "null", "无", "不投", "弃权", "过"))
_SEAT = re.compile(r"(?:s|player|seat|no\.?)?\s*0*(\d{1,3})\s*号?", re.IGNORECASE)


_OPENING = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>", re.IGNORECASE)


class Fault(Exception):
    """A reply that gives no answer: why, and the part that was at fault."""

    def __init__(self, cause: Cause, detail: str = "") -> None:
        super().__init__(f"{cause}: {detail}" if detail else cause)
        self.cause: Cause = cause
        self.detail = detail


class Parts(NamedTuple):
    """A reply's text with the reasoning that some servers leave inside it taken out."""

    answer: str
    reasoning: str


def without_reasoning(text: str) -> Parts:
    """Take ``<think>`` blocks out; an unclosed one hides all that follows, a closing tag alone all before it."""
    reasoning: list[str] = []
    kept: list[str] = []
    place = 0
    closing = next((found for found in _CLOSING.finditer(text) if not _OPENING.search(text, 0, found.start())), None)
    if closing:
        reasoning.append(text[: closing.start()])
        place = closing.end()
    while found := _OPENING.search(text, place):
        kept.append(text[place : found.start()])
        end = re.compile(f"</{found[1]}>", re.IGNORECASE).search(text, found.end())
        reasoning.append(text[found.end() : end.start() if end else len(text)])
        place = end.end() if end else len(text)
    kept.append(text[place:])
    return Parts("".join(kept).strip(), "\n".join(part.strip() for part in reasoning if part.strip()))


def read(completion: Completion, asked: Asked) -> Reply:
    """The reply that a completion gives to what was asked. Fault says why there is none."""
    if completion.refusal:
        raise Fault("refused", completion.refusal)
    if completion.finish == "content_filter":
        raise Fault("filtered")
    text = without_reasoning(completion.text).answer
    cut_off = completion.finish == "length"
    if not text:
        raise Fault("truncated" if cut_off else "empty")
    found = _object(text, asked, cut_off)
    answer, cut, position = _answer(found, asked)
    try:
        check(asked.request, answer._replace(text=answer.text[: asked.request.text]))
    except Illegal as error:
        raise Fault("illegal", str(error)) from None
    return Reply(answer, _private(found, "thought", asked), position, cut)


def _object(text: str, asked: Asked, cut_off: bool) -> Mapping[str, Any]:
    """The one object of the reply that has the fields asked for."""
    wanted = [name for name in (*CHOICES, *SAID) if name in asked.fields] or list(asked.fields)
    fitting = [found for found in _objects(text) if all(name in found for name in wanted)]
    if not fitting:
        raise Fault("truncated" if cut_off else "unreadable", "" if "{" in text else text[:80])
    try:
        choices = {json.dumps([found[name] for name in wanted], sort_keys=True) for found in fitting}
    except RecursionError:
        raise Fault("unreadable", "nested too deep") from None
    if len(choices) > 1:
        raise Fault("ambiguous", f"{len(choices)} different answers")
    return fitting[-1]


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    decoder = json.JSONDecoder()
    place = 0
    for _ in range(_STARTS_TRIED):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        if isinstance(found, Mapping):
            yield found
        place = end


def _answer(found: Mapping[str, Any], asked: Asked) -> tuple[Answer, bool, int | None]:
    target, position = None, None
    choice = next((name for name in ("target", "vote") if name in asked.fields), None)
    if choice:
        target = _seat(found[choice], asked)
        label = next((label for label, seat in asked.seats.items() if seat == target and label in asked.options), None)
        position = asked.options.index(label) + 1 if label else None
    text, cut = _said(found, asked)
    note = _private(found, "note", asked)
    claims = _claims(found, asked) if asked.request.kind in CLAIMING and "claims" in asked.fields else None
    answer = Answer(
        target=target,
        text=text,
        targets=_targets(found, asked) if "targets" in asked.fields else (),
        raised=_raised(found["hand"]) if "hand" in asked.fields else False,
        claims=claims,
        note=note or None,
    )
    return answer, cut, position


def _seat(value: Any, asked: Asked) -> Seat | None:
    """The seat that a choice names: its label, or the bare number or name of the seat."""
    if value is None or (isinstance(value, str) and value.strip().lower() in _NOBODY):
        return None
    if isinstance(value, str) and value.strip() in asked.seats:
        return asked.seats[value.strip()]
    if type(value) is int or isinstance(value, str):
        match = _SEAT.fullmatch(str(value).strip())
        if match:
            return int(match[1]) or None
    raise Fault("illegal", json.dumps(value, ensure_ascii=False)[:80])


def _targets(found: Mapping[str, Any], asked: Asked) -> tuple[Seat, ...]:
    value = found["targets"]
    if not isinstance(value, list):
        raise Fault("unreadable", "targets")
    seats = [_seat(item, asked) for item in value]
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))


def _raised(value: Any) -> bool:
    if value in ("up", True):
        return True
    if value in ("down", False, None):
        return False
    raise Fault("illegal", json.dumps(value, ensure_ascii=False)[:80])


def _said(found: Mapping[str, Any], asked: Asked) -> tuple[str, bool]:
    """The public words, within the limit; whether they were cut."""
    name = next((name for name in asked.fields if name in SAID), None)
    if name is None:
        return "", False
    value = found[name]
    if value is None:
        return "", False
    if not isinstance(value, str):
        raise Fault("unreadable", name)
    text = value.strip()
    if text.lower() in _PASS:
        return "", False
    short = shortened(text, asked.limits.get(name, 0), asked.unit)
    return short, short != text


def _private(found: Mapping[str, Any], name: str, asked: Asked) -> str:
    """A private text of the reply; empty where it is missing or is none."""
    value = found.get(name)
    if name not in asked.fields or not isinstance(value, str):
        return ""
    return shortened(value.strip(), asked.limits.get(name, 0), asked.unit) if name == "note" else value.strip()


def shortened(text: str, limit: int, unit: str) -> str:
    """The text cut at the end of a sentence once it is longer than its limit allows (0: no limit)."""
    if not limit:
        return text
    if unit == "words":
        words = list(re.finditer(r"\S+", text))
        hard = int(limit * HARD_LIMIT)
        if len(words) <= hard:
            return text
        kept = text[: words[hard - 1].end()]
    else:
        hard = int(limit * HARD_LIMIT)
        if len(text) <= hard:
            return text
        kept = text[:hard]
    return to_sentence_end(kept)


def _claims(found: Mapping[str, Any], asked: Asked) -> tuple[Claim, ...] | None:
    """The claims declared; those that name no seat or no known kind are left out. None where there is no list."""
    value = found.get("claims")
    if not isinstance(value, list):
        return None
    claims = []
    for item in value[: asked.limits.get("claims", len(value))]:
        try:
            seat = _seat(item["seat"], asked)
            if seat not in asked.seats.values():
                continue
            night = int(str(item.get("night", "0")))
            claims.append(claim_from_json({**item, "seat": seat, "night": night}))
        except (Fault, KeyError, TypeError, ValueError, AttributeError):
            continue
    return tuple(claims)
