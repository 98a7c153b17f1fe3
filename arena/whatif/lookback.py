"""A game's chances for the page that shows it once it is over: few moments, few games, little time."""

from __future__ import annotations

import re
from itertools import accumulate
from pathlib import Path
from typing import Any

from tianhei.arena.whatif.review import Moment, chances
from tianhei.arena.whatif.rollouts import Rollouts
from tianhei.transcripts.fork import Parent

FEWEST, MOST = 30, 100
"""Games that are gone on with from each moment, at least and at most."""
ALL = 2500
"""What a game's waves may come to, times the games: about two seconds."""
_NAME = re.compile(r"([nd])(\d+)\.(\w*?)(\d+)")


def lookback(path: Path) -> dict[str, Any] | None:
    """How the chances stood over time, and what an onlooker could reckon; None for a game that is not over.

    Each moment has the number ``n`` of the last frame before it. ``turning`` is the place of the moment from which the
    game turned. TranscriptError or Differs where the game is not sound.
    """
    parent = Parent(path)
    if parent.referee.outcome is None:
        return None
    games = min(MOST, max(FEWEST, ALL // len(parent.waves)))
    found = chances(parent, Rollouts(parent, games), _Once())
    frames = list(accumulate(len(wave.events) for wave in parent.waves))
    return {
        "games": games,
        "turning": found.moments.index(found.turning) if found.turning else None,
        "moments": [{"n": frames[moment.waves - 1] - 1, **_told(moment)} for moment in found.moments],
    }


class _Once:
    """Which moments are told: of a night its beginning, of a day each stage once, but for last words."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, name: str) -> bool:
        found = _NAME.fullmatch(name)
        stage = name.partition(".")[0] if found and found[1] == "n" else name
        if stage in self._seen or (found and found[3] == "last_words"):
            return False
        self._seen.add(stage)
        return True


def _told(moment: Moment) -> dict[str, Any]:
    """A moment by its stage and numbers: which night, which day, which vote of it."""
    found = _NAME.fullmatch(moment.name)
    told = moment.to_json()
    data = {"share": told["value"]["share"], "error": told["value"]["error"], "public": told["public"]}
    if found is None:
        return {"stage": moment.name, **data}
    stage = "night" if found[1] == "n" else found[3]
    return {"stage": stage, "day": int(found[2]), "number": int(found[4]), **data}
