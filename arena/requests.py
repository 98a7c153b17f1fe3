"""What is asked, of whom, with which options; and what may be answered.

Legality is membership in the request that the seat was sent: `check` is the only judge of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from types import NoneType
from typing import Any, Literal, NamedTuple

from tianhei.arena.claims import Claim, claims_from_json
from tianhei.arena.roles import Seat

Kind = Literal[
    "kill", "check", "carry", "shoot", "needle", "silence",
    "speech", "speech_and_vote", "last_words", "vote", "hand", "demand",
]  # fmt: skip

TARGETED = frozenset(("kill", "check", "carry", "shoot", "needle", "silence", "vote", "speech_and_vote"))
WORDED = frozenset(("kill", "check", "speech", "speech_and_vote", "last_words"))
CLAIMING = frozenset(("speech", "speech_and_vote", "last_words"))
SMALLEST_DEMAND = 2
"""A round-PK demand names at least this many seats (R-ROUNDPK)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a text may be, in characters. A setting of the table, not a rule."""

    speech: int = 600
    pk: int = 500
    last_words: int = 800
    council: int = 250


class Request(NamedTuple):
    """One question to one seat, open until answered.

    ``options`` are the seats that may be named; ``may_pass`` whether naming nobody is an answer; ``text`` the limit
    of words in characters (0: none may be given); ``round`` counts council rounds and votes of the day, from 1.
    """

    id: str
    seat: Seat
    kind: Kind
    options: tuple[Seat, ...] = ()
    may_pass: bool = True
    text: int = 0
    round: int = 1

    def to_json(self) -> dict[str, Any]:
        return {
            "request": self.id, "seat": self.seat, "kind": self.kind, "options": list(self.options),
            "may_pass": self.may_pass, "text": self.text, "round": self.round,
        }  # fmt: skip


class Answer(NamedTuple):
    """What a seat says to a request. Only the fields that its kind uses may be set.

    ``claims`` is None where the speaker declared nothing, an empty tuple where he declared that he claims nothing.
    ``absent`` is the host's word for a player who cannot be had (R-ABSENT).
    """

    target: Seat | None = None
    text: str = ""
    targets: tuple[Seat, ...] = ()
    raised: bool = False
    absent: bool = False
    claims: tuple[Claim, ...] | None = None
    note: str | None = None

    def to_json(self, kind: Kind) -> dict[str, Any]:
        """The fields that belong to a request of this kind."""
        if self.absent:
            return {"absent": True}
        data: dict[str, Any] = {}
        if kind in TARGETED:
            data["target"] = self.target
        if kind in WORDED and (self.text or kind not in TARGETED):
            data["text"] = self.text
        if kind == "hand":
            data["raise"] = self.raised
        if kind == "demand":
            data["targets"] = list(self.targets)
        if self.claims is not None:
            data["claims"] = [claim.to_json() for claim in self.claims]
        if self.note is not None:
            data["note"] = self.note
        return data


ABSENT = Answer(absent=True)
"""The answer that only the host may give."""


class RefusedAnswer(ValueError):
    """An answer that was not taken; nothing has changed. ``code`` is its machine name."""

    code = "refused"


class Illegal(RefusedAnswer):
    """The answer is not among those that the request offers."""

    code = "illegal"


class Unknown(RefusedAnswer):
    """No such request is open or was ever made."""

    code = "unknown_request"


class AlreadyAnswered(RefusedAnswer):
    """The request has been answered before."""

    code = "already_answered"


class GameOver(RefusedAnswer):
    """The game has ended."""

    code = "game_over"


def check(request: Request, answer: Answer) -> None:
    """Raise Illegal, naming the reason, unless the answer is one that the request offers."""
    if answer.absent:
        if answer != ABSENT:
            raise Illegal("an absent answer carries nothing else")
        return
    kind = request.kind
    if tuple(map(type, answer)) not in _SHAPES or (answer.targets and kind == "demand"):
        _check_types(answer)
    if answer.target is not None and kind not in TARGETED:
        raise Illegal(f"a {kind} names no target")
    if answer.targets and kind != "demand":
        raise Illegal(f"a {kind} names no set of targets")
    if answer.raised and kind != "hand":
        raise Illegal(f"a {kind} raises no hand")
    if answer.claims is not None and kind not in CLAIMING:
        raise Illegal(f"a {kind} makes no claims")
    if len(answer.text) > request.text:
        raise Illegal(_too_long(request, len(answer.text)))
    if kind in TARGETED:
        if answer.target is None:
            if not request.may_pass:
                raise Illegal(f"must name one of {_seats(request.options)}")
        elif answer.target not in request.options:
            raise Illegal(f"{answer.target} is not one of {_seats(request.options)}")
    elif kind == "hand":
        if not answer.raised and not request.may_pass:
            raise Illegal(f"must raise the hand for {_seats(request.options)}, the last who can be chosen")
    elif kind == "demand" and answer.targets:
        _check_demand(request, answer.targets)


_TYPED: Mapping[str, tuple[type, ...]] = {
    "target": (int, NoneType),
    "text": (str,),
    "targets": (tuple,),
    "raised": (bool,),
    "absent": (bool,),
    "claims": (tuple, NoneType),
    "note": (str, NoneType),
}
"""The types of an answer's fields, in their order: a seat is a whole number and nothing that only equals one."""
_SHAPES = frozenset(product(*_TYPED.values()))


