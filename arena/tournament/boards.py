"""From a plan to its games: which seats hold which cards, and who sits in them.

A board is a seed with everything that follows from it: the cards by seat, lots, players' luck, language, wording. All
games of a board share it, so that players are compared on the same cards. Over as many boards as the table has seats
every card comes once to every seat; over all boards every player meets every seat and card alike, as far as their
number allows, and the report says how far it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import combinations, product
from typing import Literal

from tianhei.arena.chance import deal
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Rules
from tianhei.arena.tournament.plan import Arm, Plan, Table, Track
from tianhei.prompts.vocabulary import PLAIN, Lang, Theme

GROUPS: Mapping[str, frozenset[Role]] = {
    "killers": frozenset((Role.KILLER,)),
    "police": frozenset((Role.POLICE,)),
    "others": frozenset(Role) - {Role.KILLER, Role.POLICE},
}
"""The role groups of the track `roles`, each of which is one player's."""
WITHOUT: Mapping[Arm, str] = {"claims_off": "claims", "thought_off": "thought", "note_off": "note"}
"""The field that models are not asked for, by arm."""
_FOR_MODELS = frozenset(("renamed", *WITHOUT))
"""Arms that are the same as `full` where no model plays."""


@dataclass(frozen=True, slots=True)
class Board:
    """What the games of one board share."""

    table: Table
    number: int
    seed: str
    deal: tuple[Role, ...]
    lang: Lang
    variant: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a run: its board, the arm, and who sits in each seat (seat 1 first)."""

    track: Track | Literal["lines"]
    board: Board
    arm: Arm
    seats: tuple[str, ...]
    focus: Seat | None = None
    """The seat that the track `focal` is about."""
    replicate: int = 1

    @property
    def seed(self) -> str:
        """What lots and players' luck follow from: the board's own; replicates have the same cards and other luck."""
        return self.board.seed if self.replicate == 1 else f"{self.board.seed}/{self.replicate}"

    @property
    def rules(self) -> Rules:
        channel = self.arm if self.arm in ("claims_only", "mute") else "full"
        return self.board.table.rules.replace({"channel": channel})

    @property
    def theme(self) -> Theme:
        """The words that models are shown: in the arm `renamed` the cards have other names."""
        return "neutral" if self.arm == "renamed" else PLAIN

    @property
    def id(self) -> str:
        """A name for its file: readable, safe on every system, and unlike that of any other game."""
        told = "-".join(dict.fromkeys(slug(name) for name in self.seats))[:60]
        parts = (self.track, self.board.table.name, self.board.number, self.arm, self.focus, *self.seats)
        mark = sha256("|".join(map(str, parts)).encode()).hexdigest()[:8]
        arm = "" if self.arm == "full" else f"-{slug(self.arm)}"
        again = "" if self.replicate == 1 else f"-r{self.replicate}"
        return f"{self.track}-{slug(self.board.table.name)}{arm}-{self.board.number:04}{again}-{told}-{mark}"


@lru_cache(maxsize=1000)
def slug(name: str) -> str:
    """The name in small letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x"


