"""The referee: what may be answered is what was offered, and nothing else changes anything."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import islice, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players import BUTTERFLY_SEVEN, CLASSIC_SEVEN, ByLot, deal_of, offered, play, random_referee, views_of
from tianhei.arena.chance import Deal, Keyed, deal
from tianhei.arena.claims import Claim
from tianhei.arena.events import (
    Acted,
    Agreed,
    Ballots,
    Dawn,
    Drawn,
    Event,
    Flag,
    Hand,
    LastWords,
    Over,
    Resolved,
    Revealed,
    RoleDealt,
    Speech,
    VotedOut,
    event_from_json,
)
from tianhei.arena.referee import Differs, Referee, Wave, replay
from tianhei.arena.requests import (
    ABSENT,
    CLAIMING,
    TARGETED,
    AlreadyAnswered,
    Answer,
    GameOver,
    Illegal,
    Limits,
    Request,
    Unknown,
    answer_from_json,
    check,
)
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import RulesError, make
from tianhei.transcripts.file import from_bytes, to_bytes

GAMES = ("classic", "butterfly")
TABLES = {"classic": CLASSIC_SEVEN, "butterfly": BUTTERFLY_SEVEN}


def started(game: str, seed: int = 1, **changes: object) -> Referee:
    counts = {Role(name): count for name, count in TABLES[game].items()}
    return Referee(make(game, {"max_days": 4, **changes}), deal(counts, seed), Keyed(seed))


def state(referee: Referee) -> tuple[object, ...]:
    """All that can be seen of a game from outside, as bytes where it has any."""
    views = views_of(referee)
    shown = b"\n".join(to_bytes(views.of(seat).to_json()) for seat in range(1, referee.players + 1))
    return referee.pending, tuple(referee.open), tuple(referee.waves), referee.outcome, shown


def again(referee: Referee) -> Referee:
    """The same game, anew, to its present wave."""
    new = Referee(referee.rules, deal_of(referee), Keyed(1))
    for _ in replay(new, recorded(referee)):
        pass
    return new


def recorded(referee: Referee) -> list[dict[str, Answer]]:
    return [
        {request.id: answer for request, answer in zip(wave.requests, wave.answers, strict=True)}
        for wave in referee.waves[1:]
    ]


def wrong_answers(request: Request, players: int) -> list[Answer]:
    """Answers that the request does not offer, of every kind."""
    kind = request.kind
    wrong = [
        Answer(absent=True, note="away"),
        Answer(absent=True, target=1),
        Answer(absent=True, text="x"),
        Answer(absent=True, raised=True),
        Answer(absent=True, claims=()),
        Answer(text="x" * (request.text + 1)),
    ]
    wrong += [Answer(target=seat) for seat in range(-1, players + 3) if seat not in request.options or kind == "hand"]
    if kind not in TARGETED:
        wrong += [Answer(target=seat) for seat in request.options]
    if kind in TARGETED and not request.may_pass:
        wrong.append(Answer())
    if kind != "hand":
        wrong.append(Answer(target=request.options[0] if request.options and kind in TARGETED else None, raised=True))
    elif not request.may_pass:
        wrong.append(Answer())
    if kind != "demand":
        wrong.append(Answer(targets=tuple(range(1, 3))))
    else:
        one = request.options[0]
        wrong += [Answer(targets=(one,)), Answer(targets=(one, one)), Answer(targets=(one, players + 1))]
    if kind not in CLAIMING:
        wrong.append(Answer(target=request.options[0] if kind in TARGETED else None, claims=(Claim("ask", 1),)))
    return wrong


@pytest.mark.parametrize("game", GAMES)
def test_legality_is_membership_in_the_request(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(40):
        referee, player = random_referee(seed, game), ByLot(seed)
        while referee.pending:
            for request in referee.pending:
                seen[request.kind] += 1
                for answer in offered(request):
                    check(request, answer)
                for answer in wrong_answers(request, referee.players):
                    with pytest.raises(Illegal):
                        check(request, answer)
            for request in referee.pending:
                referee.answer(request.id, player.answer(request))
    kinds = {"kill", "check", "last_words", "vote"}
    more = {"speech", "hand", "demand"} if game == "classic" else {"carry", "shoot", "needle", "silence"}
    assert set(seen) >= kinds | more


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_answer_changes_nothing(game: str) -> None:
    referee, player, past = started(game), ByLot(3), "n0.none1.01"
    while referee.pending:
        for number, request in enumerate(referee.pending):
            before = state(referee)
            for answer in wrong_answers(request, referee.players):
                with pytest.raises(Illegal):
                    referee.answer(request.id, answer)
            with pytest.raises((AlreadyAnswered, Unknown)):
                referee.answer(past, Answer())
            assert state(referee) == before
            referee.answer(request.id, player.answer(request))
            if number + 1 < len(referee.open) and referee.pending:
                with pytest.raises(AlreadyAnswered, match=request.id):
                    referee.answer(request.id, ABSENT)
            past = request.id
    before = state(referee)
    with pytest.raises(AlreadyAnswered):
        referee.answer(past, ABSENT)
    with pytest.raises(GameOver):
        referee.answer("d99.vote1.01", ABSENT)
    assert state(referee) == before


def test_each_option_is_taken_by_the_game_itself() -> None:
    referee, player = started("classic"), ByLot(8)
    while referee.pending and len(referee.waves) < 12:
        request = referee.pending[0]
        for answer in offered(request):
            copy = again(referee)
            copy.answer(request.id, answer)
            assert request.id not in {left.id for left in copy.pending}
        for open_request in referee.pending:
            referee.answer(open_request.id, player.answer(open_request))


def test_unknown_requests_are_refused_by_name() -> None:
    referee = started("classic")
    for name in ("", "n1.kill1.99", "N1.KILL1.01", "d1.vote1.01"):
        with pytest.raises(Unknown, match="no request"):
            referee.answer(name, ABSENT)


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_arrival_in_a_wave_never_matters(game: str) -> None:
    orders = [play(started(game), ByLot(5), Random(order)).waves for order in range(25)]
    assert all(waves == orders[0] for waves in orders)
    assert any(len(wave.requests) > 2 for wave in orders[0])


@pytest.mark.parametrize("game", GAMES)
def test_every_order_of_arrival_in_the_first_wave(game: str) -> None:
    waves: list[Wave] = []
    for order in islice(permutations(started(game).pending), 0, None, 24 if game == "butterfly" else 1):
        referee = started(game)
        for request in order:
            referee.answer(request.id, ByLot(6).answer(request))
        waves.append(referee.waves[-1])
    assert len(set(map(str, waves))) == 1


PLAY_ONE = """
import sys
sys.path.insert(0, {tests!r})
from players import ByLot, play, random_referee
for game in ("classic", "butterfly"):
    for seed in range(4):
        for wave in play(random_referee(seed, game), ByLot(seed)).waves:
            print([event.to_json() for event in wave.events], wave.requests)
