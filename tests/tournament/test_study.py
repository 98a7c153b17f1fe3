"""A run's study: from the transcripts alone, the same bytes each time, in both languages; what lacks is said."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tianhei.arena.cli import main
from tianhei.arena.tournament.folder import open_run, path_of, planned
from tianhei.arena.tournament.plan import PlanError, make_plan, read_plan
from tianhei.arena.tournament.run import Progress, run
from tianhei.arena.tournament.study import is_studied, study
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.file import chain, read
from tianhei.transcripts.game import load

from .plans import SMALL, plan

PLAN = """
name = "tiny study"
boards = 2
languages = ["en", "zh"]
anchors = ["oracle"]
lines = ["uninformed"]
arms = ["mute"]
probes = ["day", "vote"]

[[tables]]
rules = "classic-arena"
players = 6

[players]
a = "scripted"
"<b>" = "scripted"
"""
FILES = ["study.en.html", "study.en.md", "study.json", "study.zh.html", "study.zh.md"]
LANGS: tuple[Lang, ...] = ("en", "zh")
PROMPTS = Path(__file__).parents[2] / "prompts"


def played(folder: Path, text: str) -> Path:
    (folder / "plan").write_text(text)
    found = open_run(folder / "run", folder / "plan")
    run(folder / "run", found, Progress(), 1)
    return folder / "run"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = played(tmp_path_factory.mktemp("study"), PLAN)
    assert command(folder, "--study").exit_code == 0
    return folder


def command(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["bench", "report", str(folder), *options])


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_same_transcripts_give_the_same_bytes(finished: Path) -> None:
    before = written(finished)
    assert sorted(name for name in before if name.startswith("study")) == FILES
    for name in FILES:
        (finished / name).unlink()
    assert command(finished, "--study").exit_code == 0
    assert written(finished) == before


def test_the_usual_report_is_the_same_without_it(finished: Path) -> None:
    before = written(finished)
    found = command(finished)
    assert found.exit_code == 0 and "study" not in found.output.replace(str(finished), "")
    assert written(finished) == before


def test_games_of_controls_of_lines_and_of_the_told_are_left_out(finished: Path) -> None:
    """Two boards, both sides: 4 games of a and <b>; those with the oracle, mute ones and lines are not counted."""
    found = read_plan(finished / "plan.toml")
    kept = [game for game in planned(found) if is_studied(found, game)]
    assert {frozenset(game.seats) for game in kept} == {frozenset(("a", "<b>"))}
    assert {(game.track, game.arm) for game in kept} == {("duplicate", "full")} and len(kept) == 4
    data = json.loads((finished / "study.json").read_text())
    assert (data["games"], data["boards"], data["missing"], data["damaged"]) == (4, 2, 0, 0)


def test_players_have_the_names_of_the_plan(finished: Path) -> None:
    """Both are the same scripted player, and yet two."""
    data = json.loads((finished / "study.json").read_text())
    assert {row["name"] for row in data["card"]} == {"a", "<b>"}
    cards = read_plan(finished / "plan.toml").tables[0].counts
    assert {(row.get("side"), row.get("role")) for row in data["card"]} == {
        (None, None), ("killers", None), ("good", None),
        *(("killers" if role == "killer" else "good", role) for role in cards),
    }  # fmt: skip
    wins = {row["name"]: row["value"] for row in data["card"] if row["code"] == "O1"}
    assert sum(wins.values()) == pytest.approx(1)


def test_beliefs_are_those_of_the_transcripts(finished: Path) -> None:
    """Beliefs of living good seats before the first speech and the first vote, added up by hand."""
    found = read_plan(finished / "plan.toml")
    sums: Counter[tuple[str, str, float]] = Counter()
    for game in planned(found):
        if is_studied(found, game):
            for line in load(path_of(finished, game)).probes:
                if line["day"] == 1 and "killer" in line and game.board.deal[line["seat"] - 1] != "killer":
                    for about, chance in line["killer"].items():
                        name, role = game.seats[int(about) - 1], game.board.deal[int(about) - 1]
                        time = 1.1 if line["probe"] == "day_start" else 1.4
                        sums[name, "killers" if role == "killer" else "good", time] += chance
    rows = json.loads((finished / "study.json").read_text())["pictures"]["suspicion"]
    told = {(row["name"], row["side"], row["time"]): row["belief"] for row in rows if row["time"] < 2}
    assert told and told == pytest.approx(dict(sums), abs=1e-5)


@pytest.mark.parametrize("lang", LANGS)
def test_the_pages_speak_their_language_and_need_no_network(finished: Path, lang: Lang) -> None:
    said, page = texts_of(lang, "study"), (finished / f"study.{lang}.html").read_text()
    listed = (finished / f"study.{lang}.md").read_text()
    for part in ("suspicion", "claims", "votes", "calibration", "lies"):
        assert f"<h2>{said[f'{part}.title']}</h2>" in page and f"## {said[f'{part}.title']}\n" in listed
    for family in ("outcome", "voting", "belief", "deception"):
        assert f"<h2>{texts_of(lang, 'score')[f'family.{family}']}</h2>" in page
    assert said["votes.killers"] in page and said["no_probes"] not in page
    assert page.count("<svg") > 20 and "<b>" not in page and "&lt;b&gt;" in page
    for outside in ("<script", "src=", "@import", "url(http", "<link", "{games}", "None"):
        assert outside not in page


def test_what_a_run_lacks_is_said_in_words(tmp_path: Path) -> None:
    """No probes and nobody who speaks: no beliefs, no claims, and votes all the same."""
    text = PLAN.replace('probes = ["day", "vote"]\n', "").replace('a = "scripted"', 'a = "random"')
    folder = played(tmp_path, text.replace('"<b>" = "scripted"', 'b = "uniform"'))
    assert command(folder, "--study").exit_code == 0
    for lang in LANGS:
        said, page = texts_of(lang, "study"), (folder / f"study.{lang}.md").read_text()
        assert page.count(said["no_probes"]) == 2 and page.count(said["no_claims"]) == 2
        assert said["no_votes"] not in page and said["all_lacking"] in page


def test_games_that_are_not_finished_are_counted_as_missing(finished: Path, tmp_path: Path) -> None:
    """One whole game and one cut short of a run of four."""
    (tmp_path / "games").mkdir()
    (tmp_path / "plan.toml").write_text(PLAN)
    found = read_plan(tmp_path / "plan.toml")
    first, second, *_ = [game for game in planned(found) if is_studied(found, game)]
    for game, kept in ((first, None), (second, -1)):
        lines = path_of(finished, game).read_bytes().splitlines(keepends=True)
        path_of(tmp_path, game).write_bytes(b"".join(lines[:kept]))
    one = study(tmp_path, found, 1)
    assert (one.games, one.missing, one.damaged) == (1, 3, 0)
    path_of(tmp_path, first).unlink()
    none = study(tmp_path, found, 1)
    assert (none.games, none.missing, list(none.card)) == (0, 4, [])
    assert command(tmp_path, "--study").exit_code == 0
    assert texts_of("en", "study")["no_votes"] in (tmp_path / "study.en.md").read_text()


def test_a_seat_that_was_taken_over_is_left_out_and_counted(finished: Path, tmp_path: Path) -> None:
    """One answer of one game is somebody else's: of the report the game is left out, of the study the seat."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    found = read_plan(folder / "plan.toml")
    path = path_of(folder, next(game for game in planned(found) if is_studied(found, game)))
    lines = [(line.kind, line.data) for line in read(path).lines]
    data = next(data for _, data in lines if data.get("replies"))
    data["replies"][0]["source"] = "bot:takeover"
    path.write_bytes(b"".join(chain(iter(lines))))
    seats: dict[str, float] = {}
    for options, missing, key in (((), 1, "taken_over"), (("--taken-over",), 0, "taken_over_kept")):
        assert command(folder, "--study", *options).exit_code == 0
        report, shown = (json.loads((folder / f"{name}.json").read_text()) for name in ("report", "study"))
        assert (report["planned"] - report["finished"], report["taken_over"]) == (missing, 1)
        assert report["void"] == ({} if options else {"taken over": 1})
        assert shown["taken_over"] == 1
        for lang in LANGS:
            said = texts_of(lang, "score")[key].format(count=1)
            assert said in (folder / f"study.{lang}.md").read_text()
            told = tomllib.loads((PROMPTS / lang / "report.toml").read_text())[key].format(count=1)
            assert told in (folder / f"report.{lang}.md").read_text()
            assert told in (folder / f"report.{lang}.html").read_text()
        seats[key] = sum(row["n"] for row in shown["card"] if row["code"] == "I1" and "side" not in row)
    assert 0 < seats["taken_over_kept"] - seats["taken_over"] < seats["taken_over"]


