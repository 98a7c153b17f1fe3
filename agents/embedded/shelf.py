"""The folder where models are kept: one ``NAME.json`` for each, beside the weights it names.

A model is on the shelf once its record is there, and the record is written last: an
interrupted download leaves nothing that could be taken for a model.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_MAGIC = b"GGUF"
_STALE_SECONDS = 24 * 3600.0


class ModelError(Exception):
    """Weights or engine cannot be had; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Model:
    """Weights on this machine. ``sha256`` is in hex; ``source`` says where the file came from."""

    name: str
    path: Path
    sha256: str | None
    licence: str
    source: str
    note: str


def models_folder() -> Path:
    """Where models are kept: ``TIANHEI_MODELS`` if set, else the user's data folder of the platform."""
    chosen = os.environ.get("TIANHEI_MODELS")
    if chosen:
        return Path(chosen).expanduser()
    return _data_folder(sys.platform) / "tianhei" / "models"


def _data_folder(platform: str) -> Path:
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    # The XDG rules: a relative path is to be ignored.
    xdg = os.environ.get("XDG_DATA_HOME", "")
    return Path(xdg) if os.path.isabs(xdg) else Path.home() / ".local" / "share"


def checked_name(name: str) -> str:
    """The name itself, if it can name a model. Raises `ModelError`."""
    if not _NAME.fullmatch(name):
        raise ModelError(f"{name!r} cannot name a model: use small letters, digits and . _ - (at most 64)")
    return name


def checked_weights(path: Path) -> Path:
    """The path itself, if it is a readable GGUF file. Raises `ModelError`."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}") from error
    if magic != _MAGIC:
        raise ModelError(
            f"{path} is not a GGUF file (its first bytes are {magic!r}): give weights in llama.cpp's format"
        )
    return path


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, in hex; about a second for each gigabyte."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_record(model: Model) -> None:
    """Puts the model on the shelf, in one step. Raises `ModelError`."""
    record = {
        "name": model.name,
        "path": str(model.path),
        "bytes": model.path.stat().st_size,
        "sha256": model.sha256,
        "licence": model.licence,
        "source": model.source,
        "note": model.note,
    }
    folder = models_folder()
    with writing(folder), workspace(folder) as work:
        draft = work / "record.json"
        draft.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        draft.replace(folder / f"{checked_name(model.name)}.json")


def read_records() -> Iterator[tuple[Model, int]]:
    """Each record on the shelf by name, with the size in bytes that its file had. Damaged records are passed over."""
    folder = models_folder()
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            sha256 = record["sha256"]
            yield (
                Model(
                    name=path.stem,
                    path=Path(record["path"]),
                    sha256=None if sha256 is None else str(sha256),
                    licence=str(record["licence"]),
                    source=str(record["source"]),
                    note=str(record["note"]),
                ),
                int(record["bytes"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue


@contextmanager
def workspace(folder: Path) -> Generator[Path, None, None]:
    """A folder inside ``folder``, on the same disk, for what is not whole yet; it is gone afterwards.

    What a killed process left there is cleared away a day later.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(".work-*"):
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".work-", ignore_cleanup_errors=True) as work:
        yield Path(work)


@contextmanager
def writing(folder: Path) -> Generator[None, None, None]:
    """Turns what a disk may answer (full, read-only, not yours) into a `ModelError` that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError(
            f"{folder} cannot be written: {reason}. Free some space, or set TIANHEI_MODELS to another folder"
        ) from error


def need_space(folder: Path, size: int) -> None:
    """Raises `ModelError` if fewer than ``size`` bytes are free where ``folder`` is (made if need be)."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    if free < size:
        raise ModelError(
            f"{folder} has {free / 1e9:.1f} GB free and {size / 1e9:.1f} GB are needed: "
            "free some space, or set TIANHEI_MODELS to another folder"
        )
