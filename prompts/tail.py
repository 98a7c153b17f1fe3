"""The private end of a prompt: what one seat alone knows, and where the game stands for it."""

from __future__ import annotations

from collections.abc import Iterator

from tianhei.arena.events import Acted, Agreed, Checked, Handicap, LastWords, Needled, Stated
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Butterfly
from tianhei.arena.view import View
from tianhei.prompts.pack import Pack
from tianhei.prompts.persona import persona_text
from tianhei.prompts.words import quoted


def known(pack: Pack, view: View, persona: str | None) -> Iterator[str]:
    """What this seat alone knows: its card, its team, what it saw and did at night, what it said, its note."""
    words = pack.words
    yield pack.say("layout.private")
    if view.role and view.side:
        seat, role = words.seat(view.seat), words.role(view.role)
        yield pack.say("layout.identity", seat=seat, role=role, side=words.side(view.side))
    if view.mates:
        yield pack.say("layout.mates", seats=words.seats(view.mates))
    if persona:
        yield pack.say("layout.persona", text=persona_text(persona, pack.lang))
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
        case Role.POLICE:
            yield "role.police"
            if counts.get(Role.POLICE, 0) > 1:
                yield "role.police_many"
        case None:
            return
        case role:
            yield f"role.{role}"


def _seen(pack: Pack, view: View) -> Iterator[str]:
    """Private results and own night actions; of a council, what has been stated tonight."""
    words, record = pack.words, view.record
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
    """What this seat has claimed (in its own words where it labelled none) and whom it voted for, day by day."""
    words, record = pack.words, view.record
    semicolon = words.say("write.semicolon")
    said: dict[int, dict[str, None]] = {}
    for day, speech in record.speeches:
        if speech.by == view.seat:
            claims = [words.claim(claim, view.seat) for claim in speech.claims or ()]
            told = claims if speech.claims is not None else [quoted(speech.text)]
            said.setdefault(day, {}).update(dict.fromkeys(filter(None, told)))
    days = {day: [pack.say("layout.own_said", list=semicolon.join(told))] for day, told in said.items() if told}
    for vote in record.votes:
        if view.seat in vote.ballots:
            target = vote.ballots[view.seat]
            cast = pack.say("layout.own_vote", seat=words.seat(target)) if target else pack.say("layout.own_abstained")
            days.setdefault(vote.day, []).append(cast)
    for day, items in sorted(days.items()):
        if listed := semicolon.join(filter(None, items)):
            yield pack.say("layout.own", day=day, list=listed)


def moment(pack: Pack, view: View, request: Request) -> Iterator[str]:
    """Where the game stands: day, stage, one's place among the speakers, the living and the dead, questions put."""
    words, record = pack.words, view.record
    yield pack.say("now.stage", day=record.day, stage=pack.say(f"stage.{record.stage}"))
    if request.kind in ("speech", "speech_and_vote"):
        yield _place(pack, view)
    out = [pack.say(f"now.out_{how}", seat=words.seat(seat), day=day) for seat, (day, how) in record.dead.items()]
    living = record.living
    yield pack.say("now.alive", count=len(living), alive=words.seats(living), out=words.listed(out))
    if record.quota >= 0 and record.rules.last_words == "quota":
        yield pack.say("now.quota", quota=record.quota, out=len(record.dead))
    if record.silenced:
        yield pack.say("now.silenced", seats=words.seats(record.silenced))
    if request.kind in CLAIMING and (askers := _askers(view)):
        yield pack.say("now.asked", seats=words.seats(askers))


def _place(pack: Pack, view: View) -> str:
    """One's place among the speakers; who went before is named only where somebody did."""
    words, record = pack.words, view.record
    speakers = [seat for seat in record.speakers if seat not in record.silenced]
    place = speakers.index(view.seat) + 1
    after = speakers[place:]
    before = pack.say("now.before", seats=words.seats(record.spoken)) if record.spoken else pack.say("now.first")
    texts = (
        pack.say("now.place", place=place, total=len(speakers)),
        before,
        pack.say("now.after", seats=words.seats(after)) if after else pack.say("now.last"),
    )
    return words.say("write.gap").join(filter(None, texts))


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
