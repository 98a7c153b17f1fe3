"""A table's own time: seconds that stand still while it is paused."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress


class TableClock:
    """Time that can be stopped."""

    def __init__(self, *, paused: bool = False) -> None:
        self._lost = 0.0
        self._since = time.monotonic() if paused else None
        self._going, self._halted = asyncio.Event(), asyncio.Event()
        (self._halted if paused else self._going).set()

    def time(self) -> float:
        """Seconds at this table."""
        return (time.monotonic() if self._since is None else self._since) - self._lost

    def wall(self, when: float) -> float:
        """Table time as seconds since 1970, if nobody stops the clock meanwhile."""
        return time.time() + when - self.time()

    def at(self, wall: float) -> float:
        """Seconds since 1970 as table time; the other way round of `wall`."""
        return self.time() + wall - time.time()

    async def until(self, when: float) -> None:
        """Wait for that time; while the clock stands it does not come."""
        while True:
            await self._going.wait()
            if (left := when - self.time()) <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._halted.wait()

    def pause(self) -> None:
        """Stop the clock."""
        if self._since is None:
            self._since = time.monotonic()
            self._going.clear()
            self._halted.set()

    def go(self) -> None:
        """Let the clock go on."""
        if self._since is not None:
            self._lost += time.monotonic() - self._since
            self._since = None
            self._halted.clear()
            self._going.set()
