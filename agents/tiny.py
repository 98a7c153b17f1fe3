"""A model too small to write an answer, in a seat: it chooses by scores, and ends sentences that are begun for it.

Declared as such by its prompt pack. Oneself, one's own partners and whom one's checks have cleared are left out of what
is scored, and it never passes; which of the others it names, in words and in votes, is the model's own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from tianhei.agents.probe import reckon
from tianhei.arena.claims import Claim
from tianhei.arena.player import Ask, Completion, Reply, Unusable
from tianhei.arena.probing import Beliefs
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View
from tianhei.prompts.pack import TINY, load
from tianhei.prompts.tiny import TAIL, cleared, facts, scoring, writing
from tianhei.prompts.vocabulary import PLAIN, Lang, Theme
from tianhei.prompts.words import Words

UNSEEN = -14.0
"""The log-probability of a number that is not among the likeliest tokens."""
TEMPERATURE = 0.2
"""How strictly the best score is followed where the record says little."""


class TinyPlayer:
    """Plays by scores."""

    def __init__(self, lang: Lang, pack: str = TINY, *, variant: int = 1, theme: Theme = PLAIN) -> None:
        self.lang = lang
        self.pack = load(pack, lang, variant, theme)
        self.words = Words(lang, theme)

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        match request.kind:
            case "demand":
                return Reply(Answer())
            case "hand":
                return Reply(Answer(raised=await self._raises(view, request, ask)))
            case "kill" | "check":
                target = await self._choose(view, request.options, request.kind, request, ask)
                team = self.pack.say(f"team.{request.kind}", seat=self.words.seat(target))
                return Reply(Answer(target=target, text=team if len(team) <= request.text else ""))
            case "speech" | "last_words" | "speech_and_vote":
                return await self._speak(view, request, ask)
            case kind:
                return Reply(Answer(target=await self._choose(view, request.options, kind, request, ask)))

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        """By the scores with which it votes."""
        others = view.others
        if len(others) < 2:
            return reckon(view, {})
        scores = await self._scores(view, others, "suspect", ask)
        return reckon(view, {seat: score / TEMPERATURE for seat, score in scores.items()})

    async def _speak(self, view: View, request: Request, ask: Ask) -> Reply:
        candidates = request.options or _candidates(view)
        about = await self._choose(view, candidates, "suspect", request, ask)
        claims = [Claim("accuse", about, "killer")]
        text = ""
        if request.text:
            text, key = await self._sentence(view, about, request, ask)
            if key == "check_killer":
                night = next(night for night, seat, _ in view.checks if seat == about)
                claims = [Claim("role", view.seat, "police"), Claim("check", about, "killer", night)]
        if request.kind != "last_words":
            claims.append(Claim("vote", about))
        target = about if request.kind == "speech_and_vote" else None
        return Reply(Answer(target=target, text=text[: request.text], claims=tuple(claims)))

    async def _sentence(self, view: View, about: Seat, request: Request, ask: Ask) -> tuple[str, str]:
        """A sentence about a seat, and which kind of fact it tells."""
        known = facts(self.pack, view, about)
        key, fact = known[0] if known[0][0] == "check_killer" else view.luck.pick(f"{request.id}:fact", known[-3:])
        dying = request.kind == "last_words"
        vote = "" if dying else self.pack.say("lead.vote", seat=self.words.seat(about))
        if key == "check_killer":
            return fact + self.pack.say("lead.check") + vote, key
        opening = "open_" if key in ("unheard", "nothing") else ""
        tail = view.luck.pick(f"{request.id}:tail", self.pack.all(f"lead.{opening}tails"))
        leads = self.pack.all(f"lead.{opening}texts")
        if not leads:
            return fact + tail + vote, key
        beginning = fact + view.luck.pick(f"{request.id}:lead", leads)
        completion = await ask(writing(self.pack, beginning, view.luck.number(request.id, 2**31)))
        ending = completion.text.removeprefix(beginning)
        return (beginning + ending if re.fullmatch(TAIL, ending) else fact + tail) + vote, key

    async def _raises(self, view: View, request: Request, ask: Ask) -> bool:
        if not request.may_pass:
            return True
        chosen = await self._choose(view, view.record.candidates or view.others, "vote", request, ask)
        return chosen == request.options[0]

    async def _choose(self, view: View, options: Sequence[Seat], kind: str, request: Request, ask: Ask) -> Seat:
        """The seat whose number the record makes likelier; close calls fall by luck."""
        wanted = [seat for seat in options if seat != view.seat and seat not in view.mates]
        settled = {seat for _, seat, _ in view.checks} if kind == "check" else cleared(view)
        wanted = [seat for seat in wanted if seat not in settled] or wanted
        wanted = wanted or list(options)
        if len(wanted) == 1:
            return wanted[0]
        return _drawn(await self._scores(view, wanted, kind, ask), view, request)

    async def _scores(self, view: View, seats: Sequence[Seat], kind: str, ask: Ask) -> Mapping[Seat, float]:
        """How much likelier the record makes each seat's number."""
        told = await self._likelihoods(view, seats, kind, ask, empty=False)
        liked = await self._likelihoods(view, seats, kind, ask, empty=True)
        return {seat: told[seat] - liked[seat] for seat in seats}

    async def _likelihoods(
        self, view: View, seats: Sequence[Seat], kind: str, ask: Ask, *, empty: bool
    ) -> Mapping[Seat, float]:
        """The log-probability of each seat's number: one call for the first digit, one for each that may follow."""
        first = _digits(await ask(scoring(self.pack, view, kind, empty=empty)))
        found = {seat: first.get(str(seat), UNSEEN) for seat in seats if seat < 10}
        for leading in sorted({str(seat)[0] for seat in seats if seat >= 10}):
            following = _digits(await ask(scoring(self.pack, view, kind, leading, empty=empty)))
            before = first.get(leading, UNSEEN)
            for seat in seats:
                if seat >= 10 and str(seat)[0] == leading:
                    found[seat] = before + following.get(str(seat)[1], UNSEEN)
            if int(leading) in found:
                ends = max(1e-6, 1 - sum(math.exp(value) for value in following.values()))
                found[int(leading)] = before + math.log(ends)
        return found


def _digits(completion: Completion) -> Mapping[str, float]:
    if not completion.scores:
        raise Unusable("unreadable", "the endpoint gives no log-probabilities; choose another prompt pack")
    return {token.strip(): value for token, value in completion.scores[0].items() if token.strip().isdigit()}


def _drawn(scores: Mapping[Seat, float], view: View, request: Request) -> Seat:
    """One seat, with weights that follow the scores."""
    best = max(scores.values())
    weights = {seat: math.exp((score - best) / TEMPERATURE) for seat, score in scores.items()}
    place = view.luck.number(f"{request.id}:choice", 10**6) / 10**6 * sum(weights.values())
    for seat, weight in weights.items():
        place -= weight
        if place < 0:
            return seat
    return max(scores, key=lambda seat: scores[seat])


def _candidates(view: View) -> Sequence[Seat]:
    """Of whom to speak: the tied in a PK, else the living others."""
    tied = view.record.candidates if view.record.stage in ("pk", "off_field", "revote") else ()
    return [seat for seat in tied if seat != view.seat] or view.others
