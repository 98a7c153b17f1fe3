"""A fork is the parent's own beginning under a new header, sound by itself, and played on like any game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from players import CLASSIC_FIVE, CLASSIC_SEVEN, FakeModel, bots, canonical, header, models, play_game
from tianhei.arena.events import Drawn, Speech
from tianhei.arena.roles import Seat
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.file import TranscriptError, chain, read
from tianhei.transcripts.fork import DELETED, Parent
from tianhei.transcripts.game import load
from tianhei.transcripts.header import SeatSpec, Source, imported
from tianhei.transcripts.replay import verified
from whatif.tables import EIGHT, GOLDEN, head, played, rewritten, sat


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classic game of scripted players."""
    return played(tmp_path_factory.mktemp("parent") / "game.jsonl", head("classic-arena", EIGHT, "scripted", seed=3))


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_the_beginning_of_a_fork_is_the_parents_and_sound(golden: Path, tmp_path: Path) -> None:
    parent = Parent(golden)
    cuts = parent.cuts()
    for cut in {cuts[0], cuts[len(cuts) // 2], cuts[-1]}:
        out = tmp_path / f"{cut.wave}.jsonl"
        parent.fork(cut.wave, replace(parent.recorded.header, seed="another")).write(out)
        found = load(out)
        assert [wave.raw_events for wave in found.waves] == [
            wave.raw_events for wave in parent.recorded.waves[: cut.wave]
        ]
        assert [wave.replies for wave in found.waves] == [wave.replies for wave in parent.recorded.waves[: cut.wave]]
        assert verified(out) == f"sound, unfinished after {cut.wave} waves"


def test_a_fork_names_its_parent_the_waves_it_keeps_and_the_sum_of_the_last(path: Path, tmp_path: Path) -> None:
    parent = Parent(path)
    wave = parent.cut("d1.vote1").wave
    out = tmp_path / "fork.jsonl"
    parent.fork(wave, parent.recorded.header).write(out)
    total = 0
    for raw in path.read_bytes().split(b"\n"):
        total = crc32(raw[: raw.rindex(b',"crc"')], total)
        if b'"line":"wave","t":0.0,"wave":%d,' % (wave - 1) in raw:
            break
    assert load(out).header.parent == {"game": load(path).header.game, "waves": wave, "sum": f"{total:08x}"}
    assert load(out).header.game != load(path).header.game


def test_an_edited_parent_is_found(path: Path, tmp_path: Path) -> None:
    parent = Parent(path)
    parent.fork(5, parent.recorded.header).write(tmp_path / "fork")
    named = {**(load(tmp_path / "fork").header.parent or {}), "waves": 4}
    with pytest.raises(TranscriptError, match="does not fit its header"):
        load(rewritten(tmp_path / "fork", tmp_path / "edited", parent=named))


@pytest.mark.parametrize("where", ["n1", "d1.speech1.03", "d1.vote", "n2.kill1", "d2"])
def test_unchanged_minds_under_the_parents_seed_play_the_parents_game(path: Path, tmp_path: Path, where: str) -> None:
    parent = Parent(path)
    out = tmp_path / "fork"
    parent.fork(parent.cut(where).wave, parent.recorded.header).write(out)
    play_game(out, None, sat(parent.recorded.header))
    assert {**canonical(out), "header": 0} == {**canonical(path), "header": 0}


def test_a_fork_can_be_forked(path: Path, tmp_path: Path) -> None:
    parent = Parent(path)
    parent.fork(parent.cut("d1.vote").wave, replace(parent.recorded.header, seed="other")).write(tmp_path / "one")
    play_game(tmp_path / "one", None, sat(parent.recorded.header))
    child = Parent(tmp_path / "one")
    cut = child.cuts()[-1]
    child.fork(cut.wave, replace(child.recorded.header, seed="third")).write(tmp_path / "two")
    assert load(tmp_path / "two").events == child.recorded.events[: len(load(tmp_path / "two").events)]
    play_game(tmp_path / "two", None, sat(parent.recorded.header))
    assert verified(tmp_path / "two").startswith("sound, ")


def test_lots_that_were_drawn_stay_drawn_under_another_seed(tmp_path: Path) -> None:
    rules = {"preset": "classic-arena", "vote_form": "simultaneous", "final_tie": "lot", "killers_tie": "lot"}
    game = played(tmp_path / "game", head(rules, EIGHT, "uniform", seed=8))
    parent = Parent(game)
    lots = [event.body for event in parent.recorded.events if isinstance(event.body, Drawn)][1:]
    assert lots, "a game in which lots were drawn"
    last = parent.cuts()[-1].wave
    parent.fork(last, replace(parent.recorded.header, seed="another")).write(tmp_path / "fork")
    kept = load(tmp_path / "fork")
    drawn = [event.body for event in kept.events if isinstance(event.body, Drawn)][1:]
    assert [lot.value for lot in drawn] == list(kept.header.lots) == [lot.value for lot in lots][: len(drawn)]
    assert verified(tmp_path / "fork").startswith("sound")


def test_a_handicap_is_told_and_nothing_else_is_otherwise(path: Path, tmp_path: Path) -> None:
    parent = Parent(path)
    was = parent.recorded.header
    seats = tuple(
        SeatSpec("oracle", handicap="killers") if seat == 2 else spec for seat, spec in enumerate(was.seats, 1)
    )
    parent.fork(6, replace(was, seats=seats)).write(tmp_path / "fork")
    events = load(tmp_path / "fork").events
    assert next(event for event in events if event.body.kind == "handicap").audience == (2,)
    assert [event for event in events if event.body.kind != "handicap"] == parent.recorded.events[: len(events) - 1]
    assert verified(tmp_path / "fork") == "sound, unfinished after 6 waves"


@pytest.mark.parametrize("what", ["d1.speech1.03", "3@d1"])
def test_words_that_are_deleted_were_a_pass(path: Path, tmp_path: Path, what: str) -> None:
    parent = Parent(path)
    words = parent.words(what)
    parent.fork(words.wave + 1, parent.recorded.header, words).write(tmp_path / "fork")
    found = load(tmp_path / "fork")
    assert found.waves[:-1] == parent.recorded.waves[: words.wave]
    (speech,) = [event.body for event in found.waves[-1].events if isinstance(event.body, Speech)]
    assert (speech.by, speech.text, speech.claims) == (3, "", ())
    assert found.waves[-1].replies["d1.speech1.03"].source == DELETED
    assert found.header.parent and found.header.parent["deleted"] == "d1.speech1.03"
    play_game(tmp_path / "fork", None, sat(parent.recorded.header))
    assert verified(tmp_path / "fork").startswith("sound, ")


def test_a_vote_cast_with_deleted_words_stays(tmp_path: Path) -> None:
    golden = next(path for path in GOLDEN if path.stem == "butterfly_scripted")
    parent = Parent(golden)
    words = next(words for _, words in parent.said() if ".defence" in words.request)
    parent.fork(words.wave + 1, parent.recorded.header, words).write(tmp_path / "fork")
    reply = load(tmp_path / "fork").waves[-1].replies[words.request].answer
    was = parent.recorded.waves[words.wave].replies[words.request].answer
    assert (reply.text, reply.target) == ("", was.target)
    assert was.text


def test_words_are_named_by_the_number_of_their_event(path: Path) -> None:
    parent = Parent(path)
    for number, event in enumerate(parent.recorded.events):
        if isinstance(event.body, Speech) and event.body.text:
            words = parent.words(str(number))
            assert (words.seat, parent.recorded.waves[words.wave].replies[words.request].answer.text) == (
                event.body.by, event.body.text)  # fmt: skip
    with pytest.raises(TranscriptError, match=r"'0' is nothing that was said; name one by its request: d1\.last_words"):
        parent.words("0")


def test_what_was_said_twice_is_asked_about() -> None:
    parent = Parent(next(path for path in GOLDEN if path.stem == "chain_narrowing_never"))
    twice: dict[tuple[Seat, str], int] = {}
    for _, words in parent.said():
        key = (words.seat, words.request.partition(".")[0])
        twice[key] = twice.get(key, 0) + 1
    for (seat, day), times in twice.items():
        if times > 1:
            with pytest.raises(TranscriptError, match="is more than one speech; name one by its request"):
                parent.words(f"{seat}@{day}")
        else:
            assert parent.words(f"{seat}@{day}").seat == seat


@pytest.mark.parametrize(("where", "first"), [
    ("n1", "n1.kill1.01"), ("d1", "d1.last_words1.08"), ("d1.vote", "d1.vote1.01"), ("d1.vote1", "d1.vote1.01"),
    ("d1.vote1.03", "d1.vote1.01"), ("d1.speech1.4", "d1.speech1.04"), ("d1.speech", "d1.speech1.01"),
])  # fmt: skip
def test_a_cut_is_named_by_day_stage_ordinal_or_request(path: Path, where: str, first: str) -> None:
    assert Parent(path).cut(where).requests[0] == first


@pytest.mark.parametrize("where", ["d9", "d1.vot", "d1.vote2", "d1.vote1.33", "d1.vote1.x", "", "d1.vote1.03.4"])
def test_a_cut_that_is_not_there_is_refused_with_those_that_are(path: Path, where: str) -> None:
    with pytest.raises(TranscriptError, match=r"there are n1\.kill1, .*d1\.vote1, .*each also as a day alone"):
        Parent(path).cut(where)


def test_an_unfinished_game_can_be_cut_where_it_stands(path: Path, tmp_path: Path) -> None:
    short = tmp_path / "short"
    lines = path.read_bytes().splitlines(keepends=True)
    short.write_bytes(b"".join(lines[:8]))
    parent = Parent(short)
    assert parent.cuts()[-1].requests == tuple(parent.referee.open)
    parent.fork(parent.cuts()[-1].wave, parent.recorded.header).write(tmp_path / "fork")
    assert load(tmp_path / "fork").events == parent.recorded.events


def test_a_file_is_never_written_over(path: Path, tmp_path: Path) -> None:
    fork = Parent(path).fork(3, load(path).header)
    fork.write(tmp_path / "fork")
    data = (tmp_path / "fork").read_bytes()
    with pytest.raises(TranscriptError, match="cannot be written: File exists"):
        fork.write(tmp_path / "fork")
    assert (tmp_path / "fork").read_bytes() == data
    assert len(read(tmp_path / "fork").lines) == 4


def test_a_model_goes_on_from_a_cut_with_the_prompts_of_its_seat(tmp_path: Path) -> None:
    """Under the parent's seed the same questions come in the same words, and only those after the cut are asked."""
    rules = {"max_days": 2, "first_phase": "day", "vote_form": "simultaneous", "final_tie": "nobody"}
    first, model = tmp_path / "game", FakeModel()
    play_game(first, header(CLASSIC_FIVE, rules=rules, player="fake"), models(5, model))
    parent = Parent(first)
    cut = parent.cut("d1.vote1")
    parent.fork(cut.wave, parent.recorded.header).write(tmp_path / "fork")
    again = FakeModel()
    play_game(tmp_path / "fork", None, models(5, again))
    asked = {f"{name}#1" for wave in parent.recorded.waves[cut.wave :] for name in wave.replies}
    assert set(again.calls) == asked
    for call, prompt in again.prompts.items():
        assert prompt == model.prompts[call]
    assert load(tmp_path / "fork").events == parent.recorded.events
    recorded = load(tmp_path / "fork")
    rebuilt = dict(zip((sent["call"] for sent in recorded.sent), prompts_sent(recorded.sent), strict=True))
    assert {call: prompt.hash for call, prompt in rebuilt.items()} == {c: p.hash for c, p in again.prompts.items()}


def test_an_imported_game_is_not_forked(tmp_path: Path) -> None:
    source = Source("somebody_elses", {"game.json": "0" * 64}, "their rules", ("killers", "good"))
    found = imported(source, ("killer", "civilian"), (SeatSpec("one"), SeatSpec("two")), "en")
    (tmp_path / "game").write_bytes(b"".join(chain(iter([("header", found.to_json())]))))
    with pytest.raises(TranscriptError, match="which are not ours, so it can be read and studied but not played on"):
        Parent(tmp_path / "game")


def test_a_vote_by_called_hands_can_be_named_as_a_vote(tmp_path: Path) -> None:
    path = tmp_path / "called"
    play_game(path, header(CLASSIC_SEVEN, rules={"vote_form": "called", "max_days": 1, "first_phase": "day"}), bots(7))
    parent = Parent(path)
    first = parent.cut("d1.vote1")
    assert first == parent.cut("d1.vote") and ".hand" in first.requests[0]
    assert not any(".hand" in request for cut in parent.cuts() if cut.wave < first.wave for request in cut.requests)
