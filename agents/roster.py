"""Who may sit in a seat: from a short spec or a TOML table to what is needed to seat a player.

A spec is the name of a kind of player (``random``, ``scripted``, ``local``), ``local/NAME`` for an embedded model of
that name, ``PROVIDER/MODEL`` or ``MODEL@URL`` for any OpenAI-compatible endpoint, or ``module:Class`` or
``file.py:Class`` for a player of one's own; then, after a question mark, settings: ``openai/gpt-5-mini?effort=low``.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tianhei.arena.player import Player
from tianhei.prompts.pack import OFFICIAL
from tianhei.prompts.vocabulary import Lang

_BASELINES = "tianhei.agents.baselines"

KINDS: Mapping[str, str] = {
    "random": "tianhei.agents.random_player:RandomPlayer",
    "scripted": "tianhei.agents.scripted:ScriptedPlayer",
    "uniform": "tianhei.agents.uniform:UniformPlayer",
    "uninformed": "tianhei.agents.uninformed:UninformedPlayer",
    "claim-truster": f"{_BASELINES}.claim_truster:ClaimTruster",
    "first-accuser": f"{_BASELINES}.first_accuser:FirstAccuser",
    "follow-majority": f"{_BASELINES}.follow_majority:FollowMajority",
    "oracle": f"{_BASELINES}.oracle:Oracle",
    "random-k": f"{_BASELINES}.random_k:RandomK",
    "reveal-police": f"{_BASELINES}.reveal_police:RevealPolice",
    "scripted-liar": f"{_BASELINES}.scripted_liar:ScriptedLiar",
    "silent": f"{_BASELINES}.silent:Silent",
    "solver": f"{_BASELINES}.solver:Solver",
    "uninformed-k": f"{_BASELINES}.uninformed_k:UninformedK",
}
"""The kinds of players that need no model, by name."""

TOLD: Mapping[str, str] = {"oracle": "killers"}
"""The handicap of a kind: what it is told beforehand. Its games are never rated."""

LOCAL = "local"
HUMAN = "human"
"""A person at the keyboard."""


_AT_URL = re.compile(r"[^@]+@https?://.+")
_OWN_CLASS = re.compile(r"(?:.+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):[A-Za-z_]\w*")


class SpecError(ValueError):
    """A seat that cannot be filled as named; the message says what can."""


class SeatPlan(BaseModel):
    """One seat as planned: the spec, and settings for a model where the seat has one.

    ``variant`` is the wording of the pack, ``persona`` whom the model is to speak like, ``without`` what it is not
    asked for (joined by + in a spec).
    ``timeout`` and ``patience`` are in seconds, for one try and for all tries of a call; ``concurrency``, ``rpm`` and
    ``tpm`` are what the endpoint may be asked at once, and requests and tokens a minute.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("without", mode="before")
    @classmethod
    def _parts(cls, value: Any) -> Any:
        return tuple(filter(None, value.split("+"))) if isinstance(value, str) else value

    player: str
    pack: str | None = None
    variant: int = Field(default=1, ge=1)
    persona: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    effort: str | None = None
    max_tokens: int | None = Field(default=None, ge=16)
    timeout: float | None = Field(default=None, gt=0)
    reasons: bool | None = None
    without: tuple[Literal["claims", "thought", "note"], ...] = ()
    key_env: str | None = None
    patience: float | None = Field(default=None, gt=0)
    concurrency: int | None = Field(default=None, ge=1, le=1000)
    rpm: float | None = Field(default=None, gt=0)
    tpm: float | None = Field(default=None, gt=0)

    @property
    def kind(self) -> Literal["scripted", "human", "local", "endpoint", "python", "unknown"]:
        """What sits here: a kind that ships with the arena, a model here or at an endpoint, or a class of one's own."""
        name = self.player
        provider, slash, model = name.partition("/")
        if name in KINDS:
            return "scripted"
        if name == HUMAN:
            return "human"
        if name == LOCAL or (provider == LOCAL and model):
            return "local"
        if _AT_URL.fullmatch(name) or (slash and model and provider in providers()):
            return "endpoint"
        return "python" if _OWN_CLASS.fullmatch(name) else "unknown"

    @property
    def is_local(self) -> bool:
        return self.kind == "local"

    @property
    def is_model(self) -> bool:
        """Whether a language model sits here."""
        return self.kind in ("local", "endpoint")

    def asking(self) -> SeatPlan:
        """The plan without what concerns the words of its prompts: seats alike in it are asked over one client."""
        return self.model_copy(update={"pack": None, "variant": 1, "persona": None, "reasons": None, "without": ()})

    def params(self) -> dict[str, Any]:
        """The settings that were made, for the record; never a key."""
        usual = {name for name, value in (("variant", 1), ("without", ())) if getattr(self, name) == value}
        return self.model_dump(exclude={"player", "pack"} | usual, exclude_none=True)


