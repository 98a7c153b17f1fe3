"""Replies in labelled lines, and as plain talk before a choice; made by a grammar and then spoiled."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from reading.case import ANY, Case, label
from reading.grammar import LONE_TAGS, TAGS, ended, object_instead, rival
from reading.spellings import choose, named
from reading.texts import SECRET, prose
from tianhei.prompts.compose import Asked
from tianhei.prompts.replies import CHOICES, STANCES

Lines: TypeAlias = list[tuple[str, str]]
FORMS = ("{}: ", "{}:", "{}：", "{} : ", "**{}**: ", "**{}:** ", "- {}: ", "* {}: ", "1. {}: ", "### {}: ", "> {}: ",
         "_{}_: ", "**{}: ", "`{}`：", "  {}:\t", "- **{}:** ", "\u3000{}：")  # fmt: skip
PRIVATE = ("THINK", "Reasoning", "analysis", "分析", "思考", "Plan", "thoughts")


def line_case(rng: Random, asked: Asked) -> Case:
    """A reply to this question in labelled lines, or what was to be one."""
    if rng.random() < 0.1:
        return object_instead(rng, asked)
    case = Case(rng, asked)
    if set(asked.fields) - {*CHOICES} == {"say"} and rng.random() < 0.7:
        return ended(_talk(case))
    lines = _lines(case)
    for keep in sorted(rng.sample(KEEPING, rng.choice((0, 0, 1, 2))), key=KEEPING.index):
        case.made.append(keep.__name__)
        keep(case, lines)
    spoil = rng.choice(SPOILING_LINES) if case.one_in(4) else None
    if spoil:
        case.made.append(spoil.__name__)
        spoil(case, lines)
    case.text = _joined(case, lines)
    _around(case, lines)
    if case.fate == "must" and case.one_in(3):
        spoil_text = rng.choice(SPOILING_TEXT)
        case.made.append(spoil_text.__name__)
        spoil_text(case)
    return ended(case)


def _lines(case: Case) -> Lines:
    lines: Lines = []
    for name in case.asked.fields:
        match name:
            case "say" | "to_team":
                case.said = _plain(case)
                lines.append((name, case.said))
            case "thought" | "note":
                lines.append((name, case.secret()))
            case "stance":
                lines.append((name, case.rng.choice(STANCES)))
            case "about":
                lines.append((name, label(case.asked, 0)))
            case _:
                lines.append((name, choose(case, in_lines=True)))
    case.thought, case.note = dict(lines).get("thought"), dict(lines).get("note")
    return lines


def _plain(case: Case) -> str:
    """A speech in which no line begins like a field."""
    return case.speech(plain=True).replace("vote: S1", "vote S1")


def _name(case: Case, name: str) -> str:
    return case.rng.choice((name, name.upper(), name.title(), name.replace("_", " ")))


def _joined(case: Case, lines: Lines) -> str:
    form, end = case.rng.choice(FORMS), case.rng.choice(("\n", "\n", "\n\n", "\r\n", "\n \n"))
    return end.join(form.format(_name(case, name)) + value for name, value in lines)


def _around(case: Case, lines: Lines) -> None:
    """Prose before the first line or after a choice, fences, reasoning."""
    rng, talk = case.rng, set(case.asked.fields) <= {"say", *CHOICES}
    if case.one_in(5) and lines and lines[-1][0] in CHOICES:
        case.text += "\n" + prose(rng)
    elif case.one_in(20):
        case.finish = "length"
        case.never("truncated")
    if case.one_in(5) and not talk:
        case.text = prose(rng) + "\n" + case.text
    if case.one_in(5):
        case.text = rng.choice(("```\n", "```text\n")) + case.text + "\n```"
    if case.one_in(5):
        thought = f"{case.secret()}\nSAY: {SECRET}\nVOTE: S1\nTARGET: S2\n"
        tag = rng.choice(TAGS)
        reasoned = (f"<{tag}>{thought}</{tag}>", thought + rng.choice(LONE_TAGS))
        case.made.append("reasoning")
        case.text = rng.choice(reasoned) + "\n" + case.text


# What keeps the meaning.


def _order(case: Case, lines: Lines) -> None:
    case.rng.shuffle(lines)


def _again(case: Case, lines: Lines) -> None:
    """The same choice once more."""
    for name, value in list(lines):
        if name in ("vote", "target"):
            other = named(case, case.named, True) if isinstance(case.named, int) and case.fate == "must" else value
            lines.append((name, str(other)))


def _musing(case: Case, lines: Lines) -> None:
    """An earlier line that begins like the choice and names nothing."""
    if case.choice:
        lines.insert(0, (case.choice, case.rng.choice((f"who? {SECRET}", "S1 or S2?", f"not S1, {SECRET}", "?"))))


def _private_line(case: Case, lines: Lines) -> None:
    """A thought under a name of the model's own, after the words."""
    lines.insert(case.rng.randint(1, len(lines)) if lines else 0, (case.rng.choice(PRIVATE), case.secret()))


