"""Whole games: what is folded from a transcript, rows and their chance, the command."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from manners.tables import table
from players import CLASSIC_SEVEN, FakeModel, Fixed, bots, header, models, play_game
from test_golden import FILES
from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.claims import Claim
from tianhei.arena.cli import main
from tianhei.arena.events import Ballots
from tianhei.arena.host import Sitter
from tianhei.arena.player import Reply
from tianhei.arena.requests import Answer, Limits
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.game import Recording, load, seat_of
from tianhei.transcripts.header import SeatSpec
from tianhei.transcripts.manners import BY, MEASURES, Group, Row, manners
from tianhei.transcripts.manners.rows import wilson
from tianhei.transcripts.manners.sitting import sitting

RULES = {"vote_form": "simultaneous", "max_days": 4}


def scripted(path: Path, seed: int, lang: str = "en") -> Path:
    head = header(CLASSIC_SEVEN, rules=RULES, seed=seed, lang=lang, player="scripted")
    play_game(path, head, dict.fromkeys(range(1, 8), Sitter(ScriptedPlayer(lang))))
    return path


def asked(path: Path, seed: int, lang: str = "en") -> Path:
    """A game of a model that answers by lot."""
    head = header(CLASSIC_SEVEN, rules=RULES, seed=seed, lang=lang)
    head = replace(head, seats=(SeatSpec("fake/m", "m", "http://x/v1", "official"),) * 7)
    play_game(path, head, models(7, FakeModel(), lang))
    return path


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("games")
    made = [scripted(folder / f"s{seed}", seed) for seed in range(3)]
    return [*made, *(asked(folder / f"m{seed}", seed) for seed in range(12))]


def longest(games: list[Path]) -> Recording:
    """The game of the model in which it was asked most: how long a game is hangs on every word of its prompts."""
    return max((load(path) for path in games[3:]), key=lambda recorded: len(recorded.sent))


def named(rows: Sequence[Row], player: str) -> dict[str, Row]:
    return {row.measure.name: row for row in rows if row.group.player == player}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_games_are_folded(path: Path) -> None:
    """Every speech with words or claims, every ballot of whatever form, nobody's own seat among the candidates."""
    recorded = load(path)
    game = sitting(recorded)
    votes = [event.body for event in recorded.events if isinstance(event.body, Ballots)]
    held = sum(len(vote.ballots or ()) + sum((vote.totals or {}).values()) + vote.abstained for vote in votes)
    if recorded.header.rules.vote_form != "after_speech_secret":  # there the totals count single ballots together
        assert len(game.ballots) == held
    assert all(ballot.choice in {None, ballot.seat, *ballot.options} for ballot in game.ballots)
    assert all(ballot.heard <= len(game.speeches) for ballot in game.ballots)
    assert len(manners([recorded])) % len(MEASURES) == 0


def test_scripted_players_make_no_slip(games: list[Path]) -> None:
    rows = named(manners(map(load, games), by="player"), "scripted")
    slips = (
        "accuses_itself",
        "accuses_the_dead",
        "names_absent_seats",
        "foreign_roles",
        "invented_looks",
        "other_script",
    )
    assert [rows[name].hits for name in slips] == [0] * len(slips)
    assert all(rows[name].of > 10 for name in slips)
    assert rows["repeats_the_table"].chance is not None
    assert rows["chooses_first_listed"].rate is None
    assert rows["copies_the_example"].to_json()["rate"] is None


def test_answers_by_lot_come_to_their_chance(games: list[Path]) -> None:
    rows = named(manners(map(load, games), by="player"), "m")
    for name in ("chooses_first_listed", "chooses_last_listed", "votes_lowest_number", "votes_highest_number"):
        row = rows[name]
        assert row.rate is not None and row.chance is not None and row.of > 40
        assert abs(row.rate - row.chance) < 4 * (row.chance * (1 - row.chance) / row.of) ** 0.5, name


def test_the_list_is_that_of_the_last_prompt(games: list[Path]) -> None:
    recorded = longest(games)
    replies = [reply for wave in recorded.waves for reply in wave.replies.values() if reply.position is not None]
    choices = sitting(recorded).choices
    assert len(choices) == len(replies) > 5
    for reply, choice in zip(replies, choices, strict=True):
        assert choice.listed[(reply.position or 0) - 1] == choice.chosen == reply.answer.target


def test_a_game_without_its_calls_has_the_other_measures(games: list[Path]) -> None:
    recorded = longest(games)
    recorded.sent.clear()
    rows = named(manners([recorded], by="player"), "m")
    assert rows["chooses_first_listed"].of == 0
    assert rows["other_script"].of > 0


