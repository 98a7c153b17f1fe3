"""Rows of a run: from few lines the same as from whole recordings; damage is found all the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.folder import GAMES, is_finished, path_of, planned
from tianhei.arena.tournament.plan import AT_ONCE, Plan
from tianhei.arena.tournament.results import row, rows
from tianhei.arena.tournament.run import Progress, lanes, run
from tianhei.transcripts.file import Damaged, chain, encode, read
from tianhei.transcripts.game import load

from .plans import plan


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    folder = tmp_path_factory.mktemp("run")
    found = plan(boards=3, tracks=["duplicate", "mixed"], tables=[{"rules": "classic-arena", "players": 6},
                                                                   {"rules": "butterfly", "players": 11}])  # fmt: skip
    run(folder, found, Progress(), 1)
    return folder, found


def copied(finished: tuple[Path, Plan], folder: Path) -> tuple[Path, Game, bytes]:
    """A folder for one game of the run, the game, and its transcript's bytes."""
    game = planned(finished[1])[0]
    (folder / GAMES).mkdir()
    return path_of(folder, game), game, path_of(finished[0], game).read_bytes()


def test_rows_from_few_lines_are_those_of_whole_recordings(finished: tuple[Path, Plan]) -> None:
    folder, found = finished
    games = planned(found)
    assert list(rows(folder, found)) == [row(game, load(path_of(folder, game))) for game in games]
    assert all(one.speaking and one.winner and one.asked for one in rows(folder, found))


def test_a_missing_answer_is_counted_where_scripted_players_sit(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    """A wave in which one of several answers was a fallback is read, by whom it failed and why."""
    path, game, whole = copied(finished, tmp_path)
    lines = [(line.kind, line.data) for line in read(path_of(finished[0], game)).lines]
    at = next(place for place, (_, data) in enumerate(lines) if len(data.get("replies", ())) > 1)
    kind, data = lines[at]
    first, *others = data["replies"]
    lines[at] = kind, {**data, "replies": [{**first, "source": "fallback:timeout"}, *others]}
    path.write_bytes(b"".join(chain(iter(lines))))
    (one,) = rows(tmp_path, finished[1])
    assert one.fallbacks == ((int(first["request"].rsplit(".", 1)[1]), "timeout"),)
    path.write_bytes(whole)
    assert [one.fallbacks for one in rows(tmp_path, finished[1])] == [()]


def test_a_game_in_which_a_seat_was_taken_over_has_no_winner(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    """One answer by somebody else is enough, and it is found where most waves are not read; asked for, it counts."""
    path, game, _ = copied(finished, tmp_path)
    lines = [(line.kind, line.data) for line in read(path_of(finished[0], game)).lines]
    at = max(place for place, (_, data) in enumerate(lines) if data.get("replies"))
    kind, data = lines[at]
    first, *others = data["replies"]
    lines[at] = kind, {**data, "replies": [{**first, "source": "bot:takeover"}, *others]}
    path.write_bytes(b"".join(chain(iter(lines))))
    before = row(game, load(path_of(finished[0], game)))
    (one,) = rows(tmp_path, finished[1])
    (kept,) = rows(tmp_path, finished[1], taken_over=True)
    assert (one.winner, one.void, one.taken_over) == ("", "taken over", 1)
    assert kept == replace(before, taken_over=1)


def test_damage_in_lines_that_are_not_wanted_is_found(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    path, _, whole = copied(finished, tmp_path)
    for at in range(0, len(whole) - 1, 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        (one,) = rows(tmp_path, finished[1])
        assert one.void.startswith("damaged: "), at


def test_a_line_that_is_not_wanted_has_its_number(tmp_path: Path) -> None:
    first, total = encode(0, "header", {}, 0)
    (tmp_path / "game").write_bytes(first + encode(2, "wave", {}, total)[0])
    with pytest.raises(Damaged, match="another number"):
        read(tmp_path / "game", lambda line: False)


def test_a_game_that_goes_on_after_it_was_void_is_unfinished(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    path, _, whole = copied(finished, tmp_path)
    path.write_bytes(whole)
    lines = [(line.kind, line.data) for line in read(path).lines]
    void = ("note", {"note": "void", "cause": "player", "what": ""})
    path.write_bytes(b"".join(chain(iter([*lines[:4], void]))))
    assert [one.void for one in rows(tmp_path, finished[1])] == ["player"]
    path.write_bytes(b"".join(chain(iter([*lines[:4], void, *lines[4:6]]))))
    assert [one.void for one in rows(tmp_path, finished[1])] == ["unfinished"]


def test_only_a_whole_last_line_ends_a_game(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    """Cut anywhere in its last line, a game is not finished, and the run goes on with it."""
    path, game, whole = copied(finished, tmp_path)
    start = whole.rstrip(b"\n").rindex(b"\n") + 1
    for cut in range(start, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert not is_finished(path), whole[start:cut]
    path.write_bytes(whole[:-3])
    one_game = finished[1].model_copy(update={"tracks": ("duplicate",)})
    run(tmp_path, one_game, progress := Progress(), 1)
    assert progress.finished_before == 0 and is_finished(path_of(tmp_path, game)) and not progress.void
    for ending in (b"", b"\n"):
        path.write_bytes(whole.rstrip(b"\n") + ending)
        assert is_finished(path)


def test_a_damaged_game_is_void_and_the_others_are_played(finished: tuple[Path, Plan], tmp_path: Path) -> None:
    path, _, whole = copied(finished, tmp_path)
    half = len(whole) // 2
    path.write_bytes(whole[: half // 2] + b"?" + whole[half // 2 + 1 : half])
    run(tmp_path, finished[1], progress := Progress(), 1)
    assert progress.void == {"file": 1} and progress.done == progress.total - 1


def test_games_with_a_model_inside_the_program_go_one_by_one() -> None:
    """Unless the plan says how many; games with other models go side by side with them, and with each other."""
    players = {"a": "local", "b": "openai/gpt-4o-mini", "c": "openai/gpt-4o"}
    found = plan(players=players)
    (inside, one), (others, many) = lanes(found, planned(found))
    assert (one, many) == (1, AT_ONCE) and len(inside) == 2 * len(others) == 8
    assert all("a" in game.seats for game in inside) and not any("a" in game.seats for game in others)
    set_by_hand = plan(players=players, games_at_once=3)
    assert [(len(games), count) for games, count in lanes(set_by_hand, planned(set_by_hand))] == [(12, 3)]


def test_a_row_knows_whose_a_side_was(finished: tuple[Path, Plan]) -> None:
    for one in rows(*finished):
        mixed = one.game.track == "mixed"
        sides = [set(one.players_of(killers=killers)) for killers in (True, False)]
        assert one.teams == tuple(side.pop() if len(side) == 1 else "" for side in sides)
        assert mixed or replace(one).teams == one.teams != ("", "")


def test_a_scripted_player_beside_a_model_is_asked_as_it_is_elsewhere(finished: tuple[Path, Plan]) -> None:
    """The header of a game with models names the library that reaches them as well."""
    game = planned(finished[1])[0]
    recorded = load(path_of(finished[0], game))
    with_models = replace(recorded.header, program=f"{recorded.header.program}, openai 9.9")
    assert row(game, replace(recorded, header=with_models)).asked == row(game, recorded).asked