"""


def test_the_same_seed_gives_the_same_bytes_under_two_hash_seeds() -> None:
    script = PLAY_ONE.format(tests=str(Path(__file__).parent))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": value}, capture_output=True, check=True
        ).stdout
        for value in ("0", "12345")
    ]
    assert len(outputs[0]) > 10_000
    assert outputs[0] == outputs[1]


def test_replay_comes_to_the_same_waves_and_names_the_first_difference() -> None:
    referee = play(started("classic"), ByLot(2))
    assert again(referee).waves == referee.waves
    assert again(referee).outcome == referee.outcome
    edited = recorded(referee)
    first = next(iter(edited[2]))
    edited[2][first] = Answer(target=99)
    with pytest.raises(Differs, match=rf"wave 3, {first}: "):
        list(replay(started("classic"), edited))
    surplus = recorded(referee)
    surplus[1] = {**surplus[1], "d9.vote1.01": ABSENT}
    with pytest.raises(Differs, match=r"wave 2: .*not asked \['d9.vote1.01'\]"):
        list(replay(started("classic"), surplus))
    missing = recorded(referee)
    gone = next(iter(missing[0]))
    del missing[0][gone]
    with pytest.raises(Differs, match=rf"wave 1: asked and not recorded \['{gone}'\]"):
        list(replay(started("classic"), missing))


def test_absence_alone_comes_to_an_end() -> None:
    for game in GAMES:
        referee = started(game)
        while referee.pending:
            for request in referee.pending:
                referee.answer(request.id, ABSENT)
        assert referee.outcome is not None
        told = [event.body for wave in referee.waves for event in wave.events]
        assert not [body for body in told if isinstance(body, Speech | LastWords)]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_cannot_be_is_refused(game: str) -> None:
    for roles in ((), (Role.KILLER,), (Role.CIVILIAN,) * 5, (Role.KILLER,) * 5):
        with pytest.raises(RulesError):
            Referee(make(game), Deal(roles), Keyed(1))


@pytest.mark.parametrize("game", GAMES)
def test_invariants_of_random_games_with_random_options(game: str) -> None:
    for seed in range(250):
        referee = play(random_referee(seed, game), ByLot(seed))
        _check_game(referee)


def _check_game(referee: Referee) -> None:
    rules, bodies = referee.rules, [event for wave in referee.waves for event in wave.events]
    alive, dead = set(range(1, referee.players + 1)), Counter[int]()
    views = views_of(Referee(rules, deal_of(referee), Keyed(0)))
    ids: set[str] = set()
    for number, wave in enumerate(referee.waves):
        _check_wave(wave, alive, dead, ids)
        for event in wave.events:
            gone = _gone(event)
            assert set(gone) <= alive
            assert event.body.kind != "dawn" or len(gone) <= (1 if rules.game == "classic" else 4)
            alive -= set(gone)
            dead.update(gone)
        if number:
            views.add(wave.events)
        assert set(views.record.living) == alive
        assert set(views.record.dead) == set(dead)
    assert set(dead.values()) <= {1}
    assert referee.outcome is not None
    assert max(event.day for event in bodies) <= rules.max_days
    assert [event.body for event in bodies[-2:]] == [
        Over(referee.outcome.winner, referee.outcome.reason),
        Revealed(deal_of(referee).roles),
    ]
    _check_secrets(referee)
    for event in bodies:
        raw = to_bytes(event.to_json())
        assert to_bytes(event_from_json(from_bytes(raw)).to_json()) == raw


def test_every_event_is_read_back_as_it_was() -> None:
    for event in (event for wave in play(started("classic"), ByLot(1)).waves for event in wave.events):
        assert event_from_json(from_bytes(to_bytes(event.to_json()))) == event


def _check_wave(wave: Wave, alive: set[int], dead: Counter[int], ids: set[str]) -> None:
    for request in wave.requests:
        assert request.seat in alive or request.kind == "last_words"
        assert (request.seat in dead) == (request.kind == "last_words")
        assert set(request.options) <= alive
        assert request.options or request.kind in ("speech", "last_words")
        assert request.id not in ids
        ids.add(request.id)
    assert len({request.seat for request in wave.requests}) == len(wave.requests)
    for event in wave.events:
        if isinstance(event.body, Speech | Hand):
            assert event.body.by in alive
        if isinstance(event.body, Ballots) and event.body.ballots:
            assert set(event.body.ballots) <= alive


def _check_secrets(referee: Referee) -> None:
    """Who acted at night, and what the judge alone knows, is told to nobody else."""
    for wave in referee.waves:
        for event in wave.events:
            match event.body:
                case Drawn() | Resolved() | Flag():
                    assert event.audience == "judge"
                case RoleDealt() | Acted():
                    assert isinstance(event.audience, tuple)
                    assert len(event.audience) == 1
                case Agreed(action=action):
                    role = Role.KILLER if action == "kill" else Role.POLICE
                    assert isinstance(event.audience, tuple)
                    assert {deal_of(referee).roles[seat - 1] for seat in event.audience} == {role}
                case _:
                    pass


def _gone(event: Event) -> tuple[int, ...]:
    match event.body:
        case Dawn(dead=seats):
            return seats
        case VotedOut(seat=seat):
            return (seat,)
        case _:
            return ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(("target", "text", "targets", "raise", "absent", "claims", "note", "other"))


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(NAMES, JSON, max_size=4) | JSON)
def test_an_answer_from_outside_is_read_or_illegal(data: object) -> None:
    try:
        answer = answer_from_json(data)
    except Illegal:
        return
    for request in (Request("r", 1, "vote", (1, 2)), Request("r", 1, "speech", text=10)):
        try:
            check(request, answer)
        except Illegal:
            continue
        assert answer.target in (None, 1, 2)
        assert answer_from_json(json.loads(to_bytes(answer.to_json(request.kind)))) == answer


def test_limits_of_the_table_are_the_limits_of_the_requests() -> None:
    limits = Limits(speech=11, pk=7, last_words=5, council=3)
    referee = Referee(make("classic"), Deal((Role.KILLER, Role.KILLER, *[Role.CIVILIAN] * 4)), Keyed(1), limits)
    texts: dict[str, set[int]] = {}
    while referee.pending:
        for request in referee.pending:
            texts.setdefault(request.kind, set()).add(request.text)
            referee.answer(request.id, ByLot(1, absence=0).answer(request))
    assert texts["kill"] <= {3, 0}
    assert texts["speech"] <= {11, 7}
    assert texts.get("last_words", {5}) == {5}
