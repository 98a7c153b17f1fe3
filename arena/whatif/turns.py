"""Say, think, do: of each turn the private thought, the public words and the vote that followed, and where they differ.

The thought is what a model was asked to write before it spoke, not what went on in it. Words count as they were
declared (typed claims); thoughts, and words of which nothing was declared, as the extractor of claims reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tianhei.arena.claims import Claim
from tianhei.arena.events import Ballots
from tianhei.arena.probing import Beliefs, probe_from_json
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.view import View, Views
from tianhei.arena.whatif.poll import Poll, length
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.claims.extractor import extract
from tianhei.transcripts.claims.knowledge import card_of
from tianhei.transcripts.claims.ledger import readings
from tianhei.transcripts.fork import Parent
from tianhei.transcripts.game import Recording, seat_of

Kind = Literal[
    "voted_other",
    "abstained",
    "thought_guilty",
    "thought_good",
    "other_card",
    "no_check",
    "other_check",
    "believed_other",
]
"""How two of them can differ.

voted_other     said for whom it would vote, and voted for somebody else
abstained       said for whom it would vote, and abstained
thought_guilty  thought that somebody is a killer, and cleared that seat aloud
thought_good    thought that somebody is good, and accused that seat aloud
other_card      claimed a card that it does not hold
no_check        reported a check that it did not make
other_check     reported another answer than the judge's
believed_other  a good player that voted for somebody it held to be less likely a killer than another, by its probe
"""
MARGIN = 0.1
"""By how much another must have been likelier."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: ``said`` is the seat or thing that was spoken of, ``did`` what was so instead."""

    kind: Kind
    said: Seat | str
    did: Seat | str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "said": self.said, "did": self.did}


@dataclass(slots=True)
class Turn:
    """One seat's words and what it did next.

    ``claims`` are those that it declared, or, where it declared nothing, those that its words make. ``vote`` is its
    ballot of that day, if it ``voted``.
    """

    request: str
    day: int
    seat: Seat
    thought: str
    text: str
    claims: tuple[Claim, ...]
    declared: bool
    wave: int
    voted: bool = False
    vote: Seat | None = None
    vote_thought: str = ""
    differences: list[Difference] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        claims = [claim.to_json() for claim in self.claims]
        return {
            "request": self.request, "day": self.day, "seat": self.seat, "thought": self.thought, "text": self.text,
            "claims": claims, "declared": self.declared, "voted": self.voted, "vote": self.vote,
            "vote_thought": self.vote_thought,
            "differences": [difference.to_json() for difference in self.differences],
        }  # fmt: skip


def turns(parent: Parent) -> list[Turn]:
    """The turns of a game in order; passes without a thought are left out."""
    found = [turn for number in range(1, len(parent.waves)) for turn in _spoken(parent, number)]
    number = 1
    while number < len(parent.waves):
        votes = length(parent.waves[number:])
        if votes:
            _attach(parent, found, number, number + votes)
        number += votes or 1
    beliefs = dict(_beliefs(parent))
    for turn in found:
        view = parent.views.of(turn.seat)
        thought = _read(parent, turn.thought, turn.seat)
        turn.differences += _differences(turn, thought, view, beliefs.get((turn.day, turn.seat)))
    return [turn for turn in found if turn.text or turn.thought or turn.claims]


def told_turns(recorded: Recording) -> list[Turn]:
    """The turns of a game that was played elsewhere, as far as its source tells them: thoughts, words and ballots.

    Where it does not tell what an officer was shown, nothing is said of the checks that it reports.
    """
    found: list[Turn] = []
    voting: dict[Seat, str] = {}
    read = {said.place: said for said in readings(recorded)}
    place = 0
    for number, wave in enumerate(recorded.waves):
        voting |= {seat_of(name): reply.thought for name, reply in wave.replies.items() if ".vote" in name}
        for event in wave.events:
            if said := read.get(place):
                claims = said.claims or tuple(dict.fromkeys(item.claim for item in said.reading.claims))
                name = next((name for name in wave.replies if seat_of(name) == said.seat), "")
                thought = wave.replies[name].thought if name else ""
                found.append(Turn(name, event.day, said.seat, thought, said.text, claims, bool(said.claims), number))
            elif isinstance(event.body, Ballots):
                _told_ballots(found, event.body, event.day, voting)
                voting = {}
            place += 1
    views = Views(recorded.header.rules, recorded.header.counts)
    views.add(recorded.events)
    for turn in found:
        view = views.of(turn.seat)
        anytime = replace(
            turn, claims=tuple(replace(claim, night=0) for claim in turn.claims)
        )  # others count otherwise
        differences = _differences(anytime, (), view, None)
        shown = bool(view.checks) or card_of(view.role or "") in (Role.CIVILIAN, Role.KILLER)
        turn.differences += [each for each in differences if shown or each.kind not in ("no_check", "other_check")]
    return [turn for turn in found if turn.text or turn.thought or turn.claims]


