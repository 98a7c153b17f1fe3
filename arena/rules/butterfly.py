"""The butterfly game, in its order of play (rules page §4.1).

night    a the butterfly carries   b the sniper shoots   c the killers kill
         d the doctor needles      e the police check    f the elder silences
dawn     the night is reckoned; the dead, then the silenced are announced; last words
day      the defence: each living player speaks and votes at once, in the day's order
"""

from __future__ import annotations

from dataclasses import dataclass

from tianhei.arena.events import (
    JUDGE,
    Acted,
    Action,
    Called,
    Checked,
    Needled,
    Resolved,
    Silenced,
)  # fmt: skip
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.ballot import Poll, choices, shown, voters_of
from tianhei.arena.rules.chain import Day, after_vote, settle
from tianhei.arena.rules.council import Decision, council, without
from tianhei.arena.rules.ending import dawned, decided, judged
from tianhei.arena.rules.night import Reckoning, resolve
from tianhei.arena.rules.options import Butterfly
from tianhei.arena.rules.speaking import days_order, last_words, order_of_last_words, say, words
from tianhei.arena.rules.victory import DAY_CAP, Outcome
from tianhei.arena.script import Script, together
from tianhei.arena.table import Table

CALLED = (Role.BUTTERFLY, Role.SNIPER, Role.KILLER, Role.DOCTOR, Role.POLICE, Role.ELDER)
"""The order in which the judge calls the roles at night; it has no effect on the result (A0-10)."""


def butterfly(table: Table) -> Script[Outcome]:
    """The whole game, from the first night to its outcome."""
    for number in range(1, table.rules.max_days + 1):
        table.day = number
        dead: tuple[Seat, ...] = ()
        if table.day > 1 or table.rules.first_phase == "night":
            reckoning = yield from night(table)
            dead = order_of_last_words(table.rules, table.players, table.day, reckoning.deaths)
            if outcome := (yield from dawn(table, reckoning, dead)):
                return outcome
        if outcome := (yield from day(table, dead)):
            return outcome
    return DAY_CAP


def night(table: Table) -> Script[Reckoning]:
    """All six act unseen, unaware of one another; the judge reckons the result."""
    rules = _rules(table)
    table.phase = "night"
    table.silenced = frozenset()
    table.tell_all(Called(stage="night"))
    for role in CALLED:
        if table.who(role) or (table.dealt[role] and rules.call_dead_roles):
            table.tell_all(Called(role=role))
    police = table.who(Role.POLICE)
    carry, shoot, kill, needle, check, silence = yield from together(
        _alone(table, "carry", Role.BUTTERFLY),
        _alone(table, "shoot", Role.SNIPER),
        council(table, "kill"),
        _alone(table, "needle", Role.DOCTOR),
        council(table, "check"),
        _alone(table, "silence", Role.ELDER),
    )
    return _reckon(table, Choices(carry, shoot, kill, needle, check, silence), police)


@dataclass(frozen=True, slots=True)
class Choices:
    """What the night's actors chose."""

    carry: Seat | None
    shoot: Seat | None
    kill: Decision
    needle: Seat | None
    check: Decision
    silence: Seat | None


def _alone(table: Table, action: Action, role: Role) -> Script[Seat | None]:
    """One actor chooses a target or passes (A0-11, A0-14)."""
    actors = table.who(role)
    options = table.living
    if action == "carry":
        barred = table.carried if _rules(table).repeat_target == "forbidden_for_carry" else None
        options = tuple(seat for seat in options if seat not in actors and seat != barred)
    if not actors or not options:
        return None
    (answer,) = yield (table.ask(actors[0], action, options, may_pass=table.rules.night_pass == "allowed"),)
    table.tell(actors, Acted(action, answer.target))
    return answer.target


