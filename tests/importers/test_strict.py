"""Importers lose nothing and make nothing up: what they do not know is kept and named, what is broken is refused."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from importers.games import AIWOLF, ARENA, EVERY, FANLANG, KAGGLE, bodies, changed, foreign, imported, loaded
from tianhei.arena.events import Ballots, Checked, Dawn, Foreign, Over, Revealed, Speech
from tianhei.arena.roles import Role, Side
from tianhei.transcripts.file import TranscriptError, parse
from tianhei.transcripts.game import recording
from tianhei.transcripts.header import header_from_json
from tianhei.transcripts.importers import IMPORTERS, NotRead, files_of, read_file
from tianhei.transcripts.manners import manners
from tianhei.transcripts.replay import verified

Change = Callable[[Any], None]


def event_of(data: Any, kind: str) -> tuple[dict[str, str], dict[str, Any]]:
    """The moderator's first event of a kind in a Kaggle episode: its entry, and what the entry holds."""
    entries = (entry for step in data["info"]["MODERATOR_OBSERVATION"] for entry in step)
    entry = next(entry for entry in entries if entry["data_type"] == kind)
    return entry, json.loads(entry["json_str"])


def in_event(kind: str, change: Change) -> Change:
    def apply(data: Any) -> None:
        entry, event = event_of(data, kind)
        change(event)
        entry["json_str"] = json.dumps(event)

    return apply


@pytest.mark.parametrize(
    ("path", "change", "unknown"),
    [
        (ARENA, lambda data: data["rounds"][0].update(mood=3), "round.mood"),
        (ARENA, lambda data: data["players"]["Cy"].update(hat="red"), "player.hat"),
        (ARENA, lambda data: data.update(jury=[]), "file.jury"),
        (KAGGLE, lambda data: data.update(jury=[]), "file.jury"),
        (KAGGLE, lambda data: data["info"].update(jury=[]), "info.jury"),
        (KAGGLE, in_event("ChatDataEntry", lambda event: event["data"].update(tone="low")), "action.tone"),
        (KAGGLE, in_event("ChatDataEntry", lambda event: event.update(weather="rain")), "event.weather"),
        (KAGGLE, in_event("DiscussionOrderDataEntry", lambda event: event.update(event_name="omen")), "omen.data_type"),
        (FANLANG, lambda data: data["game_state"]["Day 1 Night"].update(Guard=2), "Night.Guard"),
        (FANLANG, lambda data: data["game_state"]["Day 1 Daytime"].update(Sheriff=2), "Daytime.Sheriff"),
        (FANLANG, lambda data: data["game_state"].update(Sheriff=2), "game_state.Sheriff"),
        (FANLANG, lambda data: data["audio"].update(noise={"text": "x"}), "audio.noise"),
        (FANLANG, lambda data: next(iter(data["audio"].values())).update(mood="low"), "audio.mood"),
        (FANLANG, lambda data: data["game_state"]["final"].update({"4": "shot"}), "final.4"),
        (FANLANG, lambda data: data["game_state"].update({"Game Result": "Nobody"}), "Game Result.Nobody"),
        (AIWOLF[2], lambda data: data["entries"][9].update(mood=3), "entry.mood"),
        (AIWOLF[2], lambda data: data["agents"][0].update(hat="red"), "agent.hat"),
        (AIWOLF[2], lambda data: data.update(jury=[]), "log.jury"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_kept_and_named(path: Path, change: Change, unknown: str, tmp_path: Path) -> None:
    plain = loaded(path)
    copy = changed(path, tmp_path / path.name, change)
    (tmp_path / "game_logs.json").write_bytes((ARENA.parent / "game_logs.json").read_bytes())
    found = imported(copy)
    assert found.book.unknown[unknown] == 1
    game = recording(parse(found.to_bytes()), path)
    assert game.notes[0]["unknown"][unknown] == 1
    name, key = unknown.split(".")
    assert any(key in event.body.data for event in foreign(game, name))  # type: ignore[attr-defined]
    assert len(bodies(game, Speech)) == len(bodies(plain, Speech))


@pytest.mark.parametrize("line", ["1,omen,3,4", "1,vote,1", "1,attack,x,true", "1,result,1", "one,talk,0,0,1,Hi"])
def test_a_line_of_a_game_log_that_is_not_known_is_kept(line: str, tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    lines = AIWOLF[0].read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:5], line, *lines[5:]]), encoding="utf-8")
    game = loaded(path)
    assert sum(game.notes[0]["unknown"].values()) == 1
    assert line in str([event.body for event in game.events if event.body.kind == "foreign"])
    assert len(bodies(game, Speech)) == 7


