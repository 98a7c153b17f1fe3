"""The card: groups, chances, intervals, seats that were taken over; ratings' inputs; the page about it all."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from pytest import approx

from metrics.hand import Hand, claim
from tianhei.transcripts.columns.schema import Tables, concat
from tianhei.transcripts.metrics import card
from tianhei.transcripts.metrics.bootstrap import interval, weights
from tianhei.transcripts.metrics.card import BY, Group, Row, Tally
from tianhei.transcripts.metrics.catalogue import BEYOND, FIELDS, METRICS, core, entries, page, sections_of
from tianhei.transcripts.metrics.frame import Frame
from tianhei.transcripts.metrics.games import Games, Played
from tianhei.transcripts.metrics.measure import Metric
from tianhei.transcripts.metrics.tell import LEAST, STEPS, TELL, Spoken, tell
from tianhei.transcripts.metrics.trio import trio
from tianhei.transcripts.takeovers import is_taken_over

CARDS = "KKPPCCCC"
PLAYERS = ["a", "a", *["b"] * 6]


def voted(number: int, hits: int, *, board: str | None = None) -> Tables:
    """A game in which `hits` of four civilians hit a killer."""
    game = Hand(CARDS, name=f"game {number}", players=PLAYERS, board=board)
    game.votes(1, {seat: 1 if seat - 4 <= hits else 3 for seat in range(5, 9)})
    return game.tables


def row(tally: Tally, code: str, group: Group, by: str = "model", resamples: int = 500) -> Row:
    (found,) = (one for one in tally.rows(by, resamples=resamples)  # type: ignore[arg-type]
                if (one.code, one.group) == (code, group))  # fmt: skip
    return found


def test_a_card_sums_games_and_batches() -> None:
    """Three of four and one of four hit: 4/8; by chance 2/7."""
    tally = Tally()
    tally.add(voted(1, 3))
    tally.add(voted(2, 1))
    found = row(tally, "V1", Group("b"))
    assert (found.value, found.chance, found.n, found.boards) == approx((0.5, 2 / 7, 8, 2))
    assert found.low is None, "two boards carry no interval"
    assert row(tally, "V1", Group("a")).value is None
    assert row(tally, "V1", Group("b", "good", "civilian"), "role").value == approx(0.5)
    assert row(tally, "V1", Group("b", "good", "police"), "role").value is None


@pytest.mark.parametrize("by", BY)
def test_every_figure_stands_for_every_group(by: str) -> None:
    tally = Tally()
    tally.add(voted(1, 3))
    groups = {"model": 2, "side": 2, "role": 3}[by]
    rows = tally.rows(by, resamples=100)  # type: ignore[arg-type]
    assert {one.code for one in rows} & {"O1", "O1s", "O3", "O3s"} == {
        "model": {"O1", "O3"}, "side": {"O1s", "O3s"}, "role": set[str](),
    }[by]  # fmt: skip
    assert len({one.group for one in rows}) == groups
    assert len(rows) == groups * len({one.code for one in rows})


def test_the_interval_resamples_boards_with_all_their_games() -> None:
    """By hand: the same draws of boards, each with both of its games."""
    random = Random(1)
    hits = [[random.randrange(5) for _ in range(2)] for _ in range(12)]
    tally = Tally()
    for board, pair in enumerate(hits):
        tally.add(concat([voted(board * 2 + place, hit, board=str(board)) for place, hit in enumerate(pair)]))
    found = row(tally, "V1", Group("b"), resamples=800)
    drawn = weights(12, 800, 0)
    rates = [sum(times * sum(pair) for times, pair in zip(draw, hits, strict=True)) / (8 * 12) for draw in drawn]
    assert found.boards == 12
    assert (found.low, found.high) == approx(tuple(np.percentile(rates, [2.5, 97.5])))


def test_boards_beyond_a_number_share_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """12 boards in 8 blocks: the same value, n and number of boards, and an interval of the 8 sums."""
    monkeypatch.setattr(card, "MOST_BLOCKS", 8)
    random = Random(1)
    hits = [random.randrange(5) for _ in range(12)]
    tally = Tally()
    for board, each in enumerate(hits):
        tally.add(voted(board, each, board=str(board)))
    found = row(tally, "V1", Group("b"), resamples=800)
    blocks = np.array([[sum(hits[block::8]), 4 * len(hits[block::8])] for block in range(8)])
    drawn = weights(8, 800, 0) @ blocks
    assert (found.value, found.n, found.boards) == approx((sum(hits) / 48, 48, 12))
    assert (found.low, found.high) == approx(tuple(np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])))


@pytest.mark.parametrize("metric", [one for one in METRICS if one.sums_of], ids=lambda one: one.code)
def test_shared_sums_are_the_same(metric: Metric) -> None:
    """On a game with votes, beliefs and claims."""
    game = Hand(CARDS)
    game.says(1, 1, claims=[claim("role", 1, "police", "lie", lie_type="fabrication")])
    game.believes(5, 1, {1: 0.4, 3: 0.7, 6: 0.1})
    game.votes(1, {5: 1, 6: 3})
    other = next(one for one in METRICS if one.code == metric.sums_of)
    frame = Frame(game.tables)
    assert metric.count(frame).tolist() == other.count(Frame(game.tables)).tolist()
    assert metric.count(frame).any()


def test_intervals_hold_what_they_promise() -> None:
    """Games of one rate, 40 boards: about 95 of 100 intervals hold it; at least 85 here."""
    random = Random(2)
    held = 0
    for _ in range(100):
        rates = np.array([[sum(random.random() < 0.3 for _ in range(4))] for _ in range(40)], dtype=float)
        ends = interval((weights(40, 400, 1) @ rates)[:, 0] / 160, 40)
        assert ends is not None
        held += ends[0] <= 0.3 <= ends[1]
    assert held >= 85


def test_few_boards_carry_no_interval() -> None:
    assert interval(np.linspace(0, 1, 100), 4) is None
    assert interval(np.full(100, np.nan), 40) is None
    assert interval(np.linspace(0, 1, 101), 5) == approx((0.025, 0.975))


def test_open_games_are_left_out() -> None:
    tally = Tally()
    tally.add(concat([Hand(CARDS, None, name="open").tables, voted(1, 1)]))
    assert (tally.left_out, len(tally.games)) == (1, 1)
    tally.add(Hand(CARDS, None, name="another").tables)
    assert (tally.left_out, len(tally.games)) == (2, 1)


def test_a_game_does_not_count_twice() -> None:
    tally = Tally()
    tally.add(voted(1, 1))
    with pytest.raises(ValueError, match="twice"):
        tally.add(voted(1, 1))
    with pytest.raises(ValueError, match="twice"):
        Tally().add(concat([voted(1, 1), voted(1, 1)]))


def taken() -> Tables:
    """A game whose seat 5 had a model, but a bot answered once; 5 alone voted."""
    game = Hand(CARDS, models=["m"] * 8)
    game.votes(1, {5: 1})
    for seat in range(1, 9):
        game.asked(seat, "model")
    game.asked(5, "bot")
    game.asked(6, "fallback", fallback_cause="illegal")
    return game.tables


def test_seats_that_were_taken_over_are_left_out() -> None:
    tally, keeping = Tally(), Tally(taken_over=True)
    for each in (tally, keeping):
        each.add(taken())
        assert each.taken_over == 1
    assert row(tally, "V1", Group("m")).n == 0
    assert row(keeping, "V1", Group("m")).n == 1
    assert row(tally, "I1", Group("m")).n == 8, "a fallback takes no seat over"


@pytest.mark.parametrize("source", ["bot:takeover", "bot:stand-in"])
def test_a_persons_seat_that_a_bot_played_for_a_while_is_left_out(source: str) -> None:
    game = Hand(CARDS, players=["human"] * 8)
    for seat in range(1, 9):
        game.asked(seat, "human")
    game.asked(3, source)
    tally = Tally()
    tally.add(game.tables)
    assert tally.taken_over == 1


@pytest.mark.parametrize(
    ("sources", "has_model", "taken"),
    [
        ((), True, False),
        (("model", "fallback", "deleted"), True, False),
        (("human",), False, False),
        (("bot",), False, False),
        (("agent",), False, False),
        (("bot:takeover",), False, True),
        (("bot:stand-in",), True, True),
        (("human", "bot:takeover"), False, True),
        (("human", "bot"), False, True),
        (("model", "human"), True, True),
        (("bot",), True, True),
        (("human",), True, True),
        (("model",), False, True),
    ],
)
def test_when_a_seat_was_taken_over(sources: tuple[str, ...], has_model: bool, taken: bool) -> None:
    assert is_taken_over(sources, has_model=has_model) is taken
    game = Hand(CARDS, models=["m" if has_model else None] * 8)
    for source in sources:
        game.asked(4, source)
    assert Frame(game.tables).taken_over.tolist() == [seat == 4 and taken for seat in range(1, 9)]


def test_a_game_with_such_a_seat_rates_nobody() -> None:
    """Beside it a game without one. What the other seats of both did counts."""
    tally, keeping = Tally(), Tally(taken_over=True)
    for each in (tally, keeping):
        each.add(concat([taken(), voted(1, 1)]))
        assert len(each.games) == 2
    (own,) = tally.rated
    assert {*own.killers, *own.town} == {"a", "b"}
    assert len(keeping.rated) == 2
    assert row(tally, "O1s", Group("m", "good"), "side").n == approx(5 / 6), "its share of the result goes with it"


def test_the_tell_of_words() -> None:
    """Killers who always ask give themselves away on boards that were not trained on; the same words do not."""
    numbers = range(4 * LEAST)
    telling = [
        Hand(CARDS, name=f"t {number}", players=["a"] * 8) for number in numbers
    ]  # fmt: skip
    for game in telling:
        game.says(1, 1, "Who is it? Who?")
        game.says(5, 1, "It may be seat 3.")
    even = [Hand(CARDS, name=f"e {number}", players=["b"] * 8) for number in numbers]
    for game in even:
        game.says(1, 1, "I pass on this.")
        game.says(5, 1, "I pass on this.")
    tally = Tally()
    tally.add(concat(game.tables for game in telling + even))
    assert row(tally, "I2", Group("a")).value == approx(1.0, abs=0.02)
    assert row(tally, "I2", Group("b")).value == approx(0.5, abs=0.12)


def test_area_under_the_curve_by_hand() -> None:
    """Good at ranks 0 and 2, killers at 2 and 3: pairs above 1, 1, equal ½, above 1: 3.5 / 4."""
    sums = np.zeros(2 * STEPS)
    sums[[0, 2]] = 1
    sums[[STEPS + 2, STEPS + 3]] = 1
    assert TELL.value(sums) == approx(3.5 / 4)


def test_too_little_speech_tells_nothing() -> None:
    said = [Spoken(str(number), number % 2 == 0, np.zeros(3)) for number in range(2 * LEAST - 2)]
    assert list(tell(said)) == []


def played(killers: str, police: str, civilians: str, winner: str, board: int) -> Played:
    town = (police, police, *[civilians] * 4)
    return Played("t", str(board), (killers,) * 2, town, (police,) * 2, (civilians,) * 4, winner, clean=True)


def test_games_are_kept_as_they_were() -> None:
    games = [
        played("x", "y", "z", "killers", 1),
        played("y", "x", "x", "draw", 2)._replace(clean=False),
        played("x", "x", "z", "good", 2)._replace(taken_over=True),
    ]
    kept = Games()
    kept.extend(games)
    assert [*kept] == games
    assert kept[-1] == games[2]
    assert kept[:1] == games[:1]
    with pytest.raises(IndexError):
        kept[3]


def test_three_parts_of_a_player() -> None:
    """`x` deceives and discloses better than `y`; all pairings on 60 boards, drawn from the model's own chances."""
    random, games = Random(3), []
    deceive, disclose, detect = {"x": 0.8, "y": -0.8}, {"x": 0.7, "y": -0.7}, {"x": 1.0, "y": 1.0}
    for board in range(60):
        for k in "xy":
            for p in "xy":
                for c in "xy":
                    chance = 1 / (1 + np.exp(-detect[c] * (deceive[k] - disclose[p])))
                    games.append(played(k, p, c, "killers" if random.random() < chance else "good", board))
    found = trio(games)
    assert found["x"].deceive == approx(0.8, abs=0.4)
    assert found["x"].deceive == approx(-found["y"].deceive)
    assert found["x"].disclose - found["y"].disclose == approx(1.4, abs=0.6)
    assert (found["x"].detect + found["y"].detect) / 2 == approx(1.0)
    low, high = found["x"].intervals["deceive"] or (0, 0)
    assert low < found["x"].deceive < high


