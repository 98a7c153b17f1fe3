"""Models at a table with people: whole games against an endpoint on loopback, one that hangs, one with a budget."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from provider.ledger import Act
from provider.model import Signing
from provider.server import Provider
from tables.guests import QUICK, Guest, everybody_leaves, open_table, serving, sit_down
from tables.test_games import sources
from tianhei.agents.roster import parse_spec
from tianhei.arena.budget import Budget
from tianhei.arena.tables.house import House
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
        recorded = played(tmp_path, provider, roles={"killer": 1, "civilian": 7}, pace="calm")
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
        recorded = played(tmp_path, provider, budget=budget, roles={"killer": 1, "civilian": 7}, pace="calm")
        used = sum(sum(entry.reported or (0, 0)) for entry in provider.ledger.entries)
    assert 0 < used <= budget.spent <= budget.most
    assert of_models(recorded) == {"model", "bot:stand-in"}
    assert all("budget" in what for what in stood_in(recorded))


async def asked_or_refused(house: House, table: str) -> bool:
    """Wait until a bot of this table has been answered, or has nothing left to ask with; whether it is the latter."""
    room = house.rooms[table]
    before = room.state.spent.get("tokens", Decimal(0))
    async with asyncio.timeout(30):
        while True:
            text = room.transcript().read_text() if room.transcript().exists() else ""
            if "the budget of" in text:
                return True
            purse = room.game.purse if room.game else None
            if purse and purse.spent > before and not purse.reserved:
                return False
            await asyncio.sleep(0.01)


def test_what_a_table_spent_stays_spent_over_new_deals_restarts_and_rematches(tmp_path: Path) -> None:
    """Its guests may deal and play anew as often as they like: the budget is the table's, and the rematch has it on."""
    most = 100_000  # seven ask at once, and each might take a ninth of it
    plan: dict[str, Any] = {"people": [1], "bot": "model", "roles": {"killer": 4, "police": 3, "civilian": 5}}
    settings: dict[str, Any] = {
        "budget": lambda: Budget(Decimal(most), "tokens"),
        "paces": {"quick": replace(QUICK, night=20)},
    }

    async def play(provider: Provider) -> None:
        allowed = {"model": parse_spec(f"m@{provider.url}")}
        async with serving(tmp_path, allowed=allowed, **settings) as (url, house):
            links = await open_table(url, survey=False, **plan)
            host, (person,) = await sit_down(url, links)
            assert (await host.post("host/start")).status_code == 200
            kept = []
            for _ in range(2):
                assert not await asked_or_refused(house, links["table"]), "so far there is enough"
                assert (await host.post("host/redeal")).status_code == 200
                kept.append(house.rooms[links["table"]].state.spent["tokens"])
            assert 0 < kept[0] < kept[1]
            await everybody_leaves(host, person)
        async with serving(tmp_path, allowed=allowed, **settings) as (url, house):
            host, person = (Guest(url, links["table"], each.token, each.seat, each.choose) for each in (host, person))
            person.look()
            while not await asked_or_refused(house, links["table"]):  # it comes to an end
                assert (await host.post("host/redeal")).status_code == 200
                assert house.rooms[links["table"]].state.deals < 40
            assert (await host.post("host/end")).status_code == 200
            again = (await host.post("host/rematch")).json()
            other = Guest(url, again["table"], again["host"])
            assert (await other.post("host/delete")).status_code == 200, "and not by taking the next table away"
            again = (await host.post("host/rematch")).json()
            await other.close()
            other = Guest(url, again["table"], again["host"])
            token = (await person.until("rematch", table=again["table"]))["token"]
            seat = Guest(url, again["table"], token, 1, person.choose)
            seat.look()
            assert (await seat.post("ready")).status_code == 200
            assert (await other.post("host/start")).status_code == 200
            assert await asked_or_refused(house, again["table"])
            await everybody_leaves(host, person, other, seat)

    with Provider(Signing()) as provider:
        asyncio.run(play(provider))
        used = sum(sum(entry.reported or (0, 0)) for entry in provider.ledger.entries)
    assert 0 < used <= most
