"""Nasty replies of any size: the time to read one must grow no faster than the reply."""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from reading.questions import DEFENCE, TALK, VOTE, in_lines
from tianhei.agents.reading import Fault, read
from tianhei.arena.player import Completion
from tianhei.prompts.compose import Asked

MEGABYTE = 1 << 20
MOST = 3.0
"""How much more time twice the reply may take. It should be twice; clocks are rough, and other work slows readings."""
LEAST = 0.005
"""Seconds; what is read faster says nothing about growth."""
TRIES = 6
ASKED: tuple[Asked, ...] = (VOTE, DEFENCE, in_lines(DEFENCE), TALK)


def _repeated(text: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + text * (size // len(text)) + after


def _nested(opening: str, closing: str) -> Callable[[int], str]:
    def nest(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        return opening * depth + closing * depth

    return nest


def _one_string(name: str, text: str) -> Callable[[int], str]:
    return lambda size: json.dumps({"say": "a", "vote": "S4", name: text * (size // len(text))}, ensure_ascii=False)


FAMILIES: Mapping[str, Callable[[int], str]] = {
    "words": _repeated("word "),
    "one word": _repeated("x"),
    "white space": _repeated(" \n"),
    "white space in an object": _repeated(" ", '{"vote":', '"S4"}'),
    "braces": _repeated("{"),
    "braces of prose": _repeated("{x} "),
    "braces and room": _repeated("{   "),
    "brackets": _repeated("[", '{"vote": '),
    "nested lists": _nested("[", "]"),
    "nested objects": _nested('{"vote": ', "}"),
    "closing braces": _repeated("}"),
    "objects": _repeated('{"vote": "S4"} '),
    "objects with words": _repeated('{"say": "a", "vote": "S4"}\n'),
    "other objects": _repeated('{"type": 1}\n'),
    "keys": _repeated('"vote": "S4", ', "{", '"say": "a"}'),
    "keys that differ": _repeated('"vote": "S4", "vote": "S5", ', "{", '"say": "a"}'),
    "broken strings": _repeated('{"thought": "'),
    "quotes": _repeated('"'),
    "backslashes": _repeated("\\", '{"vote": "'),
    "fences": _repeated("```json\n"),
    "tags that open": _repeated("<think>"),
    "tags that close": _repeated("</think>"),
    "tags in pairs": _repeated("<think></think>"),
    "tags that cross": _repeated("<think><reasoning></think></reasoning>"),
    "nested tags": _nested("<think>", "</think>"),
    "tags that never end": _repeated("<think "),
    "angles": _repeated("<"),
    "angles and names": _repeated("<|seed:seed:seed:"),
    "a long thought": _one_string("thought", "x"),
    "a long speech": _one_string("say", "One sentence. "),
    "a speech without room": _one_string("say", "字"),
    "a speech of room": _one_string("say", " "),
    "a speech of objects": _one_string("say", '{"thought: '),
    "a speech of tags": _one_string("say", "<think>a</think>"),
    "a long note": _one_string("note", "word "),
    "a long label": _one_string("vote", "S4"),
    "a label of zeros": _one_string("vote", "0"),
    "a label of room": _one_string("vote", "S "),
    "a label of labels": _one_string("vote", "S4 or "),
    "a label of colours": _one_string("vote", "\x1b["),
    "digits": _repeated("4", '{"vote": ', "}"),
    "claims": _repeated('{"kind": "role", "seat": "S1"},', '{"say": "a", "vote": "S4", "claims": [', "1]}"),
    "half characters": _one_string("say", "\ud83d"),
    "labelled choices": _repeated("VOTE: S4\n"),
    "labels without choices": _repeated("VOTE: \n"),
    "labelled words": _repeated("SAY: a\n"),
    "labels that differ": _repeated("SAY: a\nVOTE: S4\nVOTE: S5\n"),
    "bullets": _repeated("- ", "", "SAY: a\nVOTE: S4"),
    "stars": _repeated("*", "", "SAY: a\nVOTE: S4"),
    "empty lines": _repeated("\n", "SAY: a", "VOTE: S4"),
    "headings": _repeated("**a\n", "", "VOTE: S4"),
    "talk": _repeated("I say. ", "", "\nVOTE: S4"),
    "control characters": _repeated("\x00\x1b\u202e"),
}


def growth(name: str, size: int = MEGABYTE, questions: Sequence[Asked] = ASKED, *, tries: int = 1) -> float:
    """By how much the time of reading grows when this family's reply is doubled: the worst of all questions.

    Measured from a quarter of the size to all of it, where what is linear and what is not lie further apart; what
    looks too much is measured again. What looks even is believed after so many ``tries``.
    """
    short, long = FAMILIES[name](size // 4), FAMILIES[name](size)
    return max(_growth(short, long, asked, tries) for asked in questions)


def _growth(short: str, long: str, asked: Asked, tries: int) -> float:
    shorter = longer = float("inf")
    for done in range(1, TRIES + 1):
        shorter, longer = min(shorter, _seconds(short, asked)), min(longer, _seconds(long, asked))
        if done >= tries and longer <= shorter * MOST * MOST:
            break
    return math.sqrt(max(longer, LEAST) / max(shorter, LEAST))


def _seconds(text: str, asked: Asked) -> float:
    gc.disable()
    began = time.process_time()
    with suppress(Fault):
        read(Completion(text), asked)
    taken = time.process_time() - began
    gc.enable()
    return taken
