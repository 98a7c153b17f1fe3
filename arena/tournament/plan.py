"""A benchmark's plan: a small TOML file that says which games are played, by whom, and how many.

name = "two small models"
seed = 1
boards = 20                      # of each pairing, at each table

[[tables]]
rules = "bench-10"

[players]
a = "openai/gpt-5-mini?effort=low"
b = { player = "llama@http://localhost:8000/v1", temperature = 0.7 }
"""

from __future__ import annotations

import json
import tomllib
from collections import ChainMap
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tianhei.agents.roster import KINDS, TOLD, SeatPlan, parse_spec, plan
from tianhei.arena.probing import ProbeError, checked_points
from tianhei.arena.rules.options import Rules, RulesError
from tianhei.arena.rules.presets import USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.tournament.power import LEAST_BOARDS, RANKING_BOARDS, boards_for, overall_half_width
from tianhei.prompts.vocabulary import Lang

Track = Literal["duplicate", "roles", "focal", "mixed"]
Arm = Literal["full", "claims_only", "mute", "renamed", "claims_off", "thought_off", "note_off"]
"""How a board is played: as the game is, or as a control in which one thing differs."""
SEATING = 2
"""The version of who sits where in the tracks but ``duplicate``, and of how a width is shared out among tables."""
AT_ONCE = 20
"""Games with models that are played at once, where a plan does not say how many."""
ANCHORS = ("uninformed", "reveal-police", "scripted-liar", "solver", "oracle")
"""Players that every contender meets by default: drawn as lines beside the ratings, never fitted with them."""


class PlanError(ValueError):
    """A plan that cannot be; the message names the field and says what can."""


class _Table(BaseModel):
    """One table: a rule set, options changed, and the number of players (default: what the rule set is meant for)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: str
    players: int | None = None
    set: dict[str, str | int | bool] = Field(default_factory=dict)


class _File(BaseModel):
    """The plan as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    seed: int = 0
    boards: Annotated[int, Field(ge=1)] | None = None
    width: Annotated[float, Field(gt=0)] | None = None
    tables: Annotated[list[_Table], Field(min_length=1)]
    players: dict[str, str | dict[str, Any]]
    anchors: list[str] = list(ANCHORS)
    lines: list[str] = list(KINDS)
    pool: list[str] = ["scripted"]
    tracks: Annotated[list[Track], Field(min_length=1)] = ["duplicate"]
    languages: Annotated[list[Lang], Field(min_length=1)] = ["en"]
    variants: Annotated[list[Annotated[int, Field(ge=1, le=3)]], Field(min_length=1)] = [1]
    arms: list[Arm] = []
    arms_every: Annotated[int, Field(ge=1)] = 1
    probes: list[str] = []
    beacon: str = ""
    budget: str | None = None
    games_at_once: Annotated[int, Field(ge=1)] | None = None
    replicates: Annotated[int, Field(ge=1)] = 1
    design_effect: Annotated[float, Field(gt=0)] = 1.0


class Table(BaseModel):
    """A table with its rules resolved. ``name`` is short and unlike those of the plan's other tables."""

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    name: str
    rules: Rules
    counts: dict[str, int]

    @property
    def players(self) -> int:
        return sum(self.counts.values())


class Plan(BaseModel):
    """A plan, checked: every table is written, every player is known.

    ``hash`` is over all that the file says but for its ``beacon``: it can be published before the seeds are known.
    ``lines`` are scripted players that fill a table alone, on every board; ``probes`` are points at which all seats are
    asked aside what they believe. ``replicates`` is how often each game of the main arm is played on its board;
    ``design_effect`` is what a pilot found: the variance of a comparison against that of independent games.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    name: str
    seed: int
    boards: int | None
    width: float | None
    tables: tuple[Table, ...]
    players: dict[str, SeatPlan]
    anchors: dict[str, SeatPlan]
    lines: dict[str, SeatPlan]
    pool: dict[str, SeatPlan]
    tracks: tuple[Track, ...]
    languages: tuple[Lang, ...]
    variants: tuple[int, ...]
    arms: tuple[Arm, ...]
    arms_every: int
    probes: tuple[str, ...] = ()
    beacon: str
    budget: str | None
    games_at_once: int | None
    """None: `AT_ONCE`, but one by one where a model inside this program plays."""
    replicates: int = 1
    design_effect: float = 1.0
    hash: str

    @property
    def count(self) -> int:
        """How many boards a table has."""
        if self.boards:
            return self.boards
        return self.at_each_table(boards_for(self.width or 1.0, len(self.players), effect=self.design_effect))

    @property
    def total(self) -> int:
        """How many boards there are at all tables together; ratings rest on all of them."""
        return self.count * len(self.tables)

    def at_each_table(self, boards: int) -> int:
        """How many boards a table needs, for so many in all."""
        return ceil(boards / len(self.tables))

    @property
    def design(self) -> str:
        """A hash over all that the boards follow from. Players may be added without touching it."""
        return _hash(
            {
                "seed": self.seed,
                "tables": [[table.name, table.rules.hash, table.counts] for table in self.tables],
                "languages": self.languages,
                "variants": self.variants,
                **({"beacon": self.beacon} if self.beacon else {}),
            }
        )

    def seat(self, name: str) -> SeatPlan:
        """The player of that name, be it a contender, an anchor or one of the pool."""
        return ChainMap(self.players, self.anchors, self.lines, self.pool)[name]

    def refuse_small(self) -> None:
        """PlanError where so few boards can say nothing, or not what the plan asks; it names the number that can."""
        each = f" at each of {len(self.tables)} tables" if len(self.tables) > 1 else ""
        if self.total < LEAST_BOARDS:
            least, ranking = map(self.at_each_table, (LEAST_BOARDS, RANKING_BOARDS))
            raise PlanError(
                f"{self.name}: n is too small to say anything: {self.count} boards{each}; set boards = {least} at "
                f"least, for intervals, or {ranking}, for a ranking"
            )
        if not (self.boards and self.width):
            return
        players, effect = len(self.players), self.design_effect
        if self.boards < (needed := self.at_each_table(boards_for(self.width, players, effect=effect))):
            reached = overall_half_width(players, self.total, effect=effect)
            raise PlanError(
                f"{self.name}: n is too small to say what width = {self.width:g} asks: {self.boards} boards{each} "
                f"reach +-{reached:.0f} Elo; set boards = {needed}"
            )


def read_plan(path: Path | str) -> Plan:
    """Read a plan's file. PlanError says what is wrong in it."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: it is no TOML: {error}") from None
    return make_plan(data, path)


