"""What the host and an endpoint say to each other about one call to a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, Protocol

from tianhei.arena.player import Completion, Prompt, Usage

Trouble = Literal[
    "unreachable",
    "timeout",
    "rate_limit",
    "server",
    "no_json",
    "no_choice",
    "blank",
    "crossed",
    "clipped",
    "adapting",
    "key",
    "model",
    "quota",
    "refused",
    "stopped",
]
"""Why a request came to nothing. None of these is the model's own choice, and none is ever booked as one."""


@dataclass(frozen=True, slots=True)
class Try:
    """One request that came to nothing: the cause, what was seen, seconds it took and seconds until the next.

    ``need`` is the most that it can have used, where nobody knows what it did.
    """

    cause: Trouble
    what: str
    seconds: float = 0.0
    wait: float | None = None
    usage: Usage = field(default_factory=Usage)
    need: Usage = field(default_factory=Usage)


class Meter(Protocol):
    """Where a call reports what it does, while it does it."""

    def begins(self, need: Usage) -> None:
        """A request is about to leave; ``need`` is the most that it can use. OutOfBudget if that is not to be had."""

    def failed(self, tried: Try) -> None:
        """A request came to nothing."""

    def adapted(self, what: str) -> None:
        """The endpoint refused something, and is asked without it from now on."""


class Endpoint(Protocol):
    """Where models are reached."""

    paid: bool
    """Whether an answer costs money: it is then synced to the disk before anything else happens."""

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        """The model's completion; ``call`` identifies the call and is the same when it is repeated.

        Unusable where this prompt has no answer (too long, filtered); EndpointDown where the endpoint cannot be had.
        """
        ...

    def cost(self, usage: Usage) -> Decimal | None:
        """US dollars for this many tokens; None where the price is unknown."""
        ...


class EndpointDown(Exception):
    """The endpoint cannot be had: the game stops, void as it stands, and can be resumed.

    ``lasting``: no other call can succeed either (a refused key, an unknown model, an empty account).
    """

    def __init__(self, what: str, cause: Trouble = "unreachable", *, lasting: bool = False) -> None:
        super().__init__(what)
        self.cause: Trouble = cause
        self.lasting = lasting


class OutOfBudget(Exception):
    """The next call might cost more than is left: the game stops, void as it stands, and can be resumed."""
