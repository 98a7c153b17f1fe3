"""One cell of the matrix: a fault, the kind of call that it strikes, which of them in the game, and how often.

The game is played until it ends. Where the fault stops it, it is gone on with, at last with the fault removed. Then
three books must agree: the server's ledger, the transcript, and what is expected of the fault.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from players import canonical
from provider.books import Books
from provider.faults import FAULTS, HANDLINGS, TIMEOUT, Fault, Occasion, Outcome, Times
from provider.game import BESIDE, DISTURBED, KEY, Asking, play
from provider.ledger import Act, Entry, Ledger
from provider.model import Signing
from provider.server import Provider
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.replay import verified

Kind = Literal["speech", "last words", "vote", "night choice"]
Place = Literal["first", "middle", "last"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PLACES: tuple[Place, ...] = get_args(Place)
TIMES: tuple[Times, ...] = get_args(Times)
ASKED_AS: Mapping[Kind, frozenset[str]] = {
    "speech": frozenset(("speech",)),
    "last words": frozenset(("last_words",)),
    "vote": frozenset(("vote",)),
    "night choice": frozenset(("kill", "check")),
}
LONG = 10.0
"""Seconds that no request takes."""
CALM = Asking(LONG, 2 * LONG)
PATIENCE = 1.0
"""Seconds for which a fault that never ceases is tried again."""
_KIND = re.compile(r"[nd]\d+\.([a-z_]+?)\d*\.\d+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A fault, by its name, at one place, so many times."""

    name: str
    kind: Kind
    place: Place
    times: Times

    def __str__(self) -> str:
        return f"{self.name}: {self.place} {self.kind}, {self.times}"

    @property
    def fault(self) -> Fault:
        return FAULTS[self.name]

    @property
    def expected(self) -> Outcome:
        return HANDLINGS[self.fault.handling][1][self.times]

    @property
    def meaningless(self) -> str:
        """Why there is nothing to see in this cell; empty where there is."""
        if self.times == "twice" and self.place == "last" and self.fault.once_each:
            return "no further question of its kind follows, and the same is not asked again"
        return ""


def cells(names: Iterable[str]) -> list[Cell]:
    """All cells of these faults."""
    return [Cell(name, kind, place, times) for name in names for kind in KINDS for place in PLACES for times in TIMES]


@dataclass(slots=True)
class Result:
    """What came of a cell: how its game went on, at how many requests the fault was committed, and what is wrong."""

    outcome: Outcome
    cause: str
    committed: int
    requests: int
    problems: list[str] = field(default_factory=list)


