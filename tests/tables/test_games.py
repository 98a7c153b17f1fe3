"""Whole games of people and bots over HTTP, and what comes of them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import randrange
from typing import Any

import httpx2
import pytest

from tables.guests import QUICK, Guest, by_lot, everybody_leaves, open_table, serving, sit_down
from tianhei.arena.tables.store import Store
from tianhei.transcripts.game import Recording, load, seat_of
from tianhei.transcripts.replay import verified

BUTTERFLY: dict[str, Any] = {"game": "butterfly", "size": 11, "roles": None}


def sources(recorded: Recording) -> dict[int, set[str]]:
    """Who answered for each seat."""
    found: dict[int, set[str]] = {}
    for wave in recorded.waves:
        for reply in wave.replies.values():
            found.setdefault(seat_of(reply.request), set()).add(reply.source)
    return found


def test_people_and_bots_play_a_whole_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            # Two have something to do at night; so one at the least has not.
            links = await open_table(url, people=3, pace="calm")
            host, people = await sit_down(url, links)
            host.look()
            assert (await host.post("host/start")).status_code == 200
            for person in people:
                await person.until("survey")
                assert not any(frame["kind"] in ("over", "revealed") for frame in person.frames())
                assert (await person.post("survey", bots=[])).status_code == 200
            for person in people:
                end = await person.until("end")
                assert [frame["kind"] for frame in person.frames()][-2:] == ["over", "revealed"]
                assert {each["seat"] for each in end["table"]["survey"]} == {each.seat for each in people}
                assert end["document"]["truth"]["replies"]
                assert end["table"]["beliefs"], "a night's cover questions were answered"
            await everybody_leaves(host, *people)
            path = house.store.game(links["table"], 1)
        assert verified(path).startswith("sound, ")
        assert "unfinished" not in verified(path)
        seats = {person.seat for person in people}
        for seat, who in sources(load(path)).items():
            assert who == {"human" if seat in seats else "bot"}
        assert all(status == 200 for person in people for status in person.answered.values())

    asyncio.run(play())


def test_three_people_play_the_butterfly_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=3, survey=False, lang="zh", **BUTTERFLY)
            host, people = await sit_down(url, links)
            assert (await host.post("host/start")).status_code == 200
            for person in people:
                await person.until("end")
            await everybody_leaves(host, *people)
            path = house.store.game(links["table"], 1)
        assert "unfinished" not in verified(path)
        assert {"human"} in sources(load(path)).values()

    asyncio.run(play())


def free_port() -> int:
    """A port on which nobody listens, below those that are given to whoever asks for any."""
    while True:
        port = randrange(20_000, 30_000)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port


async def started(folder: Path, port: int, log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("served.py")), str(folder), str(port)], stdout=out, stderr=out
        )
    await answering(port)
    return process


async def answering(port: int) -> None:
    """Wait until a server answers there."""
    async with asyncio.timeout(30), httpx2.AsyncClient() as http:
        while True:
            with suppress(httpx2.TransportError):
                await http.get(f"http://127.0.0.1:{port}/page/words.json")
                return
            await asyncio.sleep(0.05)


def test_a_table_stands_after_the_server_was_killed_at_any_moment(tmp_path: Path) -> None:
    async def play() -> None:
        port, log = free_port(), tmp_path / "log"
        url = f"http://127.0.0.1:{port}"
        process = await started(tmp_path, port, log)
        try:
            links = await open_table(url, people=2, survey=False)
            host, people = await sit_down(url, links)
            assert (await host.post("host/start")).status_code == 200
            given: dict[str, Any] = {}
            for wanted in ("cover-1", "speech", "vote"):
                async with asyncio.timeout(20):  # until some person was asked this, or was at the end
                    while not any(wanted in name for person in people for name in person.answered):
                        if any(person.of("end") for person in people):
                            break
                        await asyncio.sleep(0.005)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                for person in people:
                    given |= {name: status for name, status in person.answered.items() if status == 200}
                    with suppress(httpx2.HTTPError):
                        await person.look_away()
                process = await started(tmp_path, port, log)
                for person in people:
                    person.look()  # by the same link
            for person in people:
                await person.until("end", 60)
            path = Store(tmp_path).game(links["table"], 1)
            recorded = load(path)
            kept = {name: reply for wave in recorded.waves for name, reply in wave.replies.items()}
            for name in given:
                if not name.startswith("cover-"):
                    assert kept[name].source == "human", "what was taken is kept"
            assert "unfinished" not in verified(path)
            await everybody_leaves(host, *people)
            said = log.read_text()
            assert "/stream" in said, "the log tells what is asked for"
            for token in (links["host"], links["invite"], *links["seats"].values()):
                assert token not in said
        finally:
            process.kill()
            process.wait()

    asyncio.run(play())


def test_whoever_is_away_is_stood_in_for_until_they_are_back(tmp_path: Path) -> None:
    late = replace(QUICK, card=3, night=4)  # whoever is away is stood in for from the card on

    async def play() -> None:
        async with serving(tmp_path, paces={"late": late}) as (url, house):
            links = await open_table(url, people=[1, 2], roles={"killer": 1, "civilian": 7}, pace="late", survey=False)
            host, (here, away) = await sit_down(url, links)
            away.choose = None  # sits there, and does nothing
            await host.post("host/start")
            await away.until("taken", taken=True)
            await here.until("frame", by=2)  # the stand-in spoke for them; there is a vote yet to come
            away.choose = by_lot(9)
            assert (await away.post("back")).status_code == 200
            await away.until("taken", taken=False)
            await here.until("end")
            await everybody_leaves(host, here, away)
            path = house.store.game(links["table"], 1)
        recorded = load(path)
        assert sources(recorded)[1] == {"human"}
        assert "bot:takeover" in sources(recorded)[2]
        notes = [(note["note"], note["seat"]) for note in recorded.notes if "seat" in note]
        assert ("takeover", 2) in notes
        assert ("hand-back", 2) in notes
        assert "unfinished" not in verified(path)

    asyncio.run(play())


def test_a_bot_that_fails_or_is_slow_is_stood_in_for(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "class Bad:\n    async def act(self, view, request, ask):\n"
        "        import asyncio\n"
        "        if request.kind == 'vote':\n            await asyncio.sleep(60)\n        raise ValueError('no')\n"
    )

    async def play() -> None:
        from tianhei.agents.roster import parse_spec

        async with serving(tmp_path, allowed={"bad": parse_spec(f"{bad}:Bad")}) as (url, house):
            links = await open_table(url, people=1, bot="bad", pace="hasty", survey=False)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("end")
            await everybody_leaves(host, person)
            path = house.store.game(links["table"], 1)
        found = set().union(*sources(load(path)).values())
        assert found <= {"human", "bot:stand-in", "bot:takeover"}
        assert "bot:stand-in" in found

    asyncio.run(play())


def test_a_paused_table_stands_still(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("ask")
            assert (await host.post("host/pause")).status_code == 200
            await person.until("lobby", phase="paused")
            before = len(person.frames())
            await asyncio.sleep(1.2)
            assert len(person.frames()) == before
            assert (await host.post("host/go")).status_code == 200
            await person.until("end")
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_a_card_that_was_seen_is_dealt_anew(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            choose, person.choose = person.choose, None  # the card stands until it has been looked at
            await host.post("host/start")
            await person.until("card")
            assert (await host.post("host/redeal")).status_code == 200
            person.choose = choose
            await person.look_away()
            person.look()
            await person.until("end")
            late = await host.post("host/redeal")
            assert late.json()["error"] == "not_playing"
            await everybody_leaves(host, person)
            first, second = (load(house.store.game(links["table"], deal)).header for deal in (1, 2))
            assert first.seed != second.seed

    asyncio.run(play())


@pytest.mark.parametrize("when", ["lobby", "playing", "ended"])
def test_a_deleted_table_leaves_nothing(tmp_path: Path, when: str) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            if when != "lobby":
                await host.post("host/start")
                await person.until("card" if when == "playing" else "end")
            assert (await host.post("host/delete")).status_code == 200
            assert (await person.until("closed"))["why"] == "deleted"
            assert list((tmp_path / "tables").iterdir()) == []
            assert (await host.get()).status_code == 404
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_a_slow_table_waits_without_work_and_over_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        from tianhei.arena.tables.pace import PACES as REAL

        paces = {"days": REAL["days"]}
        async with serving(tmp_path, paces=paces) as (url, _):
            links = await open_table(url, people=1, pace="days")
            host, (person,) = await sit_down(url, links)
            person.choose = lambda ask: (
                None
            )  # the card is put away, nothing answered: what is answered is not asked again
            await host.post("host/start")
            ask = (await person.until("ask"))["ask"]
            await everybody_leaves(host, person)
            busy = asyncio.all_tasks()
            assert len(busy) < 20
        async with serving(tmp_path, paces=paces) as (url, _):
            again = Guest(url, links["table"], links["seats"][str(person.seat)], person.seat)
            again.look()
            found = (await again.until("ask"))["ask"]
            assert found["kind"] == "cover" or found["request"] == ask["request"]
            await everybody_leaves(again)

    asyncio.run(play())


def test_the_command_stops_at_once_and_without_a_word_though_somebody_looks_on(tmp_path: Path) -> None:
    async def play() -> None:
        port, log = free_port(), tmp_path / "log"
        main = "from tianhei.arena.cli import main; main()"
        with log.open("wb") as out:
            command = [sys.executable, "-c", main, "serve", str(tmp_path), "--port", str(port), "--open"]
            process = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            await answering(port)
            url = f"http://127.0.0.1:{port}"
            links = await open_table(url, pace="fast")
            host, (person,) = await sit_down(url, links)
            await person.until("hello")
            process.send_signal(signal.SIGINT)
            await person.line_closed()
            assert await asyncio.to_thread(process.wait, 10) == 0, log.read_text()
            assert log.read_text().splitlines() == [f"Open a table at  {url}/"]
            await everybody_leaves(host, person)
        finally:
            process.kill()
            process.wait()

    asyncio.run(play())
