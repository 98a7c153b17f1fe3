"""How the chances of a finished game stood, as its page shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from players import play_game
from tianhei.arena.host import Sitter
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role
from tianhei.arena.view import View
from tianhei.arena.whatif.lookback import FEWEST, MOST, lookback
from tianhei.arena.whatif.rollouts import Rollouts
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.game import load
from whatif.tables import GOLDEN, Saying, head


def test_it_tells_at_which_vote_the_game_was_lost(tmp_path: Path) -> None:
    """Everybody votes for the one killer on the first day: before that vote nobody knows anything."""
    header = head({"preset": "classic-theory", "first_phase": "day"}, {"killer": 1, "civilian": 6}, "uninformed")
    killer = header.dealt().roles.index(Role.KILLER) + 1

    def says(view: View, request: Request) -> Reply | None:
        return Reply(Answer(target=killer)) if request.kind == "vote" and killer in request.options else None

    path = tmp_path / "game"
    play_game(path, header, {seat: Sitter(Saying(says)) for seat in range(1, 8)})
    found = lookback(path)
    assert found is not None
    *_, vote, end = found["moments"]
    assert found["moments"][found["turning"]] is vote
    assert (vote["stage"], vote["day"], end["stage"], end["share"]) == ("vote", 1, "end", 0)
    events = load(path).events
    assert getattr(events[vote["n"]].body, "stage", None) == "vote"
    assert end["n"] == len(events) - 1
    assert vote["public"]["method"] == "exact"
    assert vote["public"]["killer"] == {str(seat): pytest.approx(1 / 7) for seat in range(1, 8)}
    cut = Parent(path).cut("d1.vote1").wave
    assert vote["share"] == Rollouts(Parent(path), found["games"]).value(cut).share


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_each_stage_stands_once_and_in_order(golden: Path) -> None:
    found = lookback(golden)
    events = load(golden).events
    assert found is not None
    moments = found["moments"]
    names = [(each["stage"], each.get("day"), each["number"] if each["stage"] != "night" else 0)
             for each in moments[:-1]]  # fmt: skip
    assert len(set(names)) == len(names)
    assert "last_words" not in {each["stage"] for each in moments}
    places = [each["n"] for each in moments]
    assert places == sorted(set(places)) and places[-1] == len(events) - 1
    assert all(events[each["n"]].day == each["day"] for each in moments[:-1])
    assert FEWEST <= found["games"] <= MOST


def test_a_game_that_is_not_over_has_none(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    path.write_bytes(b"".join(GOLDEN[0].read_bytes().splitlines(keepends=True)[:4]))
    assert lookback(path) is None
