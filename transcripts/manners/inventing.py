"""What a speech brings in that the table does not have: cards of other games, looks, and facts that nobody can know."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tianhei.arena.claims import own_role_claims
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import GAMES
from tianhei.transcripts.manners.lexicon import Lexicon
from tianhei.transcripts.manners.measure import Count, Measure
from tianhei.transcripts.manners.sitting import Sitting, Spoken
from tianhei.transcripts.manners.text import Sentence, marked


def speaks_of_foreign_roles(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Speeches with a card that this table does not have; saying that there is none does not count.

    Not told of an imported game, whose cards are other than those the words are known of.
    """
    if game.rules not in GAMES:
        return
    for said in game.worded:
        words = said.words
        foreign = words.foreign(game.counts)
        texts = (words["foreign.innocent"].sub(" ", clause) for each in said.sentences for clause in each.clauses)
        hit = any(foreign.search(text) and not words["foreign.denied"].search(text) for text in texts)
        yield Count(said.seat, hit)


def invents_looks(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Speeches that say of somebody what could only be seen or heard."""
    for said in game.worded:
        signs = game.rules == "butterfly" and Role.POLICE in game.counts
        yield Count(said.seat, any(_is_looked_at(sentence, said, signs) for sentence in said.sentences))


def _is_looked_at(sentence: Sentence, said: Spoken, signs: bool) -> bool:
    """Whether a sentence tells of looks; with ``signs`` a nod is how the judge answers the police, and is none."""
    words = said.words
    if sentence.asked and not words["looks.presumed"].search(sentence.text):
        return False
    if words["unsure.conditions"].search(sentence.text):
        return False
    for clause in sentence.clauses:
        text = words["looks.innocent"].sub(" ", clause)
        if signs:
            text = words["looks.signs"].sub(" ", text)
        if words["looks.words"].search(text) and not words["looks.denied"].search(clause):
            is_of_somebody = words["looks.somebody"].search(text) or set(sentence.seats) - {said.seat}
            if is_of_somebody:
                return True
    return False


def knows_too_much(game: Sitting, other: Sitting | None) -> Iterator[Count]:
    """Speeches that state as a fact what nobody can know in public: a card, a night's deed, who belongs together.

    A card that somebody has claimed, checked aloud or been shown to have may be spoken of.
    """
    public: set[Seat] = set()
    for said in game.speeches:
        public.update(said.told, _told_of(said))
        if said.text.strip():
            yield Count(said.seat, any(_is_certain(sentence, said, public) for sentence in said.sentences))


def _told_of(said: Spoken) -> Iterator[Seat]:
    """The seats of whose cards a speech tells by its own claims or checks."""
    yield from (claim.seat for claim in said.claims or () if claim.kind in ("check", "role"))
    yield from (claim.seat for claim in own_role_claims(said.text, said.seat))
    for sentence in said.sentences:
        if "⟨" in sentence.text and said.words["certain.checks"].search(sentence.text):
            yield from sentence.seats


def _is_certain(sentence: Sentence, said: Spoken, public: Collection[Seat]) -> bool:
    words = said.words
    if sentence.asked or any(words[f"unsure.{name}"].search(sentence.text) for name in _NOT_SURE):
        return False
    known = {said.seat, *public}
    return any(
        words["certain.acts"].search(clause)
        or (_cards(clause, words) - known and not words["unsure.denials"].search(clause))
        for clause in sentence.clauses
    )


def _cards(clause: str, words: Lexicon) -> set[Seat]:
    """The seats whose cards a clause tells."""
    return {seat for found in words["certain.cards"].finditer(clause) for seat in marked(found[0])}


_NOT_SURE = ("conditions", "hedges", "reports")

MEASURES = (
    Measure("foreign_roles", "speeches", "nobody has to", speaks_of_foreign_roles),
    Measure("invented_looks", "speeches", "nobody has to", invents_looks),
    Measure("knows_too_much", "speeches", "nobody has to", knows_too_much),
)
