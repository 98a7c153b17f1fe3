"""A view holds what its seat may know, and not a byte that depends on anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from players import BUTTERFLY_SEVEN, CLASSIC_SEVEN, ByLot, play, random_referee, views_of
from tianhei.arena.chance import Deal, Keyed, luck_for
from tianhei.arena.events import Dawn, Event, LastWords, Note, RoleDealt, Speech, VotedOut
from tianhei.arena.referee import Referee
from tianhei.arena.requests import TARGETED, Answer, Request
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import make
from tianhei.arena.view import Views
from tianhei.prompts.compose import compose
from tianhei.prompts.pack import load
from tianhei.transcripts.file import to_bytes

GAMES = ("classic", "butterfly")
TABLES = {"classic": CLASSIC_SEVEN, "butterfly": BUTTERFLY_SEVEN}


def events_of(referee: Referee) -> list[Event]:
    return [event for wave in referee.waves for event in wave.events]


@pytest.mark.report("HI-07")
@pytest.mark.parametrize("game", GAMES)
def test_a_view_shows_only_what_its_audience_holds(game: str) -> None:
    for seed in range(60):
        referee = play(random_referee(seed, game, dead_view="public"), ByLot(seed))
        views, events = views_of(referee), events_of(referee)
        for seat in range(1, referee.players + 1):
            public = [event for event in events if event.audience == "public"]
            private = [event for event in events if isinstance(event.audience, tuple) and seat in event.audience]
            assert [event for event in views.of(seat).events if event in private] == private
            assert [event for event in views.of(seat).events if event in public] == public
            assert len(views.of(seat).events) == len(private) + len(public)
            assert all(event.visible_to(seat) for event in views.of(seat).events)


@pytest.mark.report("HI-C1")
def test_an_audience_is_seats_and_no_text_to_search() -> None:
    event = Event(1, "night", (12,), Note("for seat 12"))
    assert [seat for seat in range(1, 14) if event.visible_to(seat)] == [12]


@pytest.mark.parametrize("game", GAMES)
def test_seq_counts_the_seats_own_events_and_nothing_global_is_shown(game: str) -> None:
    referee = play(random_referee(3, game, dead_view="public"), ByLot(3))
    views = views_of(referee)
    for seat in range(1, referee.players + 1):
        shown = views.of(seat).to_json()
        assert [item["seq"] for item in shown] == list(range(len(shown)))
        assert not [item for item in shown if {"audience", "wave", "request", "t", "n"} & set(item)]


@pytest.mark.parametrize("game", GAMES)
def test_a_view_folds_the_same_wave_by_wave_and_all_at_once(game: str) -> None:
    referee = play(random_referee(7, game), ByLot(7))
    step_by_step, at_once = views_of(referee), views_of(play(random_referee(7, game), ByLot(7)))
    for seat in range(1, referee.players + 1):
        one, other = step_by_step.of(seat), at_once.of(seat)
        assert one.to_json() == other.to_json()
        assert (one.role, one.side, one.mates, one.note) == (other.role, other.side, other.mates, other.note)


def test_what_a_view_says_of_its_seat_is_so() -> None:
    for seed in range(40):
        referee = play(random_referee(seed, "classic"), ByLot(seed))
        views = views_of(referee)
        roles = {e.audience[0]: e.body.role for e in events_of(referee) if isinstance(e.body, RoleDealt)}
        for seat, role in roles.items():
            view = views.of(int(seat))
            assert view.role is role
            team = [other for other, card in roles.items() if card is role and other != seat]
            assert view.mates == (tuple(team) if role in (Role.KILLER, Role.POLICE) else ())
            assert view.alive == (seat in view.record.living)
            assert set(view.others) == set(view.record.living) - {seat}
            assert view.luck == luck_for(0, int(seat))


def test_the_latest_note_replaces_the_one_before_and_is_its_own_seats_alone() -> None:
    referee = Referee(make("classic"), Deal((Role.KILLER, Role.KILLER, *[Role.CIVILIAN] * 4)), Keyed(1))
    for text in ("first", "second"):
        for request in referee.pending:
            referee.answer(request.id, Answer(target=request.seat + 2, note=f"{text} {request.seat}"))
    views = views_of(referee)
    assert [views.of(seat).note for seat in range(1, 7)] == ["second 1", "second 2", "", "", "", ""]
    assert b"first 2" not in to_bytes(views.of(1).to_json())


@pytest.mark.parametrize("game", GAMES)
def test_open_eyes_of_the_dead(game: str) -> None:
    """With ``dead_view = all`` the dead see the whole night from the next one on; nobody's notes but their own."""
    opened = 0
    for seed in range(60):
        referee = play(random_referee(seed, game, dead_view="all"), ByLot(seed))
        views, events = views_of(referee), events_of(referee)
        for seat in range(1, referee.players + 1):
            more = [event for event in views.of(seat).events if not event.visible_to(seat)]
            assert not [event for event in more if isinstance(event.body, Note)]
            left = next((place for place, event in enumerate(events) if seat in _gone(event)), len(events))
            allowed = [e for e in events[left:] if not e.visible_to(seat) and not isinstance(e.body, Note)]
            assert set(map(id, more)) <= set(map(id, allowed))
            nights = [event for event in allowed if event.phase == "night"]
            assert set(map(id, nights)) <= set(map(id, more))
            opened += bool(more)
            first = next((place for place, event in enumerate(events) if more and event is more[0]), None)
            own = [e for e in events[first:] if isinstance(e.body, Speech | LastWords) and e.body.by == seat]
            assert first is None or not own, "who has seen the truth says nothing more"
            assert views.of(seat).checks == [c for c in views.of(seat).checks if views.of(seat).role is Role.POLICE]
    assert opened > 20


