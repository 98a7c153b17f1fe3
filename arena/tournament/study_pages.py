"""A study's pages in each language: the card family by family, then the pictures of how the games were played.

They stand beside the report, from the transcripts alone; the same transcripts give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tianhei.arena.roles import Role
from tianhei.arena.tournament.panels import (
    COLOURS,
    SIDES,
    calibration,
    forest,
    grid,
    over_time,
    panel,
    panels,
    shares,
    stacks,
)  # fmt: skip
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.report import LANGS, rendered
from tianhei.arena.tournament.sections import NOTHING, Section, markdown
from tianhei.arena.tournament.study import Study, study
from tianhei.prompts.vocabulary import Lang, Vocabulary, texts_of

if TYPE_CHECKING:
    from tianhei.transcripts.metrics.card import Row

Said: TypeAlias = Mapping[str, str]
Sums: TypeAlias = Mapping[str, Any]
BARS = 10
"""Of a picture of calibration."""
LIES: Mapping[str, str] = {
    "fabrication": "#c2413b", "distortion": "#e58b4e", "misdirection": "#8e5ea2", "truth": "#c9d8cd",
}  # fmt: skip
NOBODY = "#c9cfd9"


def write_study(
    folder: Path, plan: Plan, out: Path, processes: int | None = None, *, taken_over: bool = False
) -> list[Path]:
    """Write the files of a run's study into a folder."""
    found = study(folder, plan, processes, taken_over=taken_over)
    out.mkdir(parents=True, exist_ok=True)
    written = [out / "study.json"]
    written[0].write_text(json.dumps(found.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for lang in LANGS:
        said, opening, parts = study_sections(found, lang)
        page = rendered("study.html", lang=lang, found=found, t=said, sections=parts, opening=opening)
        lines = [f"# {found.name} · {said['title']}", "", *opening, "", *markdown(parts), said["tail"]]
        for ending, content in (("html", page), ("md", "\n".join(lines) + "\n")):
            written.append(out / f"study.{lang}.{ending}")
            written[-1].write_text(content, encoding="utf-8")
    return written


def study_sections(found: Study, lang: Lang) -> tuple[Said, tuple[str, str], list[Section]]:
    """The words of the pages, what games they are about, and the sections."""
    said: Said = {**texts_of(lang, "score"), **texts_of(lang, "study")}
    named = Vocabulary(lang)
    parts = [
        *_card(found, said, named), _suspicion(found, said), _claims(found, said), _votes(found, said, named),
        _calibration(found, said), _lies(found, said),
    ]  # fmt: skip
    return said, _opening(found, said), parts


def _opening(found: Study, said: Said) -> tuple[str, str]:
    counts = said["games"].format(games=f"{found.games:,}", boards=f"{found.boards:,}")
    which = [said["which"]]
    taken_over = "taken_over_kept" if found.keeps_taken_over else "taken_over"
    counted = (("missing", found.missing), ("damaged", found.damaged), (taken_over, found.taken_over))
    which += [said[key].format(count=f"{count:,}") for key, count in counted if count]
    return counts, " ".join(which)


def _card(found: Study, said: Said, named: Vocabulary) -> Iterator[Section]:
    from tianhei.transcripts.metrics.bootstrap import LEAST_BOARDS

    note = said["family_note"].format(boards=LEAST_BOARDS)
    core = _core()
    for family, held in groupby(sorted(found.card, key=lambda row: _families().index(row.family)), _family):
        rows = list(held)
        title = said[f"family.{family}"]
        figures = {row.code: [one for one in rows if one.code == row.code] for row in rows}
        told = {code: of for code, of in figures.items() if any(row.value is not None for row in of)}
        lacking = said["joined"].join(said[f"metric.{code}"] for code in figures if code not in told)
        if not told:
            yield Section(title, text=said["all_lacking"], note=said["lacking"].format(figures=lacking))
            continue
        drawn = [made for code, of in told.items() if code in core for made in _forests(of, said)]
        head = [said[key] for key in ("figure", "player", "held", "value", "chance", "n", "of")]
        yield Section(
            title, f"{note} {said['lacking'].format(figures=lacking)}".strip() if lacking else note, head,
            [line for of in told.values() for line in _lines(of, said, named)], panels(*drawn) if drawn else "",
        )  # fmt: skip
        note = ""


def _core() -> frozenset[str]:
    """The figures that are drawn: the core, and its parts by side."""
    from tianhei.transcripts.metrics.catalogue import entries

    return frozenset(entry.code for entry in entries() if entry.is_core) | {"O1s", "O3s"}


def _families() -> Sequence[str]:
    from typing import get_args

    from tianhei.transcripts.metrics.measure import Family

    return get_args(Family)


def _family(row: Row) -> str:
    return row.family


def _forests(rows: Sequence[Row], said: Said) -> Iterator[str]:
    """A figure's picture of whole players; of a figure that is of sides alone, one for each side."""
    for side in ("",) if any(not row.group.side for row in rows) else SIDES:
        points = [
            (row.group.name, row.value, row.low, row.high, row.chance) for row in rows
            if row.value is not None and not row.group.role and row.group.side == side
        ]  # fmt: skip
        if points:
            title = said[f"metric.{rows[0].code}"]
            yield panel(f"{title} · {said[f'side.{side}']}" if side else title, forest(tuple(points)))


def _lines(rows: Sequence[Row], said: Said, named: Vocabulary) -> Iterator[list[str]]:
    """A figure's rows: whole players always; their sides and cards where there was something to look at.

    A side of one card stands once.
    """
    cards: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.group.role:
            cards.setdefault(row.group[:2], set()).add(row.group.role)
    for row in rows:
        group = row.group
        if (group.side and row.value is None) or (group.role and len(cards[group[:2]]) == 1):
            continue
        held = named.role(group.role) if group.role else said[f"side.{group.side}"] if group.side else said["whole"]
        interval = "" if row.low is None or row.high is None else f" [{row.low:.3f}, {row.high:.3f}]"
        yield [
            said[f"metric.{row.code}"], group.name, held,
            said["none"] if row.value is None else f"{row.value:.3f}{interval}",
            NOTHING if row.chance is None else f"{row.chance:.3f}", f"{row.n:,.0f}", said[f"unit.{row.of}"],
        ]  # fmt: skip


def _summed(rows: Iterable[Sums], keys: Callable[[Sums], Any], *parts: str) -> dict[Any, list[float]]:
    """Sums of the parts by what the rows are told apart by, in order."""
    found: dict[Any, list[float]] = {}
    for row in rows:
        sums = found.setdefault(keys(row), [0.0] * len(parts))
        for place, part in enumerate(parts):
            sums[place] += row[part]
    return dict(sorted(found.items()))


def _suspicion(found: Study, said: Said) -> Section:
    rows = found.pictures["suspicion"]
    title = said["suspicion.title"]
    if not rows:
        return Section(title, text=said["no_probes"])
    names = sorted({row["name"] for row in rows})
    groups = [(said["whole"], said["suspicion.all"], rows)]
    if len(names) > 1:
        groups += [(name, said["suspicion.of"].format(name=name), [row for row in rows if row["name"] == name])
                   for name in names]  # fmt: skip
    made, lines = [], []
    for name, caption, of in groups:
        keys = [(SIDES[side], said[f"suspicion.{side}"]) for side in SIDES if any(row["side"] == side for row in of)]
        sums = _summed(of, lambda row: (row["side"], row["time"]), "belief", "chance", "n")
        curves, chances = ({side: [(time, values[part] / values[2]) for (one, time), values in sums.items()
                                   if one == side] for side in SIDES} for part in (0, 1))  # fmt: skip
        made.append(panel(caption, over_time(curves, chances, said["day"], said["suspicion.label"]), keys))
        lines += [
            [name, said[f"side.{side}"], _moment(time, said), f"{belief / n:.3f}", f"{chance / n:.3f}",
             f"{n:,.0f}"] for (side, time), (belief, chance, n) in sums.items()
        ]  # fmt: skip
    head = [said[key] for key in ("player", "side", "suspicion.time", "suspicion.belief", "suspicion.chance", "n")]
    return Section(title, said["suspicion.note"], head, lines, panels(*made))


def _moment(time: float, said: Said) -> str:
    day, part = divmod(round(10 * time), 10)
    return said[f"suspicion.at_{part}"].format(day=day)


def _claims(found: Study, said: Said) -> Section:
    rows = [row for row in found.pictures["claims"] if row["side"] in SIDES]
    title = said["claims.title"]
    if not rows:
        return Section(title, text=said["no_claims"])
    days = sorted({row["day"] for row in rows})
    counts = _summed(rows, lambda row: (row["side"], row["kind"], row["day"]), "lies", "n")
    often = _summed(rows, lambda row: row["kind"], "n")
    kinds = sorted(often, key=lambda kind: -often[kind][0])
    shown = kinds[: len(COLOURS)]
    made = []
    for side in SIDES:
        by_day = {day: [counts.get((side, kind, day), (0, 0))[1] for kind in shown] for day in days}
        keys = [(colour, said[f"kind.{kind}"]) for kind, colour in zip(shown, COLOURS, strict=False)]
        picture = stacks(by_day, COLOURS[: len(shown)], said["day"], said["claims.label"], whole=False)
        made.append(panel(said[f"claims.{side}"], picture, keys))
    lies = _summed(rows, lambda row: (row["side"], row["day"]), "lies", "n")
    curves = {side: [(day, told / n) for (one, day), (told, n) in lies.items() if one == side] for side in SIDES}
    made.append(panel(said["claims.lies"], over_time(curves, {}, said["day"], said["claims.lies_label"]),
                      [(colour, said[f"claims.{side}"]) for side, colour in SIDES.items()]))  # fmt: skip
    lines = [
        [said[f"side.{side}"], said[f"kind.{kind}"], str(day), f"{n:,.0f}", f"{told:,.0f}"]
        for (side, kind, day), (told, n) in sorted(counts.items(), key=lambda one: kinds.index(one[0][1]))
    ]
    head = [said[key] for key in ("side", "claims.kind", "day", "claims.count", "claims.lie")]
    return Section(title, said["claims.note"], head, lines, panels(*made))


def _side(role: str | None) -> str:
    return "nobody" if role is None else "killers" if role == Role.KILLER else "good"


def _votes(found: Study, said: Said, named: Vocabulary) -> Section:
    rows = found.pictures["votes"]
    title = said["votes.title"]
    if not rows:
        return Section(title, text=said["no_votes"])
    counts = _summed(rows, lambda row: (_side(row["from"]), row["day"], _side(row["to"])), "n")
    targets = {**SIDES, "nobody": NOBODY}
    keys = [(colour, said[f"votes.to_{target}"]) for target, colour in targets.items()]
    made, lines = [], []
    for side in SIDES:
        days = sorted({day for one, day, _ in counts if one == side})
        by_day = {day: [counts.get((side, day, target), (0,))[0] for target in targets] for day in days}
        if by_day:
            picture = stacks(by_day, list(targets.values()), said["day"], said["votes.label"], whole=True)
            made.append(panel(said[f"votes.{side}"], picture, keys))
        lines += [
            [said[f"side.{side}"], str(day), *(f"{part / sum(parts):.0%} ({part:,.0f})" for part in parts)]
            for day, parts in by_day.items()
        ]
    cards = [str(role) for role in Role if any(role in (row["from"], row["to"]) for row in rows)]
    flow = _summed(rows, lambda row: (row["from"], row["to"] or ""), "n")
    cells = [[flow.get((one, other), (0,))[0] for other in (*cards, "")] for one in cards]
    words = [named.role(card) for card in cards]
    made.append(panel(said["votes.cards"], grid(cells, words, [*words, said["votes.nobody"]])))
    head = [said["votes.from"], said["day"], *(said[f"votes.to_{target}"] for target in targets)]
    return Section(title, said["votes.note"], head, lines, panels(*made))


def _calibration(found: Study, said: Said) -> Section:
    rows = found.pictures["calibration"]
    title = said["calibration.title"]
    if not rows:
        return Section(title, text=said["no_probes"])
    names = sorted({row["name"] for row in rows})
    groups = [(said["calibration.all"], rows)]
    if len(names) > 1:
        groups += [(name, [row for row in rows if row["name"] == name]) for name in names]
    made, lines = [], []
    for caption, of in groups:
        sums = _summed(of, lambda row: row["bar"], "belief", "killers", "n")
        points = [(belief / n, killers / n, n) for belief, killers, n in sums.values()]
        labels = said["calibration.believed"], said["calibration.found"]
        made.append(panel(caption, calibration(points, *labels)))
        lines += [
            [caption, f"{bar / BARS:.1f}–{(bar + 1) / BARS:.1f}", f"{believed:.3f}", f"{share:.3f}", f"{n:,.0f}"]
            for bar, (believed, share, n) in zip(sums, points, strict=True)
        ]
    head = [said[key] for key in ("player", "calibration.bar", "calibration.believed", "calibration.found", "n")]
    return Section(title, said["calibration.note"], head, lines, panels(*made))


def _lies(found: Study, said: Said) -> Section:
    rows = [row for row in found.pictures["lies"] if row["side"] in SIDES]
    title = said["lies.title"]
    if not any(row["kind"] in LIES for row in rows):
        return Section(title, text=said["no_claims"])
    counts = _summed(rows, lambda row: (row["side"], row["name"], row["kind"]), "n")
    made, lines = [], []
    for side in SIDES:
        names = sorted({row["name"] for row in rows if row["side"] == side})
        by_name = {name: [counts.get((side, name, kind), (0,))[0] for kind in LIES] for name in names}
        told = {name: parts for name, parts in by_name.items() if sum(parts)}
        if told:
            keys = [(colour, said[f"lies.{kind}"]) for kind, colour in LIES.items()]
            made.append(panel(said[f"lies.{side}"], shares(told, list(LIES.values()), said["lies.label"]), keys))
        for name, parts in by_name.items():
            withheld = counts.get((side, name, "withheld"), (0,))[0]
            lines.append([name, said[f"lies.{side}"], *(f"{part:,.0f}" for part in (*parts, withheld))])
    head = [said["player"], said["held"], *(said[f"lies.{kind}"] for kind in (*LIES, "withheld"))]
    return Section(title, said["lies.note"], head, lines, panels(*made))
