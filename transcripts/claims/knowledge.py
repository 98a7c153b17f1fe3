"""What a seat knows for certain of the cards, at one time of the game: the yardstick of lies.

It is what follows from the seat's own view: its card and mates, the judge's signs, what was shown, the counts of the
cards, and that the game went on. What others claim is no knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from tianhei.arena.deduce import Contradiction, Facts, Posterior, posterior
from tianhei.arena.events import Dawn, VotedOut
from tianhei.arena.facts import facts_of
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Foreign
from tianhei.arena.view import View

KILLERS = frozenset(("werewolf", "werewolves", "wolf", "mafia", "mafioso"))
POLICE = frozenset(("seer", "detective", "prophet"))
CIVILIANS = frozenset(("villager", "townsperson", "bystander"))
"""Cards of other games that stand where ours do; every other card of theirs is itself."""
_CERTAIN = 1 - 1e-9


def card_of(role: Role | str) -> str:
    """A card under our name; one that we do not have, under its own."""
    name = str(role).lower()
    return (
        Role.KILLER
        if name in KILLERS
        else Role.POLICE
        if name in POLICE
        else Role.CIVILIAN
        if name in CIVILIANS
        else name
    )


class Known:
    """What one seat knows at one time. ``could_be`` and ``must_be`` speak of our cards by name."""

    def __init__(self, view: View) -> None:
        foreign = isinstance(view.record.rules, Foreign)
        self._facts: Facts | None = None if foreign else replace(facts_of(view), statements=())
        self._cards: Mapping[Seat, frozenset[str]] = _told(view) if self._facts is None else self._facts.allowed
        self._counts = {card_of(role): 0 for role in view.record.counts}
        for role, count in view.record.counts.items():
            self._counts[card_of(role)] += count

    def could_be(self, seat: Seat, card: str) -> bool:
        """Whether nothing that the seat knows speaks against that card."""
        if not self._counts.get(card) or card not in self._cards.get(seat, self._counts):
            return False
        if self._is_sure(seat, card):
            return True
        holders = sum(cards == frozenset((card,)) for cards in self._cards.values())
        return holders < self._counts[card] and (chance := self._chance(seat, card)) is not None and chance > 0

    def _is_sure(self, seat: Seat, card: str) -> bool:
        return self._cards.get(seat) == frozenset((card,))

    def must_be(self, seat: Seat, card: str) -> bool:
        """Whether the seat can hold no other card."""
        if self._is_sure(seat, card):
            return True
        return self.could_be(seat, card) and (chance := self._chance(seat, card)) is not None and chance >= _CERTAIN

    def _chance(self, seat: Seat, card: str) -> float | None:
        """The share of deals that fit; where they are not counted, half."""
        found = self._posterior
        if found is None or card not in (Role.KILLER, Role.POLICE):
            return 0.5
        return (found.killer if card == Role.KILLER else found.police)[seat]

    @cached_property
    def _posterior(self) -> Posterior | None:
        if self._facts is None:
            return None
        try:
            return posterior(self._facts)
        except Contradiction:
            return None


def _told(view: View) -> dict[Seat, frozenset[str]]:
    """Of an imported game, the cards that a seat was told: its own, its mates', by checks, and what was shown."""
    every = frozenset(card_of(role) for role in view.record.counts)
    known: dict[Seat, frozenset[str]] = {}

    def learn(seat: Seat, told: str) -> None:
        known[seat] = known.get(seat, every) & _cards_like(told, every)

    if view.role:
        for seat in (view.seat, *view.mates):
            learn(seat, view.role)
    for _, seat, answer in view.checks:
        learn(seat, answer)
    for _, event in view.record.events:
        match event.body:
            case VotedOut(seat=seat, revealed=str(told)):
                learn(seat, told)
            case Dawn(revealed=dict(shown)):
                for seat, told in shown.items():
                    learn(seat, told)
            case _:
                pass
    return known


def _cards_like(told: str, every: frozenset[str]) -> frozenset[str]:
    """The cards that a word of the judge leaves; all where it says nothing that we understand."""
    if told in ("none", "no_check"):
        return every
    if told in ("nod", "killers"):
        return frozenset((str(Role.KILLER),))
    if told in ("shake", "good", "human", "not_killer"):
        return every - {Role.KILLER}
    return frozenset((card_of(told),)) if card_of(told) in every else every
