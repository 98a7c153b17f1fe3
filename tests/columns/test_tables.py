"""The tables of games: shaped as the schema says, and true to what the referee and the rules know."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from columns.games import golden, random_games, rows, tables
from tianhei.arena.deduce import posterior
from tianhei.arena.events import Ballots
from tianhei.arena.facts import facts_of
from tianhei.arena.requests import TARGETED
from tianhei.arena.roles import Side
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.schema import TABLES, Tables, concat, empty
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.replay import rebuild

FITS = {
    "text": lambda value: type(value) is str,
    "whole": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "yes": lambda value: type(value) is bool,
    "seats": lambda value: type(value) is list and all(type(seat) is int for seat in value),
}


def shaped(found: Tables) -> None:
    """Every table and column of the schema, equally long, every value of its type."""
    assert list(found) == list(TABLES)
    for name, table in TABLES.items():
        assert list(found[name]) == list(table.names)
        assert len({len(values) for values in found[name].values()}) == 1, name
        for column in table.columns:
            for value in found[name][column.name]:
                assert value is None or FITS[column.type](value), (name, column.name, value)


@pytest.mark.parametrize("path", golden(), ids=lambda path: path.stem)
def test_a_game_has_the_shape_of_the_schema(path: Any) -> None:
    recording = load(path)
    found = tables_of(recording)
    shaped(found)
    assert found["games"]["game"] == [recording.header.game]
    assert len(found["requests"]["game"]) == sum(len(wave.replies) for wave in recording.waves)


def test_tables_follow_one_another() -> None:
    one, other = tables("tie_all"), tables("tie_lot")
    both = concat([one, other])
    assert both["votes"]["seat"] == one["votes"]["seat"] + other["votes"]["seat"]
    assert concat([]) == empty()


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_options_are_those_of_the_requests(game: str) -> None:
    """What could be chosen, told from events alone, is what the referee offered: for every request of random games."""
    asked = 0
    for referee, recording in random_games(30, game):
        found = tables_of(recording)
        shaped(found)
        options = dict(zip(found["requests"]["request"], found["requests"]["options_n"], strict=True))
        for request in (request for wave in referee.waves for request in wave.requests):
            targeted = request.kind in TARGETED | {"hand", "demand"}
            assert options[request.id] == (len(request.options) if targeted else None), request
            asked += 1
    assert asked > 500


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_a_night_s_legal_targets_are_those_of_its_requests(game: str) -> None:
    seen = 0
    for referee, recording in random_games(20, game):
        found = tables_of(recording)
        offered = {
            (int(request.id[1:].partition(".")[0]), request.kind): request.options
            for wave in referee.waves for request in wave.requests if request.id.startswith("n")
        }  # fmt: skip
        for night, action, legal in rows(found, "nights", "night", "action", "legal"):
            if (night, action) in offered:
                assert tuple(legal) == offered[night, action]
                seen += 1
    assert seen > 25


@pytest.mark.parametrize("game", ["classic", "butterfly"])
def test_what_a_voter_is_said_to_know_is_certain(game: str) -> None:
    """Who is known to be good holds no killers' card in any deal that fits, and the own side is known to oneself."""
    checked = 0
    for _, recording in random_games(25, game):
        if getattr(recording.header.rules, "elder_side", "good") == "killers":
            continue  # the count of deals knows killers' cards, and not their helper
        found = tables_of(recording)
        side = dict(rows(found, "seats", "seat", "side"))
        killers = sum(which == Side.KILLERS for which in side.values())
        for seat, alive, k, good, bad in rows(
            found, "votes", "seat", "alive_n", "killers_alive_n", "known_good_n", "known_killers_n"
        ):
            assert good <= alive - k and bad <= k
            assert good >= (side[seat] == Side.GOOD) and bad >= (side[seat] == Side.KILLERS)
            if side[seat] == Side.KILLERS:
                assert (good, bad) == (alive - k, k), "killers know one another, so they know everybody"
            checked += 1
        assert found["games"]["killers_n"] == [killers]
    assert checked > 100


def test_known_by_checks_is_what_the_exact_count_finds() -> None:
    """Over golden games: whoever the tables say is known, the count of all deals that fit is certain of, and no less
    than one's own card, team and checks. Between votes only."""
    recording = load(next(path for path in golden() if path.stem == "classic_scripted"))
    _, views = rebuild(recording)
    found = tables_of(recording)
    last = max(rows(found, "votes", "ballot"))
    for seat, good, bad in rows(found, "votes", "seat", "known_good_n", "known_killers_n", ballot=last):
        view = views.of(seat)
        chance = posterior(replace(facts_of(view), statements=())).killer
        voters = rows(found, "votes", "seat", ballot=last)
        assert good <= sum(chance[other] < 1e-9 for other in voters)
        assert bad <= sum(chance[other] > 1 - 1e-9 for other in voters)


