"""The card of a folder for Hugging Face `datasets`: which file is which table, and what every column means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from tianhei.transcripts.columns.page import described
from tianhei.transcripts.columns.schema import TABLES

DATA = "data"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(rows: Mapping[str, int], langs: Iterable[str], rules: Mapping[str, int], made: date) -> str:
    """The card; ``rows`` by table, the languages of the games, and how many games by their rules."""
    played = ", ".join(f"{count:,} of {name}" for name, count in rules.items()) or "none"
    return "\n".join((
        "---",
        *_head(rows, langs),
        "---",
        "",
        "# Games of the Chinese killer game",
        "",
        f"{rows['games']:,} games ({played}), written by `tianhei export` on {made.isoformat()}. Each table is a",
        "configuration with one split:",
        "",
        "```python",
        "from datasets import load_dataset",
        "",
        'votes = load_dataset("PATH OR NAME OF THIS FOLDER", "votes", split="train")',
        "```",
        "",
        *_missing(rows),
        "Tables join on `game` and `seat`. What a transcript does not tell is null, never zero. Games on the same",
        "`board` share their cards and lots: they are not independent. Texts were written by the players named in",
        "`seats`; state their terms, and a licence for this folder, before you publish it.",
        "",
        *(line for table in TABLES.values() for line in described(table)),
    ))  # fmt: skip


def _missing(rows: Mapping[str, int]) -> Iterator[str]:
    """Which tables these games have nothing for."""
    if gone := [f"`{name}`" for name in TABLES if not rows[name]]:
        yield f"Without any row, and so without a file: {', '.join(gone)}."
        yield ""


def _head(rows: Mapping[str, int], langs: Iterable[str]) -> Iterator[str]:
    """The card's YAML."""
    yield "pretty_name: Games of the Chinese killer game"
    if known := sorted(set(langs)):
        yield "language:"
        yield from (f"- {lang}" for lang in known)
    yield "tags:\n- social-deduction\n- language-model-evaluation\n- killer-game"
    yield "size_categories:"
    yield f"- {next((name for most, name in _SIZES if sum(rows.values()) < most), 'n>1M')}"
    yield "configs:"
    for name in filter(rows.get, TABLES):
        yield f"- config_name: {name}"
        yield f"  data_files:\n  - split: train\n    path: {DATA}/{name}.parquet"
        if name == "games":
            yield "  default: true"
