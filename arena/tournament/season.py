"""The season: what must be the same for games to be pooled, within a run and over several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tianhei.arena.tournament.plan import Plan, PlanError
from tianhei.arena.tournament.results import Row


class Kind(NamedTuple):
    """A player on boards of one kind, on which it is asked in one way."""

    player: str
    lang: str
    variant: str
    arm: str

    def __str__(self) -> str:
        arm = "" if self.arm == "full" else f", arm {self.arm}"
        return f"{self.player} (language {self.lang}, wording {self.variant}{arm})"


@dataclass(frozen=True, slots=True)
class Season:
    """Rules by table, as a hash, and what every player was asked with, as the transcripts say."""

    tables: Mapping[str, str]
    asked: Mapping[Kind, str]

    @property
    def id(self) -> str:
        """A short hash over all of it."""
        asked = sorted((tuple(kind), how) for kind, how in self.asked.items())
        return sha256(repr((sorted(self.tables.items()), asked)).encode()).hexdigest()[:16]

    def unlike(self, other: Season) -> Iterator[str]:
        """What another season differs in."""
        here, there = self._named(), other._named()
        for name in dict.fromkeys((*here, *there)):
            if name not in there or name not in here:
                yield f"{name} is in {'the first' if name in here else 'the other'} alone"
            elif here[name] != there[name]:
                yield f"{name}: {here[name]} in the first, {there[name]} in the other"

    def _named(self) -> dict[str, str]:
        """All of it, tables first, in an order that is always the same."""
        tables = {f"table {name}": rules for name, rules in sorted(self.tables.items())}
        return {**tables, **{str(kind): how for kind, how in sorted(self.asked.items())}}


def season_of(plan: Plan, rows: Iterable[Row]) -> Season:
    """The season of a run. PlanError where one player was asked in two ways on boards of one kind."""
    asked: dict[Kind, str] = {}
    for one in rows:
        board = one.game.board
        for name, how in one.asked.items():
            key = Kind(name, board.lang, str(board.variant), one.game.arm)
            if asked.setdefault(key, how) != how:
                raise PlanError(
                    f"{one.game.id}: {name} was asked otherwise than in the games before it, and unlike games are not "
                    f"pooled: here {how}, there {asked[key]}; play it again with one of them in a run of its own"
                )
    return Season({table.name: table.rules.hash for table in plan.tables}, asked)


def pooled(runs: Sequence[tuple[Path, Plan, Sequence[Row]]]) -> tuple[Plan, list[Row]]:
    """Several runs as one: a plan that names them all, and their rows. PlanError unless season and boards allow it."""
    (first, plan, rows), *others = runs
    season, boards, served = season_of(plan, rows), {one.cluster: first for one in rows}, _served(rows)
    for folder, other, found in others:
        theirs = season_of(other, found)
        if season.id != theirs.id:
            differences = list(season.unlike(theirs))
            more = f"; and {len(differences) - 3} more differences" if len(differences) > 3 else ""
            raise PlanError(
                f"{first} and {folder} are of two seasons ({season.id}, {theirs.id}), and unlike games are not pooled: "
                f"{'; '.join(differences[:3])}{more}; report each alone"
            )
        if "focal" in plan.tracks and list(other.pool) != list(plan.pool):
            raise PlanError(
                f"{first} and {folder} have other pools ({', '.join(plan.pool)}; {', '.join(other.pool)}), and a seat "
                "among one is not pooled with a seat among another: report each alone"
            )
        for model, names in _served(found).items():
            if served.setdefault(model, names) != names:
                raise PlanError(
                    f"{model} was answered by {' and '.join(sorted(served[model]))} in the runs up to {folder}, and by "
                    f"{' and '.join(sorted(names))} there; what one model played is not pooled with what another did: "
                    "report each alone"
                )
        for one in found:
            if boards.setdefault(one.cluster, folder) != folder:
                raise PlanError(
                    f"{boards[one.cluster]} and {folder} have boards in common (as board {one.game.board.number} at "
                    f"{one.game.board.table.name}), which would count twice: play one of them with another seed"
                )
    plans = [one for _, one, _ in runs]
    merged = plan.model_copy(update={
        "name": " + ".join(dict.fromkeys(one.name for one in plans)),
        "hash": " + ".join(dict.fromkeys(one.hash for one in plans)),
        "beacon": " + ".join(dict.fromkeys(one.beacon for one in plans)) if all(one.beacon for one in plans) else "",
        "anchors": {name: seat for one in plans for name, seat in one.anchors.items()},
        "arms_every": max(one.arms_every for one in plans),
    })  # fmt: skip
    return merged, [one for _, _, found in runs for one in found]


def _served(rows: Iterable[Row]) -> dict[str, frozenset[str]]:
    """By model that was asked: all that its endpoint said had answered, where it said so."""
    found: dict[str, frozenset[str]] = {}
    for one in rows:
        for model, costs in one.costs.items():
            if costs.served:
                found[model] = found.get(model, frozenset()) | set(costs.served)
    return found
