"""What spoils a reply that was a JSON object: fields that are wrong, text that is no longer one object."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from reading.case import ANY, Case
from reading.grammar import Deep, Values, rival
from reading.texts import SCRIPTS, SECRET, prose


def _missing(case: Case, values: Values) -> None:
    name = case.rng.choice([name for name in (case.choice, case.words) if name] or ["claims"])
    del values[name]
    case.never("unreadable")


def _renamed(case: Case, values: Values) -> None:
    for name in [name for name in (case.choice, case.words) if name] or ["claims"]:
        values[case.rng.choice((name.upper(), f"{name}_", f" {name}", f"{name}s", f"my_{name}"))] = values.pop(name)
    case.never("unreadable")


def _words_of_a_kind(case: Case, values: Values) -> None:
    if case.words:
        values[case.words] = case.rng.choice((3, 0, True, ["a"], {"text": SECRET}, [], 1.5, {}))
        case.never("unreadable")


def _words_with_all(case: Case, values: Values) -> None:
    if case.words:
        whole = {"thought": SECRET, **rival(case)}
        values[case.words] = case.rng.choice(("", "Here: ")) + json.dumps(whole, indent=case.rng.choice((None, 1)))
        case.never("unreadable")


def _torn_tag_in_words(case: Case, values: Values) -> None:
    if case.words:
        values[case.words] = case.rng.choice((f"Hello <think>{SECRET}", f"<think {SECRET}", f"＜think＞{SECRET}a",
                                              f"&lt;think&gt;{SECRET}", f"a<think>{SECRET}</think>b</think>c",
                                              f"<think>{SECRET}", f"<think>{SECRET}<reasoning></think>a"))  # fmt: skip
        case.never("unreadable", "empty")


def _deep(case: Case, values: Values) -> None:
    depth = case.rng.choice((101, 200, 900, 1000, 10_000))
    name = case.rng.choice([*values, "moon"])
    case.never("unreadable", "illegal", "ambiguous")
    values[name] = Deep(depth)


def _another(case: Case, values: Values, body: str) -> None:
    other = json.dumps(rival(case), ensure_ascii=False)
    lone = "lone" in case.made  # what stands before its text is reasoning
    case.text = f"{case.text} {other}" if lone or case.one_in(2) else f"{other}\n{case.text}"
    case.never("ambiguous", "unreadable", *(("truncated",) if case.finish != "stop" else ()))


def _twice(case: Case, values: Values, body: str) -> None:
    """A key of the answer twice, with different values."""
    name = case.rng.choice([name for name in (case.choice, case.words) if name] or [""])
    if not name:
        return
    other = f"{json.dumps(name)}: {json.dumps(rival(case)[name])}"
    spoiled = case.rng.choice(("{" + other + ", " + body[1:], body[:-1] + ", " + other + "}"))
    case.text = case.text.replace(body, spoiled)
    case.never("ambiguous", "unreadable")


def _within(case: Case, values: Values, body: str) -> None:
    """The whole reply inside another object, a string or a broken object."""
    inside = case.rng.choice(
        (
            f'{{"answer": {body}}}',
            f'{{"a": [{body}]}}',
            json.dumps(body),
            f'{{"thought": "{SECRET} {body} x"}}',
            f'{{"thought": "he said "no"", "plan": {body}, "x": 1}}',
            f"{{'plan': {body}}}",
            f"{{'thought': '}}', 'plan': {body}}}",
            f'{{thought: "}}", plan: {body}}}',
            f'"x": 1, "plan": {body}, "y": 2}}',
            f"{{ {body} }}",
            f'{{"plan": {body}',
        )
    )
    case.text = case.text.replace(body, inside)
    case.never("unreadable", "ambiguous")


def _no_json(case: Case, values: Values, body: str) -> None:
    """What looks like an object and is none."""
    quoted = case.rng.choice(("'", "“", "`", ""))
    spoiled = case.rng.choice(
        (body.replace('"', quoted), body.replace(":", "=", 1), body[:-1] + ',,"x": 1}', body.replace("{", "(", 1),
         body[:-1] + "," * 3 + "}", body.replace('"', '\\"'), body[1:-1])
    )  # fmt: skip
    case.text = case.text.replace(body, spoiled)
    case.never("unreadable", "ambiguous")


def _unclosed(case: Case, values: Values, body: str) -> None:
    stray = case.rng.choice(("{ x" * 3, "{" * 10_000, "{ x" * 3000, "{{", "{(" * 4, "{'", "{`"))
    last = {"lone", "after"} & {*case.made}  # before them, reasoning would hide it or braces close it
    case.text = f"{case.text} {stray}" if last or case.one_in(2) else f"{stray} {case.text}"
    case.never("unreadable", "ambiguous")


def _other_json(case: Case, values: Values, body: str) -> None:
    case.text = case.rng.choice(("null", "42", '"S1"', '["S1"]', "[]", "{}", "true", '[["vote", "S1"]]', "[" * 10_000,
                                 "{" * 10_000, '{"vote": ' * 3000, "NaN", '{"vote"', '{"vote":', "\x00"))  # fmt: skip
    case.never("unreadable")


def _prose_only(case: Case, values: Values, body: str) -> None:
    sentences = case.rng.choice(SCRIPTS)
    case.text = case.rng.choice(
        (prose(case.rng), " ".join(sentences), f"vote: S1\nsay: {SECRET}", f"VOTE: S2 {SECRET}")
    )
    case.never("unreadable")


def _nothing(case: Case, values: Values, body: str) -> None:
    if case.one_in(3):
        case.text = '{\n "say":' + " \n" * case.rng.choice((5, 7000))
        case.never("unreadable")
    else:
        case.text = case.rng.choice(("", " ", "\n\n", "\t" * 5000, f"<think>{SECRET}</think>", f"{SECRET}</think>"))
        case.never("empty")


def unbalanced(case: Case, values: Values, body: str) -> None:
    """Tags that do not balance: nobody can tell what is private."""
    text = case.text
    case.text = case.rng.choice(
        (f"<think>{SECRET} {text}", f"{text}<think>{SECRET}", f"{text}</think>", f"<think>a</think>{text}</think>b",
         f"<think>{SECRET}<reasoning>{text}</think>{SECRET}</reasoning>", f"<think>{SECRET}</reasoning>{text}",
         f"<THINK>{SECRET}{text}", f"[THINK]{SECRET}\n{text}", f"{SECRET}</think>{SECRET}</think>{text}",
         f"<think><think>{SECRET}</think>{text}", f"{SECRET}</think>{text}<think>",
         f"<|channel|>analysis{SECRET}{text}")
    )  # fmt: skip
    case.never("unreadable", "empty")


def _broken_off(case: Case, values: Values, body: str) -> None:
    lone = "lone" in case.made
    end = case.text.index(body) if lone and case.one_in(2) else len(case.text)
    case.text = case.text[: case.rng.randrange(end)] if end else ""
    case.finish = "length" if lone or case.one_in(2) else "stop"
    if lone and body not in case.text:
        case.text = case.text.rstrip(
            " \n`]}"
        )  # a thought whose end is lost and that ends as an answer would: it is one
    (case.may if body in case.text else case.never)(*ANY)


def _noise(case: Case, values: Values, body: str) -> None:
    """Single characters lost, doubled, swapped or put in."""
    if case.spaced or case.fate == "never":
        return  # without their tags, those thoughts would be words; and what is wrong might come right
    letters = list(case.text[:5000])
    for _ in range(case.rng.choice((1, 2, 5))):
        place = case.rng.randrange(len(letters)) if letters else 0
        letters[place : place + 1] = case.rng.choice(
            ([], [case.rng.choice('"{}[]:,\\ \n<>/`')], letters[place : place + 2])
        )
    case.text = "".join(letters) + case.text[5000:]
    case.noisy = True
    case.may(*ANY)


SPOILING_VALUES: Sequence[Callable[[Case, Values], None]] = (
    _missing, _renamed, _words_of_a_kind, _words_with_all, _torn_tag_in_words, _deep,
)  # fmt: skip
SPOILING_TEXT: Sequence[Callable[[Case, Values, str], None]] = (
    _another, _twice, _within, _no_json, _unclosed, _other_json, _prose_only, _nothing, unbalanced,
    _broken_off, _broken_off, _noise,
)  # fmt: skip