def _told_ballots(found: Sequence[Turn], held: Ballots, day: int, voting: Mapping[Seat, str]) -> None:
    for seat, target in (held.ballots or {}).items():
        said = [turn for turn in found if (turn.seat, turn.day) == (seat, day)]
        if said and not said[-1].voted:
            said[-1].voted, said[-1].vote, said[-1].vote_thought = True, target, voting.get(seat, "")


def _spoken(parent: Parent, number: int) -> Iterator[Turn]:
    """What was said in a wave."""
    wave, replies = parent.waves[number], parent.recorded.waves[number].replies
    for request, answer in zip(wave.requests, wave.answers, strict=True):
        if request.kind in CLAIMING and not answer.absent:
            declared = answer.claims is not None
            claims = answer.claims if answer.claims is not None else _read(parent, answer.text, request.seat)
            thought = replies[request.id].thought
            yield Turn(request.id, _day(request), request.seat, thought, answer.text, claims, declared, number)


def _read(parent: Parent, text: str, by: Seat) -> tuple[Claim, ...]:
    """The claims that words make."""
    header = parent.recorded.header
    lang: Lang = "zh" if header.lang == "zh" else "en"
    return tuple(found.claim for found in extract(text, by, lang, len(header.seats), header.rules.game))


def _attach(parent: Parent, found: Sequence[Turn], began: int, ended: int) -> None:
    """Put each ballot of a vote beside the last words of its voter that day."""
    poll = Poll(parent.waves[began:ended])
    for seat in poll.voters:
        first = poll.first(seat)
        said = [turn for turn in found if (turn.seat, turn.day) == (seat, _day(first)) and turn.wave < ended]
        if said and not said[-1].voted:
            said[-1].voted, said[-1].vote = True, poll.cast(seat)
            if first.id != said[-1].request:
                thoughts = [parent.recorded.waves[number].replies for number in range(began, ended)]
                mine = (
                    reply.thought for replies in thoughts for name, reply in replies.items() if seat_of(name) == seat
                )
                said[-1].vote_thought = "\n".join(filter(None, mine))


def _day(request: Request) -> int:
    return int(request.id.partition(".")[0][1:])


def _beliefs(parent: Parent) -> Iterator[tuple[tuple[int, Seat], Beliefs]]:
    """What each seat believed before the vote of each day, where it was asked."""
    for line in parent.recorded.probes:
        told = probe_from_json(line)
        if told.beliefs and told.probe.point == "before_vote":
            yield (told.probe.day, told.probe.seat), told.beliefs


def _differences(turn: Turn, thought: tuple[Claim, ...], view: View, beliefs: Beliefs | None) -> Iterator[Difference]:
    claims = turn.claims
    meant = [claim.seat for claim in claims if claim.kind == "vote"]
    if meant and turn.voted and turn.vote is None:
        yield Difference("abstained", meant[-1])
    elif meant and turn.voted and turn.vote not in meant:
        yield Difference("voted_other", meant[-1], turn.vote)
    others = set(range(1, view.players + 1)) - {turn.seat}
    for seat in sorted(others & _guilty(thought) & _good(claims)):
        yield Difference("thought_guilty", seat)
    for seat in sorted(others & _good(thought) & _guilty(claims)):
        yield Difference("thought_good", seat)
    for claim in claims:
        if claim.kind == "role" and claim.seat == turn.seat and not _fits(claim.what, view.role):
            yield Difference("other_card", claim.what, view.role)
        elif claim.kind == "check":
            yield from _checked(claim, view)
    if beliefs and turn.vote is not None and turn.vote in beliefs.killer and view.side is Side.GOOD:
        likeliest = max(beliefs.killer, key=lambda seat: beliefs.killer[seat])
        if beliefs.killer[likeliest] - beliefs.killer[turn.vote] > MARGIN:
            yield Difference("believed_other", likeliest, turn.vote)


def _fits(what: str, role: Role | None) -> bool:
    """Whether a card that is claimed is the one that is held, or its side."""
    held = card_of(role or "")
    return what in (held, "none") or (what == "not_killer" and held != Role.KILLER)


def _checked(claim: Claim, view: View) -> Iterator[Difference]:
    """Whether a reported check was made, and came out so."""
    answers = [answer for night, seat, answer in view.checks if seat == claim.seat and claim.night in (0, night)]
    if not answers:
        yield Difference("no_check", claim.seat)
    elif claim.what != "none" and _sign(claim.what) not in map(_sign, answers):
        yield Difference("other_check", claim.seat, answers[-1])


def _sign(what: str) -> str:
    """An answer of the judge, or a claimed one, as what it says of being a killer."""
    if what in ("none", "no_sign", "no_check"):
        return "none"
    return "killer" if what in ("nod", Role.KILLER) else "good"


def _guilty(claims: tuple[Claim, ...]) -> set[Seat]:
    """Whom claims call a killer, taken back or not."""
    return {claim.seat for claim in claims if claim.kind == "accuse" or claim.what == "killer"}


def _good(claims: tuple[Claim, ...]) -> set[Seat]:
    """Whom claims call no killer."""
    return {claim.seat for claim in claims if claim.kind == "clear" or claim.what == "not_killer"}
