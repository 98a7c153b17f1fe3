"""The words of what is not public: told to one seat or one team in the second person, or to the judge alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tianhei.arena.events import (
    Acted,
    Agreed,
    Checked,
    Drawn,
    Event,
    Flag,
    Foreign,
    Handicap,
    Mates,
    Needled,
    Note,
    Resolved,
    RoleDealt,
    Stated,
)  # fmt: skip
from tianhei.arena.roles import Seat
from tianhei.arena.view import Record
from tianhei.prompts.vocabulary import Vocabulary, quoted

_BRIEF = 100
"""Characters of a part of another game's event that are shown."""


def private(words: Vocabulary, event: Event, record: Record) -> str:
    """What is told to one seat, one team or the judge alone; empty where nothing is."""
    body = event.body
    match body:
        case RoleDealt(role=role, side=side):
            return words.say("told.role", role=words.role(role), side=words.side(side))
        case Mates(seats=seats):
            return words.say("told.mates", seats=words.seats(seats)) if len(seats) > 1 else words.say("told.no_mates")
        case Stated():
            return statement(words, body)
        case Agreed(action=action, target=target) | Acted(action=action, target=target):
            if target is None:
                return words.say(f"acted.{action}_nobody")
            return words.say(f"acted.{action}", seat=words.seat(target))
        case Checked(target=target, answer=answer):
            return _checked(words, target, answer, record)
        case Needled(total=total):
            return words.say("told.needled", count=words.number("count", total))
        case Note(text=text):
            return words.say("told.note", text=quoted(text))
        case Handicap(roles=roles):
            items = [
                words.say("told.handicap_item", seat=words.seat(seat), what=words.say(f"is.{role}"))
                for seat, role in roles.items()
            ]
            return words.say("told.handicap", list=words.listed(items))
        case Drawn():
            return _drawn(words, body)
        case Resolved():
            return _resolved(words, body)
        case Foreign(name=name, data=data):
            return words.say("foreign.event", name=name, data=_brief(data))
        case Flag(seat=seat, rule=rule):
            return words.or_other("flag", rule, seat=words.seat(seat))
        case _:
            return ""


def statement(words: Vocabulary, stated: Stated, *, own: bool = False) -> str:
    """What a member of a team stated in its council; ``own``: told to that very member."""
    whose = "_own" if own else ""
    slots = {} if own else {"by": words.seat(stated.by)}
    slots["saying"] = words.say(f"told.saying{whose}", text=quoted(stated.text)) if stated.text else ""
    if stated.target is None:
        return words.say(f"told.stated{whose}_nobody", **slots)
    return words.say(f"told.stated{whose}", target=words.seat(stated.target), **slots)


def _brief(data: Mapping[str, Any]) -> str:
    """The data of another game's event on one line, its long parts shortened."""
    texts = ((key, quoted(str(value))) for key, value in data.items())
    return ", ".join(f"{key}: {text if len(text) <= _BRIEF else text[:_BRIEF] + '…'}" for key, text in texts)


def _checked(words: Vocabulary, target: Seat, answer: str, record: Record) -> str:
    seat = words.seat(target)
    if answer == "none":
        return words.say("checked.none", seat=seat)
    if answer in ("nod", "shake"):
        return words.say(f"checked.{answer}_{record.rules.game}", seat=seat)
    return words.say("checked.role", seat=seat, what=words.named("is", answer))


def _drawn(words: Vocabulary, drawn: Drawn) -> str:
    if not isinstance(drawn.value, int):
        return words.say("told.drawn_deal", list=words.cards(drawn.value))
    options = words.numbers(int(option) for option in drawn.options)
    purpose = words.or_other("purpose", drawn.purpose)
    return words.say("told.drawn_lot", purpose=purpose, options=options, value=words.seat(drawn.value))


def _resolved(words: Vocabulary, night: Resolved) -> str:
    parts = [words.say(f"resolved.{action}", seat=words.seat(seat)) for action, seat in night.actions.items()]
    dead = [
        words.say("dawn.with_cause", seat=words.seat(seat), causes=words.causes(causes))
        for seat, causes in night.deaths.items()
    ]
    parts.append(words.say("resolved.deaths", list=words.listed(dead)) if dead else words.say("resolved.no_deaths"))
    if night.saved:
        parts.append(words.say("resolved.saved", list=words.seats(night.saved)))
    if night.empty_needles:
        parts.append(words.say("resolved.empty", list=words.seats(night.empty_needles)))
    if night.needles:
        counted = [
            words.say("resolved.needles_item", seat=words.seat(seat), count=words.number("count", count))
            for seat, count in night.needles.items()
        ]
        parts.append(words.say("resolved.needles", list=words.listed(counted)))
    if night.silenced:
        parts.append(words.say("resolved.silenced", list=words.seats(night.silenced)))
    if night.police != "no_check":
        parts.append(words.say(f"resolved.police_{night.police}"))
    if night.voids:
        voids = words.listed(words.say(f"action.{action}") for action in night.voids)
        parts.append(words.say("resolved.voids", list=voids))
    if night.because:
        clauses = words.listed(words.texts.get(f"clause.{name}", name) for name in night.because)
        parts.append(words.say("resolved.because", list=clauses))
    return words.say("resolved.all", list=words.say("write.semicolon").join(parts))
