"""Who reads a prompt in the proof: four players at every request, and of all others one at every second, by turns.

Together they have every pack in all its wordings, both languages and both themes; a persona each, for every other one;
and the short thought of a model that reasons by itself. Whose turn it is follows from what the seat knows: the table,
the open key, and its request or the point of a probe.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from secrecy.manner import number
from tianhei.agents.model import ModelPlayer
from tianhei.agents.tiny import TinyPlayer
from tianhei.arena.player import Player
from tianhei.arena.probing import Believer
from tianhei.arena.rules.options import Rules
from tianhei.prompts.pack import OFFICIAL, TINY, Pack, packs, variants
from tianhei.prompts.persona import personas
from tianhei.prompts.vocabulary import PLAIN, THEMES, Lang, Theme

LANGS: tuple[Lang, ...] = ("zh", "en")
EVERY = 2
"""At one of so many requests one of the `OTHERS` reads too."""


class Reader(Player, Believer, Protocol):
    """A player that can also be asked aside."""

    pack: Pack


def reader(lang: Lang, pack: str, variant: int, theme: Theme, persona: str | None = None) -> Reader:
    """A player of one pack in one wording."""
    if pack == TINY:
        return TinyPlayer(lang, pack, variant=variant, theme=theme)
    return ModelPlayer(lang, pack, variant=variant, theme=theme, persona=persona, reasons=variant == 3)


def _named() -> Iterator[tuple[str, Reader]]:
    for lang, theme in product(LANGS, THEMES):
        people = list(personas(lang))
        for place, (pack, variant) in enumerate(wordings(lang)):
            persona = people[place % len(people)] if place % 2 and pack != TINY else None
            name = f"{pack} {lang}, wording {variant}, {theme}{f', {persona}' if persona else ''}"
            yield name, reader(lang, pack, variant, theme, persona)


def wordings(lang: Lang) -> list[tuple[str, int]]:
    """Every pack of a language in each of its wordings."""
    return [(pack, variant) for pack in packs(lang) for variant in variants(pack, lang)]


ALWAYS: tuple[tuple[str, Reader], ...] = tuple(
    (f"{pack} {lang}", reader(lang, pack, 1, PLAIN)) for lang in LANGS for pack in (OFFICIAL, TINY)
)
OTHERS: tuple[tuple[str, Reader], ...] = tuple(_named())
CLAIMING = tuple(
    (name, player) for name, player in OTHERS if player.pack.name == TINY or player.pack.has("field.claims")
)


def whose_turn(rules: Rules, *known: object) -> tuple[str, Reader]:
    """One of the others, by what the seat knows; where only claims are said, none whose pack asks for none."""
    others = CLAIMING if rules.channel == "claims_only" else OTHERS
    return others[number("reader", *known) % len(others)]


def at_request(rules: Rules, *known: object) -> tuple[tuple[str, Reader], ...]:
    """All who read a request."""
    return ALWAYS if number("turn", *known) % EVERY else (*ALWAYS, whose_turn(rules, *known))
