"""What each seat may know, from the cards, the answers and the judge's reckoning; never from an event's audience.

R-KNOW: card and side, and a team its mates, at the deal; a team what its living members state and agree on, at once;
every officer alive at nightfall the sign; each seat its own acts and notes; needles only by option. The dead see what
all see. R-PUBLIC: what all see is what was said and voted in the open, the dead, the silenced, what is told of those
voted out, public lots, and the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from secrecy.manner import SECRET
from tianhei.arena.events import PUBLIC, Agreed, Ballots, Called, Dawn, Drawn, Event, Note, Over, Resolved, VotedOut
from tianhei.arena.referee import Wave
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Butterfly, Classic, Rules

ALL: tuple[Seat, ...] = (0,)
"""Told to everybody: to the table itself, seat 0, and to all seats."""
Fact = tuple[tuple[Seat, ...], tuple[Any, ...]]
STEP = ("step",)
"""By day all see that the judge goes on, even where nobody said a word. It stands in no view."""
TEAMS = {"kill": Role.KILLER, "check": Role.POLICE}
ALONE = ("carry", "shoot", "needle", "silence")


class Knowledge:
    """The truth of one game, and of each wave what may be known of it, by whom."""

    def __init__(self, rules: Rules, roles: tuple[Role, ...]) -> None:
        self.rules = rules
        self.roles = roles
        self.living = tuple(range(1, len(roles) + 1))
        self._cast: dict[Seat, Seat | None] = {}
        self._voters: dict[Seat, None] = {}
        self._answered: set[Seat] = set()
        self._open_eyes: tuple[Seat, ...] = ()

    def dealt(self) -> list[Fact]:
        """What is known when the cards are dealt."""
        facts: list[Fact] = []
        for seat, role in enumerate(self.roles, start=1):
            helper = role is Role.ELDER and getattr(self.rules, "elder_side", "good") == "killers"
            side = "killers" if role is Role.KILLER or helper else "good"
            facts.append(((seat,), ("card", str(role), side)))
            if role in TEAMS.values():
                facts.append(((seat,), ("mates", self.who(role))))
        return facts

    def who(self, role: Role) -> tuple[Seat, ...]:
        """The living holders of a role."""
        return tuple(seat for seat in self.living if self.roles[seat - 1] is role)

    def closed(self, wave: Wave) -> list[Fact]:
        """What a wave makes known: its answers first, then what the judge makes of them."""
        by_day = wave.requests and wave.requests[0].id.startswith("d")
        facts: list[Fact] = [(ALL, STEP)] if by_day else []
        pairs = sorted(zip(wave.requests, wave.answers, strict=True), key=lambda pair: pair[0].seat)
        for request, answer in pairs:
            if answer.note is not None:
                facts.append(((request.seat,), ("note", answer.note)))
        for request, answer in pairs:
            facts += self._answer(request, answer)
        for event in wave.events:
            facts += self._event(event)
            if self.rules.dead_view == "all" and isinstance(event.body, Called) and event.body.stage == "night":
                self._open_eyes = tuple(seat for seat, _ in enumerate(self.roles, start=1) if seat not in self.living)
            elif self._open_eyes and event.audience != PUBLIC and not isinstance(event.body, Note):
                told = {name: value for name, value in event.to_json().items() if name != "audience"}
                facts.append((self._open_eyes, ("seen", repr(told))))
        return facts

    def _answer(self, request: Request, answer: Answer) -> Iterable[Fact]:
        seat, kind = request.seat, request.kind
        if kind in ALONE:
            yield (seat,), ("acted", kind, answer.target)
        elif kind in TEAMS:
            yield self.who(TEAMS[kind]), ("stated", kind, seat, answer.target, answer.text, request.round)
        elif kind == "demand":
            if answer.targets:
                yield ALL, ("demanded", seat, answer.targets)
        elif kind == "hand":
            self._voters[seat] = None
            if not answer.absent:
                self._answered.add(seat)
            if answer.raised:
                self._cast[seat] = request.options[0]
                yield ALL, ("hand", seat, request.options[0])
        if kind in ("speech", "speech_and_vote", "last_words") and not answer.absent:
            claims = None if answer.claims is None else tuple(repr(claim.to_json()) for claim in answer.claims)
            yield ALL, ("said", kind, seat, answer.text, claims)
        if kind in ("vote", "speech_and_vote"):
            self._voters[seat] = None
            if not answer.absent:
                self._cast[seat] = answer.target

    def _event(self, event: Event) -> Iterable[Fact]:
        """Of the judge's events only what happened is taken, never who was told."""
        match event.body:
            case Agreed(action=action, target=target):
                yield self.who(TEAMS[action]), ("agreed", action, target)
            case Resolved() as night:
                yield from self._night(night)
            case Dawn():
                self._leave(event.body.dead)
            case Ballots(stage=stage):
                yield ALL, self._ballots(stage)
            case Drawn(purpose="tie" | "first_speaker", value=value):
                yield ALL, ("lot", value)
            case VotedOut(seat=seat):
                self._leave((seat,))
                yield ALL, ("out", seat, self._told_of(seat, self.rules.reveal_on_vote))
            case Over(winner=winner, reason=reason):
                yield ALL, ("over", winner, reason, tuple(map(str, self.roles)))
            case _:
                pass

    def _night(self, night: Resolved) -> Iterable[Fact]:
        target = night.actions.get("check")
        if target:
            yield self.who(Role.POLICE), ("sign", target, self._sign(target, night.actions.get("carry")))
        rules, causes = self.rules, None
        if isinstance(rules, Butterfly):
            if rules.announce_needles:
                yield from (((seat,), ("needled", night.needles[seat])) for seat in night.empty_needles)
            if rules.announce_causes:
                causes = tuple(sorted(night.deaths.items()))
        dead = tuple(sorted(night.deaths))
        yield ALL, ("dead", dead, causes, tuple(self._told_of(seat, rules.reveal_at_dawn) for seat in dead))
        if night.silenced:
            yield ALL, ("silenced", night.silenced)

    def _sign(self, target: Seat, carried: Seat | None) -> str:
        """S0-27, S0-28, S0-44, S1-48: nod or shake, or no gesture for and from the carried."""
        role = self.roles[target - 1]
        if isinstance(self.rules, Classic):
            return str(role) if self.rules.check_answer == "role" else "nod" if role is Role.KILLER else "shake"
        officers = self.who(Role.POLICE)
        goes_on = self.rules.carried_police == "blocks_self" and len(officers) > 1
        if target == carried or (carried in officers and not goes_on):
            return "none"
        return "nod" if role is Role.KILLER else "shake"

    def _told_of(self, seat: Seat, how: str) -> str | None:
        role = self.roles[seat - 1]
        return {"none": None, "role": str(role), "side": "killer" if role is Role.KILLER else "good"}[how]

    def _ballots(self, stage: str) -> tuple[Any, ...]:
        """What a vote shows when it is over: who chose whom, or totals alone."""
        voters, cast, form = tuple(sorted(self._voters)), dict(self._cast), self.rules.vote_form
        if form == "called" and stage not in ("off_field", "revote") and self.rules.abstain == "allowed":
            cast |= dict.fromkeys(self._answered - set(cast))
        self._voters, self._cast, self._answered = {}, {}, set()
        void = tuple(voter for voter in voters if voter not in cast)
        if form in SECRET:
            return ("totals", _counted(cast), sum(target is None for target in cast.values()), void)
        return ("ballots", tuple(sorted(cast.items())), void)

    def _leave(self, seats: Iterable[Seat]) -> None:
        gone = set(seats)
        self.living = tuple(seat for seat in self.living if seat not in gone)


def _counted(cast: Mapping[Seat, Seat | None]) -> tuple[tuple[Seat, int], ...]:
    return tuple(sorted(Counter(target for target in cast.values() if target is not None).items()))
