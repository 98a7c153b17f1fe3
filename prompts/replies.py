"""What a model may reply: which fields a question has, in which order, how long they may be, and their JSON Schema.

Order: think, plan, words, the labels of the words, the choice, the note; so what breaks off at the end is the note.
Schemas hold string enumerations and nothing about length, which some endpoints refuse and others ignore.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tianhei.arena.requests import Request
from tianhei.arena.roles import Counts, Role, Seat
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack

Form = Literal["council", "night", "speech", "pk_speech", "speech_and_vote", "last_words", "vote", "hand", "demand"]

_SPEECH = ("thought", "stance", "about", "say", "claims", "note")
FIELDS: Mapping[Form, tuple[str, ...]] = {
    "council": ("thought", "target", "to_team"),
    "night": ("thought", "target"),
    "speech": _SPEECH,
    "pk_speech": _SPEECH,
    "speech_and_vote": ("thought", "stance", "about", "say", "claims", "vote", "note"),
    "last_words": ("thought", "say", "claims"),
    "vote": ("thought", "vote"),
    "hand": ("thought", "hand"),
    "demand": ("thought", "targets"),
}
SAID = frozenset(("say", "to_team"))
"""Fields whose text is told to others, within the request's own limit."""
CHOICES = ("target", "vote", "hand", "targets")
"""Fields that hold the choice among the options."""
PLANS = ("stance", "about")
"""Fields for what a speech is to do, told once for all questions."""
STANCES = ("press", "defend", "claim", "ask", "hold")
PK_STAGES = frozenset(("pk", "off_field", "revote"))

CLAIM_KINDS: Mapping[str, Role | None] = {
    "role": None, "check": Role.POLICE, "save": Role.DOCTOR, "shot": Role.SNIPER, "carry": Role.BUTTERFLY,
    "silence": Role.ELDER, "accuse": None, "clear": None, "vote": None, "ask": None, "deny": None,
    "retract": None,
}  # fmt: skip
"""Kinds of claims, and the role without which a table has none of them."""
OF_A_NIGHT = frozenset(("check", "save", "shot", "carry", "silence"))
CHARACTERS_PER_WORD = 6
"""An English word with its space, for limits that are given in characters."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The seats that a question offers, as labels in the order in which they are shown."""

    options: tuple[str, ...]
    others: tuple[str, ...]
    """Whom a speech may be about: the living but oneself, then nobody."""
    everybody: tuple[str, ...]
    seats: Mapping[str, Seat | None]
    """The seat of each label; None: nobody."""


def form_of(view: View, request: Request) -> Form:
    """Which kind of reply a request takes."""
    match request.kind:
        case "kill" | "check":
            return "council" if request.text else "night"
        case "carry" | "shoot" | "needle" | "silence":
            return "night"
        case "speech":
            return "pk_speech" if view.record.stage in PK_STAGES else "speech"
        case _:
            return request.kind


def fields_of(pack: Pack, form: Form, request: Request) -> tuple[str, ...]:
    """The fields that the pack asks for, in order (in lines the choice last); no words where none may be given."""
    asked = [name for name in FIELDS[form] if _is_asked(pack, name) and (request.text or name not in SAID)]
    return tuple(sorted(asked, key=CHOICES.__contains__) if pack.lines else asked)


def _is_asked(pack: Pack, name: str) -> bool:
    """Whether the pack has a field: the question says something of it, or the answer's form says all."""
    return pack.has(f"field.{name}") or (name in PLANS and pack.has("answer.stance"))


def limits_of(pack: Pack, form: Form, request: Request) -> Mapping[str, int]:
    """Soft limits of a reply's fields: zh characters or en words (claims: how many), within the request's limit."""
    limits = {}
    for name in fields_of(pack, form, request):
        if (limit := pack.limits.get(f"{form}.{name}")) is not None:
            allowed = request.text if pack.lang == "zh" else request.text // CHARACTERS_PER_WORD
            limits[name] = min(limit, max(allowed, 1)) if name in SAID else limit
    return limits


def shown(view: View, request: Request) -> Shown:
    """The labels of a question, each list in its own random order, keyed by the request."""
    nobody = view.label(0)

    def shuffled(purpose: str, seats: Sequence[Seat]) -> tuple[str, ...]:
        return tuple(map(view.label, view.luck.shuffled(f"{request.id}:{purpose}", seats)))

    passing = request.options and request.may_pass and request.kind not in ("hand", "demand")
    return Shown(
        shuffled("options", (*request.options, 0) if passing else request.options),
        (*shuffled("about", view.others), nobody),
        shuffled("claims", tuple(range(1, view.players + 1))),
        {view.label(seat): seat or None for seat in range(view.players + 1)},
    )


def claim_kinds(counts: Counts) -> tuple[str, ...]:
    """The kinds of claims that make sense with these roles."""
    return tuple(kind for kind, role in CLAIM_KINDS.items() if role is None or counts.get(role))


def claim_nights(counts: Counts) -> bool:
    """Whether with these roles a claim can be about a night."""
    return any(kind in OF_A_NIGHT for kind in claim_kinds(counts))


def claim_whats(counts: Counts) -> tuple[str, ...]:
    """What a claim may say of somebody at a table with these roles."""
    signs = ["killer", "not_killer"] if counts.get(Role.POLICE) else []
    if signs and counts.get(Role.BUTTERFLY):
        signs.append("no_sign")
    return tuple(dict.fromkeys((*signs, *(role.value for role in Role if counts.get(role)), "none")))


def schema(pack: Pack, view: View, request: Request, fields: Sequence[str], labels: Shown) -> dict[str, Any]:
    """The JSON Schema of a reply with these fields."""
    properties: dict[str, Any] = {}
    for name in fields:
        match name:
            case "target" | "vote":
                properties[name] = _one_of(labels.options)
            case "hand":
                properties[name] = _one_of(("up", "down") if request.may_pass else ("up",))
            case "targets":
                properties[name] = {"type": "array", "items": _one_of(labels.options)}
            case "stance":
                properties[name] = _one_of(STANCES)
            case "about":
                properties[name] = _one_of(labels.others)
            case "claims":
                properties[name] = {"type": "array", "items": _claim(pack, view, labels)}
            case _:
                properties[name] = {"type": "string"}
    return _object(properties)


def _claim(pack: Pack, view: View, labels: Shown) -> dict[str, Any]:
    counts = view.record.counts
    names = {value: name for name, value in pack.words.labels().items()}
    nights = {"night": _one_of(tuple(map(str, range(view.record.day + 1))))} if claim_nights(counts) else {}
    return _object(
        {
            "kind": _one_of([names[kind] for kind in claim_kinds(counts)]),
            "seat": _one_of(labels.everybody),
            "what": _one_of([names[what] for what in claim_whats(counts)]),
            **nights,
        }
    )


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
