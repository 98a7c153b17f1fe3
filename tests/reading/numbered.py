"""Every reply by its number."""

from __future__ import annotations

from random import Random

from reading.case import Case
from reading.grammar import KEEPING, around, ended, fields, spelled_object
from reading.lined import line_case
from reading.questions import questions
from reading.spoiling import SPOILING_TEXT, SPOILING_VALUES, unbalanced
from tianhei.prompts.compose import Asked


def case(number: int) -> Case:
    """The reply of that number: always the same one."""
    rng = Random(number)
    asked = rng.choice(questions())
    return line_case(rng, asked) if asked.lines else object_case(rng, asked)


def object_case(rng: Random, asked: Asked) -> Case:
    """A reply to this question as a JSON object, or what was to be one."""
    case = Case(rng, asked)
    values = fields(case)
    for keep in rng.sample(KEEPING, rng.choice((0, 0, 1, 2))):
        case.made.append(keep.__name__)
        keep(case, values)
    spoil = rng.choice(SPOILING_VALUES) if case.one_in(5) else None
    if spoil:
        case.made.append(spoil.__name__)
        spoil(case, values)
    body = case.text = spelled_object(case, values)
    spoil_text = rng.choice(SPOILING_TEXT) if not spoil and case.one_in(2) else None
    around(case, body, tagged=spoil_text is not unbalanced)
    if spoil_text:
        case.made.append(spoil_text.__name__)
        spoil_text(case, values, body)
    return ended(case)
