"""Nothing hidden is in any frame, header, size or moment, before the end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from tables.guests import Guest, but_speeches, by_lot, everybody_leaves, open_table, serving, sit_down
from tianhei.agents.roster import parse_spec
from tianhei.arena.events import Event
from tianhei.arena.tables.limits import Limit
from tianhei.arena.tables.server import HEADERS, Limits, doors, host, table
from tianhei.transcripts.game import load

CANARY = "CANARY"
TALKER = f"""
from tianhei.agents.scripted import ScriptedPlayer
class Talker(ScriptedPlayer):
    async def act(self, view, request, ask):
        reply = await super().act(view, request, ask)
        answer = reply.answer._replace(note="{CANARY}-note")
        if request.kind in ("kill", "check") and request.text:
            answer = answer._replace(text="{CANARY}-council")
        return reply._replace(answer=answer, thought="{CANARY}-thought")
"""
ROUTES = [
    (route.path, method)
    for router in (doors, table, host)
    for route in router.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods or ())
]


def kinds(events: list[Event]) -> list[str]:
    return [event.body.kind for event in events]


def leaks(guest: Guest) -> set[str]:
    """The canaries that this one was sent; a team's words are told to the team."""
    of_team = any(frame["kind"] == "role" and frame["role"] in ("killer", "police") for frame in guest.frames())
    hidden = ("thought", "note", *(() if of_team else ("council",)))
    return {name for name in hidden if f"{CANARY}-{name}".encode() in guest.raw}


@pytest.mark.report("HI-02", "HI-03", "HI-04", "HI-07", "HI-14")
def test_no_answer_and_no_frame_holds_what_is_not_ones_own(tmp_path: Path) -> None:
    talker = tmp_path / "talker.py"
    talker.write_text(TALKER)
    roles = {"killer": 3, "police": 2, "civilian": 5}

    async def play() -> None:
        bots, limits = {"talker": parse_spec(f"{talker}:Talker")}, Limits(wrong=Limit(10_000, 1))
        async with serving(tmp_path / "kept", allowed=bots, limits=limits, is_open=False) as (url, house):
            order = {"people": 3, "roles": roles, "bot": "talker", "survey": False}
            links = await open_table(url, by=house.open_token(), **order)
            at_host, people = await sit_down(url, links)
            old = at_host.token
            renewed = (await at_host.post("host/renew", whose="host")).json()["token"]
            await at_host.close()
            at_host = Guest(url, links["table"], renewed)
            others = [Guest(url, links["table"], links[whose]) for whose in ("invite", "spectator")]
            for guest in (at_host, *others):
                guest.look()
            for number, person in enumerate(people):  # nobody speaks until everything was asked for
                person.choose = but_speeches(by_lot(number))
            assert (await at_host.post("host/start", fill=False)).status_code == 200
            asking = asyncio.create_task(ask_everywhere(url, links, old, people))
            free = [by_lot(number) for number in range(len(people))]
            async with asyncio.timeout(60):
                while house.rooms[links["table"]].state.phase != "ended":
                    for guest in (*people, at_host, *others):
                        if not guest.of("end"):
                            assert not leaks(guest)
                    await asyncio.sleep(0.01)
                    if asking.done() and (held := [each for each in people if each.choose not in free]):
                        for person in held:
                            person.choose = free[people.index(person)]
                            await person.look_away()
                            person.look()
            for guest in (*people, at_host):
                await guest.until("end")
            assert await asking > 50
            assert CANARY in json.dumps(people[0].of("end")), "the canaries were there, and are shown at the end"
            recorded = load(house.store.game(links["table"], 1))
            for person in people:
                mine = [event for event in recorded.events if event.visible_to(person.seat)]
                assert [frame["kind"] for frame in person.frames()] == kinds(mine)
                assert [frame["n"] for frame in person.frames()] == list(range(len(mine)))
            for guest in (at_host, *others):
                public = [event for event in recorded.events if event.audience == "public"]
                assert [frame["kind"] for frame in guest.frames()] == kinds(public)
            await everybody_leaves(at_host, *people, *others)

    asyncio.run(play())


async def ask_everywhere(url: str, links: dict[str, Any], old: str, people: list[Guest]) -> int:
    """Ask every address with every token that is not allowed there, while the game is played; how many answered."""
    await people[0].until("frame", kind="dawn")
    tokens = {"none": "", "wrong": "x" * 32, "old": old, "invite": links["invite"], "spectator": links["spectator"]}
    asked = 0
    async with httpx2.AsyncClient(base_url=url, timeout=20) as http:
        for path, method in ROUTES:
            place = path.replace("{table}", links["table"])
            for whose, token in tokens.items():
                if place.endswith("/stream") and whose in ("invite", "spectator"):
                    continue  # theirs is open, and looked into all the while
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                response = await http.request(method, place, headers=headers, json={} if method == "POST" else None)
                asked += 1
                assert CANARY not in response.text
                if not (method == "GET" and place.endswith(links["table"]) and whose in ("invite", "spectator")):
                    assert response.status_code in (400, 401, 403, 409), (place, whose)
                if whose in ("none", "wrong", "old"):
                    assert response.status_code in (400, 401), (place, whose)
                if place.endswith("/stream") or place in ("/api/tables", "/api/options"):
                    assert response.status_code == 401, (place, whose)
                for name, value in HEADERS.items():
                    assert response.headers[name] == value
        for person in people:
            for place in ("/replay", "/chances", "/transcript", ""):
                response = await person.get(place)
                assert CANARY not in response.text
                assert response.status_code == (409 if place else 200)
            for what in ("start", "pause", "go", "remove", "replace", "renew", "redeal", "end", "delete", "rematch"):
                refused = await person.post(f"host/{what}", seat=1, whose="host")
                assert refused.status_code in (400, 403)
                asked += 1
    return asked