def test_a_civilian_knows_itself_alone() -> None:
    """Without reveals a civilian's chance is k of n - 1."""
    found = tables("classic_worked")
    role = dict(rows(found, "seats", "seat", "role"))
    known = {good for seat, good in rows(found, "votes", "seat", "known_good_n") if role[seat] == "civilian"}
    assert known == {1}


@pytest.mark.parametrize("path", golden(), ids=lambda path: path.stem)
def test_whoever_votes_lives_and_whoever_left_votes_no_more(path: Any) -> None:
    found = tables_of(load(path))
    gone = dict(rows(found, "seats", "seat", "died_day", survived=False))
    phase = dict(rows(found, "seats", "seat", "died_phase", survived=False))
    for seat, day in rows(found, "votes", "seat", "day"):
        assert seat not in gone or day < gone[seat] or (day == gone[seat] and phase[seat] == "vote")
    assert sorted(found["deaths"]["seat"]) == sorted(gone)


def test_a_chain_of_ties_is_three_votes() -> None:
    """Tied in the round and on the field, decided off it: one seat is out, by the last vote alone."""
    found = tables("chain_off_field_decides")
    votes = list(dict.fromkeys(rows(found, "votes", "ballot", "stage", "tied", "out")))
    assert [(stage, tied) for _, stage, tied, _ in votes] == [("round", True), ("pk", True), ("off_field", False)]
    assert [out for *_, out in votes][:2] == [None, None]
    assert votes[2][3] == rows(found, "deaths", "seat", phase="vote")[0]


def test_a_lot_after_a_tie_puts_out_one_of_the_tied() -> None:
    found = tables("tie_lot")
    assert "lot" in found["deaths"]["cause"]
    tied = [out for out, tied in rows(found, "votes", "out", "tied") if tied]
    assert tied and None not in tied


def test_all_who_are_tied_are_out_together() -> None:
    found = tables("tie_all")
    assert rows(found, "deaths", "cause").count("all") == 2
    assert {out for out, tied in rows(found, "votes", "out", "tied") if tied} == {None}


def test_a_secret_ballot_is_known_from_the_replies() -> None:
    """The table saw totals; the study sees who voted for whom, and the totals agree."""
    found = tables("chain_nobody")
    recording = load(next(path for path in golden() if path.stem == "chain_nobody"))
    totals = [body.totals or {} for event in recording.events if isinstance(body := event.body, Ballots)]
    for number, shown in enumerate(totals, start=1):
        targets = [target for target in rows(found, "votes", "target", ballot=number) if target is not None]
        assert {seat: targets.count(seat) for seat in targets} == {seat: n for seat, n in shown.items() if n}


def test_a_secret_defence_is_one_vote_a_day() -> None:
    found = tables("secret_defence")
    days = rows(found, "votes", "day", "ballot")
    assert len(set(days)) == len({day for day, _ in days})
    assert True in found["votes"]["void"]


def test_a_defence_is_one_vote_in_the_day_s_order() -> None:
    found = tables("butterfly_scripted")
    for day in {day for day, stage in rows(found, "votes", "day", "stage") if stage == "round"}:
        order = rows(found, "votes", "order", day=day, stage="round")
        assert order == list(range(1, len(order) + 1))
        assert len(set(rows(found, "votes", "ballot", day=day, stage="round"))) == 1
        said = rows(found, "votes", "first_claim_before", day=day, stage="round")
        assert said == sorted(said), "once something has been claimed, it stays so"
    first = rows(found, "votes", "first_claim_before", day=1, stage="round", order=1)
    assert first == [False], "nobody else has spoken yet"


def test_hands_raised_for_one_candidate_were_raised_at_once() -> None:
    found = tables("classic_worked")
    for number in set(found["votes"]["ballot"]):
        cast = rows(found, "votes", "order", "target", ballot=number)
        for (one, target), (other, next_target) in pairwise(sorted(pair for pair in cast if pair[0] is not None)):
            assert (one == other) == (target == next_target)


NIGHTS = {
    # Killed and shot, needled in vain; then the same for the butterfly with the one she carries.
    ("double_hit", 1): "shoot 8 died, kill 8 died, needle 8 none",
    ("double_hit", 2): "carry 9 carried, shoot 1 died, kill 1 died, needle 1 none",
    # The butterfly is killed and saved, then needled unhurt, then shot and saved.
    ("butterfly_saved", 1): "carry 8 carried, kill 1 saved, needle 1 saved, check 6 nod",
    ("butterfly_saved", 2): "carry 8 carried, needle 1 empty, check 6 nod",
    ("butterfly_saved", 3): "carry 9 carried, shoot 1 saved, needle 1 saved",
    # Carried in turn: sniper, doctor, officer, elder, killer; at last everything is aimed at the carried one.
    ("carry_voids", 1): "carry 2 carried, shoot 8 void, kill 8 saved, needle 8 saved, check 6 nod, silence 9 silenced",
    ("carry_voids", 2): "carry 3 carried, needle 9 void, check 9 shake",
    ("carry_voids", 3): "carry 4 carried, check 6 void, silence 8 silenced",
    ("carry_voids", 4): "carry 5 carried, check 7 nod, silence 9 void",
    ("carry_voids", 5): "carry 6 carried, kill 9 void, check 6 none",
    ("carry_voids", 6): "carry 8 carried, shoot 8 void, kill 8 void, needle 8 void, check 6 nod, silence 8 void",
    # Two killers agree on 10; one is carried, and without his word it is 11 who dies.
    ("two_police_one_carried", 2): "carry 7 carried, check 7 none, kill 10 changed",
}


@pytest.mark.parametrize(("game", "night"), NIGHTS)
def test_the_effects_of_a_night(game: str, night: int) -> None:
    found = rows(tables(game), "nights", "action", "target", "effect", night=night)
    assert ", ".join(f"{action} {target} {effect}" for action, target, effect in found if target) == NIGHTS[game, night]
    assert {effect for _, target, effect in found if target is None} <= {None}


def test_who_is_killed_died_that_night() -> None:
    for path in golden():
        found = tables_of(load(path))
        for night, target in rows(found, "nights", "night", "target", effect="died"):
            assert target in rows(found, "deaths", "seat", day=night, phase="night"), path.stem


def test_an_answer_of_the_judge_and_the_truth() -> None:
    """A thumb up is a killer; one whose officer was carried tells nothing."""
    for path in golden():
        found = tables_of(load(path))
        role = dict(rows(found, "seats", "seat", "role"))
        for target, answer, truth in rows(found, "checks", "target", "answer", "truth"):
            assert answer in ("nod", "shake", "none")
            if answer != "none":
                assert (answer == "nod") == (role[target] == "killer")
                assert path.stem == "elder_with_killers" or (answer == "nod") == (truth == "killers")


def test_a_game_cut_anywhere_has_tables() -> None:
    """The rows of a beginning are a beginning of the rows, but for what a vote or a night had yet to come to."""
    recording = load(next(path for path in golden() if path.stem == "butterfly_scripted"))
    whole = tables_of(recording)
    for waves in range(len(recording.waves)):
        part = tables_of(Recording(recording.path, recording.header, recording.waves[:waves]))
        shaped(part)
        assert part["games"]["finished"] == [False] and part["games"]["winner"] == [None]
        for name in ("speeches", "deaths", "checks", "requests", "claims"):
            for column, values in part[name].items():
                assert values == whole[name][column][: len(values)], (name, column)
        size = len(part["votes"]["target"])
        assert part["votes"]["target"] == whole["votes"]["target"][:size]


def test_a_stopped_game_says_why() -> None:
    recording = load(golden()[0])
    stopped = Recording(recording.path, recording.header, recording.waves[:3], void={"note": "void", "cause": "budget"})
    found = tables_of(stopped)["games"]
    assert (found["finished"], found["void_cause"]) == ([False], ["budget"])


def test_a_board_is_cards_and_lots() -> None:
    """Another seed is another board; another player in the same seats is not."""
    recording = load(next(path for path in golden() if path.stem == "classic_scripted"))
    header = recording.header

    def board(**changes: Any) -> str:
        one = Recording("", replace(header, **changes))
        found: str = tables_of(one)["games"]["board"][0]
        return found

    assert board() == board(seats=tuple(replace(spec, player="solver") for spec in header.seats))
    assert board() == board(rules=header.rules.replace({"channel": "mute"}))
    assert board() != board(seed="another")


def test_what_is_known_of_a_run_is_written_beside() -> None:
    recording = load(golden()[0])
    assert tables_of(recording, track="mixed")["games"]["track"] == ["mixed"]
    assert tables_of(recording)["games"]["track"] == [None]
