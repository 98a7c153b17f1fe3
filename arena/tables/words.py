"""What a table says of itself, in both languages: notices, questions, and beginnings of speeches as typed claims."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.tables.names import looks
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.prompts.words import Words
from tianhei.transcripts.viewer.frames import LANGS

SUSPECT = "suspect"
"""What everybody is asked once a night, whatever their card does."""
COVERS = ("trust", "next", "dangerous")
"""What is asked at night of whoever has nothing to do there, place by place."""
_STARTERS: Sequence[tuple[str, dict[str, Any]]] = (
    ("accuse", {"kind": "accuse", "what": "killer"}),
    ("clear", {"kind": "clear", "what": "not_killer"}),
    ("check_killer", {"kind": "check", "what": "killer"}),
    ("check_clear", {"kind": "check", "what": "not_killer"}),
    ("role_civilian", {"kind": "role", "what": "civilian"}),
    ("ask", {"kind": "ask", "what": "none"}),
    ("vote", {"kind": "vote", "what": "none"}),
    ("pass", {}),
)


@cache
def _texts(lang: Lang) -> dict[str, Any]:
    return texts_of(lang, "tables")


@cache
def _words(lang: Lang) -> Words:
    return Words(lang)


def both(key: str, **slots: object) -> dict[str, str]:
    """A phrase in both languages."""
    return {lang: str(_texts(lang)[key]).format(**slots) for lang in LANGS}


def question(request: Request, stage: str) -> dict[str, str]:
    """What is asked of a person, in plain words."""
    name: str = request.kind
    if name in ("kill", "check") and request.text:
        name = f"{name}_council"
    elif name == "speech" and stage in ("pk", "revote"):
        name = "speech_pk"
    if name == "hand":
        return {lang: _texts(lang)["ask.hand"].format(seat=_words(lang).seat(request.options[0])) for lang in LANGS}
    return both(f"ask.{name}")


def cover(number: int) -> str:
    """The name of a night's cover question: the first is for all, each other for one place of the night."""
    return COVERS[(number - 1) % len(COVERS)] if number else SUSPECT


def starters(request: Request) -> list[dict[str, Any]]:
    """Beginnings of a speech, each with the claim that it makes; ``{_}`` stands for a seat."""
    if request.kind not in CLAIMING:
        return []
    return [
        {"name": name, "claim": claim, "text": {lang: _texts(lang)[f"starter.{name}"] for lang in LANGS}}
        for name, claim in _STARTERS
    ]


def notices(bots: int, providers: Sequence[str]) -> dict[str, str]:
    """That there are AI players, who sits in, and where people's words go."""
    first = both("notice", count=bots) if bots else both("notice_none")
    where = both("words_go", providers=", ".join(providers)) if providers else both("words_stay")
    second = both("sits_in")
    return {lang: (" " if lang == "en" else "").join((first[lang], second[lang], where[lang])) for lang in LANGS}


def pseudonym(lang: str, others: Collection[str]) -> str:
    """A name for somebody who gave none."""
    names: list[str] = _texts("zh" if lang == "zh" else "en")["names"]
    taken = {looks(other) for other in others}
    free = [name for name in names if looks(name) not in taken]
    return secrets.choice(free) if free else f"{secrets.choice(names)} {secrets.token_hex(2)}"
