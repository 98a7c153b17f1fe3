"""The comparison would notice: faults planted in the engine, one at a time, are all found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from proof import compare_rulings, full
from proof.random_games import compare_seed
from tianhei.arena import referee, table, view
from tianhei.arena.events import Event
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


def _but(*kinds: str) -> Callable[[Any], Any]:
    """Views or a view that take no events of these kinds."""

    def fault(add: Any) -> Any:
        return lambda self, *given: None if given[-1].body.kind in kinds else add(self, *given)

    return fault


def _to_the_next(add: Any) -> Any:
    """What is stated in a council stands in one more view."""

    def fault(self: view.Views, event: Event) -> None:
        add(self, event)
        if event.body.kind == "stated" and isinstance(event.audience, tuple):
            other = event.audience[-1] % self.players + 1
            if other not in event.audience:
                self.of(other).add(vars(self)["_place"] + 1, event)

    return fault


def _late(add: Any) -> Any:
    """What is private comes a wave too late; nothing is lost in the end."""
    held: dict[int, list[Event]] = {}

    def fault(self: view.Views, events: Any) -> None:
        private = [event for event in events if event.audience != "public"]
        add(self, [*held.pop(id(self), []), *(event for event in events if event.audience == "public")])
        held[id(self)] = private

    return fault


VIEWS: tuple[tuple[str, Any, str, Callable[[Any], Any], str], ...] = (
    ("nobody learns the own act or the sign", view.Views, "_add_private", _but("acted", "checked"), "butterfly"),
    ("nobody learns the sign", view.Views, "_add_private", _but("checked"), "classic"),
    ("a sign is in the events, and is not kept", view.View, "checks", lambda _: property(lambda self: [], _ignored),
     "classic"),
    ("a note is lost", view.Views, "_add_private", _but("note"), "classic"),
    ("a council is heard next door", view.Views, "_add_private", _to_the_next, "butterfly"),
    ("the private comes a wave too late", view.Views, "add", _late, "butterfly"),
    ("the dead stay among the living", view.Record, "_leave", lambda _: lambda *args: None, "classic"),
)  # fmt: skip


def _ignored(self: view.View, value: Any) -> None:
    """A field that keeps nothing."""


@pytest.mark.parametrize(("name", "where", "what", "fault", "title"), VIEWS, ids=[entry[0] for entry in VIEWS])
def test_planted_fault_of_a_view_is_found_though_the_dead_see_only_the_public(
    monkeypatch: pytest.MonkeyPatch, name: str, where: Any, what: str, fault: Callable[[Any], Any], title: str
) -> None:
    """Events and their audiences are right; only what is made of them for a seat is not."""
    monkeypatch.setattr(where, what, fault(getattr(where, what, None)), raising=False)
    for seed in range(30):
        played, difference = compare_seed(seed, title)
        if difference and played.rules.dead_view == "public":
            assert any(word in difference.what for word in ("view of seat", "holds", "the living")), difference
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
