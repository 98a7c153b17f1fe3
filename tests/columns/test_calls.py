"""Decisions of models, and what seats were asked aside: tokens, money, faults, beliefs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from columns.games import rows
from players import CLASSIC_FIVE, Free, fitting, header, models, play_game
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.calls import Meter
from tianhei.arena.deduce import posterior
from tianhei.arena.endpoint.prices import price
from tianhei.arena.facts import facts_of
from tianhei.arena.host import Sitter
from tianhei.arena.player import Completion, Prompt, Usage
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import Tables
from tianhei.transcripts.game import load
from tianhei.transcripts.header import SeatSpec

USAGE = Usage(prompt=1000, cached=600, completion=50, reasoning=20)
MODEL = SeatSpec("openai/gpt-5-mini", "gpt-5-mini", "https://api.openai.com/v1", "official", "0" * 16, {"variant": 2})


class Counting(Free):
    """A model that says what it used, and whose every fourth reply cannot be read."""

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, prompt: Prompt, call: str, meter: Meter) -> Completion:
        self.calls += 1
        return Completion("?" if Random(call).random() < 0.25 else fitting(prompt), usage=USAGE)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Counting, Tables, Path]:
    """A game of models, and its tables."""
    model, path = Counting(), tmp_path / "game.jsonl"
    play_game(path, replace(header(CLASSIC_FIVE), seats=(MODEL,) * 5), models(5, model))
    return model, tables_of(load(path)), path


def test_every_call_is_in_the_books(played: tuple[Counting, Tables, Path]) -> None:
    """Each call came back, with the same usage; so the sums are what the model counted."""
    model, found, _ = played
    requests = found["requests"]
    assert sum(requests["calls"]) == model.calls
    assert sum(requests["prompt_tokens"]) == 1000 * model.calls
    assert sum(requests["cached_tokens"]) == 600 * model.calls
    assert sum(requests["completion_tokens"]) == 50 * model.calls
    assert sum(requests["reasoning_tokens"]) == 20 * model.calls
    each = price("gpt-5-mini", "https://api.openai.com/v1", USAGE)
    assert each is not None
    assert sum(requests["cost"]) == pytest.approx(float(each) * model.calls)
    assert rows(found, "seats", "model", "variant") == [("gpt-5-mini", "2")] * 5


def test_a_reply_that_cannot_be_read_is_a_fault(played: tuple[Counting, Tables, Path]) -> None:
    """As many faults as calls beyond the one that was taken; three in a row, and the seat is absent."""
    _, found, _ = played
    seen = set()
    for calls, faults, source, cause in rows(found, "requests", "calls", "faults", "source", "fallback_cause"):
        assert calls == (faults if source == "fallback" else faults + 1)
        assert (cause is None) == (source == "model")
        seen.add(faults)
    assert {0, 1} <= seen


def test_unknown_prices_are_not_zero(played: tuple[Counting, Tables, Path]) -> None:
    recording = load(played[2])
    recording.header = replace(recording.header, seats=(replace(MODEL, model="nobody-knows-me"),) * 5)
    assert set(tables_of(recording)["requests"]["cost"]) == {None}


def test_scripted_players_have_no_calls(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play_game(path, header(CLASSIC_FIVE), {seat: Sitter(ScriptedPlayer("en")) for seat in range(1, 6)})
    requests = tables_of(load(path))["requests"]
    for column in ("latency", "prompt_tokens", "completion_tokens", "calls", "cost"):
        assert set(requests[column]) == {None}


def test_beliefs_stand_beside_the_exact_chance(tmp_path: Path) -> None:
    """One row for each living other; on the first day a civilian's exact chance is one killer among the others."""
    path = tmp_path / "game.jsonl"
    head = replace(header({"killer": 2, "police": 2, "civilian": 4}, player="scripted"), probes=("day", "vote"))
    host = play_game(path, head, {seat: Sitter(ScriptedPlayer("en")) for seat in range(1, 9)})
    recording = load(path)
    found = tables_of(recording)
    assert len(found["probes"]["seat"]) == len(recording.probes) > 0
    assert len(found["beliefs"]["about"]) == sum(found["probes"]["about_n"])
    role = dict(rows(found, "seats", "seat", "role"))
    dead = set(rows(found, "deaths", "seat", day=1, phase="night"))
    for seat, about, exact in rows(found, "beliefs", "seat", "about", "posterior", day=1, point="day_start"):
        assert {seat, about}.isdisjoint(dead)
        if role[seat] == "killer":
            assert exact == pytest.approx(float(role[about] == "killer"))
    for seat in set(found["probes"]["seat"]):
        for wave in set(rows(found, "probes", "wave", seat=seat)):
            given = rows(found, "beliefs", "p", seat=seat, wave=wave)
            assert rows(found, "probes", "raw_sum", seat=seat, wave=wave) == [pytest.approx(sum(given))]
    assert host.referee.outcome is not None


def test_the_exact_chance_is_that_of_the_view_at_that_time(tmp_path: Path) -> None:
    """The last probe of a game, by the views as the host had them: the chance from certain knowledge alone."""
    path = tmp_path / "game.jsonl"
    head = replace(header({"killer": 2, "police": 2, "civilian": 4}, player="scripted"), probes=("day",))
    host = play_game(path, head, {seat: Sitter(ScriptedPlayer("en")) for seat in range(1, 9)})
    recording = load(path)
    found = tables_of(recording)
    first = min(found["beliefs"]["wave"])
    views = type(host.views)(recording.header.rules, recording.header.counts, recording.header.seed)
    for wave in recording.waves[:first]:
        views.add(wave.events)
    for seat in set(rows(found, "beliefs", "seat", wave=first)):
        exact = posterior(replace(facts_of(views.of(seat)), statements=())).killer
        for about, chance in rows(found, "beliefs", "about", "posterior", seat=seat, wave=first):
            assert chance == pytest.approx(exact[about])
