"""The record of one game: what was asked, what was answered, and what was told to whom.

The record only grows. Who lives, how many needles somebody has, who is silenced: every
fact is worked out anew from the whole of it, so no two places can disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .options import Options
from .orders import last_words_order

Answer = Mapping[str, Any]
Wave = Mapping[str, Answer]
Audience = str | tuple[int, ...]


@dataclass(frozen=True)
class Request:
    """One question to one seat. `round` counts councils' rounds and the day's votes."""

    seat: int
    kind: str
    options: tuple[int, ...] = ()
    may_pass: bool = True
    round: int | None = None

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.seat}"


@dataclass(frozen=True)
class Fact:
    """Something told: to 'public', to the 'judge' alone, or to the seats listed."""

    kind: str
    day: int
    phase: str
    audience: Audience
    data: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        heard_by = self.audience if isinstance(self.audience, str) else list(self.audience)
        return {"kind": self.kind, "day": self.day, "phase": self.phase, "audience": heard_by, **self.data}


class Waiting(Exception):
    """The history ends here: these requests are open."""

    def __init__(self, requests: tuple[Request, ...]) -> None:
        super().__init__(f"{len(requests)} requests are open")
        self.requests = requests


class DrawWanted(Exception):
    """A lot is due and no draw is left."""

    def __init__(self, purpose: str, options: tuple[int, ...]) -> None:
        super().__init__(f"{purpose}: one of {options}")
        self.purpose, self.options = purpose, options


class BadHistory(ValueError):
    """The history given does not fit the game: a wrong key, an illegal answer, a wrong draw."""


def absent(answer: Answer) -> bool:
    return bool(answer.get("absent"))


def target_of(answer: Answer) -> int | None:
    """The seat chosen; None for a pass and for the absent."""
    chosen: int | None = answer.get("target")
    return None if absent(answer) else chosen


def seats_of(answer: Answer) -> tuple[int, ...]:
    """The set demanded, without repetitions."""
    return () if absent(answer) else tuple(sorted(set(answer.get("targets") or ())))


def fits(request: Request, answer: Answer) -> bool:
    """Is the answer one that the request allows? Absence always is (R-ABSENT)."""
    if absent(answer) or request.kind in ("speech", "last_words"):
        return True
    if request.kind == "hand":
        return bool(answer.get("raise")) or request.may_pass
    if request.kind == "demand":
        wanted = seats_of(answer)
        return not wanted or (len(wanted) > 1 and set(wanted) <= set(request.options))
    chosen = target_of(answer)
    return request.may_pass if chosen is None else chosen in request.options


class Story:
    """One game so far: the inputs given, and the facts and waves that follow from them."""

    def __init__(self, options: Options, roles: Sequence[str], draws: Sequence[int], history: Sequence[Wave]) -> None:
        self.options = options
        self.roles = dict(enumerate(roles, 1))
        self.draws = tuple(draws)
        self.history = tuple(history)
        self.facts: list[Fact] = []
        self.asked: list[tuple[int, tuple[Request, ...]]] = []

    @property
    def players(self) -> int:
        return len(self.roles)

    def tell(self, kind: str, day: int, phase: str, audience: Audience = "public", **data: Any) -> None:
        self.facts.append(Fact(kind, day, phase, audience, data))

    def told(self, kind: str, day: int | None = None) -> list[Fact]:
        return [f for f in self.facts if f.kind == kind and day in (None, f.day)]

    def ask(self, requests: Iterable[Request]) -> dict[int, Answer]:
        """Open one wave; its answers by seat, or Waiting where the history ends."""
        wave = tuple(sorted(requests, key=lambda r: r.seat))
        if not wave:
            return {}
        number = len(self.asked)
        self.asked.append((len(self.facts), wave))
        if number == len(self.history):
            raise Waiting(wave)
        given = self.history[number]
        if set(given) != {r.key for r in wave}:
            raise BadHistory(f"wave {number}: asked {[r.key for r in wave]}, got {list(given)}")
        for request in wave:
            if not fits(request, given[request.key]):
                raise BadHistory(f"wave {number}: {request} answered {given[request.key]}")
        return {r.seat: given[r.key] for r in wave}

    def draw(self, purpose: str, day: int, phase: str, options: Iterable[int]) -> int:
        """The next lot given, which must be one of the options."""
        among = tuple(options)
        used = len(self.told("drawn"))
        if used == len(self.draws):
            raise DrawWanted(purpose, among)
        value = self.draws[used]
        if value not in among:
            raise BadHistory(f"draw {used}: {value} is not one of {among}")
        self.tell("drawn", day, phase, "judge", purpose=purpose, options=list(among), value=value)
        return value


def gone(story: Story) -> list[int]:
    """Everybody dead so far, in the order in which deaths are counted (A1-33)."""
    dead: list[int] = []
    for fact in story.facts:
        if fact.kind == "dawn":
            dead += last_words_order(story.options, story.players, fact.day, fact.data["dead"])
        elif fact.kind == "voted_out":
            dead.append(fact.data["seat"])
    return dead


def living(story: Story) -> list[int]:
    dead = set(gone(story))
    return [s for s in story.roles if s not in dead]


def team(story: Story, role: str) -> list[int]:
    return [s for s in living(story) if story.roles[s] == role]


def counts(story: Story) -> Counter[str]:
    return Counter(story.roles[s] for s in living(story))


def dealt(story: Story) -> Counter[str]:
    return Counter(story.roles.values())


def needles_so_far(story: Story) -> dict[int, int]:
    reckonings = story.told("resolved")
    return dict(reckonings[-1].data["needles"]) if reckonings else {}


def silenced_on(story: Story, day: int) -> list[int]:
    """Silence lasts the one day after the night (A0-46)."""
    return [s for fact in story.told("silenced", day) for s in fact.data["seats"]]


def carried_in(story: Story, day: int) -> int | None:
    """Whom the butterfly carried in that night."""
    acts = [f.data["target"] for f in story.told("acted", day) if f.data["action"] == "carry"]
    return acts[0] if acts else None


def dead_of(story: Story, day: int) -> list[int]:
    return [s for fact in story.told("dawn", day) for s in fact.data["dead"]]