def parse_spec(spec: str) -> SeatPlan:
    """Read a spec. SpecError says what is wrong with it."""
    player, _, query = spec.partition("?")
    fields: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True))
    return plan({"player": player, **fields}, f"seat {spec!r}")


def plan(fields: Mapping[str, Any], where: str) -> SeatPlan:
    """A seat's plan from its fields; SpecError names the field that does not fit."""
    try:
        found = SeatPlan.model_validate(dict(fields))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        known = ", ".join(SeatPlan.model_fields)
        raise SpecError(f"{where}: {name}: {first['msg']} (settings are {known})") from None
    _check(found)
    return found


def _check(found: SeatPlan) -> None:
    if found.kind == "endpoint" and "@" in found.player and "@" in found.player.split("://", 1)[1].split("/")[0]:
        raise SpecError(f"{found.player}: a key does not belong in a URL; name its environment variable with key_env")
    if found.kind == "unknown":
        raise SpecError(
            f"no player {found.player!r}: there are {', '.join(KINDS)}, {HUMAN}, {LOCAL}, {LOCAL}/NAME, PROVIDER/MODEL "
            f"with {', '.join(providers())}, MODEL@URL for any other endpoint, and module:Class or file.py:Class"
        )


def read_table(path: Path | str, seats: int) -> dict[int, SeatPlan]:
    """The seats that a TOML file fills: ``[all]`` for every seat, ``[seats.3]`` for one. SpecError names faults."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{path}: it is not TOML: {error}") from None
    for name in ("all", "seats"):
        if not isinstance(data.get(name, {}), dict):
            raise SpecError(f"{path}: {name} is a table: write [all] or [seats.NUMBER], and player = ... below it")
    if unknown := sorted(set(data) - {"all", "seats"}):
        raise SpecError(f"{path}: unknown table [{unknown[0]}]; there are [all] and [seats.NUMBER]")
    plans: dict[int, SeatPlan] = {}
    if "all" in data:
        plans = dict.fromkeys(range(1, seats + 1), plan(data["all"], f"{path} [all]"))
    for name, fields in data.get("seats", {}).items():
        if not name.isdecimal() or not 1 <= int(name) <= seats:
            raise SpecError(f"{path}: [seats.{name}]: seats are numbered 1 to {seats}")
        if not isinstance(fields, dict):
            raise SpecError(f"{path}: seats.{name} is a table: write [seats.{name}], and player = ... below it")
        plans[int(name)] = plan({**data.get("all", {}), **fields}, f"{path} [seats.{name}]")
    return plans


@cache
def providers() -> Mapping[str, Mapping[str, str]]:
    """The well-known endpoints: base URL and the variable of the key."""
    return tomllib.loads(files("tianhei.agents").joinpath("providers.toml").read_text("utf-8"))


def where_is(found: SeatPlan) -> tuple[str, str, str]:
    """Base URL, model and the key's environment variable of a model at an endpoint."""
    if _AT_URL.fullmatch(found.player):
        model, _, url = found.player.partition("@")
        return url, model, found.key_env or ""
    provider, _, model = found.player.partition("/")
    known = providers()[provider]
    return known["base_url"], model, found.key_env or known["key_env"]


def pack_of(found: SeatPlan) -> str:
    """The prompt pack of a seat: the one named, else the one that fits."""
    return found.pack or OFFICIAL


def player_class(name: str) -> type[Any]:
    """The class behind ``module:Class`` or ``file.py:Class``. SpecError says what is missing."""
    place, _, cls = name.rpartition(":")
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except (ImportError, OSError, SyntaxError) as error:
        raise SpecError(f"the player {name!r} cannot be loaded: {error}") from None
    found = getattr(module, cls, None)
    if not isinstance(found, type) or not hasattr(found, "act"):
        raise SpecError(f"{place} has no class {cls} with a method act")
    return found


def _from_file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SpecError(f"{path}: there is no such file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scripted_player(found: SeatPlan, lang: Lang) -> Player:
    """A player that needs no model."""
    return new_player(player_class(KINDS.get(found.player, found.player)), lang)


def new_player(cls: type[Any], lang: Lang) -> Player:
    """A player of this class, which may take ``lang``."""
    try:
        player: Player = cls(lang=lang)
    except TypeError:
        player = cls()
    return player
