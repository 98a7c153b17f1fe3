"""Players with one fault each, and the rule that it breaks."""

from __future__ import annotations

import asyncio
from typing import Any

from tianhei.agents.random_player import RandomPlayer
from tianhei.arena.claims import Claim
from tianhei.arena.player import Ask, Prompt, Reply, Unusable
from tianhei.arena.requests import ABSENT, CLAIMING, TARGETED, Answer, Request
from tianhei.arena.view import View


class Sound(RandomPlayer):
    """Without a fault."""

    def __init__(self) -> None:
        super().__init__("en")


class Faulty(RandomPlayer):
    """Sound but for ``spoil``, which changes a reply."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        self.memory: list[str] = []

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        reply = await super().act(view, request, ask)
        return self.spoil(reply, view, request)

    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        raise NotImplementedError


def _with(reply: Reply, **changes: Any) -> Reply:
    return reply._replace(answer=reply.answer._replace(**changes))


class NamesTheDead(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return _with(reply, target=view.players + 1) if request.kind == "vote" else reply


class CallsItselfAbsent(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return Reply(ABSENT) if request.kind == "hand" else reply


class TalksTooLong(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return _with(reply, text="x" * (request.text + 1)) if request.kind == "last_words" else reply


class TalksWhereNobodyMay(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return _with(reply, text="Well.") if request.kind in CLAIMING and not request.text else reply


class ClaimsASeatThatIsNotThere(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        claims = (Claim("accuse", view.players + 1, "killer"),)
        return _with(reply, claims=claims) if request.kind in CLAIMING else reply


class ClaimsANightToCome(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        claims = (Claim("check", 1, "killer", view.record.day + 1),)
        return _with(reply, claims=claims) if request.kind in CLAIMING else reply


class ClaimsInWords(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return _with(reply, claims=("I am police",)) if request.kind in CLAIMING else reply


class HalfACharacter(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        return _with(reply, note="\ud83d")


class CountsItsAnswers(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        self.memory.append(request.id)
        chosen = request.options[len(self.memory) % len(request.options)] if request.options else None
        return _with(reply, target=chosen) if request.kind in TARGETED and request.kind != "speech_and_vote" else reply


class RemembersTheGameBefore(Faulty):
    """The same however often it is asked, and other than a player who was not there."""

    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        if request.kind in ("kill", "check") and "night one" not in self.memory:
            self.memory.append("night one")
        grudge = bool(self.memory) and request.kind == "vote"
        return _with(reply, target=request.options[0]) if grudge else reply


class LooksAtTheObject(Faulty):
    """Does as the place of its view in memory bids."""

    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        if request.kind != "vote":
            return reply
        return _with(reply, target=request.options[id(view) // 64 % len(request.options)])


class KeepsCountForItsClass(Faulty):
    """Every player of its class goes by how many games there were."""

    games: list[str] = []  # noqa: RUF012 - that is the fault

    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        if view.record.stage == "night" and view.record.day == 1 and request.seat == 1:
            name = f"{view.luck.key.hex()}{view.rules.hash}"
            if name not in self.games:
                self.games.append(name)
        if request.kind != "hand" or not request.may_pass:
            return reply
        return _with(reply, raised=(len(self.games) + request.seat) % 2 == 0)


class ChangesTheView(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        view.record.votes.clear()
        view.checks.append((1, 1, "nod"))
        return reply


class ChangesAnEvent(Faulty):
    """A change so deep that copies of the view share it."""

    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        for vote in view.record.votes:
            if isinstance(vote.ballots, dict):
                vote.ballots[1] = 1
        return reply


class Fails(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Reply:
        if request.kind == "last_words":
            raise KeyError("farewell")
        return reply


class ReturnsAnAnswer(Faulty):
    def spoil(self, reply: Reply, view: View, request: Request) -> Any:
        return reply.answer


class Asks(RandomPlayer):
    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        await ask(Prompt("", "", ""))
        return await super().act(view, request, ask)


class Waits(RandomPlayer):
    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        await asyncio.sleep(0)
        return await super().act(view, request, ask)


class HasNoAnswer(RandomPlayer):
    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        if request.kind == "speech":
            raise Unusable("empty")
        return Reply(Answer()) if request.may_pass else await super().act(view, request, ask)


class NotAtAll:
    """Not a coroutine."""

    def act(self, view: View, request: Request, ask: Ask) -> Reply:
        return Reply(Answer())


FAULTS: tuple[tuple[str, str, str], ...] = (
    ("NamesTheDead", "legal", "is not one of"),
    ("CallsItselfAbsent", "legal", "may not call itself absent"),
    ("TalksTooLong", "text", "characters, and"),
    ("TalksWhereNobodyMay", "text", "5 characters, and 0 are allowed"),
    ("ClaimsASeatThatIsNotThere", "claims", "and there are"),
    ("ClaimsANightToCome", "claims", "a claim about night 2 on day 1"),
    ("ClaimsInWords", "claims", "a claim is a Claim, not str"),
    ("HalfACharacter", "letters", "half a character in its note"),
    ("CountsItsAnswers", "the same twice", "then"),
    ("RemembersTheGameBefore", "no memory", "then"),
    ("LooksAtTheObject", "view alone", "then"),
    ("KeepsCountForItsClass", "no trace", "another game when it was played again"),
    ("ChangesTheView", "hands off", "the view is not what it was"),
    ("ChangesAnEvent", "hands off", "the view is not what it was"),
    ("Fails", "no exception", "KeyError: 'farewell'"),
    ("ReturnsAnAnswer", "no exception", "it returned Answer, not Reply"),
    ("Asks", "no exception", "it asked a model, and none sits behind it"),
    ("NotAtAll", "no exception", "'Reply' object has no attribute '__await__'"),
    ("HasNoAnswer", "usable", "it had no usable answer: empty"),
)  # fmt: skip
"""Class, the rule that it breaks, and what is said of it."""
