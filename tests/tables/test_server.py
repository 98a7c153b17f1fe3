"""The server's manners: headers, sizes, origins, limits, and what it serves."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tables.guests import Guest, everybody_leaves, open_table, serving, sit_down
from tianhei.arena.rules.options import make
from tianhei.arena.rules.setups import sizes
from tianhei.arena.tables.audience import BLOCK, Audience, Stream, encoded, padded
from tianhei.arena.tables.limits import Limit
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.server import BIGGEST_BODY, HEADERS, Limits
from tianhei.arena.tables.store import Store
from tianhei.prompts.vocabulary import texts_of


def served(tmp_path: Path, use: Callable[[str, httpx2.AsyncClient], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        async with serving(tmp_path, **settings) as (url, _), httpx2.AsyncClient(base_url=url) as http:
            await use(url, http)

    asyncio.run(run())


def test_pages_load_nothing_from_elsewhere_and_tell_nothing_to_others(tmp_path: Path) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        for place in ("/", "/t/whatever", "/replay/whatever", "/page/main.js", "/page/words.json", "/nothing"):
            response = await http.get(place)
            assert response.status_code == (404 if place == "/nothing" else 200)
            for name, value in HEADERS.items():
                if name != "cache-control":
                    assert response.headers[name] == value
        policy = (await http.get("/")).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "<script>" not in (await http.get("/")).text
        assert (await http.get("/page/main.js")).headers["content-type"].startswith("text/javascript")
        assert set((await http.get("/page/words.json")).json()) == {"en", "zh"}
        for outside in ("../frames.py", "..%2fframes.py", "%2e%2e/site.py", "vendor", "vendor/../../site.py", ""):
            assert (await http.get(f"/page/{outside}")).status_code == 404

    served(tmp_path, use)


def test_what_is_sent_from_another_sites_page_is_refused(tmp_path: Path) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        for origin, status in ((url, 200), ("https://evil.example", 403), ("null", 403)):
            response = await http.post("/api/tables", json={"pace": "quick"}, headers={"Origin": origin})
            assert response.status_code == status
            if status == 403:
                assert response.json()["error"] == "wrong_origin"

    served(tmp_path, use)


def test_what_is_too_large_or_no_request_is_refused(tmp_path: Path) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        large = await http.post("/api/tables", content=b"x" * (BIGGEST_BODY + 1))
        assert (large.status_code, large.json()["error"]) == (413, "too_long")
        for body in (
            b"",
            b"{",
            b"[]",
            b'{"size": "many"}',
            b'{"unknown": 1}',
            b'{"people": 1e9}',
            b'{"game": "\\ud800"}',
        ):
            response = await http.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
            assert response.status_code in (400, 409), body
            assert response.json()["error"]
        for hidden in ("/docs", "/redoc", "/openapi.json"):
            assert (await http.get(hidden)).status_code == 404

    served(tmp_path, use)


def test_tokens_cannot_be_guessed_in_numbers(tmp_path: Path) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        links = await open_table(url, people=1)
        seen = [
            (
                await http.get(f"/api/tables/{links['table']}", headers={"Authorization": f"Bearer {guess:032}"})
            ).status_code
            for guess in range(8)
        ]
        assert seen == [401] * 5 + [429] * 3
        right = {"Authorization": f"Bearer {links['host']}"}
        assert (await http.get(f"/api/tables/{links['table']}", headers=right)).status_code == 200

    served(tmp_path, use, limits=Limits(wrong=Limit(5, 600)))


def test_a_bucket_fills_again_with_time() -> None:
    now = 0.0
    limit = Limit(2, 10, lambda: now)
    for _ in range(2):
        limit.take("a")
    with pytest.raises(Refused):
        limit.take("a")
    limit.take("b")
    now = 5.0  # half of ten seconds: one of two
    limit.take("a")
    with pytest.raises(Refused):
        limit.take("a")


def test_links_follow_from_the_secret_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "a")
    assert (tmp_path / "a" / "secret").stat().st_mode & 0o077 == 0
    first = store.token("table", "seat/1")
    assert Store(tmp_path / "a").token("table", "seat/1") == first
    others = {store.token("table", "seat/1", 2), store.token("table", "seat/2"), store.token("other", "seat/1")}
    others.add(Store(tmp_path / "b").token("table", "seat/1"))
    assert len(others | {first}) == 5
    for name in ("..", "../a", "", "a/b", ".", "x" * 40):
        assert not store.has(name)


def test_all_are_sent_as_many_bytes() -> None:
    async def run() -> None:
        audience = Audience()
        streams = [Stream(whose) for whose in ("seat/1", "seat/2", "host")]
        for stream in streams:
            audience.add(stream, [])
        audience.send({"seat/1": [{"type": "frame", "text": "x" * 3000}], "seat/2": [{"type": "frame"}]}, least=2000)
        found = []
        for stream in streams:
            chunks = stream.chunks()
            await anext(chunks)
            found.append(await anext(chunks))
        assert len({len(chunk) for chunk in found}) == 1
        assert b"xxx" not in found[1] + found[2]

    asyncio.run(run())
    assert len(padded(encoded([{"a": "é" * 600}]), 0)) % BLOCK == 0
    assert padded(b"", 0).endswith(b"\n\n")


def test_hostile_words_are_carried_as_they_are(tmp_path: Path) -> None:
    words = "<script>alert(1)</script>\u202e\u200b</span>&amp; 😀" * 8

    async def use(url: str, http: httpx2.AsyncClient) -> None:
        links = await open_table(url, people=[1], survey=False, roles={"killer": 1, "civilian": 8})
        host, (person,) = await sit_down(url, links)
        own = person.choose
        assert own is not None
        person.choose = lambda ask: {"text": words} if ask["kind"] in ("speech", "last_words") else own(ask)
        await host.post("host/start")
        await person.until("end")
        frames = [message["frame"] for message in person.of("frame")]
        spoken = [frame for frame in frames if frame["kind"] in ("speech", "last_words") and frame["by"] == 1]
        assert spoken and all(frame["text"] == words for frame in spoken)
        await everybody_leaves(host, person)

    served(tmp_path, use)


def test_notes_are_kept_for_their_seat_alone(tmp_path: Path) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        links = await open_table(url, people=2)
        host, (one, two) = await sit_down(url, links)
        assert (await one.post("note", text="NOTE-OF-ONE")).status_code == 200
        assert (await one.post("note", text="x" * 5000)).json()["error"] == "too_long"
        await one.look_away()
        one.look()
        async with asyncio.timeout(5):
            while not any(message.get("notes") == "NOTE-OF-ONE" for message in one.of("hello")):
                await asyncio.sleep(0.01)
        two.look()
        for guest in (host, two):
            assert "NOTE-OF-ONE" not in (await guest.get()).text
        await everybody_leaves(host, one, two)

    served(tmp_path, use)


def test_both_languages_say_the_same_things() -> None:
    for name in ("tables", "person"):
        english, chinese = texts_of("en", name), texts_of("zh", name)
        assert english.keys() == chinese.keys()
        for key, text in english.items():
            if isinstance(text, str):
                slots = [sorted(set(re.findall(r"\{(\w+)\}", each))) for each in (text, chinese[key])]
                assert slots[0] == slots[1], key


@pytest.mark.parametrize("whose", ["none", "public", "end"])
def test_spectators_see_what_the_host_chose(tmp_path: Path, whose: str) -> None:
    async def use(url: str, http: httpx2.AsyncClient) -> None:
        links = await open_table(url, people=1, survey=False, spectators=whose)
        host, (person,) = await sit_down(url, links)
        onlooker = Guest(url, links["table"], links["spectator"])
        assert (await onlooker.get()).status_code == (401 if whose == "none" else 200)
        if whose != "none":
            onlooker.look()
            await host.post("host/start")
            end = await onlooker.until("end")
            assert not any(frame["kind"] in ("role", "mates", "checked") for frame in onlooker.frames())
            assert (end["document"]["truth"] is not None) == (whose == "end")
            assert (await onlooker.get("/replay")).status_code == (200 if whose == "end" else 403)
        await everybody_leaves(host, person, onlooker)

    served(tmp_path, use)


def test_a_delayed_spectator_sees_everything_but_later(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=1, survey=False, spectators="delayed")
            house.rooms[links["table"]].state.plan.delay = 1.0
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("card")
            onlooker = Guest(url, links["table"], links["spectator"])
            onlooker.look()
            hello = await onlooker.until("hello")
            assert "seed" not in hello["document"]["game"]
            assert hello["document"]["frames"] == []
            first = await onlooker.until("frame", kind="role")
            game = house.rooms[links["table"]].game
            assert game is not None and time.time() - game.stage.truth[0][0] >= 1.0
            assert first["frame"]["audience"] == [1]
            await person.until("end")
            await everybody_leaves(host, person, onlooker)

    asyncio.run(play())


def test_each_game_is_offered_with_the_sizes_that_are_written() -> None:
    classic, butterfly = (sizes(make(game)) for game in ("classic", "butterfly"))
    assert classic == tuple(range(6, 18))
    assert butterfly == (11, 12, 13, 15, 17, 18)
