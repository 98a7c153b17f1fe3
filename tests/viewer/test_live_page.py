"""The page of a live table in a browser, against a small server: python -m pytest tests -m browser."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tianhei.transcripts.viewer.frames import document
from viewer.fake_live import FakeTable
from viewer.screens import RECORDED, SEAT, SEATS, TOKEN, ask, chromium, hello, lobby, opened, wide

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def table() -> Iterator[FakeTable]:
    found = FakeTable()
    yield found
    found.close()


def link(table: FakeTable) -> str:
    return f"{table.url}/t/x#{TOKEN}"


def answers(table: FakeTable) -> list[object]:
    return [body for path, _, body in table.posts if path.endswith("/answer")]


def compose(page: Page, key: str) -> None:
    """The key as an input method sends it while it composes."""
    page.locator("textarea").evaluate(
        """(box, key) => box.dispatchEvent(
            new KeyboardEvent('keydown', {key, ctrlKey: true, isComposing: true, bubbles: true})
        )""",
        key,
    )


def test_one_who_joins_consents_and_gets_a_token_in_the_fragment(browser: Browser, table: FakeTable) -> None:
    table.tell(lobby(you={"whose": "invite"}))
    table.replies["/api/tables/x/join"] = (200, {"seat": SEAT, "token": TOKEN, "name": "夜雨"})
    with opened(browser, f"{table.url}/t/x#an-invitation", 360, 740) as page:
        expect(page.get_by_role("note")).to_contain_text("This table has AI players: Somebody hears it.")
        join = page.get_by_role("button", name="Join")
        expect(join).to_be_disabled()
        page.get_by_label("Your name here").fill("夜雨")
        page.get_by_label("This is recorded.").check()
        join.click()
        page.wait_for_url(f"**/t/x#{TOKEN}")
        path, token, body = table.posts[0]
        assert (path, token) == ("/api/tables/x/join", "Bearer an-invitation")
        assert (body["name"], body["lang"], body["consent"]) == ("夜雨", "en", True)
        assert len(body["client"]) == 32
    assert all(TOKEN not in path and "invitation" not in path for path in table.paths)


def test_the_lobby_tells_no_seat_but_ones_own(browser: Browser, table: FakeTable) -> None:
    table.tell(lobby())
    with opened(browser, link(table), 360, 740) as page:
        expect(page.locator(".places li")).to_have_count(3)
        expect(page.locator(".places .badge")).to_have_count(0)
        expect(page.locator(".mine")).to_contain_text(f"seat {SEAT}")
        page.get_by_label("double time").check()
        page.get_by_role("button", name="I am ready").click()
        page.wait_for_timeout(200)
        assert not wide(page)
    assert table.posts[-1][2] == {"ready": True, "doubled": True}


def test_the_token_goes_with_every_call_and_stands_in_no_address(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    table.tell(ask("vote"))
    with opened(browser, link(table)) as page:
        page.get_by_role("button", name="Abstain").click()
        page.wait_for_timeout(200)
    assert [(path, token) for path, token, _ in table.posts] == [("/api/tables/x/answer", f"Bearer {TOKEN}")]
    assert all(TOKEN not in path for path in table.paths)


def test_a_choice_is_made_and_confirmed_and_sent_once(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    table.tell(ask("vote"))
    with opened(browser, link(table)) as page:
        confirm = page.get_by_role("button", name="Confirm")
        expect(confirm).to_be_disabled()
        page.locator(".choices .choice").nth(1).click()
        confirm.dblclick(force=True)
        page.wait_for_timeout(200)
    assert answers(table) == [{"request": "n1.vote1.03", "target": 2}]


def test_a_seat_at_the_table_can_be_tapped_as_well(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    table.tell(ask("vote"))
    with opened(browser, link(table)) as page:
        page.locator(".place.offered .face").first.click()
        expect(page.locator(".choice[aria-pressed=true]")).to_have_count(1)
        page.get_by_role("button", name="Confirm").click()
        page.wait_for_timeout(200)
    assert answers(table) == [{"request": "n1.vote1.03", "target": 1}]


def test_nothing_is_sent_while_an_input_method_composes(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="defence"))
    table.tell(ask("speech", text_limit=100))
    with opened(browser, link(table)) as page:
        page.locator("textarea").fill("我怀疑2号")
        compose(page, "Enter")
        page.locator("textarea").press("Enter")
        page.wait_for_timeout(200)
        assert answers(table) == []
        page.locator("textarea").press("Control+Enter")
        expect(page.get_by_role("button", name="Speak")).to_be_disabled()
    assert [set(answer) for answer in answers(table)] == [{"request", "text"}]  # type: ignore[call-overload]


def test_a_sentence_starter_is_a_typed_claim(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="defence"))
    table.tell(ask("speech", text_limit=100))
    with opened(browser, link(table)) as page:
        page.get_by_role("button", name="I checked …: not a killer.").click()
        page.locator(".claim-form .choice").first.click()
        page.get_by_role("button", name="I suspect …").click()
        page.locator(".claim-form .choice").nth(1).click()
        page.get_by_role("button", name="Speak").click()
        page.wait_for_timeout(200)
    claims = [
        {"kind": "check", "seat": 1, "what": "not_killer", "night": 1},
        {"kind": "accuse", "seat": 2, "what": "killer", "night": 0},
    ]
    text = "I checked Player 1: not a killer. I suspect Player 2, because "
    assert answers(table) == [{"request": "n1.speech1.03", "text": text, "claims": claims}]


def test_too_long_a_text_cannot_be_sent(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="defence"))
    table.tell(ask("speech", text_limit=3))
    with opened(browser, link(table)) as page:
        page.locator("textarea").fill("🎭🎭🎭")
        expect(page.get_by_role("button", name="Speak")).to_be_enabled()
        page.locator("textarea").fill("🎭🎭🎭🎭")
        expect(page.get_by_role("button", name="Speak")).to_be_disabled()


@pytest.mark.parametrize("code", ("already_answered", "too_late", "not_yours", "illegal", "unknown_request"))
def test_a_refusal_is_told_in_words(browser: Browser, table: FakeTable, code: str) -> None:
    table.replies["/api/tables/x/answer"] = (409, {"error": code, "detail": "no"})
    table.tell(hello(until="vote"))
    table.tell(ask("vote"))
    with opened(browser, link(table)) as page:
        page.get_by_role("button", name="Abstain").click()
        told = page.get_by_role("alert").inner_text()
        assert told and code not in told


def test_a_broken_stream_is_taken_up_again_without_loss(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="defence"))
    with opened(browser, link(table)) as page:
        expect(page.locator(".when")).to_contain_text("defence")
        table.messages[:] = [hello(until="over"), ask("vote")]
        table.cut()
        expect(page.locator(".when")).to_contain_text("win")
        expect(page.get_by_role("button", name="Abstain")).to_be_visible()


def test_a_renewed_link_is_told_and_shows_nothing(browser: Browser, table: FakeTable) -> None:
    table.replies["/api/tables/x/stream"] = (401, {"error": "unknown_token", "detail": "old"})
    with opened(browser, link(table)) as page:
        expect(page.get_by_role("status")).to_contain_text("was renewed")


@pytest.mark.parametrize("width", (360, 1280))
def test_a_cover_question_looks_like_a_nights_deed(browser: Browser, table: FakeTable, width: int) -> None:
    """Who looks over a shoulder, or measures, cannot tell who has something to do at night."""
    table.tell(hello(until="night"))
    with opened(browser, link(table), width, 740) as page:
        shapes = []
        for kind in ("cover", "check"):
            table.tell(ask(kind, question={"en": "Choose one player.", "zh": "选一个人。"}))
            expect(page.locator(".choices .choice")).to_have_count(len(SEATS) - 1)
            boxes = page.locator(".ask button, .ask h2").evaluate_all(
                "all => all.map(one => [one.innerText, ...Object.values(one.getBoundingClientRect().toJSON())])"
            )
            shapes.append(boxes)
            table.tell({"type": "unask", "request": f"n1.{kind}1.03"})
            expect(page.locator(".choices")).to_have_count(0)
        assert shapes[0] == shapes[1]


def test_the_keyboard_never_covers_question_and_clock(browser: Browser, table: FakeTable) -> None:
    """What is left of a phone's screen above its keyboard still shows question, clock, words and the button."""
    table.tell(hello(until="defence"))
    table.tell(ask("speech", text_limit=600))
    with opened(browser, link(table), 360, 640) as page:
        page.locator("textarea").focus()
        page.set_viewport_size({"width": 360, "height": 330})
        page.wait_for_timeout(300)
        for what in (".ask h2", ".ask .clock", "textarea", ".ask .main"):
            box = page.locator(what).first.bounding_box()
            assert box is not None
            assert box["y"] >= 0 and box["y"] + box["height"] <= 330, what


