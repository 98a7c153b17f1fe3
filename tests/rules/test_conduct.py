"""Conduct: claims and the judge's reminder, channels, what the dead see, and the absent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tianhei.arena.chance import Deal, Given
from tianhei.arena.claims import Claim
from tianhei.arena.events import Body, Flag, LastWords, Mates, Reminder, Resolved, RoleDealt, Speech
from tianhei.arena.referee import Referee
from tianhei.arena.requests import ABSENT, Answer, Limits, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.classic import classic, day
from tianhei.arena.rules.council import council
from tianhei.arena.rules.options import make
from tianhei.arena.rules.speaking import last_words, speeches
from tianhei.arena.script import Script
from tianhei.arena.table import Table
from tianhei.arena.view import Views

from .table import SEATED, THIRTEEN, TWELVE, Seats, kept, passing, play, roles, table_of, told

SEATS = Seats(TWELVE)


def speak(
    name: str, text: str = "", claims: Sequence[Claim] | None = None, day: int = 1, game: str = "classic"
) -> Table:
    """One speech by one player."""
    table = table_of(TWELVE, game, day=day)
    answer = Answer(text=text, claims=None if claims is None else tuple(claims))
    play(speeches(table, (SEATS[name],), "round"), lambda _: answer)
    return table


@pytest.mark.parametrize(("name", "flagged"), [("K1", False), ("P1", True), ("C1", True)])
@pytest.mark.parametrize("text", ["I am the killer.", "我就是杀手。", "我是匪，你们投我吧。"])
def test_r_conduct_whoever_claims_to_be_a_killer_is_reminded(name: str, flagged: bool, text: str) -> None:
    """S1-6, A1-13: the reminder is the same for all; the breach is the judge's alone."""
    table = speak(name, text)
    assert told(table, Reminder) == [Reminder(SEATS[name], "S1-6")]
    assert kept(table, Flag) == ([Flag(SEATS[name], "S1-6")] if flagged else [])
    assert all(not told(table, Flag, seat) for seat in table.living)
    assert [speech.text for speech in told(table, Speech)] == [text], "words are never changed"


@pytest.mark.parametrize(
    "text",
    [
        "Player 4 is a killer.",
        "If I am the killer, vote for me.",
        "Player 2 says I am a killer.",
        "3号是杀手。",
        "如果我是杀手，我不会这么投。",
        "你们认为我是杀手？",
        "",
    ],
)
def test_r_conduct_words_that_claim_nothing(text: str) -> None:
    table = speak("C1", text)
    assert not told(table, Reminder) and not kept(table, Flag)


def test_r_conduct_what_was_declared_comes_before_what_is_read() -> None:
    own = Claim("role", SEATS["C1"], "killer")
    of_another = Claim("role", SEATS["K1"], "killer")
    assert told(speak("C1", "I pass.", [own]), Reminder)
    assert not told(speak("C1", "I am the killer.", []), Reminder)
    assert not told(speak("C1", "", [of_another]), Reminder)


@pytest.mark.parametrize(
    ("name", "day", "flagged"), [("C1", 1, True), ("C1", 2, False), ("P1", 1, False), ("K1", 1, False)]
)
def test_a1_14_a_civilian_who_claims_police_on_day_one(name: str, day: int, flagged: bool) -> None:
    table = speak(name, "I am the police.", day=day)
    assert kept(table, Flag) == ([Flag(SEATS[name], "A1-14")] if flagged else [])
    assert not told(table, Reminder)


@pytest.mark.parametrize("round1_claim", ["advice", "forbidden"])
def test_a1_14_has_no_effect_on_play(round1_claim: str) -> None:
    def claims_police(request: Request) -> Answer:
        return Answer(text="I am the police.") if request.kind == "speech" else passing(request)

    table = table_of(TWELVE, "classic", round1_claim=round1_claim, vote_form="simultaneous", tie="nobody", max_days=1)
    play(classic(table), claims_police)
    assert len(told(table, Speech)) == 12 and len(kept(table, Flag)) == 6


def test_r_conduct_in_last_words_too() -> None:
    table = table_of(TWELVE, "classic")
    play(last_words(table, (SEATS["C1"],)), lambda _: Answer(text="I am the killer."))
    assert len(told(table, LastWords)) == 1
    assert len(told(table, Reminder)) == 1


def test_s0_has_no_such_rule() -> None:
    assert not told(speak("C1", "I am the killer.", game="butterfly"), Reminder)


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_r_channel_mute(game: str) -> None:
    """Every speech and all last words are a pass, and nobody is asked for one."""
    cards, options = SEATED[game]
    referee = Referee(make(game, {**options, "channel": "mute", "max_days": 2}), Deal(roles(cards)), Given(()))
    events = finish(referee)
    assert {request.kind for wave in referee.waves for request in wave.requests} <= {
        "kill", "check", "vote", "carry", "shoot", "needle", "silence",
    }  # fmt: skip
    spoken = [body for body in events if isinstance(body, Speech | LastWords)]
    assert spoken and all(not body.text for body in spoken)
    assert all(request.text == 0 for wave in referee.waves for request in wave.requests)


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize(("channel", "free"), [("full", True), ("claims_only", False)])
def test_r_channel_free_text(game: str, channel: str, free: bool) -> None:
    cards, options = SEATED[game]
    table = table_of(cards, game, channel=channel, **options)
    asked = play(speeches(table, table.living, "round"), passing).asked()
    asked += play(last_words(table, (9,)), passing).asked()
    assert {request.text > 0 for request in asked} == {free}


