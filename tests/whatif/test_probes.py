"""Probes: asked at fixed points, of a seat's own knowledge, within the budget, once, and heard by nobody."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from players import CLASSIC_FIVE, FakeModel, Free, bots, canonical, header, models, play_game
from tianhei.agents.baselines.solver import CREDIBILITY
from tianhei.agents.model import ModelPlayer
from tianhei.agents.probe import MOST_QUESTIONS, reckon, shared_out
from tianhei.agents.tiny import TinyPlayer
from tianhei.arena.budget import Budget
from tianhei.arena.calls import EndpointDown, Meter, OutOfBudget
from tianhei.arena.chance import luck_for
from tianhei.arena.deduce import posterior
from tianhei.arena.facts import facts_of
from tianhei.arena.host import Host, PlayerFailed, Sitter
from tianhei.arena.player import Ask, Completion, Prompt, Reply, Unusable, Usage
from tianhei.arena.probing import Beliefs, Probe, ProbeError, due, probe_from_json, read_points
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules.options import make
from tianhei.arena.rules.setups import custom
from tianhei.arena.view import Record, View
from tianhei.prompts.pack import load as load_pack
from tianhei.prompts.pack import slots_of
from tianhei.prompts.probe import ask_aside, probe_texts
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.file import read
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.replay import rebuild, verified
from whatif.tables import CANARY, EIGHT, SIX, answering, head, played, sat

RULES = {"max_days": 2, "first_phase": "day", "vote_form": "simultaneous", "final_tie": "nobody"}
ALL = ("day", "vote", "night", "speech/2")


def start(path: Path, model: Any, points: tuple[str, ...] = ("day", "vote"), **more: Any) -> Host:
    head_ = replace(header(CLASSIC_FIVE, rules=RULES, player="fake"), probes=points)
    return play_game(path, head_, models(5, model), **more)


def probes(path: Path) -> list[Probe]:
    return [probe_from_json(line).probe for line in load(path).probes]


def test_a_game_with_probes_has_the_events_of_the_game_without(tmp_path: Path) -> None:
    start(tmp_path / "with", FakeModel(answering), ALL)
    start(tmp_path / "without", FakeModel(answering), ())
    assert load(tmp_path / "with").events == load(tmp_path / "without").events
    assert load(tmp_path / "with").probes
    assert not load(tmp_path / "without").probes
    assert verified(tmp_path / "with").startswith("sound, ")


def test_no_prompt_but_its_own_knows_of_a_probe(tmp_path: Path) -> None:
    start(tmp_path / "with", FakeModel(answering), ALL)
    start(tmp_path / "without", FakeModel(answering), ())
    recorded = load(tmp_path / "with")
    sent = list(zip(recorded.sent, prompts_sent(recorded.sent), strict=True))
    for call, prompt in sent:
        assert CANARY not in prompt.system + prompt.public + prompt.private, call["call"]
    played_ = {call["call"]: prompt for call, prompt in sent if call.get("for") != "probe"}
    alone = load(tmp_path / "without")
    assert played_ == {c["call"]: p for c, p in zip(alone.sent, prompts_sent(alone.sent), strict=True)}
    assert any(CANARY in done["done"] for done in recorded.done.values())
    raw = [line for line in read(tmp_path / "with").lines if line.kind in ("wave", "reply")]
    assert raw
    assert all(CANARY not in json.dumps(line.data, ensure_ascii=False) for line in raw)


def test_every_living_seat_is_asked_at_each_point_once(tmp_path: Path) -> None:
    path = played(tmp_path / "game", head("classic-arena", EIGHT, "scripted", seed=3, probes=ALL))
    recorded = load(path)
    living = {1: 7, 2: 5}  # one died in the first night; one was voted out and one died before the second day
    asked = probes(path)
    for point, day in (("day_start", 1), ("before_vote", 1), ("day_start", 2), ("before_vote", 2)):
        assert len([probe for probe in asked if (probe.point, probe.day) == (point, day)]) == living[day]
    assert {probe.day for probe in asked if probe.point == "night_start"} == {2}
    assert len({probe.key for probe in asked}) == len(asked)
    for told in map(probe_from_json, recorded.probes):
        assert told.beliefs
        others = set(told.beliefs.killer)
        alive = _living(recorded, told.probe.wave)
        assert others | {told.probe.seat} == alive


def _living(recorded: Recording, waves: int) -> set[Seat]:
    cut = replace(recorded, waves=recorded.waves[:waves], open_replies={}, end=None)
    return set(rebuild(cut)[1].record.living)


def test_the_points_stand_where_they_say(tmp_path: Path) -> None:
    for name, preset, first, poll in (
        ("called", {"preset": "classic-arena", "vote_form": "called"}, "speech1", "hand"),
        ("sealed", {"preset": "classic-arena", "vote_form": "simultaneous"}, "speech1", "vote1"),
    ):
        path = played(tmp_path / name, head(preset, EIGHT, "scripted", seed=3, probes=ALL))
        recorded = load(path)
        for probe in probes(path):
            opened = list(recorded.waves[probe.wave].replies)
            step = opened[0].split(".")[1]
            match probe.point:
                case "day_start":
                    assert step == first
                    assert not any(
                        f"d{probe.day}.speech" in name for w in recorded.waves[: probe.wave] for name in w.replies
                    )
                case "before_vote":
                    assert step.startswith(poll)
                    earlier = [name for w in recorded.waves[: probe.wave] for name in w.replies]
                    assert not any(f"d{probe.day}.{poll}" in name for name in earlier)
                case "night_start":
                    assert opened[0].startswith(f"n{probe.day}.")
                case _:
                    spoken = [n for w in recorded.waves[: probe.wave] for n in w.replies if f"d{probe.day}.speech" in n]
                    assert len(spoken) % 2 == 0
                    assert spoken


def test_where_each_votes_after_speaking_it_is_asked_before_its_own(tmp_path: Path) -> None:
    dealt = {"butterfly": 1, "sniper": 1, "doctor": 1, "elder": 1, "police": 1, "killer": 2, "civilian": 4}
    path = played(tmp_path / "game", head("butterfly", dealt, "scripted", probes=("vote",)))
    recorded = load(path)
    asked = [probe for probe in probes(path) if probe.day == 1]
    assert len(asked) > 5
    for probe in asked:
        assert list(recorded.waves[probe.wave].replies) == [f"d1.defence1.{probe.seat:02}"]


def test_a_point_that_cannot_be_is_refused() -> None:
    assert read_points("day, vote,day,speech/3") == ("day", "vote", "speech/3")
    assert read_points("") == ()
    for text in ("dawn", "speech", "speech/0", "speech/x", "day/2", "speech/100"):
        with pytest.raises(ProbeError, match="there are day, vote, night, and speech/3"):
            read_points(text)


def test_nothing_is_due_in_a_first_night_or_for_last_words() -> None:
    rules = make("classic")
    record = Record(rules, 5, custom(rules, CLASSIC_FIVE), (1, 2, 3, 4, 5), stage="night")
    assert not list(due(ALL, [Request("n1.kill1.01", 1, "kill")], record, 1))
    record.stage, record.day = "last_words", 2
    assert not list(due(ALL, [Request("d2.last_words1.01", 1, "last_words")], record, 9))


def cuts(data: bytes) -> Iterable[int]:
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    yield from ends
    yield from (end - 2 for end in ends[3::7])


def test_a_game_cut_anywhere_is_gone_on_with_and_no_probe_is_asked_twice(tmp_path: Path) -> None:
    model = FakeModel(answering)
    start(tmp_path / "whole", model)
    whole, data = canonical(tmp_path / "whole"), (tmp_path / "whole").read_bytes()
    told = _told(tmp_path / "whole")
    assert sum("probe" in call for call in model.calls) == len(told) >= 10
    for length in cuts(data):
        path = tmp_path / f"cut{length}"
        path.write_bytes(data[:length])
        done = {line.data["call"] for line in read(path).lines if line.kind == "call" and "done" in line.data}
        again = FakeModel(answering)
        play_game(path, None, models(5, again))
        assert {**canonical(path), "probe": 0} == {**whole, "probe": 0}, length
        assert _told(path) == told, length
        assert sorted(again.calls) == sorted(set(model.calls) - done), length


def _told(path: Path) -> dict[Any, Any]:
    """What was believed, by who was asked and when; each once."""
    lines = load(path).probes
    found = {probe_from_json(line).probe.key: probe_from_json(line).beliefs for line in lines}
    assert len(found) == len(lines)
    return found


class Counting(Free):
    """A model that uses a hundred tokens for each answer, and reserves them before."""

    def __init__(self) -> None:
        self.model = FakeModel(answering)

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        meter.begins(Usage(prompt=60, completion=40))
        found = await self.model.complete(prompt, call, meter)
        return replace(found, usage=Usage(prompt=60, completion=40))


def test_probes_are_paid_for_out_of_the_budget_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game"
    budget = Budget(Decimal(300), "tokens")
    with pytest.raises(OutOfBudget):
        start(path, Counting(), budgets=[budget])
    recorded = load(path)
    assert [call["for"] for call in recorded.done.values()] == ["probe"] * 3, "before anybody has spoken"
    assert budget.spent == 300
    assert recorded.void and recorded.void["cause"] == "budget"
    again = Budget(Decimal(100_000), "tokens")
    counting = Counting()
    play_game(path, None, models(5, counting), budgets=[again])
    assert again.spent == 100 * len(load(path).done)
    assert len({*counting.model.calls}) == len(counting.model.calls) == len(load(path).done) - 3


def test_a_dead_endpoint_in_a_probe_stops_the_game_where_it_can_go_on(tmp_path: Path) -> None:
    class Down(Free):
        async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
            raise EndpointDown("the key is refused")

    with pytest.raises(EndpointDown):
        start(tmp_path / "game", Down())
    assert load(tmp_path / "game").failed[0]["for"] == "probe"
    start(tmp_path / "whole", FakeModel(answering))
    play_game(tmp_path / "game", None, models(5, FakeModel(answering)))
    assert load(tmp_path / "game").events == load(tmp_path / "whole").events
    assert _told(tmp_path / "game") == _told(tmp_path / "whole")


def test_an_answer_that_cannot_be_read_is_asked_for_again_with_the_reason_and_then_given_up(tmp_path: Path) -> None:
    def evasive(prompt: Prompt) -> str:
        asked = prompt.schema and "suspicion" in prompt.schema["properties"]
        return "I would rather not say." if asked else answering(prompt)

    model = FakeModel(evasive)
    start(tmp_path / "game", model, ("vote",))
    lines = load(tmp_path / "game").probes
    assert {line["cause"] for line in lines} == {"unreadable"}
    assert all(probe_from_json(line).beliefs is None for line in lines)
    assert sum("probe" in call for call in model.calls) == MOST_QUESTIONS * len(lines)
    first, second = model.prompts["d1.probe_before_vote6.01#1"], model.prompts["d1.probe_before_vote6.01#2"]
    assert second.private.startswith(first.private)
    assert second.private.endswith(probe_texts("en")["again_json"])
    assert load(tmp_path / "game").end is not None


class Believing:
    """A player that believes what it is told to, or breaks."""

    def __init__(self, beliefs: Beliefs | Exception) -> None:
        self._beliefs = beliefs

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        return Reply(Answer())

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        if isinstance(self._beliefs, Exception):
            raise self._beliefs
        return self._beliefs


def test_a_player_that_has_no_beliefs_is_not_asked_and_one_that_breaks_is_named(tmp_path: Path) -> None:
    first = replace(header(CLASSIC_FIVE, rules=RULES), probes=("vote",))
    play_game(tmp_path / "none", first, {**bots(5), 2: Sitter(Believing(Beliefs({1: 0.25})))})
    assert {line["seat"] for line in load(tmp_path / "none").probes} == {2}
    assert load(tmp_path / "none").probes[0]["killer"] == {"1": 0.25}
    with pytest.raises(PlayerFailed, match=r"seat 2 failed at d1\.probe_before_vote6\.02"):
        play_game(tmp_path / "broken", first, {**bots(5), 2: Sitter(Believing(RuntimeError("a bug")))})
    play_game(tmp_path / "lost", first, {**bots(5), 2: Sitter(Believing(Unusable("transport")))})
    assert load(tmp_path / "lost").probes[0]["cause"] == "transport"


BAD = {
    "a seat is missing": {"suspicion": {"S1": 1, "S3": 2}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "a seat too many": {"suspicion": {"S1": 1, "S2": 5, "S3": 2, "S4": 3}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "above a hundred": {"suspicion": {"S1": 101, "S3": 2, "S4": 3}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "below nothing": {"suspicion": {"S1": -1, "S3": 2, "S4": 3}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "a truth value": {"suspicion": {"S1": True, "S3": 2, "S4": 3}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "a word": {"suspicion": {"S1": "likely", "S3": 2, "S4": 3}, "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "a list": {"suspicion": [1, 2, 3], "of_me": {"S1": 1, "S3": 2, "S4": 3}},
    "nothing of me": {"suspicion": {"S1": 1, "S3": 2, "S4": 3}},
}
GOOD = {"suspicion": {"S1": 1, "S3": 50.5, "S4": "100%"}, "of_me": {"S4": 0, "S1": "7", "S3": 100}}


def believed(view: View, text: str, pack: str = "official") -> Beliefs | str:
    """What is read from a model's answer: beliefs, or the cause for which there are none."""

    async def ask(prompt: Prompt) -> Completion:
        return Completion(text)

    try:
        ModelPlayer("en", pack).believe(view, ask).send(None)
    except StopIteration as stop:
        assert isinstance(stop.value, Beliefs)
        return stop.value
    except Unusable as error:
        return error.cause
    raise AssertionError("it waited")


