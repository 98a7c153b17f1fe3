"""Whole games with a player for each role, and single moments as one seat sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from proof.drive import answer
from tianhei.agents.roster import KINDS, TOLD, parse_spec, scripted_player
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.events import PUBLIC, Body, Event, Mates, RoleDealt
from tianhei.arena.player import Player
from tianhei.arena.referee import Referee
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.view import View, Views
from tianhei.prompts.vocabulary import Lang

BASELINES = tuple(name for name, place in KINDS.items() if ".baselines." in place)
LANGS: tuple[Lang, ...] = get_args(Lang)
ByRole = Callable[[Role], Player]
Asked = tuple[View, Request, Answer]
NINE = {Role.KILLER: 2, Role.POLICE: 2, Role.CIVILIAN: 5}


def made(name: str, lang: Lang = "en") -> Player:
    """A player by the name of its kind."""
    return scripted_player(parse_spec(name), lang)


def alike(name: str, lang: Lang = "en") -> ByRole:
    """The same kind for every role."""
    player = made(name, lang)
    return lambda role: player


def game(
    rules: Rules, counts: Mapping[Role, int], player: ByRole, seed: int | str, *, told: bool = False
) -> Iterator[tuple[Referee, Views, list[Asked]]]:
    """One game, wave by wave; with ``told``, everybody has the handicap of the oracle."""
    dealt = deal(counts, seed)
    handicaps = dict.fromkeys(range(1, len(dealt.roles) + 1), TOLD["oracle"]) if told else {}
    referee = Referee(rules, dealt, Keyed(seed), handicaps=handicaps)
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    while referee.outcome is None:
        wave, asked = None, list[Asked]()
        for request in tuple(referee.open.values()):
            view = views.of(request.seat)
            asked.append((view, request, answer(player(dealt.roles[request.seat - 1]), view, request)))
            wave = referee.answer(request.id, asked[-1][2])
        yield referee, views, asked
        assert wave is not None
        views.add(wave.events)
    yield referee, views, []


def played(
    rules: Rules, counts: Mapping[Role, int], player: ByRole, seed: int | str, *, told: bool = False
) -> tuple[Referee, Views]:
    """One whole game."""
    *_, (referee, views, _) = game(rules, counts, player, seed, told=told)
    return referee, views


def asked(
    rules: Rules, counts: Mapping[Role, int], player: ByRole, seed: int | str, *, told: bool = False
) -> Iterator[Asked]:
    """Every request of a game with its answer, the view as it was then."""
    for _, _, each in game(rules, counts, player, seed, told=told):
        yield from each


def seen(
    seat: Seat, role: Role, *public: Body, mates: tuple[Seat, ...] = (), private: tuple[Body, ...] = (),
    rules: Rules | None = None, day: int = 1,
) -> View:  # fmt: skip
    """What a seat of a nine-seat table knows once its card and then these events were told."""
    views = Views(rules or make("classic", {"vote_form": "simultaneous"}), NINE, 1)
    own = [RoleDealt(role, Side.KILLERS if role is Role.KILLER else Side.GOOD), Mates((seat, *mates)), *private]
    views.add([Event(1, "deal", (seat,), body) for body in own])
    views.add([Event(day, "day", PUBLIC, body) for body in public])
    return views.of(seat)
