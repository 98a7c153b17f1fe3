"""Random games of the engine alone, by the hundred thousand: how they end, who dies of what, and every invariant."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from proof.invariants import Books, Broken, examine, need
from proof.players import Manner, mistake, random_manner
from proof.tables import random_table, resolved
from tianhei.arena.chance import Deal, Given
from tianhei.arena.referee import Referee
from tianhei.arena.requests import ABSENT, TARGETED, Answer, Illegal, Request, check
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import Rules

PASS = Answer()
SAME_TABLE = 50
"""Games that are played with one rule set and one set of cards, dealt anew each time."""


MUTE_OF_TEN = 6
"""Of ten rule sets so many are mute: speeches are asked for in the others, and in the games against the oracle."""


class Drawing:
    """Draws at random."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def draw(self, purpose: str, day: int, options: Any) -> Any:
        return self._rng.choice(options)


def answer(rng: Random, manner: Manner, request: Request) -> Answer:
    """A legal answer."""
    if rng.random() < manner.absence or (not request.options and not request.may_pass):
        return ABSENT
    kind, options = request.kind, request.options
    if kind in TARGETED:
        if request.may_pass and rng.random() < manner.passing:
            return PASS
        hot = [seat for seat in manner.hot if seat in options] if rng.random() < manner.crowd else ()
        return Answer(target=rng.choice(hot or options))
    if kind == "hand":
        return Answer(raised=not request.may_pass or rng.random() < manner.raising)
    if kind == "demand" and len(options) > 1 and rng.random() < manner.demanding:
        return Answer(targets=tuple(rng.sample(options, rng.randint(2, min(5, len(options))))))
    return PASS


def probe(request: Request, players: int) -> None:
    """What is taken is what is offered, seat by seat (also for the seats that there are not)."""
    if request.kind not in TARGETED:
        return
    for target in (*range(-1, players + 2), None):
        try:
            check(request, Answer(target=target))
            taken = True
        except Illegal:
            taken = False
        offered = request.may_pass if target is None else target in request.options
        need(taken == offered, "what is taken is what is offered")


def play(rng: Random, rules: Rules, roles: list[str]) -> tuple[Referee, int]:
    """One game; also the number of wrong answers that were given and refused."""
    referee = Referee(rules, Deal(tuple(map(Role, roles))), Given([], Drawing(rng)))
    manner = random_manner(rng, len(roles))
    probed, wrong = rng.randrange(12), 0
    past: list[str] = []
    while referee.outcome is None:
        requests = tuple(referee.open.values())
        if len(referee.waves) == probed:
            probe(rng.choice(requests), len(roles))
            wrong += 1
            fault = mistake(rng, referee, len(roles), past, [])
            need(fault is None, f"a wrong answer is refused and changes nothing: {fault}")
        for request in requests:
            referee.answer(request.id, answer(rng, manner, request))
        past = [request.id for request in requests]
    return referee, wrong


def game_of(seed: int) -> tuple[str, dict[str, Any], Rules, list[str]]:
    """The table of this seed, from four to eight seats and mostly mute; several seeds share the rules."""
    number = seed // SAME_TABLE
    title = ("classic", "butterfly")[number % 2]
    changes, rules, roles = random_table(Random(f"million {number}"), title, 4, 8)
    if number % 10 < MUTE_OF_TEN:
        changes = {**changes, "channel": "mute"}
        rules = rules.replace({"channel": "mute"})
    return title, changes, rules, roles


def games(seeds: range) -> tuple[Counter[str], Counter[str], list[str]]:
    """Play and examine the games of these seeds: counts, ends and causes of death, and what did not hold."""
    counts: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    broken: list[str] = []
    for start in range(seeds.start, seeds.stop, SAME_TABLE):
        title, changes, rules, roles = game_of(start)
        options = resolved(title, changes)
        for seed in range(start, min(start + SAME_TABLE, seeds.stop)):
            rng = Random(seed)
            dealt = rng.sample(roles, len(roles))
            try:
                books, wrong, waves = _one(rng, options, rules, dealt)
            except Exception as error:  # a crash of the engine is a finding too, and must name its seed
                what = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
                broken.append(f"million seed {seed}: {what}\n    {title} {changes} {dealt}")
                continue
            counts.update({"games": 1, "waves": waves, "deaths": len(dealt) - len(books.living), "probes": wrong})
            if books.over:
                ends[f"{title}: {books.over.winner} {books.over.reason}"] += 1
            ends.update({f"{title}: death {cause}": number for cause, number in books.causes.items()})
    return counts, ends, broken


def _one(rng: Random, options: dict[str, Any], rules: Rules, dealt: list[str]) -> tuple[Books, int, int]:
    referee, wrong = play(rng, rules, dealt)
    return examine(options, referee, dealt), wrong, len(referee.waves)
