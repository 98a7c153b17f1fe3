"""A run with a model, at a fake endpoint: arms change what it is sent, the report shows what it did and used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.models import endpoint
from tianhei import __version__
from tianhei.arena.tournament.folder import open_run, path_of, planned
from tianhei.arena.tournament.plan import Arm, Plan
from tianhei.arena.tournament.report import write_report
from tianhei.arena.tournament.results import rows
from tianhei.arena.tournament.run import Progress, run
from tianhei.transcripts.calls import prompts_sent
from tianhei.transcripts.game import load
from tianhei.transcripts.header import CANARY

PLAN = """
name = "models"
boards = 5
anchors = []
lines = []
variants = [1, 2]
arms = ["mute", "renamed", "claims_off", "thought_off"]
arms_every = 5

[[tables]]
rules = "classic-arena"
players = 6

[players]
a = "fake@{url}"
b = "random"
"""
ARMS: tuple[Arm, ...] = ("full", "mute", "renamed", "claims_off", "thought_off")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plan]:
    folder = tmp_path_factory.mktemp("models")
    with endpoint(latency=0.0) as (url, _):
        (folder / "plan").write_text(PLAN.format(url=url))
        plan, progress = open_run(folder / "run", folder / "plan"), Progress()
        run(folder / "run", plan, progress)
    assert (progress.done, progress.total, progress.void.total()) == (18, 18, 0)
    write_report(folder / "run", plan)
    return folder / "run", plan


def test_what_an_arm_takes_away_or_renames_is_in_no_prompt(played: tuple[Path, Plan]) -> None:
    folder, plan = played
    texts = dict.fromkeys(ARMS, "")
    for game in planned(plan):
        recorded = load(path_of(folder, game))
        assert recorded.header.canary == CANARY
        assert {spec.params.get("variant", 1) for spec in recorded.header.seats if spec.model} == {game.board.variant}
        for prompt in prompts_sent(recorded.sent):
            texts[game.arm] += f"{prompt.system}\n{prompt.public}{prompt.private}\n"
    assert all(texts.values())
    assert "killer" in texts["full"] and "killer" not in texts["renamed"].lower()
    for arm in ARMS:
        keys = " ".join(re.findall("Write these keys: (.*)", texts[arm]))
        assert ("claims (" in keys) == (arm not in ("mute", "claims_off")), arm
        assert ("thought (" in keys) == (arm != "thought_off"), arm
        assert "vote (" in keys


def test_the_report_compares_the_arms_and_counts_what_was_used(played: tuple[Path, Plan]) -> None:
    found = json.loads((played[0] / "report.json").read_text())
    assert set(found["contrasts"]) == {"talk", "renamed", "claims_off", "thought_off"}
    assert found["contrasts"]["renamed"]["a"]["both"]["pairs"] == 2
    assert {key.split(" | ")[0] for key in found["manners"] if key.endswith("| fake")} == set(ARMS)
    places = found["manners"]["full | fake"]["chooses_first_listed"]
    assert places["of"] > 20 and 0.1 < places["chance"] < 0.6
    assert found["spent"]["a"]["tokens_out"] > 0 and "b" not in found["spent"]
    page = (played[0] / "report.zh.html").read_text()
    assert "换了名字的身份" in page and "选名单第一个" in page and "实力与花费" in page


def test_how_a_model_was_asked_names_its_words_and_the_program(played: tuple[Path, Plan]) -> None:
    """Words are put together by the program, so that the words' hash alone does not tell how it was asked."""
    for one in rows(*played):
        (spec, *_) = [spec for spec in load(path_of(played[0], one.game)).header.seats if spec.model]
        assert f" {spec.pack_hash} tianhei {__version__} " in one.asked["a"]
