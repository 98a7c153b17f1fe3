"""What each importer reads from a small file whose game is known."""

import json
from pathlib import Path
from typing import Any

import pytest

from importers.games import AIWOLF, ARENA, EVERY, FANLANG, KAGGLE, bodies, changed, foreign, loaded
from tianhei.arena.events import (
    JUDGE,
    PUBLIC,
    Acted,
    Agreed,
    Ballots,
    Checked,
    Dawn,
    LastWords,
    Mates,
    Over,
    Resolved,
    Revealed,
    Speech,
    Stated,
    Tied,
    VotedOut,
)
from tianhei.arena.view import Views
from tianhei.transcripts.claims import ledger, withheld
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.game import Recording
from tianhei.transcripts.manners import manners


def replies(recorded: Recording) -> dict[str, tuple[object, str, str]]:
    """Every reply by its request: whom it named or what it said, its source and its thought."""
    return {
        request: (reply.answer.target or reply.answer.text, reply.source, reply.thought)
        for wave in recorded.waves
        for request, reply in wave.replies.items()
    }  # fmt: skip


def gone(recorded: Recording) -> dict[int, tuple[int, str]]:
    """The dead as the public record has them."""
    views = Views(recorded.header.rules, recorded.header.counts)
    views.add(recorded.events)
    return views.record.dead


def test_werewolf_arena() -> None:
    game = loaded(ARENA)
    header = game.header
    assert header.source is not None
    assert (header.source.format, list(header.source.files)) == (
        "werewolf_arena",
        ["game_complete.json", "game_logs.json"],
    )
    assert [spec.name for spec in header.seats] == ["Ann", "Ed", "Bob", "Cy", "Di"]
    assert [spec.model for spec in header.seats] == ["m/two", "m/one", "m/two", "m/one", "m/two"]
    assert header.dealt().roles == ("villager", "villager", "werewolf", "doctor", "seer")
    assert header.sides == ("good", "good", "killers", "good", "good")
    assert bodies(game, Agreed) == [Agreed("kill", 2)]
    assert bodies(game, Checked) == [Checked(3, "werewolf")]
    assert bodies(game, Dawn) == [Dawn((2,))]
    assert bodies(game, Resolved) == [Resolved({"kill": 2, "check": 3}, {2: ("kill",)})]
    assert bodies(game, Speech) == [
        Speech(5, "I am the Seer: Bob is a Werewolf."),
        Speech(3, "Di lies. I am the Seer."),
    ]
    assert bodies(game, VotedOut) == [VotedOut(3)]
    assert gone(game) == {2: (1, "night"), 3: (1, "vote")}
    assert game.end is not None
    assert (game.end["winner"], game.end["day"]) == ("good", 1)


def test_the_last_poll_is_the_vote_and_nobody_is_shown_it() -> None:
    game = loaded(ARENA)
    votes = [event for event in game.events if isinstance(event.body, Ballots)]
    assert [(event.audience, event.body) for event in votes] == [(JUDGE, Ballots("round", {1: 3, 3: 5, 4: 3, 5: 3}))]
    assert [event.body.data for event in foreign(game, "poll")] == [  # type: ignore[attr-defined]
        {"turn": 1, "votes": {"1": 5, "3": 5, "4": 3, "5": 3}}
    ]
    told = replies(game)
    assert told["d1.poll1.01"] == (5, "model", "Ann thinks Di.")
    assert told["d1.vote1.01"] == (3, "model", "Ann thinks Bob.")


def test_the_calls_of_werewolf_arena_stand_with_their_requests() -> None:
    game = loaded(ARENA)
    calls = {call["call"]: call["private"] for call in game.sent}
    assert calls["d1.speech1.05#1"] == "You are Di. say?"
    assert game.done["d1.speech1.05#1"]["done"].startswith('{"reasoning": "Now or never."')
    assert len(game.sent) == len(game.done) == 2 + 7 + 2 + 8 + 1  # night, bids, speeches, two polls, a summary


def test_without_its_logs_a_game_has_no_calls(tmp_path: Path) -> None:
    alone = tmp_path / "game_partial.json"
    alone.write_bytes(ARENA.read_bytes())
    game = loaded(alone)
    assert game.sent == []
    assert len(bodies(game, Speech)) == 2


