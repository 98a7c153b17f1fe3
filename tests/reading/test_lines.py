"""Replies in labelled lines: for models and endpoints that take no schema."""

from __future__ import annotations

import pytest

from reading.questions import (
    COUNCIL,
    DEFENCE,
    DEMAND,
    HAND,
    LARGE_VOTE,
    PASSING_VOTE,
    SPEECH,
    TALK,
    VOTE,
    cause,
    fault,
    in_lines,
    in_talk,
    reply,
    target,
)  # fmt: skip
from tianhei.arena.requests import Answer

LINED_VOTE, LINED_DEFENCE, LINED_SPEECH = map(in_lines, (VOTE, DEFENCE, SPEECH))


@pytest.mark.parametrize(
    "line",
    [
        "VOTE: S4", "vote: S4", "Vote：S4", "**VOTE**: S4", "**VOTE:** S4", "**VOTE: S4**", "- VOTE: S4", "* Vote: S4",
        "1. VOTE: S4", "### VOTE: S4", "> VOTE: S4", "_vote_: S4", "  VOTE : S4", 'VOTE: "S4"', "VOTE: S4.",
        "VOTE: **S4**", "VOTE: `S4`。", "VOTE: s4", "VOTE: Player 4", "VOTE: 4", "VOTE: 4号", "VOTE: Player 4 (S4)",
        "VOTE: S1 or S4?\nVOTE: S4", "VOTE: S4\nVOTE: s4.", "Vote: S4\nThat is my vote, not S1.", "```\nVOTE: S4\n```",
        "THOUGHT: S1?\nVOTE: S4\r\n", "I like S1.\nVOTE: S4", "<think>\nVOTE: S1\n</think>\nVOTE: S4",
        "VOTE: S1\n</think>\nVOTE: S4", '{"vote": "S4"}', 'VOTE: {"vote": "S4"}', 'VOTE: S4\n{"vote": "S4"}',
    ],
)  # fmt: skip
def test_the_last_line_of_the_choice_is_the_choice(line: str) -> None:
    assert target(line, LINED_VOTE) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VOTE: S1\nVOTE: S4", "ambiguous"),
        ("THOUGHT: hm\nVOTE: S1\nno:\nVOTE: S9", "ambiguous"),
        ('VOTE: S1\n{"vote": "S4"}', "ambiguous"),
        ("VOTE: S1 or S4", "ambiguous"),
        ("VOTE: S4\nVOTE: S1 or S4", "ambiguous"),
        ("VOTE: S9", "illegal"),
        ("VOTE: S0", "illegal"),
        ("VOTE: S4 because he lied", "illegal"),
        ("VOTE: I vote S4", "illegal"),
        ("VOTE: S4 S4", "illegal"),
        ("VOTE:", "illegal"),
        ("VOTE:\nS4", "illegal"),
        ("VOTE S4", "unreadable"),
        ("I vote: S4", "unreadable"),
        ('"VOTE": S4', "unreadable"),
        ("VOTE = S4", "unreadable"),
        ("S4", "unreadable"),
        ("TARGET: S4", "unreadable"),
        ("<think>VOTE: S4", "empty"),
        ("THOUGHT: <think>\nVOTE: S4", "unreadable"),
    ],
)
def test_no_choice_is_guessed(text: str, expected: str) -> None:
    assert cause(text, LINED_VOTE) == expected


def test_nothing_marks_the_end_of_lines_that_broke_off() -> None:
    assert cause("VOTE: S4", LINED_VOTE, "length") == "truncated"
    assert target('{"vote": "S4"}', LINED_VOTE) == 4
    large = in_lines(LARGE_VOTE)
    assert target("VOTE: S04", large) == target("VOTE: 04", large) == 4
    assert target("VOTE: S12", large) == 12
    for broken_off in ("VOTE: S1", "VOTE: 1", "VOTE: Player 1", "VOTE: S0"):
        assert cause(broken_off, large) == "illegal"