def _gone(event: Event) -> tuple[Seat, ...]:
    match event.body:
        case Dawn(dead=seats):
            return seats
        case VotedOut(seat=seat):
            return (seat,)
        case _:
            return ()


@dataclass
class Seen:
    """What one seat was sent in a game, each item with how long the public story was by then."""

    public: list[bytes] = field(default_factory=list)
    items: list[tuple[int, bytes]] = field(default_factory=list)

    def until(self, length: int) -> list[bytes]:
        """What came before the public story was longer than ``length``."""
        return [item for place, item in self.items if place <= length]


@cache
def _favourites(seed: int, kind: str, when: str) -> tuple[Seat, ...]:
    """All seats, the favourite first: one list for a kind of question, whatever its options."""
    return tuple(Random(f"{seed}/{kind}/{when}").sample(range(1, 8), 7))


def same_by_kind(seed: int, request: Request) -> Answer:
    """An answer that depends on the kind of question, not on who holds the card; in the open, on the seat as well."""
    day, at_night = request.id.split(".")[0], request.id.startswith("n")
    who = "" if at_night else f"{request.seat}/{request.round}"
    target = None
    if request.kind in TARGETED:
        target = next(seat for seat in _favourites(seed, request.kind, f"{day}/{who}") if seat in request.options)
    raised = request.kind == "hand" and (not request.may_pass or Random(f"{seed}/{request.id}").random() < 0.3)
    said = f"{request.seat} speaks on {day}."[: request.text] if request.kind not in ("kill", "check") else ""
    return Answer(target=target, text=said, raised=raised)


def watch(game: str, changes: Mapping[str, object], roles: tuple[Role, ...], seed: int, seat: Seat) -> Seen:
    """Play a game, and keep every byte that ``seat`` is sent: its events, its requests, its prompts."""
    rules = make(game, {"max_days": 3, **changes})
    referee, seen = Referee(rules, Deal(roles), Keyed(seed)), Seen()
    views = Views(rules, {role: roles.count(role) for role in Role if role in roles}, seed)
    pack, shown, folded = load("official", "en"), 0, 0
    while True:
        for wave in referee.waves[folded:]:
            for event in wave.events:
                views.add((event,))
                if event.audience == "public":
                    seen.public.append(to_bytes(event.to_json()))
                new = views.of(seat).to_json()[shown:]
                seen.items += [(len(seen.public), to_bytes(item)) for item in new]
                shown += len(new)
        folded = len(referee.waves)
        if not referee.pending:
            return seen
        for request in referee.pending:
            if request.seat == seat:
                prompt = compose(pack, views.of(seat), request).prompt
                words = (prompt.system, prompt.public, prompt.private, prompt.schema)
                seen.items.append((len(seen.public), to_bytes([request.to_json(), words])))
            referee.answer(request.id, same_by_kind(seed, request))


def _cards(game: str) -> list[Role]:
    return [Role(name) for name, count in TABLES[game].items() for _ in range(count)]


def can_tell(mine: Role, one: Role, other: Role) -> bool:
    """Whether a seat learns from its own team or its checks which of two others holds which of two cards."""
    told = {Role.KILLER: {Role.KILLER}, Role.POLICE: {Role.KILLER, Role.POLICE, Role.BUTTERFLY}}
    return bool(told.get(mine, set()) & {one, other})


def common(one: list[bytes], other: list[bytes]) -> int:
    """How many items two public stories share from their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


VARIANTS: dict[str, list[dict[str, object]]] = {
    "classic": [{}, {"vote_form": "simultaneous"}, {"vote_form": "secret", "night_pass": "forbidden"}],
    "butterfly": [{}, {"silence_copied": True, "carried_doctor": "pricks"}, {"tie": "chain", "final_tie": "nobody"}],
}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_swapping_two_roles_that_a_seat_cannot_tell_apart_changes_no_byte_it_receives(
    game: str, data: st.DataObject
) -> None:
    roles = tuple(data.draw(st.permutations(_cards(game)), label="roles"))
    seat, one, other = data.draw(st.permutations(range(1, len(roles) + 1)), label="seats")[:3]
    assume(roles[one - 1] is not roles[other - 1])
    assume(not can_tell(roles[seat - 1], roles[one - 1], roles[other - 1]))
    changes = data.draw(st.sampled_from(VARIANTS[game]), label="rules")
    seed = data.draw(st.integers(0, 999), label="seed")
    swapped = list(roles)
    swapped[one - 1], swapped[other - 1] = roles[other - 1], roles[one - 1]
    here, there = watch(game, changes, roles, seed, seat), watch(game, changes, tuple(swapped), seed, seat)
    shared = common(here.public, there.public)
    assert here.until(shared) == there.until(shared)


def _pairs() -> Iterator[tuple[str, int]]:
    yield from ((game, seat) for game in GAMES for seat in (1, 4, 7))


@pytest.mark.parametrize(("game", "seat"), list(_pairs()))
def test_the_same_game_sends_a_seat_the_same_bytes_twice(game: str, seat: int) -> None:
    roles = tuple(_cards(game))
    here, there = watch(game, {}, roles, 5, seat), watch(game, {}, roles, 5, seat)
    assert here == there
    assert len(here.items) > 20
