"""Controls, levels and the minimum protocol: what is compared, against what, and what a plan lacks."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from pathlib import Path

import pytest

from tianhei.arena.roles import Role
from tianhei.arena.tournament.boards import Board, Game, games, pool_at
from tianhei.arena.tournament.controls import contrasts, difference
from tianhei.arena.tournament.figures import figures
from tianhei.arena.tournament.levels import normalised
from tianhei.arena.tournament.minimum import POINTS, protocol
from tianhei.arena.tournament.plan import Arm, Plan, PlanError
from tianhei.arena.tournament.ratings import Played, rate
from tianhei.arena.tournament.report import LANGS, leader, words_of
from tianhei.arena.tournament.results import Row
from tianhei.arena.tournament.sections import sections
from tianhei.prompts.pack import packs, variants

from .plans import plan

DEAL = (Role.KILLER, Role.POLICE, Role.CIVILIAN, Role.CIVILIAN)


def played(board: int, killers: str, town: str, winner: str, arm: Arm = "full", asked: str = "m") -> Row:
    game = Game("duplicate", Board(plan().tables[0], board, f"seed {board}", DEAL, "en", 1), arm,
                (killers, town, town, town))  # fmt: skip
    return Row(game, winner, "", 3, "", asked={killers: asked, town: asked})


def test_a_difference_is_paired_and_its_interval_is_over_boards() -> None:
    """Four boards of one pair each, differences 1, 0, 0, 1: mean .5, error by hand, t of three degrees."""
    won = (("good", "killers"), ("good", "good"), ("good", "good"), ("good", "killers"))
    rows = [one for board, (mute, full) in enumerate(won)
            for one in (played(board, "a", "b", mute, "mute"), played(board, "a", "b", full))]  # fmt: skip
    found = contrasts(rows, ["a", "b"])["talk"]
    one = found["a"]["killers"]
    assert (one.value, one.pairs, one.boards) == (0.5, 4, 4)
    error = sqrt(4 / 3 * 4 * 0.25) / 4
    assert one.high == pytest.approx(0.5 + 3.182446 * error, abs=1e-5)
    assert found["b"]["town"].value == -0.5 and "town" not in found["a"]


def test_only_games_of_the_same_board_and_seats_are_compared() -> None:
    rows = [played(0, "a", "b", "killers"), played(1, "a", "b", "good", "mute"), played(0, "b", "a", "good", "mute")]
    assert contrasts(rows, ["a", "b"]) == {}
    assert difference([("x", 1.0)]).low is None, "one board carries no interval"


def test_games_of_one_board_are_one_cluster() -> None:
    apart = difference([(str(place), value) for place, value in enumerate((1.0, 0.0, 1.0, 0.0, 1.0, 0.0))])
    joined = difference([(str(place // 2), value) for place, value in enumerate((1.0, 1.0, 0.0, 0.0, 1.0, 0.0))])
    assert apart.low is not None and joined.low is not None
    assert apart.value == joined.value == 0.5 and joined.low < apart.low


def test_the_uninformed_stand_at_zero_and_the_ceiling_at_one() -> None:
    """Against b: the uninformed win 1 of 4 as killers and 0 of 4 as good, the oracle 4 of 4; a wins 2 and 2."""
    wins = {"a": (2, 2), "uninformed": (1, 0), "oracle": (0, 4)}
    rows = [
        row
        for name, (killing, good) in wins.items()
        for board in range(4)
        for row in (
            played(board, name, "b", "killers" if board < killing else "good"),
            played(board, "b", name, "good" if board < good else "killers"),
        )
    ]
    found = normalised(rows, ["a", "b"])
    assert found["a"].reached == 0.5 and found["a"].floor == 0.125 and found["a"].ceiling == 1.0
    assert found["a"].value == pytest.approx((0.5 - 0.125) / 0.875)
    assert found["a"].low < found["a"].value < found["a"].high
    assert "b" not in found, "floor and ceiling never met a"


def test_what_it_is_worth_to_be_of_one_player_comes_back() -> None:
    """Good teams of one player win 80 of 100, of two players 50 of 100: log 4 apart."""
    games = [
        Played(
            "t", str(board), town, ["k", "k"] if board % 2 else ["k", "l"], "good" if board % 10 < wins else "killers"
        )
        for board in range(400)
        for town, wins in ((["a", "a"] if board % 20 < 10 else ["b", "b"], 8), (["a", "b"], 5))
    ]
    found = rate(games).same["town"]
    assert found.low < 240.8 < found.high and found.value == pytest.approx(240.8, abs=25)
    assert rate([one for one in games if len(set(one.town)) == 1 and len(set(one.killers)) == 1]).same == {}


def test_unlike_games_are_not_pooled() -> None:
    rows = [played(0, "a", "b", "good"), played(1, "a", "b", "good", asked="m of another day")]
    with pytest.raises(PlanError, match=r"a was asked otherwise .* unlike games are not pooled"):
        figures(plan(), 2, rows)
    one, other = (figures(plan(), 1, [played(0, "a", "b", "good", asked=asked)]).season for asked in ("m", "n"))
    assert one != other


def test_controls_and_lines_are_no_part_of_the_headline() -> None:
    rows = [played(board, *sides, "killers", arm) for board in range(3) for sides in (("a", "b"), ("b", "a"))
            for arm in ("full", "mute")]  # fmt: skip
    found = figures(plan(arms=["mute"]), 12, rows)
    assert found.finished == 12 and found.ratings is not None and found.ratings.games == 6


@pytest.mark.parametrize(("anchors", "why"), [((), "standing_anchors"), (("uninformed", "oracle"), "standing_close")])
def test_an_empty_standing_says_why(anchors: tuple[str, ...], why: str) -> None:
    rows = [played(board, *sides, "killers") for board in range(3) for sides in (("a", "b"), ("b", "a"))]
    found = figures(plan(anchors=anchors), 6, rows)
    for lang in LANGS:
        said = words_of(lang)
        headline = next(part for part in sections(found, said, lang, "") if part.title == said["headline"])
        assert headline.note.endswith(said[why])


def test_a_seat_among_the_pool_is_held_against_the_pool_s_own() -> None:
    """Of four boards the seat's side wins three with the player and one with the pool: it adds half a point."""
    made = plan(tracks=["focal"], players={"a": "random"}, pool=["scripted"], anchors=[], boards=4)
    won = {"a": (True, True, True, False), "scripted": (False, True, False, False)}
    found = figures(made, 8, focal_rows(made, lambda name, game: won[name][game.board.number]))
    assert list(found.focal) == ["a", "scripted"]
    assert all(sum(rate.games for rate in of.sides.values()) == 4 for of in found.focal.values())
    adds = found.focal["a"].adds
    assert adds is not None and (adds.value, adds.pairs, adds.boards) == (0.5, 4, 4)
    assert found.focal["scripted"].adds is None, "nobody is held against itself"
    said = words_of("en")
    shown = {part.title: part for part in sections(found, said, "en", "")}
    assert [row[0] for row in shown[said["focal"]].rows] == ["a", "scripted"]
    assert shown[said["focal"]].rows[0][3].startswith("+50.0 [")
    assert said["unrated_nothing"] in shown[said["headline"]].text and "no_strangers" not in found.limits


