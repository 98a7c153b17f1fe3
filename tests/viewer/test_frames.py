"""Frames hold what their eyes may see, all of it and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from players import BUTTERFLY_SEVEN, CLASSIC_SEVEN
from tianhei.arena.claims import Claim
from tianhei.arena.events import PUBLIC
from tianhei.arena.view import Views
from tianhei.prompts.vocabulary import Vocabulary
from tianhei.prompts.words import Words
from tianhei.transcripts.claims.extractor import foreign_card
from tianhei.transcripts.claims.ledger import ledger
from tianhei.transcripts.claims.ledger import plain as plainly
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.replay import rebuild
from tianhei.transcripts.viewer.frames import Frames, document, frame, opening
from viewer.games import GOLDEN, game

OF_THE_PAGE = ("n", "said", "audience")
SECRET = "Xq7-secret"


def plain(made: dict[str, object]) -> dict[str, object]:
    """A frame without what the page adds to its event."""
    return {name: value for name, value in made.items() if name not in OF_THE_PAGE}


def as_json(data: object) -> object:
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_seat_sees_what_its_view_holds(path: Path) -> None:
    recorded = load(path)
    _, views = rebuild(recorded)
    for seat in range(1, views.players + 1):
        shown = document(recorded, seat)["frames"]
        view = [{name: value for name, value in event.items() if name != "seq"} for event in views.of(seat).to_json()]
        assert as_json([plain(made) for made in shown]) == as_json(view)
        assert [made["n"] for made in shown] == list(range(len(shown)))


@pytest.mark.parametrize("path", GOLDEN[::3], ids=lambda path: path.stem)
def test_the_truth_filtered_by_audience_is_what_each_seat_sees(path: Path) -> None:
    recorded = load(path)
    truth = document(recorded, "truth")["frames"]
    assert len(truth) == len(recorded.events)
    for seat in range(1, len(recorded.header.seats) + 1):
        own = [plain(made) for made in truth if made["audience"] == PUBLIC or seat in made["audience"]]
        assert own == [plain(made) for made in document(recorded, seat)["frames"]]
    public = [plain(made) for made in truth if made["audience"] == PUBLIC]
    assert public == [plain(made) for made in document(recorded, "public")["frames"]]


def test_open_eyes_of_the_dead_see_nights_but_no_notes(tmp_path: Path) -> None:
    """With dead_view = all the dead see what is private from the next nightfall on; notes stay their writer's."""
    rules = {"dead_view": "all"}
    recorded = game(tmp_path / "game.jsonl", ("Hm.",), secret=SECRET, counts=CLASSIC_SEVEN, rules=rules)
    public = len(document(recorded, "public")["frames"])
    seats = range(1, 8)
    shown = {seat: document(recorded, seat)["frames"] for seat in seats}
    assert any(made["kind"] == "resolved" for frames in shown.values() for made in frames)
    for seat, frames in shown.items():
        assert len(frames) > public
        assert {f"note of {seat} {SECRET}-{seat}-"} >= {made["text"] for made in frames if made["kind"] == "note"}


@pytest.mark.parametrize("counts", (CLASSIC_SEVEN, BUTTERFLY_SEVEN), ids=("classic", "butterfly"))
def test_no_private_word_of_another_seat_is_in_a_document(tmp_path: Path, counts: dict[str, int]) -> None:
    kind = "butterfly" if counts is BUTTERFLY_SEVEN else "classic"
    recorded = game(tmp_path / "game.jsonl", ("Hm.",), secret=SECRET, counts=counts, game=kind, seed="canary-seed")
    assert SECRET not in json.dumps(document(recorded, "public"))
    mates = {seat: set(view.mates) | {seat} for seat, view in ((s, rebuild(recorded)[1].of(s)) for s in range(1, 8))}
    heard = set()
    for seat in range(1, 8):
        text = json.dumps(document(recorded, seat))
        told = {other for other in range(1, 8) if f"{SECRET}-{other}-" in text}
        heard |= told
        assert told <= mates[seat]
        assert "thought of" not in text
        assert "canary-seed" not in text
        assert recorded.header.game not in text
    truth = json.dumps(document(recorded, "truth"))
    assert len(heard) > 1  # others were never asked for words, or died in the first night
    assert all(f"thought of {seat} {SECRET}-{seat}-" in truth for seat in heard)


def test_frames_made_one_by_one_are_those_of_the_document() -> None:
    recorded = load(GOLDEN[-1])
    rng = Random(1)
    for eyes in ("public", "truth", 2):
        frames, events, made = Frames(recorded.header, eyes), recorded.events, []
        while events:
            cut = rng.randint(1, 5)
            made += frames.add(events[:cut])
            events = events[cut:]
        assert made == document(recorded, eyes)["frames"]


