"""Each measure of single speeches tells a slip from what looks like it, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from manners.tables import COUNTS, counts, hits, said, table
from tianhei.arena.claims import Claim
from tianhei.arena.roles import Role
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.manners import MEASURES
from tianhei.transcripts.manners.lexicon import lexicon

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text(encoding="utf-8"))
LANGS: tuple[Lang, ...] = ("en", "zh")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", sorted(CASES.keys() - {"clean"}))
def test_a_slip_is_told_from_what_looks_like_it(name: str, lang: Lang) -> None:
    for kind, slips in (("slip", True), ("fine", False)):
        texts = CASES[name][lang][kind]
        assert texts
        assert [text for text in texts if any(hits(name, table([said(text, lang)], lang))) != slips] == []


@pytest.mark.parametrize(("text", "lang"), [("7号点头，是杀手，我投7号。", "zh"), ("Player 7 nods at Player 3.", "en")])
def test_where_the_judge_answers_by_a_nod_it_is_a_word_of_the_game(text: str, lang: Lang) -> None:
    counts = {**COUNTS, Role.POLICE: 1, Role.BUTTERFLY: 1}
    assert hits("invented_looks", table([said(text, lang)], lang, rules="butterfly", counts=counts)) == [False]
    sweats = f"{text}他冒汗了。" if lang == "zh" else f"{text} He is sweating."
    assert hits("invented_looks", table([said(sweats, lang)], lang, rules="butterfly", counts=counts)) == [True]


@pytest.mark.parametrize("lang", LANGS)
def test_a_clean_speech_has_no_slip(lang: Lang) -> None:
    found = [
        (measure.name, text)
        for measure in MEASURES
        for text in CASES["clean"][lang]
        if any(hits(measure.name, table([said(text, lang)], lang)))
    ]
    assert found == []


def test_both_languages_have_the_same_lists() -> None:
    assert list(lexicon("en").patterns) == list(lexicon("zh").patterns)


@pytest.mark.parametrize(
    ("claim", "slips"),
    [
        (Claim("accuse", 4, "killer"), True),
        (Claim("check", 4, "killer", 1), True),
        (Claim("vote", 4), True),
        (Claim("role", 4, "killer"), None),  # an open confession is no accusation
        (Claim("clear", 4, "not_killer"), None),
        (Claim("check", 4, "not_killer", 1), None),
        (Claim("accuse", 5, "killer"), False),
    ],
)
def test_a_claim_accuses_its_own_speaker(claim: Claim, slips: bool | None) -> None:
    found = counts("accuses_itself", table([said("", claims=(claim,))]))
    assert [(count.hits, count.chance) for count in found] == ([] if slips is None else [(slips, 1 / 6)])


def test_the_dead_are_accused_by_claims_unless_their_card_was_shown() -> None:
    claims = (Claim("accuse", 6, "killer"), Claim("vote", 5), Claim("accuse", 99, "killer"))
    found = counts("accuses_the_dead", table([said("", claims=claims)]))
    assert sorted((count.hits, count.chance) for count in found) == [(False, 2 / 7), (True, 2 / 7)]
    assert not any(hits("accuses_the_dead", table([said("", claims=claims, told={6: "killer"})])))


def test_who_leaves_last_words_is_not_dead_yet() -> None:
    words = said("I am Player 1. Vote for Player 5.", seat=1)
    assert hits("accuses_the_dead", table([words])) == [False]


@pytest.mark.parametrize(
    ("counts_of", "slips"), [({Role.DOCTOR: 1}, False), ({Role.CIVILIAN: 1}, True)], ids=["with", "without"]
)
def test_a_card_is_foreign_where_the_table_lacks_it(counts_of: dict[Role, int], slips: bool) -> None:
    texts: dict[Lang, str] = {"en": "The doctor saved Player 2, I think.", "zh": "我觉得医生救了2号。"}
    for lang, text in texts.items():
        assert hits("foreign_roles", table([said(text, lang)], lang, counts=counts_of)) == [slips]


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_told_in_public_may_be_said_as_a_fact(lang: Lang) -> None:
    flat = {"en": "Player 5 is a killer.", "zh": "5号是匪。"}[lang]
    plain = said(flat, lang)
    assert hits("knows_too_much", table([plain], lang)) == [True]
    report = said("", lang, seat=2, claims=(Claim("check", 5, "killer", 1),))
    assert hits("knows_too_much", table([report, plain], lang)) == [False]
    in_words = said({"en": "I checked Player 5, a killer.", "zh": "我验了5号，是匪。"}[lang], lang, seat=2)
    assert hits("knows_too_much", table([in_words, plain], lang)) == [False, False]
    assert hits("knows_too_much", table([said(flat, lang, told={5: "killer"})], lang)) == [False]


def test_a_speech_is_read_in_its_own_script() -> None:
    """Where a model speaks English at a Chinese table, its words are still read."""
    assert hits("invented_looks", table([said("Player 3 is sweating.", "zh")], "zh")) == [True]
    assert hits("other_script", table([said("Player 3 lies.", "zh")], "zh")) == [1]


def test_only_replies_with_words_can_be_cut() -> None:
    found = counts("cut_at_the_limit", table(cuts=((1, True), (2, False))))
    assert [(count.seat, count.hits) for count in found] == [(1, True), (2, False)]
