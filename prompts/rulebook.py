"""The rules in words, generated from the rules that the referee runs.

The sentences live in ``en/rules.toml`` and ``zh/rules.toml``, by topic and case. This module chooses those that
are true of one rule set and table, puts them in order, and fills their slots. A topic is named after the option
that it states; where options bear on one another, the case names both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from tianhei.arena.roles import SPECIALS, Counts, Role
from tianhei.arena.rules.options import BaseRules, Butterfly, Classic, Foreign, Rules
from tianhei.prompts.vocabulary import PLAIN, Lang, Theme, texts_of

__all__ = ["Lang", "Paragraph", "Sentence", "Words", "outline", "rule_text", "words_in"]

Words: TypeAlias = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the rules: its ``topic``, which ``case`` of it holds, and the values of its slots."""

    topic: str
    case: str
    slots: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A heading, and the sentences under it."""

    heading: str
    sentences: tuple[Sentence, ...]


def rule_text(rules: Rules, lang: Lang, counts: Counts | None = None, theme: Theme = PLAIN) -> str:
    """The rules as players and people read them, one numbered paragraph a line.

    With ``counts`` the text is that of this one table; without, it names the tables that are written.
    """
    if isinstance(rules, Foreign):  # what was played are another arena's rules
        return str(texts_of(lang, "foreign")["rules.text"])
    words = words_in(lang, theme)
    line = words["line"]
    lines: list[str] = []
    for number, paragraph in enumerate(outline(rules, counts), start=1):
        said = line["between_sentences"].join(_say(words, sentence, counts) for sentence in paragraph.sentences)
        heading = words["heading"][paragraph.heading]
        lines.append(line["paragraph"].format(number=number, heading=heading, text=said))
    return "\n".join(lines)


def outline(rules: Rules, counts: Counts | None = None) -> tuple[Paragraph, ...]:
    """Which sentences are said of this rule set and table, in their order."""
    said = _classic(rules, counts) if isinstance(rules, Classic) else _butterfly(rules, counts)
    found: list[Paragraph] = []
    for heading, sentences in said:
        kept = tuple(sentence for sentence in sentences if _concerns(sentence, counts))
        if kept:
            found.append(Paragraph(heading, kept))
    return tuple(found)


@cache
def words_in(lang: Lang, theme: Theme = PLAIN) -> Words:
    """The sentences of one language, by topic and case."""
    words: dict[str, dict[str, str]] = {}
    for name, text in texts_of(lang, "rules", theme).items():
        topic, _, case = name.partition(".")
        words.setdefault(topic, {})[case] = text
    return words


_NEEDS: Mapping[str, frozenset[Role]] = {
    topic: frozenset(roles)
    for roles, topics in (
        ((Role.POLICE,), ("check_answer", "checked", "round1_claim")),
        ((Role.SNIPER,), ("shoot",)),
        ((Role.ELDER,), ("silence", "silenced_votes", "silenced_last_words")),
        ((Role.DOCTOR,), ("needle", "double_hit_needled", "empty", "save_resets_needles", "announce_needles")),
        ((Role.BUTTERFLY,), ("repeat_target", "needle_on_carried", "power", "carried_killer", "shared")),
        ((Role.BUTTERFLY, Role.POLICE), ("unchecked", "carried_police")),
        ((Role.BUTTERFLY, Role.ELDER), ("silence_copied",)),
        (
            (Role.BUTTERFLY, Role.DOCTOR),
            (
                "double_hit_butterfly", "butterfly_unsaveable", "carried_doctor", "voided_attack",
                "saved_butterfly_carried", "butterfly_needle_death_drags",
            ),
        ),
    )
    for topic in topics
}  # fmt: skip
"""Topics that concern a table only if it was dealt these roles."""


def _concerns(sentence: Sentence, counts: Counts | None) -> bool:
    return all(_is_dealt(role, counts) for role in _NEEDS.get(sentence.topic, ()))


def _is_dealt(role: Role, counts: Counts | None) -> bool:
    """Whether the table has that role; a table that is not known may."""
    return counts is None or counts.get(role, 0) > 0


def _is_team(role: Role, counts: Counts | None) -> bool:
    """Whether the table has several of that role; a table that is not known may."""
    return counts is None or counts.get(role, 0) > 1


def _say(words: Words, sentence: Sentence, counts: Counts | None) -> str:
    text = words[sentence.topic][sentence.case]
    slots = dict(sentence.slots)
    if "{roles}" in text:
        slots["roles"] = words["line"]["between_roles"].join(_dealt(words, counts or {}))
    if "{specials}" in text:
        helper = {Role.ELDER} if (sentence.topic, sentence.case) == ("elder_side", "killers") else set()
        named = [words["name"][role] for role in SPECIALS if role not in helper and _is_dealt(role, counts)]
        slots["specials"] = words["line"]["between_roles"].join(named)
    return text.format_map(slots)


def _dealt(words: Words, counts: Counts) -> Iterator[str]:
    for role, number in counts.items():
        if number:
            yield words["one" if number == 1 else "many"][role].format(number=number)


def _option(rules: BaseRules, name: str, *more: str) -> Sentence:
    """The sentence on an option as it is set; ``more`` names the case further."""
    value = getattr(rules, name)
    case = str(value).lower() if isinstance(value, bool) else str(value)
    return Sentence(name, "_".join((case, *more)))


def _classic(rules: Classic, counts: Counts | None) -> Iterator[tuple[str, list[Sentence]]]:
    police = _is_dealt(Role.POLICE, counts)
    yield (
        "table",
        [_table(counts, "classic"), Sentence("know", "teams" if _is_team(Role.POLICE, counts) else "no_police")],
    )
    yield (
        "goal",
        [
            Sentence("good", "classic" if police else "no_police"),
            _victory(rules, counts),
            _option(rules, "parity"),
            Sentence("decided", "classic"),
        ],
    )
    yield (
        "night",
        [
            _option(rules, "first_phase"),
            Sentence("night", "classic"),
            _option(rules, "kill_teammate"),
            _option(rules, "check_answer"),
            *([Sentence("checked", "team")] if _is_team(Role.POLICE, counts) else []),
            *_choosing(rules, alone=not police),
        ],
    )
    yield "dawn", [Sentence("dawn", "classic"), _option(rules, "reveal_at_dawn"), *_last_words(rules, counts)]
    yield (
        "day",
        [
            _option(rules, "seat_numbering"),
            _option(rules, "no_death_start", *([] if rules.no_death_start == "random" else [rules.seat_numbering])),
            _option(rules, "channel"),
        ],
    )
    yield "vote", list(_vote(rules))
    yield "ties", list(_ties(rules))
    yield "conduct", [Sentence("claims", "classic"), _option(rules, "round1_claim"), *_conduct(rules)]
    yield "end", [_cap(rules)]


def _butterfly(rules: Butterfly, counts: Counts | None) -> Iterator[tuple[str, list[Sentence]]]:
    yield (
        "table",
        [
            _table(counts, "butterfly"),
            *([] if counts else [_option(rules, "setup13"), _option(rules, "even_counts")]),
            Sentence("table", "seats"),
            Sentence("know", "teams" if _is_team(Role.POLICE, counts) else "no_police"),
        ],
    )
    yield (
        "goal",
        [
            Sentence("good", "butterfly"),
            _option(rules, "elder_side") if _is_dealt(Role.ELDER, counts) else Sentence("elder_side", "good"),
            Sentence("draw", "night_or_vote" if rules.tie == "all" else "night"),
            Sentence("decided", "butterfly"),
        ],
    )
    yield (
        "night",
        [
            _option(rules, "first_phase"),
            Sentence("night", "butterfly"),
            _option(rules, "repeat_target"),
            Sentence("shoot", "sniper"),
            _option(rules, "kill_teammate"),
            Sentence("needle", "doctor"),
            Sentence("check_answer", "nod"),
            *([Sentence("checked", "team")] if _is_team(Role.POLICE, counts) else []),
            Sentence("silence", "elder"),
            *_choosing(rules),
        ],
    )
    yield "hits", list(_hits(rules))
    yield "carried", list(_carried(rules))
    yield (
        "dawn",
        [
            Sentence("dawn", "butterfly"),
            _option(rules, "announce_causes"),
            _option(rules, "reveal_at_dawn"),
            _option(rules, "silenced_votes"),
            *_last_words(rules, counts),
        ],
    )
    yield "defence", [Sentence("direction", "alternating"), _option(rules, "no_death_start"), _option(rules, "channel")]
    yield "vote", list(_vote(rules))
    yield "ties", list(_ties(rules))
    yield "conduct", [Sentence("claims", "butterfly"), *_conduct(rules)]
    yield "end", [_cap(rules)]


def _table(counts: Counts | None, game: str) -> Sentence:
    if not counts:
        return Sentence("table", game)
    return Sentence("table", "dealt", (("players", sum(counts.values())),))


def _victory(rules: Classic, counts: Counts | None) -> Sentence:
    """With no police dealt, both values come to the same (A1-37)."""
    if not _is_dealt(Role.POLICE, counts):
        return Sentence("victory", "no_police")
    open_table = counts is None and rules.victory == "any_identity"
    return _option(rules, "victory", *(["open"] if open_table else []))


def _choosing(rules: Rules, *, alone: bool = False) -> Iterable[Sentence]:
    """How those who act at night choose, and how a team agrees (R-COUNCIL); ``alone``: only killers act."""
    one = rules.council_rounds == 1
    return (
        _option(rules, "night_pass", *(["killers"] if alone else [])),
        Sentence("council_rounds", "one" if one else "many", (("council_rounds", rules.council_rounds),)),
        _option(rules, "killers_tie"),
        Sentence("council_words", "mute" if rules.channel == "mute" else "spoken"),
        _option(rules, "call_dead_roles"),
    )


def _hits(rules: Butterfly) -> Iterator[Sentence]:
    yield Sentence("hit", "any")
    yield _option(rules, "double_hit_needled")
    if rules.butterfly_unsaveable:
        yield _option(rules, "butterfly_unsaveable")
    elif rules.double_hit_butterfly == "saved":
        yield _option(rules, "double_hit_butterfly")
    yield Sentence("empty", "needle")
    if rules.save_resets_needles:
        yield _option(rules, "save_resets_needles")
    yield _option(rules, "announce_needles")


def _carried(rules: Butterfly) -> Iterator[Sentence]:
    met = rules.needle_on_carried == "counts" and rules.voided_attack == "still_uses_needle"
    yield _option(rules, "needle_on_carried", *(["unless_met"] if met else []))
    yield Sentence("unchecked", "carried")
    yield Sentence("power", "lost")
    yield _option(rules, "carried_doctor")
    yield _option(rules, "carried_killer")
    yield _option(rules, "carried_police")
    yield _option(rules, "voided_attack")
    yield Sentence("shared", "hits")
    if not rules.butterfly_unsaveable:
        yield _option(rules, "saved_butterfly_carried")
    yield _option(rules, "butterfly_needle_death_drags")
    yield _option(rules, "silence_copied")


def _last_words(rules: Rules, counts: Counts | None) -> Iterator[Sentence]:
    if rules.last_words == "quota":
        quota = (counts or {}).get(Role.KILLER, 0)
        case = {0: "quota_open", 1: "quota_one"}.get(quota, "quota")
        yield Sentence("last_words", case, (("quota", quota),))
    else:
        yield _option(rules, "last_words")
    if rules.last_words == "none":
        return
    if isinstance(rules, Butterfly):
        yield Sentence("last_words_order", "direction")
        yield _option(rules, "silenced_last_words")
        yield _option(rules, "executed_last_words")
    yield _option(rules, "last_words_at_end")


def _may_hold_pk(rules: Rules) -> bool:
    """Whether a PK may come: by the tie chain, or by demand (R-ROUNDPK)."""
    return rules.tie == "chain" or (isinstance(rules, Classic) and rules.round_pk == "on")


def _vote(rules: Rules) -> Iterator[Sentence]:
    pk = _may_hold_pk(rules)
    yield _option(rules, "vote_form")
    yield _option(rules, "self_vote")
    yield _option(rules, "abstain", *(["pk"] if pk else []))
    if rules.vote_form == "called" and (pk or rules.abstain == "forbidden"):
        yield Sentence("last_hand", "compulsory")
    yield Sentence("most", "votes")
    yield _option(rules, "reveal_on_vote")


def _ties(rules: Rules) -> Iterator[Sentence]:
    yield _option(rules, "tie")
    if rules.tie == "chain":
        for name in ("pk_voters", "narrowing", "off_voters", "final_tie"):
            yield _option(rules, name)
    if isinstance(rules, Butterfly) and rules.tie in ("chain", "revote"):
        yield Sentence("further_votes", rules.vote_form)
    if rules.abstain == "allowed":
        yield _option(rules, "all_abstain")
    if isinstance(rules, Classic) and rules.round_pk == "on":
        yield Sentence("round_pk", "chain" if rules.tie == "chain" else "alone")


def _conduct(rules: Rules) -> Iterable[Sentence]:
    return _option(rules, "dead_view"), Sentence("absent", "chain" if _may_hold_pk(rules) else "plain")


def _cap(rules: Rules) -> Sentence:
    return Sentence("max_days", "cap", (("max_days", rules.max_days),))
