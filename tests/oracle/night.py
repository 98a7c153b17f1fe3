"""One night of the butterfly game as clauses over sets (rules 3.1), with every night option.

Each function states one fact about a night from its inputs alone; none depends on an
order of evaluation, and `dawn` only collects them. The classic night is the same with
nobody to carry, shoot, needle or silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .options import Options, game_of

ACTORS = {
    "carry": "butterfly",
    "shoot": "sniper",
    "kill": "killer",
    "needle": "doctor",
    "check": "police",
    "silence": "elder",
}


@dataclass(frozen=True)
class Night:
    """What is known when the night ends; team actions are those already agreed."""

    options: Options
    roles: Mapping[int, str]
    alive: frozenset[int]
    actions: Mapping[str, int | None]
    needles: Mapping[int, int] = field(default_factory=dict)
    previous_carry: int | None = None

    def aim(self, action: str) -> int | None:
        return self.actions.get(action)

    @property
    def carried(self) -> int | None:
        return self.actions.get("carry")

    @property
    def carried_role(self) -> str | None:
        return None if self.carried is None else self.roles[self.carried]

    @property
    def butterfly(self) -> int | None:
        return next((s for s in self.alive if self.roles[s] == "butterfly"), None)


@dataclass(frozen=True)
class Dawn:
    """The reckoning: deaths with causes, and everything else that the night left behind."""

    deaths: dict[int, tuple[str, ...]]
    saved: frozenset[int]
    empty: frozenset[int]
    totals: dict[int, int]
    silenced: frozenset[int]
    police: str


def holders(night: Night, role: str) -> frozenset[int]:
    return frozenset(s for s in night.alive if night.roles[s] == role)


def team_acts(night: Night, role: str, option: str, lenient: str) -> bool:
    """N11, N13: a carried member stops the team, or with the lenient option only himself."""
    if night.carried_role != role:
        return True
    others = holders(night, role) - {night.carried}
    return bool(others) and str(night.options.get(option)) == lenient


def kill_stands(night: Night) -> bool:
    return team_acts(night, "killer", "carried_killer", "others_still_kill")


def blows(night: Night, seat: int) -> frozenset[str]:
    """The effective hits on a seat: N2 shields the carried, N9 and N13 take powers away."""
    if seat == night.carried:
        return frozenset()
    killed = night.aim("kill") == seat and kill_stands(night)
    shot = night.aim("shoot") == seat and night.carried_role != "sniper"
    return frozenset({"kill"} if killed else ()) | frozenset({"shot"} if shot else ())


def needle_effect(night: Night) -> str:
    """'heals' (and is empty where there is nothing to heal), 'pricks' only, or 'void'."""
    if night.aim("needle") is None:
        return "void"
    doctor_carried = night.carried_role == "doctor"
    on_carried = night.aim("needle") == night.carried
    if doctor_carried and night.options.get("carried_doctor") != "pricks":
        return "void"
    if on_carried and night.options.get("needle_on_carried") != "counts":
        return "void"
    return "pricks" if doctor_carried or on_carried else "heals"


def heals(night: Night, seat: int) -> bool:
    """N4 and N6 with their options: is this seat's hit undone by the needle?"""
    hits = blows(night, seat)
    if not hits or night.aim("needle") != seat or needle_effect(night) != "heals":
        return False
    is_butterfly = seat == night.butterfly
    if is_butterfly and night.options.get("butterfly_unsaveable"):
        return False
    rule = night.options.get("double_hit_needled", "dies")
    if len(hits) == 2:
        spared = is_butterfly and night.options.get("double_hit_butterfly") == "saved"
        return spared or rule == "saved"
    return not (hits == frozenset({"shot"}) and rule == "shot_always_kills")


def spent_on_void_attack(night: Night, seat: int) -> bool:
    """A0-29 b: the needle counts as used although the attack was void.

    The counts of 3.4 decide how far this goes: such an attack is never a second hit
    (4784 inputs, not 5152), and a spent needle on the butterfly gives the carried
    nothing (2444 changed deaths, not 2392).
    """
    attacked = seat in (night.aim("kill"), night.aim("shoot"))
    uses = night.options.get("voided_attack") == "still_uses_needle"
    return uses and attacked and not blows(night, seat)


def pricked(night: Night) -> frozenset[int]:
    """N5: whose needle tonight is empty. A needle that only pricks marks a hit person too
    (3.4: carried_doctor = pricks changes all 18032 inputs, hit or not)."""
    seat = night.aim("needle")
    effect = needle_effect(night)
    if seat is None or effect == "void" or spent_on_void_attack(night, seat):
        return frozenset()
    return frozenset() if effect == "heals" and blows(night, seat) else frozenset({seat})


