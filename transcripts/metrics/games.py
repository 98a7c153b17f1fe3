"""Games as the ratings see them, and their boards; kept so small that any number of them has room."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, overload

import numpy as np

from tianhei.transcripts.metrics.frame import Frame, kept

WINNERS = ("good", "killers", "draw")
ROW = 9
"""Numbers of a game that are kept, beside its seats."""


class Played(NamedTuple):
    """A game as the ratings see it. ``police`` and ``civilians`` are parts of ``town``; a seat gives a name."""

    table: str
    board: str
    killers: tuple[str, ...]
    town: tuple[str, ...]
    police: tuple[str, ...]
    civilians: tuple[str, ...]
    winner: str
    clean: bool
    """Whether nobody lacked an answer."""
    taken_over: bool = False
    """Whether somebody else took a seat over."""


@kept
def boards_of(frame: Frame) -> list[str]:
    """What games are dependent by: the board, else the seed, else each game alone."""
    games = frame.games
    return [
        f"{rules} {game if board is None and seed is None else seed if board is None else board}"
        for game, rules, board, seed in zip(
            games.raw("game"), games.raw("ruleset"), games.raw("board"), games.raw("seed"), strict=True
        )
    ]


def played(frame: Frame) -> Iterator[Played]:
    """The games that have ended and in which nobody was told more than the rules tell."""
    names = list(frame.named())
    number = len(frame.game_number)
    seats: list[list[int]] = [[] for _ in range(number)]
    for row, game in enumerate(frame.seats.game.tolist()):
        seats[game].append(row)
    told = frame.games.true("handicap")
    requests = frame.sheet("requests")
    absent = np.zeros(number, dtype=np.bool_)
    absent[requests.game[requests.among("source", "fallback")]] = True
    taken_over = np.zeros(number, dtype=np.bool_)
    taken_over[frame.seats.game[frame.taken_over]] = True
    for game, (board, rules, winner, n, k) in enumerate(zip(
        boards_of(frame), frame.games.raw("ruleset"), frame.games.raw("winner"), frame.games.raw("seats_n"),
        frame.games.raw("killers_n"), strict=True,
    )):  # fmt: skip
        if winner not in WINNERS or told[game]:
            continue

        def of(mask: Sequence[bool], rows: list[int] = seats[game]) -> tuple[str, ...]:
            return tuple(names[row][0] for row in rows if mask[row])

        killers, town = of(frame.killer.tolist()), of(frame.good.tolist())
        if killers and town:
            yield Played(
                f"{str(rules)[:8]} {n} {k}", board, killers, town, of(frame.police.tolist()),
                of(frame.civilian.tolist()), winner, not absent[game], bool(taken_over[game]),
            )  # fmt: skip


class Names:
    """Names and their numbers, in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> str:
        return self._names[number]

    def number(self, name: str) -> int:
        """The number of a name, a new one where it is new."""
        found = self._numbers.setdefault(name, len(self._names))
        if found == len(self._names):
            self._names.append(name)
        return found


class Games(Sequence[Played]):
    """Games as numbers, some eighty bytes each; each is put together again when it is asked for."""

    def __init__(self, boards: Names | None = None) -> None:
        self._boards = boards or Names()
        self._tables, self._players = Names(), Names()
        self._rows = array("I")
        """Of each game: table, board, winner, whether it is clean, taken over, and the seats of each of four groups."""
        self._seats = array("I")
        self._starts = array("Q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> Played: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Played]: ...

    def __getitem__(self, place: int | slice) -> Played | Sequence[Played]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._game(place % len(self))

    def extend(self, games: Iterable[Played]) -> None:
        """Add games."""
        for one in games:
            groups = one.killers, one.town, one.police, one.civilians
            self._seats.extend(map(self._players.number, chain(*groups)))
            self._rows.extend((
                self._tables.number(one.table), self._boards.number(one.board), WINNERS.index(one.winner), one.clean,
                one.taken_over, *map(len, groups),
            ))  # fmt: skip
            self._starts.append(len(self._seats))

    def _game(self, place: int) -> Played:
        table, board, winner, clean, taken_over, *sizes = self._rows[place * ROW : place * ROW + ROW]
        start, groups = self._starts[place], list[tuple[str, ...]]()
        for size in sizes:
            groups.append(tuple(self._players[number] for number in self._seats[start : start + size]))
            start += size
        killers, town, police, civilians = groups
        return Played(
            self._tables[table], self._boards[board], killers, town, police, civilians, WINNERS[winner], bool(clean),
            bool(taken_over),
        )  # fmt: skip