@pytest.fixture(name="view")
def second_seat() -> View:
    """The view of seat 2 of four that live."""
    rules = make("classic")
    counts = custom(rules, {"killer": 1, "civilian": 3})
    record = Record(rules, 4, counts, (1, 2, 3, 4), stage="speeches", phase="day")
    view = View(2, record, luck_for(1, 2))
    view.role, view.side = Role.CIVILIAN, Side.GOOD
    return view


def test_an_answer_is_read_strictly(view: View) -> None:
    assert believed(view, json.dumps(GOOD)) == Beliefs({1: 0.01, 3: 0.505, 4: 1.0}, {1: 0.07, 3: 1.0, 4: 0.0})
    assert believed(view, f"<think>S1?</think>```json\n{json.dumps(GOOD)}\n```") == believed(view, json.dumps(GOOD))
    for name, bad in BAD.items():
        assert believed(view, json.dumps(bad)) == "unreadable", name
    assert believed(view, "S1: 3, 4") == "unreadable", "lines, where an object was asked for"


def test_lines_are_read_where_the_pack_asks_for_lines(view: View) -> None:
    good = "S1: 10, 20\n- S3: 0%，5%\n**S4：100, 0**"
    assert believed(view, good, "weak") == Beliefs({1: 0.1, 3: 0.0, 4: 1.0}, {1: 0.2, 3: 0.05, 4: 0.0})
    for bad, cause in (
        ("S1: 10, 20\nS3: 0, 5", "unreadable"),
        (good + "\nS1: 11, 20", "ambiguous"),
        (good + "\nS2: 11, 20", "unreadable"),
        (good.replace("100", "101"), "unreadable"),
        (good.replace("10,", "ten,"), "unreadable"),
    ):
        assert believed(view, bad, "weak") == cause, bad


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("pack", ["official", "minimal", "weak"])
def test_every_pack_asks_in_both_languages(lang: Any, pack: str, view: View) -> None:
    asked = ask_aside(load_pack(pack, lang), view)
    assert set(asked.seats) == {"S1", "S3", "S4"}
    assert {label for label in ("S1", "S2", "S3", "S4") if label in asked.prompt.private.splitlines()[-1]} == {
        "S1", "S3", "S4"}  # fmt: skip
    assert (asked.prompt.schema is None) == (pack == "weak")
    neutral = ask_aside(load_pack(pack, lang, 1, "neutral"), view).prompt.private
    assert not any(word in neutral for word in ("killer", "杀手"))


