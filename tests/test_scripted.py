"""The scripted and the random player: whole games, and what they may never do."""

from __future__ import annotations

import ast
import gc
import hashlib
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tianhei.agents.random_player import RandomPlayer
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.agents.scripted.lines import SLOTS, WORDS, read_lines, slots_of
from tianhei.arena.chance import Deal, Keyed, deal
from tianhei.arena.claims import Claim
from tianhei.arena.events import LastWords, Speech
from tianhei.arena.player import Completion, Player, Prompt, Reply
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Limits, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import GAMES, Rules, RulesError, make, options
from tianhei.arena.rules.presets import PRESETS, USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.view import Record, View, Views

LANGS = ("en", "zh")
SEEDS = range(10)
EXPECTED_REPORTS = {"nod": "killer", "shake": "not_killer", "none": "no_sign"}


async def no_model(prompt: Prompt) -> Completion:
    raise AssertionError("these players ask no model")


def act(player: Player, view: View, request: Request) -> Reply:
    """The player's answer; it never waits."""
    try:
        player.act(view, request, no_model).send(None)
    except StopIteration as done:
        reply: Reply = done.value
        return reply
    raise AssertionError("the player waited")


@dataclass
class Played:
    """One game: what was asked and answered, with the living of the moment."""

    referee: Referee
    views: Views
    deal: Deal
    asked: list[tuple[Request, Reply, tuple[Seat, ...]]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def record(self) -> Record:
        return self.views.record

    def said(self) -> Iterator[tuple[int, Speech | LastWords, Claim]]:
        for day, speech in self.record.speeches:
            for claim in speech.claims or ():
                yield day, speech, claim


def play(
    rules: Rules, players: int, seed: int, player: Player, limits: Limits | None = None, check_alone: bool = False
) -> Played:
    """A whole game of one player at every seat. Every answer has to be legal, or the referee refuses it."""
    counts, _ = written(rules, players)
    dealt = deal(counts, seed)
    referee = Referee(rules, dealt, Keyed(seed), limits)
    game = Played(referee, Views(rules, counts, seed), dealt)
    game.views.add(referee.waves[0].events)
    while referee.outcome is None:
        wave = None
        for request in referee.pending:
            view = game.views.of(request.seat)
            began = time.thread_time()
            reply = act(player, view, request)
            game.seconds += time.thread_time() - began
            if check_alone:
                assert act(type(player)(LANGS[0]), alone(view), request).answer == reply.answer  # type: ignore[call-arg]
            game.asked.append((request, reply, game.record.living))
            wave = referee.answer(request.id, reply.answer)
        assert wave is not None
        game.views.add(wave.events)
    return game


def alone(view: View) -> View:
    """A view of the same seat, made of nothing but the events that this seat has seen."""
    record = Record(view.rules, view.players, view.record.counts, tuple(range(1, view.players + 1)))
    other = View(view.seat, record, view.luck)
    for place, event in enumerate(view.events):
        (record if event.audience == "public" else other).add(place, event)
    return other


def rules_of(spec: str | Mapping[str, Any]) -> tuple[Rules, int]:
    rules, players = read_rules(spec)
    return rules, players or USUAL_PLAYERS[rules.game]


@cache
def games(preset: str, lang: str) -> list[Played]:
    rules, players = rules_of(preset)
    return [play(rules, players, seed, ScriptedPlayer(lang)) for seed in SEEDS]


each_preset = pytest.mark.parametrize("preset", PRESETS)
each_lang = pytest.mark.parametrize("lang", LANGS)


@each_lang
@each_preset
def test_whole_games_end_and_every_answer_is_legal(preset: str, lang: str) -> None:
    for game in games(preset, lang):
        assert game.referee.outcome is not None
        for request, reply, _ in game.asked:
            assert len(reply.answer.text) <= request.text


@each_lang
@each_preset
def test_nobody_speaks_of_seats_that_are_not_there(preset: str, lang: str) -> None:
    number = re.compile(r"(\d+)号|Player (\d+)")
    for game in games(preset, lang):
        for request, reply, living in game.asked:
            named = {int(one or two) for one, two in number.findall(reply.answer.text)}
            assert named <= set(range(1, game.record.players + 1))
            for claim in reply.answer.claims or ():
                if claim.kind in ("accuse", "vote", "ask"):
                    assert claim.seat in living, (request, reply)
                    assert claim.seat != request.seat, (request, reply)
                assert claim.seat in {*named, request.seat}, "a claim that the words do not make"


@each_lang
@each_preset
def test_a_speech_does_not_contradict_itself(preset: str, lang: str) -> None:
    for game in games(preset, lang):
        for request, reply, _ in game.asked:
            claims = reply.answer.claims or ()
            accused = {claim.seat for claim in claims if claim.kind == "accuse"}
            cleared = {claim.seat for claim in claims if claim.kind == "clear" or claim.what == "not_killer"}
            votes = [claim.seat for claim in claims if claim.kind == "vote"]
            assert not accused & cleared, (request, reply)
            assert len(votes) <= 1
            if request.kind == "speech_and_vote" and votes:
                assert votes == [reply.answer.target]


@each_preset
def test_nobody_claims_to_be_a_killer_and_the_good_claim_what_they_are(preset: str) -> None:
    for game in games(preset, "zh"):
        claimed: dict[Seat, set[str]] = {}
        for _, speech, claim in game.said():
            if claim.kind == "role":
                assert claim.seat == speech.by
                claimed.setdefault(claim.seat, set()).add(claim.what)
        for seat, roles in claimed.items():
            assert len(roles) == 1, "one story all game"
            assert "killer" not in roles
            if game.deal.roles[seat - 1] is not Role.KILLER and game.views.of(seat).side != "killers":
                assert roles == {game.deal.roles[seat - 1].value}


@each_preset
def test_the_police_report_their_real_checks(preset: str) -> None:
    told = 0
    for game in games(preset, "zh"):
        for _, speech, claim in game.said():
            if claim.kind == "check" and game.deal.roles[speech.by - 1] is Role.POLICE:
                real = {(night, seat): EXPECTED_REPORTS[sign] for night, seat, sign in game.views.of(speech.by).checks}
                assert real[claim.night, claim.seat] == claim.what
                told += 1
    assert told


def test_a_liars_checks_could_be_true() -> None:
    told = 0
    for preset in PRESETS:
        for game in games(preset, "zh"):
            checks: dict[Seat, dict[int, Claim]] = {}
            for day, speech, claim in game.said():
                if claim.kind != "check" or game.deal.roles[speech.by - 1] is not Role.KILLER:
                    continue
                told += 1
                story = checks.setdefault(speech.by, {})
                if story.get(claim.night) == claim:
                    continue  # told again
                assert claim.night not in story and claim.night <= day
                assert all(claim.seat != other.seat for other in story.values())
                story[claim.night] = claim
                left = game.record.dead.get(claim.seat)
                assert left is None or left[0] >= claim.night, "a check of the dead"
                if claim.what == "killer":
                    assert game.deal.roles[claim.seat - 1] is not Role.KILLER
    assert told > 10


@each_preset
def test_killers_do_not_kill_their_own(preset: str) -> None:
    for game in games(preset, "zh"):
        for request, reply, _ in game.asked:
            if request.kind == "kill" and reply.answer.target:
                assert game.deal.roles[reply.answer.target - 1] is not Role.KILLER


@each_preset
def test_the_hand_follows_the_words(preset: str) -> None:
    agreed = total = 0
    for game in games(preset, "zh"):
        meant = {(day, speech.by): claim.seat for day, speech, claim in game.said() if claim.kind == "vote"}
        for vote in game.record.votes:
            for by, at in vote.ballots.items() if vote.stage == "round" else ():
                if (vote.day, by) in meant:
                    total += 1
                    agreed += meant[vote.day, by] == at
    assert total > 100
    assert agreed / total > 0.93


def test_both_sides_win_a_share() -> None:
    for preset in PRESETS:
        winners = Counter(game.record.outcome.winner for lang in LANGS for game in games(preset, lang)
                          if game.record.outcome)  # fmt: skip
        share = winners["good"] / sum(winners.values())
        print(f"{preset}: the good win {share:.0%} of {sum(winners.values())}")
        assert 0.1 < share < 0.9


def test_the_same_line_is_seldom_heard_twice_from_one_seat() -> None:
    again = total = 0
    for game in games("classic-arena", "zh"):
        heard: set[tuple[Seat, str]] = set()
        for _, speech in game.record.speeches:
            if speech.text:
                total += 1
                again += (speech.by, speech.text) in heard
                heard.add((speech.by, speech.text))
    assert again <= total / 100


def test_the_same_seed_gives_the_same_game() -> None:
    rules, players = rules_of("classic-arena")
    twice = [play(rules, players, 7, ScriptedPlayer("zh")).referee.waves for _ in range(2)]
    assert twice[0] == twice[1]
    assert games("classic-arena", "zh")[7].referee.waves == twice[0]


def digest() -> str:
    """All words and choices of a few games, as one number."""
    text = ""
    for preset in ("classic", "butterfly"):
        rules, players = rules_of(preset)
        for player in (ScriptedPlayer("zh"), RandomPlayer("en")):
            text += repr([reply.answer for _, reply, _ in play(rules, players, 3, player).asked])
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_same_game_under_another_hash_seed() -> None:
    code = "import test_scripted; print(test_scripted.digest())"
    found = {
        subprocess.run(
            (sys.executable, "-c", code),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.path.dirname(__file__)},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert found == {f"{digest()}\n"}


@pytest.mark.parametrize("preset", ["classic", "butterfly"])
@pytest.mark.parametrize("kind", [ScriptedPlayer, RandomPlayer])
def test_the_events_a_seat_has_seen_are_all_it_uses(preset: str, kind: type[ScriptedPlayer]) -> None:
    rules, players = rules_of(preset)
    play(rules, players, 5, kind("en"), check_alone=True)


def varied_rules() -> Iterator[Rules]:
    for name in GAMES:
        for info in options(name):
            for value in info.allowed if isinstance(info.allowed, tuple) else (1, 2):
                try:
                    yield make(name, {info.name: value})
                except RulesError:
                    continue


@pytest.mark.parametrize("kind", [ScriptedPlayer, RandomPlayer])
def test_every_option_is_playable(kind: type[ScriptedPlayer]) -> None:
    for number, rules in enumerate(varied_rules()):
        sizes = (7, 9) if rules.game == "classic" else (11, 13)
        game = play(rules, sizes[number % 2], number, kind(LANGS[number % 2]))
        assert game.referee.outcome is not None


@each_lang
def test_what_is_checked_as_a_role_is_told_as_a_role(lang: str) -> None:
    rules = make("classic", {"check_answer": "role"})
    told = [claim.what for seed in range(6) for _, _, claim in play(rules, 12, seed, ScriptedPlayer(lang)).said()
            if claim.kind == "check"]  # fmt: skip
    assert set(told) <= {"killer", "police", "civilian"}
    assert told


@each_lang
def test_claims_without_words(lang: str) -> None:
    rules = make("classic", {"channel": "claims_only"})
    game = play(rules, 9, 1, ScriptedPlayer(lang))
    assert all(not reply.answer.text for request, reply, _ in game.asked if request.kind == "speech")
    assert any(claim.kind == "vote" for _, _, claim in game.said())


@each_lang
@pytest.mark.parametrize("limit", [1, 12, 40])
def test_short_limits_are_kept(lang: str, limit: int) -> None:
    for preset in ("classic", "butterfly"):
        rules, players = rules_of(preset)
        play(rules, players, 2, ScriptedPlayer(lang), Limits(limit, limit, limit, limit))


def test_few_players_without_police() -> None:
    rules = make("classic")
    for seed in range(10):
        game = play(rules, 6, seed, ScriptedPlayer("en"))
        assert all(claim.what != "police" for _, _, claim in game.said())


def test_the_random_player_is_legal_everywhere() -> None:
    for preset in PRESETS:
        rules, players = rules_of(preset)
        for seed in range(10):
            play(rules, players, seed, RandomPlayer("zh"))


def test_a_random_hand_is_as_likely_for_each_candidate() -> None:
    rules, _ = rules_of("classic")
    votes: Counter[int | None] = Counter()
    for seed in range(120):
        game = play(rules, 8, seed, RandomPlayer("en"))
        first = game.record.votes[0]
        order = sorted(first.ballots)
        if len(order) == 7:
            votes.update(None if at is None else order.index(at) for at in first.ballots.values())
    expected = sum(votes.values()) / len(votes)
    assert all(0.7 < votes[place] / expected < 1.3 for place in votes), votes


def test_speed() -> None:
    """A decision against a loop of a thousand sums, in turns. Loose bounds: about a third of them is usual."""
    rules, players = rules_of("classic-arena")
    for kind, most in ((ScriptedPlayer, 25.0), (RandomPlayer, 2.0)):
        gc.disable()
        found = [decision(play(rules, players, seed, kind("zh"))) / loop() for seed in range(9)]
        gc.enable()
        assert median(found) < most, f"{kind.name}: {median(found):.1f} times the loop"


def decision(game: Played) -> float:
    """Seconds of a decision, on average."""
    return game.seconds / len(game.asked)


def loop() -> float:
    """Seconds of a loop that is always the same."""
    began = time.thread_time()
    for _ in range(20):
        sum(number * number for number in range(1000))
    return (time.thread_time() - began) / 20


COMMON = frozenset((
    "open_death", "hold", "ask", "ask_vote", "answer", "answer_unsure",
    "answer_vote", "press_thin", "press_vote", "press_push", "press_dead", "press_vague",
    "press_hasty", "second", "check_push", "believe", "doubt", "side",
    "defend", "defend_check", "pk_self", "pk_pick", "clear", "claim_police",
    "counter", "claim_role", "report_killer", "report_good", "vote", "call",
    "last_police", "last_suspect", "last_plain", "team_kill", "team_agree",
))  # fmt: skip


@each_lang
def test_lines_and_slots_match_both_ways(lang: str) -> None:
    lines = read_lines(lang)
    assert set(lines.stances) == set(SLOTS)
    assert set(lines.words) == WORDS
    for stance, choices in lines.stances.items():
        for line in choices:
            assert slots_of(line.text) == SLOTS[stance], (stance, line.text)
        assert len({line.text for line in choices}) == len(choices)
        assert len(choices) >= (15 if stance in COMMON else 6), stance


def test_every_stance_is_spoken() -> None:
    folder = Path(sys.modules[ScriptedPlayer.__module__].__file__ or "").parent
    code = [path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.name != "lines.py"]
    constants = {node.value for text in code for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    assert set(SLOTS) <= constants


FOREIGN = re.compile(
    r"狼|预言家|女巫|猎人|守卫|警长|查杀|金水|银水|\b(?:wol|seer|witch|hunter|sheriff|lynch|seat \{)", re.I
)


@each_lang
def test_lines_are_in_one_language_and_of_this_game(lang: str) -> None:
    lines = read_lines(lang)
    for text in [line.text for choices in lines.stances.values() for line in choices]:
        assert not FOREIGN.search(text), text
        plain = re.sub(r"\{\w+\}|PK", "", text)
        if lang == "en":
            assert plain.isascii(), text
        else:
            assert not re.search(r"[A-Za-z]", plain), text
