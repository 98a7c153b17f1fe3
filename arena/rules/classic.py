"""The classic game of police and killers, in its order of play (rules page §4.2).

night    killers wake and agree on a victim; police wake and point at one; a thumb goes up or down
dawn     the victim is announced; last words within the quota
day      all speak once, from the victim's right; then the vote, and the tie chain
"""

from __future__ import annotations

from tianhei.arena.events import JUDGE, Called, Checked, Resolved, Sign
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.chain import Day, demands, first_vote, round_pk
from tianhei.arena.rules.council import council
from tianhei.arena.rules.ending import dawned, decided, judged
from tianhei.arena.rules.options import Classic
from tianhei.arena.rules.speaking import days_order, last_words, speeches
from tianhei.arena.rules.victory import DAY_CAP, Outcome
from tianhei.arena.script import Script, together
from tianhei.arena.table import Table


def classic(table: Table) -> Script[Outcome]:
    """The whole game, from the first night to its outcome."""
    for number in range(1, table.rules.max_days + 1):
        table.day = number
        dead: tuple[Seat, ...] = ()
        if table.day > 1 or table.rules.first_phase == "night":
            dead = yield from night(table)
            if outcome := (yield from dawn(table, dead)):
                return outcome
        if outcome := (yield from day(table, dead)):
            return outcome
    return DAY_CAP


def night(table: Table) -> Script[tuple[Seat, ...]]:
    """Killers and police act unseen; neither knows of the other before dawn (S1-36 to S1-50)."""
    table.phase = "night"
    table.tell_all(Called(stage="night"))
    for role in (Role.KILLER, Role.POLICE):
        if table.who(role) or (table.dealt[role] and table.rules.call_dead_roles):
            table.tell_all(Called(role=role))
    police = table.who(Role.POLICE)
    kill, check = yield from together(council(table, "kill"), council(table, "check"))
    if check.target:
        table.tell(police, Checked(check.target, sign(table, check.target)))
    actions = {name: seat for name, seat in (("kill", kill.target), ("check", check.target)) if seat}
    deaths: dict[Seat, tuple[str, ...]] = {kill.target: ("kill",)} if kill.target else {}
    table.tell(JUDGE, Resolved(actions, deaths, police=_police_sign(table, check.target), because=("S1-4",)))
    return tuple(deaths)


def sign(table: Table, target: Seat) -> str:
    """What the judge shows the police: killer or not, or by option the card itself (A1-09)."""
    if isinstance(table.rules, Classic) and table.rules.check_answer == "role":
        return table.role(target)
    return _police_sign(table, target)


def _police_sign(table: Table, target: Seat | None) -> Sign:
    if target is None:
        return "no_check"
    return "nod" if table.role(target) is Role.KILLER else "shake"


def dawn(table: Table, dead: tuple[Seat, ...]) -> Script[Outcome | None]:
    """The victim is announced, and leaves last words if the game goes on and the quota allows."""
    table.phase = "dawn"
    table.out(dead)
    table.tell_all(dawned(table, dead))
    outcome = decided(table)
    if outcome is None or table.rules.last_words_at_end:
        yield from last_words(table, dead)
    return outcome


def day(table: Table, dead: tuple[Seat, ...]) -> Script[Outcome | None]:
    """All speak once in the day's order, then there is a vote, or a PK that somebody demanded."""
    table.phase = "day"
    today = Day(days_order(table, dead))
    table.tell_all(Called(stage="speeches", seats=today.order))
    yield from speeches(table, today.order, "round")
    demanded = yield from demands(table, today)
    if demanded:
        verdict = yield from round_pk(table, today, demanded)
    else:
        verdict = yield from first_vote(table, today)
    return (yield from judged(table, verdict, today.order))
