"""The client of OpenAI-compatible endpoints, against a strict loopback server that keeps a ledger."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from players import CLASSIC_FIVE, bots, header, play_game
from tianhei.agents.model import ModelPlayer
from tianhei.arena.endpoint import OpenAIEndpoint, Settings
from tianhei.arena.host import EndpointDown, FixedClock, Host, Sitter
from tianhei.arena.player import Completion, Prompt, Unusable, Usage
from tianhei.transcripts.game import load

KEY = "sk-secret-0123456789"
SCHEMA = {"type": "object", "properties": {"vote": {"type": "string"}}, "required": ["vote"]}
PROMPT = Prompt("system", "public", " private", SCHEMA, max_tokens=50, temperature=0.5)
Step: TypeAlias = "tuple[int, Any, dict[str, str]] | str"
RESET = "reset"


def said(text: str, **message: Any) -> dict[str, Any]:
    """A chat completion that says this."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def ok(text: str = "fine", **message: Any) -> Step:
    return 200, said(text, **message), {}


def refusal(status: int, message: str, **more: Any) -> Step:
    return status, {"error": {"message": message, "type": "error", **more}}, {}


class Server:
    """Answers each request by the next step, or by a function of its body; anything unexpected is a fault."""

    def __init__(self, steps: list[Step] | Callable[[dict[str, Any]], Step]) -> None:
        self._steps = steps
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.faults: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.bodies.append(body)
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                if self.path != "/v1/chat/completions":
                    server.faults.append(self.path)
                server.send(self, server.next(body))

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        self._http: HTTPServer = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def next(self, body: dict[str, Any]) -> Step:
        if callable(self._steps):
            return self._steps(body)
        if not self._steps:
            self.faults.append(f"one request too many: {body}")
            return refusal(404, "nothing more was expected")
        return self._steps.pop(0)

    def send(self, handler: BaseHTTPRequestHandler, step: Step) -> None:
        if isinstance(step, str):
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.close_connection = True
            handler.connection.close()
            return
        status, body, headers = step
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(raw)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        assert self.faults == []
        assert callable(self._steps) or self._steps == [], "a step was never asked for"


Serve: TypeAlias = "Callable[[list[Step] | Callable[[dict[str, Any]], Step]], Server]"


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[Server] = []

    def open_server(steps: list[Step] | Callable[[dict[str, Any]], Step]) -> Server:
        servers.append(Server(steps))
        return servers[-1]

    yield open_server
    for server in servers:
        server.close()


async def asked(server: Server, times: int = 1, **settings: Any) -> list[Completion]:
    given: dict[str, Any] = {"key": KEY, "tries": 3, **settings}
    endpoint = OpenAIEndpoint(Settings(server.url, "m", **given))
    try:
        return [await endpoint.complete(PROMPT, f"d1.vote1.03#{n}") for n in range(1, times + 1)]
    finally:
        await endpoint.close()


def ask(server: Server, times: int = 1, **settings: Any) -> list[Completion]:
    return asyncio.run(asked(server, times, **settings))