class Injection:
    """Commits a cell's fault where it is due."""

    def __init__(self, cell: Cell, order: Sequence[str], model: Signing) -> None:
        """``order``: the cell's kind of questions as they come where nothing is wrong."""
        self._cell = cell
        self._model = model
        place = {"first": 0, "middle": len(order) // 2, "last": len(order) - 1}[cell.place]
        self.before, self.targets = frozenset(order[:place]), order[place:]
        self.struck: list[Entry] = []
        self.lifted = False
        self.stopped = float("inf")
        """When the game was stopped first: it is gone on with as by another process, which waits for nothing."""

    def rule(self, entry: Entry) -> Act:
        """What the server does with a request."""
        if self._cell.fault.commit is None or not self._is_due(entry):
            return self._model(entry)
        self.struck.append(entry)
        return self._cell.fault.act(Occasion(entry, self._model, len(self.struck)))

    def fails(self, entry: Entry) -> str:
        """By which fault the client's transport cannot send a request."""
        if self._cell.fault.commit is not None or not self._is_due(entry):
            return ""
        self.struck.append(entry)
        return self._cell.fault.name

    def is_meant(self, request: str) -> bool:
        """Whether the fault strikes this question."""
        match self._cell.times:
            case "always":
                return kind_of(request) in ASKED_AS[self._cell.kind] and request not in self.before
            case "twice" if self._cell.fault.once_each:
                return request in self.targets[:2]
            case _:
                return request == self.targets[0]

    def _is_due(self, entry: Entry) -> bool:
        if self.lifted or entry.game != DISTURBED.game or not self.is_meant(entry.request):
            return False
        most = {"once": 1, "twice": 2, "always": 10_000}[self._cell.times]
        again = self._cell.fault.once_each and any(entry.request == old.request for old in self.struck)
        return (
            len(self.struck) < most
            and self._cell.fault.part(entry.body)
            and (self._cell.times == "always" or not again)
        )


def kind_of(request: str) -> str:
    found = _KIND.fullmatch(request)
    assert found is not None, request
    return found[1]


class Bench:
    """A provider, and both games as they are where nothing is wrong."""

    def __init__(self, folder: Path) -> None:
        self.model = Signing()
        self.provider = Provider(self.model)
        self._folder = folder
        calm = {folder / "calm": (DISTURBED, CALM), folder / "calm_beside": (BESIDE, CALM)}
        assert play(self.provider, calm, lambda entry: "") == [None, None]
        self.calm = load(folder / "calm")
        self.beside = canonical(folder / "calm_beside")
        self._order = [request for wave in self.calm.waves for request in wave.replies]

    def close(self) -> None:
        self.provider.close()

    def run(self, cell: Cell) -> Result:
        """Play a cell, and look into all books."""
        order = [request for request in self._order if kind_of(request) in ASKED_AS[cell.kind]]
        injection = Injection(cell, order, self.model)
        self.provider.ledger, self.provider.rule = Ledger(), injection.rule
        path, beside = self._folder / "game", self._folder / "beside"
        for old in (path, beside):
            old.unlink(missing_ok=True)
        stops = self._play(cell, injection, path, beside)
        books = Books(load(path), self.provider.ledger.of(DISTURBED.game), injection.struck, stops, self.model)
        problems = [*books.differences(), *_unexpected(cell, injection, books, self.calm)]
        if canonical(beside) != self.beside:
            problems.append("the game beside it is another")
        if not (said := verified(path)).startswith("sound"):
            problems.append(said)
        if any(KEY in file.read_text() for file in (path, beside)):
            problems.append("the key stands in a transcript")
        return Result(*books.outcome, len(injection.struck), len(books.entries), problems)

    def _play(self, cell: Cell, injection: Injection, path: Path, beside: Path) -> list[Mapping[str, Any]]:
        """Play until it ends; the note of each time that it was stopped."""
        timeout = TIMEOUT if cell.fault.is_slow else LONG
        patience = PATIENCE + 1.5 * max(cell.fault.waits[1], TIMEOUT if cell.fault.is_slow else 0.0)
        is_ended = cell.times == "always" and cell.fault.handling == "again"
        asking = Asking(timeout, patience if is_ended else CALM.patience)
        games = {path: (DISTURBED, asking), beside: (BESIDE, CALM)}
        stops: list[Mapping[str, Any]] = []
        while (stopped := play(self.provider, games, injection.fails)[0]) is not None:
            injection.stopped = min(injection.stopped, time.monotonic())
            stops.append(load(path).void or {"cause": f"not noted: {stopped}"})
            if cell.times == "always" and (cell.fault.handling != "stop" or len(stops) == 2):
                injection.lifted = True
            games = {path: (DISTURBED, asking)}
            assert len(stops) < 4, "it does not go on"
        return stops


def _unexpected(cell: Cell, injection: Injection, books: Books, calm: Recording) -> Iterator[str]:
    """In what a game went on otherwise than it should after this fault."""
    fault = cell.fault
    if books.outcome != (expected := (cell.expected, "" if cell.expected == "finished" else fault.cause)):
        yield f"it is {books.outcome} instead of {expected}"
    stops = 0 if cell.expected != "void" else 1 if cell.times == "once" or fault.handling == "again" else 2
    if len(books.stops) != stops:
        yield f"it was stopped {len(books.stops)} times instead of {stops}"
    committed = len(injection.struck)
    least, most = {"once": (1, 1), "twice": (2, 2), "always": (1, 10_000)}[cell.times]
    if not (1 if fault.handling == "adapt" else least) <= committed <= most:
        yield f"the fault came {committed} times"
    if cell.times == "always" and fault.handling == "again" and committed < 2:
        yield "it was not tried again"
    tries = {fault.tried: fault.tries(committed) + len(books.late)} if fault.tried else {}
    if books.tries != tries and (books.unknown == 0 or books.tries.keys() != tries.keys()):
        yield f"the transcript's tries are {dict(books.tries)} instead of {tries}"
    without = {request for request, reply in books.replies.items() if reply.source != "model"}
    meant = {request for request in books.replies if cell.expected == "fallback" and injection.is_meant(request)}
    if without != meant:
        yield f"without an answer are {sorted(without)} instead of {sorted(meant)}"
    if not meant and _told(books.recorded) != _told(calm):
        yield "the game took another course"
    if fault.handling == "adapt":
        yield from _forgotten(fault, injection, books)
    yield from _hasty(fault, injection, books)


def _told(recorded: Recording) -> str:
    """What was answered and what happened, half characters left out."""
    text = json.dumps([[sorted(map(str, wave.replies.values())), wave.raw_events] for wave in recorded.waves])
    return text.replace("\\\\ud83d ", "").replace("\\ud83d ", "").replace("\\ufffd ", "")


def _forgotten(fault: Fault, injection: Injection, books: Books) -> Iterator[str]:
    """What was refused and is asked for again, in a later wave."""
    if not any(note["note"] == "adapted" for note in books.recorded.notes):
        yield "what was left out is not noted"
    waves = [set(wave.replies) for wave in books.recorded.waves]
    struck = {entry.request for entry in injection.struck}
    last = max(place for place, wave in enumerate(waves) if wave & struck)
    later = {request for wave in waves[last + 1 :] for request in wave}
    refused = {fault.part(entry.body) for entry in injection.struck}
    if any(fault.part(entry.body) in refused for entry in books.entries if entry.request in later):
        yield "what was refused is asked for again"


def _hasty(fault: Fault, injection: Injection, books: Books) -> Iterator[str]:
    """Calls that were made again before the endpoint's time."""
    for entry in injection.struck if fault.waits[0] else ():
        again = (each.began for each in books.entries if each.call == entry.call and each.began > entry.began)
        then = next(again, injection.stopped)
        if then < injection.stopped and then - entry.began < fault.waits[0]:
            yield "it was tried again before its time"
