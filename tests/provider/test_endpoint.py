"""The client of OpenAI-compatible endpoints, call by call, against a strict loopback server that keeps a ledger."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from players import CLASSIC_FIVE, bots, header, play_game
from provider.ledger import RESET, Act, Entry
from provider.meter import Noting
from provider.server import Provider, Serve, ok, refusal, said
from tianhei.agents.model import ModelPlayer
from tianhei.arena.calls import EndpointDown
from tianhei.arena.endpoint import Limiter, OpenAIEndpoint, Settings
from tianhei.arena.host import FixedClock, Host, Sitter
from tianhei.arena.player import Completion, Prompt, Unusable, Usage
from tianhei.transcripts.game import load

KEY = "sk-secret-0123456789"
SCHEMA = {"type": "object", "properties": {"vote": {"type": "string"}}, "required": ["vote"]}
PROMPT = Prompt("system", "public", " private", SCHEMA, max_tokens=50, temperature=0.5)


async def asked(server: Provider, times: int = 1, meter: Noting | None = None, **settings: Any) -> list[Completion]:
    given: dict[str, Any] = {"key": KEY, "patience": 5.0, **settings}
    endpoint = OpenAIEndpoint(Settings(server.url, "m", **given))
    try:
        calls = [f"d1.vote1.03#{n}" for n in range(1, times + 1)]
        return [await endpoint.complete(PROMPT, call, meter or Noting()) for call in calls]
    finally:
        await endpoint.close()


def ask(server: Provider, times: int = 1, meter: Noting | None = None, **settings: Any) -> list[Completion]:
    return asyncio.run(asked(server, times, meter, **settings))


def bodies(server: Provider) -> list[dict[str, Any]]:
    return [dict(entry.body) for entry in server.ledger.entries]


def test_what_is_sent(serve: Serve) -> None:
    server = serve([ok()])
    assert ask(server, reasoning_effort="low", extra={"top_k": 3})[0].text == "fine"
    assert bodies(server) == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "system"}, {"role": "user", "content": "public private"}],
            "max_tokens": 50,
            "temperature": 0.5,
            "reasoning_effort": "low",
            "top_k": 3,
            "response_format": {
                "type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
            },
        }
    ]  # fmt: skip
    assert server.ledger.entries[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.ledger.entries[0].call == "d1.vote1.03#1"


def in_prose(status: int, text: bytes) -> Act:
    return Act(status, text, {"Content-Type": "text/html"})


PASSING: dict[str, tuple[Act, str]] = {
    "429": (Act(429, {"error": {"message": "slow"}}, {"Retry-After": "0.01"}), "rate_limit"),
    "429 with a date": (Act(429, {"error": {}}, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}), "rate_limit"),
    "429 with nonsense": (Act(429, {"error": {}}, {"Retry-After": "soon"}), "rate_limit"),
    "429 without a wait": (Act(429, {}, {"Retry-After": "0"}), "rate_limit"),
    "429 for ever": (Act(429, {}, {"Retry-After": "inf"}), "rate_limit"),
    "429 without": (refusal(429, "slow down"), "rate_limit"),
    "500": (refusal(500, "oops"), "server"),
    "502 in prose": (in_prose(502, b"<html>bad gateway</html>"), "server"),
    "503 in prose": (in_prose(503, b"<html>overloaded</html>"), "server"),
    "529": (refusal(529, "overloaded"), "server"),
    "408": (refusal(408, "timeout"), "server"),
    "a page": (in_prose(200, b"<html>welcome</html>"), "no_json"),
    "half a JSON": (Act(body=b'{"choices": [{"mess'), "no_json"),
    "nothing": (Act(), "no_json"),
    "a list": (Act(body=[]), "no_json"),
    "no choice": (Act(body={**said(""), "choices": []}), "no_choice"),
    "choices that are null": (Act(body={"choices": None}), "no_choice"),
    "no choices at all": (Act(body={"id": None}), "no_choice"),
    "an answer that broke off": (Act(body=said("half of", finish="error")), "server"),
    "a choice that is text": (Act(body={"choices": ["fine"]}), "no_choice"),
    "a reset before the headers": (RESET, "unreachable"),
    "a reset in the body": (Act(body=said("fine"), share=0.9, ends="reset"), "unreachable"),
    "damaged gzip": (Act(body=b"\x1f\x8bno", headers={"Content-Encoding": "gzip"}), "no_json"),
    "another call's answer": (Act(body=said("fine"), headers={"x-request-id": "0af/d1.vote1.04#1"}), "crossed"),
}


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_may_pass_is_tried_again(serve: Serve, name: str) -> None:
    act, cause = PASSING[name]
    server, meter = serve([act, act, ok("so", usage={})]), Noting()
    assert ask(server, meter=meter)[0].text == "so"
    assert bodies(server)[0] == bodies(server)[1] == bodies(server)[2]
    assert meter.causes == [cause, cause]
    assert all(tried.wait is not None and tried.what for tried in meter.tries)


@pytest.mark.parametrize("name", PASSING)
def test_tries_come_to_an_end(serve: Serve, name: str) -> None:
    act, cause = PASSING[name]
    server, meter = serve(lambda entry: act), Noting()
    with pytest.raises(EndpointDown) as down:
        ask(server, meter=meter, patience=0.05)
    assert (down.value.cause, down.value.lasting) == (cause, False)
    assert set(meter.causes) == {cause}
    assert len(meter.tries) == len(server.ledger.entries)
    assert meter.tries[-1].wait is None


def waits(server: Provider) -> list[float]:
    """Seconds from the end of each request to the next."""
    entries = server.ledger.entries
    return [later.began - (entry.ended or 0) for entry, later in pairwise(entries)]


@pytest.mark.report("PR-01")
def test_an_endpoint_names_the_wait(serve: Serve) -> None:
    """In seconds or in milliseconds; also where the limit is told inside a 200."""
    in_200 = {"id": None, "choices": None, "error": {"message": "Provider returned error", "code": 429}}
    acts = [
        Act(429, {}, {"Retry-After": "0.06"}),
        Act(429, {}, {"Retry-After-Ms": "60", "Retry-After": "9"}),
        Act(body=in_200, headers={"Retry-After": "0.06"}),
        ok(),
    ]
    server, meter = serve(acts), Noting()
    ask(server, meter=meter)
    assert meter.causes == ["rate_limit"] * 3
    assert "Provider returned error" in meter.tries[-1].what
    assert min(waits(server)) > 0.055


def test_an_endpoint_names_the_date(serve: Serve) -> None:
    dates: list[datetime] = []

    def limited(entry: Entry) -> Act:
        if dates:
            return ok()
        dates.append((datetime.now(UTC) + timedelta(seconds=1)).replace(microsecond=0))
        return Act(429, {}, {"Retry-After": format_datetime(dates[0], usegmt=True)})

    ask(serve(limited))
    assert datetime.now(UTC) >= dates[0]


def test_one_waits_for_all(serve: Serve) -> None:
    """Meanwhile no other call goes to the same endpoint, and none is charged for the wait of another."""
    acts = iter((Act(429, {}, {"Retry-After": "0.1"}), ok(), ok()))
    server = serve(lambda entry: next(acts))

    async def run() -> None:
        shared = Limiter(8)
        first = OpenAIEndpoint(Settings(server.url, "m", patience=1.0), shared)
        second = OpenAIEndpoint(Settings(server.url, "n", patience=0.01), shared)
        waiting = asyncio.ensure_future(first.complete(PROMPT, "c1", Noting()))
        while not server.ledger.entries or server.ledger.at_once:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        await asyncio.gather(waiting, second.complete(PROMPT, "c2", Noting()))
        await asyncio.gather(first.close(), second.close())

    asyncio.run(run())
    first, *later = server.ledger.entries
    assert all(entry.began - (first.ended or 0) > 0.09 for entry in later)


def test_a_wait_that_is_no_wait_grows(serve: Serve) -> None:
    """An endpoint that says 'at once' each time is not asked without end."""
    server = serve(lambda entry: Act(429, {}, {"Retry-After": "0"}))
    with pytest.raises(EndpointDown):
        ask(server, patience=0.2)
    assert len(server.ledger.entries) < 12


def test_an_endpoint_that_is_closed_for_long_holds_nobody(serve: Serve) -> None:
    server = serve([Act(429, {}, {"Retry-After": "7200"})])

    async def run() -> None:
        shared, began = Limiter(8), time.monotonic()
        for model in ("m", "n"):
            endpoint = OpenAIEndpoint(Settings(server.url, model), shared)
            with pytest.raises(EndpointDown) as down:
                await endpoint.complete(PROMPT, "c", Noting())
            assert (down.value.cause, down.value.lasting) == ("rate_limit", False)
            await endpoint.close()
        assert time.monotonic() - began < 5.0

    asyncio.run(run())


def test_nobody_listens() -> None:
    with pytest.raises(EndpointDown, match=r"127\.0\.0\.1:9/v1: .*ConnectionRefused|Connect"):
        asyncio.run(_nowhere())


async def _nowhere() -> None:
    endpoint = OpenAIEndpoint(Settings("http://127.0.0.1:9/v1", "m", patience=0.0))
    try:
        await endpoint.complete(PROMPT, "c", Noting())
    finally:
        await endpoint.close()


SLOW: dict[str, Act] = {
    "never": Act(share=0.0, ends="silence"),
    "byte by byte": Act(body=said("fine"), pace=0.03),
    "too late": Act(body=said("fine"), after=0.2),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_slow_answer_is_a_timeout(serve: Serve, name: str) -> None:
    server = serve(lambda entry: SLOW[name])
    began = time.monotonic()
    with pytest.raises(EndpointDown) as late:
        ask(server, timeout=0.05, patience=0.0)
    assert late.value.cause == "timeout"
    assert time.monotonic() - began < 1.0


DOWN: dict[str, tuple[Act, str]] = {
    "401": (refusal(401, "bad key"), "the key is refused"),
    "402": (refusal(402, "pay"), "no money left"),
    "403": (refusal(403, "not yours"), "the key may not use this model"),
    "404": (refusal(404, "which model?"), "there is no such model"),
    "no quota": (refusal(429, "insufficient_quota: you exceeded it"), "no quota left"),
    "no quota, as a bad request": (refusal(400, "Your credit balance is too low"), "no quota left"),
    "no quota, by its code": (refusal(429, "Please check your plan.", code="insufficient_quota"), "no quota left"),
    "400": (refusal(400, "the moon is not a message"), "the request is refused: .*the moon"),
    "422": (refusal(422, "no"), "the request is refused"),
}


@pytest.mark.parametrize("name", DOWN)
def test_a_fault_that_cannot_pass_stops_at_once(serve: Serve, name: str) -> None:
    act, message = DOWN[name]
    with pytest.raises(EndpointDown, match=message) as down:
        ask(serve([act]))
    assert "m at http://127.0.0.1" in str(down.value)
    assert down.value.lasting


def test_what_a_model_refuses_is_left_out_and_remembered(serve: Serve) -> None:
    server = serve(
        [
            refusal(400, "response_format of type json_schema is not supported"),
            refusal(400, "'response_format' must be text"),
            refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
            refusal(400, "Unsupported value: 'temperature' does not support 0.5"),
            ok("one"),
            ok("two"),
        ]
    )
    meter = Noting()
    assert [completion.text for completion in ask(server, 2, meter)] == ["one", "two"]
    formats = [body.get("response_format", {}).get("type") for body in bodies(server)]
    assert formats == ["json_schema", "json_object", None, None, None, None]
    assert bodies(server)[-1] == bodies(server)[-2]
    assert bodies(server)[-1].keys() == {"model", "messages", "max_completion_tokens"}
    assert meter.causes == ["adapting"] * 4
    assert len(meter.adaptations) == 4


@pytest.mark.report("PR-03", "PR-04")
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "After the optional system message, conversation roles must alternate user/assistant/user/assistant/…"),
        (400, "System role not supported"),
        (500, "System role not supported"),
    ],
)
def test_a_model_without_a_system_role_gets_one_message(serve: Serve, status: int, words: str) -> None:
    server = serve([refusal(status, words), ok(), ok()])
    ask(server, 2)
    assert [turn["role"] for turn in bodies(server)[0]["messages"]] == ["system", "user"]
    folded = [{"role": "user", "content": "system\n\npublic private"}]
    assert [body["messages"] for body in bodies(server)[1:]] == [folded, folded]


@pytest.mark.report("PR-08")
def test_an_error_that_is_a_string_is_read(serve: Serve) -> None:
    words = "'response_format.type' must be 'json_schema' or 'text'"

    def only_text(entry: Entry) -> Act:
        return Act(400, {"error": words}) if "response_format" in entry.body else ok()

    server = serve(only_text)
    ask(server, 3)
    assert [body.get("response_format", {}).get("type") for body in bodies(server)] == [
        "json_schema", "json_object", None, None, None,
    ]  # fmt: skip


AZURE = {
    "code": "content_filter",
    "message": "The response was filtered due to the prompt triggering a content management policy.",
    "innererror": {
        "code": "ResponsibleAIPolicyViolation",
        "content_filter_result": {"violence": {"filtered": True, "severity": "medium"}},
    },
}


@pytest.mark.report("PR-11", "PR-15")
def test_a_filter_and_a_long_prompt_lose_one_answer_only(serve: Serve) -> None:
    for act, cause in (
        (refusal(400, "blocked by content_filter"), "filtered"),
        (Act(400, {"error": AZURE}), "filtered"),
        (refusal(400, "maximum context length exceeded"), "overflow"),
        (refusal(400, "Too long.", code="context_length_exceeded"), "overflow"),
        (refusal(413, "too large"), "overflow"),
        (refusal(400, "prompt is too long: 208310 tokens > 200000 maximum"), "overflow"),
        (refusal(400, "Output blocked by content filtering policy"), "filtered"),
        (refusal(403, "m requires moderation. Your input was flagged.", code=403), "filtered"),
    ):
        server, meter = serve([act, ok()]), Noting()
        with pytest.raises(Unusable) as lost:
            ask(server, meter=meter)
        assert lost.value.cause == cause
        assert meter.causes == ["refused"]
        ask(server)


async def _together(server: Provider, count: int) -> list[Completion]:
    endpoint = OpenAIEndpoint(Settings(server.url, "m", patience=0.0))
    try:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}", Noting()) for n in range(count)))
    finally:
        await endpoint.close()


@pytest.mark.parametrize("count", [2, 3, 5])
def test_calls_refused_together_step_down_once(serve: Serve, count: int) -> None:
    gate = asyncio.Barrier(count)

    async def only_objects(entry: Entry) -> Act:
        if entry.body.get("response_format", {}).get("type") == "json_schema":
            await gate.wait()
            return refusal(400, "json_schema is not supported")
        return ok(str(entry.body.get("response_format")))

    answers = asyncio.run(_together(serve(only_objects), count))
    assert {answer.text for answer in answers} == {"{'type': 'json_object'}"}


@pytest.mark.report("PR-13")
def test_what_is_read_from_a_response(serve: Serve) -> None:
    usage = {
        "prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14,
        "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 2},
    }  # fmt: skip
    server = serve(
        [
            Act(body=said("a", usage=usage, reasoning_content="hm")),
            Act(body={**said("b", reasoning="hm"), "usage": None}),
            ok("", refusal="I cannot"),
            Act(body={"choices": [{"message": {"content": None}, "finish_reason": "length"}]}),
            Act(body=said("half of", finish="length", usage={"prompt_tokens": 9, "completion_tokens": 1200})),
            Act(body=said([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}])),
        ]
    )
    first, second, third, fourth, fifth, sixth = ask(server, 6)
    assert (first.text, first.reasoning, first.usage) == ("a", "hm", Usage(9, 4, 5, 2))
    assert (second.text, second.reasoning, second.usage) == ("b", "hm", Usage(6, None, 1, None, estimated=True))
    assert (third.text, third.refusal) == ("", "I cannot")
    assert (fourth.text, fourth.finish) == ("", "length")
    assert (fifth.text, fifth.finish, fifth.usage.completion) == ("half of", "length", 1200)
    assert sixth.text == "in parts"


@pytest.mark.report("PR-17")
@pytest.mark.parametrize(
    "usage", ["much", None, {}, {"prompt_tokens": None}, {"total_tokens": "12"}, {"prompt_tokens": -1}, [], 7]
)
def test_usage_that_cannot_be_read_is_estimated(serve: Serve, usage: Any) -> None:
    completion = ask(serve([Act(body={**said("fine"), "usage": usage})]))[0]
    assert completion.usage == Usage(6, None, 1, None, estimated=True)


STRANGE: dict[str, Any] = {
    "a message that is text": {"choices": [{"message": "fine"}]},
    "parts that are none": said([None, "fine", {"text": None}]),
    "reasoning that is none": said("fine", reasoning=["hm"]),
    "scores that are none": {"choices": [{"message": {"content": "fine"}, "logprobs": {"content": [{}, None]}}]},
    "a finish that is none": {"choices": [{"message": {"content": "fine"}, "finish_reason": 7}]},
    "nested too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("name", STRANGE)
def test_an_odd_body_is_no_crash(serve: Serve, name: str) -> None:
    server = serve(lambda entry: Act(body=STRANGE[name]))
    with suppress(Unusable, EndpointDown):
        ask(server, patience=0.0)


@pytest.mark.report("PR-16")
def test_a_page_hints_at_the_missing_path_and_stands_in_the_cause(serve: Serve) -> None:
    server, meter = serve([PASSING["a page"][0]]), Noting()
    with pytest.raises(EndpointDown, match="is the /v1 missing"):
        ask(server, meter=meter, patience=-1.0)
    assert "welcome" in meter.tries[0].what


def _seated(server: Provider) -> dict[int, Sitter]:
    endpoint = OpenAIEndpoint(Settings(server.url, "m", key=KEY, patience=0.0))
    return {**bots(5), 3: Sitter(ModelPlayer("en"), "model", endpoint)}


def _play_with(path: Path, server: Provider) -> None:
    async def run() -> None:
        sitters = _seated(server)
        rules = {"max_days": 1, "first_phase": "day", "vote_form": "simultaneous"}
        try:
            await Host(path, header(CLASSIC_FIVE, rules=rules), sitters, clock=FixedClock()).play()
        finally:
            endpoint = sitters[3].endpoint
            assert isinstance(endpoint, OpenAIEndpoint)
            await endpoint.close()

    asyncio.run(run())


def test_the_key_is_never_in_a_transcript(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "g"
    server = serve(lambda entry: ok('{"thought": "t", "say": "Well.", "vote": "S1"}'))
    _play_with(path, server)
    assert load(path).done
    assert KEY not in path.read_text()


def test_a_key_that_the_endpoint_repeats_is_not_written(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "g"
    with pytest.raises(EndpointDown):
        _play_with(path, serve([refusal(401, f"Incorrect API key provided: {KEY}")]))
    assert KEY not in path.read_text()
    play_game(path, None, bots(5))
