"""Random answers: legal ones with passes, absences, words and claims; and wrong ones of every kind."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from oracle import story
from tianhei.arena.referee import Referee
from tianhei.arena.requests import CLAIMING, TARGETED, Illegal, RefusedAnswer, Request, answer_from_json, check

WORDS = ("", "", "过", "I am the killer.", "我是杀手", "I'm the police", "我是警察，验了3号", "vote 2", "none")


@dataclass(frozen=True)
class Manner:
    """How the players of one game behave."""

    hot: tuple[int, ...]
    crowd: float
    passing: float
    absence: float
    raising: float
    demanding: float
    mistakes: float


def random_manner(rng: Random, players: int) -> Manner:
    few = rng.sample(range(1, players + 1), min(players, rng.choice((2, 2, 3, 4))))
    return Manner(
        tuple(few), rng.choice((0.0, 0.5, 0.9, 1.0)), rng.choice((0.0, 0.1, 0.3, 0.9)),
        rng.choice((0.0, 0.0, 0.05, 0.3, 0.95)), rng.choice((0.1, 0.3, 0.6)), rng.choice((0.05, 0.3)),
        rng.choice((0.0, 0.1)),
    )  # fmt: skip


def answer(rng: Random, manner: Manner, request: Request) -> dict[str, Any]:
    """A legal answer, as it stands in the protocol."""
    if rng.random() < manner.absence or (not request.options and not request.may_pass):
        return {"absent": True}
    said: dict[str, Any] = {}
    if request.kind in TARGETED:
        said["target"] = _target(rng, manner, request)
    elif request.kind == "hand":
        said["raise"] = not request.may_pass or rng.random() < manner.raising
    elif request.kind == "demand" and rng.random() < manner.demanding and len(request.options) > 1:
        said["targets"] = rng.sample(request.options, rng.randint(2, min(5, len(request.options))))
    if request.text and rng.random() < 0.5:
        said["text"] = rng.choice(WORDS)
    if request.kind in CLAIMING and rng.random() < 0.3:
        what = rng.choice(("killer", "police", "civilian"))
        said["claims"] = [{"kind": "role", "seat": request.seat, "what": what}] if rng.random() < 0.8 else []
    if rng.random() < 0.05:
        said["note"] = "remember this"
    return said


def _target(rng: Random, manner: Manner, request: Request) -> int | None:
    if request.may_pass and rng.random() < manner.passing:
        return None
    hot = [seat for seat in manner.hot if seat in request.options]
    return rng.choice(hot if hot and rng.random() < manner.crowd else request.options)


def wild_answer(rng: Random, request: Request, players: int) -> dict[str, Any]:
    """An answer of the right fields with any content."""
    if request.kind in TARGETED:
        return {"target": rng.choice((None, rng.randint(-1, players + 2)))}
    if request.kind == "hand":
        return {"raise": rng.random() < 0.5}
    if request.kind == "demand":
        return {"targets": sorted({rng.randint(0, players + 1) for _ in range(rng.randint(0, 3))})}
    return {"text": "x" * rng.choice((0, request.text, request.text + 1))}


def expected_legal(request: Request, said: dict[str, Any]) -> bool:
    """Whether the oracle takes this answer; the oracle has no limit of words."""
    same = story.Request(request.seat, request.kind, request.options, request.may_pass)
    return story.fits(same, said) and len(said.get("text", "")) <= request.text


def mistake(rng: Random, referee: Referee, players: int, past: list[str], done: list[str]) -> str | None:
    """Give the referee one wrong answer; what went wrong with its refusal, or None."""
    waves, pending = len(referee.waves), referee.pending
    choice = rng.randrange(4)
    request = rng.choice(pending)
    said = wild_answer(rng, request, players)
    if choice == 0:
        name, code = "d9.nothing1.99", "unknown_request"
    elif choice == 1 and done:
        name, code = rng.choice(done), "already_answered"
    elif choice == 2 and past:
        name, code = rng.choice(past), "already_answered"
    else:
        name, code = request.id, "illegal"
        legal = expected_legal(request, said)
        if legal:
            try:
                check(request, answer_from_json(said))
            except Illegal as error:
                return f"{request} {said}: the oracle takes it, the engine does not ({error})"
            return None
    try:
        referee.answer(name, answer_from_json(said))
    except RefusedAnswer as error:
        if error.code != code:
            return f"{name} {said}: refused as {error.code}, not as {code}"
    else:
        return f"{name} {said}: taken, should be {code}"
    if (len(referee.waves), referee.pending) != (waves, pending):
        return f"{name} {said}: refused, yet something has changed"
    return None
