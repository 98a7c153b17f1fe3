"""The theme 'neutral': no word of violence is left in what a model is sent, and its labels are read back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from prompting.tables import ALL, ASKING, CLAIMS_ONLY, asked, requests
from test_words import EXTRA_EVENTS, LANGS, TABLES, empty_record, waves
from tianhei.arena.claims import KINDS, WHATS
from tianhei.arena.events import PUBLIC, Event
from tianhei.arena.player import Cause
from tianhei.arena.rules.options import make
from tianhei.arena.rules.setups import written
from tianhei.prompts.compose import compose, retry
from tianhei.prompts.pack import OFFICIAL, TINY, load
from tianhei.prompts.persona import personas
from tianhei.prompts.rulebook import words_in
from tianhei.prompts.tiny import brief_record, facts, scoring, writing
from tianhei.prompts.vocabulary import THEMES, Lang, judge_texts
from tianhei.prompts.words import Words

VIOLENT: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"kill|murder|\b(?:dead|deadly|die|dies|died|dying|death|deaths|gun|guns|armed|fatal)\b|shot|shoot|sniper|weapon"
        r"|needle|corpse|victim|blood|stab|knife|poison|execut|last words|alive",
        re.I,
    ),
    "zh": re.compile("[杀死枪尸刀狙扎毙亡血匕毒凶刺]|针(?!对)|遗言|活着|存活|要命|没命|匪"),
}
"""What no prompt of the theme may hold."""
CAUSES: tuple[Cause, ...] = ("unreadable", "illegal", "ambiguous", "truncated", "empty", "refused", "overflow")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)


def check(text: str, lang: Lang) -> None:
    assert not (found := VIOLENT[lang].search(text)), text[max(0, found.start() - 60) : found.end() + 60]


def bare(text: str) -> str:
    """A text without its slots."""
    return re.sub(r"\{\w*\}", "", text)


@pytest.mark.parametrize(("name", "lang", "variant"), ALL)
def test_no_text_of_the_theme_speaks_of_violence(name: str, lang: Lang, variant: int) -> None:
    for text in load(name, lang, variant, "neutral").texts.values():
        check(bare(text), lang)
    assert any(VIOLENT[lang].search(bare(text)) for text in load(name, lang, variant).texts.values())


@pytest.mark.parametrize("lang", LANGS)
def test_neither_do_the_rules_nor_the_judge_nor_a_persona(lang: Lang) -> None:
    for texts in (judge_texts(lang, "neutral"), words_in(lang, "neutral"), personas(lang)):
        for text in strings(dict(texts)):
            check(bare(text), lang)
    for label in (f"label.{value}" for value in (*KINDS, *WHATS)):
        check(judge_texts(lang, "neutral")[label], "en")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_has_the_sentences_of_the_rules(theme: Any, lang: Lang) -> None:
    assert {topic: list(cases) for topic, cases in words_in(lang, theme).items()} == {
        topic: list(cases) for topic, cases in words_in(lang).items()
    }


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("number", range(len(TABLES)))
def test_no_prompt_of_the_theme_speaks_of_violence(number: int, lang: Lang) -> None:
    """Nor does a retry or a schema; what the players of these games say holds no such word."""
    wordings = [item for item in ASKING if item[1] == lang and (number not in CLAIMS_ONLY or item[0] == OFFICIAL)]
    packs = [load(*item, "neutral") for item in wordings]
    shared: dict[tuple[str, int, bool], str] = {}
    for place, (view, request) in enumerate(requests(number, 4)):
        pack, short = packs[place % len(packs)], place % 2 == 1
        question = compose(pack, view, request, persona="poet", short=short)
        for cause in CAUSES:
            check(retry(question, cause).private, lang)
        check(json.dumps(question.prompt.schema), "en")
        shared[pack.name, pack.variant, short] = question.prompt.system + question.prompt.public
    for text in shared.values():
        check(text, lang)


@pytest.mark.parametrize("lang", LANGS)
def test_nor_does_any_event_in_words(lang: Lang) -> None:
    words = Words(lang, "neutral")
    for number in range(len(TABLES)):
        for views, _, events in waves(number, 5):
            for event in events:
                check(words.event(event, views.record), lang)
    for game, body in EXTRA_EVENTS:
        rules = make(game)
        check(words.event(Event(1, "day", PUBLIC, body), empty_record(rules, written(rules, 11)[0])), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_nor_does_a_tiny_model_hear_of_it(lang: Lang) -> None:
    for variant in (1, 2, 3):
        pack = load(TINY, lang, variant, "neutral")
        for view, request in requests(9, 2):
            check(brief_record(pack, view), lang)
            for kind in ("vote", request.kind if f"score.{request.kind}" in pack.texts else "suspect"):
                prompt = scoring(pack, view, kind)
                check(prompt.system + prompt.public + prompt.private + prompt.prefill, lang)
            for _, fact in facts(pack, view, view.others[0]):
                check(fact, lang)
                if lang == "en":
                    prompt = writing(pack, fact, 1)
                    check(prompt.system + prompt.public + prompt.prefill, lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_label_of_a_claim_stands_for_one_kind_or_content(theme: Any, lang: Lang) -> None:
    labels = Words(lang, theme).labels()
    assert sorted(labels.values()) == sorted((*KINDS, *WHATS))
    assert labels == Words("en", theme).labels()
    assert all((label == value) is (theme == "plain" or label not in ("mole", "not_mole", "tagger", "tag"))
               for label, value in labels.items())  # fmt: skip


def offered(schema: Any, field: str) -> list[str]:
    found: list[str] = schema["properties"]["claims"]["items"]["properties"][field]["enum"]
    return found


@pytest.mark.report("UN-04")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("number", (0, 9, 14))
def test_labels_are_ascii_and_read_back_to_the_same_claims(number: int, lang: Lang) -> None:
    plain, neutral = load(OFFICIAL, lang), load(OFFICIAL, lang, theme="neutral")
    for view, one in asked(plain, number, 2):
        other = compose(neutral, view, one.request)
        assert json.dumps(other.prompt.schema, ensure_ascii=False).isascii()
        assert json.dumps(one.prompt.schema, ensure_ascii=False).isascii()
        assert (other.options, other.fields, other.limits) == (one.options, one.fields, one.limits)
        if "claims" in one.fields:
            for field in ("kind", "what"):
                meant = [other.claim_labels[label] for label in offered(other.prompt.schema, field)]
                assert meant == [one.claim_labels[label] for label in offered(one.prompt.schema, field)]
                assert meant == offered(one.prompt.schema, field)
            assert all(label in other.prompt.system for label in offered(other.prompt.schema, "what"))
