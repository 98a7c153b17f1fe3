"""The games that are broken off: models that are asked together, one of them once more, beside one who is no model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from players import FakeModel, fitting, header
from tianhei.agents.model import ModelPlayer
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Completion, Prompt, Usage
from tianhei.arena.roles import Seat
from tianhei.transcripts import file
from tianhei.transcripts.header import Header

P = ParamSpec("P")
T = TypeVar("T")
At = Callable[[str], None]
"""Told of each boundary."""
Heard = Callable[[str, str], object]
"""Told of each call that reaches the model: its id on the wire, and its prompt's hash."""
UNREADABLE = "d1.vote1.01#1"
"""The call whose answer is prose, so that the model is asked once more."""


def _in_chinese(prompt: Prompt) -> str:
    """A reply whose every text holds Chinese characters, so that a line can be cut within one."""
    return fitting(prompt).replace('"A word."', '"一句话。"').replace('""', '"一句话。"')


class Model(FakeModel):
    """A paid model whose answers and tokens follow from the prompt."""

    paid = True

    def __init__(self, at: At, heard: Heard) -> None:
        super().__init__(_in_chinese)
        self._at = at
        self._heard = heard

    async def complete(self, *given: Any, **more: Any) -> Completion:
        prompt: Prompt = given[0]
        call: str = given[1]
        self._heard(call, prompt.hash)
        self._at("call: sent")
        completion = await super().complete(*given, **more)
        self._at("call: received")
        text = "让我想想。" if call.endswith(UNREADABLE) else completion.text
        tokens = Usage(len(prompt.public), len(prompt.system), len(text), int(prompt.hash[:3], 16))
        return replace(completion, text=text, usage=tokens)


@dataclass(frozen=True, slots=True)
class Table:
    """A game, and the seats in which the model sits; in the others sit bots, that may wait where there is a model."""

    header: Header
    models: range

    def sitters(self, model: Model) -> Mapping[Seat, Sitter]:
        bot = Sitter(RandomPlayer("zh"), waits=bool(self.models))
        asked = Sitter(ModelPlayer("zh"), "model", model)
        return {seat: asked if seat in self.models else bot for seat in range(1, len(self.header.seats) + 1)}


_RULES: Mapping[str, Any] = {"first_phase": "day", "vote_form": "simultaneous", "tie": "nobody", "last_words": "none"}


def _table(killers: int, civilians: int, models: range, **rules: Any) -> Table:
    counts = {"killer": killers, "civilian": civilians}
    return Table(header(counts, rules={**_RULES, **rules}, lang="zh", player="fake"), models)


TABLES: Mapping[str, Table] = {
    "day": _table(1, 2, range(1, 3), max_days=1),
    "vote": _table(1, 2, range(1, 3), max_days=1, channel="mute"),
    "bots": _table(1, 2, range(0), max_days=1),
    "three days": _table(2, 7, range(1, 10), max_days=3),
}
"""By name: speeches one by one and a vote together; the vote alone; lines that are written together; only models."""


class Later(ThreadPoolExecutor):
    """Does in one order what threads would do in any: each piece in the loop, when others have had their turn."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def do() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:
                    future.set_exception(error)

        asyncio.get_running_loop().call_soon(do)
        return future


def play(path: Path, name: str, at: At, heard: Heard, disk: Any, *, anew: bool = True) -> None:
    """Start a table's game in that file, or go on with it to its end; ``anew``: as one that may have to start it."""
    table = TABLES[name]

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(Later())
        sitters = table.sitters(Model(at, heard))
        await Host(path, table.header if anew else None, sitters, clock=FixedClock()).play()

    with patch.object(file, "os", disk):
        asyncio.run(run())
