"""The comparison would notice: faults planted in the engine, one at a time, are all found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from proof import compare_rulings, full
from tianhei.arena import referee, table, view
from tianhei.arena.roles import SPECIALS
from tianhei.arena.rules import ballot, butterfly, chain, classic, council, ending, night, speaking, victory


def _not(function: Callable[..., bool]) -> Callable[..., bool]:
    return lambda *args, **kwargs: not function(*args, **kwargs)


def _never_again(rules: Any, stage: Any, candidates: Any, held: Any, *, demanded: bool = False) -> chain.Next:
    then = AFTER_VOTE(rules, stage, candidates, held, demanded=demanded)
    return chain.Next("off_field", then.seats) if (stage, then.step) == ("pk", "pk") else then


AFTER_VOTE = chain.after_vote
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
    ("all vote though only the untied may", chain, "electors", lambda _: lambda *given: given[3], "classic"),
    ("a PK that narrows is never held again", chain, "after_vote", lambda _: _never_again, "classic"),
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


BROKEN: tuple[tuple[str, Any, str, Callable[[Any], Any]], ...] = (
    ("no question is asked twice: every phase moves on", table.Table, "ask", lambda ask: lambda *args, **more: (
        ask(*args, **more)._replace(id=f"{args[2]}.{args[1]}"))),
    ("the dead are asked nothing", chain, "voters_of", lambda _: lambda table: tuple(range(1, table.players + 1))),
    ("a decided game asks for last words at most", ending, "decided", lambda _: lambda table: None),
    ("a council's target is one that most have named", council, "favourites",
     lambda _: lambda stated: tuple(target for target in list(stated) if target)[:1]),
    ("who is out has the most votes", ballot.Poll, "leaders",
     lambda _: lambda held, candidates: tuple(candidates[-1:])),
    ("the silenced leave none", speaking, "_may_be_heard", lambda _: lambda *args: True),
    ("no more last words than the quota", speaking, "_counts", lambda _: lambda *args: True),
    ("every view lists exactly the living", view.Record, "_leave", lambda _: lambda *args: None),
    ("the judge's sign is true", classic, "sign", lambda _: lambda *args: "nod"),
    ("a wrong answer is refused and changes nothing", referee, "check", lambda _: lambda *args: None),
    ("a last tie that is a draw ends the game", chain, "DRAW", lambda _: chain.NOBODY),
    ("who is killed and needled lives", night, "_saves", lambda _: lambda *args: False),
    ("a draw is a last tie", victory, "SPECIALS", lambda specials: specials[:-1]),
    ("the cap falls on its day", butterfly, "DAY_CAP", lambda cap: victory.Outcome("good", cap.reason)),
)  # fmt: skip


@pytest.mark.parametrize(("name", "where", "what", "fault"), BROKEN, ids=[entry[0] for entry in BROKEN])
def test_planted_fault_breaks_an_invariant(
    monkeypatch: pytest.MonkeyPatch, name: str, where: Any, what: str, fault: Callable[[Any], Any]
) -> None:
    monkeypatch.setattr(where, what, fault(getattr(where, what)))
    for start in range(0, 3000, 100):
        if found := full.many(range(start, start + 100)).differences:
            assert any(name in difference for difference in found), found[0]
            return
    pytest.fail(f"nothing was broken: {name}")


def test_planted_victory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(victory, "SPECIALS", SPECIALS[:-1])
    assert full.rulings("victory", range(500)).differences
    assert compare_rulings.compare("victory", 1)[1] is None  # the classic game has no specials
