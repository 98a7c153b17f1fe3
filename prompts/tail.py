"""The private end of a prompt: what one seat alone knows, and where the game stands for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tianhei.arena.events import (
    Acted,
    Agreed,
    Called,
    Checked,
    Event,
    Handicap,
    LastWords,
    Needled,
    Note,
    Stated,
    Tied,
    VotedOut,
)
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Butterfly, Classic, Rules
from tianhei.arena.view import Record, View, Vote
from tianhei.prompts.pack import Pack
from tianhei.prompts.persona import persona_text
from tianhei.prompts.replies import PK_STAGES
from tianhei.prompts.told import statement
from tianhei.prompts.words import quoted


def known(pack: Pack, view: View, persona: str | None, request: Request | None) -> Iterator[str]:
    """What this seat alone knows: its card, its team, what it saw and did at night, what it said, its note."""
    words = pack.words
    yield pack.say("layout.private")
    if view.role and view.side:
        seat, role = words.seat(view.seat), words.role(view.role)
        yield pack.say("layout.identity", seat=seat, role=role, side=words.side(view.side))
    if view.mates:
        yield _mates(pack, view)
    if stake := _stake(view):
        yield pack.say(stake) if pack.has(stake) else ""
    if persona:
        yield pack.say("layout.persona", text=persona_text(persona, pack.lang))
    if view.role and not pack.has("layout.card"):
        kind = request.kind if request else ""
        yield from map(pack.say, role_notes(view.role, view.rules, view.record.counts, kind))
    yield from _seen(pack, view)
    yield from _own_statements(pack, view)
    if view.note:
        day = max(event.day for _, event in view.private if isinstance(event.body, Note))
        yield pack.say("layout.note", day=day, text=quoted(view.note))


def _mates(pack: Pack, view: View) -> str:
    """One's partners, and which of them are out."""
    words = pack.words
    gone = tuple(seat for seat in view.mates if seat in view.record.dead)
    if gone == view.mates and view.alive and pack.has("layout.mates_last"):
        return pack.say("layout.mates_last", seats=words.seats(gone))
    one = "_one" if len(view.mates) == 1 else ""
    texts = (
        pack.say(f"layout.mates{one}", seats=words.seats(view.mates)),
        pack.say("layout.mates_out", seats=words.seats(gone)) if gone else "",
    )
    return words.say("write.gap").join(filter(None, texts))


def _stake(view: View) -> str:
    """The text on what hangs on the last of a team; empty where nothing does, or another is left."""
    if view.seat not in view.record.living or any(seat in view.record.living for seat in view.mates):
        return ""
    match view.role, view.rules:
        case Role.KILLER, _:
            return "layout.stake_killer"
        case Role.POLICE, Classic(victory="any_identity"):
            return "layout.stake_police"
        case _:
            return ""


def role_notes(role: Role, rules: Rules, counts: Mapping[Role, int], kind: str | None = None) -> Iterator[str]:
    """The texts on how to play a card at this table, as far as they bear on this kind of question, if one is named."""
    if kind == "last_words" and role not in (Role.KILLER, Role.POLICE):
        return  # the rest is on nights and votes to come
    match role:
        case Role.KILLER if kind == "kill":
            yield "role.killer_night"
        case Role.ELDER if isinstance(rules, Butterfly) and rules.elder_side == "killers":
            yield "role.elder_killers"
        case Role.KILLER | Role.CIVILIAN:
            yield f"role.{role}"
            if counts.get(Role.POLICE):
                yield f"role.{role}_police"
            if role is Role.CIVILIAN and _may_lose_by_police(rules, counts):
                yield "role.civilian_last"
            if role is Role.KILLER and counts.get(Role.BUTTERFLY):
                yield "role.killer_specials"
            if role is Role.KILLER and kind is None:
                yield "role.killer_night"
        case Role.POLICE:
            yield "role.police"
            if counts.get(Role.POLICE, 0) > 1:
                yield "role.police_many"
            if _may_lose_by_police(rules, counts):
                yield "role.police_last"
        case Role.BUTTERFLY:
            yield "role.butterfly"
            if isinstance(rules, Butterfly) and rules.carried_killer == "voids_team":
                yield "role.butterfly_killers"
            if isinstance(rules, Butterfly) and rules.carried_police == "blocks_team" and counts.get(Role.POLICE):
                yield "role.butterfly_police"
        case _:
            yield f"role.{role}"


