"""Repetition: of the table, of oneself, of an example; each against its chance."""

from __future__ import annotations

import pytest

from manners.tables import counts, hits, said, table
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners.examples import examples
from tianhei.transcripts.manners.text import runs

FIRST: dict[Lang, str] = {
    "en": "Player 3 changed the story twice since yesterday, so I vote there.",
    "zh": "3号从昨天到今天换了两次说法，我投他。",
}
OTHER: dict[Lang, str] = {
    "en": "Nobody asked Player 7 why the hand went up last.",
    "zh": "没人问过7号，为什么他的手最后才举。",
}


@pytest.mark.parametrize("lang", FIRST)
def test_the_table_is_repeated_or_not(lang: Lang) -> None:
    before = said(FIRST[lang], lang, seat=2)
    assert hits("repeats_the_table", table([before, said(FIRST[lang], lang)], lang)) == [1]
    assert hits("repeats_the_table", table([before, said(OTHER[lang], lang)], lang)) == [0]


@pytest.mark.parametrize("lang", FIRST)
def test_oneself_is_repeated_or_not(lang: Lang) -> None:
    before = said(FIRST[lang], lang, day=1)
    assert hits("repeats_itself", table([before, said(FIRST[lang], lang)], lang)) == [1]
    assert hits("repeats_itself", table([before, said(OTHER[lang], lang)], lang)) == [0]


def test_the_table_is_what_others_said_the_same_day_before() -> None:
    text = FIRST["en"]
    own = [said(text), said(text)]
    assert hits("repeats_the_table", table(own)) == []
    assert hits("repeats_the_table", table([said(text, seat=2, day=1), said(text)])) == []
    assert hits("repeats_the_table", table([said(text, seat=2), said("Pass."), said(OTHER["en"], seat=5)])) == [0]
    assert hits("repeats_itself", table([said(text, seat=2), said(text)])) == []


def test_half_a_speech_counts_as_half() -> None:
    before, after = "one two three four", "one two three five"
    assert hits("repeats_the_table", table([said(before, seat=2), said(after)])) == [0.5]


def test_chance_is_another_game_at_the_same_place() -> None:
    text = FIRST["en"]
    game = table([said(OTHER["en"], seat=2), said(text)])
    alike = table([said(text, seat=3, day=1), said("Never heard.", seat=5, day=1)])
    later = table([said("Never heard of it.", seat=3), said(text, seat=5)])
    for other, chance in ((alike, 1), (later, 0), (None, None)):
        assert [count.chance for count in counts("repeats_the_table", game, other)] == [chance]


def test_chance_of_repeating_oneself_is_a_speaker_of_the_same_model() -> None:
    text = FIRST["en"]
    game = table([said(OTHER["en"]), said(text)])
    speeches = [said(text, seat=1), said(OTHER["en"], seat=2), said(OTHER["en"], seat=2)]
    same = table(speeches, names=("m", *["else"] * 7))
    assert [count.chance for count in counts("repeats_itself", game, same)] == [1]
    most = table(speeches, names=("else",) * 8)
    assert [count.chance for count in counts("repeats_itself", game, most)] == [0]
    assert [count.chance for count in counts("repeats_itself", game, table())] == [None]


@pytest.mark.parametrize("lang", FIRST)
def test_the_example_is_copied_or_not(lang: Lang) -> None:
    shown = {4: frozenset(runs(FIRST[lang], lang))}
    stranger = said(OTHER[lang], lang, seat=2)
    copied = table([stranger, said(FIRST[lang], lang)], lang, examples=shown)
    assert [(count.hits, count.chance) for count in counts("copies_the_example", copied)] == [(1, 0)]
    own = table([said(OTHER[lang], lang)], lang, examples=shown)
    assert [(count.hits, count.chance) for count in counts("copies_the_example", own)] == [(0, None)]
    assert hits("copies_the_example", table([stranger], lang)) == []


PROMPTS: dict[str, tuple[Lang, str, list[str]]] = {
    "a heading": (
        "en",
        "How to speak\nFor example: Player 7 lied.\nI vote there.\n\nHow to answer",
        ["Player 7 lied.", "I vote there."],
    ),
    "a heading in Chinese": ("zh", "怎么发言\n例如：7号撒谎。\n\n怎么回答", ["7号撒谎。"]),
    "an object": (
        "en",
        'Answer so: {"thought": "t", "say": "Player \\"7\\" lied.", "claims": [{"kind": "vote"}]}',
        ['Player "7" lied.'],
    ),
    "lines after facts": ("en", "Fact: he lied\nHe lied, so I vote.\nFact: she lied", ["He lied, so I vote."]),
    "none": ("en", "An example would help, but there is none.", []),
}


@pytest.mark.parametrize("name", PROMPTS)
def test_examples_are_found_in_a_prompt(name: str) -> None:
    lang, prompt, found = PROMPTS[name]
    assert [each.strip() for each in examples(prompt, lang) if each.strip()] == found
