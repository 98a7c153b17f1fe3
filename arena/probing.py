"""Probes: what the seats believe, asked aside at fixed points of a game.

A probe is no part of the game. It is asked of a copy of what the seat knows, its answer comes into no view and no
prompt, and a game with probes has the very events of the game without. Points, as they are written, and their names in
a transcript:

day       ``day_start``     before the first speech of the day
vote      ``before_vote``   before the first vote of the day; where each votes after speaking, its own seat before that
night     ``night_start``   when a night after the first begins
speech/K  ``after_speech``  within a day's speeches, after every K-th
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tianhei.arena.events import Ballots, Hand
from tianhei.arena.player import Ask
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import Record, View

POINTS: Mapping[str, str] = {
    "day": "day_start",
    "vote": "before_vote",
    "night": "night_start",
    "speech": "after_speech",
}
_STEP = "probe_"


class ProbeError(ValueError):
    """Points that cannot be; the message says which can."""


class Beliefs(NamedTuple):
    """What a seat believes of the living others.

    ``killer`` is the probability of each to be a killer; ``of_me`` how likely each of them thinks that this seat is
    one, None where the player has no opinion of that.
    """

    killer: Mapping[Seat, float]
    of_me: Mapping[Seat, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields of a transcript's line."""
        data: dict[str, Any] = {"killer": _rounded(self.killer)}
        return data if self.of_me is None else {**data, "of_me": _rounded(self.of_me)}


class Believer(Protocol):
    """A player that can be asked what it believes."""

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        """What it believes now. Raises Unusable where that cannot be had."""
        ...


@dataclass(frozen=True, slots=True)
class Probe:
    """One seat asked at one point; ``wave`` counts the waves that were closed by then."""

    point: str
    day: int
    wave: int
    seat: Seat

    @property
    def id(self) -> str:
        """The name of its calls, in the form of a request's id."""
        return f"d{self.day}.{_STEP}{self.point}{self.wave}.{self.seat:02}"

    @property
    def key(self) -> tuple[str, int, int, Seat]:
        """What is asked once: a seat at a point of a day, whichever wave is open then."""
        return self.point, self.day, self.wave if self.point == "after_speech" else 0, self.seat

    def to_json(self) -> dict[str, Any]:
        """The fields of a transcript's line that say who was asked, and when."""
        return {"probe": self.point, "day": self.day, "wave": self.wave, "seat": self.seat}


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a probe: the beliefs, or the ``cause`` for which there are none."""

    probe: Probe
    beliefs: Beliefs | None
    cause: str = ""


def probe_from_json(data: Mapping[str, Any]) -> Told:
    """Read a probe's line."""
    probe = Probe(data["probe"], data["day"], data["wave"], data["seat"])
    if "killer" not in data:
        return Told(probe, None, data["cause"])
    of_me = _by_seat(data["of_me"]) if "of_me" in data else None
    return Told(probe, Beliefs(_by_seat(data["killer"]), of_me))


def is_probe(call: str) -> bool:
    """Whether a call, by its id, is a probe's."""
    return f".{_STEP}" in call


def read_points(text: str) -> tuple[str, ...]:
    """Points as they are written, with commas between them. ProbeError says what is wrong with them."""
    return checked_points([point.strip() for point in text.split(",") if point.strip()])


def checked_points(points: Sequence[str]) -> tuple[str, ...]:
    """The same points, each once. ProbeError names one that cannot be."""
    for point in points:
        name, slash, every = point.partition("/")
        if name not in POINTS or (name == "speech") != bool(slash) or (slash and not _is_count(every)):
            raise ProbeError(f"{point!r} is no point for probes: there are day, vote, night, and speech/3 for every "
                             "third speech")  # fmt: skip
    return tuple(dict.fromkeys(points))


def due(points: Sequence[str], requests: Sequence[Request], record: Record, wave: int) -> Iterator[Probe]:
    """The probes that are due before these open requests are answered."""
    for point in points:
        name, _, every = point.partition("/")
        seats = _asked(name, int(every or 1), requests, record)
        yield from (Probe(POINTS[name], record.day, wave, seat) for seat in seats)


def _asked(point: str, every: int, requests: Sequence[Request], record: Record) -> Sequence[Seat]:
    """Who is asked at a point, if it has come."""
    kinds = {request.kind for request in requests}
    speaks = bool(kinds & {"speech", "speech_and_vote"}) and record.stage in ("speeches", "defence")
    match point:
        case "day":
            has_come = speaks and not record.spoken
        case "vote":
            if "speech_and_vote" in kinds:
                return [request.seat for request in requests]
            has_come = bool(kinds & {"vote", "hand"}) and not _has_voted(record)
        case "night":
            has_come = record.stage == "night" and record.day > 1 and bool(requests)
        case _:
            has_come = speaks and bool(record.spoken) and len(record.spoken) % every == 0
    return record.living if has_come else ()


def _has_voted(record: Record) -> bool:
    """Whether anybody has voted today."""
    for _, event in reversed(record.events):
        if event.day != record.day:
            return False
        if isinstance(event.body, Ballots | Hand):
            return True
    return False


def _is_count(text: str) -> bool:
    return text.isdecimal() and 0 < int(text) < 100


def _rounded(chances: Mapping[Seat, float]) -> dict[str, float]:
    return {str(seat): round(chance, 6) for seat, chance in sorted(chances.items())}


def _by_seat(data: Mapping[str, float]) -> dict[Seat, float]:
    return {int(seat): float(chance) for seat, chance in data.items()}
