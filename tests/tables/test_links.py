"""What a link opens, for whom, and how often: seats, the host's page, the invitation, spectators'."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tables.guests import Guest, everybody_leaves, open_table, serving, sit_down
from tianhei.arena.tables.audience import OF_ADDRESS, OF_HOST, OF_LINK, Audience, Stream
from tianhei.arena.tables.limits import Limit
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.server import Limits
from tianhei.arena.tables.state import State


async def two_play(url: str) -> tuple[dict[str, Any], Guest, list[Guest]]:
    """A game of two people and bots that has begun: its links, the host, the people."""
    links = await open_table(url, people=2, survey=False)
    host, people = await sit_down(url, links)
    assert (await host.post("host/start")).status_code == 200
    return links, host, people


def test_many_who_look_on_keep_nobody_out_of_a_seat_nor_the_host(tmp_path: Path) -> None:
    """From one address with one invitation: so many streams, no more; and those who play have theirs."""

    async def play() -> None:
        limits = Limits(token=Limit(1000, 1), address=Limit(1000, 1))
        async with serving(tmp_path, limits=limits) as (url, _), AsyncExitStack() as streams:
            links = await open_table(url, people=2, survey=False)
            http = await streams.enter_async_context(httpx2.AsyncClient(base_url=url, timeout=20))

            async def opened(token: str) -> int:
                headers = {"Authorization": f"Bearer {token}"}
                place = f"/api/tables/{links['table']}/stream"
                return (await streams.enter_async_context(http.stream("GET", place, headers=headers))).status_code

            statuses = [await opened(links["invite"]) for _ in range(OF_ADDRESS + 5)]
            assert statuses == [200] * OF_ADDRESS + [429] * 5
            assert await opened(links["spectator"]) == 429, "another link from there changes nothing"
            host, people = await sit_down(url, links)
            host.look()
            for guest in (host, *people):
                await guest.until("hello")
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_a_link_that_many_share_has_room_for_many_addresses_and_players_have_room_besides() -> None:
    async def look() -> None:
        audience = Audience()
        for number in range(OF_LINK):
            audience.add(Stream("invite", f"10.0.0.{number}"), [])
        with pytest.raises(Refused) as refused:
            audience.add(Stream("invite", "10.0.1.0"), [])
        assert refused.value.name == "too_many"
        audience.add(Stream("spectator", "10.0.1.0"), [])
        seat, hosts = Stream("seat/3"), [Stream("host") for _ in range(OF_HOST + 1)]
        for stream in (seat, *hosts):
            audience.add(stream, [])
        assert audience.holds(seat)
        assert [audience.holds(stream) for stream in hosts] == [False] + [True] * OF_HOST
        said = b"".join([chunk async for chunk in hosts[0].chunks()])
        assert b'"replaced"' in said, "the oldest page of the host is told so"
        newer = Stream("seat/3", "10.9.9.9")
        audience.add(newer, [])
        assert (audience.holds(seat), audience.holds(newer)) == (False, True)

    asyncio.run(look())


def test_who_asks_too_often_by_the_invitation_keeps_out_nobody_elsewhere(tmp_path: Path) -> None:
    """Here all have one address: whoever floods by the shared link has used up no seat's limit."""

    async def play() -> None:
        async with serving(tmp_path, limits=Limits(token=Limit(5, 600))) as (url, _):
            links = await open_table(url, people=1)
            door = Guest(url, links["table"], links["invite"])
            assert [(await door.get()).status_code for _ in range(7)] == [200] * 5 + [429] * 2
            (seat, token), *_ = links["seats"].items()
            player = Guest(url, links["table"], token, int(seat))
            assert (await player.get()).status_code == 200
            await everybody_leaves(door, player)

    asyncio.run(play())


