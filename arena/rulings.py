"""Single rulings: one question to the rules, without a game around it. Each is a function of its request alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given
from tianhei.arena.events import Stage
from tianhei.arena.requests import Illegal
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.ballot import Poll, choices
from tianhei.arena.rules.chain import AGAIN, Next, after_vote, electors, is_compulsory, speakers_of
from tianhei.arena.rules.council import TEAM_OF, decide, favourites
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly, Classic, Rules
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import written
from tianhei.arena.rules.speaking import order_of_last_words, order_of_speeches
from tianhei.arena.rules.victory import victory
from tianhei.arena.table import Table
from tianhei.transcripts.file import from_bytes, to_bytes

Data = Mapping[str, Any]
ACTORS = {
    "carry": Role.BUTTERFLY,
    "shoot": Role.SNIPER,
    "kill": Role.KILLER,
    "needle": Role.DOCTOR,
    "check": Role.POLICE,
    "silence": Role.ELDER,
}


class BadRequest(ValueError):
    """A request that cannot be understood; the message says what it lacks."""


class Must(Illegal):
    """Some seats left out a vote that is compulsory."""

    code = "must_vote"

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(f"must vote: {', '.join(map(str, seats))}")
        self.seats = list(seats)


def rules_of(data: Data) -> tuple[Rules, int | None]:
    """The rules that a request names, and the number of players they are meant for."""
    if "rules" not in data:
        raise BadRequest("rules are missing: a preset's name, or an object with a preset and options")
    spec = data["rules"]
    return _named(spec) if isinstance(spec, str) else _written(to_bytes(spec))


@lru_cache(maxsize=256)
def _named(name: str) -> tuple[Rules, int | None]:
    return read_rules(name)


@lru_cache(maxsize=4096)
def _written(spec: bytes) -> tuple[Rules, int | None]:
    return read_rules(from_bytes(spec))


def rules(data: Data) -> dict[str, Any]:
    """The rules resolved, their hash, and their text as players are shown it."""
    from tianhei.prompts.rulebook import rule_text

    found, _ = rules_of(data)
    lang = data.get("lang", "en")
    if lang not in ("en", "zh"):
        raise BadRequest(f"lang {lang!r} is not en or zh")
    return {"hash": found.hash, "game": found.game, "options": found.to_dict(), "text": rule_text(found, lang)}


def setup(data: Data) -> dict[str, Any]:
    """The set-up written for a number of players, and the alternatives."""
    found, usual = rules_of(data)
    players = data.get("players", usual)
    if type(players) is not int:
        raise BadRequest(f"players = {players!r} is not a whole number")
    counts, alternatives = written(found, players)
    return {"roles": dict(counts), "alternatives": {name: dict(other) for name, other in alternatives.items()}}


def night(data: Data) -> dict[str, Any]:
    """Reckon one night."""
    found, _ = rules_of(data)
    roles = _roles(tuple(data["roles"]))
    alive = _seats(tuple(data["alive"]), len(roles))
    actions = _actions(found, data, roles, alive)
    if isinstance(found, Classic):
        return _classic_night(roles, actions)
    needles = {int(seat): count for seat, count in (data.get("needles") or {}).items()}
    result = resolve(found, roles, alive, needles, actions)
    return {
        "deaths": {str(seat): result.deaths[seat] for seat in sorted(result.deaths)},
        "saved": sorted(result.saved),
        "empty_needles": sorted(result.empty),
        "needles": {str(seat): count for seat, count in sorted(result.needles.items())},
        "silenced": sorted(result.silenced),
        "police": result.police,
    }


def _classic_night(roles: tuple[Role, ...], actions: Mapping[str, Seat | None]) -> dict[str, Any]:
    victim, checked = actions.get("kill"), actions.get("check")
    sign = "no_check" if checked is None else "nod" if roles[checked - 1] is Role.KILLER else "shake"
    deaths = {str(victim): ["kill"]} if victim else {}
    return {"deaths": deaths, "saved": [], "empty_needles": [], "needles": {}, "silenced": [], "police": sign}


@lru_cache(maxsize=1024)
def _roles(names: tuple[str, ...]) -> tuple[Role, ...]:
    return tuple(map(Role, names))


def _seats(seats: tuple[Any, ...], players: int) -> tuple[Seat, ...]:
    for seat in seats:
        if type(seat) is not int or not 1 <= seat <= players:
            raise BadRequest(f"{seat!r} is not one of the seats 1 to {players}")
    return tuple(sorted(seats))


def _actions(found: Rules, data: Data, roles: tuple[Role, ...], alive: Sequence[Seat]) -> dict[str, Seat | None]:
    """The night's actions, checked as the requests of a game would be; stated councils decided."""
    actions: dict[str, Seat | None] = dict(data.get("actions") or {})
    for name, stated in (data.get("stated") or {}).items():
        actions[name] = _stated(found, data, name, {int(seat): target for seat, target in stated.items()}, actions)
    for name in actions:
        if name not in ACTORS or (isinstance(found, Classic) and name not in TEAM_OF):
            raise Illegal(f"{name!r} is no night action of the {found.game} game")
    acting = {roles[seat - 1] for seat in alive}
    for name, role in ACTORS.items():
        target = actions.get(name)
        if target is None:
            if role in acting and name not in TEAM_OF and found.night_pass == "forbidden":
                raise Illegal(f"{name}: must choose somebody")
        elif role not in acting:
            raise Illegal(f"{name}: no {role} lives")
        else:
            _check_target(found, data, roles, alive, name, target)
    return actions


