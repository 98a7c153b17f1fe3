"""The host: start is resume, nothing answered is asked again, and every fault of a player has its recorded cause."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from players import (
    CLASSIC_FIVE,
    CLASSIC_SEVEN,
    FakeModel,
    Fixed,
    Free,
    NoAnswer,
    StrictModel,
    bots,
    canonical,
    fitting,
    header,
    models,
    play_game,
)
from tianhei.agents.model import ModelPlayer
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.calls import EndpointDown, Meter
from tianhei.arena.host import FixedClock, Host, PlayerFailed, Sitter, fitted
from tianhei.arena.player import Ask, Completion, Prompt, Reply, Unusable
from tianhei.arena.requests import Answer, Limits, Request
from tianhei.arena.view import View
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.file import TranscriptError, read
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header
from tianhei.transcripts.replay import verified

RULES: Mapping[str, Any] = {"max_days": 2, "first_phase": "day", "vote_form": "simultaneous", "final_tie": "nobody"}


def start(path: Path, model: Any, **more: Any) -> Host:
    return play_game(path, header(CLASSIC_FIVE, rules=RULES, player="fake", **more), models(5, model))


def replies(path: Path) -> list[tuple[str, str]]:
    """Every reply in a transcript: request and source."""
    return [(reply.request, reply.source) for wave in load(path).waves for reply in wave.replies.values()]


def sources(path: Path, seat: int) -> set[str]:
    return {source for request, source in replies(path) if request.endswith(f".{seat:02}")}


def cuts(data: bytes) -> list[int]:
    """Where to cut: after every line, at many bytes of the last two, and just before the end of some others."""
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    found = set(ends)
    starts = [0, *ends[:-1]]
    for start_, end in list(zip(starts, ends, strict=True))[-2:]:
        found |= set(range(start_ + 1, end, (end - start_) // 5))
    found |= {end - 1 for end in ends[1::9]} | {end - 2 for end in ends[2::9]} | {start_ + 1 for start_ in starts[3::9]}
    return sorted(place for place in found if place >= ends[0])


def test_a_cut_transcript_resumes_to_the_same_game_and_asks_nothing_twice(tmp_path: Path) -> None:
    model = FakeModel()
    start(tmp_path / "whole", model)
    whole, data = canonical(tmp_path / "whole"), (tmp_path / "whole").read_bytes()
    assert len(model.calls) >= 10  # on the first day all five speak and vote
    for length in cuts(data):
        path = tmp_path / f"cut{length}"
        path.write_bytes(data[:length])
        done = {line.data["call"] for line in read(path).lines if line.kind == "call" and "done" in line.data}
        again = FakeModel()
        play_game(path, None, models(5, again))
        assert canonical(path) == whole, length
        assert sorted(again.calls) == sorted(set(model.calls) - done), length
        for call, prompt in again.prompts.items():
            assert prompt == model.prompts[call]
        assert verified(path).startswith("sound")


def test_a_cut_game_of_bots_resumes_to_the_same_game(tmp_path: Path) -> None:
    head = header(CLASSIC_SEVEN, rules={"max_days": 2})
    play_game(tmp_path / "whole", head, bots(7))
    whole, data = canonical(tmp_path / "whole"), (tmp_path / "whole").read_bytes()
    for place in [place + 1 for place, byte in enumerate(data) if byte == 10]:
        path = tmp_path / "cut"
        path.write_bytes(data[:place])
        play_game(path, head, bots(7))
        assert canonical(path) == whole


def test_a_finished_game_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "g"
    start(path, FakeModel())
    data = path.read_bytes()
    play_game(path, None, models(5, StrictModel([])))
    assert path.read_bytes() == data


def test_another_games_file_and_an_empty_one_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "g"
    start(path, FakeModel())
    data = path.read_bytes()
    with pytest.raises(TranscriptError, match="holds another game; name a new file"):
        start(path, FakeModel(), seed=2)
    assert path.read_bytes() == data
    with pytest.raises(TranscriptError, match="no game in this file"):
        play_game(tmp_path / "none", None, bots(5))


def test_prompts_can_be_rebuilt_from_the_file(tmp_path: Path) -> None:
    path, model = tmp_path / "g", FakeModel()
    start(path, model)
    recorded = load(path)
    for call, prompt in zip(recorded.sent, prompts_sent(recorded.sent), strict=True):
        sent = model.prompts[call["call"]]
        assert prompt.messages() == sent.messages()
        assert prompt.hash == sent.hash == call["hash"]


def test_simultaneous_requests_go_out_together(tmp_path: Path) -> None:
    model = FakeModel()
    start(tmp_path / "g", model)
    assert model.most_at_once == max(len(wave.replies) for wave in load(tmp_path / "g").waves) == 5


def fails(*_: object) -> str:
    raise Unusable("transport", "the line is dead")


def votes_nine(prompt: Prompt) -> str:
    return json.dumps({"vote": "S9", "say": "x", "target": "S9"})


CAUSES: dict[str, tuple[Sitter, str]] = {
    "no answer": (Sitter(NoAnswer()), "fallback:empty"),
    "an illegal target": (Sitter(Fixed(Reply(Answer(target=77)))), "fallback:illegal"),
    "absent by itself": (Sitter(Fixed(Reply(Answer(absent=True)))), "fallback:error"),
    "no endpoint": (Sitter(ModelPlayer("en"), "model"), "fallback:error"),
    "a lost answer": (Sitter(ModelPlayer("en"), "model", FakeModel(fails)), "fallback:transport"),
    "prose": (Sitter(ModelPlayer("en"), "model", FakeModel(lambda prompt: "Seat 3, I think.")), "fallback:unreadable"),
    "silence": (Sitter(ModelPlayer("en"), "model", FakeModel(lambda prompt: " ")), "fallback:empty"),
    "a seat that is not there": (Sitter(ModelPlayer("en"), "model", FakeModel(votes_nine)), "fallback:illegal"),
}  # fmt: skip


@pytest.mark.parametrize("name", CAUSES)
def test_a_player_without_a_usable_answer_is_absent_and_the_cause_is_recorded(tmp_path: Path, name: str) -> None:
    sitter, source = CAUSES[name]
    path = tmp_path / "g"
    play_game(path, header(CLASSIC_FIVE, rules=RULES), {**bots(5), 3: sitter})
    assert source in sources(path, 3)
    assert sources(path, 3) <= {source, "bot", "model"}
    answers = [reply.answer for wave in load(path).waves for reply in wave.replies.values() if reply.source == source]
    assert answers
    assert all(answer.absent for answer in answers)
    assert sources(path, 2) == {"bot"}
    assert verified(path).startswith("sound")


def test_an_illegal_answer_is_noted_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "g"
    play_game(path, header(CLASSIC_FIVE, rules=RULES), {**bots(5), 3: Sitter(Fixed(Reply(Answer(target=77))))})
    notes = load(path).notes
    assert {note["note"] for note in notes} == {"fault"}
    assert any("77 is not one of" in note["what"] or "names no target" in note["what"] for note in notes)


def test_a_model_is_asked_again_with_the_reason(tmp_path: Path) -> None:
    path, good = tmp_path / "g", json.dumps({"thought": "t", "say": "Well.", "vote": "S1", "stance": "hold"})
    head = header(CLASSIC_FIVE, rules={**RULES, "max_days": 1})
    model = StrictModel(
        [("d1.speech1.03#1", "I speak."), ("d1.speech1.03#2", good), ("d1.vote1.03#1", '{"vote": "S99"}'),
         ("d1.vote1.03#2", '{"vote": "none of them"}'), ("d1.vote1.03#3", "S1")]
    )  # fmt: skip
    voters = {seat: Sitter(Fixed(Reply(Answer()))) for seat in range(1, 6)}
    voters[1] = Sitter(Voter(2))
    play_game(path, head, {**voters, 3: Sitter(ModelPlayer("en"), "model", model)})
    model.finish()
    mine = [item for item in replies(path) if item[0].endswith(".03")]
    assert mine == [("d1.speech1.03", "model"), ("d1.vote1.03", "fallback:unreadable")]
    first, second = [prompt.private for prompt in prompts_sent(load(path).sent)][:2]
    assert second.startswith(first)
    assert len(second) > len(first), "it says what was wrong"


class Voter:
    """Votes for one seat whenever it may."""

    def __init__(self, target: int) -> None:
        self._target = target

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        return Reply(Answer(target=self._target if self._target in request.options else None))


class Slow(Free):
    """A model that never answers."""

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        await asyncio.sleep(60)
        raise AssertionError("it was waited for")


def test_a_deadline_is_enforced_from_outside(tmp_path: Path) -> None:
    path = tmp_path / "g"
    head = header(CLASSIC_FIVE, rules=RULES, deadline=0.02)
    play_game(path, head, {**bots(5), 3: Sitter(ModelPlayer("en"), "model", Slow())})
    assert sources(path, 3) == {"fallback:timeout"}


class Down:
    """A fake model that works for some calls, then is down."""

    paid = True

    def __init__(self, calls: int) -> None:
        self._left = calls
        self.model = FakeModel()

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        self._left -= 1
        if self._left < 0:
            raise EndpointDown("the key is refused")
        return await self.model.complete(prompt, call, meter)


@pytest.mark.parametrize("calls", [0, 1, 3, 6, 8])
def test_a_dead_endpoint_stops_the_game_and_the_game_can_go_on(tmp_path: Path, calls: int) -> None:
    start(tmp_path / "whole", model := FakeModel())
    path, down = tmp_path / "g", Down(calls)
    with pytest.raises(EndpointDown, match="the key is refused"):
        start(path, down)
    failed = load(path).failed
    assert {failure["failed"] for failure in failed} == {"unreachable"}
    again = FakeModel()
    play_game(path, None, models(5, again))
    assert canonical(path) == canonical(tmp_path / "whole")
    received = set(load(path).done) - set(again.calls)
    assert set(again.calls) | received == set(model.calls)
    assert len(again.calls) == len(set(again.calls))


def test_a_text_that_is_too_long_is_cut_at_a_sentence_and_marked(tmp_path: Path) -> None:
    request = Request("d1.speech1.03", 3, "speech", text=20)
    for text, kept in (
        ("One. Two three. Four five six.", "One. Two three."),
        ("一句。两句！三句？四句。五句。六句。七句。", "一句。两句！三句？四句。五句。六句。"),
        ("no sentence ends in here at all", "no sentence ends in"),
        ("Hi. " + "x" * 30, "Hi. " + "x" * 16),
        ("Version 1.5 beats 1.4 by far.", "Version 1.5 beats 1."),
    ):
        reply = fitted(Reply(Answer(text=text)), request)
        assert (reply.answer.text, reply.cut) == (kept, True)
    assert fitted(Reply(Answer(text="x" * 20)), request) == Reply(Answer(text="x" * 20))
    path = tmp_path / "g"
    head = header(CLASSIC_FIVE, rules=RULES, limits=Limits(speech=20))
    play_game(path, head, {**bots(5), 3: Sitter(Fixed(Reply(Answer(text="One. Two three. Four five six."))))})
    speech = next(wave.replies["d1.speech1.03"] for wave in load(path).waves if "d1.speech1.03" in wave.replies)
    assert (speech.answer.text, speech.cut) == ("One. Two three.", True)


class Watching:
    """A watcher that keeps what it is shown."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.waves = 0

    def asked(self, requests: tuple[Request, ...], views: Any) -> None:
        self.open += [request.id for request in requests]

    def told(self, wave: Any, views: Any) -> None:
        self.waves += 1


