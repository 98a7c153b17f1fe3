"""A prompt pack: the texts around the rules and the record by which a model is asked, in one language.

A pack is a folder of plain texts with named slots, ``<language>/<name>/``: ``*.toml`` by dotted key, ``*.txt`` by the
file's name. Packs have the keys and slots of the pack ``official`` (`tiny` aside, whose models are asked otherwise):
which text is used when is the same for every pack.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Formatter
from typing import Any

from tianhei.prompts.vocabulary import Lang, flat, judge_texts

OFFICIAL = "official"
TINY = "tiny"
"""The pack for models whose choices are scored; it has texts of its own, not those of `official`."""
NUMBERS = "limit."
"""Keys that begin so hold numbers: soft limits by kind of reply and field, in characters (zh) or words (en)."""


class PackError(ValueError):
    """A pack that is not there, or does not fit; the message says which there are, or what is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The texts of one pack in one language, by key."""

    name: str
    lang: Lang
    texts: Mapping[str, str]
    limits: Mapping[str, int]

    def say(self, key: str, **slots: object) -> str:
        """The text of that key with its slots filled."""
        return self.texts[key].format(**slots)

    def all(self, prefix: str) -> tuple[str, ...]:
        """The texts under a key, in order."""
        return tuple(text for key, text in self.texts.items() if key.startswith(f"{prefix}."))

    def has(self, key: str) -> bool:
        """Whether the pack has a text of that key."""
        return key in self.texts

    @property
    def hash(self) -> str:
        """SHA-256 over all words that the pack brings to a prompt, the judge's in the record among them."""
        words = {"texts": self.texts, "limits": self.limits, "judge": judge_texts(self.lang)}
        text = json.dumps(words, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def slots_of(text: str) -> frozenset[str]:
    """The named slots of a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def packs(lang: Lang) -> tuple[str, ...]:
    """The names of the packs in a language."""
    folder = files("tianhei.prompts").joinpath(lang)
    return tuple(sorted(item.name for item in folder.iterdir() if item.is_dir() and item.name[0] not in "._"))


@cache
def load(name: str, lang: Lang) -> Pack:
    """The pack of that name. PackError lists those there are, or names every key and slot that does not fit."""
    if name not in packs(lang):
        raise PackError(f"no prompt pack {name!r} in {lang!r}; there are {', '.join(packs(lang)) or 'none'}")
    found: dict[str, Any] = {}
    folder = files("tianhei.prompts").joinpath(lang, name)
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        stem, _, ending = item.name.rpartition(".")
        if ending == "txt":
            found[stem] = item.read_text(encoding="utf-8").strip()
        elif ending == "toml":
            found.update(flat(tomllib.loads(item.read_text(encoding="utf-8"))))
    pack = Pack(
        name,
        lang,
        {key: value for key, value in found.items() if not key.startswith(NUMBERS)},
        {key.removeprefix(NUMBERS): value for key, value in found.items() if key.startswith(NUMBERS)},
    )
    if name not in (OFFICIAL, TINY) and (faults := lint(pack, load(OFFICIAL, lang))):
        raise PackError(f"prompt pack {name!r} in {lang!r}: " + "; ".join(faults))
    return pack


def lint(pack: Pack, model: Pack) -> list[str]:
    """In what the pack differs from another in keys and slots."""
    faults = []
    for ours, theirs in ((pack.texts, model.texts), (pack.limits, model.limits)):
        faults += [f"{key} is missing" for key in theirs if key not in ours]
        faults += [f"{key} is unknown" for key in ours if key not in theirs]
    for key in pack.texts.keys() & model.texts.keys():
        given, wanted = slots_of(pack.texts[key]), slots_of(model.texts[key])
        faults += [f"{key} lacks the slot {{{slot}}}" for slot in wanted - given]
        faults += [f"{key} has an unknown slot {{{slot}}}" for slot in given - wanted]
    return sorted(faults)
