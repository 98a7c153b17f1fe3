"""Whole random games, engine against oracle, wave by wave: `compare_seed` plays and compares one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from oracle import council, game
from oracle.story import BadHistory, Fact
from proof.normal import Normal, kept, seen_by
from proof.players import answer, mistake, random_manner
from proof.tables import random_table, resolved
from proof.views import Watch, without_agreed
from tianhei.arena.chance import Deal, Given
from tianhei.arena.events import Acted, Agreed, Demanded, Over, Stated, Tied
from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import Request, answer_from_json
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Rules

FAILURES = (BadHistory, ValueError, KeyError, IndexError, TypeError)
Reduced = dict[tuple[int, str], dict[Seat, Seat | None]]
"""Councils (day, action) in which a carried member's statement is left out, with the last round's statements."""


@dataclass
class Lots:
    """Draws at random, and remembers them."""

    rng: Random
    drawn: list[tuple[str, int, Seat]] = field(default_factory=list)

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        value = self.rng.choice(list(options))
        self.drawn.append((purpose, day, value))
        return value


@dataclass
class Played:
    """One game as the engine played it, in a form that the oracle can be given."""

    game: str
    changes: dict[str, Any]
    rules: Rules
    roles: list[str]
    referee: Referee
    history: list[dict[str, dict[str, Any]]]
    lots: list[tuple[str, int, Seat]]
    faults: list[str]
    mistakes: int = 0

    def reproduce(self) -> str:
        """The inputs, for a report."""
        return json.dumps(
            {"game": self.game, "rules": self.changes, "roles": self.roles,
             "lots": [value for _, _, value in self.lots], "history": self.history},
            ensure_ascii=False,
        )  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """Where the two sides first differ."""

    wave: int
    what: str
    engine: Any
    oracle: Any

    def __str__(self) -> str:
        return f"wave {self.wave}, {self.what}:\n    engine {self.engine}\n    oracle {self.oracle}"


def play(rng: Random, title: str, changes: dict[str, Any], rules: Rules, roles: list[str]) -> Played:
    """Let the engine play one game with random players."""
    lots = Lots(rng)
    referee = Referee(rules, Deal(tuple(map(Role, roles))), Given([], lots))
    played = Played(title, changes, rules, roles, referee, [], lots.drawn, [])
    manner = random_manner(rng, len(roles))
    past: list[str] = []
    while referee.outcome is None:
        requests = list(referee.pending)
        rng.shuffle(requests)
        wave: dict[str, dict[str, Any]] = {}
        done: list[str] = []
        for request in requests:
            if rng.random() < manner.mistakes:
                played.mistakes += 1
                if fault := mistake(rng, referee, len(roles), past, done):
                    played.faults.append(fault)
            said = answer(rng, manner, request)
            wave[f"{request.kind}:{request.seat}"] = said
            referee.answer(request.id, answer_from_json(said))
            done.append(request.id)
        past = done
        played.history.append(wave)
    return played


def oracle_draws(played: Played, options: dict[str, Any]) -> list[Seat]:
    """The engine's lots as the oracle wants them.

    R-CARRIED-COUNCIL: the engine draws for the whole team (`kill`) and, where the carried member is left out, once
    more for the others (`kill.others`); the oracle draws once for each council, when it ends, among what counts.
    """
    counted = _reduced(played, options)
    order = [(e.day, e.body.action) for w in played.referee.waves for e in w.events if isinstance(e.body, Agreed)]
    by = {(day, purpose): value for purpose, day, value in played.lots if purpose.split(".")[0] in ("kill", "check")}
    night: dict[int, list[Seat]] = {}
    for day, action in order:
        name = f"{action}.others" if (day, action) in counted else action
        if (day, name) in by:
            night.setdefault(day, []).append(by[day, name])
    found: list[Seat] = []
    days = sorted({day for _, day, _ in played.lots})
    for day in days:
        found += night.get(day, [])
        found += [v for purpose, d, v in played.lots if d == day and purpose.split(".")[0] not in ("kill", "check")]
    return found


def _reduced(played: Played, options: dict[str, Any]) -> Reduced:
    lenient = {"kill": options.get("carried_killer") == "others_still_kill",
               "check": options.get("carried_police") == "blocks_self"}  # fmt: skip
    bodies = [(event.day, event.body) for wave in played.referee.waves for event in wave.events]
    carried = {day: body.target for day, body in bodies if isinstance(body, Acted) and body.action == "carry"}
    found: Reduced = {}
    last: dict[tuple[int, str, int], dict[Seat, Seat | None]] = {}
    for day, body in bodies:
        if isinstance(body, Stated):
            role = played.roles[body.by - 1]
            action = "kill" if role == "killer" else "check"
            last.setdefault((day, action, body.round), {})[body.by] = body.target
    for (day, action, _), stated in sorted(last.items()):
        if lenient[action] and len(stated) > 1 and carried.get(day) in stated:
            found[day, action] = stated
    return found


def compare(played: Played) -> Difference | None:
    """The first difference between the game as played and the oracle's account of it."""
    options = resolved(played.game, played.changes)
    position, error = _account(played, options)
    reduced = _reduced(played, options)
    told = Normal(options["channel"] == "mute")
    watch = Watch(played.rules, played.roles, options, position.facts, told, frozenset(reduced))
    cuts = [0, *(count for count, _ in position.asked), len(position.facts)]
    for number, wave in enumerate(played.referee.waves):
        if number > len(position.asked):
            return Difference(number, f"oracle stops: {error}", wave.requests, position.wanted or position.outcome)
        if number and (difference := _compare_requests(number, wave.requests, position.asked[number - 1][1])):
            return difference
        facts = position.facts[cuts[number] : cuts[number + 1]]
        if error is None or number < len(position.asked):
            if difference := _compare_told(number, played, wave, facts, reduced, options, told):
                return difference
            answers = played.history[number - 1] if number else {}
            if mismatch := watch.wave(wave, answers, cuts[number], cuts[number + 1]):
                return Difference(number, *mismatch)
    waves, ours, theirs = played.referee.waves, played.referee.outcome, position.outcome
    if error or position.wanted or position.open or theirs is None or ours is None:
        return Difference(len(waves), f"end: {error}", ours, position.wanted or position.open)
    if (ours.winner, ours.reason, waves[-1].events[-1].day) != (theirs.winner, theirs.reason, theirs.day):
        return Difference(len(waves), "outcome", ours, theirs)
    mismatch = watch.end()
    return Difference(-1, *mismatch) if mismatch else None