def test_commas_and_lines_within_a_talk_belong_to_it(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    text = AIWOLF[0].read_text(encoding="utf-8").replace("I am the seer; Ben", "I, the seer,\n\nsay:\u2028Ben")
    path.write_text(text, encoding="utf-8")
    assert "I, the seer,\n\nsay:\u2028Ben is a werewolf." in [speech.text for speech in bodies(loaded(path), Speech)]


def test_a_log_that_stops_within_a_talk_tells_it_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    path.write_bytes(AIWOLF[0].read_bytes().partition(b"1,talk,1,")[0])
    game = loaded(path)
    assert bodies(game, Speech)[-1].text == "I am the seer; Ben is a werewolf."
    assert game.end is None


def test_a_death_that_nothing_explains_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    text = AIWOLF[0].read_text(encoding="utf-8").replace("2,status,4,POSSESSED,ALIVE", "2,status,4,POSSESSED,DEAD")
    path.write_text(text, encoding="utf-8")
    game = loaded(path)
    assert game.notes[0]["unknown"] == {"status.seat 4": 1}
    assert [dawn.dead for dawn in bodies(game, Dawn)] == [(), (), (1,)]


def test_a_game_without_an_end_has_none(tmp_path: Path) -> None:
    def broken(data: Any) -> None:
        data.update(winner="", error_message="Cy vote did not return a valid player.")
        data["rounds"][0].update(exiled=None, success=False)

    game = loaded(changed(ARENA, tmp_path / "game_partial.json", broken))
    assert game.end is None
    assert bodies(game, Over) == []
    assert bodies(game, Revealed) == []
    assert len(foreign(game, "error_message")) == 1
    assert len(foreign(game, "poll")) == 2, "no poll of a round that broke off is a vote"


def test_a_night_that_broke_off_kills_nobody(tmp_path: Path) -> None:
    def broken(data: Any) -> None:
        data.update(winner="", error_message="Unmask did not return a valid player.")
        nothing: dict[str, Any] = {
            "debate": [],
            "votes": [],
            "bids": [],
            "exiled": None,
            "unmasked": None,
            "success": False,
        }
        data["rounds"][0].update(nothing, players=["Ann", "Ed", "Bob", "Cy", "Di"])

    assert bodies(loaded(changed(ARENA, tmp_path / "game_partial.json", broken)), Dawn) == []


def test_a_check_is_answered_as_far_as_the_source_tells(tmp_path: Path) -> None:
    def team_only(event: Any) -> None:
        event["data"]["role"] = None

    game = loaded(changed(KAGGLE, tmp_path / "k.json", in_event("SeerInspectResultDataEntry", team_only)))
    assert bodies(game, Checked) == [Checked(2, "nod")]


def test_a_third_party_keeps_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    text = AIWOLF[0].read_text(encoding="utf-8").replace(",1,VILLAGER,", ",1,FOX,").replace("1,1,WEREWOLF", "1,1,FOX")
    path.write_text(text, encoding="utf-8")
    game = loaded(path)
    assert game.header.dealt().roles[0] == "fox"
    assert game.header.sides == ("fox", "killers", "good", "killers", "good")
    assert game.end is None, "none of our sides won"
    assert foreign(game, "result")[0].body == Foreign("result", {"winner": "FOX"})


def test_names_of_other_games_are_not_ours() -> None:
    assert Side.named("killers") is Side.KILLERS
    assert Role.named("killer") is Role.KILLER
    fox = Role.named("fox")
    assert fox == Role.named("fox") == "fox"
    assert pickle.loads(pickle.dumps(fox)) == fox
    assert fox not in list(Role)
    with pytest.raises(ValueError, match="fox"):
        Role("fox")


def test_the_header_of_an_imported_game_is_checked() -> None:
    data = dict(imported(ARENA).header.to_json())
    assert header_from_json(data) == imported(ARENA).header
    data["deal"] = ["villager", "villager", "doctor", "werewolf", "seer"]
    with pytest.raises(TranscriptError, match="it was edited"):
        header_from_json(data)
    with pytest.raises(TranscriptError, match="not equally many"):
        header_from_json({**data, "deal": ["villager"]})
    with pytest.raises(TranscriptError, match="cannot be read"):
        header_from_json({**data, "source": {"format": "x"}})


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_an_imported_game_is_sound_and_cannot_be_played_on(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.jsonl"
    copy.write_bytes(imported(path).to_bytes())
    assert verified(copy).startswith("sound, ")
    assert f"imported from {path.name}" in verified(copy)
    header = loaded(path).header
    with pytest.raises(TranscriptError, match="not played on"):
        header.referee()
    data = copy.read_bytes()
    copy.write_bytes(data.replace(b'"day":1', b'"day":7', 1))
    with pytest.raises(TranscriptError, match="checksum does not fit"):
        verified(copy)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_importing_twice_writes_the_same_bytes(path: Path) -> None:
    assert imported(path).to_bytes() == imported(path).to_bytes()


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_a_file_is_of_one_kind_alone(path: Path) -> None:
    for kind, importer in IMPORTERS.items():
        found = imported(path).header.source
        assert found is not None
        if kind != found.format:
            with pytest.raises(NotRead):
                read_file(path, kind)
        assert kind == importer.KIND


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_a_file_cut_short_is_refused_or_tells_less_but_never_crashes(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    for part in range(1, 20):
        copy = tmp_path / path.name
        copy.write_bytes(data[: len(data) * part // 20])
        try:
            found = read_file(copy)
        except NotRead:
            continue
        assert found is None or recording(parse(found.to_bytes()), path).end is None


def test_what_stands_beside_a_game_is_no_game() -> None:
    found = list(files_of(iter([ARENA.parent.parent])))
    assert sorted(path.name for path in found) == sorted(path.name for path in EVERY)


def test_an_action_that_led_to_nothing_is_kept(tmp_path: Path) -> None:
    handed = {"actor_id": "Cy", "day": 1, "phase": "Day", "reasoning": "Too late.", "target_id": "Bob"}

    def late(data: Any) -> None:
        data["steps"].append([{"action": {"action_type": "VoteAction", "kwargs": handed}}])

    game = loaded(changed(KAGGLE, tmp_path / "k.json", late))
    assert [event.body for event in foreign(game, "vote_action")] == [Foreign("vote_action", handed)]
    assert bodies(game, Ballots) == bodies(loaded(KAGGLE), Ballots)


def test_an_agent_that_failed_to_answer_is_told_as_a_fallback(tmp_path: Path) -> None:
    def silent(data: Any) -> None:
        votes = [entry for entry in data["entries"] if json.loads(entry["request"])["request"] == "VOTE"]
        del votes[0]["response"]
        votes[0]["error"] = "timeout"

    game = loaded(changed(AIWOLF[2], tmp_path / "a.json", silent))
    reply = next(reply for wave in game.waves for reply in wave.replies.values() if reply.request == "d1.vote1.01")
    assert (reply.source, reply.answer.absent) == ("fallback:timeout", True)
    assert bodies(game, Ballots)[0] == Ballots("round", {2: 3, 3: 2, 4: 3, 5: 5}, void=(1,)), "no vote is made up"


def test_a_forced_pass_of_aiwolf_is_a_fallback(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    path.write_text(AIWOLF[0].read_text(encoding="utf-8").replace(",2,Skip", ",2,ForceSkip"), encoding="utf-8")
    game = loaded(path)
    sources = [reply.source for wave in game.waves for reply in wave.replies.values()]
    assert sources.count("fallback:ForceSkip") == 1
    assert bodies(game, Speech)[1] == Speech(2, "")


def test_speeches_in_a_language_that_is_not_read_are_not_measured(tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    text = AIWOLF[0].read_text(encoding="utf-8").replace("Hello, all, I am Ada.", "皆さん、こんにちは。アダです。" * 20)
    path.write_text(text, encoding="utf-8")
    game = loaded(path)
    assert game.header.lang == "ja"
    rows = {row.measure.name: row.of for row in manners([game])}
    assert rows["other_script"] == rows["recap_speeches"] == 0
    assert rows["votes_lowest_number"] > 0
