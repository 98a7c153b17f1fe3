"""A run's report: one HTML page that needs no network, and the same as Markdown and JSON."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from tianhei.arena.tournament.controls import manners_by_arm
from tianhei.arena.tournament.figures import Figures, figures
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.results import rows, write_parquet
from tianhei.arena.tournament.run import PLAN, planned
from tianhei.arena.tournament.sections import Section, markdown, sections
from tianhei.prompts.vocabulary import Lang

LANGS: tuple[Lang, ...] = ("en", "zh")


def write_report(folder: Path, plan: Plan) -> list[Path]:
    """Write every file of the report into the run's folder; the same transcripts give the same bytes."""
    found = list(rows(folder, plan))
    made = figures(plan, len(planned(plan)), found)
    made.manners = manners_by_arm(folder, plan)
    text = (folder / PLAN).read_text(encoding="utf-8")
    written = [folder / "results.parquet", folder / "report.json"]
    write_parquet(sorted(found, key=lambda one: one.game.id), written[0])
    written[1].write_text(json.dumps(made.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for lang in LANGS:
        said = words_of(lang)
        parts = sections(made, said, lang, text)
        lines = [f"# {made.name}", "", *opening(made, said), "", *markdown(parts), said["tail"]]
        for ending, content in (("html", page(made, parts, said, lang)), ("md", "\n".join(lines) + "\n")):
            path = folder / f"report.{lang}.{ending}"
            path.write_text(content, encoding="utf-8")
            written.append(path)
    return written


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
    beacon = said["with_beacon"].format(beacon=found.beacon) if found.beacon else ""
    return season, said["hashes"].format(hash=found.hash[:16], design=found.design[:12], beacon=beacon)
