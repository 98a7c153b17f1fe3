"""What the models of a game used: tokens, money, and how much of it came to answers; folded from its transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tianhei.agents.roster import LOCAL
from tianhei.arena.endpoint.prices import price
from tianhei.arena.player import Usage
from tianhei.arena.probing import probe_from_json
from tianhei.prompts.pack import TINY
from tianhei.transcripts.calls import usage_from_json
from tianhei.transcripts.game import Recording, seat_of
from tianhei.transcripts.header import SeatSpec

TOKENS = ("prompt", "cached", "completion", "reasoning")
"""The kinds of tokens."""


@dataclass(slots=True)
class Costs:
    """The calls of one model. ``billed`` counts the tokens of every request, ``kept`` those of answers that were taken.

    ``money`` is what is known, in US dollars; ``unpriced`` counts the requests whose price is not, ``untold``, for each
    kind of tokens, the calls of which nobody told how many. ``pending`` calls were under way when a game broke off,
    and nobody knows whether they reached the endpoint.
    """

    calls: int = 0
    requests: int = 0
    pending: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0
    estimated: int = 0
    kept: int = 0
    money: Decimal = Decimal(0)
    seconds: float = 0.0
    """Time that the calls took, one after another."""
    unpriced: int = 0
    untold: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    """Requests that came to nothing, by cause."""
    served: Counter[str] = field(default_factory=Counter)
    """Calls by the model that the endpoint said had answered; of the others it did not say."""
    fallbacks: Counter[str] = field(default_factory=Counter)
    """Answers that had to do without the model, by cause."""
    answers: int = 0
    """Answers that the seats of this model gave, fallbacks included."""
    unaccounted: int = 0
    """Those of them of which it is not told whether the model gave them."""

    def by_others(self, asked: str) -> bool:
        """Whether any call to the model ``asked`` was answered by another, or by a dated snapshot of it."""
        return bool(self.served.keys() - {asked})

    @property
    def billed(self) -> int:
        return self.prompt + self.completion

    def tokens(self, kind: str) -> int | None:
        """The tokens of a kind; None where no call tells any."""
        count: int = getattr(self, kind)
        return None if not count and self.untold[kind] else count

    @property
    def is_accounted(self) -> bool:
        """Whether of some answer it is told who gave it."""
        return not self.unaccounted or self.unaccounted < self.answers

    @property
    def priced(self) -> Decimal | None:
        """The money as far as it is known; None where it is of no request."""
        return None if not self.money and self.unpriced else self.money

    def add(self, other: Costs) -> None:
        """Sum up."""
        for name in ("calls", "requests", "pending", "prompt", "cached", "completion", "reasoning", "estimated", "kept",
                     "unpriced", "answers", "unaccounted", "seconds"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.money += other.money
        self.untold += other.untold
        self.failed += other.failed
        self.served += other.served
        self.fallbacks += other.fallbacks

    def to_json(self) -> dict[str, Any]:
        """All figures; None is what is not available, as the share of tokens kept where none were billed."""
        return {
            "calls": self.calls, "requests": self.requests, "pending": self.pending, "failed": dict(self.failed),
            "tokens": {**{kind: self.tokens(kind) for kind in TOKENS}, "estimated_requests": self.estimated},
            "usd": None if self.priced is None else str(self.priced), "unpriced_requests": self.unpriced,
            "kept_share": self.kept / self.billed if self.billed else None,
            "served": dict(sorted(self.served.items())),
            "answers": self.answers, "fallbacks": dict(self.fallbacks) if self.is_accounted else None,
        }  # fmt: skip


def costs_of(recorded: Recording) -> Mapping[str, Costs]:
    """The costs of a game by model, as ``model @ endpoint``; scripted players have none.

    Of an imported game they are as its source tells them.
    """
    found: dict[str, Costs] = {}

    def of(seat: int) -> tuple[Costs, SeatSpec]:
        spec = recorded.header.seats[seat - 1]
        name = f"{spec.model} @ {spec.endpoint}" if spec.endpoint else spec.model
        return found.setdefault(name, Costs()), spec

    used: dict[str, int] = {}
    """By request: the tokens of the calls that its answer rests on, the last one alone or, with the pack tiny, all."""
    for call in recorded.done.values():
        request = _request(call)
        costs, spec = of(seat_of(request))
        costs.calls += 1
        if served := call.get("served"):
            costs.served[served] += 1
        costs.seconds += call.get("seconds", 0)  # an imported call may not tell
        usage = _used(costs, spec, call)
        before = used.get(request, 0) if spec.pack == TINY else 0
        used[request] = before + (usage.prompt or 0) + (usage.completion or 0)
        costs.pending -= 1
    for call in recorded.tries:
        costs, spec = of(seat_of(_request(call)))
        costs.failed[call["try"]] += 1
        _used(costs, spec, call)
        costs.pending -= call["try"] == "stopped"
    for call in recorded.sent:
        of(seat_of(_request(call)))[0].pending += 1
    for call in recorded.failed:
        of(seat_of(_request(call)))[0].pending -= 1
    for told in map(probe_from_json, recorded.probes):
        if told.beliefs is not None and told.probe.id in used:
            of(told.probe.seat)[0].kept += used[told.probe.id]
    accounted = recorded.accounted
    for reply in (reply for wave in recorded.waves for reply in wave.replies.values()):
        seat = seat_of(reply.request)
        if not recorded.header.seats[seat - 1].model:
            continue
        costs, _ = of(seat)
        costs.answers += 1
        costs.unaccounted += accounted is not None and _kind(reply.request) not in accounted
        if reply.source == "model":
            costs.kept += used.get(reply.request, 0)
            if recorded.header.source and reply.request not in used:  # its source keeps no calls
                costs.unpriced += 1
                costs.untold.update(TOKENS)
        elif reply.source.startswith("fallback:"):
            costs.fallbacks[reply.source.removeprefix("fallback:")] += 1
    return found


def answered_by_others(by_model: Mapping[str, Costs]) -> dict[str, Costs]:
    """Those of the models, named as `costs_of` names them, some of whose calls others answered."""
    return {name: costs for name, costs in by_model.items() if costs.by_others(name.partition(" @ ")[0])}


def total(all_costs: Iterable[Costs]) -> Costs:
    """The sum of several."""
    found = Costs()
    for costs in all_costs:
        found.add(costs)
    return found


def _request(call: Mapping[str, Any]) -> str:
    name: str = call["call"]
    return name.partition("#")[0]


def _kind(request: str) -> str:
    return request.split(".")[1].rstrip("0123456789")


def _used(costs: Costs, spec: SeatSpec, call: Mapping[str, Any]) -> Usage:
    """Add what one request used; it is returned."""
    usage = usage_from_json(call)
    costs.requests += 1
    costs.prompt += usage.prompt or 0
    costs.cached += usage.cached or 0
    costs.completion += usage.completion or 0
    costs.reasoning += usage.reasoning or 0
    costs.estimated += usage.estimated
    came = "done" in call
    costs.untold.update(kind for kind in TOKENS if came and getattr(usage, kind) is None)
    if "cost" in call:
        costs.money += Decimal(str(call["cost"]))
    elif (came or usage != Usage()) and spec.endpoint != LOCAL:
        money = None if usage == Usage() else price(spec.model, spec.endpoint, usage)
        costs.money += money or 0
        costs.unpriced += money is None
    return usage
