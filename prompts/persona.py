"""Personas: an age, a temper and a way of speaking that a model may be given, beside its card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tianhei.prompts.vocabulary import Lang, PackError, texts_of


@cache
def personas(lang: Lang) -> Mapping[str, str]:
    """The personas of one language, by id: ``<language>/personas.toml``."""
    return texts_of(lang, "personas")


def persona_text(persona: str, lang: Lang) -> str:
    """The paragraph of one persona. PackError lists those there are."""
    known = personas(lang)
    if persona not in known:
        raise PackError(f"no persona {persona!r} in {lang!r}; there are {', '.join(known)}")
    return known[persona]
