"""What one seat may know, folded from the events it may see and from nothing else.

The public story is folded once for all seats (`Record`); a `View` joins it with one seat's private events. Players and
prompts are built on views, and never see the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tianhei.arena.chance import Luck, luck_for
from tianhei.arena.events import (
    PUBLIC,
    Acted,
    Agreed,
    Ballots,
    Called,
    Checked,
    Dawn,
    Event,
    Foreign,
    Handicap,
    LastWords,
    Mates,
    Note,
    Over,
    Phase,
    Revealed,
    RoleDealt,
    Silenced,
    Speech,
    Stated,
    Tied,
    VotedOut,
)  # fmt: skip
from tianhei.arena.roles import Counts, Role, Seat, Side, label
from tianhei.arena.rules.options import Rules


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote that was shown: the day, the stage, each voter's choice (None: abstained)."""

    day: int
    stage: str
    ballots: Mapping[Seat, Seat | None]


@dataclass(slots=True)
class Record:
    """The public story so far. ``events`` pairs each public event with its place in that story."""

    rules: Rules
    players: int
    counts: Counts
    living: tuple[Seat, ...]
    events: list[tuple[int, Event]] = field(default_factory=list)
    day: int = 1
    phase: Phase = "deal"
    stage: str = "deal"
    order: tuple[Seat, ...] = ()
    """Today's order of speaking."""
    speakers: tuple[Seat, ...] = ()
    """Who speaks in the present stage, in order."""
    spoken: list[Seat] = field(default_factory=list)
    """Who has spoken in the present stage."""
    anchor: Seat | None = None
    candidates: tuple[Seat, ...] = ()
    silenced: tuple[Seat, ...] = ()
    dead: dict[Seat, tuple[int, str]] = field(default_factory=dict)
    """The dead: the day they left, and how ('night' or 'vote'; in an imported game also 'other')."""
    words_left: int = 0
    speeches: list[tuple[int, Speech | LastWords]] = field(default_factory=list)
    votes: list[Vote] = field(default_factory=list)
    outcome: Over | None = None
    roles: tuple[Role, ...] = ()
    """Every card, once the game is over."""

    @property
    def quota(self) -> int:
        """How many of the dead may leave last words, where that is limited; else -1 (all) or 0 (none)."""
        match self.rules.last_words:
            case "quota":
                return self.counts.get(Role.KILLER, 0)
            case "all":
                return -1
            case _:
                return 0

    def add(self, place: int, event: Event) -> None:
        """Fold one more public event."""
        self.events.append((place, event))
        self.day, self.phase = event.day, event.phase
        match event.body:
            case Speech() as speech:
                self.spoken.append(speech.by)
                self.speeches.append((event.day, speech))
            case LastWords() as words:
                self.words_left = words.number
                self.speeches.append((event.day, words))
            case Ballots(stage=stage, ballots=ballots) if ballots is not None:
                self._add_ballots(event.day, stage, ballots)
            case Called(stage=stage, seats=seats) if stage is not None:
                self._call(stage, seats)
            case Dawn(dead=dead):
                self._leave(dead, "night")
            case VotedOut(seat=seat):
                self._leave((seat,), "vote")
            case Silenced(seats=seats):
                self.silenced = seats
            case Foreign(data={"out": seats}):
                self._leave(seats, "other")
            case Tied(seats=seats):
                self.candidates = seats
            case Over() as over:
                self.outcome = over
            case Revealed(roles=roles):
                self.roles = roles
            case _:
                pass

    def _call(self, stage: str, seats: tuple[Seat, ...]) -> None:
        if stage == "hands":
            return
        self.stage = stage
        if stage == "night":
            self.silenced, self.order, self.speakers, self.spoken, self.candidates = (), (), (), [], ()
        elif stage in ("speeches", "defence"):
            self.order = self.speakers = self.candidates = seats
            self.spoken = []
        elif stage in ("pk", "off_field", "revote", "last_words"):
            self.speakers, self.spoken = seats, []

    def _add_ballots(self, day: int, stage: str, ballots: Mapping[Seat, Seat | None]) -> None:
        last = self.votes[-1] if self.votes else None
        if self.stage == "defence" and last and (last.day, last.stage) == (day, stage):
            self.votes[-1] = Vote(day, stage, {**last.ballots, **ballots})
        elif ballots:
            self.votes.append(Vote(day, stage, ballots))

    def _leave(self, seats: Sequence[Seat], how: str) -> None:
        self.dead.update((seat, (self.day, how)) for seat in seats)
        self.living = tuple(seat for seat in self.living if seat not in seats)


