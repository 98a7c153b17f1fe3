"""What there is to see once a game is over: the truth, and how well everybody guessed it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio import BrokenWorkerProcess, fail_after, to_process

from tianhei.arena.referee import Differs
from tianhei.arena.roles import Seat, Side
from tianhei.arena.tables.state import Belief, State
from tianhei.arena.whatif.lookback import lookback
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import Recording
from tianhei.transcripts.header import Header

LONGEST = 120.0
"""Seconds for which a game's chances may be reckoned."""


def brier(marks: Mapping[Seat, float], killers: frozenset[Seat]) -> float:
    """The mean squared error of marks: 0 is all right, 1 all wrong; 0.25 says nothing."""
    return sum((mark - (seat in killers)) ** 2 for seat, mark in marks.items()) / len(marks)


def review(state: State, recorded: Recording) -> dict[str, Any]:
    """What the table kept beside the game: beliefs, forecasts with their scores, who was away, who guessed the bots."""
    killers = killers_of(recorded.header)
    bots = {seat for seat in range(1, state.players + 1) if seat not in state.chairs}
    forecasts = [
        {**forecast.model_dump(mode="json"), "brier": round(brier(forecast.marks, killers), 4)}
        for forecast in state.forecasts
    ]
    survey = [
        {"seat": seat, "bots": chair.survey, "right": sum(each in bots for each in chair.survey),
         "wrong": sum(each not in bots for each in chair.survey)}
        for seat, chair in sorted(state.chairs.items()) if chair.survey is not None
    ]  # fmt: skip
    beliefs = [{**belief.model_dump(mode="json"), "right": _right(belief, killers)} for belief in state.beliefs]
    return {
        "beliefs": beliefs,
        "forecasts": forecasts,
        "survey": survey,
        "takeovers": state.takeovers,
        "people": sorted(state.chairs),
        "bots": sorted(bots),
    }


async def chances_of(path: Path) -> tuple[dict[str, Any] | None, str]:
    """How the chances of a finished game stood, reckoned in another process; None, and why, where they cannot be had.

    Whoever does not wait for it any more stops that process.
    """
    try:
        with fail_after(LONGEST):
            return await to_process.run_sync(_looked, path, cancellable=True)
    except TimeoutError:
        return None, f"its chances took more than {LONGEST:g} seconds"
    except BrokenWorkerProcess as error:
        return None, f"its chances could not be reckoned: {error}"


def _looked(path: Path) -> tuple[dict[str, Any] | None, str]:
    """What goes back to the first process: a game's chances, or words, since not every error can."""
    try:
        return lookback(path), ""
    except (TranscriptError, Differs) as error:
        return None, f"its chances could not be reckoned: {error}"


def killers_of(header: Header) -> frozenset[Seat]:
    """The seats on the killers' side."""
    return frozenset(seat for seat, side in enumerate(header.sides, start=1) if side is Side.KILLERS)


def _right(belief: Belief, killers: frozenset[Seat]) -> bool | None:
    """Whether a belief was right; None where that cannot be said, and of killers, who know."""
    if belief.target is None or belief.seat in killers or belief.question not in ("suspect", "trust"):
        return None
    return (belief.target in killers) == (belief.question == "suspect")
