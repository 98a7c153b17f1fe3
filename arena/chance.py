"""Chance as named draws: the deal, lots and random starts, keyed by a seed or given as a list.

A keyed draw depends on its seed, purpose and day alone, never on how many draws came before it, and it ranks the
options one by one; so two games of one seed stay comparable after they part, and a set of options that loses one
member changes the outcome only if that member was drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar

from tianhei.arena.roles import Counts, Role, Seat

T = TypeVar("T")


class NoLotLeft(ValueError):
    """A draw was needed and the given list of lots holds none, or one that is not among the options."""


class Chance(Protocol):
    """The source of every lot in a game."""

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        """One of ``options`` (never empty)."""
        ...


def _rank(*parts: object) -> bytes:
    return sha256("|".join(map(str, parts)).encode()).digest()


@dataclass(frozen=True, slots=True)
class Keyed:
    """Draws keyed by a seed: an integer or a string."""

    seed: int | str

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        return min(options, key=lambda option: _rank(self.seed, purpose, day, option))


class Given:
    """Draws taken from a list, in order; then from ``then``, or NoLotLeft."""

    def __init__(self, lots: Sequence[Seat], then: Chance | None = None) -> None:
        self._lots = list(lots)
        self._then = then

    def draw(self, purpose: str, day: int, options: Sequence[Seat]) -> Seat:
        if not self._lots:
            if self._then is None:
                raise NoLotLeft(f"a lot is needed for {purpose} among {sorted(options)}: give one")
            return self._then.draw(purpose, day, options)
        if self._lots[0] not in options:
            raise NoLotLeft(f"the lot {self._lots[0]} for {purpose} is not among {sorted(options)}")
        return self._lots.pop(0)


@dataclass(frozen=True, slots=True)
class Luck:
    """A player's own stream of named draws. Its key tells nothing about the game's seed or deal."""

    key: bytes

    def number(self, purpose: str, below: int) -> int:
        """A number from 0 to ``below`` - 1, the same for the same purpose."""
        return int.from_bytes(sha256(self.key + purpose.encode()).digest()[:8], "big") % below

    def pick(self, purpose: str, options: Sequence[T]) -> T:
        """One of ``options`` (never empty)."""
        return options[self.number(purpose, len(options))]

    def shuffled(self, purpose: str, options: Sequence[T]) -> list[T]:
        """The options in a random order."""
        return [
            option
            for _, option in sorted(
                enumerate(options),
                key=lambda item: sha256(b"%b%b%d" % (self.key, purpose.encode(), item[0])).digest(),
            )
        ]


def luck_for(seed: int | str, seat: Seat) -> Luck:
    """The draws of the player at ``seat``."""
    return Luck(_rank(seed, "player", seat))


@dataclass(frozen=True, slots=True)
class Deal:
    """Who holds which role, seat 1 first."""

    roles: tuple[Role, ...]


def deal(counts: Counts, seed: int | str) -> Deal:
    """Shuffle the cards by the seed and give seat i the i-th card (S0-9, S1-33)."""
    cards = [role for role in Role for _ in range(counts.get(role, 0))]
    order = sorted(range(len(cards)), key=lambda card: _rank(seed, "deal", card))
    return Deal(tuple(cards[card] for card in order))
