"""Seats that somebody else took over: what they did is not their player's own, and statistics leave them out."""

from __future__ import annotations

from collections.abc import Collection

from tianhei.arena.roles import Seat
from tianhei.transcripts.game import Recording, seat_of

OWN = frozenset(("model", "human", "bot"))
"""Sources of answers that are their seat's own; one seat has one of them."""
FOR_ANOTHER = "bot:"
"""How the sources begin of answers that a script gave for somebody else: a person who was away, a bot without one."""


def is_taken_over(sources: Collection[str], *, has_model: bool) -> bool:
    """Whether a seat was taken over, from the sources of all its answers.

    A source says so itself (``bot:takeover``, ``bot:stand-in``), or a person, a model and a script sat there in turn,
    or somebody else answered for a model, or a model for somebody else. A fallback takes no seat over.
    """
    kinds = OWN.intersection(sources)
    strangers = kinds - {"model"} if has_model else kinds & {"model"}
    return len(kinds) > 1 or bool(strangers) or any(source.startswith(FOR_ANOTHER) for source in sources)


def seats_taken_over(recorded: Recording) -> frozenset[Seat]:
    """The seats of a game that somebody else took over."""
    sources: dict[Seat, set[str]] = {}
    for wave in recorded.waves:
        for request, reply in wave.replies.items():
            sources.setdefault(seat_of(request), set()).add(reply.source)
    seats = recorded.header.seats
    return frozenset(
        seat for seat, found in sources.items() if is_taken_over(found, has_model=bool(seats[seat - 1].model))
    )