def _may_lose_by_police(rules: Rules, counts: Mapping[Role, int]) -> bool:
    """Whether the death of the last officer ends the game (S1-73)."""
    return bool(counts.get(Role.POLICE)) and isinstance(rules, Classic) and rules.victory == "any_identity"


def _seen(pack: Pack, view: View) -> Iterator[str]:
    """Private results and own night actions; of a council, what was stated until the next night falls."""
    words, record = pack.words, view.record
    nightfall = _last_nightfall(record)
    last = {event.body.by: event for _, event in view.private if isinstance(event.body, Stated) and event.body.text}
    for place, event in view.private:
        body = event.body
        if not event.visible_to(view.seat):
            continue
        if isinstance(body, Stated):  # by day each member's last sentence: the plans made for that day
            told = place > nightfall and (record.stage == "night" or last.get(body.by) is event)
        elif isinstance(body, Agreed):
            told = body.action == "kill" or body.target is None  # a check that was made is told by its sign
        else:
            told = isinstance(body, Checked | Acted | Needled | Handicap)
        if told:
            if isinstance(body, Stated) and body.by == view.seat:
                text = statement(words, body, own=True)
            elif isinstance(body, Agreed) and body.target is not None and _by_lot(view, event):
                text = words.say(f"acted.{body.action}_lot", seat=words.seat(body.target))
            else:
                text = words.event(event, record)
            if isinstance(body, Stated) and record.rules.council_rounds > 1:
                yield pack.say("layout.seen_round", night=event.day, round=body.round, text=text)
            else:
                yield pack.say("layout.seen", night=event.day, text=text)


def _by_lot(view: View, agreed: Event) -> bool:
    """Whether a team came to its target by a lot: in its last round it named several equally often."""
    named: dict[int, list[Seat]] = {}
    for _, event in view.private:
        if isinstance(body := event.body, Stated) and event.day == agreed.day and body.target is not None:
            named.setdefault(body.round, []).append(body.target)
    most = Counter(named[max(named)]).most_common(2) if named and view.rules.killers_tie == "lot" else []
    return len(most) > 1 and most[0][1] == most[1][1]


def _own_statements(pack: Pack, view: View) -> Iterator[str]:
    """What this seat has claimed (in its own words where it labelled none), asked and voted, day by day."""
    words, record = pack.words, view.record
    said: dict[str, dict[int, dict[str, None]]] = {"own_claimed": {}, "own_said": {}, "own_asked": {}}

    def note(name: str, day: int, told: Iterable[str]) -> None:
        said[name].setdefault(day, {}).update(dict.fromkeys(filter(None, told)))

    for day, speech in record.speeches:
        if speech.by == view.seat and speech.claims is None:
            note("own_said", day, [quoted(speech.text)])
        elif speech.by == view.seat:
            claims = speech.claims or ()
            note("own_claimed", day, (words.recalled(each, view.seat) for each in claims if each.kind != "ask"))
            note("own_asked", day, (words.seat(each.seat) for each in claims if each.kind == "ask"))
    semicolon, comma = words.say("write.semicolon"), words.say("write.comma")
    days: dict[int, list[str]] = {}
    for name, by_day in said.items():
        for day, items in by_day.items():
            if items:
                listed = (comma if name == "own_asked" else semicolon).join(items)
                days.setdefault(day, []).append(pack.say(f"layout.{name}", list=listed))
    for vote in record.votes:
        if view.seat in vote.ballots:
            days.setdefault(vote.day, []).append(_own_vote(pack, view.seat, vote))
    for day, parts in sorted(days.items()):
        if listed := words.say("write.clause").join(filter(None, parts)):
            yield pack.say("layout.own", day=day, list=listed)


def _own_vote(pack: Pack, seat: Seat, vote: Vote) -> str:
    """One's own ballot; in which vote only where it was not the day's first."""
    target = vote.ballots[seat]
    cast = pack.say("layout.own_vote", seat=pack.words.seat(target)) if target else pack.say("layout.own_abstained")
    if vote.stage not in PK_STAGES:
        return cast
    return pack.say("layout.own_stage", stage=pack.say(f"stage.{vote.stage}"), vote=cast)