def make_plan(data: Mapping[str, Any], where: Path | str = "plan") -> Plan:
    """A plan from its fields."""
    try:
        found = _File.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise PlanError(f"{where}: {name}: {first['msg']} (a plan has {', '.join(_File.model_fields)})") from None
    if found.boards is None and found.width is None:
        raise PlanError(f"{where}: say boards = N, or width = the Elo points that an interval may reach to a side")
    players = {name: _seat(name, spec, where) for name, spec in found.players.items()}
    if len(players) < 2 and "focal" not in found.tracks:
        raise PlanError(f"{where}: players: two at least are needed to compare")
    if "focal" in found.tracks and not found.pool:
        raise PlanError(f'{where}: pool: the track focal needs somebody to sit with, such as pool = ["scripted"]')
    if told := sorted(name for name, seat in players.items() if seat.player in TOLD):
        raise PlanError(f"{where}: players.{told[0]}: {players[told[0]].player} knows too much to be rated")
    anchors, lines, pool = ({name: _seat(name, name, where) for name in names}
                            for names in (found.anchors, found.lines, found.pool))  # fmt: skip
    if slow := sorted(name for name, seat in lines.items() if seat.kind != "scripted"):
        raise PlanError(f"{where}: lines: {slow[0]}: only scripted players are drawn as lines")
    if clash := sorted(set(players) & (set(anchors) | set(lines) | set(pool))):
        raise PlanError(f"{where}: players.{clash[0]}: a player that ships has this name; give it another")
    return Plan(
        name=found.name,
        seed=found.seed,
        boards=found.boards,
        width=found.width,
        tables=tuple(_table(table, where) for table in found.tables),
        players=players,
        anchors=anchors,
        lines=lines,
        pool=pool,
        tracks=tuple(dict.fromkeys(found.tracks)),
        languages=tuple(dict.fromkeys(found.languages)),
        variants=tuple(dict.fromkeys(found.variants)),
        arms=tuple(arm for arm in dict.fromkeys(found.arms) if arm != "full"),
        arms_every=found.arms_every,
        probes=_probes(found.probes, where),
        beacon=found.beacon,
        budget=found.budget,
        games_at_once=found.games_at_once,
        replicates=found.replicates,
        design_effect=found.design_effect,
        hash=_hash(_hashed(found)),
    )


def _hashed(found: _File) -> dict[str, Any]:
    """What a plan's hash is over. A later field is left out where it has its default: hashes are published.

    ``SEATING`` stands in it where it matters: there one file has come to mean other games.
    """
    later = {"probes", "replicates", "design_effect"}
    usual = {name for name in later if getattr(found, name) == type(found).model_fields[name].default}
    shares_out = found.boards is None and len(found.tables) > 1
    seating = {"seating": SEATING} if shares_out or set(found.tracks) - {"duplicate"} else {}
    return {
        **found.model_dump(exclude={"beacon", *usual}), "games_at_once": found.games_at_once or AT_ONCE, **seating,
    }  # fmt: skip


def _probes(points: Sequence[str], where: Path | str) -> tuple[str, ...]:
    try:
        return checked_points(points)
    except ProbeError as error:
        raise PlanError(f"{where}: probes: {error}") from None


def _seat(name: str, spec: str | Mapping[str, Any], where: Path | str) -> SeatPlan:
    from tianhei.agents.roster import SpecError

    try:
        return parse_spec(spec) if isinstance(spec, str) else plan(spec, f"players.{name}")
    except SpecError as error:
        raise PlanError(f"{where}: players.{name}: {error}") from None


def _table(table: _Table, where: Path | str) -> Table:
    try:
        rules, usual = read_rules({"preset": table.rules, **table.set})
        players = table.players or usual or USUAL_PLAYERS[rules.game]
        counts, _ = written(rules, players)
    except RulesError as error:
        raise PlanError(f"{where}: tables: {table.rules}: {error}") from None
    changed = "".join(f"-{_hash(table.set)[:4]}" for _ in [0] if table.set)
    name = f"{table.rules}{'' if usual == players else f'-{players}'}{changed}"
    return Table(name=name, rules=rules, counts={str(role): count for role, count in counts.items()})


def _hash(data: Any) -> str:
    return sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
