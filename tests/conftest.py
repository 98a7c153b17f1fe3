"""What holds for all tests: properties are tried on the same examples everywhere, however slow the machine is.

Tests in a browser need Chromium on the machine: they run when they are asked for by their marker, and only then.
"""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has its background jobs ignore Ctrl-C, and so would the processes that tests start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "browser" in config.option.markexpr:
        return
    held = [item for item in items if item.get_closest_marker("browser")]
    if held:
        config.hook.pytest_deselected(items=held)
        items[:] = [item for item in items if item not in held]
