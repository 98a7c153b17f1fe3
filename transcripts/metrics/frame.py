"""The tables of some games as arrays, so that each metric is a few lines of arithmetic.

Every seat of every game has a row; votes, claims and the others point to rows. What a table lacks is not a number, and
a comparison with it is false, so that it is left out and never counted as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from itertools import compress
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tianhei.transcripts.takeovers import is_taken_over

Array: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Tables: TypeAlias = Mapping[str, Mapping[str, Sequence[Any]]]

CIVILIANS = ("civilian", "villager")
"""Roles without any knowledge or power of their own, in our games and in others'."""
POLICE = ("police", "seer")
"""Roles that learn sides at night."""


T = TypeVar("T")


def kept(make: Callable[[Frame], T]) -> Callable[[Frame], T]:
    """A function whose result is kept with the frame, since several metrics need it."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def found(frame: Frame) -> T:
        if name not in frame.made:
            frame.made[name] = make(frame)
        result: T = frame.made[name]
        return result

    return found


class Sheet:
    """One table: its columns as arrays, each made when it is asked for."""

    def __init__(self, frame: Frame, columns: Mapping[str, Sequence[Any]]) -> None:
        self._frame = frame
        self._columns = columns
        self._made: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._columns["game"]) if "game" in self._columns else 0

    def raw(self, name: str) -> Sequence[Any]:
        """A column as it is; all absent where the table has no such column."""
        return self._columns.get(name) or (None,) * len(self)

    def number(self, name: str) -> Array:
        """A column of numbers; not a number where absent."""
        if name not in self._made:
            self._made[name] = np.array(self.raw(name), dtype=np.float64)
        found: Array = self._made[name]
        return found

    def among(self, name: str, *values: Any) -> Mask:
        """Where a column holds one of these values."""
        return self._where(name, values)

    def true(self, name: str) -> Mask:
        """Where a column says so."""
        return self._where(name, (True,))

    def false(self, name: str) -> Mask:
        """Where a column says that it is not so; absent is neither."""
        return self._where(name, (False,))

    def _where(self, name: str, values: tuple[Any, ...]) -> Mask:
        numbers, codes = self._coded(name)
        if not numbers:
            return np.zeros(len(self), dtype=np.bool_)
        found: Mask = np.array([value in values for value in numbers], dtype=np.bool_)[codes]
        return found

    def _coded(self, name: str) -> tuple[dict[Any, int], Rows]:
        """A column's different values, and which of them each row holds."""
        key = f"{name} coded"
        if key not in self._made:
            numbers: dict[Any, int] = {}
            codes = np.fromiter(
                (numbers.setdefault(value, len(numbers)) for value in self.raw(name)), np.intp, len(self)
            )
            self._made[key] = numbers, codes
        found: tuple[dict[Any, int], Rows] = self._made[key]
        return found

    @cached_property
    def game(self) -> Rows:
        """The game of each row, as its number in the frame."""
        numbers = self._frame.game_number
        return np.fromiter((numbers.get(game, -1) for game in self.raw("game")), np.intp, len(self))

    def seat(self, name: str = "seat") -> Rows:
        """The seat's row in the frame that a column points to; -1 where it names nobody."""
        key = f"{name} row"
        if key not in self._made:
            seats = np.nan_to_num(self.number(name), nan=0.0).astype(np.intp)
            seats[(seats < 0) | (seats >= self._frame.lookup.shape[1])] = 0
            self._made[key] = self._frame.lookup[self.game, seats]
        found: Rows = self._made[key]
        return found


