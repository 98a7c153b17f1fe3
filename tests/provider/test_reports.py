"""Public reports of providers' quirks: what comes of each in a whole game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from players import FakeModel, models, play_game, random_rules
from players import header as any_header
from provider.cells import CALM
from provider.faults import FAULTS, Occasion
from provider.game import CARDS, DISTURBED, header, play
from provider.ledger import Act, Entry, Ledger
from provider.model import BAIT, Signing
from provider.server import Serve
from tianhei.arena.costs import costs_of
from tianhei.arena.requests import ABSENT
from tianhei.transcripts.game import RecordedReply, Recording, load

VOTE = "d1.vote1.03"
Committed: TypeAlias = "str | Callable[[Occasion], Act]"


@dataclass(frozen=True, slots=True)
class Gone:
    """How a game went, and what the server was asked at the question at which faults were committed."""

    recorded: Recording
    question: str
    asked: list[Entry]

    @property
    def reply(self) -> RecordedReply:
        return next(wave.replies[self.question] for wave in self.recorded.waves if self.question in wave.replies)

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        return [entry.body for entry in self.asked]


Go: TypeAlias = "Callable[..., Gone]"


@pytest.fixture
def go(serve: Serve, tmp_path: Path) -> Go:
    """Play a game in which one question, a vote, is answered by these faults, one after the other."""

    def gone(*faults: Committed, at: str = VOTE) -> Gone:
        model, left = Signing(), list(faults)

        def rule(entry: Entry) -> Act:
            answer = model(entry)
            if entry.request != at or not left:
                return answer
            fault, occasion = left.pop(0), Occasion(entry, model, 1)
            return fault(occasion) if callable(fault) else FAULTS[fault].act(occasion)

        server, path = serve(rule), tmp_path / f"game{len(list(tmp_path.iterdir()))}"
        assert play(server, {path: (DISTURBED, CALM)}, lambda entry: "") == [None]
        assert left == []
        return Gone(load(path), at, [entry for entry in server.ledger.entries if entry.request == at])

    return gone


@pytest.mark.report("PR-03")
def test_roles_alternate_in_every_prompt(tmp_path: Path) -> None:
    for seed in range(12):
        game = ("classic", "butterfly")[seed % 2]
        counts = {"killer": 2, "police": 1, **({"civilian": 4} if game == "classic" else
                  {"butterfly": 1, "sniper": 1, "doctor": 1, "elder": 1})}  # fmt: skip
        rules = random_rules(Random(seed), game, max_days=1).to_dict()
        model = FakeModel()
        head = any_header(counts, game=game, rules=rules, seed=seed, lang="zh" if seed % 3 else "en")
        play_game(tmp_path / str(seed), head, models(7, model, head.lang))
        assert model.prompts
        for prompt in model.prompts.values():
            assert [turn["role"] for turn in prompt.messages()] == ["system", "user"]


@pytest.mark.report("PR-05")
@pytest.mark.parametrize("fault", ['content "" with reasoning', "answer only in reasoning_content"])
def test_a_vote_is_never_taken_from_reasoning(go: Go, fault: str) -> None:
    """It is asked for again without reasoning; at last the seat has no answer."""
    gone = go(fault, fault)
    assert (gone.reply.source, gone.reply.answer.target) == ("model", 2)
    assert [body.get("chat_template_kwargs") for body in gone.bodies[1:]] == [{"enable_thinking": False}] * 2
    lost = go(fault, fault, fault)
    assert (lost.reply.source, lost.reply.answer) == ("fallback:empty", ABSENT)
    assert BAIT in str(lost.recorded.done[f"{VOTE}#1"]["reasoning"])


@pytest.mark.report("PR-07")
def test_a_flood_of_blanks_is_not_asked_for_in_the_same_way(go: Go) -> None:
    gone = go("whitespace flood")
    assert gone.reply.source == "model"
    assert [body.get("response_format") is None for body in gone.bodies] == [False, True]
    assert all(body["max_tokens"] <= 1000 for body in gone.bodies)


@pytest.mark.report("PR-09")
def test_prose_is_no_answer_though_a_form_was_asked_for(go: Go) -> None:
    def prose(occasion: Occasion) -> Act:
        return occasion.said("I think that I shall vote for Player 4.")

    assert go(prose).reply.answer.target == 2
    lost = go(prose, prose, prose)
    assert (lost.reply.source, lost.reply.answer) == ("fallback:unreadable", ABSENT)
    costs = next(iter(costs_of(lost.recorded).values()))
    assert (dict(costs.fallbacks), costs.answers) == ({"unreadable": 1}, 15)


@pytest.mark.report("PR-11")
@pytest.mark.parametrize("fault", ["400 content_filter", "finish content_filter"])
def test_what_is_filtered_is_asked_once(go: Go, fault: str) -> None:
    """And counted for its model; the seat's role is in the deal."""
    gone = go(fault)
    assert (gone.reply.source, gone.reply.answer) == ("fallback:filtered", ABSENT)
    assert len(gone.asked) == 1
    assert {name: dict(costs.fallbacks) for name, costs in costs_of(gone.recorded).items()} == {
        f"m1 @ {DISTURBED.seats[0].endpoint}": {"filtered": 1}
    }


