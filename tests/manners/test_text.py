"""Seats, quotations, clauses, scripts: how a speech is read."""

from __future__ import annotations

import pytest

from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners.text import lang_of, marked, runs, sentences, tokens, with_marks


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("Player 4, S05, P6 and #7", (4, 5, 6, 7)),
        ("Players 1, 4 and 7 voted, then player four.", (1, 4, 7, 4)),
        ("seat 12's number 3", (12, 3)),
        ("my number 1 suspect, 3 votes on day 2, 12 left", ()),
        ("1、4、7号和12号", (1, 4, 7, 12)),
        ("四号、十二号、二十号、玩家5、4号玩家", (4, 12, 20, 5, 4)),
        ("第3天，2票，第一夜", ()),
        ("S4投S10", (4, 10)),
    ],
)
def test_seats_are_marked(text: str, seats: tuple[int, ...]) -> None:
    assert marked(with_marks(text)) == seats


def test_quotations_are_left_out() -> None:
    assert [each.text for each in sentences("He said 'vote for Player 4' and “I'm out”. Don't.")] == [
        "he said   and  .",
        "don't.",
    ]
    assert [each.seats for each in sentences("你说“4号是匪”，3号呢？")] == [(3,)]
    assert [each.seats for each in sentences('"I vote for Player 4."')] == [(4,)]


def test_sentences_and_their_clauses() -> None:
    found = sentences("Player 3, why? I vote (for now) Player 5. 3.5 votes")
    assert [(each.clauses, each.asked) for each in found] == [
        (("⟨3⟩", "why"), True),
        (("i vote", "for now", "⟨5⟩"), False),
        (("3.5 votes",), False),
    ]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("我投3号", "zh"),
        ("I vote", "en"),
        ("S4 PK 投他", "zh"),
        ("3", "zh"),
        ("", "zh"),
        ("I think so 是", "en"),
        ("think 是", "zh"),
    ],
)
def test_the_language_of_a_speech_is_that_of_its_script(text: str, lang: Lang) -> None:
    assert lang_of(text, "zh") == lang


def test_runs_are_of_words_or_characters() -> None:
    assert tokens("I'm not S4: 我投3号, naïve!") == ["i'm", "not", "s", "4", "我", "投", "3", "号", "naïve"]
    assert runs("One two, three four", "en") == ["one two three", "two three four"]
    assert runs("我投3号。", "zh") == ["我 投 3 号"]
    assert runs("Pass.", "en") == []
