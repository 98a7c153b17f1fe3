"""The claims of a speech, read from its words alone: by rules, the same every time, in time linear in its length."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tianhei.arena.claims import Claim
from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims.words.mark import Marked, mark
from tianhei.transcripts.claims.words.reading import Before, Found, Reader, Reading, before_of
from tianhei.transcripts.claims.words.rule import Words

OURS = frozenset(("classic", "butterfly"))
_ENDS: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(r"(?<!\bM[rs]\.)(?<!\bMrs\.)(?<=[.!?])[\"')]*\s+(?=\S)|\n+"),
    "zh": re.compile(r"(?<=[。！？!?；;])|\n+"),
}
_SHORT = 24
"""Letters of a sentence that can be no more than a result."""
_LONGEST = 400
"""Letters that are read together at most, which keeps the time in proportion to a speech's length."""
_FOREIGN: Mapping[str, re.Pattern[str]] = {
    "witch": re.compile(r"女巫|真巫|\bwitch\b", re.IGNORECASE),
    "hunter": re.compile(r"猎人|\bhunter\b", re.IGNORECASE),
    "guard": re.compile(r"守卫|\bguard\b", re.IGNORECASE),
    "bodyguard": re.compile(r"\bbodyguard\b", re.IGNORECASE),
    "medium": re.compile(r"灵媒|\bmedium\b", re.IGNORECASE),
    "possessed": re.compile(r"狂人|\b(?:possessed|madman)\b", re.IGNORECASE),
}
"""Cards of other games, under the names that imported games give them."""
_NOBODY: Mapping[str, Seat] = {}


def foreign_card(words: str) -> str | None:
    """The card of another game that the words of a claim name; None where they name none, or several."""
    named = [card for card, pattern in _FOREIGN.items() if pattern.search(words)]
    return named[0] if len(named) == 1 else None


@cache
def words_of(lang: Lang) -> Words:
    """The words of a language."""
    if lang == "zh":
        from tianhei.transcripts.claims.words import zh

        return zh.WORDS
    from tianhei.transcripts.claims.words import en

    return en.WORDS


def extract(
    text: str,
    speaker: Seat,
    lang: Lang,
    seats: int,
    game: str,
    *,
    names: Mapping[str, Seat] = _NOBODY,
    before: str = "",
) -> tuple[Found, ...]:
    """The claims of a speech, each once, with the words that make it.

    ``game`` names the rules, ``names`` the seats of players that have names; ``before`` is what was said just before,
    with its speaker's number in front (``10: …``).
    """
    return tuple(read(text, speaker, lang, seats, game, names=names, before=before).claims)


def read(
    text: str,
    speaker: Seat,
    lang: Lang,
    seats: int,
    game: str,
    *,
    names: Mapping[str, Seat] = _NOBODY,
    before: str = "",
) -> Reading:
    """Claims, statements about the public record and phenomena of a speech; places are those in its text."""
    first = before_of(_marked(before, lang, seats, game, names)) if before else Before(None, ())
    sentences = tuple(_sentences(_marked(text, lang, seats, game, names), lang, words_of(lang)))
    found = _read(sentences, speaker, lang, first, is_police=False)
    police = Claim("role", speaker, "police")
    if found.hearsay and any(item.claim == police for item in found.claims):
        return _read(sentences, speaker, lang, first, is_police=True)
    return found


def _read(sentences: Iterable[Marked], speaker: Seat, lang: Lang, last: Before, *, is_police: bool) -> Reading:
    whole = Reading()
    for sentence in sentences:
        found = Reader(words_of(lang), sentence, speaker, last, is_police=is_police).read()
        claimed = {item.claim for item in whole.claims}
        stated = {item for item, *_ in whole.record}
        whole.claims += [item for item in found.claims if item.claim not in claimed]
        whole.record += [item for item in found.record if item[0] not in stated]
        whole.hearsay += found.hearsay
        whole.phenomena.extend(item for item in found.phenomena if item not in whole.phenomena)
        whole.seats += sentence.seats
        last = Before(None, sentence.seats)
    return whole


def _marked(text: str, lang: Lang, seats: int, game: str, names: Mapping[str, Seat]) -> Marked:
    return mark(text, lang, seats, names, loose=lang == "zh" and game not in OURS)


def _sentences(text: Marked, lang: Lang, words: Words) -> Iterator[Marked]:
    """The sentences; one that is but the result of the check before ('Killer.') is read with it."""
    ends = [(match.start(), match.end()) for match in _ENDS[lang].finditer(text.text)]
    start = 0
    for place, (stop, following) in enumerate([*ends, (len(text.text), len(text.text))]):
        if place < len(ends):
            after = text.text[following : ends[place + 1][0] if place + 1 < len(ends) else len(text.text)]
            if _is_result(after, words) and words.pattern(words.checked).search(text.text, start, stop):
                continue
        yield from _short_enough(text.part(start, stop))
        start = following


def _short_enough(sentence: Marked) -> Iterator[Marked]:
    """A sentence that does not come to an end is cut, at a comma or a space where there is one."""
    while len(sentence.text) > _LONGEST:
        cut = max((sentence.text.rfind(stop, 1, _LONGEST) for stop in "，,；; "), default=-1) + 1 or _LONGEST
        yield sentence.part(0, cut)
        sentence = sentence.part(cut, len(sentence.text))
    if sentence.text.strip():
        yield sentence


def _is_result(text: str, words: Words) -> bool:
    return len(text) <= _SHORT and any(pattern.match(text.lstrip("ANOano ")) for _, pattern in words.result_patterns)
