"""All metrics in order, and docs/metrics.md about them: ``python -m tianhei.transcripts.metrics.catalogue``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import getdoc
from typing import Any, NamedTuple, get_args

from tianhei.transcripts.metrics import belief, deception, integrity, night, outcome, persuasion, voting
from tianhei.transcripts.metrics.measure import Family, Metric
from tianhei.transcripts.metrics.tell import TELL, tell
from tianhei.transcripts.metrics.trio import trio

METRICS: tuple[Metric, ...] = (
    *outcome.METRICS, *voting.METRICS, *belief.METRICS, *deception.METRICS, *persuasion.METRICS, *night.METRICS,
    *integrity.METRICS,
)  # fmt: skip
"""Those that are sums over seats."""

BEYOND = ("G1", "G2")
"""Core figures beside the 26."""
FIELDS = ("Formula", "Range", "Chance", "Source")


def rating() -> None:
    """Strength as killers, as the good side and overall, from all games at once.

    Formula: logit P(good side wins) = table + mean strength of its seats - mean strength of the killers'; draws after
    Davidson; 173.7 Elo points to the unit, zero for the mean of the players; overall is the mean of both sides
    Range: any, in Elo points; not available for one board or one player, for a side that a player held on fewer than
    two boards, and overall where that is either
    Chance: 0 among equals
    Source: a logistic (Bradley-Terry) model; its intervals are robust to games that share a board
    """


class Entry(NamedTuple):
    """One figure as the page shows it."""

    code: str
    name: str
    family: Family
    of: str
    is_core: bool
    about: str


def _beside(code: str, family: Family, of: str, made: Callable[..., Any]) -> Entry:
    return Entry(code, made.__name__, family, of, True, getdoc(made) or "")


def entries() -> tuple[Entry, ...]:
    """All figures, family by family: the sums over seats and those that are fitted."""
    found = [Entry(one.code, one.name, one.family, one.of, one.is_core, one.about) for one in METRICS]
    found += [
        _beside("O2", "outcome", "games", rating), _beside("O5", "outcome", "games", trio),
        _beside("I2", "integrity", "seats of games", tell),
    ]  # fmt: skip
    families = get_args(Family)
    return tuple(sorted(found, key=lambda one: (families.index(one.family), one.code[0], int(one.code[1]), one.code)))


def core() -> tuple[str, ...]:
    """The codes of the 26 core rows; D1 is one row with three figures."""
    return tuple(dict.fromkeys(one.code[:2] for one in entries() if one.is_core and one.code not in BEYOND))


def sections_of(about: str) -> tuple[str, dict[str, str]]:
    """A docstring as its first paragraphs and its named fields."""
    text, found, name = [], dict[str, str](), ""
    for line in about.splitlines():
        head, colon, rest = line.partition(": ")
        if colon and head in FIELDS:
            name = head
            found[name] = rest.strip()
        elif name:
            found[name] += " " + line.strip()
        else:
            text.append(line.strip())
    return " ".join(filter(None, text)), found


_HEAD = """# Metrics

What `tianhei score` computes, from the tables of games alone. This page is written by
`python -m tianhei.transcripts.metrics.catalogue` from the functions' own descriptions.

```sh
tianhei play --all scripted --quiet --seed 1 --out one.jsonl
tianhei play --all scripted --quiet --seed 2 --out two.jsonl
tianhei score one.jsonl two.jsonl
tianhei score --by side --json one.jsonl two.jsonl
```

```python
from tianhei.transcripts.columns.game import tables_of
from tianhei.transcripts.game import load
from tianhei.transcripts.metrics.card import Tally
from tianhei.transcripts.metrics.sections import sections

tables = tables_of(load("game.jsonl"))
tally = Tally()
tally.add(tables)
for row in tally.rows("side", resamples=100):
    print(row.group.side, row.code, row.figure, row.value, row.low, row.high, row.chance, row.n)
print(sections([tables])["votes"])
```

A tally takes any number of games, batch by batch; a further one takes less than a kilobyte. Another process can sum a
batch up (`summed`), and the tally takes it (`take`), as `tianhei score` does on all cores (`--jobs`). `sections` sums
up what pictures are drawn from.

- Each figure stands beside its chance (what a player without skill reaches), its 95 % interval and n, the number of
  things looked at. A lift is a rate less its chance, so its chance is 0. Bold: the interval excludes the chance.
- **not available**: there was nothing to look at, or the games do not tell. It is never shown as zero.
- Intervals resample boards with all their games ({resamples:,} times, seeded); games without a board count by their
  seed. With fewer than {least} boards there is none; with fewer than 40 it is rather too narrow.
- Whose figure it is: the model, or the player where there is no model. A game that did not end is left out.
- A seat that somebody else took over is left out whole, and a game with such a seat rates nobody (O2, O5), since its
  result is not that of the players it names. How many is printed; `--taken-over` counts them in. Taken over: one answer
  or more is a bot's for a person who was away or a script's for a bot without an answer (`bot:takeover`,
  `bot:stand-in` in `requests.source`), or a person, a model and a script sat there in turn. A fallback takes no seat
  over.
- Claims are those that speakers declared, or, in a game without any, those extracted from the words.
- Values of positions (V6, P4, O3) are of play by lot: exact for the classic game where a tie comes to a lot or to
  nobody; for `bench-13b`, `butterfly` (13 and 11 players) and `butterfly-recommended` frozen in files made by
  `python -m tianhei.arena.valuing PRESET`. Smaller tables of the same cards have their values of positions, but not
  the best play that O3 needs. Other butterfly tables have none, nor have rules that are those of no preset (whatever
  speech may carry).

The {number} core rows are {core}.
D1 is one row with a figure for each kind of lie. {beyond} stand beside them. The other figures help to read these and
rank nobody.
"""


def page() -> str:
    """The page."""
    from tianhei.transcripts.metrics.bootstrap import LEAST_BOARDS, RESAMPLES

    names = core()
    head = _HEAD.format(
        resamples=RESAMPLES, least=LEAST_BOARDS, number=len(names), core=" ".join(names), beyond=" and ".join(BEYOND)
    )
    return "\n".join([head, *_rows()])


def _rows() -> Iterator[str]:
    family = ""
    for one in entries():
        if one.family != family:
            family = one.family
            yield f"## {family.capitalize()}\n"
        text, fields = sections_of(one.about)
        mark = " (core)" if one.is_core else ""
        yield f"### {one.code} {one.name.replace('_', ' ')}{mark}\n"
        yield f"{text}\n"
        yield from (f"- *{name}*: {fields[name]}" for name in FIELDS)
        yield f"- *n counts*: {one.of}\n"


def main() -> None:
    """Print the page."""
    import sys

    sys.stdout.buffer.write(page().encode())


__all__ = ["METRICS", "TELL", "core", "entries", "page"]

if __name__ == "__main__":
    main()
