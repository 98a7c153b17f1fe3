"""A meter that notes what it is told."""

from __future__ import annotations

from tianhei.arena.calls import Try
from tianhei.arena.player import Usage


class Noting:
    """What a call did, in the order in which it did it."""

    def __init__(self) -> None:
        self.needs: list[Usage] = []
        self.tries: list[Try] = []
        self.adaptations: list[str] = []

    def begins(self, need: Usage) -> None:
        self.needs.append(need)

    def failed(self, tried: Try) -> None:
        self.tries.append(tried)

    def adapted(self, what: str) -> None:
        self.adaptations.append(what)

    @property
    def causes(self) -> list[str]:
        return [tried.cause for tried in self.tries]
