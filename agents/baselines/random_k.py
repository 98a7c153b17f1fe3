"""The random player whose killers spare their mates, by night and in votes."""

from __future__ import annotations

from tianhei.agents.baselines.voter import standing
from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View


class RandomK(RandomPlayer):
    """Any legal answer but against a mate, each as likely as the others; to pass, where it is legal, is one of them."""

    name = "random-k"

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer by lot."""
        if view.role is not Role.KILLER:
            return await super().act(view, request, ask)
        if request.kind == "hand" and request.may_pass:
            return Reply(Answer(raised=_drawn(view) == request.options[0]))
        spared = tuple(seat for seat in request.options if seat not in view.mates)
        if spared or request.may_pass:
            request = request._replace(options=spared)
        return await super().act(view, request, ask)


def _drawn(view: View) -> Seat | None:
    """The candidate, or none, drawn once for all calls of a vote."""
    record, rules = view.record, view.rules
    own = rules.self_vote == "forbidden"
    seats = [seat for seat in standing(view) if seat not in view.mates and not (own and seat == view.seat)]
    abstains = rules.abstain == "allowed" and record.stage != "off_field"
    choices: list[Seat | None] = [*seats, *([None] if abstains or not seats else [])]
    return view.luck.pick(f"d{record.day}.{record.stage}.hands.{seats}", choices)
