"""Games to fork, to probe and to review."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from players import fitting, play_game
from tianhei.agents.roster import TOLD, parse_spec, scripted_player
from tianhei.arena.host import Sitter
from tianhei.arena.player import Ask, Player, Prompt, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import custom
from tianhei.arena.view import View
from tianhei.transcripts.file import chain, read
from tianhei.transcripts.header import Header, SeatSpec

GOLDEN = sorted((Path(__file__).resolve().parents[2] / "transcripts" / "golden").glob("*.jsonl"))
SIX = {"killer": 1, "police": 1, "civilian": 4}
EIGHT = {"killer": 2, "police": 2, "civilian": 4}


def head(
    preset: str | Mapping[str, Any], dealt: Mapping[str, int], players: Mapping[Seat, str] | str, **more: Any
) -> Header:
    """A header with these players by name in their seats."""
    rules, _ = read_rules(preset if isinstance(preset, str) else dict(preset))
    names = players if isinstance(players, Mapping) else dict.fromkeys(range(1, sum(dealt.values()) + 1), players)
    seats = tuple(SeatSpec(name, handicap=TOLD.get(name, "")) for _, name in sorted(names.items()))
    return replace(Header(rules, custom(rules, dealt), 1, "en", seats), **more)


def sat(header: Header) -> dict[Seat, Sitter]:
    """The scripted players of a header in their seats."""
    return {
        seat: Sitter(scripted_player(parse_spec(spec.player), "zh" if header.lang == "zh" else "en"))
        for seat, spec in enumerate(header.seats, start=1)
    }


def played(path: Path, header: Header, sitters: Mapping[Seat, Sitter] | None = None) -> Path:
    """A finished game."""
    play_game(path, header, sitters or sat(header))
    return path


class Saying:
    """Another player, but for what ``says`` returns to some requests."""

    def __init__(self, says: Callable[[View, Request], Reply | None], name: str = "uninformed") -> None:
        self._says = says
        self._usual: Player = scripted_player(parse_spec(name), "en")

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        return self._says(view, request) or await self._usual.act(view, request, ask)


def voting(target: Seat) -> Saying:
    """Votes for one seat wherever it may."""

    def says(view: View, request: Request) -> Reply | None:
        if request.kind == "vote" and target in request.options:
            return Reply(Answer(target=target))
        return Reply(Answer(raised=True)) if request.kind == "hand" and request.options == (target,) else None

    return Saying(says)


def answering(prompt: Prompt) -> str:
    """A reply that fits the prompt, with a fit answer to a probe as well."""
    assert prompt.schema is not None
    asked = prompt.schema["properties"]
    if "suspicion" not in asked:
        return fitting(prompt)
    rng = Random(prompt.hash)
    numbers = {key: {label: rng.randint(0, 100) for label in asked[key]["properties"]} for key in asked}
    return json.dumps({"thought": CANARY, **numbers})


CANARY = "a canary that sings in answers to probes and must not be heard anywhere else"


def rewritten(path: Path, out: Path, **header: Any) -> Path:
    """A copy of a transcript with fields of its header changed, its sums made anew."""
    lines = ((line.kind, {**line.data, **header} if line.kind == "header" else line.data) for line in read(path).lines)
    out.write_bytes(b"".join(chain(lines)))
    return out
