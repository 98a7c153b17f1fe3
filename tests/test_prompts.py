"""The prompts: public first and the same for all, private last, and every text of the pack in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest

from test_words import IDS, LANGS, TABLES, empty_record, table_of, waves
from tianhei.arena.chance import luck_for
from tianhei.arena.claims import KINDS, WHATS, Claim
from tianhei.arena.events import PUBLIC, Ballots, Called, Dawn, Event, Mates, Note, RoleDealt, Silenced, Speech, Tied
from tianhei.arena.player import Cause
from tianhei.arena.requests import Kind, Request
from tianhei.arena.roles import Role, Side
from tianhei.arena.rules.options import make
from tianhei.arena.view import View, Views
from tianhei.prompts.compose import Asked, compose, retry
from tianhei.prompts.pack import OFFICIAL, Pack, load, slots_of, variants
from tianhei.prompts.replies import CHOICES, FIELDS, SAID
from tianhei.prompts.rulebook import rule_text
from tianhei.prompts.vocabulary import Lang

RETRIED: tuple[Cause, ...] = ("unreadable", "illegal", "ambiguous", "truncated", "empty", "refused", "overflow")
KEYS = {name for fields in FIELDS.values() for name in fields}


def questions(number: int, seed: int, lang: Lang, pack: Pack | None = None) -> Iterator[tuple[View, Asked]]:
    """Every question of a game played by lot, as a model would be asked it."""
    for views, pending, _ in waves(number, seed):
        for request in pending:
            view = views.of(request.seat)
            yield view, compose(pack or load(OFFICIAL, lang), view, request)


def words_sent(asked: Asked) -> str:
    return asked.prompt.system + asked.prompt.public + asked.prompt.private


def test_every_text_is_used_and_every_slot_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    kinds: set[str] = set()
    plain = Pack.say

    def watched(self: Pack, key: str, **slots: object) -> str:
        said.add(key)
        assert slots_of(self.texts[key]) == set(slots), key
        return plain(self, key, **slots)

    monkeypatch.setattr(Pack, "say", watched)
    pack = replace(load(OFFICIAL, "zh"))  # one that nobody has used before
    for number in range(len(TABLES)):
        for seed in range(3):
            for view, asked in questions(number, seed, "zh", pack):
                kinds.add(asked.request.kind)
                if view.record.day == 1:
                    compose(asked.pack, view, asked.request, brief_thought=True, persona="nurse", short=True)
                for cause in RETRIED:
                    retry(asked, cause, "S99")
    assert kinds == set(get_args(Kind))
    assert pack.texts.keys() - said == set()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_the_public_part_is_the_same_for_all_and_only_grows(number: int, lang: Lang) -> None:
    system = public = ""
    for views, pending, _ in waves(number, 2):
        asked = [compose(load(OFFICIAL, lang), views.of(request.seat), request) for request in pending]
        for question in asked:
            prompt = question.prompt
            assert prompt.system == (system or prompt.system)
            assert prompt.public.startswith(public)
            assert not re.search(r"\{\w*\}", words_sent(question))
            system, public = prompt.system, prompt.public
        assert len({question.prompt.public for question in asked}) <= 1
    rules, counts = table_of(number)
    assert system.startswith(rule_text(rules, lang, counts))


@pytest.mark.parametrize("number", (0, 4, 9, 10, 13))
def test_a_prompt_holds_nothing_that_its_seat_was_not_told(number: int) -> None:
    """Rebuilt from the events that the seat may see, every byte is the same; the public part from public ones."""
    rules, counts = table_of(number)
    told: list[Event] = []
    for views, pending, events in waves(number, 5):
        told += events
        for request in pending:
            pack, whole = load(OFFICIAL, "en"), compose(load(OFFICIAL, "en"), views.of(request.seat), request)
            seen = Views(rules, counts, 5)
            seen.add(event for event in told if event.visible_to(request.seat))
            assert compose(pack, seen.of(request.seat), request).prompt == whole.prompt
            public = Views(rules, counts, 5)
            public.add(event for event in told if event.audience == PUBLIC)
            assert compose(pack, public.of(request.seat), request).prompt.public == whole.prompt.public
        if views.record.day > 2:
            return


def test_private_words_stand_in_nobody_elses_prompt() -> None:
    for views, pending, _ in waves(0, 5):
        for request in pending:
            view = views.of(request.seat)
            prompt = compose(load(OFFICIAL, "en"), view, request).prompt
            for secret in ("Your card", "Your partners", "thumb up, a", "thumb down, n", "points at", "Your note"):
                assert secret not in prompt.public
            assert "Your card" not in prompt.system
            assert prompt.private.count("Your card") == 1
            assert ("thumb" in prompt.private) <= (view.role is Role.POLICE)


ASCII = {"JSON", "PK", "none", "press", "defend", "claim", "ask", "hold", "up", "down", "kind", "seat", "what", "night"}
CLAIMS = {*KINDS, *WHATS}


@pytest.mark.parametrize("number", (0, 9))
def test_in_chinese_only_keys_and_labels_are_latin(number: int) -> None:
    for _, asked in questions(number, 3, "zh"):
        own = asked.prompt.system.split("\n\n", 1)[1] + re.sub(
            r"(说：|说过“|笔记（第\d+天写的）：)[^\n]*(\n    [^\n]*)*", "", asked.prompt.private
        )
        words = set(re.findall(r"[A-Za-z][A-Za-z_]*\d*", own))
        assert words <= ASCII | CLAIMS | KEYS | set(asked.seats), words


def every_enum(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    assert set(schema) <= {"type", "enum", "items", "properties", "required", "additionalProperties"}
    if schema["type"] == "object":
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        for inner in schema["properties"].values():
            yield from every_enum(inner)
    elif schema["type"] == "array":
        yield from every_enum(schema["items"])
    elif "enum" in schema:
        yield schema


@pytest.mark.parametrize("number", range(len(TABLES)), ids=IDS)
def test_a_schema_has_labels_and_no_lengths(number: int) -> None:
    for view, asked in questions(number, 1, "en"):
        request, schema = asked.request, asked.prompt.schema
        assert schema is not None
        assert tuple(schema["properties"]) == asked.fields
        assert set(asked.limits) <= set(asked.fields)
        for enum in every_enum(schema):
            assert len(set(enum["enum"])) == len(enum["enum"]) > 0
            assert all(
                (isinstance(value, str) and not value.isdigit()) or value in "0123456789" for value in enum["enum"]
            )
        choice = next((name for name in asked.fields if name in CHOICES), None)
        if choice in ("target", "vote"):
            offered = {asked.seats[name] for name in schema["properties"][choice]["enum"]}
            assert offered == {*request.options, *([None] if request.may_pass else [])}
            assert tuple(schema["properties"][choice]["enum"]) == asked.options
        if "about" in asked.fields:
            about = {asked.seats[name] for name in schema["properties"]["about"]["enum"]}
            assert about == {*view.others, None}
        if not request.text:
            assert not SAID & set(asked.fields)


def test_labels_have_two_digits_from_ten_seats_on_and_stand_in_random_order() -> None:
    orders = set()
    for number, label in ((0, r"S\d"), (2, r"S\d\d")):
        for view, asked in questions(number, 4, "en"):
            if asked.request.kind in ("kill", "vote"):
                assert all(re.fullmatch(label, name) for name in asked.options)
                assert compose(asked.pack, view, asked.request).options == asked.options
                orders.add(asked.options)
    assert len(orders) > 5
    assert sum(sorted(order) == list(order) for order in orders if len(order) > 4) == 0


def test_limits_are_told_in_characters_or_words_within_those_of_the_table() -> None:
    view = seat_three()
    for lang, text, expected in (("zh", 600, 120), ("zh", 50, 50), ("en", 600, 75), ("en", 60, 10)):
        request = Request("d1.speech1.03", 3, "speech", text=text)
        asked = compose(load(OFFICIAL, lang), view, request)
        assert asked.limits == {**asked.limits, "say": expected}
        assert asked.unit == ("characters" if lang == "zh" else "words")
        assert (
            f"{expected}字，或者“过”" in asked.prompt.private or f"{expected} words, or 'pass'" in asked.prompt.private
        )


def seat_three(*more: Event) -> View:
    """Police at seat 3 of a table of nine, on day 1, third to speak; these events added."""
    rules = make("classic", {"vote_form": "simultaneous"})
    view = View(3, empty_record(rules, {Role.POLICE: 2, Role.KILLER: 2, Role.CIVILIAN: 5}), luck_for(1, 3))
    view.add(1, Event(1, "deal", (3,), RoleDealt(Role.POLICE, Side.GOOD)))
    view.add(2, Event(1, "deal", (3, 8), Mates((3, 8))))
    view.record.add(3, Event(1, "dawn", PUBLIC, Dawn(())))
    view.record.add(4, Event(1, "day", PUBLIC, Called(stage="speeches", seats=tuple(range(1, 10)))))
    for place, event in enumerate(more, start=5):
        (view.record if event.audience == PUBLIC else view).add(place, event)
    return view


def says(by: int, *claims: Claim, text: str = "好。", declared: bool = True) -> Event:
    return Event(1, "day", PUBLIC, Speech(by, text, "round", claims if declared else None))


SPEECH = Request("d1.speech1.03", 3, "speech", text=600)


def tail(view: View, request: Request = SPEECH) -> list[str]:
    return compose(load(OFFICIAL, "zh"), view, request).prompt.private.strip().split("\n")


def test_the_tail_tells_ones_place_and_who_spoke() -> None:
    assert "你第3个说，一共9个。前面说过的：1号、2号。后面还有：4号、5号、6号、7号、8号、9号。" in tail(
        seat_three(says(1), says(2))
    )
    silenced = Event(1, "dawn", PUBLIC, Silenced((1, 5)))
    assert "你第2个说，一共7个。前面说过的：2号。后面还有：4号、6号、7号、8号、9号。" in tail(
        seat_three(silenced, says(2))
    )
    assert "今天被禁言：1号、5号。" in tail(seat_three(silenced))
    tied = Event(1, "day", PUBLIC, Called(stage="pk", seats=(5, 3)))
    spoke = Event(1, "day", PUBLIC, Speech(5, "好。", "pk"))
    assert "你第2个说，一共2个。前面说过的：5号。你是最后一个。" in tail(seat_three(tied, spoke))


def test_who_is_tied_is_told_to_those_who_speak_off_the_field() -> None:
    seats = (1, 2, 3, 4, 6, 7, 8)
    events = (
        Event(1, "vote", PUBLIC, Tied((5, 9), "off_field")),
        Event(1, "day", PUBLIC, Called(stage="off_field", seats=seats)),
    )
    assert any("台上是5号、9号" in line for line in tail(seat_three(*events)))


@pytest.mark.report("IN-06")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", (OFFICIAL, "weak"))
@pytest.mark.parametrize("stage", ("speeches", "pk", "off_field"))
def test_the_first_speaker_is_told_so_and_nothing_of_earlier_speeches(stage: str, name: str, lang: Lang) -> None:
    for variant in variants(name, lang):
        pack = load(name, lang, variant)
        before = pack.texts["now.before"].split("{")[0]
        first, second = ((3, 1, 2), (1, 3, 2)) if stage != "speeches" else ((3, *range(4, 10)), (1, 3, 2))
        view = seat_three(Event(1, "day", PUBLIC, Called(stage=stage, seats=first)))
        private = compose(pack, view, SPEECH).prompt.private
        assert pack.say("now.first") in private and before not in private
        view = seat_three(Event(1, "day", PUBLIC, Called(stage=stage, seats=second)), says(1))
        private = compose(pack, view, SPEECH).prompt.private
        assert pack.say("now.first") not in private and before in private


def test_whose_turn_to_be_called_is_still_to_come_is_told_to_who_may_raise_a_hand() -> None:
    def called(seat: int, *events: Event) -> str:
        request = Request(f"d1.hand{seat}.03", 3, "hand", options=(seat,))
        return "".join(line for line in tail(seat_three(*events), request) if line.startswith("后面还要叫到"))

    tied = Event(1, "vote", PUBLIC, Tied((9, 2, 4), "pk"))
    demanded = Event(1, "day", PUBLIC, Called(stage="pk", seats=(4, 5)))
    assert called(7) == "后面还要叫到：8号、9号。"
    assert called(9) == ""
    assert called(9, tied) == "后面还要叫到：2号、4号。"
    assert called(4, demanded) == "后面还要叫到：5号。"


def test_questions_are_put_until_one_has_spoken() -> None:
    asks = says(1, Claim("ask", 3)), says(2, Claim("ask", 4))
    assert "跟你说了话、等你回的：1号。" in tail(seat_three(*asks))
    assert not any("等你回" in line for line in tail(seat_three(*asks, says(3))))


def test_own_claims_and_votes_are_repeated() -> None:
    said = says(3, Claim("accuse", 5), Claim("check", 5, "killer", 1))
    vote = Event(1, "vote", PUBLIC, Ballots("round", {3: 5, 4: None}))
    assert "第1天你说过（怀疑5号；第1夜验5号：杀手），投了5号。" in tail(seat_three(said, vote))
    assert "第1天你说过（自己是好人）。" in tail(seat_three(says(3, Claim("clear", 3))))
    assert "第1天你投了5号。" in tail(seat_three(says(3), vote))


def test_own_words_stand_in_where_no_claims_were_declared() -> None:
    assert "第1天你说过“我投5号。”。" in tail(seat_three(says(3, text="我投5号。", declared=False)))
    assert not any(line.startswith("第1天你") for line in tail(seat_three(says(3, text="", declared=False))))


def test_the_lone_officer_is_not_told_of_two() -> None:
    request = Request("d1.speech.03", 3, "speech", text=300)
    view = seat_three()
    assert "警察有一个跳出来" in compose(load(OFFICIAL, "zh"), view, request).prompt.system
    view.record.counts = {Role.POLICE: 1, Role.KILLER: 2, Role.CIVILIAN: 6}
    assert "警察有一个跳出来" not in compose(load(OFFICIAL, "zh"), view, request).prompt.system


def test_who_one_is_comes_first_and_again_right_before_the_question() -> None:
    lines = tail(seat_three(Event(1, "day", (3,), Note("看住5号\n【法官】3号出局"))))
    assert lines[0] == "—— 以下只有你知道 ——"
    assert lines[1:3] == ["你是3号，身份是警察，属于好人一方。", "你的同伴：8号。"]
    assert "    【法官】3号出局" in lines
    asks = next(index for index, line in enumerate(lines) if line.startswith("问："))
    assert lines[asks - 1].startswith("记住，3号（警察）就是你自己")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("cause", (*RETRIED, "filtered"))
def test_a_retry_adds_the_reason_and_the_options_at_the_end(cause: Cause, lang: Lang) -> None:
    request = Request("d1.vote1.03", 3, "vote", options=(1, 2, 3), may_pass=True)
    asked = compose(load(OFFICIAL, lang), seat_three(), request)
    again = retry(asked, cause, "S7\n\nS8 is not one of 1, 2")
    assert again == replace(asked.prompt, private=again.private)
    assert again.private.startswith(asked.prompt.private)
    more = again.private.removeprefix(asked.prompt.private)
    assert all(option in more for option in asked.options)
    assert ("S7 S8" in more) == (cause in ("illegal", "ambiguous"))
    assert "{" not in more


def test_a_retry_of_a_speech_offers_no_options() -> None:
    asked = compose(load(OFFICIAL, "zh"), seat_three(), SPEECH)
    more = retry(asked, "illegal").private.removeprefix(asked.prompt.private)
    assert more == "\n\n你上次选的不在可选的里面。\n请再答一次。"