@pytest.mark.parametrize("spectators", ["none", "public", "delayed", "end"])
def test_the_invitation_shows_the_game_to_nobody_who_may_not_look_on(tmp_path: Path, spectators: str) -> None:
    """The lobby always; the public game where spectators see it live; the truth never, as /replay says too."""
    live, after = spectators in ("public", "end"), spectators != "none"

    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, survey=False, spectators=spectators)
            host, (person,) = await sit_down(url, links)
            early, late = (Guest(url, links["table"], links["invite"]) for _ in range(2))
            early.look()
            await early.until("hello")
            own, person.choose = person.choose, None
            await host.post("host/start")
            await person.until("frame", kind="role")
            late.look()
            assert bool((await late.until("hello"))["document"]) == live
            person.choose = own
            await person.look_away()
            person.look()
            await person.until("end")
            await early.until("lobby", phase="ended")
            final = Guest(url, links["table"], links["invite"])
            final.look()
            await final.until("hello")
            for guest in (early, late, final):
                if after:
                    end = await guest.until("end")
                    assert (end["document"]["truth"], end["table"]) == (None, None)
                assert [bool(guest.of(kind)) for kind in ("frame", "end")] == [live and guest is not final, after]
                assert not any(frame["kind"] in ("role", "mates", "checked") for frame in guest.frames())
            assert (await final.get("/replay")).status_code == 403
            await everybody_leaves(host, person, early, late, final)

    asyncio.run(play())


def test_the_host_has_links_of_seats_that_nobody_has_and_of_no_others(tmp_path: Path) -> None:
    """A host who plays cannot open the others' cards: neither by what is shown nor by a link kept from before."""

    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=3, survey=False)
            host = Guest(url, links["table"], links["host"])
            host.look()
            door = Guest(url, links["table"], links["invite"])
            joined = (await door.post("join", consent=True, client="somebody")).json()
            seat = str(joined["seat"])
            assert joined["token"] != links["seats"][seat], "the host was told another"
            kept = Guest(url, links["table"], links["seats"][seat])
            assert (await kept.get()).status_code == 401
            assert (await door.post("join", consent=True, client="somebody")).json() == joined, "and once is enough"
            own = Guest(url, links["table"], joined["token"])
            assert (await own.get()).json()["you"]["seat"] == joined["seat"]
            chairs = (await host.get()).json()["chairs"]
            assert {str(chair["seat"]) for chair in chairs if "token" in chair} == set(links["seats"]) - {seat}
            assert (await own.post("ready")).status_code == 200
            own.look()
            assert (await host.post("host/start", fill=True)).status_code == 200
            await own.until("card")
            assert all("token" not in chair for chair in (await host.get()).json()["chairs"])
            assert joined["token"].encode() not in host.raw
            token = (await host.post("host/renew", whose=f"seat/{seat}")).json()["token"]
            assert (await own.until("closed"))["why"] == "renewed", "a new one is not had in secret"
            new = Guest(url, links["table"], token)
            assert (await new.get()).json()["you"]["seat"] == joined["seat"]
            assert all("token" not in chair for chair in (await host.get()).json()["chairs"])
            await everybody_leaves(host, door, kept, own, new)

    asyncio.run(play())


