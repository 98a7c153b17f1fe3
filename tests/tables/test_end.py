"""After the end, and before the beginning: marks of the dead, the survey, a rematch, a practice night."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

from tables.guests import CALM, QUICK, Guest, but_speeches, by_lot, everybody_leaves, open_table, serving, sit_down
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Role
from tianhei.arena.tables import ending
from tianhei.arena.tables.ending import brier, killers_of
from tianhei.arena.tables.pace import PACES
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.practice import practised, sparing
from tianhei.arena.tables.seats import nobody
from tianhei.arena.view import Views
from tianhei.arena.whatif.lookback import lookback
from tianhei.transcripts.game import load
from tianhei.transcripts.header import LIMITS


def test_brier_is_the_mean_squared_error() -> None:
    killers = frozenset((2, 5))
    assert brier({2: 1.0, 3: 0.0}, killers) == 0
    assert brier({2: 0.0, 3: 1.0}, killers) == 1
    assert brier({2: 0.5, 3: 0.5, 5: 0.5}, killers) == pytest.approx(0.25)
    assert brier({2: 0.8, 3: 0.4}, killers) == pytest.approx((0.2**2 + 0.4**2) / 2)


def test_the_dead_mark_the_killers_and_are_scored_at_the_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=8, roles={"killer": 2, "police": 2, "civilian": 4}, survey=False)
            host, people = await sit_down(url, links)
            for number, person in enumerate(people):  # nobody speaks until the dead have marked
                person.choose = but_speeches(by_lot(number))
            await host.post("host/start")
            await people[0].until("frame", kind="dawn")
            dead = next(frame["dead"] for frame in people[0].frames() if frame["kind"] == "dawn")
            if not dead:  # a peaceful night: nobody may mark
                assert (await people[0].post("forecast", marks={"1": 0.5})).json()["error"] == "not_dead"
                await everybody_leaves(host, *people)
                return
            gone = next(person for person in people if person.seat == dead[0])
            alive = next(person for person in people if person.seat != dead[0])
            assert (await alive.post("forecast", marks={"1": 0.5})).json()["error"] == "not_dead"
            living = [person.seat for person in people if person is not gone]
            for marks in ({}, {str(gone.seat): 1.0}, {str(living[0]): 1.5}, {"99": 0.1}):
                assert (await gone.post("forecast", marks=marks)).json()["error"] == "illegal"
            await gone.post("forecast", marks={str(living[0]): 1.0})
            marks = {str(seat): 0.25 for seat in living}
            assert (await gone.post("forecast", marks=marks)).status_code == 200
            for number, person in enumerate(people):
                person.choose = by_lot(number)
                await person.look_away()
                person.look()
            end = await gone.until("end")
            (forecast,) = [each for each in end["table"]["forecasts"] if each["day"] == 1]
            killers = killers_of(load(house.store.game(links["table"], 1)).header)
            assert forecast["brier"] == round(brier(dict.fromkeys(living, 0.25), killers), 4)
            assert (await gone.post("forecast", marks=marks)).json()["error"] == "not_playing"
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_one_tap_leads_everybody_to_the_rematch(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=2, survey=False)
            host, people = await sit_down(url, links)
            assert (await host.post("host/rematch")).json()["error"] == "not_over"
            await host.post("host/start")
            for person in people:
                await person.until("end")
            again = (await host.post("host/rematch")).json()
            assert (await host.post("host/rematch")).json() == again
            assert again["table"] != links["table"]
            for person in people:
                told = await person.until("rematch")
                guest = Guest(url, told["table"], told["token"])
                you = (await guest.get()).json()["you"]
                assert you["joined"]
                assert you["name"] not in house.rooms[links["table"]].state.names.values()
                await guest.close()
            await everybody_leaves(host, *people)

    asyncio.run(play())


def test_a_practice_ends_after_its_first_day(tmp_path: Path) -> None:
    async def play() -> None:
        paces = {"quick": QUICK, "normal": PACES["normal"]}
        async with serving(tmp_path, paces=paces, practice=CALM) as (url, _):
            links = await open_practice(url)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            end = await person.until("end")
            assert {"speech", "vote"} <= {ask["ask"]["kind"] for ask in person.of("ask")}
            assert {frame["day"] for frame in end["document"]["frames"]} <= {1, 2}
            assert not any(frame["kind"] == "speech" and frame["day"] > 1 for frame in end["document"]["frames"])
            await everybody_leaves(host, person)

    asyncio.run(play())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_whoever_practises_speaks_and_votes_on_the_first_day_by_every_seed(lang: Literal["en", "zh"]) -> None:
    plan = practised(Plan(lang=lang, practice=True))
    rules, counts = plan.table()
    roles: set[Role] = set()

    async def play(number: int) -> None:
        seat = 1 + number % 6
        seed = await sparing(plan, seat)
        roles.add(deal(counts, seed).roles[seat - 1])
        referee, views = Referee(rules, deal(counts, seed), Keyed(seed), LIMITS[lang]), Views(rules, counts, seed)
        views.add(referee.waves[0].events)
        asked: list[str] = []
        rng = Random(number)
        while referee.outcome is None and views.record.day == 1:
            for request in referee.pending:
                if request.seat == seat:  # the person plays as it comes
                    asked.append(request.kind)
                    speaks = request.kind in ("speech", "last_words")
                    answer = Answer(text="Hm.") if speaks else Answer(target=rng.choice(request.options))
                else:
                    answer = (await ScriptedPlayer(lang).act(views.of(request.seat), request, nobody)).answer
                if wave := referee.answer(request.id, answer):
                    views.add(wave.events)
        assert "speech" in asked
        assert "vote" in asked

    async def all_of_them() -> None:
        for number in range(150):
            await play(number)

    asyncio.run(all_of_them())
    assert roles == {Role.KILLER, Role.POLICE, Role.CIVILIAN}, "and the person gets every card"


async def open_practice(url: str) -> dict[str, Any]:
    import httpx2

    async with httpx2.AsyncClient(base_url=url) as http:
        found: dict[str, Any] = (await http.post("/api/tables", json={"practice": True})).json()
        return found


@pytest.mark.parametrize("name", sorted(PACES))
def test_at_every_pace_whoever_asked_gets_double_the_time(name: str) -> None:
    pace, double = PACES[name], PACES[name].times(2)
    for part in ("card", "night", "speech", "vote", "last_words", "survey"):
        assert getattr(double, part) == 2 * getattr(pace, part)
    assert (double.read, double.between) == (pace.read, pace.between)


def test_where_people_sit_together_a_card_has_little_time() -> None:
    assert [PACES[name].card for name in ("fast", "normal", "club")] == [10, 20, 30]


def test_words_take_time_to_type_and_to_read_whoever_they_are_from() -> None:
    pace = PACES["normal"]
    assert pace.typing("") == 0
    assert pace.typing("x" * 120) == pytest.approx(120 / pace.letters)
    assert pace.typing("x" * 10**6) == pace.speech / 2
    assert pace.typing("字" * 40) == pace.typing("x" * 120)
    assert pace.reading("x" * 240) == pace.read
    assert 0 < pace.reading("x") < pace.reading("x" * 10**4) < 2 * pace.read
    assert PACES["days"].reading("x" * 240) == 0


def here_it_is_not_called(path: Path) -> None:
    raise AssertionError("the server's own process has other things to do")


def test_the_chances_are_told_once_the_game_is_over_and_never_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To nobody while it is played, to no link that shows the public view alone; reckoned once, in another process."""
    monkeypatch.setattr(ending, "lookback", here_it_is_not_called)

    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=2, survey=False)
            host, people = await sit_down(url, links)
            room = house.rooms[links["table"]]
            spectator, stranger = (Guest(url, links["table"], token) for token in (links["spectator"], "x" * 32))

            async def all_refused() -> None:
                for guest in (host, *people, spectator):
                    assert (await guest.get("/chances")).json()["error"] == "not_over"
                assert (await stranger.get("/chances")).status_code == 401

            await all_refused()
            for person in people:  # nobody does anything yet, so that the game cannot be over
                person.choose = None
            await host.post("host/start")
            await people[0].until("frame", kind="role")
            await all_refused()
            for number, person in enumerate(people):
                person.choose = by_lot(number)
                await person.look_away()
                person.look()
            for person in people:
                await person.until("end")
            assert (await spectator.get("/chances")).status_code == 403
            found = [(await guest.get("/chances")).json()["chances"] for guest in (*people, host)]
            assert found[0] == found[1] == found[2] == lookback(room.transcript())
            assert found[0]["moments"][-1]["share"] in (0, 0.5, 1)
            assert found[0]["moments"][-1]["n"] == len((await host.get("/replay")).json()["document"]["frames"]) - 1
            room.transcript().write_bytes(b"damaged")
            assert (await host.get("/chances")).json()["chances"] == found[0], "kept, not reckoned again"
            await everybody_leaves(host, *people, spectator, stranger)

    asyncio.run(play())


def test_whoever_waits_for_the_chances_of_a_table_that_is_deleted_is_told_of_none(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (url, house):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("end")
            async with house.looking_back:  # another game's turn
                waiting = asyncio.create_task(person.get("/chances"))
                async with asyncio.timeout(20):
                    while house.rooms[links["table"]]._chances is None:  # pyright: ignore[reportPrivateUsage]
                        await asyncio.sleep(0.01)
                assert not waiting.done()
                assert (await host.post("host/delete")).status_code == 200
                assert (await waiting).json() == {"chances": None}
            await everybody_leaves(host, person)

    asyncio.run(play())


def test_a_game_that_cannot_be_run_again_has_no_chances(tmp_path: Path) -> None:
    async def play() -> None:
        told: list[str] = []
        async with serving(tmp_path, report=told.append) as (url, house):
            links = await open_table(url, people=1, survey=False)
            host, (person,) = await sit_down(url, links)
            await host.post("host/start")
            await person.until("end")
            house.rooms[links["table"]].transcript().write_bytes(b"damaged\n")
            assert (await person.get("/chances")).json() == {"chances": None}
            assert any("could not be reckoned" in text for text in told)
            await everybody_leaves(host, person)

    asyncio.run(play())
