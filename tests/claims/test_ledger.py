"""The ledger of a whole game: sources kept apart, words linked, truth, withholding, grounding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from players import header, play_game
from tianhei.arena.claims import Claim
from tianhei.arena.cli import main
from tianhei.arena.host import Sitter
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View
from tianhei.transcripts.claims import Statement, grounding, ledger, statements, withheld
from tianhei.transcripts.game import Recording, load

GOLDEN = Path(__file__).resolve().parents[2] / "transcripts" / "golden"
DEAL = (Role.KILLER, Role.KILLER, Role.POLICE, Role.POLICE, *(Role.CIVILIAN,) * 4)
Lines = Mapping[tuple[int, Seat], tuple[str, tuple[Claim, ...] | None]]


class Talker:
    """Says its lines by day; in the night it names, and by day it votes for, whom it is told to."""

    def __init__(self, lines: Lines, choices: Mapping[str, Seat]) -> None:
        self._lines, self._choices = lines, choices

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        if request.kind in ("speech", "last_words"):
            text, claims = self._lines.get((view.record.day, view.seat), ("", None))
            return Reply(Answer(text=text, claims=claims))
        chosen = self._choices.get(f"{request.kind}{view.record.day}")
        if request.kind == "vote" and chosen == view.seat:
            chosen = next(seat for seat in request.options if seat != view.seat)
        return Reply(Answer(target=chosen if chosen in request.options else None))


def played(path: Path, lines: Lines, lang: str = "en") -> Recording:
    """Killers 1 and 2, police 3 and 4. Night 1: 8 dies, 1 is checked. Day 1: 5 is voted out. Night 2: 7 dies."""
    choices = {"kill1": 8, "check1": 1, "vote1": 5, "kill2": 7, "check2": 6, "vote2": 1, "kill3": 6, "vote3": 2}
    counts = {"killer": 2, "police": 2, "civilian": 4}
    rules = {"vote_form": "simultaneous", "kill_teammate": "forbidden", "last_words": "none"}
    head = replace(header(counts, rules=rules, lang=lang), deal=DEAL)
    play_game(path, head, {seat: Sitter(Talker(lines, choices)) for seat in range(1, 9)})
    return load(path)


def test_declared_and_extracted_claims_are_kept_apart_and_stand_by_their_words(tmp_path: Path) -> None:
    text = "Good morning. I checked 1 on night 1: killer. Vote 1."
    declared = (Claim("check", 1, "killer", 1), Claim("accuse", 2))
    entries = ledger(played(tmp_path / "g.jsonl", {(1, 3): (text, declared)}))
    assert [(entry.source, entry.claim) for entry in entries] == [
        ("declared", Claim("check", 1, "killer", 1)),
        ("declared", Claim("accuse", 2)),
        ("extracted", Claim("check", 1, "killer", 1)),
        ("extracted", Claim("vote", 1)),
    ]
    words = [None if entry.start is None else text[entry.start : entry.end] for entry in entries]
    assert words == ["I checked 1", None, "I checked 1", "Vote 1"]
    assert [entry.truth for entry in entries] == ["truth", "lucky", "truth", None]
    assert {(entry.day, entry.seat) for entry in entries} == {(1, 3)}


def test_what_was_learned_later_does_not_make_an_earlier_claim_a_lie(tmp_path: Path) -> None:
    said = ("", (Claim("accuse", 6),))
    entries = ledger(played(tmp_path / "g.jsonl", {(1, 3): said, (2, 3): said}))
    assert [(entry.day, entry.truth) for entry in entries] == [(1, "mistake"), (2, "lie")]


def test_every_declared_claim_of_a_recorded_game_is_there_once(tmp_path: Path) -> None:
    recorded = load(GOLDEN / "classic_scripted.jsonl")
    entries = [entry for entry in ledger(recorded) if entry.source == "declared"]
    events = recorded.events
    want = [
        (index, claim)
        for index, event in enumerate(events)
        if event.body.kind in ("speech", "last_words")
        for claim in dict.fromkeys(getattr(event.body, "claims", None) or ())
    ]
    assert want
    assert [(entry.event, entry.claim) for entry in entries] == want
    for entry in ledger(recorded):
        if entry.start is not None and entry.end is not None:
            assert 0 <= entry.start < entry.end <= len(getattr(events[entry.event].body, "text", ""))


def test_officers_withhold_until_one_of_them_has_told(tmp_path: Path) -> None:
    assert withheld(played(tmp_path / "mute.jsonl", {})) != ()
    kept = withheld(played(tmp_path / "silent.jsonl", {(1, 3): ("I pass.", None), (1, 4): ("5 looks bad.", None)}))
    assert {(one.day, one.seat, one.about, one.night) for one in kept if one.day == 1} == {(1, 3, 1, 1), (1, 4, 1, 1)}
    told = withheld(played(tmp_path / "told.jsonl", {(1, 4): ("I checked 1, a killer.", None)}))
    assert told == ()


def test_an_officer_who_came_out_tells_by_naming_the_killer(tmp_path: Path) -> None:
    """Who says that he is police and names a killer has told; who only accuses, or comes out later, has not."""
    told = {(1, 3): ("", (Claim("role", 3, "police"), Claim("accuse", 1, "killer")))}
    assert withheld(played(tmp_path / "told.jsonl", told)) == ()
    before = {(1, 3): ("", (Claim("role", 3, "police"),)), (2, 3): ("", (Claim("role", 1, "killer"),))}
    assert {one.day for one in withheld(played(tmp_path / "before.jsonl", before))} == {1}
    hidden = {(1, 3): ("", (Claim("accuse", 1, "killer"),)), (2, 3): ("", (Claim("role", 3, "police"),))}
    assert {one.day for one in withheld(played(tmp_path / "hidden.jsonl", hidden))} == {1, 2}


def test_a_killer_that_reports_a_check_tells_nothing_for_the_police(tmp_path: Path) -> None:
    said = {(1, 2): ("", (Claim("check", 1, "killer", 1),))}
    assert {one.seat for one in withheld(played(tmp_path / "g.jsonl", said))} == {3, 4}


LINES: Lines = {
    (1, 3): ("I'm the cop and I checked 1: killer.", None),
    (2, 6): ("2 voted for 5 yesterday, 1 voted for 6 on day 1, 7 died last night and 8 was voted out.", None),
    (2, 2): ("3 claimed cop. 4 claimed cop. 3 says he checked 1. We voted 5 out.", None),
}


def by_pair(found: tuple[Statement, ...]) -> dict[tuple[str, Seat, Seat], bool | None]:
    return {(one.stated.what, one.stated.by, one.stated.seat): one.true for one in found}


def test_statements_about_the_record_are_looked_up(tmp_path: Path) -> None:
    recorded = played(tmp_path / "g.jsonl", LINES)
    assert by_pair(statements(recorded)) == {
        ("voted", 2, 5): True,
        ("voted", 1, 6): False,
        ("died", 0, 7): True,
        ("out", 0, 8): False,
        ("claimed", 3, 3): True,
        ("claimed", 4, 4): False,
        ("claimed", 3, 1): True,
        ("out", 0, 5): True,
    }
    assert grounding(recorded) == pytest.approx(5 / 8)


def test_a_retold_claim_is_not_called_false_where_its_speaker_said_something_that_was_not_read(tmp_path: Path) -> None:
    lines: Lines = {(1, 4): ("Six and I had a moment last night, ask Player 6.", None), (2, 6): ("4 checked 6.", None)}
    assert by_pair(statements(played(tmp_path / "g.jsonl", lines))) == {("claimed", 4, 6): None}


def test_a_game_without_statements_has_no_grounding(tmp_path: Path) -> None:
    assert grounding(played(tmp_path / "g.jsonl", {})) is None


def test_chinese_speeches_are_read_in_chinese(tmp_path: Path) -> None:
    lines: Lines = {(1, 3): ("我跳警，第一夜验1号，匪，今天归1号。", None), (2, 6): ("昨天2号投了5号。", None)}
    recorded = played(tmp_path / "g.jsonl", lines, "zh")
    assert [entry.claim for entry in ledger(recorded)] == [
        Claim("role", 3, "police"), Claim("check", 1, "killer", 1), Claim("vote", 1),
    ]  # fmt: skip
    assert [entry.truth for entry in ledger(recorded)] == ["truth", "truth", None]
    assert by_pair(statements(recorded)) == {("voted", 2, 5): True}


def test_the_command_prints_a_table_and_json(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    played(path, {**LINES, (1, 1): ("I'm the cop.", None)})
    table = CliRunner().invoke(main, ["claims", str(path)])
    assert table.exit_code == 0
    assert "lie · fabrication" in table.output
    assert "8, of which 5 are true" in table.output
    rows = [json.loads(line) for line in CliRunner().invoke(main, ["claims", "--json", str(path)]).output.splitlines()]
    lies = [row for row in rows if row.get("truth") == "lie"]
    assert [(row["seat"], row["kind"], row["about"], row["what"], row["lie_type"]) for row in lies] == [
        (1, "role", 1, "police", "fabrication")
    ]
    assert sum("record" in row for row in rows) == 8
    declared = CliRunner().invoke(main, ["claims", "--json", "--from", "declared", str(path)])
    assert declared.output == ""


def test_a_claim_that_was_declared_and_read_is_one_row(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    played(path, {(1, 1): ("I'm the cop.", (Claim("role", 1, "police"), Claim("clear", 5)))})
    assert len(ledger(load(path))) == 3
    lines = CliRunner().invoke(main, ["claims", str(path), "--lang", "en"], env={"COLUMNS": "200"}).output.splitlines()
    rows = [line.split() for line in lines if "Player" in line]
    assert [("declared" in row, "both" in row) for row in rows if row[0] == "1"] == [(False, True), (True, False)]
    assert any("both: the same claim in either" in line for line in lines)


def test_the_command_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("no transcript\n", encoding="utf-8")
    outcome = CliRunner().invoke(main, ["claims", str(path)])
    assert outcome.exit_code == 1
    assert str(path) in outcome.output
