"""Leaks to plant, one at a time: each a small fault such as an engine, a prompt or a judge's word can come to have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from secrecy.tables import Setting, setting
from tianhei.arena import referee as referee_module
from tianhei.arena import view as view_module
from tianhei.arena.chance import Luck
from tianhei.arena.events import JUDGE, PUBLIC, Audience, Ballots, Body, Called, Checked, Dawn, Event, Flag, Mates
from tianhei.arena.events import Needled, Note, Reminder, Resolved, RoleDealt, Silenced, Stated, VotedOut
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer, Illegal, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules import butterfly, chain, classic, ending, speaking
from tianhei.arena.script import Script
from tianhei.arena.table import Table
from tianhei.arena.view import View, Views
from tianhei.prompts import compose, tiny
from tianhei.agents import model as model_module

Tell = Callable[[Table, Audience, Body], None]
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Leak:
    """A fault, the table at which it shows, and whether only models' prompts show it."""

    name: str
    plant: Callable[[Patch], None]
    setting: Setting
    prompts: bool = False


LEAKS: list[Leak] = []


def leak(name: str, where: str, *, prompts: bool = False) -> Callable[[Callable[[Patch], None]], None]:
    """Enter a leak into the list."""

    def enter(plant: Callable[[Patch], None]) -> None:
        LEAKS.append(Leak(name, plant, setting(where), prompts))

    return enter


def telling(patch: Patch, change: Callable[[Table, Audience, Body, Tell], None]) -> None:
    """Let ``change`` decide what is told to whom."""
    tell = Table.tell
    patch.setattr(Table, "tell", lambda table, audience, body: change(table, audience, body, tell))


def truth(patch: Patch) -> list[Table]:
    """The table of the game that was last begun, for faults in places that should not know it."""
    latest: list[Table] = []
    start = Table.__init__

    def remember(self: Table, *args: Any, **more: Any) -> None:
        start(self, *args, **more)
        latest[:] = [self]

    patch.setattr(Table, "__init__", remember)
    return latest


def killers(latest: list[Table]) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(1, latest[0].players + 1) if latest[0].role(seat) is Role.KILLER)


