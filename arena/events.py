"""What happened at the table, and who may know it.

An `Event` is an envelope (day, phase, audience) around one small typed body. Bodies carry data, never words: the
words for them live in `tianhei.prompts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_type_hints

from tianhei.arena.claims import Claim, claims_from_json
from tianhei.arena.roles import Role, Seat, Side

Phase = Literal["deal", "night", "dawn", "day", "vote", "over"]
Stage = Literal["round", "pk", "off_field", "revote"]
Audience: TypeAlias = tuple[Seat, ...] | Literal["public", "judge"]
PUBLIC: Literal["public"] = "public"
JUDGE: Literal["judge"] = "judge"
Action = Literal["carry", "shoot", "kill", "needle", "check", "silence"]
Sign = Literal["nod", "shake", "none", "no_check"]
Winner = Literal["good", "killers", "draw"]


@dataclass(frozen=True, slots=True)
class Body:
    """What an event says. ``kind`` is its name in the protocol and in transcripts."""

    kind: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Called(Body):
    """The judge calls a role at night, or a stage of the game with the seats it concerns, in their order."""

    kind: ClassVar[str] = "called"
    role: Role | None = None
    stage: str | None = None
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleDealt(Body):
    """To the seat: its card and side."""

    kind: ClassVar[str] = "role"
    role: Role
    side: Side


@dataclass(frozen=True, slots=True)
class Mates(Body):
    """To a team: all its seats, the reader's own included."""

    kind: ClassVar[str] = "mates"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Drawn(Body):
    """To the judge: a draw of chance. The deal's options and value are roles, a lot's are seats."""

    kind: ClassVar[str] = "drawn"
    purpose: str
    options: tuple[Seat | str, ...]
    value: Seat | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Handicap(Body):
    """To named seats: knowledge beyond the rules, given to a ceiling player and declared in the header."""

    kind: ClassVar[str] = "handicap"
    roles: dict[Seat, str]


@dataclass(frozen=True, slots=True)
class Stated(Body):
    """To the living team: a member's sealed statement, opened when the council's round is complete."""

    kind: ClassVar[str] = "stated"
    by: Seat
    target: Seat | None
    text: str
    round: int


@dataclass(frozen=True, slots=True)
class Agreed(Body):
    """To the living team: what its council decided."""

    kind: ClassVar[str] = "agreed"
    action: Action
    target: Seat | None


@dataclass(frozen=True, slots=True)
class Acted(Body):
    """To the seat: its own night action, so that it remembers it."""

    kind: ClassVar[str] = "acted"
    action: Action
    target: Seat | None


@dataclass(frozen=True, slots=True)
class Checked(Body):
    """To the police alive at nightfall: the judge's sign about a seat (``nod``, ``shake``, ``none``), or a role."""

    kind: ClassVar[str] = "checked"
    target: Seat
    answer: str


@dataclass(frozen=True, slots=True)
class Resolved(Body):
    """To the judge: the whole reckoning of a night, with the clauses that decided it.

    ``deaths`` gives each dead seat's causes, ``needles`` the totals above none, ``voids`` the actions that came
    to nothing because somebody was carried.
    """

    kind: ClassVar[str] = "resolved"
    actions: dict[str, Seat]
    deaths: dict[Seat, tuple[str, ...]]
    saved: tuple[Seat, ...] = ()
    empty_needles: tuple[Seat, ...] = ()
    needles: dict[Seat, int] = field(default_factory=dict)
    silenced: tuple[Seat, ...] = ()
    police: Sign = "no_check"
    voids: tuple[str, ...] = ()
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dawn(Body):
    """The night's dead in seat order; causes and what their cards were only by option."""

    kind: ClassVar[str] = "dawn"
    dead: tuple[Seat, ...]
    causes: dict[Seat, tuple[str, ...]] | None = None
    revealed: dict[Seat, str] | None = None


@dataclass(frozen=True, slots=True)
class Silenced(Body):
    """Who may not speak today."""

    kind: ClassVar[str] = "silenced"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Needled(Body):
    """To the seat, by option: it got an empty needle; its total so far."""

    kind: ClassVar[str] = "needled"
    total: int


@dataclass(frozen=True, slots=True)
class Speech(Body):
    """A speech; an empty text is a pass. ``claims`` are None where the speaker declared nothing."""

    kind: ClassVar[str] = "speech"
    by: Seat
    text: str
    stage: Stage = "round"
    claims: tuple[Claim, ...] | None = None


@dataclass(frozen=True, slots=True)
class LastWords(Body):
    """Last words; the ``number``-th of this game."""

    kind: ClassVar[str] = "last_words"
    by: Seat
    text: str
    number: int
    claims: tuple[Claim, ...] | None = None


@dataclass(frozen=True, slots=True)
class Note(Body):
    """To the seat: its own private note, which replaces the one before."""

    kind: ClassVar[str] = "note"
    text: str


@dataclass(frozen=True, slots=True)
class Hand(Body):
    """A hand raised in a called vote."""

    kind: ClassVar[str] = "hand"
    by: Seat
    candidate: Seat


