"""Replies as JSON objects, made by a grammar, in all the ways that keep their meaning."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from reading.case import Case, label, seats
from reading.spellings import choose, spelled
from reading.texts import LONG, SECRET, prose
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import STANCES

Values: TypeAlias = dict[str, Any]
TAGS = ("think", "thinking", "reasoning", "THINK", "Thinking", "thought", "reflection", "analysis", "seed:think",
        "antThinking", "思考")  # fmt: skip
LONE_TAGS = ("</think>", "</THINK>", "</think >", "</thinking>", "</seed:think>", "[/THINK]", "◁/think▷",
             "<|end_of_thought|>", "<|END_THINKING|>", "<|channel|>final<|message|>")  # fmt: skip
PAIRS = (("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷"), ("<|begin_of_thought|>", "<|end_of_thought|>"),
         ("<|START_THINKING|>", "<|END_THINKING|>"), ("< think >", "</think>"), ('<think mode="deep">', "</think>"),
         ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"))  # fmt: skip
FENCES = (("```json\n", "\n```"), ("```\n", "\n```"), ("```JSON\n", "\n```\n"), ("`", "`"), ("~~~\n", "\n~~~"))


def object_instead(rng: Random, asked: Asked) -> Case:
    """An object in answer to a question that asked for lines."""
    case = Case(rng, asked)
    values = fields(case)
    for keep in rng.sample(KEEPING, rng.choice((0, 1, 2))):
        keep(case, values)
    case.text = spelled_object(case, values)
    return ended(case)


def fields(case: Case) -> Values:
    """A value for every field that is asked for; the case learns what they say."""
    values: Values = {}
    for name in case.asked.fields:
        match name:
            case "say" | "to_team":
                values[name] = _words(case)
            case "thought" | "note":
                values[name] = case.secret()
            case "stance":
                values[name] = case.rng.choice(STANCES)
            case "about":
                values[name] = label(case.asked, 0)
            case "claims":
                values[name] = _claims(case)
            case _:
                values[name] = choose(case)
    case.thought, case.note = values.get("thought"), values.get("note")
    return values


def _words(case: Case) -> Any:
    if case.one_in(40):
        return None
    case.said = case.speech()
    return case.said


def _claims(case: Case) -> Any:
    """Claims, and what is none among them."""
    if case.one_in(12):
        return case.rng.choice((None, "none", {}, 3, True))
    said: list[Any] = []
    good: list[Any] = []
    for place in range(case.rng.choice((0, 0, 1, 2, 3, 9))):
        seat = case.rng.choice(seats(case.asked))
        claim: Values = {"kind": "accuse", "seat": label(case.asked, seat), "what": "killer", "night": str(place)}
        if case.one_in(3):
            claim |= case.rng.choice(_no_claims(case))
        elif len(said) < case.asked.limits["claims"]:
            good.append(("accuse", seat, "killer", place))
        said.append(claim)
    if case.one_in(10):
        said += case.rng.sample(("S1", None, 3, [], {}, [["S1"]]), 2)
    case.claims = tuple(good)
    return said


def _no_claims(case: Case) -> list[Values]:
    """What makes a claim none."""
    return [
        {"seat": "S99"}, {"seat": None}, {"seat": []}, {"seat": True}, {"seat": label(case.asked, 0)},
        {"kind": "dance"}, {"kind": ["accuse"]}, {"what": "wizard"}, {"what": {}}, {"night": "-1"},
        {"night": "9" * 5000},
        {"night": "٣"}, {"night": None}, {"night": 1.0},
    ]  # fmt: skip


def rival(case: Case) -> Values:
    """Another reply to the same question: legal, and with another choice or other words."""
    values: Values = {name: case.secret() for name in case.asked.fields}
    if case.words:
        values[case.words] = f"{SECRET} another speech"
    if "claims" in values:
        values["claims"] = [{"kind": "clear", "seat": label(case.asked, 1), "what": "none", "night": "0"}] * 2
    match case.choice:
        case "hand":
            values["hand"] = "down" if case.named else "up"
        case "targets":
            pair = case.asked.request.options[:2]
            values["targets"] = [label(case.asked, seat) for seat in pair] if case.named != pair else []
        case str(name):
            values[name] = label(case.asked, next(s for s in case.asked.request.options if s != case.named))
        case None:
            pass
    return values


def spelled_object(case: Case, values: Values) -> str:
    """The fields as an object, in one of the ways of writing JSON."""
    room = case.rng.choice(("", " ", "\n", "\n  ", "\r\n\t"))
    text = ("," + room).join(f"{json.dumps(name)}:{room[-1:]}{_spelled(case, value)}" for name, value in values.items())
    if case.one_in(4) and "\\\\" not in text:  # as models do, against the rules of JSON
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    if case.one_in(6):
        text = text.replace("<", "\\u003c")
    return "{" + room + text + room + "}"


@dataclass(frozen=True)
class Deep:
    """A value nested so deep that only text can hold it."""

    depth: int


def _spelled(case: Case, value: Any) -> str:
    if not isinstance(value, Deep):
        return spelled(case, value)
    opening, inside, closing = case.rng.choice((("[", "", "]"), ('{"a":', "1", "}")))
    return opening * value.depth + inside + closing * value.depth


def ended(case: Case) -> Case:
    """How the completion ended, where the endpoint says more than that it stopped."""
    if case.one_in(60):
        case.finish = case.rng.choice(("content_filter", "safety"))
        case.fate, case.causes = "never", {"filtered"}
    if case.one_in(60):
        case.refusal = f"{SECRET} I cannot help with killing. \udcad"
        case.fate, case.causes = "never", {"refused"}
    return case


# What keeps the meaning.


def _order(case: Case, values: Values) -> None:
    items = list(values.items())
    case.rng.shuffle(items)
    values.clear()
    values.update(items)


def _more_fields(case: Case, values: Values) -> None:
    values["plan"] = rival(case)
    values["Vote" if case.one_in(2) else "answer"] = case.rng.choice(("S1", 3, None, [rival(case)], {"vote": "S1"}))
    if case.one_in(2000):
        values["moon"] = "x{[" * (LONG // 3)


def _fewer_fields(case: Case, values: Values) -> None:
    wanted = {case.choice, case.words} if case.choice or case.words else {"claims"}
    for name in [name for name in values if name not in wanted]:
        if case.one_in(2):
            del values[name]
            case.thought = None if name == "thought" else case.thought
            case.note = None if name == "note" else case.note
            case.claims = None if name == "claims" else case.claims


def _odd_private(case: Case, values: Values) -> None:
    for name in ("thought", "note"):
        if name in values:
            values[name] = case.rng.choice((None, 3, True, [SECRET], {"say": SECRET}, rival(case)))
            setattr(case, name, None)


def around(case: Case, body: str, *, tagged: bool) -> None:
    """Prose, fences, other objects, reasoning: on both sides of the object."""
    rng = case.rng
    before, after = [], []
    for _ in range(rng.choice((0, 0, 1, 2))):
        match rng.randrange(9):
            case 0 | 1:
                before.append(prose(rng))
            case 2 | 3:
                after.append(prose(rng))
            case 4:
                before.append(
                    rng.choice(("\ufeff", "[", "[" * 10_000, "}]", "Some {braces}", "{}", "{ }", "<|im_start|>"))
                )
            case 5:
                after.append(rng.choice(("}", "]", "}}" * rng.choice((1, 5000)), " {x}", ']}, {"type": "object"}',
                                         "{}", "{ x}" * 3000, "<|im_end|>")))  # fmt: skip
            case 6:
                after.append(body)
            case 7:
                before.append('{"type": "object", "example": ' + json.dumps(rival(case)) + "}")
            case _:
                opening, closing = rng.choice(FENCES)
                before.append(opening)
                after.insert(0, closing)
    if tagged and case.one_in(3):
        _reasoning(case, before, after)
    join = rng.choice((" ", "\n", "\n\n"))
    case.text = join.join((*reversed(before), case.text, *after))
    if case.one_in(12):
        case.finish = rng.choice(("length", "max_tokens"))
        if "".join(after).strip(" \n`]}~"):
            case.may("truncated")
    case.made += [*(["before"] if before else []), *(["after"] if after else [])]


def _reasoning(case: Case, before: list[str], after: list[str]) -> None:
    case.made.append("reasoning")
    thought = case.secret() + _draft(case) + case.secret() * (LONG // 40 if case.one_in(5000) else 1)
    if case.one_in(3):
        case.made.append("lone")
        before.append(thought + case.rng.choice(LONE_TAGS))
    elif case.one_in(2):
        tag = case.rng.choice(TAGS)
        inner = f"<{tag}>{case.secret()}</{tag.upper()}>" if case.one_in(3) else ""
        before.append(f"<{tag}>{thought}{inner}{thought}</{tag}>")
    else:
        opening, closing = case.rng.choice(PAIRS)
        (before if case.one_in(2) else after).append(opening + thought + closing)


def _draft(case: Case) -> str:
    return json.dumps(rival(case), ensure_ascii=False) if case.one_in(2) else ""


def _tag_in_words(case: Case, values: Values) -> None:
    """Reasoning inside the words, perhaps behind escapes."""
    if case.words and isinstance(values[case.words], str):
        tag = case.rng.choice(TAGS)
        case.said = f"{values[case.words]} after"
        values[case.words] = f"<{tag}>{SECRET}</{tag}>{values[case.words]}<{tag}>{SECRET} {SECRET}</{tag}> after"
        case.spaced = True


def _elsewhere(case: Case, values: Values) -> None:
    case.reasoning = case.secret() + json.dumps(rival(case))


KEEPING: Sequence[Callable[[Case, Values], None]] = (
    _order,
    _more_fields,
    _fewer_fields,
    _odd_private,
    _elsewhere,
    _tag_in_words,
)
