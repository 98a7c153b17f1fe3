"""Whole games through `game.py`: the two worked games of the rules page, single scenes, and
random games under many options."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from .game import Position, play, view
from .options import Options, entries, resolve
from .setups import setup
from .story import BadHistory, Request, Wave, fits

Player = Callable[[Request, Position], dict[str, Any]]


def drive(
    options: Options, roles: list[str], player: Player, draws: list[int], most: int = 4000
) -> tuple[Position, list[Wave]]:
    """Play on until the game is over, a draw is missing, or `most` waves are answered."""
    history: list[Wave] = []
    position = play(options, roles, draws, history)
    while position.open and len(history) < most:
        history.append({r.key: player(r, position) for r in position.open})
        position = play(options, roles, draws, history)
    return position, history


def facts(position: Position, kind: str, day: int) -> list[dict[str, Any]]:
    return [f for f in position.told() if f["kind"] == kind and f["day"] == day]


def speakers(position: Position, kind: str, day: int) -> list[int]:
    return [f["by"] for f in facts(position, kind, day)]


def asked(position: Position, kinds: str, day: int) -> list[int]:
    """Seats asked, in order, in the waves of a day (counted from its dawn on)."""
    order: list[int] = []
    for told, wave in position.asked:
        today = sum(f.kind == "dawn" for f in position.facts[:told])
        order += [r.seat for r in wave if r.kind in kinds.split() and today == day]
    return order


BUTTERFLY_ROLES = [
    "civilian", "killer", "doctor", "civilian", "butterfly", "killer", "police",
    "civilian", "sniper", "killer", "elder", "civilian", "civilian",
]  # fmt: skip
BUTTERFLY_NIGHTS = {
    1: {"carry": 1, "shoot": 12, "kill": 4, "needle": 8, "check": 10, "silence": 2},
    2: {"carry": 13, "shoot": 8, "kill": 5, "needle": 5, "check": 2, "silence": 7},
    3: {"carry": 2, "shoot": 6, "kill": 7, "needle": 13, "check": 6, "silence": 13},
}
BUTTERFLY_VOTES = {
    1: {13: 10, 1: 10, 2: 7, 3: 10, 5: 10, 6: 7, 7: 10, 8: 7, 9: 10, 10: 7, 11: 10},
    2: {7: 2, 6: 9, 5: 2, 3: 2, 2: 9, 1: 9, 13: 6, 11: 9, 9: 2},
    3: {1: 2, 2: 1, 3: 2, 5: 2, 7: 2, 9: 2, 11: 2},
}


def current_day(position: Position) -> int:
    return 1 + sum(f.kind == "dawn" for f in position.facts)


def butterfly_player(request: Request, position: Position) -> dict[str, Any]:
    day = current_day(position)
    if request.kind in BUTTERFLY_NIGHTS[1]:
        return {"target": BUTTERFLY_NIGHTS[day][request.kind]}
    if request.kind in ("vote", "speech_and_vote"):
        return {"target": BUTTERFLY_VOTES[day - 1][request.seat], "text": "…"}
    return {"text": "over"}


def test_worked_butterfly_game() -> None:
    game, _ = drive(resolve("butterfly"), BUTTERFLY_ROLES, butterfly_player, [])
    assert game.outcome and (game.outcome.winner, game.outcome.day) == ("good", 3)
    nights = [facts(game, "resolved", day)[0] for day in (1, 2, 3)]
    assert [n["deaths"] for n in nights] == [{4: ["kill"], 12: ["shot"]}, {8: ["shot"]}, {6: ["shot"], 13: ["needles"]}]
    assert [n["saved"] for n in nights] == [[], [5], []]
    assert [n["empty_needles"] for n in nights] == [[8], [13], [13]]
    assert [n["needles"] for n in nights] == [{8: 1}, {8: 1, 13: 1}, {8: 1, 13: 2}]
    assert [facts(game, "silenced", d)[0]["seats"] for d in (1, 2, 3)] == [[2], [7], [13]]
    assert [facts(game, "checked", d)[0]["answer"] for d in (1, 2, 3)] == ["nod"] * 3
    assert [speakers(game, "last_words", d) for d in (1, 2, 3)] == [[4, 12], [8], [6]]
    for day, order in BUTTERFLY_VOTES.items():
        assert asked(game, "vote speech_and_vote", day) == list(order)
        ballots = [f["ballots"] for f in facts(game, "ballots", day)]
        assert ballots == [{voter: choice} for voter, choice in order.items()]
    assert asked(game, "vote", 1) == [2] and asked(game, "vote", 2) == [7]
    assert [f["seat"] for d in (1, 2, 3) for f in facts(game, "voted_out", d)] == [10, 2]
    assert [f["reveal"] for d in (1, 2, 3) for f in facts(game, "voted_out", d)] == ["killers"] * 2
    tie = facts(game, "tied", 2)[0]
    assert (sorted(tie["seats"]), tie["next"]) == ([2, 9], "nobody")


CLASSIC_ROLES = ["police" if s in (4, 8, 12) else "killer" if s in (2, 6, 11) else "civilian" for s in range(1, 13)]
CLASSIC_NIGHTS: dict[int, dict[str, dict[int, int | None]]] = {
    1: {"kill": {2: 5, 6: 5, 11: None}, "check": {4: 6, 8: 6, 12: 6}},
    2: {"kill": {2: 8, 11: 8}, "check": {4: 11, 8: 11, 12: 11}},
    3: {"kill": {2: 12, 11: None}, "check": {4: 3, 12: 3}},
    4: {"kill": {2: 1}, "check": {4: 7}},
}
TIED = {9: 11, 10: 11, 11: 9, 12: 11, 1: 9, 2: 9, 3: 9, 4: 11}
CLASSIC_VOTES: dict[int, list[dict[int, int]]] = {
    1: [{6: 4, 7: 6, 8: 6, 9: 6, 10: 6, 11: 4, 12: 6, 2: 4, 3: 6, 4: 6}],
    2: [TIED, TIED, TIED | {7: 9}],
    3: [{1: 11, 2: 1, 3: 11, 4: 11, 7: 11, 10: 11, 11: 1}],
    4: [{2: 10, 3: 2, 4: 2, 7: 2, 10: 2}],
}


def classic_player(request: Request, position: Position) -> dict[str, Any]:
    day = current_day(position)
    if request.kind in ("kill", "check"):
        return {"target": CLASSIC_NIGHTS[day][request.kind][request.seat]}
    if request.kind in ("hand", "vote"):
        assert request.round
        choice = CLASSIC_VOTES[day - 1][request.round - 1].get(request.seat)
        return {"target": choice, "raise": choice == request.options[0]}
    return {"text": "過"}


@pytest.mark.parametrize("form", ["called", "simultaneous", "secret"])
def test_worked_classic_game(form: str) -> None:
    options = resolve({"preset": "classic", "vote_form": form})
    game, _ = drive(options, CLASSIC_ROLES, classic_player, [])
    assert game.outcome and (game.outcome.winner, game.outcome.day) == ("good", 4)
    days = (1, 2, 3, 4)
    assert [facts(game, "dawn", d)[0]["dead"] for d in days] == [[5], [8], [12], [1]]
    answers = [facts(game, "checked", d)[0]["answer"] for d in days]
    assert answers == ["nod", "nod", "shake", "shake"]
    assert [speakers(game, "last_words", d) for d in days] == [[5, 6], [8], [], []]
    assert speakers(game, "speech", 1) == [6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4]
    said = [(f["by"], f["stage"]) for f in facts(game, "speech", 2)]
    assert [s for s, stage in said if stage == "round"] == [9, 10, 11, 12, 1, 2, 3, 4, 7]
    assert [s for s, stage in said if stage == "pk"] == [9, 11]
    assert [s for s, stage in said if stage == "off_field"] == [10, 12, 1, 2, 3, 4, 7]
    assert speakers(game, "speech", 4) == [2, 3, 4, 7, 10]
    assert [f["seat"] for d in days for f in facts(game, "voted_out", d)] == [6, 9, 11, 2]
    assert [f["next"] for f in facts(game, "tied", 2)] == ["pk", "off_field"]
    shown = [f.get("totals") for f in facts(game, "ballots", 2)]
    assert shown[-1] == (None if form != "secret" else {9: 5, 11: 4})


def test_called_vote_asks_each_once_and_the_last_call_is_compulsory() -> None:
    options = resolve("classic")
    game, _ = drive(options, CLASSIC_ROLES, classic_player, [])
    off = [wave for _, wave in game.asked if wave[0].kind == "hand" and wave[0].round == 3]
    assert [wave[0].options for wave in off] == [(9,), (11,)]
    assert [r.seat for r in off[1]] == [4, 9, 10, 12]
    assert all(r.may_pass for r in off[0]) and not any(r.may_pass for r in off[1])


def test_mute_butterfly_only_votes() -> None:
    options = resolve({"preset": "butterfly", "channel": "mute"})
    game, _ = drive(options, BUTTERFLY_ROLES, butterfly_player, [])
    kinds = {r.kind for _, wave in game.asked for r in wave}
    assert kinds == {*BUTTERFLY_NIGHTS[1], "vote"}
    assert game.outcome and game.outcome.winner == "good"


def test_demand_opens_a_pk_instead_of_the_vote() -> None:
    options = resolve({"preset": "classic-arena", "round_pk": "on"})
    roles = ["killer", "killer", *["civilian"] * 4]

    def player(request: Request, position: Position) -> dict[str, Any]:
        if request.kind == "demand":
            return {"targets": {3: [1, 2], 5: [1, 4]}.get(request.seat)}
        return {"target": 1 if request.kind == "vote" else None}

    game, _ = drive(options, roles, player, [], most=11)
    wave = next(w for _, w in game.asked if w[0].kind == "demand")
    assert [r.seat for r in wave] == [1, 2, 3, 4, 5, 6] and wave[2].options == (1, 2, 4, 5, 6)
    demands = [(f["by"], f["honoured"]) for f in facts(game, "demanded", 1)]
    assert demands == [(3, True), (5, False)]
    said = [(f["by"], f["stage"]) for f in facts(game, "speech", 1)]
    assert said[6:] == [(1, "pk"), (2, "pk")]
    assert facts(game, "voted_out", 1)[0]["seat"] == 1


def test_all_tied_die_together_and_quota_counts_in_the_order_of_the_day() -> None:
    rules = {"preset": "butterfly", "tie": "all", "last_words": "quota", "elder_side": "killers"}
    options = resolve(rules | {"executed_last_words": "both"})
    roles = BUTTERFLY_ROLES
    choice = {s: (4, 1, 12, 8)[s % 4] for s in range(1, 13)} | {13: 13}

    def player(request: Request, position: Position) -> dict[str, Any]:
        return {"target": choice[request.seat] if request.kind.endswith("vote") else None}

    game, _ = drive(options, roles, player, [], most=17)
    assert facts(game, "tied", 1)[0]["next"] == "all"
    assert [f["seat"] for f in facts(game, "voted_out", 1)] == [1, 4, 8, 12]
    assert speakers(game, "last_words", 1) == [1, 4, 8]


def test_a_missing_draw_is_named_and_a_wrong_one_refused() -> None:
    options = resolve({"preset": "classic-arena", "council_rounds": 1})
    wave: Wave = {
        "kill:2": {"target": 1},
        "kill:6": {"target": 3},
        "kill:11": {"target": None},
        **{f"check:{s}": {"target": None} for s in (4, 8, 12)},
    }
    assert play(options, CLASSIC_ROLES, [], [wave]).wanted == ("kill_tie", (1, 3))
    with pytest.raises(BadHistory):
        play(options, CLASSIC_ROLES, [2], [wave])
    game = play(options, CLASSIC_ROLES, [3], [wave])
    assert facts(game, "dawn", 1)[0]["dead"] == [3]


def test_round_one_by_day_only() -> None:
    options = resolve({"preset": "butterfly", "first_phase": "day"})
    game = play(options, BUTTERFLY_ROLES, [], [])
    assert [(r.seat, r.kind) for r in game.open] == [(1, "speech_and_vote")]

    def player(request: Request, position: Position) -> dict[str, Any]:
        return {"target": request.seat if request.kind.endswith("vote") else None}

    game, history = drive(options, BUTTERFLY_ROLES, player, [], most=15)
    assert {f.day for f in game.facts if f.kind == "stated"} == {2}
    assert game.open[0].seat == 12 and len(history) == 15


def test_cap_is_a_draw() -> None:
    options = resolve({"preset": "butterfly", "max_days": 2})

    def player(request: Request, position: Position) -> dict[str, Any]:
        return {"absent": True}

    game, _ = drive(options, BUTTERFLY_ROLES, player, [])
    assert game.outcome and (game.outcome.reason, game.outcome.day) == ("R-CAP", 2)


def random_rules(rng: random.Random, game: str) -> dict[str, Any]:
    """A legal mix of options of one game."""
    while True:
        spec: dict[str, Any] = {"game": game}
        for entry in entries(game):
            values = entry["values"][game] if isinstance(entry["values"], dict) else entry["values"]
            if values == "boolean":
                values = [False, True]
            if isinstance(values, list) and rng.random() < 0.4:
                spec[entry["name"]] = rng.choice(values)
        spec |= {"max_days": rng.randint(2, 9), "council_rounds": rng.randint(1, 3)}
        try:
            return resolve(spec)
        except ValueError:
            continue


def random_answer(rng: random.Random, request: Request) -> dict[str, Any]:
    """A legal answer to any request."""
    roll = rng.random()
    if roll < 0.05:
        return {"absent": True}
    if request.kind == "demand":
        wants = roll < 0.3 and len(request.options) > 1
        return {"targets": rng.sample(request.options, 2) if wants else None}
    if request.kind == "hand":
        return {"raise": roll < 0.3 or not request.may_pass}
    passes = request.may_pass and (roll < 0.2 or not request.options)
    return {"text": "…", "target": None if passes else rng.choice(request.options)}


def check_position(options: Options, roles: list[str], game: Position) -> None:
    """What must hold in every position."""
    dead = {s for f in game.facts if f.kind == "dawn" for s in f.data["dead"]}
    dead |= {f.data["seat"] for f in game.facts if f.kind == "voted_out"}
    kinds = {r.kind for r in game.open}
    assert kinds == {"last_words"} or not dead & {r.seat for r in game.open}
    assert len({r.seat for r in game.open}) == len(game.open)
    assert sum(map(bool, (game.open, game.outcome, game.wanted))) == 1
    for seat in range(1, len(roles) + 1):
        known = view(options, game.facts, seat)
        assert options["dead_view"] == "all" or all(f.audience != "judge" for f in known)


@pytest.mark.parametrize("seed", range(60))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    options = random_rules(rng, "classic" if seed % 2 else "butterfly")
    counts = setup(options, rng.choice([7, 9] if seed % 2 else [11, 13, 18]))
    assert counts
    roles = [role for role, n in counts.items() for _ in range(n)]
    rng.shuffle(roles)
    history: list[Wave] = []
    draws: list[int] = []
    told: list[dict[str, Any]] = []
    while True:
        game = play(options, roles, draws, history)
        check_position(options, roles, game)
        assert game.told()[: len(told)] == told
        told = game.told()
        if game.outcome:
            break
        if game.wanted:
            draws.append(rng.choice(game.wanted[1]))
            continue
        wave = {r.key: random_answer(rng, r) for r in game.open}
        assert all(fits(r, wave[r.key]) for r in game.open)
        history.append(wave)
    assert told[-2]["kind"] == "over"