def test_kaggle() -> None:
    game = loaded(KAGGLE)
    header = game.header
    assert header.source is not None
    assert header.source.rules["seed"] == 7
    assert "agents" not in header.source.rules
    assert [(spec.name, spec.player, spec.model) for spec in header.seats] == [
        ("Ann", "lab/Ann", "m-0"), ("Bob", "lab/Bob", "m-1"), ("Cy", "lab/Cy", "m-0"), ("Di", "lab/Di", "m-1"),
    ]  # fmt: skip
    assert header.dealt().roles == ("villager", "werewolf", "doctor", "seer")
    assert header.started == "2025-11-10 16:58:04.500000+00:00"
    assert bodies(game, Dawn) == [Dawn(())]
    assert bodies(game, Resolved) == [Resolved({"kill": 1, "check": 2}, {}, (1,))]
    assert bodies(game, Checked) == [Checked(2, "werewolf")]
    assert bodies(game, Stated) == [Stated(2, 1, "", 1)]
    assert bodies(game, Ballots) == [Ballots("round", {1: 2, 2: 4, 4: 2})]
    assert bodies(game, VotedOut) == [VotedOut(2, "werewolf")]
    assert bodies(game, Over) == [Over("good", "All werewolves exiled.")]


def test_what_kaggle_logs_twice_is_one_reply_and_keeps_what_was_really_said() -> None:
    game = loaded(KAGGLE)
    assert bodies(game, Speech) == [
        Speech(4, "I am the Seer. Bob is a Werewolf."),
        Speech(2, "I never eliminate anybody."),
    ]
    told = replies(game)
    assert told["d1.speech1.02"] == ("I never kill anybody.", "model", "Deny.")
    assert told["n1.heal1.03"] == (1, "model", "Ann looks weak.")
    assert len(told) == 3 + 2 + 3  # night, speeches, votes
    assert len(game.done) == len(told)
    assert {call["usage"]["prompt"] for call in game.done.values()} == {40}
    assert {call["cost"] for call in game.done.values()} == {0.001}


@pytest.mark.parametrize("path", AIWOLF, ids=lambda path: path.suffix)
def test_aiwolf_from_each_of_its_logs(path: Path) -> None:
    game = loaded(path)
    assert game.header.dealt().roles == ("villager", "werewolf", "seer", "possessed", "bodyguard")
    assert game.header.sides == ("good", "killers", "good", "killers", "good")
    assert [spec.player for spec in game.header.seats] == [f"team{seat}" for seat in range(1, 6)]
    said = [(event.day, event.body.by, event.body.text) for event in game.events if isinstance(event.body, Speech)]
    assert said == [
        (0, 1, "Hello, all, I am Ada."), (0, 2, ""), (0, 2, "Hi."), (0, 1, ""),
        (1, 3, "I am the seer; Ben is a werewolf."), (1, 2, "No."), (2, 5, "Ben it is."),
    ]  # fmt: skip
    assert bodies(game, Ballots) == [
        Ballots("round", {1: 2, 2: 3, 3: 2, 4: 3, 5: 5}),
        Ballots("revote", {1: 3, 2: 3, 3: 2, 4: 3, 5: 2}),
        Ballots("round", {1: 2, 2: 5, 4: 5, 5: 2}),
    ]
    assert bodies(game, VotedOut) == [VotedOut(3), VotedOut(5)]
    assert [(event.day, event.body) for event in game.events if isinstance(event.body, Dawn)] == [
        (1, Dawn(())), (2, Dawn(())), (3, Dawn((1,))),
    ]  # fmt: skip
    assert [(e.day, e.audience, e.body) for e in game.events if isinstance(e.body, Acted)] == [
        (1, (3,), Acted("check", 2)),
    ]  # fmt: skip
    shown = [] if path.suffix == ".jsonl" else [Checked(2, "nod")]  # the realtime log does not tell it
    assert bodies(game, Checked) == shown
    assert bodies(game, Agreed)[-1] == Agreed("kill", 1)
    assert gone(game) == {3: (1, "vote"), 5: (2, "vote"), 1: (3, "night")}
    assert game.end is not None
    assert game.end["winner"] == "killers"


def test_a_pass_of_aiwolf_keeps_the_word_it_was_given_by() -> None:
    told = replies(loaded(AIWOLF[0]))
    assert told["d0.speech1.02"][0] == "Skip"
    assert told["d0.speech2.01"][0] == "Over"


def test_the_json_log_tells_what_was_answered_and_how_long_it_took() -> None:
    game = loaded(AIWOLF[2])
    assert replies(game)["d1.speech1.03"][0] == "I am the seer; Ben is a werewolf. And more than may be said."
    asked = [event.body.data for event in foreign(game, "request")]  # type: ignore[attr-defined]
    assert {"request": "d0.speech1.01", "seconds": 0.25, "remain_count": 9} in asked
    assert game.header.source is not None
    assert game.header.source.rules["vote_visibility"] is True


