"""A whole game recomputed from its start: rules, roles, draws and the answers so far.

`play` says what is open now, what has been told to whom, and how it ended. Answers are
keyed by '<kind>:<seat>' within each wave, since a wave never asks a seat twice. Nothing is
kept between two questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import daytime, nightfall, victory
from .options import Options
from .orders import last_words_order
from .story import DrawWanted, Fact, Request, Story, Waiting, Wave, counts, dealt


@dataclass(frozen=True)
class Outcome:
    winner: str
    reason: str
    day: int


@dataclass(frozen=True)
class Position:
    """Where a game stands. `asked` lists, for every wave opened, its requests and how many
    facts had been told by then; `wanted` is a lot that is due but was not given."""

    facts: tuple[Fact, ...]
    open: tuple[Request, ...]
    outcome: Outcome | None
    asked: tuple[tuple[int, tuple[Request, ...]], ...]
    wanted: tuple[str, tuple[int, ...]] | None = None

    def told(self) -> list[dict[str, Any]]:
        return [fact.as_dict() for fact in self.facts]


def play(options: Options, roles: Sequence[str], draws: Sequence[int], history: Sequence[Wave]) -> Position:
    """The position after the waves in `history`."""
    story = Story(options, roles, draws, history)
    outcome: Outcome | None = None
    requests: tuple[Request, ...] = ()
    wanted: tuple[str, tuple[int, ...]] | None = None
    try:
        outcome = script(story)
    except Waiting as waiting:
        requests = waiting.requests
    except DrawWanted as lot:
        wanted = (lot.purpose, lot.options)
    return Position(tuple(story.facts), requests, outcome, tuple(story.asked), wanted)


def script(story: Story) -> Outcome:
    """The order of play of both games, written once."""
    nightfall.deal(story)
    for day in range(1, int(story.options["max_days"]) + 1):
        if day > 1 or story.options["first_phase"] == "night":
            dead = nightfall.night_and_dawn(story, day)
            dying = last_words_order(story.options, story.players, day, dead)
            if outcome := bury(story, day, dying, "dawn"):
                return outcome
        then = daytime.discuss(story, day)
        if then.step == "draw":
            return finish(story, "draw", "S1-79", day)
        if then.step in ("out", "all"):
            daytime.execute(story, day, then.seats)
            if outcome := bury(story, day, then.seats, "vote"):
                return outcome
    return finish(story, "draw", "R-CAP", int(story.options["max_days"]))


def bury(story: Story, day: int, dying: Sequence[int], phase: str) -> Outcome | None:
    """Victory is decided at once; last words of a deciding death only by option (A0-67)."""
    verdict = victory.decide(story.options, counts(story), dealt(story))
    if verdict is None or story.options["last_words_at_end"]:
        daytime.last_words(story, day, dying, phase)
    return finish(story, *verdict, day) if verdict else None


def finish(story: Story, winner: str, reason: str, day: int) -> Outcome:
    story.tell("over", day, "over", winner=winner, reason=reason)
    story.tell("revealed", day, "over", roles=dict(story.roles))
    return Outcome(winner, reason, day)


def left_at(facts: Sequence[Fact], seat: int) -> int | None:
    """Index of the fact with which a seat has left: its last words, else its death."""
    leaving = [
        i
        for i, f in enumerate(facts)
        if (f.kind == "dawn" and seat in f.data["dead"])
        or (f.kind == "voted_out" and f.data["seat"] == seat)
        or (f.kind == "last_words" and f.data["by"] == seat)
    ]
    return leaving[-1] if leaving else None


def hearers(options: Options, facts: Sequence[Fact], seats: Sequence[int]) -> list[frozenset[int]]:
    """Who learns of each fact when it is told: of the public everybody, of the rest those
    to whom it is told, and with dead_view = all everybody who has left before."""
    everybody = frozenset(seats)
    left = {seat: left_at(facts, seat) for seat in seats} if options["dead_view"] == "all" else {}
    found: list[frozenset[int]] = []
    for i, fact in enumerate(facts):
        if fact.audience == "public":
            found.append(everybody)
            continue
        told = fact.audience if isinstance(fact.audience, tuple) else ()
        watching = [seat for seat, at in left.items() if at is not None and i > at]
        found.append(everybody.intersection((*told, *watching)))
    return found


def view(options: Options, facts: Sequence[Fact], seat: int) -> list[Fact]:
    """What one seat may know."""
    return [fact for fact, who in zip(facts, hearers(options, facts, [seat]), strict=True) if seat in who]
