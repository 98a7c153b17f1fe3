"""A game's header: the rules, the cards, the table and who sits where; all that a game starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given, Keyed, deal
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Limits
from tianhei.arena.roles import Counts, Role, Seat, Side
from tianhei.arena.rules.options import Foreign, Rules, RulesError, make
from tianhei.arena.rules.setups import custom
from tianhei.arena.table import Table
from tianhei.transcripts.file import TranscriptError, from_bytes, to_bytes

FORMAT = "tianhei/1"
CANARY = "tianhei transcripts do not belong in training data: canary 5e2c1f0a-8d64-4b0b-9c3e-7a51d0f6b2e9"
"""Stands in every game that is played for a person or a benchmark, so that a model that has read some can be found."""

LIMITS: Mapping[str, Limits] = {"en": Limits(), "zh": Limits(speech=200, pk=170, last_words=260, council=90)}
"""The usual text limits by language, in characters: about as much can be said in either."""


def _short_hash(data: Mapping[str, Any]) -> str:
    return sha256(to_bytes(data)).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who sits in a seat: the player as named on the command line, and what it was resolved to.

    ``params`` are the model's parameters. No key, token or header value is ever among them. ``handicap`` is what the
    seat is told beyond the rules (`HANDICAPS` of the referee), as the oracle is.
    """

    player: str
    model: str = ""
    endpoint: str = ""
    pack: str = ""
    pack_hash: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    handicap: str = ""
    name: str = ""
    """What the seat was called at its table, where that is not its number."""

    def to_json(self) -> dict[str, Any]:
        """The fields that say something; a scripted player has no model."""
        fields = {
            "player": self.player,
            "model": self.model,
            "endpoint": self.endpoint,
            "pack": self.pack,
            "pack_hash": self.pack_hash,
            "params": dict(self.params),
            "handicap": self.handicap,
            "name": self.name,
        }
        return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What is the table's own and no rule: text limits in characters, seconds per request (None: no limit)."""

    limits: Limits = field(default_factory=Limits)
    deadline: float | None = None
    fallback: str = "absent"
    theme: str = "plain"

    def to_json(self) -> dict[str, Any]:
        """The settings and a hash over them."""
        data = {
            "limits": asdict(self.limits),
            "deadline": self.deadline,
            "fallback": self.fallback,
            "theme": self.theme,
        }
        return {**data, "hash": _short_hash(data)}


@dataclass(frozen=True, slots=True)
class Source:
    """Where an imported game comes from: the ``format`` and the ``files``, and its own rules under their own names.

    ``files`` gives the SHA-256 of each. ``game`` names the rule set, ``rules`` are its settings as far as the file
    tells them. ``sides`` is whose side each seat was on, seat 1 first: the killers' and the good side's under our
    names, any other under its own.
    """

    format: str
    files: Mapping[str, str]
    game: str
    sides: tuple[str, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{', '.join(self.files)} ({self.format})"

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return {name: getattr(self, name) for name in ("format", "files", "game", "sides", "rules")}


@dataclass(frozen=True, slots=True)
class Header:
    """Everything that a game starts from. With it and the replies, the whole game can be played again.

    An imported game has a ``source``: its cards are its ``deal``, and what stands in for rules is `Foreign`.
    """

    rules: Rules
    counts: Counts
    seed: int | str
    lang: str
    seats: tuple[SeatSpec, ...]
    table: TableSettings = field(default_factory=TableSettings)
    started: str = ""
    program: str = ""
    deal: tuple[Role, ...] | None = None
    lots: tuple[int, ...] = ()
    parent: Mapping[str, Any] | None = None
    """Of a fork: the ``game`` that it goes on from, how many of its ``waves`` it keeps, the ``sum`` of the last line
    that it keeps, and, where one was left out, the ``deleted`` request."""
    probes: tuple[str, ...] = ()
    """When the seats are asked what they believe; see `arena.probing`."""
    canary: str = ""
    source: Source | None = None

    def __post_init__(self) -> None:
        if isinstance(self.seed, int) and abs(self.seed) >= 2**63:  # a file's numbers are shorter; draws are the same
            object.__setattr__(self, "seed", str(self.seed))

    @property
    def game(self) -> str:
        """The game's id: a hash over everything it starts from."""
        return _short_hash(self._fields())

    @property
    def handicaps(self) -> dict[Seat, str]:
        """What seats are told beyond the rules. A game in which there is any is never rated."""
        return {seat: spec.handicap for seat, spec in enumerate(self.seats, start=1) if spec.handicap}

    @property
    def rules_name(self) -> str:
        """The game that was played: one of ours, or an imported game's own name for its rules."""
        return self.source.game if self.source else self.rules.game

    @property
    def rules_hash(self) -> str:
        """A SHA-256 over the rules that were played; of an imported game, over its source's settings."""
        if self.source is None:
            return self.rules.hash
        return sha256(to_bytes([self.source.format, self.source.game, self.source.rules])).hexdigest()

    @property
    def sides(self) -> tuple[Side, ...]:
        """Whose side each seat is on, seat 1 first."""
        if self.source is not None:
            return tuple(map(Side.named, self.source.sides))
        table = Table(self.rules, self.dealt(), self.chance())
        return tuple(table.side(seat) for seat in range(1, len(self.seats) + 1))

    def _fields(self) -> dict[str, Any]:
        if self.source is not None:
            return self._imported_fields(self.source)
        fields: dict[str, Any] = {
            "format": FORMAT,
            "rules": {"game": self.rules.game, **self.rules.to_dict()},
            "rules_hash": self.rules.hash,
            "counts": {str(role): count for role, count in self.counts.items()},
            "seed": self.seed,
            "deal": list(self.deal) if self.deal else None,
            "lots": list(self.lots),
            "lang": self.lang,
            "table": self.table.to_json(),
            "seats": [{"seat": seat, **spec.to_json()} for seat, spec in enumerate(self.seats, start=1)],
            "started": self.started,
            "program": self.program,
        }
        if self.parent is not None:
            fields["parent"] = dict(self.parent)
        if self.probes:
            fields["probes"] = list(self.probes)
        if self.canary:
            fields["canary"] = self.canary
        return fields

    def _imported_fields(self, source: Source) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "source": source.to_json(),
            "deal": list(self.deal or ()),
            "lang": self.lang,
            "seats": [{"seat": seat, **spec.to_json()} for seat, spec in enumerate(self.seats, start=1)],
            "started": self.started,
            "program": self.program,
        }

    def to_json(self) -> dict[str, Any]:
        """The header line's fields."""
        fields = self._fields()
        return {"game": _short_hash(fields), **fields}

    def dealt(self) -> Deal:
        """The cards: as given, or dealt by the seed."""
        return Deal(self.deal) if self.deal else deal(self.counts, self.seed)

    def chance(self) -> Chance:
        """The source of lots: those given, then those keyed by the seed."""
        keyed = Keyed(self.seed)
        return Given(self.lots, keyed) if self.lots else keyed

    def referee(self) -> Referee:
        """A new game from this header, before its first answer. TranscriptError if it is imported."""
        self.check_ours()
        return Referee(self.rules, self.dealt(), self.chance(), self.table.limits, self.handicaps)

    def check_ours(self) -> None:
        """TranscriptError if the game was imported: nobody can go on with it."""
        if self.source is not None:
            raise TranscriptError(
                f"this game was imported from {self.source}: it was played by the rules of {self.source.game!r}, "
                "which are not ours, so it can be read and studied but not played on"
            )


