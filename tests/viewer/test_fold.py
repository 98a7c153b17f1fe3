"""The page folds frames to the table that the views know, at every moment of every golden game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from importers.games import FANLANG, imported
from tianhei.arena.events import Event
from tianhei.arena.view import Record, Views
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.viewer.frames import document
from viewer.games import GOLDEN
from viewer.node import run


def by_name(seats: Any) -> dict[str, Any]:
    return {str(seat): value for seat, value in seats.items()}


def public(record: Record) -> dict[str, Any]:
    """What the public record knows, in the page's words."""
    return {
        "day": record.day,
        "phase": record.phase,
        "living": list(record.living),
        "dead": {str(seat): {"day": day, "how": how} for seat, (day, how) in record.dead.items()},
        "words": record.words_left,
        "outcome": record.outcome and {"winner": record.outcome.winner, "reason": record.outcome.reason},
        "votes": [{"day": vote.day, "stage": vote.stage, "votes": by_name(vote.ballots)} for vote in record.votes],
    }


def folded(told: dict[str, Any]) -> dict[str, Any]:
    dead = {seat: {"day": gone["day"], "how": gone["how"]} for seat, gone in told["dead"].items()}
    votes = [
        {name: vote[name] for name in ("day", "stage", "votes")}
        for vote in told["votes"]
        if vote["totals"] is None and vote["votes"]
    ]
    return {name: told[name] for name in public(EMPTY)} | {"dead": dead, "votes": votes}


EMPTY = Record(load(GOLDEN[0]).header.rules, 1, {}, (1,))


def records(recorded: Recording) -> list[tuple[Event, dict[str, Any]]]:
    views = Views(recorded.header.rules, recorded.header.counts, recorded.header.seed)
    found = []
    for event in recorded.events:
        views.add((event,))
        found.append((event, public(views.record)))
    return found


@pytest.mark.report("UI-05")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_prefix_folds_to_the_public_record(path: Path) -> None:
    recorded = load(path)
    (shown,) = run("folding.mjs", [{"document": document(recorded, "public"), "eyes": "public"}])
    was = [known for event, known in records(recorded) if event.audience == "public"]
    assert [folded(told) for told in shown] == was


@pytest.mark.parametrize("path", GOLDEN[::3], ids=lambda path: path.stem)
def test_a_seat_knows_what_its_view_knows(path: Path) -> None:
    recorded = load(path)
    views = Views(recorded.header.rules, recorded.header.counts, recorded.header.seed)
    views.add(recorded.events)
    seats = range(1, views.players + 1)
    truth = document(recorded, "truth")
    own = run("folding.mjs", [{"document": document(recorded, seat), "eyes": seat} for seat in seats])
    filtered = run("folding.mjs", [{"document": truth, "eyes": seat} for seat in seats])
    for seat, told, seen in zip(seats, own, filtered, strict=True):
        view = views.of(seat)
        assert told[-1] == seen[-1]
        assert told[-1]["mates"] == list(view.mates)
        assert told[-1]["note"] == view.note
        checks = [{"night": night, "target": target, "answer": answer} for night, target, answer in view.checks]
        assert told[-1]["checks"] == checks


@pytest.mark.parametrize("path", GOLDEN[1::3], ids=lambda path: path.stem)
def test_cards_are_known_to_whom_they_were_shown(path: Path) -> None:
    """Nobody's page shows a card that is not the true one; all of them show their own, and the truth shows all."""
    recorded = load(path)
    dealt = {str(seat): str(role) for seat, role in enumerate(recorded.header.dealt().roles, start=1)}
    seats = range(1, len(dealt) + 1)
    asked = [{"document": document(recorded, seat, ending=False), "eyes": seat} for seat in seats]
    for seat, shown in zip(seats, run("folding.mjs", asked), strict=True):
        known = shown[-1]["roles"]
        assert known[str(seat)] == dealt[str(seat)]
        for other, role in known.items():
            assert role == dealt[other] or (role in ("not_killer", "good") and dealt[other] != "killer")
    (whole,) = run("folding.mjs", [{"document": document(recorded, "truth"), "eyes": "truth"}])
    assert all(told["roles"] == dealt for told in whole)


def test_speeches_that_nobody_called_are_speeches(tmp_path: Path) -> None:
    """Of an imported game the page tells the stage by what is said, since its judge calls none."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(imported(FANLANG).to_bytes())
    told = document(load(path), "public")
    (shown,) = run("folding.mjs", [{"document": told, "eyes": "public"}])
    stages = [(frame["kind"], state["stage"]) for frame, state in zip(told["frames"], shown, strict=True)]
    assert [stage for kind, stage in stages if kind == "speech"] == ["speeches", "speeches", "pk", "pk", "speeches"]
    assert [stage for kind, stage in stages if kind == "dawn"] == ["night", "night"]
    assert {stage for kind, stage in stages if kind == "ballots"} == {"vote"}


def test_the_most_voted_come_first_and_ties_by_seat() -> None:
    for path in GOLDEN:
        (shown,) = run("folding.mjs", [{"document": document(load(path), "public"), "eyes": "public"}])
        for most in shown[-1]["most"]:
            assert most == sorted(most, key=lambda row: (-row[1], row[0]))
