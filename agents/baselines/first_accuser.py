"""Votes for the first seat that anybody accuses, day by day; the first to speak accuses somebody by lot."""

from __future__ import annotations

from collections.abc import Sequence

from tianhei.agents.baselines.speaker import Speaker
from tianhei.agents.baselines.voter import lot
from tianhei.agents.scripted.ledger import Ledger
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.speech import accuse
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.roles import Seat
from tianhei.arena.view import View


class FirstAccuser(Speaker):
    """Whoever is named first has everybody's vote: how much hangs on the order of speaking."""

    name = "first-accuser"

    def aim(self, view: View, pool: Sequence[Seat]) -> Seat | None:
        ledger = Ledger(view.record)
        named = (said.at for said in ledger.accused if said.day == ledger.day and said.at in pool)
        return next(named, None) or lot(view, pool)

    def push(self, mind: Mind, talk: Talk, target: Seat) -> None:
        first = next((by for by in mind.ledger.accusers(target) if by not in (mind.me, target)), None)
        if first is None:
            super().push(mind, talk, target)
        else:
            talk.say("second", accuse(target), who=target, other=first)
