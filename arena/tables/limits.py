"""How often somebody may ask for something: a bucket of tries that fills again with time."""

from __future__ import annotations

import time
from collections.abc import Callable

from tianhei.arena.tables.refused import Refused

_FORGOTTEN = 10_000


class Limit:
    """For each name, ``most`` tries at once and ``most`` more in every ``seconds``."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._rate = most / seconds
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> None:
        """Use one try. Refused, and none used, where there is none."""
        now = self._now()
        left, since = self._left.get(name, (float(self._most), now))
        left = min(float(self._most), left + (now - since) * self._rate)
        if left < 1:
            raise Refused(429, "too_many", "too many requests; wait a little")
        if len(self._left) > _FORGOTTEN:
            full = self._most / self._rate
            self._left = {each: found for each, found in self._left.items() if now - found[1] < full}
        self._left[name] = (left - 1, now)
