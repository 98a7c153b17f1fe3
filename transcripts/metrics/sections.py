"""What pictures of a report are drawn from: plain sums over any number of games, folded batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tianhei.transcripts.metrics.believed import believed
from tianhei.transcripts.metrics.deception import obligations
from tianhei.transcripts.metrics.frame import Array, Frame, Mask, Rows, Tables
from tianhei.transcripts.metrics.said import counted

BARS = 10
"""Of a picture of calibration."""
Key: TypeAlias = tuple[Any, ...]


class Picture(NamedTuple):
    """One picture: what its rows are told apart by, what they sum up, and how both come from a frame's seats."""

    keys: tuple[str, ...]
    sums: tuple[str, ...]
    read: Callable[[Frame, Mask], tuple[Sequence[Sequence[Any]], Sequence[Array]]]


def sections(batches: Iterable[Tables], *, taken_over: bool = False) -> dict[str, list[dict[str, Any]]]:
    """The rows of each picture, in order. Sums, so that shares and means are theirs by ``n``.

    What seats believed, said and voted that somebody else took over is left out, unless ``taken_over``.

    suspicion    what good players believe of a player's seats over time (day and part of it: .1 at its start, .4 before
                 its vote, .6 at nightfall): sums of beliefs and of their chance
    claims       day by day: who claims what, and how many of these are lies
    votes        the first vote of a day, from card to card (``to`` absent: nobody)
    calibration  good players' beliefs in ten bars: sums of beliefs and of killers
    lies         claims whose truth the speaker knew, by kind of lie or ``truth``; and checks of killers ``withheld``
    """
    made: dict[str, dict[Key, Array]] = {name: {} for name in PICTURES}
    for tables in batches:
        frame = Frame(tables)
        whose = np.ones(len(frame.seats), dtype=np.bool_) if taken_over else ~frame.taken_over
        for name, picture in PICTURES.items():
            columns, parts = picture.read(frame, whose)
            _add(made[name], zip(*columns, strict=True), np.stack(parts, axis=1))
    return {name: _rows(PICTURES[name], found) for name, found in made.items()}


def _add(found: dict[Key, Array], keys: Iterable[Key], parts: Array) -> None:
    places: dict[Key, int] = {}
    numbers = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.intp)
    sums = np.zeros((len(places), parts.shape[1]))
    np.add.at(sums, numbers, parts)
    for key, place in places.items():
        found[key] = found.get(key, 0) + sums[place]


def _rows(picture: Picture, found: Mapping[Key, Array]) -> list[dict[str, Any]]:
    ordered = sorted(found, key=lambda key: [(value is None, value if value is not None else "") for value in key])
    return [
        {**dict(zip(picture.keys, key, strict=True)),
         **{name: round(float(part), 6) for name, part in zip(picture.sums, found[key], strict=True)}}
        for key in ordered
    ]  # fmt: skip


def _picked(values: Sequence[Any], rows: Rows) -> list[Any]:
    return [values[row] if row >= 0 else None for row in rows.tolist()]


def _names(frame: Frame) -> list[str]:
    return [name for name, _, _ in frame.named()]


def _suspicion(frame: Frame, whose: Mask) -> tuple[Sequence[Sequence[Any]], Sequence[Array]]:
    beliefs = believed(frame)
    here = np.flatnonzero(frame.good[beliefs.by] & whose[beliefs.by] & whose[beliefs.about])
    about, time = beliefs.about[here], np.round(beliefs.time[here], 1).tolist()
    columns = _picked(_names(frame), about), _picked(frame.seats.raw("side"), about), time
    return columns, (beliefs.p[here], beliefs.base[here], np.ones(len(here)))


def _claims(frame: Frame, whose: Mask) -> tuple[Sequence[Sequence[Any]], Sequence[Array]]:
    claims = frame.claims
    here = np.flatnonzero(counted(frame) & whose[claims.seat()])
    sides = _picked(frame.seats.raw("side"), claims.seat()[here])
    columns = _picked(claims.raw("day"), here), sides, _picked(claims.raw("kind"), here)
    return columns, (claims.among("truth", "lie")[here].astype(float), np.ones(len(here)))


def _votes(frame: Frame, whose: Mask) -> tuple[Sequence[Sequence[Any]], Sequence[Array]]:
    votes, roles = frame.votes, frame.seats.raw("role")
    counts = votes.among("stage", "round") & ~votes.true("void")
    here = np.flatnonzero(counts & (votes.seat() >= 0) & whose[votes.seat()])
    columns = (
        _picked(votes.raw("day"), here), _picked(roles, votes.seat()[here]),
        _picked(roles, votes.seat("target")[here]),
    )  # fmt: skip
    return columns, (np.ones(len(here)),)


def _calibration(frame: Frame, whose: Mask) -> tuple[Sequence[Sequence[Any]], Sequence[Array]]:
    beliefs = believed(frame)
    here = np.flatnonzero(frame.good[beliefs.by] & whose[beliefs.by])
    bars = np.minimum((beliefs.p[here] * BARS).astype(int), BARS - 1)
    columns = _picked(_names(frame), beliefs.by[here]), bars.tolist()
    return columns, (beliefs.p[here], beliefs.is_killer[here], np.ones(len(here)))


def _lies(frame: Frame, whose: Mask) -> tuple[Sequence[Sequence[Any]], Sequence[Array]]:
    claims, names, sides = frame.claims, _names(frame), frame.seats.raw("side")
    here = np.flatnonzero(counted(frame) & claims.among("truth", "lie", "truth") & whose[claims.seat()])
    officers, told = obligations(frame)
    withheld = officers[~told & whose[officers]]
    rows = np.concatenate([claims.seat()[here], withheld])
    kinds = [
        kind if truth == "lie" else "truth"
        for kind, truth in zip(_picked(claims.raw("lie_type"), here), _picked(claims.raw("truth"), here), strict=True)
    ]
    columns = _picked(names, rows), _picked(sides, rows), [*kinds, *["withheld"] * len(withheld)]
    return columns, (np.ones(len(rows)),)


PICTURES: Mapping[str, Picture] = {
    "suspicion": Picture(("name", "side", "time"), ("belief", "chance", "n"), _suspicion),
    "claims": Picture(("day", "side", "kind"), ("lies", "n"), _claims),
    "votes": Picture(("day", "from", "to"), ("n",), _votes),
    "calibration": Picture(("name", "bar"), ("belief", "killers", "n"), _calibration),
    "lies": Picture(("name", "side", "kind"), ("n",), _lies),
}
