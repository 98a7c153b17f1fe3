"""Positions in one line: cards by letter, nights and ballots as text, and whoever answers by a plain rule.

Cards are written ``B S D P E K1 K2 C1`` (butterfly, sniper, doctor, police, elder, killers, civilians), seat 1 first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tianhei.arena.chance import Deal, Given
from tianhei.arena.events import PUBLIC, Body
from tianhei.arena.requests import ABSENT, Answer, Request, check
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly, make
from tianhei.arena.script import Script
from tianhei.arena.table import Table

T = TypeVar("T")
B = TypeVar("B", bound=Body)
Answering = Callable[[Request], Answer]
Cast = Mapping[Seat, Seat | None]

CARDS = {
    "B": Role.BUTTERFLY, "S": Role.SNIPER, "D": Role.DOCTOR, "P": Role.POLICE, "E": Role.ELDER,
    "K": Role.KILLER, "C": Role.CIVILIAN,
}  # fmt: skip
THIRTEEN = "B S D P E K1 K2 K3 C1 C2 C3 C4 C5"
EIGHTEEN = "B S D P1 P2 E K1 K2 K3 K4 K5 C1 C2 C3 C4 C5 C6 C7"
TWELVE = "K1 K2 K3 P1 P2 P3 C1 C2 C3 C4 C5 C6"
PASS = Answer()


def roles(cards: str) -> tuple[Role, ...]:
    return tuple(CARDS[name[0]] for name in cards.split())


@dataclass
class Seats:
    """Who sits where: names to seats and back."""

    cards: str

    def __getitem__(self, name: str) -> Seat:
        return self.cards.split().index(name) + 1

    def name(self, seat: Seat) -> str:
        return self.cards.split()[seat - 1]

    def names(self, seats: Iterable[Seat]) -> set[str]:
        return {self.name(seat) for seat in seats}


def table_of(
    cards: str, game: str = "butterfly", *, dead: str = "", day: int = 1, lots: Sequence[Seat] = (), **options: Any
) -> Table:
    """A table with these cards, some of them dead before, on a day of your choice."""
    table = Table(make(game, options), Deal(roles(cards)), Given(lots))
    seats = Seats(cards)
    table.out(seats[name] for name in dead.split())
    table.day = day
    return table


@dataclass
class Dawn:
    """What a night came to, by name."""

    deaths: dict[str, list[str]]
    saved: set[str]
    empty: set[str]
    needles: dict[str, int]
    silenced: set[str]
    police: str
    because: list[str]


def actions_of(seats: Seats, acts: str) -> dict[str, Seat | None]:
    """``carry C1, kill B`` as actions by seat."""
    pairs = (act.split() for act in acts.split(",") if act.strip())
    return {action: seats[target] for action, target in pairs}


def dawn_of(acts: str, *, before: str = "", cards: str = THIRTEEN, dead: str = "", **options: Any) -> Dawn:
    """The night ``carry C1, kill B``, with empty needles ``before`` (``C1=1 B=1``)."""
    seats = Seats(cards)
    rules = make("butterfly", options)
    assert isinstance(rules, Butterfly)
    needles = {seats[name]: int(count) for name, count in (each.split("=") for each in before.split())}
    alive = [seats[name] for name in cards.split() if name not in dead.split()]
    result = resolve(rules, roles(cards), alive, needles, actions_of(seats, acts))
    return Dawn(
        {seats.name(seat): causes for seat, causes in result.deaths.items()},
        seats.names(result.saved),
        seats.names(result.empty),
        {seats.name(seat): count for seat, count in result.needles.items()},
        seats.names(result.silenced),
        result.police,
        result.because,
    )


@dataclass
class Played(Generic[T]):
    """A script that has run: its result, and the waves that it asked."""

    result: T
    waves: list[tuple[Request, ...]] = field(default_factory=list)

    def asked(self, *kinds: str) -> list[Request]:
        return [request for wave in self.waves for request in wave if not kinds or request.kind in kinds]


def play(script: Script[T], answering: Answering) -> Played[T]:
    """Run a script; every answer must be one that its request offers."""
    waves: list[tuple[Request, ...]] = []
    try:
        wave = next(script)
        while True:
            waves.append(wave)
            answers = tuple(answering(request) for request in wave)
            for request, answer in zip(wave, answers, strict=True):
                check(request, answer)
            wave = script.send(answers)
    except StopIteration as stop:
        return Played(stop.value, waves)


def passing(request: Request) -> Answer:
    """Pass wherever one may; else the first who can be named."""
    if request.may_pass:
        return PASS
    return Answer(raised=True) if request.kind == "hand" else Answer(target=request.options[0])


def ballots(text: str) -> Cast:
    """``1>2 2>- 3>1``: who voted for whom; - abstains. Whoever is left out is absent."""
    pairs = (each.split(">") for each in text.split())
    return {int(voter): None if target == "-" else int(target) for voter, target in pairs}


def voting(*votes: Cast | str, demands: Mapping[Seat, Sequence[Seat]] | None = None) -> Answering:
    """Cast these votes of a day one after another; pass wherever else one is asked."""
    cast = [ballots(vote) if isinstance(vote, str) else vote for vote in votes]

    def answering(request: Request) -> Answer:
        if request.kind == "demand":
            return Answer(targets=tuple((demands or {}).get(request.seat, ())))
        if request.kind not in ("vote", "hand", "speech_and_vote"):
            return passing(request)
        vote = cast[request.round - 1]
        if request.seat not in vote:
            return ABSENT
        target = vote[request.seat]
        return Answer(raised=target == request.options[0]) if request.kind == "hand" else Answer(target=target)

    return answering


def naming(targets: Mapping[str, str | Sequence[str | None] | None], seats: Seats) -> Answering:
    """At night each names his target; a list gives one for each round of a council. Others pass."""

    def answering(request: Request) -> Answer:
        named = targets.get(seats.name(request.seat))
        if named is not None and not isinstance(named, str):
            named = named[request.round - 1]
        return Answer(target=seats[named]) if named else passing(request)

    return answering


def told(table: Table, kind: type[B], seat: Seat | None = None) -> list[B]:
    """What was told of one kind: in public, or to one seat besides."""
    return [
        event.body
        for event in table.events
        if isinstance(event.body, kind) and (event.audience == PUBLIC if seat is None else event.visible_to(seat))
    ]


def kept(table: Table, kind: type[B]) -> list[B]:
    """What the judge alone was told."""
    return [event.body for event in table.events if isinstance(event.body, kind) and event.audience == "judge"]


SEATED: Mapping[str, tuple[str, dict[str, Any]]] = {
    "classic": (TWELVE, {"vote_form": "simultaneous"}),
    "butterfly": (THIRTEEN, {}),
}
"""A usual table of each game, and the options that make it quick to play."""
