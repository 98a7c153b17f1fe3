"""The single rulings in the words of the referee protocol: one request in, one reply out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import council, orders, setups, victory, votes
from .night import Night, dawn, illegal
from .options import Options, game_of, resolve

Line = Mapping[str, Any]
Reply = dict[str, Any]


class Refused(Exception):
    """A ruling that ends in an error code of the protocol."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **more}


def by_seat(given: Mapping[Any, Any] | None) -> dict[int, Any]:
    """JSON names seats by strings."""
    return {int(seat): value for seat, value in (given or {}).items()}


def to_json(by: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in by.items()}


def setup(options: Options, line: Line) -> Reply:
    players = int(line["players"])
    counts = setups.setup(options, players)
    if counts is None:
        raise Refused("no_setup", f"none is written for {players}")
    named = setups.butterfly_setups(players) if game_of(options) == "butterfly" else {}
    return {"roles": counts, "alternatives": {n: c for n, c in named.items() if c != counts}}


def night(options: Options, line: Line) -> Reply:
    actions: dict[str, int | None] = dict(line.get("actions") or {})
    for action, stated in (line.get("stated") or {}).items():
        carried = actions.get("carry")
        heard = council.heard(options, action, by_seat(stated), [carried] if carried else [])
        actions[action] = council.decision(options, heard, line.get("lot"))
    asked = Night(
        options,
        dict(enumerate(line["roles"], 1)),
        frozenset(line["alive"]),
        actions,
        by_seat(line.get("needles")),
        line.get("previous_carry"),
    )
    if reason := illegal(asked):
        raise Refused("illegal", reason)
    got = dawn(asked)
    return {
        "deaths": {str(s): list(c) for s, c in got.deaths.items()},
        "saved": sorted(got.saved),
        "empty_needles": sorted(got.empty),
        "needles": to_json(got.totals),
        "silenced": sorted(got.silenced),
        "police": got.police,
    }


def order(options: Options, line: Line) -> Reply:
    dead = list(line.get("dead_tonight") or [])
    if game_of(options) == "classic" and line.get("anchor") is not None:
        dead = [line["anchor"]]
    players, day = int(line["players"]), int(line["round"])
    return {
        "last_words": orders.last_words_order(options, players, day, dead),
        "speeches": orders.speech_order(
            options, players, day, line["alive"], dead, line.get("previous_anchor"), line.get("lot")
        ),
    }


def agree(options: Options, line: Line) -> Reply:
    best = council.favoured(line["stated"])
    tied = list(best) if len(best) > 1 else []
    lot = line.get("lot")
    waits = council.needs_lot(options, line["stated"]) and lot is None
    return {"target": None if waits else council.decision(options, line["stated"], lot), "tied": tied}


def tally(options: Options, line: Line) -> Reply:
    revote = by_seat(line["revote"]) if line.get("revote") else None
    return {**votes.verdict(options, line["alive"], by_seat(line["ballots"]), line.get("lot"), revote)}


def chain(options: Options, line: Line) -> Reply:
    anchor = line.get("anchor")
    ring = orders.speech_order(options, int(line["players"]), 1, line["alive"], [] if anchor is None else [anchor])
    return votes.chain(options, ring, [by_seat(b) for b in line["ballots"]], line.get("lot"), line.get("round_pk"))


def winner(options: Options, line: Line) -> Reply:
    got = victory.decide(options, line["alive_counts"], line["dealt_counts"])
    return {"winner": got[0] if got else None, "reason": got[1] if got else None}


COMMANDS: dict[str, Callable[[Options, Line], Reply]] = {
    "setup": setup,
    "night": night,
    "order": order,
    "council": agree,
    "tally": tally,
    "chain": chain,
    "victory": winner,
}


def answer(line: Line) -> Reply:
    """One reply; errors are values, as in the protocol."""
    same = {"id": line["id"]} if "id" in line else {}
    try:
        reply = COMMANDS[line["cmd"]](resolve(line["rules"]), line)
    except Refused as refused:
        return {"ok": False, "error": refused.error, **same}
    except votes.MustVote as idle:
        error = {"code": "must_vote", "message": str(idle), "seats": list(idle.seats)}
        return {"ok": False, "error": error, **same}
    return {"ok": True, **reply, **same}
