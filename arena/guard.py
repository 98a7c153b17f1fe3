"""A watch over what leaves for a model: no prompt holds another seat's private words.

Prompts are made from views, so this never finds anything unless a player or a pack is at fault; it is there for the
day when one is. For every private text some letters from its middle are kept, and looked for in each prompt; but for
words that its seat had from its own prompt, which others' prompts hold too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tianhei.arena.events import Event, LastWords, Note, Speech, Stated
from tianhei.arena.player import Prompt
from tianhei.arena.roles import Seat
from tianhei.arena.view import View

PROBE, PROBE_HAN = 40, 16
"""Letters of a private text that are looked for, and of one in Chinese; shorter texts may be chance."""
_HAN = re.compile("[\u4e00-\u9fff]")
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
        self._shown: dict[Seat, Prompt] = {}
        """What each seat was asked last."""

    def learn(self, seat: Seat, thought: str, note: str | None, council: str) -> None:
        """Remember what a seat said to itself, or to its team alone."""
        shown = self._shown.get(seat)
        for what, text in (("thought", thought), ("note", note or ""), ("words to its team", council)):
            length = PROBE_HAN if len(_HAN.findall(text)) * 2 > len(text) else PROBE
            start = (len(text) - length) // 2
            probe = text[start : start + length]
            copied = shown and any(probe in part for part in (shown.system, shown.public, shown.private))
            if len(text) >= length and not copied:
                self._secrets[_Secret(probe, seat, what)] = None
        while len(self._secrets) > KEPT:
            del self._secrets[next(iter(self._secrets))]

    def check(self, prompt: Prompt, added: str, view: View) -> None:
        """Raise Leak if the prompt's private part, or what its public part adds, holds another seat's secret."""
        self._shown[view.seat] = prompt
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
