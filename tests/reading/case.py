"""A reply made at random, and what is known of it because it was made so."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, TypeAlias

from reading.texts import secret, speech
from tianhei.arena.player import Completion
from tianhei.arena.roles import Seat
from tianhei.prompts.compose import Asked

Fate: TypeAlias = Literal["must", "may", "never"]
"""Whether a reply must be read, may be, or never may."""
Named: TypeAlias = "Seat | bool | tuple[Seat, ...] | None"

OFFERED = frozenset(("vote", "target"))
"""The fields that name one of the seats offered."""
ANY = frozenset(("unreadable", "illegal", "ambiguous", "truncated", "empty"))


@dataclass(slots=True)
class Case:
    """``named`` is what the answer field names, ``said`` what the public field says, before any limit."""

    rng: Random
    asked: Asked
    text: str = ""
    finish: str = "stop"
    refusal: str = ""
    reasoning: str = ""
    fate: Fate = "must"
    causes: set[str] = field(default_factory=set)
    named: Named = None
    said: str = ""
    thought: str | None = None
    note: str | None = None
    claims: tuple[Any, ...] | None = None
    cuttable: bool = False
    """Whether the text may have been cut within the words or a list, so that a beginning of them is what it says."""
    spaced: bool = False
    """Whether white space within the words may differ: a tag was taken out of them."""
    noisy: bool = False
    """Whether single characters were changed: what the fields say is to be seen in the text alone."""
    made: list[str] = field(default_factory=list)

    @property
    def choice(self) -> str | None:
        return next((name for name in ("target", "vote", "hand", "targets") if name in self.asked.fields), None)

    @property
    def words(self) -> str | None:
        return next((name for name in ("say", "to_team") if name in self.asked.fields), None)

    @property
    def completion(self) -> Completion:
        return Completion(self.text, self.reasoning, self.finish, refusal=self.refusal)

    def never(self, *causes: str) -> None:
        self.fate = "never"
        self.causes.update(causes)

    def may(self, *causes: str) -> None:
        self.fate = "never" if self.fate == "never" else "may"
        self.causes.update(causes)

    def one_in(self, number: int) -> bool:
        return self.rng.random() * number < 1

    def secret(self) -> str:
        return secret(self.rng)

    def speech(self, *, plain: bool = False) -> str:
        return speech(self.rng, plain=plain)


def label(asked: Asked, seat: Seat) -> str:
    """A seat's label at this table."""
    return f"S{seat:02}" if len(asked.seats) > 10 else f"S{seat}"


def seats(asked: Asked) -> list[Seat]:
    """All seats of the table."""
    return list(range(1, len(asked.seats)))