def test_a_pool_of_two_that_anchors_are_of_has_the_right_one_in_each_seat() -> None:
    """The pool's own wins on even boards, anchors in its place on odd ones; replicates are of one board."""
    made = plan(tracks=["focal"], players={"a": "random"}, pool=["scripted", "solver"], anchors=["solver"], boards=6,
                replicates=2)  # fmt: skip

    def wins(name: str, game: Game) -> bool:
        own = game.seats == tuple(pool_at(made, game.board))
        return game.board.number % 2 == (0 if own else 1) if name != "a" else game.replicate == 1

    rows = focal_rows(made, wins)
    adds = figures(made, len(rows), rows).focal["a"].adds
    assert adds is not None and (adds.pairs, adds.boards) == (12, 6)
    assert adds.value == pytest.approx(0.5 - 0.5)
    by_hand = [(f"{number}", (replicate == 1) - (number % 2 == 0)) for number in range(6) for replicate in (1, 2)]
    assert adds.high == pytest.approx(difference(by_hand).high)


def focal_rows(made: Plan, wins: Callable[[str, Game], bool]) -> list[Row]:
    """A row for each game of the track, in which the seat's side wins as told."""
    found = []
    for game in games(made, made.count):
        assert game.focus is not None
        is_killer = game.board.deal[game.focus - 1] is Role.KILLER
        won = is_killer == wins(game.seats[game.focus - 1], game)
        found.append(Row(game, "killers" if won else "good", "", 3, ""))
    return found


