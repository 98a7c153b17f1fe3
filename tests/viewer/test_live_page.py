"""The page of a live table in a browser, against a small server: python -m pytest tests -m browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tianhei.transcripts.game import load
from tianhei.transcripts.viewer.frames import document, opening
from viewer.fake_live import FakeTable
from viewer.games import GOLDEN
from viewer.screens import LOBBY, RECORDED, SEAT, SEATS, TOKEN, ask, chromium, hello, lobby, opened, wide

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


def test_double_time_can_be_asked_for_in_a_game(browser: Browser, table: FakeTable) -> None:
    playing = hello(until="defence")
    table.tell(playing)
    with opened(browser, link(table), 360, 740) as page:
        page.get_by_role("tab", name="Seats").click()
        page.get_by_role("button", name="double time").click()
        table.tell({"type": "lobby", "lobby": {**playing["lobby"], "doubled": True}})
        expect(page.locator(".panel")).to_contain_text("All times are doubled")
    assert table.posts[-1][2] == {"ready": True, "doubled": True}


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


LARGE = load(next(path for path in GOLDEN if path.stem == "classic_worked"))


def killed(recorded: Any = LARGE) -> dict[str, Any]:
    """A large table in the middle of its first day's speeches, seen by one who was killed and has partners."""
    frames = document(recorded, "public")["frames"]
    gone = next(seat for frame in frames if frame["kind"] == "dawn" for seat in frame["dead"])
    shown = opening(recorded.header, gone, players=False)
    for frame in document(recorded, gone)["frames"]:
        shown["frames"].append(frame)
        if sum(each["kind"] == "speech" for each in shown["frames"]) == 4:
            break
    lobby = {**LOBBY, "phase": "playing", "players": len(recorded.header.seats)}
    return {"type": "hello", "document": shown, "lobby": lobby, "asks": [], "notes": ""}


def apart(page: Page, what: str) -> bool:
    """Whether no two of these lie over each other."""
    boxes: list[dict[str, float]] = page.locator(what).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    return not any(
        one["left"] < other["right"] and other["left"] < one["right"]
        and one["top"] < other["bottom"] and other["top"] < one["bottom"]
        for one, other in combinations(boxes, 2)
    )  # fmt: skip


@pytest.mark.parametrize("lang", ("en", "zh"))
def test_a_phone_at_a_large_table_shows_the_dead_what_is_left_to_do(
    browser: Browser, table: FakeTable, lang: str
) -> None:
    """No strip for a seat that plays no more; one row each of tabs and of speakers; everything whole and apart."""
    table.tell(killed())
    table.tell({"type": "taken", "taken": True})
    table.tell({"type": "clock", "ends_at": int(time.time() * 1000) + 60_000, "kind": "speech", "seats": [1]})
    with opened(browser, link(table), 360, 740, lang) as page:
        expect(page.locator(".ask.idle .clock")).to_be_visible()
        expect(page.locator(".strip")).to_have_count(0)
        for what in (".ask.idle p", ".own", ".ask.idle button"):
            assert box(page, what)["height"] <= 48, what
            assert page.locator(what).evaluate("one => one.scrollWidth <= one.clientWidth"), what
        for what in (".tabs button", ".order li .badge"):
            tops = page.locator(what).evaluate_all("all => all.map(one => one.getBoundingClientRect())")
            assert max(top["top"] for top in tops) < min(top["bottom"] for top in tops), what
        assert page.locator(".tabs").evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        assert apart(page, ".seats .token")
        page.locator(".ask.idle button").click()
        expect(page.locator(".forecast")).to_be_visible()
        assert not wide(page)


@pytest.mark.parametrize("width", (360, 1280))
def test_a_term_explains_itself_and_moves_nothing(browser: Browser, table: FakeTable, width: int) -> None:
    """By pointer, by key and by tap, in a question and in the record; what is around it stays where it was."""
    table.tell(hello(until="vote"))
    table.tell(ask("vote", question={"en": "Do you demand a PK?", "zh": "PK？"}))
    with opened(browser, link(table), width, 740) as page:
        everything = "all => all.map(one => JSON.stringify(one.getBoundingClientRect()))"
        term, tip = page.locator(".ask h2 .term"), page.get_by_role("tooltip")
        expect(term).to_have_text("PK")
        expect(page.locator(".lines .term").first).to_be_attached()
        before = page.locator("body *:not(.tip)").evaluate_all(everything)
        ways: list[tuple[Callable[[], object], Callable[[], object]]] = [
            (term.hover, lambda: page.mouse.move(1, 1)),
            (term.focus, lambda: page.keyboard.press("Escape")),
            (term.click, lambda: page.mouse.click(1, 1)),
        ]
        for show, hide in ways:
            show()
            expect(tip).to_contain_text("the tied speak once more")
            place = box(page, ".tip")
            assert place["x"] >= 0 and place["x"] + place["width"] <= width
            assert page.locator("body *:not(.tip)").evaluate_all(everything) == before
            hide()
            expect(tip).to_have_count(0)
            term.evaluate("one => one.blur()")


