"""Single rulings, engine against oracle, on random inputs: legal ones and many that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from oracle import orders, rulings
from oracle.options import resolve
from oracle.votes import choices, compulsory, electors, following
from proof.normal import frozen
from proof.tables import random_changes
from tianhei.arena.protocol import Session

Line = dict[str, Any]
BUTTERFLY = ("butterfly", "sniper", "doctor", "elder", "police", "killer", "civilian")
CLASSIC = ("police", "killer", "civilian")
SESSION = Session()
TOLD_APART = frozenset(("no_setup", "illegal", "must_vote"))
"""Error codes that both sides give; any other refusal need only be a refusal."""


def ask_engine(line: Line) -> Any:
    return _plain(SESSION.reply(line))


def ask_oracle(line: Line) -> Any:
    try:
        return _plain(rulings.answer(line))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return {"ok": False, "error": "refused", "message": f"{type(error).__name__}: {error}"}


def _plain(reply: Mapping[str, Any]) -> Any:
    """A reply as compared: an error by its code (and seats), counts of none left out."""
    if not reply["ok"]:
        error = reply["error"]
        code = error["code"] if error["code"] in TOLD_APART else "refused"
        seats = {"seats": sorted(error["seats"])} if "seats" in error else {}
        return {"ok": False, "error": code, **seats, "message": error["message"]}
    plain = frozen(reply)
    if "alternatives" in plain:
        plain["roles"] = _some(plain["roles"])
        plain["alternatives"] = {name: _some(counts) for name, counts in plain["alternatives"].items()}
    if "needles" in plain:
        plain["needles"] = _some(plain["needles"])
    return plain


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def differ(line: Line) -> tuple[Any, Any] | None:
    """Both replies, if they differ in more than an error's words."""
    ours, theirs = ask_engine(line), ask_oracle(line)
    same = {k: v for k, v in ours.items() if k != "message"} == {k: v for k, v in theirs.items() if k != "message"}
    return None if same else (ours, theirs)


def rules(rng: Random, game: str) -> dict[str, Any]:
    return {"preset": game, **random_changes(rng, game)}


def night(rng: Random, game: str) -> Line:
    """Mostly few seats, so that actions meet."""
    roles = _roles(rng, game)
    seats = range(1, len(roles) + 1)
    alive = [seat for seat in seats if rng.random() < 0.85] or [1]
    few = rng.sample(alive, min(len(alive), rng.choice((1, 2, 3, len(alive)))))
    names = ("kill", "check") if game == "classic" else ("carry", "shoot", "kill", "needle", "check", "silence")
    sloppy = rng.random() < 0.15
    living = {roles[seat - 1] for seat in alive}
    actions: dict[str, int | None] = {}
    for name in names:
        if (sloppy or rulings_actor(name) in living) and rng.random() < 0.85:
            actions[name] = rng.choice(few if not sloppy or rng.random() < 0.7 else [*seats, 0, len(roles) + 1])
    if not sloppy and actions.get("carry") and roles[(actions["carry"] or 1) - 1] == "butterfly":
        del actions["carry"]
    line: Line = {"cmd": "night", "rules": rules(rng, game), "roles": roles, "alive": alive, "actions": actions}
    if game == "butterfly":
        line["needles"] = {str(seat): 1 for seat in seats if rng.random() < 0.3}
        if rng.random() < 0.3:
            line["previous_carry"] = rng.choice(alive)
    for name in ("kill", "check") if rng.random() < 0.4 else ():
        team = [seat for seat in alive if roles[seat - 1] == rulings_actor(name)]
        if team:
            actions.pop(name, None)
            stated = {str(seat): rng.choice([*few, None]) for seat in team}
            line.setdefault("stated", {})[name] = stated
    if "stated" in line:
        line["lot"] = rng.choice(few)
        if len(line["stated"]) == 2 and rng.random() < 0.7:
            line["stated"].pop("check")  # one lot cannot serve two councils
    return line


def rulings_actor(action: str) -> str:
    return {"carry": "butterfly", "shoot": "sniper", "kill": "killer", "needle": "doctor", "check": "police"}.get(
        action, "elder"
    )


def _roles(rng: Random, game: str) -> list[str]:
    players = rng.randint(3, 14)
    if game == "classic":
        return rng.choices(CLASSIC, k=players)
    singles = [role for role in BUTTERFLY[:4] if rng.random() < 0.85][:players]
    others = rng.choices(BUTTERFLY[4:], k=max(0, players - len(singles)))
    roles = singles + others
    rng.shuffle(roles)
    return roles


def order(rng: Random, game: str) -> Line:
    players = rng.randint(3, 25)
    seats = list(range(1, players + 1))
    alive = sorted(rng.sample(seats, rng.randint(1, players)))
    gone = [seat for seat in seats if seat not in alive]
    line: Line = {"cmd": "order", "rules": rules(rng, game), "players": players, "alive": alive,
                  "round": rng.randint(1, 9)}  # fmt: skip
    dead = rng.sample(gone, min(len(gone), rng.randint(0, 1 if game == "classic" else 4)))
    if game == "classic" and rng.random() < 0.7:
        line["anchor"] = dead[0] if dead else None
        line["dead_tonight"] = dead
    else:
        line["dead_tonight"] = dead
    if gone and rng.random() < 0.6:
        line["previous_anchor"] = rng.choice(gone)
    if resolve(line["rules"])["no_death_start"] == "random":
        line["lot"] = rng.choice(alive)
    return line


