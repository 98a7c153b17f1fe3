"""How well the extractor agrees with readers, and they with each other: ``python -m claims.agreement`` in ``tests/``.

A claim agrees if its kind, seat, content and night are the same. The extractor is held against each reader, and the
counts of both comparisons are added. F1 = 2 TP / (2 TP + FP + FN). Intervals: 95 % percentiles of a bootstrap over
clusters (games and authors). Kappa: Cohen's, over sentences, of whether a reader gives the label there at all. What no
rule can give (sarcasm and the like) is compared between the readers, and with a model's reading where one is asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

from claims.labelled import HERE, Sentence, sentences
from tianhei.agents.roster import parse_spec
from tianhei.arena.claims import KINDS, Claim
from tianhei.arena.judging import LABELS, Opinion, Speaking, Tab, opinions
from tianhei.arena.pool import Endpoints
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims.extractor import read

READERS = ("a", "b")
RESAMPLES = 2000
RECORD = ("voted", "died", "out", "claimed")
PHENOMENA = ("negation", "quotation", "hypothesis", "question", "irony", "retraction", "correction")
HELD_OUT = 0
"""The remainder by two of the SHA-256 of a cluster's name that keeps it out of the rules' revision."""
OURS = ("played", "scripted", "embedded")
DOCS = HERE.parents[1] / "docs" / "claims.md"


class Labels(NamedTuple):
    """What one reader, or the extractor, finds in a sentence."""

    claims: frozenset[tuple[str, int, str, int]]
    record: frozenset[tuple[str, int, int]]
    phenomena: frozenset[str]
    marks: frozenset[str] = frozenset()
    """What no rule can give; the extractor finds none of it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with what both readers and the extractor find in it."""

    sentence: Sentence
    readers: tuple[Labels, Labels]
    extracted: Labels


def labels_from(row: Mapping[str, Any]) -> Labels:
    """A reader's line."""
    claims = frozenset((c["kind"], c["seat"], c.get("what", "none"), c.get("night", 0)) for c in row["claims"])
    record = frozenset((r["what"], r.get("by", 0), r["seat"]) for r in row["record"])
    return Labels(claims, record, frozenset(row["phenomena"]), frozenset(row["marks"]))


def extracted(sentence: Sentence, lang: Lang) -> Labels:
    """What the extractor finds."""
    found = read(
        sentence.text, sentence.speaker, lang, sentence.seats, sentence.rule_game,
        names=sentence.names, before=sentence.before,
    )  # fmt: skip
    claims = frozenset((c.claim.kind, c.claim.seat, c.claim.what, _asked_night(c.claim)) for c in found.claims)
    record = frozenset((stated.what, stated.by, stated.seat) for stated, *_ in found.record)
    return Labels(claims, record, frozenset(found.phenomena))


def _asked_night(claim: Claim) -> int:
    """The night, where the guide asks for one: of checks alone."""
    return claim.night if claim.kind == "check" else 0


@cache
def labelled(lang: Lang) -> tuple[Labelled, ...]:
    """All sentences of a language whose words can be had here."""
    by_reader = []
    for reader in READERS:
        lines = (HERE / "labels" / f"{lang}_{reader}.jsonl").read_text(encoding="utf-8").splitlines()
        by_reader.append({row["id"]: labels_from(row) for row in map(json.loads, lines)})
    first, second = by_reader
    return tuple(
        Labelled(sentence, (first[sentence.id], second[sentence.id]), extracted(sentence, lang))
        for sentence in sentences(lang)
    )


class Counts(NamedTuple):
    """True positives, false positives, false negatives."""

    hit: int = 0
    extra: int = 0
    missed: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(self.hit + other.hit, self.extra + other.extra, self.missed + other.missed)


def f1(counts: Counts) -> float | None:
    """F1; None where there is nothing to find and nothing was found."""
    total = 2 * counts.hit + counts.extra + counts.missed
    return 2 * counts.hit / total if total else None


