"""How long everything takes at a table: seconds by kind of request, the same whoever sits there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tianhei.arena.requests import Kind

HOUR = 3600.0
_BUSY_HANDS = 0.5
"""The largest part of a speech's time for which a speech is held back, so that nobody's haste tells who it is."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for each part of a game. ``read`` is how long a speech of usual length is shown before the next."""

    card: float
    night: float
    speech: float
    read: float
    vote: float
    last_words: float
    between: float
    survey: float = 60.0
    letters: float = 12.0
    """Letters that a quick hand types in a second; one of Chinese counts for three."""

    @property
    def slow(self) -> bool:
        """Whether people look in now and then, rather than sit together."""
        return self.speech >= HOUR / 2

    def seconds(self, kind: Kind) -> float:
        """How long a request by day may take."""
        if kind in ("speech", "speech_and_vote"):
            return self.speech
        return self.last_words if kind == "last_words" else self.vote

    def typing(self, text: str) -> float:
        """How long these words take to type; none appear sooner after their turn began, whoever they are from."""
        return min(_letters(text) / self.letters, self.speech * _BUSY_HANDS)

    def reading(self, text: str) -> float:
        """How long these words are shown before anything follows."""
        if self.slow:
            return 0.0
        return self.read * min(max(_letters(text) / 240, 0.3), 1.5)

    def ballot(self) -> float:
        """How long a vote is open at the least, however quickly all have voted."""
        return 0.0 if self.slow else self.vote / 3

    def times(self, factor: float) -> Pace:
        """The same pace with longer times for people."""
        parts = ("card", "night", "speech", "vote", "last_words", "survey")
        return replace(self, **{part: getattr(self, part) * factor for part in parts})


def _letters(text: str) -> int:
    return sum(1 if letter.isascii() else 3 for letter in text)


PACES: Mapping[str, Pace] = {
    "fast": Pace(card=10, night=25, speech=60, read=6, vote=15, last_words=45, between=2),
    "normal": Pace(card=20, night=45, speech=100, read=8, vote=20, last_words=75, between=3),
    "club": Pace(card=30, night=70, speech=150, read=10, vote=30, last_words=90, between=4),
    "hours": Pace(
        card=8 * HOUR, night=8 * HOUR, speech=4 * HOUR, read=0, vote=8 * HOUR, last_words=8 * HOUR, between=0,
        survey=24 * HOUR,
    ),
    "days": Pace(
        card=48 * HOUR, night=24 * HOUR, speech=24 * HOUR, read=0, vote=24 * HOUR, last_words=24 * HOUR, between=0,
        survey=72 * HOUR,
    ),
}  # fmt: skip
PRACTICE = Pace(card=20, night=20, speech=45, read=5, vote=15, last_words=30, between=2, survey=30)
