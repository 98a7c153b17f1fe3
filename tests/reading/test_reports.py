"""Faults that users of other systems reported, tried here: each comes out as it should."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from players import FakeModel, header, models, play_game, views_of
from reading.questions import (
    DEFENCE,
    HAND,
    LARGE_VOTE,
    PASSING_VOTE,
    SPEECH,
    TALK,
    VOTE,
    cause,
    fault,
    first,
    in_lines,
    in_talk,
    questions,
    reply,
    target,
)  # fmt: skip
from tianhei.agents.reading import Fault, read
from tianhei.arena.chance import Deal, Keyed
from tianhei.arena.player import Completion, Usage
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import make
from tianhei.prompts.compose import Asked, compose, retry
from tianhei.prompts.pack import load
from tianhei.transcripts.calls import completion_from_json, done_to_json
from tianhei.transcripts.file import read as lines_of


@pytest.mark.report("PA-01")
def test_an_illegal_answer_is_never_replaced_by_a_legal_word_of_the_prose() -> None:
    dead = first("vote", vote_form="simultaneous", first_phase="night", abstain="forbidden")
    gone = next(seat for seat in range(1, 8) if seat not in dead.request.options)
    text = f'I considered S{dead.request.options[0]} but S{dead.request.options[0]} is clean. {{"vote": "s{gone}"}}'
    found = fault(text, dead)
    assert (found.cause, found.detail) == ("illegal", f'"s{gone}"')
    assert f'"s{gone}"' in retry(dead, found.cause, found.detail).private
    assert cause("I considered S2 but S2 is clean. I vote S3.", dead) == "unreadable"


@pytest.mark.report("PA-03")
def test_no_is_no_in_every_spelling() -> None:
    for no in ("false", "no", "0", "否", "down", "False", False, 0):
        assert not reply(json.dumps({"hand": no}), HAND).answer.raised
    others: list[Any] = ["maybe", None, "", 2, [], 0.0]
    for other in others:
        assert cause(json.dumps({"hand": other}), HAND) == "illegal"
    assert target('{"use": "false", "vote": ""}', PASSING_VOTE) is None


@pytest.mark.report("PA-04")
def test_a_fence_ends_where_it_ends() -> None:
    assert target('```json\n{"vote":"s3"}\n```\nThis follows {"type":"object"}.') == 3


@pytest.mark.report("PA-05")
def test_backticks_inside_a_speech_cut_nothing() -> None:
    found = reply('```json\n{"say":"Bob wrote ```json``` yesterday","vote":"S2"}\n```', DEFENCE)
    assert found.answer == Answer(target=2, text="Bob wrote ```json``` yesterday")


@pytest.mark.report("PA-07")
def test_decoration_around_a_label_is_no_part_of_it() -> None:
    for value in (" **S4** ", "Player: S4.", "\u001b[33mS4\u001b[0m", "Player 4 (S4)"):
        assert target(json.dumps({"vote": value})) == 4
        assert target(f"VOTE: {value}", in_lines(VOTE)) == 4
    for value in ("S4 or S5", "Player 4 (S5)"):
        assert cause(json.dumps({"vote": value})) == "ambiguous"
        assert cause(f"VOTE: {value}", in_lines(VOTE)) == "ambiguous"


@pytest.mark.report("PA-08")
def test_a_label_is_read_as_a_whole() -> None:
    for asked, form in ((LARGE_VOTE, '{{"vote": "{}"}}'), (in_lines(LARGE_VOTE), "VOTE: {}")):
        assert target(form.format("S10"), asked) == target(form.format("Player 10"), asked) == 10
        assert target(form.format("S01"), asked) == 1
        assert cause(form.format("S100"), asked) == cause(form.format("S010x"), asked) == "illegal"


@pytest.mark.report("PA-C1")
def test_the_first_name_in_a_sentence_is_no_vote() -> None:
    for text in ("I vote for Player 10", "Player 1 is innocent, so I vote Player 7"):
        assert cause(text, LARGE_VOTE) == cause(text, in_lines(LARGE_VOTE)) == "unreadable"
        assert cause(json.dumps({"vote": text}), LARGE_VOTE) in ("illegal", "ambiguous")
    assert target("Player 1 is innocent, so I vote Player 7\nVOTE: S07", in_lines(LARGE_VOTE)) == 7


@pytest.mark.report("PA-09")
def test_any_json_in_any_field_is_an_answer_or_a_fault() -> None:
    assert target('[{"vote":"s2"}]') == 2
    assert [cause(text) for text in ('"s2"', "42", "null", "[]", "true")] == ["unreadable"] * 5
    assert cause('{"vote":["s2","s3"]}') == "ambiguous"
    assert cause('{"vote":["s2"]}') == cause('{"vote":{"name":"s2"}}') == "illegal"
    values: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], ["S2"], {}, {"S2": 1}, [[[]]], [None]]
    for asked in questions():
        for name in asked.fields:
            for value in values:
                whole = {field: "S2" for field in asked.fields} | {name: value}
                try:
                    reply(json.dumps(whole), asked)
                except Fault:
                    continue


@pytest.mark.report("PA-10")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_second_question_says_what_was_wrong(lang: Any) -> None:
    asked = first("vote", vote_form="simultaneous", abstain="forbidden", lang=lang)
    faults = (
        fault('{"vote": null}', asked), fault('{"vote": "s99"}', asked), fault("", asked),
        fault('{"thought": "so', asked, "length"),
    )  # fmt: skip
    assert [each.cause for each in faults] == ["illegal", "illegal", "empty", "truncated"]
    assert len({retry(asked, each.cause, each.detail).private for each in faults}) == 4


@pytest.mark.report("PA-11")
def test_every_answer_that_was_none_is_in_the_record_with_its_cause(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    rules = {"first_phase": "day", "max_days": 1}
    prose = FakeModel(lambda prompt: "I vote for player 2.")
    play_game(path, header({"killer": 1, "police": 1, "civilian": 3}, rules=rules), models(5, prose))
    waves = [line.data.get("replies", []) for line in lines_of(path).lines if line.kind == "wave"]
    replies = [given for line in lines_of(path).lines if line.kind == "reply" for given in [line.data]]
    replies += [given for wave in waves for given in wave if isinstance(given, dict)]
    sources = Counter(given["source"] for given in replies)
    assert set(sources) == {"fallback:unreadable"}
    assert sources.total() >= 5


@pytest.mark.report("PA-13")
def test_a_line_feed_inside_a_string_is_kept() -> None:
    assert reply('{"say":"line one\nline two","vote":"S2"}', DEFENCE).answer == Answer(
        target=2, text="line one\nline two"
    )


@pytest.mark.report("PA-14")
def test_a_speech_with_quotes_is_whole() -> None:
    speech = '"I trust Ann." Then he said "But not Bob."'
    assert reply(json.dumps({"say": speech}), SPEECH).answer.text == speech
    assert reply(f"SAY: {speech}", in_lines(SPEECH)).answer.text == speech
    assert reply(speech, in_talk(SPEECH)).answer.text == speech


@pytest.mark.report("PR-05")
def test_what_stands_only_in_the_reasoning_is_no_answer() -> None:
    for asked, inside in ((VOTE, '{"vote": "S3"}'), (SPEECH, '{"say": "I am"}'), (TALK, "I am.\nVOTE: S3")):
        with pytest.raises(Fault) as found:
            read(Completion("", reasoning=f"… I vote S3. {inside}"), asked)
        assert found.value.cause == "empty"


@pytest.mark.report("PR-07")
def test_a_flood_of_white_space_is_told_from_a_long_answer() -> None:
    flood = fault('{\n "say":' + " \n" * 7500, SPEECH, "length")
    assert flood.cause == "truncated"
    assert flood.detail.startswith("a flood of white space: 15002 of 15009")
    assert "white space" not in fault('{\n "say": "' + "word " * 3000, SPEECH, "length").detail
    assert "white space" in fault(" \n" * 7500, SPEECH, "length").detail


@pytest.mark.report("PR-09")
def test_a_schema_that_was_sent_proves_nothing() -> None:
    for asked in (VOTE, SPEECH, DEFENCE):
        assert asked.prompt.schema is not None
        assert cause("Certainly! I think S4 is the killer, and I vote for S4.", asked) == "unreadable"
        assert cause('{"Vote": "S4", "Say": "hi"}', asked) == "unreadable"


@pytest.mark.report("PR-12")
def test_a_refusal_is_no_empty_answer() -> None:
    with pytest.raises(Fault) as found:
        read(Completion("", refusal="I can't help plan harm."), VOTE)
    assert (found.value.cause, found.value.detail) == ("refused", "I can't help plan harm.")


@pytest.mark.report("PR-13")
def test_what_broke_off_is_recorded_with_its_cost() -> None:
    partial = Completion('{"thought": "and so', finish="length", usage=Usage(prompt=900, completion=300))
    with pytest.raises(Fault) as found:
        read(partial, VOTE)
    assert found.value.cause == "truncated"
    assert completion_from_json(done_to_json("d1.vote.s1#1", partial, 1.0)) == partial


@pytest.mark.report("HI-10")
def test_reasoning_that_only_closes_is_not_read_aloud() -> None:
    private = "I am the killer, I will blame S2.\n</think>\n"
    assert reply(private + "S2 was quiet yesterday.", in_talk(SPEECH)).answer.text == "S2 was quiet yesterday."
    assert reply(private + '{"say": "S2 was quiet yesterday."}', SPEECH).answer.text == "S2 was quiet yesterday."
    for unbalanced in ("{0}<think>I am", "<think>I am{0}", "a</think>b</think>{0}", "<think>a</reasoning>{0}"):
        for asked, answer in ((SPEECH, '{"say": "Hello."}'), (in_talk(SPEECH), "Hello.")):
            assert cause(unbalanced.replace("{0}", answer), asked) in ("unreadable", "empty")


@pytest.mark.report("HI-11")
def test_only_what_is_said_is_public() -> None:
    found = reply('{"thought": "as killer I hide", "say": "I trust S2"}', SPEECH)
    assert (found.answer.text, found.thought) == ("I trust S2", "as killer I hide")
    exposed = "As the killer I must hide my identity."
    assert reply(json.dumps({"say": exposed}), SPEECH).answer.text == exposed
    call = json.dumps({"name": "speak", "arguments": {"thought": "as killer I hide", "say": "I trust S2"}})
    assert cause(call, SPEECH) == cause(json.dumps({"say": call}), SPEECH) == "unreadable"


@pytest.mark.report("UN-02")
def test_a_bad_character_stops_where_it_enters() -> None:
    rules = make("classic", {"first_phase": "day", "max_days": 1})
    referee = Referee(rules, Deal((Role.KILLER, Role.POLICE, *[Role.CIVILIAN] * 3)), Keyed(1))

    def asked() -> Asked:
        request = referee.pending[0]
        return compose(load("official", "en"), views_of(referee).of(request.seat), request)

    raw = '{"thought": "\\udcad", "say": "I am \\udcad \udcad here.", "note": "\\ud83d"}'
    found = reply(raw, asked())
    assert found.answer.text == "I am \ufffd \ufffd here."
    assert (found.thought, found.answer.note) == ("\ufffd", "\ufffd")
    referee.answer(referee.pending[0].id, found.answer)
    assert "\ufffd here." in asked().prompt.public
    for message in asked().prompt.messages():
        message["content"].encode()
    bad = fault('{"vote": "\\udcad"}')
    for message in retry(VOTE, bad.cause, bad.detail).messages():
        message["content"].encode()


@pytest.mark.report("UN-04")
def test_what_a_grammar_must_write_is_ascii() -> None:
    for asked in questions():
        options: list[str] = list(asked.options)
        assert all(option.isascii() for option in options)
        if asked.prompt.schema:
            assert all(value.isascii() for value in _enumerated(asked.prompt.schema))
    for value in ("Ｓ４", "S٤", "S४", "ſ4", "四号", "S⁴"):
        assert cause(json.dumps({"vote": value})) == "illegal"


def _enumerated(schema: Any) -> list[str]:
    """Every value that the schema lists, and every key."""
    if isinstance(schema, list):
        return [value for part in schema for value in _enumerated(part)]
    if not isinstance(schema, dict):
        return []
    keys = list(schema.get("properties", ()))
    return [*schema.get("enum", ()), *keys, *(value for part in schema.values() for value in _enumerated(part))]