def test_no_parts_where_police_and_civilians_were_one() -> None:
    assert trio([played("x", "y", "y", "good", 1), played("y", "x", "x", "good", 1)]) == {}


def test_there_are_26_core_rows() -> None:
    assert core() == (
        "O1", "O2", "O3", "O5", "V2", "V3", "V6", "V8", "B1", "B2", "B3", "B4", "B5", "B6", "D1", "D2", "D3", "D4",
        "D5", "P1", "P3", "P4", "P5", "I1", "I2", "I3",
    )  # fmt: skip
    assert set(BEYOND) <= {one.code for one in entries()}


@pytest.mark.parametrize("one", entries(), ids=lambda one: one.code)
def test_every_figure_says_what_it_is(one: object) -> None:
    text, fields = sections_of(one.about)  # type: ignore[attr-defined]
    assert text
    assert tuple(fields) == FIELDS
    assert all(fields.values())


def test_the_page_is_the_docstrings() -> None:
    file = Path(__file__).parents[2] / "docs" / "metrics.md"
    assert file.read_text(encoding="utf-8") == page(), (
        "python -m tianhei.transcripts.metrics.catalogue > docs/metrics.md"
    )


def test_claims_and_votes_meet_in_one_card() -> None:
    """A true report that both civilians follow, on 6 boards: followed 1, its chance 1/7, and a certain interval."""
    tally = Tally()
    for number in range(6):
        game = Hand(CARDS, name=str(number), players=PLAYERS)
        game.says(3, 1, claims=[claim("check", 1, "killer", "truth")])
        game.votes(1, {5: 1, 6: 1})
        tally.add(game.tables)
    found = row(tally, "D5t", Group("b"))
    assert (found.value, found.low, found.high, found.chance) == approx((1, 1, 1, 1 / 7))
