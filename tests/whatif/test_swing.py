"""Swings: two arms from one cut that share their luck, and the paired difference with its interval."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from players import canonical
from tianhei.agents.roster import SeatPlan, parse_spec
from tianhei.arena.events import Winner
from tianhei.arena.host import FixedClock
from tianhei.arena.pool import Endpoints
from tianhei.arena.roles import Role, Seat
from tianhei.arena.whatif.arms import ArmName, Arms, Change, Ended
from tianhei.arena.whatif.swing import SHARE, swing
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.game import load
from tianhei.transcripts.replay import verified
from whatif.tables import EIGHT, head, played


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Parent:
    """A classic game of scripted players."""
    path = played(tmp_path_factory.mktemp("swing") / "game.jsonl", head("classic-arena", EIGHT, "scripted", seed=3))
    return Parent(path)


def run(arms: Arms) -> Mapping[ArmName, list[Ended]]:
    async def play() -> Mapping[ArmName, list[Ended]]:
        async with Endpoints() as endpoints:
            return await arms.play(endpoints, FixedClock())

    return asyncio.run(play())


def winners(ended: Sequence[Ended]) -> list[Winner]:
    return [game.winner for game in ended]


def seats(parent: Parent, player: str, *which: Seat) -> Mapping[Seat, SeatPlan]:
    return {seat: parse_spec(player) for seat in which}


def test_the_interval_is_that_of_the_formula() -> None:
    """Six pairs, by hand: sum 1.5 - 0.5 + 1 ..., two pairs added that hold +1/2, -1/2 and a 0."""
    found = swing(
        ["killers", "killers", "good", "draw", "good", "killers"],
        ["good", "killers", "killers", "good", "good", "draw"],
    )
    # differences 1, 0, -1, 0.5, 0, 0.5: sum 1, squares 2.5; (2.5 + 1) / 8 - (1 / 8) ** 2 = 0.421875
    reach = 1.959963984540054 * sqrt(0.421875 / 8)
    assert (found.pairs, found.differ) == (6, 4)
    assert found.mean == pytest.approx(1 / 6)
    assert (found.low, found.high) == pytest.approx((0.125 - reach, 0.125 + reach))


def test_an_interval_has_a_width_where_no_pair_differs() -> None:
    lost: list[Winner] = ["good"] * 20
    found = swing(lost, lost)
    assert (found.mean, found.differ) == (0, 0)
    assert -found.low == found.high == pytest.approx(1.959963984540054 * sqrt(1 / 22 / 22))


def test_arms_that_are_not_paired_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        swing(["good"], ["good", "killers"])
    with pytest.raises(ValueError, match="no pair"):
        swing([], [])


@pytest.mark.parametrize(("one", "other", "kept"), [(0.5, 0.5, 0.9), (0.7, 0.5, 0.0), (0.9, 0.85, 0.5)])
def test_the_interval_covers_the_truth_as_often_as_it_says(one: float, other: float, kept: float) -> None:
    """Pairs that share their luck with chance ``kept``; 1,000 experiments of 20 pairs. The standard error is 0.7 %."""
    rng = Random(f"{one} {other} {kept}")
    covered = 0
    for _ in range(1_000):
        pairs = []
        for _ in range(20):
            first, second = rng.random(), rng.random()
            second = first if rng.random() < kept else second
            pairs.append((first < one, second < other))
        found = swing([_won(a) for a, _ in pairs], [_won(b) for _, b in pairs])
        covered += found.low <= one - other <= found.high
    assert covered >= 930


def _won(killers: bool) -> Winner:
    return "killers" if killers else "good"


def test_both_arms_of_a_repeat_share_their_luck(parent: Parent, tmp_path: Path) -> None:
    """The same mind put in again is no change at all: every pair is the same game."""
    arms = Arms(parent, Change(parent.cut("n2").wave, seats(parent, "scripted", 2, 5)), tmp_path, 6)
    ended = run(arms)
    for repeat in range(1, 7):
        one, other = (canonical(arms.path(arm, repeat)) for arm in ("changed", "unchanged"))
        assert one == other
    assert swing(winners(ended["changed"]), winners(ended["unchanged"])).differ == 0
    games = [canonical(arms.path("unchanged", repeat))["waves"] for repeat in range(1, 7)]
    assert any(game != games[0] for game in games), "and the repeats are different games"


def test_both_arms_keep_the_parents_beginning_and_are_sound(parent: Parent, tmp_path: Path) -> None:
    cut = parent.cut("d1.vote")
    arms = Arms(parent, Change(cut.wave, seats(parent, "uninformed", 3)), tmp_path, 3)
    for arm, ended in run(arms).items():
        for game in ended:
            found = load(game.path)
            assert [w.raw_events for w in found.waves[: cut.wave]] == [
                w.raw_events for w in parent.recorded.waves[: cut.wave]
            ]
            assert [spec.player for spec in found.header.seats].count("uninformed") == (arm == "changed")
            assert verified(game.path).startswith(f"sound, {game.winner}")
            assert found.header.parent and found.header.parent["game"] == parent.recorded.header.game


def test_a_planted_swing_is_found(parent: Parent, tmp_path: Path) -> None:
    """From the second night on, every good seat is told who the killers are: the interval lies below zero."""
    roles = parent.recorded.header.dealt().roles
    good = [seat for seat, role in enumerate(roles, start=1) if role is not Role.KILLER]
    arms = Arms(parent, Change(parent.cut("n2").wave, seats(parent, "oracle", *good)), tmp_path, 20)
    ended = run(arms)
    found = swing(winners(ended["changed"]), winners(ended["unchanged"]))
    assert found.high < 0
    assert found.differ >= 4


def test_no_swing_is_found_where_a_mind_changes_nothing(parent: Parent, tmp_path: Path) -> None:
    """The dead have no say: another mind in a seat that is out by then is the same game."""
    dead = next(iter(parent.views.record.dead))
    arms = Arms(parent, Change(parent.cut("n2").wave, seats(parent, "uniform", dead)), tmp_path, 5)
    ended = run(arms)
    assert swing(winners(ended["changed"]), winners(ended["unchanged"])).differ == 0


@cache
def night(killers: int, good: int) -> Fraction:
    """Killers' wins without skill and police: a good player dies, then somebody by lot; killers win by parity."""
    good -= 1
    if killers >= good:
        return Fraction(1)
    living = killers + good
    caught = night(killers - 1, good) if killers > 1 else Fraction(0)
    missed = night(killers, good - 1) if killers < good - 1 else Fraction(1)
    return Fraction(killers, living) * caught + Fraction(good, living) * missed


