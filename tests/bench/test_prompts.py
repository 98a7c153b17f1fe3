"""A prompt beside another arena's."""

from __future__ import annotations

from bench.prompts import compared


def test_a_prompt_without_rules_and_how_to_is_about_as_long_as_another_arenas() -> None:
    ours, theirs = compared(12, range(4))
    assert 0.9 < ours / theirs < 1.03
