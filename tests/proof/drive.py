"""Whole games of scripted players without a host, in step and fast.

`play_out` goes through the referee. `run_out` runs the script that the referee holds, without its checks of every
answer: the same game for the same seed (a test compares them), at twice the pace.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianhei.arena.chance import Keyed, deal
from tianhei.arena.player import Completion, Player, Prompt, Reply
from tianhei.arena.referee import Referee, game
from tianhei.arena.requests import Answer, Request
from tianhei.arena.roles import Role
from tianhei.arena.rules.options import Rules
from tianhei.arena.rules.victory import Outcome
from tianhei.arena.table import Table
from tianhei.arena.view import View, Views


async def nobody(prompt: Prompt) -> Completion:
    """No model sits behind a scripted player."""
    raise AssertionError("a scripted player asked a model")


def answer(player: Player, view: View, request: Request) -> Answer:
    """The answer of a player that waits for nothing."""
    try:
        player.act(view, request, nobody).send(None)
    except StopIteration as stop:
        reply: Reply = stop.value
        return reply.answer
    raise AssertionError("a scripted player waited")


def play_out(rules: Rules, counts: Mapping[Role, int], player: Player, seed: int | str) -> Outcome:
    """One game through the referee, with the same player in every seat."""
    referee = Referee(rules, deal(counts, seed), Keyed(seed))
    views = Views(rules, counts, seed)
    views.add(referee.waves[0].events)
    while referee.outcome is None:
        wave = None
        for request in tuple(referee.open.values()):
            wave = referee.answer(request.id, answer(player, views.of(request.seat), request))
        if wave is not None:
            views.add(wave.events)
    return referee.outcome


def run_out(rules: Rules, counts: Mapping[Role, int], player: Player, seed: int | str) -> Outcome:
    """The same game by its script alone."""
    table = Table(rules, deal(counts, seed), Keyed(seed))
    views = Views(rules, counts, seed)
    script = game(table)
    try:
        requests = next(script)
        while True:
            views.add(table.events)
            table.events = []
            requests = script.send(tuple([answer(player, views.of(r.seat), r) for r in requests]))
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome
