"""Real games of others, read in place: totals of each game agree with a plain count over its raw file."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from importers.games import GAMES, bodies, foreign, loaded, real_games
from tianhei.arena.events import Acted, Ballots, Dawn, LastWords, Over, Resolved, Revealed, Speech, Stated, VotedOut
from tianhei.transcripts.claims import ledger
from tianhei.transcripts.game import Recording

AIWOLF, FANLANG = real_games("aiwolf", ".log"), real_games("fanlang9", ".json")

pytestmark = pytest.mark.skipif(GAMES not in os.environ, reason="TIANHEI_GAMES names no folder of recorded games")


def name(path: Path) -> str:
    return path.stem


def votes(game: Recording) -> Counter[tuple[int, int | None]]:
    """How often each seat voted for each."""
    return Counter(vote for ballots in bodies(game, Ballots) for vote in (ballots.ballots or {}).items())


def deaths(game: Recording) -> set[int]:
    told = [seat for dawn in bodies(game, Dawn) for seat in dawn.dead] + [out.seat for out in bodies(game, VotedOut)]
    told += [seat for event in foreign(game, "suicide") for seat in event.body.data["out"]]  # type: ignore[attr-defined]
    assert len(told) == len(set(told)), "somebody died twice"
    return set(told)


def test_there_are_games() -> None:
    assert len(AIWOLF) >= 3
    assert len(FANLANG) >= 8


@pytest.mark.parametrize("path", AIWOLF, ids=name)
def test_an_aiwolf_log_comes_to_the_counts_of_its_lines(path: Path) -> None:
    lines = [line.split(",", 5) for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = Counter(line[1] for line in lines)
    game = loaded(path)
    assert game.notes[0]["unknown"] == {}
    said = bodies(game, Speech)
    assert len(said) == kinds["talk"]
    spoken = [
        (int(line[4]), line[5]) for line in lines if line[1] == "talk" and line[5] not in ("Over", "Skip", "ForceSkip")
    ]
    assert [(speech.by, speech.text) for speech in said if speech.text] == spoken
    assert votes(game) == Counter((int(line[2]), int(line[3])) for line in lines if line[1] == "vote")
    assert len(bodies(game, VotedOut)) == kinds["execute"]
    assert len(bodies(game, Acted)) == kinds["divine"]
    assert len(foreign(game, "guard")) == kinds["guard"]
    assert len(bodies(game, Stated)) == kinds["whisper"] + kinds["attackVote"]
    last = max(int(line[0]) for line in lines)
    dead = {int(line[2]) for line in lines if line[1] == "status" and int(line[0]) == last and line[4] == "DEAD"}
    assert deaths(game) == dead
    assert [over.winner for over in bodies(game, Over)] == [{"VILLAGER": "good", "WEREWOLF": "killers"}[lines[-1][4]]]
    cards = {int(line[2]): line[3].lower() for line in lines if line[1] == "status"}
    assert bodies(game, Revealed)[0].roles == tuple(cards[seat] for seat in sorted(cards))


@pytest.mark.parametrize("path", FANLANG, ids=name)
def test_a_fanlang9_game_comes_to_the_counts_of_its_file(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    state = data["game_state"]
    days = {label: told for label, told in state.items() if label.endswith(("Night", "Daytime"))}
    game = loaded(path)
    assert game.notes[0]["unknown"] == {}
    assert game.header.lang == "zh"
    spoken = [said["text"] for label, said in data["audio"].items() if "is speaking" in label]
    assert [speech.text for speech in bodies(game, Speech)] == spoken
    last_words = [said["text"] for label, said in data["audio"].items() if "last words" in label]
    assert [words.text for words in bodies(game, LastWords)] == last_words
    patterns = [told for day in days.values() for label, told in day.items() if label.startswith("Voting Pattern")]
    assert votes(game) == Counter(
        (int(voter), target if target > 0 else None) for pattern in patterns for voter, target in pattern.items()
    )
    assert deaths(game) == {int(seat) for seat, how in state["final"].items() if how != "in_game"}
    poisoned = {int(seat) for seat, how in state["final"].items() if how == "poisoned"}
    told = [resolved.deaths.items() for resolved in bodies(game, Resolved)]
    assert {seat for night in told for seat, causes in night if causes == ("poison",)} == poisoned
    assert len(bodies(game, Acted)) == sum("Seer" in day for day in days.values())
    assert [over.winner for over in bodies(game, Over)] == [
        {"The good side wins": "good", "Werewolves Win": "killers"}[state["Game Result"]]
    ]


@pytest.mark.parametrize("path", [*AIWOLF, *FANLANG], ids=name)
def test_what_is_claimed_of_ones_own_card_is_a_truth_or_a_lie(path: Path) -> None:
    claims = [entry for entry in ledger(loaded(path)) if entry.claim.kind in ("role", "deny") and entry.checkable]
    own = [entry.truth for entry in claims if entry.claim.seat == entry.seat]
    assert own
    assert set(own) <= {"truth", "lie"}


@pytest.mark.parametrize("path", [*AIWOLF, *FANLANG], ids=name)
def test_who_votes_and_is_voted_for_is_alive(path: Path) -> None:
    gone: set[int] = set()
    for event in loaded(path).events:
        match event.body:
            case Dawn(dead=dead):
                gone |= set(dead)
            case VotedOut(seat=seat):
                gone.add(seat)
            case Ballots(ballots=dict(ballots)):
                assert not gone & {seat for vote in ballots.items() for seat in vote}
            case Speech(by=by):
                assert by not in gone
            case _:
                pass
