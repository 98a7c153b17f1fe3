"""Weights from the Hugging Face hub: resumed where they stopped, checked against the hash that the hub reports.

No login is used or sent: every model of the catalogue is public. ``HF_ENDPOINT`` names another hub, as for any
program that uses the hub's library.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tianhei.agents.embedded.catalogue import HubFile
from tianhei.agents.embedded.shelf import ModelError, checked_weights, file_sha256, need_space, writing

_UNREACHED = "Look at the network; where another hub is to be asked, set HF_ENDPOINT"
_TRIES = 3
_PAUSE_SECONDS = 2.0
_SILENCE_SECONDS = 30.0
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Published:
    """What the hub says of a file: the commit it is at, its size in bytes, its SHA-256, its licence."""

    commit: str
    size: int
    sha256: str
    licence: str


def reachable(timeout: float = 5.0) -> bool:
    """Whether the hub answers within ``timeout`` seconds, and its library is installed."""
    try:
        look_up(HubFile("Qwen/Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q4_k_m.gguf"), timeout)
    except ModelError:
        return False
    return True


def look_up(source: HubFile, timeout: float = 20.0) -> Published:
    """What the hub says of the file. Raises `ModelError`, also where the hub reports no SHA-256 for it."""
    api = _library().HfApi(endpoint=_endpoint(), token=False)
    try:
        info = api.model_info(source.repo, files_metadata=True, timeout=timeout)
    # The library lets the errors of its HTTP client through, whose classes differ between its releases.
    except Exception as error:
        raise ModelError(f"the hub did not tell about {source.repo} ({_said(error)}). {_UNREACHED}") from error
    file: Any = next((each for each in info.siblings or () if each.rfilename == source.file), None)
    if file is None:
        raise ModelError(f"{source.repo} has no file {source.file} on the hub: it may have been renamed")
    if file.lfs is None:
        raise ModelError(f"the hub reports no SHA-256 for {source.file} of {source.repo}: it cannot be checked")
    licence = getattr(info.card_data, "license", None) or _tagged_licence(info.tags or ())
    return Published(str(info.sha), int(file.lfs.size), str(file.lfs.sha256), str(licence or "not stated"))


def fetch(source: HubFile, published: Published, target: Path, report: Callable[[str], None]) -> None:
    """Brings the file to ``target``, whole or not at all; what was there of it is taken up again. Raises `ModelError`.

    The part waits in a folder ``.hub`` beside the target, under its hash. The download is our own, since the hub's
    library begins again whenever it is called.
    """
    part = target.parent / ".hub" / f"{published.sha256}.part"
    need_space(target.parent, published.size - _size(part))
    with writing(target.parent):
        part.parent.mkdir(exist_ok=True)
    if _size(part):
        report(f"taking up {source.file} at {_size(part) / published.size:.0%}")
    _complete(_address(source, published.commit), part, published.size)
    sha256 = file_sha256(part)
    if sha256 != published.sha256:
        part.unlink()
        raise ModelError(
            f"{source.file} arrived with the SHA-256 {sha256} and the hub reports {published.sha256}: "
            "it was thrown away. Try again"
        )
    checked_weights(part)
    with writing(target.parent):
        part.replace(target)


def _complete(address: str, part: Path, size: int) -> None:
    """Downloads until ``part`` has ``size`` bytes; gives up after three tries in a row that bring nothing."""
    vain = 0
    said = "the connection closed"
    while (have := _size(part)) < size:
        try:
            _append(address, part, have)
        except (OSError, HTTPException) as error:
            said = _said(error)
        vain = 0 if _size(part) > have else vain + 1
        if vain == _TRIES:
            raise ModelError(f"the hub stopped sending ({said}). {_UNREACHED}; what came is kept, so add it again")
        if vain:
            time.sleep(_PAUSE_SECONDS)


def _append(address: str, part: Path, have: int) -> None:
    """One request for what is missing."""
    headers = {"User-Agent": "tianhei", "Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with urlopen(Request(address, headers=headers), timeout=_SILENCE_SECONDS) as response:
        with writing(part.parent), part.open("ab", buffering=0) as file:
            if have and response.status != HTTPStatus.PARTIAL_CONTENT:
                file.truncate(0)
        while chunk := response.read(_CHUNK):
            with writing(part.parent), part.open("ab", buffering=0) as file:
                file.write(chunk)


def _library() -> Any:
    try:
        return importlib.import_module("huggingface_hub")
    except ImportError as error:
        raise ModelError("models by name need the hub's library: pip install 'tianhei[hub]'") from error


def _endpoint() -> str | None:
    """Read each time, since the library reads it once, when it is imported."""
    return os.environ.get("HF_ENDPOINT") or None


def _tagged_licence(tags: tuple[str, ...] | list[str]) -> str | None:
    return next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), None)


def _address(source: HubFile, commit: str) -> str:
    return str(_library().hf_hub_url(source.repo, source.file, revision=commit, endpoint=_endpoint()))


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _said(error: Exception) -> str:
    """The first line of an error, in short."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
