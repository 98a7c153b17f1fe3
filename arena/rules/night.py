"""The butterfly game's night: from who did what to who dies (rules page §3, clauses N1 to N20).

Every action is chosen before any takes effect; the whole night is reckoned at dawn (S0-33). The steps depend on one
another in one direction only: who is carried, what that voids, who is hit, what the carried one shares, the needles.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tianhei.arena.events import Sign
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Butterfly

FATAL_NEEDLES = 2
"""Empty needles that kill (N7)."""


@dataclass(slots=True)
class Reckoning:
    """The result of a night: deaths with causes, saved, new empty needles, totals, silenced, the sign, and why."""

    needles: dict[Seat, int]
    deaths: dict[Seat, list[str]] = field(default_factory=dict)
    saved: set[Seat] = field(default_factory=set)
    empty: set[Seat] = field(default_factory=set)
    silenced: set[Seat] = field(default_factory=set)
    police: Sign = "no_check"
    voids: list[str] = field(default_factory=list)
    because: list[str] = field(default_factory=list)

    def clause(self, name: str) -> None:
        if name not in self.because:
            self.because.append(name)


@dataclass(frozen=True, slots=True)
class Night:
    """The night's choices after N8: what is left of them, and what the loss of a power voided."""

    butterfly: Seat | None
    carried: Seat | None
    shot: Seat | None
    killed: Seat | None
    needled: Seat | None
    silenced: Seat | None
    void_hits: frozenset[Seat]
    pricks_only: bool


def resolve(
    rules: Butterfly,
    roles: Sequence[Role],
    alive: Collection[Seat],
    needles: Mapping[Seat, int],
    actions: Mapping[str, Seat | None],
) -> Reckoning:
    """Reckon one night.

    ``roles`` lists the cards, seat 1 first; ``alive`` the living seats; ``needles`` earlier empty needles by seat;
    ``actions`` maps carry, shoot, kill, needle, check, silence to a seat (left out or None: passed). Teams'
    targets are as agreed; where a carried member's word is left out (R-CARRIED-COUNCIL), without his.
    """
    result = Reckoning({seat: count for seat, count in needles.items() if count})
    night = _powers(rules, roles, alive, actions, result)
    _hits(rules, night, result)
    _carried(rules, night, result)
    _needles(rules, night, result)
    _silence(rules, night, result)
    _check(rules, roles, alive, actions, result)
    return result


def _powers(
    rules: Butterfly,
    roles: Sequence[Role],
    alive: Collection[Seat],
    actions: Mapping[str, Seat | None],
    result: Reckoning,
) -> Night:
    """N8: the carried one loses his power, and with it goes his action (N9 to N14)."""
    carried = actions.get("carry")
    lost = roles[carried - 1] if carried else None
    shot, killed = actions.get("shoot"), actions.get("kill")
    needled, silenced = actions.get("needle"), actions.get("silence")
    void_hits: set[Seat] = set()
    if lost is Role.SNIPER and shot:
        result.voids.append("shoot")
        result.clause("N9")
        void_hits.add(shot)
        shot = None
    if (
        lost is Role.KILLER
        and killed
        and not _others_act(rules.carried_killer == "others_still_kill", roles, alive, carried)
    ):
        result.voids.append("kill")
        result.clause("N13")
        void_hits.add(killed)
        killed = None
    pricks_only = lost is Role.DOCTOR and rules.carried_doctor == "pricks"
    if lost is Role.DOCTOR and needled:
        result.voids.append("needle")
        result.clause("N10")
        needled = needled if pricks_only else None
    if lost is Role.ELDER and silenced:
        result.voids.append("silence")
        result.clause("N12")
        silenced = None
    butterfly = next((seat for seat in alive if roles[seat - 1] is Role.BUTTERFLY), None)
    return Night(butterfly, carried, shot, killed, needled, silenced, frozenset(void_hits), pricks_only)


def _others_act(allowed: bool, roles: Sequence[Role], alive: Collection[Seat], carried: Seat | None) -> bool:
    """Whether a team acts on without its carried member: by option, and if another member lives."""
    return (
        allowed
        and carried is not None
        and any(seat != carried and roles[seat - 1] is roles[carried - 1] for seat in alive)
    )


