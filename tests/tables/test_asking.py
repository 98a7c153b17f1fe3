"""Questions by themselves: those that end together say so alike, and one that is withdrawn is closed by name."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Any

import pytest

from tianhei.arena.tables.asking import Ask, Questions, cover_ask
from tianhei.arena.tables.audience import Audience
from tianhei.arena.tables.clock import TableClock
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.state import State


def asked(clock: TableClock, seats: int) -> tuple[Questions, list[Ask]]:
    """A cover question for each of so many seats, all open until the same time."""
    state = State(table="t", plan=Plan(), made="", players=seats)
    questions = Questions(state, clock, Audience(), lambda: None, lambda seat, name: None, slow=False)
    everybody = tuple(range(1, seats + 1))
    asks = [cover_ask(seat, tuple(other for other in everybody if other != seat), 1, 0) for seat in everybody]
    questions.add(asks)
    for ask in asks:
        ask.put("night", clock.time() + 30)
        ask.ends = asks[0].ends
    return questions, asks


def test_questions_that_end_together_say_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the two clocks of a machine are never read at once: here they are half a thousandth apart each time."""

    async def ends() -> set[int]:
        questions, asks = asked(TableClock(), 9)
        steps = itertools.count()
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + next(steps) * 0.0005)
        return {message["ask"]["ends_at"] for message in questions.messages(asks)}

    assert len(asyncio.run(ends())) == 1


def test_an_answer_to_a_question_that_was_withdrawn_is_late() -> None:
    """As where the cards are dealt anew while somebody answers."""

    async def answer(before: Any) -> str:
        questions, (ask, *_) = asked(TableClock(), 3)
        before(ask)
        with pytest.raises(Refused) as refused:
            questions.give(1, ask.request.id, {"target": 2})
        return refused.value.name

    assert asyncio.run(answer(lambda ask: ask.answer.cancel())) == "too_late"
    assert asyncio.run(answer(lambda ask: ask.give(None))) == "too_late"
