"""What pictures are drawn from, in a game written by hand."""

from __future__ import annotations

from metrics.games import played
from metrics.hand import Hand, claim
from tianhei.transcripts.columns.schema import empty
from tianhei.transcripts.metrics.sections import PICTURES, sections

CARDS = "KKPPCCCC"


def two() -> list[Hand]:
    """Twice the same game: killer 1 says falsely that it checked 5; 3, who knows killer 2, says nothing of it."""
    games = [Hand(CARDS, name=str(number), players=["a", "a", *["b"] * 6]) for number in range(2)]
    for game in games:
        game.add("checks", night=1, by_team=[3, 4], target=2, answer="nod", truth="killers")
        game.says(1, 1, claims=[claim("check", 5, "killer", "lie", lie_type="fabrication")])
        game.says(3, 1, claims=[claim("role", 3, "police", "truth"), claim("accuse", 5, truth="mistake")])
        game.believes(5, 1, {1: 0.5, 6: 0.25})
        game.votes(1, {1: 5, 5: 1, 6: 1, 7: None})
    return games


def test_each_picture() -> None:
    found = sections(game.tables for game in two())
    assert found["suspicion"] == [
        {"name": "a", "side": "killers", "time": 1.4, "belief": 1.0, "chance": 1.0, "n": 2.0},
        {"name": "b", "side": "good", "time": 1.4, "belief": 0.5, "chance": 1.0, "n": 2.0},
    ]
    assert found["claims"] == [
        {"day": 1, "side": "good", "kind": "accuse", "lies": 0.0, "n": 2.0},
        {"day": 1, "side": "good", "kind": "role", "lies": 0.0, "n": 2.0},
        {"day": 1, "side": "killers", "kind": "check", "lies": 2.0, "n": 2.0},
    ]
    assert found["votes"] == [
        {"day": 1, "from": "civilian", "to": "killer", "n": 4.0},
        {"day": 1, "from": "civilian", "to": None, "n": 2.0},
        {"day": 1, "from": "killer", "to": "civilian", "n": 2.0},
    ]
    assert found["calibration"] == [
        {"name": "b", "bar": 2, "belief": 0.5, "killers": 0.0, "n": 2.0},
        {"name": "b", "bar": 5, "belief": 1.0, "killers": 2.0, "n": 2.0},
    ]
    assert found["lies"] == [
        {"name": "a", "side": "killers", "kind": "fabrication", "n": 2.0},
        {"name": "b", "side": "good", "kind": "truth", "n": 2.0},
        {"name": "b", "side": "good", "kind": "withheld", "n": 2.0},
    ]


def test_seats_that_were_taken_over_are_left_out() -> None:
    """Of the second game killer 1, officer 3 and civilian 5: what they said, believed and voted, and beliefs of 1."""
    games = two()
    for seat in (1, 3, 5):
        games[1].asked(seat, "bot:takeover")
    found = sections(game.tables for game in games)
    whole = sections((game.tables for game in games), taken_over=True)
    assert whole == sections(game.tables for game in two())
    for name in ("suspicion", "claims", "calibration", "lies"):
        assert found[name] == sections([games[0].tables])[name]
    assert {(row["from"], row["to"]): row["n"] for row in found["votes"]} == {
        ("civilian", "killer"): 3, ("civilian", None): 2, ("killer", "civilian"): 1,
    }  # fmt: skip


def test_nothing_is_made_of_nothing() -> None:
    assert sections([]) == {name: [] for name in PICTURES}
    assert sections([empty()]) == {name: [] for name in PICTURES}


def test_games_that_were_played() -> None:
    found = sections([played("bench-10", 2)])
    assert all(found[name] for name in ("claims", "votes", "lies"))