def _hits(rules: Butterfly, night: Night, result: Reckoning) -> None:
    """N2 to N6 for everybody but the carried one: who is killed or shot, and what the needle does about it."""
    for action, target in (("kill", night.killed), ("shoot", night.shot), ("needle", night.needled)):
        if target and target == night.carried and (action != "needle" or rules.needle_on_carried == "void"):
            result.voids.append(action)
            result.clause("N2")
    causes: dict[Seat, list[str]] = {}
    for cause, target in (("kill", night.killed), ("shot", night.shot)):
        if target and target != night.carried:
            causes.setdefault(target, []).append(cause)
    needled = night.needled if night.needled != night.carried else None
    for target, hit_by in causes.items():
        if target == needled and not night.pricks_only and _saves(rules, night, target, hit_by):
            result.saved.add(target)
            result.clause("N4")
        else:
            result.deaths[target] = hit_by
            result.clause("N6" if target == needled and len(hit_by) == 2 else "N3")
    if needled and (needled not in causes or night.pricks_only):
        if needled not in night.void_hits or rules.voided_attack == "never_happened":
            result.empty.add(needled)
            result.clause("N5")
    elif night.needled and night.needled == night.carried and rules.needle_on_carried == "counts":
        met = night.carried in night.void_hits or night.carried in (night.killed, night.shot)
        if not met or rules.voided_attack == "never_happened":
            result.empty.add(night.needled)
            result.clause("N5")


def _saves(rules: Butterfly, night: Night, target: Seat, hit_by: Sequence[str]) -> bool:
    """Whether a needle saves one who was hit: once, yes (N4); twice, no (N6); by option otherwise."""
    is_butterfly = target == night.butterfly
    if is_butterfly and rules.butterfly_unsaveable:
        return False
    if len(hit_by) == 2 and is_butterfly and rules.double_hit_butterfly == "saved":
        return True
    if rules.double_hit_needled == "shot_always_kills":
        return "shot" not in hit_by
    return len(hit_by) == 1 or rules.double_hit_needled == "saved"


def _carried(rules: Butterfly, night: Night, result: Reckoning) -> None:
    """N1, N16 to N19: what strikes the butterfly strikes the one she carries."""
    carried, butterfly = night.carried, night.butterfly
    if carried is None or butterfly is None:
        return
    if butterfly in result.deaths:
        result.deaths[carried] = [f"with_butterfly:{cause}" for cause in result.deaths[butterfly]]
        result.clause("N17")
    elif butterfly in result.saved:
        result.clause("N19")
        if rules.saved_butterfly_carried == "empty":
            result.empty.add(carried)
        elif rules.saved_butterfly_carried == "shares_save":
            result.saved.add(carried)
    elif butterfly in result.empty:
        result.clause("N18")
        result.empty.add(carried)


def _needles(rules: Butterfly, night: Night, result: Reckoning) -> None:
    """N5, N7: empty needles are counted, and the second kills."""
    if rules.save_resets_needles:
        for seat in result.saved:
            result.needles.pop(seat, None)
    for seat in sorted(result.empty):
        result.needles[seat] = result.needles.get(seat, 0) + 1
        if result.needles[seat] >= FATAL_NEEDLES and seat not in result.deaths:
            result.deaths[seat] = ["needles"]
            result.clause("N7")
    if (
        rules.butterfly_needle_death_drags
        and night.carried
        and result.deaths.get(night.butterfly or 0) == ["needles"]
        and night.carried not in result.deaths
    ):
        result.deaths[night.carried] = ["with_butterfly:needles"]


def _silence(rules: Butterfly, night: Night, result: Reckoning) -> None:
    """N2, N20: silence aimed at the carried one is void, and is not shared."""
    if night.silenced is None:
        return
    if night.silenced == night.carried:
        result.voids.append("silence")
        result.clause("N2")
        return
    result.silenced.add(night.silenced)
    if night.silenced == night.butterfly and night.carried:
        if rules.silence_copied:
            result.silenced.add(night.carried)
        else:
            result.clause("N20")


def _check(
    rules: Butterfly,
    roles: Sequence[Role],
    alive: Collection[Seat],
    actions: Mapping[str, Seat | None],
    result: Reckoning,
) -> None:
    """N11, S0-27, S0-28: the judge's sign."""
    target, carried = actions.get("check"), actions.get("carry")
    if target is None:
        return
    officer_carried = carried is not None and roles[carried - 1] is Role.POLICE
    blocked = officer_carried and not _others_act(rules.carried_police == "blocks_self", roles, alive, carried)
    if blocked or target == carried:
        result.police = "none"
        result.clause("N11" if blocked else "S0-28")
        if blocked:
            result.voids.append("check")
    else:
        result.police = "nod" if roles[target - 1] is Role.KILLER else "shake"