def test_the_unchanged_arm_has_the_distribution_of_the_theory(tmp_path: Path) -> None:
    """Two killers and eight others: 221/315, the published value; 300 games from the first night on, four errors."""
    assert night(2, 8) == Fraction(221, 315)
    path = played(tmp_path / "game", head("classic-theory", {"killer": 2, "civilian": 8}, "uninformed"))
    parent = Parent(path)
    arms = Arms(parent, Change(1, seats(parent, "uninformed", 1)), tmp_path / "arms", 300)
    found = winners(run(arms)["unchanged"])
    share = sum(map(SHARE.__getitem__, found)) / 300
    expected = float(night(2, 8))
    assert abs(share - expected) < 4 * sqrt(expected * (1 - expected) / 300)


def test_what_is_there_is_gone_on_with_and_another_change_is_refused(parent: Parent, tmp_path: Path) -> None:
    change = Change(parent.cut("d2").wave, seats(parent, "uninformed", 2))
    first = run(Arms(parent, change, tmp_path, 2))
    before = {game.path: game.path.read_bytes() for ended in first.values() for game in ended}
    half = first["changed"][0].path
    half.write_bytes(b"".join(half.read_bytes().splitlines(keepends=True)[:-3]))
    again = run(Arms(parent, change, tmp_path, 2))
    assert again == first
    assert {path: path.read_bytes() for path in before if path != half} == {
        path: data for path, data in before.items() if path != half
    }
    with pytest.raises(TranscriptError, match="it holds another game; name another folder"):
        run(Arms(parent, Change(change.waves, seats(parent, "uniform", 2)), tmp_path, 2))


def test_words_are_deleted_in_one_arm_alone(parent: Parent, tmp_path: Path) -> None:
    words = parent.words("d1.speech1.01")
    arms = Arms(parent, Change(words.wave + 1, {}, words), tmp_path, 2)
    run(arms)
    for repeat in (1, 2):
        changed, unchanged = (load(arms.path(arm, repeat)) for arm in ("changed", "unchanged"))
        assert changed.waves[: words.wave] == unchanged.waves[: words.wave]
        assert changed.waves[words.wave].replies["d1.speech1.01"].answer.text == ""
        assert unchanged.waves[words.wave] == parent.recorded.waves[words.wave]