def compared(found: Iterable[Hashable], wanted: Iterable[Hashable]) -> Counts:
    """What was found against what was to be found."""
    found, wanted = set(found), set(wanted)
    return Counts(len(found & wanted), len(found - wanted), len(wanted - found))


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa of two yes-or-no labels; None where chance alone agrees fully."""
    if not pairs:
        return None
    count = len(pairs)
    agreed = sum(first == second for first, second in pairs) / count
    yes = [sum(pair[side] for pair in pairs) / count for side in (0, 1)]
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return None if chance == 1 else (agreed - chance) / (1 - chance)


Pick = Callable[[Labels], Iterable[Hashable]]
Drawn = TypeVar("Drawn")


def of_kind(kind: str) -> Pick:
    """The claims of one kind."""
    return lambda labels: [claim for claim in labels.claims if claim[0] == kind]


def of_record(what: str) -> Pick:
    """The statements of one kind about the public record."""
    return lambda labels: [stated for stated in labels.record if stated[0] == what]


def of_phenomenon(name: str) -> Pick:
    """Whether the phenomenon stands there."""
    return lambda labels: [found for found in labels.phenomena if found == name]


def of_mark(name: str) -> Pick:
    """Whether the mark that no rule can give stands there."""
    return lambda labels: [found for found in labels.marks if found == name]


@dataclass(frozen=True, slots=True)
class Row:
    """One label: how often each reader gives it, the extractor's agreement with them, and theirs with each other."""

    name: str
    given: tuple[int, int]
    counts: Counts
    low: float | None
    high: float | None
    readers: float | None
    kappa: float | None


def row(name: str, rows: Sequence[Labelled], pick: Pick) -> Row:
    """One label over all sentences."""
    by_cluster: dict[str, Counts] = defaultdict(Counts)
    between = Counts()
    for one in rows:
        for reader in one.readers:
            by_cluster[one.sentence.cluster] = by_cluster[one.sentence.cluster].plus(
                compared(pick(one.extracted), pick(reader))
            )
        between = between.plus(compared(pick(one.readers[1]), pick(one.readers[0])))
    low, high = interval(list(by_cluster.values()), name)
    given = tuple(sum(len(list(pick(one.readers[side]))) for one in rows) for side in (0, 1))
    return Row(name, (given[0], given[1]), total(by_cluster.values()), low, high, f1(between), kappa(pairs(rows, pick)))


def pairs(rows: Iterable[Labelled], pick: Pick) -> list[tuple[bool, bool]]:
    """Whether each reader gives the label at all, sentence by sentence."""
    return [(bool(list(pick(one.readers[0]))), bool(list(pick(one.readers[1])))) for one in rows]


def total(counts: Iterable[Counts]) -> Counts:
    """All added."""
    whole = Counts()
    for each in counts:
        whole = whole.plus(each)
    return whole


def interval(clusters: Sequence[Counts], seed: str) -> tuple[float | None, float | None]:
    """The middle 95 % of F1 over samples of as many clusters, drawn with replacement."""
    return middle(clusters, seed, lambda drawn: f1(total(drawn)))


def middle(
    clusters: Sequence[Drawn], seed: str, measure: Callable[[Sequence[Drawn]], float | None]
) -> tuple[float | None, float | None]:
    """The middle 95 % of a measure over such samples; None where it has no value in any."""
    luck = Random(f"agreement {seed}")
    drawn = (measure(luck.choices(clusters, k=len(clusters))) for _ in range(RESAMPLES))
    found = sorted(value for value in drawn if value is not None)
    if not found:
        return None, None
    return found[int(0.025 * len(found))], found[min(int(0.975 * len(found)), len(found) - 1)]


def exact(rows: Sequence[Labelled], name: str) -> tuple[int, int]:
    """Of the sentences in which a reader finds a phenomenon: how many the extractor reads as he does, of how many."""
    marked = [(one, reader) for one in rows for reader in one.readers if name in reader.phenomena]
    return sum(one.extracted.claims == reader.claims for one, reader in marked), len(marked)


