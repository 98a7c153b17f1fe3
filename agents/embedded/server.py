"""The engine: llama.cpp's own OpenAI-compatible server, inside this process and for this process alone."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import secrets
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tianhei.agents.embedded.shelf import Model, ModelError, checked_weights

_CONTEXT = 8192
_SMALL_CONTEXT = 4096
_BATCH = 256
"""Prompt tokens evaluated at a stretch: between two stretches the engine looks at its other requests."""
_PATIENCE_SECONDS = 10.0
_OPEN_REQUESTS = re.compile(r"^llamacpp:requests_(?:processing|deferred) (\d+)", re.MULTILINE)
_QUIET = -1
"""Below every level that the engine prints at, errors included: the terminal belongs to the game."""


class EmbeddedServer:
    """Serves one model on a free port of 127.0.0.1, under a random key, while the context lasts.

    ``threads`` is one by default: two threads that spin wait for each other as soon as anything else runs. ``context``
    is in tokens and is shared by the slots (default 8192, or 4096 where memory is short; for the default model a
    thousand tokens take 23 MB). A slot keeps the prompt that it served last, and evaluates only what differs from it.
    The engine fills the first slot that is similar enough, so whoever sends two families of prompts in turn names
    the slot for each in the body (``"id_slot": 0`` or ``1``): that halves the tokens evaluated. More requests than
    slots wait their turn.

    Raises `ModelError` on entry where the engine is missing or refuses the weights.
    """

    def __init__(self, model: Model, *, threads: int = 1, context: int | None = None, slots: int = 2) -> None:
        if threads < 1 or slots < 1 or (context is not None and context < 256):
            raise ValueError("threads and slots are at least 1, and context at least 256 tokens")
        self._weights = model
        self._threads = threads
        self._context = context
        self._slots = slots
        self._key = secrets.token_urlsafe(32)
        self._server: Any = None
        self._address = ""

    @property
    def base_url(self) -> str:
        """Where an OpenAI client sends its requests: ``http://127.0.0.1:PORT/v1``."""
        return f"{self._running()}/v1"

    @property
    def api_key(self) -> str:
        """The key of this server: made for it, and written nowhere."""
        return self._key

    @property
    def model(self) -> str:
        """The model's name, as the server's answers give it."""
        return self._weights.name

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Loads the weights and begins to listen; about a second for the default model. Raises `ModelError`."""
        if self._server is not None:
            raise ModelError("this embedded server runs already")
        weights = checked_weights(self._weights.path)
        engine = load_engine()
        try:
            self._server = engine.Server(self._settings(engine, weights))
        except RuntimeError as error:
            raise ModelError(
                f"the engine could not load {weights}: the file may be damaged, the model unknown to this release of "
                f"xllamacpp, or memory short. Add the model again, or ask for a smaller context ({error})"
            ) from error
        self._address = str(self._server.listening_address)

    def close(self) -> None:
        """Stops listening and frees the weights, once the requests that still run are done. May be called twice.

        Cancel your requests first: the engine drops a request when its client goes. It cannot be stopped under a
        request that still has one, so after ten seconds it is left alone until the process ends.
        """
        server, self._server, self._address = self._server, None, ""
        if server is None:
            return
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while _busy(server):
            if time.monotonic() > deadline:
                # One reference too many, so that its destructor, which would wait for ever, is never run.
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(server))
                return
            time.sleep(0.02)

    def _running(self) -> str:
        if not self._address:
            raise ModelError("this embedded server does not run: use it in a with statement")
        return self._address

    def _settings(self, engine: Any, weights: Path) -> Any:
        settings = engine.CommonParams()
        settings.model.path = str(weights)
        settings.model_alias = {self._weights.name}
        settings.hostnames = ["127.0.0.1"]
        settings.port = 0
        settings.api_keys = [self._key]
        settings.verbosity = _QUIET
        settings.ui = False
        settings.endpoint_slots = False
        settings.endpoint_metrics = True
        settings.warmup = False
        settings.n_ctx = self._context or comfortable_context(weights.stat().st_size, available_memory())
        settings.n_batch = settings.n_ubatch = _BATCH
        settings.n_parallel = self._slots
        settings.kv_unified = True
        settings.cache_ram_mib = 0
        settings.cpuparams.n_threads = self._threads
        settings.cpuparams_batch.n_threads = self._threads
        if all(
            device["type"] == engine.ggml_backend_dev_type.GGML_BACKEND_DEVICE_TYPE_CPU for device in devices(engine)
        ):
            # On a processor plain attention writes up to twice as fast behind a long prompt.
            settings.flash_attn_type = engine.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        return settings


def _busy(server: Any) -> bool:
    return any(int(count) for count in _OPEN_REQUESTS.findall(str(server.handle_metrics())))


def load_engine() -> Any:
    """The engine's module. Raises `ModelError` where it is not installed."""
    # Read by the OpenMP runtime when it is loaded: threads that wait must not spin on a core that others need.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    try:
        return importlib.import_module("xllamacpp")
    except ImportError as error:
        raise ModelError(f"the embedded model needs its engine ({error}): pip install 'tianhei[local]'") from error


def devices(engine: Any) -> list[dict[str, Any]]:
    """What the engine can compute on: at least the processor."""
    return list(engine.get_device_info())


def comfortable_context(weights: int, free: int | None) -> int:
    """Tokens of context for weights of so many bytes, where ``free`` bytes of memory are free (None: not known)."""
    short = free is not None and free < 2 * weights + 1_000_000_000
    return _SMALL_CONTEXT if short else _CONTEXT


def available_memory() -> int | None:
    """Free memory in bytes as Linux counts it; None elsewhere."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    kilobytes = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    return next((int(each) * 1024 for each in kilobytes), None)