def council(rng: Random, game: str) -> Line:
    few: list[int | None] = [*rng.sample(range(1, 14), rng.randint(1, 4)), None]
    stated = [rng.choice(few) for _ in range(rng.randint(1, 6))]
    line: Line = {"cmd": "council", "rules": rules(rng, game), "stated": stated}
    named = [seat for seat in stated if seat]
    if named and rng.random() < 0.7:
        line["lot"] = rng.choice(named)
    return line


def _ballots(rng: Random, options: dict[str, Any], stage: str, voters: list[int], candidates: list[int]) -> Line:
    """Random ballots; now and then one that may not be, or one that is missing."""
    few = rng.sample(candidates, min(len(candidates), rng.randint(1, 3)))
    given: dict[str, int | None] = {}
    for seat in voters:
        allowed = [c for c in choices(options, seat, candidates) if c in few] or choices(options, seat, candidates)
        if rng.random() < 0.05 or not allowed:
            continue
        passes = not compulsory(options, stage) and rng.random() < 0.2
        given[str(seat)] = None if passes else rng.choice(allowed)
        if rng.random() < 0.003:
            given[str(seat)] = rng.choice([None, *candidates, max(candidates) + 1])
    return given


def tally(rng: Random, game: str) -> Line:
    line: Line = {"cmd": "tally", "rules": rules(rng, game)}
    options = resolve(line["rules"])
    alive = sorted(rng.sample(range(1, 15), rng.randint(2, 8)))
    line |= {"alive": alive, "ballots": _ballots(rng, options, "vote", alive, alive)}
    then = following(options, "vote", alive, rulings.by_seat(line["ballots"]))
    if then.step == "lot" and rng.random() < 0.8:
        line["lot"] = rng.choice(then.seats)
    if then.step == "revote" and rng.random() < 0.8:
        line["revote"] = _ballots(rng, options, "revote", alive, list(then.seats))
    return line


def chain(rng: Random, game: str) -> Line:
    """The ballots of a whole chain, as many as the oracle says there are votes."""
    changes = rules(rng, game) | {"tie": "chain"}
    line: Line = {"cmd": "chain", "rules": changes}
    options = resolve(changes)
    players = rng.randint(2, 9)
    alive = sorted(rng.sample(range(1, players + 1), rng.randint(2, players)))
    gone = [seat for seat in range(1, players + 1) if seat not in alive]
    anchor = rng.choice(gone) if gone and rng.random() < 0.6 else None
    line |= {"players": players, "alive": alive, "anchor": anchor, "ballots": []}
    ring = orders.speech_order(options, players, 1, alive, [] if anchor is None else [anchor])
    stage, now, demanded = "vote", tuple(ring), False
    if game == "classic" and len(alive) > 1 and rng.random() < 0.3:
        stage, demanded = "pk", True
        now = tuple(seat for seat in ring if seat in rng.sample(alive, rng.randint(2, len(alive))))
        if len(now) < 2:
            now = tuple(ring)
        line["round_pk"] = sorted(now)
    while True:
        voters = electors(options, stage, ring, now)
        given = _ballots(rng, options, stage, voters, list(now))
        line["ballots"].append(given)
        cast = {int(seat): target for seat, target in given.items()}
        then = following(options, stage, now, cast, demanded)
        if then.step not in ("pk", "off_field"):
            break
        stage, now = then.step, then.seats
    if then.step == "lot":
        line["lot"] = rng.choice(then.seats)
    return line


def victory(rng: Random, game: str) -> Line:
    singles = () if game == "classic" else BUTTERFLY[:4]
    dealt = {role: 1 for role in singles if rng.random() < 0.8}
    dealt |= {"killer": rng.randint(1, 9), "police": rng.randint(0, 4), "civilian": rng.randint(0, 11)}
    alive = {role: rng.randint(0, count) for role, count in dealt.items()}
    return {"cmd": "victory", "rules": rules(rng, game), "alive_counts": alive, "dealt_counts": dealt}


def setup(rng: Random, game: str) -> Line:
    return {"cmd": "setup", "rules": rules(rng, game), "players": rng.randint(1, 32)}


MAKERS: Mapping[str, Callable[[Random, str], Line]] = {
    "night": night, "order": order, "council": council, "tally": tally, "chain": chain, "victory": victory,
    "setup": setup,
}  # fmt: skip


def compare(command: str, seed: int) -> tuple[Line, tuple[Any, Any] | None]:
    """One random ruling and, if they differ, both replies."""
    rng = Random(f"{command} {seed}")
    game = "classic" if seed % 2 else "butterfly"
    line = MAKERS[command](rng, game)
    return line, differ(line)
