"""The command: what it prints, writes and refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import duckdb
import pytest
from click.testing import CliRunner, Result

from metrics.games import transcript
from tianhei.arena.cli import main
from tianhei.arena.commands.scoring import counted
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.metrics.catalogue import METRICS
from tianhei.transcripts.metrics.measure import Family


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two players on both sides of three boards."""
    made = tmp_path_factory.mktemp("games")
    for seed in range(3):
        for sides in (("scripted", "uninformed"), ("uninformed", "scripted")):
            transcript("bench-10", seed, sides, made)
    yield made


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, arguments)])


def test_the_card_in_both_languages(folder: Path) -> None:
    english, chinese = run(folder, "--lang", "en"), run(folder, "--lang", "zh")
    assert english.exit_code == chinese.exit_code == 0
    assert "Games: 6. Boards: 3." in english.output
    assert "vote lift, civilians" in english.output
    assert "rating as killers" in english.output
    assert "6 局，3 副牌" in chinese.output
    assert "平民投票高于随机" in chinese.output


def test_roles_have_their_words(folder: Path) -> None:
    done = run(folder, "--lang", "zh", "--by", "role", "--resamples", "100")
    assert "scripted · 好人方 · 警察" in done.output
    assert "uninformed · 杀手方 · 杀手" in done.output


@pytest.mark.parametrize(("number", "told"), [(1 / 3, "0.33"), (4 / 3, "1.33"), (2.0, "2"), (12345.0, "12,345")])
def test_a_part_of_a_count_is_not_rounded_away(number: float, told: str) -> None:
    """A kill is shared by the living killers: of three, each has a third."""
    assert counted(number) == told


def test_json_holds_everything(folder: Path) -> None:
    found: dict[str, Any] = json.loads(run(folder, "--json", "--by", "side", "--resamples", "100").output)
    assert found["games"] == 6
    assert set(found["ratings"]["players"]) == {"scripted", "uninformed"}
    lift = {
        (row["name"], row["side"]): row for row in found["figures"] if row["code"] == "V2"
    }  # fmt: skip
    assert lift["scripted", "good"]["value"] > lift["uninformed", "good"]["value"]
    assert lift["scripted", "killers"]["value"] is None
    assert lift["scripted", "good"]["chance"] == 0