def test_a_night_is_as_long_and_as_large_for_everybody(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(
                url, people=8, roles={"killer": 2, "police": 2, "civilian": 4}, pace="calm", survey=False
            )
            at_host, people = await sit_down(url, links)
            await at_host.post("host/start")
            for person in people:
                await person.until("frame", kind="dawn")
            lengths, moments = set(), []
            for person in people:
                raw = bytes(person.raw)
                night, dawn = (
                    raw.rindex(b"data: ", 0, raw.index(what)) for what in (b'"stage":"night"', b'"kind":"dawn"')
                )
                lengths.add(dawn - night)
                asks = [message["ask"] for message in person.of("ask") if message["ask"]["ends_at"]]
                moments.append({ask["ends_at"] for ask in asks if ask["cover"] or ask["kind"] in ("kill", "check")})
                assert moments[-1] == moments[0], "all are asked as often, for the same time"
                assert all(status == 200 for status in person.answered.values())
            assert len(lengths) == 1, lengths
            whom = {ask["ask"]["kind"] for person in people for ask in person.of("ask")}
            assert {"kill", "check", "cover"} <= whom
            await everybody_leaves(at_host, *people)

    asyncio.run(play())


@pytest.mark.report("HI-06")
def test_the_dead_are_asked_and_told_nothing_of_their_team(tmp_path: Path) -> None:
    async def play() -> None:
        roles = {"killer": 3, "police": 1, "civilian": 6}
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=10, roles=roles, survey=False)
            at_host, people = await sit_down(url, links)
            await at_host.post("host/start")
            for person in people:
                await person.until("end")
            recorded = load(house.store.game(links["table"], 1))
            gone: dict[int, int] = {}
            for event in recorded.events:
                data = event.to_json()
                for seat in data.get("dead", ()) if data["kind"] == "dawn" else ():
                    gone[seat] = event.day
                if data["kind"] == "voted_out":
                    gone[data["seat"]] = event.day
            assert gone
            for person in people:
                if person.seat in gone:
                    later = [frame for frame in person.frames() if frame["day"] > gone[person.seat]]
                    assert not any(frame["kind"] in ("stated", "agreed", "checked") for frame in later)
                    refused = await person.post("answer", request=f"n9.kill.1.{person.seat:02}", target=1, text="psst")
                    assert refused.status_code == 409
            await everybody_leaves(at_host, *people)

    asyncio.run(play())


@pytest.mark.parametrize("spectators", ["none", "delayed"])
def test_no_frame_of_who_sees_late_or_not_at_all_holds_anything_before_its_time(
    tmp_path: Path, spectators: str
) -> None:
    """Spectators whose delay is longer than the game, and the invitation: sizes and greetings, until the end."""
    talker = tmp_path / "talker.py"
    talker.write_text(TALKER)
    roles = {"killer": 3, "police": 2, "civilian": 5}

    async def play() -> None:
        async with serving(tmp_path / "kept", allowed={"talker": parse_spec(f"{talker}:Talker")}) as (url, _):
            links = await open_table(url, people=2, roles=roles, bot="talker", survey=False, spectators=spectators)
            at_host, people = await sit_down(url, links)
            whose = ("invite", "spectator") if spectators == "delayed" else ("invite",)
            onlookers = [Guest(url, links["table"], links[each]) for each in whose]
            for guest in onlookers:
                guest.look()
                await guest.until("hello")
            assert (await at_host.post("host/start")).status_code == 200
            for person in people:
                await person.until("end")
            at_end = {"end", "lobby"} if spectators == "delayed" else {"lobby"}
            for guest in onlookers:
                await guest.until("lobby", phase="ended")
                if "end" in at_end:
                    await guest.until("end")
                told = guest.heard[: next(n for n, each in enumerate(guest.heard) if ended(each))]
                assert {each["type"] for each in told} <= {"hello", "lobby", "card"}
                assert all(not (each.get("document") or {}).get("frames") for each in told)
                assert CANARY not in json.dumps(told)
                assert {each["type"] for each in guest.heard[len(told) :]} == at_end
            if spectators == "delayed":
                late = onlookers[1]
                assert CANARY in json.dumps(late.of("end")), "and then all of it"
                assert CANARY not in json.dumps(onlookers[0].heard)
            await everybody_leaves(at_host, *people, *onlookers)

    asyncio.run(play())


def ended(message: dict[str, Any]) -> bool:
    return bool(message["type"] == "lobby" and message["lobby"]["phase"] == "ended")
