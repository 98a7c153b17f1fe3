"""The benchmark of tables measures real tables, on a small scale; its figures at full size stand in the docs."""

from __future__ import annotations

from bench.tables import measure


def test_tables_are_cheap_and_a_stream_hears_soon() -> None:
    found = measure(3)
    assert 1 <= found["events_at_once"] <= 3
    assert 0 < found["kb_per_table"] < 4000
    assert 0 < found["one_event_ms"]["median"] < 2000
    assert found["idle_cpu_share"] < 0.3, "whoever waits costs nothing"