def test_one_player_alone_has_no_rating_and_leads_nobody() -> None:
    made = plan(tracks=["focal", "mixed"], players={"a": "random"}, pool=["scripted"], anchors=[])
    rows = [Row(game, "good", "", 3, "") for game in games(made, 3)]
    found = figures(made, len(rows), rows)
    assert found.ratings is None and found.tracks == {}
    assert leader(found) == "No ratings: one player alone is compared with nobody."


def test_each_track_has_ratings_of_its_own_where_there_are_several() -> None:
    rows = [played(board, *sides, "killers") for board in range(6) for sides in (("a", "b"), ("b", "a"))]
    assert figures(plan(), 12, rows).tracks == {}
    mixed = [
        Row(game, "good" if game.seats[0] == "a" else "killers", "", 3, "") for game in games(plan(tracks=["mixed"]), 6)
    ]
    found = figures(plan(tracks=["duplicate", "mixed"]), 24, [*rows, *mixed])
    assert list(found.tracks) == ["duplicate", "mixed"] and found.ratings is not None
    assert [of.games for of in found.tracks.values()] == [12, len(mixed)]
    assert found.ratings.games == 12 + len(mixed)
    said = words_of("zh")
    (shown,) = (part for part in sections(found, said, "zh", "") if part.title == said["tracks"])
    assert shown.head[1:] == [said["track_duplicate"], said["track_mixed"]]


@pytest.mark.parametrize("winner", ["good", "killers"])
def test_differences_put_the_stronger_first_and_places_add_up(winner: str) -> None:
    sides = [("a", "b", winner), ("b", "a", "killers" if winner == "good" else "good")]
    rows = [played(board, killers, town, won) for board in range(8) for killers, town, won in sides]
    found = figures(plan(), len(rows), rows)
    assert found.ratings is not None
    for lang in LANGS:
        said = words_of(lang)
        shown = {part.title: part for part in sections(found, said, lang, "")}
        ((stronger, other, by, p, holm),) = shown[said["differences"]].rows
        assert (stronger, other) == (("a", "b") if winner == "killers" else ("b", "a"))
        best, worst = found.ratings.overall[stronger], found.ratings.overall[other]
        assert by.startswith(f"+{best.value - worst.value:.0f} [+")
        assert p == holm and float(p.removeprefix("< ")) < 0.05, "one pair: nothing to correct"
        for row in shown[said["ranks"]].rows:
            assert row[1:] == [f"{chance:.0%}" for chance in found.ratings.ranks[row[0]]]
            assert sum(found.ratings.ranks[row[0]]) == pytest.approx(1)
        found.limits = ("hinged",)
        assert not {said["differences"], said["ranks"]} & {part.title for part in sections(found, said, lang, "")}
        found.limits = ()


def test_the_protocol_says_what_a_plan_lacks() -> None:
    text = "\n".join(protocol(None))
    assert all(f"{number}. {point.asks}" in text for number, point in POINTS.items()) and "LACKS" not in text
    lacking = "\n".join(protocol(plan()))
    for lack in ("the table bench-13b", "a language model for a", "a beacon", "the anchor solver", "boards = 40",
                 "variants = [1, 2, 3]", "the arm renamed"):  # fmt: skip
        assert lack in lacking
    whole = plan(
        boards=40, tables=[{"rules": "bench-10"}, {"rules": "bench-13b"}], languages=["en", "zh"], beacon="x",
        variants=[1, 2, 3], arms=["mute", "claims_only", "renamed", "claims_off"], arms_every=4,
        anchors=["uninformed", "reveal-police", "scripted-liar", "solver"],
        players={"a": "openai/gpt-4o-2024-11-20?temperature=1&max_tokens=700", "b": "local",
                 "c": "openai/gpt-4o-mini?temperature=1&max_tokens=700"},
    )  # fmt: skip
    assert list(protocol(whole))[-1] == "small: 8 points met, 0 lacking, 2 to be shown by hand"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_file_of_words_holds_the_canary(lang: str) -> None:
    root = Path(__file__).parents[2] / "prompts" / lang
    mark = "5e2c1f0a-8d64-4b0b-9c3e-7a51d0f6b2e9"
    for name in packs(lang):  # type: ignore[arg-type]
        for number in variants(name, lang):  # type: ignore[arg-type]
            assert mark in (root / name / f"{number}.toml").read_text(encoding="utf-8"), f"{name}/{number}"
