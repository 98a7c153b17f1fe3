"""A run's report: one HTML page that needs no network, and the same as Markdown and JSON."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from tianhei.arena.tournament.controls import manners_by_arm
from tianhei.arena.tournament.figures import Figures, figures
from tianhei.arena.tournament.folder import PLAN, planned, strays
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.results import TAKEN_OVER, order, rows, write_parquet
from tianhei.arena.tournament.season import pooled
from tianhei.arena.tournament.sections import Section, elo, markdown, sections
from tianhei.prompts.vocabulary import Lang

LANGS: tuple[Lang, ...] = ("en", "zh")
FILES = ("results.parquet", "report.json", *(f"report.{lang}.{end}" for lang in LANGS for end in ("html", "md")))
"""What a report consists of."""


def write_report(folder: Path, plan: Plan) -> Figures:
    """Write every file of the report into the run's folder; the same transcripts give the same bytes."""
    return write_pooled([(folder, plan)], folder)


def write_pooled(runs: Sequence[tuple[Path, Plan]], out: Path, *, taken_over: bool = False) -> Figures:
    """Write one report over several runs. PlanError unless they are of one season and have no board in common.

    Games in which somebody else took a seat over are left out, unless ``taken_over``.
    """
    read = [(folder, plan, list(rows(folder, plan, taken_over=taken_over))) for folder, plan in runs]
    plan, found = pooled(read)
    made = figures(plan, sum(len(planned(one)) for _, one in runs), found, sum(strays(*run) for run in runs))
    made.manners = manners_by_arm(runs, taken_over=taken_over)
    made.design = " + ".join(one.design for _, one in runs)
    text = "\n".join((folder / PLAN).read_text(encoding="utf-8") for folder, _ in runs)
    out.mkdir(parents=True, exist_ok=True)
    write_parquet(sorted(found, key=order), out / FILES[0])
    (out / FILES[1]).write_text(json.dumps(made.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for lang in LANGS:
        said = words_of(lang)
        parts = sections(made, said, lang, text)
        lines = [f"# {made.name}", "", *opening(made, said), "", *markdown(parts), said["tail"]]
        for ending, content in (("html", page(made, parts, said, lang)), ("md", "\n".join(lines) + "\n")):
            (out / f"report.{lang}.{ending}").write_text(content, encoding="utf-8")
    return made


def leader(found: Figures) -> str:
    """Who leads, in one line."""
    if found.ratings is None:
        said = words_of("en")
        return said["unrated"].format(why=said[found.unrated])
    if found.ranked is None:
        return "nobody is ranked: a missing answer could have decided more than 5 % of the games"
    first, *alike = found.ratings.tiers[0]
    doubt = f", but cannot be told from {', '.join(alike)}" if alike else ""
    return f"{first} leads with {elo(found.ratings.overall[first])} Elo points (95 %){doubt}"


def words_of(lang: Lang) -> Mapping[str, str]:
    """The report's words in one language."""
    return tomllib.loads(files("tianhei.prompts").joinpath(lang, "report.toml").read_text("utf-8"))


def page(found: Figures, parts: Sequence[Section], said: Mapping[str, str], lang: Lang) -> str:
    """The page in one language."""
    return rendered("report.html", lang=lang, found=found, t=said, sections=parts, opening=opening(found, said))


def rendered(template: str, **known: object) -> str:
    """A page from one of the templates beside this file."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    loader = FunctionLoader(lambda name: files("tianhei.arena.tournament").joinpath(name).read_text("utf-8"))
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(**known)


def opening(found: Figures, said: Mapping[str, str]) -> tuple[str, str]:
    """What run this is, and what its seeds follow from."""
    season = said["season"].format(season=found.season, finished=f"{found.finished:,}", planned=f"{found.planned:,}",
                                   boards=found.boards)  # fmt: skip
    if found.taken_over:
        key = "taken_over" if TAKEN_OVER in found.void else "taken_over_kept"
        season += " · " + said[key].format(count=f"{found.taken_over:,}")
    beacon = said["with_beacon"].format(beacon=found.beacon) if found.beacon else ""
    return season, said["hashes"].format(hash=_cut(found.hash, 16), design=_cut(found.design, 12), beacon=beacon)


def _cut(hashes: str, length: int) -> str:
    """The beginnings of hashes: of one run, or of several that are pooled."""
    return " + ".join(one[:length] for one in hashes.split(" + "))
