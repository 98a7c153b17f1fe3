"""The command ``tianhei import``, and how the other commands take what it writes."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from importers.games import AIWOLF, ARENA, EVERY, FANLANG, KAGGLE, SMALL, changed
from tianhei.arena.cli import main
from tianhei.arena.commands.importing import KINDS
from tianhei.arena.events import Note
from tianhei.prompts.vocabulary import Lang, Vocabulary, texts_of
from tianhei.transcripts.game import load
from tianhei.transcripts.importers import IMPORTERS
from tianhei.transcripts.viewer.frames import document
from tianhei.transcripts.viewer.site import page_words

LANGS: tuple[Lang, ...] = get_args(Lang)


def run(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code == code, result.output
    return result.output


def one(path: Path, out: Path) -> Path:
    """The transcript of one file."""
    run("import", path, "-o", out)
    return next(out.glob("*.jsonl"))


def test_the_command_knows_every_kind() -> None:
    assert set(KINDS) == set(IMPORTERS)


def test_a_folder_of_games_is_imported(tmp_path: Path) -> None:
    said = run("import", SMALL, "-o", tmp_path)
    written = sorted(tmp_path.iterdir())
    assert len(written) == len(EVERY)
    assert all(str(path) in said for path in written)
    assert "kaggle, 4 seats, 2 speeches, 1 ballots" in said
    assert {load(path).header.rules_name for path in written} == {"werewolf_arena", "werewolf", "aiwolf", "werewolf-9"}


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    path = changed(FANLANG, tmp_path / "f.json", lambda data: data["game_state"].update(Sheriff=2))
    assert "kept as it stands: game_state.Sheriff × 1" in run("import", path, "-o", tmp_path / "out")


def test_a_broken_file_is_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    broken = changed(KAGGLE, tmp_path / "a.json", lambda data: data["info"]["MODERATOR_OBSERVATION"].pop(0))
    said = run("import", broken, FANLANG, "-o", tmp_path / "out", code=1)
    assert re.search(r"a\.json: .*'player_ids'", said)
    assert "1 files were not imported, 1 were" in said
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_files_of_no_known_kind_are_named_or_passed_over(tmp_path: Path) -> None:
    stray = tmp_path / "notes.txt"
    stray.write_text("nothing", encoding="utf-8")
    assert "none of the kinds that are known" in run("import", stray, "-o", tmp_path / "out", code=1)
    assert "nothing to import" in run("import", tmp_path, "-o", tmp_path / "out", code=1)
    assert "No such file" in run("import", tmp_path / "gone.json", "-o", tmp_path / "out", code=1)
    assert "no kaggle game that can be read" in run("import", FANLANG, "-o", tmp_path, "--from", "kaggle", code=1)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
@pytest.mark.parametrize("lang", LANGS)
def test_every_game_is_shown(path: Path, lang: Lang, tmp_path: Path) -> None:
    game = one(path, tmp_path)
    for command in ("show", "watch"):
        for sight in ((), ("--reveal",), ("--as", "2")):
            said = run(command, game, "--lang", lang, *sight)
            assert path.name in said
            assert Vocabulary(lang).role("werewolf") in said
    events = [json.loads(line) for line in run("show", game, "--json", "--reveal").splitlines()]
    told = [event.to_json() for event in load(game).events if not isinstance(event.body, Note)]
    assert events == json.loads(json.dumps(told))


def test_names_and_source_are_shown(tmp_path: Path) -> None:
    said = run("show", one(KAGGLE, tmp_path), "--lang", "en")
    assert "Imported from kaggle.json (kaggle); rules: werewolf" in said
    assert "2 Bob lab/Bob" in said
    assert "The good side wins: All werewolves exiled." in said
    assert "Player 2 has the most votes and is voted out: a werewolf." in said


def test_a_game_without_an_end_is_shown_as_such(tmp_path: Path) -> None:
    path = changed(ARENA, tmp_path / "p.json", lambda data: data.update(winner=""))
    said = run("show", one(path, tmp_path / "out"), "--lang", "en")
    assert "its source tells no end" in said
    assert "resume" not in said


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_nobody_goes_on_with_an_imported_game(path: Path, tmp_path: Path) -> None:
    game = one(path, tmp_path)
    before = game.read_bytes()
    assert "imported from" in run("verify", game)
    assert "not played on" in run("resume", game, code=1)
    assert game.read_bytes() == before


def test_what_imported_games_cost_is_told(tmp_path: Path) -> None:
    told = json.loads(run("cost", one(KAGGLE, tmp_path), "--json"))
    assert {each["pending"] for each in told.values()} == {0}
    assert sum(each["calls"] for each in told.values()) == 8
    assert sum(each["tokens"]["prompt"] for each in told.values()) == 8 * 40
    assert sum(Decimal(each["usd"]) for each in told.values()) == Decimal("0.008"), "as the source has it"
    assert {each["tokens"]["cached"] for each in told.values()} == {None}
    assert "8 requests" not in run("show", one(KAGGLE, tmp_path / "show"), "--lang", "en")


def test_what_a_source_does_not_count_is_not_available(tmp_path: Path) -> None:
    """werewolf_arena keeps its calls, but neither tokens nor prices; alone, a game does not even keep its calls."""
    game = one(ARENA, tmp_path / "whole")
    for each in json.loads(run("cost", game, "--json")).values():
        assert each["calls"] > 0
        assert {*each["tokens"].values()} == {None, 0}, "estimated requests alone are nought"
        assert each["usd"] is each["fallbacks"] is None
    table = run("cost", game)
    assert "0.0000" not in table and "not available" in table
    said = run("show", game, "--lang", "en")
    assert "their tokens are not available" in said and "tokens in" not in said
    alone = tmp_path / "game_partial.json"
    alone.write_bytes(ARENA.read_bytes())
    game = one(alone, tmp_path / "alone")
    assert "0.0000" not in run("cost", game)
    assert "Model calls: not available" in run("show", game, "--lang", "en")
    assert "not available" in run("cost", one(AIWOLF[0], tmp_path / "aiwolf"))


def test_who_voted_for_whom_is_shown_to_eyes_that_see_the_votes(tmp_path: Path) -> None:
    """The players of werewolf_arena do not see the ballots."""
    game = one(ARENA, tmp_path)
    assert "Who voted for whom" not in run("show", game, "--lang", "en")
    table = run("show", game, "--lang", "en", "--reveal").partition("Who voted for whom")[2]
    assert re.search(r"Player 4 +doctor +3\b", table)


@pytest.mark.parametrize("lang", LANGS)
def test_every_word_for_imported_games_is_said(lang: Lang, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said: set[str] = set()
    plain = Vocabulary.say

    def watched(self: Vocabulary, key: str, **slots: object) -> str:
        said.add(key)
        return plain(self, key, **slots)

    monkeypatch.setattr(Vocabulary, "say", watched)
    for number, path in enumerate((ARENA, KAGGLE, FANLANG, AIWOLF[0])):
        run("show", one(path, tmp_path / str(number)), "--lang", lang, "--reveal")
    words = Vocabulary(lang)
    assert words.causes(("poison",)) != "poison"
    assert words.named("role", "cupid") == "cupid", "a card that nobody here knows"
    rare = ("role.", "is.", "over.draw", "checked.shake", "rules.")
    assert not {key for key in texts_of(lang, "foreign") if not key.startswith(rare)} - said
    assert texts_of("en", "foreign").keys() == texts_of("zh", "foreign").keys()


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_every_game_is_a_page(path: Path, tmp_path: Path) -> None:
    game = one(path, tmp_path)
    run("export-html", game, "-o", tmp_path / "game.html")
    seats = document(load(game), "truth")["game"]["seats"]
    header = load(game).header
    assert [(seat["role"], seat["side"]) for seat in seats] == list(
        zip(header.dealt().roles, header.sides, strict=True)
    )
    for lang in LANGS:
        assert {"game.foreign", "seat.gone_other", "seat.short_other", "role.werewolf"} <= set(page_words()[lang])