def test_both_languages_have_the_same_words() -> None:
    def slots(data: Any, prefix: str = "") -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, value in data.items():
            if isinstance(value, dict):
                found |= slots(value, f"{prefix}{key}.")
            else:
                found[prefix + key] = sorted(part.split("}")[0] for part in value.split("{")[1:])
        return found

    one, other = (slots(tomllib.loads((PROMPTS / lang / "study.toml").read_text())) for lang in LANGS)
    assert one == other


def test_a_plan_says_when_seats_are_asked_what_they_believe(finished: Path) -> None:
    assert plan(probes=["day", "speech/3", "day"]).probes == ("day", "speech/3")
    for points, why in (
        (["noon"], "probes: 'noon' is no point"),
        (["speech"], "speech/3 for every"),
        ("day", "probes"),
    ):
        with pytest.raises(PlanError, match=why):
            make_plan({**SMALL, "probes": points})
    recorded = load(path_of(finished, planned(read_plan(finished / "plan.toml"))[0]))
    assert recorded.header.probes == ("day", "vote") and recorded.probes


def test_probes_belong_to_the_plan_and_not_to_its_boards() -> None:
    """A plan without probes has the hash it had before there were any."""
    assert plan().hash == plan(probes=[]).hash != plan(probes=["day"]).hash
    assert plan().design == plan(probes=["day"]).design
