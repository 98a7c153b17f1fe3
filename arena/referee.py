"""The referee: the rules as something that publishes requests and takes answers.

It calls no player, reads no clock and touches no file. All answers of a wave are taken before any has an effect, so
the order in which they arrive cannot matter. To resume is to run the same script again over the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tianhei.arena.chance import Chance, Deal
from tianhei.arena.events import JUDGE, Drawn, Event, Handicap, Mates, Note, Over, Revealed, RoleDealt
from tianhei.arena.requests import (
    AlreadyAnswered,
    Answer,
    GameOver,
    Limits,
    RefusedAnswer,
    Request,
    Unknown,
    check,
)  # fmt: skip
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.butterfly import butterfly
from tianhei.arena.rules.classic import classic
from tianhei.arena.rules.options import Classic, Rules, RulesError
from tianhei.arena.rules.setups import custom
from tianhei.arena.rules.victory import Outcome
from tianhei.arena.script import Script
from tianhei.arena.table import Table


class Wave(NamedTuple):
    """Requests that were open together, their answers in the same order, and every event that they caused.

    The first wave of a game has no requests: it holds the deal and what precedes the first question.
    """

    requests: tuple[Request, ...]
    answers: tuple[Answer, ...]
    events: tuple[Event, ...]


HANDICAPS = ("killers",)
"""What a ceiling player may be told beforehand: who the killers are. A game with one is never rated."""


class Differs(ValueError):
    """A replay came to something else than what was recorded; the message names the first difference."""


def game(table: Table, handicaps: Mapping[Seat, str] | None = None) -> Script[Outcome]:
    """The deal, what is told beforehand to seats with a handicap, the game, and what is told at its end."""
    table.tell(JUDGE, Drawn("deal", tuple(sorted(table.roles)), table.roles))
    for seat in table.living:
        table.tell((seat,), RoleDealt(table.role(seat), table.side(seat)))
    for role in (Role.KILLER, Role.POLICE):
        if team := table.who(role):
            table.tell(team, Mates(team))
    for seat in sorted(handicaps or ()):
        table.tell((seat,), Handicap({killer: Role.KILLER.value for killer in table.who(Role.KILLER)}))
    outcome = yield from (classic if isinstance(table.rules, Classic) else butterfly)(table)
    table.phase = "over"
    table.tell_all(Over(outcome.winner, outcome.reason))
    table.tell_all(Revealed(table.roles))
    return outcome


class Referee:
    """One game: ``waves`` are what has happened, ``outcome`` how it ended."""

    def __init__(
        self,
        rules: Rules,
        deal: Deal,
        chance: Chance,
        limits: Limits | None = None,
        handicaps: Mapping[Seat, str] | None = None,
    ) -> None:
        """Deal the cards and open the first wave. RulesError if the table cannot be (R-SETUP), or a handicap."""
        custom(rules, {role: deal.roles.count(role) for role in deal.roles})
        for seat, what in (handicaps or {}).items():
            if what not in HANDICAPS or not 1 <= seat <= len(deal.roles):
                raise RulesError(f"handicap {what!r} of seat {seat}: a seat of this table has {', '.join(HANDICAPS)}")
        self.rules = rules
        self.players = len(deal.roles)
        self.waves: list[Wave] = []
        self.outcome: Outcome | None = None
        self._table = Table(rules, deal, chance, limits)
        self._script = game(self._table, handicaps)
        self.open: dict[str, Request] = {}
        """All requests of the open wave by id, those answered already included."""
        self.taken: dict[str, Answer] = {}
        """The answers of the open wave so far."""
        self._past: set[str] = set()
        self._advance(None)

    def answer(self, request_id: str, answer: Answer) -> Wave | None:
        """Take one answer; the closed wave if it was the last one open, else None.

        Raises Illegal, Unknown, AlreadyAnswered or GameOver, and then nothing has changed.
        """
        request = self.open.get(request_id)
        if request is None:
            raise self._refusal(request_id)
        if request_id in self.taken:
            raise AlreadyAnswered(f"{request_id} has been answered already")
        check(request, answer)
        self.taken[request_id] = answer
        return self._close() if len(self.taken) == len(self.open) else None

    @property
    def pending(self) -> tuple[Request, ...]:
        """The requests that wait for an answer."""
        if not self.taken:
            return tuple(self.open.values())
        return tuple(request for name, request in self.open.items() if name not in self.taken)

    def _refusal(self, request_id: str) -> RefusedAnswer:
        if request_id in self._past:
            return AlreadyAnswered(f"{request_id} has been answered already")
        if self.outcome is not None:
            return GameOver("the game is over")
        return Unknown(f"no request {request_id!r} is open")

    def _close(self) -> Wave:
        requests = tuple(self.open.values())
        answers = tuple([self.taken[name] for name in self.open])
        self._past.update(self.open)
        if any([answer.note for answer in answers]):
            noted = zip(requests, answers, strict=True)
            for seat, text in sorted((request.seat, answer.note) for request, answer in noted if answer.note):
                self._table.tell((seat,), Note(text))
        return self._advance(requests, answers)

    def _advance(self, requests: tuple[Request, ...] | None, answers: tuple[Answer, ...] = ()) -> Wave:
        try:
            opened = next(self._script) if requests is None else self._script.send(answers)
        except StopIteration as stop:
            opened, self.outcome = (), stop.value
        self.open = {request.id: request for request in opened}
        self.taken = {}
        wave = Wave(requests or (), answers, tuple(self._table.events))
        self._table.events = []
        self.waves.append(wave)
        return wave


def replay(referee: Referee, recorded: Iterable[Mapping[str, Answer]]) -> Iterator[Wave]:
    """Give a new referee the recorded answers, and yield each wave as it closes. Differs if one does not fit."""
    for number, answers in enumerate(recorded, start=1):
        expected = {request.id for request in referee.pending}
        if expected != set(answers):
            missing, surplus = sorted(expected - set(answers)), sorted(set(answers) - expected)
            raise Differs(f"wave {number}: asked and not recorded {missing}, recorded and not asked {surplus}")
        for request_id, answer in answers.items():
            try:
                wave = referee.answer(request_id, answer)
            except RefusedAnswer as error:
                raise Differs(f"wave {number}, {request_id}: {error}") from None
            if wave is not None:
                yield wave
