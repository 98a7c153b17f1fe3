"""Nights at a table of people: they go on after a restart where they stood, and everybody is asked as much in them."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tables.guests import QUICK, Guest, by_lot, everybody_leaves, open_table, serving, sit_down
from tables.test_games import free_port, started
from tianhei.arena.tables.ending import killers_of
from tianhei.arena.tables.hosting import go, pause, start
from tianhei.arena.tables.house import House
from tianhei.arena.tables.pace import PACES as REAL
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.room import Room
from tianhei.arena.tables.state import State
from tianhei.arena.tables.store import Store
from tianhei.transcripts.game import load

TEAMS: dict[str, Any] = {"roles": {"killer": 2, "police": 1, "civilian": 4}, "survey": False}
"""Two killers, who take counsel twice: a night of two places."""
BY_DAY: dict[str, Any] = {**TEAMS, "options": {"first_phase": "day"}}
"""The same from the first day on, before anybody can have died."""


def kept(folder: Path, table: str) -> State:
    return Store(folder).load(table)


def ends_at(person: Guest) -> set[tuple[str, int]]:
    """What this one is asked since the last greeting, and until when (to a tenth of a second)."""
    last = max(place for place, message in enumerate(person.heard) if message["type"] == "hello")
    asks = [message["ask"] for message in person.heard[last:] if message["type"] == "ask"]
    return {(ask["request"], round(ask["ends_at"] / 100)) for ask in asks}


@pytest.mark.parametrize("pace", ["dusk", "hours"])
def test_a_night_goes_on_after_the_server_was_killed_in_it_again_and_again(tmp_path: Path, pace: str) -> None:
    async def play() -> None:
        port, log = free_port(), tmp_path / "log"
        url = f"http://127.0.0.1:{port}"
        process = await started(tmp_path, port, log)
        try:
            links = await open_table(url, people=7, pace=pace, **TEAMS)
            host, people = await sit_down(url, links)
            for person in people:
                person.choose = lambda ask: None
            assert (await host.post("host/start")).status_code == 200
            for person in people:
                await person.until("ask")
            await asyncio.sleep(0.2)
            until = (await people[0].until("clock", kind="night"))["ends_at"]
            asked = {person.seat: ends_at(person) for person in people}
            one = people[0]
            own = next(ask["ask"] for ask in one.of("ask") if ask["ask"]["cover"])
            given = {"request": own["request"], "target": own["options"][0]}
            assert (await one.post("answer", **given)).status_code == 200
            asked[one.seat] = {each for each in asked[one.seat] if each[0] != own["request"]}
            for _ in range(2):
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                for person in people:
                    with suppress(httpx2.HTTPError):
                        await person.look_away()
                    person.heard.clear()
                process = await started(tmp_path, port, log)
                for person in people:
                    person.look()
                    assert abs((await person.until("clock", kind="night"))["ends_at"] - until) < 100
                await asyncio.sleep(0.3)
                for person in people:
                    now = dict(ends_at(person))
                    assert now.keys() == {name for name, _ in asked[person.seat]}, "the same is asked again, no more"
                    assert all(abs(now[name] - ends) <= 1 for name, ends in asked[person.seat])
                again = await one.post("answer", **{**given, "target": own["options"][1]})
                assert again.json()["error"] == "already_answered"
            (belief,) = kept(tmp_path, links["table"]).beliefs
            assert (belief.seat, belief.target) == (one.seat, own["options"][0])
            await everybody_leaves(host, *people)
        finally:
            process.kill()
            process.wait()

    asyncio.run(play())


def at_a_table(house: House, **plan: Any) -> Room:
    """A table that has begun; nobody looks on, and nobody answers."""
    room = house.create(Plan.model_validate({**TEAMS, "people": 7, **plan}))
    for seat in room.state.chairs:
        room.join(f"seat/{seat}", "", "en", True, "")
        room.ready(f"seat/{seat}", True, False)
    start(room, fill=False)
    for seat in room.state.chairs:
        room.seen(f"seat/{seat}")
    return room


async def night_falls(room: Room) -> int:
    """When the night ends that has come (in thousandths of a second since 1970)."""
    async with asyncio.timeout(20):
        while not (room.game and any(ask.cover for ask in room.game.stage.questions.opened())):
            await asyncio.sleep(0.01)
    (clock,) = [each for each in room.game.stage.standing(None) if each["type"] == "clock"]
    assert clock["kind"] == "night"
    found: int = clock["ends_at"]
    return found


def test_a_table_that_is_restarted_often_leaves_the_night_all_the_same(tmp_path: Path) -> None:
    paces = {"short": replace(QUICK, night=2)}

    async def play() -> None:
        async with House(tmp_path, paces=paces) as house:
            room = at_a_table(house, pace="short")
            await night_falls(room)
            table = room.state.table
        for _ in range(25):
            async with House(tmp_path, paces=paces) as house:
                async with asyncio.timeout(20):
                    while house.rooms[table].game is None:
                        await asyncio.sleep(0.01)
                await asyncio.sleep(0.3)  # never as long as a place of the night
                if house.rooms[table].state.shown:
                    return
        pytest.fail("it is night for ever")

    asyncio.run(play())


def test_a_night_that_ended_while_the_server_was_away_leaves_time_to_answer(tmp_path: Path) -> None:
    paces = {"short": replace(QUICK, night=4)}

    async def play() -> None:
        async with House(tmp_path, paces=paces) as house:
            room = at_a_table(house, pace="short")
            until = await night_falls(room)
            table = room.state.table
        await asyncio.sleep(max(0.0, until / 1000 - time.time()) + 0.5)
        async with House(tmp_path, paces=paces) as house:
            back = time.time()
            again = await night_falls(house.rooms[table])
            assert again / 1000 - back > 3, "what was open has its time, and what is to come"

    asyncio.run(play())


@pytest.mark.parametrize("restart", [False, True])
def test_a_paused_night_has_as_much_time_left_when_it_goes_on(tmp_path: Path, restart: bool) -> None:
    async def play() -> None:
        async with House(tmp_path, paces=REAL) as house:
            room = at_a_table(house, pace="normal")
            until = await night_falls(room)
            await asyncio.sleep(2)
            before, table = time.time(), room.state.table
            pause(room)
            paused = time.time()
            await asyncio.sleep(1.5)
            if not restart:
                await goes_on(room, until / 1000, before, paused)
                return
        async with House(tmp_path, paces=REAL) as house:
            await asyncio.sleep(0.5)
            await goes_on(house.rooms[table], until / 1000, before, paused)

    asyncio.run(play())


async def goes_on(room: Room, until: float, before: float, paused: float) -> None:
    """The night ends as much later as the table stood still, which it did from some moment between those two on."""
    going = time.time()
    go(room)
    gone = time.time()
    later = await night_falls(room) / 1000 - until
    assert going - paused - 0.01 <= later <= gone - before + 0.01


def test_the_time_to_look_at_a_card_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with House(tmp_path, paces=REAL) as house:
            room = house.create(Plan.model_validate({**TEAMS, "people": 1, "pace": "club"}))
            (seat,) = room.state.chairs
            room.join(f"seat/{seat}", "", "en", True, "")
            room.ready(f"seat/{seat}", True, False)
            start(room, fill=False)
            until = await card_ends(room)
            table = room.state.table
            await asyncio.sleep(1)
        async with House(tmp_path, paces=REAL) as house:
            assert abs(await card_ends(house.rooms[table]) - until) < 100

    asyncio.run(play())


async def card_ends(room: Room) -> int:
    async with asyncio.timeout(10):
        while True:
            for each in room.game.stage.standing(min(room.state.chairs)) if room.game else ():
                if each["type"] == "card":
                    found: int = each["ends_at"]
                    return found
            await asyncio.sleep(0.01)


def test_whoever_acts_at_night_leaves_a_belief_too_and_all_are_asked_as_much(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=7, pace="calm", **TEAMS)
            host, people = await sit_down(url, links)
            await host.post("host/start")
            for person in people:
                await person.until("frame", kind="dawn")
            asked = []
            for person in people:
                dawn = next(i for i, each in enumerate(person.heard) if each.get("frame", {}).get("kind") == "dawn")
                asks = [each["ask"] for each in person.heard[:dawn] if each["type"] == "ask"]
                asked.append(sorted(ask["ends_at"] for ask in asks))
                assert sum(ask["question"]["en"] == "Whom do you suspect most?" for ask in asks) == 1
            assert asked[0]
            assert all(each == asked[0] for each in asked), "as often, and until the same moment"
            room = house.rooms[links["table"]]
            beliefs = [each for each in room.state.beliefs if each.day == 1]
            suspects = [each.seat for each in beliefs if each.question == "suspect"]
            assert sorted(suspects) == [1, 2, 3, 4, 5, 6, 7]
            assert len({(each.seat, each.place) for each in beliefs}) == len(beliefs)
            assert (await host.post("host/end")).status_code == 200, "no need to play on"
            end = await people[0].until("end")
            killers = killers_of(load(room.transcript()).header)
            for each in end["table"]["beliefs"]:
                if each["question"] == "suspect":
                    assert each["right"] is (None if each["seat"] in killers else each["target"] in killers)
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_after_a_restart_the_table_is_not_told_who_has_voted(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=7, **BY_DAY)
            host, people = await sit_down(url, links)
            shy = people[-1]
            own = by_lot(7)
            shy.choose = lambda ask: None if ask["kind"] == "vote" else own(ask)
            await host.post("host/start")
            living = (await shy.until("clock", kind="vote"))["seats"]
            while not all(any("vote" in name for name in each.answered) for each in people if each.seat in living[:-1]):
                await asyncio.sleep(0.01)
            await everybody_leaves(host, *people)
        async with serving(tmp_path) as (url, _):
            watcher = Guest(url, links["table"], links["spectator"])
            watcher.look()
            assert (await watcher.until("clock", kind="vote"))["seats"] == living
            await everybody_leaves(watcher)

    asyncio.run(play())


def test_whoever_asks_for_double_time_in_a_game_has_it_from_the_next_question_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, **BY_DAY)
            host, (person,) = await sit_down(url, links)
            person.choose = lambda ask: None
            await host.post("host/start")
            ask = (await person.until("ask", kind="speech"))["ask"]
            assert (await person.post("ready", doubled=True)).status_code == 200
            assert (await person.until("lobby", doubled=True))["lobby"]["phase"] == "playing"
            await person.look_away()
            person.heard.clear()
            person.look()
            assert (await person.until("ask"))["ask"]["ends_at"] == pytest.approx(ask["ends_at"], abs=100)
            assert (await person.post("answer", request=ask["request"], text="Hm.")).status_code == 200
            vote = (await person.until("ask", kind="vote"))["ask"]
            assert QUICK.vote * 1.9 < vote["ends_at"] / 1000 - time.time() <= QUICK.vote * 2
            await everybody_leaves(host, person)

    asyncio.run(play())
