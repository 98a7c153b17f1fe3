"""How long a prompt is beside another arena's for the same table and speeches: ``python -m bench.prompts``.

A classic game of scripted players is played. At each question the prompt of the official pack, without the rules and
the texts on how to play, speak and answer, is set beside what SecretMafia of TextArena (0.7.4) would have shown the
same seat of the same deaths, speeches, councils, checks and ballots, without its introduction. Letters are counted.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from statistics import mean

from bench.layouts import questions
from tianhei.arena.events import Ballots, Called, Checked, Dawn, Event, LastWords, Speech, Stated, VotedOut
from tianhei.arena.requests import Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View
from tianhei.prompts.compose import compose
from tianhei.prompts.pack import OFFICIAL, Pack, load

HOW_TO = ("role.", "layout.private", "layout.fields", "layout.reminder", "layout.identity", "layout.mates")
"""The texts of a private part that stand in an introduction elsewhere: card, partners, and how to play and answer."""
QUESTION = re.compile(r"(Question: [^?]+\?).*")
"""What follows the question itself is advice."""


def ours(pack: Pack, view: View, request: Request) -> int:
    """Letters of the prompt without rules and how-to."""
    prompt = compose(pack, view, request).prompt
    lines = [QUESTION.sub(r"\1", line) for line in prompt.private.split("\n") if not _how_to(pack).fullmatch(line)]
    return len(prompt.public) + len("\n".join(lines))


@cache
def _how_to(pack: Pack) -> re.Pattern[str]:
    texts = (text for key, text in pack.texts.items() if key.startswith(HOW_TO))
    return re.compile("|".join(re.sub(r"\\{\w+\\}", "[^.]*", re.escape(text)) + ".*" for text in texts if text))


def theirs(view: View, request: Request) -> int:
    """Letters of SecretMafia's observation of the same story."""
    living = set(range(1, view.record.players + 1))
    lines = [line for event in view.events for line in _shown(event, view, living)]
    if request.kind in ("vote", "kill", "check"):
        lines += _asked(request.kind, request.options)
    return len("\n".join(lines))


def _shown(event: Event, view: View, living: set[Seat]) -> Iterator[str]:
    match event.body:
        case Dawn(dead=dead):
            living.difference_update(dead)
            yield from (f"[GAME] Player {seat} was killed during the night." for seat in dead)
            if not dead:
                yield "[GAME] No one was killed tonight."
        case Called(stage="speeches"):
            yield "[GAME] Day breaks. Discuss for 1 rounds, then a vote will follow."
        case Speech(by=by, text=text) | LastWords(by=by, text=text):
            yield f"[Player {by}] {text}"
        case Ballots(ballots=ballots):
            yield from _asked("vote", sorted(living))
            yield from (f"[Player {voter}] [{target}]" for voter, target in (ballots or {}).items() if target)
        case VotedOut(seat=seat):
            living.discard(seat)
            yield f"[GAME] Player {seat} was eliminated by vote."
        case Stated(by=by, target=target, text=text) if event.visible_to(view.seat):
            yield f"[Player {by}] {f'{text} ' if text else ''}[{target}]"
        case Checked(target=target, answer=answer) if event.visible_to(view.seat):
            yield f"[Player {view.seat}] [{target}]"
            yield f"[GAME] Player {target} {'IS' if answer == 'nod' else 'IS NOT'} a Mafia member."
        case _:
            pass


def _asked(kind: str, options: Iterable[Seat]) -> Sequence[str]:
    listed = ", ".join(f"[{seat}]" for seat in options)
    return {
        "vote": ["[GAME] Voting phase - submit one vote in format [X]. Valid: " + listed],
        "kill": ["[GAME] Night has fallen. Mafia, agree on a victim.", "Valid targets: " + listed],
        "check": ["[GAME] Night phase - choose one player to investigate: " + listed],
    }[kind]


def compared(players: int, seeds: Iterable[int]) -> tuple[float, float]:
    """The mean letters of a prompt over whole games: ours, and theirs."""
    pack = load(OFFICIAL, "en")
    pairs = [
        (ours(pack, view, request), theirs(view, request))
        for seed in seeds
        for request, view in questions("classic-arena", players, "en", seed)
        if request.kind in ("speech", "last_words", "vote", "kill", "check")
    ]
    return mean(own for own, _ in pairs), mean(other for _, other in pairs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both lengths and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m bench.prompts", description=__doc__)
    parser.add_argument("--players", type=int, default=12, help="seats of each table (12)")
    parser.add_argument("--games", type=int, default=10, help="games (10)")
    given = parser.parse_args(arguments)
    own, other = compared(given.players, range(given.games))
    print(
        f"letters of a prompt without rules and how-to: {own:,.0f}; TextArena's: {other:,.0f}; ratio {own / other:.3f}"
    )


if __name__ == "__main__":
    main()
