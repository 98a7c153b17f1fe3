"""What a model refuses and is asked without, and what is read from whatever a response holds."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from provider.asking import PROMPT, Noting, ask, bodies
from provider.ledger import Act, Entry
from provider.server import Provider, Serve, ok, refusal, said
from tianhei.arena.calls import EndpointDown
from tianhei.arena.doctor import Doctor, Finding
from tianhei.arena.endpoint import OpenAIEndpoint, Settings
from tianhei.arena.player import Completion, Unusable, Usage

PAGE = Act(body=b"<html>welcome</html>", headers={"Content-Type": "text/html"})


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
    server, meter = serve([PAGE]), Noting()
    with pytest.raises(EndpointDown, match="is the /v1 missing"):
        ask(server, meter=meter, patience=-1.0)
    assert "welcome" in meter.tries[0].what


async def _examined(server: Provider) -> list[Finding]:
    endpoint = OpenAIEndpoint(Settings(server.url, "m", patience=0.0))
    try:
        return [finding async for finding in Doctor(endpoint).examine()]
    finally:
        await endpoint.close()


@pytest.mark.report("PR-16")
def test_the_doctor_names_the_missing_path(serve: Serve) -> None:
    findings = asyncio.run(_examined(serve(lambda entry: PAGE)))
    assert [(finding.probe, finding.ok) for finding in findings] == [("reachable", False)]
    assert "is the /v1 missing" in findings[0].what


@pytest.mark.report("PR-09")
def test_the_doctor_tells_a_form_that_is_ignored(serve: Serve) -> None:
    findings = asyncio.run(_examined(serve(lambda entry: ok("A moon goes round a planet."))))
    told = {finding.probe: finding for finding in findings}["structured output"]
    assert told.ok is None
    assert "accepted, and ignored" in told.what


@pytest.mark.parametrize(("served", "is_told"), [("m", False), ("m-2026-11-01", True)])
def test_the_doctor_tells_who_answered_where_it_is_another(serve: Serve, served: str, is_told: bool) -> None:
    findings = asyncio.run(_examined(serve(lambda entry: Act(body={**said("Night."), "model": served}))))
    told = {finding.probe: finding for finding in findings}["reachable"]
    assert told.ok and (f"and {served} is what answered" in told.what) == is_told