def claims_under(rows: Sequence[Labelled], name: str) -> Row:
    """Agreement on claims in the sentences in which a reader finds a phenomenon."""
    by_cluster: dict[str, Counts] = defaultdict(Counts)
    between = Counts()
    given = [0, 0]
    for one in rows:
        for side, reader in enumerate(one.readers):
            if name in reader.phenomena:
                by_cluster[one.sentence.cluster] = by_cluster[one.sentence.cluster].plus(
                    compared(one.extracted.claims, reader.claims)
                )
                between = between.plus(compared(one.readers[1 - side].claims, reader.claims))
                given[side] += 1
    low, high = interval(list(by_cluster.values()), name) if by_cluster else (None, None)
    return Row(name, (given[0], given[1]), total(by_cluster.values()), low, high, f1(between), None)


def tables(lang: Lang, rows: Sequence[Labelled]) -> str:
    """The tables of one language, as they stand in docs/claims.md."""
    lines = [
        "| label | given by a, b | precision | recall | F1 [95 %] | readers' F1 | kappa |",
        "|---|---|---|---|---|---|---|",
    ]
    everything = row("all claims", rows, lambda labels: labels.claims)
    lines += map(_line, [everything, *(row(kind, rows, of_kind(kind)) for kind in KINDS)])
    lines += map(_line, (row(f"record: {what}", rows, of_record(what)) for what in RECORD))
    lines += ["", "| phenomenon | marked by a, b | claims' F1 [95 %] | readers' F1 | read alike | mark's F1, kappa |",
              "|---|---|---|---|---|---|"]  # fmt: skip
    for name in PHENOMENA:
        under, mark = claims_under(rows, name), row(name, rows, of_phenomenon(name))
        alike, of = exact(rows, name)
        lines.append(
            f"| {name} | {under.given[0]}, {under.given[1]} | {_score(under)} | {_number(under.readers)} "
            f"| {alike} of {of} | {_number(f1(mark.counts))}, {_number(mark.kappa)} |"
        )
    lines += ["", "| where from | sentences | claims' F1 [95 %] | readers' F1 |", "|---|---|---|---|"]
    for source in dict.fromkeys(one.sentence.source for one in rows):
        part = [one for one in rows if one.sentence.source == source]
        each = row(source, part, lambda labels: labels.claims)
        lines.append(f"| {source} | {len(part)} | {_score(each)} | {_number(each.readers)} |")
    return "\n".join(lines)


def marks_table(rows: Sequence[Labelled]) -> str:
    """How far the readers agree on what no rule can give."""
    lines = ["| mark | given by a, b | of | readers' F1 | kappa [95 %] |", "|---|---|---|---|---|"]
    for name in LABELS:
        found = row(name, rows, of_mark(name))
        by_cluster: dict[str, list[Labelled]] = defaultdict(list)
        for one in rows:
            by_cluster[one.sentence.cluster].append(one)
        clusters = [pairs(each, of_mark(name)) for each in by_cluster.values()]
        low, high = middle(clusters, name, lambda drawn: kappa([pair for each in drawn for pair in each]))
        lines.append(
            f"| {name} | {found.given[0]}, {found.given[1]} | {len(rows)} | {_number(found.readers)} "
            f"| {_number(found.kappa)} [{_number(low)}, {_number(high)}] |"
        )
    return "\n".join(lines)


def _line(found: Row) -> str:
    hit, extra, missed = found.counts
    precision = hit / (hit + extra) if hit + extra else None
    recall = hit / (hit + missed) if hit + missed else None
    return (
        f"| {found.name} | {found.given[0]}, {found.given[1]} | {_number(precision)} | {_number(recall)} "
        f"| {_score(found)} | {_number(found.readers)} | {_number(found.kappa)} |"
    )


def _score(found: Row) -> str:
    return f"{_number(f1(found.counts))} [{_number(found.low)}, {_number(found.high)}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def ours(rows: Iterable[Labelled]) -> list[Labelled]:
    """The sentences that stand in this repository."""
    return [one for one in rows if one.sentence.source in OURS]


def held_out(rows: Iterable[Labelled]) -> list[Labelled]:
    """The sentences of the clusters whose labels were not opened before the rules were final."""
    return [one for one in rows if int(sha256(one.sentence.cluster.encode()).hexdigest(), 16) % 2 == HELD_OUT]