class Frame:
    """Some games. ``seats`` has the rows that all others point to."""

    def __init__(self, tables: Tables) -> None:
        games = tables.get("games", {})
        self.game_number = {game: place for place, game in enumerate(games.get("game", ()))}
        self._tables = tables
        self._sheets: dict[str, Sheet] = {}
        self.made: dict[str, Any] = {}
        """What `kept` functions have found."""
        self.lookup = self._lookup()

    def _lookup(self) -> Rows:
        """Row of each seat by game and seat; column 0 is nobody."""
        seats = self._tables.get("seats", {}).get("seat", ())
        most = max((seat for seat in seats if seat is not None), default=0)
        found = np.full((len(self.game_number) + 1, most + 1), -1, dtype=np.intp)
        found[self.seats.game, np.array(seats, dtype=np.intp)] = np.arange(len(seats))
        found[-1] = -1
        return found

    def sheet(self, name: str) -> Sheet:
        """One table; empty where it is absent."""
        if name not in self._sheets:
            self._sheets[name] = Sheet(self, self._tables.get(name, {}))
        return self._sheets[name]

    @property
    def games(self) -> Sheet:
        return self.sheet("games")

    @property
    def seats(self) -> Sheet:
        return self.sheet("seats")

    @property
    def votes(self) -> Sheet:
        return self.sheet("votes")

    @property
    def claims(self) -> Sheet:
        return self.sheet("claims")

    @cached_property
    def killer(self) -> Mask:
        """Seats on the killers' side."""
        return self.seats.among("side", "killers")

    @cached_property
    def good(self) -> Mask:
        return self.seats.among("side", "good")

    @cached_property
    def civilian(self) -> Mask:
        """Seats that know nothing but their own card."""
        return self._role(CIVILIANS)

    @cached_property
    def police(self) -> Mask:
        return self._role(POLICE)

    @cached_property
    def left(self) -> Array:
        """When each seat left: the day, and a half where by a vote; endless for who stayed."""
        how = np.where(self.seats.among("died_phase", "night"), 0.0, 0.5)
        found: Array = np.nan_to_num(self.seats.number("died_day") + how, nan=np.inf)
        return found

    def living(self, game: Rows, time: Array) -> Mask:
        """Who lives at each time of a game (day d's vote is just before d + ½): a column for each seat from 0."""
        found: Mask = np.append(self.left, -np.inf)[self.lookup[game]] > time[:, None]
        return found

    def number_of(self, mask: Mask, game: Rows, time: Array) -> Array:
        """How many seats of a kind live at each time."""
        seats = np.append(mask, False)[self.lookup[game]]
        found: Array = (self.living(game, time) & seats).sum(axis=1).astype(np.float64)
        return found

    def _role(self, names: Iterable[str]) -> Mask:
        roles = self.seats.raw("role")
        return np.fromiter((str(role).lower() in names for role in roles), np.bool_, len(roles))

    @cached_property
    def taken_over(self) -> Mask:
        """Seats that somebody else than their player took over."""
        requests = self.sheet("requests")
        sources = [*dict.fromkeys(source for source in requests.raw("source") if source)]
        has_model = np.array([bool(model) for model in self.seats.raw("model")], dtype=np.bool_)
        counts = self.sums(requests.seat(), *(requests.among("source", source) for source in sources))
        kinds, place = np.unique(np.column_stack([has_model, counts > 0]), axis=0, return_inverse=True)
        taken = [is_taken_over([*compress(sources, kind[1:])], has_model=bool(kind[0])) for kind in kinds]
        found: Mask = np.array(taken, dtype=np.bool_)[place.reshape(-1)]
        return found

    def sums(self, rows: Rows, *parts: Array | Mask | float) -> Array:
        """The parts of each thing looked at, summed up by the seat's row that it belongs to."""
        kept = rows >= 0
        found = np.zeros((len(self.seats), len(parts)))
        for place, part in enumerate(parts):
            values = np.broadcast_to(np.asarray(part, dtype=np.float64), rows.shape)[kept]
            found[:, place] = np.bincount(rows[kept], weights=values, minlength=len(self.seats))
        return found

    def named(self) -> Iterator[tuple[str, str, str]]:
        """Each seat's name (model, else player), side and role."""
        seats = self.seats
        for model, player, side, role in zip(
            seats.raw("model"), seats.raw("player"), seats.raw("side"), seats.raw("role"), strict=True
        ):
            yield model or player or "", side or "", role or ""


def join(left: Rows, right: Rows) -> tuple[Rows, Rows]:
    """All pairs of places whose keys are equal, by the left one; negative keys have no partner."""
    order = np.argsort(right, kind="stable")
    held = right[order]
    first, last = np.searchsorted(held, left, "left"), np.searchsorted(held, left, "right")
    number = np.where(left >= 0, last - first, 0)
    ones = np.repeat(np.arange(len(left)), number)
    within = np.arange(len(ones)) - np.repeat(np.cumsum(number) - number, number)
    others: Rows = order[first[ones] + within] if len(ones) else np.empty(0, dtype=np.intp)
    return ones, others


def match(left: Rows, right: Rows) -> Rows:
    """For each key of the left the place of an equal one of the right, -1 where there is none or it is negative."""
    if not len(right):
        return np.full(len(left), -1, dtype=np.intp)
    order = np.argsort(right, kind="stable")
    place = np.minimum(np.searchsorted(right[order], left), len(right) - 1)
    found: Rows = np.where((left >= 0) & (right[order][place] == left), order[place], -1)
    return found
