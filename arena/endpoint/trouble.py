"""What an error of an endpoint means: it may pass, the request must change, or nothing more can be had."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf

from tianhei.arena.calls import Trouble

TOO_LONG = ("context_length", "context length", "context window", "maximum context", "context size", "too many tokens",
            "prompt is too long", "input token count", "input length", "reduce the length")  # fmt: skip
FILTERED = ("content_filter", "content filter", "content management", "responsibleaipolicy", "data_inspection_failed",
            "invalid_prompt", "input was flagged", "prompt was flagged", "敏感")  # fmt: skip
NO_QUOTA = ("insufficient_quota", "insufficient balance", "exceeded your current quota", "credit balance", "arrear",
            "余额不足", "欠费")  # fmt: skip
LASTING: Mapping[int, tuple[Trouble, str]] = {
    401: ("key", "the key is refused"),
    402: ("quota", "the account has no money left"),
    403: ("key", "the key may not use this model"),
    404: ("model", "there is no such model, or no such address"),
}
PASSING = frozenset((408, 409, 425, 429))


def is_too_long(status: int, text: str) -> bool:
    """Whether the prompt was longer than the model can read."""
    return status == 413 or (status == 400 and _says(text, TOO_LONG))


def is_filtered(status: int, text: str) -> bool:
    """Whether the endpoint's filter refused the prompt."""
    return status in (400, 403) and _says(text, FILTERED)


def is_out_of_quota(status: int, text: str) -> bool:
    """Whether the account is empty, which some say with the status of being asked too often or wrongly."""
    return status in (400, 403, 429) and _says(text, NO_QUOTA)


def passing(status: int) -> Trouble | None:
    """The cause, where trying again may help."""
    if status == 429:
        return "rate_limit"
    return "server" if status in PASSING or status >= 500 else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, as the endpoint says, in milliseconds, seconds or as a date.

    None where it does not, or says a time that is no wait: its next answer would be the same.
    """
    seconds = _seconds(headers)
    return seconds if seconds is not None and 0 < seconds < inf else None


def _seconds(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        with suppress(KeyError, ValueError):
            return float(headers[name]) / unit
    with suppress(KeyError, TypeError, ValueError):
        return (parsedate_to_datetime(headers["retry-after"]) - datetime.now(UTC)).total_seconds()
    return None


def _says(text: str, words: tuple[str, ...]) -> bool:
    lower = text.lower()
    return any(word in lower for word in words)
