"""Who has won, from counts by role (rules 6)."""

from __future__ import annotations

from collections.abc import Mapping

from .options import Options, game_of

Verdict = tuple[str, str]
SPECIALS = ("butterfly", "sniper", "doctor", "police", "elder")


def decide(options: Options, alive: Mapping[str, int], dealt: Mapping[str, int]) -> Verdict | None:
    """(winner, ruling) or None while the game goes on."""
    butterfly = game_of(options) == "butterfly"
    return _butterfly(options, alive) if butterfly else _classic(options, alive, dealt)


def _butterfly(options: Options, alive: Mapping[str, int]) -> Verdict | None:
    killers = alive.get("killer", 0)
    turned = options["elder_side"] == "killers"
    special_roles = [r for r in SPECIALS if not (turned and r == "elder")]
    specials = sum(alive.get(role, 0) for role in special_roles)
    camp = killers + (alive.get("elder", 0) if turned else 0)
    rows = (
        (killers == 0 and specials == 0, ("draw", "S0-70")),
        (killers == 0, ("good", "S0-69")),
        (specials == 0, ("killers", "S0-67")),
        (camp >= specials + alive.get("civilian", 0), ("killers", "S0-68")),
    )
    return next((verdict for holds, verdict in rows if holds), None)


def _classic(options: Options, alive: Mapping[str, int], dealt: Mapping[str, int]) -> Verdict | None:
    killers, police, civilians = (alive.get(r, 0) for r in ("killer", "police", "civilian"))
    any_identity = options["victory"] == "any_identity"
    rows = (
        (killers == 0, ("good", "S1-75")),
        (police == 0 and civilians == 0, ("killers", "S1-76")),
        (any_identity and civilians == 0, ("killers", "S1-73")),
        (any_identity and police == 0 and dealt.get("police", 0) > 0, ("killers", "S1-73")),
        (bool(options["parity"]) and killers >= police + civilians, ("killers", "A1-38")),
    )
    return next((verdict for holds, verdict in rows if holds), None)