def boards(plan: Plan, table: Table, count: int) -> Iterator[Board]:
    """The boards of a table, in order: more of them begin with the same."""
    players = table.players
    counts = {Role(name): number for name, number in table.counts.items()}
    design = plan.design
    base: tuple[Role, ...] = ()
    for number in range(count):
        block, turn = divmod(number, players)
        if turn == 0:
            base = deal(counts, _seed(design, table, f"block {block}")).roles
        yield Board(
            table,
            number,
            _seed(design, table, f"board {number}"),
            (*base[turn:], *base[:turn]),
            plan.languages[number % len(plan.languages)],
            plan.variants[number // len(plan.languages) % len(plan.variants)],
        )


def _seed(design: str, table: Table, what: str) -> str:
    return sha256(f"{design}|{table.name}|{what}".encode()).hexdigest()[:32]


def games(plan: Plan, count: int) -> Iterator[Game]:
    """All games of a plan with so many boards, board by board, so that a run that stops has whole boards."""
    for table in plan.tables:
        for board in boards(plan, table, count):
            arms: tuple[Arm, ...] = ("full", *(plan.arms if board.number % plan.arms_every == 0 else ()))
            for track, arm in product(plan.tracks, arms):
                for game in _TRACKS[track](plan, board, arm):
                    if arm not in _FOR_MODELS or any(plan.seat(name).is_model for name in game.seats):
                        yield game
                        again = plan.replicates if arm == "full" else 1
                        yield from (replace(game, replicate=number) for number in range(2, again + 1))
            for name in plan.lines:
                yield Game("lines", board, "full", (name,) * table.players)


def _duplicate(plan: Plan, board: Board, arm: Arm) -> Iterator[Game]:
    """Killers all one player, the rest all another; then the same cards with the sides changed."""
    pairs = [*combinations(plan.players, 2), *product(plan.players, plan.anchors)]
    for one, other in pairs:
        for killers, rest in ((one, other), (other, one)):
            yield Game("duplicate", board, arm, _sides(board, killers, rest))


def _sides(board: Board, killers: str, rest: str) -> tuple[str, ...]:
    return tuple(killers if role is Role.KILLER else rest for role in board.deal)


def _roles(plan: Plan, board: Board, arm: Arm) -> Iterator[Game]:
    """Killers, police and the others are three players, every player in every group the same number of times.

    A Latin square: in the games of one board the groups are the players shifted against each other by two offsets.
    """
    names = list(plan.players)
    first, second = _offsets(board.number, len(names))
    for start in range(len(names)):
        chosen = {
            "killers": names[start],
            "police": names[(start + first) % len(names)],
            "others": names[(start + first + second) % len(names)],
        }
        group = {role: name for name, roles in GROUPS.items() for role in roles}
        yield Game("roles", board, arm, tuple(chosen[group[role]] for role in board.deal))


def _offsets(number: int, size: int) -> tuple[int, int]:
    """Two offsets for a board, such that size * size boards have all pairs of them.

    Over ``size`` boards the first takes every value, and so does the sum of both; so does the second, but for one
    value where ``size`` is even: all three cannot be had there.
    """
    block, turn = divmod(number, size)
    skips = size % 2 == 0 and turn >= size // 2
    return turn, (turn + skips + block) % size


def _focal(plan: Plan, board: Board, arm: Arm) -> Iterator[Game]:
    """One seat is the player's, the others the pool's; then the pool's own player has it, for comparison."""
    pool, focus = pool_at(plan, board), focus_of(board)
    for name in dict.fromkeys((*plan.players, *plan.anchors, pool[focus - 1])):
        seats = tuple(name if seat == focus else pool[seat - 1] for seat in range(1, board.table.players + 1))
        yield Game("focal", board, arm, seats, focus)


def focus_of(board: Board) -> Seat:
    """The seat that the track `focal` is about. It goes round against the cards, so that it comes to all of them."""
    return _offsets(board.number, board.table.players)[1] + 1


def pool_at(plan: Plan, board: Board) -> Sequence[str]:
    """Who of the pool sits where on a board, seat 1 first."""
    names = list(plan.pool)
    return [names[(seat + board.number) % len(names)] for seat in range(board.table.players)]


def _mixed(plan: Plan, board: Board, arm: Arm) -> Iterator[Game]:
    """All seats are different players as far as there are enough, in another order on every board; on a board every
    player comes to every seat, and so to every card."""
    names = sorted(plan.players, key=lambda name: sha256(f"{board.seed}|{name}".encode()).digest())
    for start in range(len(names)):
        seats = tuple(names[(seat + start) % len(names)] for seat in range(board.table.players))
        yield Game("mixed", board, arm, seats)


_TRACKS = {"duplicate": _duplicate, "roles": _roles, "focal": _focal, "mixed": _mixed}
