"""Votes: who may choose whom, the tally, and what follows a vote (rules 5, R-TIE, R-VOTE).

Ballots map a voter to his choice; None is an abstention, which is an answer. Whoever
was absent cast no ballot and does not appear.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .options import Options

Ballots = Mapping[int, int | None]


@dataclass(frozen=True)
class Next:
    """What follows a vote: `out`, `pk`, `off_field`, `revote`, `lot`, `all`, `nobody`, `draw`."""

    step: str
    seats: tuple[int, ...] = ()


class MustVote(ValueError):
    """Voters who abstained where it is not allowed."""

    def __init__(self, seats: Sequence[int]) -> None:
        super().__init__(f"must vote: {list(seats)}")
        self.seats = tuple(seats)


def electors(
    options: Options, stage: str, living: Sequence[int], tied: Collection[int], silenced: Collection[int] = ()
) -> list[int]:
    """Who votes: all living, or in a PK only the untied where so set and there are any."""
    rule = {"pk": options["pk_voters"], "off_field": options["off_voters"]}.get(stage, "all")
    untied = [s for s in living if s not in tied]
    chosen = untied if rule == "untied" and untied else list(living)
    barred = set() if options.get("silenced_votes", True) else set(silenced)
    return [s for s in chosen if s not in barred]


def speakers(stage: str, order: Sequence[int], tied: Collection[int]) -> list[int]:
    """S1-77, S1-78, A1-42: the tied before a PK or a revote, the untied before the off-field."""
    if stage == "vote":
        return []
    return [s for s in order if (s in tied) != (stage == "off_field")]


def choices(options: Options, voter: int, candidates: Sequence[int]) -> list[int]:
    """A1-22: everyone offered, oneself included unless forbidden."""
    self_allowed = options["self_vote"] == "allowed"
    return [c for c in candidates if self_allowed or c != voter]


def compulsory(options: Options, stage: str) -> bool:
    """The off-field vote (S1-64) and the revote (R-TIE) always; else as `abstain` says."""
    return stage in ("off_field", "revote") or options["abstain"] == "forbidden"


def last_chance(options: Options, voter: int, candidates: Sequence[int], called: int) -> bool:
    """In a called vote: is this the last candidate whom the voter may still choose?"""
    return choices(options, voter, candidates)[-1:] == [called]


def tally(ballots: Ballots) -> dict[int, int]:
    """Votes by candidate, of those who got any."""
    chosen = [c for c in ballots.values() if c is not None]
    return {c: chosen.count(c) for c in sorted(set(chosen))}


def leaders(ballots: Ballots, candidates: Sequence[int]) -> tuple[int, ...]:
    """Those with the most votes, in the candidates' order: all of them if everybody abstained
    (A1-23), nobody if no ballot at all was cast (R-ABSENT)."""
    if not ballots:
        return ()
    votes = tally(ballots)
    top = max(votes.values(), default=0)
    return tuple(c for c in candidates if votes.get(c, 0) == top)


def following(
    options: Options, stage: str, candidates: Sequence[int], ballots: Ballots, demanded: bool = False
) -> Next:
    """What the rules make of one vote; `demanded`: the PK was opened by a round-PK demand."""
    top = leaders(ballots, candidates)
    if len(top) == 1:
        return Next("out", top)
    if stage == "off_field":
        return _final(options, top or tuple(candidates))
    if not top or stage == "revote":
        return Next("nobody", top)
    if stage == "pk":
        again = options["narrowing"] == "always" or demanded
        return Next("pk" if again and len(top) < len(candidates) else "off_field", top)
    if options["tie"] != "chain":
        return Next(str(options["tie"]), top)
    if not tally(ballots) and options["all_abstain"] == "no_elimination":
        return Next("nobody", top)
    return Next("pk", top)


def _final(options: Options, tied: tuple[int, ...]) -> Next:
    return Next(str(options["final_tie"]), tied)


def refuse_abstentions(options: Options, stage: str, ballots: Ballots, voters: Collection[int]) -> None:
    idle = [s for s in sorted(voters) if s in ballots and ballots[s] is None]
    if idle and compulsory(options, stage):
        raise MustVote(idle)


def chain(
    options: Options,
    order: Sequence[int],
    votes: Sequence[Ballots],
    lot: int | None = None,
    round_pk: Sequence[int] | None = None,
) -> dict[str, Any]:
    """The whole tie chain over the votes held; `order` is the living in the day's order."""
    stages: list[dict[str, Any]] = []
    demanded = round_pk is not None
    stage = "pk" if round_pk else "vote"
    now = tuple(s for s in order if not round_pk or s in round_pk)
    left = list(votes)
    while True:
        ballots = left.pop(0)
        voters = electors(options, stage, order, now)
        refuse_abstentions(options, stage, ballots, voters)
        cast = {s: ballots[s] for s in voters if s in ballots}
        then = following(options, stage, now, cast, demanded)
        stages.append(
            {
                "stage": stage,
                "speakers": speakers(stage, order, now),
                "candidates": list(now),
                "tied": list(leaders(cast, now)),
            }
        )
        if then.step not in ("pk", "off_field", "revote"):
            break
        stage, now = then.step, then.seats
    return {"stages": stages} | _result(then, lot)


def _result(then: Next, lot: int | None) -> dict[str, Any]:
    if then.step == "lot":
        if lot not in then.seats:
            raise ValueError(f"a lot among {then.seats} is needed, not {lot}")
        return {"result": "out", "seat": lot}
    if then.step == "out":
        return {"result": "out", "seat": then.seats[0]}
    return {"result": then.step}


def verdict(
    options: Options, alive: Sequence[int], ballots: Ballots, lot: int | None = None, revote: Ballots | None = None
) -> dict[str, list[int]]:
    """The single ruling `tally`: who is out after one vote, or one vote and its revote."""
    then = following(options, "vote", alive, ballots)
    if then.step == "revote" and revote is not None:
        then = following(options, "revote", then.seats, revote)
    tied = list(then.seats) if then.step != "out" else []
    out = {"out": list(then.seats), "all": list(then.seats)}.get(then.step, [])
    if then.step == "lot" and lot is not None:
        if lot not in then.seats:
            raise ValueError(f"a lot among {then.seats} is needed, not {lot}")
        out = [lot]
    return {"out": out, "tied": tied}