def test_a_second_window_says_so_and_asks_for_nothing_more(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    with opened(browser, link(table)) as page:
        expect(page.locator(".when")).to_be_visible()
        table.tell({"type": "replaced"})
        table.cut()
        expect(page.get_by_role("status")).to_contain_text("another window")
        page.wait_for_timeout(1200)
        assert sum(path.endswith("/stream") for path in table.paths) == 1


def test_one_who_was_away_takes_the_seat_back(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    table.tell(ask("vote"))
    table.tell({"type": "taken", "taken": True})
    with opened(browser, link(table), 360, 740) as page:
        expect(page.locator(".choices")).to_have_count(0)
        page.get_by_role("button", name="I am back").click()
        expect(page.locator(".choices")).to_have_count(1)
    assert ("/api/tables/x/back", f"Bearer {TOKEN}", {}) in table.posts


def test_the_card_is_read_before_the_first_night(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="role"))
    table.tell({"type": "card", "ends_at": int(time.time() * 1000) + 20_000})
    with opened(browser, link(table), 360, 740) as page:
        expect(page.get_by_role("dialog")).to_contain_text("Your card")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_role("button", name="I have read it").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert ("/api/tables/x/seen", f"Bearer {TOKEN}", {}) in table.posts


def test_notes_are_kept_by_the_server(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote", notes="5号？"))
    with opened(browser, link(table)) as page:
        page.get_by_role("tab", name="Notes").click()
        expect(page.get_by_label("For you alone")).to_have_value("5号？")
        page.get_by_label("For you alone").fill("7号可疑")
        expect(page.get_by_text("keeping")).to_be_visible()
        expect(page.get_by_text("kept", exact=True)).to_be_visible()
    assert table.posts[-1][2] == {"text": "7号可疑"}


def test_the_dead_mark_the_killers(browser: Browser, table: FakeTable) -> None:
    gone = next(frame["seat"] for frame in document(RECORDED, "public")["frames"] if frame["kind"] == "voted_out")
    shown = hello(until="voted_out")
    shown["document"]["eyes"] = gone
    table.tell(shown)
    with opened(browser, link(table), 360, 740) as page:
        page.get_by_role("tab", name="Forecast").click()
        page.locator(".forecast input").first.fill("80")
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("button", name="Sent")).to_be_visible()
    marks = table.posts[-1][2]["marks"]
    assert sorted(marks.values())[-1] == 0.8
    assert str(gone) not in marks


def test_first_the_survey_then_the_truth(browser: Browser, table: FakeTable) -> None:
    others = [seat for seat in SEATS if seat != SEAT]
    table.tell(hello(until="revealed"))
    table.tell({"type": "survey", "seats": others, "ends_at": int(time.time() * 1000) + 60_000})
    with opened(browser, link(table), 360, 740) as page:
        page.locator(".survey .choice").first.click()
        page.get_by_role("button", name="These").click()
        kept = {"bots": [2, 4], "forecasts": [{"seat": 5, "day": 1, "marks": {"1": 0.5}, "brier": 0.25}]}
        table.tell({"type": "end", "document": document(RECORDED, "truth"), "table": kept})
        expect(page.locator(".verdict-bar")).to_contain_text("AI players")
        expect(page.locator(".verdict-bar")).to_contain_text("Brier score 0.25")
        expect(page.locator(".seats .chip")).to_have_count(len(SEATS))
        assert not wide(page)
    assert table.posts[0][2] == {"bots": [1]}


def test_an_unknown_message_is_passed_over(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="vote"))
    table.tell({"type": "tomorrow", "what": 1})
    with opened(browser, link(table)) as page:
        expect(page.locator(".seats .place")).to_have_count(len(SEATS))


