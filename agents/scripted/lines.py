"""The sentences of the scripted players: read from ``prompts/{lang}/scripted.toml``, one list to a stance."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

SLOTS: Mapping[str, frozenset[str]] = {
    stance: frozenset(slots.split())
    for stance, slots in {
        "open": "", "open_death": "dead", "open_peace": "", "open_report": "dead who",
        "hold": "", "abstain": "", "count": "alive killers",
        "ask": "who", "ask_vote": "who day target", "answer": "who suspect", "answer_unsure": "who",
        "answer_vote": "who day target",
        "press_thin": "who", "press_vote": "who day target how", "press_push": "who day target how",
        "press_gap": "who day said voted", "press_shield": "who day target how",
        "press_missed": "who day target other", "press_dead": "who dead", "press_pass": "who",
        "press_vague": "who", "press_hasty": "who target", "press_follow": "who day target",
        "second": "who other", "change": "who old",
        "check_push": "who by", "believe": "who", "doubt": "who", "doubt_wrong": "who target said how",
        "side": "who other", "defend": "who", "defend_check": "who", "defend_vote": "day target how",
        "pk_self": "", "pk_pick": "who other", "clear": "who", "clear_vote": "who day target how",
        "claim_police": "", "counter": "who", "counter_role": "who role", "claim_role": "role",
        "report_killer": "who night", "report_good": "who night", "report_none": "who night",
        "report_role": "who night role", "vote": "who", "call": "who",
        "last_police": "", "last_suspect": "who", "last_trust": "who", "last_plain": "", "last_role": "role",
        "team_kill": "who", "team_police": "who", "team_check": "who", "team_agree": "who mate",
    }.items()
}  # fmt: skip
"""Every stance, and the slots that each of its lines fills: all of them, so that words and claims agree."""

WORDS = frozenset((
    "player", "and", "join", "numerals", "today", "yesterday", "day", "last_night", "night",
    "shown_good", "shown_killer", "night_dead", "checked_good", "checked_killer", "said_killer", "said_good",
    "police", "civilian", "butterfly", "sniper", "doctor", "elder", "killer",
))  # fmt: skip
"""The small words that slots are filled with."""

_SLOT = re.compile(r"\{(\w+)\}")
_EDGE = " ,.;:?!'，。；：？！、—"


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and its fixed parts, by which it is known again once it has been said."""

    text: str
    parts: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Line:
        fixed = (part.strip(_EDGE) for part in _SLOT.sub("\0", text).split("\0"))
        return cls(text, tuple(part for part in fixed if len(part) > 1))

    def is_in(self, said: str) -> bool:
        """Whether all its fixed parts stand in what was said."""
        return all(part in said for part in self.parts)


@dataclass(frozen=True, slots=True)
class Lines:
    """All lines of a language by stance, and its words."""

    stances: Mapping[str, tuple[Line, ...]]
    words: Mapping[str, str]


def slots_of(text: str) -> frozenset[str]:
    """The slots that a line names."""
    return frozenset(_SLOT.findall(text))


@cache
def read_lines(lang: str) -> Lines:
    """The lines of a language; FileNotFoundError where there are none."""
    text = (files("tianhei.prompts") / lang / "scripted.toml").read_text(encoding="utf-8")
    data: Mapping[str, Any] = tomllib.loads(text)
    stances = {stance: tuple(Line.read(line) for line in lines) for stance, lines in data["lines"].items()}
    return Lines(stances, data["words"])
