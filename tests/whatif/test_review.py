"""Reviews: values against the theory, votes held again, choices that were planted, and words against deeds."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest

from players import play_game
from tianhei.arena.chance import luck_for
from tianhei.arena.claims import Claim
from tianhei.arena.deduce import Facts, Statement, posterior, sampled
from tianhei.arena.host import Sitter
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import make
from tianhei.arena.view import View
from tianhei.arena.whatif.poll import VOTES, Poll, length
from tianhei.arena.whatif.review import NIGHTS, reckon, review
from tianhei.arena.whatif.rollouts import Rollouts, Then
from tianhei.arena.whatif.turns import Difference, turns
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.game import events_to_json
from whatif.tables import GOLDEN, Saying, head, played, sat
from whatif.test_swing import night

TEN = {"killer": 2, "civilian": 8}
FOUR = {"killer": 1, "civilian": 3}
SIX = {"killer": 1, "police": 1, "civilian": 4}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_a_vote_held_again_with_the_same_ballots_comes_to_the_same(golden: Path) -> None:
    """Every voter of every vote, in all forms of voting: the ballot that it cast changes nothing."""
    parent = Parent(golden)
    rollouts = Rollouts(parent, 1)
    number = 1
    while number < len(parent.waves):
        votes = length(parent.waves[number:])
        if votes:
            poll = Poll(parent.waves[number : number + votes])
            was = [events_to_json(wave) for wave in parent.waves[number : number + votes]]
            for seat in poll.voters:
                assert poll.cast(seat) in poll.offered(seat)
                referee = rollouts.restarted(number, parent.recorded.header.seed)
                poll.with_ballot(seat, poll.cast(seat))(referee)
                assert [events_to_json(wave) for wave in referee.waves[number:]] == was
        number += votes or 1


def test_every_form_of_voting_is_among_those_held_again() -> None:
    kinds = {
        request.kind for path in GOLDEN for wave in Parent(path).waves for request in wave.requests
        if request.kind in VOTES
    }  # fmt: skip
    assert kinds == VOTES


def test_a_value_is_the_theorys(tmp_path: Path) -> None:
    """The killers' wins of two killers and eight others, and after a night, within four standard errors."""
    parent = Parent(played(tmp_path / "game", head("classic-theory", TEN, "uninformed")))
    value = Rollouts(parent, 400).value(parent.cut("n1").wave)
    expected = float(night(2, 8))
    assert abs(value.share - expected) < 4 * sqrt(expected * (1 - expected) / 400)
    assert value.error == pytest.approx(sqrt(value.share * (1 - value.share) / 400))


def test_a_value_is_frozen(tmp_path: Path) -> None:
    path = played(tmp_path / "game", head("classic-arena", SIX, "scripted"))
    for kind in ("uninformed", "scripted"):
        one, other = (Rollouts(Parent(path), 20, kind).value(3) for _ in range(2))
        assert one == other


def test_ballots_of_a_vote_that_is_under_way_count(tmp_path: Path) -> None:
    """Where hands have been raised already, a value depends on them, though no event has come of it yet."""
    rules = {"preset": "classic-arena", "vote_form": "called", "final_tie": "nobody"}
    header = head(rules, FOUR, "uninformed")
    killer = header.dealt().roles.index(Role.KILLER) + 1

    def hands(target: Seat) -> dict[Seat, Sitter]:
        def says(view: View, request: Request) -> Reply | None:
            if request.kind == "hand":
                return Reply(Answer(raised=request.options == (target,) or not request.may_pass))
            return None

        return {seat: Sitter(Saying(says)) for seat in range(1, 5)}

    play_game(tmp_path / "one", header, hands(killer))
    parent = Parent(tmp_path / "one")
    opened = next(cut for cut in parent.cuts() if f".hand{killer:02}_" in cut.requests[0])
    after = Rollouts(parent, 60).value(opened.wave + 1)
    assert after.share == 0, "all hands are up for the killer"


def test_what_an_uninformed_player_makes_nothing_of_makes_no_other_moment() -> None:
    """Words never do; a ballot does while its vote is under way, and afterwards by what came of it alone."""
    parent = Parent(next(path for path in GOLDEN if path.stem == "butterfly_scripted"))
    rollouts, scripted = Rollouts(parent, 1), Rollouts(parent, 1, "scripted")
    number = parent.cut("d1.defence1").wave
    (request,), (answer,) = parent.waves[number].requests, parent.waves[number].answers

    def saying(text: str, target: Seat | None) -> Then:
        return lambda referee: void(referee.answer(request.id, answer._replace(text=text, target=target, claims=None)))

    one, other = request.options[:2]
    assert rollouts.key(number, saying("a", one)) == rollouts.key(number, saying("b", one))
    assert scripted.key(number, saying("a", one)) != scripted.key(number, saying("b", one))
    assert rollouts.key(number, saying("a", one)) != rollouts.key(number, saying("a", other))


