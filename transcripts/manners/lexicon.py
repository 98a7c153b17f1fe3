"""The word lists of one language, ``prompts/<language>/manners.toml``, as patterns for text with its seats marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tianhei.arena.roles import Counts, Role
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.manners.text import MARK

_SLOT = re.compile(r"<(seat|bad|role|number)>")
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Patterns by their dotted name in the file; each finds any entry of its list, and none inside a word."""

    lang: Lang
    patterns: Mapping[str, re.Pattern[str]]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self.patterns[name]

    def foreign(self, counts: Counts) -> re.Pattern[str]:
        """Words of cards that a table with these roles does not have."""
        return _foreign(self.lang, frozenset(role for role in Role if counts.get(role)))


@cache
def lexicon(lang: Lang) -> Lexicon:
    """The word lists of a language."""
    return Lexicon(lang, {name: _any_of(lang, name) for name in _lists(lang)})


@cache
def _foreign(lang: Lang, present: frozenset[Role]) -> re.Pattern[str]:
    lists = _lists(lang)
    absent = (word for role in Role if role not in present for word in lists[f"foreign.own.{role}"])
    return _whole([*lists["foreign.words"], *absent], lang)


@cache
def _lists(lang: Lang) -> Mapping[str, list[str]]:
    found: dict[str, Any] = texts_of(lang, "manners")
    return found


def _any_of(lang: Lang, name: str) -> re.Pattern[str]:
    """The pattern of one list, its slots filled."""
    lists, group = _lists(lang), name.partition(".")[0]

    def fill(slot: re.Match[str]) -> str:
        match slot[1]:
            case "seat":
                return MARK
            case "number":
                return r"\d+"
            case inner:
                return "(?:" + "|".join(lists[f"{group}.{inner}"]) + ")"

    return _whole((_SLOT.sub(fill, entry) for entry in lists[name]), lang)


def _whole(entries: Iterable[str], lang: Lang) -> re.Pattern[str]:
    """Any of the entries, as whole words where the language has words; nothing where there is no entry."""
    either = "|".join(entries)
    if not either:
        return _NEVER
    return re.compile(f"(?:{either})" if lang == "zh" else f"(?<![a-z])(?:{either})(?![a-z])")