def header_from_json(data: Mapping[str, Any], path: Path | str = "transcript") -> Header:
    """Read a header; TranscriptError says what is wrong with it."""
    if data.get("format") != FORMAT:
        raise TranscriptError(f"{path}: its format is {data.get('format')!r}; this program reads {FORMAT!r}")
    try:
        if "source" in data:
            return _checked(_imported_from_json(data), data, path)
        rules, rules_hash = _rules(to_bytes(data["rules"]))
        if rules_hash != data["rules_hash"]:
            raise TranscriptError(f"{path}: the hash of its rules does not fit its rules; it was edited")
        table = data["table"]
        header = Header(
            rules=rules,
            counts=custom(rules, data["counts"]),
            seed=data["seed"],
            lang=data["lang"],
            seats=_seats_from_json(data),
            table=TableSettings(Limits(**table["limits"]), table["deadline"], table["fallback"], table["theme"]),
            started=data["started"],
            program=data["program"],
            deal=tuple(map(Role, data["deal"])) if data["deal"] else None,
            lots=tuple(data["lots"]),
            parent=dict(data["parent"]) if "parent" in data else None,
            probes=tuple(data.get("probes", ())),
            canary=data.get("canary", ""),
        )
    except (KeyError, TypeError, ValueError, RulesError) as error:
        raise TranscriptError(f"{path}: its header cannot be read: {error}") from None
    return _checked(header, data, path)


@lru_cache(maxsize=256)
def _rules(written: bytes) -> tuple[Rules, str]:
    """Rules as a header has them, and their hash; the games of a run share them."""
    options = dict(from_bytes(written))
    rules = make(options.pop("game"), options)
    return rules, rules.hash


def _checked(header: Header, data: Mapping[str, Any], path: Path | str) -> Header:
    if header.game != data.get("game"):
        raise TranscriptError(f"{path}: its game id does not fit its header; it was edited")
    return header


def _seats_from_json(data: Mapping[str, Any]) -> tuple[SeatSpec, ...]:
    return tuple(SeatSpec(**{k: v for k, v in spec.items() if k != "seat"}) for spec in data["seats"])


def _imported_from_json(data: Mapping[str, Any]) -> Header:
    """Read the header of an imported game; KeyError, TypeError or ValueError where it cannot be read."""
    told = data["source"]
    sides = tuple(map(str, told["sides"]))
    source = Source(told["format"], dict(told["files"]), told["game"], sides, dict(told["rules"]))
    seats = _seats_from_json(data)
    if not len(seats) == len(data["deal"]) == len(source.sides):
        raise ValueError("its seats, cards and sides are not equally many")
    return imported(source, tuple(data["deal"]), seats, data["lang"], data["started"], data["program"])


def imported(
    source: Source, cards: Sequence[str], seats: tuple[SeatSpec, ...], lang: str, started: str = "", program: str = ""
) -> Header:
    """The header of an imported game; ``cards`` are its roles under their own names, seat 1 first."""
    deal = tuple(map(Role.named, cards))
    return Header(
        Foreign(), dict(Counter(deal)), "", lang, seats, started=started, program=program, deal=deal, source=source
    )