def slain(night: Night) -> dict[int, frozenset[str]]:
    """N3, N6: who dies of a hit aimed at himself."""
    struck = {night.aim("kill"), night.aim("shoot")} - {None}
    hits = {s: blows(night, s) for s in struck if s is not None}
    return {s: h for s, h in hits.items() if h and not heals(night, s)}


def shares_with_carried(night: Night) -> str:
    """N16-N19: what the carried one gets through the butterfly: dies, saved, empty, nothing."""
    seat = night.butterfly
    if night.carried is None or seat is None:
        return "nothing"
    if seat in slain(night):
        return "dies"
    if heals(night, seat):
        rule = str(night.options.get("saved_butterfly_carried", "empty"))
        return "saved" if rule == "shares_save" else rule
    return "empty" if seat in pricked(night) else "nothing"


def silenced(night: Night) -> frozenset[int]:
    """N12, N20; a silencing of the carried one is void (A0-53)."""
    seat = night.aim("silence")
    if seat is None or seat == night.carried or night.carried_role == "elder":
        return frozenset()
    copied = seat == night.butterfly and night.options.get("silence_copied")
    return frozenset({seat} | ({night.carried} if copied and night.carried else set()))


def police_sees(night: Night) -> str:
    """S0-27, S0-28, N11: nod, shake, none (no gesture) or no_check; a role if so set."""
    seat = night.aim("check")
    if seat is None:
        return "no_check"
    if seat == night.carried or not team_acts(night, "police", "carried_police", "blocks_self"):
        return "none"
    if night.options.get("check_answer") == "role":
        return night.roles[seat]
    return "nod" if night.roles[seat] == "killer" else "shake"


def dawn(night: Night) -> Dawn:
    """The whole reckoning of the night."""
    carried = night.carried
    shared = shares_with_carried(night)
    also = frozenset() if carried is None else frozenset({carried})
    by_hit = slain(night)
    empty = pricked(night) | (also if shared == "empty" else frozenset())
    aimed = night.aim("needle")
    direct = frozenset({aimed}) if aimed is not None and heals(night, aimed) else frozenset()
    saved = direct | (also if shared == "saved" else frozenset())
    resets = bool(night.options.get("save_resets_needles"))
    kept = {s: c for s, c in night.needles.items() if c and not (resets and s in saved)}
    totals = kept | {s: night.needles.get(s, 0) + 1 for s in empty}
    deaths = {s: tuple(sorted(causes)) for s, causes in by_hit.items()}
    if carried is not None and shared == "dies":
        hits = sorted(by_hit[night.butterfly or 0])
        deaths[carried] = tuple(f"with_butterfly:{h}" for h in hits)
    deaths |= {s: ("needles",) for s in empty if totals[s] >= 2 and s not in deaths}
    drags = night.options.get("butterfly_needle_death_drags")
    fell = deaths.get(night.butterfly or 0) == ("needles",)
    if drags and fell and carried is not None and carried not in deaths:
        deaths[carried] = ("with_butterfly:needles",)
    return Dawn(
        dict(sorted(deaths.items())), saved, empty, dict(sorted(totals.items())), silenced(night), police_sees(night)
    )


def legal_targets(
    options: Options, roles: Mapping[int, str], alive: frozenset[int], action: str, previous_carry: int | None = None
) -> frozenset[int]:
    """A0-12..A0-16: the living whom an action may name."""
    if action == "kill" and options["kill_teammate"] == "forbidden":
        return frozenset(s for s in alive if roles[s] != "killer")
    if action != "carry":
        return alive
    herself = frozenset(s for s in alive if roles[s] == "butterfly")
    barred = options.get("repeat_target") == "forbidden_for_carry" and previous_carry
    return alive - herself - frozenset({previous_carry} if barred else set())


def illegal(night: Night) -> str | None:
    """Why these inputs cannot be, or None."""
    for action, role in ACTORS.items():
        target = night.aim(action)
        if target is None:
            single = role not in ("killer", "police")  # a team may come to no decision
            if single and night.options["night_pass"] == "forbidden" and holders(night, role):
                return f"{action}: must choose somebody"
            continue
        if not holders(night, role):
            return f"{action}: no living {role}"
        allowed = legal_targets(night.options, night.roles, night.alive, action, night.previous_carry)
        if target not in allowed:
            return f"{action}: {target} may not be chosen"
    if game_of(night.options) == "classic" and set(night.actions) - {"kill", "check"}:
        return "no such action in the classic game"
    return None