@dataclass(frozen=True, slots=True)
class Ballots(Body):
    """Votes. Open: ``ballots`` by voter (None: abstained). Secret: ``totals`` by candidate and ``abstained``.

    ``void`` lists voters who could not be had. With ``after_speech`` each event holds the one ballot just cast.
    """

    kind: ClassVar[str] = "ballots"
    stage: Stage = "round"
    ballots: dict[Seat, Seat | None] | None = None
    totals: dict[Seat, int] | None = None
    abstained: int = 0
    void: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Demanded(Body):
    """A player demanded a PK of these seats; the judge honours the first demand in the day's order."""

    kind: ClassVar[str] = "demanded"
    by: Seat
    seats: tuple[Seat, ...]
    honoured: bool


@dataclass(frozen=True, slots=True)
class Tied(Body):
    """Several seats have the most votes, in the day's order; what comes ``next`` is a stage or a result."""

    kind: ClassVar[str] = "tied"
    seats: tuple[Seat, ...]
    next: str


@dataclass(frozen=True, slots=True)
class VotedOut(Body):
    """A seat is out by public decision; ``revealed`` is its side or role by option."""

    kind: ClassVar[str] = "voted_out"
    seat: Seat
    revealed: str | None = None


@dataclass(frozen=True, slots=True)
class Reminder(Body):
    """The judge's public reminder, the same for everybody who earns it."""

    kind: ClassVar[str] = "reminder"
    seat: Seat
    rule: str


@dataclass(frozen=True, slots=True)
class Flag(Body):
    """To the judge: a breach of conduct, of no effect on play."""

    kind: ClassVar[str] = "flag"
    seat: Seat
    rule: str


@dataclass(frozen=True, slots=True)
class Over(Body):
    """The end: who won, and the rule by which."""

    kind: ClassVar[str] = "over"
    winner: Winner
    reason: str


@dataclass(frozen=True, slots=True)
class Revealed(Body):
    """After the end: every card, seat 1 first."""

    kind: ClassVar[str] = "revealed"
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class Foreign(Body):
    """What an imported game tells and ours has no word for: the ``name`` and ``data`` are its source's.

    Seats that leave the game by it stand in ``data`` under ``out``.
    """

    kind: ClassVar[str] = "foreign"
    name: str
    data: dict[str, Any]


class Event(NamedTuple):
    """One thing that happened: on which day, in which phase, told to whom."""

    day: int
    phase: Phase
    audience: Audience
    body: Body

    def to_json(self) -> dict[str, Any]:
        """The event as it stands in the protocol; optional fields that are None are left out."""
        body = self.body
        data: dict[str, Any] = {
            "kind": body.kind,
            "day": self.day,
            "phase": self.phase,
            "audience": self.audience,
        }
        names, values, optional = _SHAPES[body.kind]
        data.update(zip(names, values(body)))  # noqa: B905 - as long by their making
        for name in optional:
            if data[name] is None:
                del data[name]
            elif name == "claims":
                data[name] = [claim.to_json() for claim in data[name]]
        return data

    def visible_to(self, seat: Seat) -> bool:
        """Whether the audience holds this seat."""
        return self.audience == PUBLIC or (self.audience != JUDGE and seat in self.audience)


def _seats(value: Any) -> tuple[Any, ...]:
    return tuple(value)


def _by_seat(value: Any) -> Any:
    return {int(seat): tuple(item) if isinstance(item, list) else item for seat, item in value.items()}


def _reader(name: str, hint: Any) -> Callable[[Any], Any] | None:
    """How a field is read back from JSON; None where the value is already right."""
    text = str(hint)
    if name == "claims":
        return claims_from_json
    if name == "role":
        return Role.named
    if name == "roles" and "Role" in text:
        return lambda value: tuple(map(Role.named, value))
    if name == "value":
        return lambda value: tuple(value) if isinstance(value, list) else value
    if "dict[int" in text:
        return _by_seat
    return _seats if "tuple[" in text else None


BODIES: Mapping[str, type[Body]] = {body.kind: body for body in Body.__subclasses__()}


def _shape(body: type[Body]) -> tuple[tuple[str, ...], Callable[[Body], tuple[Any, ...]], tuple[str, ...]]:
    """A body's field names, how to take their values all at once, and which are left out where they are None."""
    names = tuple(item.name for item in fields(body))
    values = (lambda item: (getattr(item, names[0]),)) if len(names) == 1 else attrgetter(*names)
    return names, values, tuple(item.name for item in fields(body) if item.default is None)


_SHAPES = {kind: _shape(body) for kind, body in BODIES.items()}
_READERS = {
    kind: {name: _reader(name, hint) for name, hint in get_type_hints(body).items()} for kind, body in BODIES.items()
}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Read an event back. ValueError names an unknown kind or a missing field."""
    kind = str(data.get("kind"))
    if kind not in BODIES:
        raise ValueError(f"unknown event kind {kind!r}")
    read = _READERS[kind]
    values = {
        name: (reader(data[name]) if (reader := read[name]) and data[name] is not None else data[name])
        for name in _SHAPES[kind][0]
        if name in data
    }
    audience = data.get("audience", PUBLIC)
    try:
        body = BODIES[kind](**values)
        return Event(data["day"], data["phase"], tuple(audience) if isinstance(audience, list) else audience, body)
    except (TypeError, KeyError) as error:
        raise ValueError(f"event {kind!r}: {error}") from None
