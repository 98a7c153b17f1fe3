"""Typed claims: what a speaker says in public about roles, nights and seats, in a form that can be checked.

A claim is a label on words, never a replacement for them. The judge uses only one kind (who says which role is
his own, for S1-6); players and the study of transcripts use them all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tianhei.arena.roles import Seat

ClaimKind = Literal[
    "role", "check", "save", "shot", "carry", "silence", "accuse", "clear", "vote", "ask", "deny", "retract"
]
ClaimWhat = Literal[
    "killer", "not_killer", "no_sign", "police", "civilian", "butterfly", "sniper", "doctor", "elder", "none"
]

KINDS: tuple[str, ...] = get_args(ClaimKind)
WHATS: tuple[str, ...] = get_args(ClaimWhat)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: ``kind`` about ``seat``; ``what`` it says of the seat; the ``night`` it speaks of (0: none)."""

    kind: ClaimKind
    seat: Seat
    what: ClaimWhat = "none"
    night: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "seat": self.seat, "what": self.what, "night": self.night}


def claim_from_json(data: Any) -> Claim:
    """Read one claim; ValueError says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a claim is an object, not {type(data).__name__}")
    kind, seat, what, night = (
        data.get("kind"),
        data.get("seat"),
        data.get("what", "none"),
        data.get("night", 0),
    )
    if kind not in KINDS:
        raise ValueError(f"claim kind {kind!r} is not one of {', '.join(KINDS)}")
    if what not in WHATS:
        raise ValueError(f"claim what {what!r} is not one of {', '.join(WHATS)}")
    if type(seat) is not int or seat < 1:
        raise ValueError(f"claim seat {seat!r} is not a seat")
    if type(night) is not int or night < 0:
        raise ValueError(f"claim night {night!r} is not a night number")
    return Claim(kind, seat, what, night)


def claims_from_json(data: Any) -> tuple[Claim, ...]:
    """Read a list of claims; ValueError says what is wrong."""
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise ValueError("claims are a list")
    return tuple(claim_from_json(item) for item in data)


_OWN_ROLE: tuple[tuple[ClaimWhat, re.Pattern[str]], ...] = (
    (
        "killer",
        re.compile(r"我(?:就是|是|才是)(?:一个|一名|个|名)?(?:杀手|匪徒|匪)|\bI(?:'m| am) (?:a|the) killer\b", re.I),
    ),
    (
        "police",
        re.compile(
            r"我(?:就是|是|才是)(?:一个|一名|个|名)?(?:真)?(?:警察|警)"
            r"|\bI(?:'m| am) (?:the |a )?(?:real )?(?:police|cop)\b",
            re.I,
        ),
    ),
)
_UNREAL = re.compile(
    r"如果|要是|假如|若|[?？]|说我|认为我|觉得我|以为我|\bif\b|\bsays?\b|\bsaid\b|\bthinks?\b|\bsuppose\b",
    re.I,
)


def own_role_claims(text: str, speaker: Seat) -> tuple[Claim, ...]:
    """The role that a speech plainly claims for its own speaker, read from the words alone.

    Deliberately narrow: a sentence that asks, supposes or reports somebody's words claims nothing.
    """
    found: list[Claim] = []
    if not ("我" in text or "I am" in text or "I'm" in text or "i am" in text or "i'm" in text):
        return ()  # most speeches: spares the patterns
    for sentence in re.findall(r"[^。！!.;；\n?？]+[?？]?", text):
        if not _UNREAL.search(sentence):
            found += [Claim("role", speaker, what) for what, pattern in _OWN_ROLE if pattern.search(sentence)]
    return tuple(dict.fromkeys(found))
