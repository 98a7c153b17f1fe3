"""What players believe, as probes ask for it: models in words or by scores, scripted players from their own reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import exp
from typing import Any

from tianhei.agents.reading import Fault, without_reasoning
from tianhei.agents.reading.objects import answering, objects
from tianhei.arena.facts import facts_of
from tianhei.arena.player import Ask, Completion, Unusable
from tianhei.arena.probing import Beliefs
from tianhei.arena.roles import Role, Seat
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack
from tianhei.prompts.probe import OF_ME, SUSPICION, AskedAside, ask_again, ask_aside

MOST_QUESTIONS = 2
"""How often a model is asked, before the probe has no answer."""
_NUMBER = re.compile(r"\d{1,3}")
_LINE = re.compile(
    r"(S\d+)\s{0,3}[:：]\s{0,3}(\d{1,3})%?\s{0,3}[,，、;；/]\s{0,3}(\d{1,3})%?", re.IGNORECASE | re.ASCII
)


async def elicit(pack: Pack, view: View, ask: Ask, *, max_tokens: int | None) -> Beliefs:
    """What a model says that it believes. Unusable where it cannot be read."""
    asked = ask_aside(pack, view, max_tokens=max_tokens)
    try:
        completion = await ask(asked.prompt)
    except Unusable as error:
        if error.cause != "overflow":
            raise
        asked = ask_aside(pack, view, max_tokens=max_tokens, short=True)
        completion = await ask(asked.prompt)
    for question in range(1, MOST_QUESTIONS + 1):
        try:
            return read_beliefs(completion, asked)
        except Fault as fault:
            if question == MOST_QUESTIONS:
                raise Unusable(fault.cause, fault.detail) from None
        completion = await ask(ask_again(asked))
    raise AssertionError("a question has an answer or a fault")


def read_beliefs(completion: Completion, asked: AskedAside) -> Beliefs:
    """The beliefs that a completion states: both numbers for every seat, or a Fault."""
    if completion.refusal:
        raise Fault("refused", completion.refusal)
    text = without_reasoning(completion.text).answer
    if not text:
        raise Fault("empty")
    if asked.pack.lines:
        return _from_lines(text, asked)
    fields = answering(list(objects(text)), (SUSPICION, OF_ME))
    return Beliefs(_chances(fields[SUSPICION], asked), _chances(fields[OF_ME], asked))


def _chances(value: Any, asked: AskedAside) -> dict[Seat, float]:
    if not isinstance(value, Mapping) or set(value) != set(asked.seats):
        raise Fault("unreadable", "not one number for each of the others")
    return {seat: _chance(value[label]) for label, seat in asked.seats.items()}


def _chance(value: Any) -> float:
    """A number from 0 to 100, or one that is written out, as a probability."""
    number: Any = value
    if isinstance(value, str) and _NUMBER.fullmatch(written := value.strip().removesuffix("%")):
        number = int(written)
    if type(number) not in (int, float) or not 0 <= number <= 100:
        raise Fault("unreadable", "no number from 0 to 100")
    return float(number / 100)


def _from_lines(text: str, asked: AskedAside) -> Beliefs:
    found: dict[Seat, tuple[float, float]] = {}
    for line in text.splitlines():
        if match := _LINE.fullmatch(line.strip().strip("*-•` \t")):
            seat = asked.seats.get(match[1].upper())
            stated = (_chance(int(match[2])), _chance(int(match[3])))
            if seat is None or found.setdefault(seat, stated) != stated:
                raise Fault("ambiguous" if seat else "unreadable", match[1])
    if len(found) < len(asked.seats):
        raise Fault("unreadable", "not one line for each of the others")
    return Beliefs({seat: one for seat, (one, _) in found.items()}, {seat: two for seat, (_, two) in found.items()})


def reckon(view: View, marks: Mapping[Seat, float]) -> Beliefs:
    """Suspicion in marks as probabilities: what is certain stands; the killers left are shared out by exp(mark)."""
    facts = facts_of(view)
    killer = frozenset((Role.KILLER,))
    sure = {
        seat: roles == killer for seat, roles in facts.allowed.items() if roles == killer or roles.isdisjoint(killer)
    }
    unsure = [seat for seat in facts.seats if seat not in sure]
    open_living = [seat for seat in unsure if seat in view.others]
    left = facts.counts.get(Role.KILLER, 0) - sum(sure.values())
    expected = left * len(open_living) / len(unsure) if unsure else 0.0
    best = max((marks.get(seat, 0.0) for seat in open_living), default=0.0)
    shares = shared_out({seat: exp(marks.get(seat, 0.0) - best) for seat in open_living}, expected)
    return Beliefs({seat: float(sure[seat]) if seat in sure else shares[seat] for seat in view.others})


def shared_out(weights: Mapping[Seat, float], expected: float) -> dict[Seat, float]:
    """Probabilities in proportion to the weights that add up to ``expected``, none above 1."""
    shares: dict[Seat, float] = {}
    rest = dict(weights)
    while rest:
        scale = (expected - len(shares)) / sum(rest.values())
        full = [seat for seat, weight in rest.items() if weight * scale >= 1.0]
        if not full:
            return shares | {seat: weight * scale for seat, weight in rest.items()}
        shares.update(dict.fromkeys(full, 1.0))
        rest = {seat: weight for seat, weight in rest.items() if seat not in full}
    return shares
