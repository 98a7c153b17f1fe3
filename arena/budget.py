"""What a game or a run may spend: reserved before each request leaves, settled when it is back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Literal

from tianhei.arena.calls import OutOfBudget
from tianhei.arena.player import Usage

Unit = Literal["usd", "tokens"]
Cost = Callable[[Usage], "Decimal | None"]
_WRITTEN = re.compile(r"\$?(\d+(?:\.\d+)?)\s*(?:(k|m)?\s*(tokens?))?", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000}


class BudgetError(ValueError):
    """A budget that cannot be, or cannot be kept; the message says what can."""


class Budget:
    """Spent and reserved together never pass ``most``, in US dollars or in tokens."""

    def __init__(self, most: Decimal | int, unit: Unit = "usd") -> None:
        self.most = Decimal(most)
        self.unit: Unit = unit
        self.spent = Decimal(0)
        self.reserved = Decimal(0)

    def __str__(self) -> str:
        return f"${self.most}" if self.unit == "usd" else f"{self.most:,} tokens"

    def amount(self, usage: Usage, cost: Cost) -> Decimal:
        """What these tokens take of the budget. BudgetError where their price is unknown."""
        if self.unit == "tokens":
            return Decimal((usage.prompt or 0) + (usage.completion or 0))
        money = cost(usage)
        if money is None:
            raise BudgetError("the price of a model is unknown, so that no budget in money can be kept for it: give it "
                              "in tokens, as in --budget '500k tokens'")  # fmt: skip
        return money

    def reserve(self, amount: Decimal) -> None:
        """Put an amount aside. OutOfBudget, and nothing changed, where it is not left."""
        if self.spent + self.reserved + amount > self.most:
            raise OutOfBudget(
                f"the budget of {self} is used up: spent {_shown(self.spent, self.unit)}, reserved for calls under way "
                f"{_shown(self.reserved, self.unit)}, and the next might take {_shown(amount, self.unit)}"
            )
        self.reserved += amount

    def settle(self, reserved: Decimal, spent: Decimal) -> None:
        """What was reserved has come back, and so much of it was spent."""
        self.reserved -= reserved
        self.spent += spent


class Reservation:
    """One request's share of several budgets: of its game's and of its run's."""

    def __init__(self, budgets: Sequence[Budget], need: Usage, cost: Cost) -> None:
        """Reserve in all of them, or in none."""
        self._cost = cost
        self._held: list[tuple[Budget, Decimal]] = []
        try:
            for budget in budgets:
                amount = budget.amount(need, cost)
                budget.reserve(amount)
                self._held.append((budget, amount))
        except OutOfBudget:
            for budget, amount in self._held:
                budget.settle(amount, Decimal(0))
            raise

    def settle(self, usage: Usage | None) -> None:
        """So much was used; None: nobody knows, and all that was reserved counts as spent."""
        for budget, amount in self._held:
            budget.settle(amount, amount if usage is None else budget.amount(usage, self._cost))
        self._held.clear()


def read_budget(text: str) -> Budget:
    """A budget as it is written: ``2.50`` or ``$2.50`` (US dollars), ``500k tokens``. BudgetError if it is neither."""
    found = _WRITTEN.fullmatch(text.strip())
    if not found:
        raise BudgetError(f"{text!r} is no budget: write 2.50 for US dollars, or '500k tokens'")
    number, times, tokens = found[1], found[2], found[3]
    if not tokens:
        return Budget(Decimal(number))
    return Budget(Decimal(number) * _TIMES[(times or "").lower()], "tokens")


def _shown(amount: Decimal, unit: Unit) -> str:
    return f"${amount:.4f}" if unit == "usd" else f"{amount:,.0f} tokens"
