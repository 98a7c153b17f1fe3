"""Small tables at which everything is asked that can be asked, for examining players; and strangers to sit beside them.

Every option that changes what a player meets stands in one of them: forms of voting, ties, silence, teams of one,
first days without a night, channels without words, texts of hardly any length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.agents.scripted import ScriptedPlayer
from tianhei.agents.uniform import UniformPlayer
from tianhei.arena.claims import KINDS, WHATS, Claim, claim_from_json
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import ABSENT, CLAIMING, Limits, Request
from tianhei.arena.roles import Counts
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.rules.setups import custom
from tianhei.arena.view import View
from tianhei.prompts.vocabulary import Lang

SMALL = {"killer": 2, "police": 2, "civilian": 4}
LONE = {"killer": 1, "police": 1, "civilian": 4}
BUTTERFLY = {"butterfly": 1, "sniper": 1, "doctor": 1, "elder": 1, "police": 1, "killer": 2, "civilian": 4}


@dataclass(frozen=True, slots=True)
class Situation:
    """A table and how it plays."""

    name: str
    game: str = "classic"
    changes: Mapping[str, Any] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=lambda: SMALL)
    limits: Limits = field(default_factory=Limits)

    @property
    def rules(self) -> Rules:
        return make(self.game, {"max_days": 6, **self.changes})

    @property
    def counts(self) -> Counts:
        return custom(self.rules, self.dealt)


def _classic(name: str, **changes: Any) -> Situation:
    return Situation(name, "classic", changes)


def _butterfly(name: str, **changes: Any) -> Situation:
    return Situation(name, "butterfly", changes, BUTTERFLY)


SITUATIONS: tuple[Situation, ...] = (
    _classic("called votes", final_tie="lot"),
    _classic("simultaneous votes", vote_form="simultaneous", final_tie="lot"),
    _classic("compulsory called votes", abstain="forbidden", self_vote="forbidden"),
    _classic("secret votes", vote_form="secret", pk_voters="untied", off_voters="untied"),
    _classic("round PK", round_pk="on", vote_form="simultaneous", final_tie="nobody"),
    _classic("narrowing PK", narrowing="always", vote_form="simultaneous", final_tie="lot"),
    _classic("first day", first_phase="day", vote_form="simultaneous", final_tie="lot"),
    _classic("long councils", council_rounds=4, killers_tie="ask_again", last_words="all"),
    _classic("no pass at night", night_pass="forbidden", kill_teammate="forbidden", reveal_on_vote="side"),
    _classic("roles shown", check_answer="role", reveal_on_vote="role", reveal_at_dawn="role", dead_view="all"),
    _classic("mute", channel="mute", vote_form="simultaneous"),
    _classic("claims only", channel="claims_only", vote_form="simultaneous", final_tie="lot"),
    Situation("teams of one", dealt=LONE, changes={"vote_form": "simultaneous", "final_tie": "lot"}),
    Situation("no police", dealt={"killer": 2, "civilian": 5}, changes={"final_tie": "lot"}),
    Situation("short texts", limits=Limits(30, 20, 30, 10), changes={"final_tie": "lot"}),
    Situation("hardly any text", limits=Limits(1, 1, 1, 1), changes={"last_words": "all", "final_tie": "lot"}),
    _butterfly("butterfly"),
    _butterfly("secret defence", vote_form="after_speech_secret", tie="all", abstain="allowed"),
    _butterfly("second vote", tie="revote", self_vote="forbidden", announce_causes=True, announce_needles=True),
    _butterfly("butterfly's chain", tie="chain", final_tie="lot", silenced_votes=False, last_words="quota"),
    _butterfly("elder of the killers", elder_side="killers", call_dead_roles=False, reveal_on_vote="role"),
    _butterfly("no pass in the night", night_pass="forbidden", repeat_target="forbidden_for_carry"),
    _butterfly("butterfly's first day", first_phase="day", silenced_last_words=True),
    _butterfly("butterfly, claims only", channel="claims_only"),
    _butterfly("butterfly, mute", channel="mute"),
    Situation("butterfly, short texts", "butterfly", {}, {**BUTTERFLY, "police": 2}, Limits(30, 20, 30, 10)),
)


FEW = (SITUATIONS[0], next(each for each in SITUATIONS if each.game == "butterfly"))
"""One of each game."""


class Stranger:
    """Somebody else at the table: talks sense or none, claims anything, votes by lot, and sometimes is not there."""

    def __init__(self, lang: Lang) -> None:
        self._sensible = ScriptedPlayer(lang)
        self._by_lot = UniformPlayer(lang)

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer by lot, or with words."""
        mood = view.luck.number(f"{request.id}.mood", 100)
        if mood < 4:
            return Reply(ABSENT)
        if request.kind not in CLAIMING:
            return await self._by_lot.act(view, request, ask)
        reply = await self._sensible.act(view, request, ask)
        if mood < 30:
            claims = (*(reply.answer.claims or ()), *_babble(view, request))
            return reply._replace(answer=reply.answer._replace(claims=claims if mood < 28 else None))
        return reply


def _babble(view: View, request: Request) -> Iterator[Claim]:
    """Claims of every kind about any seat of the table and any night so far."""
    for number in range(view.luck.number(f"{request.id}.claims", 4)):
        purpose = f"{request.id}.claim{number}"
        yield claim_from_json({
            "kind": view.luck.pick(f"{purpose}.kind", KINDS),
            "seat": 1 + view.luck.number(f"{purpose}.seat", view.players),
            "what": view.luck.pick(f"{purpose}.what", WHATS),
            "night": view.luck.number(f"{purpose}.night", view.record.day + 1),
        })  # fmt: skip
