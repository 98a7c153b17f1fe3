"""The rules over standard input and output, one JSON request and one JSON reply a line: what UCI is to chess engines.

Single rulings are stateless; one whole game at a time is held between `start` and its end. A bad line gets an error
and changes nothing. See ``docs/protocol.md``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from tianhei.arena.chance import Deal, Given, Keyed, NoLotLeft, deal
from tianhei.arena.forms import FORMS, PLAYERS, ROLES, RULES, SEAT, BadRequest, Field, Form, needed, rules_of, shown
from tianhei.arena.referee import Differs, Referee, Wave, replay
from tianhei.arena.requests import RefusedAnswer, answer_from_json
from tianhei.arena.rules.options import RulesError
from tianhei.arena.rules.presets import USUAL_PLAYERS
from tianhei.arena.rules.setups import NoSetup, custom, written
from tianhei.arena.rulings import RULINGS, Must, role_named
from tianhei.arena.view import Views
from tianhei.transcripts.file import from_bytes, to_bytes

Reply = dict[str, Any]


def _are_waves(value: Any) -> bool:
    return type(value) is list and all(
        type(wave) is dict
        and type(wave.get("answers", {})) is dict
        and type(wave.get("events", [])) is list
        and (place == 0 or "answers" in wave)
        for place, wave in enumerate(value)
    )


_TABLE: Mapping[str, Field] = {
    "rules": RULES, "roles": ROLES, "players": PLAYERS,
    "seed": Field("a whole number or a text", lambda value: type(value) in (int, str)),
    "lots": Field("a list of seats", lambda value: type(value) is list and all(map(SEAT.fits, value))),
}  # fmt: skip
_WAVES = Field("a list of waves, each an object with answers and events", _are_waves)
_FIELDS_OF: Mapping[str, Mapping[str, Field]] = {
    "start": _TABLE,
    "answer": {
        "request": needed(Field("a request's id", lambda value: value is None or type(value) is str)),
        "answer": Field('an object, such as {"target": 3}', lambda value: value is not None, needed=True),
    },
    "view": {"seat": needed(SEAT)},
    "waves": {},
    "replay": {**_TABLE, "waves": needed(_WAVES)},
}
"""The fields of each command of a whole game, beside ``cmd`` and ``id``; an answer is read by `answer_from_json`."""
_FORMS = {**FORMS, **{name: Form.of(name, fields) for name, fields in _FIELDS_OF.items()}}


class Session:
    """One client's conversation: single rulings, and at most one game."""

    def __init__(self) -> None:
        self._referee: Referee | None = None
        self._views: Views | None = None
        self._started: Mapping[str, Any] = {}
        self._commands: dict[str, Callable[[Mapping[str, Any]], Reply]] = {
            **RULINGS,
            "start": self._start,
            "answer": self._answer,
            "view": self._view,
            "waves": self._waves,
            "replay": self._replay,
        }

    def line(self, raw: bytes) -> bytes:
        """The reply to one line, both without their newline."""
        try:
            data = from_bytes(raw)
        except ValueError as error:
            return to_bytes(_error("bad_json", f"this line is not JSON: {error}"))
        if not isinstance(data, dict):
            return to_bytes(_error("bad_request", "a request is an object with a cmd"))
        reply = self.reply(data)
        if "id" in data:
            reply["id"] = data["id"]
        try:
            return to_bytes(reply)
        except RecursionError:
            return to_bytes(_error("bad_request", "id is nested too deep: give a number or a text"))

    def reply(self, data: Mapping[str, Any]) -> Reply:
        """The reply to one request; every error is a value."""
        name = data.get("cmd")
        try:
            if not isinstance(name, str) or name not in self._commands:
                return _error("unknown_cmd", f"unknown cmd {shown(name)}; there are {', '.join(self._commands)}")
            _FORMS[name].check(data)
            return {"ok": True, **self._commands[name](data)}
        except Must as error:
            return _error("must_vote", str(error), seats=error.seats)
        except RefusedAnswer as error:
            return _error(error.code, str(error))
        except NoSetup as error:
            return _error("no_setup", str(error))
        except RulesError as error:
            return _error("bad_rules", str(error))
        except NoLotLeft as error:
            return _error("needs_lot", str(error))
        except BadRequest as error:
            return _error("bad_request", str(error))
        except Differs as error:
            return _error("differs", str(error))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
            return _error("bad_request", "this request cannot be read: see docs/protocol.md")

    def _start(self, data: Mapping[str, Any]) -> Reply:
        self._referee, self._views = _new_game(data)
        self._started = data
        return {"pending": _pending(self._referee), "events": _events(self._referee.waves[0])}

    def _answer(self, data: Mapping[str, Any]) -> Reply:
        referee, views = self._game()
        try:
            wave = referee.answer(data["request"], answer_from_json(data["answer"]))
        except NoLotLeft:
            self._restore(referee, data["request"])
            raise
        if wave is not None:
            views.add(wave.events)
        return {"events": _events(wave), "pending": _pending(referee), "outcome": _outcome(referee, views)}

    def _restore(self, before: Referee, failed: str) -> None:
        """Have the game again as it was before an answer that needed a lot which cannot be drawn."""
        referee, views = _new_game(self._started)
        for wave in before.waves[1:]:
            for request, answer in zip(wave.requests, wave.answers, strict=True):
                referee.answer(request.id, answer)
            views.add(wave.events)
        for name, answer in before.taken.items():
            if name != failed:
                referee.answer(name, answer)
        self._referee, self._views = referee, views

    def _view(self, data: Mapping[str, Any]) -> Reply:
        referee, views = self._game()
        seat = data["seat"]
        if seat > referee.players:
            raise BadRequest(f"seat {seat} is not one of 1 to {referee.players}")
        own = [request.to_json() for request in referee.pending if request.seat == seat]
        return {"events": views.of(seat).to_json(), "pending": own}

    def _waves(self, data: Mapping[str, Any]) -> Reply:
        referee, _ = self._game()
        return {"waves": [_wave(wave) for wave in referee.waves]}

    def _replay(self, data: Mapping[str, Any]) -> Reply:
        """Rebuild a game from its recorded waves; the first may be the opening one, which has no answers."""
        referee, views = _new_game(data)
        recorded = list(data["waves"])
        if recorded and not recorded[0].get("answers"):
            _compare(0, referee.waves[0], recorded.pop(0))
        answers = ({name: answer_from_json(answer) for name, answer in wave["answers"].items()} for wave in recorded)
        for number, wave in enumerate(replay(referee, answers), start=1):
            _compare(number, wave, recorded[number - 1])
            views.add(wave.events)
        self._referee, self._views, self._started = referee, views, data
        return {"waves": len(referee.waves), "pending": _pending(referee), "outcome": _outcome(referee, views)}

    def _game(self) -> tuple[Referee, Views]:
        if self._referee is None or self._views is None:
            raise BadRequest("no game has been started: send start first")
        return self._referee, self._views