def _not_asked(case: Case, lines: Lines) -> None:
    """Fields of other questions."""
    names = [name for name in ("target", "vote", "note", "to_team", "claims") if name not in case.asked.fields]
    lines.append((case.rng.choice(names), f"S1 {SECRET}"))


def _empty_fields(case: Case, lines: Lines) -> None:
    for place, (name, _) in enumerate(lines):
        if name in ("thought", "note", "about"):
            lines[place] = (name, "")
            case.thought = None if name == "thought" else case.thought
            case.note = None if name == "note" else case.note


def _no_private(case: Case, lines: Lines) -> None:
    lines[:] = [(name, value) for name, value in lines if name in (*CHOICES, "say", "to_team")]
    case.thought = case.note = None


KEEPING: Sequence[Callable[[Case, Lines], None]] = (
    _order, _again, _musing, _private_line, _not_asked, _empty_fields, _no_private,
)  # fmt: skip


# What spoils it.


def _missing(case: Case, lines: Lines) -> None:
    gone = case.rng.choice([name for name in (case.choice, case.words) if name])
    lines[:] = [(name, value) for name, value in lines if name != gone]
    case.never("unreadable", "empty")


def _other_choice(case: Case, lines: Lines) -> None:
    """A second line of choice with another label, perhaps within a thought."""
    if case.choice and case.fate == "must":
        other = rival(case)[case.choice]
        other = ", ".join(other) or "nobody" if isinstance(other, list) else other
        lines.insert(case.rng.randint(0, len(lines)), (case.choice, other))
        case.never("ambiguous", "illegal")


def _other_words(case: Case, lines: Lines) -> None:
    if case.words:
        lines.insert(case.rng.randint(0, len(lines)), (case.words, f"{SECRET} something else"))
        case.never("ambiguous", "illegal")


def _on_next_line(case: Case, lines: Lines) -> None:
    if case.choice and case.fate == "must":
        lines[:] = [(name, "\n" + value if name == case.choice else value) for name, value in lines]
        if case.choice != "targets" or dict(lines)["targets"].strip():
            case.never("unreadable", "illegal", "ambiguous")


def _other_sign(case: Case, lines: Lines) -> None:
    """A choice without the colon, or with its name in quotes or inside a sentence."""
    if case.choice:
        form = case.rng.choice(
            ("{} {}", "{} = {}", "{} - {}", '"{}": {}', "I {}: {}", "my {}: {}", "{}d: {}", "x{}: {}")
        )
        lines[:] = [("", form.format(name, value)) if name == case.choice else (name, value) for name, value in lines]
        case.never("unreadable")


def _object_beside(case: Case, lines: Lines) -> None:
    if case.fate == "must" and (case.said.strip() or not case.words):
        broken = any("{" in value for _, value in lines)
        lines.append(("claims", json.dumps(rival(case))))
        (case.may if broken else case.never)("ambiguous", "illegal")


def _all_in_words(case: Case, lines: Lines) -> None:
    if case.words:
        torn = json.dumps({"thought": SECRET, "say": "Hello"}, indent=case.rng.choice((None, 1)))[:-2]
        lines[:] = [(name, torn if name == case.words else value) for name, value in lines]
        case.never("unreadable", "illegal", "ambiguous")


