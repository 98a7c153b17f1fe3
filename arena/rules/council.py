"""A team agrees in the dark: rounds of sealed statements (R-COUNCIL, S1-40 to S1-42, A0-15, A1-06, A1-08)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tianhei.arena.events import Agreed, Stated
from tianhei.arena.roles import Role, Seat
from tianhei.arena.script import Script
from tianhei.arena.table import Table

TEAM_OF = {"kill": Role.KILLER, "check": Role.POLICE}


def favourites(stated: Iterable[Seat | None]) -> tuple[Seat, ...]:
    """The targets named most often, in seat order; silence names nobody."""
    counts = Counter(target for target in stated if target is not None)
    most = max(counts.values(), default=0)
    return tuple(sorted(target for target, count in counts.items() if count == most))


def is_settled(stated: Iterable[Seat | None]) -> bool:
    """Whether a round ends the council: all stated targets agree, or all passed."""
    return len({target for target in stated if target is not None}) <= 1


@dataclass(frozen=True, slots=True)
class Decision:
    """A council's target, and what each member stated in its last round."""

    target: Seat | None = None
    stated: Mapping[Seat, Seat | None] = field(default_factory=dict)


def decide(table: Table, purpose: str, stated: Iterable[Seat | None]) -> Seat | None:
    """The target after the last round: the one named most; a tie by the option ``killers_tie``."""
    named = favourites(stated)
    if len(named) <= 1:
        return named[0] if named else None
    match table.rules.killers_tie:
        case "lot":
            return table.draw(purpose, named)
        case "first":
            return named[0]
        case _:  # no_kill; ask_again has asked again by now
            return None


def council(table: Table, action: Literal["kill", "check"]) -> Script[Decision]:
    """The team states targets until it agrees or its rounds are over, and is told what was stated and agreed."""
    role = TEAM_OF[action]
    team = table.who(role)
    if not team:
        return Decision()
    options = table.living
    if action == "kill" and table.rules.kill_teammate == "forbidden":
        options = tuple(seat for seat in options if table.role(seat) is not role)
    may_pass = table.rules.night_pass == "allowed"
    alone = len(team) == 1
    words = 0 if alone or table.rules.channel == "mute" else table.limits.council
    rounds = 1 if alone else table.rules.council_rounds
    stated: dict[Seat, Seat | None] = {}
    number = 0
    while number < rounds:
        number += 1
        answers = yield tuple(
            table.ask(seat, action, options, may_pass=may_pass, text=words, round=number) for seat in team
        )
        stated = {seat: answer.target for seat, answer in zip(team, answers, strict=True)}
        for seat, answer in zip(team, answers, strict=True):
            table.tell(team, Stated(seat, answer.target, answer.text, number))
        if is_settled(stated.values()):
            break
        if number == table.rules.council_rounds and table.rules.killers_tie == "ask_again":
            rounds += len(favourites(stated.values())) > 1
    target = decide(table, action, stated.values())
    table.tell(team, Agreed(action, target))
    return Decision(target, stated)


def without(table: Table, action: str, decision: Decision, carried: Seat) -> Seat | None:
    """What the council comes to with the carried member's statement left out (R-CARRIED-COUNCIL)."""
    if carried not in decision.stated:
        return decision.target
    others = [target for seat, target in decision.stated.items() if seat != carried]
    return decide(table, f"{action}.others", others)
