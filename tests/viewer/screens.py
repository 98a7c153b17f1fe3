"""A browser for the tests, and the moments of a game that its page must show."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tianhei.transcripts.game import load
from tianhei.transcripts.viewer.frames import document, opening
from viewer.games import GOLDEN

CHROMIUM = "/usr/bin/chromium"
TOKEN = "a-token-of-seat-3"
SEAT = 3
RECORDED = load(next(path for path in GOLDEN if path.stem == "tie_chain"))
SEATS = range(1, len(RECORDED.header.seats) + 1)
LOBBY: Mapping[str, Any] = {
    "table": "x",
    "phase": "lobby",
    "why": "",
    "game": "classic-arena",
    "players": len(SEATS),
    "lang": "en",
    "pace": "normal",
    "practice": False,
    "doubled": False,
    "spectators": "public",
    "seats_for_people": 3,
    "people": [{"name": "Amber", "ready": True}, {"name": "夜雨", "ready": False}],
    "ai": {"count": len(SEATS) - 3},
    "providers": ["Somebody"],
    "notice": {"en": "This table has AI players: Somebody hears it.", "zh": "本桌有AI玩家。"},
    "consent": {"en": "This is recorded.", "zh": "会被记录。"},
    "you": {"whose": "seat", "seat": SEAT, "name": "夜雨", "joined": True, "ready": False, "taken": False},
}


@contextmanager
def chromium() -> Generator[Browser, None, None]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, url: str, width: int = 1280, height: int = 800, lang: str = "en"
) -> Generator[Page, None, None]:
    """A page that has no errors of its own and stops no content by its policy."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_init_script(f"localStorage.setItem('tianhei.lang', '{lang}')")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda told: faults.append(told.text) if "Content Security" in told.text else None)
    page.goto(url)
    yield page
    context.close()
    assert faults == []


def wide(page: Page) -> bool:
    """Whether the page has to be moved sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def hello(*, until: str | None = None, **more: Any) -> dict[str, Any]:
    """The game up to the first frame of that kind, or all of it."""
    shown = opening(RECORDED.header, SEAT, players=False)
    for frame in document(RECORDED, SEAT)["frames"]:
        shown["frames"].append(frame)
        if until in (frame["kind"], frame.get("stage")):
            break
    lobby = {**LOBBY, "phase": "playing"}
    return {"type": "hello", "document": shown, "lobby": lobby, "asks": [], "notes": "", **more}


def lobby(**more: Any) -> dict[str, Any]:
    return {"type": "hello", "document": None, "lobby": {**LOBBY, **more}, "asks": [], "notes": ""}


STARTERS = (
    {"name": "accuse", "claim": {"kind": "accuse", "what": "killer"},
     "text": {"en": "I suspect {_}, because ", "zh": "我怀疑{_}，因为"}},
    {"name": "check_clear", "claim": {"kind": "check", "what": "not_killer"},
     "text": {"en": "I checked {_}: not a killer. ", "zh": "我验了{_}，不是杀手。"}},
    {"name": "pass", "claim": {}, "text": {"en": "Pass.", "zh": "过。"}},
)  # fmt: skip


def ask(kind: str, **more: Any) -> dict[str, Any]:
    others = [seat for seat in SEATS if seat != SEAT]
    asked = {
        "request": f"n1.{kind}1.03",
        "kind": kind,
        "options": [] if kind in ("speech", "last_words") else others,
        "may_pass": True,
        "text_limit": None,
        "question": {"en": f"Question for a {kind}?", "zh": "问题？"},
        "ends_at": int(time.time() * 1000) + 60_000,
        "starters": list(STARTERS) if kind == "speech" else [],
        "cover": kind == "cover",
    }
    return {"type": "ask", "ask": {**asked, **more}}
