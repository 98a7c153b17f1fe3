"""The two arms of a what-if: the same game from one cut, with a change and without, as many times over.

Repeat number r of both arms goes on under the seed ``SEED~r``: the lots to come and the luck of every player are others
than in the parent and than in other repeats, and the same in both arms. A model's own sampling is its endpoint's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tianhei.agents.roster import SeatPlan
from tianhei.arena.budget import Budget
from tianhei.arena.events import Winner
from tianhei.arena.host import Clock, Host
from tianhei.arena.pool import Endpoints
from tianhei.arena.roles import Seat
from tianhei.arena.seating import Seating, plans_of, program, theme_of
from tianhei.prompts.vocabulary import Lang
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.fork import Fork, Parent, Words
from tianhei.transcripts.game import load
from tianhei.transcripts.header import Header, SeatSpec

ArmName = Literal["changed", "unchanged"]
ARMS: Sequence[ArmName] = ("changed", "unchanged")
AT_ONCE = 8
"""Games with models that are under way at the same time."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is otherwise in the changed arm: new minds in ``seats``, or words that were never said.

    Both arms keep the parent's first ``waves`` waves.
    """

    waves: int
    seats: Mapping[Seat, SeatPlan]
    deleted: Words | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How one game of an arm ended, and where it is kept."""

    path: Path
    winner: Winner
    days: int


def seed_of(parent: Header, repeat: int) -> str:
    """The seed under which a repeat goes on from the cut."""
    return f"{parent.seed}~{repeat}"


class Arms:
    """Both arms of one change. ``folder`` holds a transcript for each repeat of either; what is there is kept."""

    def __init__(self, parent: Parent, change: Change, folder: Path, repeats: int) -> None:
        self.parent = parent
        self.change = change
        self.folder = folder
        self.repeats = repeats

    def path(self, arm: ArmName, repeat: int) -> Path:
        """Where a game's transcript is."""
        return self.folder / f"{arm}-{repeat:03}.jsonl"

    async def play(
        self, endpoints: Endpoints, clock: Clock, budgets: Sequence[Budget] = ()
    ) -> Mapping[ArmName, list[Ended]]:
        """Play all that is not finished; how the games of each arm ended, by repeat."""
        gate = asyncio.Semaphore(AT_ONCE)
        plans = {arm: self._plans(arm) for arm in ARMS}
        header = self.parent.recorded.header
        lang: Lang = "zh" if header.lang == "zh" else "en"
        seatings = {arm: Seating(plans[arm], lang, endpoints, theme_of(header)) for arm in ARMS}
        started = clock.stamp()
        names: list[tuple[ArmName, int]] = [(arm, repeat) for arm in ARMS for repeat in range(1, self.repeats + 1)]

        async def one(arm: ArmName, repeat: int) -> Ended:
            async with gate:
                seating = seatings[arm]
                fork = self._fork(arm, repeat, seating.specs(), started, program(plans[arm].values()))
                host = Host(self._begin(arm, repeat, fork), None, seating.sitters(), clock=clock, budgets=budgets)
                outcome = await host.play()
                return Ended(self.path(arm, repeat), outcome.winner, host.views.record.day)

        tasks = [asyncio.ensure_future(one(arm, repeat)) for arm, repeat in names]
        try:
            ended = await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
        return {arm: [game for (of, _), game in zip(names, ended, strict=True) if of == arm] for arm in ARMS}

    def _plans(self, arm: ArmName) -> dict[Seat, SeatPlan]:
        """Who sits where: as in the parent, but for what is changed."""
        plans = plans_of(self.parent.recorded.header, self.parent.path)
        return plans | dict(self.change.seats) if arm == "changed" else plans

    def _fork(self, arm: ArmName, repeat: int, specs: Sequence[SeatSpec], started: str, by: str) -> Fork:
        """A game of an arm, at the cut; seats that are not changed stand in its header as in the parent's."""
        was = self.parent.recorded.header
        changed = self.change.seats if arm == "changed" else {}
        seats = tuple(specs[seat - 1] if seat in changed else spec for seat, spec in enumerate(was.seats, start=1))
        header = replace(was, seed=seed_of(was, repeat), seats=seats, started=started, program=by)
        return self.parent.fork(self.change.waves, header, self.change.deleted if arm == "changed" else None)

    def _begin(self, arm: ArmName, repeat: int, fork: Fork) -> Path:
        """The file of a game, written if it is not there. TranscriptError if it holds something else."""
        path = self.path(arm, repeat)
        if not path.exists():
            fork.write(path)
            return path
        found = load(path).header
        if replace(found, started=fork.header.started, program=fork.header.program) != fork.header:
            raise TranscriptError(f"{path}: it holds another game; name another folder with --out")
        return path
