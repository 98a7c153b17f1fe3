"""The comparison would notice: faults planted in the engine, one at a time, are all found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from proof import compare_rulings, full
from tianhei.arena.roles import SPECIALS
from tianhei.arena.rules import butterfly, chain, classic, council, ending, night, speaking, victory


def _not(function: Callable[..., bool]) -> Callable[..., bool]:
    return lambda *args, **kwargs: not function(*args, **kwargs)


PLANTED: tuple[tuple[str, Any, str, Callable[[Any], Any], str], ...] = (
    ("the walk turns round", speaking, "is_forward", _not, "butterfly"),
    ("a demand with eight alive", chain, "DEMAND_AT_MOST", lambda most: most + 1, "classic"),
    ("needles kill at three", night, "FATAL_NEEDLES", lambda fatal: fatal + 1, "butterfly"),
    ("the butterfly strikes nobody else", night, "_carried", lambda _: lambda *args: None, "butterfly"),
    ("the last target named wins", council, "favourites", lambda best: lambda stated: best(stated)[-1:], "classic"),
    ("all tied are out of a last tie", chain, "DRAW", lambda _: chain.NOBODY, "classic"),
    ("the silenced have last words", speaking, "_may_be_heard", lambda _: lambda *args: True, "butterfly"),
    ("every death is within the quota", speaking, "_counts", lambda _: lambda *args: True, "classic"),
    ("killers voted out have last words", ending, "_is_barred", lambda _: lambda *args: False, "butterfly"),
    ("roles told for sides", ending, "reveal", lambda tell: lambda *args: tell(*args[:2], "role"), "classic"),
    ("no end before the cap", ending, "decided", lambda _: lambda table: None, "classic"),
    ("the dead get their sign too late", butterfly, "Checked", lambda told: lambda who, sign: told(who, "shake"),
     "butterfly"),
    ("signs are turned", classic, "sign", lambda _: lambda *args: "nod", "classic"),
    ("the untied may not vote", chain, "_untied", lambda _: lambda table, tied: tuple(tied), "classic"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "where", "what", "fault", "title"), PLANTED, ids=[entry[0] for entry in PLANTED])
def test_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str, where: Any, what: str, fault: Callable[[Any], Any], title: str
) -> None:
    monkeypatch.setattr(where, what, fault(getattr(where, what)))
    for start in range(0, 300, 25):
        if full.games(title, range(start, start + 25)).differences:
            return
    pytest.fail(f"nobody noticed: {name}")


def test_planted_victory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(victory, "SPECIALS", SPECIALS[:-1])
    assert full.rulings("victory", range(500)).differences
    assert compare_rulings.compare("victory", 1)[1] is None  # the classic game has no specials
