"""Each test has a shelf of its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """An empty shelf for each test, but for those of the real model."""
    if "model" not in request.keywords:
        monkeypatch.setenv("TIANHEI_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def said() -> list[str]:
    return []
