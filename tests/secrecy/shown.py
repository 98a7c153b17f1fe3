"""Leaks in views and in models' prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from secrecy.planting import Patch, killers, leak, truth
from tianhei.agents import model
from tianhei.agents import probe as probes
from tianhei.arena import view as views
from tianhei.arena.chance import Luck
from tianhei.arena.events import JUDGE, Event, Reminder
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role
from tianhei.arena.view import View, Views
from tianhei.prompts import compose as composing
from tianhei.prompts import tiny
from tianhei.prompts.compose import Asked, compose, retry
from tianhei.prompts.probe import AskedAside, ask_aside
from tianhei.prompts.record import record_text
from tianhei.prompts.words import Words


@leak("a global event number in a view", "butterfly 7, default")
def _(patch: Patch) -> None:
    numbers: dict[int, int] = {}
    fold = Views.add

    def counted(self: Views, events: Iterable[Event]) -> None:
        told = list(events)
        seen: list[Event] = vars(self).setdefault("seen", [])
        for event in told:
            seen.append(event)
            numbers[id(event)] = len(seen)
        fold(self, told)

    def numbered(self: View) -> list[dict[str, Any]]:
        return [{"seq": numbers[id(event)], **event.to_json(), "audience": None} for event in self.events]

    patch.setattr(Views, "add", counted)
    patch.setattr(View, "to_json", numbered)


@leak("that the judge was told something, in a view", "classic 6, sim")
def _(patch: Patch) -> None:
    tell = vars(Views)["_add_private"]

    def to_all(self: Views, event: Event) -> None:
        tell(self, event)
        if event.audience == JUDGE:
            for seat in range(1, self.players + 1):
                self.of(seat).private.append((vars(self)["_place"], event._replace(body=Reminder(0, "for the judge"))))

    patch.setattr(Views, "_add_private", to_all)


@leak("seat 1 reads what is told to seat 12", "classic 13")
def _(patch: Patch) -> None:
    tell = vars(Views)["_add_private"]

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
    patch.setattr(views, "luck_for", lambda seed, seat: Luck(f"{seed}|{seat}".encode()))


@leak("role counts in the order of the deal", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    start = Views.__init__
    latest = truth(patch)

    def as_dealt(self: Views, rules: Any, counts: Mapping[Role, int], seed: int | str = 0) -> None:
        start(self, rules, Counter(latest[0].roles), seed)

    patch.setattr(Views, "__init__", as_dealt)


@leak("the killers in the public record of a prompt", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    latest = truth(patch)
    patch.setattr(composing, "record_text", lambda record, lang: f"{record_text(record, lang)} {killers(latest)}")


@leak("a killer's mates in the part of a prompt that all share", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    def mixed(pack: Any, view: View, request: Request, **more: Any) -> Asked:
        asked = compose(pack, view, request, **more)
        return replace(asked, prompt=replace(asked.prompt, public=f"{asked.prompt.public}{view.mates or ''}"))

    patch.setattr(model, "compose", mixed)


@leak("a retry that names a mate", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    latest = truth(patch)

    def telltale(asked: Asked, cause: Any, detail: str = "") -> Any:
        prompt = retry(asked, cause, detail)
        return replace(prompt, private=f"{prompt.private} Not your mate {killers(latest)[0]}.")

    patch.setattr(model, "retry", telltale)


@leak("what the officer knows in everybody's beginning of a sentence", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    latest = truth(patch)
    patch.setattr(tiny, "known", lambda pack, view, kind: f"The killers are {killers(latest)}. ")


@leak("a killer's name in the question of a probe", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    latest = truth(patch)

    def telling(pack: Any, view: View, **more: Any) -> AskedAside:
        asked = ask_aside(pack, view, **more)
        return replace(asked, prompt=replace(asked.prompt, private=f"{asked.prompt.private} {killers(latest)}"))

    patch.setattr(probes, "ask_aside", telling)


def _in_one_kind(patch: Patch, is_meant: Callable[[Any, Any], bool]) -> None:
    """Prompts of one kind, by their pack and persona, name the killers."""
    latest = truth(patch)

    def telling(pack: Any, view: View, request: Request, **more: Any) -> Asked:
        asked = compose(pack, view, request, **more)
        if not is_meant(pack, more["persona"]):
            return asked
        return replace(asked, prompt=replace(asked.prompt, private=f"{asked.prompt.private} {killers(latest)}"))

    patch.setattr(model, "compose", telling)


@leak("the killers in the prompts of the pack for weak models", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    _in_one_kind(patch, lambda pack, persona: pack.name == "weak")


@leak("the killers in the prompts of the shortest pack", "classic 8, with", prompts=True)
def _(patch: Patch) -> None:
    _in_one_kind(patch, lambda pack, persona: pack.name == "minimal")


@leak("the killers in the second wording alone", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    _in_one_kind(patch, lambda pack, persona: pack.variant == 2)


@leak("the killers to whoever has a persona", "butterfly 7, default", prompts=True)
def _(patch: Patch) -> None:
    _in_one_kind(patch, lambda pack, persona: persona is not None)


@leak("the killers in the neutral words of prompts", "classic 6, hands", prompts=True)
def _(patch: Patch) -> None:
    _in_one_kind(patch, lambda pack, persona: pack.theme == "neutral")


@leak("the killers in the judge's neutral words", "butterfly 7, default")
def _(patch: Patch) -> None:
    line, latest = Words.line, truth(patch)

    def telling(self: Words, event: Event, record: Any) -> str:
        return f"{line(self, event, record)}{killers(latest) if self.theme == 'neutral' else ''}"

    patch.setattr(Words, "line", telling)