def test_a_watcher_sees_every_request_and_wave_once(tmp_path: Path) -> None:
    path, watcher = tmp_path / "g", Watching()
    play_game(path, header(CLASSIC_FIVE, rules=RULES), bots(5), watcher=watcher)
    assert watcher.waves == len(load(path).waves)
    assert sorted(watcher.open) == sorted(request for request, _ in replies(path))


class Crash(RuntimeError):
    """What a player's own fault raises."""


def test_a_crash_of_a_player_stops_the_game_where_it_can_go_on(tmp_path: Path) -> None:
    """Whatever a player raises but Unusable ends the run with its seat named, and loses nothing that was answered."""
    path, whole = tmp_path / "g", tmp_path / "whole"
    head = header(CLASSIC_FIVE, rules=RULES)
    play_game(whole, head, bots(5))
    with pytest.raises(PlayerFailed, match="seat 3"):
        play_game(path, head, {**bots(5), 3: Sitter(Fixed(Crash("a bug")))})
    assert load(path).end is None
    play_game(path, None, bots(5))
    assert canonical(path) == canonical(whole)


@pytest.mark.parametrize("target", [True, 1.0])
def test_a_target_that_only_equals_a_seat_is_illegal(tmp_path: Path, target: Any) -> None:
    path = tmp_path / "g"
    head = header(CLASSIC_FIVE, rules={**RULES, "channel": "mute"})
    play_game(path, head, {**bots(5), 3: Sitter(Voter(target))})
    assert "fallback:illegal" in sources(path, 3)
    load(path)