def _account(played: Played, options: dict[str, Any]) -> tuple[game.Position, Exception | None]:
    """The oracle's account of the whole history, or of as much of it as it can follow."""
    draws = oracle_draws(played, options)
    try:
        return game.play(options, played.roles, draws, played.history), None
    except FAILURES as error:
        failure = error
    position = game.play(options, played.roles, draws, [])
    for number in range(1, len(played.history)):
        try:
            position = game.play(options, played.roles, draws, played.history[:number])
        except FAILURES:
            break
    return position, failure


def _compare_requests(number: int, ours: Sequence[Request], theirs: Sequence[Any]) -> Difference | None:
    here = {(r.seat, r.kind): (r.options, r.may_pass, r.round) for r in ours}
    there = {(r.seat, r.kind): (r.options, r.may_pass, r.round) for r in theirs}
    if set(here) != set(there):
        return Difference(number, "requests", sorted(here), sorted(there))
    for key, (options, may_pass, round_) in here.items():
        options_, may_pass_, round__ = there[key]
        if (options, may_pass) != (options_, may_pass_) or (round__ is not None and round_ != round__):
            return Difference(number, f"request {key}", here[key], there[key])
    return None


def _compare_told(
    number: int, played: Played, wave: Wave, facts: Sequence[Fact],
    reduced: Reduced, options: dict[str, Any], told: Normal,
) -> Difference | None:  # fmt: skip
    ours, theirs = kept(map(told.ours, wave.events)), kept(map(told.theirs, facts))
    if ours == theirs:
        return None
    for event in wave.events if reduced else ():
        body = event.body
        if isinstance(body, Agreed) and (event.day, body.action) in reduced:
            lots = [value for purpose, day, value in played.lots if (purpose, day) == (body.action, event.day)]
            whole = council.decision(options, reduced[event.day, body.action].values(), lots[0] if lots else None)
            if whole != body.target:
                return Difference(number, f"agreed {body.action} of the whole team", body.target, whole)
    ours, theirs = without_agreed(ours, frozenset(reduced)), without_agreed(theirs, frozenset(reduced))
    if ours == theirs:
        return None
    if Counter(ours) != Counter(theirs):
        mine, other = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
        return Difference(number, f"told {sorted({t[0] for t in (mine | other)})}", sorted(mine), sorted(other))
    for seat in range(1, len(played.roles) + 1):
        if (here := seen_by(ours, seat)) != (there := seen_by(theirs, seat)):
            return Difference(number, f"order of what seat {seat} hears", here, there)
    return None


def reached(played: Played) -> list[str]:
    """What one game came through, for the figures."""
    bodies = [event.body for wave in played.referee.waves for event in wave.events]
    found = [f"then {body.next}" for body in bodies if isinstance(body, Tied)]
    found += [f"end {body.reason}" for body in bodies if isinstance(body, Over)]
    found += [f"lot {purpose}" for purpose, _, _ in played.lots]
    found += ["demand honoured" for body in bodies if isinstance(body, Demanded) and body.honoured]
    found += ["member left out" for _ in _reduced(played, resolved(played.game, played.changes))]
    return found


def compare_seed(seed: int, title: str) -> tuple[Played, Difference | None]:
    """Play and compare the game of one seed."""
    rng = Random(f"{title} {seed}")
    changes, rules, roles = random_table(rng, title)
    played = play(rng, title, changes, rules, roles)
    return played, compare(played)
