"""What models used, folded from transcripts; the doctor's probes."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from players import CLASSIC_FIVE, FakeModel, bots, header, play_game
from tianhei.agents.model import ModelPlayer
from tianhei.agents.roster import parse_spec
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.calls import Meter, Try
from tianhei.arena.cli import main
from tianhei.arena.costs import Costs, costs_of, total
from tianhei.arena.estimate import estimate
from tianhei.arena.host import Sitter
from tianhei.arena.player import Ask, Completion, Prompt, Reply, Usage
from tianhei.arena.requests import Request
from tianhei.arena.view import View
from tianhei.prompts.pack import load as load_pack
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec
from whatif.tables import answering

RULES = {"max_days": 1, "first_phase": "day", "vote_form": "simultaneous"}
PRICED = SeatSpec("openai/gpt-4o-mini", "gpt-4o-mini", "https://api.openai.com/v1")
UNKNOWN = SeatSpec("m@http://x/v1", "m", "http://x/v1")


class Counting(FakeModel):
    """Each answer costs 1000 tokens in, 400 of them cached, and 100 out; every second call first meets a fault."""

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        if len(self.calls) % 2:
            meter.failed(Try("no_choice", "nothing", 0.1, 0.0, Usage(1000, None, 0)))
        completion = await super().complete(prompt, call, meter)
        return Completion(completion.text, usage=Usage(1000, 400, 100, 20))


def head(*specs: SeatSpec) -> Header:
    found = header(CLASSIC_FIVE, rules=RULES)
    return Header(found.rules, found.counts, found.seed, "en", (*specs, *found.seats[len(specs) :]))


def game(path: Path) -> Path:
    model = Sitter(ModelPlayer("en"), "model", Counting())
    play_game(path, head(PRICED, UNKNOWN), {**bots(5), 1: model, 2: model})
    return path


def test_tokens_money_and_faults_by_model(tmp_path: Path) -> None:
    recorded = load(game(tmp_path / "g"))
    calls, faults = len(recorded.done), len(recorded.tries)
    assert faults == calls // 2 > 0
    found = costs_of(recorded)
    assert list(found) == ["gpt-4o-mini @ https://api.openai.com/v1", "m @ http://x/v1"]
    priced, unpriced = found.values()
    both = total(found.values())
    assert (both.calls, both.answers, both.requests) == (calls, calls, calls + faults)
    assert both.failed == {"no_choice": faults}
    assert (both.prompt, both.cached) == (1000 * (calls + faults), 400 * calls)
    assert (both.completion, both.reasoning) == (100 * calls, 20 * calls)
    assert both.kept == 1100 * calls
    assert priced.money > 0 and priced.unpriced == 0
    assert unpriced.money == Decimal(0) and unpriced.unpriced == unpriced.requests
    assert both.fallbacks == {}


class Served(FakeModel):
    """Says that a snapshot of it answered, but for the first call, of which it says nothing."""

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        completion = await super().complete(prompt, call, meter)
        return replace(completion, served="m-2026-11-01" if len(self.calls) > 1 else "", fingerprint="fp_7")


def test_who_answered_is_in_the_transcript_and_in_what_it_cost(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    play_game(path, head(UNKNOWN), {**bots(5), 1: Sitter(ModelPlayer("en"), "model", Served())})
    recorded = load(path)
    calls = len(recorded.done)
    assert calls > 1 and all(call["fingerprint"] == "fp_7" for call in recorded.done.values())
    (costs,) = costs_of(recorded).values()
    assert costs.served == {"m-2026-11-01": calls - 1} and costs.by_others("m") and not costs.by_others("m-2026-11-01")
    both = total([costs, costs])
    assert both.served == {"m-2026-11-01": 2 * (calls - 1)}
    (told,) = json.loads(CliRunner().invoke(main, ["cost", "--json", str(path)]).output).values()
    assert told["served"] == {"m-2026-11-01": calls - 1}
    shown = CliRunner().invoke(main, ["cost", str(path)]).output
    assert f"answered by m-2026-11-01, {calls - 1} of {calls} calls" in " ".join(shown.split())


class AskingTwice(ModelPlayer):
    """Asks for every answer twice."""

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        await super().act(view, request, ask)
        return await super().act(view, request, ask)


@pytest.mark.parametrize(("pack", "kept"), [("official", 0.5), ("tiny", 1.0)])
def test_an_answer_rests_on_the_last_call_or_with_scores_on_all(pack: str, kept: float, tmp_path: Path) -> None:
    class Even(FakeModel):
        async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
            return replace(await super().complete(prompt, call, meter), usage=Usage(1000, 0, 100))

    sitter = Sitter(AskingTwice("en"), "model", Even())
    play_game(tmp_path / "g", head(replace(UNKNOWN, pack=pack)), {**bots(5), 1: sitter})
    (found,) = costs_of(load(tmp_path / "g")).values()
    assert found.kept / found.billed == kept and found.calls == 2 * found.answers


@pytest.mark.report("PE-05")
def test_totals_are_those_of_the_file_however_often_it_was_gone_on_with(tmp_path: Path) -> None:
    whole = game(tmp_path / "whole")
    cut = tmp_path / "cut"
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: len(lines) // 2]))
    model = Sitter(ModelPlayer("en"), "model", FakeModel())
    play_game(cut, None, {**bots(5), 1: model, 2: model})
    before = total(costs_of(load(whole)).values())
    after = total(costs_of(load(cut)).values())
    assert (after.calls, after.answers) == (before.calls, before.answers)
    done = load(cut).done.values()
    assert after.prompt == sum(call["usage"].get("prompt", 0) for call in done) + 1000 * after.failed.total()


def test_probes_that_were_answered_are_kept(tmp_path: Path) -> None:
    """Every call was answered at once: of the game's requests and of the probes."""
    asked = replace(head(PRICED), probes=("day", "vote"))
    model = Sitter(ModelPlayer("en"), "model", Counting(answering))
    play_game(tmp_path / "g", asked, {**bots(5), 1: model})
    recorded = load(tmp_path / "g")
    told = [line for line in recorded.probes if line["seat"] == 1]
    (found,) = costs_of(recorded).values()
    assert found.calls == found.answers + len(told) > found.answers > 0
    assert found.kept == 1100 * found.calls