@pytest.mark.report("PR-12")
def test_a_refusal_is_asked_again_once_and_its_words_are_kept(go: Go) -> None:
    assert go("refusal field").reply.answer.target == 2
    lost = go("refusal field", "refusal field")
    assert (lost.reply.source, lost.reply.answer) == ("fallback:refused", ABSENT)
    assert len(lost.asked) == 2
    assert "can't help" in lost.recorded.done[f"{VOTE}#1"]["refusal"]


@pytest.mark.report("PR-13")
def test_what_was_cut_off_is_kept_and_counted(go: Go) -> None:
    gone = go("length with half a JSON")
    first = gone.recorded.done[f"{VOTE}#1"]
    assert first["finish"] == "length"
    assert BAIT in first["done"]
    assert (first["usage"]["prompt"], first["usage"]["completion"]) == gone.asked[0].reported


@pytest.mark.report("PR-15")
def test_a_record_that_is_too_long_is_shortened_once(go: Go) -> None:
    """In the same way each time, and by what was said on the days before."""
    fault, question = "400 context_length_exceeded", "n2.check1.04"
    gone, lost = go(fault, at=question), go(fault, fault, at=question)
    assert gone.reply.source == "model"
    assert (lost.reply.source, len(lost.asked)) == ("fallback:overflow", 2)
    assert gone.bodies == lost.bodies
    long, short = (body["messages"][1]["content"] for body in gone.bodies)
    assert "My say at d1.speech1.03. I have no more to say." in long
    assert "My say at d1.speech1.03." in short
    assert "I have no more to say" not in short.partition("d1.speech1.03")[2].partition("\n")[0]
    assert long.rpartition("\n")[2] == short.rpartition("\n")[2]


@pytest.mark.report("PR-17")
def test_estimated_tokens_are_marked(go: Go) -> None:
    costs = next(iter(costs_of(go("usage null or strings").recorded).values()))
    assert costs.to_json()["tokens"]["estimated_requests"] == costs.estimated == 1


@pytest.mark.report("PE-06", "PE-07")
def test_nothing_is_answered_from_another_call(serve: Serve, tmp_path: Path) -> None:
    """There is no store of replies: of equal prompts each model gets its own, and each repeat of a game too."""
    server = serve(Signing())
    heads = {"a": DISTURBED, "b": DISTURBED, "c": header(1, (1, 2, 3, 4, 5), CARDS, model="other")}
    for name, head in heads.items():
        server.ledger = Ledger()
        assert play(server, {tmp_path / name: (head, CALM)}, lambda entry: "") == [None]
        assert {entry.body["model"] for entry in server.ledger.entries} == {head.seats[0].model}
        assert len(server.ledger.entries) == len(load(tmp_path / name).done) == 15
    prompts = [{call["hash"] for call in load(tmp_path / name).sent} for name in heads]
    assert prompts[0] == prompts[1] == prompts[2]
