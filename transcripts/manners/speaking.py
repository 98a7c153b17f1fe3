"""How a speech is made: whether it only repeats the record, breaks off at the limit, or mixes scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners.lexicon import Lexicon, lexicon
from tianhei.transcripts.manners.measure import Count, Measure
from tianhei.transcripts.manners.sitting import Sitting
from tianhei.transcripts.manners.text import Sentence, tokens

_LEAST = 3
"""Sentences of recap that make a recap: one or two facts may be the evidence for what follows."""
_OWN_SCRIPT: dict[Lang, re.Pattern[str]] = {"zh": re.compile("[\u3400-\u9fff]"), "en": re.compile("[a-z\u00df-\u024f]")}


def recaps(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Speeches of which more than half of the sentences, three at least or both of two, only repeat the record."""
    for said in game.worded:
        repeated, all_of_it = sum(is_recap(each, said.words) for each in said.sentences), len(said.sentences)
        yield Count(said.seat, repeated * 2 > all_of_it and (repeated >= _LEAST or repeated == all_of_it > 1))


def is_recap(sentence: Sentence, words: Lexicon) -> bool:
    """Whether a sentence says who voted, died or said what, and nothing of its speaker's own."""
    if sentence.asked or not words["recap.facts"].search(sentence.text):
        return False
    return not words["recap.more"].search(sentence.text)


def is_cut(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Replies with words that were longer than the limit and were cut."""
    return (Count(seat, cut) for seat, cut in game.cuts)


def mixes_scripts(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """The share of a speech's words (Chinese: characters) in another script than the table's."""
    own, allowed = _OWN_SCRIPT[game.lang], lexicon(game.lang)["script.allowed"]
    for said in game.worded:
        letters = [token for token in tokens(said.text) if not token.isdigit()]
        if letters:
            foreign = sum(not own.match(token) and not allowed.fullmatch(token) for token in letters)
            yield Count(said.seat, foreign / len(letters))


MEASURES = (
    Measure("recap_speeches", "speeches", "nobody has to", recaps),
    Measure("cut_at_the_limit", "replies with words", "nobody has to", is_cut),
    Measure("other_script", "speeches", "nobody has to", mixes_scripts),
)
