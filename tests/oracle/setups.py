"""The written set-ups (rules 7) and what a custom table must satisfy (R-SETUP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .options import Options, game_of
from .victory import decide

Counts = dict[str, int]
SINGLE = ("butterfly", "sniper", "doctor", "elder")
ROLES = {"classic": {"killer", "police", "civilian"}, "butterfly": {"killer", "police", "civilian", *SINGLE}}


def _butterfly(killers: int, civilians: int, police: int = 1) -> Counts:
    return dict.fromkeys(SINGLE, 1) | {"police": police, "killer": killers, "civilian": civilians}


def butterfly_setups(players: int) -> dict[str, Counts]:
    """The written set-ups by name; nothing written gives an empty dict."""
    if players in (11, 12):
        return {"base": _butterfly(3, players - 8)}
    if players == 13:
        return {"dealt_3_5": _butterfly(3, 5), "recommended_4_4": _butterfly(4, 4)}
    if players == 18:
        return {"recommended_18": _butterfly(5, 7, police=2)}
    if players > 13 and players % 2:
        killers = (players - 7) // 2
        return {"growth": _butterfly(killers, killers + 2)}
    return {}


def classic_setup(players: int) -> Counts | None:
    """S1-26..29: (first, last, police, killers) of each band."""
    for first, last, police, killers in ((6, 7, 0, 2), (8, 10, 2, 2), (11, 14, 3, 3), (15, 17, 4, 4)):
        if first <= players <= last:
            return {"police": police, "killer": killers, "civilian": players - police - killers}
    return None


def setup(options: Options, players: int) -> Counts | None:
    """The set-up dealt for so many players, or None where none is written (custom only)."""
    if game_of(options) == "classic":
        return classic_setup(players)
    written = butterfly_setups(players)
    if players == 13:
        return written[str(options["setup13"])]
    if written:
        return next(iter(written.values()))
    if options["even_counts"] == "second_police" and players >= 14:
        smaller = setup(options, players - 1)
        return smaller and smaller | {"police": smaller["police"] + 1}
    return None


def refused(options: Options, roles: Sequence[str]) -> str | None:
    """Why a custom table may not be dealt, or None."""
    dealt = Counter(roles)
    if unknown := set(roles) - ROLES[game_of(options)]:
        return f"no such role in this game: {sorted(unknown)}"
    if not dealt["killer"] or dealt["killer"] == len(roles):
        return "at least one killer and one other"
    if twice := [role for role in SINGLE if dealt[role] > 1]:
        return f"at most one each of {twice}"
    if verdict := decide(options, dealt, dealt):
        return f"already decided when dealt: {verdict[0]} ({verdict[1]})"
    return None