def test_a_rematch_gives_each_the_own_new_link_and_the_host_none_of_them(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            _, host, people = await two_play(url)
            for person in people:
                await person.until("end")
            away, here = people
            await away.look_away()
            again = (await host.post("host/rematch")).json()
            assert again["seats"] == {}
            told = await here.until("rematch")
            away.look()  # whoever was not there hears of it when they are back
            for person in people:
                found = (await person.get()).json()["next"]
                message = await person.until("rematch", table=again["table"])
                assert {"table": message["table"], "token": message["token"]} == found
                guest = Guest(url, found["table"], found["token"])
                assert (await guest.get()).json()["you"]["joined"]
                await guest.close()
            assert told["token"] not in json.dumps((await host.get()).json())
            assert "next" not in (await host.get()).json()
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_whoever_leaves_a_rematch_is_not_led_into_the_seat_of_the_one_who_came(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            _, host, people = await two_play(url)
            for person in people:
                await person.until("end")
            again = (await host.post("host/rematch")).json()
            leaver = people[0]
            found = (await leaver.get()).json()["next"]
            there = Guest(url, found["table"], found["token"])
            assert (await there.post("leave")).status_code == 200
            assert "next" not in (await leaver.get()).json(), "the seat is free again"
            newcomer = Guest(url, again["table"], again["invite"])
            assert (await newcomer.post("join", consent=True, client="another")).status_code == 200
            assert "next" not in (await leaver.get()).json(), "the seat is somebody else's"
            assert "next" in (await people[1].get()).json()
            for guest in (there, newcomer):
                await guest.close()
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_whoever_was_put_out_of_a_game_is_not_let_in_again_by_the_invitation(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links, host, people = await two_play(url)
            out = people[0]
            assert (await host.post("host/remove", seat=out.seat)).status_code == 200
            door = Guest(url, links["table"], links["invite"])
            back = await door.post("join", consent=True, client=f"client-{out.seat}")
            assert back.status_code == 409, back.text
            await door.close()
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_of_two_who_deal_anew_at_once_one_game_comes(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links, host, people = await two_play(url)
            await asyncio.gather(*(host.post("host/redeal") for _ in range(3)))
            for person in people:
                await person.until("end")
            assert house.rooms[links["table"]].state.phase == "ended"
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_a_pause_puts_off_only_what_is_open() -> None:
    state = State(table="t", plan=Plan(), made="", players=8, chairs={})
    state.put_off(30)
    assert state.card == 0, "no card is shown"
    state.card = 100.0
    state.put_off(30)
    assert state.card == 130


def test_rematches_count_as_tables_that_are_opened(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, limits=Limits(opening=Limit(3, 3600))) as (url, _):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            statuses = []
            for _ in range(4):
                await host.post("host/start")
                await host.post("host/end")
                answer = await host.post("host/rematch")
                statuses.append(answer.status_code)
                if answer.status_code != 200:
                    break
                assert (await host.post("host/rematch")).json() == answer.json(), "asking twice opens one"
                again: dict[str, Any] = answer.json()
                token = (await person.get()).json()["next"]["token"]
                await everybody_leaves(host, person)
                host, person = Guest(url, again["table"], again["host"]), Guest(url, again["table"], token)
                assert (await person.post("ready")).status_code == 200
            assert statuses == [200, 200, 429]
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_a_spectators_link_that_was_renewed_shows_no_more_though_it_shows_late(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=1, survey=False, spectators="delayed")
            house.rooms[links["table"]].state.plan.delay = 0.5
            host, (person,) = await sit_down(url, links)
            person.choose = None
            await host.post("host/start")
            await person.until("frame", kind="role")
            onlooker = Guest(url, links["table"], links["spectator"])
            onlooker.look()
            await onlooker.until("hello")
            token = (await host.post("host/renew", whose="spectator")).json()["token"]
            assert (await onlooker.until("closed"))["why"] == "renewed"
            await onlooker.line_closed()
            assert onlooker.of("closed") == [onlooker.heard[-1]]
            assert (await onlooker.get()).status_code == 401
            new = Guest(url, links["table"], token)
            new.look()
            await new.until("frame", kind="role")
            await everybody_leaves(host, person, onlooker, new)

    asyncio.run(play())


def test_pages_answer_to_head_as_to_get(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path) as (url, _), httpx2.AsyncClient(base_url=url) as http:
            for place in ("/", "/t/whatever", "/replay/whatever", "/page/main.js", "/page/words.json", "/nothing"):
                whole, head = await http.get(place), await http.head(place)
                assert (head.status_code, head.content) == (whole.status_code, b"")
                for name in ("content-type", "content-length", "content-security-policy"):
                    assert head.headers[name] == whole.headers[name]

    asyncio.run(ask())
