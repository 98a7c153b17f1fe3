"""The server inside the process: what it needs, whom it answers, and what its engine can do."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedded.weights import weights_at
from tianhei.agents.embedded import EmbeddedServer, Model, ModelError, server, store


def a_model(path: Path) -> Model:
    return Model("broken", path, None, "none", "test", "")


def test_without_the_engine_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelError, match=r"pip install 'tianhei\[local\]'"):
        EmbeddedServer(a_model(weights_at(tmp_path / "m.gguf"))).start()


def test_broken_weights_are_an_error_and_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(ModelError, match="could not load"):
        EmbeddedServer(a_model(weights_at(tmp_path / "m.gguf"))).start()
    assert capfd.readouterr() == ("", "")


def test_a_server_that_does_not_run_has_no_address(tmp_path: Path) -> None:
    idle = EmbeddedServer(a_model(tmp_path / "m.gguf"))
    with pytest.raises(ModelError, match="does not run"):
        _ = idle.base_url
    idle.close()
    with pytest.raises(ValueError, match="at least"):
        EmbeddedServer(a_model(tmp_path / "m.gguf"), threads=0)


@pytest.mark.parametrize(("free", "tokens"), [(None, 8192), (2_000_000_000, 8192), (900_000_000, 4096)])
def test_the_context_shrinks_where_memory_is_short(free: int | None, tokens: int) -> None:
    assert server.comfortable_context(100_000_000, free) == tokens


@pytest.fixture(scope="module")
def running() -> Iterator[EmbeddedServer]:
    pytest.importorskip("xllamacpp")
    try:
        model = store.ensure_default(print)
    except ModelError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    with EmbeddedServer(model, context=2048) as ready:
        yield ready


def ask(to: EmbeddedServer, key: str | None = None, **body: Any) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{to.base_url}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {to.api_key if key is None else key}"},
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


TABLE = "Players: S2, S4, S5. S2 says: S4 is the killer. S5 says: I vote for S4. Who do you vote for?"


def turn(prefill: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": TABLE}, {"role": "assistant", "content": prefill}]


@pytest.mark.model
def test_labels_are_scored_after_a_prefill(running: EmbeddedServer) -> None:
    body: dict[str, Any] = {
        "messages": turn("I vote for S"),
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": True,
        "top_logprobs": 50,
    }
    first = ask(running, id_slot=0, **body)
    again = ask(running, id_slot=0, **body)
    (token,) = first["choices"][0]["logprobs"]["content"]
    scores = {each["token"]: each["logprob"] for each in token["top_logprobs"]}
    assert max("245", key=lambda label: scores[label]) == "4"
    assert first["choices"][0]["message"]["content"] == "I vote for S4"
    assert first["model"] == running.model == "smollm2-135m"
    usage = again["usage"]
    assert usage["prompt_tokens"] - usage["prompt_tokens_details"]["cached_tokens"] == 1


@pytest.mark.model
def test_a_sentence_keeps_to_its_pattern_and_nothing_is_printed(
    running: EmbeddedServer, capfd: pytest.CaptureFixture[str]
) -> None:
    opening = "Player 5 voted for Player 2 yesterday, so I do not trust"
    grammar = r"%llguidance {}" "\n" r"start: /( [a-zI][a-z']*,?){0,12} [a-z]+\./"
    answer = ask(
        running, messages=turn(opening), max_tokens=48, temperature=0.5, repeat_penalty=1.1, seed=1, grammar=grammar
    )
    assert answer["choices"][0]["finish_reason"] == "stop"
    sentence = answer["choices"][0]["message"]["content"]
    assert re.fullmatch(re.escape(opening) + r"( [a-zI][a-z']*,?){0,12} [a-z]+\.", sentence)
    assert capfd.readouterr() == ("", "")


@pytest.mark.model
def test_only_the_key_opens_the_server(running: EmbeddedServer) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask(running, key="guess", messages=turn(""), max_tokens=1)
    assert refused.value.code == 401
    refused.value.close()
    assert running.base_url.startswith("http://127.0.0.1:")


@pytest.mark.model
def test_requests_to_one_slot_wait_their_turn_and_share_its_prefix(running: EmbeddedServer) -> None:
    answers: list[dict[str, Any]] = []

    def one(seat: int) -> None:
        answers.append(ask(running, messages=turn(f"Player {seat}"), max_tokens=2, id_slot=1))

    one(0)
    threads = [threading.Thread(target=one, args=(seat,)) for seat in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == 5
    assert all(each["usage"]["prompt_tokens_details"]["cached_tokens"] > 40 for each in answers[1:])


@pytest.mark.model
def test_a_server_closes_after_its_last_request_and_another_starts(running: EmbeddedServer) -> None:
    model = Model("again", store.find("smollm2-135m").path, None, "apache-2.0", "test", "")
    short = EmbeddedServer(model, context=512)
    short.start()
    answers: list[dict[str, Any]] = []
    thread = threading.Thread(
        target=lambda: answers.append(ask(short, messages=turn("I"), max_tokens=20, ignore_eos=True))
    )
    thread.start()
    while not server._busy(short._server):  # pyright: ignore[reportPrivateUsage]
        assert thread.is_alive()
    short.close()
    thread.join(10)
    assert answers[0]["usage"]["completion_tokens"] == 20
    with short as once_more:
        assert ask(once_more, messages=turn("I"), max_tokens=1)["model"] == "again"
