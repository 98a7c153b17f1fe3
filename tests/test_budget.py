"""Budgets: what is spent and reserved together never passes the limit, and a game that runs out can go on."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest

from players import CLASSIC_SEVEN, FakeModel, header, models
from tianhei.arena.budget import Budget, BudgetError, Reservation, read_budget
from tianhei.arena.calls import Meter, OutOfBudget
from tianhei.arena.costs import costs_of, total
from tianhei.arena.host import FixedClock, Host
from tianhei.arena.player import Completion, Prompt, Usage
from tianhei.transcripts.game import load

RULES = {"vote_form": "simultaneous", "max_days": 1, "first_phase": "day"}
NEED = Usage(90, None, 10, estimated=True)


def free(usage: Usage) -> Decimal | None:
    return Decimal(0)


def a_cent(usage: Usage) -> Decimal | None:
    return Decimal((usage.prompt or 0) + (usage.completion or 0)) / 10_000


def unknown(usage: Usage) -> Decimal | None:
    return None


@pytest.mark.parametrize(
    ("text", "most", "unit"),
    [
        ("2.50", "2.50", "usd"), ("$3", "3", "usd"), ("500 tokens", "500", "tokens"), ("1 token", "1", "tokens"),
        ("500k tokens", "500000", "tokens"), ("1.5M tokens", "1500000", "tokens"),
    ],
)  # fmt: skip
def test_budgets_as_they_are_written(text: str, most: str, unit: str) -> None:
    found = read_budget(text)
    assert (found.most, found.unit) == (Decimal(most), unit)


@pytest.mark.parametrize("text", ["", "much", "-1", "5 euros", "k tokens"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(BudgetError, match=r"write 2\.50 for US dollars"):
        read_budget(text)


def test_a_reservation_holds_and_its_rest_comes_back() -> None:
    budget = Budget(150, "tokens")
    first = Reservation([budget], NEED, free)
    with pytest.raises(OutOfBudget, match="reserved for calls under way 100 tokens, and the next might take 100"):
        Reservation([budget], NEED, free)
    first.settle(Usage(20, None, 5))
    assert (int(budget.spent), int(budget.reserved)) == (25, 0)
    first.settle(Usage(20, None, 5))
    assert budget.spent == 25
    Reservation([budget], NEED, free).settle(None)
    assert budget.spent == 125


def test_a_call_that_one_budget_has_no_room_for_takes_nothing_of_the_other() -> None:
    game, run = Budget(500, "tokens"), Budget(Decimal("0.005"))
    with pytest.raises(OutOfBudget):
        Reservation([game, run], NEED, a_cent)
    assert not any((game.spent, game.reserved, run.spent, run.reserved))


def test_an_unknown_price_is_not_zero() -> None:
    with pytest.raises(BudgetError, match="give it in tokens"):
        Budget(Decimal(1)).amount(NEED, unknown)
    assert Budget(1000, "tokens").amount(NEED, unknown) == 100


class Metered(FakeModel):
    """Reserves before it answers and says what it used; it looks at the budget at every moment."""

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self.budget = budget
        self.most = Decimal(0)

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        meter.begins(NEED)
        self.most = max(self.most, self.budget.spent + self.budget.reserved)
        completion = await super().complete(prompt, call, meter)
        return Completion(completion.text, usage=Usage(70, None, 5))


def _play(path: Path, budget: Budget, *, new: bool) -> Metered:
    model = Metered(budget)

    async def run() -> None:
        head = header(CLASSIC_SEVEN, rules=RULES) if new else None
        await Host(path, head, models(7, model), clock=FixedClock(), budgets=[budget]).play()

    asyncio.run(run())
    return model


def test_a_game_stops_before_it_overspends_and_goes_on_with_more(tmp_path: Path) -> None:
    path = tmp_path / "game"
    small = Budget(600, "tokens")
    with pytest.raises(OutOfBudget):
        _play(path, small, new=True)
    stopped = load(path)
    assert stopped.void is not None and stopped.void["cause"] == "budget"
    assert small.spent + small.reserved <= 600
    spent = 75 * len(stopped.done)
    more = Budget(100_000, "tokens")
    model = _play(path, more, new=False)
    ended = load(path)
    assert ended.end is not None and ended.void is None
    assert more.spent == 75 * len(ended.done) == spent + 75 * len(model.calls)
    assert len(set(model.calls) & {call["call"] for call in stopped.done.values()}) == 0


@pytest.mark.report("CC-08")
def test_64_games_on_one_budget_never_pass_it(tmp_path: Path) -> None:
    run = Budget(Decimal("1.00"))
    model = Metered(run)
    model.cost = a_cent  # type: ignore[method-assign]

    async def play() -> list[object]:
        hosts = [
            Host(tmp_path / str(seed), header(CLASSIC_SEVEN, seed=seed, rules=RULES), models(7, model),
                 clock=FixedClock(), budgets=[run])
            for seed in range(64)
        ]  # fmt: skip
        return list(await asyncio.gather(*(host.play() for host in hosts), return_exceptions=True))

    ends = asyncio.run(play())
    assert any(isinstance(end, OutOfBudget) for end in ends)
    assert model.most <= run.most
    assert run.reserved == 0
    assert all(load(tmp_path / str(seed)).void for seed in range(64) if isinstance(ends[seed], OutOfBudget))


def test_what_was_under_way_when_a_game_was_stopped_stays_spent(tmp_path: Path) -> None:
    path, budget = tmp_path / "game", Budget(100_000, "tokens")

    class Waiting(Metered):
        async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
            if len(self.calls) < 3:
                return await super().complete(prompt, call, meter)
            meter.begins(NEED)
            await asyncio.sleep(1000)
            raise AssertionError("it is stopped before")

    async def stop() -> None:
        host = Host(path, header(CLASSIC_SEVEN, rules=RULES), models(7, Waiting(budget)), budgets=[budget])
        playing = asyncio.ensure_future(host.play())
        while len(load(path).sent) < 4:
            await asyncio.sleep(0.01)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    asyncio.run(stop())
    stopped = load(path)
    assert stopped.void is not None and stopped.void["cause"] == "stopped"
    assert [call["try"] for call in stopped.tries] == ["stopped"]
    assert (int(budget.spent), int(budget.reserved)) == (3 * 75 + 100, 0)
    more = Budget(100_000, "tokens")
    model = _play(path, more, new=False)
    assert more.spent == budget.spent + 75 * len(model.calls)
    assert total(costs_of(load(path)).values()).pending == 0


def test_what_was_under_way_when_the_program_was_killed_stays_spent(tmp_path: Path) -> None:
    """Nothing is written after the kill: the file is cut where a request had left."""
    path, budget = tmp_path / "game", Budget(100_000, "tokens")
    _play(path, budget, new=True)
    lines = path.read_bytes().splitlines(keepends=True)
    last_left = max(place for place, line in enumerate(lines) if b'"need"' in line and b'"try"' not in line)
    path.write_bytes(b"".join(lines[: last_left + 1]))
    killed = load(path)
    lost = len(killed.under_way)
    assert lost > 0 and killed.void is None
    more = Budget(100_000, "tokens")
    model = _play(path, more, new=False)
    assert more.spent == 75 * (len(killed.done) + len(model.calls)) + 100 * lost
    ended = load(path)
    assert [call["try"] for call in ended.tries] == ["stopped"] * lost and not ended.under_way
    again = Budget(100_000, "tokens")
    _play(path, again, new=False)
    assert again.spent == more.spent
