"""The proof would notice: every planted leak is found, by the same comparison that finds none without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from secrecy.leaks import LEAKS, Leak
from secrecy.ledger import compare
from secrecy.manner import Manner
from secrecy.tables import Setting
from secrecy.watch import Eyes, Game

DEALS = 40
"""How many deals a leak has to show itself."""


def some(setting: Setting) -> Iterator[Game]:
    """Deals that few can tell apart, each answered in two ways in the dark."""
    near = replace(setting, sample=min(DEALS, setting.sample or DEALS)) if setting.players > 6 else setting
    return (Game(setting, roles, Manner(0, dark)) for roles in near.deals() for dark in (0, 1))


@pytest.mark.parametrize("leak", LEAKS, ids=[leak.name for leak in LEAKS])
def test_a_planted_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak.plant(monkeypatch)
    found = compare(some(leak.setting), Eyes(prompts=leak.prompts), stop=True)
    assert found.findings, f"nobody noticed: {leak.name}"


@pytest.mark.parametrize("name", sorted({leak.setting.name for leak in LEAKS}))
def test_without_a_leak_nothing_is_found(name: str) -> None:
    setting = next(leak.setting for leak in LEAKS if leak.setting.name == name)
    assert compare(some(setting), Eyes(prompts=False)).findings == []
