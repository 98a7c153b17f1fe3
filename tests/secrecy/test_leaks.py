"""The proof would notice: every planted leak is found, by the same comparison that finds none without it."""

from __future__ import annotations

import pytest

from secrecy.leaks import LEAKS, Leak, hunt


@pytest.mark.parametrize("leak", LEAKS, ids=[leak.name for leak in LEAKS])
def test_a_planted_leak_is_found(leak: Leak) -> None:
    assert hunt(leak).findings, f"nobody noticed: {leak.name}"


def test_there_are_enough_leaks() -> None:
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) >= 30
