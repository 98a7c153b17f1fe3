"""A server of tables as a process of its own, for tests that kill it: FOLDER PORT."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tables.guests import PACES
from tianhei.arena.tables.house import House
from tianhei.arena.tables.server import create_app

if __name__ == "__main__":
    app = create_app(House(Path(sys.argv[1]), paces=PACES), is_open=True)
    uvicorn.run(app, port=int(sys.argv[2]), log_level="info", access_log=True)