def test_words_run_to_the_next_field_and_thoughts_are_not_among_them() -> None:
    text = "THOUGHT: I hide.\nSAY: Player 2 lied.\n\nAsk him: why?\nVOTE: S3\nNOTE: watch 3\nand 4"
    found = reply(text, LINED_DEFENCE)
    assert found.answer == Answer(target=3, text="Player 2 lied.\n\nAsk him: why?", note="watch 3\nand 4")
    assert (found.thought, found.answer.claims) == ("I hide.", None)
    for name in ("THINK", "Reasoning", "**Plan**", "- analysis", "2) notes", "思考", "Claims", "target", "about"):
        hidden = f"SAY: Hello.\n{name}: I am the killer.\nVOTE: S3"
        assert reply(hidden, LINED_DEFENCE).answer.text == "Hello."
    assert cause("SAY: Hello. THOUGHT: I am the killer.\nVOTE: S3", LINED_DEFENCE) == "unreadable"
    assert cause("SAY: a\nSAY: b\nVOTE: S3", LINED_DEFENCE) == "ambiguous"
    assert cause("VOTE: S3", LINED_DEFENCE) == "unreadable"
    assert reply("SAY:\nVOTE: S3", LINED_DEFENCE).answer.text == ""
    assert reply('SAY: "I trust Ann." Then he said "But not Bob."', LINED_SPEECH).answer.text == (
        '"I trust Ann." Then he said "But not Bob."'
    )


def test_weak_models_just_talk() -> None:
    assert reply("I trust nobody.\nNot even S2.\nVOTE: S3", TALK).answer == Answer(
        target=3, text="I trust nobody.\nNot even S2."
    )
    assert reply("I trust nobody.", in_talk(SPEECH)).answer == Answer(text="I trust nobody.")
    assert reply("SAY: a\nVOTE: S3", TALK).answer == Answer(target=3, text="a")
    assert reply("Reasons!\n</think>\nHello.\nVOTE: S3", TALK).answer.text == "Hello."
    assert cause("I trust nobody.\nVOTE: S3", LINED_DEFENCE) == "unreadable", "where a thought is asked for too"
    assert cause("VOTE: S3", TALK) == "unreadable"


@pytest.mark.parametrize(
    "before",
    [
        "THOUGHT: I am the killer.\nHello.", "Reasoning: I am.\nHello.", "<plan>I am</plan> Hello.",
        '{"thought": "I am", ', "**Thoughts**\nI am.\n**Speech**\nHello.", "## Plan\nI am.\n\nHello.",
        "```json\nI am.", "<|im_start|>I am", "<think>I am", "I am</think>killer</think>Hello.",
        "（内心：我是杀手）我是好人。", "【思考】我是杀手。\n【发言】我是好人。", "(Thinking: I am) Hello.",
    ],
)  # fmt: skip
def test_what_looks_like_more_than_talk_is_not_said(before: str) -> None:
    assert cause(f"{before}\nVOTE: S3", TALK) in ("unreadable", "empty")


def test_hands_teams_and_demands() -> None:
    hand, council, demand = in_lines(HAND), in_lines(COUNCIL), in_lines(DEMAND)
    assert reply("HAND: up", hand).answer.raised
    assert not reply("HAND: down.", hand).answer.raised
    assert cause("HAND: up or down", hand) == "illegal"
    assert reply("TO_TEAM: Go.\nTARGET: S3", council).answer == Answer(target=3, text="Go.")
    assert reply("To team: Go.\nTarget: S0", council).answer == Answer(text="Go.")
    assert reply("TARGETS: S2, S3", demand).answer.targets == (2, 3)
    assert reply("TARGETS：S2、S3，S4", demand).answer.targets == (2, 3, 4)
    assert reply("TARGETS:", demand).answer.targets == ()
    assert reply("TARGETS: nobody", demand).answer.targets == ()
    assert cause("TARGETS:\nS2, S3", demand) == "unreadable"
    assert cause("TARGETS: S2", demand) == "illegal"
    assert cause("TARGETS: S2, S3\nTARGETS: S2", demand) == "ambiguous"
    assert cause("TARGETS: S2, S0", demand) == "ambiguous"
    assert target("VOTE: nobody", in_lines(PASSING_VOTE)) is None


def test_the_line_at_fault_is_repeated() -> None:
    assert fault("VOTE: S9", LINED_VOTE).detail == '"S9"'
    assert fault("VOTE: S1\nVOTE: S4", LINED_VOTE).detail == "S1, S4"
