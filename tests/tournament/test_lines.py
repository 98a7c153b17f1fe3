"""What a run prints where nobody looks at a terminal: whole lines, and nothing that steers one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tournament.test_stopping import PLAN, command


@pytest.mark.report("UI-03")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_progress_in_a_file_is_whole_lines_without_control_codes(tmp_path: Path, form: list[str]) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(player="uniform", lines="[]"))
    done = subprocess.run(command(plan, "--out", tmp_path / "run", *form), capture_output=True, timeout=300, check=True)
    for printed in (done.stdout, done.stderr):
        text = printed.decode()
        assert not [letter for letter in text if ord(letter) < 32 and letter != "\n"]
        assert text == "" or text.endswith("\n")
    if form:
        assert [json.loads(line) for line in done.stdout.splitlines()][-1]["left"] == 0
    else:
        assert "games are finished" in (done.stdout + done.stderr).decode()


@pytest.mark.report("ST-07")
def test_rates_by_seat_and_speaking_order_stand_in_the_report_with_intervals(tmp_path: Path) -> None:
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    plan.write_text(PLAN.format(player="uniform", lines="[]"))
    subprocess.run(command(plan, "--out", folder, "--quiet"), timeout=300, check=True)
    subprocess.run([command()[0], "bench", "report", folder], timeout=300, check=True, capture_output=True)
    data = json.loads((folder / "report.json").read_text())
    assert data["balanced"] is True
    for part in ("seats", "positions"):
        table = next(iter(data[part].values()))
        assert len(table) == (6 if part == "seats" else 5), "one dies before anybody speaks"
        assert all(rate["games"] == table["1"]["games"] for rate in table.values()) or part == "positions"
        assert all(rate["low"] <= rate["value"] <= rate["high"] for rate in table.values())
