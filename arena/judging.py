"""A model as a second reader of speeches: its claims, and labels that no rule can give. Off unless it is asked for.

What it says is one more opinion. Where there are reference labels, ``python -m claims.agreement --judge`` says how far
it agrees with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.calls import Endpoint, Try
from tianhei.arena.claims import KINDS, WHATS, Claim, claims_from_json
from tianhei.arena.player import Prompt, Unusable, Usage
from tianhei.arena.roles import Seat
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.claims.ledger import readings
from tianhei.transcripts.game import Recording

LABELS = ("sarcastic", "emotional", "reasoned", "natural")
"""Whether words are mockery, appeal to feelings, give a reason, sound like a person at the table."""
REPLY_TOKENS = 700


@dataclass(frozen=True, slots=True)
class Speaking:
    """Words to be read: ``event`` is their place in the game, ``before`` what was said just before."""

    event: int
    seat: Seat
    players: int
    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the model finds in a speech; ``fault`` says why there is nothing, where its answer could not be used."""

    event: int
    seat: Seat
    claims: tuple[Claim, ...] = ()
    labels: Mapping[str, bool] = field(default_factory=dict)
    fault: str = ""

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each claim, and one for the labels or the fault."""
        where = {"event": self.event, "seat": self.seat, "source": "judged"}
        for claim in self.claims:
            yield {**where, "kind": claim.kind, "what": claim.what, "night": claim.night, "about": claim.seat}
        yield {**where, **({"fault": self.fault} if self.fault else self.labels)}


@dataclass(slots=True)
class Tab:
    """What the calls used."""

    calls: int = 0
    used: list[Usage] = field(default_factory=list)

    def begins(self, need: Usage) -> None:
        self.calls += 1

    def failed(self, tried: Try) -> None:
        """A try that failed is made again by the endpoint."""

    def adapted(self, what: str) -> None:
        """How the endpoint wants to be asked is its own affair."""


def speeches_of(recorded: Recording) -> Iterator[Speaking]:
    """The speeches of a game that have words."""
    before = ""
    for event, _, view, text, *_ in readings(recorded):
        if text:
            yield Speaking(event, view.seat, view.players, text, before)
            before = f"{view.seat}: {text}"


def schema(players: int) -> dict[str, Any]:
    """The JSON Schema of an answer."""
    claim = {
        "kind": {"type": "string", "enum": list(KINDS)},
        "seat": {"type": "integer", "enum": list(range(1, players + 1))},
        "what": {"type": "string", "enum": list(WHATS)},
        "night": {"type": "integer", "enum": list(range(10))},
    }
    labels = {name: {"type": "string", "enum": ["yes", "no"]} for name in LABELS}
    return _object({"claims": {"type": "array", "items": _object(claim)}, **labels})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "additionalProperties": False, "required": list(properties), "properties": dict(properties),
    }  # fmt: skip


async def opinions(endpoint: Endpoint, said: Iterable[Speaking], lang: Lang, tab: Tab) -> list[Opinion]:
    """One call for each speech, one after another. EndpointDown if the endpoint cannot be had."""
    return [await _opinion(endpoint, one, lang, tab) for one in said]


async def _opinion(endpoint: Endpoint, said: Speaking, lang: Lang, tab: Tab) -> Opinion:
    words = texts_of(lang, "claims")
    asked = words["judge.ask"].format(before=said.before, seat=said.seat, players=said.players, text=said.text)
    prompt = Prompt(
        words["judge.system"], "", asked, schema=schema(said.players), max_tokens=REPLY_TOKENS, temperature=0.0
    )
    try:
        completion = await endpoint.complete(prompt, f"judge{said.event}", tab)
    except Unusable as error:
        return Opinion(said.event, said.seat, fault=str(error))
    tab.used.append(completion.usage)
    return read_opinion(completion.text, said)


def read_opinion(text: str, said: Speaking) -> Opinion:
    """An answer as an opinion."""
    try:
        data = json.loads(text[text.index("{") : text.rindex("}") + 1])
        claims = tuple(claim for claim in claims_from_json(data["claims"]) if claim.seat <= said.players)
        labels = {name: ("no", "yes").index(data[name]) == 1 for name in LABELS}
    except (ValueError, KeyError, TypeError) as error:
        return Opinion(said.event, said.seat, fault=f"its answer cannot be read: {error}")
    return Opinion(said.event, said.seat, tuple(dict.fromkeys(claims)), labels)
