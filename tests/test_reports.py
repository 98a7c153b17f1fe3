"""Faults that were reported of other arenas, each with its input and the outcome that is right here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from players import CLASSIC_SEVEN, ByLot, FakeModel, fitting, header, models, play_game, random_referee, views_of
from tianhei.arena.chance import Deal, Keyed
from tianhei.arena.events import Dawn, Drawn, Stated, VotedOut
from tianhei.arena.player import Prompt
from tianhei.arena.referee import Referee
from tianhei.arena.requests import ABSENT, Answer
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import make
from tianhei.arena.view import Views

NIGHT_ONLY = ("kill", "check")


@pytest.mark.report("RU-C1")
@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_every_seats_roster_is_who_lives_after_every_event(game: str) -> None:
    for seed in range(30):
        referee = random_referee(seed, game)
        seats = range(1, referee.players + 1)
        player, living = ByLot(seed), set(seats)
        dealt = views_of(referee)
        views, seen = Views(referee.rules, dealt.record.counts, 0), 0
        while True:
            for wave in referee.waves[seen:]:
                views.add(wave.events)
                for event in wave.events:
                    if isinstance(event.body, Dawn):
                        living -= set(event.body.dead)
                    elif isinstance(event.body, VotedOut):
                        living.discard(event.body.seat)
                assert all(set(views.of(seat).record.living) == living for seat in seats)
                assert all(set(views.of(seat).others) == living - {seat} for seat in seats)
            seen = len(referee.waves)
            if not referee.pending:
                break
            for request in referee.pending:
                assert request.seat in living or request.kind == "last_words"
                referee.answer(request.id, player.answer(request))


@pytest.mark.report("RU-C2")
def test_a_seat_without_a_usable_vote_stays_a_candidate_and_keeps_its_votes() -> None:
    rules = {"first_phase": "day", "vote_form": "simultaneous", "max_days": 1}
    referee = Referee(make("classic", rules), Deal((Role.KILLER, Role.KILLER, Role.POLICE, *[Role.CIVILIAN] * 4)),
                      Keyed(1))  # fmt: skip
    while referee.outcome is None:
        for request in referee.pending:
            choice = Answer(target=4) if request.seat == 1 else ABSENT
            referee.answer(request.id, choice if request.kind == "vote" else Answer())
    out = [event.body.seat for wave in referee.waves for event in wave.events if isinstance(event.body, VotedOut)]
    assert out == [4]


@pytest.mark.report("RU-C3")
@pytest.mark.parametrize("vote_form", ["simultaneous", "called"])
def test_where_nobody_votes_nobody_leaves_and_no_lot_is_drawn(vote_form: str) -> None:
    rules = {"first_phase": "day", "vote_form": vote_form, "max_days": 1, "final_tie": "lot"}
    referee = Referee(make("classic", rules), Deal((Role.KILLER, Role.KILLER, Role.POLICE, *[Role.CIVILIAN] * 4)),
                      Keyed(1))  # fmt: skip
    while referee.outcome is None:
        for request in referee.pending:
            referee.answer(request.id, ABSENT)
    bodies = [event.body for wave in referee.waves for event in wave.events]
    assert not [body for body in bodies if isinstance(body, VotedOut)]
    assert {body.purpose for body in bodies if isinstance(body, Drawn)} <= {"deal", "first_speaker"}


@pytest.mark.report("HI-06")
def test_a_dead_killer_is_not_asked_and_nothing_of_his_reaches_the_team() -> None:
    rules = {"first_phase": "day", "vote_form": "simultaneous"}
    cards = (Role.KILLER, Role.KILLER, Role.KILLER, Role.POLICE, Role.POLICE, *[Role.CIVILIAN] * 6)
    referee = Referee(make("classic", rules), Deal(cards), Keyed(1))
    asked: list[tuple[str, int]] = []
    while referee.outcome is None and len(referee.waves) < 200:
        for request in referee.pending:
            out = {event.body.seat for wave in referee.waves for event in wave.events
                   if isinstance(event.body, VotedOut)}  # fmt: skip
            if request.kind in NIGHT_ONLY:
                asked.append((request.kind, request.seat))
                assert request.seat not in out
            target = 1 if request.kind == "vote" and 1 in request.options else next(iter(request.options), None)
            targeted = request.kind in ("vote", *NIGHT_ONLY)
            referee.answer(request.id, Answer(target=target if targeted else None))
    assert {seat for kind, seat in asked if kind == "kill"} == {2, 3}
    for wave in referee.waves:
        for event in wave.events:
            if isinstance(event.body, Stated):
                assert event.body.by != 1 and isinstance(event.audience, tuple) and 1 not in event.audience


@pytest.mark.report("HI-08")
def test_nothing_of_one_game_is_in_the_prompts_of_the_next(tmp_path: Path) -> None:
    class Canary(FakeModel):
        def __init__(self, mark: str) -> None:
            super().__init__(lambda prompt: _marked(prompt, mark))

    first, second = Canary("QKXWV"), Canary("ZJPFH")
    players = models(7, first)
    rules = {"max_days": 1, "first_phase": "day", "vote_form": "simultaneous"}
    play_game(tmp_path / "1", header(CLASSIC_SEVEN, rules=rules), players)
    again = {seat: type(sitter)(sitter.player, sitter.source, second) for seat, sitter in players.items()}
    play_game(tmp_path / "2", header(CLASSIC_SEVEN, seed=2, rules=rules), again)
    assert any("QKXWV" in _words(prompt) for prompt in first.prompts.values())
    assert any("ZJPFH" in _words(prompt) for prompt in second.prompts.values())
    assert not [call for call, prompt in second.prompts.items() if "QKXWV" in _words(prompt)]


def _words(prompt: Prompt) -> str:
    return prompt.system + prompt.public + prompt.private


def _marked(prompt: Prompt, mark: str) -> str:
    reply = json.loads(fitting(prompt))
    for field in ("speech", "note", "thought", "words", "last_words"):
        if field in reply:
            reply[field] = f"{mark} {reply[field]}"
    return json.dumps(reply)


def test_every_report_has_its_test() -> None:
    """Each id of the list stands in a marker, or among the cases that the proof plays one by one."""
    folder = Path(__file__).parent
    played = json.loads((folder / "proof" / "public_reports.json").read_text("utf-8"))
    named = set(re.findall(r"[A-Z]{2}-C?\d+", json.dumps(played)))
    for path in folder.rglob("*.py"):
        for marks in re.findall(r"mark\.report\(([^)]*)\)", path.read_text("utf-8")):
            named |= set(re.findall(r"[A-Z]{2}-C?\d+", marks))
    assert set((folder / "public_reports.txt").read_text().split()) - named == set()
