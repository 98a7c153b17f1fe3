"""The exported page in a browser: python -m pytest tests -m browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from players import CLASSIC_SEVEN
from tianhei.arena.whatif.lookback import lookback
from tianhei.transcripts.game import load
from tianhei.transcripts.viewer.export import replay_page
from tianhei.transcripts.viewer.frames import document
from viewer.games import GOLDEN, HOSTILE, game
from viewer.screens import RECORDED, chromium, opened, wide

pytestmark = pytest.mark.browser
SCRIPTED = next(path for path in GOLDEN if path.stem == "classic_scripted")
TURNED = load(SCRIPTED)
CHANCES: Any = lookback(SCRIPTED)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(replay_page(document(RECORDED, "truth")), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "turned.html"
    path.write_text(replay_page(document(TURNED, "truth") | {"chances": CHANCES}), encoding="utf-8")
    return path.as_uri()


def test_arrows_step_through_the_game_and_the_link_follows(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        first = page.locator(".count").inner_text()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert page.locator(".count").inner_text().startswith("2 /") and first.startswith("1 /")
        assert "#e=" in page.url and "eyes=public" in page.url
        page.keyboard.press("End")
        expect(page.locator(".when")).to_contain_text("win")


def test_the_truth_is_hidden_until_it_is_asked_for(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        assert page.locator(".seats .chip").count() == 0
        assert page.locator(".track .mark, .track .span").count() == 0
        page.keyboard.press("t")
        expect(page.locator(".seats .chip")).to_have_count(len(RECORDED.header.seats))
        page.keyboard.press("t")
        expect(page.locator(".seats .chip")).to_have_count(0)


def test_a_deep_link_opens_its_moment_and_eyes(browser: Browser, address: str) -> None:
    frames = document(RECORDED, "truth")["frames"]
    vote = next(frame["n"] for frame in frames if frame["kind"] == "ballots")
    with opened(browser, f"{address}#e={vote}&eyes=3") as page:
        expect(page.locator(".line[aria-current=true]")).to_have_id(f"e{vote}")
        expect(page.locator(".place.me")).to_have_count(1)
        assert page.locator(".arrow.vote").count() > 0
        page.get_by_role("tab", name="Card").click()
        expect(page.locator("section.card")).to_be_visible()


def test_arrows_on_a_tab_change_the_tab_and_step_nothing(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}#e=20&eyes=public") as page:
        place = page.locator(".count").inner_text()
        page.get_by_role("tab", name="Record").click()
        for key, name in (("ArrowRight", "Votes"), ("ArrowRight", "Claims"), ("End", "Rules"), ("Home", "Record")):
            page.keyboard.press(key)
            expect(page.get_by_role("tab", name=name)).to_be_focused()
            expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("tab", name="Rules")).to_be_focused()
        assert page.locator(".count").inner_text() == place


def test_what_was_done_at_night_is_off_the_table_by_day(browser: Browser, address: str) -> None:
    frames = document(RECORDED, "truth")["frames"]
    dawn = next(frame["n"] for frame in frames if frame["kind"] == "dawn")
    with opened(browser, f"{address}#e={dawn - 1}&eyes=truth") as page:
        assert page.locator(".arrow").count() > 0
        gaps = page.locator(".deeds li b").evaluate_all(
            "all => all.map(one => one.nextElementSibling ? one.nextElementSibling.getBoundingClientRect().left"
            " - one.getBoundingClientRect().right : 9)"
        )
        assert gaps and min(gaps) > 2
        page.keyboard.press("ArrowRight")
        expect(page.locator(".arrow")).to_have_count(0)


def test_search_finds_words_in_either_language(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}#e=9999&eyes=truth") as page:
        page.keyboard.press("/")
        page.keyboard.type("天黑")
        nights = sum(frame.get("stage") == "night" for frame in document(RECORDED, "truth")["frames"])
        expect(page.locator(".lines .line")).to_have_count(nights)


def test_the_language_can_change_at_any_time(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}#e=20&eyes=public") as page:
        place = page.locator(".count").inner_text()
        page.get_by_role("button", name="中文").click()
        expect(page.get_by_role("tab", name="记录")).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == "zh-CN"
        assert page.locator(".count").inner_text() == place


def test_it_plays_by_itself(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        page.keyboard.press("Space")
        expect(page.locator(".count")).not_to_have_text(page.locator(".count").inner_text(), timeout=15_000)


def test_it_has_landmarks_and_tells_what_happens(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}#e=9999&eyes=public") as page:
        for landmark in ("header", "main", "nav", "aside", "[role=tablist]", "[role=tabpanel]", "input[type=range]"):
            expect(page.locator(landmark).first).to_be_visible()
        assert page.locator("[aria-live=polite]").last.inner_text()
        unnamed = "[...document.querySelectorAll('button')].filter(b => !(b.ariaLabel || b.innerText.trim())).length"
        assert page.evaluate(unnamed) == 0


@pytest.mark.parametrize("width", (360, 1280))
def test_hostile_words_stay_words(browser: Browser, tmp_path: Path, width: int) -> None:
    recorded = game(tmp_path / "game.jsonl", HOSTILE, counts=CLASSIC_SEVEN)
    path = tmp_path / "game.html"
    path.write_text(replay_page(document(recorded, "truth")), encoding="utf-8")
    with opened(browser, f"{path.as_uri()}#e=0&eyes=truth", width, 740) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for _ in range(len(recorded.events)):
            page.keyboard.press("ArrowRight")
        assert not wide(page)
        assert page.evaluate("window.broken") is None
        assert asked == []
        said = page.locator(".record .words").all_text_contents()
        assert {text for text in HOSTILE[:5] if any(text in each for each in said)}


def test_the_review_says_where_the_game_turned_and_leads_there(browser: Browser, told: str) -> None:
    with opened(browser, f"{told}#e=0&eyes=public", 360, 740) as page:
        expect(page.get_by_role("tab", name="Review")).to_have_count(0)
        page.keyboard.press("t")
        page.get_by_role("tab", name="Review").click()
        expect(page.locator(".turned")).to_contain_text("The game turned")
        points = page.locator(".field button")
        names = points.evaluate_all("all => all.map(one => one.ariaLabel)")
        assert len(set(names)) == len(names) == len(CHANCES["moments"])
        for place, moment in enumerate(CHANCES["moments"]):
            points.nth(place).click()
            expect(points.nth(place)).to_have_attribute("aria-current", "step")
            assert f"#e={moment['n']}&" in page.url
            living = page.locator(".suspicion tr:not(.gone)")
            last = CHANCES["moments"][-2] if moment["stage"] == "end" else moment  # at the end all see the cards
            expect(living).to_have_count(len(last["public"]["killer"]))
        page.get_by_role("button", name="Show it").click()
        expect(page).to_have_url(re.compile(f"#e={CHANCES['moments'][CHANCES['turning']]['n']}&"))
        assert not wide(page)
        page.keyboard.press("t")
        expect(page.get_by_role("tab", name="Record")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize(("error", "said"), ((0.05, "The game turned in"), (0.12, "The game turned at no one moment")))
def test_a_step_that_may_be_chance_is_called_no_turn(browser: Browser, tmp_path: Path, error: float, said: str) -> None:
    """A step of 0.3; twice its standard error is 0.14, or 0.34."""
    night, after, *_, end = CHANCES["moments"]
    moments = [{**night, "share": 0.4, "error": error}, {**after, "share": 0.7, "error": error}, end]
    path = tmp_path / "game.html"
    chances = {"games": 30, "turning": 0, "moments": moments}
    path.write_text(replay_page(document(TURNED, "truth") | {"chances": chances}), encoding="utf-8")
    with opened(browser, f"{path.as_uri()}#e=9999&eyes=truth") as page:
        page.get_by_role("tab", name="Review").click()
        expect(page.locator(".turned")).to_contain_text(said)
        expect(page.locator(".turned")).to_contain_text("from 40\u00a0% to 70\u00a0%")


def test_claims_that_were_read_are_marked_and_come_with_their_words(browser: Browser, told: str) -> None:
    read = [each for each in document(TURNED, "truth")["truth"]["claims"] if "read" in each]
    assert read
    with opened(browser, f"{told}#e=0&eyes=truth", 360, 740, "zh") as page:
        page.get_by_role("tab", name="声明").click()
        expect(page.locator(".quoted")).to_have_count(0)
        page.evaluate("location.hash = 'e=9999&eyes=truth'")
        expect(page.locator(".claim.read .quoted")).to_have_count(len(read))
        assert read[0]["read"] in page.locator(".claim.read .quoted").first.inner_text()


def test_on_a_phone_the_record_has_room_beside_table_and_time_line(browser: Browser, told: str) -> None:
    speech = next(frame["n"] for frame in document(TURNED, "truth")["frames"] if frame["kind"] == "speech")
    with opened(browser, f"{told}#e={speech}&eyes=truth", 360, 740) as page:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for part in (".place.judge", ".line[aria-current=true] .bubble", ".control.big"):
            expect(page.locator(part).first).to_be_in_viewport()
        assert page.locator(".panel").evaluate("one => one.clientHeight") > 240


def test_nothing_is_wider_than_a_phone(browser: Browser, address: str) -> None:
    last = len(RECORDED.events)
    for lang in ("en", "zh"):
        with opened(browser, f"{address}#e=0&eyes=truth", 360, 640, lang) as page:
            for _ in range(last):
                page.keyboard.press("ArrowRight")
                assert not wide(page)
