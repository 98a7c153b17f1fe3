"""The client of OpenAI-compatible endpoints, call by call, against a strict loopback server that keeps a ledger."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest

from provider.asking import KEY, PROMPT, SCHEMA, Noting, ask, bodies
from provider.ledger import RESET, Act, Entry
from provider.server import Provider, Serve, ok, refusal, said
from tianhei.arena.calls import EndpointDown
from tianhei.arena.endpoint import Limiter, OpenAIEndpoint, Settings
from tianhei.transcripts.calls import completion_from_json, done_to_json


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


@pytest.mark.parametrize(
    ("named", "served"),
    [
        ("m", "m"),
        ("m-2026-10-01", "m-2026-10-01"),
        ("models/m-pro", "models/m-pro"),
        ("/srv/weights/m.gguf", "m.gguf"),
        ("C:\\weights\\m.gguf", "m.gguf"),
        ("C:/weights/m.gguf", "m.gguf"),
        ("./weights/m.gguf/", "m.gguf"),
        ("m\n2", "m 2"),
        (None, ""),
        (["m"], ""),
    ],
)
def test_who_answered_is_kept_where_it_is_another_than_was_asked(serve: Serve, named: object, served: str) -> None:
    server = serve([Act(body={**said("fine"), "model": named, "system_fingerprint": "fp_1"})])
    completion = ask(server)[0]
    assert (completion.served, completion.fingerprint) == (served, "fp_1")
    kept = done_to_json("d1.vote1.03#1", completion, 1.0)
    assert kept.get("served", "") == served and completion_from_json(kept) == completion


@pytest.mark.parametrize("asked", ["/srv/weights/m", "m" * 300])
def test_a_model_that_answers_by_the_name_it_was_asked_for_keeps_it(serve: Serve, asked: str) -> None:
    server = serve([Act(body={**said("fine"), "model": asked})])
    assert ask(server, model=asked)[0].served == asked


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
    """Seconds from each request to the next."""
    return [later.began - entry.began for entry, later in pairwise(server.ledger.entries)]


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
    assert min(waits(server)) >= 0.06


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
        first = OpenAIEndpoint(Settings(server.url, "m", patience=30.0), shared)
        second = OpenAIEndpoint(Settings(server.url, "n", patience=0.01), shared)
        waiting = asyncio.ensure_future(first.complete(PROMPT, "c1", Noting()))
        while not server.ledger.entries or server.ledger.at_once:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        await asyncio.gather(waiting, second.complete(PROMPT, "c2", Noting()))
        await asyncio.gather(first.close(), second.close())

    asyncio.run(run())
    first, *later = server.ledger.entries
    assert all(entry.began - first.began >= 0.1 for entry in later)


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
        assert time.monotonic() - began < 60.0

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
    "byte by byte": Act(body=said("fine"), pace=0.5),
    "too late": Act(body=said("fine"), after=60.0),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_slow_answer_is_a_timeout(serve: Serve, name: str) -> None:
    server = serve(lambda entry: SLOW[name])
    began = time.monotonic()
    with pytest.raises(EndpointDown) as late:
        ask(server, timeout=0.05, patience=0.0)
    assert late.value.cause == "timeout"
    assert time.monotonic() - began < 30.0


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
