"""Grounding: what speakers say of the public record, and whether it is so.

A vote, a death in the night, an exile and an earlier claim can be looked up by everybody at the table; so a false
statement about them is no lie in the game's sense but a slip, or invention. Statements are read from the words alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tianhei.arena.roles import Seat
from tianhei.arena.view import Record
from tianhei.transcripts.claims.ledger import Said, readings
from tianhei.transcripts.claims.truth import OWNERS
from tianhei.transcripts.claims.words.reading import Stated
from tianhei.transcripts.game import Recording


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement about the public record: the words from ``start`` to ``end`` of the speech in that event.

    ``true`` is None where the record does not tell, as with ballots that were never shown.
    """

    event: int
    day: int
    seat: Seat
    stated: Stated
    start: int
    end: int
    true: bool | None


def statements(recording: Recording) -> tuple[Statement, ...]:
    """All statements about the public record that the extractor finds, in order."""
    heard = Heard()
    return tuple(statement for said in readings(recording) for statement in heard.of(said))


def grounding(recording: Recording) -> float | None:
    """The share of checkable statements about the public record that are true; None where there is none."""
    checked = [statement.true for statement in statements(recording) if statement.true is not None]
    return sum(checked) / len(checked) if checked else None


@dataclass
class Heard:
    """What has been claimed so far, and who has named whom; of a claim that is retold, it is all that can be asked."""

    claimed: set[tuple[Seat, Seat]] = field(default_factory=set)
    named: set[tuple[Seat, Seat]] = field(default_factory=set)

    def of(self, said: Said) -> Iterator[Statement]:
        """The statements of one speech; speeches are given in order."""
        for stated, start, end in said.reading.record:
            true = self._tells(stated) if stated.what == "claimed" else _recorded(stated, said.view.record)
            yield Statement(said.place, said.event.day, said.seat, stated, start, end, true)
        self._add(said)

    def _add(self, said: Said) -> None:
        claims = [*said.claims, *(item.claim for item in said.reading.claims)]
        deeds = [claim for claim in claims if claim.kind in OWNERS]
        roles = [claim for claim in claims if claim.kind == "role"]
        self.claimed.update((said.seat, claim.seat) for claim in (*deeds, *roles))
        self.claimed.update((said.seat, said.seat) for _ in deeds)
        if said.text or claims:
            self.named.update((said.seat, seat) for seat in (said.seat, *said.reading.seats))

    def _tells(self, stated: Stated) -> bool | None:
        """Whether a claim was made; None where its seat was named in words of which none was read."""
        pair = (stated.by, stated.seat)
        return True if pair in self.claimed else None if pair in self.named else False


def _recorded(stated: Stated, record: Record) -> bool | None:
    """Whether votes and deaths were as stated."""
    if stated.what == "voted":
        if not record.votes:
            return None if record.rules.vote_form.endswith("secret") else False
        return any(vote.ballots.get(stated.by) == stated.seat for vote in record.votes)
    return record.dead.get(stated.seat, (0, ""))[1] == ("night" if stated.what == "died" else "vote")
