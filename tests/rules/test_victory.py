"""Victory: the tables of both games, the night batches, and when it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tianhei.arena.events import LastWords, VotedOut
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Side
from tianhei.arena.rules.butterfly import butterfly
from tianhei.arena.rules.chain import Verdict
from tianhei.arena.rules.classic import classic
from tianhei.arena.rules.ending import judged
from tianhei.arena.rules.options import make
from tianhei.arena.rules.victory import DAY_CAP, Outcome, victory

from .table import SEATED, Seats, dawn_of, passing, play, table_of, told

WINNER = {"G": "good", "K": "killers", "D": "draw", ".": None}
SPECIALS = ("butterfly", "sniper", "doctor", "police", "elder")


def winner(game: str, alive: Mapping[str, int], dealt: Mapping[str, int], **options: Any) -> Outcome | None:
    counts = {Role(name): count for name, count in alive.items()}
    return victory(make(game, options), counts, {Role(name): count for name, count in dealt.items()})


def of_counts(killers: int, specials: int, civilians: int) -> str | None:
    alive = {"killer": killers, "civilian": civilians, **dict.fromkeys(SPECIALS[:specials], 1)}
    outcome = winner("butterfly", alive, {})
    return outcome.winner if outcome else None


def test_the_table_of_the_butterfly_game() -> None:
    """S0-67 to S0-70, A0-68, A0-69: for every number of killers, specials and civilians."""
    for specials in range(6):
        for killers in range(6):
            for civilians in range(8):
                if killers == 0:
                    expected = "good" if specials else "draw"
                elif specials == 0 or killers >= specials + civilians:
                    expected = "killers"
                else:
                    expected = None
                assert of_counts(killers, specials, civilians) == expected


@pytest.mark.parametrize(
    ("specials", "row"),
    [
        (0, "D K K K K K"), (1, "G 0 1 2 3 4"), (2, "G . 0 1 2 3"),
        (3, "G . . 0 1 2"), (4, "G . . . 0 1"), (5, "G . . . . 0"),
    ],
)  # fmt: skip
def test_the_rows_of_the_butterfly_game(specials: int, row: str) -> None:
    """By killers; a number is the most civilians with which the killers have won."""
    for killers, entry in enumerate(row.split()):
        for civilians in range(7):
            expected = ("killers" if civilians <= int(entry) else None) if entry.isdigit() else WINNER[entry]
            assert of_counts(killers, specials, civilians) == expected


@pytest.mark.parametrize(
    ("reason", "alive"),
    [
        ("S0-70", {"civilian": 3}),
        ("S0-69", {"doctor": 1}),
        ("S0-67", {"killer": 1, "civilian": 9}),
        ("S0-68", {"killer": 2, "doctor": 1, "civilian": 1}),
        ("S0-68", {"killer": 1, "doctor": 1}),
    ],
)
def test_why_a_butterfly_game_ended(reason: str, alive: Mapping[str, int]) -> None:
    outcome = winner("butterfly", alive, {})
    assert outcome is not None and outcome.reason == reason


BATCHES = [
    ("S K1 C1 C2 C3", "shoot K1, kill S", "", "K1 S", "D"),
    ("S D K1 C1 C2 C3", "shoot K1, kill S, needle D", "D=1", "D K1 S", "D"),
    ("S D K1 C1 C2 C3", "shoot K1, kill S, needle S", "", "K1", "G"),
    ("S K1 K2 C1 C2 C3", "shoot K1, kill S", "", "K1 S", "K"),
    ("B S K1 C1 C2 C3", "carry K1, shoot B", "", "B K1", "G"),
    ("B S K1 C1 C2 C3", "carry S, kill B", "", "B S", "K"),
    ("B S K1 C1 C2", "carry C1, shoot S, kill B", "", "B C1 S", "K"),
    ("B D K1 C1 C2 C3", "carry K1, needle B", "K1=1", "K1", "G"),
    ("B D K1 C1 C2 C3", "carry K1, needle B", "K1=1 B=1", "B K1", "G"),
    ("D K1 K2 C1 C2", "kill C1", "", "C1", "K"),
    ("B S D P E K1 K2 K3 C1 C2 C3 C4 C5", "shoot K1, kill C1", "", "C1 K1", "."),
    ("D K1", "kill D", "", "D", "K"),
    ("D K1 C1", "kill K1", "", "K1", "G"),
]


@pytest.mark.parametrize(("cards", "acts", "before", "dead", "result"), BATCHES)
def test_night_batches(cards: str, acts: str, before: str, dead: str, result: str) -> None:
    """All the deaths of a night are judged together (A0-67)."""
    dawn = dawn_of(acts, before=before, cards=cards)
    assert set(dawn.deaths) == set(dead.split())
    table = table_of(cards, dead=dead)
    outcome = victory(table.rules, table.alive_counts(), table.dealt)
    assert (outcome.winner if outcome else None) == WINNER[result]


CLASSIC_TABLE = [
    ((3, 3, 6), 3, ".", "."), ((0, 2, 3), 3, "G", "G"), ((0, 0, 1), 3, "G", "G"), ((1, 0, 4), 3, "K", "."),
    ((1, 2, 0), 3, "K", "."), ((1, 0, 0), 3, "K", "K"), ((1, 1, 4), 3, ".", "."), ((2, 1, 1), 3, ".", "."),
    ((2, 0, 5), 0, ".", "."), ((2, 0, 1), 0, ".", "."), ((1, 0, 0), 0, "K", "K"), ((0, 0, 2), 0, "G", "G"),
]  # fmt: skip


@pytest.mark.parametrize(("alive", "police_dealt", "any_identity", "all_good"), CLASSIC_TABLE)
def test_the_table_of_the_classic_game(
    alive: tuple[int, int, int], police_dealt: int, any_identity: str, all_good: str
) -> None:
    """S1-73, S1-75, S1-76; A1-36 and, where no police were dealt, A1-37."""
    counts: dict[str, int] = dict(zip(("killer", "police", "civilian"), alive, strict=True))
    for value, expected in (("any_identity", any_identity), ("all_good", all_good)):
        outcome = winner("classic", counts, {"police": police_dealt}, victory=value)
        assert (outcome.winner if outcome else None) == WINNER[expected]


@pytest.mark.parametrize(
    ("reason", "alive"),
    [
        ("S1-75", {"police": 1}),
        ("S1-76", {"killer": 1}),
        ("S1-73", {"killer": 1, "civilian": 4}),
        ("S1-73", {"killer": 1, "police": 4}),
    ],
)
def test_why_a_classic_game_ended(reason: str, alive: Mapping[str, int]) -> None:
    outcome = winner("classic", alive, {"police": 3})
    assert outcome is not None and outcome.reason == reason


@pytest.mark.parametrize(("parity", "result"), [(False, None), (True, Outcome("killers", "A1-38"))])
def test_a1_38_parity(parity: bool, result: Outcome | None) -> None:
    alive = {"killer": 3, "police": 1, "civilian": 2}
    assert winner("classic", alive, {"police": 3}, parity=parity) == result
    assert winner("classic", {**alive, "civilian": 3}, {"police": 3}, parity=parity) is None


def test_a0_70_both_officers_must_be_dead() -> None:
    alive = {"killer": 2, "police": 1, "civilian": 5}
    assert winner("butterfly", alive, {"police": 2}) is None
    assert winner("butterfly", {**alive, "police": 0}, {"police": 2}) == Outcome("killers", "S0-67")


@pytest.mark.parametrize(
    ("alive", "result"),
    [
        ({"killer": 1, "elder": 1, "civilian": 9}, "killers"),
        ({"killer": 1, "elder": 1, "doctor": 1, "civilian": 1}, "killers"),
        ({"killer": 1, "elder": 1, "doctor": 1, "civilian": 2}, None),
        ({"elder": 1, "doctor": 1}, "good"),
        ({"elder": 1, "civilian": 3}, "draw"),
        ({"killer": 1, "doctor": 1, "civilian": 1}, None),
    ],
)
def test_a0_72_r_elder_with_the_killers(alive: Mapping[str, int], result: str | None) -> None:
    outcome = winner("butterfly", alive, {}, elder_side="killers")
    assert (outcome.winner if outcome else None) == result


@pytest.mark.parametrize(("elder_side", "side"), [("good", Side.GOOD), ("killers", Side.KILLERS)])
def test_r_elder_is_told_his_side_but_no_mates(elder_side: str, side: Side) -> None:
    table = table_of("E K1 K2 D C1", elder_side=elder_side)
    assert table.side(1) is side
    assert table.who(Role.KILLER) == (2, 3)


@pytest.mark.parametrize("reveal", ["side", "role"])
def test_r_elder_shows_as_no_killer(reveal: str) -> None:
    table = table_of("E K1 K2 D P C1 C2 C3", elder_side="killers", reveal_on_vote=reveal)
    play(judged(table, Verdict((1,)), table.living), passing)
    assert told(table, VotedOut) == [VotedOut(1, "good" if reveal == "side" else "elder")]


def test_a0_78_all_the_tied_die_and_both_conditions_hold() -> None:
    table = table_of("D K1 C1 C2", tie="all")
    assert play(judged(table, Verdict((1, 2)), table.living), passing).result == Outcome("draw", "S0-70")


def test_a1_43_the_last_killer_killed_by_his_own() -> None:
    def kills_himself(request: Request) -> Answer:
        return Answer(target=request.seat) if request.kind == "kill" else passing(request)

    table = table_of("K1 P1 C1 C2", "classic")
    assert play(classic(table), kills_himself).result == Outcome("good", "S1-75")


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_a0_67_a1_39_a_decided_game_is_over(game: str) -> None:
    """No last words of the death that decided it, no speech after it."""
    cards = "K1 P1 C1 C2" if game == "classic" else "K1 P1 C1"
    seats = Seats(cards)

    def kill(request: Request) -> Answer:
        return Answer(target=seats["P1"]) if request.kind == "kill" else passing(request)

    table = table_of(cards, game)
    played = play((classic if game == "classic" else butterfly)(table), kill)
    assert played.result.winner == "killers"
    assert {request.kind for request in played.asked()} == {"kill", "check"}
    late = table_of(cards, game, last_words_at_end=True)
    play((classic if game == "classic" else butterfly)(late), kill)
    assert [words.by for words in told(late, LastWords)] == [seats["P1"]]


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize("max_days", [1, 3])
def test_r_cap_a_game_without_end_is_a_draw(game: str, max_days: int) -> None:
    cards, options = SEATED[game]
    table = table_of(cards, game, max_days=max_days, abstain="allowed", tie="nobody", **options)
    assert play((classic if game == "classic" else butterfly)(table), passing).result == DAY_CAP
    assert table.day == max_days


@pytest.mark.parametrize("game", ["classic", "butterfly"])
@pytest.mark.parametrize("first_phase", ["night", "day"])
def test_a0_76_the_first_phase(game: str, first_phase: str) -> None:
    cards, options = SEATED[game]
    table = table_of(cards, game, max_days=2, first_phase=first_phase, abstain="allowed", tie="nobody", **options)
    played = play((classic if game == "classic" else butterfly)(table), passing)
    phases = [request.id[:2] for request in played.asked()]
    assert list(dict.fromkeys(phases)) == (["n1", "d1", "n2", "d2"] if first_phase == "night" else ["d1", "n2", "d2"])