def _new_game(data: Mapping[str, Any]) -> tuple[Referee, Views]:
    rules, usual = rules_of(data)
    seed = 0 if data.get("seed") is None else data["seed"]
    if data.get("roles"):
        dealt = Deal(tuple([role_named(rules.game, name) for name in data["roles"]]))
    else:
        players = data.get("players") or usual or USUAL_PLAYERS[rules.game]
        dealt = deal(written(rules, players)[0], seed)
    keyed = Keyed(seed)
    referee = Referee(rules, dealt, Given(data["lots"], keyed) if data.get("lots") else keyed)
    counts = custom(
        rules, {role: dealt.roles.count(role) for role in dealt.roles}
    )  # in the rules' order, not the deal's
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    return referee, views


def _pending(referee: Referee) -> list[Reply]:
    return [request.to_json() for request in referee.pending]


def _events(wave: Wave | None) -> list[Reply]:
    return [event.to_json() for event in wave.events] if wave else []


def _wave(wave: Wave) -> Reply:
    answers = {
        request.id: answer.to_json(request.kind) for request, answer in zip(wave.requests, wave.answers, strict=True)
    }
    return {"answers": answers, "events": _events(wave)}


def _outcome(referee: Referee, views: Views) -> Reply | None:
    if referee.outcome is None:
        return None
    return {"winner": referee.outcome.winner, "reason": referee.outcome.reason, "day": views.record.day}


def _compare(number: int, wave: Wave, recorded: Mapping[str, Any]) -> None:
    if "events" not in recorded:
        return
    now = from_bytes(to_bytes(_events(wave)))
    for place, (new, old) in enumerate(zip(now, recorded["events"], strict=False)):
        if new != old:
            raise Differs(f"wave {number}, event {place}: now {new}, recorded {old}")
    if len(now) != len(recorded["events"]):
        raise Differs(f"wave {number}: {len(now)} events now, {len(recorded['events'])} recorded")


def _error(code: str, message: str, **more: Any) -> Reply:
    return {"ok": False, "error": {"code": code, "message": message, **more}}


def serve(source: int = 0, sink: int = 1) -> None:
    """Answer the lines that arrive at ``source`` until its end; replies to a batch of lines leave together."""
    session = Session()
    rest = b""
    while chunk := os.read(source, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        _write(sink, b"".join(session.line(line) + b"\n" for line in lines if line.strip()))
    if rest.strip():
        _write(sink, session.line(rest) + b"\n")


def _write(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]