def _check_types(answer: Answer) -> None:
    """Refuse what could be written and not be read back."""
    for name, allowed in _TYPED.items():
        if type(getattr(answer, name)) not in allowed:
            raise Illegal(f"{name} is {' or '.join(each.__name__ for each in allowed)}")
    if any(type(seat) is not int for seat in answer.targets):
        raise Illegal("targets are seat numbers")


def _check_demand(request: Request, targets: tuple[Seat, ...]) -> None:
    if len(set(targets)) != len(targets) or len(targets) < SMALLEST_DEMAND:
        raise Illegal(f"a demand names at least {SMALLEST_DEMAND} different seats, or none")
    for target in targets:
        if target not in request.options:
            raise Illegal(f"{target} is not one of {_seats(request.options)}")


def _too_long(request: Request, length: int) -> str:
    if request.text == 0:
        return f"a {request.kind} has no words here"
    return f"{length} characters are more than the {request.text} allowed"


def _seats(seats: tuple[Seat, ...]) -> str:
    return ", ".join(map(str, seats)) or "nobody"


_FIELDS = frozenset(("target", "text", "targets", "raise", "absent", "claims", "note"))


def answer_from_json(data: Any) -> Answer:
    """Read an answer as it stands in the protocol; Illegal says which field is wrong."""
    if not isinstance(data, Mapping):
        raise Illegal(f"an answer is an object, not {type(data).__name__}")
    unknown = sorted(set(data) - _FIELDS)
    if unknown:
        raise Illegal(f"unknown field {unknown[0]!r}; an answer has {', '.join(sorted(_FIELDS))}")
    target, text, targets = data.get("target"), data.get("text"), data.get("targets")
    raised, absent, note = data.get("raise", False), data.get("absent", False), data.get("note")
    if target is not None and type(target) is not int:
        raise Illegal("target is a seat number or null")
    if text is not None and not isinstance(text, str):
        raise Illegal("text is a string")
    if note is not None and not isinstance(note, str):
        raise Illegal("note is a string")
    if type(raised) is not bool or type(absent) is not bool:
        raise Illegal("raise and absent are true or false")
    if targets is not None and not (isinstance(targets, list) and all(type(seat) is int for seat in targets)):
        raise Illegal("targets is a list of seat numbers")
    try:
        claims = None if data.get("claims") is None else claims_from_json(data["claims"])
    except ValueError as error:
        raise Illegal(str(error)) from None
    return Answer(target, text or "", tuple(targets or ()), raised, absent, claims, note)
