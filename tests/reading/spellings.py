"""How a choice may be spelled: in ways that name it, and in ways that name nothing or more than one."""

from __future__ import annotations

import json
from typing import Any

from reading.case import Case, label, seats
from tianhei.arena.roles import Seat

NOBODY = ("nobody", "none", "弃权", "不投", "pass", "Nobody.")
RAISED = ("up", "Up", "UP", True, "true", "yes", "举手", " up ", "**up**", "up.", "是")
LOWERED = ("down", "Down", False, "false", "no", "否", "不举", "“down”", "No")
NO_HAND: tuple[Any, ...] = (
    None,
    "maybe",
    "",
    2,
    1.0,
    [],
    ["up"],
    {"up": 1},
    "up or down",
    "S1",
    "I raise",
    "upp",
    "nothing",
)
NO_LABEL = (
    "the fourth", "四号", "4️⃣", "S", "SS4", "S4S", "Ⅳ", "-4", "+4", "4.0", "0x4", "4e0", "four", "я", "I pass",
    "S" + " " * 90 + "4", "S4️⃣", "moon", "S-4", "S\n\n4", "S𝟒", "S4'5", "ſ4", "Ｓ４", "S٤", "S४", "S⁴",
)  # fmt: skip


def choose(case: Case, *, in_lines: bool = False) -> Any:
    """The value of the field of choice; the case learns what it names, or why it names nothing."""
    if case.choice == "hand":
        return _hand(case, in_lines)
    if case.choice == "targets":
        return _targets(case, in_lines)
    return _seat(case, in_lines)


def _seat(case: Case, in_lines: bool) -> Any:
    rng, request = case.rng, case.asked.request
    if not case.one_in(6):
        if request.may_pass and case.one_in(5):
            return _nobody(case, in_lines)
        case.named = rng.choice(request.options)
        return named(case, case.named, in_lines)
    case.made.append("a choice that is none")
    case.named = None
    a, b = rng.sample(seats(case.asked), 2)
    one, other = label(case.asked, a), label(case.asked, b)
    absent = [seat for seat in (*seats(case.asked), 10, 11, 21, 44, 99, 100, 999) if seat not in request.options]
    kind = rng.randrange(6 if not in_lines else 4)
    if kind == 0:
        if not request.may_pass and case.one_in(2):
            case.never("illegal")
            return _nobody(case, in_lines)
        case.never("illegal")
        return named(case, rng.choice(absent), in_lines)
    if kind == 1:
        case.never("ambiguous")
        return rng.choice((f"{one} or {other}", f"{one}/{other}", f"{one}, {other}", f"Player {a} ({other})",
                           f"not {one} but {other}", f"{a}号和{b}号", f"{one}或{other}"))  # fmt: skip
    if kind == 2:
        case.never("illegal", "ambiguous")
        return rng.choice(
            (f"I vote {one}", f"{one} because he lied", f"{one}?", f"{one}{other}", f"\u200b{one}", f"{one}\u202e",
             f"{one} 📊", f"vote: {one}", f"投{one}", f"{one}吧", f"{one}x", f"x{one}", f"{one[0]} {one[0]} {one[1:]}")
        )  # fmt: skip
    if kind == 3:
        case.never("illegal")
        return rng.choice(NO_LABEL)
    if kind == 4:
        case.never("illegal")
        return rng.choice((True, False, 4.0, 1e3, float("nan"), [one], {one: 1}, {"name": one}, [], {}, -1, 10**30,
                           [[one]], 1e999, [None]))  # fmt: skip
    case.never("ambiguous", "illegal")
    return rng.choice(([one, other], [one, one], [a, b], [{}, one]))


def _nobody(case: Case, in_lines: bool) -> Any:
    silent: list[Any] = [] if in_lines else [None, "", 0]
    return case.rng.choice([label(case.asked, 0), *NOBODY, *silent])


def named(case: Case, seat: Seat, in_lines: bool) -> Any:
    """A spelling of a seat's label."""
    text, number = label(case.asked, seat), f"{seat:02}" if in_lines and len(case.asked.seats) > 10 else str(seat)
    spelled: list[Any] = [
        text, text, text, text.lower(), f"Player {number}", f"player {number}", f"Seat {number}", f"{number}号",
        f"{number}号玩家", number, f" {text} ", f"**{text}**", f"`{text}`", f"“{text}”", f"「{text}」", f"{text}.",
        f"{text}。", f"\x1b[33m{text}\x1b[0m", f"{text} (Player {number})", f"Player {number} ({text})",
        f"Player: {text}.", f"[{text}]", f"no. {number}", f"'{text}'", f"*{text}*", f"S{number}", f"\u3000{text}\xa0",
        f"玩家{number}", f"<{text}>", f"（{text}）", f"**{text}.**", f"{text}号",
    ]  # fmt: skip
    if not in_lines:
        spelled += [seat, seat, f"S{seat:02}", f"S{seat:03}", f"\n{text}\n"]
    return case.rng.choice(spelled)


def _hand(case: Case, in_lines: bool) -> Any:
    raised = case.one_in(2)
    if not raised and not case.asked.request.may_pass:
        case.never("illegal")
    if case.one_in(6):
        case.made.append("a hand that is none")
        case.never("illegal")
        return case.rng.choice([each for each in NO_HAND if not in_lines or isinstance(each, str)])
    case.named = raised
    return case.rng.choice([each for each in (RAISED if raised else LOWERED) if not in_lines or isinstance(each, str)])


def _targets(case: Case, in_lines: bool) -> Any:
    rng, options = case.rng, case.asked.request.options
    if case.one_in(6):
        case.made.append("targets that are none")
        one, other = rng.sample(options, 2)
        wrong: list[list[Any]] = [[one], [one, 0, other], [one, "moon"], [one, 44], [one, f"S{one} or S{other}"]]
        if not in_lines:
            wrong += [[one, True], [one, [other]], [None, one, other], [one, {}]]
            if case.one_in(3):
                case.never("unreadable")
                return rng.choice(("S2", "S2, S3", {"S2": 1}, 2, True, "", None))
        case.never("illegal", "ambiguous")
        value = [label(case.asked, each) if type(each) is int else each for each in rng.choice(wrong)]
        return ", ".join(value) if in_lines else value
    chosen = tuple(rng.sample(options, rng.randint(2, min(4, len(options))))) if case.one_in(2) else ()
    case.named = chosen
    again = chosen + (chosen[:1] if case.one_in(4) else ())
    if in_lines:
        comma = rng.choice((", ", ",", "，", "、", " , "))
        return comma.join(str(named(case, seat, True)) for seat in again) if again else rng.choice(("nobody", "none"))
    return [named(case, seat, False) for seat in again] or rng.choice(([], [None], [label(case.asked, 0)]))


def spelled(case: Case, value: Any) -> str:
    """A value as JSON, with or without escapes, with or without room."""
    return json.dumps(value, ensure_ascii=case.one_in(2), separators=case.rng.choice(((", ", ": "), (",", ":"), None)))
