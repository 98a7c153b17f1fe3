"""Weights from the hub: checked against its hash and licence, and taken up where the network cut them."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from embedded.weights import SHA256, WEIGHTS, leftovers
from tianhei.agents import embedded
from tianhei.agents.embedded import ModelError, hub, store
from tianhei.agents.embedded.catalogue import HubFile


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
