"""Leaks in what the judge does next: orders, stages, requests, refusals (R-PUBLIC)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from secrecy.planting import Patch, by_role, killers, leak, truth
from tianhei.arena import referee
from tianhei.arena.requests import Answer, Illegal, Request, check
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules import butterfly, chain, classic, ending, speaking
from tianhei.arena.script import Script, together
from tianhei.arena.table import Table


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
    def one_more(table: Table) -> Script[None]:
        civilians = table.who(Role.CIVILIAN)
        if civilians and table.who(Role.DOCTOR):
            yield (table.ask(civilians[0], "silence", table.living),)

    def with_one_more(*scripts: Script[Any]) -> Script[tuple[Any, ...]]:
        results = yield from together(*scripts, one_more(latest[0]))
        return results[:-1]

    latest = truth(patch)
    patch.setattr(butterfly, "together", with_one_more)


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
    latest = truth(patch)

    def telltale(request: Request, answer: Answer) -> None:
        try:
            check(request, answer)
        except Illegal as error:
            raise Illegal(f"{error}; the killers are {killers(latest)}") from None

    patch.setattr(referee, "check", telltale)
