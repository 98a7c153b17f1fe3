"""The minimum protocol of a benchmark that is to be published, point by point, and what a plan lacks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tianhei.arena.tournament.plan import Arm, Plan
from tianhei.arena.tournament.power import RANKING_BOARDS

TABLES = ("bench-10", "bench-13b")
ANCHORS = ("uninformed", "reveal-police", "scripted-liar", "solver")
CONTROLS: tuple[Arm, ...] = ("mute", "claims_only", "renamed", "claims_off")
LEAST_SHARE = 4
"""Controls are played on every so many boards at least."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point: what it asks, and what a plan lacks of it (None: the plan cannot show it; the text says how to)."""

    asks: str
    lacks: Callable[[Plan], Iterator[str]] | None = None


def _tables(plan: Plan) -> Iterator[str]:
    names = {table.name for table in plan.tables}
    yield from (f"the table {name}" for name in TABLES if name not in names)


def _entries(plan: Plan) -> Iterator[str]:
    for name, seat in plan.players.items():
        if not seat.is_model:
            yield f"a language model for {name}"
        elif not seat.is_local:
            if seat.max_tokens is None:
                yield f"max_tokens for {name}"
            if seat.temperature is None and seat.effort is None:
                yield f"temperature or effort for {name}"


def _seeds(plan: Plan) -> Iterator[str]:
    if not plan.beacon:
        yield "a beacon: publish the hash of `tianhei bench plan`, then write a public random value of later into it"


def _opponents(plan: Plan) -> Iterator[str]:
    yield from (f"the anchor {name}" for name in ANCHORS if name not in plan.anchors)
    models = [seat for seat in plan.players.values() if seat.is_model]
    if len(models) < 3:
        yield f"{3 - len(models)} more models: an entry and two to compare it with"
    if not any(seat.is_local for seat in models):
        yield "a model of open weights, known by its file's hash (local/NAME)"
    if "duplicate" not in plan.tracks:
        yield "the track duplicate"
    if plan.count < RANKING_BOARDS:
        yield f"boards = {RANKING_BOARDS} at least (it has {plan.count})"
    if len(plan.variants) < 3:
        yield "variants = [1, 2, 3]"
    if len(plan.languages) < 2:
        yield 'languages = ["en", "zh"]'


def _controls(plan: Plan) -> Iterator[str]:
    yield from (f"the arm {arm}" for arm in CONTROLS if arm not in plan.arms)
    if plan.arms_every > LEAST_SHARE:
        yield f"arms_every = {LEAST_SHARE} at most"


def _nothing(plan: Plan) -> Iterator[str]:
    yield from ()


POINTS: Mapping[int, Point] = {
    1: Point("Rules: bench-10, the headline table, and bench-13b; their hashes are printed.", _tables),
    2: Point("An entry is a model's dated snapshot with route, effort, temperature and output cap; anything else is "
             "another entry.", _entries),
    3: Point("Gate, published: 60 rule questions (90 %), 100 probes (98 % usable), refusals up to 2 % in any role, "
             "16 k tokens of context. Show it with: tianhei exam PLAYER; tianhei doctor PLAYER."),
    4: Point("The plan's hash is published first; the seeds follow from it and a public random value of later.",
             _seeds),
    5: Point("Opponents: the anchors (lines, not fitted) and two models at least, one of open weights; 40 boards and "
             "both sides against each, over three wordings and two languages.", _opponents),
    6: Point("A pilot of 20 boards, each game five times over: how far games of a board agree, draw rate and win "
             "rates, then the number of boards. Show it with a plan of boards = 20 and replicates = 5."),
    7: Point("Controls on a quarter of the boards: mute, claims_only, renamed, claims_off.", _controls),
    8: Point("Primary: the difference of overall ratings, killers and good side alike in weight, as played. All pairs "
             "after Holm's correction; everything else is description. Every report is made so.", _nothing),
    9: Point("Intervals with a certificate of coverage (python -m tournament), tiers for ranks, nobody ranked where a "
             "missing answer may have decided more than 5 % of the games. Every report is made so.", _nothing),
    10: Point("The bundle is published: plan, transcripts, results, and the one command that rebuilds every number. "
              "That is the run's folder, and tianhei bench report.", _nothing),
}  # fmt: skip


def protocol(plan: Plan | None) -> Iterator[str]:
    """The protocol in lines; with a plan also what it lacks."""
    missing = 0
    for number, point in POINTS.items():
        yield f"{number:>2}. {point.asks}"
        if plan is not None:
            found = None if point.lacks is None else list(point.lacks(plan))
            missing += bool(found)
            yield "    by hand" if found is None else f"    LACKS {'; '.join(found)}" if found else "    met"
    if plan is not None:
        met = sum(point.lacks is not None for point in POINTS.values()) - missing
        yield f"{plan.name}: {met} points met, {missing} lacking, {len(POINTS) - met - missing} to be shown by hand"
