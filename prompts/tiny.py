"""How a model too small to write an answer is asked: by the likelihood of each seat's number after a beginning.

The record is told briefly. A choice is scored twice, after the record and after a record in which everybody passed;
the difference is what the record says, without the model's own liking for some numbers. A sentence is begun with a
fact of the game, and the model writes its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tianhei.arena.events import Ballots, Dawn, Event, LastWords, Speech, VotedOut
from tianhei.arena.player import Prompt
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack

RECORD_SLOT, EMPTY_SLOT, WRITING_SLOT = 0, 1, 2
"""Where an embedded server keeps each family of prompts evaluated."""
TOP = 60
"""How many of the likeliest tokens are asked for; the digits are among them."""
DIGIT = "%llguidance {}\nstart: /[0-9 ]/"
"""Holds the one token that is written to a whole character, so that likelihoods are told; it changes none."""
MOST_WORDS = 14
MAX_TOKENS = 36


def brief_record(pack: Pack, view: View, *, empty: bool = False) -> str:
    """The public record in short sentences; it only grows at its end.

    ``empty``: the same story, but everybody passed and nobody voted. Its speakers stand in the same order, so that
    what differs is what was said.
    """
    lines = _lines(pack, (event for _, event in view.record.events), empty)
    return "\n".join([pack.say("record.begin"), *lines])


def _lines(pack: Pack, events: Iterable[Event], empty: bool) -> Iterator[str]:
    words = pack.words
    for event in events:
        match event.body:
            case Dawn(dead=dead) if dead:
                yield pack.say("record.died", day=event.day, seats=words.seats(dead))
            case Dawn():
                yield pack.say("record.peace", day=event.day)
            case Speech(by=by, text=text) | LastWords(by=by, text=text):
                key = "record.said" if text and not empty else "record.pass"
                yield pack.say(key, seat=words.seat(by), text=" ".join(text.split()))
            case Ballots() as ballots if not empty:
                yield from _voted(pack, ballots)
            case VotedOut(seat=seat, revealed=what):
                key = "record.out_as" if what else "record.out"
                yield pack.say(key, seat=words.seat(seat), what=words.say(f"is.{what}") if what else "")
            case _:
                pass


def _voted(pack: Pack, held: Ballots) -> Iterator[str]:
    words = pack.words
    for_whom: dict[Seat, list[Seat]] = {}
    for voter, target in (held.ballots or {}).items():
        if target is not None:
            for_whom.setdefault(target, []).append(voter)
    for seat, voters in for_whom.items():
        yield pack.say("record.voted", seat=words.seat(seat), voters=words.seats(voters))
    for seat, count in (held.totals or {}).items():
        yield pack.say("record.total", seat=words.seat(seat), count=count)


def known(pack: Pack, view: View, kind: str) -> str:
    """What is told before a choice: killers that an officer has found, and the vote that one has announced today.

    Whoever is known to be good is not named there, since a small model repeats the number that it reads.
    """
    words, living = pack.words, view.record.living
    found = [pack.say("score.known_killer", seat=words.seat(seat)) for seat in caught(view) if seat in living]
    announced = [
        claim.seat
        for day, said in view.record.speeches
        if said.by == view.seat and day == view.record.day
        for claim in said.claims or ()
        if claim.kind == "vote" and claim.seat in living
    ]
    if kind == "vote" and announced:
        found.append(pack.say("score.announced", seat=words.seat(announced[-1])))
    return "".join(found)


def caught(view: View) -> Sequence[Seat]:
    """Whom one's checks have shown to be killers."""
    return [seat for _, seat, answer in view.checks if answer in ("nod", Role.KILLER)]


def cleared(view: View) -> Sequence[Seat]:
    """Whom one's checks have shown to be none."""
    return [seat for _, seat, answer in view.checks if answer != "none" and seat not in caught(view)]


def scoring(pack: Pack, view: View, kind: str, digits: str = "", *, empty: bool = False) -> Prompt:
    """Ask for the likelihood of the number that follows; ``digits`` are those already there."""
    return Prompt(
        system=pack.say("record.system"),
        public=brief_record(pack, view, empty=empty),
        private="\n" + pack.say("score.ask"),
        prefill=pack.say(f"score.{kind}", known="" if empty else known(pack, view, kind)) + digits,
        max_tokens=1,
        temperature=0.0,
        extra={
            "logprobs": True,
            "top_logprobs": TOP,
            "id_slot": EMPTY_SLOT if empty else RECORD_SLOT,
            "grammar": DIGIT,
        },
    )


def writing(pack: Pack, beginning: str, seed: int) -> Prompt:
    """Ask for the end of a sentence that begins so, after lines of the same make."""
    facts, lines = pack.all("write.facts"), pack.all("write.lines")
    shown = [f"{pack.say('write.fact', fact=fact)}\n{line}" for fact, line in zip(facts, lines, strict=True)]
    fact = pack.say("write.fact", fact=beginning.split(",")[0])
    return Prompt(
        system=pack.say("write.system"),
        public="\n".join([*shown, fact]),
        private="",
        prefill=beginning,
        max_tokens=MAX_TOKENS,
        temperature=0.4,
        extra={
            "repeat_penalty": 1.1,
            "top_p": 0.9,
            "min_p": 0.05,
            "seed": seed,
            "id_slot": WRITING_SLOT,
            "grammar": "%llguidance {}\nstart: /" + TAIL + "/",
        },
    )


TAIL = r"( [a-zI][a-z']*,?){1," + str(MOST_WORDS) + r"} [a-zI][a-z']*\."
"""What a model may end a sentence with: a few plain words and a full stop; no number, so that it names nobody."""


def facts(pack: Pack, view: View, about: Seat) -> Sequence[tuple[str, str]]:
    """True things to say about a seat, as (key, sentence without its end), the weightiest first.

    Where nothing has been seen of it: ``unheard`` (others have spoken today, and it has not), else ``nothing``.
    """
    words = pack.words
    seat = words.seat(about)
    found: list[tuple[str, str]] = [
        ("check_killer", pack.say("fact.check_killer", seat=seat, day=night))
        for night, target, _ in view.checks
        if target == about and target in caught(view)
    ]
    for _, said in view.record.speeches:
        for claim in (said.claims or ()) if said.by == about else ():
            if claim.kind == "role" and claim.what == "police" and claim.seat == about:
                found.append(("police", pack.say("fact.police", seat=seat)))
            elif claim.kind == "accuse" and claim.seat == view.seat:
                found.append(("accused_me", pack.say("fact.accused_me", seat=seat)))
            elif claim.kind == "accuse" and claim.seat != about:
                found.append(("accused", pack.say("fact.accused", seat=seat, other=words.seat(claim.seat))))
    for vote in view.record.votes:
        if target := vote.ballots.get(about):
            found.append(("voted", pack.say("fact.voted", seat=seat, other=words.seat(target), day=vote.day)))
    if not found and any(said.by == about and not said.text for _, said in view.record.speeches):
        found.append(("quiet", pack.say("fact.quiet", seat=seat)))
    heard = {said.by for day, said in view.record.speeches if day == view.record.day}
    bare = "unheard" if heard and about not in heard else "nothing"
    return found or [(bare, pack.say(f"fact.{bare}", seat=seat))]
