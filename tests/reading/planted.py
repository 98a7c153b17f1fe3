"""Faults planted in the reader, one at a time: the judge must find each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from reading import judge
from reading.numbered import case
from tianhei.agents.reading import Fault, Parts, choices, lines, objects, reasoning, reply, speech
from tianhei.arena.player import Completion, Reply
from tianhei.arena.requests import Answer
from tianhei.prompts.compose import Asked

REPLIES = 10_000
"""Of so many, one must show the fault."""
NEVER = re.compile("(?!)")


class Planted(NamedTuple):
    """What is planted, where, and how it changes what stands there."""

    name: str
    where: Any
    what: str
    change: Callable[[Any], Any]


def found_after(fault: Planted) -> int | None:
    """After how many replies the judge finds it; None if it never does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fault.where, fault.what, fault.change(getattr(fault.where, fault.what)))
        for number in range(REPLIES):
            if any(not what.startswith("an exception") for what in judge.judge(case(number))[1]):
                return number + 1
    return None


def _scanning(read: Any) -> Any:
    """Where no answer can be read, the first option that the text names is taken."""

    def scan(completion: Completion, asked: Asked) -> Reply:
        try:
            found: Reply = read(completion, asked)
        except Fault:
            for label in re.findall(r"S\d+", completion.text):
                if label in asked.options and asked.seats[label]:
                    return Reply(Answer(target=asked.seats[label]), position=asked.options.index(label) + 1)
            raise
        return found

    return scan


def _closing_forgotten(take: Any) -> Any:
    return lambda text: take(text) if "<think" in text.lower() else Parts(text.strip(), "")


def _unbalanced_kept(take: Any) -> Any:
    def keep(text: str) -> Parts:
        try:
            return Parts(*take(text))
        except Fault:
            return Parts(text.strip(), "")

    return keep


def _first_mentioned(seat: Any) -> Any:
    def mentioned(value: Any, asked: Asked, in_lines: bool) -> Any:
        try:
            return seat(value, asked, in_lines)
        except Fault:
            found = re.search(r"[Ss](\d+)", str(value))
            if found is None:
                raise
            return int(found[1])

    return mentioned


def any_object(_: Any) -> Any:
    """What starts anywhere and can be decoded counts, also inside what is broken."""

    def scan(text: str) -> Iterator[objects.Found]:
        place = 0
        while (place := text.find("{", place)) >= 0:
            try:
                found, end = json.JSONDecoder(strict=False).raw_decode(text, place)
            except (ValueError, RecursionError):
                place += 1
                continue
            yield objects.Found(found, place, end)
            place = end

    return scan


def _last_fitting(_: Any) -> Any:
    def last(found: Any, wanted: Any) -> Any:
        fitting = [each.fields for each in found if all(name in each.fields for name in wanted)]
        if not fitting:
            raise Fault("unreadable")
        return fitting[-1]

    return last


def _from_reasoning(read: Any) -> Any:
    def wide(completion: Completion, asked: Asked) -> Any:
        empty = not completion.text.strip() and completion.finish == "stop"
        return read(Completion(completion.reasoning) if empty else completion, asked)

    return wide


def _thought_aloud(said: Any) -> Any:
    def aloud(found: Any, asked: Asked) -> Any:
        text, cut = said(found, asked)
        return (text or str(found.get("thought") or "")[: asked.request.text], cut)

    return aloud


PLANTED = (
    Planted("prose is scanned for a choice", judge, "read", _scanning),
    Planted("a closing tag alone is overlooked", reply, "without_reasoning", _closing_forgotten),
    Planted("tags that do not balance are left", reply, "without_reasoning", _unbalanced_kept),
    Planted("only one kind of tag is known", reasoning, "_TAG",
            lambda _: re.compile("<(?P<end>/)?(?P<name>think)>(?P<final>(?!))?")),
    Planted("tags behind escapes are overlooked", speech, "without_reasoning", lambda _: lambda text: Parts(text, "")),
    Planted("the first label of a value is taken", choices, "_seat", _first_mentioned),
    Planted("a label is read by its beginning", choices, "_SEAT",
            lambda _: re.compile(r"s?([0-9])[0-9]*()", re.IGNORECASE)),
    Planted("digits of any script are read", choices, "_SEAT",
            lambda seat: re.compile(seat.pattern.replace("[0-9]", r"\d"), re.IGNORECASE)),
    Planted("true is seat 1", choices, "_seat",
            lambda seat: lambda value, *more: seat(int(value) if value is True else value, *more)),
    Planted("objects inside objects count", reply, "objects", any_object),
    Planted("what is no JSON is passed over", objects, "_OPENING",
            lambda _: re.compile(r"""\{\s*(?P<json>["}])?(?P<like>(?!))?""")),
    Planted("parts of a lost object count", objects, "_MEMBER", lambda _: NEVER),
    Planted("braces need not be closed", objects, "_past", lambda _: lambda text, start: start + 1),
    Planted("the last of several objects wins", reply, "answering", _last_fitting),
    Planted("the last of two keys wins", objects, "_DECODER", lambda _: json.JSONDecoder(strict=False)),
    Planted("a line feed inside a string is no JSON", objects, "_DECODER", lambda _: json.JSONDecoder()),
    Planted("any depth is read", objects, "DEEPEST", lambda _: 100_000),
    Planted("empty content is read from the reasoning", judge, "read", _from_reasoning),
    Planted("a thought is said where there are no words", reply, "said", _thought_aloud),
    Planted("a whole reply may be said", speech, "_PRIVATE", lambda _: NEVER),
    Planted("speeches are not cut", speech, "shortened", lambda _: lambda text, *limits: text),
    Planted("cuts are not told", reply, "said", lambda said: lambda *given: (said(*given)[0], False)),
    Planted("cuts within a sentence", speech, "to_sentence_end", lambda _: lambda text: text),
    Planted("half characters are let through", speech, "whole", lambda _: lambda text: text),
    Planted("nothing is illegal", reply, "check", lambda _: lambda *given: None),
    Planted("the place in the list is lost", reply, "_position", lambda _: lambda *given: 1),
    Planted("a cap is not seen", reply, "_BROKE_OFF", lambda _: frozenset()),
    Planted("a filter is not seen", reply, "_FILTERED", lambda _: frozenset()),
    Planted("an object counts wherever a reply broke off", reply, "_CLOSING",
            lambda _: "".join(map(chr, range(0x11000)))),
    Planted("the last line wins over others", lines, "_labels", lambda _: lambda *given: iter(())),
    Planted("any talk is a speech", lines, "_NO_TALK", lambda _: NEVER),
    Planted("a thought of another name is said", lines, "_LABEL",
            lambda label: re.compile(re.sub(r"analysis\||reasoning\|", "", label.pattern), label.flags)),
    Planted("a thought on the same line is said", lines, "_RUN_ON", lambda _: NEVER),
    Planted("a label in a line may lack a digit", choices, "_seat",
            lambda seat: lambda value, asked, in_lines: seat(value, asked, False)),
)  # fmt: skip