def test_what_was_said_is_measured_through_the_host(tmp_path: Path) -> None:
    """One who accuses himself at length, cut at the limit, and votes otherwise."""
    text = "I suspect Player 3. " * 9
    sitters = bots(7)
    sitters[3] = Sitter(Fixed(Reply(Answer(text=text, claims=(Claim("vote", 1),)))))
    head = header(CLASSIC_SEVEN, rules={**RULES, "first_phase": "day", "max_days": 1}, limits=Limits(speech=50))
    head = replace(head, seats=tuple(SeatSpec("poser" if seat == 3 else "random") for seat in range(1, 8)))
    play_game(tmp_path / "g", head, sitters)
    rows = named(manners([load(tmp_path / "g")], by="player"), "poser")
    assert rows["accuses_itself"].rate == 0.5
    assert rows["cut_at_the_limit"].hits == 1


def test_rows_by_role_and_by_game(games: list[Path]) -> None:
    recorded = [load(path) for path in games[:2]]
    for by in BY:
        rows = manners(recorded, by)
        groups = {row.group for row in rows}
        assert len(rows) == len(groups) * len(MEASURES)
        match by:
            case "player":
                assert groups == {Group("scripted")}
            case "role":
                assert {group.role for group in groups} == set(CLASSIC_SEVEN)
            case "game":
                assert {group.game for group in groups} == {each.header.game for each in recorded}
    whole, parts = manners(recorded, "player"), manners(recorded)
    for measure in MEASURES:
        assert sum(row.of for row in parts if row.measure is measure) == sum(
            row.of for row in whole if row.measure is measure
        )


def test_seats_that_were_taken_over_are_left_out(games: list[Path]) -> None:
    """One answer by somebody else takes a seat's whole part; what the others did counts as before."""
    recorded, changed = load(games[0]), load(games[0])
    whole = named(manners([recorded], "player"), "scripted")
    wave = next(wave for wave in changed.waves if any(reply.answer.text for reply in wave.replies.values()))
    request = next(name for name, reply in wave.replies.items() if reply.answer.text)
    wave.replies[request] = replace(wave.replies[request], source="bot:takeover")
    found = named(manners([changed], "player"), "scripted")
    seat = seat_of(request)
    replies = [(seat_of(name), reply) for wave in recorded.waves for name, reply in wave.replies.items()]
    own = sum(bool(reply.answer.text.strip()) for whose, reply in replies if whose == seat)
    assert 0 < own == whole["cut_at_the_limit"].of - found["cut_at_the_limit"].of
    assert named(manners([changed], "player", taken_over=True), "scripted") == whole


def test_no_game_gives_no_row() -> None:
    assert manners([]) == ()


def test_games_are_taken_one_by_one(games: list[Path]) -> None:
    """However many there are, few are held at a time: each is paired with the next, the last with the first."""
    alive: list[int] = []

    def read() -> Iterator[Recording]:
        for number, path in enumerate(games[:3]):
            alive.append(number)
            yield load(path)

    rows = named(manners(read(), by="player"), "scripted")
    assert alive == [0, 1, 2]
    assert rows["repeats_the_table"].chance is not None


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 1000, 0.0002, 0.0056),
        (2.5, 10, 0.0809, 0.5578),
    ],
)
def test_wilsons_interval(hits: float, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=1e-4)


def test_what_is_not_there_is_not_available() -> None:
    row = Row(Group("m"), MEASURES[0], 0.0, 0, None)
    assert (row.rate, row.interval) == (None, None)
    assert table().players == 8


def test_the_command(games: list[Path], tmp_path: Path) -> None:
    (tmp_path / "no").write_text("hello\n")
    paths = [str(path) for path in (*games, tmp_path / "no", tmp_path / "none")]
    shown = CliRunner().invoke(main, ["manners", *paths], env={"COLUMNS": "160"})
    assert shown.exit_code == 0, shown.output
    assert "scripted" in shown.stdout and "not available" in shown.stdout and "repeats the table" in shown.stdout
    assert shown.stderr.count("left out: ") == 2 and "no such file" in shown.stderr
    rows = json.loads(CliRunner().invoke(main, ["manners", "--json", "--by", "role", *paths]).stdout)
    assert {row["role"] for row in rows} == set(CLASSIC_SEVEN)
    assert all(row["rate"] is None for row in rows if row["of"] == 0)


def test_the_command_fails_where_nothing_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "no").write_text("hello\n")
    found = CliRunner().invoke(main, ["manners", str(tmp_path / "no")])
    assert found.exit_code == 1
    assert "no transcript that can be read" in found.output


@pytest.mark.parametrize("lang", ("en", "zh"))
def test_every_measure_has_its_words(lang: Lang, games: list[Path]) -> None:
    said = texts_of(lang, "score")
    assert {key.removeprefix("slip.") for key in said if key.startswith("slip.")} == {one.name for one in MEASURES}
    assert {key.removeprefix("looked_at.") for key in said if key.startswith("looked_at.")} == {
        one.of for one in MEASURES
    }
    wide = {"COLUMNS": "200"}
    printed = CliRunner().invoke(main, ["manners", "-l", lang, str(games[0])], env=wide).output
    assert all(said[f"slip.{one.name}"] in printed for one in MEASURES)
