"""Imported games have the tables that their sources can fill, and nothing made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from columns.games import rows
from columns.test_tables import shaped
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import Tables
from tianhei.transcripts.file import parse
from tianhei.transcripts.game import recording
from tianhei.transcripts.importers import files_of, read_file

SMALL = Path(__file__).parents[1] / "importers" / "small"
FILES = list(files_of(iter([SMALL])))


def imported(path: Path) -> Tables:
    """The tables of a foreign file."""
    found = read_file(path)
    assert found is not None
    return tables_of(recording(parse(found.to_bytes()), path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_imported_game_has_tables(path: Path) -> None:
    found = imported(path)
    shaped(found)
    game = {column: values[0] for column, values in found["games"].items()}
    assert game["source_format"] != "tianhei" and game["rule_game"] not in ("classic", "butterfly")
    assert len(found["seats"]["seat"]) == game["seats_n"]
    assert found["seats"]["side"].count("killers") == game["killers_n"] > 0
    for absent in ("board", "seed", "channels", "theme", "handicap"):
        assert game[absent] is None, absent
    assert set(found["requests"]["options_n"]) <= {None}
    assert set(found["nights"]["legal"]) <= {None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_its_votes_are_by_the_living(path: Path) -> None:
    found = imported(path)
    gone = dict(rows(found, "seats", "seat", "died_day", survived=False))
    assert found["votes"]["seat"], "each of the small files holds a vote"
    for seat, day, alive, k, good, bad in rows(
        found, "votes", "seat", "day", "alive_n", "killers_alive_n", "known_good_n", "known_killers_n"
    ):
        assert seat not in gone or day <= gone[seat]
        assert 0 < k < alive and 1 <= good + bad <= alive


def test_a_foreign_night_action_keeps_its_name() -> None:
    found = imported(SMALL / "kaggle.json")
    assert "heal" in found["nights"]["action"]
    assert {effect for action, effect in rows(found, "nights", "action", "effect") if action == "heal"} == {None}