def _run_on(case: Case, lines: Lines) -> None:
    """A thought behind the words, on the same line."""
    name = case.rng.choice(("THOUGHT", "THINK", "NOTE", "REASONING", "VOTE"))
    if case.words:
        more = f" {name}: {SECRET}"
        lines[:] = [(each, value.strip() + more if each == case.words else value) for each, value in lines]
        case.never("unreadable", "illegal", "ambiguous")


SPOILING_LINES: Sequence[Callable[[Case, Lines], None]] = (
    _missing, _other_choice, _other_words, _on_next_line, _other_sign, _object_beside, _all_in_words, _run_on,
)  # fmt: skip


def _unbalanced(case: Case) -> None:
    text = case.text
    if "reasoning" in case.made:
        return
    case.text = case.rng.choice(
        (f"<think>{SECRET}\n{text}", f"{text}\n<think>{SECRET}", f"{text}\n</think>",
         f"<think>a</think>{text}</think>b", f"{SECRET}</think>{SECRET}</think>\n{text}",
         f"<think>{SECRET}<reasoning>\n{text}</think>\n</reasoning>")
    )  # fmt: skip
    case.never("unreadable", "empty")


def _broken_off(case: Case) -> None:
    case.text = case.text[: case.rng.randrange(len(case.text))] if case.text else ""
    case.finish = "length" if "reasoning" in case.made or case.finish == "length" or case.one_in(2) else "stop"
    case.cuttable = True
    (case.may if case.finish == "stop" else case.never)(*ANY)


def _noise(case: Case) -> None:
    letters = list(case.text[:5000])
    for _ in range(case.rng.choice((1, 2, 5))):
        place = case.rng.randrange(len(letters)) if letters else 0
        letters[place : place + 1] = case.rng.choice(([], [case.rng.choice('":,{} <>/*`')], letters[place : place + 2]))
    text = "".join(letters) + case.text[5000:]
    if text.count("\n") == case.text.count("\n") and not case.words:
        case.text, case.noisy = text, True
        case.may(*ANY)


def _nothing(case: Case) -> None:
    case.text = case.rng.choice(("", " \n", f"<think>{SECRET}</think>", f"{SECRET}</think>\n"))
    case.never("empty")


SPOILING_TEXT: Sequence[Callable[[Case], None]] = (_unbalanced, _broken_off, _broken_off, _noise, _nothing)


# Talk.


def _talk(case: Case) -> Case:
    """Words without a label, and the choice after them, where one is asked for."""
    case.made.append("talk")
    case.said = _plain(case)
    if not case.said.strip():
        case.never("unreadable", "empty")
    if any(mark in case.said for mark in ("```", "<b>", "**", "{")):
        case.may("unreadable")
    choice = f"\n{_name(case, case.choice)}: {choose(case, in_lines=True)}" if case.choice else ""
    case.text = case.said + choice
    if case.one_in(3):
        case.made.append("spoiled talk")
        case.text = case.rng.choice(
            (f"<musing>{SECRET}</musing> {case.text}", f"**Reasoning**\n{SECRET}\n**Speech**\n{case.text}",
             f"Thought: {SECRET}\n{case.text}", f'{{"thought": "{SECRET}", {case.text}',
             f"## Plan\n{SECRET}\n{case.text}", f"```json\n{SECRET}\n{case.text}", f"分析：{SECRET}\n{case.text}",
             f"<|im_start|>{SECRET}{case.text}", f"（内心：{SECRET}）{case.text}", f"[Thinking] {SECRET} {case.text}")
        )  # fmt: skip
        case.never("unreadable", "illegal", "ambiguous", "empty")
    elif case.one_in(3):
        case.text = case.secret() + case.rng.choice(LONE_TAGS) + "\n" + case.text
    elif case.one_in(5):
        _unbalanced(case)
    elif case.one_in(5) and case.fate == "must":
        _broken_off(case)
    return case
