"""What the tests of packs, themes and reports share: every pack, and the questions of whole games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from test_words import LANGS, waves
from tianhei.arena.requests import Request
from tianhei.arena.view import View
from tianhei.prompts.compose import Asked, compose
from tianhei.prompts.pack import TINY, Pack, load, packs, variants
from tianhei.prompts.vocabulary import THEMES

ALL = tuple((name, lang, variant) for lang in LANGS for name in packs(lang) for variant in variants(name, lang))
"""Every pack in every language and variant."""
ASKING = tuple(item for item in ALL if item[0] != TINY)
"""Those whose models write their answers."""
THEMED = tuple((*item, theme) for item in ASKING for theme in THEMES)
CLAIMS_ONLY = (7, 14)
"""The tables of ``test_words`` where nothing is said but claims, for packs that ask for some."""


def requests(number: int, seed: int, days: int = 99) -> Iterator[tuple[View, Request]]:
    """Every question of the first days of a game played by lot."""
    for views, pending, _ in waves(number, seed):
        if views.record.day > days:
            return
        for request in pending:
            yield views.of(request.seat), request


def asked(pack: Pack, number: int, seed: int, days: int = 99, **more: Any) -> Iterator[tuple[View, Asked]]:
    """The same, as a model is asked it."""
    for view, request in requests(number, seed, days):
        yield view, compose(pack, view, request, **more)


def every_pack() -> Iterator[Pack]:
    for name, lang, variant, theme in THEMED:
        yield load(name, lang, variant, theme)