@pytest.mark.parametrize("lang", ("en", "zh"))
@pytest.mark.parametrize("kind", ("speech", "cover"))
def test_a_phone_shows_the_last_words_above_what_is_asked(
    browser: Browser, table: FakeTable, kind: str, lang: str
) -> None:
    """On 360 x 740: every tab, the end of the record, the question, the clock and the button, without scrolling."""
    table.tell(hello(until="speech"))
    table.tell(ask(kind, text_limit=600 if kind == "speech" else None))
    with opened(browser, link(table), 360, 740, lang) as page:
        button = page.locator(".ask .main")
        expect(button).to_be_visible()
        page.wait_for_timeout(300)
        bottom = box(page, ".ask")["y"]
        for what in (".ask h2", ".ask .clock", ".ask .main"):
            place = box(page, what)
            assert bottom <= place["y"] and place["y"] + place["height"] <= 740, what
        lines = box(page, ".lines .line >> nth=-1")
        for _ in range(20):  # a busy machine lays out late
            if lines["y"] + lines["height"] <= bottom + 2:
                break
            page.wait_for_timeout(100)
            lines = box(page, ".lines .line >> nth=-1")
        assert lines["y"] + lines["height"] <= bottom + 2
        assert lines["y"] + lines["height"] > box(page, "ol.lines")["y"] + 20
        assert page.locator(".tabs").evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        tabs = page.locator(".tabs button").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
        assert len(tabs) == 7 and len(set(tabs)) == 1, "one row"


