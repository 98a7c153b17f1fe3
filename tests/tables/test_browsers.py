"""Three people in three browsers at one table, with bots: python -m pytest tests -m browser."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page

from tables.guests import serving
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.store import Store
from tianhei.transcripts.game import load, seat_of
from tianhei.transcripts.replay import verified
from viewer.screens import chromium, opened, wide

pytestmark = pytest.mark.browser
BRISK = Pace(card=20, night=12, speech=25, read=0.3, vote=20, last_words=20, between=0.2, survey=20, letters=1e6)
"""Time enough for a browser on a busy machine, and no more."""


@contextmanager
def server(folder: Path) -> Generator[str, None, None]:
    """The tables' server in a thread of its own."""
    ready, stop, url = threading.Event(), threading.Event(), ""

    async def run() -> None:
        nonlocal url
        async with serving(folder, paces={"normal": BRISK}) as (url, _):
            ready.set()
            while not stop.is_set():
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert ready.wait(20)
    try:
        yield url
    finally:
        stop.set()
        thread.join(20)


def press(page: Page) -> str:
    """Do the next thing that this person is asked; what it was, or nothing."""
    card = page.locator("dialog.card-box button.main")
    if card.count() and card.first.is_visible():
        card.first.click(timeout=2000)
        return "card"
    survey = page.locator("section.survey button.main")
    if survey.count() and survey.first.is_visible():
        survey.first.click(timeout=2000)
        return "survey"
    question = page.locator("section.ask:not(.idle)")
    if not question.count():
        return ""
    words = question.locator("textarea")
    if words.count():
        words.first.fill("I have nothing against anybody yet.", timeout=2000)
    choice = question.locator(".choices .choice")
    if choice.count() and not question.locator(".choice[aria-pressed=true]").count():
        choice.first.click(timeout=2000)
    act = question.locator(".acts button.main")
    if act.count() and act.first.is_enabled():
        act.first.click(timeout=2000)
        return "answer"
    return ""


def test_three_people_join_play_leave_return_and_see_the_end(tmp_path: Path) -> None:
    plan: dict[str, Any] = {"people": 3, "roles": {"killer": 2, "police": 1, "civilian": 4}, "cover": False}
    with server(tmp_path) as url, chromium() as browser:
        links = httpx2.post(f"{url}/api/tables", json=plan).json()
        host = {"Authorization": f"Bearer {links['host']}"}
        door = f"{url}/t/{links['table']}#{links['invite']}"
        with (
            opened(browser, door, lang="en") as desk,
            opened(browser, door, lang="zh") as other,
            opened(browser, door, 360, 740, lang="zh") as phone,
        ):
            pages = [desk, other, phone]
            for page in pages:
                page.locator("form.join input[type=checkbox]").check()
                page.locator("form.join button.main").click()
                page.locator("section.mine button.main").click()
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                people = httpx2.get(f"{url}/api/tables/{links['table']}", headers=host).json()["people"]
                if len(people) == 3 and all(each["ready"] for each in people):
                    break
                time.sleep(0.1)
            started = httpx2.post(f"{url}/api/tables/{links['table']}/host/start", headers=host, json={})
            assert started.status_code == 200, started.text
            done: list[str] = []
            left = False
            deadline = time.monotonic() + 240
            while time.monotonic() < deadline and not all(page.locator(".ending").count() for page in pages):
                for page in pages:
                    try:
                        done.append(press(page))
                    except Exception as error:  # the question was closed under the finger
                        done.append(type(error).__name__)
                if "answer" in done and not left:
                    left = True
                    phone.reload()  # leaves and returns, by the same link
                assert not wide(phone)
                time.sleep(0.05)
            assert all(page.locator(".ending").count() for page in pages), done[-20:]
            for page in pages:
                page.locator(".review .turned").wait_for()
                assert not wide(page)
        assert {"card", "answer", "survey"} <= set(done)
        path = Store(tmp_path).game(links["table"], 1)
    assert "unfinished" not in verified(path)
    sources: dict[int, set[str]] = {}
    for wave in load(path).waves:
        for reply in wave.replies.values():
            sources.setdefault(seat_of(reply.request), set()).add(reply.source)
    seats = [int(seat) for seat in links["seats"]]
    assert any("human" in sources.get(seat, ()) for seat in seats)
    assert all(sources.get(seat, {"bot"}) == {"bot"} for seat in range(1, 8) if seat not in seats)


@pytest.mark.parametrize("door", ["start", "lobby", "practice"])
def test_one_who_plays_alone_sits_down_and_starts_with_one_tap(tmp_path: Path, door: str) -> None:
    with server(tmp_path) as url, chromium() as browser, opened(browser, url, 360, 740, lang="en") as page:
        if door == "practice":
            page.get_by_role("button", name="Try it").click()
        else:
            if door == "lobby":
                page.get_by_role("button", name="Only make the table").click()
                page.get_by_role("link", name="To the table").click()
            page.get_by_role("button", name="Sit down and start").click()
        page.get_by_role("button", name="I have read it").click()
        assert page.locator(".place.me").count() == 1
        assert not wide(page)
        page.get_by_role("tab", name="Host").click()
        page.once("dialog", lambda asked: asked.accept())
        page.get_by_role("button", name="End the game").click()
        page.locator(".ending").wait_for()
        before = page.url
        page.get_by_role("button", name="Another game").click()
        page.get_by_role("button", name="I have read it").click()
        assert page.url != before


@pytest.mark.parametrize(("width", "height"), [(360, 740), (360, 640), (740, 360)])
def test_on_a_phone_what_is_asked_stands_in_view_beside_the_record(tmp_path: Path, width: int, height: int) -> None:
    with server(tmp_path) as url, chromium() as browser, opened(browser, url, width, height, lang="en") as page:
        page.get_by_role("button", name="Sit down and start").click()
        page.get_by_role("button", name="I have read it").click()
        page.locator("section.ask:not(.idle)").wait_for(timeout=60_000)
        question, record = page.locator("section.ask:not(.idle)").bounding_box(), page.locator(".side").bounding_box()
        assert question and record
        for box in (question, record):
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1
            assert box["height"] >= 60
        act = page.locator("section.ask:not(.idle) .acts button.main").bounding_box()
        assert act and act["y"] + act["height"] <= height
        assert not wide(page)
