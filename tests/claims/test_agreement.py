"""The measures of agreement on counts reckoned by hand; the tables in the docs against the committed labels."""

from __future__ import annotations

import os

import pytest

from claims import agreement
from claims.agreement import (
    Counts,
    Labelled,
    Labels,
    block,
    compared,
    f1,
    interval,
    kappa,
    marks_block,
    marks_table,
    of_kind,
    row,
)
from claims.labelled import GAMES, HERE, Sentence, sentences
from tianhei.arena.claims import KINDS, WHATS
from tianhei.arena.judging import LABELS
from tianhei.prompts.vocabulary import Lang

LANGS: tuple[Lang, ...] = ("en", "zh")


def test_f1_is_twice_the_hits_over_all_given() -> None:
    assert compared([1, 2, 3], [2, 3, 4, 5]) == Counts(2, 1, 2)
    assert f1(Counts(2, 1, 2)) == pytest.approx(4 / 7)
    assert f1(Counts()) is None


def test_kappa_is_agreement_beyond_chance() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: (.70 - .50) / (1 - .50)."""
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([(True, True), (False, False)]) == 1
    assert kappa([(False, False)] * 3) is None


def test_the_interval_is_over_whole_clusters() -> None:
    assert interval([Counts(3, 1, 1)] * 5, "x") == (0.75, 0.75)
    low, high = interval([Counts(1, 0, 0), Counts(0, 1, 0)], "x")
    assert (low, high) == (0, 1)


def labelled_as(claims: list[set[tuple[str, int, str, int]]], cluster: str) -> Labelled:
    """One sentence with the claims of reader a, reader b and the extractor."""
    sentence = Sentence("x", "", "", 1, 9, {}, "classic", "played", cluster, "")
    first, second, found = (Labels(frozenset(each), frozenset(), frozenset()) for each in claims)
    return Labelled(sentence, (first, second), found)


def test_a_row_adds_the_comparisons_with_both_readers() -> None:
    vote, other = ("vote", 3, "none", 0), ("vote", 4, "none", 0)
    rows = [labelled_as([{vote}, {vote}, {vote}], "g"), labelled_as([{vote}, set(), {other}], "h")]
    found = row("vote", rows, of_kind("vote"))
    assert found.given == (2, 1)
    assert found.counts == Counts(2, 2, 1)
    assert found.readers == pytest.approx(2 / 3)
    assert found.kappa == pytest.approx(0)


@pytest.mark.parametrize("lang", LANGS)
def test_both_readers_labelled_every_sentence_in_the_words_of_the_guide(lang: Lang) -> None:
    for one in agreement.labelled(lang):
        for labels in one.readers:
            for kind, seat, what, night in labels.claims:
                assert kind in KINDS
                assert what in WHATS
                assert 1 <= seat <= one.sentence.seats
                assert 0 <= night < 10
            assert {what for what, *_ in labels.record} <= set(agreement.RECORD)
            assert labels.phenomena <= set(agreement.PHENOMENA)
            assert labels.marks <= set(LABELS)


@pytest.mark.parametrize("lang", LANGS)
def test_there_are_enough_sentences(lang: Lang) -> None:
    lines = (HERE / "sentences" / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 300
    assert sum('"meant"' in line for line in lines) >= 100
    assert {one.source for one in sentences(lang)} >= set(agreement.OURS)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("everything", [False, True] if GAMES in os.environ else [False])
def test_the_tables_of_the_docs_follow_from_the_labels(lang: Lang, everything: bool) -> None:
    """With everybody's sentences where the variable says where they are."""
    assert block(lang, everything=everything) in agreement.DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGS)
def test_the_marks_of_the_docs_follow_from_the_labels(lang: Lang) -> None:
    assert marks_block(lang) in agreement.DOCS.read_text(encoding="utf-8")


def test_marks_are_compared_between_the_readers() -> None:
    """One given by both, one by the first alone, two by neither: agreed .75, by chance .50, so kappa .50."""
    given = [({"reasoned"}, {"reasoned"}), ({"reasoned"}, set()), (set(), set()), (set(), set())]
    rows = []
    for place, (first, second) in enumerate(given):
        sentence = Sentence("x", "", "", 1, 9, {}, "classic", "played", f"g{place}", "")
        readers = (Labels(frozenset(), frozenset(), frozenset(), frozenset(each)) for each in (first, second))
        rows.append(Labelled(sentence, (next(readers), next(readers)), Labels(frozenset(), frozenset(), frozenset())))
    line = next(line for line in marks_table(rows).splitlines() if line.startswith("| reasoned "))
    assert line.startswith("| reasoned | 2, 1 | 4 | 0.67 | 0.50 [")
