"""Tests in a browser need Chromium on the machine: they run when they are asked for by their marker, and only then."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "browser" in config.option.markexpr:
        return
    held = [item for item in items if item.get_closest_marker("browser")]
    if held:
        config.hook.pytest_deselected(items=held)
        items[:] = [item for item in items if item not in held]
