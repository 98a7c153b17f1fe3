"""Tables of many games as files: the same in one process and in several, in every format, and asked in SQL."""

from __future__ import annotations

import csv
import json
import shutil
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from huggingface_hub import DatasetCard

from columns.games import golden, tables
from tianhei.arena.cli import main
from tianhei.transcripts.columns import gather as gathering
from tianhei.transcripts.columns.gather import gather, read_games, read_tables, write_parts
from tianhei.transcripts.columns.page import page
from tianhei.transcripts.columns.schema import TABLES, Tables
from tianhei.transcripts.exporters.write import export
from tianhei.transcripts.file import TranscriptError, files_of

DOCS = Path(__file__).parents[2] / "docs"
MADE = date(2026, 1, 2)


@pytest.fixture
def some(tmp_path: Path) -> Path:
    """A folder of golden games, one of them in a folder below."""
    folder = tmp_path / "games"
    (folder / "below").mkdir(parents=True)
    for place, path in enumerate(golden()[:7]):
        shutil.copy(path, folder / ("below" if place == 3 else "") / path.name)
    return folder


def gathered(some: Path, folder: Path) -> tuple[Path, Tables]:
    files = list(files_of([some]))
    gather(files, folder, processes=1)
    return folder, read_games(files)[0]


def test_the_page_of_the_tables_is_written_from_the_schema() -> None:
    said = (DOCS / "columns.md").read_text(encoding="utf-8")
    assert said == page(), "python -m tianhei.transcripts.columns.page > docs/columns.md"


def test_files_are_those_named_and_those_below(some: Path) -> None:
    one = some / golden()[0].name
    assert list(files_of([one])) == [one]
    assert list(files_of([some])) == sorted(some.rglob("*.jsonl"))
    with pytest.raises(TranscriptError, match="no such file or folder"):
        list(files_of([some / "none"]))


def test_what_is_written_is_what_was_read(some: Path, tmp_path: Path) -> None:
    folder, wanted = gathered(some, tmp_path / "parts")
    assert read_tables(folder) == wanted


