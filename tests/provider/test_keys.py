"""Keys: in no transcript, no error and no output, whoever repeats them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from provider.asking import KEY, spec, tianhei
from provider.ledger import Act, Entry
from provider.model import Signing
from provider.server import Serve, refusal
from tianhei.transcripts.game import load


@pytest.mark.report("PE-13", "PR-19")
def test_the_key_is_nowhere(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever repeats it: errors that pass, that are adapted to, that last, and pages."""
    monkeypatch.chdir(tmp_path)
    model = Signing()
    repeated = f"Incorrect key {KEY}: " + "x" * 470 + KEY
    odd = iter(
        (
            refusal(500, repeated),
            Act(429, {"error": repeated}),
            Act(body=f"<html>{KEY}</html>".encode()),
            Act(body={"choices": None, "error": {"message": KEY}}),
            refusal(400, f"max_tokens is not supported for {KEY}"),
            refusal(400, f"content_filter {KEY}"),
        )
    )

    def rule(entry: Entry) -> Act:
        assert entry.headers["authorization"] == f"Bearer {KEY}"
        return next(odd, None) or model(entry)

    server = serve(rule)
    words = ("play", "-g", "classic-arena", "-s", "max_days=1", "-a", "random", "--out", "game.jsonl", "--seed", "1")
    runs = [tianhei(*words, "--seat", f"2={spec(server, max_tokens=700)}")]
    server.rule = lambda entry: refusal(401, repeated)
    runs += [tianhei(*words[:-4], "--out", "void.jsonl", "--seat", f"2={spec(server)}")]
    runs += [tianhei("doctor", spec(server)), tianhei("resume", "void.jsonl")]
    runs += [tianhei(command, "game.jsonl") for command in ("show", "cost", "verify")]
    assert [run.exit_code for run in runs] == [0, 1, 1, 1, 0, 0, 0], runs[0].output
    texts = {path.name: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    texts |= {f"run {number}": run.output for number, run in enumerate(runs)}
    assert {name for name, text in texts.items() if KEY[:14] in text} == set()
    recorded = load(tmp_path / "game.jsonl")
    assert len(recorded.tries) == 6
    assert "***" in recorded.tries[0]["what"]
    assert re.fullmatch(r"tianhei \d\S+, openai \d\S+", recorded.header.program)
