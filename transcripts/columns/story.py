"""One game, read once for all of its tables: the events with their places, who answered, who died, who claimed what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from tianhei.arena.events import Dawn, Event, Foreign, Resolved, RoleDealt, Tied, VotedOut
from tianhei.arena.roles import Seat, Side
from tianhei.arena.rules.options import Rules
from tianhei.transcripts.claims.grounding import Heard, Statement
from tianhei.transcripts.claims.ledger import Entry, Judging, is_police, readings
from tianhei.transcripts.game import RecordedReply, Recording

_STEP = re.compile(r"([a-z_]+?)(?:(\d+)_)?(\d+)")
_KINDS = {"pk": "speech", "off_field": "speech", "revote": "speech", "defence": "speech_and_vote"}
FALLBACK = "fallback:"
NO_CLAIM = ("ask", "retract")
"""Kinds that assert nothing."""


class Told(NamedTuple):
    """An event with its place in the game, and the wave that it closed in."""

    place: int
    wave: int
    event: Event


class Asked(NamedTuple):
    """What the id of a request says: the day, whether at night, the kind, the stage of a speech, the candidate."""

    day: int
    night: bool
    kind: str
    stage: str | None
    candidate: Seat | None
    seat: Seat


class Death(NamedTuple):
    """A seat that left; ``phase`` is ``night`` or ``vote``."""

    place: int
    day: int
    phase: str
    seat: Seat
    cause: str | None
    revealed: str | None


def asked(request: str) -> Asked:
    """Read a request's id, as ``d2.hand07_1.03``."""
    when, step, seat = request.split(".")
    kind, stage, candidate = _step(step)
    return Asked(int(when[1:]), when[0] == "n", kind, stage, candidate, int(seat))


@lru_cache(maxsize=4096)
def _step(step: str) -> tuple[str, str | None, Seat | None]:
    found = _STEP.fullmatch(step)
    if found is None:
        return step, None, None
    name, candidate, _ = found.groups()
    stage = name if _KINDS.get(name) == "speech" else "round" if name in ("speech", "defence") else None
    return _KINDS.get(name, name), stage, int(candidate) if candidate else None


def who(source: str) -> str:
    """Who answered, without the cause of a fallback; ``bot:takeover`` stays as it is."""
    return "fallback" if source.startswith(FALLBACK) else source


@dataclass
class Story:
    """A recording with what several tables need of it."""

    recording: Recording

    @cached_property
    def game(self) -> str:
        return self.recording.header.game

    @property
    def is_ours(self) -> bool:
        """Whether it was played by our rules, so that more is known than was written down."""
        return self.recording.header.source is None

    @property
    def rules(self) -> Rules:
        return self.recording.header.rules

    @property
    def seats(self) -> range:
        return range(1, len(self.recording.header.seats) + 1)

    @cached_property
    def told(self) -> list[Told]:
        """All events."""
        found: list[Told] = []
        for number, wave in enumerate(self.recording.waves):
            found += [Told(place, number, event) for place, event in enumerate(wave.events, start=len(found))]
        return found

    @cached_property
    def _dealt(self) -> dict[Seat, tuple[str, str]]:
        return {
            audience[0]: (str(body.role), str(body.side))
            for _, _, (_, _, audience, body) in self.told
            if isinstance(body, RoleDealt) and isinstance(audience, tuple) and len(audience) == 1
        }

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Every card, seat 1 first."""
        dealt = self._dealt
        if len(dealt) == len(self.seats):
            return tuple(dealt[seat][0] for seat in self.seats)
        return tuple(map(str, self.recording.header.dealt().roles))

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """Every side, seat 1 first."""
        dealt = self._dealt
        if len(dealt) == len(self.seats):
            return tuple(dealt[seat][1] for seat in self.seats)
        return tuple(map(str, self.recording.header.sides))

    def is_killer(self, seat: Seat) -> bool:
        """Whether a seat is on the killers' side."""
        return self.sides[seat - 1] == Side.KILLERS

    def killers_among(self, seats: Sequence[Seat]) -> int:
        return sum([self.is_killer(seat) for seat in seats])

    @cached_property
    def replies(self) -> list[tuple[int, Asked, RecordedReply]]:
        """Every reply, with its wave and what its request's id says."""
        return [
            (number, asked(request), reply)
            for number, wave in enumerate(self.recording.waves)
            for request, reply in wave.replies.items()
        ]

    @cached_property
    def sources(self) -> dict[tuple[int, Seat], str]:
        """Who answered, by wave and seat."""
        return {(wave, found.seat): who(reply.source) for wave, found, reply in self.replies}

    @cached_property
    def deaths(self) -> list[Death]:
        """Who left, in order."""
        return list(self._deaths())

    @cached_property
    def gone(self) -> dict[int, list[Seat]]:
        """Who left, by the place of the event by which they did."""
        found: dict[int, list[Seat]] = {}
        for death in self.deaths:
            found.setdefault(death.place, []).append(death.seat)
        return found

    def _deaths(self) -> Iterator[Death]:
        hit: dict[Seat, tuple[str, ...]] = {}
        by = "vote"
        for place, _, (day, phase, _, body) in self.told:
            match body:
                case Resolved(deaths=deaths):
                    hit, by = deaths, "vote"
                case Tied(next=then):
                    by = then if then in ("lot", "all") else "vote"
                case Dawn(dead=dead, causes=causes, revealed=revealed):
                    for seat in dead:
                        cause = hit.get(seat) or (causes or {}).get(seat)
                        yield Death(
                            place, day, "night", seat, "+".join(cause) if cause else None, (revealed or {}).get(seat)
                        )
                    hit, by = {}, "vote"
                case VotedOut(seat=seat, revealed=shown):
                    yield Death(place, day, "vote", seat, by, shown)
                case Foreign(name=name, data=data) if "out" in data:
                    for seat in data["out"]:
                        yield Death(place, day, "night" if phase in ("night", "dawn") else "vote", seat, name, None)
                case _:
                    pass

    @cached_property
    def _read(self) -> tuple[list[Entry], list[Statement]]:
        """What all speeches claim, and what they state of the public record: each speech is read once for both."""
        judging, heard = Judging(self.recording), Heard()
        claims: list[Entry] = []
        statements: list[Statement] = []
        for said in readings(self.recording):
            claims += judging.of(said)
            statements += heard.of(said)
        return claims, statements

    @property
    def claims(self) -> list[Entry]:
        """The ledger of the game."""
        return self._read[0]

    @property
    def statements(self) -> list[Statement]:
        """What was said of the public record."""
        return self._read[1]

    @cached_property
    def assertions(self) -> list[tuple[int, int, Seat]]:
        """Where somebody asserted something in public: the place, the day, the speaker."""
        found = [(entry.event, entry.day, entry.seat) for entry in self.claims if entry.claim.kind not in NO_CLAIM]
        return list(dict.fromkeys(found))

    @cached_property
    def officers(self) -> list[tuple[int, Seat]]:
        """Where somebody first said that it is police, or reported a check: the place and the speaker."""
        found: dict[Seat, int] = {}
        for entry in self.claims:
            if is_police(entry):
                found.setdefault(entry.seat, entry.event)
        return [(place, seat) for seat, place in found.items()]