def test_several_processes_write_the_same(some: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the batches and processes, the rows stand in the order of the files."""
    monkeypatch.setattr(gathering, "BATCH", 2)
    files = list(files_of([some]))
    heard: list[int] = []
    found = gather(files, tmp_path / "parts", processes=2, heard=lambda now: heard.append(now.games))
    assert (found.games, found.damaged) == (7, [])
    assert heard == [2, 4, 6, 7]
    assert read_tables(tmp_path / "parts") == read_games(files)[0]


def test_a_damaged_file_is_reported_and_the_rest_goes_on(some: Path, tmp_path: Path) -> None:
    broken = some / golden()[1].name
    broken.write_bytes(broken.read_bytes().replace(b'"day":1', b'"day":2', 1))
    (some / "other.jsonl").write_text('{"no": "transcript"}\n')
    found = gather(list(files_of([some])), tmp_path / "parts", processes=1)
    assert found.games == 6
    assert len(found.damaged) == 2
    assert str(broken) in found.damaged[0] and "checksum" in found.damaged[0]


def test_no_text_is_too_strange_for_a_file(tmp_path: Path) -> None:
    """Quotes, line breaks, a NUL, marks of direction come back; half a letter, which no column can hold, is marked."""
    found = tables("classic_scripted")
    said = ['"', "a\nb\r\n", "\0", "\u202e", "', '", "é 号 🙂", ""]
    found["speeches"]["text"][: len(said)] = said
    found["speeches"]["text"][len(said)] = "half \ud83d letter"
    for name in TABLES:
        (tmp_path / name).mkdir()
    write_parts(found, tmp_path, 0)
    back = read_tables(tmp_path)["speeches"]["text"]
    assert back[: len(said)] == said
    assert back[len(said)] == "half ? letter"


def test_parquet(some: Path, tmp_path: Path) -> None:
    folder, wanted = gathered(some, tmp_path / "parts")
    files = export(folder, tmp_path / "out", "parquet", MADE)
    assert {file.name for file in files} == {f"{name}.parquet" for name in TABLES} | {"schema.json"}
    for name, columns in wanted.items():
        found = duckdb.execute(f"from '{tmp_path}/out/{name}.parquet'")
        assert [column[0] for column in found.description] == list(TABLES[name].names)
        assert found.fetchall() == list(zip(*columns.values(), strict=True))
    said = json.loads((tmp_path / "out" / "schema.json").read_text(encoding="utf-8"))
    assert [column["name"] for column in said["votes"]["columns"]] == list(TABLES["votes"].names)


def test_csv(some: Path, tmp_path: Path) -> None:
    """An empty field is absent, a list is numbers with spaces between."""
    folder, wanted = gathered(some, tmp_path / "parts")
    export(folder, tmp_path / "out", "csv", MADE)

    def shown(value: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)

    for name, columns in wanted.items():
        with (tmp_path / "out" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert head == list(TABLES[name].names)
        assert rows == [list(map(shown, row)) for row in zip(*columns.values(), strict=True)]


def test_arrow(some: Path, tmp_path: Path) -> None:
    folder, wanted = gathered(some, tmp_path / "parts")
    export(folder, tmp_path / "out", "arrow", MADE)
    arrow = import_module("nanoarrow")
    for name in ("votes", "speeches", "beliefs"):
        with arrow.ArrayStream.from_path(tmp_path / "out" / f"{name}.arrows") as stream:
            found = [row for chunk in stream for row in arrow.Array(chunk).to_pylist()]
        names = list(wanted[name])
        assert found == [dict(zip(names, row, strict=True)) for row in zip(*wanted[name].values(), strict=True)]


def test_a_dataset_has_a_card_that_names_its_files(some: Path, tmp_path: Path) -> None:
    """Each table is a configuration, its file is there, and its columns are described."""
    folder, wanted = gathered(some, tmp_path / "parts")
    export(folder, tmp_path / "out", "hf", MADE)
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    told, body = card.data.to_dict(), card.text
    assert [config["config_name"] for config in told["configs"]] == [name for name in TABLES if wanted[name]["game"]]
    assert "file: `claims`" not in body and "`probes`, `beliefs`." in body
    assert [config["config_name"] for config in told["configs"] if config.get("default")] == ["games"]
    assert set(told["language"]) == set(wanted["games"]["lang"])
    for config in told["configs"]:
        ((split),) = config["data_files"]
        assert split["split"] == "train"
        file = tmp_path / "out" / split["path"]
        described = duckdb.execute(f"from '{file}'").description
        assert [column[0] for column in described] == list(TABLES[config["config_name"]].names)
    assert all(f"| `{column.name}` |" in body for table in TABLES.values() for column in table.columns)
    assert "7 games" in body and "2026-01-02" in body


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, arguments)


def test_the_commands(some: Path, tmp_path: Path) -> None:
    """A question answered from the games and from an export of them is answered alike."""
    question = "select game, count(*) votes from votes group by all order by all"
    straight = run("sql", "--csv", str(some), question)
    assert straight.exit_code == 0, straight.output
    for kind in ("parquet", "hf"):
        assert run("export", str(some), "-o", str(tmp_path / kind), "--as", kind).exit_code == 0
        assert run("sql", "--csv", str(tmp_path / kind), question).stdout == straight.stdout
        assert run("sql", "--csv", str(tmp_path / kind), "select count(*) from beliefs").stdout.split() == [
            "count_star()",
            "0",
        ]
    assert len(straight.stdout.splitlines()) == 8
    as_json = [json.loads(line) for line in run("sql", "--json", str(some), question).stdout.splitlines()]
    assert [f"{row['game']},{row['votes']}" for row in as_json] == straight.stdout.splitlines()[1:]
    assert "votes" in run("sql", str(some), question).stdout


def test_errors_say_what_to_do(some: Path, tmp_path: Path) -> None:
    wrong = run("sql", str(some), "select nothing from votes")
    assert wrong.exit_code == 1 and "nothing" in wrong.stderr and "Traceback" not in wrong.output
    assert "no such file or folder" in run("sql", str(tmp_path / "none"), "select 1").stderr
    (tmp_path / "empty.jsonl").write_text("")
    nothing = run("export", str(tmp_path / "empty.jsonl"), "-o", str(tmp_path / "out"))
    assert nothing.exit_code == 1 and "left out" in nothing.stderr and "none of these 1 files" in nothing.stderr


def test_no_control_letter_reaches_the_terminal(some: Path) -> None:
    for form in ([], ["--json"]):
        assert "\x1b" not in run("sql", *form, str(some), "select chr(27) || '[2J' as text").stdout, form


def test_a_run_s_games_know_their_track(some: Path, tmp_path: Path) -> None:
    """The games of a benchmark's folder bear its track and its name."""
    folder = tmp_path / "run" / "games"
    folder.mkdir(parents=True)
    shutil.copy(golden()[0], folder / "duplicate-bench-10-0001-a-b-01234567.jsonl")
    plan = 'name = "a season"\nboards = 1\n[players]\na = "random"\nb = "scripted"\n[[tables]]\nrules = "bench-10"\n'
    (tmp_path / "run" / "plan.toml").write_text(plan)
    found = run("sql", "--csv", str(tmp_path / "run"), "select track, season from games")
    assert found.stdout.splitlines()[1:] == ["duplicate,a season"], found.output