def test_both_languages_have_the_same_texts_and_slots() -> None:
    one, other = probe_texts("en"), probe_texts("zh")
    assert {key: slots_of(text) for key, text in one.items()} == {key: slots_of(text) for key, text in other.items()}


def test_shares_add_up_and_none_is_above_one() -> None:
    assert shared_out({1: 1.0, 2: 1.0, 3: 2.0}, 1.0) == {1: 0.25, 2: 0.25, 3: 0.5}
    # 10 of 12 would be 5/3 of 2: it has one whole, and the other is shared by the two
    assert shared_out({1: 10.0, 2: 1.0, 3: 1.0}, 2.0) == {1: 1.0, 2: 0.5, 3: 0.5}
    assert shared_out({}, 0.0) == {}


def test_scripted_players_believe_what_they_know_for_certain(tmp_path: Path) -> None:
    names = {seat: "solver" if seat % 2 else "scripted" for seat in range(1, 9)}
    path = played(tmp_path / "game", head("classic-arena", EIGHT, names, seed=3, probes=("vote", "day")))
    recorded = load(path)
    for line in recorded.probes:
        told = probe_from_json(line)
        assert told.beliefs
        cut = replace(recorded, waves=recorded.waves[: told.probe.wave], open_replies={}, end=None)
        view = rebuild(cut)[1].of(told.probe.seat)
        for seat, chance in told.beliefs.killer.items():
            if view.role is Role.KILLER:
                assert chance == (seat in view.mates)
            elif seat in view.mates:
                assert chance == 0
        if told.probe.seat % 2 and view.role is not Role.KILLER:
            exact = posterior(facts_of(view), CREDIBILITY).killer
            assert told.beliefs.killer == pytest.approx({seat: exact[seat] for seat in view.others}, abs=1e-6)
        elif view.role is not Role.KILLER:
            unsure = reckon(view, {})
            assert sum(told.beliefs.killer.values()) == pytest.approx(sum(unsure.killer.values()), abs=1e-5)


