"""Seating players at a table: makes them, and says in the record who they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tianhei.agents.roster import LOCAL, TOLD, SeatPlan, pack_of, plan, scripted_player, where_is
from tianhei.arena.host import Sitter
from tianhei.arena.person import Person
from tianhei.arena.player import Player
from tianhei.arena.pool import Endpoints
from tianhei.arena.roles import Seat
from tianhei.arena.rules.options import Rules
from tianhei.prompts.pack import OFFICIAL, TINY, Pack, PackError, load
from tianhei.prompts.persona import persona_text
from tianhei.prompts.vocabulary import PLAIN, Lang, Theme
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.header import Header, SeatSpec

if TYPE_CHECKING:
    from tianhei.agents.embedded import Model

TINY_BYTES = 300_000_000
_FOUND = ("sha256", "found")
"""Parameters that the record adds to those that were planned: the weights' hash, what the endpoint takes."""


class Seating:
    """The players of one game, and the endpoints behind them."""

    def __init__(self, plans: Mapping[Seat, SeatPlan], lang: Lang, endpoints: Endpoints, theme: Theme = PLAIN) -> None:
        self._plans = plans
        self._lang: Lang = lang
        self._theme: Theme = theme
        self._endpoints = endpoints
        self._players: dict[SeatPlan, Player] = {}

    def specs(self) -> tuple[SeatSpec, ...]:
        """Who sits where, for the transcript's header."""
        return tuple(self._spec(self._plans[seat]) for seat in sorted(self._plans))

    def _spec(self, found: SeatPlan) -> SeatSpec:
        if not found.is_model:
            return SeatSpec(found.player, params=found.params(), handicap=TOLD.get(found.player, ""))
        pack = self._pack(found)
        if found.is_local:
            model = self._endpoints.local_model(found)
            params = {**found.params(), "sha256": model.sha256}
            return SeatSpec(found.player, model.name, LOCAL, pack.name, pack.hash, params)
        url, model_name, _ = where_is(found)
        params = found.params()
        if traits := self._endpoints.traits(found):
            params["found"] = dict(traits)
        return SeatSpec(found.player, model_name, url, pack.name, pack.hash, params)

    def packs(self) -> dict[Seat, Pack]:
        """The words by which the models of the table are asked."""
        return {seat: self._pack(found) for seat, found in self._plans.items() if found.is_model}

    def _pack(self, found: SeatPlan) -> Pack:
        """A model's words. PackError where its pack, wording or persona is not there."""
        if found.persona:
            persona_text(found.persona, self._lang)
        return load(self._pack_name(found), self._lang, found.variant, self._theme, found.without)

    def _pack_name(self, found: SeatPlan) -> str:
        if found.is_local and found.pack is None and _is_tiny(self._endpoints.local_model(found)):
            return TINY
        return pack_of(found)

    def check(self, rules: Rules) -> None:
        """PackError where a seat could say nothing at such a table, before anything is played."""
        for seat, pack in self.packs().items():
            if rules.channel == "claims_only" and pack.name != TINY and not pack.has("field.claims"):
                raise PackError(
                    f"seat {seat}: the prompt pack {pack.name!r} asks for no claims, and at a table of channel "
                    f"claims_only nothing else is said; choose the pack {OFFICIAL}"
                )

    def sitters(self) -> dict[Seat, Sitter]:
        """Everybody in their seats; opens what is needed."""
        return {seat: self._sitter(found) for seat, found in self._plans.items()}

    def _sitter(self, found: SeatPlan) -> Sitter:
        if found not in self._players:
            self._players[found] = self._player(found)
        if found.kind == "human":
            return Sitter(self._players[found], "human", waits=True)
        if not found.is_model:
            return Sitter(self._players[found], "bot", waits=found.kind == "python")
        return Sitter(self._players[found], "model", self._endpoints.of(found))

    def people(self) -> list[Person]:
        """Who sits at the keyboard."""
        return [player for player in self._players.values() if isinstance(player, Person)]

    def _player(self, found: SeatPlan) -> Player:
        if found.kind == "human":
            return Person(self._lang)
        if not found.is_model:
            return scripted_player(found, self._lang)
        pack = self._pack(found)
        if pack.name == TINY:
            from tianhei.agents.tiny import TinyPlayer

            return TinyPlayer(self._lang, variant=found.variant, theme=self._theme)
        from tianhei.agents.model import ModelPlayer

        reasons = found.reasons if found.reasons is not None else found.effort is not None
        return ModelPlayer(
            self._lang,
            pack.name,
            variant=found.variant,
            theme=self._theme,
            persona=found.persona,
            reasons=reasons,
            without=found.without,
            max_tokens=found.max_tokens,
        )


def _is_tiny(model: Model) -> bool:
    """Whether a model follows labels rather than the record when it writes a choice: below about half a billion."""
    return model.path.stat().st_size < TINY_BYTES


def program(plans: Iterable[SeatPlan]) -> str:
    """This program and, where a model plays, the library that reaches it, with their versions."""
    import tianhei

    own = f"tianhei {tianhei.__version__}"
    return f"{own}, openai {version('openai')}" if any(found.is_model for found in plans) else own


def theme_of(header: Header) -> Theme:
    """The words of the game that its models are shown."""
    return "neutral" if header.table.theme == "neutral" else PLAIN


def _lang(header: Header) -> Lang:
    return "zh" if header.lang == "zh" else "en"


def plans_of(header: Header, path: Path | str) -> dict[Seat, SeatPlan]:
    """The seats of a recorded game, to be filled again. TranscriptError where a pack is no longer what it was."""
    plans: dict[Seat, SeatPlan] = {}
    for seat, spec in enumerate(header.seats, start=1):
        params = {name: value for name, value in spec.params.items() if name not in _FOUND}
        fields = {"player": spec.player, **params, **({"pack": spec.pack} if spec.pack else {})}
        plans[seat] = plan(fields, f"{path}: seat {seat}")
        theme = theme_of(header)
        seated = plans[seat]
        if spec.pack and load(spec.pack, _lang(header), seated.variant, theme, seated.without).hash != spec.pack_hash:
            raise TranscriptError(
                f"{path}: the prompt pack {spec.pack!r} has changed since this game began; go on with the version of "
                f"the program that began it ({header.program})"
            )
    return plans
