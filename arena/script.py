"""A script is a generator that yields waves of requests and is sent the answers, in the same order.

The order of play of each game is one script, made of smaller ones. A script never waits, reads a clock or calls a
player: whoever runs it does.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

from tianhei.arena.requests import Answer, Request

T = TypeVar("T")
Script: TypeAlias = Generator[tuple[Request, ...], tuple[Answer, ...], T]


def together(*scripts: Script[Any]) -> Script[tuple[Any, ...]]:
    """Run scripts in lockstep: the waves they yield at the same step are asked as one. Returns their results."""
    results: list[Any] = [None] * len(scripts)
    open_waves: dict[int, tuple[Request, ...]] = {}
    for index, script in enumerate(scripts):
        _advance(index, script, None, open_waves, results)
    while open_waves:
        asked = dict(open_waves)
        answers = yield tuple(request for wave in asked.values() for request in wave)
        start = 0
        open_waves = {}
        for index, wave in asked.items():
            _advance(index, scripts[index], answers[start : start + len(wave)], open_waves, results)
            start += len(wave)
    return tuple(results)


def _advance(
    index: int,
    script: Script[Any],
    answers: tuple[Answer, ...] | None,
    open_waves: dict[int, tuple[Request, ...]],
    results: list[Any],
) -> None:
    try:
        open_waves[index] = next(script) if answers is None else script.send(answers)
    except StopIteration as stop:
        results[index] = stop.value