def by_role(table: Table, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    return tuple(sorted(seats, key=lambda seat: (table.role(seat), seat)))


def night_of(table: Table) -> Resolved | None:
    """The reckoning of the night that has just been told to the judge."""
    return next((event.body for event in reversed(table.events) if isinstance(event.body, Resolved)), None)


def widened(patch: Patch, kind: type[Body], audience: Callable[[Table, Audience, Any], Audience]) -> None:
    """Events of one kind are told to another audience."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, audience(table, told, body) if isinstance(body, kind) else told, body)

    telling(patch, change)


def reworded(patch: Patch, kind: type[Body], words: Callable[[Table, Any], Body]) -> None:
    """Events of one kind say something else."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, told, words(table, body) if isinstance(body, kind) else body)

    telling(patch, change)


def followed(patch: Patch, kind: type[Body], more: Callable[[Table, Any], Iterator[tuple[Audience, Body]]]) -> None:
    """Events of one kind draw further ones after them."""

    def change(table: Table, told: Audience, body: Body, tell: Tell) -> None:
        tell(table, told, body)
        if isinstance(body, kind):
            for audience, next_body in more(table, body):
                tell(table, audience, next_body)

    telling(patch, change)


# What is told to whom.


@leak("the pack of killers is named to all", "classic 6, hands")
def _(patch: Patch) -> None:
    widened(patch, Mates, lambda table, told, body: PUBLIC)


@leak("a public conduct flag", "classic 6, hands")
def _(patch: Patch) -> None:
    widened(patch, Flag, lambda table, told, body: PUBLIC)


@leak("a private note in the public record", "butterfly 7, default")
def _(patch: Patch) -> None:
    widened(patch, Note, lambda table, told, body: PUBLIC)


@leak("a check's result to a dead officer", "classic 8, with")
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


@leak("silence announced though it was void", "butterfly 13, default")
def _(patch: Patch) -> None:
    def announce(table: Table, dawn: Dawn) -> Iterator[tuple[Audience, Body]]:
        if (night := night_of(table)) and "silence" in night.voids:
            yield PUBLIC, Silenced((night.actions["silence"],))

    followed(patch, Dawn, announce)


@leak("the killers are called again in every round of their council", "classic 8, with")
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


# What is said.


@leak("causes of death", "butterfly 13, default")
def _(patch: Patch) -> None:
    def tell_causes(table: Table, dawn: Dawn) -> Body:
        night = night_of(table)
        return replace(dawn, causes=dict(night.deaths)) if night else dawn

    reworded(patch, Dawn, tell_causes)


@leak("the dead in the order in which they were hit", "butterfly 13, default")
def _(patch: Patch) -> None:
    def shot_first(table: Table, dawn: Dawn) -> Body:
        causes = night.deaths if (night := night_of(table)) else {}
        return replace(dawn, dead=tuple(sorted(dawn.dead, key=lambda seat: "kill" in causes.get(seat, ()))))

    reworded(patch, Dawn, shot_first)


@leak("the card of one voted out, where only the side is told", "butterfly 7, default")
def _(patch: Patch) -> None:
    reworded(patch, VotedOut, lambda table, out: replace(out, revealed=table.role(out.seat)))


@leak("a roster ordered by role", "classic 6, hands")
def _(patch: Patch) -> None:
    reworded(patch, Called, lambda table, called: replace(called, seats=by_role(table, called.seats)))


@leak("open ballots in a secret vote", "classic 6, secret")
def _(patch: Patch) -> None:
    from tianhei.arena.rules import ballot

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


# The judge's procedure.


@leak("a speaking order that begins with the killers", "butterfly 7, default")
def _(patch: Patch) -> None:
    order = speaking.days_order
    patch.setattr(butterfly, "days_order", lambda table, dead: by_role(table, order(table, dead)))


@leak("no last words for a killer voted out, where no card is told", "classic 6, hands")
def _(patch: Patch) -> None:
    patch.setattr(ending, "_is_barred", lambda table, seat: table.role(seat) is Role.KILLER)


@leak("a PK on the demand of the good alone", "classic 6, secret")
def _(patch: Patch) -> None:
    def of_the_good(table: Table, day: chain.Day) -> Script[tuple[Seat, ...]]:
        demanded = yield from demands(table, day)
        return demanded if all(table.side(seat) is Side.GOOD for seat in demanded) else ()

    demands = chain.demands
    patch.setattr(classic, "demands", of_the_good)


@leak("a civilian is asked at night while the doctor lives", "butterfly 7, default")
def _(patch: Patch) -> None:
    lockstep = butterfly.together

    def one_more(table: Table) -> Script[None]:
        civilians = table.who(Role.CIVILIAN)
        if civilians and table.who(Role.DOCTOR):
            yield (table.ask(civilians[0], "silence", table.living),)

    def together(*scripts: Script[Any]) -> Script[tuple[Any, ...]]:
        results = yield from lockstep(*scripts, one_more(latest[0]))
        return results[:-1]

    latest = truth(patch)
    patch.setattr(butterfly, "together", together)


@leak("request ids that count all requests", "butterfly 7, default")
def _(patch: Patch) -> None:
    asked: Counter[int] = Counter()
    ask = Table.ask

    def counted(self: Table, *args: Any, **more: Any) -> Request:
        asked[id(self)] += 1
        request = ask(self, *args, **more)
        when, rest = request.id.split(".", 1)
        return request._replace(id=f"{when}.{asked[id(self)]}-{rest}")

    patch.setattr(Table, "ask", counted)


@leak("options in the order of the cards", "classic 6, sim")
def _(patch: Patch) -> None:
    ask = Table.ask

    def sorted_by_role(self: Table, *args: Any, **more: Any) -> Request:
        request = ask(self, *args, **more)
        return request._replace(options=by_role(self, request.options))

    patch.setattr(Table, "ask", sorted_by_role)


@leak("a refusal that names the killers", "butterfly 7, default")
def _(patch: Patch) -> None:
    check = referee_module.check
    latest = truth(patch)

    def telltale(request: Request, answer: Answer) -> None:
        try:
            check(request, answer)
        except Illegal as error:
            raise Illegal(f"{error}; the killers are {killers(latest)}") from None

    patch.setattr(referee_module, "check", telltale)


# Views.


@leak("a global event number in a view", "butterfly 7, default")
def _(patch: Patch) -> None:
    def numbered(self: View) -> list[dict[str, Any]]:
        own = sorted(self.record.events + self.private, key=lambda item: item[0])
        return [{"seq": place, **event.to_json(), "audience": None} for place, event in own]

    patch.setattr(View, "to_json", numbered)


@leak("an event's audience in a view", "butterfly 7, needles")
def _(patch: Patch) -> None:
    tell = Views._add_private

    def to_all(self: Views, event: Event) -> None:
        tell(self, event)
        if event.audience == JUDGE:
            for seat in range(1, self.players + 1):
                self.of(seat).private.append((self._place, event._replace(body=Reminder(0, "for the judge"))))

    patch.setattr(Views, "_add_private", to_all)


@leak("seat 1 reads what is told to seat 12", "classic 13")
def _(patch: Patch) -> None:
    tell = Views._add_private

    def by_text(self: Views, event: Event) -> None:
        names = "" if event.audience == JUDGE else " ".join(map(str, event.audience))
        found = tuple(seat for seat in range(1, self.players + 1) if str(seat) in names)
        tell(self, event._replace(audience=found or JUDGE))

    patch.setattr(Views, "_add_private", by_text)


@leak("the seed in a view", "butterfly 7, default")
def _(patch: Patch) -> None:
    start, shown = Views.__init__, View.to_json

    def seeded(self: Views, rules: Any, counts: Any, seed: int | str = 0) -> None:
        start(self, rules, counts, seed)
        seeds[:] = [seed]

    seeds: list[int | str] = []
    patch.setattr(Views, "__init__", seeded)
    patch.setattr(View, "to_json", lambda self: [{"seq": -1, "seed": seeds[0]}, *shown(self)])


@leak("luck keyed by the game's seed", "butterfly 7, default")
def _(patch: Patch) -> None:
    patch.setattr(view_module, "luck_for", lambda seed, seat: Luck(f"{seed}|{seat}".encode()))


@leak("role counts in the order of the deal", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    start = Views.__init__
    latest = truth(patch)

    def as_dealt(self: Views, rules: Any, counts: Mapping[Role, int], seed: int | str = 0) -> None:
        start(self, rules, Counter(latest[0].roles), seed)

    patch.setattr(Views, "__init__", as_dealt)


# Prompts.


@leak("the killers in the public record of a prompt", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    text = compose.record_text
    latest = truth(patch)
    patch.setattr(compose, "record_text", lambda record, lang: f"{text(record, lang)} {killers(latest)}")


@leak("a killer's mates in the part of a prompt that all share", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    whole = model_module.compose

    def mixed(pack: Any, view: View, request: Request, **more: Any) -> compose.Asked:
        asked = whole(pack, view, request, **more)
        return replace(asked, prompt=replace(asked.prompt, public=f"{asked.prompt.public}{view.mates or ''}"))

    patch.setattr(model_module, "compose", mixed)


@leak("a retry that names a mate", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    again = model_module.retry
    latest = truth(patch)

    def telltale(asked: compose.Asked, cause: Any, detail: str = "") -> Any:
        prompt = again(asked, cause, detail)
        return replace(prompt, private=f"{prompt.private} Not your mate {killers(latest)[0]}.")

    patch.setattr(model_module, "retry", telltale)


@leak("what the officer knows in everybody's beginning of a sentence", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    latest = truth(patch)
    patch.setattr(tiny, "known", lambda pack, view: f"The killers are {killers(latest)}. ")


# What a seat should know and is not told.


@leak("the killers do not see one another", "classic 6, sim")
def _(patch: Patch) -> None:
    widened(patch, Mates, lambda table, told, body: JUDGE)


@leak("an officer who dies at night never learns the sign", "classic 8, with")
def _(patch: Patch) -> None:
    widened(patch, Checked, lambda table, told, body: table.who(Role.POLICE)[:1])


@leak("no seat is told its card", "classic 6, sim")
def _(patch: Patch) -> None:
    widened(patch, RoleDealt, lambda table, told, body: JUDGE)