def test_a_cards_terms_explain_themselves_above_the_card(browser: Browser, table: FakeTable) -> None:
    table.tell(hello(until="role"))
    table.tell({"type": "card", "ends_at": int(time.time() * 1000) + 20_000})
    with opened(browser, link(table), 360, 740) as page:
        expect(page.get_by_role("tooltip")).to_have_count(0)
        page.get_by_role("dialog").locator(".term").first.click()
        expect(page.get_by_role("tooltip")).to_be_visible()


def test_the_judge_briefs_the_table_once_with_the_card_and_later_under_the_rules(
    browser: Browser, table: FakeTable
) -> None:
    table.tell(hello(until="role"))
    table.tell({"type": "card", "ends_at": int(time.time() * 1000) + 20_000})
    with opened(browser, link(table), 360, 740) as page:
        dialog = page.get_by_role("dialog")
        for told in ("The judge's briefing", "Winning", "All close their eyes", "defend themselves once"):
            expect(dialog).to_contain_text(told)
        button = box(page, "dialog button.main")
        assert button["y"] + button["height"] <= 740, "in view, however long the briefing is"
        page.get_by_role("button", name="I have read it").click()
        expect(dialog).to_have_count(0)
        page.get_by_role("tab", name="Rules").click()
        expect(page.locator(".briefing")).to_contain_text("All close their eyes")
        for count in RECORDED.header.counts.values():
            expect(page.locator(".briefing .counts")).to_contain_text(f"× {count}")


EAR = """() => {
    window.heard = [];
    window.AudioContext = class {
        constructor() { window.heard.push('made'); this.state = 'running'; this.currentTime = 0; }
        createOscillator() {
            return { frequency: {}, connect: (to) => to, start: () => window.heard.push('tone'), stop() {} };
        }
        createGain() {
            return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} }, connect: (to) => to };
        }
    };
}"""


def test_sound_is_off_until_it_is_switched_on(browser: Browser, table: FakeTable) -> None:
    """Nothing that sounds is made before a gesture; then there are tones at one's turn, and near its end."""
    table.tell(hello(until="vote"))
    with opened(browser, link(table), 360, 740) as page:
        switch = page.get_by_role("button", name="Sound is off")
        expect(switch).to_have_attribute("aria-pressed", "false")
        page.evaluate(EAR)
        table.tell(ask("vote"))
        page.locator(".ask .choice").first.click()
        page.wait_for_timeout(200)
        assert page.evaluate("heard") == []
        table.tell({"type": "unask", "request": "n1.vote1.03"})
        switch.click()
        assert page.evaluate("heard") == ["made", "tone", "tone"], "how it sounds"
        table.tell(ask("vote", ends_at=int(time.time() * 1000) + 12_000))
        page.wait_for_timeout(500)
        assert page.evaluate("heard.length") == 5, "one's turn"
        page.wait_for_timeout(3000)
        assert page.evaluate("heard.length") == 7, "ten seconds are left"
        page.reload()
        expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
        page.evaluate(EAR)
        table.tell(ask("vote", request="n1.vote1.04"))
        page.wait_for_timeout(300)
        assert page.evaluate("heard") == [], "kept, and silent until the page is touched"


def test_after_the_game_stands_what_people_held(browser: Browser, table: FakeTable) -> None:
    kept = {
        "bots": [2],
        "beliefs": [
            {"day": 1, "place": 0, "question": "suspect", "seat": 3, "target": 5, "right": True},
            {"day": 2, "place": 1, "question": "trust", "seat": 3, "target": None, "right": None},
        ],
        "forecasts": [{"day": 1, "seat": 4, "marks": {"1": 0.8, "2": 0.1}, "brier": 0.05}],
        "survey": [{"seat": 3, "bots": [2, 6], "right": 1, "wrong": 1}],
        "takeovers": [],
    }
    table.replies["/api/tables/x/chances"] = (404, {"error": "no_chances"})
    table.tell(hello(until="over"))
    table.tell({"type": "end", "document": document(RECORDED, "truth"), "table": kept})
    with opened(browser, link(table), 360, 740) as page:
        page.get_by_role("tab", name="Guesses").click()
        guesses = page.locator(".guesses")
        for told in ("suspects most", "right", "trusts most", "80 %", "Brier score 0.05", "1 right, 1 wrong"):
            expect(guesses).to_contain_text(told)
        expect(guesses).not_to_contain_text("10 %")
        assert not wide(page)
