"""Models at a table with people: whole games against an endpoint on loopback, one that hangs, one with a budget."""

from __future__ import annotations

import asyncio
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

from provider.ledger import Act
from provider.model import Signing
from provider.server import Provider
from tables.guests import everybody_leaves, open_table, serving, sit_down
from tables.test_games import sources
from tianhei.agents.roster import parse_spec
from tianhei.arena.budget import Budget
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.replay import verified

HANGS = Act(share=0.0, ends="silence")


def played(folder: Path, provider: Provider, *, budget: Budget | None = None, **plan: Any) -> Recording:
    """A person in seat 1 and models in all others play to the end; the game."""

    async def play() -> Recording:
        allowed = {"model": parse_spec(f"m@{provider.url}")}
        async with serving(folder, allowed=allowed, budget=(lambda: budget) if budget else None) as (url, house):
            links = await open_table(url, people=[1], bot="model", survey=False, **plan)
            host, (person,) = await sit_down(url, links)
            assert (await host.post("host/start")).status_code == 200
            await person.until("end")
            await everybody_leaves(host, person)
            return load(house.store.game(links["table"], 1))

    recorded = asyncio.run(play())
    assert "unfinished" not in verified(recorded.path)
    return recorded


def stood_in(recorded: Recording) -> list[str]:
    """What is noted of bots that had no answer."""
    return [note["what"] for note in recorded.notes if note["note"] == "stand-in"]


def of_models(recorded: Recording) -> set[str]:
    return set().union(*(who for seat, who in sources(recorded).items() if seat != 1))


def test_models_play_with_a_person_to_the_end(tmp_path: Path) -> None:
    with Provider(Signing()) as provider:
        recorded = played(tmp_path, provider, roles={"killer": 1, "civilian": 7})
        assert of_models(recorded) == {"model"}
        assert stood_in(recorded) == []
        asked = {entry.request for entry in provider.ledger.entries}
        answered = {name for wave in recorded.waves for name, reply in wave.replies.items() if reply.source == "model"}
        assert asked == answered, "the table's own questions are people's alone"


def test_a_table_keeps_its_time_where_an_endpoint_hangs(tmp_path: Path) -> None:
    began = time.monotonic()
    with Provider(lambda entry: HANGS) as provider:
        recorded = played(tmp_path, provider, pace="hasty")
    assert time.monotonic() - began < 30, "some twenty questions of half a second, not of an endpoint's patience"
    assert of_models(recorded) == {"bot:stand-in"}
    assert all(what.startswith("TimeoutError") for what in stood_in(recorded))
    assert len(stood_in(recorded)) == sum(reply.source == "bot:stand-in" for wave in recorded.waves
                                          for reply in wave.replies.values())  # fmt: skip


def test_a_tables_budget_is_not_passed_and_the_game_goes_on(tmp_path: Path) -> None:
    budget = Budget(Decimal(30_000), "tokens")  # six speeches, and then not seven votes at once
    with Provider(Signing()) as provider:
        recorded = played(tmp_path, provider, budget=budget, roles={"killer": 1, "civilian": 7})
        used = sum(sum(entry.reported or (0, 0)) for entry in provider.ledger.entries)
    assert 0 < used <= budget.spent <= budget.most
    assert of_models(recorded) == {"model", "bot:stand-in"}
    assert all("budget" in what for what in stood_in(recorded))
