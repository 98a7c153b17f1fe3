"""Votes as rows: who voted for whom, what it knew, and what came of the vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.events import Ballots, Called, Demanded, Event, Foreign, Hand, Tied, VotedOut
from tianhei.arena.roles import Seat
from tianhei.transcripts.columns.knowing import Knowing
from tianhei.transcripts.columns.story import Story


@dataclass(slots=True)
class Cast:
    """One ballot of a voter, with what it knew when it was cast: living seats, good ones and killers among them."""

    place: int
    target: Seat | None
    void: bool
    order: int | None
    living: tuple[Seat, ...]
    known: tuple[int, int]
    source: str | None


@dataclass(slots=True)
class Vote:
    """One vote of a game, with its ballots by voter and what it led to."""

    day: int
    stage: str
    candidates: tuple[Seat, ...] | None
    cast: dict[Seat, Cast] = field(default_factory=dict)
    tied: bool = False
    out: list[Seat] = field(default_factory=list)


def votes(story: Story) -> Iterator[tuple[Any, ...]]:
    """The rows of the table of votes."""
    for number, vote in enumerate(_Votes(story).read(), start=1):
        out = vote.out[0] if len(vote.out) == 1 else None
        candidates = None if vote.candidates is None else list(vote.candidates)
        for seat, cast in vote.cast.items():
            yield (
                story.game, vote.day, vote.stage, number, seat, cast.target, cast.void, candidates, len(cast.living),
                story.killers_among(cast.living), *cast.known, cast.order, vote.tied, out,
                _claimed(story, vote.day, cast.place, seat), cast.source,
            )  # fmt: skip


def _claimed(story: Story, day: int, place: int, voter: Seat) -> bool:
    """Whether anybody else had asserted something that day."""
    return any(before < place and on == day and seat != voter for before, on, seat in story.assertions)


class _Votes:
    """Folds the events of a game to its votes."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._one_by_one = story.is_ours and story.rules.vote_form.startswith("after_speech")
        self._knowing = Knowing(story)
        self._living = tuple(story.seats)
        self._candidates: tuple[Seat, ...] | None = None
        self._defence = False
        self._hands: dict[Seat, int] = {}
        self._called = 0
        self._votes: list[Vote] = []

    def read(self) -> list[Vote]:
        """All votes, in order."""
        gone = self._story.gone
        for place, wave, event in self._story.told:
            self._knowing.add(event)
            if place in gone:
                self._leave(event, gone[place])
            self._add(place, wave, event)
        return self._votes

    def _leave(self, event: Event, gone: list[Seat]) -> None:
        if isinstance(event.body, VotedOut | Foreign) and self._votes and self._votes[-1].day == event.day:
            self._votes[-1].out += gone
        self._living = tuple([seat for seat in self._living if seat not in gone])

    def _add(self, place: int, wave: int, event: Event) -> None:
        match event.body:
            case Called(stage="hands"):
                self._called += 1
            case Called(stage=str(stage), seats=seats):
                if stage in ("speeches", "defence"):
                    self._candidates = seats
                self._defence = stage == "defence"
                self._hands, self._called = {}, 0
            case Hand(by=by):
                self._hands[by] = self._called
            case Demanded(seats=seats, honoured=True):
                self._candidates = seats
            case Ballots() as ballots:
                self._cast(place, wave, event.day, ballots)
            case Tied(seats=seats):
                self._candidates = seats
                if self._votes:
                    self._votes[-1].tied = True
            case _:
                pass

    def _cast(self, place: int, wave: int, day: int, ballots: Ballots) -> None:
        joins = self._one_by_one and self._defence and self._votes and self._votes[-1].day == day
        if not joins:
            self._votes.append(Vote(day, ballots.stage, self._candidates))
        vote = self._votes[-1]
        targets = self._secret(wave, day, ballots) if ballots.ballots is None else ballots.ballots
        for seat, target in [*targets.items(), *((seat, None) for seat in ballots.void)]:
            order = self._hands.get(seat)
            if self._one_by_one and self._defence:
                order = len(vote.cast) + 1
            vote.cast[seat] = Cast(
                place, target, seat in ballots.void, order, self._living, self._knowing.of(seat, self._living),
                self._story.sources.get((wave, seat)),
            )  # fmt: skip

    def _secret(self, wave: int, day: int, ballots: Ballots) -> Mapping[Seat, Seat | None]:
        """Who voted for whom where the table saw only totals: from the replies, in the order in which they came."""
        return {
            found.seat: reply.answer.target
            for number, found, reply in self._story.replies
            if not found.night and found.day == day and not reply.answer.absent
            and (number == wave if not self._defence else number <= wave)
            and found.kind in ("vote", "speech_and_vote")
        }  # fmt: skip
