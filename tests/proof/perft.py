"""A count of the tree of a game, as chess engines count theirs: distinct joint choices per wave, to a depth.

A node at depth d is one way to answer the first d waves. A choice is one legal answer: a target or, where it may be,
a pass; a hand raised or, where it may be, not; a set of at least two seats demanded, or none; for words there is one.
Absence is not counted. Where a lot falls, each of its results is a branch, counted with the wave that follows it. A
game that has ended has no further nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

from oracle import game as oracle_game
from proof.tables import resolved
from tianhei.arena.chance import Deal, Given
from tianhei.arena.referee import game
from tianhei.arena.requests import TARGETED, Answer
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.table import Table

Choice = Seat | tuple[Seat, ...] | bool | None
Joint = dict[tuple[str, Seat], Choice]
SHORT = {"K": "killer", "P": "police", "C": "civilian", "B": "butterfly", "S": "sniper", "D": "doctor", "E": "elder"}


class Small(NamedTuple):
    """A small table: the rules, the cards by their initials (seat 1 first), the depths of a slice and of the whole."""

    rules: Mapping[str, Any]
    cards: str
    slice: int
    full: int

    @property
    def roles(self) -> list[str]:
        return [SHORT[card] for card in self.cards]


TABLES = (
    Small({"preset": "classic-arena"}, "KCCC", 9, 10),
    Small({"preset": "classic"}, "KCCC", 9, 12),
    Small({"preset": "classic", "vote_form": "simultaneous", "round_pk": "on", "first_phase": "day"}, "KPCC", 6, 8),
    Small({"preset": "classic-arena"}, "KKPCCC", 2, 3),
    Small({"preset": "butterfly"}, "KSCC", 5, 8),
    Small({"preset": "butterfly"}, "KBSC", 4, 6),
    Small({"preset": "butterfly", "tie": "revote", "first_phase": "day"}, "KEPC", 6, 7),
    Small({"preset": "butterfly", "tie": "lot"}, "KDPC", 4, 6),
)


class Position(NamedTuple):
    """How a game has gone so far."""

    waves: tuple[Joint, ...] = ()
    lots: tuple[Seat, ...] = ()


Asked = list[tuple[str, Seat, tuple[Seat, ...], bool]]
Look = Callable[[Position], tuple[Asked, tuple[Seat, ...]]]
"""What is asked in a position, or else among which seats a lot is due; neither: the game is over."""


class LotDue(Exception):
    """A lot that has not been given."""

    def __init__(self, options: Sequence[Seat]) -> None:
        super().__init__()
        self.options = tuple(options)


class Due:
    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        raise LotDue(options)


def by_engine(small: Small) -> Look:
    rules, _ = read_rules(small.rules)
    deal = Deal(tuple(map(Role, small.roles)))

    def look(position: Position) -> tuple[Asked, tuple[Seat, ...]]:
        script = game(Table(rules, deal, Given(position.lots, Due())))
        try:
            requests = next(script)
            for wave in position.waves:
                requests = script.send(tuple(_answer(r.kind, wave[r.kind, r.seat]) for r in requests))
        except LotDue as due:
            return [], due.options
        except StopIteration:
            return [], ()
        return [(r.kind, r.seat, r.options, r.may_pass) for r in requests], ()

    return look


def by_oracle(small: Small) -> Look:
    options = resolved(str(read_rules(small.rules)[0].game), dict(small.rules))

    def look(position: Position) -> tuple[Asked, tuple[Seat, ...]]:
        history = [{f"{k}:{s}": _said(k, choice) for (k, s), choice in wave.items()} for wave in position.waves]
        found = oracle_game.play(options, small.roles, position.lots, history)
        if found.wanted:
            return [], found.wanted[1]
        return [(r.kind, r.seat, r.options, r.may_pass) for r in found.open], ()

    return look


def _answer(kind: str, choice: Choice) -> Answer:
    if kind == "hand":
        return Answer(raised=bool(choice))
    if kind == "demand":
        return Answer(targets=choice if isinstance(choice, tuple) else ())
    return Answer(target=choice if type(choice) is int else None)


def _said(kind: str, choice: Choice) -> dict[str, Any]:
    if kind == "hand":
        return {"raise": bool(choice)}
    if kind == "demand":
        return {"targets": list(choice) if isinstance(choice, tuple) else []}
    return {"target": choice} if kind in TARGETED else {"text": ""}


def _choices(kind: str, options: tuple[Seat, ...], may_pass: bool) -> list[Choice]:
    if kind == "hand":
        return [True, False] if may_pass else [True]
    if kind == "demand":
        return [(), *(chosen for size in range(2, len(options) + 1) for chosen in combinations(options, size))]
    if kind not in TARGETED:
        return [None]
    return [*options, None] if may_pass else [*options]


def perft(look: Look, depth: int) -> list[int]:
    """The number of nodes at each depth from 1 on."""
    found: list[int] = []
    positions = [Position()]
    for level in range(1, depth + 1):
        total = 0
        following: list[Position] = []
        for position, asked in _opened(look, positions):
            choices = [_choices(kind, options, may_pass) for kind, _, options, may_pass in asked]
            total += prod(map(len, choices))
            if level < depth:
                keys = [(kind, seat) for kind, seat, _, _ in asked]
                following += [
                    Position((*position.waves, dict(zip(keys, joint, strict=True))), position.lots)
                    for joint in product(*choices)
                ]
        found.append(total)
        positions = following
    return found


def _opened(look: Look, positions: list[Position]) -> Iterator[tuple[Position, Asked]]:
    """The positions in which something is asked, every lot drawn in every way."""
    waiting = list(reversed(positions))
    while waiting:
        position = waiting.pop()
        asked, lot = look(position)
        if asked:
            yield position, asked
        waiting += [Position(position.waves, (*position.lots, seat)) for seat in reversed(lot)]
