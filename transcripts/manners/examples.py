"""The examples of speeches that a prompt showed: a model that has none of its own to say repeats them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.game import seat_of
from tianhei.transcripts.manners.lexicon import lexicon
from tianhei.transcripts.manners.text import lang_of, runs

_OBJECT = re.compile(r'\{[^{}]*"say"\s*:[^{}]*(?:\{[^{}]*\}[^{}]*)*\}')
_SAID = re.compile(r'"say"\s*:\s*("(?:[^"\\]|\\.)*")')


def examples_shown(sent: Iterable[Mapping[str, Any]], lang: Lang) -> Mapping[Seat, frozenset[str]]:
    """By seat, the runs of all examples in its prompts' fixed part; seats that were shown none are left out."""
    sent = list(sent)
    found: dict[Seat, frozenset[str]] = {}
    for call, prompt in zip(sent, prompts_sent(sent), strict=True):
        seat = seat_of(call["call"].partition("#")[0])
        shown = _runs_of(prompt.system, lang)
        if not prompt.private:  # a prompt that is all examples but for its end
            shown |= _runs_of(prompt.public, lang)
        if shown:
            found[seat] = found.get(seat, frozenset()) | shown
    return found


@lru_cache(maxsize=64)
def _runs_of(text: str, lang: Lang) -> frozenset[str]:
    return frozenset(run for example in examples(text, lang) for run in runs(example, lang_of(example, lang)))


def examples(text: str, lang: Lang) -> Iterator[str]:
    """The speeches that a text gives as examples: under a heading, in the field ``say``, or after a line of facts."""
    words = lexicon(lang)
    heading, before = words["example.headings"], words["example.before"]
    for shown in _OBJECT.findall(text):
        yield from (json.loads(said) for said in _SAID.findall(shown))
    lines = text.splitlines()
    under = False
    for place, line in enumerate(lines):
        after = place > 0 and before.match(lines[place - 1].strip().lower()) is not None
        if found := heading.match(line.strip().lower()):
            under = True
            yield line.strip()[found.end() :]
        elif under or after:
            under = under and bool(line.strip())
            yield line
