"""After each wave, what a player in each seat is given: its `View` against what the oracle lets that seat know by then.

Compared are the events of the view in their order, and what the view has made of them: card, side, mates, signs, acts,
statements, note, and who lives. The oracle models no notes: a seat's own stand in its answers, and nobody else's view
holds one. Of what else the oracle does not model (`normal.UNCOMPARED`) the record must hold what is public, and no view
more than what is told to its seat or, with open eyes, to anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracle import game
from oracle.options import Options
from oracle.story import Fact
from proof.normal import Normal, Told, kept
from tianhei.arena.events import PUBLIC, Event, Note
from tianhei.arena.referee import Wave
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Rules
from tianhei.arena.view import View, Views

Act = tuple[int, str, Seat | None]
"""Night, action, target."""
Left = frozenset[tuple[int, str]]
"""R-CARRIED-COUNCIL: nights and actions of councils whose `agreed` is checked by itself."""
Mismatch = tuple[str, Any, Any]
"""What differs, what the engine's view has, what the oracle lets the seat know."""


@dataclass
class Known:
    """What the oracle has let one seat know, in the form in which a `View` keeps it."""

    role: str | None = None
    side: str | None = None
    mates: tuple[Seat, ...] = ()
    checks: list[tuple[int, Seat, str]] = field(default_factory=list)
    actions: list[Act] = field(default_factory=list)
    statements: list[tuple[int, Seat, Seat | None]] = field(default_factory=list)
    note: str = ""

    def learn(self, seat: Seat, fact: Fact) -> None:
        """One more fact that is told to this seat."""
        data = fact.data
        match fact.kind:
            case "role":
                self.role, self.side = data["role"], data["side"]
            case "mates":
                self.mates = tuple(other for other in data["seats"] if other != seat)
            case "checked":
                self.checks.append((fact.day, data["target"], data["answer"]))
            case "acted" | "agreed":
                self.actions.append((fact.day, data["action"], data["target"]))
            case "stated":
                self.statements.append((fact.day, data["by"], data["target"]))
            case _:
                pass


