"""Accusations, by claims and by words, and those that no player should make: of oneself, of the dead, of nobody there.

What is read from words is read narrowly: questions, conditions, quotations, denials and reports accuse nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from tianhei.arena.roles import Seat
from tianhei.transcripts.manners.lexicon import Lexicon
from tianhei.transcripts.manners.measure import Count, Measure
from tianhei.transcripts.manners.sitting import Sitting, Spoken
from tianhei.transcripts.manners.text import marked

Way: TypeAlias = Literal["is", "act", "vote"]
"""That it is a killer; that something is to be done with it; that it is to be voted out."""


class Accusation(NamedTuple):
    """One seat accused in a speech, and in which way."""

    seat: Seat
    way: Way


def accusations(said: Spoken) -> frozenset[Accusation]:
    """Whom a speech accuses, each seat once in each way."""
    return frozenset((*_claimed(said), *_worded(said)))


def _claimed(said: Spoken) -> Iterator[Accusation]:
    for claim in said.claims or ():
        match claim.kind:
            case "accuse" if claim.what in ("killer", "none"):
                yield Accusation(claim.seat, "act")
            case "check" if claim.what == "killer":
                yield Accusation(claim.seat, "is")
            case "role" if claim.what == "killer" and claim.seat != said.seat:
                yield Accusation(claim.seat, "is")
            case "vote":
                yield Accusation(claim.seat, "vote")
            case _:
                pass


def _worded(said: Spoken) -> Iterator[Accusation]:
    words = said.words
    for sentence in said.sentences:
        if "⟨" not in sentence.text or sentence.asked or words["unsure.conditions"].search(sentence.text):
            continue
        reports = _reports(sentence.text, words)
        for clause in sentence.clauses:
            if not reports:
                yield from _said_to_be(clause, words)
            yield from _called_for(clause, words, reports=reports)


def _reports(text: str, words: Lexicon) -> bool:
    """Whether it gives the words of somebody but its speaker."""
    return words["unsure.reports"].search(words["unsure.own"].sub(" ", text)) is not None


def _said_to_be(clause: str, words: Lexicon) -> Iterator[Accusation]:
    for found in words["accuse.being"].finditer(clause):
        before = clause[: found.start()]
        attributed = words["unsure.others"].search(words["unsure.own"].sub(" ", before))
        if not (attributed or marked(before) or words["unsure.denials"].search(before)):
            yield from (Accusation(seat, "is") for seat in marked(found[0]))


def _called_for(clause: str, words: Lexicon, *, reports: bool) -> Iterator[Accusation]:
    """What a clause calls for; where its sentence ``reports`` somebody, only what it says of its speaker himself."""
    for name, way in _CALLS:
        for found in words[name].finditer(clause):
            before = clause[: found.start()]
            if reports and (_reports(before, words) or not words["accuse.speaker"].search(clause[: found.end()])):
                continue
            if _is_own_call(before.rstrip(), clause[found.end() :], words):
                yield from (Accusation(seat, way) for seat in marked(found[0]))


_CALLS: tuple[tuple[str, Way], ...] = (("accuse.acting", "act"), ("accuse.voting", "vote"))


def _is_own_call(before: str, after: str, words: Lexicon) -> bool:
    """Whether words between these two call for something now, in the speaker's own name."""
    if marked(before) or words["accuse.not_after"].match(after):
        return False
    if any(words[f"unsure.{name}"].search(before) for name in ("denials", "others", "past")):
        return False
    if any(found.end() == len(before) for found in words["accuse.not_beginning"].finditer(before)):
        return False
    return words["accuse.beginning"].fullmatch(before) is not None


def aim(said: Spoken) -> Seat | None:
    """For whom a speaker says that it will vote: by claims (a vote before an accusation), else by words."""
    for kind in ("vote", "accuse"):
        named = [claim.seat for claim in said.claims or () if claim.kind == kind and claim.seat != said.seat]
        if named:
            return named[-1]
    named = [seat for seat, way in _worded(said) if way == "vote" and seat != said.seat]
    return named[-1] if named else None


def accuses_itself(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Accusations of one's own seat; by chance: whoever accuses any of the living alike, ``1 / living``."""
    for said in game.speeches:
        chance = 1 / len({*said.living, said.seat})
        for seat in {seat for seat, _ in accusations(said)}:
            yield Count(said.seat, seat == said.seat, chance)


def accuses_the_dead(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Calls against the dead; by chance: whoever accuses any other seat alike, ``dead others / others``.

    Saying that a dead seat was a killer is no such call, nor is any word about a card that the judge has shown.
    """
    for said in game.speeches:
        named = {seat for seat, way in accusations(said) if way != "is" and 1 <= seat <= game.players}
        dead = game.players - len({*said.living, said.seat})
        for seat in named - {said.seat}:
            yield Count(said.seat, seat not in said.living and seat not in said.told, dead / (game.players - 1))


def names_absent_seats(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Speeches that speak of a seat that the table does not have."""
    for said in game.worded:
        clauses = (clause for sentence in said.sentences for clause in sentence.clauses)
        named = {
            seat for clause in clauses if not said.words["unsure.denials"].search(clause) for seat in marked(clause)
        }
        yield Count(said.seat, any(seat > game.players for seat in named))


MEASURES = (
    Measure("accuses_itself", "accusations", "uniform over the living", accuses_itself),
    Measure("accuses_the_dead", "accusations", "uniform over all other seats", accuses_the_dead),
    Measure("names_absent_seats", "speeches", "nobody has to", names_absent_seats),
)
