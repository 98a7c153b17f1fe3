"""A speech as the measures read it: its tokens, its runs of tokens, its sentences with the seats marked.

A seat is marked as ``⟨4⟩`` in whatever way it was written (Player 4, 4号, 四号, S04), so that one pattern finds it in
both languages.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang

RUN: dict[Lang, int] = {"zh": 4, "en": 3}
"""How many tokens make a run: Chinese characters, English words."""

_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(
    rf"[{_HAN}\u3040-\u30ff\uac00-\ud7af]|[a-z\u00df-\u024f]+(?:'[a-z]+)*|[\u0370-\u1fff]+|[0-9]+", re.IGNORECASE
)
_HAN_LETTER = re.compile(f"[{_HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "⟨": "(", "⟩": ")", "“": '"', "”": '"', "「": '"', "」": '"'})

_NUMERALS = {character: number for number, character in enumerate("零一二三四五六七八九十")}
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SEVERAL = re.compile(
    r"\b(?:players|seats|numbers)\s+(#?\d{1,2}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or)\s+|\s*&\s*)#?\d{1,2}\b)*)",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"(?:(?<![a-z0-9])(?:players?|seat|number)\s*#?|玩家\s?|(?<![a-z0-9])[sp]|#)0?(\d{1,2})(?!\d)(?:\s?号)?"
    rf"(?! (?:suspect|target|reason)\b)|\bplayer\s({'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
_HAO = re.compile(r"((?:\d{1,2}\s?号?\s?[、/和与及]\s?)*)(\d{1,2})\s?号(?:玩家|选手|位)?")
_HAO_IN_WORDS = re.compile(r"([二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])号(?:玩家|选手|位)?")
_NUMBER = re.compile(r"\d+")

_QUOTED = re.compile(r'"[^"\n]*"|(?<!\w)\'[^\'\n]{2,}\'(?!\w)|『[^』]*』|《[^》]*》')
_SENTENCE = re.compile(r"(?<=[。！？!?\n…])|(?<=\.)(?=\s)")
_CLAUSE = re.compile(r"[,，:：;；()（）]|—+|\s[-–]+\s|\band (?=(?:i|i'll|i'm|we|we'll|let's|my)\b)")
_ASKED = re.compile(r"[?？]\W*$|[吗呢么]\W*$")

MARK = r"⟨(\d+)⟩"
_MARK = re.compile(MARK)


class Sentence(NamedTuple):
    """One sentence in lower case, its quotations left out and its seats marked; ``asked``: it is a question."""

    text: str
    clauses: tuple[str, ...]
    asked: bool

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that it names, in order."""
        return marked(self.text)


def marked(text: str) -> tuple[Seat, ...]:
    """The seats marked in a text, in order."""
    return tuple(map(int, _MARK.findall(text))) if "⟨" in text else ()


def tokens(text: str) -> list[str]:
    """Words, numbers and single Chinese characters, in lower case and without what stands between them."""
    return _TOKEN.findall(text.translate(_PLAIN).lower())


def lang_of(text: str, usual: Lang) -> Lang:
    """The language of a text by its script; where that does not tell, the ``usual`` one."""
    han = len(_HAN_LETTER.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    return usual if han == latin else "zh" if han > latin else "en"


def runs(text: str, lang: Lang) -> list[str]:
    """All runs of tokens of a text, with repetitions: 4 characters in Chinese, 3 words in English."""
    found, length = tokens(text), RUN[lang]
    return [" ".join(found[start : start + length]) for start in range(len(found) - length + 1)]


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a speech."""
    plain = text.translate(_PLAIN).strip()
    if len(plain) > 2 and plain[0] == plain[-1] and plain[0] in "\"'" and plain[0] not in plain[1:-1]:
        plain = plain[1:-1]  # the whole speech in quotation marks
    whole = with_marks(_QUOTED.sub(" ", plain)).lower()
    parts = (part.strip() for part in _SENTENCE.split(whole))
    return tuple(_sentence(part) for part in parts if part)


def _sentence(text: str) -> Sentence:
    clauses = tuple(clause for part in _CLAUSE.split(text) if (clause := part.strip(" .。!！;；?？…\n")))
    return Sentence(text, clauses, _ASKED.search(text) is not None)


def with_marks(text: str) -> str:
    """The text with every seat marked."""
    text = _SEVERAL.sub(lambda found: _marks(found[1]), text)
    text = _ONE.sub(lambda found: _mark(found[1] or _WORDS.index(found[2].lower()) + 1), text)
    if "号" in text:
        text = _HAO.sub(lambda found: _marks(found[0]), text)
        text = _HAO_IN_WORDS.sub(lambda found: _mark(_number(found[1])), text)
    return text


def _mark(seat: str | int) -> str:
    return f"⟨{int(seat)}⟩"


def _marks(text: str) -> str:
    return "".join(map(_mark, _NUMBER.findall(text)))


def _number(numeral: str) -> int:
    """A Chinese numeral below a hundred."""
    tens, ten, ones = numeral.rpartition("十")
    return (_NUMERALS.get(tens, 1) * 10 if ten else 0) + _NUMERALS.get(ones, 0)