def test_what_is_sent(serve: Serve) -> None:
    server = serve([ok()])
    assert ask(server, reasoning_effort="low", extra={"top_k": 3})[0].text == "fine"
    assert server.bodies == [
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
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["x-request-id"] == "d1.vote1.03#1"


PASSING: dict[str, Step] = {
    "429": (429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"}),
    "429 with a date": (429, {"error": {"message": "slow"}}, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
    "500": (500, {"error": {"message": "oops"}}, {"Retry-After": "0"}),
    "503 in prose": (503, b"<html>overloaded</html>", {"Content-Type": "text/html", "Retry-After": "0"}),
    "408": (408, {"error": {"message": "timeout"}}, {"Retry-After": "0"}),
}


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_may_pass_is_tried_again(serve: Serve, name: str) -> None:
    server = serve([PASSING[name], PASSING[name], ok()])
    assert ask(server)[0].text == "fine"
    assert server.bodies[0] == server.bodies[1] == server.bodies[2]


def test_a_reset_connection_and_an_empty_choice_are_tried_again(serve: Serve) -> None:
    server = serve([RESET, ok("one"), (200, {**said(""), "choices": []}, {}), ok("two")])
    assert [completion.text for completion in ask(server, 2, tries=2)] == ["one", "two"]


def test_tries_come_to_an_end(serve: Serve) -> None:
    with pytest.raises(EndpointDown, match=r"cannot be reached: HTTP 500: .*oops"):
        ask(serve([PASSING["500"]] * 3))
    with pytest.raises(Unusable, match="without a choice") as empty:
        ask(serve([(200, {**said(""), "choices": []}, {})]), tries=1)
    assert empty.value.cause == "empty"


def test_nobody_listens() -> None:
    with pytest.raises(EndpointDown, match=r"127\.0\.0\.1:9/v1 cannot be reached"):
        asyncio.run(_nowhere())


async def _nowhere() -> None:
    endpoint = OpenAIEndpoint(Settings("http://127.0.0.1:9/v1", "m", tries=1))
    try:
        await endpoint.complete(PROMPT, "c")
    finally:
        await endpoint.close()


def test_a_slow_answer_is_a_timeout(serve: Serve) -> None:
    wait = threading.Event()

    def slow(body: dict[str, Any]) -> Step:
        wait.wait(5)
        return RESET

    server = serve(slow)
    with pytest.raises(Unusable) as late:
        ask(server, timeout=0.05, tries=1)
    wait.set()
    assert late.value.cause == "timeout"


DOWN: dict[str, tuple[Step, str]] = {
    "401": (refusal(401, "bad key"), "the key is refused"),
    "403": (refusal(403, "not yours"), "the key may not use this model"),
    "404": (refusal(404, "which model?"), "there is no such model"),
    "no quota": (refusal(429, "insufficient_quota: you exceeded it"), "no quota left"),
    "400": (refusal(400, "the moon is not a message"), "refuses the request: .*the moon"),
    "422": (refusal(422, "no"), "HTTP 422"),
}


@pytest.mark.parametrize("name", DOWN)
def test_a_fault_that_cannot_pass_stops_at_once(serve: Serve, name: str) -> None:
    step, message = DOWN[name]
    server = serve([step])
    with pytest.raises(EndpointDown, match=message) as down:
        ask(server)
    assert "m at http://127.0.0.1" in str(down.value)


def test_a_quota_that_is_used_up_is_known_by_its_code(serve: Serve) -> None:
    spent = refusal(429, "You exceeded your current quota, please check your plan.", code="insufficient_quota")
    with pytest.raises(EndpointDown, match="no quota left"):
        ask(serve(lambda body: spent), tries=1)


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
    assert [completion.text for completion in ask(server, 2)] == ["one", "two"]
    formats = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert formats == ["json_schema", "json_object", None, None, None, None]
    assert server.bodies[-1] == server.bodies[-2]
    assert server.bodies[-1].keys() == {"model", "messages", "max_completion_tokens"}


def test_a_filter_and_a_long_prompt_lose_one_answer_only(serve: Serve) -> None:
    for message, cause in (("blocked by content_filter", "filtered"), ("maximum context length exceeded", "error")):
        with pytest.raises(Unusable) as lost:
            ask(serve([refusal(400, message)]))
        assert lost.value.cause == cause


async def _together(server: Server, count: int) -> list[Completion]:
    endpoint = OpenAIEndpoint(Settings(server.url, "m", tries=1))
    try:
        return await asyncio.gather(*(endpoint.complete(PROMPT, f"c{n}") for n in range(count)))
    finally:
        await endpoint.close()


def _only_objects(gate: threading.Barrier) -> Callable[[dict[str, Any]], Step]:
    def step(body: dict[str, Any]) -> Step:
        if body.get("response_format", {}).get("type") == "json_schema":
            gate.wait(5)
            return refusal(400, "json_schema is not supported")
        return ok(str(body.get("response_format")))

    return step


@pytest.mark.parametrize("count", [2, 3, 5])
def test_calls_refused_together_step_down_once(serve: Serve, count: int) -> None:
    server = serve(_only_objects(threading.Barrier(count)))
    answers = asyncio.run(_together(server, count))
    assert {answer.text for answer in answers} == {"{'type': 'json_object'}"}


def test_what_is_read_from_a_response(serve: Serve) -> None:
    usage = {
        "prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14,
        "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 2},
    }  # fmt: skip
    server = serve(
        [
            (200, {**said("a", reasoning_content="hm"), "usage": usage}, {}),
            (200, {**said("b", reasoning="hm"), "usage": None}, {}),
            (200, said("", refusal="I cannot"), {}),
            (200, {"choices": [{"message": {"content": None}, "finish_reason": "length"}]}, {}),
        ]
    )
    first, second, third, fourth = ask(server, 4)
    assert (first.text, first.reasoning, first.usage) == ("a", "hm", Usage(9, 4, 5, 2))
    assert (second.text, second.reasoning, second.usage) == ("b", "hm", Usage())
    assert (third.text, third.refusal) == ("", "I cannot")
    assert (fourth.text, fourth.finish) == ("", "length")


ODD: dict[str, Step] = {
    "a page": (200, b"<html>welcome</html>", {"Content-Type": "text/html"}),
    "no json": (200, b"{", {}),
    "a list": (200, [], {}),
    "a choice that is text": (200, {"choices": ["fine"]}, {}),
    "a list of parts": (200, said([{"type": "text", "text": "fine"}]), {}),  # type: ignore[arg-type]
    "usage in words": (200, {**said("fine"), "usage": "much"}, {}),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_body_is_a_lost_answer_and_no_crash(serve: Serve, name: str) -> None:
    server = serve(lambda body: ODD[name])
    with suppress(Unusable, EndpointDown):
        ask(server, tries=1)


def _seated(server: Server) -> dict[int, Sitter]:
    endpoint = OpenAIEndpoint(Settings(server.url, "m", key=KEY, tries=1))
    return {**bots(5), 3: Sitter(ModelPlayer("en"), "model", endpoint)}


def _play_with(path: Path, server: Server) -> None:
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
    server = serve(lambda body: ok('{"thought": "t", "say": "Well.", "vote": "S1"}'))
    _play_with(path, server)
    assert load(path).done
    assert KEY not in path.read_text()


def test_a_key_that_the_endpoint_repeats_is_not_written(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "g"
    with pytest.raises(EndpointDown):
        _play_with(path, serve([refusal(401, f"Incorrect API key provided: {KEY}")]))
    assert KEY not in path.read_text()
    play_game(path, None, bots(5))
