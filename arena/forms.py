"""What a request for a single ruling may hold: a form for each command, and what does not fit it refused.

A field that is left out, or null, is the same where it is not needed. What two fields must be to each other the rulings
themselves say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Any

from tianhei.arena.roles import Role
from tianhei.arena.rules.council import TEAM_OF
from tianhei.arena.rules.night import FATAL_NEEDLES
from tianhei.arena.rules.options import GameName, Rules, options
from tianhei.arena.rules.presets import read_rules
from tianhei.transcripts.file import from_bytes, to_bytes

Data = Mapping[str, Any]
ACTORS = {
    "carry": Role.BUTTERFLY,
    "shoot": Role.SNIPER,
    "kill": Role.KILLER,
    "needle": Role.DOCTOR,
    "check": Role.POLICE,
    "silence": Role.ELDER,
}
"""Who does what by night."""
SEATS_AT_MOST = 999
"""The largest table that a request may speak of."""
LONGEST_NAME = 60
DAYS_AT_MOST: int = next(info.allowed[-1] for info in options("classic") if info.name == "max_days")


class BadRequest(ValueError):
    """A request that cannot be understood; the message says what it lacks."""


@dataclass(frozen=True, slots=True)
class Field:
    """What one field of a request holds. Left out, or null, is the same where it is not ``needed``."""

    is_a: str
    fits: Callable[[Any], object]
    needed: bool = False
    game: GameName | None = None

    def of(self, game: GameName) -> Field:
        """The same, in one game alone."""
        return Field(self.is_a, self.fits, self.needed, game)


def needed(field: Field) -> Field:
    """The same, and it may not be left out."""
    return Field(field.is_a, field.fits, True, field.game)


_INT = frozenset((int,))
_INT_OR_NULL = frozenset((int, NoneType))
_TEXT = frozenset((str,))
_OPTION = frozenset((str, int, bool))
_SEATS_OF_ALL = frozenset(range(1, SEATS_AT_MOST + 1))
_SEAT_NAMES = frozenset(map(str, range(1, SEATS_AT_MOST + 1)))


def _are_rules(value: Any) -> bool:
    """A name, or an object of plain values; which names and values, `read_rules` says."""
    if type(value) is str:
        return 0 < len(value) <= LONGEST_NAME
    return type(value) is dict and len(value) > 0 and _OPTION.issuperset(map(type, value.values()))


def _are_seats(value: Any) -> bool:
    return type(value) is list and _INT.issuperset(map(type, value)) and _SEATS_OF_ALL.issuperset(value)


def _are_different_seats(value: Any) -> bool:
    return (not value and type(value) is list) or _are_living(value)


def _are_living(value: Any) -> bool:
    if type(value) is not list or not _INT.issuperset(map(type, value)):
        return False
    seats = set(value)
    return 0 < len(seats) == len(value) and seats <= _SEATS_OF_ALL


def _are_stated(value: Any) -> bool:
    return type(value) is list and _are_seats([seat for seat in value if seat is not None])


def _are_roles(value: Any) -> bool:
    return type(value) is list and 0 < len(value) <= SEATS_AT_MOST and _TEXT.issuperset(map(type, value))


def _are_choices(value: Any) -> bool:
    """Seats that are not there are left to the ruling, which says what could have been chosen."""
    return type(value) is dict and _SEAT_NAMES.issuperset(value) and _INT_OR_NULL.issuperset(map(type, value.values()))


def _are_numbers(value: Any, most: int) -> bool:
    if type(value) is not dict or not _INT.issuperset(map(type, value.values())):
        return False
    return not value or (min(value.values()) >= 0 and max(value.values()) <= most)


RULES = Field("a preset's name, or an object with a preset and options", _are_rules, needed=True)
SEAT = Field(f"a seat, from 1 to {SEATS_AT_MOST}", lambda value: type(value) is int and 1 <= value <= SEATS_AT_MOST)
PLAYERS = Field(f"a number of players, from 1 to {SEATS_AT_MOST}", SEAT.fits)
ROLES = Field("a list of roles, seat 1 first", _are_roles)
_LANG = Field('"en" or "zh"', lambda value: type(value) is str and value in ("en", "zh"))
_DAY = Field(
    f"the number of a day, from 1 to {DAYS_AT_MOST}", lambda value: type(value) is int and 1 <= value <= DAYS_AT_MOST
)
_SEATS = Field("a list of different seats", _are_different_seats)
_LIVING = Field("a list of different seats, one at least", _are_living, needed=True)
_DEMAND = Field(
    "a list of different seats, two at least", lambda value: _are_different_seats(value) and len(value) != 1
)
_CHOICES = Field('an object of seats and whom each chose, a seat or null, as in {"1": 2, "3": null}', _are_choices)
_VOTES = Field(
    f"a list of votes, each {_CHOICES.is_a}", lambda value: type(value) is list and all(map(_are_choices, value))
)
_NEEDLES = Field(
    f'an object of seats and their empty needles so far, {FATAL_NEEDLES} at most, as in {{"4": 1}}',
    lambda value: _are_numbers(value, FATAL_NEEDLES) and _SEAT_NAMES.issuperset(value),
)
_ACTIONS = Field(
    f"an object of {', '.join(ACTORS)}, each a seat or null",
    lambda value: type(value) is dict and _INT_OR_NULL.issuperset(map(type, value.values())),
)
_COUNCILS = Field(
    f"an object of {', '.join(TEAM_OF)}, each {_CHOICES.is_a}",
    lambda value: type(value) is dict and all(map(_are_choices, value.values())),
)
_STATED = Field("a list of a seat or null for each awake member", _are_stated)
_COUNTS = Field(
    'an object of roles and how many hold each, as in {"killer": 2}', lambda value: _are_numbers(value, SEATS_AT_MOST)
)
ANYTHING = Field("anything", type)  # every value has a type, and this asks it without a call of ours


@dataclass(frozen=True, slots=True)
class Form:
    """All fields of one command, and what `check` looks up about them."""

    name: str
    fields: Mapping[str, Field]
    fits: Mapping[str, Callable[[Any], object]]
    needed: frozenset[str]
    of_one_game: frozenset[str]

    @classmethod
    def of(cls, name: str, own: Mapping[str, Field]) -> Form:
        """The form of a command with these fields beside ``cmd`` and ``id``."""
        fields = {**own, "cmd": ANYTHING, "id": ANYTHING}
        return cls(
            name,
            fields,
            {key: field.fits for key, field in fields.items()},
            frozenset(key for key, field in fields.items() if field.needed),
            frozenset(key for key, field in fields.items() if field.game),
        )

    def check(self, data: Data) -> None:
        """BadRequest names a field that is unknown, missing or not what it should be."""
        fits_of = self.fits.get
        for key, value in data.items():
            fits = fits_of(key)
            if fits is None:
                raise BadRequest(f"{self.name}: unknown field {shown(key)}; it has {', '.join(self.fields)}")
            if not fits(value) and (value is not None or key in self.needed):
                raise BadRequest(f"{self.name}: {key} must be {self.fields[key].is_a}, not {shown(value)}")
        if not data.keys() >= self.needed:
            key = next(key for key in self.fields if key in self.needed and key not in data)
            raise BadRequest(f"{self.name}: {key} is missing: {self.fields[key].is_a}")
        if not self.of_one_game.isdisjoint(data):
            self._check_game(data)

    def _check_game(self, data: Data) -> None:
        played = rules_of(data)[0].game
        for key in self.of_one_game:
            game = self.fields[key].game
            if game != played and data.get(key):
                raise BadRequest(f"{self.name}: {key} is of the {game} game, not of the {played} game: leave it out")


_FIELDS_OF: Mapping[str, Mapping[str, Field]] = {
    "rules": {"rules": RULES, "lang": _LANG},
    "setup": {"rules": RULES, "players": PLAYERS},
    "night": {
        "rules": RULES, "roles": needed(ROLES), "alive": _LIVING, "needles": _NEEDLES.of("butterfly"),
        "actions": _ACTIONS, "previous_carry": SEAT.of("butterfly"), "stated": _COUNCILS, "lot": SEAT,
    },
    "order": {
        "rules": RULES, "players": needed(PLAYERS), "alive": _LIVING, "dead_tonight": _SEATS,
        "anchor": SEAT.of("classic"), "round": needed(_DAY), "previous_anchor": SEAT, "lot": SEAT,
    },
    "council": {"rules": RULES, "stated": needed(_STATED), "lot": SEAT},
    "tally": {"rules": RULES, "alive": _LIVING, "ballots": needed(_CHOICES), "lot": SEAT, "revote": _CHOICES},
    "chain": {
        "rules": RULES, "players": PLAYERS, "alive": _LIVING, "anchor": SEAT, "round": _DAY,
        "ballots": needed(_VOTES), "lot": SEAT, "round_pk": _DEMAND.of("classic"),
    },
    "victory": {"rules": RULES, "alive_counts": needed(_COUNTS), "dealt_counts": needed(_COUNTS)},
}  # fmt: skip
"""The fields of each ruling, beside ``cmd`` and ``id``."""
FORMS: Mapping[str, Form] = {name: Form.of(name, fields) for name, fields in _FIELDS_OF.items()}


def shown(value: Any) -> str:
    """A value as an error shows it: its JSON, cut where it is long."""
    try:
        text = to_bytes(value).decode()
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}..."


def rules_of(data: Data) -> tuple[Rules, int | None]:
    """The rules that a request names, and the number of players they are meant for."""
    spec = data["rules"]
    return _named(spec) if isinstance(spec, str) else _written(to_bytes(spec))


@lru_cache(maxsize=256)
def _named(name: str) -> tuple[Rules, int | None]:
    return read_rules(name)


@lru_cache(maxsize=4096)
def _written(spec: bytes) -> tuple[Rules, int | None]:
    return read_rules(from_bytes(spec))
