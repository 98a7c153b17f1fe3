"""A baseline with words: says whom it aims at and votes so; its sentences are those of the scripted player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tianhei.agents.baselines.voter import AGAIN, Voter, standing
from tianhei.agents.scripted.ledger import Report
from tianhei.agents.scripted.lines import read_lines
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.speech import accuse, clear
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.claims import Claim, ClaimWhat
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View

_REPORTS: dict[ClaimWhat, str] = {"killer": "report_killer", "not_killer": "report_good", "no_sign": "report_none"}


class Speaker(Voter):
    """Says whom it aims at, and nothing of substance where that is nobody."""

    name = "speaker"
    closing = "vote"
    """The stance with which it names its vote."""

    def __init__(self, lang: str = "en") -> None:
        self.lines = read_lines(lang)

    def speech(self, view: View, request: Request) -> Answer:
        mind = Mind(view, request)
        talk = Talk(mind, self.lines)
        if request.kind == "speech_and_vote":
            seats: Sequence[Seat] = request.options
        else:
            seats = standing(view) if view.record.stage in AGAIN else view.others
        pool = self.pool(view, seats)
        target = self.aim(view, pool) if pool else None
        self.speak(mind, talk, target)
        vote = None
        if request.kind == "speech_and_vote":
            vote = target or self.choose(view, seats, may_pass=request.may_pass)
        return Answer(target=vote, text=talk.text, claims=tuple(talk.claims))

    def speak(self, mind: Mind, talk: Talk, target: Seat | None) -> None:
        """Say what there is to say against the target."""
        if mind.request.kind == "last_words":
            self.leave(talk, target)
            return
        if mind.me in standing(mind.view) and mind.record.stage in AGAIN:
            talk.say("pk_self", clear(mind.me))
        if target is None:
            if not talk.parts:
                talk.say("hold")
        else:
            self.push(mind, talk, target)
            talk.say(self.closing, Claim("vote", target), who=target)

    def push(self, mind: Mind, talk: Talk, target: Seat) -> None:
        """The reason against the target: the plainest there is."""
        talk.say("press_thin", accuse(target), who=target)

    def leave(self, talk: Talk, target: Seat | None) -> None:
        """Last words."""
        if target is None:
            talk.say("last_plain")
        else:
            talk.say("last_suspect", accuse(target), who=target)


def tell(mind: Mind, talk: Talk, reports: Iterable[Report]) -> None:
    """An officer's word: who he is, if he has not said so, and these checks."""
    if mind.ledger.roles.get(mind.me) != "police":
        stance = "last_police" if mind.request.kind == "last_words" else "claim_police"
        talk.say(stance, Claim("role", mind.me, "police"))
    for report in reports:
        claim = Claim("check", report.seat, report.what, report.night)
        if report.what in _REPORTS:
            talk.say(_REPORTS[report.what], claim, who=report.seat, night=report.night)
        else:
            talk.say("report_role", claim, who=report.seat, night=report.night, role=report.what)