def _check_target(
    found: Rules, data: Data, roles: tuple[Role, ...], alive: Sequence[Seat], name: str, target: Seat
) -> None:
    if target not in alive:
        raise Illegal(f"{name}: {target} is not alive")
    if name == "carry":
        if roles[target - 1] is Role.BUTTERFLY:
            raise Illegal("carry: she may not carry herself")
        if getattr(found, "repeat_target", "") == "forbidden_for_carry" and target == data.get("previous_carry"):
            raise Illegal(f"carry: {target} was carried the night before")
    if name == "kill" and found.kill_teammate == "forbidden" and roles[target - 1] is Role.KILLER:
        raise Illegal(f"kill: {target} is a killer")


def _stated(
    found: Rules, data: Data, name: str, stated: Mapping[Seat, Seat | None], actions: Mapping[str, Any]
) -> Seat | None:
    """A council's decision, with the carried member's statement left out where the rules say so."""
    carried = actions.get("carry")
    left_out = isinstance(found, Butterfly) and (
        found.carried_killer == "others_still_kill" if name == "kill" else found.carried_police == "blocks_self"
    )
    heard = [target for seat, target in stated.items() if not (left_out and seat == carried and len(stated) > 1)]
    return decide(_table(found, 1, data), name, heard)


def order(data: Data) -> dict[str, Any]:
    """Tonight's last words and today's speeches, in order."""
    found, _ = rules_of(data)
    players, day = data["players"], data["round"]
    alive = _seats(tuple(data["alive"]), players)
    dead = list(data.get("dead_tonight") or [])
    if isinstance(found, Classic) and data.get("anchor") is not None:
        dead = [data["anchor"]]
    last = order_of_last_words(found, players, day, dead)
    anchor, start = (last[-1] if last else None), None
    if not last and found.no_death_start == "previous_anchor":
        anchor = data.get("previous_anchor")
    elif not last and found.no_death_start == "random":
        start = _chance(data).draw("first_speaker", day, alive)
    return {"last_words": list(last), "speeches": list(order_of_speeches(found, players, day, alive, anchor, start))}


def council(data: Data) -> dict[str, Any]:
    """What a council's last round comes to."""
    found, _ = rules_of(data)
    stated = data["stated"]
    named = favourites(stated)
    tied = list(named) if len(named) > 1 else []
    if tied and found.killers_tie == "lot" and data.get("lot") is None:
        return {"target": None, "tied": tied}
    return {"target": decide(_table(found, 1, data), "council", stated), "tied": tied}