def test_half_a_character_in_a_speech_does_not_end_the_game(tmp_path: Path) -> None:
    def half(prompt: Prompt) -> str:
        reply = json.loads(fitting(prompt))
        return json.dumps({**reply, "say": "half a \ud83d face"} if "say" in reply else reply)

    start(tmp_path / "g", FakeModel(half))


def test_a_host_that_cannot_begin_closes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_bytes(b"no transcript\n")
    for _ in range(2):
        with pytest.raises(TranscriptError, match="is damaged"):
            Host(path, None, bots(5), clock=FixedClock())
    assert path.read_bytes() == b"no transcript\n"


def test_a_player_that_may_wait_is_held_to_the_deadline_and_asked_beside_others(tmp_path: Path) -> None:
    """A class of the user's own may ask somebody: it is no scripted player that answers from its own head."""
    path = tmp_path / "g"
    head = header(CLASSIC_FIVE, rules=RULES, deadline=0.02)

    class Dreamer:
        async def act(self, view: View, request: Request, ask: Ask) -> Reply:
            await asyncio.sleep(60)
            return Reply(Answer())

    play_game(path, head, {**bots(5), 3: Sitter(Dreamer(), waits=True)})
    assert sources(path, 3) == {"fallback:timeout"}


def test_a_game_of_scripted_players_alone_is_whole_when_it_is_stopped(tmp_path: Path) -> None:
    """Lines that cost nothing may be written together; a game that breaks off keeps all of them."""
    path, whole = tmp_path / "g", tmp_path / "whole"
    head = header(CLASSIC_FIVE, rules=RULES)
    instant = {seat: Sitter(RandomPlayer("en")) for seat in range(1, 6)}
    play_game(whole, head, instant)
    with pytest.raises(PlayerFailed):
        play_game(path, head, {**instant, 3: Sitter(Fixed(Crash("a bug")))})
    assert len(load(path).waves) >= 1
    play_game(path, None, instant)
    assert canonical(path) == canonical(whole)


def test_time_goes_on_where_a_game_was_left(tmp_path: Path) -> None:
    class Ticking(FixedClock):
        seconds = 1000.0

        def now(self) -> float:
            self.seconds += 1
            return self.seconds

    def played(path: Path, head: Header | None) -> list[float]:
        host = Host(path, head, models(5, FakeModel()), clock=Ticking())
        asyncio.run(host.play())
        return [line.data["t"] for line in read(path).lines if "t" in line.data]

    path = tmp_path / "game"
    whole = played(path, header(CLASSIC_FIVE, rules=RULES, player="fake"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    again = played(path, None)
    assert again == sorted(again) and again[-1] >= whole[len(whole) // 2] > 5