def test_a_tiny_model_believes_by_its_scores(view: View) -> None:
    """The seat whose number the record makes likelier is the likelier killer; a checked one is certain."""

    async def ask(prompt: Prompt) -> Completion:
        empty = prompt.extra["id_slot"] == 1
        return Completion("", scores=({"1": -1.0, "3": -1.0 if empty else -0.5, "4": -1.0},))

    view.checks.append((1, 4, "shake"))
    with pytest.raises(StopIteration) as stop:
        TinyPlayer("en").believe(view, ask).send(None)
    found: Beliefs = stop.value.value
    assert found.of_me is None
    assert found.killer[4] == 0
    assert found.killer[3] > found.killer[1] > 0
    assert found.killer[1] + found.killer[3] == pytest.approx(1)


def test_the_header_says_when_probes_are_asked_and_a_fork_goes_on_asking(tmp_path: Path) -> None:
    path = played(tmp_path / "game", head("classic-arena", SIX, "scripted", seed=5, probes=("day", "vote")))
    assert load(path).header.probes == ("day", "vote")
    parent = Parent(path)
    cut = parent.cut("d1.vote")
    parent.fork(cut.wave, parent.recorded.header).write(tmp_path / "fork")
    play_game(tmp_path / "fork", None, sat(parent.recorded.header))
    assert not load(path).header.to_json().get("parent")
    later = {key: beliefs for key, beliefs in _told(path).items() if key[:2] != ("day_start", 1)}
    assert _told(tmp_path / "fork") == later


@pytest.mark.parametrize(("form", "where"), [("simultaneous", "d1.speech1.03"), ("called", "d1.hand03_1")])
def test_a_fork_from_within_a_stage_does_not_ask_what_came_before_it(tmp_path: Path, form: str, where: str) -> None:
    """From within the speeches the day has begun already, from within a called vote so has the vote."""
    rules = {"preset": "classic-arena", "vote_form": form}
    path = played(tmp_path / "game", head(rules, EIGHT, "scripted", seed=3, probes=("day", "vote")))
    parent = Parent(path)
    cut = parent.cut(where)
    assert any(event.body.kind in ("hand", "speech") and event.day == 1 for wave in parent.waves[: cut.wave]
               for event in wave.events)  # fmt: skip
    parent.fork(cut.wave, parent.recorded.header).write(tmp_path / "fork")
    play_game(tmp_path / "fork", None, sat(parent.recorded.header))
    later = {probe.key for probe in probes(path) if probe.wave >= cut.wave}
    assert {probe.key for probe in probes(tmp_path / "fork")} == later
    assert later < {probe.key for probe in probes(path)}
