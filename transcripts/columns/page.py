"""The page about the tables, from the schema: ``python -m tianhei.transcripts.columns.page > docs/columns.md``."""

from __future__ import annotations

from collections.abc import Iterator

from tianhei.transcripts.columns.schema import TABLES, Table

TYPES = {
    "text": "text", "whole": "whole number", "number": "number", "yes": "true or false", "seats": "list of seats",
}  # fmt: skip

_TOP = """\
# Tables

Transcripts as tables, for `tianhei sql`, `tianhei export` and `tianhei score`. The page is written by
`python -m tianhei.transcripts.columns.page` from the schema.

- Every table begins with `game`; tables join on `game` and `seat`. Seats, days, nights and ballots count from 1;
  events and waves from 0.
- What a transcript does not tell is absent (null, an empty field in CSV), never zero. Games that are not finished,
  and games imported from other arenas, have what they have.
- All of it is derived from what was recorded. No rule is run again.
- A killer here is a seat on the killers' side, helpers included.
- Nothing is left out: where a bot answered for a person who was away, `source` says so (`bot:takeover`), and `score`
  leaves the seat out.

```python
from pathlib import Path
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.columns.gather import gather, read_tables
from tianhei.transcripts.file import files_of
from tianhei.transcripts.game import load

one = tables_of(load("game.jsonl"))
print(one["votes"]["target"])
print(gather(files_of([Path("game.jsonl")]), Path("tables")).games)
print(len(read_tables(Path("tables"))["requests"]["request"]))
```

Measured by `cd tests && python -m bench.columns 10000`, on two busy cores (8 seats, scripted players under ten
names, two games a board, English):

| figure | |
|---|--:|
| scoring 10,000 games from their tables / reading these tables | 0.81 |
| the same with the intervals of all figures, and ratings | 1.35 |
| making the tables of a game / loading its transcript (nearly all of it is the reading of claims from words) | 20.8 |
| peak of memory, 200 and 400 transcripts to tables (a batch is 200) | 124 and 126 MB |
| peak of memory, scoring 2,500, 5,000 and 10,000 games | 234, 240 and 239 MB |
| the same, 25,000, 50,000 and 100,000 games | 242, 251 and 269 MB |
"""


def page() -> str:
    """The page."""
    return "\n".join((_TOP, *(line for table in TABLES.values() for line in described(table))))


def described(table: Table) -> Iterator[str]:
    """One table in Markdown, with its heading."""
    yield f"## {table.name}\n"
    yield f"One row for {table.row}.\n"
    yield "| column | type | unit | meaning |\n|---|---|---|---|"
    for column in table.columns:
        yield f"| `{column.name}` | {TYPES[column.type]} | {column.unit} | {column.meaning} |"
    yield ""


if __name__ == "__main__":
    print(page(), end="")
