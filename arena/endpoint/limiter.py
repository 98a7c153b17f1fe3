"""What all calls to one endpoint share: how many at once, how many a minute, and when it may be asked again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from tianhei.arena.calls import EndpointDown

MINUTE = 60.0
FIRST_WAIT = 0.5
"""Seconds after the first fault in a row; each further one doubles them."""


class _Bucket:
    """So much a minute, all of it at once if need be; more than that waits, in the order of asking."""

    def __init__(self, per_minute: float) -> None:
        self._per_second = per_minute / MINUTE
        self._most = self._left = per_minute
        self._seen = time.monotonic()

    def delay(self, amount: float) -> float:
        """Take so much; the seconds until it is there."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._seen) * self._per_second)
        self._seen = now
        self._left -= min(amount, self._most)
        return max(0.0, -self._left / self._per_second)


class Limiter:
    """One for each endpoint and key; made anywhere, used in one event loop."""

    def __init__(
        self, concurrency: int, *, requests_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        self.concurrency = concurrency
        self._slots = asyncio.Semaphore(concurrency)
        self._requests = _Bucket(requests_per_minute) if requests_per_minute else None
        self._tokens = _Bucket(tokens_per_minute) if tokens_per_minute else None
        self._closed_until = 0.0
        self._strikes = 0

    @asynccontextmanager
    async def turn(self, tokens: int, longest: float) -> AsyncGenerator[None]:
        """Wait for a place, and until the endpoint may be asked; ``tokens`` is what the request may use.

        EndpointDown where it has asked to be left alone for more than ``longest`` seconds.
        """
        async with self._slots:
            delay = max(
                self._requests.delay(1) if self._requests else 0.0,
                self._tokens.delay(tokens) if self._tokens else 0.0,
            )
            if delay:
                await asyncio.sleep(delay)
            while (left := self._closed_until - time.monotonic()) > 0:
                if left > longest:
                    raise EndpointDown(f"the endpoint asks to be left alone for {left:.0f} s", "rate_limit")
                await asyncio.sleep(left)
            yield

    def back_off(self, after: float | None, longest: float) -> float:
        """All calls wait: as long as the endpoint asks, or longer with each fault since the last answer. Seconds."""
        now = time.monotonic()
        if after is None:
            if self._closed_until > now:  # others of the same moment have failed too: it is one fault
                return self._closed_until - now
            self._strikes += 1
            after = min(longest, FIRST_WAIT * 2.0 ** (self._strikes - 1))
        self._closed_until = max(self._closed_until, now + after)
        return self._closed_until - now

    def answered(self) -> None:
        """The endpoint has answered."""
        self._strikes = 0
