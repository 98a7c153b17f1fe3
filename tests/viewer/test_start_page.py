"""Setting a table up in a browser, against a real server: python -m pytest tests -m browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.test_browsers import server
from tianhei.arena.tables.plan import Plan
from tianhei.arena.tables.store import Store
from viewer.screens import chromium, opened, wide

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def more(page: Page) -> None:
    expect(page.locator("details.more")).not_to_have_attribute("open", "")
    page.locator("details.more summary").click()


def plan(folder: Path) -> Plan:
    """What the one table there was ordered as."""
    (found,) = Store(folder).tables()
    return Store(folder).load(found).plan


def test_everything_of_a_table_can_be_chosen(browser: Browser, tmp_path: Path) -> None:
    """Rules, language, whose seat is whose, which bot sits where, and how much later spectators see."""
    with server(tmp_path) as url, opened(browser, url, 360, 740, lang="en") as page:
        page.get_by_label("Spectators").select_option("delayed")
        more(page)
        expect(page.get_by_label("On a tie")).to_have_value("0")
        page.get_by_label("On a tie").select_option(label="nobody is out")
        expect(page.get_by_label("Still tied in the end")).to_have_count(0)
        page.get_by_label("Killers win when").select_option(label="all the good are out")
        page.get_by_label("Bots speak").select_option("zh")
        page.get_by_label("Minutes later").fill("20")
        seats = page.locator(".seating select")
        expect(seats).to_have_count(8)
        seats.nth(1).select_option(label="a person")
        seats.nth(4).select_option(label="a person")
        seats.nth(6).select_option(label="lot")
        expect(page.get_by_label("Of these, people")).to_have_value("2")
        assert not wide(page)
        page.get_by_role("button", name="Make the table").click()
        expect(page.locator(".link input").first).to_be_visible()
        ordered = plan(tmp_path)
    assert ordered.options == {"tie": "nobody", "final_tie": "draw", "victory": "all_good"}
    assert (ordered.lang, ordered.people, ordered.bots, ordered.delay) == ("zh", [2, 5], {7: "lot"}, 1200)


def test_what_is_left_alone_is_not_sent(browser: Browser, tmp_path: Path) -> None:
    with server(tmp_path) as url, opened(browser, url, 360, 740, lang="zh") as page:
        page.locator("form.start button[type=submit]").click()
        expect(page.locator(".link input").first).to_be_visible()
        ordered = plan(tmp_path)
    assert (ordered.options, ordered.bots, ordered.people, ordered.lang) == ({}, {}, 1, "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_other_peoples_seats_are_not_given_away(browser: Browser, tmp_path: Path, lang: str) -> None:
    """With three people the main button makes the table and shows its links; whoever sits down waits for the others."""
    with server(tmp_path) as url, opened(browser, url, 360, 740, lang=lang) as page:
        page.locator("form.start input[type=number]").first.fill("3")
        page.locator("form.start button.main").click()
        expect(page.locator("section.host > .link")).to_have_count(2)
        expect(page.locator(".places .free")).to_have_count(3)
        page.locator("section.host button.main").click()
        expect(page.locator("section.mine")).to_be_visible()
        expect(page.locator(".places .free")).to_have_count(2)
        (table,) = Store(tmp_path).tables()
        assert Store(tmp_path).load(table).phase == "lobby"
        assert not wide(page)
        page.locator("section.mine button").first.click()  # only now, and by the host's own word
        page.locator("dialog.card-box button.main").click()
