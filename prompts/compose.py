"""From what a seat knows and is asked to the words that a model is sent.

What is public comes first and only grows at its end, the same bytes for every seat: the rules, how to answer, the
record. What is private comes last: identity, private results, own statements, own note, the moment, the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from tianhei.arena.events import Speech
from tianhei.arena.player import Cause, Prompt
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.roles import Role, Seat, Side, label
from tianhei.arena.rules.options import Rules
from tianhei.arena.rules.setups import roles_of
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack, PackError
from tianhei.prompts.record import record_text, short_record_text
from tianhei.prompts.replies import (
    CHOICES,
    PK_STAGES,
    Form,
    Shown,
    claim_kinds,
    claim_nights,
    claim_whats,
    fields_of,
    form_of,
    limits_of,
    schema,
    shown,
)
from tianhei.prompts.rulebook import rule_text, words_in
from tianhei.prompts.tail import known, moment, role_notes

MAX_TOKENS = 700
LISTED_AT_MOST = 80
"""Characters of a faulty value that a retry repeats."""
UNHEARD: Mapping[str, frozenset[str]] = {
    "full": frozenset(),
    "claims_only": frozenset(("how.speech", "answer.say")),
    "mute": frozenset(
        ("how.speech", "answer.stance", "answer.say", "answer.claims", "answer.claims_night", "answer.note")
    ),
}
"""By the table's channel of speech, the texts on what nobody there can say."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a model is sent it, and what is needed to read the reply.

    ``options`` are the labels of the choice as shown, ``seats`` the seat of every label (None: nobody), ``limits`` the
    soft limits by field, in ``unit`` (for ``claims``: how many). ``claim_labels`` gives the kind or the content of a
    claim that each label in a reply stands for.
    """

    prompt: Prompt
    request: Request
    form: Form
    fields: tuple[str, ...]
    options: tuple[str, ...]
    seats: Mapping[str, Seat | None]
    limits: Mapping[str, int]
    unit: Literal["characters", "words"]
    pack: Pack
    lines: bool = False
    """Whether the reply is asked for as labelled lines instead of one JSON object."""
    claim_labels: Mapping[str, str] = field(default_factory=dict)


def compose(
    pack: Pack,
    view: View,
    request: Request,
    *,
    brief_thought: bool = False,
    max_tokens: int | None = MAX_TOKENS,
    persona: str | None = None,
    short: bool = False,
) -> Asked:
    """Ask ``request`` of the seat whose view this is.

    ``brief_thought`` suits a model that reasons by itself, ``short`` one whose context is full: what was said before
    today is cut to first sentences. PackError where there is no such persona, or the pack asks for nothing that can be
    said at this table.
    """
    form, labels = form_of(view, request), shown(view, request)
    fields = fields_of(pack, form, request)
    if not fields:
        raise PackError(f"the prompt pack {pack.name!r} asks for no claims, and at this table nothing else is said")
    limits = limits_of(pack, form, request)
    tail = [*known(pack, view, persona, request), *moment(pack, view, request)]
    tail += _question(pack, view, request, fields, labels, limits, brief_thought)
    system, public = shared_text(pack, view, short=short)
    prompt = Prompt(
        system=system,
        public=public,
        private="\n\n" + "\n".join(filter(None, tail)),
        schema=None if pack.lines else schema(pack, view, request, fields, labels),
        max_tokens=max_tokens,
    )
    unit: Literal["characters", "words"] = "characters" if pack.lang == "zh" else "words"
    options = labels.options if request.kind != "hand" else ("up", "down") if request.may_pass else ("up",)
    return Asked(
        prompt, request, form, fields, options, labels.seats, limits, unit, pack, pack.lines, pack.words.labels()
    )


def shared_text(pack: Pack, view: View, *, short: bool = False) -> tuple[str, str]:
    """The system message and the public part, the same for every seat that is asked now."""
    counts = tuple((role, count) for role, count in view.record.counts.items() if count)
    record = short_record_text(view.record, pack.words) if short else record_text(view.record, pack.words)
    return _system(pack, view.rules, counts), pack.say("layout.record") + "\n" + record if record else ""


def retry(asked: Asked, cause: Cause, detail: str = "") -> Prompt:
    """The same prompt with the reason to answer again and the options at its end.

    ``detail`` is the part of the reply that was at fault, if one can be named: it is repeated as it is.
    """
    pack = asked.pack
    key = f"retry.{cause}" if pack.has(f"retry.{cause}") else "retry.unreadable"
    slots = {}
    if cause in ("illegal", "ambiguous"):
        text = " ".join(detail.split())[:LISTED_AT_MOST]
        slots["detail"] = pack.say("retry.detail", text=text) if text else ""
    lines = [pack.say(key, **slots)]
    if any(name in asked.fields for name in CHOICES):
        lines.append(pack.say("ask.options", options=pack.words.say("write.comma").join(asked.options)))
    lines.append(pack.say("retry.again"))
    return replace(asked.prompt, private=asked.prompt.private + "\n\n" + "\n".join(lines))


@cache
def _system(pack: Pack, rules: Rules, counts: tuple[tuple[Role, int], ...]) -> str:
    """The rules of this table and how to speak and answer: the same for every seat, from the first day to the last."""
    words, dealt = pack.words, dict(counts)
    players = sum(dealt.values())
    shown_seat = min(4, players)
    labels = {value: name for name, value in words.labels().items()}
    kinds = (pack.say("layout.field", name=labels[kind], about=pack.say(f"kind.{kind}")) for kind in claim_kinds(dealt))
    slots = {
        "roles": words.listed(words.role(role) for role in roles_of(rules) if dealt.get(role)),
        "label": label(shown_seat, players),
        "seat": words.seat(shown_seat),
        "nobody": label(0, players),
        "kinds": words.listed(kinds),
        "whats": words.listed(labels[what] for what in claim_whats(dealt)),
    }
    without = UNHEARD[rules.channel] | (frozenset() if claim_nights(dealt) else {"answer.claims_night"})
    how, answer = (filter(None, pack.all(section, without=without, **slots)) for section in ("how", "answer"))
    sections = ((rule_text(rules, pack.lang, dealt, pack.theme),), how, _cards(pack, rules, dealt), answer)
    return "\n\n".join(filter(None, map("\n".join, sections)))


def _cards(pack: Pack, rules: Rules, dealt: Mapping[Role, int]) -> Iterator[str]:
    """How to play each card of this table, told to all, where the pack does not tell it to its holder alone."""
    if not pack.has("layout.card"):
        return
    yield pack.say("layout.cards")
    for role in roles_of(rules):
        if dealt.get(role):
            notes = map(pack.say, role_notes(role, rules, dealt))
            text = pack.words.say("write.gap").join(filter(None, notes))
            yield pack.say("layout.card", role=pack.words.say(f"is.{role}"), text=text)


def _question(
    pack: Pack,
    view: View,
    request: Request,
    asked: tuple[str, ...],
    labels: Shown,
    limits: Mapping[str, int],
    brief_thought: bool,
) -> Iterator[str]:
    """Who is asked, what, with which options, and in which fields to answer."""
    words = pack.words
    if view.role:
        yield pack.say("layout.reminder", seat=words.seat(view.seat), role=words.role(view.role))
    yield _ask(pack, view, request)
    if request.kind in ("kill", "check") and request.text:
        yield _council(pack, view.rules, request.round)
        if request.round > 1 and request.round >= view.rules.council_rounds and pack.has("ask.give_way"):
            yield pack.say("ask.give_way")
    if request.kind == "hand" and (later := _called_later(view, request)):
        yield pack.say("ask.later", seats=words.seats(later))
    if labels.options and request.kind != "hand":
        yield pack.say("ask.options", options=words.say("write.comma").join(labels.options))
    if request.kind in CLAIMING and not request.text:
        yield pack.say("ask.claims_only")
    fields = []
    for name in asked:
        key = f"field.{name}"
        if name == "thought":
            key += "_brief" if brief_thought else "_suspects" if _asks_suspects(pack, view, request) else ""
        elif name == "hand" and not request.may_pass:
            key += "_must"
        slots = {"limit": limits[name]} if name in limits and not key.endswith("_brief") else {}
        about = pack.say(key, **slots) if pack.has(key) else ""
        fields.append(pack.say("layout.field", name=name, about=about) if about else name)
    yield pack.say("layout.fields", list=pack.say("layout.next_field").join(fields))


def _asks_suspects(pack: Pack, view: View, request: Request) -> bool:
    """Whether to think of who the killers are: for those who do not know and have heard somebody, to speak or vote."""
    weighing = request.kind in ("speech", "speech_and_vote", "vote") and _has_heard(view)
    return weighing and view.side is Side.GOOD and pack.has("field.thought_suspects")


def _has_heard(view: View) -> bool:
    """Whether anybody has spoken but in last words."""
    return any(isinstance(said, Speech) for _, said in view.record.speeches)


def _council(pack: Pack, rules: Rules, number: int) -> str:
    """What becomes of the targets stated in this round of a council (R-COUNCIL)."""
    if number < rules.council_rounds:
        return pack.say("ask.council", round=number)
    again = rules.killers_tie == "ask_again"
    tie = "no_kill" if again and number > rules.council_rounds else rules.killers_tie
    return pack.say("ask.council_last", round=number, tie=words_in(pack.lang, pack.theme)["killers_tie"][tie])


def _called_later(view: View, request: Request) -> tuple[Seat, ...]:
    """For whom hands may be raised after the one who is called now, in the day's order."""
    record = view.record
    called = record.speakers if record.stage in ("pk", "revote") else record.candidates
    place = called.index(request.options[0]) if request.options[0] in called else len(called)
    return called[place + 1 :]


def _ask(pack: Pack, view: View, request: Request) -> str:
    record = view.record
    match request.kind:
        case "hand":
            key = "ask.hand" if request.may_pass else "ask.hand_must"
            return pack.say(key, seat=pack.words.seat(request.options[0]))
        case "speech" if record.stage == "off_field":
            return pack.say("ask.off_field", tied=pack.words.seats(record.candidates))
        case "speech" if record.stage in PK_STAGES:
            return pack.say(f"ask.{record.stage}")
        case "last_words" if request.text and not _has_heard(view) and pack.has("ask.last_words_unheard"):
            return pack.say("ask.last_words_unheard")
        case kind:
            return pack.say(f"ask.{kind}")
