"""The benchmark of the tables measures what it says, on a small scale."""

from __future__ import annotations

from pathlib import Path

from bench.columns import DISTINCT, scoring, tables_share, write_games, write_tables
from tianhei.transcripts.columns.gather import read_parts


def test_the_ratios_of_the_tables(tmp_path: Path) -> None:
    """Scoring is within three times the reading of the tables; bounds that a busy machine keeps."""
    games, parts = tmp_path / "games", tmp_path / "parts"
    write_games(games, DISTINCT + 2)
    to_json, to_loading = tables_share(games)
    assert to_json > to_loading > 1
    write_tables(games, parts, 450)
    sizes = [len(tables["games"]["game"]) for tables in read_parts(parts)]
    assert sizes == [200, 200, 50]
    spent = scoring(parts)
    assert 0 < spent["scoring"] < 3 * spent["reading"] + 0.2
