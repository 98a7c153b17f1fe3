"""A prompt pack: the texts around the rules and the record by which a model is asked, in one language.

A pack is a folder of plain texts with named slots and no logic, ``<language>/<name>/``. ``form.toml`` says what the
pack asks for: its limits, whether replies are lines, and which texts it is ``without``. Its texts stand in ``1.toml``
and are said otherwise in ``2.toml``, ``3.toml``: variants, by which one measures how much the wording matters. Beside
each may lie what a theme says otherwise (``1.neutral.toml``). All have the keys and slots of the pack `official`
(`tiny` aside, whose models are asked otherwise): which text is used when is the same for every pack.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Formatter
from typing import Any

from tianhei.prompts.persona import personas
from tianhei.prompts.rulebook import words_in
from tianhei.prompts.vocabulary import PLAIN, Lang, PackError, Theme, flat, judge_texts, texts_of
from tianhei.prompts.words import Words

__all__ = ["OFFICIAL", "TINY", "Pack", "PackError", "lint", "load", "packs", "slots_of", "variants"]

OFFICIAL = "official"
TINY = "tiny"
"""The pack for models whose choices are scored; it has texts of its own, not those of `official`."""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The texts of one pack in one language, by key.

    ``limits`` are soft limits by kind of reply and field, in characters (zh) or words (en). A text that the pack is
    without is empty, and leaves its line out of the prompt; without the text of a field, the field is not asked for.
    """

    name: str
    lang: Lang
    texts: Mapping[str, str]
    limits: Mapping[str, int]
    lines: bool = False
    """Whether replies are labelled lines instead of one JSON object."""
    variant: int = 1
    theme: Theme = PLAIN

    def say(self, key: str, **slots: object) -> str:
        """The text of that key with its slots filled."""
        return self.texts[key].format(**slots)

    def all(self, prefix: str, without: Collection[str] = (), **slots: object) -> tuple[str, ...]:
        """The texts under a key but for some, in order, each filled with those of the slots that it has."""
        texts = {key: text for key, text in self.texts.items() if key.startswith(f"{prefix}.") and key not in without}
        return tuple(self.say(key, **{name: slots[name] for name in slots_of(text)}) for key, text in texts.items())

    def has(self, key: str) -> bool:
        """Whether the pack has a text of that key."""
        return bool(self.texts.get(key))

    @property
    def words(self) -> Words:
        """The judge's words that go with the pack."""
        return Words(self.lang, self.theme)

    @property
    def hash(self) -> str:
        """SHA-256 over all words that may come into a prompt with the pack: its own, the judge's, the rules'."""
        words = {
            "texts": list(self.texts.items()),
            "limits": self.limits,
            "lines": self.lines,
            "judge": judge_texts(self.lang, self.theme),
            "record": texts_of(self.lang, "record", self.theme),
            "rules": words_in(self.lang, self.theme),
            "personas": personas(self.lang),
        }
        text = json.dumps(words, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def slots_of(text: str) -> frozenset[str]:
    """The named slots of a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def packs(lang: Lang) -> tuple[str, ...]:
    """The names of the packs in a language."""
    folder = files("tianhei.prompts").joinpath(lang)
    return tuple(sorted(item.name for item in folder.iterdir() if item.is_dir() and item.name[0] not in "._"))


def variants(name: str, lang: Lang) -> tuple[int, ...]:
    """The numbers of a pack's variants."""
    folder = files("tianhei.prompts").joinpath(lang, name)
    stems = (item.name.removesuffix(".toml") for item in folder.iterdir())
    return tuple(sorted(int(stem) for stem in stems if stem.isdecimal()))


WITHOUT: Mapping[str, tuple[str, ...]] = {
    "claims": ("answer.claims", "answer.claims_night", "field.claims", "ask.claims_only"),
    "thought": ("answer.thought", "field.thought", "field.thought_brief", "field.thought_suspects"),
    "note": ("answer.note", "field.note", "layout.note"),
}
"""The texts that a pack is read without where a field of the reply is not to be asked for."""


@cache
def load(name: str, lang: Lang, variant: int = 1, theme: Theme = PLAIN, without: tuple[str, ...] = ()) -> Pack:
    """The pack of that name. PackError lists those there are, or names every key and slot that does not fit.

    ``without`` are fields of the reply (of `WITHOUT`) that are not asked for.
    """
    if without:
        whole, gone = load(name, lang, variant, theme), [key for field in without for key in WITHOUT[field]]
        return replace(whole, texts={key: "" if key in gone else text for key, text in whole.texts.items()})
    if name not in packs(lang):
        raise PackError(f"no prompt pack {name!r} in {lang!r}; there are {', '.join(packs(lang)) or 'none'}")
    if variant not in (known := variants(name, lang)):
        raise PackError(f"the prompt pack {name!r} in {lang!r} has no variant {variant}, but {_listed(known)}")
    form = _form(name, lang)
    texts = texts_of(lang, f"{name}/{variant}", theme)
    is_model = (variant, theme) == (1, PLAIN) and name in (OFFICIAL, TINY)
    model = None if is_model else load(TINY if name == TINY else OFFICIAL, lang)
    left_out = {key: "" for key in model.texts if _is_under(key, form["without"])} if model else {}
    pack = Pack(name, lang, {**texts, **left_out}, dict(flat(form["limit"])), form["lines"], variant, theme)
    faults = [f"{key} is both written and left out" for key in texts.keys() & left_out.keys()]
    if model and (faults := faults + lint(pack, model)):
        raise PackError(f"prompt pack {name!r} in {lang!r}, variant {variant}, {theme}: " + "; ".join(faults))
    return pack


def _form(name: str, lang: Lang) -> Mapping[str, Any]:
    source = files("tianhei.prompts").joinpath(lang, name, "form.toml")
    found = tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
    return {"lines": False, "without": [], "limit": {}, **found}


def _is_under(key: str, prefixes: list[str]) -> bool:
    return any(key == prefix or key.startswith(f"{prefix}.") for prefix in prefixes)


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def lint(pack: Pack, model: Pack) -> list[str]:
    """In what the pack differs from another in keys and slots. An empty text fits, and needs no limit."""
    faults = [f"{key} is missing" for key in model.texts if key not in pack.texts]
    faults += [f"{key} is unknown" for key in pack.texts if key not in model.texts]
    asked = {key for key in model.limits if pack.has(f"field.{key.partition('.')[2]}")}
    faults += [f"limit.{key} is missing" for key in asked if key not in pack.limits]
    faults += [f"limit.{key} is unknown" for key in pack.limits if key not in asked]
    for key in pack.texts.keys() & model.texts.keys():
        if pack.texts[key]:
            given, wanted = slots_of(pack.texts[key]), slots_of(model.texts[key])
            faults += [f"{key} lacks the slot {{{slot}}}" for slot in wanted - given]
            faults += [f"{key} has an unknown slot {{{slot}}}" for slot in given - wanted]
    return sorted(faults)