@pytest.mark.parametrize("name", ["chain_lot", "called_random", "tie_revote"])
def test_a_vote_is_worth_what_came_of_it_whoever_cast_which_ballot(name: str) -> None:
    parent = Parent(next(path for path in GOLDEN if path.stem == name))
    rollouts = Rollouts(parent, 1)
    number = next(place for place in range(1, len(parent.waves)) if length(parent.waves[place:]))
    poll = Poll(parent.waves[number : number + length(parent.waves[number:])])
    came_to: dict[str, set[bytes]] = {}
    for seat in poll.voters:
        for chosen in poll.offered(seat):
            referee = rollouts.restarted(number, parent.recorded.header.seed)
            poll.with_ballot(seat, chosen)(referee)
            events = [event.body for wave in referee.waves[number:] for event in wave.events]
            result = [body for body in events if body.kind not in ("ballots", "hand", "speech")]
            found = came_to.setdefault(str(result), set())
            found.add(rollouts.key(number, poll.with_ballot(seat, chosen)))
    assert all(len(keys) == 1 for keys in came_to.values())
    assert len(set.union(*came_to.values())) == len(came_to) > 1


def void(_: object) -> None:
    """Nothing, whatever is given."""


@pytest.mark.parametrize("form", ["simultaneous", "called"])
def test_the_ballot_that_loses_the_game_is_found(tmp_path: Path, form: str) -> None:
    """One killer, three others: two of the good vote with the killer against the third, and that is the game.

    Either of the two would have tied the vote by choosing the killer; the third could not have changed a thing.
    """
    rules = {"preset": "classic-arena", "vote_form": form, "first_phase": "day", "final_tie": "nobody"}
    header = head({**rules, "parity": True}, FOUR, "uninformed")
    killer = header.dealt().roles.index(Role.KILLER) + 1
    misled, led, victim = (seat for seat in range(1, 5) if seat != killer)
    aims = {killer: victim, misled: victim, led: victim, victim: killer}

    def says(view: View, request: Request) -> Reply | None:
        if request.kind == "vote" and view.record.day == 1:
            return Reply(Answer(target=aims[view.seat]))
        if request.kind == "hand" and view.record.day == 1:
            return Reply(Answer(raised=request.options == (aims[view.seat],) or not request.may_pass))
        return None

    play_game(tmp_path / "game", header, {seat: Sitter(Saying(says)) for seat in range(1, 5)})
    parent = Parent(tmp_path / "game")
    found = review(parent, Rollouts(parent, 60))
    assert found.winner == "killers"
    worth = {choice.seat: choice for choice in found.choices if choice.request.startswith("d1.")}
    assert {choice.seat for choice in found.worst(VOTES, 2)} == {misled, led}
    assert worth[misled].chose == worth[led].chose == victim
    assert worth[misled].best == worth[led].best == killer
    assert worth[killer].lost == worth[victim].lost == 0


def test_the_turning_point_is_where_the_game_was_lost(tmp_path: Path) -> None:
    header = head({"preset": "classic-theory", "first_phase": "day"}, {"killer": 1, "civilian": 6}, "uninformed")
    killer = header.dealt().roles.index(Role.KILLER) + 1

    def says(view: View, request: Request) -> Reply | None:
        return Reply(Answer(target=killer)) if request.kind == "vote" and killer in request.options else None

    play_game(tmp_path / "game", header, {seat: Sitter(Saying(says)) for seat in range(1, 8)})
    parent = Parent(tmp_path / "game")
    found = review(parent, Rollouts(parent, 40))
    assert found.winner == "good"
    assert found.turning
    assert found.turning.name == "d1.vote1"
    assert [moment.name for moment in found.moments][-2:] == ["d1.vote1", "end"]
    assert found.moments[-1].value.share == 0
    assert all(moment.public.method == "exact" for moment in found.moments)


def test_a_night_action_that_was_thrown_away_is_found(tmp_path: Path) -> None:
    """The killer names nobody on the first night; any victim is worth more than that."""
    header = head("classic-arena", {"killer": 1, "civilian": 5}, "uninformed")

    def says(view: View, request: Request) -> Reply | None:
        return Reply(Answer()) if request.id.startswith("n1.kill") else None

    play_game(tmp_path / "game", header, {seat: Sitter(Saying(says)) for seat in range(1, 7)})
    parent = Parent(tmp_path / "game")
    first = review(parent, Rollouts(parent, 60)).worst(NIGHTS, 9)
    assert "n1.kill1" in {choice.request.rpartition(".")[0] for choice in first}
    worst = next(choice for choice in first if choice.request.startswith("n1."))
    assert worst.chose is None
    assert worst.gain < 0 < worst.lost


