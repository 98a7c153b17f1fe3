"""`python -m tests.reading`: replies made at random, read and judged, at full size; `--help` names the sizes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.exit(import_module("reading.full").main())
