"""Leaks in what is told to whom, and knowledge that is withheld."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from secrecy.planting import Patch, Tell, by_role, followed, leak, night_of, reworded, telling, widened
from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Acted,
    Audience,
    Ballots,
    Body,
    Called,
    Checked,
    Dawn,
    Flag,
    Mates,
    Needled,
    Note,
    Reminder,
    Resolved,
    Silenced,
    Stated,
    VotedOut,
)
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role
from tianhei.arena.rules import ballot, butterfly
from tianhei.arena.table import Table


@leak("the pack of killers is named to all", "classic 6, hands")
def _(patch: Patch) -> None:
    widened(patch, Mates, lambda table, told, body: PUBLIC)


@leak("a public conduct flag", "classic 6, hands")
def _(patch: Patch) -> None:
    widened(patch, Flag, lambda table, told, body: PUBLIC)


@leak("a private note in the public record", "butterfly 7, default")
def _(patch: Patch) -> None:
    widened(patch, Note, lambda table, told, body: PUBLIC)


@leak("a check's result to a dead officer", "classic 8, with", deals=0, police=(1, 4))
def _(patch: Patch) -> None:
    def officers(table: Table, told: Audience, body: Checked) -> Audience:
        return tuple(seat for seat, role in enumerate(table.roles, start=1) if role is Role.POLICE)

    widened(patch, Checked, officers)


@leak("council talk to the victim, of a carried killer too", "butterfly 13, default")
def _(patch: Patch) -> None:
    def and_target(table: Table, told: Audience, body: Stated) -> Audience:
        assert isinstance(told, tuple)
        return told if body.target is None else (*told, body.target)

    widened(patch, Stated, and_target)


@leak("the elder is shown the killers whose side he is on", "butterfly 13, two")
def _(patch: Patch) -> None:
    def and_elder(table: Table, told: Audience, body: Mates) -> Audience:
        assert isinstance(told, tuple)
        return (*told, *table.who(Role.ELDER)) if table.role(body.seats[0]) is Role.KILLER else told

    widened(patch, Mates, and_elder)


@leak("needle counts to the needled, where they are not announced", "butterfly 7, default")
def _(patch: Patch) -> None:
    def count(table: Table, night: Resolved) -> Iterator[tuple[Audience, Body]]:
        yield from (((seat,), Needled(night.needles[seat])) for seat in night.empty_needles)

    followed(patch, Resolved, count)


@leak("silence announced though it was void", "butterfly 7, with", deals=6, nights=40)
def _(patch: Patch) -> None:
    def announce(table: Table, dawn: Dawn) -> Iterator[tuple[Audience, Body]]:
        if (night := night_of(table)) and "silence" in night.voids:
            yield PUBLIC, Silenced((night.actions["silence"],))

    followed(patch, Dawn, announce)


@leak("the killers are called again in every round of their council", "classic 8, with", nights=2)
def _(patch: Patch) -> None:
    def again(table: Table, stated: Stated) -> Iterator[tuple[Audience, Body]]:
        if stated.round > 1:
            yield PUBLIC, Called(role=Role.KILLER)

    followed(patch, Stated, again)


@leak("the answered requests of the night by id", "butterfly 7, default")
def _(patch: Patch) -> None:
    asked: list[str] = []
    ask = Table.ask

    def remember(self: Table, *args: Any, **more: Any) -> Request:
        request = ask(self, *args, **more)
        asked.append(request.id)
        return request

    def ids(table: Table, dawn: Dawn) -> Iterator[tuple[Audience, Body]]:
        yield PUBLIC, Reminder(1, " ".join(name for name in asked if name.startswith(f"n{table.day}.")))
        asked.clear()

    patch.setattr(Table, "ask", remember)
    followed(patch, Dawn, ids)


@leak("causes of death", "butterfly 7, with", deals=6, nights=40)
def _(patch: Patch) -> None:
    def tell_causes(table: Table, dawn: Dawn) -> Body:
        night = night_of(table)
        return replace(dawn, causes=dict(night.deaths)) if night else dawn

    reworded(patch, Dawn, tell_causes)


@leak("the dead in the order in which they were hit", "butterfly 7, with", deals=6, nights=80)
def _(patch: Patch) -> None:
    def shot_first(table: Table, dawn: Dawn) -> Body:
        causes = night.deaths if (night := night_of(table)) else {}
        return replace(dawn, dead=tuple(sorted(dawn.dead, key=lambda seat: "kill" in causes.get(seat, ()))))

    reworded(patch, Dawn, shot_first)


@leak("the card of one voted out, where only the side is told", "butterfly 7, default", deals=0, words=False)
def _(patch: Patch) -> None:
    reworded(patch, VotedOut, lambda table, out: replace(out, revealed=table.role(out.seat)))


@leak("a roster ordered by role", "classic 6, hands")
def _(patch: Patch) -> None:
    reworded(patch, Called, lambda table, called: replace(called, seats=by_role(table, called.seats)))


@leak("open ballots in a secret vote", "classic 6, secret")
def _(patch: Patch) -> None:
    patch.setattr(ballot, "shown", lambda table, held, stage: Ballots(stage, dict(held.cast), void=held.void))


@leak("open ballots in a secret defence", "butterfly 7, secret")
def _(patch: Patch) -> None:
    patch.setattr(butterfly, "shown", lambda table, held, stage: Ballots(stage, dict(held.cast), void=held.void))


@leak("a reminder for real killers alone", "classic 6, sim")
def _(patch: Patch) -> None:
    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        if not isinstance(body, Reminder) or table.role(body.seat) is Role.KILLER:
            tell(table, told, body)

    telling(patch, change)


@leak("a role is called only while it lives", "butterfly 7, default")
def _(patch: Patch) -> None:
    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        if not isinstance(body, Called) or body.role is None or table.who(body.role):
            tell(table, told, body)

    telling(patch, change)


@leak("the killers do not see one another", "classic 6, sim")
def _(patch: Patch) -> None:
    widened(patch, Mates, lambda table, told, body: JUDGE)


@leak("an officer who dies at night never learns the sign", "classic 8, with")
def _(patch: Patch) -> None:
    widened(patch, Checked, lambda table, told, body: table.who(Role.POLICE)[:1])


@leak("the doctor forgets whom he needled", "butterfly 7, default", nights=12)
def _(patch: Patch) -> None:
    widened(patch, Acted, lambda table, told, body: JUDGE)
