"""Text with its seats as marks: one private letter a seat, however it was written, so that patterns stay short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang

BASE = 0xE000
MOST = 40
"""More seats than any table has."""
ANY = f"[{chr(BASE + 1)}-{chr(BASE + MOST)}]"
"""The class of all marks."""
_ANY = re.compile(ANY)

_PLAIN = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "「": '"', "」": '"', "『": '"', "』": '"'})
_EN_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
)  # fmt: skip
_EN_ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
)  # fmt: skip
_SPACES = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,!?;:])")
_WORD = "|".join(sorted(_EN_WORDS[1:], key=len, reverse=True))
_ORDINAL = "|".join(sorted(_EN_ORDINALS[1:], key=len, reverse=True))
_COUNTED = (
    r"votes?|nights?|days?|rounds?|players?|killers?|cops?|police|of\s(?:us|them|you)|alive|living|left|times?|"
    r"people|seats?|others?|hands?|words?|claims(?!\s(?:to|that|he|she|they|you|I|a|an|police|cop|seer|the|\#?\d|[ps]\d|players?|seats?|no))|checks|suspects?|reasons?|things?|wolves|minutes?|seconds?|"
    r"good|to\s\d|ballots|needles|names?|or\sfewer|at\smost|for\sthe\skillers|as\sthe\skillers|against\sthe\srest|on\sthe\swrong|possibly|of\sthose|in\sall|killing|-?%"
)
_EN = re.compile(
    rf"""
    (?:\b(?:players?|seats?|numbers?|nos?\.|number)\s?\#?|(?<![\w.])[ps]|\#|@)0?(?P<a>\d{{1,2}})(?![\d%])
    | \b(?:player|seat|number)\s(?P<b>{_WORD})\b
    | \bthe\s(?P<c>{_ORDINAL})\s(?:seat|player|chair)\b
    | (?<![\w.:/$+-])(?<!\bday\s)(?:(?<!\bnight\s)|(?<=\blast\snight\s))
      (?<!\bround\s)(?<!\bnights\s)(?<!\bonly\s)(?<!\bkillers\s)(?<!\balive\s)(?<!\bmost\s)
      (?P<d>\d{{1,2}})(?![\d%/]|:\d|\.\d|(?:st|nd|rd|th)\b|\s(?:{_COUNTED})\b(?!\?))
    | (?<![\w'-])(?<!\bthe\s)(?<!\bthese\s)(?<!\bthose\s)(?<!\bus\s)(?<!\ball\s)(?<!\bnight\s)(?<!\bday\s)
      (?<!\bround\s)(?<!\blast\s)(?<!\bthan\s)(?<!\bleast\s)(?<!\bmost\s)(?<!\bof\s)(?<!\bor\s)(?<!\bin\s)
      (?P<f>(?!one\b)(?:{_WORD}))(?=(?:'s)?(?:[,.!?;]|$|\s(?:is|was|are|has|had|says?|said|claims?|claimed|voted|it\swas|
      goes|must|should|will|would|the\scop|on\snight|last\snight|and\sI|whispered|on\s|yesterday|today|who|gave|before\s
      the|check)\b))
    | (?:^|(?<=[.!?]\s)|(?<=\bvote\s)|(?<=\bfor\s)|(?<=\bon\s)|(?<=\btrust\s)|(?<=\bsuspect\s))
      (?P<e>{_WORD})(?=,|\.|!|\?|;|$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"两": 2}
_HAN = r"[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]"
_COUNTED_ZH = "个|票|人|天|夜|张|轮|分|次|刀|针|枪|匪|警|秒|年|点|句|选|狼|民|神|对|条|比|[.%:：/]\\d|晚|回|位|%"
_ZH = re.compile(
    rf"""
    (?P<a>\d{{1,2}}|{_HAN})\s?号(?:玩家|选手|位|牌)?
    | (?:玩家|(?<![A-Za-z])[PpSs])\s?(?P<b>\d{{1,2}})(?!\d)
    | (?<![\d.第首共剩零一二三四五六七八九十])(?<!还有)(?<!至少)(?<!最多)(?<!只有)
      (?P<c>\d{{1,2}})(?=\s?(?:、|和|跟|与|,|，)\s?(?:\d{{1,2}}|{_HAN})\s?号)
    | (?<![\d.第首共剩:：])(?<!还有)(?<!至少)(?<!最多)(?<!只有)(?<!至多)(?<!封顶)
      (?<!上限)(?<!多说)(?<!超过)(?<!人)(?P<d>\d{{1,2}})(?!\d|\s?(?:{_COUNTED_ZH}))
    """,
    re.VERBOSE,
)
_LOOSE = re.compile(
    r"(?:号|，|。|、|^|(?<=预言家)|(?=[二三四五六七八九]给[一二三四五六七八九](?:发|查杀|金水))|(?<=[打投票出归踩保验毒信认站听点推给跟和张把对是捞查杀抿摸锤盘]))"
    r"(?P<run>[一二三四五六七八九]{1,4})"
    r"(?=号|是|给|像|跳|就|可能|肯定|一定|应该|也|要|死|发|的|这|那|，|。|、|不|为|成|说|聊|打|里|$|！|？|吧|呢|啊|牌|对|真|走|去)"
)
"""Bare numerals as seats, as players of Werewolf say them; tried at tables of that game alone."""
_NOT_ONE = re.compile("一(?:是个|是张|定|点|样|直|起|般|些|下|边|切|共|旦|个|张|把|轮|天|夜|晚|会|开|手|种|句|号位)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with marks; ``spans`` gives for each of its letters where the original's begin and end."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the marked text stands in the original."""
        return self.spans[start][0], self.spans[max(end - 1, start)][1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return seats_in(self.text)

    def part(self, start: int, end: int) -> Marked:
        return Marked(self.text[start:end], self.spans[start:end])

    def replaced(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Marked:
        """The same with every match replaced; what is new stands for the whole match."""
        parts: list[str] = []
        spans: list[tuple[int, int]] = []
        last = 0
        for found in pattern.finditer(self.text):
            text = new(found)
            parts += self.text[last : found.start()], text
            spans += self.spans[last : found.start()]
            spans += [self.span(*found.span())] * len(text)
            last = found.end()
        if not parts:
            return self
        return Marked("".join(parts) + self.text[last:], (*spans, *self.spans[last:]))


def mark_of(seat: Seat) -> str:
    """The mark of a seat."""
    return chr(BASE + seat)


def seat_of(mark: str) -> Seat:
    """The seat of a mark."""
    return ord(mark) - BASE


def seats_in(text: str) -> tuple[Seat, ...]:
    """The seats that are marked in a text, in order."""
    return tuple(map(seat_of, _ANY.findall(text)))


def mark(text: str, lang: Lang, seats: int, names: Mapping[str, Seat], *, loose: bool = False) -> Marked:
    """The text in plain quotation marks, its seats marked; ``loose``: bare Chinese numerals may be seats too."""
    text = text.translate(_PLAIN)
    marked = Marked(text, tuple(zip(range(len(text)), range(1, len(text) + 1), strict=True)))
    marked = marked.replaced(_SPACES, lambda found: "" if text[found.end() : found.end() + 1] in ".,!?;:" else " ")
    if names:
        marked = marked.replaced(_names(tuple(names)), lambda found: mark_of(names[found[1]]))

    def one(found: re.Match[str]) -> str:
        seat = _number(next(group for group in found.groups() if group))
        return mark_of(seat) if 1 <= seat <= seats else found[0]

    if lang == "en":
        return marked.replaced(_EN, one)
    marked = marked.replaced(_ZH, one)
    return _loosely(marked, seats) if loose else marked


def _loosely(marked: Marked, seats: int) -> Marked:
    def run(found: re.Match[str]) -> str:
        start = found.start("run")
        numbers = [_DIGITS[character] for character in found["run"]]
        if _NOT_ONE.match(marked.text, start) or len(set(numbers)) < len(numbers) or max(numbers) > seats:
            return found[0]
        return found[0][: start - found.start()] + "".join(map(mark_of, numbers))

    return marked.replaced(_LOOSE, run)


@cache
def _names(names: Iterable[str]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"@?\b({listed})\b")


def _number(word: str) -> int:
    low = word.lower()
    if low.isdigit():
        return int(low)
    if low in _EN_WORDS:
        return _EN_WORDS.index(low)
    if low in _EN_ORDINALS:
        return _EN_ORDINALS.index(low)
    tens, ten, ones = low.rpartition("十")
    return (_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones, 0)
