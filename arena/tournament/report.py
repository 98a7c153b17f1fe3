"""A run's report: one HTML page that needs no network, and the same as Markdown and JSON."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from tianhei.arena.roles import Role
from tianhei.arena.tournament.figures import Figures, Rate, figures
from tianhei.arena.tournament.pictures import bars, forest, matrix
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.results import rows, write_parquet
from tianhei.arena.tournament.run import PLAN, planned
from tianhei.prompts.vocabulary import Lang
from tianhei.prompts.words import Words

LANGS: tuple[Lang, ...] = ("en", "zh")


def write_report(folder: Path, plan: Plan) -> list[Path]:
    """Write every file of the report into the run's folder; the same transcripts give the same bytes."""
    found = list(rows(folder, plan))
    made = figures(plan, len(planned(plan)), found)
    text = (folder / PLAN).read_text(encoding="utf-8")
    written = [folder / "results.parquet", folder / "report.json"]
    write_parquet(sorted(found, key=lambda one: one.game.id), written[0])
    written[1].write_text(json.dumps(made.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for lang in LANGS:
        for ending, content in (("html", page(made, text, lang)), ("md", markdown(made, lang))):
            path = folder / f"report.{lang}.{ending}"
            path.write_text(content, encoding="utf-8")
            written.append(path)
    return written


def words_of(lang: Lang) -> Mapping[str, str]:
    """The report's words in one language."""
    return tomllib.loads(files("tianhei.prompts").joinpath(lang, "report.toml").read_text("utf-8"))


def share(rate: Rate) -> str:
    """A rate with its interval, or a dash where nothing was played."""
    if rate.value is None or rate.interval is None:
        return "–"
    low, high = rate.interval
    return f"{rate.value:.0%} [{low:.0%}, {high:.0%}]"


def page(found: Figures, plan_text: str, lang: Lang) -> str:
    """The page in one language."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files("tianhei.arena.tournament").joinpath("report.html").read_text("utf-8"))
    words = words_of(lang)
    roles = _roles(found)
    return template.render(
        lang=lang,
        found=found,
        t=words,
        plan_text=plan_text,
        pictures=_pictures(found, words),
        tiers=_tiers(found),
        roles=roles,
        role_names={role: Words(lang).role(Role(role)) for role in roles},
        lines=[name for name, of in found.lines.items() if any(rate.games for rate in of.values())],
        causes=sorted({cause for of in found.fallbacks.values() for cause in of}),
        share=share,
    )


def _roles(found: Figures) -> list[str]:
    held = {role for of in found.balance.values() for role in of}
    return [str(role) for role in Role if str(role) in held]


def _tiers(found: Figures) -> dict[str, int]:
    tiers = found.ratings.tiers if found.ratings else ()
    return {name: number for number, names in enumerate(tiers, start=1) for name in names}


def _pictures(found: Figures, words: Mapping[str, str]) -> dict[str, Any]:
    order = found.ratings.players if found.ratings else found.contenders
    pairs = found.matrix
    played = any(rate.games for of in pairs.values() for rate in of.values())
    return {
        "forest": forest(found.ratings, words) if found.ratings else "",
        "matrix": matrix(pairs, [name for name in order if name in pairs], words) if played else "",
        "positions": {name: bars(of, words["position"], words) for name, of in found.positions.items()},
        "seats": {name: bars(of, words["seat"], words) for name, of in found.seats.items()},
    }


def markdown(found: Figures, lang: Lang) -> str:
    """The report's tables as Markdown."""
    words = words_of(lang)
    lines = [f"# {found.name}", "", words["season"].format(season=found.season, design=found.design[:12],
             finished=f"{found.finished:,}", planned=f"{found.planned:,}", boards=found.boards), ""]  # fmt: skip
    if found.limits:
        lines += [f"**{words['limits']}**", "", *(f"- {words['limit_' + key]}" for key in found.limits), ""]
    lines += [f"## {words['headline']}", ""]
    if found.ratings:
        head = ("player", "overall", "killers", "town", "tier", "best")
        lines += _table([words[key] for key in head], [_rating(found, name) for name in found.ratings.players])
        lines += [words["headline_note"], ""]
    else:
        lines += [words["unrated"].format(why=found.unrated), ""]
    lines += [f"## {words['side_rates']}", ""]
    lines += _table(
        [words[key] for key in ("player", "both", "killers", "town")],
        [[name, *(share(of[side]) for side in ("both", "killers", "town"))] for name, of in found.sides.items()],
    )
    lines += [words["side_note"], "", f"## {words['lines']}", ""]
    lines += _table(
        [words["player"], *found.lines],
        [[name, *(share(of[name]) for of in found.lines.values())] for name in found.contenders],
    )
    lines += [f"## {words['unusable']}", ""]
    lines += [words["hinged"].format(share=f"{found.hinged.value or 0:.1%}", games=found.hinged.games), ""]
    return "\n".join(lines).rstrip() + "\n"


def _rating(found: Figures, name: str) -> list[str]:
    assert found.ratings is not None
    values = [
        f"{table[name].value:+.0f} [{table[name].low:+.0f}, {table[name].high:+.0f}]"
        for table in (found.ratings.overall, found.ratings.killer, found.ratings.town)
    ]
    return [name, *values, str(_tiers(found)[name]), f"{found.ratings.ranks[name][0]:.0%}"]


def _table(head: list[str], body: list[list[str]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|---|" + "--:|" * (len(head) - 1),
        *("| " + " | ".join(line) + " |" for line in body),
        "",
    ]
