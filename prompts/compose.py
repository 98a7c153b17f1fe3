"""From what a seat knows and is asked to the words that a model is sent.

What is public comes first and only grows at its end, the same bytes for every seat: the rules, how to answer, the
record. What is private comes last: identity, private results, own statements, own note, the moment, the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from tianhei.arena.events import Acted, Agreed, Checked, Handicap, LastWords, Needled, Stated
from tianhei.arena.player import Cause, Prompt
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.roles import Role, Seat, label
from tianhei.arena.rules.options import Butterfly, Rules
from tianhei.arena.rules.setups import roles_of
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack
from tianhei.prompts.record import record_text
from tianhei.prompts.replies import (
    CHOICES,
    PK_STAGES,
    Form,
    Shown,
    claim_kinds,
    fields_of,
    form_of,
    limits_of,
    schema,
    shown,
)
from tianhei.prompts.rulebook import rule_text
from tianhei.prompts.words import Words, quoted

MAX_TOKENS = 700
LISTED_AT_MOST = 80
"""Characters of a faulty value that a retry repeats."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a model is sent it, and what is needed to read the reply.

    ``options`` are the labels of the choice as shown, ``seats`` the seat of every label (None: nobody), ``limits`` the
    soft limits by field, in ``unit`` (for ``claims``: how many).
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


def compose(
    pack: Pack,
    view: View,
    request: Request,
    *,
    brief_thought: bool = False,
    max_tokens: int | None = MAX_TOKENS,
) -> Asked:
    """Ask ``request`` of the seat whose view this is. ``brief_thought`` suits a model that reasons by itself."""
    form, labels = form_of(view, request), shown(view, request)
    limits = limits_of(pack, form, request)
    tail = [*_known(pack, view), *_moment(pack, view, request)]
    tail += _question(pack, view, request, form, labels, limits, brief_thought)
    counts = tuple((role, count) for role, count in view.record.counts.items() if count)
    prompt = Prompt(
        system=_system(pack, view.rules, counts),
        public=pack.say("layout.record") + "\n" + record_text(view.record, pack.lang),
        private="\n\n" + "\n".join(tail),
        schema=schema(view, request, form, labels),
        max_tokens=max_tokens,
    )
    unit: Literal["characters", "words"] = "characters" if pack.lang == "zh" else "words"
    options = labels.options if request.kind != "hand" else ("up", "down") if request.may_pass else ("up",)
    return Asked(prompt, request, form, fields_of(form, request), options, labels.seats, limits, unit, pack)


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
        comma = Words(pack.lang).say("write.comma")
        lines.append(pack.say("ask.options", options=comma.join(asked.options)))
    lines.append(pack.say("retry.again"))
    return replace(asked.prompt, private=asked.prompt.private + "\n\n" + "\n".join(lines))


@cache
def _system(pack: Pack, rules: Rules, counts: tuple[tuple[Role, int], ...]) -> str:
    """The rules of this table and how to speak and answer: the same for every seat, from the first day to the last."""
    words, dealt = Words(pack.lang), dict(counts)
    players = sum(dealt.values())
    how = pack.say(
        "how",
        roles=words.listed(words.role(role) for role in roles_of(rules) if dealt.get(role)),
        label=label(4, players),
        seat=words.seat(4),
        nobody=label(0, players),
        kinds=words.listed(pack.say(f"kind.{kind}") for kind in claim_kinds(dealt)),
    )
    return rule_text(rules, pack.lang, dealt) + "\n\n" + how


def _known(pack: Pack, view: View) -> Iterator[str]:
    """What this seat alone knows: its card, its team, what it saw and did at night, what it said, its note."""
    words = Words(pack.lang)
    yield pack.say("layout.private")
    if view.role and view.side:
        seat, role = words.seat(view.seat), words.role(view.role)
        yield pack.say("layout.identity", seat=seat, role=role, side=words.side(view.side))
    if view.mates:
        yield pack.say("layout.mates", seats=words.seats(view.mates))
    yield from (pack.say(key) for key in _role_notes(view))
    yield from _seen(pack, view)
    yield from _own_statements(pack, view)
    if view.note:
        yield pack.say("layout.note", text=quoted(view.note))


def _role_notes(view: View) -> Iterator[str]:
    """The texts on how to play one's card at this table."""
    counts, rules = view.record.counts, view.rules
    match view.role:
        case Role.ELDER if isinstance(rules, Butterfly) and rules.elder_side == "killers":
            yield "role.elder_killers"
        case Role.KILLER | Role.CIVILIAN:
            yield f"role.{view.role}"
            if counts.get(Role.POLICE):
                yield f"role.{view.role}_police"
            if view.role is Role.KILLER and counts.get(Role.BUTTERFLY):
                yield "role.killer_specials"
        case None:
            return
        case role:
            yield f"role.{role}"