def tally(data: Data) -> dict[str, Any]:
    """Who is out by one vote (and its revote); of the tie chain only who is tied."""
    found, _ = rules_of(data)
    alive, order = _day(found, data)
    then = after_vote(found, "round", order, _held(found, "round", order, alive, data["ballots"]))
    if data.get("revote"):
        if then.step != "revote":
            raise BadRequest("a revote is given, and none is held")
        again = _held(found, "revote", then.seats, alive, data["revote"])
        then = after_vote(found, "revote", then.seats, again)
    tied = sorted(then.seats)
    match then.step:
        case "out":
            return {"out": list(then.seats), "tied": []}
        case "all":
            return {"out": tied, "tied": tied}
        case "lot" if data.get("lot") is not None:
            return {"out": [_chance(data).draw("tie", 1, then.seats)], "tied": tied}
        case _:
            return {"out": [], "tied": tied}


def chain(data: Data) -> dict[str, Any]:
    """The whole tie chain over the votes that were held."""
    found, _ = rules_of(data)
    alive, order = _day(found, data)
    demanded = data.get("round_pk")
    then = Next("pk", tuple([seat for seat in order if seat in demanded])) if demanded else None
    stages: list[dict[str, Any]] = []
    for ballots in data["ballots"]:
        if then and then.step not in AGAIN:
            raise BadRequest(f"{len(data['ballots'])} votes are given, and {len(stages)} are held")
        stage, candidates = (AGAIN[then.step], then.seats) if then else ("round", order)
        held = _held(found, stage, candidates, electors(found, stage, alive, alive, candidates), ballots)
        name, speakers = (stage, speakers_of(stage, order, candidates)) if then else ("vote", ())
        then = after_vote(found, stage, candidates, held, demanded=bool(demanded))
        tied = then.seats if held.cast else ()
        stages.append({"stage": name, "speakers": speakers, "candidates": candidates, "tied": tied})
    if then is None or then.step in AGAIN:
        raise BadRequest(f"{len(stages)} votes are given, and another is needed")
    match then.step:
        case "draw" | "nobody":
            return {"stages": stages, "result": then.step}
        case "lot":
            return {"stages": stages, "result": "out", "seat": _chance(data).draw("tie", 1, then.seats)}
        case _:
            return {"stages": stages, "result": "out", "seat": min(then.seats)}


def _held(
    found: Rules, stage: Stage, candidates: Sequence[Seat], voters: Sequence[Seat], ballots: Mapping[str, Seat | None]
) -> Poll:
    """One vote by given ballots, refused as the requests of a game would refuse them; who is left out was absent."""
    given = {int(voter): target for voter, target in ballots.items()}
    if is_compulsory(found, stage) and None in given.values():
        raise Must([voter for voter in voters if voter in given and given[voter] is None])
    for voter, target in given.items():
        if voter not in voters:
            raise Illegal(f"{voter} has no vote here")
        if target is not None and (target not in candidates or target == voter):
            allowed = choices(found, voter, candidates)
            if target not in allowed:
                raise Illegal(f"{voter} votes for {target}, who is not one of {', '.join(map(str, allowed))}")
    return Poll(given, tuple([voter for voter in voters if voter not in given]))


def _day(found: Rules, data: Data) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """The living, and the day's order."""
    players = data.get("players") or max(data["alive"])
    alive = _seats(tuple(data["alive"]), players)
    return alive, order_of_speeches(found, players, data.get("round", 1), alive, data.get("anchor"))


def _table(found: Rules, players: int, data: Data) -> Table:
    return Table(found, Deal((Role.CIVILIAN,) * players), _chance(data))


def _chance(data: Data) -> Chance:
    lot = data.get("lot")
    return Given([] if lot is None else [lot])


def winner(data: Data) -> dict[str, Any]:
    """Who has won, by the counts of the living."""
    found, _ = rules_of(data)
    alive, dealt = _counts(data["alive_counts"]), _counts(data["dealt_counts"])
    outcome = victory(found, alive, dealt)
    return {"winner": outcome.winner if outcome else None, "reason": outcome.reason if outcome else None}


def _counts(data: Any) -> dict[Role, int]:
    return {Role(name): count for name, count in data.items()}


RULINGS: Mapping[str, Callable[[Data], dict[str, Any]]] = {
    "rules": rules,
    "setup": setup,
    "night": night,
    "order": order,
    "council": council,
    "tally": tally,
    "chain": chain,
    "victory": winner,
}
