"""A player that answers by lot: the floor that every other player is measured against."""

from __future__ import annotations

from collections.abc import Mapping

from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import TARGETED, Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View

_SAYS: Mapping[str, str] = {"en": "I have nothing to add.", "zh": "我没有什么要说的。"}
_DEMAND_ONE_IN = 30
_NO_CLAIMS = Answer(claims=())


class RandomPlayer:
    """Any legal answer, each as likely as the others; to pass, where it is legal, is one of them."""

    name = "random"

    def __init__(self, lang: str) -> None:
        self._speech = Answer(text=_SAYS[lang], claims=())

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer by lot."""
        kind = request.kind
        if kind == "hand":
            return Reply(Answer(raised=_raises(view, request)))
        if kind == "demand":
            return Reply(_demand(view, request))
        if kind == "vote" or kind not in TARGETED:
            answer = self._words(view, request) if kind != "vote" else Answer(target=_target(view, request))
            return Reply(answer)
        if kind == "speech_and_vote":
            said = self._words(view, request)
            return Reply(Answer(target=_target(view, request), text=said.text, claims=()))
        return Reply(Answer(target=_target(view, request)))

    def _words(self, view: View, request: Request) -> Answer:
        """The one sentence it knows, or a pass."""
        fits = len(self._speech.text) <= request.text
        return self._speech if fits and view.luck.number(f"{request.id}.words", 2) else _NO_CLAIMS


def _target(view: View, request: Request) -> Seat | None:
    options = request.options
    drawn = view.luck.number(request.id, len(options) + request.may_pass)
    return options[drawn] if drawn < len(options) else None


def _raises(view: View, request: Request) -> bool:
    """Whether this candidate is the one drawn for the whole vote: one draw for all its calls, so each is as likely."""
    if not request.may_pass:
        return True
    record = view.record
    candidates = record.speakers if record.stage == "pk" else record.candidates or record.living
    abstains = record.rules.abstain == "allowed" and record.stage != "off_field"
    vote = f"d{record.day}.{record.stage}.hands{request.round}"
    drawn = view.luck.number(vote, len(candidates) + abstains)
    if drawn == len(candidates):
        return False
    if candidates[drawn] == view.seat and record.rules.self_vote == "forbidden":
        drawn = (drawn + 1 + view.luck.number(f"{vote}.again", len(candidates) - 1)) % len(candidates)
    return candidates[drawn] == request.options[0]


def _demand(view: View, request: Request) -> Answer:
    """Nearly always nothing; now and then two of the others."""
    if len(request.options) < 2 or view.luck.number(request.id, _DEMAND_ONE_IN):
        return Answer()
    return Answer(targets=tuple(view.luck.shuffled(f"{request.id}.seats", request.options)[:2]))
