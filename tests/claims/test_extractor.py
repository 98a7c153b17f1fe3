"""The extractor: what it reads from single sentences, and what holds of it for any text."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from tianhei.arena.claims import KINDS, WHATS, Claim
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims import extract
from tianhei.transcripts.claims.extractor import read, words_of
from tianhei.transcripts.claims.words.mark import mark, seats_in

LINES = Path(__file__).parent / "lines"
LANGS: tuple[Lang, ...] = ("en", "zh")


def told(claim: Claim) -> str:
    what = "" if claim.what == "none" else f" {claim.what}"
    return f"{claim.kind} {claim.seat}{what}" + (f" n{claim.night}" if claim.night else "")


def lines(lang: Lang) -> list[tuple[Lang, int, str, str, str]]:
    found: list[tuple[Lang, int, str, str, str]] = []
    for line in (LINES / f"{lang}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            speaker, text, claims, record, *_ = [*(part.strip() for part in line.split("|")), "", ""]
            found.append((lang, int(speaker), text, claims, record))
    return found


@pytest.mark.parametrize(("lang", "speaker", "text", "claims", "record"), [*lines("en"), *lines("zh")])
def test_a_sentence_is_read_as_the_guide_says(lang: Lang, speaker: int, text: str, claims: str, record: str) -> None:
    found = read(text, speaker, lang, 13, "classic")
    assert "; ".join(sorted(told(item.claim) for item in found.claims)) == claims
    assert "; ".join(sorted(f"{what} {by} {seat}" for (what, by, seat), *_ in found.record)) == record


@pytest.mark.parametrize(
    ("lang", "text", "want"),
    [
        ("en", "4, seat five, P6, #7, Player 8, number nine, the tenth seat", (4, 5, 6, 7, 8, 9, 10)),
        ("en", "3 votes, day 2, on night 1 and 11 alive; last night 4 died", (4,)),
        ("en", "Player 14 is not there", ()),
        ("zh", "4号、5、六号和玩家7，P8，九号玩家，十一号", (4, 5, 6, 7, 8, 9, 11)),
        ("zh", "第2夜3个人2票，还有4个，第一天", ()),
    ],
)
def test_seats_are_known_in_every_way_of_writing(lang: Lang, text: str, want: tuple[int, ...]) -> None:
    assert seats_in(mark(text, lang, 13, {}).text) == want


def test_bare_numerals_are_seats_only_where_werewolf_is_played() -> None:
    assert seats_in(mark("预言家九给二发了个金水", "zh", 9, {}, loose=True).text) == (9, 2) or seats_in(
        mark("预言家九给二发了个金水", "zh", 9, {}, loose=True).text
    ) == (2,)
    assert seats_in(mark("给二发了个金水", "zh", 9, {}).text) == ()


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("预言家九给二发了个金水，那没啥说的", ["claimed 9 2"]),
        ("这个三一票就八给三发查杀的时候，那你说", ["claimed 8 3"]),
        ("五是他的金水", []),
        ("四号你接查杀了，仅此而已", []),
        ("我验证过了太多次，三号，我对他有恻隐之心", []),
        ("那验出来一是个金水，这张八就一定锁住", []),
        ("六的第一验人流一定是这张八", []),
    ],
)
def test_talk_about_checks_is_no_check_of_the_speakers(text: str, record: list[str]) -> None:
    """As players of Werewolf talk; what names another as the giver stands in the record."""
    found = read(text, 1, "zh", 9, "werewolf")
    assert not [item for item in found.claims if item.claim.kind == "check"]
    assert [f"{what} {by} {seat}" for (what, by, seat), *_ in found.record if what == "claimed"] == record


@pytest.mark.parametrize(
    ("lang", "bare", "police"),
    [("zh", "9号是查杀，今天出9号。", "我是警察。"), ("en", "9 is guilty by check, so vote 9.", "I am the cop.")],
)
def test_a_bare_check_is_the_speakers_if_he_says_that_he_is_police(lang: Lang, bare: str, police: str) -> None:
    check = Claim("check", 9, "killer")
    assert check not in [item.claim for item in extract(bare, 3, lang, 12, "classic")]
    for text in (f"{police} {bare}", f"{bare} {police}"):
        assert check in [item.claim for item in extract(text, 3, lang, 12, "classic")]


def test_players_with_names_are_their_seats() -> None:
    found = extract("I will vote Midori.", 3, "en", 5, "aiwolf", names={"Midori": 5})
    assert [item.claim for item in found] == [Claim("vote", 5)]


def test_who_is_meant_may_follow_from_the_words_before() -> None:
    assert [item.claim for item in extract("He is lying.", 3, "en", 9, "classic", before="5: I am the cop.")] == [
        Claim("accuse", 5)
    ]
    assert extract("He is lying.", 3, "en", 9, "classic") == ()
    assert extract("He is lying.", 3, "en", 9, "classic", before="4 and 6 disagree.") == ()


def test_the_result_of_a_check_may_follow_as_a_sentence_of_its_own() -> None:
    assert [item.claim for item in extract("Last night I checked 4. Killer.", 3, "en", 9, "classic")] == [
        Claim("check", 4, "killer")
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_words_stand_where_the_spans_say(lang: Lang) -> None:
    for _, speaker, text, *_ in lines(lang):
        whole = f"{text} {text}"
        for item in extract(whole, speaker, lang, 13, "classic"):
            assert 0 <= item.start < item.end <= len(whole)
            assert whole[item.start : item.end].strip()


@pytest.mark.parametrize("lang", LANGS)
def test_any_text_is_read_to_known_claims_and_twice_the_same(lang: Lang) -> None:
    parts = [text for _, _, text, *_ in lines(lang)]
    luck = Random(7)
    for _ in range(150):
        pieces = [piece for text in luck.sample(parts, 3) for piece in _halves(text, luck)]
        luck.shuffle(pieces)
        text, speaker = "".join(pieces), luck.randint(1, 13)
        found = extract(text, speaker, lang, 13, "butterfly")
        assert found == extract(text, speaker, lang, 13, "butterfly")
        for item in found:
            claim = item.claim
            assert claim.kind in KINDS
            assert claim.what in WHATS
            assert 1 <= claim.seat <= 13
            if claim.kind in ("accuse", "clear", "vote", "ask"):
                assert claim.seat != speaker


def _halves(text: str, luck: Random) -> tuple[str, str]:
    cut = luck.randint(0, len(text))
    return text[:cut], text[cut:]


def test_every_kind_of_claim_is_read_in_both_languages() -> None:
    for lang in LANGS:
        kinds = {told.split()[0] for *_, claims, _ in lines(lang) for told in claims.split("; ") if told}
        assert kinds == set(KINDS)
        assert {rule.kind for rule in words_of(lang).rules} | {"retract", "ask"} == set(KINDS)


@pytest.mark.parametrize("unit", ["3号，", "刚刚", "昨天", "我就", "3号不对"])
def test_no_chinese_text_takes_long(unit: str) -> None:
    _grows_evenly(unit, "zh")


@pytest.mark.parametrize("unit", ["3 and ", "not ", "very ", '"', "3, no, ", "I checked 3 on night one and "])
def test_no_english_text_takes_long(unit: str) -> None:
    _grows_evenly(unit, "en")


def _grows_evenly(unit: str, lang: Lang) -> None:
    """Ten times the text may take some fifteen times as long, not a hundred."""

    def seconds(text: str) -> float:
        best = 60.0
        for _ in range(3):
            start = time.thread_time()
            extract(text, 1, lang, 13, "classic")
            best = min(best, time.thread_time() - start)
        return best

    short, long = unit * (1000 // len(unit)), unit * (10_000 // len(unit))
    seconds("3")
    assert seconds(long) < 40 * max(seconds(short), 0.002)
