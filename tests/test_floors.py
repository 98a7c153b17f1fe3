"""The players of the floors: legal in every game, and as even as they claim to be."""

from __future__ import annotations

from collections import Counter

import pytest

from proof.drive import answer, play_out, run_out
from proof.theory import PLAYERS
from tianhei.agents.uniform import UniformPlayer
from tianhei.agents.uninformed import UninformedPlayer
from tianhei.arena.chance import Keyed, deal, luck_for
from tianhei.arena.events import Agreed, Checked, Stated
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Request
from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.rules.presets import PRESETS, USUAL_PLAYERS, preset, read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.view import Record, View, Views


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("player", PLAYERS)
def test_legal_under_every_preset(name: str, player: str) -> None:
    """Every answer is taken by the referee, and the script alone comes to the same end."""
    rules, players = read_rules(name)
    counts, _ = written(rules, players or USUAL_PLAYERS[preset(name).game])
    for seed in range(10):
        assert play_out(rules, counts, PLAYERS[player], seed) == run_out(rules, counts, PLAYERS[player], seed)


OTHERS: tuple[dict[str, object], ...] = (
    {"night_pass": "forbidden"}, {"round_pk": "on"}, {"kill_teammate": "forbidden"}, {"council_rounds": 4},
    {"abstain": "forbidden", "self_vote": "forbidden"}, {"killers_tie": "ask_again"},
    {"vote_form": "secret", "pk_voters": "untied"},
)  # fmt: skip


@pytest.mark.parametrize("changes", OTHERS, ids=str)
@pytest.mark.parametrize("player", PLAYERS)
def test_legal_under_other_options(changes: dict[str, object], player: str) -> None:
    rules = make("classic", changes)
    counts, _ = written(rules, 10)
    for seed in range(15):
        play_out(rules, counts, PLAYERS[player], seed)


def _view(seat: int = 1) -> View:
    record = Record(make("classic"), 4, {Role.CIVILIAN: 3, Role.KILLER: 1}, (1, 2, 3, 4))
    return View(seat, record, luck_for(0, seat))


def _drawn(player: UniformPlayer | UninformedPlayer, kind: str, number: int, *, may_pass: bool) -> Counter[object]:
    view = _view()
    found: Counter[object] = Counter()
    for name in range(number):
        request = Request(f"d1.{kind}{name}.01", 1, kind, (1, 2, 3, 4), may_pass)  # type: ignore[arg-type]
        given = answer(player, view, request)
        found[given.targets if kind == "demand" else given.target] += 1
    return found


def test_uniform_takes_every_answer_alike() -> None:
    found = _drawn(UniformPlayer(), "vote", 5000, may_pass=True)
    assert set(found) == {1, 2, 3, 4, None}
    assert all(900 < number < 1100 for number in found.values())


def test_uniform_demands_every_set_alike() -> None:
    found = _drawn(UniformPlayer(), "demand", 6000, may_pass=True)
    assert len(found) == 12  # eleven sets of two or more of four, and none
    assert all(420 < number < 580 for number in found.values())


def test_uninformed_votes_for_the_others_and_never_abstains() -> None:
    found = _drawn(UninformedPlayer(), "vote", 3000, may_pass=True)
    assert set(found) == {2, 3, 4}
    assert all(900 < number < 1100 for number in found.values())


def _played(rules: Rules, counts: Counts, seed: int) -> tuple[Referee, Views]:
    """A whole game of uninformed players."""
    referee, views = Referee(rules, deal(counts, seed), Keyed(seed)), Views(rules, counts, seed)
    player = UninformedPlayer()
    views.add(referee.waves[0].events)
    while referee.outcome is None:
        for request in referee.pending:
            if wave := referee.answer(request.id, answer(player, views.of(request.seat), request)):
                views.add(wave.events)
    return referee, views


def test_uninformed_raises_one_hand_in_a_called_vote() -> None:
    """Whom it raises its hand for does not depend on where he is called, and somebody it is."""
    rules = make("classic", {"last_words": "none"})
    counts, _ = written(rules, 8)
    hands: Counter[int] = Counter()
    for seed in range(40):
        _, views = _played(rules, counts, seed)
        for vote in views.record.votes:
            assert None not in vote.ballots.values()
            assert all(voter != target for voter, target in vote.ballots.items())
            hands.update(target for target in vote.ballots.values() if target)
    assert set(hands) == set(range(1, 9))


def test_one_killer_names_and_the_mates_assent() -> None:
    """Every council of killers hears one target that is no mate; the police look for somebody new."""
    rules = make("classic")
    counts, _ = written(rules, 12)
    victims: Counter[int] = Counter()
    for seed in range(60):
        referee, _ = _played(rules, counts, seed)
        roles = deal(counts, seed).roles
        events = [event for wave in referee.waves for event in wave.events]
        for event in events:
            if isinstance(event.body, Agreed) and event.body.action == "kill":
                assert event.body.target is not None
                assert roles[event.body.target - 1] is not Role.KILLER
                victims[event.body.target] += 1
        said = Counter(
            (event.day, roles[event.body.by - 1])
            for event in events
            if isinstance(event.body, Stated) and event.body.target is not None
        )
        assert set(said.values()) == {1}
        checked = [event.body.target for event in events if isinstance(event.body, Checked)]
        assert len(set(checked[:4])) == len(checked[:4])  # later there may be nobody new to check
    assert set(victims) == set(range(1, 13))
