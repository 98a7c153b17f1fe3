"""Each baseline plays by the one idea that it is named after, in both games, and speaks in whole sentences."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from baselines.play import BASELINES, LANGS, NINE, alike, asked, made, played, seen
from proof.drive import answer
from tianhei.agents.baselines.solver import reckoned
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.chance import luck_for
from tianhei.arena.claims import Claim
from tianhei.arena.events import Ballots, Called, Checked, Handicap, Speech
from tianhei.arena.requests import Kind, Request
from tianhei.arena.roles import Counts, Role, Seat
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.rules.presets import PRESETS, USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.view import View
from tianhei.prompts.vocabulary import Lang

SPEAKERS = tuple(sorted({*BASELINES} - {"uninformed-k", "random-k", "silent"}))
EVERYBODY = Called(stage="speeches", seats=tuple(range(1, 10)))


def table(preset: str) -> tuple[Rules, Counts]:
    rules, players = read_rules(preset)
    return rules, written(rules, players or USUAL_PLAYERS[rules.game])[0]


def ask(name: str, view: View, kind: Kind = "vote", text: int = 0) -> Seat | None:
    """Whom a player votes for, or points at."""
    request = Request(f"d{view.record.day}.{kind}1.{view.seat:02}", view.seat, kind, tuple(range(1, 10)), True, text)
    return answer(made(name), view, request).target


def accusing(by: Seat, at: Seat) -> Speech:
    return Speech(by, "", claims=(Claim("accuse", at, "killer"),))


def voting(by: Seat, at: Seat) -> Speech:
    return Speech(by, "", claims=(Claim("vote", at),))


def reporting(by: Seat, at: Seat, what: str = "killer", night: int = 1) -> Speech:
    return Speech(by, "", claims=(Claim("role", by, "police"), Claim("check", at, what, night)))  # type: ignore[arg-type]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", BASELINES)
def test_whole_games(name: str, lang: Lang) -> None:
    """Every answer is taken, and no speech names a seat that is not there or claims what its words do not say."""
    number = re.compile(r"(\d+)号|Player (\d+)")
    said = 0
    for preset in PRESETS:
        rules, counts = table(preset)
        _, views = played(rules, counts, alike(name, lang), preset, told=name == "oracle")
        for _, speech in views.record.speeches:
            named = {int(one or two) for one, two in number.findall(speech.text)}
            assert named <= set(range(1, views.record.players + 1))
            assert {claim.seat for claim in speech.claims or ()} <= {*named, speech.by}
            assert not speech.text or speech.text.isascii() == (lang == "en")
            said += bool(speech.text)
    assert bool(said) == (name in (*SPEAKERS, "random-k"))


@pytest.mark.parametrize("name", SPEAKERS)
def test_both_languages_play_one_game(name: str) -> None:
    """Words alone differ: one line on the board stands for both."""
    rules, counts = table("classic-arena")
    one, two = (played(rules, counts, alike(name, lang), 4, told=name == "oracle")[1].record for lang in LANGS)
    assert one.votes == two.votes
    assert one.dead == two.dead
    assert [speech.claims for _, speech in one.speeches] == [speech.claims for _, speech in two.speeches]


@pytest.mark.parametrize("name", sorted({*BASELINES} - {"silent"}))
@pytest.mark.parametrize("preset", ["classic", "classic-arena", "butterfly"])
def test_killers_spare_their_mates(name: str, preset: str) -> None:
    """By night and in votes, unless nobody else can be chosen and somebody must be."""
    rules, counts = table(preset)
    for seed in range(3):
        for view, request, given in asked(rules, counts, alike(name), seed, told=name == "oracle"):
            if view.role is Role.KILLER and given.target in view.mates:
                assert not {*request.options} - {view.seat, *view.mates}
                assert not request.may_pass
            elif view.role is Role.KILLER and request.kind == "hand" and given.raised and request.may_pass:
                assert request.options[0] not in view.mates


def test_random_with_teamwork_is_even() -> None:
    """Every other seat and the pass alike, by ballot and by hand."""
    view = seen(1, Role.KILLER, EVERYBODY, mates=(2,))
    votes: Counter[Seat | None] = Counter()
    for number in range(1800):
        request = Request(f"d1.vote{number}.01", 1, "vote", tuple(range(1, 10)))
        votes[answer(made("random-k"), view, request).target] += 1
    assert set(votes) == {None, 1, *range(3, 10)}
    assert all(150 < count < 250 for count in votes.values())
    rules = make("classic", {"last_words": "none"})
    hands: Counter[Seat | None] = Counter()
    for seed in range(60):
        for voter, target in played(rules, NINE, alike("random-k"), seed)[1].record.votes[0].ballots.items():
            hands[target] += voter > 0
    assert set(hands) == {None, *range(1, 10)}


def test_the_silent_do_as_the_scripted_would_and_say_nothing() -> None:
    rules, counts = table("classic-arena")
    for view, request, given in asked(rules, counts, alike("silent"), 2):
        assert not given.text
        assert not given.claims
        assert answer(ScriptedPlayer("en"), view, request).target == given.target


def test_the_follower_follows_the_most() -> None:
    """Votes announced today, else accusations, else the last vote; of equals the lowest seat."""
    spoken = (EVERYBODY, accusing(2, 7), accusing(3, 7), voting(4, 5), voting(6, 8), voting(7, 8))
    assert ask("follow-majority", seen(1, Role.CIVILIAN, *spoken)) == 8
    assert ask("follow-majority", seen(8, Role.CIVILIAN, *spoken)) == 5
    assert ask("follow-majority", seen(1, Role.KILLER, *spoken, mates=(8,))) == 5
    assert ask("follow-majority", seen(1, Role.CIVILIAN, *spoken[:3])) == 7
    last = Ballots("round", {2: 6, 3: 6, 4: 5})
    assert ask("follow-majority", seen(1, Role.CIVILIAN, last)) == 6


def test_the_first_accusation_of_the_day_decides() -> None:
    spoken = (EVERYBODY, voting(2, 9), accusing(3, 7), accusing(4, 8), accusing(5, 8))
    assert ask("first-accuser", seen(1, Role.CIVILIAN, *spoken)) == 7
    assert ask("first-accuser", seen(7, Role.CIVILIAN, *spoken)) == 8
    rules, counts = table("classic-arena")
    for seed in range(3):
        views = played(rules, counts, alike("first-accuser"), seed)[1]
        first: dict[int, Seat] = {}
        for day, speech in views.record.speeches:
            for claim in speech.claims or ():
                if claim.kind == "accuse":
                    first.setdefault(day, claim.seat)
        for vote in views.record.votes:
            if vote.stage == "round":
                assert Counter(vote.ballots.values())[first[vote.day]] >= len(vote.ballots) - 3


def test_what_the_truster_believes() -> None:
    """Any report, until its own card, its check or another officer says otherwise."""
    assert ask("claim-truster", seen(1, Role.CIVILIAN, EVERYBODY, reporting(3, 7))) == 7
    against_me = (EVERYBODY, reporting(3, 1), reporting(4, 8))
    assert ask("claim-truster", seen(1, Role.CIVILIAN, *against_me)) == 8
    denied = (EVERYBODY, reporting(3, 7), reporting(4, 7, "not_killer"), reporting(5, 9, night=2))
    assert ask("claim-truster", seen(1, Role.CIVILIAN, *denied)) == 9
    cleared = (EVERYBODY, *(reporting(2, seat, "not_killer", seat) for seat in range(3, 9)))
    assert ask("claim-truster", seen(1, Role.CIVILIAN, *cleared)) == 9
    check = (Checked(7, "shake"),)
    officer = seen(1, Role.POLICE, EVERYBODY, reporting(3, 7), private=check)
    assert ask("claim-truster", officer) != 7


def test_police_who_reveal_tell_the_truth_and_are_followed() -> None:
    """Each report is a real check, only of killers, told once; and every other good player votes for that seat."""
    rules, counts = table("classic-arena")
    told = 0
    for seed in range(12):
        _, views = played(rules, counts, alike("reveal-police"), seed)
        roles, record = views.record.roles, views.record
        reports = [(day, speech.by, claim) for day, speech in record.speeches
                   for claim in speech.claims or () if claim.kind == "check"]  # fmt: skip
        for day, by, claim in reports:
            assert roles[by - 1] is Role.POLICE
            assert (claim.night, claim.seat, "nod") in views.of(by).checks
            assert roles[claim.seat - 1] is Role.KILLER
            vote = next(vote for vote in record.votes if vote.day == day)
            good = [voter for voter in vote.ballots if roles[voter - 1] is not Role.KILLER]
            assert {vote.ballots[voter] for voter in good} == {claim.seat}
        assert len({claim.seat for _, _, claim in reports}) == len(reports)
        told += len(reports)
    assert told > 5


def test_killers_take_the_officer_who_has_shown_himself() -> None:
    spoken = (EVERYBODY, reporting(5, 7))
    assert ask("reveal-police", seen(1, Role.KILLER, *spoken, mates=(7,)), "kill") in (5, None)
    lone = seen(1, Role.KILLER, *spoken)
    assert ask("reveal-police", lone, "kill") == 5


def test_the_liar_lies_by_the_book() -> None:
    """One killer a game claims police, on day 2 or once an officer is out, and its checks could be true."""
    rules, counts = table("classic-arena")
    came_out = 0
    for seed in range(8):
        _, views = played(rules, counts, alike("scripted-liar"), seed)
        record, roles = views.record, views.record.roles
        liars = {speech.by for _, speech in record.speeches for claim in speech.claims or ()
                 if claim.kind == "check" and roles[speech.by - 1] is Role.KILLER}  # fmt: skip
        assert len(liars) <= 1
        checks: dict[int, Claim] = {}
        for day, speech in record.speeches:
            for claim in speech.claims or () if speech.by in liars else ():
                if claim.kind == "check":
                    assert claim.night not in checks and claim.night <= day
                    checks[claim.night] = claim
                    left = record.dead.get(claim.seat)
                    assert left is None or left[0] >= claim.night
                    assert claim.what == "not_killer" or roles[claim.seat - 1] is not Role.KILLER
        assert len({claim.seat for claim in checks.values()}) == len(checks)
        came_out += bool(liars)
    assert came_out > 3


def test_the_same_lie_is_told_to_every_table() -> None:
    """Its words and its claims depend on cards and claims, not on luck."""
    view = seen(1, Role.KILLER, EVERYBODY, reporting(4, 2), mates=(2,))
    request = Request("d1.speech1.01", 1, "speech", text=600)
    said = set()
    for seed in range(8):
        view.luck = luck_for(seed, 1)
        said.add(answer(made("scripted-liar"), view, request))
    assert len(said) == 1


def test_a_liar_counters_the_officer() -> None:
    view = seen(1, Role.KILLER, EVERYBODY, reporting(4, 2), mates=(2,))
    request = Request("d1.speech1.01", 1, "speech", text=600)
    claims = answer(made("scripted-liar"), view, request).claims
    assert claims is not None
    assert Claim("check", 4, "killer", 1) in claims
    late = seen(1, Role.KILLER, EVERYBODY, mates=(2,))
    assert not answer(made("scripted-liar"), late, request).claims


def test_the_oracle_goes_by_what_it_was_told() -> None:
    told = (Handicap({3: "killer", 6: "killer"}),)
    view = seen(1, Role.CIVILIAN, EVERYBODY, private=told)
    assert ask("oracle", view) == 3
    assert ask("oracle", seen(3, Role.KILLER, EVERYBODY, mates=(6,), private=told)) not in (3, 6)
    given = answer(made("oracle"), view, Request("d1.speech1.01", 1, "speech", text=600))
    assert Claim("vote", 3) in (given.claims or ())
    rules, counts = table("butterfly")
    for view, request, given in asked(rules, counts, alike("oracle"), 3, told=True):
        if view.role in (Role.SNIPER, Role.BUTTERFLY, Role.ELDER) and given.target and request.kind != "check":
            assert given.target in view.told_roles


def test_the_solver_votes_for_the_likeliest() -> None:
    rules, counts = table("bench-10")
    seen_votes = 0
    for seed in range(3):
        for view, request, given in asked(rules, counts, alike("solver"), seed):
            if request.kind == "vote" and given.target and view.role is not Role.KILLER:
                chance = reckoned(view).killer
                best = max(chance[seat] for seat in request.options if seat != view.seat)
                assert chance[given.target] > best - 1e-9
                seen_votes += 1
    assert seen_votes > 50


def test_the_solver_believes_an_officer_more_than_a_lone_liar() -> None:
    """A killer reported is voted for; of a report that one knows to be false, its author is."""
    view = seen(1, Role.CIVILIAN, EVERYBODY, reporting(3, 7))
    assert ask("solver", view) == 7
    officer = seen(1, Role.POLICE, EVERYBODY, reporting(3, 7), mates=(2,), private=(Checked(7, "shake"),))
    assert ask("solver", officer) == 3


def test_players_who_reason_beat_those_who_do_not() -> None:
    """The good of the solver win more games than the good by lot, against the same killers."""
    rules, counts = table("bench-10")
    won: dict[str, int] = {}
    for name in ("uninformed-k", "solver"):
        players = {role: made("uninformed-k" if role is Role.KILLER else name) for role in Role}
        outcomes = [played(rules, counts, players.__getitem__, seed)[0].outcome for seed in range(30)]
        won[name] = sum(outcome is not None and outcome.winner == "good" for outcome in outcomes)
    assert won["solver"] >= won["uninformed-k"] + 4, won
