"""Words as rows: speeches, last words, statements in councils, claims, and statements about the public record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tianhei.arena.events import Called, LastWords, Speech, Stated
from tianhei.transcripts.columns.story import Story


def speeches(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of speeches."""
    spoken = 0
    for place, wave, (day, phase, _, body) in story.told:
        stage: str | None = None
        match body:
            case Called(stage=str(called)) if called != "hands":
                spoken = 0
                continue
            case Speech(by=by, text=text):
                stage = body.stage
                spoken += 1
                kind, order = "speech", spoken
            case LastWords(by=by, text=text, number=number):
                kind, order = "last_words", number
            case Stated(by=by, text=text, round=number):
                kind, order = "stated", number
            case _:
                continue
        source = story.sources.get((wave, by))
        yield story.game, place, day, phase, stage, by, order, text, not text.strip(), kind, source


def statements(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of statements."""
    for said in story.statements:
        what, by, about = said.stated
        yield (
            story.game,
            said.event,
            said.day,
            said.seat,
            what,
            by or None,
            about or None,
            said.true,
            said.start,
            said.end,
        )


def claims(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of claims."""
    for entry in story.claims:
        claim = entry.claim
        yield (
            story.game, entry.event, entry.day, entry.phase, entry.seat, entry.source, claim.kind, claim.seat,
            claim.what, claim.night or None, entry.start, entry.end, entry.truth, entry.lie_type, entry.checkable,
        )  # fmt: skip
