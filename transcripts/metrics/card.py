"""The card: sums of any number of games, folded batch by batch, and the figures that follow for each player."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from tianhei.transcripts.metrics.bootstrap import MOST_BLOCKS, RESAMPLES, interval, weights
from tianhei.transcripts.metrics.catalogue import METRICS
from tianhei.transcripts.metrics.frame import Array, Frame, Rows, Tables
from tianhei.transcripts.metrics.games import Games, Names, Played, boards_of, played
from tianhei.transcripts.metrics.measure import Metric
from tianhei.transcripts.metrics.tell import MOST, TELL, Spoken, spoken, tell

By: TypeAlias = Literal["model", "side", "role"]
D = TypeVar("D", bound=np.generic)
BY: tuple[By, ...] = get_args(By)

_ONLY: dict[str, By] = {"O1": "model", "O3": "model", "O1s": "side", "O3s": "side"}
"""Figures of games that mean something for whole players, or for one side of theirs, alone."""
_TELL = Metric("I2", "tell", "integrity", "seats of games", TELL, lambda frame: np.empty((0, TELL.width)))


class Twice(ValueError):
    """A game that came before."""

    def __init__(self) -> None:
        super().__init__("a game comes twice; leave one of its copies out")


class Group(NamedTuple):
    """Whose figures they are: a model (or a player without one), with its side and role where they are apart."""

    name: str
    side: str = ""
    role: str = ""


class Row(NamedTuple):
    """One figure of one group. ``value`` is None where there is nothing to look at, ``chance`` where there is none."""

    group: Group
    code: str
    figure: str
    family: str
    of: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None
    n: float
    boards: int

    @property
    def is_off_chance(self) -> bool:
        """Whether the whole interval lies on one side of the chance."""
        if self.low is None or self.high is None or self.chance is None:
            return False
        return not self.low <= self.chance <= self.high

    def to_json(self) -> dict[str, Any]:
        data = {key: value for key, value in self.group._asdict().items() if value}
        return data | {key: value for key, value in self._asdict().items() if key != "group"}


class Summed(NamedTuple):
    """What some games come to: sums by board and group, and what ratings need. It is small, and can be sent."""

    names: tuple[str, ...]
    """All of them, those that did not end too."""
    boards: tuple[str, ...]
    groups: tuple[Group, ...]
    pairs: tuple[Rows, Rows]
    """A board and a group, for each row of sums."""
    sums: Mapping[str, tuple[Rows, Array]]
    """By metric: rows, and what they hold that is not zero."""
    games: tuple[Played, ...]
    said: Mapping[str, Sequence[Spoken]]
    taken_over: int
    left_out: int


def summed(tables: Tables, *, taken_over: bool = False, heard: Collection[str] = ()) -> Summed:
    """Sum up some games. Twice where one comes twice. Of players who are ``heard`` no more speech is wanted."""
    names = tuple(tables["games"]["game"])
    if len({*names}) < len(names):
        raise Twice
    frame = Frame(_finished(tables))
    left_out = len(names) - len(frame.game_number)
    if not len(frame.seats):
        nobody = np.empty(0, dtype=np.intp)
        return Summed(names, (), (), (nobody, nobody), {}, (), {}, 0, left_out)
    taken = frame.taken_over
    kept = np.ones_like(taken) if taken_over else ~taken
    boards, groups = dict[str, int](), dict[Group, int]()
    board = np.array([boards.setdefault(name, len(boards)) for name in boards_of(frame)], dtype=np.intp)
    group = np.array([groups.setdefault(Group(*who), len(groups)) for who in frame.named()], dtype=np.intp)
    rows = np.flatnonzero(kept)
    pairs, place = np.unique(board[frame.seats.game[rows]] * len(groups) + group[rows], return_inverse=True)
    of_pair = np.divmod(pairs, len(groups))
    sums: dict[str, tuple[Rows, Array]] = {}
    for metric in METRICS:
        if not metric.sums_of:
            found = np.zeros((len(pairs), metric.statistic.width))
            np.add.at(found, place, metric.count(frame)[rows])
            some = np.flatnonzero(found.any(axis=1))
            sums[metric.code] = some, found[some]
    return Summed(
        names, tuple(boards), tuple(groups), of_pair, sums, tuple(played(frame)),
        spoken(frame, kept.tolist(), heard), int(taken.sum()), left_out,
    )  # fmt: skip


class _Sums:
    """Sums of one metric: for each group an array of blocks of boards by parts, and the boards that had anything."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.of: dict[int, Array] = {}
        self.boards: dict[int, NDArray[np.uint8]] = {}
        """By group: a bit for each board."""

    def add(self, board: Rows, group: Rows, sums: Array) -> None:
        """Add rows of sums, each of a board and a group."""
        for each in np.unique(group).tolist():
            here = group == each
            blocks, boards = board[here] % MOST_BLOCKS, board[here]
            held = _grown(self.of.get(each, np.zeros((0, self.width))), int(blocks.max()) + 1, MOST_BLOCKS)
            np.add.at(held, blocks, sums[here])
            seen = _grown(self.boards.get(each, np.zeros(0, dtype=np.uint8)), int(boards.max()) // 8 + 1)
            np.bitwise_or.at(seen, boards // 8, (1 << boards % 8).astype(np.uint8))
            self.of[each], self.boards[each] = held, seen

    def merged(self, groups: Sequence[int], number: int, blocks: int) -> tuple[Array, list[int]]:
        """Sums by block and by the groups that these are put into, so many, and how many boards each has."""
        found = np.zeros((blocks, number, self.width))
        seen: dict[int, NDArray[np.uint8]] = {}
        for each, held in self.of.items():
            held = held[:blocks]
            found[: len(held), groups[each]] += held
            length = max(len(self.boards[each]), len(seen.get(groups[each], ())))
            whole = np.zeros(length, dtype=np.uint8)
            for one in (self.boards[each], seen.get(groups[each], whole)):
                whole[: len(one)] |= one
            seen[groups[each]] = whole
        return found, [int(np.unpackbits(seen[each]).sum()) if each in seen else 0 for each in range(number)]


def _grown(held: NDArray[D], length: int, most: int | None = None) -> NDArray[D]:
    """An array with at least so many rows, the new ones empty; some to spare, since it is to grow again."""
    if len(held) >= length:
        return held
    whole = length + length // 2 if most is None else min(length + length // 2, most)
    return np.concatenate([held, np.zeros((whole - len(held), *held.shape[1:]), dtype=held.dtype)])


class Tally:
    """Takes in tables of games, a batch at a time; keeps only sums by board, and what ratings need.

    Its memory is bounded: beyond a number, boards are put together into blocks, which are as independent. A further
    game takes the room of its id, its board's name and a row of seats.
    """

    def __init__(self, *, taken_over: bool = False) -> None:
        self._boards = Names()
        self.games = Games(self._boards)
        self.left_out = 0
        """Games that did not end."""
        self.taken_over = 0
        """Seats that somebody else took over."""
        self.keeps_taken_over = taken_over
        self._seen: set[str] = set()
        self._groups: dict[Group, int] = {}
        self._sums = {metric.code: _Sums(metric.statistic.width) for metric in METRICS if not metric.sums_of}
        self._said: dict[str, list[Spoken]] = {}

    @property
    def boards(self) -> int:
        return len(self._boards)

    @property
    def rated(self) -> Sequence[Played]:
        """The games that rate players: not those in which somebody else played a part, unless such seats are kept."""
        if self.keeps_taken_over or not self.taken_over:
            return self.games
        return [one for one in self.games if not one.taken_over]

    @property
    def heard(self) -> frozenset[str]:
        """Players of whose speech there is enough."""
        return frozenset(name for name, said in self._said.items() if len(said) >= MOST)

    def add(self, tables: Tables) -> None:
        """Sum up some games. Twice if one came before: it would count twice."""
        self.take(summed(tables, taken_over=self.keeps_taken_over, heard=self.heard))

    def take(self, batch: Summed) -> None:
        """Add what some games come to. Twice if one came before."""
        if not self._seen.isdisjoint(batch.names):
            raise Twice
        self._seen.update(batch.names)
        self.left_out += batch.left_out
        self.taken_over += batch.taken_over
        board = np.array([self._boards.number(name) for name in batch.boards], dtype=np.intp)
        group = np.array([self._groups.setdefault(each, len(self._groups)) for each in batch.groups], dtype=np.intp)
        for code, (rows, sums) in batch.sums.items():
            self._sums[code].add(board[batch.pairs[0][rows]], group[batch.pairs[1][rows]], sums)
        self.games.extend(batch.games)
        for name, said in batch.said.items():
            held = self._said.setdefault(name, [])
            held += said[: max(0, MOST - len(held))]

    def rows(self, by: By = "model", *, resamples: int = RESAMPLES, seed: int = 0) -> list[Row]:
        """The figures of each player, its sides or its roles; groups and metrics in order of appearance."""
        groups: dict[Group, int] = {}
        of = [groups.setdefault(_key(group, by), len(groups)) for group in self._groups]
        blocks = min(len(self._boards), MOST_BLOCKS)
        drawn = weights(blocks, resamples, seed) if blocks else np.empty((0, 0))
        found: list[list[Row]] = [[] for _ in groups]
        for metric in METRICS:
            if metric.code == "I3" and by == "model":
                merged = self._tells(groups).merged(range(len(groups)), len(groups), blocks)
                _append(found, _TELL, list(groups), *merged, drawn)
            if _ONLY.get(metric.code, by) == by:
                merged = self._sums[metric.sums_of or metric.code].merged(of, len(groups), blocks)
                _append(found, metric, list(groups), *merged, drawn)
        return [row for rows in found for row in rows]

    def _tells(self, groups: Mapping[Group, int]) -> _Sums:
        """What gives players away, by board."""
        found = _Sums(TELL.width)
        for name, said in self._said.items():
            if told := list(tell(said)):
                boards = np.array([self._boards.number(board) for board, _ in told])
                found.add(boards, np.full(len(told), groups[Group(name)]), np.stack([sums for _, sums in told]))
        return found


def _key(group: Group, by: By) -> Group:
    match by:
        case "model":
            return Group(group.name)
        case "side":
            return Group(group.name, group.side)
        case "role":
            return group


def _append(
    found: Sequence[list[Row]], metric: Metric, groups: Sequence[Group], blocks: Array, boards: Sequence[int],
    drawn: Array,
) -> None:  # fmt: skip
    """Add the figures of one metric to each group's rows."""
    statistic = metric.statistic
    total = blocks.sum(axis=0)
    resampled = statistic.value((drawn @ blocks.reshape(len(blocks), -1)).reshape(len(drawn), *total.shape))
    value, counted = statistic.value(total), statistic.n(total)
    chance = statistic.chance(total) if statistic.chance else np.full(len(groups), np.nan)
    for place, group in enumerate(groups):
        low, high = interval(resampled[:, place], boards[place]) or (None, None)
        known = _known(value[place])
        found[place].append(Row(
            group, metric.code, metric.name, metric.family, metric.of, known, low, high,
            None if known is None else _known(chance[place]), round(float(counted[place]), 6), boards[place],
        ))  # fmt: skip


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _finished(tables: Tables) -> Tables:
    """The tables without games that did not end."""
    games = tables["games"]
    ended = {game for game, winner in zip(games["game"], games["winner"], strict=True) if winner}
    if len(ended) == len(games["game"]):
        return tables
    found: dict[str, dict[str, list[Any]]] = {}
    for name, columns in tables.items():
        if "game" not in columns:
            continue
        kept = [place for place, game in enumerate(columns["game"]) if game in ended]
        found[name] = {column: [values[place] for place in kept] for column, values in columns.items()}
    return found
