"""Examination questions: the answers are the rules', a lot hits as often as it should, and a model is marked fairly."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from tianhei.agents.roster import SeatPlan, parse_spec
from tianhei.arena import examining
from tianhei.arena.cli import main
from tianhei.arena.examining import LANGS, by_lot, examine, letter_in, prompt_of, question_file, said
from tianhei.arena.player import Completion, Prompt, Unusable
from tianhei.arena.pool import Endpoints
from tianhei.arena.questions import GAMES, LETTERS, Question, questions
from tianhei.transcripts.header import CANARY

ASKED = list(questions(132, "tests", LANGS))
PUBLIC = Path(__file__).parents[2] / "transcripts" / "questions.jsonl"


def right(asked: Question) -> str:
    return asked.options[LETTERS.index(asked.answer)]


def test_every_question_has_one_right_answer_among_several() -> None:
    for asked in ASKED:
        assert 3 <= len(asked.options) <= 4
        assert len(set(asked.options)) == len(asked.options)
        assert asked.answer in LETTERS[: len(asked.options)]
    assert len({asked.id for asked in ASKED}) == len(ASKED)
    assert Counter(asked.lang for asked in ASKED) == {"en": 66, "zh": 66}
    assert {(asked.game, asked.kind) for asked in ASKED} == {(game, kind) for game in GAMES for kind in GAMES[game]}


def test_the_same_seed_asks_the_same_and_more_questions_begin_with_fewer() -> None:
    assert list(questions(20, "tests", LANGS)) == ASKED[:20]
    assert list(questions(20, "other", LANGS)) != ASKED[:20]


def test_the_letters_of_right_answers_are_spread() -> None:
    """132 answers on up to four letters: none is right in half of them."""
    assert max(Counter(asked.answer for asked in ASKED).values()) < len(ASKED) / 2


def test_votes_are_counted_as_anybody_would() -> None:
    seen = Counter[str]()
    for asked in ASKED:
        if asked.kind == "tally" and asked.lang == "en":
            votes = {
                int(seat): len(cast.split(",")) for seat, cast in re.findall(r"for Player (\d+): (.*)", asked.situation)
            }
            most = [seat for seat, number in votes.items() if number == max(votes.values())]
            seen["tied" if len(most) > 1 else "out"] += 1
            if len(most) == 1:
                assert right(asked) == f"Player {most[0]} out"
            else:
                assert not re.fullmatch(r"Player \d+ out", right(asked))
    assert seen["tied"] and seen["out"]


def test_speeches_go_round_among_the_living() -> None:
    """Classic: rightwards from the dead one; butterfly: up on odd days, down on even ones."""
    for asked in ASKED:
        if asked.kind != "order":
            continue
        order = [int(seat) for seat in re.findall(r"\d+", right(asked))]
        ups = sum(one < other for one, other in zip(order, [*order[1:], order[0]], strict=True))
        assert ups in (len(order) - 1, 1), "one turn of the table, one way or the other"
        if asked.game == "bench-13b" and len(order) > 2:
            day = int(re.findall(r"Day (\d+)|第(\d+)天", asked.situation)[0][asked.lang == "zh"])
            assert (ups == len(order) - 1) == (day % 2 == 1)


def test_rules_drawn_by_lot_change_the_text_and_the_answer() -> None:
    texts = {game: {asked.rules for asked in ASKED if asked.game == game and asked.lang == "en"} for game in GAMES}
    assert all(len(found) > 3 for found in texts.values())
    ties = {right(asked).split(":")[0] for asked in questions(600, 3, ("en",)) if asked.kind == "tally"}
    assert {"nobody is out", "a lot decides who is out"} <= ties


def test_a_lot_hits_as_often_as_chance_says() -> None:
    """2,000 questions: four standard errors are four points."""
    found = by_lot(list(questions(2000, 5, LANGS)), "1").right["all"]
    assert abs(found.hits - found.expected) / found.of < 0.04
    assert 0.25 <= found.expected / found.of < 0.30


REPLIES = {
    '{"answer": "B"}': "B", "B": "B", "The answer is C.": "C", "": None, "A or B": None, "D": None,
    '```json\n{"answer": "A"}\n```': "A", "BAD": None,
}  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES)
def test_a_letter_is_read_where_there_is_exactly_one(reply: str) -> None:
    assert letter_in(reply, 3) == REPLIES[reply]


class Scholar:
    """At the boundary: an endpoint that knows every question, errs where told, and refuses killers' night prompts."""

    def __init__(self, wrong: int) -> None:
        self.wrong = wrong
        self.known = {prompt_of(asked).hash: asked.answer for asked in ASKED}
        self.asked = Counter[str]()

    async def complete(self, prompt: Prompt, call: str, meter: object) -> Completion:
        if call.startswith("exam."):
            self.asked["question"] += 1
            answer = self.known[prompt.hash]
            if self.asked["question"] <= self.wrong:
                answer = "ABCD"["ABCD".index(answer) - 1]
            return Completion(json.dumps({"answer": answer}))
        self.asked["probe"] += 1
        raise Unusable("refused", "no")


class School(Endpoints):
    def __init__(self, scholar: Scholar) -> None:
        super().__init__()
        self.scholar = scholar

    def of(self, found: SeatPlan) -> Scholar:  # type: ignore[override]
        return self.scholar


def test_a_model_is_marked_by_what_it_says() -> None:
    scholar = Scholar(wrong=12)
    marks = asyncio.run(examine(School(scholar), parse_spec("openai/gpt-4o"), ASKED[:60], 20, "1"))
    assert (marks.right["all"].hits, marks.right["all"].of, marks.unreadable) == (48, 60, 0)
    assert marks.right["language en"].of == 30
    assert (marks.usable["in the end"].hits, marks.usable["in the end"].of) == (0, 20)
    assert scholar.asked == {"question": 60, "probe": 20}, "what is refused by an endpoint is asked once"
    assert marks.causes == {"refused": 20}
    assert dict(marks.gates()) == {
        "rules: at least 90% right": False,
        "replies: at least 98% usable": False,
        "refusals: at most 2% in any role": False,
    }
    assert any("48 of 60, 80% [68%, 88%]" in line for line in said(marks))


def test_of_a_slow_model_it_is_told_how_far_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    for every, told in ((60.0, []), (0.0, [f"{done} of 3 questions answered" for done in (1, 2)])):
        monkeypatch.setattr(examining, "TOLD_EVERY", every)
        lines.clear()
        asyncio.run(examine(School(Scholar(0)), parse_spec("openai/gpt-4o"), ASKED[:3], 0, "1", lines.append))
        assert lines == told


def test_the_public_set_is_what_the_command_writes(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["exam", "--write", str(tmp_path / "set"), "--seed", "public"])
    assert found.exit_code == 0, found.output
    assert (tmp_path / "set").read_bytes() == PUBLIC.read_bytes()
    head, *lines = map(json.loads, PUBLIC.read_text(encoding="utf-8").splitlines())
    assert head["canary"] == CANARY and head["questions"] == 60
    assert sum("answer" in line for line in lines) == 60
    assert "".join(question_file(list(questions(60, "public", LANGS)))) == PUBLIC.read_text(encoding="utf-8")


def test_who_cannot_be_examined_is_told_so() -> None:
    found = CliRunner().invoke(main, ["exam", "scripted"])
    assert found.exit_code == 1 and "no language model sits there" in found.output
    assert "name a PLAYER" in CliRunner().invoke(main, ["exam"]).output