def moment(pack: Pack, view: View, request: Request | None) -> Iterator[str]:
    """Where the game stands: day, stage, one's place among the speakers, the living and the dead, questions put.

    ``request`` is None where nothing is asked in play.
    """
    words, record = pack.words, view.record
    kind = request.kind if request else ""
    in_pk_vote = kind in ("vote", "hand") and record.stage in PK_STAGES
    if record.stage == "night":
        yield pack.say("now.night", day=record.day)
    else:
        stage = pack.say(f"stage.{record.stage}_vote" if in_pk_vote else f"stage.{record.stage}")
        yield pack.say("now.stage", day=record.day, stage=stage)
    if kind in ("speech", "speech_and_vote"):
        yield _place(pack, view)
    if in_pk_vote:
        yield _tied(pack, record)
    if kind == "speech_and_vote" and (ballots := _ballots(pack, record)):
        yield pack.say("now.ballots", list=ballots)
    by_lot = _out_by_lot(record)
    out = [
        pack.say("now.out_lot" if seat in by_lot else f"now.out_{how}", n=seat, day=day)
        for seat, (day, how) in record.dead.items()
    ]
    living = record.living
    yield pack.say("now.alive", count=len(living), alive=words.seats(living), out=words.listed(out))
    if record.quota >= 0 and record.rules.last_words == "quota" and kind != "last_words":
        left = max(record.quota - len(record.dead), 0)
        yield pack.say("now.quota", quota=record.quota, left=left) if left else pack.say("now.quota_none")
    if record.silenced:
        yield pack.say("now.silenced", seats=words.seats(record.silenced))
    if kind in CLAIMING and (askers := tuple(_askers(pack, view))):
        yield pack.say("now.asked", seats=words.listed(askers))


def _last_nightfall(record: Record) -> int:
    """The place in the public story at which the latest night fell."""
    falls = (place for place, event in reversed(record.events) if event.body == Called(stage="night"))
    return next(falls, -1)


def _tied(pack: Pack, record: Record) -> str:
    """Who alone may be voted for in a PK, and whether one must."""
    tied = record.candidates if record.stage == "off_field" else record.speakers
    may = record.stage == "pk" and record.rules.abstain == "allowed"
    abstain = pack.words.say("called.may_abstain" if may else "called.must_vote")
    return pack.say("now.tied", seats=pack.words.seats(tied), abstain=abstain)


def _ballots(pack: Pack, record: Record) -> str:
    """The ballots so far of a defence in which each is shown as it is cast."""
    words, held = pack.words, record.votes[-1] if record.votes else None
    if record.stage != "defence" or not held or held.day != record.day:
        return ""
    counts = Counter(target for target in held.ballots.values() if target is not None)
    parts = []
    for target, count in counts.most_common():
        voters = words.seats(voter for voter, voted in held.ballots.items() if voted == target)
        parts.append(words.say("vote.so_far", seat=words.seat(target), voters=voters, votes=words.votes(count)))
    return words.say("write.semicolon").join(parts)


def _out_by_lot(record: Record) -> frozenset[Seat]:
    """Who left by a lot among the tied."""
    found, lot = [], False
    for _, event in record.events:
        match event.body:
            case Tied(next=after):
                lot = after == "lot"
            case VotedOut(seat=seat):
                found += [seat] if lot else []
                lot = False
            case _:
                pass
    return frozenset(found)


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


def _askers(pack: Pack, view: View) -> Iterator[str]:
    """Who put a question to this seat that it has not had a turn to answer: the living, and the dead in last words.

    What counts is the question that a speaker lists among its claims, or one in its words that begins with the seat's
    name, since people and some packs list none.
    """
    record, words = view.record, pack.words
    named = _question_to(words.seat(view.seat))
    asked: dict[Seat, str] = {}
    for day, said in record.speeches:
        if said.by == view.seat:
            asked.clear()
        elif named.search(said.text) or any(
            claim.kind == "ask" and claim.seat == view.seat for claim in said.claims or ()
        ):
            seat = words.seat(said.by)
            if isinstance(said, LastWords):
                asked[said.by] = pack.say("now.asked_words", seat=seat, words=pack.say("stage.last_words"))
            elif said.by in record.living:
                asked[said.by] = seat if day == record.day else pack.say("now.asked_day", seat=seat, day=day)
    yield from asked.values()


@cache
def _question_to(name: str) -> re.Pattern[str]:
    """A sentence that begins with somebody's name and ends as a question."""
    return re.compile(rf"(?:^|[.!?。！？\n])\s*{re.escape(name)}(?!\d)\s*[,，][^.!?。！？\n]*[?？]")
