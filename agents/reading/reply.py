"""The reply that a completion gives to what was asked, stage by stage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tianhei.agents.reading.choices import chosen, written
from tianhei.agents.reading.fault import Fault
from tianhei.agents.reading.lines import agree, fields_in_lines
from tianhei.agents.reading.objects import Found, answering, objects
from tianhei.agents.reading.reasoning import without_reasoning
from tianhei.agents.reading.speech import private, said
from tianhei.arena.claims import Claim, claim_from_json
from tianhei.arena.player import Completion, Reply
from tianhei.arena.requests import CLAIMING, Answer, Illegal, check
from tianhei.arena.roles import Seat
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import CHOICES, SAID

_FILTERED = frozenset(("content_filter", "safety"))
_BROKE_OFF = frozenset(("length", "max_tokens"))
"""How servers call it that a completion reached its cap."""
_FLOOD = 200
"""So much white space, and more of it than of anything else, is a model that a grammar has caught in a loop."""
_CLOSING = " \t\r\n`~]}"
"""What may follow the object of a reply that broke off. An object followed by more may be a draft in a thought."""
_NIGHT = re.compile(r"[0-9]{1,3}")


def read(completion: Completion, asked: Asked) -> Reply:
    """The reply that a completion gives to what was asked. Fault says why there is none."""
    finish = completion.finish.lower()
    if completion.refusal:
        raise Fault("refused", completion.refusal)
    if finish in _FILTERED:
        raise Fault("filtered")
    broke_off = finish in _BROKE_OFF
    try:
        text = without_reasoning(completion.text).answer
        if not text:
            raise Fault("empty")
        found, in_lines = _fields(text, asked, broke_off)
        return _reply(found, asked, in_lines)
    except Fault as fault:
        if broke_off and fault.cause in ("empty", "unreadable"):
            raise Fault("truncated", _flood(completion.text) or fault.detail) from None
        raise


def _flood(text: str) -> str:
    blank = len(text) - sum(map(len, text.split()))
    return f"a flood of white space: {blank} of {len(text)} characters" if blank > max(_FLOOD, len(text) // 2) else ""


def _fields(text: str, asked: Asked, broke_off: bool) -> tuple[Mapping[str, Any], bool]:
    """The fields of the reply, and whether they stood in lines."""
    wanted = [name for name in (*CHOICES, *SAID) if name in asked.fields]
    try:
        found = list(objects(text))
        fields = answering(found, wanted or ["claims"])
    except Fault as fault:
        if not asked.lines or fault.cause == "ambiguous" or broke_off:  # nothing marks the end of lines
            raise
        fields = fields_in_lines(text, asked)
        if missing := [name for name in wanted if name not in fields]:
            raise Fault("unreadable", f"no line with {', '.join(missing)}") from None
        return fields, True
    if broke_off and text[found[-1].end :].strip(_CLOSING):
        raise Fault("unreadable", "it went on after the object")
    if asked.lines:
        agree(_outside(text, found), fields, asked)
    return fields, False


def _outside(text: str, found: list[Found]) -> str:
    starts = [*(each.start for each in found), len(text)]
    ends = [0, *(each.end for each in found)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _reply(found: Mapping[str, Any], asked: Asked, in_lines: bool) -> Reply:
    """The choice, the words and what is private, judged by the request."""
    choice = next((name for name in CHOICES if name in asked.fields), None)
    value = chosen(choice, found[choice], asked, in_lines=in_lines) if choice else None
    match value:
        case bool():
            answer = Answer(raised=value)
        case tuple():
            answer = Answer(targets=value)
        case _:
            answer = Answer(target=value)
    text, cut = said(found, asked)
    answer = answer._replace(text=text, claims=_claims(found, asked), note=private(found, "note", asked) or None)
    try:
        check(asked.request, answer)
    except Illegal as error:
        raise Fault("illegal", written(found[choice]) if choice else str(error)) from None
    return Reply(answer, private(found, "thought", asked), _position(answer.target, asked), cut)


def _position(target: Seat | None, asked: Asked) -> int | None:
    """Where the choice stood in the list that was shown, from 1."""
    if not {"target", "vote"} & set(asked.fields):
        return None
    return next((place for place, label in enumerate(asked.options, 1) if asked.seats[label] == target), None)


def _claims(found: Mapping[str, Any], asked: Asked) -> tuple[Claim, ...] | None:
    """The claims declared; those that name no seat or no known kind are left out. None where there is no list."""
    value = found.get("claims")
    if not isinstance(value, list) or "claims" not in asked.fields or asked.request.kind not in CLAIMING:
        return None
    claims = []
    for item in value[: asked.limits.get("claims", len(value))]:
        with suppress(Fault, ValueError):
            claims.append(_claim(item, asked))
    return tuple(claims)


def _claim(item: Any, asked: Asked) -> Claim:
    if not isinstance(item, Mapping):
        raise ValueError("a claim is an object")
    seat = chosen("seat", item.get("seat"), asked)
    night = str(item.get("night", "0"))
    if seat not in asked.seats.values() or not _NIGHT.fullmatch(night):
        raise ValueError("a claim concerns a seat of the table, and a night")
    kind, what = (_meant(item.get(name, otherwise), asked) for name, otherwise in (("kind", None), ("what", "none")))
    return claim_from_json({"kind": kind, "seat": seat, "what": what, "night": int(night)})


def _meant(label: Any, asked: Asked) -> Any:
    """The kind or content of a claim that a label stands for in the words of this table."""
    return asked.claim_labels.get(label, label) if isinstance(label, str) else label