@pytest.mark.parametrize("pack", ["official", "tiny"])
def test_an_estimate_counts_probes(pack: str, tmp_path: Path) -> None:
    """As many as in the same game of scripted players, each asked in one call, or by scores in several."""
    plain = head(UNKNOWN)
    asked = replace(plain, probes=("day", "vote"))
    packs, plans = {1: load_pack(pack, "en")}, {1: parse_spec("m@http://x/v1")}
    (without,), (found,) = (estimate(each, packs, plans).values() for each in (plain, asked))
    play_game(tmp_path / "g", asked, dict.fromkeys(range(1, 6), Sitter(ScriptedPlayer("en"))))
    probes = sum(line["seat"] == 1 for line in load(tmp_path / "g").probes)
    assert probes > 0
    more = found.calls - without.calls
    assert more == probes if pack == "official" else more > probes
    assert found.prompt > without.prompt and found.completion > without.completion


def test_the_command_prints_a_table_and_json(tmp_path: Path) -> None:
    path = str(game(tmp_path / "g"))
    table = CliRunner().invoke(main, ["cost", path], env={"COLUMNS": "160"})
    assert table.exit_code == 0
    assert "gpt-4o-mini @ https://api.openai.com/v1" in table.output
    assert "requests that came to nothing: no_choice" in table.output
    data = json.loads(CliRunner().invoke(main, ["cost", "--json", path, path]).output)
    assert data["m @ http://x/v1"]["unpriced_requests"] > 0
    assert sum(model["calls"] for model in data.values()) == 2 * len(load(path).done)


def test_scripted_games_cost_nothing(tmp_path: Path) -> None:
    play_game(tmp_path / "g", header(CLASSIC_FIVE, rules=RULES), bots(5))
    assert costs_of(load(tmp_path / "g")) == {}
    assert "no model was asked" in CliRunner().invoke(main, ["cost", str(tmp_path / "g")]).output


def test_costs_add_up() -> None:
    some = Costs(calls=1, prompt=10, completion=5, kept=15)
    some.add(Costs(calls=2, prompt=30, completion=5))
    assert (some.calls, some.billed, some.to_json()["kept_share"]) == (3, 50, 0.3)


def test_the_doctor_needs_a_model() -> None:
    found = CliRunner().invoke(main, ["doctor", "scripted"])
    assert found.exit_code == 1
    assert "no language model sits there" in found.output


def test_the_doctor_says_what_cannot_be_reached() -> None:
    found = CliRunner().invoke(main, ["doctor", "m@http://127.0.0.1:9/v1?patience=0.1"])
    assert found.exit_code == 1
    assert "FAULT reachable" in found.output and "unreachable" in found.output