def block(lang: Lang, *, everything: bool) -> str:
    """One language's tables between the marks by which they are found in the docs."""
    rows = held_out(labelled(lang) if everything else ours(labelled(lang)))
    return _block(f"{lang} {'all' if everything else 'ours'}", tables(lang, rows))


def marks_block(lang: Lang) -> str:
    """The same of one language's marks, over all sentences of this repository."""
    return _block(f"{lang} marks", marks_table(ours(labelled(lang))))


def _block(name: str, text: str) -> str:
    return f"<!-- agreement {name} -->\n{text}\n<!-- end of {name} -->"


def written(text: str, new: str) -> str:
    """The docs with one block renewed."""
    first, last = new.splitlines()[0], new.splitlines()[-1]
    start, end = text.index(first), text.index(last) + len(last)
    return text[:start] + new + text[end:]


def main() -> None:
    """Print the tables; with ``--write``, put them into docs/claims.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="renew the tables in docs/claims.md")
    parser.add_argument("--judge", metavar="MODEL", help="hold a model's reading against the readers instead")
    parser.add_argument("--misses", action="store_true", help="print the sentences that are read otherwise")
    given = parser.parse_args()
    text = DOCS.read_text(encoding="utf-8")
    langs: tuple[Lang, ...] = ("en", "zh")
    if given.judge:
        for lang in langs:
            print(judged_table(lang, labelled(lang), given.judge))
        return
    for lang in langs:
        everything = len(labelled(lang)) > len(ours(labelled(lang)))
        blocks = [block(lang, everything=whole) for whole in ((False, True) if everything else (False,))]
        for new in (*blocks, marks_block(lang)):
            print(new)
            text = written(text, new) if given.write else text
        if given.misses:
            _print_misses(labelled(lang))
    if given.write:
        Path(DOCS).write_text(text, encoding="utf-8")


def judged_table(lang: Lang, rows: Sequence[Labelled], judge: str) -> str:
    """A model's labels against the readers': F1 and, of whether a label is there at all, kappa with each reader."""
    plan = parse_spec(judge)

    async def ask() -> list[Opinion]:
        async with Endpoints() as endpoints:
            said = (
                Speaking(place, one.sentence.speaker, one.sentence.seats, one.sentence.text, one.sentence.before)
                for place, one in enumerate(rows)
            )
            return await opinions(endpoints.of(plan), said, lang, Tab())

    return judged_lines(rows, asyncio.run(ask()))


def judged_lines(rows: Sequence[Labelled], found: Sequence[Opinion]) -> str:
    """The table of a model's reading."""
    read_so = [
        replace(one, extracted=Labels(frozenset(
            (claim.kind, claim.seat, claim.what, _asked_night(claim)) for claim in opinion.claims
        ), frozenset(), frozenset(), frozenset(name for name, holds in opinion.labels.items() if holds)))
        for one, opinion in zip(rows, found, strict=True)
    ]  # fmt: skip
    lines = ["| label | given by a, b | F1 [95 %] | kappa with a, b | readers' kappa |", "|---|---|---|---|---|"]
    for name, pick in [*((kind, of_kind(kind)) for kind in KINDS), *((mark, of_mark(mark)) for mark in LABELS)]:
        each = row(name, read_so, pick)
        with_each = [
            kappa([(bool(list(pick(one.extracted))), bool(list(pick(one.readers[side])))) for one in read_so])
            for side in (0, 1)
        ]
        lines.append(
            f"| {name} | {each.given[0]}, {each.given[1]} | {_score(each)} "
            f"| {_number(with_each[0])}, {_number(with_each[1])} | {_number(each.kappa)} |"
        )
    return "\n".join(lines)


def _print_misses(rows: Iterable[Labelled]) -> None:
    for one in rows:
        if any(one.extracted.claims != reader.claims for reader in one.readers):
            print(one.sentence.id, one.sentence.speaker, one.sentence.text)
            for name, labels in (("x", one.extracted), *zip(READERS, one.readers, strict=True)):
                print("   ", name, *sorted(labels.claims))


if __name__ == "__main__":
    main()