def test_fanlang9() -> None:
    game = loaded(FANLANG)
    assert game.header.lang == "zh"
    assert [spec.player for spec in game.header.seats] == ["a1", "b2", "c3", "d4", "e5"]
    assert game.header.dealt().roles == ("werewolf", "seer", "witch", "hunter", "villager")
    assert bodies(game, Resolved) == [
        Resolved({"kill": 5, "check": 1}, {}, (5,)),
        Resolved({"kill": 3}, {3: ("kill",)}),
    ]
    assert bodies(game, Checked) == []  # the file does not tell what the seer was shown
    assert bodies(game, Speech) == [
        Speech(2, "我是预言家，1号查杀。"), Speech(1, "2号悍跳，归票2号。"),
        Speech(2, "信我。", "pk"), Speech(1, "信我才对。", "pk"), Speech(5, "过。"),
    ]  # fmt: skip
    assert bodies(game, LastWords) == [LastWords(2, "你们会后悔的。", 1)]
    assert bodies(game, Ballots) == [
        Ballots("round", {1: 2, 2: 1, 3: 1, 4: 2, 5: None}), Ballots("pk", {3: None, 4: 2, 5: 2}),
    ]  # fmt: skip
    assert bodies(game, Tied) == [Tied((1, 2), "pk")]
    assert gone(game) == {2: (1, "vote"), 3: (2, "night"), 1: (2, "other")}
    assert {source for _, source, _ in replies(game).values()} == {"human"}


def test_the_order_of_a_day_is_kept() -> None:
    kinds = [event.body.kind for event in loaded(FANLANG).events if event.audience == PUBLIC and event.day == 1]
    assert kinds == [
        "called", "dawn", "speech", "speech", "ballots", "tied", "speech", "speech", "ballots", "voted_out",
        "last_words",
    ]  # fmt: skip


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_each_knows_its_card_and_wolves_alone_know_one_another(path: Path) -> None:
    game = loaded(path)
    views = Views(game.header.rules, game.header.counts)
    views.add(game.events)
    roles = game.header.dealt().roles
    wolves = {seat for seat, role in enumerate(roles, start=1) if str(role) == "werewolf"}
    for seat, role in enumerate(roles, start=1):
        view = views.of(seat)
        assert (view.role, view.side) == (role, game.header.sides[seat - 1])
        assert set(view.mates) == (wolves - {seat} if seat in wolves else set())


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_nobody_is_mistaken_or_lucky_about_his_own_card(path: Path) -> None:
    entries = ledger(loaded(path))
    own = {entry.truth for entry in entries if entry.claim.kind == "role" and entry.claim.seat == entry.seat}
    assert own
    assert own <= {"truth", "lie"}


def test_wolves_of_kaggle_know_whom_they_were_told_of(tmp_path: Path) -> None:
    def second(data: Any) -> None:
        """Cy is a werewolf too, and Bob is asked for his vote with both."""
        asked: dict[str, str] = {}
        events = data["info"]["MODERATOR_OBSERVATION"]
        for entry in events[0]:
            event = json.loads(entry["json_str"])
            if event["event_name"] == "game_start" and event["data"]["player_id"] == "Cy":
                event["data"] |= {"team": "Werewolves", "role": "Werewolf"}
                entry["json_str"] = json.dumps(event)
            if event["event_name"] == "heal_request":
                told = {"alive_werewolve_player_ids": ["Bob", "Cy"]}
                event |= {"event_name": "vote_request", "visible_to": ["Bob", "Cy"], "data": told}
                asked = {"data_type": "RequestWerewolfVotingDataEntry", "json_str": json.dumps(event)}
        events[0].append(asked)

    game = loaded(changed(KAGGLE, tmp_path / "k.json", second))
    assert [(event.audience, event.body) for event in game.events if isinstance(event.body, Mates)] == [
        ((2, 3), Mates((2, 3)))
    ]


@pytest.mark.parametrize("path", [ARENA, KAGGLE, AIWOLF[0]], ids=lambda path: path.name)
def test_a_seer_that_comes_out_and_names_the_wolf_keeps_nothing_back(path: Path) -> None:
    assert bodies(loaded(path), Checked)
    assert withheld(loaded(path)) == ()


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        (ARENA, []),
        (FANLANG, []),
        (KAGGLE, ["check", "heal", "kill", "speech", "vote"]),
        (AIWOLF[0], ["speech"]),
        (AIWOLF[1], ["speech"]),
        (AIWOLF[2], ["check", "guard", "kill", "speech", "vote"]),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_failures_are_counted_where_the_source_tells_of_them(path: Path, kinds: list[str]) -> None:
    game = loaded(path)
    assert game.notes[0]["accounted"] == kinds
    assert game.accounted == frozenset(kinds)
    requests = tables_of(game)["requests"]
    told = {kind for kind, faults in zip(requests["kind"], requests["faults"], strict=True) if faults is not None}
    assert told == set(kinds)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_every_game_shows_its_cards_at_the_end_and_can_be_studied(path: Path) -> None:
    game = loaded(path)
    assert bodies(game, Revealed) == [Revealed(game.header.dealt().roles)]
    rows = {row.measure.name: row.of for row in manners([game])}
    assert rows["foreign_roles"] == rows["cut_at_the_limit"] == 0, "no figure where nothing can be known"
    assert rows["repeats_itself"] >= 0
    assert game.notes[0]["unknown"] == {}
