"""The examination of players: whoever keeps the contract passes, and each fault is found and named."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from baselines.strange import FAULTS
from provider.model import Signing
from provider.server import Provider
from tianhei.agents.roster import KINDS, parse_spec
from tianhei.arena.checking import examine
from tianhei.arena.cli import main
from tianhei.arena.contract import OF_MODELS, RULES, Report
from tianhei.arena.requests import Kind
from tianhei.arena.situations import FEW, SITUATIONS, Situation

STRANGE = Path(__file__).with_name("strange.py")
NEEDED = tuple(
    each for each in SITUATIONS
    if each in FEW or each.name in ("simultaneous votes", "claims only", "hardly any text", "teams of one")
)  # fmt: skip


def report_on(spec: str, situations: tuple[Situation, ...] = NEEDED, games: int = 1) -> Report:
    return asyncio.run(examine(parse_spec(spec), situations=situations, games=games))


def faults(report: Report) -> dict[str, str]:
    return {found.rule: found.what for found in report.findings() if found.ok is False}


@pytest.mark.parametrize("name", KINDS)
def test_the_kinds_that_ship_pass(name: str) -> None:
    assert faults(report_on(name, FEW)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_they_pass_in_every_situation(name: str) -> None:
    """A slice of ``tianhei check-player NAME``, which plays more games of each."""
    assert faults(report_on(name, SITUATIONS)) == {}


def test_everything_is_asked() -> None:
    """Every kind of request is met, and every odd circumstance."""
    report = report_on("uniform", SITUATIONS, 2)
    assert set(get_args(Kind)) <= set(report.met)
    odd = {"silenced", "pk", "off field", "revote", "forced", "wordless", "alone", "first day"}
    assert odd <= set(report.met)
    assert report.games == 4 * len(SITUATIONS)


@pytest.mark.parametrize(("name", "rule", "what"), FAULTS)
def test_each_fault_is_found(name: str, rule: str, what: str) -> None:
    """And laid to its own rule: what is only too long is not illegal, what is only claimed is no exception."""
    found = faults(report_on(f"{STRANGE}:{name}"))
    assert rule in found
    assert what in found[rule]
    if rule in ("legal", "text", "claims", "letters", "hands off", "usable"):
        assert set(found) == {rule}


def test_every_rule_has_a_fault_that_breaks_it() -> None:
    assert {rule for _, rule, _ in FAULTS} >= {*RULES} - {"no waiting"}


def test_a_player_of_ones_own_may_wait_and_one_that_ships_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(STRANGE.parent))
    assert faults(report_on("strange:Waits", FEW)) == {}
    monkeypatch.setattr("tianhei.arena.checking.KINDS", {"waits": "strange:Waits"})
    monkeypatch.setattr("tianhei.agents.roster.KINDS", {"waits": "strange:Waits"})
    assert faults(report_on("waits", FEW)).keys() == {"no waiting"}


def test_a_model_is_asked_a_few_times() -> None:
    """Once for each request, in both languages, with an endpoint behind it; what it cannot answer is counted."""
    with Provider(Signing()) as server:
        report = report_on(f"m@{server.url}")
        assert len(server.ledger.entries) == len(report.seconds) < 60
    assert report.games == 2
    assert faults(report) == {}
    assert [found.rule for found in report.findings()] == ["asked", *OF_MODELS, "time"]
    mute = Signing()
    with Provider(lambda entry: mute.spoken(entry, "I would rather not say.")) as server:
        report = report_on(f"m@{server.url}")
    assert "it had no usable answer: unreadable" in faults(report)["usable"]


def test_the_command_prints_a_table_and_fails_on_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tianhei.arena.checking.SITUATIONS", FEW)
    monkeypatch.setattr(examine, "__kwdefaults__", {"situations": FEW, "games": 1})
    good = CliRunner().invoke(main, ["check-player", f"{STRANGE}:Sound"])
    assert good.exit_code == 0, good.output
    assert [line.split()[0] for line in good.stdout.splitlines()] == ["ok"] * len(good.stdout.splitlines())
    bad = CliRunner().invoke(main, ["check-player", f"{STRANGE}:TalksTooLong"])
    assert bad.exit_code == 1
    assert "FAULT text " in bad.stdout
    assert "does not keep the players' contract" in bad.stderr
    missing = CliRunner().invoke(main, ["check-player", "wizard"])
    assert missing.exit_code == 1
    assert "no player 'wizard'" in missing.stderr
