"""Which seats a voter knew to be on which side, so that a vote is measured against what chance would do for it.

Known is what follows from the own card and team, the judge's answers to checks, cards that were shown, and counting:
who knows all of one side knows the other. What follows only from the game's having gone on is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tianhei.arena.events import Checked, Dawn, Event, Handicap, Mates, VotedOut
from tianhei.arena.roles import Role, Seat, Side
from tianhei.transcripts.claims.knowledge import card_of
from tianhei.transcripts.columns.story import Story


class Knowing:
    """What each seat knows so far of the sides; fed event by event."""

    def __init__(self, story: Story) -> None:
        self._sides = story.sides
        self._of_card = {card_of(role): side for role, side in zip(story.roles, story.sides, strict=True)}
        self._has_helpers = any(side == Side.KILLERS and card != Role.KILLER for card, side in self._of_card.items())
        self._known: dict[Seat, dict[Seat, str]] = {
            seat: {seat: side} for seat, side in enumerate(story.sides, start=1)
        }
        self._totals = {side: story.sides.count(side) for side in set(story.sides)}
        self._shown: dict[Seat, str] = {}

    def add(self, event: Event) -> None:
        """Take one more event."""
        match event.body:
            case Mates(seats=seats):
                self._tell(event, {seat: self._sides[seat - 1] for seat in seats})
            case Checked(target=target, answer=answer):
                self._tell(event, {target: answer})
            case Handicap(roles=roles):
                self._tell(event, roles)
            case VotedOut(seat=seat, revealed=str(told)):
                self._show({seat: told})
            case Dawn(revealed=dict(told)):
                self._show(told)
            case _:
                pass

    def _tell(self, event: Event, told: Mapping[Seat, str]) -> None:
        if isinstance(event.audience, tuple):
            for reader in event.audience:
                self._known[reader].update(self._sided(told))

    def _show(self, told: Mapping[Seat, str]) -> None:
        self._shown.update(self._sided(told))

    def _sided(self, told: Mapping[Seat, str]) -> dict[Seat, str]:
        """The sides that the judge's words tell, as far as they do."""
        return {seat: side for seat, word in told.items() if (side := self._side(word))}

    def _side(self, word: str) -> str | None:
        card = card_of(word)
        if word in ("nod", Side.KILLERS) or card == Role.KILLER:
            return Side.KILLERS.value
        if word in ("shake", "not_killer", "human", Side.GOOD):
            return None if self._has_helpers else Side.GOOD.value
        return self._of_card.get(card)

    def of(self, seat: Seat, living: Iterable[Seat]) -> tuple[int, int]:
        """How many of the living the seat knows to be good, and to be killers; itself included."""
        known = {**self._shown, **self._known[seat]}
        found = list(known.values())
        rest = [side for side, total in self._totals.items() if found.count(side) < total]
        if len(rest) == 1:
            known = {other: known.get(other, rest[0]) for other in range(1, len(self._sides) + 1)}
        sides = [known.get(other) for other in living]
        return sides.count(Side.GOOD), sides.count(Side.KILLERS)
