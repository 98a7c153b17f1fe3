"""The uniform player: every legal answer is as likely as every other, to pass included. It never speaks."""

from __future__ import annotations

from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.view import View

_SILENCE = Answer(claims=())
_SMALLEST_SET = 2


class UniformPlayer(RandomPlayer):
    """The random player without words, and with every set of seats as likely where a set may be demanded."""

    name = "uniform"

    def __init__(self, lang: str = "en") -> None:
        super().__init__(lang)
        self._speech = _SILENCE

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer by lot."""
        if request.kind == "demand":
            return Reply(_demand(view, request))
        return await super().act(view, request, ask)


def _demand(view: View, request: Request) -> Answer:
    """One of all sets of two or more, or nothing."""
    seats = request.options
    sets = [
        chosen
        for number in range(2 ** len(seats))
        if len(chosen := tuple(seat for place, seat in enumerate(seats) if number >> place & 1)) >= _SMALLEST_SET
    ]
    return Answer(targets=view.luck.pick(request.id, [(), *sets]))