class View:
    """What ``seat`` knows: the public record, and its own private events."""

    def __init__(self, seat: Seat, record: Record, luck: Luck) -> None:
        self.seat = seat
        self.record = record
        self.luck = luck
        self.private: list[tuple[int, Event]] = []
        self.role: Role | None = None
        self.side: Side | None = None
        self.mates: tuple[Seat, ...] = ()
        self.checks: list[tuple[int, Seat, str]] = []
        """Signs of the judge to the police: night, target, answer."""
        self.actions: list[tuple[int, str, Seat | None]] = []
        """Own night actions, and those the own team agreed on: night, action, target."""
        self.statements: list[tuple[int, Stated]] = []
        """What was stated in the own team's councils, with the night."""
        self.note = ""
        self.told_roles: Mapping[Seat, str] = {}
        """Roles told to a ceiling player by a declared handicap."""

    @property
    def rules(self) -> Rules:
        return self.record.rules

    @property
    def players(self) -> int:
        return self.record.players

    @property
    def alive(self) -> bool:
        return self.seat in self.record.living

    @property
    def others(self) -> tuple[Seat, ...]:
        """The living but oneself."""
        return tuple(seat for seat in self.record.living if seat != self.seat)

    @property
    def events(self) -> list[Event]:
        """Everything this seat has seen, in order."""
        return [event for _, event in sorted(self.record.events + self.private, key=lambda item: item[0])]

    def label(self, seat: Seat) -> str:
        return label(seat, self.players)

    def add(self, place: int, event: Event) -> None:
        """Fold one more private event of this seat."""
        self.private.append((place, event))
        match event.body:
            case Stated() as stated:
                self.statements.append((event.day, stated))
            case RoleDealt(role=role, side=side):
                self.role, self.side = role, side
            case Mates(seats=seats):
                self.mates = tuple(seat for seat in seats if seat != self.seat)
            case Checked(target=target, answer=answer):
                self.checks.append((event.day, target, answer))
            case Acted(action=action, target=target) | Agreed(action=action, target=target):
                self.actions.append((event.day, action, target))
            case Note(text=text):
                self.note = text
            case Handicap(roles=roles):
                self.told_roles = roles
            case _:
                pass

    def to_json(self) -> list[dict[str, Any]]:
        """The seat's events as the protocol shows them: numbered by what this seat has seen, and by nothing else."""
        shown = []
        for number, event in enumerate(self.events):
            data = event.to_json()
            del data["audience"]
            shown.append({"seq": number, **data})
        return shown


class Views:
    """The views of all seats of one game, folded together as its events come in."""

    def __init__(self, rules: Rules, counts: Counts, seed: int | str = 0) -> None:
        self.players = sum(counts.values())
        seats = tuple(range(1, self.players + 1))
        self.record = Record(rules, self.players, counts, seats)
        self._views = {seat: View(seat, self.record, luck_for(seed, seat)) for seat in seats}
        self._open_eyes: frozenset[Seat] = frozenset()
        self._place = 0
        """Public events so far, doubled: what is private stands between two of them, and counts nothing hidden."""

    def of(self, seat: Seat) -> View:
        """The view of one seat."""
        return self._views[seat]

    def add(self, events: Iterable[Event]) -> None:
        """Fold the events of a wave."""
        for event in events:
            if event.audience == PUBLIC:
                self._place += 2
                self.record.add(self._place, event)
                if self.record.rules.dead_view == "all" and event.body == Called(stage="night"):
                    self._open_eyes = frozenset(self.record.dead)  # the night's dead have had their last words by then
            else:
                self._add_private(event)

    def _add_private(self, event: Event) -> None:
        audience = event.audience if isinstance(event.audience, tuple) else ()
        for seat in audience:
            self._views[seat].add(self._place + 1, event)
        if not isinstance(event.body, Note):  # a player's own thoughts stay its own, even before open eyes
            for seat in self._open_eyes.difference(audience):
                self._views[seat].private.append((self._place + 1, event))
