"""A fork: a game's own beginning under a new header, which names the parent; from there on it may be played otherwise.

A fork keeps whole waves, with their replies and events; calls, notes and probes stay with the parent. Cards and lots of
the part that is kept are the parent's and stand in the header; so the header's seed may be another, and then players'
luck and the lots to come are others too. Its script is run again as it is made: but for what a handicap tells, its
events are the parent's to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from tianhei.arena.events import Drawn, Event
from tianhei.arena.referee import Differs, Referee, Wave
from tianhei.arena.requests import CLAIMING, Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import Views
from tianhei.transcripts.file import TranscriptError, chain, parse, to_bytes
from tianhei.transcripts.game import RecordedReply, Recording, events_to_json, recording, wave_to_json
from tianhei.transcripts.header import Header
from tianhei.transcripts.replay import played_again, rebuild

DELETED = "deleted"
"""The source of an answer that a fork made a pass."""
_SUM = slice(-10, -2)
"""Where a line's sum stands in its bytes."""
_SEAT_ON_DAY = re.compile(r"(\d+)@d(\d+)")
_ORDINAL = re.compile(r"\d+$")


class Cut(NamedTuple):
    """A place where a game can be cut: before wave number ``wave`` was asked, in which these requests were open."""

    wave: int
    requests: tuple[str, ...]

    def is_at(self, where: str) -> bool:
        """Whether one of the requests is meant: by its id, or by the id without seat, ordinal or step.

        A vote by called hands is meant by its name as a vote too, and then from its first call on.
        """
        return any(_fits(request, where) or _fits(as_vote(request), where) for request in self.requests)


_HAND = re.compile(r"\.hand\d+_")


def as_vote(request: str) -> str:
    """The name of a raised hand's request as one of its vote: ``d1.vote1.03`` for ``d1.hand04_1.03``."""
    return _HAND.sub(".vote", request)


