"""Reading a model's reply: strictly, with a named cause for what cannot be read, and never a guess from prose."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players import fitting
from reading.questions import (
    ALL,
    COUNCIL,
    DEFENCE,
    DEMAND,
    HAND,
    LARGE_VOTE,
    PASSING_VOTE,
    SPEECH,
    VOTE,
    cause,
    fault,
    first,
    reply,
    target,
)  # fmt: skip
from tianhei.agents.reading import Fault, read, shortened, without_reasoning
from tianhei.arena.claims import Claim
from tianhei.arena.player import Completion
from tianhei.arena.requests import Answer, Illegal, check
from tianhei.prompts.compose import Asked, retry


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "t", "vote": "S4"}',
        '```json\n{"vote": "S4"}\n```',
        'I choose {"vote": "S4"} and nothing else.',
        'Some {braces} first. {"vote": "S4"}',
        '<think>{"vote": "S1"}</think>{"vote": "S4"}',
        '{"vote": "S1"}</think>{"vote": "S4"}',
        '<thinking>a</thinking> <reasoning>b</reasoning> {"vote": "S4"}',
        '{"thought": "one", "vote": "S4"} {"thought": "another", "vote": "S4"}',
        '{"plan": "S1"} {"vote": "S4"}',
        '{"vote": "S4", "moon": [{"vote": "S1"}]}',
        '\ufeff{"vote": "S4"}',
    ],
)
def test_one_object_is_found_wherever_it_stands(text: str) -> None:
    assert target(text) == 4


@pytest.mark.parametrize(
    "value", ['"S4"', '"s4"', '"S04"', "4", '"4"', '"04"', '"Player 4"', '"player 4"', '"4号"', '"Seat 4"', '" S4 "']
)
def test_forms_of_a_label(value: str) -> None:
    assert target(f'{{"vote": {value}}}') == 4


@pytest.mark.parametrize("value", ["null", '"S0"', '"nobody"', '""', '"弃权"', '"pass"', "0"])
def test_nobody_is_an_answer_only_where_it_is_offered(value: str) -> None:
    assert target(f'{{"vote": {value}}}', PASSING_VOTE) is None
    assert cause(f'{{"vote": {value}}}') == "illegal"


@pytest.mark.parametrize(
    "value", ['"S8"', "99", "4.0", "true", '["S4"]', '{"S4": 1}', '"the fourth"', '"S44"', '"-4"', "1e3"]
)
def test_what_names_no_option_is_illegal(value: str) -> None:
    assert cause(f'{{"vote": {value}}}') == "illegal"


def test_a_dead_or_barred_seat_is_illegal() -> None:
    dead = first("vote", vote_form="simultaneous", first_phase="night", abstain="forbidden")
    gone = next(seat for seat in range(1, 8) if seat not in dead.request.options)
    assert cause(json.dumps({"vote": f"S{gone}"}), dead) == "illegal"


@pytest.mark.parametrize(
    ("text", "finish", "expected"),
    [
        ("", "stop", "empty"),
        (" \n", "stop", "empty"),
        ("<think>for ever", "stop", "empty"),
        ("", "length", "truncated"),
        ('{"thought": "and so', "length", "truncated"),
        ('{"thought": "and so', "stop", "unreadable"),
        ("I vote for player 4.", "stop", "unreadable"),
        ('{"thought": "S4"}', "stop", "unreadable"),
        ('["S4"]', "stop", "unreadable"),
        ('{"vote": "S4"} {"vote": "S5"}', "stop", "ambiguous"),
        ("x", "content_filter", "filtered"),
    ],
)
def test_what_cannot_be_read_has_its_cause(text: str, finish: str, expected: str) -> None:
    assert cause(text, VOTE, finish) == expected


def test_a_refusal_is_named_and_whole_answers_at_the_limit_count() -> None:
    with pytest.raises(Fault, match="refused: I cannot") as fault:
        read(Completion('{"vote": "S4"}', refusal="I cannot"), VOTE)
    assert fault.value.cause == "refused"
    assert reply('{"vote": "S4"}', VOTE, "length").answer.target == 4


@pytest.mark.parametrize(
    "text",
    [
        '{"vote": "S4"} {"vote": "S5"}',
        '{"vote": "S4", "vote": "S5"}',
        '{"vote": 1, "vote": true}',
        '{"vote": "S4"} {"vote": 4}',
        '{"vote": "S4 or S5"}',
        '{"vote": "Player 4 (S5)"}',
        '{"vote": ["S4", "S5"]}',
    ],
)
def test_two_choices_are_ambiguous(text: str) -> None:
    assert cause(text) == "ambiguous"


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "he said {"vote": "S1"} lol", "vote": "S4"}',
        '{"thought": "he said "no"", "plan": {"vote": "S1"}, "vote": "S4"}',
        '{"thought": "x", "plan": {"vote": "S1"}, "vo',
        '"thought": "x", "plan": {"vote": "S1"}, "vote": "S4"}',
        '{"answer": {"vote": "S1"}}',
        '{{"vote": "S1"}}',
        '{\'plan\': {"vote": "S1"}}',
        '{plan: "}", more: {"vote": "S1"}}',
        '{ and then {"vote": "S1"}',
        json.dumps('{"vote": "S1"}'),
    ],
)
def test_an_object_inside_another_or_inside_what_is_broken_is_no_answer(text: str) -> None:
    assert cause(text) == "unreadable"


def test_an_object_followed_by_more_counts_only_if_the_reply_ended_by_itself() -> None:
    """What broke off may have been a thought with a draft in it, the end of which is lost."""
    draft = 'I am the killer. {"say": "Trust me.", "vote": "S4"} But they'
    assert reply(draft, DEFENCE).answer.target == 4
    assert cause(draft, DEFENCE, "length") == "truncated"
    assert reply('```json\n{"vote": "S4"}\n```', VOTE, "length").answer.target == 4


@pytest.mark.parametrize(
    "text",
    [
        '{"say": "hi"}<think>I am',
        '<think>I am</think>{"say": "hi"}</think>',
        '<think>I am<reasoning>{"say": "hi"}</think></reasoning>',
        '<think>I am</reasoning>{"say": "hi"}',
        'I am</think>the killer</think>{"say": "hi"}',
        '{"say": "hi"}<think><think>I am</think>',
        '{"say": "\\u003cthink\\u003eI am"}',
        '{"say": "{\\"thought\\": \\"I am\\", \\"say\\": \\"hi\\"}"}',
    ],
)
def test_where_tags_do_not_balance_nothing_is_said(text: str) -> None:
    assert cause(text, SPEECH) == "unreadable"


@pytest.mark.parametrize(
    "text",
    [
        '<think>I am <think>the</think> killer</think>{"say": "hi"}',
        '[THINK]I am[/THINK]{"say": "hi"}',
        '◁think▷I am◁/think▷{"say": "hi"}',
        '<seed:think>I am</seed:think>{"say": "hi"}',
        '<|begin_of_thought|>I am<|end_of_thought|>{"say": "hi"}',
        '<|channel|>analysis<|message|>I am<|end|><|start|>assistant<|channel|>final<|message|>{"say": "hi"}',
        'I am<|channel|>final<|message|>{"say": "hi"}',
        '{"say": "\\u003cthink\\u003eI am\\u003c/think\\u003e hi"}',
        '{"say": "<think>I am</think> hi"}',
    ],
)
def test_what_stands_between_tags_is_never_said(text: str) -> None:
    assert reply(text, SPEECH).answer.text == "hi"


def test_reasoning_is_taken_out_and_never_said() -> None:
    parts = without_reasoning('<think>a</think>{"say": "hi"}<THINK>b</THINK>')
    assert (parts.answer, parts.reasoning) == ('{"say": "hi"}', "a\nb")
    found = reply('<think>I am the killer.</think>{"thought": "hide", "say": "Hello."}', SPEECH)
    assert (found.answer.text, found.thought) == ("Hello.", "hide")
    assert cause("<think>no</think>I am good.", SPEECH) == "unreadable"


def test_a_letter_that_grows_in_lower_case_moves_nothing() -> None:
    assert target('İ<think>x</think>{"vote": "S4"}') == 4


def test_a_speech_a_pass_and_a_speech_that_is_none() -> None:
    assert reply('{"say": "  Hello. "}', SPEECH).answer.text == "Hello."
    for nothing in ('"pass"', '"Pass."', '"过"', '""', "null"):
        assert reply(f'{{"say": {nothing}}}', SPEECH).answer.text == ""
    assert cause('{"say": 3}', SPEECH) == "unreadable"
    found = reply('{"say": "You are all wrong.", "vote": "S3", "note": " watch 3 "}', DEFENCE)
    assert found.answer == Answer(target=3, text="You are all wrong.", note="watch 3")
    assert found.position == DEFENCE.options.index("S3") + 1


def test_hands_and_demands() -> None:
    for value, raised in (('"up"', True), ("true", True), ('"down"', False), ("false", False)):
        assert reply(f'{{"hand": {value}}}', HAND).answer.raised is raised
    assert cause('{"hand": "maybe"}', HAND) == "illegal"
    assert reply('{"targets": []}', DEMAND).answer == Answer()
    assert reply('{"targets": ["S2", "S3", "S2"]}', DEMAND).answer.targets == (2, 3)
    assert cause('{"targets": ["S2"]}', DEMAND) == "illegal"
    assert cause('{"targets": "S2"}', DEMAND) == "unreadable"


def test_a_long_text_is_cut_at_the_end_of_a_sentence_and_marked() -> None:
    limit = SPEECH.limits["say"]
    sentence = "One two three four five. "
    found = reply(json.dumps({"say": sentence * limit}), SPEECH)
    assert found.cut
    assert found.answer.text.endswith("five.")
    assert limit <= len(found.answer.text.split()) <= 1.25 * limit
    assert not reply(json.dumps({"say": sentence}), SPEECH).cut
    assert shortened("一二三。四五六。七八九", 6, "characters") == "一二三。"
    assert shortened("一二三四五六七八九十", 4, "characters") == "一二三四五"
    assert shortened("x" * 99, 0, "words") == "x" * 99


def test_claims_keep_what_is_one_and_leave_out_the_rest() -> None:
    good = {"kind": "accuse", "seat": "S2", "what": "killer", "night": "0"}
    bad: list[Any] = [
        None, 3, "S2", [], {}, {**good, "seat": "S0"}, {**good, "seat": "moon"}, {**good, "kind": "dance"},
        {**good, "what": "wizard"}, {**good, "night": "-1"}, {**good, "night": "first"}, {**good, "night": None},
        {**good, "kind": ["accuse"]}, {**good, "seat": None},
    ]  # fmt: skip
    for item in bad:
        claims = reply(json.dumps({"say": "a", "claims": [item, good]}), SPEECH).answer.claims
        assert claims == (Claim("accuse", 2, "killer"),)
    assert reply('{"say": "a"}', SPEECH).answer.claims is None
    assert reply('{"say": "a", "claims": []}', SPEECH).answer.claims == ()
    assert reply('{"say": "a", "claims": "none"}', SPEECH).answer.claims is None
    assert reply(json.dumps({"say": "a", "claims": [good] * 50}), SPEECH).answer.claims == (
        (Claim("accuse", 2, "killer"),) * SPEECH.limits["claims"]
    )


def test_a_claim_about_nobody_at_the_table_is_left_out() -> None:
    claim = {"kind": "accuse", "seat": "S88", "what": "killer", "night": "0"}
    assert reply(json.dumps({"say": "a", "claims": [claim]}), SPEECH).answer.claims == ()


@pytest.mark.parametrize("asked", ALL, ids=lambda asked: asked.request.kind)
def test_what_the_schema_allows_is_read_and_legal(asked: Asked) -> None:
    try:
        found = reply(fitting(asked.prompt), asked)
    except Fault as fault:
        assert (asked.request.kind, fault.cause) == ("demand", "illegal")
        return
    check(asked.request, found.answer)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=True)
    | st.sampled_from(("S1", "S4", "4", "S0", "nobody", "up", "pass", "一句。")) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
FIELDS = ("thought", "stance", "about", "say", "claims", "vote", "note", "target", "targets", "hand", "to_team")
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=8).map(json.dumps)
PIECES = st.lists(
    OBJECTS | st.text(max_size=20) | st.sampled_from(("<think>", "</think>", "```json", "```", "{", "}", '"vote": 4')),
    max_size=5,
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(ALL), PIECES, st.sampled_from(("stop", "length", "content_filter")))
def test_any_text_gives_a_legal_answer_or_a_fault(asked: Asked, pieces: list[str], finish: str) -> None:
    text = " ".join(pieces)
    try:
        answer = reply(text, asked, finish).answer
    except Fault:
        return
    check(asked.request, answer)
    assert set(FIELDS) & set(asked.fields)
    if answer.target is not None:
        field = "vote" if "vote" in asked.fields else "target"
        assert f'"{field}"' in text, "a target that no answer field names"


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="{"), max_size=200))
def test_prose_alone_never_becomes_an_answer(text: str) -> None:
    for asked in ALL:
        with pytest.raises(Fault):
            reply(text, asked)


@pytest.mark.parametrize("kind", ["list", "object"])
def test_no_depth_of_nesting_is_more_than_a_fault(kind: str) -> None:
    """Every depth around the recursion limit: what can be decoded must not fail in what follows."""
    for depth in range(850, 1010):
        value = "[" * depth + "]" * depth if kind == "list" else '{"a":' * depth + "1" + "}" * depth
        for text in (f'{{"vote": {value}}}', f'{{"vote": "S4", "thought": {value}}}'):
            with suppress(Fault):
                reply(text, VOTE)


def test_two_digits_from_ten_seats_on() -> None:
    assert target('{"vote": "S12"}', LARGE_VOTE) == 12
    assert target('{"vote": "S4"}', LARGE_VOTE) == target('{"vote": "S04"}', LARGE_VOTE) == 4
    assert target('{"vote": "S00"}', LARGE_VOTE) is None
    with pytest.raises(Illegal):
        check(LARGE_VOTE.request, Answer(target=13))


def test_chinese_questions_are_read_alike() -> None:
    asked = first("speech_and_vote", game="butterfly", lang="zh")
    found = reply('{"say": "我投3号。", "vote": "3号", "claims": []}', asked)
    assert found.answer == Answer(target=3, text="我投3号。", claims=())
    limit = asked.limits["say"]
    long = reply(json.dumps({"say": "我说一句。" * limit, "vote": "S3"}), asked)
    assert long.cut
    assert long.answer.text.endswith("。")
    assert len(long.answer.text) <= 1.25 * limit


@pytest.mark.parametrize("pack", ["official", "minimal", "weak"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_cause_has_its_own_question(lang: Any, pack: str) -> None:
    """The value at fault is repeated as it was written, and nothing is said of it in another language."""
    asked = first("vote", vote_form="simultaneous", abstain="forbidden", lang=lang, pack=pack)
    faults = {
        "unreadable": fault("x", asked),
        "illegal": fault('{"vote": "S99"}', asked),
        "ambiguous": fault('{"vote": "S1"} {"vote": "S2"}', asked),
        "truncated": fault('{"vote"', asked, "length"),
        "empty": fault("", asked),
        "refused": Fault("refused"),
    }
    assert {name: each.cause for name, each in faults.items()} == {name: name for name in faults}
    assert (faults["illegal"].detail, faults["ambiguous"].detail) == ('"S99"', '"S1", "S2"')
    added = {
        retry(asked, each.cause, each.detail).private.removeprefix(asked.prompt.private) for each in faults.values()
    }
    assert len(added) == len(faults)
    assert all(any("一" <= letter <= "鿿" for letter in text) == (lang == "zh") for text in added)


def test_details_hold_nothing_but_the_value() -> None:
    for asked, text, detail in (
        (VOTE, '{"vote": null}', "null"),
        (HAND, '{"hand": "maybe"}', '"maybe"'),
        (DEMAND, '{"targets": ["S2"]}', '["S2"]'),
        (COUNCIL, '{"target": "S9", "to_team": "a"}', '"S9"'),
        (VOTE, '{"vote": "\\udcad"}', '"\ufffd"'),
    ):
        assert fault(text, asked).detail == detail


def test_words_never_exceed_the_request() -> None:
    asked = first("speech", lang="zh")
    asked = replace(asked, request=asked.request._replace(text=100), limits={**asked.limits, "say": 100})
    found = reply(json.dumps({"say": "我说一句。" * 30}), asked)
    assert (len(found.answer.text), found.cut) == (100, True)


def test_a_note_without_room_ends_somewhere() -> None:
    note = reply(json.dumps({"say": "a", "note": "x" * 10_000}), SPEECH).answer.note
    assert note is not None
    assert len(note) < 1000


def test_claims_may_be_named_in_the_words_of_the_table() -> None:
    asked = replace(SPEECH, claim_labels={"point": "accuse", "red": "killer"})
    claim = {"kind": "point", "seat": "S2", "what": "red", "night": "0"}
    assert reply(json.dumps({"say": "a", "claims": [claim]}), asked).answer.claims == (Claim("accuse", 2, "killer"),)
