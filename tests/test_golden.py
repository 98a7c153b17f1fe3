"""The reviewed games of ``transcripts/golden``: sound, the same bytes again, and showing what their list says.

``python tests/test_golden.py`` plays them again and writes them anew, for a change of the format or of the events.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import tianhei.transcripts
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.events import (
    Acted,
    Ballots,
    Called,
    Checked,
    Demanded,
    Drawn,
    Event,
    Flag,
    LastWords,
    Needled,
    Over,
    Reminder,
    Resolved,
    Silenced,
    Stated,
    Tied,
    VotedOut,
)
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Ask, Reply, Unusable
from tianhei.arena.requests import Request
from tianhei.arena.rules.options import Butterfly, make
from tianhei.arena.rules.setups import NoSetup, written
from tianhei.arena.view import View
from tianhei.transcripts.game import RecordedReply, Recording, load
from tianhei.transcripts.replay import verified

FOLDER = Path(tianhei.transcripts.__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.jsonl"))
ROW = re.compile(r"\| \[(\w+)\]\(\1\.jsonl\) \| (\w+), (\d+) \| (\w\w) \| (.+?) \| (.+?) \|")
LARGEST = 45_000


class Reciter:
    """Gives the replies of a recorded game once more; where its player had none to give, none again."""

    def __init__(self, replies: Mapping[str, RecordedReply]) -> None:
        self._replies = replies

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        said = self._replies[request.id]
        if said.source != "bot":
            raise Unusable("empty")
        return Reply(said.answer, said.thought, said.position)


def again(path: Path, to: Path) -> None:
    """Host a recorded game anew: random players play, all others recite."""
    recorded = load(path)
    reciter = Reciter({name: reply for wave in recorded.waves for name, reply in wave.replies.items()})
    lang = recorded.header.lang
    sitters = {
        seat: Sitter(RandomPlayer(lang) if spec.player == "random" else reciter)
        for seat, spec in enumerate(recorded.header.seats, start=1)
    }

    async def run() -> None:
        await Host(to, recorded.header, sitters, clock=FixedClock()).play()

    asyncio.run(run())


def main(folder: Path) -> None:
    """Play all games again, into a folder; in the place of the recorded ones, once they are whole."""
    for path in FILES:
        new = folder / f"{path.name}.new"
        again(path, new)
        new.replace(folder / path.name)


def shows(recorded: Recording) -> set[str]:
    """What a game has in it, from its events alone."""
    found = set(_table(recorded))
    for event in recorded.events:
        found.update(_of(event))
    found.update(_of_votes(recorded.events))
    if any(reply.source.startswith("fallback") for wave in recorded.waves for reply in wave.replies.values()):
        found.add("absent")
    return found


def _table(recorded: Recording) -> Iterator[str]:
    header = recorded.header
    yield from (f"vote {header.rules.vote_form}", f"channel {header.rules.channel}", header.seats[0].player)
    if isinstance(header.rules, Butterfly) and header.rules.elder_side == "killers":
        yield "elder with killers"
    try:
        usual, others = written(header.rules, len(header.seats))
        if header.counts not in (usual, *others.values()):
            yield "custom table"
    except NoSetup:
        yield "custom table"
    roles = header.dealt().roles
    words = sum(isinstance(event.body, LastWords) for event in recorded.events)
    out = sum(isinstance(event.body, VotedOut) for event in recorded.events)
    dead = out + sum(len(event.body.deaths) for event in recorded.events if isinstance(event.body, Resolved))
    if header.rules.last_words == "quota" and words == roles.count("killer") < dead - 1:
        yield "quota used up"


def _of(event: Event) -> Iterator[str]:
    match event.body:
        case Over(reason=reason):
            yield f"end {reason}"
        case Tied(next=what):
            yield f"tied {what}"
        case Demanded(honoured=honoured):
            yield "demand granted" if honoured else "demand too late"
        case Resolved(actions=actions, deaths=deaths, voids=voids, because=because):
            yield from (f"clause {name}" for name in because)
            yield from (f"void {action}" for action in voids)
            yield from (f"dead by {'+'.join(causes)}" for causes in deaths.values())
            if actions.get("carry") in deaths and len(deaths) > 1:
                yield "carried dies"
        case Acted(action=action, target=target) if event.audience == (target,):
            yield f"{action} oneself"
        case Checked(answer=answer):
            yield f"sign {answer}"
        case Needled(total=total):
            yield f"told of needle {total}"
        case Silenced():
            yield "silenced"
        case Reminder(rule=rule) | Flag(rule=rule):
            yield f"{event.body.kind} {rule}"
        case Drawn(purpose=purpose) if purpose != "deal":
            yield f"lot {purpose}"
        case Stated(round=round) if round > 1:
            yield "council of two rounds"
        case Called(stage="off_field", seats=()):
            yield "off field without speakers"
        case _:
            pass


def _of_votes(events: list[Event]) -> Iterator[str]:
    """By which vote somebody was out, and PKs that narrowed."""
    stage, tied = "", 0
    for event in events:
        match event.body:
            case Ballots(ballots=ballots, void=void) as held:
                stage = held.stage
                if ballots and len(ballots) > 1 and not any(ballots.values()):
                    yield f"all abstain in {stage}"
                if void:
                    yield "void ballot"
            case Called(stage="pk", seats=seats):
                if stage == "pk" and len(seats) < tied:
                    yield f"PK narrows {tied} to {len(seats)}"
                stage, tied = "pk", len(seats)
            case VotedOut():
                yield f"out by {stage}"
            case Called(stage="night"):
                stage, tied = "", 0
            case _:
                pass


WANTED: Mapping[str, str] = {
    "classic_worked": "vote called; end S1-75; quota used up; out by off_field; sign nod; sign shake",
    "chain_pk_decides": "tied pk; out by pk",
    "chain_off_field_decides": "vote called; tied off_field; out by off_field",
    "chain_draw": "tied draw; end S1-79",
    "chain_lot": "tied lot; lot tie",
    "chain_nobody": "vote secret; tied nobody",
    "chain_narrowing_never": "tied off_field; out by off_field",
    "chain_narrowing_always": "PK narrows 4 to 3; out by off_field",
    "round_pk_four_to_three": "demand granted; demand too late; PK narrows 4 to 3; out by pk",
    "all_abstain_chain": "all abstain in round; all abstain in pk; off field without speakers; out by off_field",
    "all_abstain_nobody": "all abstain in round; tied nobody",
    "day_cap": "end R-CAP; void ballot; absent",
    "council_lot": "council of two rounds; lot kill; reminder S1-6",
    "claims_only": "channel claims_only; reminder S1-6; flag S1-6; flag A1-14",
    "mute_random": "channel mute; random",
    "called_random": "vote called; random",
    "classic_scripted": "scripted; end S1-73",
    "all_good": "end S1-76",
    "butterfly_worked": "end S0-69; clause N19; void kill; dead by needles; silenced; tied nobody",
    "carry_voids": "void shoot; void kill; void needle; void check; void silence; clause N2; clause N9; clause N10;"
    " clause N11; clause N12; clause N13; clause S0-28; sign none",
    "butterfly_killed": "clause N17; dead by with_butterfly:kill; carried dies",
    "butterfly_shot": "clause N17; dead by with_butterfly:shot; clause N13",
    "butterfly_saved": "clause N4; clause N18; clause N19; dead by needles; told of needle 1; told of needle 2",
    "double_hit": "clause N6; dead by kill+shot; dead by with_butterfly:kill+with_butterfly:shot",
    "self_needle": "needle oneself; clause N5; clause N7; dead by needles; silenced",
    "silence": "silence oneself; silenced; clause N20",
    "silenced_out": "silenced; out by round",
    "last_special_and_killer": "end S0-70",
    "last_special": "end S0-67",
    "secret_defence": "vote after_speech_secret; void ballot; absent",
    "elder_with_killers": "elder with killers; end S0-68; sign shake",
    "tie_revote": "tied revote; out by revote; tied nobody",
    "tie_all": "tied all",
    "tie_lot": "tied lot; lot tie",
    "tie_chain": "tied pk; tied off_field; out by off_field",
    "two_police_one_carried": "lot check; lot kill; sign nod; custom table",
    "butterfly_mute_random": "channel mute; random",
    "butterfly_scripted": "scripted",
}
"""What each game was made to show."""


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_game_is_sound_and_shows_what_it_should(path: Path) -> None:
    assert verified(path).startswith("sound, ")
    assert path.stat().st_size < LARGEST
    missing = set(WANTED[path.stem].split("; ")) - shows(load(path))
    assert not missing, f"{path.stem} does not show {missing}"
    faults = [note for note in load(path).notes if note["note"] == "fault"]
    assert not faults


def test_every_game_is_there() -> None:
    assert [path.stem for path in FILES] == sorted(WANTED)
    assert len(FILES) >= 20
    headers = [load(path).header for path in FILES]
    assert {(header.rules.game, header.lang) for header in headers} == {
        (game, lang) for game in ("classic", "butterfly") for lang in ("en", "zh")
    }


@pytest.mark.report("ST-08")
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_all_games_are_the_same_bytes_again(hash_seed: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run([sys.executable, __file__, str(tmp_path)], check=True, env=environment)
    assert sorted(path.name for path in tmp_path.iterdir()) == [path.name for path in FILES]
    for path in FILES:
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.stem


def test_the_list_of_games_is_right() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    listed = {match[1]: match.groups()[1:] for match in ROW.finditer(text)}
    assert len(listed) == text.count(".jsonl)") and sorted(listed) == sorted(WANTED)
    for path in FILES:
        recorded = load(path)
        end, header = recorded.end, recorded.header
        assert end is not None
        found = (
            header.rules.game, str(len(header.seats)), header.lang,
            f"{end['winner']}, {end['reason']}, day {end['day']}",
        )  # fmt: skip
        assert listed[path.stem][:4] == found, path.stem


def _night(name: str, day: int) -> Resolved:
    events = load(FOLDER / f"{name}.jsonl").events
    return next(event.body for event in events if event.day == day and isinstance(event.body, Resolved))


def test_the_worked_games_are_those_of_the_rules() -> None:
    """Every choice and result of the two games of the rules page, section 4."""
    first = [_night("butterfly_worked", day) for day in (1, 2, 3)]
    assert [night.actions for night in first] == [
        {"carry": 1, "shoot": 12, "kill": 4, "needle": 8, "check": 10, "silence": 2},
        {"carry": 13, "shoot": 8, "kill": 5, "needle": 5, "check": 2, "silence": 7},
        {"carry": 2, "shoot": 6, "kill": 7, "needle": 13, "check": 6, "silence": 13},
    ]
    assert [night.deaths for night in first] == [
        {4: ("kill",), 12: ("shot",)}, {8: ("shot",)}, {6: ("shot",), 13: ("needles",)},
    ]  # fmt: skip
    assert _tallies("butterfly_worked") == [{10: 7, 7: 4}, {2: 4, 9: 4, 6: 1}, {2: 6, 1: 1}]
    second = [_night("classic_worked", day).actions for day in (1, 2, 3, 4)]
    assert second == [
        {"kill": 5, "check": 6}, {"kill": 8, "check": 11}, {"kill": 12, "check": 3}, {"kill": 1, "check": 7},
    ]  # fmt: skip
    again = {9: 4, 11: 4}
    assert _tallies("classic_worked") == [{6: 7, 4: 3}, again, again, {9: 5, 11: 4}, {11: 5, 1: 2}, {2: 4, 10: 1}]


def _tallies(name: str) -> list[dict[int, int]]:
    """The totals of every vote, in order."""
    votes: dict[tuple[int, str], Counter[int]] = {}
    for event in load(FOLDER / f"{name}.jsonl").events:
        if isinstance(event.body, Ballots):
            cast = (target for target in (event.body.ballots or {}).values() if target is not None)
            votes.setdefault((event.day, event.body.stage), Counter()).update(cast)
    return [dict(count) for count in votes.values()]


def test_random_players_play_by_the_rules_they_are_given() -> None:
    mute = load(FOLDER / "mute_random.jsonl")
    assert mute.header.rules == make("classic", {"channel": "mute"})
    assert not any(reply.answer.text for wave in mute.waves for reply in wave.replies.values())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
