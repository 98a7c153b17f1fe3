"""The value of a moment: how often each side wins if players without skill go on from there, many times over.

Frozen: a value follows from the game, the moment, the kind of player and the number of games alone. Game number r goes
on under the seed ``rollout~r``, the same from every moment; so the difference of two values is one of paired games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from hashlib import sha256
from math import sqrt
from typing import Any, Literal, TypeAlias

from tianhei.agents.roster import parse_spec, scripted_player
from tianhei.arena.events import Winner
from tianhei.arena.player import Completion, Player, Prompt, Reply, Unusable
from tianhei.arena.referee import Referee
from tianhei.arena.view import Views
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.file import to_bytes
from tianhei.transcripts.fork import Parent

Kind = Literal["uninformed", "scripted"]
Then: TypeAlias = Callable[[Referee], None]
"""Answers what is open, up to some later moment."""
_WORDS = frozenset(("speech", "last_words", "note"))
_BALLOTS = frozenset(("ballots", "hand"))
"""Events of which an uninformed player makes nothing: what was said; who voted how, once the vote is over."""


@dataclass(frozen=True, slots=True)
class Value:
    """How many of the games each side won, and how many nobody did."""

    killers: int
    good: int
    draw: int

    @property
    def games(self) -> int:
        return self.killers + self.good + self.draw

    @property
    def share(self) -> float:
        """The killers' share, a draw counting half."""
        return (self.killers + self.draw / 2) / self.games

    @property
    def error(self) -> float:
        """The standard error of the share."""
        mean = self.share
        squares = self.killers * (1 - mean) ** 2 + self.draw * (0.5 - mean) ** 2 + self.good * mean**2
        return sqrt(squares) / self.games

    def to_json(self) -> dict[str, Any]:
        return {
            "killers": self.killers / self.games, "good": self.good / self.games, "draw": self.draw / self.games,
            "share": self.share, "error": self.error, "games": self.games,
        }  # fmt: skip


def decided(winner: Winner) -> Value:
    """The value of a game that is over."""
    return Value(int(winner == "killers"), int(winner == "good"), int(winner == "draw"))


class Rollouts:
    """Values of the moments of one recorded game."""

    def __init__(self, parent: Parent, games: int = 100, kind: Kind = "uninformed") -> None:
        self.parent = parent
        self.games = games
        self.kind: Kind = kind
        lang: Lang = "zh" if parent.recorded.header.lang == "zh" else "en"
        self._player: Player = scripted_player(parse_spec(kind), lang)
        self._known: dict[bytes, Value] = {}

    def value(self, waves: int, then: Then | None = None) -> Value:
        """The value once ``waves`` waves are closed, and what comes ``then`` has been answered."""
        key = self.key(waves, then)
        if key not in self._known:
            won = Counter(self._once(f"rollout~{number}", waves, then) for number in range(1, self.games + 1))
            self._known[key] = Value(won["killers"], won["good"], won["draw"])
        return self._known[key]

    def key(self, waves: int, then: Then | None) -> bytes:
        """What a value follows from: all that has happened but for what these players make nothing of."""
        referee = self.restarted(waves, self.parent.recorded.header.seed)
        if then:
            then(referee)
        told = [event.to_json() for wave in referee.waves for event in wave.events]
        if self.kind == "uninformed":
            polled = any(request.kind in ("hand", "speech_and_vote") for request in referee.open.values())
            nothing = _WORDS if polled else _WORDS | _BALLOTS
            told = [data for data in told if data["kind"] not in nothing]
        return sha256(to_bytes([told, sorted(referee.open)])).digest()

    def restarted(self, waves: int, seed: int | str) -> Referee:
        """The game as it stood after so many waves, its lots to come under another seed."""
        header = self.parent.recorded.header
        referee = replace(header, **self.parent.kept(waves, seed), seed=seed).referee()
        for wave in self.parent.waves[1:waves]:
            for request, answer in zip(wave.requests, wave.answers, strict=True):
                referee.answer(request.id, answer)
        return referee

    def _once(self, seed: str, waves: int, then: Then | None) -> Winner:
        referee = self.restarted(waves, seed)
        if then:
            then(referee)
        views = Views(referee.rules, self.parent.recorded.header.counts, seed)
        for wave in referee.waves:
            views.add(wave.events)
        while referee.outcome is None:
            for request in referee.pending:
                reply = at_once(self._player.act(views.of(request.seat), request, _nobody))
                if closed := referee.answer(request.id, reply.answer):
                    views.add(closed.events)
        return referee.outcome.winner


def at_once(acting: Coroutine[Any, Any, Reply]) -> Reply:
    """The reply of a player that waits for nothing."""
    try:
        acting.send(None)
    except StopIteration as stop:
        reply: Reply = stop.value
        return reply
    raise RuntimeError("a scripted player waited for something")


async def _nobody(prompt: Prompt) -> Completion:
    raise Unusable("error", "a scripted player has no model to ask")