def _seen(pack: Pack, view: View) -> Iterator[str]:
    """Private results and own night actions; of a council, what has been stated tonight."""
    words, record = Words(pack.lang), view.record
    for _, event in view.private:
        body = event.body
        if not event.visible_to(view.seat):
            continue
        if isinstance(body, Stated):
            told = record.stage == "night" and event.day == record.day
        elif isinstance(body, Agreed):
            told = body.action == "kill" or body.target is None  # a check that was made is told by its sign
        else:
            told = isinstance(body, Checked | Acted | Needled | Handicap)
        if told:
            yield pack.say("layout.seen", night=event.day, text=words.event(event, record))


def _own_statements(pack: Pack, view: View) -> Iterator[str]:
    """What this seat has claimed and whom it voted for, day by day."""
    words = Words(pack.lang)
    days: dict[int, dict[str, None]] = {}
    for day, said in view.record.speeches:
        if said.by == view.seat:
            days.setdefault(day, {}).update(dict.fromkeys(words.claim(claim, said.by) for claim in said.claims or ()))
    for vote in view.record.votes:
        if view.seat in vote.ballots:
            target = vote.ballots[view.seat]
            cast = pack.say("layout.own_vote", seat=words.seat(target)) if target else pack.say("layout.own_abstained")
            days.setdefault(vote.day, {})[cast] = None
    for day, items in sorted(days.items()):
        if items:
            yield pack.say("layout.own", day=day, list=words.say("write.semicolon").join(items))


def _moment(pack: Pack, view: View, request: Request) -> Iterator[str]:
    """Where the game stands: day, stage, one's place among the speakers, the living and the dead, questions put."""
    words, record = Words(pack.lang), view.record
    yield pack.say("now.stage", day=record.day, stage=pack.say(f"stage.{record.stage}"))
    if request.kind in ("speech", "speech_and_vote"):
        yield _place(pack, view)
    dead = [pack.say(f"now.dead_{how}", seat=words.seat(seat), day=day) for seat, (day, how) in record.dead.items()]
    yield pack.say("now.alive", alive=words.seats(record.living), dead=words.listed(dead))
    if record.quota >= 0 and record.rules.last_words == "quota":
        yield pack.say("now.quota", quota=record.quota, dead=len(record.dead))
    if record.silenced:
        yield pack.say("now.silenced", seats=words.seats(record.silenced))
    if request.kind in CLAIMING and (askers := _askers(view)):
        yield pack.say("now.asked", seats=words.seats(askers))


def _place(pack: Pack, view: View) -> str:
    words, record = Words(pack.lang), view.record
    speakers = [seat for seat in record.speakers if seat not in record.silenced]
    place = speakers.index(view.seat) + 1
    after = words.seats(speakers[place:])
    if not record.spoken and record.stage not in PK_STAGES:
        return pack.say("now.first", place=place, total=len(speakers), after=after)
    before = words.seats(record.spoken)
    return pack.say("now.place", place=place, total=len(speakers), before=before, after=after)


def _askers(view: View) -> tuple[Seat, ...]:
    """Who put a question to this seat today that it has not had a turn to answer."""
    asked: dict[Seat, None] = {}
    for day, said in view.record.speeches:
        if day != view.record.day:
            continue
        if said.by == view.seat and not isinstance(said, LastWords):
            asked.clear()
        elif any(claim.kind == "ask" and claim.seat == view.seat for claim in said.claims or ()):
            asked[said.by] = None
    return tuple(asked)


def _question(
    pack: Pack,
    view: View,
    request: Request,
    form: Form,
    labels: Shown,
    limits: Mapping[str, int],
    brief_thought: bool,
) -> Iterator[str]:
    """Who is asked, what, with which options, and in which fields to answer."""
    words = Words(pack.lang)
    if view.role:
        yield pack.say("layout.reminder", seat=words.seat(view.seat), role=words.role(view.role))
    yield _ask(pack, view, request)
    comma = words.say("write.comma")
    if labels.options and request.kind != "hand":
        yield pack.say("ask.options", options=comma.join(labels.options))
    if request.kind in CLAIMING and not request.text:
        yield pack.say("ask.claims_only")
    fields = []
    for name in fields_of(form, request):
        key = f"field.{name}"
        if (name == "thought" and brief_thought) or (name == "hand" and not request.may_pass):
            key += "_brief" if name == "thought" else "_must"
        slots: dict[str, object] = {"limit": limits[name]} if name in limits and not key.endswith("_brief") else {}
        if name == "about":
            slots["nobody"] = view.label(0)
        fields.append(pack.say("layout.field", name=name, about=pack.say(key, **slots)))
    yield pack.say("layout.fields", list=comma.join(fields))


def _ask(pack: Pack, view: View, request: Request) -> str:
    match request.kind:
        case "kill" | "check" if request.text:
            return pack.say(f"ask.{request.kind}", round=request.round)
        case "kill" | "check":
            return pack.say(f"ask.{request.kind}_alone")
        case "hand":
            key = "ask.hand" if request.may_pass else "ask.hand_must"
            return pack.say(key, seat=Words(pack.lang).seat(request.options[0]))
        case "speech" if view.record.stage in PK_STAGES:
            return pack.say(f"ask.{view.record.stage}")
        case kind:
            return pack.say(f"ask.{kind}")
