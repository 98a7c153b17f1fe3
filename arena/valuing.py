"""Makes the files of frozen values: ``python -m tianhei.arena.valuing NAME > transcripts/metrics/values/NAME.json``.

The name is a preset's. A number of players may follow it, and in the file's name a dash and the number.

For the classic game the exact recursion is written down. For the butterfly game each position's night is drawn many
times with the game's own reckoning, all actors choosing by lot as the uninformed do; what a night leads to is already
known, since positions are reckoned with the fewest living first. Empty needles are kept while a value is reckoned, so
that the doctor's second needle kills; only positions without any are written. Elder and police change no night by lot:
they are one kind here. What killers get against a good side that knows them is played out on the engine.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, TypeAlias

import orjson

from tianhei.agents.roster import TOLD, parse_spec, scripted_player
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.player import Completion, Prompt
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly, Rules
from tianhei.arena.rules.presets import USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import written as setup
from tianhei.arena.view import Views
from tianhei.transcripts.metrics import value
from tianhei.transcripts.metrics.value import Living, living_of

NIGHTS = 200
"""Nights drawn for a position with empty needles."""
NIGHTS_WRITTEN = 2_000
"""Nights drawn for a position that is written down."""
CEILING_GAMES = 2_000
SEED = "values 1"

Seats: TypeAlias = tuple[tuple[Role, int], ...]
"""The living, sorted: each one's role and its empty needles."""
_ACTORS = {"carry": Role.BUTTERFLY, "shoot": Role.SNIPER, "needle": Role.DOCTOR}
_SAME: Mapping[Role, Role] = {Role.ELDER: Role.POLICE}


def main(name: str, number: str = "") -> None:
    """Write the values of a preset, at this number of players or its own or the usual one, to standard output."""
    rules, players = read_rules(name)
    counts, _ = setup(rules, int(number) if number else players or USUAL_PLAYERS[rules.game])
    sys.stdout.buffer.write(orjson.dumps(table(name, rules, counts), option=orjson.OPT_INDENT_2) + b"\n")


def table(name: str, rules: Rules, counts: Counts) -> dict[str, Any]:
    """What a file holds."""
    dealt = living_of(counts)
    if isinstance(rules, Butterfly):
        at_night, ceiling = drawn(rules), played_ceiling(rules, counts)
        made = f"{NIGHTS_WRITTEN} nights drawn a position ({NIGHTS} with empty needles), seed '{SEED}'"
    else:
        found = value.exact(rules, counts)
        at_night, ceiling = found.nightfall, found.ceiling or 0.0
        made = "exact recursion"
    return {
        "table": name, "rules": rules.hash, "dealt": {str(role): number for role, number in counts.items()},
        "made": made, "order": [str(role) for role in value.ROLES], "ceiling": round(ceiling, 6),
        "night": {
            value.written(living): round(at_night(living), 6)
            for living in value.positions(dealt) if value.ended(rules, living, dealt) is None
        },
    }  # fmt: skip


def drawn(rules: Butterfly) -> Callable[[Living], float]:
    """Values at nightfall from drawn nights."""
    ties = value.ties_of(rules)
    if ties is None or rules.elder_side != "good" or rules.repeat_target != "allowed":
        raise SystemExit("nights are drawn for tables whose ties are even, with a good elder and free carrying")

    @cache
    def night(seats: Seats) -> float:
        over = _ended(rules, seats)
        if over is not None:
            return over
        plain = not any(needles for _, needles in seats)
        led = Counter(_dawns(rules, seats, NIGHTS_WRITTEN if plain else NIGHTS))
        again, known = 0.0, 0.0
        for dawn, times in led.items():
            share = times / led.total()
            if dawn == seats and ties == "nobody":  # the same position comes again where the vote is tied too
                stays = float(value.tie_chance(len(seats)))
                again += share * stays
                known += share * (1 - stays) * _out(dawn)
            else:
                known += share * day(dawn)
        return known / (1 - again)

    def day(seats: Seats) -> float:
        over = _ended(rules, seats)
        if over is not None:
            return over
        tied = float(value.tie_chance(len(seats))) if ties == "nobody" else 0.0
        return tied * (night(seats) if tied else 0.0) + (1 - tied) * _out(seats)

    def _out(seats: Seats) -> float:
        ways = Counter(seats)
        return sum(times * night(_without(seats, seat)) for seat, times in ways.items()) / len(seats)

    def at(living: Living) -> float:
        roles = [role for role, number in zip(value.ROLES, living, strict=True) for _ in range(number)]
        return night(tuple(sorted((_SAME.get(role, role), 0) for role in roles)))

    return at


def _ended(rules: Rules, seats: Seats) -> float | None:
    living = living_of(Counter(role for role, _ in seats))
    return value.ended(rules, living, living)


def _without(seats: Seats, seat: tuple[Role, int]) -> Seats:
    place = seats.index(seat)
    return seats[:place] + seats[place + 1 :]


def _dawns(rules: Butterfly, seats: Seats, times: int) -> list[Seats]:
    """Who lives after each of so many nights."""
    luck = Random(f"{SEED} {seats}")
    living = range(1, len(seats) + 1)
    roles = [role for role, _ in seats]
    before = {seat: needles for seat, (_, needles) in zip(living, seats, strict=True) if needles}
    actors = [(name, roles.index(role) + 1) for name, role in _ACTORS.items() if role in roles]
    town = [seat for seat in living if roles[seat - 1] is not Role.KILLER]
    found: list[Seats] = []
    for _ in range(times):
        chosen: dict[str, int | None] = {"kill": luck.choice(town)}
        for name, actor in actors:
            other = luck.randrange(1, len(seats))
            chosen[name] = other + (other >= actor)
        result = resolve(rules, roles, living, before, chosen)
        doctor = Role.DOCTOR in {roles[seat - 1] for seat in living if seat not in result.deaths}
        found.append(tuple(sorted(
            (roles[seat - 1], result.needles.get(seat, 0) if doctor else 0)
            for seat in living if seat not in result.deaths
        )))  # fmt: skip
    return found


def played_ceiling(rules: Rules, counts: Counts) -> float:
    """The killers' points in games of oracles."""
    players = {role: scripted_player(parse_spec("oracle"), "en") for role in counts}
    points = 0.0
    for number in range(CEILING_GAMES):
        seed = f"{SEED} ceiling {number}"
        dealt = deal(counts, seed)
        told = dict.fromkeys(range(1, len(dealt.roles) + 1), TOLD["oracle"])
        referee, views = Referee(rules, dealt, Keyed(seed), handicaps=told), Views(rules, counts, seed)
        views.add(referee.waves[0].events)
        while referee.outcome is None:
            wave = None
            for request in tuple(referee.open.values()):
                try:
                    players[dealt.roles[request.seat - 1]].act(views.of(request.seat), request, _nobody).send(None)
                except StopIteration as stop:
                    given: Answer = stop.value.answer
                    wave = referee.answer(request.id, given)
            if wave is not None:
                views.add(wave.events)
        points += {"killers": 1.0, "good": 0.0, "draw": 0.5}[referee.outcome.winner]
    return points / CEILING_GAMES


async def _nobody(prompt: Prompt) -> Completion:
    raise AssertionError("a scripted player asked a model")


if __name__ == "__main__":
    main(*sys.argv[1:])
