"""Why a reply gives no answer."""

from __future__ import annotations

import re

from tianhei.arena.player import Cause

LONGEST_DETAIL = 400
_HALF = re.compile("[\ud800-\udfff]")


class Fault(Exception):
    """A reply that gives no answer: why, and the part that was at fault."""

    def __init__(self, cause: Cause, detail: str = "") -> None:
        detail = whole(detail[:LONGEST_DETAIL])
        super().__init__(f"{cause}: {detail}" if detail else cause)
        self.cause: Cause = cause
        self.detail = detail


def whole(text: str) -> str:
    """The text with half characters replaced: no request that quotes one could be sent."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)