def test_whoever_reads_further_up_is_left_there(browser: Browser, table: FakeTable) -> None:
    whole = hello(until="over")
    frames = whole["document"]["frames"]
    whole["document"]["frames"], later = frames[:-12], frames[-12:]
    table.tell(whole)
    with opened(browser, link(table), 360, 740) as page:
        lines = page.locator("ol.lines")
        at_end = "box => box.scrollHeight - box.scrollTop - box.clientHeight < 12"
        page.wait_for_timeout(300)
        assert lines.evaluate(at_end)
        table.tell({"type": "frame", "frame": later[0]})
        page.wait_for_timeout(300)
        assert lines.evaluate(at_end), "it goes on with the game"
        lines.evaluate("box => { box.scrollTop = 20; }")
        page.wait_for_timeout(200)
        for frame in later[1:6]:
            table.tell({"type": "frame", "frame": frame})
        page.wait_for_timeout(300)
        assert lines.evaluate("box => box.scrollTop") == 20
        lines.evaluate("box => { box.scrollTop = box.scrollHeight; }")
        page.wait_for_timeout(200)
        for frame in later[6:]:
            table.tell({"type": "frame", "frame": frame})
        page.wait_for_timeout(300)
        assert lines.evaluate(at_end)


def box(page: Page, what: str) -> FloatRect:
    found = page.locator(what).first.bounding_box()
    assert found is not None, what
    return found


def test_the_judges_calls_are_no_questions_of_ones_own(browser: Browser, table: FakeTable) -> None:
    """At a live night the stage says the same to everybody; what is one's own to do says so, and whether it counts."""
    shown = hello(until="dawn")
    frames = shown["document"]["frames"]
    shown["document"]["frames"] = frames[:-1]
    assert any(frame["kind"] == "called" and frame.get("role") for frame in frames)
    table.tell(shown)
    with opened(browser, link(table)) as page:
        expect(page.locator(".now .judged")).to_contain_text("All eyes are closed")
        for kind, told in (("cover", "while others act"), ("needle", "your card acts")):
            table.tell(ask(kind))
            expect(page.locator(".ask .whom")).to_contain_text(f"Player {SEAT}, {told}")
            table.tell({"type": "unask", "request": f"n1.{kind}1.03"})
            expect(page.locator(".choices")).to_have_count(0)


@pytest.mark.parametrize("lang", ("en", "zh"))
@pytest.mark.parametrize("until", ("role", "night", "dawn", "speech", "vote", "ballots", "tied", "voted_out", "over"))
def test_every_moment_fits_a_phone(browser: Browser, table: FakeTable, until: str, lang: str) -> None:
    table.tell(hello(until=until))
    with opened(browser, link(table), 360, 640, lang) as page:
        expect(page.locator(".seats .place")).to_have_count(len(SEATS))
        assert not wide(page)