def test_each_kind_of_speech_has_its_own_limit() -> None:
    table = table_of(TWELVE, "classic", dead="K2 K3")
    table.limits = Limits(speech=60, pk=50, last_words=80, council=25)
    scripts: list[tuple[Script[Any], int]] = [
        (speeches(table, (1,), "round"), 60),
        (speeches(table, (1,), "pk"), 50),
        (speeches(table, (1,), "off_field"), 50),
        (last_words(table, (9,)), 80),
        (council(table, "check"), 25),
    ]
    for script, limit in scripts:
        assert {request.text for request in play(script, passing).asked()} == {limit}


def finish(referee: Referee) -> list[Body]:
    """Play to the end, everybody passing where he may; all that was told."""
    while referee.outcome is None:
        request = referee.pending[0]
        referee.answer(request.id, passing(request))
    return [event.body for wave in referee.waves for event in wave.events]


def test_a1_20_each_speaks_once_hearing_those_before() -> None:
    """S1-58, S1-59."""
    table = table_of(TWELVE, "classic")
    played = play(day(table, ()), passing)
    assert [request.seat for request in played.asked("speech")][:12] == list(range(1, 13))
    assert all(len(wave) == 1 for wave in played.waves if wave[0].kind == "speech")


def test_a1_19_a_speech_without_words_is_a_pass() -> None:
    assert told(speak("C1"), Speech) == [Speech(SEATS["C1"], "", "round")]


def test_r_absent_acts_and_speaks_not_at_all() -> None:
    table = table_of(THIRTEEN)
    play(speeches(table, (1, 2), "round"), lambda request: ABSENT if request.seat == 1 else Answer(text="here"))
    assert [speech.by for speech in told(table, Speech)] == [2]


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_r_absent_is_legal_everywhere_and_the_game_ends(game: str) -> None:
    cards, options = SEATED[game]
    strict = {"night_pass": "forbidden", "abstain": "forbidden", "max_days": 2}
    referee = Referee(make(game, {**options, **strict}), Deal(roles(cards)), Given(()))
    while referee.outcome is None:
        referee.answer(referee.pending[0].id, ABSENT)
    assert referee.outcome.reason == "R-CAP"
    assert not any(isinstance(body, Speech) for wave in referee.waves for body in (e.body for e in wave.events))


def test_r_know_roles_and_mates_at_the_deal() -> None:
    """A0-85: killers know killers and police police; an elder on the killers' side is no mate."""
    cards = "E K1 K2 D P1 P2 C1 C2 C3 C4 C5"
    referee = Referee(make("butterfly", {"elder_side": "killers"}), Deal(roles(cards)), Given(()))
    events = referee.waves[0].events
    for seat, card in enumerate(roles(cards), start=1):
        private = [event.body for event in events if event.audience == (seat,)]
        assert [body.role for body in private if isinstance(body, RoleDealt)] == [card]
    mates = [(event.audience, event.body.seats) for event in events if isinstance(event.body, Mates)]
    assert mates == [((2, 3), (2, 3)), ((5, 6), (5, 6))]


@pytest.mark.parametrize(("dead_view", "sees"), [("public", False), ("all", True)])
def test_a0_73_a1_41_what_the_dead_see(dead_view: str, sees: bool) -> None:
    """By option the nights after one's death, with open eyes."""
    cards, options = SEATED["classic"]
    rules = make("classic", {**options, "dead_view": dead_view, "max_days": 2})
    referee = Referee(rules, Deal(roles(cards)), Given(()))
    victim = SEATS["C1"]

    def answering(request: Request) -> Answer:
        if request.kind == "kill" and request.id.startswith("n1"):
            return Answer(target=victim)
        return passing(request)

    while referee.outcome is None:
        request = referee.pending[0]
        referee.answer(request.id, answering(request))
    views = Views(rules, dict.fromkeys(roles(cards), 0) | {role: roles(cards).count(role) for role in roles(cards)})
    for wave in referee.waves:
        views.add(wave.events)
    seen: dict[Seat, set[tuple[int, str]]] = {
        seat: {(event.day, event.body.kind) for event in views.of(seat).events} for seat in (victim, SEATS["C2"])
    }
    assert ((2, "agreed") in seen[victim]) == sees
    assert (1, "agreed") not in seen[victim], "he was alive then"
    assert (2, "agreed") not in seen[SEATS["C2"]]
    assert not any(isinstance(event.body, Resolved) for event in views.of(SEATS["C2"]).events)
