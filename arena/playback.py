"""A game played back in a terminal: speeches as if they were being typed, ballots one after another, nights in a pause.

It can be held, hurried and left by keys where there is a keyboard.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from tianhei.arena.events import Ballots, Called, Event, Hand, LastWords, Over, Revealed, Speech
from tianhei.arena.screen import Screen, Sight, sees
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.header import Header

LETTERS = {"en": 38.0, "zh": 13.0}
"""Letters a second at which people read along."""
FRAME = 0.05
"""Seconds between two pictures."""
AFTER, NIGHT, BALLOT, END = 0.7, 1.4, 0.35, 1.0
"""Seconds after a line, at nightfall, from one ballot to the next, and before the end is told."""
FASTEST, SLOWEST, STEP = 16.0, 0.25, 1.5
_KEYS = {" ": "hold", "\x1b[C": "next", "n": "next", "\r": "next", "\n": "next", "\x1b[B": "day", "d": "day",
         "+": "faster", "=": "faster", "-": "slower", "_": "slower", "q": "leave", "\x03": "leave"}  # fmt: skip


class Left(Exception):
    """Whoever looks on has left."""


class Keys:
    """The keys that are pressed in a terminal, read one by one while something is shown; elsewhere there are none."""

    def __init__(self) -> None:
        self._undo: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        try:
            import termios
            import tty
        except ImportError:  # a system that has none
            return self
        try:
            place = sys.stdin.fileno()
            before = termios.tcgetattr(place)
            tty.setcbreak(place)
        except (OSError, ValueError, termios.error):  # no keyboard that could be read
            return self
        self._undo = lambda: termios.tcsetattr(place, termios.TCSADRAIN, before)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._undo:
            self._undo()

    def pressed(self, seconds: float) -> str:
        """What the next key is for, waited for so long at most; empty where none is pressed, or one for nothing."""
        if self._undo is None:
            time.sleep(seconds)
            return ""
        import select

        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return _KEYS.get(os.read(sys.stdin.fileno(), 8).decode("ascii", "ignore"), "") if ready else ""


class Playback(Screen):
    """Plays events back on a live terminal. `Left` when its onlooker leaves."""

    def __init__(
        self, header: Header, console: Console, keys: Keys, *, speed: float = 1.0, first_day: int = 0,
        sight: Sight = "public", lang: Lang | None = None,
    ) -> None:  # fmt: skip
        """``speed`` is in times the usual; days before ``first_day`` are shown at once."""
        super().__init__(header, console, sight=sight, lang=lang)
        self._keys = keys
        self._speed = speed
        self._from = first_day
        self._skipping = False
        self._live = Live(console=console, transient=True, auto_refresh=False)

    def show(self, events: Iterable[Event]) -> None:
        """Play these events back, at the pace of somebody who reads along."""
        with self._live:
            for event in events:
                self._skipping = False
                if event.day >= self._from and isinstance(event.body, Over):
                    self._wait(END)
                super().show([event])
                if event.day >= self._from:
                    self._wait(self._pause_after(event))

    def _pause_after(self, event: Event) -> float:
        match event.body:
            case Called(stage="night"):
                return NIGHT
            case Speech() | LastWords() | Ballots():
                return AFTER
            case Called(role=role) if role is not None:
                return 0.0
            case Revealed() | Hand():
                return 0.0
            case _ if sees(self._sight, event):
                return AFTER + self._reading(self._told(event)) / 2
            case _:
                return 0.0

    def _reading(self, text: str) -> float:
        """Seconds to read a text."""
        return len(text) / LETTERS[self.lang]

    def _speech(self, event: Event, said: Speech | LastWords) -> None:
        text = self._told(event)
        typed = 0.0
        while event.day >= self._from and typed < len(text) and not self._skipping:
            self._wait(FRAME * self._speed, self._speech_row(said, text[: round(typed)]))
            typed += LETTERS[self.lang] * FRAME * self._speed
        self._print(self._speech_row(said, text))

    def _ballots(self, event: Event, ballots: Ballots) -> None:
        cast = list((ballots.ballots or {}).items())
        counted = 1
        while event.day >= self._from and ballots.totals is None and counted < len(cast) and not self._skipping:
            some = replace(ballots, ballots=dict(cast[:counted]), void=(), abstained=0)
            self._wait(BALLOT, self._ballots_row(some))
            counted += 1
        super()._ballots(event, ballots)

    def _wait(self, seconds: float, above: RenderableType | None = None) -> None:
        """Let that time pass, at the speed that is chosen, under a line that tells the keys."""
        left, held = seconds, False
        while (left > 0 or held) and not self._skipping:
            self._live.update(self._picture(above, held=held), refresh=True)
            began = time.monotonic()
            key = self._keys.pressed(FRAME if held else min(left / self._speed, FRAME))
            left -= 0 if held else max(time.monotonic() - began, min(left / self._speed, FRAME)) * self._speed
            held = not held if key == "hold" else held
            self._heed(key)

    def _heed(self, key: str) -> None:
        match key:
            case "next":
                self._skipping = True
            case "day":
                self._skipping, self._from = True, self._record.day + 1
            case "faster":
                self._speed = min(self._speed * STEP, FASTEST)
            case "slower":
                self._speed = max(self._speed / STEP, SLOWEST)
            case "leave":
                raise Left
            case _:
                pass

    def _picture(self, above: RenderableType | None, *, held: bool) -> RenderableType:
        keys = Text(self.say("held" if held else "keys", speed=f"{self._speed:.2g}"), "dim")
        return Group(above, keys) if above is not None else keys
