"""A watch over what leaves for a model: no prompt holds another seat's private words.

Prompts are made from views, so this never finds anything unless a player or a pack is at fault; it is there for the
day when one is. For every private text a few dozen letters from its middle are kept, and looked for in each prompt.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tianhei.arena.events import Event, LastWords, Note, Speech, Stated
from tianhei.arena.player import Prompt
from tianhei.arena.roles import Seat
from tianhei.arena.view import View

PROBE = 40
"""Letters of a private text that are looked for; shorter texts may be chance."""
KEPT = 256
"""Private texts that are remembered, the latest ones."""


class Leak(Exception):
    """A prompt holds what its seat may not know. The game stops before it is sent."""


class _Secret(NamedTuple):
    probe: str
    owner: Seat
    what: str


class Guard:
    """The private texts of one game."""

    def __init__(self) -> None:
        self._secrets: dict[_Secret, None] = {}

    def learn(self, seat: Seat, thought: str, note: str | None, council: str) -> None:
        """Remember what a seat said to itself, or to its team alone."""
        for what, text in (("thought", thought), ("note", note or ""), ("words to its team", council)):
            if len(text) >= PROBE:
                start = (len(text) - PROBE) // 2
                self._secrets[_Secret(text[start : start + PROBE], seat, what)] = None
        while len(self._secrets) > KEPT:
            del self._secrets[next(iter(self._secrets))]

    def check(self, prompt: Prompt, added: str, view: View) -> None:
        """Raise Leak if the prompt's private part, or what its public part adds, holds another seat's secret."""
        text = added + prompt.private
        for secret in [*self._secrets]:
            if secret.owner == view.seat or secret.probe not in text:
                continue
            if _is_in(secret.probe, view.record.events):
                del self._secrets[secret]  # said to all
            elif not _is_in(secret.probe, view.private):
                raise Leak(
                    f"the prompt of seat {view.seat} holds a {secret.what} of seat {secret.owner}; "
                    "it may not know it, and was not sent it. Its player or pack is at fault: mend it and resume"
                )


def _is_in(probe: str, heard: Iterable[tuple[int, Event]]) -> bool:
    """Whether these words were said there."""
    return any(
        isinstance(event.body, Speech | LastWords | Stated | Note) and probe in event.body.text for _, event in heard
    )
