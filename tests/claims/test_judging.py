"""A model as a reader: what it is asked, how its answers are read, and how far it agrees with the readers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from claims.agreement import judged_lines, labelled
from players import FakeModel
from tianhei.arena.claims import Claim
from tianhei.arena.cli import main
from tianhei.arena.judging import LABELS, Opinion, Speaking, Tab, opinions, read_opinion, speeches_of
from tianhei.arena.player import Prompt
from tianhei.transcripts.game import load

GOLDEN = Path(__file__).resolve().parents[2] / "transcripts" / "golden"
SAID = Speaking(7, 3, 9, "Vote 4.", "5: I am the cop.")
NONE = dict.fromkeys(LABELS, False)


def answer(*claims: Claim, **labels: bool) -> str:
    marks = {name: "yes" if holds else "no" for name, holds in (NONE | labels).items()}
    return json.dumps({"claims": [claim.to_json() for claim in claims], **marks})


def test_each_speech_is_asked_about_once_and_read_back() -> None:
    model, tab = FakeModel(lambda prompt: answer(Claim("vote", 4), sarcastic=True)), Tab()
    found = asyncio.run(opinions(model, [SAID, Speaking(9, 4, 9, "Why me?")], "en", tab))
    assert model.calls == ["judge7", "judge9"]
    assert [(one.event, one.seat, one.claims) for one in found] == [
        (7, 3, (Claim("vote", 4),)),
        (9, 4, (Claim("vote", 4),)),
    ]
    assert found[0].labels == NONE | {"sarcastic": True}
    asked = model.prompts["judge7"].private
    assert all(part in asked for part in ("Vote 4.", "5: I am the cop.", "Player 3 of 9"))


def test_an_answer_in_the_form_asked_for_is_always_readable() -> None:
    found = asyncio.run(opinions(FakeModel(), [SAID], "zh", Tab()))
    assert found[0].fault == ""


@pytest.mark.parametrize("text", ["", "no", "{}", '{"claims": [{"kind": "boast", "seat": 1}]}', '{"claims": []}'])
def test_an_answer_that_cannot_be_used_is_a_fault_and_no_opinion(text: str) -> None:
    found = read_opinion(text, SAID)
    assert found.fault
    assert not found.claims
    assert "fault" in next(iter(found.rows()))


def test_claims_about_seats_that_are_not_there_are_dropped() -> None:
    assert read_opinion(answer(Claim("vote", 12), Claim("vote", 4)), SAID).claims == (Claim("vote", 4),)


def test_words_around_an_answer_do_no_harm() -> None:
    assert read_opinion(f"Sure:\n{answer(Claim('vote', 4))}\nDone.", SAID).claims == (Claim("vote", 4),)


def test_the_speeches_of_a_game_come_with_what_was_said_before() -> None:
    said = list(speeches_of(load(GOLDEN / "classic_scripted.jsonl")))
    assert said
    assert said[0].before == ""
    assert [one.before for one in said[1:]] == [f"{one.seat}: {one.text}" for one in said[:-1]]


def test_a_model_that_reads_as_the_first_reader_agrees_with_him_fully() -> None:
    rows = labelled("en")
    found = [
        Opinion(
            place,
            1,
            tuple(Claim(kind, seat, what, night) for kind, seat, what, night in one.readers[0].claims),  # type: ignore[arg-type]
            {name: name in one.readers[0].marks for name in LABELS},
        )
        for place, one in enumerate(rows)
    ]
    lines = judged_lines(rows, found).splitlines()
    for name in ("vote", "reasoned"):
        line = next(line for line in lines if line.startswith(f"| {name} "))
        assert line.split("|")[4].split(",")[0].strip() == "1.00"


def test_only_a_model_can_judge() -> None:
    done = CliRunner().invoke(main, ["claims", "--judge", "scripted", str(GOLDEN / "classic_scripted.jsonl")])
    assert done.exit_code == 1
    assert "no language model" in done.output


def test_the_prompt_allows_a_whole_answer() -> None:
    seen: list[Prompt] = []

    def reply(prompt: Prompt) -> str:
        seen.append(prompt)
        return answer()

    asyncio.run(opinions(FakeModel(reply), [SAID], "en", Tab()))
    assert seen[0].schema is not None
    assert set(seen[0].schema["required"]) == {"claims", *LABELS}
