"""The benchmark measures what it says, on a small scale; its figures at full size stand in the docs."""

from __future__ import annotations

from pathlib import Path

from bench.floor import Floor
from bench.speed import measure, ours


def test_the_measured_games_are_whole_games(tmp_path: Path) -> None:
    turn = ours(12, 2, tmp_path)
    assert turn.cpu > 0
    assert 100 < turn.size <= 400


def test_the_floor_plays_games_of_a_like_size() -> None:
    sizes = [Floor(12, seed).play() for seed in range(20)]
    assert 30 < sum(sizes) / len(sizes) < 200


def test_ratios_are_within_reach_of_their_targets() -> None:
    """Loose bounds that a busy machine keeps: the targets themselves are for the command at full size."""
    found = measure(turns=3, games=6)
    assert found["ratio_to_floor"] < 6
    assert found["bytes_per_decision"] <= 400
    assert found["growth_exponent_6_to_48"] < 0.4
    assert found["rebuild_to_json"] < 20
