"""Boards are fair: paired on the same cards, every card once to every seat, every player alike."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations, product

import pytest

from tianhei.agents.roster import SeatPlan
from tianhei.arena.pool import Endpoints
from tianhei.arena.roles import Role
from tianhei.arena.seating import Seating
from tianhei.arena.tournament.boards import Game, boards, games
from tianhei.arena.tournament.start import header_of, seating_of, seats_of
from tianhei.prompts.pack import PackError
from tianhei.prompts.pack import load as load_pack
from tianhei.transcripts.header import CANARY

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


def test_at_mixed_tables_nobody_always_sits_beside_the_same() -> None:
    beside = Counter(pair for game in _of("mixed", 60) for pair in pairwise(game.seats))
    assert set(beside) == set(permutations(THREE, 2)), "not twice the same, as there are seats for all"
    assert max(beside.values()) < 1.5 * min(beside.values())


def test_role_groups_meet_in_every_combination() -> None:
    found = _of("roles", 9, tables=[{"rules": "bench-10"}])
    cells = Counter()  # type: ignore[var-annotated]
    for game in found:
        by_role = dict(zip(game.board.deal, game.seats, strict=True))
        cells[by_role[Role.KILLER], by_role[Role.POLICE], by_role[Role.CIVILIAN]] += 1
    assert len(cells) == 27 and set(cells.values()) == {1}


@pytest.mark.parametrize("size", [2, 3, 4, 7, 8])
def test_few_boards_already_let_role_groups_meet_alike(size: int) -> None:
    """As many boards as players: against the killers, as the police and as the others, everybody once."""
    names = [f"m{number}" for number in range(size)]
    found = list(
        games(plan(players=dict.fromkeys(names, "random"), tracks=["roles"], tables=[{"rules": "bench-10"}]), size)
    )
    groups = [dict(zip(game.board.deal, game.seats, strict=True)) for game in found]
    for other in (Role.POLICE, Role.CIVILIAN):
        assert Counter((of[Role.KILLER], of[other]) for of in groups) == Counter(product(names, names))
    allied = Counter((of[Role.POLICE], of[Role.CIVILIAN]) for of in groups)
    assert len(allied) >= size * (size - 1) and max(allied.values()) <= 2


@pytest.mark.parametrize("players", [6, 7, 10, 12])
def test_the_focal_seat_goes_round_with_the_cards(players: int) -> None:
    """Within a block every card and almost every seat, over as many blocks as there are seats all alike."""
    tables = [{"rules": "classic-arena", "players": players}]
    found = _of("focal", players * players, pool=["scripted"], tables=tables)
    held = {name: list[tuple[int, Role]]() for name in (*THREE, "scripted")}
    for game in found:
        assert game.focus is not None
        name = game.seats[game.focus - 1]
        assert Counter(game.seats) == Counter([name, *["scripted"] * (players - 1)])
        held[name].append((game.focus, game.board.deal[game.focus - 1]))
    dealt = Counter(found[0].board.deal)
    for places in held.values():
        assert len(places) == players * players
        assert Counter(seat for seat, _ in places) == dict.fromkeys(range(1, players + 1), players)
        for block in range(0, players * players, players):
            assert Counter(role for _, role in places[block : block + players]) == dealt
            assert len({seat for seat, _ in places[block : block + players]}) >= players - 1
    assert len({tuple(places) for places in held.values()}) == 1


@pytest.mark.report("PE-11")
def test_names_of_files_are_safe_and_unlike() -> None:
    wild = {"google/gemma-2:9b": "random", "../x": "uniform", "CON": "random", "王五": "uniform", "n" * 300: "random"}
    found = list(games(plan(players=wild, tracks=["duplicate", "mixed"]), 3))
    names = [game.id for game in found]
    assert len(set(names)) == len(names)
    assert all(len(name) < 150 and name.replace("-", "").isalnum() and name.isascii() for name in names)


MODELS = {"a": "openai/gpt-4o", "b": "openai/gpt-4o-mini"}


def test_arms_are_played_on_every_so_many_boards_and_only_where_they_differ() -> None:
    arms = ["mute", "renamed", "claims_off"]
    found = list(games(plan(players=MODELS, arms=arms, arms_every=4, boards=8), 8))
    assert {game.board.number for game in found if game.arm != "full"} == {0, 4}
    assert Counter(game.arm for game in found) == {"full": 16, "mute": 4, "renamed": 4, "claims_off": 4}
    scripted = list(games(plan(arms=arms), 4))
    assert {game.arm for game in scripted} == {"full", "mute"}


def test_a_board_s_wording_and_an_arm_s_words_reach_the_seats_and_the_header() -> None:
    found = plan(players=MODELS, variants=[1, 2, 3], arms=["renamed", "claims_off", "mute"])
    seen: dict[tuple[str, int], SeatPlan] = {}
    for game in games(found, 3):
        seat = seats_of(found, game)[1]
        seen[game.arm, game.board.variant] = seat
        assert seat.variant == game.board.variant
        assert seat.without == (("claims",) if game.arm == "claims_off" else ())
        seating = Seating(seats_of(found, game), "en", Endpoints(), game.theme)
        header = header_of(found, game, seating, "")
        assert header.table.theme == ("neutral" if game.arm == "renamed" else "plain")
        assert header.rules.channel == ("mute" if game.arm == "mute" else "full")
        assert header.canary == CANARY and CANARY in str(header.to_json())
        assert {spec.params.get("variant", 1) for spec in header.seats} == {game.board.variant}
    hashes = {load_pack("official", "en", seat.variant, "plain", seat.without).hash for seat in seen.values()}
    assert len(hashes) == 6, "three wordings, each with and without claims"


def test_a_pack_without_claims_is_refused_before_a_table_of_claims_only_is_played() -> None:
    found = plan(players={"a": "openai/gpt-4o?pack=minimal", "b": "random"}, arms=["claims_only"])
    game = next(game for game in games(found, 1) if game.arm == "claims_only")
    with pytest.raises(PackError, match="'minimal' asks for no claims"):
        seating_of(found, game, Endpoints())


def test_lines_fill_a_table_alone_on_every_board() -> None:
    found = list(games(plan(lines=["uninformed", "oracle"]), 3))
    lines = [game for game in found if game.track == "lines"]
    assert Counter(game.seats for game in lines) == {("uninformed",) * 6: 3, ("oracle",) * 6: 3}
    seating = seating_of(plan(lines=["uninformed", "oracle"]), lines[1], Endpoints())
    assert {spec.handicap for spec in seating.specs()} == {"killers"}


def test_channels_are_played_on_the_same_boards() -> None:
    found = _of("duplicate", 1, arms=["mute"])
    assert Counter(game.arm for game in found) == {"full": 6, "mute": 6}
    assert {game.rules.channel for game in found if game.arm == "mute"} == {"mute"}
    assert len({game.board.seed for game in found}) == 1
