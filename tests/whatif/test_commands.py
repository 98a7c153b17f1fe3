"""The commands ``fork`` and ``review``, and ``play --probes``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tianhei.arena.cli import main
from tianhei.prompts.pack import slots_of
from tianhei.prompts.vocabulary import texts_of
from tianhei.transcripts.game import load
from tianhei.transcripts.importers import read_file
from whatif.tables import EIGHT, head, played


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classic game of scripted players."""
    folder = tmp_path_factory.mktemp("commands")
    return played(folder / "game.jsonl", head("classic-arena", EIGHT, "scripted", seed=3, probes=("vote",)))


def command(*words: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), env={"COLUMNS": "160"})


def test_a_fork_shows_both_arms_and_their_swing(path: Path, tmp_path: Path) -> None:
    done = command("fork", path, "--at", "n2", "--seat", "2=uninformed", "--repeat", "4", "-o", tmp_path / "arms")
    assert done.exit_code == 0, done.output
    assert "From n2 on: uninformed in Player 2." in done.output
    assert "interval over 4 pairs" in done.output
    assert len(list((tmp_path / "arms").glob("changed-*.jsonl"))) == 4
    again = command(
        "fork", path, "--at", "n2", "--seat", "2=uninformed", "--repeat", "4", "-o", tmp_path / "arms", "--json"
    )
    found = json.loads(again.stdout)
    assert found["swing"]["pairs"] == 4
    assert found["parent"] == load(path).header.game
    for arm, games in found["arms"].items():
        for game in games:
            end = load(game["path"]).end
            assert end and end["winner"] == game["winner"], arm


def test_a_deletion_tells_what_the_words_were_worth(path: Path, tmp_path: Path) -> None:
    done = command("fork", path, "--delete", "1@d1", "--repeat", "2", "-o", tmp_path / "arms", "-l", "zh")
    assert done.exit_code == 0, done.output
    assert "1号在 d1.speech1.01 改为“过”" in done.output
    assert "这段话给说话人一方带来" in done.output


@pytest.mark.parametrize(("words", "said"), [
    (("--at", "d9", "--seat", "2=scripted"), "there is no cut 'd9'; there are n1.kill1"),
    (("--at", "n2", "--seat", "9=scripted"), "with a number from 1 to 8"),
    (("--at", "n2", "--seat", "2=nobody-at-all"), "no player 'nobody-at-all'"),
    (("--at", "n2"), "say where to cut with --at and who sits there then with --seat"),
    (("--delete", "1@d1", "--at", "n2"), "leave --at and --seat out"),
    (("--delete", "1@d9"), "is nothing that was said; name one by its request"),
])  # fmt: skip
def test_what_cannot_be_forked_is_refused_with_what_can(path: Path, words: tuple[str, ...], said: str) -> None:
    done = command("fork", path, *words)
    assert done.exit_code != 0
    assert said in " ".join(done.output.split())


def test_a_review_is_shown_and_printed_as_json(path: Path) -> None:
    for lang, said in (("en", "Votes that threw most away"), ("zh", "丢分最多的票")):
        done = command("review", path, "--games", "3", "-l", lang)
        assert done.exit_code == 0, done.output
        assert said in done.output
    found = json.loads(command("review", path, "--games", "3", "--json").stdout)
    assert found["moments"][0]["at"] == "n1.kill1"
    assert found["moments"][-1]["value"]["games"] == 1
    assert {choice["kind"] for choice in found["choices"]} == {"kill", "vote"}
    assert all(turn["request"].startswith("d") for turn in found["turns"])


def test_probes_are_played_and_refused_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    done = command("play", "-a", "scripted", "--seed", "3", "--probes", "day,vote", "-o", out, "-q")
    assert done.exit_code == 0, done.output
    assert {line["probe"] for line in load(out).probes} == {"day_start", "before_vote"}
    done = command("play", "-a", "scripted", "--probes", "noon")
    assert done.exit_code == 1
    assert "'noon' is no point for probes" in done.output


def test_both_languages_have_the_same_words_and_slots() -> None:
    one, other = texts_of("en", "whatif"), texts_of("zh", "whatif")
    assert {key: slots_of(text) for key, text in one.items()} == {key: slots_of(text) for key, text in other.items()}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_a_game_played_elsewhere_words_and_deeds_alone_are_reviewed(tmp_path: Path, lang: str) -> None:
    """Its wolf says that it is the seer; the seer, who says so too, differs in nothing."""
    small = Path(__file__).parents[1] / "importers" / "small"
    game = read_file(small / "werewolf_arena" / "game_complete.json")
    assert game is not None
    path = tmp_path / "game.jsonl"
    path.write_bytes(game.to_bytes())
    done = CliRunner().invoke(main, ["review", str(path), "--lang", lang])
    assert done.exit_code == 0, done.output
    assert {"en": "cannot be played on here", "zh": "没法接着打"}[lang] in done.output
    told = json.loads(CliRunner().invoke(main, ["review", str(path), "--json"]).output)
    kinds = {turn["seat"]: [each["kind"] for each in turn["differences"]] for turn in told["turns"]}
    assert kinds == {3: ["other_card"], 5: []}
    assert told["rollouts"] is None
