"""How games are answered: in the open by what all can see, in the dark by a key of its own.

Two games with one ``open`` key go on alike for as long as the table sees the same; ``dark`` varies the night's targets,
and ``quiet`` what comes to nothing in the open: whispers, notes, and who cast which ballot of a secret vote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from tianhei.arena.chance import Keyed
from tianhei.arena.claims import Claim
from tianhei.arena.requests import ABSENT, CLAIMING, TARGETED, Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import Rules
from tianhei.arena.view import Record

SEED = "a-seed-that-nobody-may-read"
"""The game's seed: it may be met nowhere, since the deal follows from it."""
SECRET = ("secret", "after_speech_secret")


def number(*parts: object) -> int:
    """A number that depends on all of these."""
    return crc32("/".join(map(str, parts)).encode()) >> 3


@dataclass(frozen=True)
class Manner:
    """The three keys of one way of answering."""

    open: int = 0
    dark: int = 0
    quiet: int = 0

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        """Lots: those of the councils are dark."""
        key = self.dark if purpose.startswith(("kill", "check")) else self.open
        return Keyed(f"{SEED}/{key}").draw(purpose, day, options)

    def answer(self, request: Request, rules: Rules, record: Record) -> Answer:
        """The answer to one request; ``record`` is the public story."""
        note = number(self.quiet, "note", request.id)
        given = self._in_the_dark(request) if request.id.startswith("n") else self._in_the_open(request, rules, record)
        return given if given.absent or note % 4 else given._replace(note=f"note {note % 1000}")

    def _in_the_dark(self, request: Request) -> Answer:
        """By kind, night and round; in a first round of odd keys, by seat as well, so that councils disagree."""
        night = request.id.split(".")[0]
        who = request.seat if self.dark % 2 and request.round == 1 else 0
        lot = number(self.dark, request.kind, night, request.round, who)
        if number(self.dark, "absent", request.id) % 31 == 0:
            return ABSENT
        target = None if request.may_pass and lot % 7 == 0 else request.options[lot % len(request.options)]
        whisper = number(self.quiet, "whisper", request.id)
        return Answer(target=target, text=f"whisper {whisper % 100}"[: request.text])

    def _in_the_open(self, request: Request, rules: Rules, record: Record) -> Answer:
        lot = number(self.open, request.id)
        if lot % 37 == 0 and not (rules.vote_form in SECRET and request.kind in TARGETED):
            return ABSENT
        target: Seat | None = None
        if request.kind in TARGETED:
            target = self._ballot(request, rules, record)
        claims = None
        if request.kind in CLAIMING and lot % 3 == 0:
            claims = (Claim("role", request.seat, ("killer", "police")[lot % 2]),)
        text = ("我是杀手。", f"{request.seat} speaks: {lot % 1000}.", "")[lot % 5 % 3]
        return Answer(
            target=target,
            text=text[: request.text] if request.kind in CLAIMING else "",
            targets=tuple(sorted(request.options)[:2])
            if request.kind == "demand" and lot % 4 == 0 and len(request.options) > 1
            else (),
            raised=request.kind == "hand" and (not request.may_pass or lot % 4 == 0),
            claims=claims,
        )

    def _ballot(self, request: Request, rules: Rules, record: Record) -> Seat | None:
        """Most follow one favourite of the day; a secret vote's ballots are dealt round among the voters."""
        voter: object = request.seat
        if rules.vote_form in SECRET:
            voter = (record.living.index(request.seat) + self.quiet) % len(record.living)
        lot = number(self.open, "vote", record.day, request.round, voter)
        if request.may_pass and lot % 9 == 0:
            return None
        favourite = number(self.open, "favourite", record.day)
        return request.options[(favourite if lot % 3 else lot) % len(request.options)]


def wrong(request: Request, players: int) -> Iterator[Answer]:
    """Answers that the request does not offer, as its own text shows."""
    yield Answer(target=players + 1)
    yield Answer(text="x" * (request.text + 1))
    yield Answer(targets=(1,))
    yield Answer(absent=True, text="x")
    if request.kind != "hand":
        yield Answer(raised=True)
    if request.kind not in CLAIMING:
        yield Answer(claims=())
    if not request.may_pass:
        yield Answer()
    if request.kind in TARGETED:
        yield from (Answer(target=seat) for seat in range(1, players + 1) if seat not in request.options)
