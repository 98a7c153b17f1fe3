"""Statistics over a game from the tables: who was stood in for is left out, in the open, unless asked for."""

from __future__ import annotations

import asyncio
import csv
import json
import shutil
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tables.guests import by_lot, everybody_leaves, open_table, serving, sit_down
from tianhei.agents.roster import parse_spec
from tianhei.arena.cli import main
from tianhei.arena.tables.pace import Pace
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.file import chain, read
from tianhei.transcripts.game import load, seat_of
from tianhei.transcripts.metrics.sections import sections
from tianhei.transcripts.takeovers import seats_taken_over

STAYS, AWAY, LEAVES, FAILS = 1, 2, 3, 4
"""Who is there to the end, who never was, who is gone before the vote; a bot that has no answer."""
PACE = Pace(card=3, night=3, speech=5, read=0.01, vote=5, last_words=2, between=0.01, survey=0.3, letters=1e6)
BAD = "class Bad:\n    async def act(self, view, request, ask):\n        raise ValueError('no')\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that begins by day, so that everybody is asked to speak and to vote."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "bad.py").write_text(BAD)

    async def play() -> Path:
        bad = {"bad": parse_spec(f"{folder / 'bad.py'}:Bad")}
        async with serving(folder / "tables", paces={"normal": PACE, "short": PACE}, allowed=bad) as (url, house):
            links = await open_table(
                url, people=[STAYS, AWAY, LEAVES], bots={FAILS: "bad"}, options={"first_phase": "day"},
                roles={"killer": 2, "police": 1, "civilian": 6}, pace="short", survey=False,
            )  # fmt: skip
            host, (stays, away, leaves) = await sit_down(url, links)
            away.choose = None
            speaks = by_lot(LEAVES)
            leaves.choose = lambda ask: speaks(ask) if ask["kind"] == "speech" else None
            await host.post("host/start")
            await stays.until("end")
            await everybody_leaves(host, stays, away, leaves)
            shutil.copy(house.store.game(links["table"], 1), folder / "game.jsonl")
        return folder / "game.jsonl"

    return asyncio.run(play())


def run(*arguments: object) -> Result:
    found = CliRunner().invoke(main, [*map(str, arguments)])
    assert found.exit_code == 0, found.output
    return found


def scored(game: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("score", game, "--json", "--resamples", 100, *options).stdout)
    return found


def asked(game: Path, seats: Collection[int], player: str) -> int:
    """How many requests of these seats were answered, of a player's seats."""
    recorded = load(game)
    names = [spec.player for spec in recorded.header.seats]
    found = [seat_of(request) for wave in recorded.waves for request in wave.replies]
    return sum(seat in seats and names[seat - 1] == player for seat in found)


def test_the_game_is_what_it_should_be(game: Path) -> None:
    """One person's seat with a person's answers alone, one with none, one with some; nobody else's touched."""
    assert seats_taken_over(load(game)) == {AWAY, LEAVES, FAILS}


def test_the_tables_keep_the_mark(game: Path, tmp_path: Path) -> None:
    run("export", game, "--as", "csv", "-o", tmp_path, "--jobs", 1)
    found: Counter[tuple[int, str]] = Counter()
    for table in ("requests", "speeches", "votes"):
        with (tmp_path / f"{table}.csv").open(newline="") as file:
            found.update({(int(row["seat"]), row["source"]) for row in csv.DictReader(file)})
    assert {source for seat, source in found if seat == STAYS} == {"human"}
    assert {source for seat, source in found if seat == AWAY} == {"bot:takeover"}
    assert {source for seat, source in found if seat == LEAVES} == {"human", "bot:takeover"}
    assert {source for seat, source in found if seat == FAILS} == {"bot:stand-in"}
    assert {source for seat, source in found if seat > FAILS} == {"bot"}