class Watch:
    """The views of one game beside the oracle's facts, wave by wave."""

    def __init__(self, rules: Rules, roles: Sequence[str], options: Options, facts: Sequence[Fact], told: Normal,
                 left: Left) -> None:  # fmt: skip
        self.seats = range(1, len(roles) + 1)
        self.views = Views(rules, {role: roles.count(role) for role in map(Role, roles)})
        self._facts, self._told, self._left = facts, told, left
        self._hearers = game.hearers(options, facts, self.seats)
        self._gone = {seat: game.left_at(facts, seat) for seat in self.seats} if options["dead_view"] == "all" else {}
        self._living = tuple(self.seats)
        self._views = {seat: self.views.of(seat) for seat in self.seats}
        self._known = {seat: Known() for seat in self.seats}
        self._public = 0
        self._seen: dict[Seat, list[Event]] = {seat: [] for seat in self.seats}
        self._private = dict.fromkeys(self.seats, 0)

    def wave(self, wave: Wave, answers: Mapping[str, Mapping[str, Any]], start: int, stop: int) -> Mismatch | None:
        """The first mismatch after a wave, in which the oracle tells the facts from ``start`` to ``stop``."""
        self.views.add(wave.events)
        record = self.views.record
        public, self._public = record.events[self._public :], len(record.events)
        open_to_all = [event for event in wave.events if event.audience == PUBLIC]
        if [event for _, event in public] != open_to_all:
            return "the public record", [event for _, event in public], open_to_all
        facts = list(zip(self._facts[start:stop], self._hearers[start:stop], strict=True))
        self._learn(facts, answers)
        if record.living != self._living:
            return "the living", record.living, self._living
        told = [(form, who) for fact, who in facts if (form := self._told.theirs(fact))]
        ours, theirs = kept(map(self._told.ours, open_to_all)), [form for form, _ in told if form[3] == PUBLIC]
        if ours != theirs:
            return "what all hear", ours, theirs
        noted = {_seat(key) for key, said in answers.items() if "note" in said}
        aside = noted.union(*(who for form, who in told if form[3] != PUBLIC))
        for seat, view in self._views.items():
            seen, size = self._private[seat], len(view.private)
            if seen == size and seat not in aside:  # nothing but what all hear
                self._seen[seat] += open_to_all
                continue
            news = [event for _, event in sorted((*public, *view.private[seen:]), key=lambda item: item[0])]
            heard = [form for form, who in told if seat in who]
            if found := self._compare(seat, news, heard, stop) or _notes(seat, news, answers) or self._held(view):
                return found
            self._seen[seat] += news
            self._private[seat] = size
        return None

    def end(self) -> Mismatch | None:
        """Once a game is over: every view in whole, and what it holds."""
        for seat, view in self._views.items():
            if (here := view.events) != self._seen[seat]:
                return f"the whole view of seat {seat}", here, self._seen[seat]
            if found := self._held(view):
                return found
        return None

    def _learn(self, facts: Sequence[tuple[Fact, frozenset[int]]], answers: Mapping[str, Mapping[str, Any]]) -> None:
        for fact, who in facts:
            if isinstance(fact.audience, tuple):
                for seat in who.intersection(fact.audience):
                    self._known[seat].learn(seat, fact)
            elif fact.kind in ("dawn", "voted_out"):
                dead = fact.data["dead"] if fact.kind == "dawn" else (fact.data["seat"],)
                self._living = tuple(seat for seat in self._living if seat not in dead)
        for key, said in answers.items():
            if "note" in said:
                self._known[_seat(key)].note = said["note"]

    def _compare(self, seat: Seat, news: Sequence[Event], heard: list[Told], stop: int) -> Mismatch | None:
        """What is new in a view against what is new to the seat."""
        ours, theirs = self._without(kept(map(self._told.ours, news))), self._without(heard)
        gone = self._gone.get(seat)
        watches = gone is not None and gone < stop
        if ours != theirs and not (watches and Counter(ours) == Counter(theirs)):
            here, there = Counter(ours), Counter(theirs)
            if here == there:
                return f"the order of the view of seat {seat}", ours, theirs
            return f"the view of seat {seat}", sorted(here - there), sorted(there - here)
        for event in news:
            if not (watches or event.visible_to(seat)):
                return f"the view of seat {seat}, of what is not told to it", event, None
        return None

    def _without(self, told: list[Told]) -> list[Told]:
        return without_agreed(told, self._left) if self._left else told

    def _held(self, view: View) -> Mismatch | None:
        """What a view has made of all its events so far."""
        known, left = self._known[view.seat], self._left
        said = [(night, each.by, each.target) for night, each in view.statements]
        here = (view.role, view.side, view.mates, view.note, view.checks, said, _kept(view.actions, left))
        there = (known.role, known.side, known.mates, known.note, known.checks, known.statements,
                 _kept(known.actions, left))  # fmt: skip
        return None if here == there else (f"what seat {view.seat} holds", here, there)


def without_agreed(told: list[Told], left: Left) -> list[Told]:
    """R-CARRIED-COUNCIL: `agreed` of a council that leaves a member out is checked by itself."""
    return [t for t in told if t[0] != "agreed" or not any(t[1] == day and repr(act) in t[4] for day, act in left)]


def _kept(actions: list[Act], left: Left) -> list[Act]:
    return [act for act in actions if act[:2] not in left] if left else actions


def _notes(seat: Seat, news: Sequence[Event], answers: Mapping[str, Mapping[str, Any]]) -> Mismatch | None:
    here = [event.body.text for event in news if isinstance(event.body, Note)]
    there = [said["note"] for key, said in answers.items() if _seat(key) == seat and "note" in said]
    return None if here == there else (f"notes in the view of seat {seat}", here, there)


def _seat(key: str) -> Seat:
    """The seat in a key `<kind>:<seat>`."""
    return int(key.rpartition(":")[2])
