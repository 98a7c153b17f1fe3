"""A game played back: all of it, at a pace, and as the keys say."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from tianhei.arena.events import Called, Speech
from tianhei.arena.playback import FRAME, LETTERS, Keys, Left, Playback
from tianhei.arena.screen import Screen, Sight
from tianhei.transcripts.game import Recording, load

GOLDEN = Path(__file__).resolve().parents[1] / "transcripts" / "golden"


@pytest.fixture(scope="module", params=["classic_scripted", "butterfly_scripted"])
def recorded(request: pytest.FixtureRequest) -> Recording:
    return load(GOLDEN / f"{request.param}.jsonl")


class Fingers(Keys):
    """Keys that a test presses: one for each look at them; looking takes no time."""

    def __init__(self, *pressed: str) -> None:
        super().__init__()
        self.looks = 0
        self._pressed: Iterator[str] = iter(pressed)

    def pressed(self, seconds: float) -> str:
        self.looks += 1
        return next(self._pressed, "")


def console() -> Console:
    return Console(file=io.StringIO(), width=90, force_terminal=True, color_system=None, highlight=False)


def lines(screen: Screen, monkeypatch: pytest.MonkeyPatch, recorded: Recording) -> list[str]:
    """What a screen prints for good, each item as plain text."""
    printed: list[str] = []

    def note(item: RenderableType) -> None:
        plain = Console(file=io.StringIO(), width=90, record=True)
        plain.print(item)
        printed.append(plain.export_text())

    monkeypatch.setattr(screen, "_print", note)
    screen.show(recorded.events)
    return printed


def playback(recorded: Recording, keys: Keys, *, speed: float = 1.0, day: int = 0, sight: Sight = "public") -> Playback:
    return Playback(recorded.header, console(), keys, speed=speed, first_day=day, sight=sight)


@pytest.mark.parametrize("sight", ["public", "all", 3])
def test_all_of_a_game_is_played_back_in_its_order(
    sight: Sight, recorded: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = lines(Screen(recorded.header, console(), sight=sight), monkeypatch, recorded)
    assert lines(playback(recorded, Fingers(), speed=16, sight=sight), monkeypatch, recorded) == at_once


def test_a_speech_takes_the_time_of_reading_it_and_half_of_it_at_double_speed(recorded: Recording) -> None:
    speech = next(event for event in recorded.events if isinstance(event.body, Speech) and len(event.body.text) > 30)
    looks = []
    for speed in (1.0, 2.0):
        keys = Fingers()
        playback(recorded, keys, speed=speed).show([speech])
        looks.append(keys.looks * FRAME)
    assert isinstance(speech.body, Speech)
    reading = len(speech.body.text) / LETTERS["zh" if recorded.header.lang == "zh" else "en"]
    assert reading * 0.9 < looks[0] < reading * 1.6 + 1.5
    assert looks[1] == pytest.approx(looks[0] / 2, rel=0.15)


def test_days_before_the_first_that_is_wanted_are_shown_at_once(recorded: Recording) -> None:
    whole, rest, none = Fingers(), Fingers(), Fingers()
    playback(recorded, whole, speed=16).show(recorded.events)
    playback(recorded, rest, speed=16, day=2).show(recorded.events)
    playback(recorded, none, day=99).show(recorded.events)
    assert none.looks == 0 < rest.looks < whole.looks


def test_a_key_goes_to_the_next_line_and_another_to_the_next_day(recorded: Recording) -> None:
    looks = {}
    for key in ("", "next", "day"):
        keys = Fingers(*([key] if key == "day" else [key] * 10_000))
        playback(recorded, keys, speed=4).show(recorded.events)
        looks[key] = keys.looks
    events = len(recorded.events)
    assert looks["next"] <= 2 * events
    assert looks["next"] * 3 < looks[""]
    first_night = sum(event.day > 1 for event in recorded.events) / events
    assert looks["day"] < looks[""] * (first_night + 0.35)


def test_a_game_that_is_held_stands_still_until_it_is_let_go(recorded: Recording) -> None:
    night = next(event for event in recorded.events if event.body == Called(stage="night"))
    free, held = Fingers(), Fingers("hold", *[""] * 100, "hold")
    for keys in (free, held):
        playback(recorded, keys).show([night])
    assert held.looks == pytest.approx(free.looks + 101, abs=2)


def test_who_leaves_leaves_at_once(recorded: Recording) -> None:
    keys = Fingers("", "leave")
    with pytest.raises(Left):
        playback(recorded, keys).show(recorded.events)
    assert keys.looks == 2


def test_the_pace_changes_by_keys_within_bounds(recorded: Recording) -> None:
    night = next(event for event in recorded.events if event.body == Called(stage="night"))
    for key, slower in (("faster", False), ("slower", True)):
        usual, changed = Fingers(), Fingers(*[key] * 20)
        for keys in (usual, changed):
            playback(recorded, keys).show([night])
        assert (changed.looks > usual.looks) is slower
        assert changed.looks < usual.looks * 5


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals of this kind here")
def test_keys_are_read_from_a_terminal_and_leave_it_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import termios

    master, slave = os.openpty()
    with os.fdopen(slave, "r") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        before = termios.tcgetattr(stdin)
        with Keys() as keys:
            assert termios.tcgetattr(stdin)[3] != before[3]
            for typed, meant in ((b" ", "hold"), (b"\x1b[C", "next"), (b"x", ""), (b"q", "leave")):
                os.write(master, typed)
                assert keys.pressed(2.0) == meant
            assert keys.pressed(0.01) == ""
        assert termios.tcgetattr(stdin) == before
    os.close(master)


def test_without_a_keyboard_no_key_is_ever_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("q"))
    with Keys() as keys:
        assert keys.pressed(0.001) == ""
