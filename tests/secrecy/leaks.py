"""All planted leaks: each a small fault such as an engine, a prompt or a judge's word can come to have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from secrecy import procedure, shown, told
from secrecy.ledger import Ledger, compare
from secrecy.manner import Manner
from secrecy.planting import LEAKS, Leak
from secrecy.watch import Eyes, Game
from tianhei.arena.roles import Role

__all__ = ["LEAKS", "Leak", "hunt", "procedure", "shown", "told"]


def games(leak: Leak) -> Iterator[Game]:
    """Deals that differ in a card or two, so that few can tell them apart, in all ways of answering."""
    near = replace(leak.setting, sample=leak.deals) if leak.deals and leak.setting.players > 6 else leak.setting
    deals = sorted(near.deals(), key=lambda roles: any(roles[seat - 1] is not Role.POLICE for seat in leak.police))
    keys = [(dark, quiet) for dark in range(leak.nights) for quiet in ((0, 1) if leak.nights <= 2 else (0,))]
    return (Game(leak.setting, roles, Manner(0, dark, quiet)) for roles in deals for dark, quiet in keys)


def hunt(leak: Leak) -> Ledger:
    """Plant a leak, and compare until it is found; it is taken out again."""
    with pytest.MonkeyPatch.context() as patch:
        leak.plant(patch)
        return compare(games(leak), Eyes(leak.prompts, leak.words), stop=True)