def test_an_unfinished_game_is_reviewed_as_far_as_it_has_come(tmp_path: Path) -> None:
    path = played(tmp_path / "game", head("classic-arena", SIX, "scripted", seed=4))
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "short").write_bytes(b"".join(lines[:7]))
    parent = Parent(tmp_path / "short")
    found = review(parent, Rollouts(parent, 5))
    assert (found.winner, found.turning) == (None, None)
    assert found.moments
    assert found.moments[-1].name != "end"


def claimants(number: int, police: int) -> Facts:
    """A table at which so many claim to be police and report a killer."""
    rules = make("classic")
    counts = {Role.KILLER: 4, Role.POLICE: police, Role.CIVILIAN: 16 - police}
    said = [Statement(seat, 1) for seat in range(1, number + 1)]
    said += [Statement(seat, 1, 20 - seat, 1, "killer") for seat in range(1, number + 1)]
    return Facts(rules, counts, {20: frozenset((Role.CIVILIAN,))}, statements=said)


def test_a_sampled_posterior_comes_close_to_the_exact_one() -> None:
    facts = claimants(6, 3)
    exact, drawn = posterior(facts), sampled(facts, luck_for(1, 1))
    for seat in facts.seats:
        assert drawn.killer[seat] == pytest.approx(exact.killer[seat], abs=0.05)
    assert sum(drawn.killer.values()) == pytest.approx(4)


def test_a_posterior_says_how_it_was_had() -> None:
    assert reckon(claimants(3, 2), 1)[1] == "exact"
    assert reckon(claimants(15, 5), 1)[1] == "sampled"


def test_words_and_deeds_that_differ_are_listed(tmp_path: Path) -> None:
    rules = {"preset": "classic-arena", "first_phase": "day", "vote_form": "simultaneous", "abstain": "allowed"}
    header = head(rules, SIX, "uninformed")
    roles = dict(enumerate(header.dealt().roles, start=1))
    officer = next(seat for seat, role in roles.items() if role is Role.POLICE)
    good = [seat for seat, role in roles.items() if role is Role.CIVILIAN]
    first, second, third, fourth = good
    claims = {
        first: ((Claim("vote", officer), Claim("clear", fourth)), f"Player {fourth} is a killer."),
        second: ((Claim("role", second, "police"), Claim("check", fourth, "killer", 1)), ""),
        third: ((Claim("vote", first),), ""),
        fourth: ((Claim("vote", third), Claim("accuse", third)), f"Player {third} is a killer."),
        officer: (None, f"Player {first} is good."),
    }

    def says(view: View, request: Request) -> Reply | None:
        if request.kind == "speech" and view.seat in claims and view.record.day == 1:
            declared, thought = claims[view.seat]
            text = f"Player {first} is a killer. I will vote for Player {second}." if declared is None else "words"
            return Reply(Answer(text=text, claims=declared), thought)
        if request.id.startswith("d1.vote1."):
            return Reply(Answer(target=None if view.seat == third and request.may_pass else third))
        return None

    play_game(tmp_path / "game", header, {seat: Sitter(Saying(says)) for seat in range(1, 7)})
    told = {turn.seat: turn for turn in turns(Parent(tmp_path / "game")) if turn.day == 1}
    assert told[first].differences == [Difference("voted_other", officer, third), Difference("thought_guilty", fourth)]
    assert told[second].differences == [
        Difference("other_card", "police", Role.CIVILIAN),
        Difference("no_check", fourth),
    ]
    assert told[third].differences == [Difference("abstained", first)]
    assert told[fourth].differences == []
    assert told[officer].differences == [Difference("voted_other", second, third), Difference("thought_good", first)]
    assert [turn.seat for turn in told.values() if not turn.declared] == [officer]
    assert told[fourth].vote == third


def test_a_vote_against_ones_own_belief_is_listed(tmp_path: Path) -> None:
    """The scripted player votes as it believes; one whose probe names another is told so."""
    header = head("classic-arena", SIX, "scripted", seed=5, probes=("vote",))
    roles = dict(enumerate(header.dealt().roles, start=1))
    play_game(tmp_path / "game", header, sat(header))
    parent = Parent(tmp_path / "game")
    spoke = next(turn for turn in turns(parent) if roles[turn.seat] is not Role.KILLER and turn.vote is not None)
    probe = next(line for line in parent.recorded.probes if line["seat"] == spoke.seat and line["day"] == spoke.day)
    assert spoke.vote is not None
    other = next(seat for seat in probe["killer"] if int(seat) != spoke.vote)
    parent.recorded.probes = [{**probe, "killer": {other: 0.9, str(spoke.vote): 0.2}}]
    again = next(turn for turn in turns(parent) if turn.request == spoke.request)
    assert Difference("believed_other", int(other), spoke.vote) in again.differences
    parent.recorded.probes = [{**probe, "killer": {other: 0.25, str(spoke.vote): 0.2}}]
    again = next(turn for turn in turns(parent) if turn.request == spoke.request)
    assert "believed_other" not in {difference.kind for difference in again.differences}
