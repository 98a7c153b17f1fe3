"""What a seat is reminded of at the private end of its prompt, and what it is spared there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from prompting.tables import asked, requests
from test_words import LANGS, TABLES, table_of
from tianhei.arena.claims import Claim
from tianhei.arena.events import (
    PUBLIC,
    Agreed,
    Ballots,
    Body,
    Called,
    Dawn,
    Event,
    LastWords,
    Mates,
    Note,
    Phase,
    RoleDealt,
    Speech,
    Stated,
    Tied,
    VotedOut,
)
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.view import Views
from tianhei.prompts.compose import compose
from tianhei.prompts.pack import OFFICIAL, Pack, load, variants
from tianhei.prompts.rulebook import words_in
from tianhei.prompts.tail import known
from tianhei.prompts.vocabulary import Lang

SEVEN = {Role.KILLER: 2, Role.CIVILIAN: 5}
KILLERS = (1, 4)


def event(day: int, body: Body, audience: Any = PUBLIC, phase: Phase = "day") -> Event:
    return Event(day, phase, audience, body)


def seven(*events: Event, rules: Rules | None = None) -> Views:
    """A table of seven without police, its killers at seats 1 and 4, after these events."""
    views = Views(rules or make("classic"), SEVEN, 1)
    for seat in range(1, 8):
        killer = seat in KILLERS
        dealt = RoleDealt(Role.KILLER, Side.KILLERS) if killer else RoleDealt(Role.CIVILIAN, Side.GOOD)
        views.add([event(1, dealt, (seat,), "deal")])
    views.add([event(1, Mates(KILLERS), KILLERS, "deal"), *events])
    return views


def private(views: Views, seat: Seat, kind: Any = "speech", pack: Pack | None = None, **more: Any) -> str:
    request = Request(f"d.{kind}.{seat}", seat, kind, text=300)._replace(**more)
    return compose(pack or load(OFFICIAL, "zh"), views.of(seat), request).prompt.private


def speeches(day: int, seats: Sequence[Seat] = range(1, 8)) -> Event:
    return event(day, Called(stage="speeches", seats=tuple(seats)))


NIGHT = event(2, Called(stage="night"), phase="night")
COUNCIL = (
    NIGHT,
    event(2, Stated(1, 7, "头一句话", 1), KILLERS, "night"),
    event(2, Stated(4, 6, "白天我打2号", 1), KILLERS, "night"),
    event(2, Stated(1, 6, "那我先不开口", 2), KILLERS, "night"),
    event(2, Stated(4, 6, "", 2), KILLERS, "night"),
    event(2, Agreed("kill", 6), KILLERS, "night"),
)
DAWN = event(2, Dawn((6,)), phase="dawn")


@pytest.mark.parametrize("name", (OFFICIAL, "weak", "minimal"))
def test_what_was_last_said_in_the_council_is_kept_for_the_day_by_the_team_alone(name: str) -> None:
    pack = load(name, "zh")
    views = seven(*COUNCIL, DAWN, speeches(2, (7, 1, 2, 3, 4, 5)))
    for seat in views.record.living:
        text = private(views, seat, pack=pack)
        assert ("那我先不开口" in text) is ("白天我打2号" in text) is (seat in KILLERS)
        assert "头一句话" not in text
    views.add([event(3, Called(stage="night"), phase="night")])
    for seat in KILLERS:
        text = private(views, seat, "kill", options=(2, 3, 5), round=1)
        assert "那我先不开口" not in text and "白天我打2号" not in text
        assert "第2夜，定下：杀6号。" in text


def test_while_the_council_sits_every_sentence_of_the_night_is_shown() -> None:
    text = private(seven(*COUNCIL[:3]), 4, "kill", options=(2, 3), round=2)
    assert "头一句话" in text and "白天我打2号" in text


def test_ones_own_words_in_the_council_are_told_as_ones_own() -> None:
    views = seven(*COUNCIL, DAWN, speeches(2, (7, 1, 2, 3, 4, 5)))
    assert "第2夜第2轮，你指了6号，说：那我先不开口" in private(views, 1)
    assert "第2夜第2轮，1号指6号，说：那我先不开口" in private(views, 4)
    assert "Night 2, round 2. You named Player 6 and said: 那我先不开口" in private(views, 1, pack=load(OFFICIAL, "en"))


@pytest.mark.parametrize(
    ("last", "tie", "told"),
    [
        ((7, 6), "lot", "第2夜，一样多，抽签定下：杀6号。"),
        ((6, 6), "lot", "第2夜，定下：杀6号。"),
        ((None, 6), "lot", "第2夜，定下：杀6号。"),
        ((7, 6), "first", "第2夜，定下：杀6号。"),
    ],
)
def test_a_team_that_did_not_agree_is_told_of_the_lot(
    last: tuple[Seat | None, Seat | None], tie: str, told: str
) -> None:
    final = [
        event(2, Stated(seat, target, "", 2), KILLERS, "night") for seat, target in zip(KILLERS, last, strict=True)
    ]
    views = seven(*COUNCIL[:3], *final, COUNCIL[-1], DAWN, speeches(2), rules=make("classic", {"killers_tie": tie}))
    assert told in private(views, 1)


def test_only_in_a_last_round_that_follows_another_is_it_said_who_gives_way() -> None:
    one = make("classic", {"council_rounds": 1})
    for rules, number, said in ((None, 1, False), (None, 2, True), (one, 1, False)):
        views = seven(NIGHT, rules=rules)
        assert ("号大的跟号小的" in private(views, 1, "kill", options=(2, 3), round=number)) is said


def test_the_last_of_a_team_is_told_what_hangs_on_it() -> None:
    out = event(1, VotedOut(4), phase="vote")
    assert "你一出局，好人就赢" in private(seven(out, NIGHT, DAWN, speeches(2)), 1)
    assert "你一出局" not in private(seven(speeches(1)), 1)
    assert "你一出局" not in private(seven(out, speeches(1)), 4, "last_words")
    for victory, told in (("any_identity", True), ("all_good", False)):
        views = Views(make("classic", {"victory": victory}), {Role.POLICE: 1, Role.KILLER: 2, Role.CIVILIAN: 4}, 1)
        views.add([event(1, RoleDealt(Role.POLICE, Side.GOOD), (3,), "deal"), speeches(1)])
        assert ("你一出局，杀手就赢" in private(views, 3)) is told
        system = compose(load(OFFICIAL, "zh"), views.of(3), Request("d.speech.3", 3, "speech", text=300)).prompt.system
        assert ("只剩一个警察时，别催他跳" in system) is ("只剩你一个时，跳出来当夜多半就死" in system) is told


def test_a_record_of_nothing_has_no_heading() -> None:
    views = seven(event(1, Called(stage="night"), phase="night"))
    asked_first = compose(load(OFFICIAL, "zh"), views.of(1), Request("n1.kill.1", 1, "kill", options=(2,), text=50))
    assert asked_first.prompt.public == ""
    views.add([NIGHT, DAWN, speeches(2)])
    later = compose(load(OFFICIAL, "zh"), views.of(1), Request("d.speech.1", 1, "speech", text=300))
    assert later.prompt.public.startswith("公开记录\n")


def test_a_note_tells_when_it_was_written() -> None:
    written = [event(day, Note(text), (2,)) for day, text in ((1, "先看3号"), (2, "再看5号"))]
    views = seven(speeches(1), written[0], NIGHT, DAWN, speeches(2), written[1])
    assert "你的笔记（第2天写的）：再看5号" in private(views, 2)


def test_plans_of_the_night_outlive_a_game_that_begins_by_day() -> None:
    """Day 2 follows night 1 there: the plan counts until the next night falls, whatever the numbers."""
    rules = make("classic", {"first_phase": "day"})
    night = [event(1, body.body, body.audience, "night") for body in COUNCIL]
    views = seven(*night, event(2, Dawn((6,)), phase="dawn"), speeches(2, (7, 1, 2, 3, 4, 5)), rules=rules)
    assert "那我先不开口" in private(views, 4) and "那我先不开口" not in private(views, 2)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", (OFFICIAL, "weak", "minimal"))
def test_each_round_of_a_council_is_told_what_ends_it(name: str, lang: Lang) -> None:
    """R-COUNCIL: all rounds but the last end by agreement; the last by the most named, a tie by `killers_tie`."""
    for variant in variants(name, lang):
        pack, ties = load(name, lang, variant), words_in(lang)["killers_tie"]
        for changes, number, tie in (
            ({}, 1, None),
            ({}, 2, "lot"),
            ({"council_rounds": 1}, 1, "lot"),
            ({"council_rounds": 3}, 2, None),
            ({"killers_tie": "no_kill"}, 2, "no_kill"),
            ({"killers_tie": "first"}, 2, "first"),
            ({"killers_tie": "ask_again"}, 2, "ask_again"),
            ({"killers_tie": "ask_again"}, 3, "no_kill"),
        ):
            views = seven(NIGHT, rules=make("classic", changes))
            text = private(views, 1, "kill", pack, options=(2, 3), round=number)
            key, slots = ("council_last", {"tie": ties[tie]}) if tie else ("council", {})
            assert f"\n{pack.say(f'ask.{key}', round=number, **slots)}\n" in text


@pytest.mark.parametrize("lang", LANGS)
def test_where_no_police_are_dealt_no_word_is_lost_on_them(lang: Lang) -> None:
    for variant in (1, 2, 3):
        pack = load(OFFICIAL, lang, variant)
        views = seven(DAWN, speeches(2, (7, 1, 2, 3, 4, 5)))
        question = compose(pack, views.of(2), Request("d.speech", 2, "speech", text=300))
        assert question.prompt.schema is not None
        claim = question.prompt.schema["properties"]["claims"]["items"]
        assert claim["required"] == list(claim["properties"]) == ["kind", "seat", "what"]
        text = (question.prompt.system + question.prompt.private).replace("警长", "")
        assert not re.search(r"警|验|police|\bchecks?\b", text)
        assert pack.say("answer.claims_night") not in text


@pytest.mark.parametrize("number", (0, 9))
def test_where_a_claim_can_be_of_a_night_the_night_is_asked_for(number: int) -> None:
    pack = load(OFFICIAL, "zh")
    question = next(question for _, question in asked(pack, number, 1) if "claims" in question.fields)
    assert question.prompt.schema is not None
    assert "night" in question.prompt.schema["properties"]["claims"]["items"]["required"]
    assert pack.say("answer.claims_night") in question.prompt.system


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_vote_in_a_pk_is_headed_as_one_with_who_is_tied_and_whether_one_must_vote(number: int) -> None:
    pack = load(OFFICIAL, "zh")
    for seed in range(2):
        for view, question in asked(pack, number, seed):
            text, record, request = question.prompt.private, view.record, question.request
            in_pk = request.kind in ("vote", "hand") and record.stage in ("pk", "off_field", "revote")
            headings = [pack.texts[f"stage.{stage}_vote"] for stage in ("pk", "off_field", "revote")]
            assert any(f"天，{heading}。" in text for heading in headings) is in_pk
            assert ("只能投他们" in text) is in_pk
            if in_pk and request.kind == "vote":
                assert ("只能投他们，可以弃票" in text) is request.may_pass
                told = text.split("台上是")[1].split("，")[0]
                assert {f"{seat}号" for seat in request.options} <= set(told.split("、"))


def test_votes_of_one_day_are_told_apart() -> None:
    votes = [event(2, Ballots(stage, {2: 3}), phase="vote") for stage in ("round", "pk", "off_field")]
    views = seven(DAWN, *votes, event(3, Called(stage="night"), phase="night"), speeches(3))
    assert "第2天你投了3号，场内PK时投了3号，场外PK时投了3号。" in private(views, 2)


def test_a_question_waits_until_its_seat_has_had_a_turn() -> None:
    """Those of last words too, from the night as from the vote; a dead asker is owed nothing else."""
    ask = (Claim("ask", 2),)
    views = seven(
        speeches(1),
        event(1, Speech(2, "过了", "round", ())),
        event(1, Speech(3, "问2号", "round", ask)),
        event(1, Speech(5, "问2号", "round", ask)),
        event(1, VotedOut(7), phase="vote"),
        event(1, LastWords(7, "问2号", 1, ask)),
        NIGHT,
        event(2, Dawn((5,)), phase="dawn"),
        speeches(2, (1, 2, 3, 4, 6)),
        event(2, Speech(1, "问2号", "round", ask)),
    )
    assert "等你回的：3号（第1天）、7号（遗言）、1号。" in private(views, 2)
    assert "等你回的" not in private(views, 3)
    views.add([event(2, Speech(2, "答", "round", ()))])
    assert "等你回的" not in private(views, 2)


@pytest.mark.parametrize(
    ("lang", "said", "asked"),
    [
        ("zh", "2号，你信不信3号？", True),
        ("zh", "我先不说。2号，你呢?", True),
        ("zh", "3号，你昨天踩2号，凭什么？", False),
        ("en", "I vote for Player 2, does anybody object?", False),
        ("zh", "12号，你信不信3号？", False),
        ("zh", "2号，我不信你。3号，你呢？", False),
        ("en", "Well. Player 2, whom do you doubt?", True),
        ("en", "Player 2, I doubt you. Anybody else?", False),
        ("en", "Is Player 2 lying?", False),
    ],
)
def test_a_question_in_plain_words_waits_too(lang: Lang, said: str, asked: bool) -> None:
    """People, and models of packs that list no claims, put questions in words alone."""
    pack = load(OFFICIAL, lang)
    mark = pack.texts["now.asked"].partition("{")[0]
    for claims in (None, ()):
        assert (mark in private(seven(speeches(1), event(1, Speech(3, said, "round", claims))), 2, pack=pack)) is asked


def test_who_left_by_lot_is_not_said_to_be_voted_out() -> None:
    tied, out = event(2, Tied((3, 6), "lot"), phase="vote"), event(2, VotedOut(3), phase="vote")
    night = event(3, Called(stage="night"), phase="night")
    assert "3号（第2天抽签）" in private(seven(DAWN, tied, out, night, speeches(3)), 2)
    pk = event(2, Tied((3, 6), "pk"), phase="vote")
    assert "3号（第2天公决）" in private(seven(DAWN, pk, out, night, speeches(3)), 2)


def test_of_last_words_it_is_told_how_many_are_left() -> None:
    outs = [speeches(1), *(event(1, VotedOut(seat), phase="vote") for seat in (3, 5, 6))]
    assert [
        "遗言：一共2个，还剩1个。" in private(seven(*outs[:2]), 2),
        "遗言已经用完。" in private(seven(*outs), 2),
    ] == [True] * 2
    unlimited = make("classic", {"last_words": "all"})
    assert "遗言：" not in private(seven(*outs[:2], rules=unlimited), 2)


def test_a_killer_is_reminded_of_the_day_by_day_and_of_the_night_at_night() -> None:
    pack, views = load("weak", "zh"), seven(NIGHT)
    by_night = private(views, 1, "kill", pack, options=(2, 3), round=1)
    by_day = private(seven(speeches(1)), 1, pack=pack)
    for text, has, lacks in ((by_night, "killer_night", "killer"), (by_day, "killer", "killer_night")):
        assert pack.texts[f"role.{has}"] in text and pack.texts[f"role.{lacks}"] not in text


def test_who_is_asked_aside_is_reminded_of_the_day_alone() -> None:
    pack = load("weak", "zh")
    text = "\n".join(known(pack, seven(speeches(1)).of(1), None, None))
    assert pack.texts["role.killer"] in text and pack.texts["role.killer_night"] not in text


@pytest.mark.parametrize("lang", LANGS)
def test_last_words_carry_no_advice_on_votes_or_nights_to_come(lang: Lang) -> None:
    pack = load("weak", lang)
    kept = set()
    for number in (0, 9):
        for view, question in asked(pack, number, 1):
            if question.request.kind == "last_words":
                notes = {
                    key
                    for key, text in pack.texts.items()
                    if key.startswith("role.") and text and text in question.prompt.private
                }
                kept |= {key.removeprefix("role.").split("_")[0] for key in notes}
                assert notes or view.role not in (Role.KILLER, Role.POLICE)
    assert kept <= {"killer", "police"}


@pytest.mark.parametrize("lang", LANGS)
def test_how_each_card_is_played_is_told_to_all_alike_and_of_the_cards_dealt_alone(lang: Lang) -> None:
    pack = load(OFFICIAL, lang)
    for number in (0, 9):
        systems = {question.prompt.system for _, question in asked(pack, number, 1)}
        assert len(systems) == 1
        (text,) = systems
        counts = table_of(number)[1]
        for role in Role:
            assert (pack.say("layout.card", role=pack.words.say(f"is.{role}"), text="") in text) is bool(
                counts.get(role)
            )
        for _, question in asked(pack, number, 1):
            assert not any(pack.texts[key] in question.prompt.private for key in pack.texts if key.startswith("role."))


def test_who_leaves_before_anybody_has_spoken_is_helped() -> None:
    line = load(OFFICIAL, "zh").texts["ask.last_words_unheard"]
    first = seven(DAWN, event(2, Called(stage="last_words", seats=(6,))))
    assert line in private(first, 6, "last_words")
    assert line not in private(first, 6, "last_words", text=0)
    spoken = seven(speeches(1), event(1, Speech(1, "过了", "round", ())), NIGHT, DAWN)
    assert line not in private(spoken, 6, "last_words")


def test_only_those_who_do_not_know_the_killers_are_asked_for_them_and_not_at_night() -> None:
    pack = load(OFFICIAL, "zh")
    mark = pack.texts["field.thought_suspects"].split("}字")[1]
    seen = Counter(
        (view.side, question.request.kind, mark in question.prompt.private)
        for number in (0, 9, 13) for view, question in asked(pack, number, 1)
    )  # fmt: skip
    weighing = {"speech", "speech_and_vote", "vote"}
    assert all(side is Side.GOOD and kind in weighing for side, kind, told in seen if told)
    assert all((Side.GOOD, kind, True) in seen for kind in weighing)
    early = asked(pack, 0, 1)  # who speaks first has heard nobody
    assert mark not in next(question.prompt.private for _, question in early if question.request.kind == "speech")
    assert {kind for side, kind, _ in seen if side is Side.GOOD} >= {"speech", "speech_and_vote", "check"}


@pytest.mark.parametrize("number", (9, 11))
def test_ballots_shown_as_they_fall_are_counted_for_those_who_vote_later(number: int) -> None:
    pack, shown = load(OFFICIAL, "zh"), 0
    for view, question in asked(pack, number, 1):
        record, text = view.record, question.prompt.private
        today = [vote for vote in record.votes if vote.day == record.day]
        told = "到现在的票：" in text
        assert told is (
            question.request.kind == "speech_and_vote" and any(map(any, (v.ballots.values() for v in today)))
        )
        if told:
            line = text.split("到现在的票：")[1].split("。")[0]
            for target, count in Counter(filter(None, today[-1].ballots.values())).items():
                shown += 1
                part = next(part for part in line.split("；") if part.startswith(f"{target}号"))
                voters = [voter for voter, voted in today[-1].ballots.items() if voted == target]
                votes = pack.words.votes(count)
                assert part == f"{target}号{votes}（{'、'.join(f'{voter}号' for voter in voters)}）"
                assert len(voters) == count
    assert shown > 10


def test_ballots_of_a_secret_vote_are_not_counted_for_anybody() -> None:
    assert not any("到现在的票" in question.prompt.private for _, question in asked(load(OFFICIAL, "zh"), 10, 1))


def test_a_killer_is_told_when_the_partner_is_out() -> None:
    out = event(1, VotedOut(4), phase="vote")
    alone = private(seven(out, NIGHT, DAWN, speeches(2)), 1)
    assert "你的同伴4号已经出局，只剩你一个了。" in alone and "你的同伴：" not in alone
    assert "你的同伴：4号。\n" in private(seven(speeches(1)), 1)
    assert "只剩你一个" not in private(seven(speeches(1), out), 4, "last_words")


def test_to_choose_nobody_stands_anywhere_among_the_options() -> None:
    places: Counter[int] = Counter()
    for number in (0, 9):
        for seed in range(3):
            for view, question in asked(load(OFFICIAL, "en"), number, seed):
                if view.label(0) in question.options:
                    places[question.options.index(view.label(0)) * 3 // len(question.options)] += 1
    assert min(places[third] for third in range(3)) > sum(places.values()) / 6


def test_what_one_claimed_is_not_given_as_ones_words() -> None:
    views = seven(speeches(1), event(1, Speech(2, "我看3号", "round", (Claim("ask", 3), Claim("accuse", 5)))))
    for lang, line in (
        ("zh", "第1天你说过（怀疑5号），问过3号。"),
        ("en", "On day 1 you said (you suspected Player 5), asked Player 3."),
    ):
        text = private(views, 2, pack=load(OFFICIAL, lang))
        assert line in text
        assert not any(mark in text.split(line)[1].split("\n")[0] for mark in "“”'")


def test_the_butterfly_is_told_what_carrying_does_by_the_rules_of_the_table() -> None:
    pack = load(OFFICIAL, "en")
    for number in (9, 11):
        for view, request in requests(number, 1, days=1):
            if view.role is Role.BUTTERFLY and request.kind == "carry":
                text = compose(pack, view, request).prompt.system
                rules: Any = view.rules
                assert (pack.texts["role.butterfly_killers"] in text) is (rules.carried_killer == "voids_team")
                assert (pack.texts["role.butterfly_police"] in text) is (rules.carried_police == "blocks_team")
                view.record.rules = rules.replace(
                    {"carried_killer": "others_still_kill", "carried_police": "blocks_self"}
                )
                other = compose(pack, view, request).prompt.system
                assert pack.texts["role.butterfly_killers"] not in other
                assert pack.texts["role.butterfly_police"] not in other
                view.record.rules = rules
