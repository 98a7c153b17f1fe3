"""Weights that are small and no model, and a look at what a folder holds."""

from __future__ import annotations

import hashlib
from pathlib import Path

WEIGHTS = b"GGUF" + bytes(range(256)) * 64
SHA256 = hashlib.sha256(WEIGHTS).hexdigest()


def weights_at(path: Path, content: bytes = WEIGHTS) -> Path:
    path.write_bytes(content)
    return path


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*")] if folder.exists() else []
