"""The packs: what each has, that both languages and all variants ask the same, and personas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from prompting.tables import ALL, ASKING, CLAIMS_ONLY, asked, every_pack, requests
from test_words import LANGS
from tianhei.arena.requests import Limits
from tianhei.arena.roles import Role
from tianhei.prompts import pack as pack_module
from tianhei.prompts.compose import compose, retry
from tianhei.prompts.pack import OFFICIAL, TINY, Pack, PackError, lint, load, packs, slots_of, variants
from tianhei.prompts.persona import persona_text, personas
from tianhei.prompts.replies import CHOICES, SAID, STANCES, claim_whats
from tianhei.prompts.replies import FIELDS as FORMS
from tianhei.prompts.vocabulary import INDENT, PLAIN, THEMES, Lang
from tianhei.transcripts.header import LIMITS

IDS = ["-".join(map(str, item)) for item in ALL]
FIELDS = {name for fields in FORMS.values() for name in fields}
OWN = r"\{\w+\}|\W|up|down|press|defend|claim|ask|hold|pass"
"""What no wording can change: slots, signs, and the words of the answer itself."""


def test_there_are_these_packs_in_three_wordings() -> None:
    for lang in LANGS:
        assert packs(lang) == ("minimal", "official", "tiny", "weak")
        assert {variants(name, lang) for name in packs(lang)} == {(1, 2, 3)}


@pytest.mark.parametrize(("name", "lang", "variant"), ALL, ids=IDS)
def test_every_pack_has_the_texts_and_slots_of_its_model(name: str, lang: Lang, variant: int) -> None:
    for theme in THEMES:
        pack, model = load(name, lang, variant, theme), load(TINY if name == TINY else OFFICIAL, lang)
        assert lint(pack, model) == []
        assert (pack.variant, pack.theme) == (variant, theme)


@pytest.mark.parametrize(("name", "variant"), [(name, variant) for name, lang, variant in ASKING if lang == "en"])
def test_both_languages_have_the_same_texts_slots_and_limits(name: str, variant: int) -> None:
    english, chinese = load(name, "en", variant), load(name, "zh", variant)
    assert lint(english, chinese) == lint(chinese, english) == []
    assert {key for key, text in english.texts.items() if text} == {key for key, text in chinese.texts.items() if text}
    assert english.lines == chinese.lines
    for key, words in english.limits.items():
        characters = chinese.limits[key]
        assert characters == words if key.endswith("claims") else 1.45 < characters / words < 1.7


def test_the_tables_own_limits_leave_room_for_those_of_the_packs() -> None:
    """A reply is cut at 1.25 of its soft limit: at six characters an English word, before the table cuts it."""
    for pack in every_pack():
        table, width = LIMITS[pack.lang], 6 if pack.lang == "en" else 1
        for form, most in (("speech", table.speech), ("pk_speech", table.pk), ("last_words", table.last_words)):
            assert pack.limits[f"{form}.say"] * width * 1.25 < most
        assert pack.limits["council.to_team"] * width * 1.25 < table.council
    assert LIMITS["en"] == Limits()


def differing(one: Pack, other: Pack) -> Iterator[bool]:
    """Of the texts that a wording can change, whether they differ."""
    for key in one.texts:
        words = re.sub(OWN, "", one.texts[key])
        if len(words) > 3 and not key.startswith("stage."):
            yield words != re.sub(OWN, "", other.texts[key])


def pieces(pack: Pack) -> set[tuple[str, ...]]:
    """Runs of words of the texts (zh: of characters)."""
    found = set()
    for text in pack.texts.values():
        units = re.findall(r"[\u4e00-\u9fff]" if pack.lang == "zh" else r"[A-Za-z']+", text)
        size = 8 if pack.lang == "zh" else 5
        found |= {tuple(units[place : place + size]) for place in range(len(units) - size + 1)}
    return found


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ("minimal", "official", "weak", TINY))
def test_variants_are_worded_apart(name: str, lang: Lang) -> None:
    wordings = [load(name, lang, variant) for variant in (1, 2, 3)]
    for place, one in enumerate(wordings):
        for other in wordings[place + 1 :]:
            differ = list(differing(one, other))
            assert sum(differ) > 0.9 * len(differ)
            assert len(pieces(one) & pieces(other)) < 0.06 * len(pieces(one))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ("minimal", "official", "weak"))
@pytest.mark.parametrize("number", (0, 4, 10))
def test_variants_ask_for_the_same_answers(number: int, name: str, lang: Lang) -> None:
    for view, request in requests(number, 3, days=2):
        first, *others = (compose(load(name, lang, variant), view, request) for variant in (1, 2, 3))
        for other in others:
            assert other.prompt.schema == first.prompt.schema
            assert other.prompt.public.split("\n")[1:] == first.prompt.public.split("\n")[1:]
            same = replace(other, prompt=first.prompt, pack=first.pack)
            assert same == first


def test_a_pack_that_does_not_fit_is_told_each_fault() -> None:
    official = load(OFFICIAL, "en")
    texts = {**official.texts, "now.stage": "Day {day} {moon}", "more": "", "field.note": ""}
    del texts["how.game"]
    limits = {**official.limits, "vote.moon": 3}
    del limits["vote.thought"]
    assert lint(replace(official, texts=texts, limits=limits), official) == [
        "how.game is missing",
        "limit.pk_speech.note is unknown",
        "limit.speech.note is unknown",
        "limit.speech_and_vote.note is unknown",
        "limit.vote.moon is unknown",
        "limit.vote.thought is missing",
        "more is unknown",
        "now.stage has an unknown slot {moon}",
        "now.stage lacks the slot {stage}",
    ]


def test_a_pack_or_variant_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(PackError, match="no prompt pack 'moon' in 'zh'; there are minimal, official, tiny, weak"):
        load("moon", "zh")
    with pytest.raises(PackError, match="the prompt pack 'weak' in 'en' has no variant 4, but 1, 2, 3"):
        load("weak", "en", 4)


def test_a_pack_must_have_the_official_keys_but_for_those_that_it_is_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    official = load(OFFICIAL, "en")
    folder = tmp_path / "en" / "bare"
    folder.mkdir(parents=True)
    (folder / "1.toml").write_text('[how]\nheading = "Speak."\n', encoding="utf-8")
    monkeypatch.setattr(pack_module, "files", lambda _: tmp_path)
    monkeypatch.setattr(pack_module, "load", lambda name, lang: official)
    monkeypatch.setattr(pack_module, "texts_of", lambda lang, name, theme: {"how.heading": "Speak.", "moon": "?"})
    with pytest.raises(PackError, match=r"ask\.carry is missing.*moon is unknown"):
        load.__wrapped__("bare", "en")
    (folder / "form.toml").write_text('without = ["how", "ask"]\n', encoding="utf-8")
    with pytest.raises(PackError, match=r"how\.heading is both written and left out"):
        load.__wrapped__("bare", "en")


def test_the_hash_of_a_pack_is_that_of_its_words() -> None:
    official = load(OFFICIAL, "zh")
    hashes = {load(*item, theme).hash for item in ALL for theme in THEMES}
    assert len(hashes) == len(ALL) * len(THEMES)
    assert official.hash == replace(official).hash
    assert replace(official, texts={**official.texts, "how.game": "说"}).hash not in hashes
    assert replace(official, texts=dict(reversed(list(official.texts.items())))).hash not in hashes
    assert replace(official, limits={**official.limits, "speech.say": 99}).hash not in hashes
    assert replace(official, lines=True).hash not in hashes


@pytest.mark.parametrize(("name", "lang", "variant"), ASKING)
def test_what_a_pack_leaves_out_leaves_no_gap(name: str, lang: Lang, variant: int) -> None:
    pack = load(name, lang, variant)
    for number in (0, 9):
        for _, question in asked(pack, number, 2, days=2):
            prompt = question.prompt
            again = retry(question, "illegal", "S99").private.removeprefix(prompt.private)
            for text in (prompt.system, prompt.public, prompt.private, again):
                assert not re.search(r"\n\n\n|\{\w*\}|[:：] ?$|\(\)|（）", text.strip())
            assert "\n\n" not in prompt.private.strip()
            assert question.fields


@pytest.mark.parametrize("lang", LANGS)
def test_the_minimal_pack_is_the_rules_and_the_question(lang: Lang) -> None:
    for view, question in asked(load("minimal", lang), 0, 2):
        assert set(question.fields) <= {*CHOICES, *SAID}
        assert question.prompt.system.count("\n\n") == 1
        lines = [line for line in question.prompt.private.strip().split("\n") if not line.startswith(INDENT)]
        assert len(lines) < 7 + len(view.private)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("number", (0, 4, 9))
def test_the_weak_pack_asks_for_lines_with_the_choice_at_the_end(number: int, lang: Lang) -> None:
    for variant in (1, 2, 3):
        for _, question in asked(load("weak", lang, variant), number, 2):
            assert question.lines and question.prompt.schema is None
            assert set(question.fields) <= {*CHOICES, *SAID}
            assert not set(question.fields[:-1]) & set(CHOICES)
            lines = question.prompt.private.split("\n")[-len(question.fields) :]
            assert [line.partition(": ")[0] for line in lines] == list(question.fields)
            assert "JSON" not in question.prompt.system + question.prompt.private


def test_only_a_pack_of_lines_asks_for_them() -> None:
    assert {pack.name for pack in every_pack() if pack.lines} == {"weak"}
    for view, request in requests(0, 1, days=1):
        assert not compose(load(OFFICIAL, "en"), view, request).lines


@pytest.mark.parametrize("number", CLAIMS_ONLY)
def test_where_only_claims_are_heard_a_pack_without_claims_cannot_ask(number: int) -> None:
    speech = next((view, request) for view, request in requests(number, 2) if request.kind.startswith("speech"))
    assert compose(load(OFFICIAL, "en"), *speech).fields[-1] == "note"
    for name in ("minimal", "weak"):
        if speech[1].kind == "speech":
            with pytest.raises(PackError, match=f"the prompt pack '{name}' asks for no claims"):
                compose(load(name, "en"), *speech)


@pytest.mark.parametrize("lang", LANGS)
def test_what_a_table_has_no_words_for_is_not_explained(lang: Lang) -> None:
    pack = load(OFFICIAL, lang)
    systems = {number: next(asked(pack, number, 1))[1].prompt.system for number in (0, 7, 8)}
    for key in ("how.speech", "answer.say"):
        assert [pack.texts[key] in systems[number] for number in (0, 7, 8)] == [True, False, False]
    for key in ("answer.stance", "answer.note"):
        assert [pack.texts[key].partition("{")[0] in systems[number] for number in (0, 7, 8)] == [True, True, False]


LATIN = {"JSON", "PK", "none", "up", "down", "kind", "seat", "what", "night", *STANCES, *FIELDS}
FOREIGN = re.compile(
    r"狼|女巫|预言家|猎人|守卫|警长|查杀|金水|悍跳|倒钩|\b(?:werewol|seer|witch|hunter|guard|sheriff|lynch|seat \d)",
    re.I,
)


@pytest.mark.parametrize(("name", "lang", "variant"), ALL, ids=IDS)
def test_every_text_is_in_its_own_language_and_of_this_game(name: str, lang: Lang, variant: int) -> None:
    for theme in THEMES:
        for key, text in load(name, lang, variant, theme).texts.items():
            bare = re.sub(r"\{\w*\}", "", text)
            assert lang == "zh" or bare.isascii(), key
            assert lang == "en" or set(re.findall("[A-Za-z_]+", bare)) <= LATIN, key
            assert key == "how.roles" or not FOREIGN.search(bare), key
            assert "  " not in text, key


RETRIES = ("unreadable", "illegal", "ambiguous", "truncated", "empty", "refused", "overflow")


@pytest.mark.report("PA-10")
def test_every_cause_that_a_model_can_mend_has_words_of_its_own() -> None:
    for pack in every_pack():
        texts = [pack.texts[f"retry.{cause}"] for cause in RETRIES]
        assert len(set(texts)) == len(texts) and all(texts)
        assert ("JSON" in pack.texts["retry.unreadable"]) == (not pack.lines)


def test_there_are_a_dozen_personas_of_the_same_names_in_both_languages() -> None:
    assert list(personas("en")) == list(personas("zh"))
    assert len(personas("en")) >= 12
    assert personas("en")["nurse"] == persona_text("nurse", "en")


TELLING = re.compile(
    r"kill|dead|die[sd]?\b|death|shoot|shot|vote|suspect|lie[sd]?\b|lying|police|civilian|win|lose|evidence|pass\b"
    r"|杀|死|枪|尸|票|怀疑|撒谎|警察|平民|赢|输|证据|身份|“过”",
    re.I,
)


@pytest.mark.parametrize("lang", LANGS)
def test_a_persona_is_a_manner_and_no_advice(lang: Lang) -> None:
    for name, text in personas(lang).items():
        assert slots_of(text) == frozenset()
        assert not TELLING.search(text), name
        assert (len(text) if lang == "zh" else len(text.split())) < 70
        assert text.isascii() if lang == "en" else not re.search("[A-Za-z]", text)


@pytest.mark.parametrize(("name", "lang", "variant"), ASKING)
def test_a_persona_stands_behind_the_identity_of_its_seat_alone(name: str, lang: Lang, variant: int) -> None:
    pack, text = load(name, lang, variant), persona_text("farmer", lang)
    for view, request in requests(0, 2, days=1):
        without, played = compose(pack, view, request), compose(pack, view, request, persona="farmer")
        assert (played.prompt.system, played.prompt.public) == (without.prompt.system, without.prompt.public)
        line = pack.say("layout.persona", text=text)
        assert played.prompt.private.split("\n").index(line) in (4, 5, 6)
        assert played.prompt.private.replace(line + "\n", "") == without.prompt.private


def test_a_persona_that_is_not_there_is_refused_with_those_that_are() -> None:
    view, request = next(requests(0, 1))
    with pytest.raises(PackError, match="no persona 'moon' in 'zh'; there are teacher, driver, "):
        compose(load(OFFICIAL, "zh"), view, request, persona="moon")


def test_the_theme_of_a_pack_is_plain_unless_asked_otherwise() -> None:
    assert load(OFFICIAL, "en").theme == PLAIN == load(OFFICIAL, "en", 2).theme


def test_a_check_without_a_sign_can_be_claimed_where_a_butterfly_may_carry() -> None:
    signs = {"killer", "not_killer", "no_sign"}
    classic = {Role.POLICE: 2, Role.KILLER: 2, Role.CIVILIAN: 4}
    assert signs & {*claim_whats(classic)} == {"killer", "not_killer"}
    assert signs <= {*claim_whats({**classic, Role.BUTTERFLY: 1})}
    assert signs & {*claim_whats({Role.KILLER: 2, Role.CIVILIAN: 5})} == {"killer"}
