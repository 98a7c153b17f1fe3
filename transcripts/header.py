"""A game's header: the rules, the cards, the table and who sits where; all that a game starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given, Keyed, deal
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Limits
from tianhei.arena.roles import Counts, Role, Seat
from tianhei.arena.rules.options import Rules, RulesError, make
from tianhei.arena.rules.setups import custom
from tianhei.transcripts.file import TranscriptError, to_bytes

FORMAT = "tianhei/1"

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
class Header:
    """Everything that a game starts from. With it and the replies, the whole game can be played again."""

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

    def _fields(self) -> dict[str, Any]:
        return {
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
        """A new game from this header, before its first answer."""
        return Referee(self.rules, self.dealt(), self.chance(), self.table.limits, self.handicaps)


def header_from_json(data: Mapping[str, Any], path: Path | str = "transcript") -> Header:
    """Read a header; TranscriptError says what is wrong with it."""
    if data.get("format") != FORMAT:
        raise TranscriptError(f"{path}: its format is {data.get('format')!r}; this program reads {FORMAT!r}")
    try:
        options = dict(data["rules"])
        rules = make(options.pop("game"), options)
        if rules.hash != data["rules_hash"]:
            raise TranscriptError(f"{path}: the hash of its rules does not fit its rules; it was edited")
        table = data["table"]
        header = Header(
            rules=rules,
            counts=custom(rules, data["counts"]),
            seed=data["seed"],
            lang=data["lang"],
            seats=tuple(SeatSpec(**{k: v for k, v in spec.items() if k != "seat"}) for spec in data["seats"]),
            table=TableSettings(Limits(**table["limits"]), table["deadline"], table["fallback"], table["theme"]),
            started=data["started"],
            program=data["program"],
            deal=tuple(map(Role, data["deal"])) if data["deal"] else None,
            lots=tuple(data["lots"]),
        )
    except (KeyError, TypeError, ValueError, RulesError) as error:
        raise TranscriptError(f"{path}: its header cannot be read: {error}") from None
    if header.game != data.get("game"):
        raise TranscriptError(f"{path}: its game id does not fit its header; it was edited")
    return header
