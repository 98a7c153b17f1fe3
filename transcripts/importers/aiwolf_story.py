"""A game of the AIWolf server as its logs tell it, and how that is written down; the logs are read in `aiwolf`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tianhei.arena.events import (
    JUDGE,
    Acted,
    Agreed,
    Ballots,
    Called,
    Checked,
    Dawn,
    Over,
    Phase,
    Resolved,
    Revealed,
    Stage,
    Stated,
    VotedOut,
    Winner,
)
from tianhei.arena.roles import Role, Seat
from tianhei.transcripts.importers.common import Book, Player

CONTROL = frozenset(("Skip", "Over", "ForceSkip"))
"""Words by which an agent, or the server for it, says nothing."""
_WINNERS: Mapping[str, Winner] = {"VILLAGER": "good", "WEREWOLF": "killers"}
_DAYTIME = frozenset(("talk", "vote", "execute"))
"""What belongs to the day; what follows the last of it belongs to the night."""


class Record(NamedTuple):
    """One thing that happened, whichever log tells it."""

    day: int
    kind: str
    by: Seat | None = None
    target: Seat | None = None
    text: str = ""
    turn: int = 0
    done: bool = True
    """Of an attack: whether it killed."""
    time: float | None = None
    raw: str | None = None
    seconds: float | None = None
    error: str = ""
    data: Mapping[str, Any] = {}


@dataclass(slots=True)
class Story:
    """What a log tells: who sits where, what happened, how it ended."""

    players: dict[Seat, Player] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    winner: str | None = None
    survivors: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    tells_errors: bool = False
    """Whether it tells of every request that an agent did not answer; of talks and whispers each log does."""
    dead: dict[int, set[Seat]] = field(default_factory=dict)
    """By day, who was dead when it began."""


class Writer:
    """Tells the records as events; a ballot gathers votes until somebody votes again or something else happens."""

    def __init__(self, book: Book, story: Story) -> None:
        self._book = book
        self._story = story
        self._wolves = [seat for seat, player in sorted(story.players.items()) if player.card == "werewolf"]
        self._alive = set(story.players)
        self._ballot: dict[Seat, Seat | None] = {}
        self._void: list[Seat] = []
        self._ballots = 0
        self._killed: dict[int, Seat | None] = {}
        """By the day that a night follows, whom the attack killed."""
        self._night = -1
        self._day = 0

    def write(self) -> Mapping[str, Any] | None:
        """Write all of it; the end, where there is one."""
        days: dict[int, list[Record]] = defaultdict(list)
        for record in self._story.records:
            days[record.day].append(record)
        players = self._story.players
        self._book.deal(min(days, default=0), [players[seat] for seat in sorted(players)])
        for day in sorted(days):
            self._one_day(day, days[day])
        return self._over()

    def _one_day(self, day: int, records: list[Record]) -> None:
        self._day, self._ballots = day, 0
        last = max((place for place, record in enumerate(records) if record.kind in _DAYTIME), default=-1)
        for place, record in enumerate(records):
            if record.kind != "vote" and (self._ballot or self._void):
                self._count()
            if place > last and record.kind not in ("status", "medium", "error") and self._night != day:
                self._night = day
                self._book.close()
                self._book.tell(day + 1, "night", Called(stage="night"))
            self._tell(record, night=place > last)
        self._count()
        self._book.close()

    def _tell(self, record: Record, *, night: bool) -> None:
        phase: Phase = "night" if night else "day"
        match record.kind:
            case "status":
                self._dawn(record.day)
            case "talk":
                self._talk(record)
            case "whisper":
                self._whisper(record, record.day + 1 if night else record.day, phase)
            case "vote":
                self._vote(record)
            case "execute" if record.target is not None:
                self._alive.discard(record.target)
                self._book.tell(record.day, "vote", VotedOut(record.target))
            case "medium":
                audience = (record.by,) if record.by else ()
                self._book.foreign(record.day, "day", "medium_result", record.data, audience)
            case "error":
                self._book.foreign(record.day, "day", "error", {"by": record.by, "error": record.error})
            case _:
                self._at_night(record)

    def _source(self, record: Record) -> str:
        if record.text == "ForceSkip":
            return "fallback:ForceSkip"
        return f"fallback:{record.error}" if record.error else "agent"

    def _asked(self, record: Record, request: str, day: int, phase: Phase) -> None:
        """What is known of the request beside its answer."""
        if record.seconds is None and record.raw is None and not record.data:
            return
        seconds = {} if record.seconds is None else {"seconds": record.seconds}
        named = {"answer": record.raw} if record.raw is not None and record.target is None and not record.text else {}
        if seconds or record.data or named:
            self._book.foreign(day, phase, "request", {"request": request, **seconds, **record.data, **named})

    def _talk(self, record: Record) -> None:
        assert record.by is not None
        silent = record.text in CONTROL
        request = self._book.say(
            record.day, "day", record.by, "" if silent else record.text, number=record.turn + 1,
            source=self._source(record), raw=record.raw if record.raw is not None else record.text, time=record.time,
            accounted=True,
        )  # fmt: skip
        self._asked(record, request, record.day, "day")

    def _whisper(self, record: Record, day: int, phase: Phase) -> None:
        assert record.by is not None
        when = f"n{day}" if phase == "night" else f"d{day}"
        said = record.raw if record.raw is not None else record.text
        request = self._book.answer(
            when, "whisper", record.by, {"text": said}, number=record.turn + 1, source=self._source(record),
            accounted=True,
        )  # fmt: skip
        text = "" if record.text in CONTROL else record.text
        self._book.tell(day, phase, Stated(record.by, None, text, record.turn + 1), self._pack())
        self._asked(record, request, day, phase)
        self._book.close(record.time)

    def _vote(self, record: Record) -> None:
        assert record.by is not None
        if record.by in self._ballot or record.by in self._void:
            self._count()
        if record.target is None:
            self._void.append(record.by)
        else:
            self._ballot[record.by] = record.target
        request = self._book.answer(
            f"d{record.day}", "vote", record.by, _named(record.target), number=self._ballots + 1,
            source=self._source(record), accounted=self._story.tells_errors,
        )  # fmt: skip
        self._asked(record, request, record.day, "vote")

    def _count(self) -> None:
        """Close the ballot. A second one of a day is a revote."""
        if self._ballot or self._void:
            stage: Stage = "round" if self._ballots == 0 else "revote"
            self._book.tell(self._day, "vote", Ballots(stage, dict(self._ballot), void=tuple(self._void)))
            self._book.close()
            self._ballot, self._void, self._ballots = {}, [], self._ballots + 1

    def _pack(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._wolves if seat in self._alive)

    def _at_night(self, record: Record) -> None:
        night, by, target = record.day + 1, record.by, record.target
        book = self._book
        if record.kind == "attack":
            self._attack(record)
            return
        assert by is not None
        kind = {"attackVote": "kill", "divine": "check", "guard": "guard"}[record.kind]
        request = book.answer(
            f"n{night}", kind, by, _named(target), source=self._source(record), accounted=self._story.tells_errors
        )
        self._asked(record, request, night, "night")
        if target is None:
            return
        match record.kind:
            case "attackVote":
                book.tell(night, "night", Stated(by, target, "", 1), self._pack())
            case "guard":
                book.foreign(night, "night", "guard", {"by": by, "target": target}, (by,))
            case _:
                book.tell(night, "night", Acted("check", target), (by,))
                if record.text:
                    sign = "nod" if record.text == "WEREWOLF" else "shake"
                    book.tell(night, "night", Checked(target, sign), (by,))

    def _attack(self, record: Record) -> None:
        night, target = record.day + 1, record.target
        self._book.tell(night, "night", Agreed("kill", target), self._pack())
        actions = {} if target is None else {"kill": target}
        died = target is not None and record.done
        deaths: dict[Seat, tuple[str, ...]] = {target: ("kill",)} if target is not None and died else {}
        saved = (target,) if target is not None and not died else ()
        self._book.tell(night, "night", Resolved(actions, deaths, saved), JUDGE)
        self._killed[record.day] = target if died else None
        if died and target is not None:
            self._alive.discard(target)

    def _dawn(self, day: int) -> None:
        """The morning: the night's dead. Whoever is dead by the log and fell by nothing in it is told apart."""
        if day > 0 and (self._night == day - 1 or day - 1 in self._killed):
            self._book.close()
            killed = self._killed.get(day - 1)
            self._book.tell(day, "dawn", Dawn(() if killed is None else (killed,)))
        for seat in sorted(self._story.dead.get(day, set()) & self._alive):
            self._alive.discard(seat)
            self._book.unread(day, "dawn", "status", {f"seat {seat}": "DEAD"})
        self._book.close()

    def _over(self) -> Mapping[str, Any] | None:
        story, book = self._story, self._book
        if story.survivors:
            book.foreign(self._day, "over", "survivors", story.survivors)
        winner = _WINNERS.get(story.winner or "")
        if winner is None:
            if story.winner:
                book.foreign(self._day, "over", "result", {"winner": story.winner})
            return None
        book.tell(self._day, "over", Over(winner, ""))
        cards = tuple(Role.named(story.players[seat].card) for seat in sorted(story.players))
        book.tell(self._day, "over", Revealed(cards))
        book.close()
        return {"winner": winner, "reason": "", "day": self._day}


def _named(target: Seat | None) -> Mapping[str, Any]:
    """The answer that names a seat; without one the agent could not be had."""
    return {"absent": True} if target is None else {"target": target}