def _reckon(table: Table, chosen: Choices, police: tuple[Seat, ...]) -> Reckoning:
    """Reckon the night, tell the police their sign and the judge everything."""
    rules = _rules(table)
    kill, check = chosen.kill.target, chosen.check.target
    if chosen.carry and rules.carried_killer == "others_still_kill" and len(chosen.kill.stated) > 1:
        kill = without(table, "kill", chosen.kill, chosen.carry)
    if chosen.carry and rules.carried_police == "blocks_self" and len(chosen.check.stated) > 1:
        check = without(table, "check", chosen.check, chosen.carry)
    actions = {
        "carry": chosen.carry, "shoot": chosen.shoot, "kill": kill,
        "needle": chosen.needle, "check": check, "silence": chosen.silence,
    }  # fmt: skip
    result = resolve(rules, table.roles, table.living, table.needles, actions)
    if check:
        table.tell(police, Checked(check, result.police))
    if rules.announce_needles:
        for seat in sorted(result.empty):
            table.tell((seat,), Needled(result.needles[seat]))
    table.needles, table.carried = result.needles, chosen.carry
    table.tell(
        JUDGE,
        Resolved(
            {name: seat for name, seat in actions.items() if seat},
            {seat: tuple(result.deaths[seat]) for seat in sorted(result.deaths)},
            tuple(sorted(result.saved)),
            tuple(sorted(result.empty)),
            dict(sorted(result.needles.items())),
            tuple(sorted(result.silenced)),
            result.police,
            tuple(result.voids),
            tuple(result.because),
        ),
    )
    return result


def dawn(table: Table, result: Reckoning, dead: tuple[Seat, ...]) -> Script[Outcome | None]:
    """The dead, then the silenced are announced; the dead leave last words, a silenced one none."""
    table.phase = "dawn"
    table.out(dead)
    causes = {seat: tuple(found) for seat, found in result.deaths.items()}
    table.tell_all(dawned(table, dead, causes if _rules(table).announce_causes else None))
    table.silenced = frozenset(result.silenced)
    if table.silenced:
        table.tell_all(Silenced(tuple(sorted(table.silenced))))
    outcome = decided(table)
    if outcome is None or table.rules.last_words_at_end:
        yield from last_words(table, dead)
    return outcome


def day(table: Table, dead: tuple[Seat, ...]) -> Script[Outcome | None]:
    """The defence: each speaks and votes at once; whoever has the most votes is out."""
    table.phase = "day"
    today = Day(days_order(table, dead))
    table.tell_all(Called(stage="defence", seats=today.order))
    held = yield from defence(table, today)
    verdict = yield from settle(table, today, after_vote(table.rules, "round", today.order, held))
    return (yield from judged(table, verdict, today.order))


def defence(table: Table, today: Day) -> Script[Poll]:
    """One after another, in the day's order: a speech unless silenced, then at once a vote (S0-60 to S0-63)."""
    today.votes += 1
    secret = table.rules.vote_form == "after_speech_secret"
    may_pass = table.rules.abstain == "allowed"
    may_vote = voters_of(table)
    cast: dict[Seat, Seat | None] = {}
    void: list[Seat] = []
    for seat in today.order:
        speaks = seat not in table.silenced
        if speaks and table.rules.channel == "mute":
            say(table, seat, Answer(), "round")
            speaks = False
        if not speaks and seat not in may_vote:
            continue
        options = choices(table.rules, seat, today.order)
        limit = words(table, table.limits.speech)
        if speaks:
            request = table.ask(seat, "speech_and_vote", options, step="defence", may_pass=may_pass, text=limit)
        else:
            request = table.ask(seat, "vote", options, may_pass=may_pass)
        (answer,) = yield (request,)
        if speaks:
            say(table, seat, answer, "round")
        if answer.absent:
            void.append(seat)
        else:
            cast[seat] = answer.target
        if not secret:
            table.tell_all(shown(table, Poll({}, (seat,)) if answer.absent else Poll({seat: answer.target}), "round"))
    held = Poll(cast, tuple(void))
    if secret:
        table.tell_all(shown(table, held, "round"))
    return held


def _rules(table: Table) -> Butterfly:
    assert isinstance(table.rules, Butterfly)
    return table.rules