@pytest.mark.parametrize("exported", [False, True])
def test_the_card_leaves_them_out(game: Path, tmp_path: Path, exported: bool) -> None:
    source = game
    if exported:
        run("export", game, "-o", tmp_path, "--jobs", 1)
        source = tmp_path
    default, whole = scored(source), scored(source, "--taken-over")
    assert (default["taken_over"], whole["taken_over"]) == (3, 3)
    assert (default["not_rated"], whole["not_rated"]) == (1, 0)
    for found, seats in ((default, {STAYS}), (whole, {STAYS, AWAY, LEAVES})):
        (row,) = (row for row in found["figures"] if (row["code"], row["name"]) == ("I1", "human"))
        assert row["n"] == asked(game, seats, "human")
    assert not any("bad" in row["name"] and row["n"] for row in default["figures"])
    assert any("bad" in row["name"] and row["n"] for row in whole["figures"])


@pytest.mark.parametrize(
    ("lang", "out", "kept", "rated"),
    [
        ("en", "took over, left out: 3.", "took over, kept: 3.", "left out of ratings: 1."),
        ("zh", "3 个座位中途换人代打，不计", "3 个座位中途换人代打，照计", "1 局有这样的座位，不计入评分"),
    ],
)
def test_how_many_is_said(game: Path, lang: str, out: str, kept: str, rated: str) -> None:
    card, whole = (run("score", game, "-l", lang, *more).stdout for more in ((), ("--taken-over",)))
    assert out in card and rated in card
    assert kept in whole and rated not in whole
    assert out in run("manners", game, "-l", lang).stdout
    assert kept in run("manners", game, "-l", lang, "--taken-over").stdout
    assert out in run("manners", game, "-l", lang, "--json").stderr


def test_manners_leave_them_out(game: Path) -> None:
    """Replies with words, for a bot may pass: of the person who stayed, not those that a bot gave for the others."""
    recorded = load(game)
    worded = Counter(
        seat_of(request)
        for wave in recorded.waves
        for request, reply in wave.replies.items()
        if reply.answer.text.strip()
    )
    assert worded[STAYS] and worded[LEAVES]
    for options, of in (((), worded[STAYS]), (("--taken-over",), worded[STAYS] + worded[AWAY] + worded[LEAVES])):
        rows = json.loads(run("manners", game, "--json", *options).stdout)
        found = {row["player"]: row["of"] for row in rows if row["measure"] == "cut_at_the_limit"}
        assert found["human"] == of
        assert any("bad" in name for name in found) == bool(options and worded[FAILS])


def test_pictures_leave_them_out(game: Path) -> None:
    tables = tables_of(load(game))
    votes = tables["votes"]
    first = [
        seat for seat, stage, void in zip(votes["seat"], votes["stage"], votes["void"], strict=True)
        if stage == "round" and not void
    ]  # fmt: skip
    own = [seat for seat in first if seat not in (AWAY, LEAVES, FAILS)]
    for found, seats in ((sections([tables]), own), (sections([tables], taken_over=True), first)):
        assert sum(row["n"] for row in found["votes"]) == len(seats)
    assert len(own) < len(first)


def test_a_redacted_copy_keeps_the_mark(game: Path, tmp_path: Path) -> None:
    run("redact", game, "-o", tmp_path / "copy.jsonl")
    assert scored(tmp_path / "copy.jsonl")["taken_over"] == 3


def test_a_game_in_which_every_seat_was_taken_over_has_no_manners(game: Path, tmp_path: Path) -> None:
    """What bots said for others, and nobody else's: the command says why it has nothing to print."""
    lines = [(line.kind, line.data) for line in read(game).lines]
    for _, data in lines:
        for reply in (data, *data.get("replies", ())):
            if isinstance(reply, dict) and "source" in reply:
                reply["source"] = "bot:takeover"
    (tmp_path / "all.jsonl").write_bytes(b"".join(chain(iter(lines))))
    found = CliRunner().invoke(main, ["manners", str(tmp_path / "all.jsonl")])
    assert found.exit_code == 1
    assert "took over every seat" in found.output and "--taken-over" in found.output
    assert run("manners", tmp_path / "all.jsonl", "--taken-over").stdout
