"""A review: how the chances stood over time, what an onlooker could reckon, and which choices threw most away.

Chances are those of roll-outs (`Rollouts`). A choice is worth the value of the moment behind it, less the mean over
all that was offered; the other ballots of its vote, or the other answers of its wave, stay as they were. Values are
seen from the side of whoever chose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tianhei.arena.chance import luck_for
from tianhei.arena.deduce import Contradiction, Facts, Posterior, TooMany, posterior, sampled
from tianhei.arena.events import Winner
from tianhei.arena.facts import facts_of
from tianhei.arena.referee import Referee, Wave
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat, Side
from tianhei.arena.view import Views
from tianhei.arena.whatif.poll import Poll, length
from tianhei.arena.whatif.rollouts import Rollouts, Then, Value, decided
from tianhei.transcripts.fork import Parent, as_vote

NIGHTS = frozenset(("kill", "carry", "shoot", "needle", "silence"))
"""Night actions that roll-outs can value: to players who learn nothing, a check is worth nothing."""
TINY = 1e-9
Method = Literal["exact", "sampled", "facts"]
"""How a posterior was had: over all deals, over drawn cases, or without the claims, where no drawn case fits."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What an onlooker who weighs cards, deaths and claims makes of the living."""

    killer: dict[Seat, float]
    method: Method


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment: after so many waves, before the requests of this name."""

    waves: int
    name: str
    value: Value
    public: Reckoned

    def to_json(self) -> dict[str, Any]:
        killer = {str(seat): chance for seat, chance in self.public.killer.items()}
        return {"waves": self.waves, "at": self.name, "value": self.value.to_json(),
                "public": {"killer": killer, "method": self.public.method}}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: what it was worth against a lot among what was offered, and against the ``best`` of it.

    ``chose`` and ``best`` are seats; None: nobody. ``before`` is the killers' share before the wave, ``after`` behind
    it.
    """

    request: str
    kind: str
    seat: Seat
    chose: Seat | None
    best: Seat | None
    gain: float
    lost: float
    before: float
    after: float

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Review:
    """All of it. ``turning`` is the moment after which the killers' share moved most the way the game ended."""

    moments: tuple[Moment, ...]
    choices: tuple[Choice, ...]
    turning: Moment | None
    winner: Winner | None

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "turning": self.turning.name if self.turning else None,
            "moments": [moment.to_json() for moment in self.moments],
            "choices": [choice.to_json() for choice in self.choices],
        }

    def worst(self, kinds: frozenset[str], most: int) -> list[Choice]:
        """The choices of these kinds that were worth less than a lot, worst first."""
        found = [choice for choice in self.choices if choice.kind in kinds and choice.gain < -TINY]
        return sorted(found, key=lambda choice: (choice.gain, -choice.lost, choice.request))[:most]


def review(parent: Parent, rollouts: Rollouts) -> Review:
    """Review a game as far as it has come."""
    return replace(chances(parent, rollouts), choices=tuple(_choices(parent, rollouts)))


def chances(parent: Parent, rollouts: Rollouts, told: Callable[[str], bool] = bool) -> Review:
    """A review without its choices, of the moments whose name is to be ``told``: each has one."""
    moments = tuple(_moments(parent, rollouts, told))
    outcome = parent.referee.outcome
    winner = outcome.winner if outcome else None
    return Review(moments, (), _turning(moments, winner), winner)


def reckon(facts: Facts, seed: int | str) -> tuple[Posterior, Method]:
    """The posterior, exact where the cases can be counted, else from drawn ones, else of facts alone."""
    try:
        try:
            return posterior(facts), "exact"
        except TooMany:
            return sampled(facts, luck_for(seed, 0)), "sampled"
    except Contradiction:
        return posterior(replace(facts, statements=())), "facts"


def _moments(parent: Parent, rollouts: Rollouts, told: Callable[[str], bool]) -> Iterator[Moment]:
    """The beginning of each stage, and the end, as far as they are to be told."""
    header = parent.recorded.header
    views = Views(header.rules, header.counts, header.seed)
    names = {cut.wave: as_vote(cut.requests[0]).rpartition(".")[0] for cut in parent.cuts()}
    last = ""
    for number, wave in enumerate(parent.waves, start=1):
        views.add(wave.events)
        name = names.get(number, "end")
        if number not in names and parent.referee.outcome is None:
            return
        if name != last and told(name):
            outcome = parent.referee.outcome
            value = decided(outcome.winner) if outcome and name == "end" else rollouts.value(number)
            yield Moment(number, name, value, _public(views, header.seed))
        last = name


def _public(views: Views, seed: int | str) -> Reckoned:
    found, method = reckon(facts_of(views.of(1), public=True), seed)
    return Reckoned({seat: found.killer[seat] for seat in views.record.living}, method)


def _choices(parent: Parent, rollouts: Rollouts) -> Iterator[Choice]:
    """What each choice was worth, in the order of the game."""
    number = 1
    while number < len(parent.waves):
        wave = parent.waves[number]
        if votes := length(parent.waves[number:]):
            poll = Poll(parent.waves[number : number + votes])
            for seat in poll.voters:
                ways = {chosen: poll.with_ballot(seat, chosen) for chosen in poll.offered(seat)}
                yield _choice(parent, rollouts, (number, votes), poll.first(seat), poll.cast(seat), ways)
        for request, answer in zip(wave.requests, wave.answers, strict=True):
            if request.kind in NIGHTS and not answer.absent:
                options = (*request.options, None) if request.may_pass else request.options
                ways = {chosen: _acting(wave, request, chosen) for chosen in options}
                yield _choice(parent, rollouts, (number, 1), request, answer.target, ways)
        number += votes or 1


def _acting(wave: Wave, request: Request, chosen: Seat | None) -> Then:
    """Closes a night's wave with one seat choosing otherwise."""

    def act(referee: Referee) -> None:
        for each, answer in zip(wave.requests, wave.answers, strict=True):
            referee.answer(each.id, answer._replace(target=chosen) if each.id == request.id else answer)

    return act


def _choice(
    parent: Parent,
    rollouts: Rollouts,
    place: tuple[int, int],
    request: Request,
    chose: Seat | None,
    ways: Mapping[Seat | None, Then],
) -> Choice:
    """The worth of one choice among the ways to choose; ``place``: after how many waves, and how many it took."""
    began, took = place
    sign = 1 if parent.views.of(request.seat).side is Side.KILLERS else -1
    values = {chosen: sign * rollouts.value(began, then).share for chosen, then in ways.items()}
    best = max(values, key=lambda chosen: (values[chosen], chosen == chose))
    return Choice(
        request.id, request.kind, request.seat, chose, best,
        values[chose] - sum(values.values()) / len(values), values[best] - values[chose],
        rollouts.value(began).share, rollouts.value(began + took).share,
    )  # fmt: skip


def _turning(moments: Sequence[Moment], winner: Winner | None) -> Moment | None:
    """The last moment before the greatest move of the killers' share towards the outcome."""
    if winner is None or len(moments) < 2:
        return None
    sign = {"killers": 1, "good": -1, "draw": 0}[winner]

    def moved(place: int) -> float:
        change = moments[place + 1].value.share - moments[place].value.share
        return change * sign if sign else abs(change)

    return moments[max(range(len(moments) - 1), key=moved)]
