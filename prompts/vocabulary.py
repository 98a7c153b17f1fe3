"""The smallest words of both languages, and the texts they stand in: ``<language>/judge.toml``, slots and no logic.

A theme is a second file beside a file of texts: ``judge.neutral.toml`` holds what the theme ``neutral`` says otherwise.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from tianhei.arena.claims import KINDS, WHATS, Claim
from tianhei.arena.roles import Role, Seat, Side

Lang = Literal["en", "zh"]
Theme = Literal["plain", "neutral"]
"""In which words the game is told: its own, or such that no word of violence is left (for endpoints that refuse it)."""
THEMES: tuple[Theme, ...] = get_args(Theme)
PLAIN: Theme = "plain"
INDENT = "    "
"""What every further line of a player's text begins with; no line of the record's own does."""


class PackError(ValueError):
    """A pack or persona that is not there, or does not fit; the message says which there are, or what is wrong."""


_BREAKS = re.compile("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")


def quoted(text: str) -> str:
    """A player's text as it stands in the record: unaltered, but none of its lines can pass for a line of its own."""
    return _BREAKS.sub(f"\n{INDENT}", text)


def flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested tables, by their dotted names."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def texts_of(lang: Lang, name: str, theme: Theme = PLAIN) -> dict[str, Any]:
    """The texts of ``<language>/<name>.toml`` by dotted name, those of the theme's own file in their place."""
    texts: dict[str, Any] = {}
    for ending in ("", f".{theme}"):
        source = files("tianhei.prompts").joinpath(lang, f"{name}{ending}.toml")
        if not ending or source.is_file():
            texts.update(flat(tomllib.loads(source.read_text(encoding="utf-8"))))
    return texts


@cache
def judge_texts(lang: Lang, theme: Theme = PLAIN) -> Mapping[str, Any]:
    """The judge's words in one language, by dotted name."""
    return texts_of(lang, "judge", theme)


@cache
def _texts(lang: Lang, theme: Theme) -> Mapping[str, Any]:
    """The judge's words, and beside them the words of imported games (``foreign.toml``)."""
    return {**texts_of(lang, "foreign"), **judge_texts(lang, theme)}


class Vocabulary:
    """The smallest words of one language: seats, roles, numbers, claims, and every text by its name."""

    def __init__(self, lang: Lang, theme: Theme = PLAIN) -> None:
        self.lang: Lang = lang
        self.theme: Theme = theme
        self.texts = _texts(lang, theme)

    def say(self, key: str, **slots: object) -> str:
        """The text of that name with its slots filled."""
        text: str = self.texts[key]
        return text.format(**slots)

    def seat(self, seat: Seat) -> str:
        return self.say("write.seat", n=seat)

    def seats(self, seats: Iterable[Seat]) -> str:
        """Several seats in a sentence, in the order given."""
        items = [self.say("write.seats_item", n=seat) for seat in seats]
        if not items:
            return self.say("write.nobody")
        key = "write.seats_one" if len(items) == 1 else "write.seats_many"
        return self.say(key, list=self.listed(items, self.say("write.last_comma")))

    def numbers(self, seats: Iterable[Seat]) -> str:
        """The bare numbers of seats, as in an order or a list of voters."""
        return self.listed(map(str, seats))

    def listed(self, items: Iterable[str], last: str = "") -> str:
        """Items with commas between them, and ``last`` before the last one."""
        *rest, final = list(items) or [self.say("write.nobody")]
        comma = self.say("write.comma")
        return comma.join(rest) + (last or comma) + final if rest else final

    def role(self, role: Role | str) -> str:
        """The name of a role (``good`` where only the side is told)."""
        return self.named("role", role)

    def side(self, side: Side | str) -> str:
        return self.named("side", side)

    def named(self, group: str, name: str) -> str:
        """The word for a name in a group; one that only an imported game knows stands for itself."""
        return self.say(f"{group}.{name}") if f"{group}.{name}" in self.texts else name

    def votes(self, count: int) -> str:
        return self.say("write.votes_one" if count == 1 else "write.votes_many", count=self.number("count", count))

    def causes(self, causes: Iterable[str]) -> str:
        """Causes of death, as the rules name them."""
        return self.listed(self.named("cause", cause) for cause in causes)

    def claim(self, claim: Claim, speaker: Seat) -> str:
        """A typed claim in fixed words, as its speaker makes it."""
        return self._claim("claim", claim, speaker)

    def recalled(self, claim: Claim, speaker: Seat) -> str:
        """The same, as its speaker is reminded of it: a side flatly stated is told from a mere suspicion or trust."""
        return self._claim("recalled", claim, speaker)

    def _claim(self, group: str, claim: Claim, speaker: Seat) -> str:
        said = claim.kind == "deny" and claim.what == "none"
        own = claim.kind in ("role", "clear", "deny", "retract") and claim.seat == speaker and not said
        slots: dict[str, str] = {} if own else {"seat": self.seat(claim.seat)}
        if claim.kind in ("role", "check", "deny") and not said:
            is_foreign = claim.kind == "role" and claim.what == "none"  # a card that our games do not have
            slots["what"] = self.say("claimed.other" if is_foreign else f"claimed.{claim.what}")
        if claim.kind in ("check", "save", "shot", "carry", "silence"):
            slots["when"] = self.say("claim.when", night=claim.night) if claim.night else ""
        flat = group == "recalled" and claim.kind in ("accuse", "clear") and claim.what != "none"
        ending = "_own" if own else "_said" if said else "_flat" if flat else ""
        return self.say(f"{group}.{claim.kind}{ending}", **slots)

    def labels(self) -> Mapping[str, str]:
        """What the kinds and contents of claims are called in a reply, and what each stands for."""
        return {self.say(f"label.{value}"): value for value in (*KINDS, *WHATS)}

    def cards(self, roles: Sequence[str]) -> str:
        """Who holds which card, seat 1 first."""
        return self.listed(
            self.say("over.revealed_item", seat=self.seat(seat), role=self.role(role))
            for seat, role in enumerate(roles, start=1)
        )

    def number(self, kind: str, number: int) -> str:
        """A number in words (``count`` or ``ordinal``), in figures where there is no word for it."""
        names: Sequence[str] = self.texts[f"numbers.{kind}"]
        return names[number] if 0 <= number < len(names) else str(number)

    def or_other(self, group: str, name: str, **slots: object) -> str:
        """The text of that name in a group, or the group's text for any other name."""
        key = f"{group}.{name}"
        return self.say(key if key in self.texts else f"{group}.other", **slots)