def test_parquet(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "it's a card.parquet"
    assert run(folder, "--parquet", file, "--resamples", "100").exit_code == 0
    quoted = str(file).replace("'", "''")
    with duckdb.connect() as base:
        base.execute(f"select count(*) from '{quoted}' where code = 'V2' and name = 'scripted'")
        assert base.fetchall() == [(1,)]


def test_an_export_gives_the_same(folder: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["export", str(folder), "-o", str(tmp_path), "--jobs", "1"]).exit_code == 0
    assert run(tmp_path, "--json", "--resamples", "100").output == run(folder, "--json", "--resamples", "100").output


def test_an_export_that_comes_twice_is_refused(folder: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["export", str(folder), "-o", str(tmp_path), "--jobs", "1"]).exit_code == 0
    for again in (tmp_path, folder):
        done = run(tmp_path, again)
        assert done.exit_code == 1
        assert "a game comes twice" in done.output


def test_a_game_counts_once(folder: Path) -> None:
    file = next(folder.glob("*.jsonl"))
    done = run(file, file, "--lang", "en")
    assert "Games: 1. Boards: 1." in done.output
    assert "read before" in done.output


def test_what_is_no_transcript_is_named(folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("not a game\n", encoding="utf-8")
    done = run(bad, next(folder.glob("*.jsonl")))
    assert done.exit_code == 0
    assert "left out" in done.output
    alone = run(bad)
    assert alone.exit_code != 0
    assert "nothing to score" in alone.output
    missing = run(tmp_path / "missing.jsonl")
    assert missing.exit_code != 0
    assert "there is no such file" in missing.output


@pytest.mark.parametrize("lang", get_args(Lang))
def test_every_figure_has_its_words(lang: Lang) -> None:
    said = texts_of(lang, "score")
    for metric in METRICS:
        assert said[f"metric.{metric.code}"]
        assert said[f"unit.{metric.of}"]
    for family in get_args(Family):
        assert said[f"family.{family}"]
    assert set(said) == set(texts_of("en", "score"))
    codes = {key.partition(".")[2] for key in said if key.startswith("metric.")}
    assert codes == {metric.code for metric in METRICS} | {"I2"}


def test_who_is_strong_for_what_he_costs() -> None:
    """Strong and dear, weak and cheap, and one as weak as this and dearer: the last is left out."""
    from tianhei.arena.commands.scoring import efficient, rated
    from tianhei.transcripts.metrics.card import Group, Row
    from tianhei.transcripts.metrics.games import Played

    def cost(name: str, value: float) -> Row:
        return Row(Group(name), "I3", "cost_per_game", "integrity", "games", value, None, None, None, 1, 1)

    def game(board: int, killers: str, town: str, winner: str) -> Played:
        return Played("t", str(board), (killers,), (town,), (), (), winner, clean=True)

    games = [
        game(board, *pair) for board in range(3)
        for pair in (("a", "b", "killers"), ("b", "a", "good"), ("a", "c", "killers"), ("c", "a", "good"))
    ]  # fmt: skip
    found = efficient([cost("a", 2.0), cost("b", 0.1), cost("c", 0.2)], rated(games))
    assert found == ["a", "b"]
    assert efficient([cost("a", 2.0)], rated(games[:1])) == []


def test_several_processes_give_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tianhei.arena.commands import scoring

    alone = run(folder, "--json", "--resamples", "100", "--jobs", "1").output
    monkeypatch.setattr(scoring, "LEAST", 1)
    monkeypatch.setattr(scoring, "BATCH", 2)
    assert run(folder, "--json", "--resamples", "100", "--jobs", "2").output == alone


def test_a_damaged_copy_gives_way_to_a_whole_one(folder: Path, tmp_path: Path) -> None:
    file = next(folder.glob("*.jsonl"))
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(file.read_bytes().replace(b'"wave":1', b'"wave":7', 1))
    done = run(damaged, file, file, "--lang", "en")
    assert "Games: 1. Boards: 1." in done.output
    assert "is damaged" in done.output
    assert "read before" in done.output


def test_a_side_that_was_held_on_one_board_has_no_rating() -> None:
    """`a` was a killer on two boards and good on one; `b` the other way round; `c` was good on two."""
    from tianhei.arena.commands.scoring import unknown
    from tianhei.transcripts.metrics.games import Played

    def game(board: int, killers: str, town: str) -> Played:
        return Played("t", str(board), (killers,), (town,), (), (), "good", clean=True)

    games = [game(1, "a", "b"), game(2, "a", "b"), game(3, "b", "a"), game(3, "b", "a"), game(4, "d", "c"),
             game(5, "d", "c")]  # fmt: skip
    assert unknown(games) == {
        ("a", "town"), ("a", "overall"), ("b", "killer"), ("b", "overall"), ("c", "killer"), ("c", "overall"),
        ("d", "town"), ("d", "overall"),
    }  # fmt: skip


def test_what_is_not_known_of_ratings_is_no_number(tmp_path: Path) -> None:
    """Each side was held by one player alone."""
    for seed in range(3):
        transcript("bench-10", seed, ("scripted", "uninformed"), tmp_path)
    card = run(tmp_path, "--lang", "en", "--resamples", "100").output
    assert "rating, overall not available" in card
    players = json.loads(run(tmp_path, "--json", "--resamples", "100").output)["ratings"]["players"]
    assert players["scripted"]["overall"] is players["scripted"]["ranks"] is players["scripted"]["town"] is None
    assert players["scripted"]["killer"]["value"] is not None


def test_one_player_alone_is_not_ranked(folder: Path, tmp_path: Path) -> None:
    transcript("bench-10", 7, ("scripted", "scripted"), tmp_path)
    done = run(tmp_path, "--lang", "en")
    assert done.exit_code == 0
    assert "Nobody is ranked" in done.output
