"""How the words of a language are written down: rules for claims and for the record, and markers of what is not meant.

In a pattern ``<S>`` is one seat or a list of seats (up to three times, in branches), ``<1>`` exactly one, ``<C>`` the
name of a card (``<card>``: whichever), ``<R>`` the result of a check. A group named ``no`` that takes part in a match
denies it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from tianhei.arena.claims import ClaimKind, ClaimWhat
from tianhei.transcripts.claims.words.mark import ANY

_MANY = re.compile(r"\)([*+])(?![+?])")
"""No group is repeated without a bound: so no text, however it is made, takes long to read."""
Denied: TypeAlias = tuple[tuple[ClaimKind, ClaimWhat | Literal["card"]], ...]
"""What a claim comes to under a denial; ``card``: of the same card."""
RecordWhat = Literal["voted", "died", "out", "claimed"]
Phenomenon = Literal["negation", "quotation", "hypothesis", "question", "irony", "retraction", "correction"]


def _few(found: re.Match[str]) -> str:
    return "){0,6}" if found[1] == "*" else "){1,6}"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a pattern claims of its seats; without ``<S>``, of the speaker. ``denied``: what it claims when denied."""

    kind: ClaimKind
    pattern: str
    what: ClaimWhat | Literal["card", "result"] = "none"
    denied: Denied = ()
    also: tuple[tuple[ClaimKind, ClaimWhat], ...] = ()
    flat: bool = False
    """A denial in front of it does not reach it."""


@dataclass(frozen=True, slots=True)
class RecordRule:
    """A statement about the public record: groups ``by`` and ``seat`` hold marks, or the speaker's own word."""

    what: RecordWhat
    pattern: str


@dataclass(frozen=True, eq=False)
class Words:
    """One language. Every text is a pattern; ``cards`` and ``results`` give what their groups stand for."""

    between: str
    """What joins the seats of a list."""
    either: str
    """What makes a list a choice of which nothing follows."""
    cards: Mapping[ClaimWhat, str]
    results: Mapping[ClaimWhat, str]
    rules: tuple[Rule, ...]
    record: tuple[RecordRule, ...]
    own: str
    """The speaker, in a group of a record rule."""
    pronouns: str
    addressed: str
    """Those of them that mean who is spoken to."""
    clause: str
    asked: str
    asking: str
    """At the start of a clause before the last of a question: it belongs to the question."""
    vocative: str
    demand: str
    denial: str
    """Right before a match: it is denied."""
    unsaid: str
    """In what denies a claim: it was not said, which makes no other claim."""
    affirmed: str
    """What only looks like a denial."""
    hypothesis: str
    open: str
    """A condition on which nothing hangs."""
    conceded: str
    quotation: str
    resumed: str
    """At the start of a clause: the speaker's own words again."""
    irony: str
    touching: str
    """Words by which a question or a supposition touches a claim."""
    reports: str
    """In a sentence that gives several checks: what it says of each seat is one."""
    another: str
    """In a clause before a card of the speaker's own: it is not his claim."""
    shown: str
    """In a clause: a card that all have seen, of which nobody is accused or cleared."""
    negative: str
    """A denial inside a rule's own words."""
    bad: str
    """In a clause about one seat of which nothing else was read: it is accused."""
    fine: str
    """The same: it is held for good."""
    checked: str
    """In a sentence about one seat: a check of the speaker's own."""
    own_check: str
    """In the words of a check, or right before them: it is the speaker's own, and no talk about somebody else's."""
    plain_check: str
    """A whole clause that gives a check in the table's shortest words, as who made it does."""
    retraction: str
    correction: str
    later: str
    """In a clause with a vote: it is not about today's."""
    put_off: str
    """After an accusation: it is for another day."""
    nights: str
    """A night that is named; group ``n`` holds its number, or a word for it."""
    results_after: int
    """How far after a check its result may stand, in letters."""
    night_words: Mapping[str, int] = field(default_factory=dict)
    _filled: dict[str, re.Pattern[str]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def compiled(self) -> tuple[tuple[Rule, re.Pattern[str]], ...]:
        return tuple((rule, self.pattern(rule.pattern)) for rule in self.rules)

    @cached_property
    def recorded(self) -> tuple[tuple[RecordRule, re.Pattern[str]], ...]:
        return tuple((rule, self.pattern(rule.pattern)) for rule in self.record)

    @cached_property
    def card_patterns(self) -> tuple[tuple[ClaimWhat, re.Pattern[str]], ...]:
        return tuple((what, self.pattern(text)) for what, text in self.cards.items())

    @cached_property
    def result_patterns(self) -> tuple[tuple[ClaimWhat, re.Pattern[str]], ...]:
        return tuple((what, self.pattern(text)) for what, text in self.results.items())

    def pattern(self, text: str) -> re.Pattern[str]:
        """A pattern of this language with its slots filled."""
        if text not in self._filled:
            filled = text
            for group in ("s", "s2", "s3"):
                filled = filled.replace("<S>", rf"(?P<{group}>{ANY}(?:(?:{self.between}){ANY})*)", 1)
            cards, results = "|".join(self.cards.values()), "|".join(self.results.values())
            for slot, inside in (
                ("<1>", ANY),
                ("<card>", f"(?:{cards})"),
                ("<C>", f"(?P<c>{cards})"),
                ("<R>", f"(?P<r>{results})"),
            ):
                filled = filled.replace(slot, inside)
            self._filled[text] = re.compile(_MANY.sub(_few, filled), re.IGNORECASE)
        return self._filled[text]

    def card(self, text: str) -> ClaimWhat:
        """The card that a word names."""
        return _named(text, self.card_patterns)

    def result(self, text: str) -> ClaimWhat:
        """The result that a word names."""
        return _named(text, self.result_patterns)


def _named(text: str, patterns: tuple[tuple[ClaimWhat, re.Pattern[str]], ...]) -> ClaimWhat:
    for what, found in patterns:
        if found.fullmatch(text):
            return what
    return "none"
