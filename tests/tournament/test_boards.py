"""Boards are fair: paired on the same cards, every card once to every seat, every player alike."""

from __future__ import annotations

from collections import Counter

import pytest

from tianhei.arena.roles import Role
from tianhei.arena.tournament.boards import Game, boards, games

from .plans import plan

THREE = {"a": "random", "b": "uniform", "c": "uninformed"}


def test_over_as_many_boards_as_seats_every_card_comes_once_to_every_seat() -> None:
    found = plan()
    table = found.tables[0]
    for block in range(3):
        dealt = list(boards(found, table, 6 * (block + 1)))[6 * block :]
        for seat in range(6):
            assert Counter(board.deal[seat] for board in dealt) == Counter(table_cards(table.counts))
    assert len({board.seed for board in boards(found, table, 40)}) == 40


def table_cards(counts: dict[str, int]) -> list[Role]:
    return [Role(name) for name, number in counts.items() for _ in range(number)]


def test_more_boards_begin_with_the_same() -> None:
    found = plan()
    assert list(boards(found, found.tables[0], 20))[:7] == list(boards(found, found.tables[0], 7))


def test_languages_and_wordings_go_round_and_cross() -> None:
    found = plan(languages=["en", "zh"], variants=[1, 2, 3])
    kinds = Counter((board.lang, board.variant) for board in boards(found, found.tables[0], 12))
    assert set(kinds.values()) == {2} and len(kinds) == 6


def _of(track: str, count: int, **more: object) -> list[Game]:
    return list(games(plan(players=THREE, tracks=[track], **more), count))


def test_duplicate_plays_both_sides_of_every_pair_on_the_same_cards() -> None:
    found = _of("duplicate", 2, anchors=["scripted"])
    assert len(found) == 2 * 2 * (3 + 3)
    sides = Counter()  # type: ignore[var-annotated]
    for game in found:
        killers = {name for name, role in zip(game.seats, game.board.deal, strict=True) if role is Role.KILLER}
        town = set(game.seats) - killers
        assert len(killers) == len(town) == 1
        sides[game.board.number, *killers, *town] += 1
    assert set(sides.values()) == {1}
    assert not any(("scripted" in key) and not ({"a", "b", "c"} & set(key[1:])) for key in sides)


def test_mixed_tables_give_every_player_every_seat_and_card_alike() -> None:
    found = _of("mixed", 18)
    held = Counter(
        (name, seat, role)
        for game in found
        for seat, (name, role) in enumerate(zip(game.seats, game.board.deal, strict=True))
    )
    per_card: dict[tuple[int, Role], set[int]] = {}
    for (_, seat, role), count in held.items():
        per_card.setdefault((seat, role), set()).add(count)
    assert all(len(counts) == 1 for counts in per_card.values())


def test_role_groups_meet_in_every_combination() -> None:
    found = _of("roles", 9, tables=[{"rules": "bench-10"}])
    cells = Counter()  # type: ignore[var-annotated]
    for game in found:
        by_role = dict(zip(game.board.deal, game.seats, strict=True))
        cells[by_role[Role.KILLER], by_role[Role.POLICE], by_role[Role.CIVILIAN]] += 1
    assert len(cells) == 27 and set(cells.values()) == {1}


def test_the_focal_seat_goes_round_with_the_cards() -> None:
    found = _of("focal", 36, pool=["scripted"])
    held = Counter()  # type: ignore[var-annotated]
    for game in found:
        assert game.focus is not None
        name = game.seats[game.focus - 1]
        assert Counter(game.seats) == {name: 1, "scripted": 5}
        held[name, game.focus, game.board.deal[game.focus - 1]] += 1
    for name in THREE:
        assert Counter(seat for (who, seat, _) in held.elements() if who == name) == dict.fromkeys(range(1, 7), 6)


@pytest.mark.report("PE-11")
def test_names_of_files_are_safe_and_unlike() -> None:
    wild = {"google/gemma-2:9b": "random", "../x": "uniform", "CON": "random", "王五": "uniform", "n" * 300: "random"}
    found = list(games(plan(players=wild, tracks=["duplicate", "mixed"]), 3))
    names = [game.id for game in found]
    assert len(set(names)) == len(names)
    assert all(len(name) < 150 and name.replace("-", "").isalnum() and name.isascii() for name in names)


def test_channels_are_played_on_the_same_boards() -> None:
    found = _of("duplicate", 1, channels=["full", "mute"])
    assert Counter(game.channel for game in found) == {"full": 6, "mute": 6}
    assert {game.rules.channel for game in found if game.channel == "mute"} == {"mute"}
    assert len({game.board.seed for game in found}) == 1