class Words(NamedTuple):
    """Something that was said: in which wave, to which request, and by which seat."""

    wave: int
    request: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Fork:
    """A game's beginning, ready to be written and gone on with."""

    header: Header
    waves: tuple[Mapping[str, Any], ...]

    def lines(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The lines of its file."""
        yield "header", self.header.to_json()
        yield from (("wave", wave) for wave in self.waves)

    def write(self, path: Path) -> None:
        """Write the file. TranscriptError if there is one already, or it cannot be written."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.writelines(chain(self.lines()))
        except OSError as error:
            raise TranscriptError(f"{path}: cannot be written: {error.strerror or error}") from None


class Parent:
    """A recorded game, run again, to be forked. Damaged, TranscriptError or Differs where it is not sound."""

    def __init__(self, path: Path | str) -> None:
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise TranscriptError(f"{path}: {error.strerror or error}") from None
        contents = parse(data, path)
        self.path = path
        self.recorded: Recording = recording(contents, path)
        raw = data.split(b"\n")
        self._sums = [raw[line.number][_SUM].decode() for line in contents.lines if line.kind == "wave"]
        self.referee: Referee
        self.views: Views
        self.referee, self.views = rebuild(self.recorded)

    @property
    def waves(self) -> Sequence[Wave]:
        """The waves that are closed."""
        return self.referee.waves[: len(self.recorded.waves)]

    def cuts(self) -> list[Cut]:
        """Every place where the game can be cut, in order; the last may be where an unfinished game stands."""
        found = [Cut(number, _ids(wave.requests)) for number, wave in enumerate(self.waves) if wave.requests]
        if self.waves and self.referee.open:
            found.append(Cut(len(self.waves), tuple(self.referee.open)))
        return found

    def cut(self, where: str) -> Cut:
        """The first cut of that name: ``d2``, ``d2.vote``, ``d2.vote1``, ``d2.vote1.03``. TranscriptError lists all."""
        for cut in self.cuts():
            if cut.is_at(where):
                return cut
        raise TranscriptError(f"{self.path}: there is no cut {where!r}; there are {self._listed()}, each also as a "
                              "day alone (d2) or for one seat (d2.vote1.03)")  # fmt: skip

    def words(self, what: str) -> Words:
        """What was said, by its request's id, its event's number, or as ``3@d1``. TranscriptError says what was."""
        said = list(self.said())
        if what.isdecimal():
            found = [words for number, words in said if number == int(what)]
        elif seat := _SEAT_ON_DAY.fullmatch(what):
            day = f"d{seat[2]}."
            found = [words for _, words in said if words.seat == int(seat[1]) and words.request.startswith(day)]
        else:
            found = [words for _, words in said if _fits(words.request, what)]
        if len(found) == 1:
            return found[0]
        there = ", ".join(words.request for words in found or [words for _, words in said]) or "nothing"
        problem = "is more than one speech" if found else "is nothing that was said"
        raise TranscriptError(f"{self.path}: {what!r} {problem}; name one by its request: {there}")

    def fork(self, waves: int, header: Header, deleted: Words | None = None) -> Fork:
        """Keep the first ``waves`` waves under ``header``, whose cards, lots and parent are filled in here.

        ``deleted`` was said in the last of these waves: there its seat passes instead (a vote that it cast stays).
        """
        header = replace(header, **self.kept(waves, header.seed), parent=self._named(waves, deleted))
        referee = header.referee()
        if deleted and deleted.wave != waves - 1:
            raise ValueError(f"{deleted.request} was said in wave {deleted.wave}, which is not the last one kept")
        replies = [dict(wave.replies) for wave in self.recorded.waves[:waves]]
        if deleted:
            replies[deleted.wave][deleted.request] = _silent(replies[deleted.wave][deleted.request])
        written = []
        for number, (was, wave) in enumerate(zip(self.waves[:waves], played_again(referee, replies), strict=False)):
            if not (deleted and number == deleted.wave):
                _require_same(self.path, number, was, wave)
            written.append(wave_to_json(number, wave, replies[number]))
        return Fork(header, tuple(written))

    def kept(self, waves: int, seed: int | str) -> dict[str, Any]:
        """What a header needs to come to the first waves under any seed: the cards, and the lots that were drawn.

        Lots that the parent's header gives and that were not drawn yet hold under its own seed alone.
        """
        drawn = [event.body for wave in self.waves[:waves] for event in wave.events if isinstance(event.body, Drawn)]
        lots = tuple(draw.value for draw in drawn if isinstance(draw.value, int))
        was = self.recorded.header
        left = was.lots[len(lots) :] if seed == was.seed else ()
        return {"deal": was.dealt().roles, "lots": lots + left}

    def _named(self, waves: int, deleted: Words | None) -> dict[str, Any]:
        named = {"game": self.recorded.header.game, "waves": waves, "sum": self._sums[waves - 1]}
        return {**named, "deleted": deleted.request} if deleted else named

    def said(self) -> Iterator[tuple[int, Words]]:
        """All that was said in public and was no pass, with the number of its event."""
        number = -1
        for place, wave in enumerate(self.waves):
            asked = {request.seat: request for request in wave.requests if request.kind in CLAIMING}
            for event in wave.events:
                number += 1
                if event.body.kind in ("speech", "last_words"):
                    by = getattr(event.body, "by", 0)
                    if by in asked and getattr(event.body, "text", "") + _claimed(event):
                        yield number, Words(place, asked[by].id, by)

    def _listed(self) -> str:
        """The names of all cuts without seats, by day."""
        names = dict.fromkeys(request.rpartition(".")[0] for cut in self.cuts() for request in cut.requests)
        return ", ".join(names)


def _claimed(event: Event) -> str:
    return "claims" if getattr(event.body, "claims", None) else ""


def _fits(request: str, where: str) -> bool:
    """Whether a request is the one meant, by its whole id or a beginning of it."""
    when, step, seat = request.split(".")
    named, *more = where.split(".")
    steps = (step, _ORDINAL.sub("", step))
    if named != when or len(more) > 2 or (more and more[0] not in steps):
        return False
    return len(more) < 2 or (more[1].isdecimal() and int(more[1]) == int(seat))


def _ids(requests: Sequence[Request]) -> tuple[str, ...]:
    return tuple(request.id for request in requests)


def _silent(reply: RecordedReply) -> RecordedReply:
    """The same reply without a word."""
    claims = None if reply.answer.claims is None else ()
    return RecordedReply(reply.request, Answer(target=reply.answer.target, claims=claims), DELETED)


def _require_same(path: Path | str, number: int, was: Wave, wave: Wave) -> None:
    """Differs unless the events are the same to the byte, but for what handicaps tell."""
    old, new = (to_bytes([data for data in events_to_json(each) if data["kind"] != "handicap"]) for each in (was, wave))
    if old != new:
        raise Differs(f"{path}: wave {number} comes to other events in the fork")
