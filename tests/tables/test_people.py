"""People come and go as people do: twice, late, away, by old links. Each case is a fault that somebody reported."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest

from tables.guests import Guest, everybody_leaves, open_table, serving, sit_down
from tianhei.arena.tables.names import check_apart, clean_name, looks
from tianhei.arena.tables.refused import Refused
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.game import load


@pytest.mark.report("HS-01")
def test_whoever_loses_the_line_has_the_same_seat_and_the_whole_own_view_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=1, pace="calm", survey=False)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            for what in ("ask", "clock"):
                await person.until(what)
                await person.look_away()
                await asyncio.sleep(0.2)
                person.look()
            await person.until("end")
            recorded = load(house.store.game(links["table"], 1))
            mine = [event.body.kind for event in recorded.events if event.visible_to(person.seat)]
            assert [frame["kind"] for frame in person.frames()] == mine
            assert not any(note["note"] == "takeover" for note in recorded.notes)
            await everybody_leaves(host, person)

    asyncio.run(play())


@pytest.mark.report("HS-03")
def test_a_lobby_that_everybody_left_is_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=2)
            host, people = await sit_down(url, links)
            for person in people:
                assert (await person.post("leave")).status_code == 200
            stranger = Guest(url, links["table"], links["invite"])
            assert (await stranger.post("join", consent=True)).json()["error"] == "table_closed"
            assert (await host.get()).json()["why"] == "abandoned"
            await everybody_leaves(host, stranger, *people)

    asyncio.run(play())


@pytest.mark.report("HS-03")
def test_a_game_that_all_people_left_is_finished_by_bots(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=2, pace="hasty")
            host, people = await sit_down(url, links)
            host.look()
            await host.post("host/start")
            for person in people:
                await person.until("card")
                assert (await person.post("leave")).status_code == 200
            await host.until("end")
            assert load(house.store.game(links["table"], 1)).end is not None
            await everybody_leaves(host, *people)

    asyncio.run(play())


@pytest.mark.report("HS-04")
def test_joining_twice_is_joining_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=3)
            door = Guest(url, links["table"], links["invite"])
            first, second = await asyncio.gather(
                door.post("join", consent=True, client="mine"), door.post("join", consent=True, client="mine")
            )
            assert first.json() == second.json()
            seat = Guest(url, links["table"], first.json()["token"])
            again = await seat.post("join", consent=True, client="another")
            assert again.json() == first.json()
            host = Guest(url, links["table"], links["host"])
            assert len((await host.get()).json()["people"]) == 1
            await everybody_leaves(door, seat, host)

    asyncio.run(play())


@pytest.mark.report("HS-05")
def test_the_newest_tab_has_the_seat_and_the_older_is_told_for_good(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1)
            host, (old,) = await sit_down(url, links)
            new = Guest(url, links["table"], old.token)
            new.look()
            await old.until("replaced")
            await new.until("hello")
            await old.line_closed()
            assert new.of("replaced") == []
            await everybody_leaves(host, old, new)

    asyncio.run(play())


@pytest.mark.report("HS-07")
def test_the_host_cannot_go_on_before_all_have_voted(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("ask")
            assert (await host.post("host/go")).json()["error"] == "not_paused"
            assert (await host.post("host/next")).status_code == 404
            await everybody_leaves(host, person)

    asyncio.run(play())


@pytest.mark.report("HS-08")
def test_no_night_falls_before_everybody_has_seen_the_card_or_had_time_to(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=2)
            host, (one, other) = await sit_down(url, links)
            other.choose = None
            await host.post("host/start")
            await one.until("card")
            await asyncio.sleep(0.5)
            assert not any(frame.get("stage") == "night" for frame in one.frames())
            assert (await other.post("seen")).status_code == 200
            await one.until("frame", stage="night")
            await everybody_leaves(host, one, other)
            hasty = await open_table(url, people=2, pace="hasty")
            host, (one, other) = await sit_down(url, hasty)
            other.choose = None
            await host.post("host/start")
            await one.until("frame", stage="night")
            await other.until("taken", taken=True)
            await everybody_leaves(host, one, other)

    asyncio.run(play())


@pytest.mark.report("HS-09")
def test_an_answer_is_taken_once_and_refused_by_name_after(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=[1], roles={"killer": 1, "civilian": 7}, pace="calm", survey=False)
            host, (person,) = await sit_down(url, links)
            own, person.choose = person.choose, lambda ask: None
            await host.post("host/start")
            ask = (await person.until("ask"))["ask"]
            name = ask["request"]
            wrong = await person.post("answer", request=name, target=99)
            assert wrong.json()["error"] == "illegal"
            other = await person.post("answer", request=name.rsplit(".", 1)[0] + ".02", target=2)
            assert other.json()["error"] == "not_yours"
            assert (await person.post("answer", request="d7.vote1.01", target=2)).json()["error"] == "unknown_request"
            both = await asyncio.gather(*(person.post("answer", request=name, target=2) for _ in range(2)))
            assert sorted(each.status_code for each in both) == [200, 409]
            assert {each.json().get("error") for each in both} == {None, "already_answered"}
            person.choose = own
            await person.look_away()
            person.look()
            await person.until("end")
            beliefs = house.rooms[links["table"]].state.beliefs
            kept = load(house.store.game(links["table"], 1))
            given = [each for wave in kept.waves for each in wave.replies if each == name]
            cover = [each for each in beliefs if name.startswith(f"cover-{each.day}-{each.place}.")]
            assert len(given) + len(cover) == 1
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_late_answers_are_refused_by_name(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1, roles={"killer": 1, "civilian": 7}, pace="hasty")
            host, (person,) = await sit_down(url, links)
            person.choose = lambda ask: None
            await host.post("host/start")
            ask = (await person.until("ask"))["ask"]
            await person.until("unask", request=ask["request"])
            late = await person.post("answer", request=ask["request"], target=ask["options"][0])
            assert late.json()["error"] == "too_late"
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_a_renewed_link_opens_and_the_old_one_does_not(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=1)
            host, (person,) = await sit_down(url, links)
            token = (await host.post("host/renew", whose=f"seat/{person.seat}")).json()["token"]
            assert (await person.until("closed"))["why"] == "renewed"
            assert (await person.get()).status_code == 401
            new = Guest(url, links["table"], token)
            assert (await new.get()).json()["you"]["seat"] == person.seat
            await everybody_leaves(host, person, new)
        async with serving(tmp_path) as (url, _):  # and so it is after a restart
            assert (await person_status(url, links["table"], token)) == 200
            assert (await person_status(url, links["table"], person.token)) == 401

    asyncio.run(play())


async def person_status(url: str, table: str, token: str) -> int:
    guest = Guest(url, table, token)
    status = (await guest.get()).status_code
    await guest.close()
    return status


def test_people_who_are_put_out_lose_their_link_and_a_bot_plays(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=2, survey=False)
            host, (stays, goes) = await sit_down(url, links)
            goes.choose = None
            await host.post("host/start")
            await goes.until("card")
            assert (await host.post("host/remove", seat=goes.seat)).status_code == 200
            assert (await goes.until("closed"))["why"] == "removed"
            assert (await goes.get()).status_code == 401
            await stays.until("end")
            replies = [r for w in load(house.store.game(links["table"], 1)).waves for r in w.replies.values()]
            theirs = {each.source for each in replies if each.request.endswith(f".{goes.seat:02}")}
            assert theirs <= {"bot:takeover"}
            await everybody_leaves(host, stays, goes)

    asyncio.run(play())


def test_empty_seats_are_filled_by_bots_where_the_host_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=3, survey=False)
            seats = dict(list(links["seats"].items())[:1])
            host, (person,) = await sit_down(url, {**links, "seats": seats})
            assert (await host.post("host/start")).json()["error"] == "not_ready"
            assert (await host.post("host/start", fill=True)).status_code == 200
            await person.until("end")
            header = load(house.store.game(links["table"], 1)).header
            assert [spec.player for spec in header.seats].count("human") == 1
            await everybody_leaves(host, person)

    asyncio.run(play())


@pytest.mark.report("UN-06", "HI-C1")
def test_names_that_mislead_are_refused_and_others_kept() -> None:
    assert looks("Mr.Bottle") == looks("Mr.BottIe")
    for kept in ("Кот", "夜行人", "أمل", "Ana María", "Zoë 2", "😀"):
        assert clean_name(kept) == kept
    for bad in (
        "",
        "   ",
        "\u200b",
        "a\u202eb",
        "x\x07",
        "...",
        "x" * 25,
        "Judge",
        "法官",
        "7",
        "7号",
        "Player 7",
        "系统",
    ):
        with pytest.raises(Refused) as refused:
            clean_name(bad)
        assert refused.value.name == "bad_name"
    for name, other in (("Mr.BottIe", "Mr.Bottle"), ("Кот", "Кoт"), ("anna", "ANNA"), ("a-b", "ab"), ("Bob1", "Bobl")):
        with pytest.raises(Refused) as refused:
            check_apart(name, [other])
        assert refused.value.name == "name_alike"
    check_apart("Кот", ["Ana", "夜行人"])


@pytest.mark.report("UN-06")
def test_a_misleading_name_cannot_join(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=2)
            one, two = (Guest(url, links["table"], token) for token in links["seats"].values())
            assert (await one.post("join", consent=True, name="Mr.Bottle")).status_code == 200
            assert (await two.post("join", consent=True, name="Mr.BottIe")).json()["error"] == "name_alike"
            assert (await two.post("join", consent=False, name="Else")).json()["error"] == "no_consent"
            drawn = await two.post("join", consent=True)
            assert drawn.json()["name"]
            await everybody_leaves(one, two)

    asyncio.run(play())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_drawn_names_come_from_one_list_whatever_language_the_page_is_in(tmp_path: Path, lang: Lang) -> None:
    names = set(texts_of(lang, "tables")["names"])

    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=2, survey=False, lang=lang)
            host, guests = Guest(url, links["table"], links["host"]), []
            for page, (seat, token) in zip(("zh", "en"), links["seats"].items(), strict=True):
                guests.append(Guest(url, links["table"], token, int(seat)))
                assert (await guests[-1].post("join", consent=True, lang=page)).json()["name"] in names
                await guests[-1].post("ready")
            await host.post("host/start")
            assert set(house.rooms[links["table"]].state.names.values()) <= names
            await host.post("host/end")
            again = (await host.post("host/rematch")).json()["table"]
            assert {chair.name for chair in house.rooms[again].state.chairs.values()} <= names
            await everybody_leaves(host, *guests)

    asyncio.run(play())


def test_a_guest_cannot_make_the_host_spend_or_ask_elsewhere(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, is_open=False) as (url, house), httpx2.AsyncClient(base_url=url) as http:
            plan = {"people": 1, "pace": "quick"}
            assert (await http.post("/api/tables", json=plan)).status_code == 401
            headers = {"Authorization": f"Bearer {house.open_token()}"}
            assert (await http.post("/api/tables", json=plan, headers=headers)).status_code == 200
            for bot in ("gpt@http://127.0.0.1:9/v1", "openai/gpt-5", "bad.py:Bad", "solver"):
                refused = await http.post("/api/tables", json={**plan, "bot": bot}, headers=headers)
                assert refused.json()["error"] == "bad_bot"
            for game in ("../../etc/passwd", "rules.toml", "nothing"):
                refused = await http.post("/api/tables", json={**plan, "game": game}, headers=headers)
                assert refused.json()["error"] == "bad_game"
            for seats in ([], [9], [1, 99]):
                refused = await http.post("/api/tables", json={**plan, "people": seats, "size": 8}, headers=headers)
                assert refused.json()["error"] == "bad_seats"

    asyncio.run(play())


def test_the_lobby_does_not_tell_whose_names_are_peoples(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, _):
            links = await open_table(url, people=2, survey=False)
            host, (one, other) = await sit_down(url, links)
            mine = (await one.get()).json()
            theirs = (await other.get()).json()["you"]["name"]
            assert mine["you"]["name"] in {each["name"] for each in mine["people"]}
            await host.post("host/start")
            await one.until("end")
            before = one.raw[: one.raw.index(b'"type":"end"')]
            said = [message for message in one.heard if message["type"] in ("lobby", "hello")]
            assert said
            assert all(theirs not in str(message.get("lobby")) for message in said)
            names = [seat["name"] for seat in one.of("hello")[-1]["document"]["game"]["seats"]]
            assert len(set(names)) == 5, "and in the game all seats have one"
            assert b"human" not in before
            assert theirs in {each["name"] for each in (await host.get()).json()["people"]}
            await everybody_leaves(host, one, other)

    asyncio.run(play())