@pytest.mark.parametrize("path", GOLDEN[::4], ids=lambda path: path.stem)
def test_the_words_are_the_judges(path: Path) -> None:
    recorded = load(path)
    views = Views(recorded.header.rules, recorded.header.counts, recorded.header.seed)
    for event, made in zip(recorded.events, document(recorded, "truth")["frames"], strict=True):
        views.add((event,))
        if made["kind"] in ("speech", "last_words", "note") and recorded.header.rules.channel != "claims_only":
            assert made["said"] == {}
        elif made["kind"] != "stated":
            assert made["said"] == {lang: Words(lang).event(event, views.record) for lang in ("en", "zh")}


def test_a_speech_stands_in_its_frame_once(tmp_path: Path) -> None:
    recorded = game(tmp_path / "game.jsonl", ("Once and only once.",), counts=CLASSIC_SEVEN)
    for made in document(recorded, "truth")["frames"]:
        assert json.dumps(made).count("Once and only once.") == (1 if made.get("text") else 0)


def test_blind_eyes_learn_no_player_no_card_and_no_end(tmp_path: Path) -> None:
    recorded = game(tmp_path / "game.jsonl", ("Hm.",), counts=CLASSIC_SEVEN)
    shown = document(recorded, "public", players=False, ending=False)
    assert {made["kind"] for made in shown["frames"]}.isdisjoint(("over", "revealed", "role", "mates"))
    assert all(set(seat) == {"seat"} for seat in shown["game"]["seats"])
    assert "Nine" not in json.dumps(shown)
    assert shown["truth"] is None


def test_an_opening_is_a_document_without_frames() -> None:
    recorded = load(GOLDEN[0])
    empty = Recording("none", recorded.header)
    for eyes in ("public", 1):
        assert opening(recorded.header, eyes) == document(empty, eyes)
    truth = document(empty, "truth")
    assert [seat["role"] for seat in truth["game"]["seats"]] == list(map(str, recorded.header.dealt().roles))


def test_a_frame_is_numbered_by_its_own_stream_and_names_no_audience() -> None:
    event = load(GOLDEN[0]).events[1]
    made = frame(7, event, {"en": "Your card.", "zh": "你的身份。"})
    assert made["n"] == 7
    assert "audience" not in made
    assert made["said"]["zh"] == "你的身份。"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_claims_that_were_only_read_stand_beside_the_declared_ones(path: Path) -> None:
    """Each once: not where the speaker declared as much of the same seat, and with words that the speech has."""
    recorded = load(path)
    shown = document(recorded, "truth")
    texts = {made["n"]: made.get("text", "") for made in shown["frames"]}
    told = [(each["n"], each["kind"], each["seat"], each["what"], each["night"]) for each in shown["truth"]["claims"]]
    assert len(set(told)) == len(told)
    said = {made["n"]: {(each["kind"], each["seat"]) for each in made.get("claims") or ()} for made in shown["frames"]}
    read = {claim: each for claim, each in zip(told, shown["truth"]["claims"], strict=True) if "read" in each}
    for each in read.values():
        assert each["read"] and each["read"] in texts[each["n"]]
        assert each["by"] == next(made["by"] for made in shown["frames"] if made["n"] == each["n"])
    for entry in ledger(recorded):
        claim = entry.claim
        alike = {(claim.kind, claim.seat), (plainly(claim, entry.seat).kind, claim.seat)}
        if entry.source == "extracted" and not alike & said[entry.event]:
            assert (entry.event, claim.kind, claim.seat, claim.what, claim.night) in read
    assert all(document(recorded, eyes)["truth"] is None for eyes in (1, "public"))


def test_no_killer_and_good_are_one_claim_and_a_foreign_card_has_its_name() -> None:
    """'I am no killer' is 'I am good'; what cards of other games are called follows from the words."""
    assert plainly(Claim("role", 3, "not_killer"), 3) == Claim("clear", 3)
    assert plainly(Claim("role", 4, "not_killer"), 3) == Claim("role", 4, "not_killer")
    assert foreign_card("嗯，我是女巫") == "witch"
    assert foreign_card("I am the hunter") == "hunter"
    assert foreign_card("我是一张神牌") is None
    assert Vocabulary("en").claim(Claim("role", 3), 3) == "I am another card"
    assert Vocabulary("zh").claim(Claim("role", 3), 3) == "我是别的牌"
