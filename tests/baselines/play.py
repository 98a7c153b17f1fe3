"""Whole games with a player for each role, through the script alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proof.drive import answer
from tianhei.agents.roster import KINDS, TOLD, parse_spec, scripted_player
from tianhei.arena.chance import Keyed, deal
from tianhei.arena.player import Player
from tianhei.arena.referee import Referee
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import Rules
from tianhei.arena.view import Views
from tianhei.prompts.vocabulary import Lang

BASELINES = tuple(name for name, place in KINDS.items() if ".baselines." in place)


def made(name: str, lang: Lang = "en") -> Player:
    """A player by the name of its kind."""
    return scripted_player(parse_spec(name), lang)


def alike(name: str, lang: Lang = "en") -> Callable[[Role], Player]:
    """The same kind for every role."""
    player = made(name, lang)
    return lambda role: player


def played(
    rules: Rules, counts: Mapping[Role, int], player: Callable[[Role], Player], seed: int | str, *, told: bool = False
) -> tuple[Referee, Views]:
    """One game; with ``told``, everybody has the handicap of the oracle."""
    dealt = deal(counts, seed)
    handicaps = dict.fromkeys(range(1, len(dealt.roles) + 1), TOLD["oracle"]) if told else {}
    referee = Referee(rules, dealt, Keyed(seed), handicaps=handicaps)
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    while referee.outcome is None:
        wave = None
        for request in tuple(referee.open.values()):
            view = views.of(request.seat)
            wave = referee.answer(request.id, answer(player(dealt.roles[request.seat - 1]), view, request))
        assert wave is not None
        views.add(wave.events)
    return referee, views
