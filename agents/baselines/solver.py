"""The logic solver: votes for whoever is most likely a killer, by the exact posterior over all deals.

It looks at cards, deaths, checks and claims, never at who voted for whom or how somebody speaks; what a player adds to
it is what it makes of those. A killer reckons as an onlooker, so as to look like one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tianhei.agents.baselines.claim_truster import ClaimTruster
from tianhei.agents.baselines.voter import lot
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.deduce import Contradiction, Credibility, Facts, Posterior, TooMany, posterior
from tianhei.arena.facts import facts_of
from tianhei.arena.player import Ask
from tianhei.arena.probing import Beliefs
from tianhei.arena.requests import Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.view import View

CREDIBILITY = Credibility(officer=4.0, innocent=0.25, slip=0.02, own=0.1)
"""A true report is four times as likely from an officer as a made-up one from a killer, and that four times as likely
as one from anybody else; an officer seldom errs, and killers seldom take one of their own. Stated, not fitted."""
SURE = 0.6
"""The chance to be a killer from which a sniper shoots."""
NEWS = 1.2
"""How much likelier a killer than the table on average is whom it accuses in words."""


class Solver(ClaimTruster):
    """Reckons, and says what it has reckoned."""

    name = "solver"

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        """The posterior of what it knows, as a killer too."""
        chance = weighed(facts_of(view)).killer
        return Beliefs({seat: chance[seat] for seat in view.others})

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        chance = reckoned(view).killer
        helps = view.side is Side.KILLERS and view.role is not Role.KILLER
        return lot(view, _most(chance, pool, sign=-1 if helps else 1))

    def speak(self, mind: Mind, talk: Talk, target: Seat | None) -> None:
        chance = reckoned(mind.view).killer
        usual = sum(chance[seat] for seat in mind.view.others) / max(len(mind.view.others), 1)
        super().speak(mind, talk, target if target and chance[target] >= NEWS * usual else None)

    def pointed(self, view: View, request: Request) -> Sequence[Seat]:
        chances = reckoned(view)
        friends = (view.seat, *view.mates)
        others = [seat for seat in request.options if seat not in friends] or list(request.options)
        match request.kind:
            case "kill":
                return _most(chances.police, others)
            case "check":
                known = {seat for _, seat, _ in view.checks}
                return _most(chances.killer, [seat for seat in others if seat not in known] or others)
            case "needle":
                used = {seat for _, action, seat in view.actions if action == "needle"}
                fresh = [seat for seat in others if seat not in used]
                return _most(chances.killer, fresh or others, sign=-1) if fresh or not request.may_pass else ()
            case "shoot" if request.may_pass:
                return [seat for seat in _most(chances.killer, others) if chances.killer[seat] >= SURE]
            case "carry" | "shoot" | "silence":
                return _most(chances.killer, others)
            case _:
                return request.options


def reckoned(view: View) -> Posterior:
    """What the seat makes of its view; a killer, what an onlooker would."""
    return weighed(facts_of(view, public=view.role is Role.KILLER))


def weighed(facts: Facts) -> Posterior:
    """The posterior of facts and claims; of facts alone where the claims cannot be had."""
    try:
        return posterior(facts, CREDIBILITY)
    except (Contradiction, TooMany):
        return posterior(replace(facts, statements=()), CREDIBILITY)


def _most(chance: Mapping[Seat, float], seats: Sequence[Seat], *, sign: int = 1) -> tuple[Seat, ...]:
    """The seats of the highest chance (``sign`` -1: of the lowest), equals within what reckoning leaves."""
    best = max(sign * chance[seat] for seat in seats)
    return tuple(seat for seat in seats if sign * chance[seat] > best - 1e-9)
