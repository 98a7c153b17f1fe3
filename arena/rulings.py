"""Single rulings: one question to the rules, without a game around it. Each is a function of its request alone.

What does not fit a request's form (`forms`) is refused before, so the rulings below read their fields as they are. What
two fields must be to each other stands with the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given
from tianhei.arena.events import Stage
from tianhei.arena.forms import ACTORS, PLAYERS, BadRequest, Data, rules_of, shown
from tianhei.arena.requests import Illegal
from tianhei.arena.roles import SINGLES, Role, Seat
from tianhei.arena.rules.ballot import Poll, choices
from tianhei.arena.rules.chain import AGAIN, Next, after_vote, electors, is_compulsory, speakers_of
from tianhei.arena.rules.council import TEAM_OF, decide, favourites, is_settled
from tianhei.arena.rules.night import FATAL_NEEDLES, resolve
from tianhei.arena.rules.options import Butterfly, Classic, GameName, Rules
from tianhei.arena.rules.setups import BUTTERFLY_ROLES, CLASSIC_ROLES, written
from tianhei.arena.rules.speaking import order_of_last_words, order_of_speeches
from tianhei.arena.rules.victory import victory
from tianhei.arena.table import Table

_NAMES: Mapping[str, str] = {action: str(role) for action, role in ACTORS.items()}
_ROLES_OF: Mapping[GameName, Mapping[str, Role]] = {
    "classic": {str(role): role for role in CLASSIC_ROLES},
    "butterfly": {str(role): role for role in BUTTERFLY_ROLES},
}
DEAD_AT_MOST: Mapping[GameName, int] = {"classic": 1, "butterfly": 4}
"""How many can die in one night (S1-17, A0-77)."""


class Must(Illegal):
    """Some seats left out a vote that is compulsory."""

    code = "must_vote"

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(f"must vote: {', '.join(map(str, seats))}")
        self.seats = list(seats)


def rules(data: Data) -> dict[str, Any]:
    """The rules resolved, their hash, and their text as players are shown it."""
    from tianhei.prompts.rulebook import rule_text

    found, _ = rules_of(data)
    text = rule_text(found, data.get("lang") or "en")
    return {"hash": found.hash, "game": found.game, "options": found.to_dict(), "text": text}


def setup(data: Data) -> dict[str, Any]:
    """The set-up written for a number of players, and the alternatives."""
    found, usual = rules_of(data)
    players = data.get("players") or usual
    if players is None:
        raise BadRequest(f"setup: players is missing, and these rules are meant for any number: {PLAYERS.is_a}")
    counts, alternatives = written(found, players)
    return {"roles": dict(counts), "alternatives": {name: dict(other) for name, other in alternatives.items()}}


def night(data: Data) -> dict[str, Any]:
    """Reckon one night."""
    found, _ = rules_of(data)
    roles = _roles(found.game, tuple(data["roles"]))
    alive = _seats("alive", data["alive"], len(roles))
    actions = _actions(found, data, roles, alive)
    if isinstance(found, Classic):
        return _classic_night(roles, actions)
    needles = {int(seat): count for seat, count in (data.get("needles") or {}).items()}
    if previous := data.get("previous_carry"):
        _seats("previous_carry", [previous], len(roles))
    for seat, count in needles.items():
        if seat > len(roles):
            raise BadRequest(f"needles: {seat} is not one of the seats 1 to {len(roles)}")
        if count >= FATAL_NEEDLES and seat in alive:
            raise BadRequest(f"needles: {seat} lives, and {count} empty needles kill (N7): give at most 1")
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
def _roles(game: GameName, names: tuple[str, ...]) -> tuple[Role, ...]:
    roles = tuple([role_named(game, name) for name in names])
    _check_singles({role: roles.count(role) for role in SINGLES})
    return roles


def role_named(game: GameName, name: str) -> Role:
    """The role of that name; BadRequest lists those that the game knows."""
    known = _ROLES_OF[game]
    if name not in known:
        raise BadRequest(f"{shown(name)} is no role of the {game} game; it has {', '.join(known)}")
    return known[name]


def _check_singles(counts: Mapping[Role, int]) -> None:
    for role in SINGLES:
        if counts.get(role, 0) > 1:
            raise BadRequest(f"{role} = {counts[role]}: a table has at most one {role} (R-SETUP)")


def _seats(what: str, seats: Collection[Seat], players: int) -> tuple[Seat, ...]:
    """These seats in order; BadRequest if the table is smaller."""
    ordered = tuple(sorted(seats))
    if ordered and ordered[-1] > players:
        raise BadRequest(f"{what}: {ordered[-1]} is not one of the seats 1 to {players}")
    return ordered


def _gone(what: str, seats: Collection[Seat], alive: Collection[Seat], players: int) -> None:
    """BadRequest if somebody who should be dead is alive, or not at the table."""
    for seat in seats:
        if seat > players:
            raise BadRequest(f"{what}: {seat} is not one of the seats 1 to {players}")
        if seat in alive:
            raise BadRequest(f"{what}: {seat} stands in alive too; alive are those who lived through the night")


def _actions(found: Rules, data: Data, roles: tuple[Role, ...], alive: Sequence[Seat]) -> dict[str, Seat | None]:
    """The night's actions, checked as the requests of a game would be; stated councils decided."""
    actions: dict[str, Seat | None] = dict(data.get("actions") or {})
    for name, choices_of in (data.get("stated") or {}).items():
        if name not in TEAM_OF:
            raise BadRequest(f"stated: {shown(name)} is no council; there are {', '.join(TEAM_OF)}")
        if actions.get(name) is not None:
            raise BadRequest(f"{name} stands in actions and in stated: give one of them")
        stated = {int(seat): target for seat, target in choices_of.items()}
        _check_stated(roles, alive, name, stated)
        actions[name] = _stated(found, data, name, stated, actions)
    known: Mapping[str, Role] = TEAM_OF if found.game == "classic" else ACTORS
    if not known.keys() >= actions.keys():
        unknown = next(name for name in actions if name not in known)
        raise Illegal(f"{shown(unknown)} is no night action of the {found.game} game; it has {', '.join(known)}")
    names = data["roles"]
    acting = {names[seat - 1] for seat in alive}
    for name, role in known.items():
        target = actions.get(name)
        if target is None:
            if name not in TEAM_OF and found.night_pass == "forbidden" and _NAMES[name] in acting:
                raise Illegal(f"{name}: must choose somebody")
        elif _NAMES[name] not in acting:
            raise Illegal(f"{name}: no {role} lives")
        elif target not in alive:
            raise Illegal(f"{name}: {target} is not alive")
    if (victim := actions.get("kill")) and found.kill_teammate == "forbidden" and roles[victim - 1] is Role.KILLER:
        raise Illegal(f"kill: {victim} is a killer")
    if carried := actions.get("carry"):
        _check_carried(found, data, roles, carried)
    return actions


def _check_carried(found: Rules, data: Data, roles: tuple[Role, ...], carried: Seat) -> None:
    if roles[carried - 1] is Role.BUTTERFLY:
        raise Illegal("carry: she may not carry herself")
    if getattr(found, "repeat_target", "") == "forbidden_for_carry" and carried == data.get("previous_carry"):
        raise Illegal(f"carry: {carried} was carried the night before")


def _check_stated(
    roles: tuple[Role, ...], alive: Sequence[Seat], name: str, stated: Mapping[Seat, Seat | None]
) -> None:
    for seat, target in stated.items():
        if seat not in alive or roles[seat - 1] is not TEAM_OF[name]:
            raise BadRequest(f"stated: {seat} is no living {TEAM_OF[name]}, and has no word in {name}")
        if target is not None and target not in alive:
            raise Illegal(f"{name}: {seat} states {target}, who is not alive")


def _stated(
    found: Rules, data: Data, name: str, stated: Mapping[Seat, Seat | None], actions: Mapping[str, Any]
) -> Seat | None:
    """A council's decision, with the carried member's statement left out where the rules say so."""
    carried = actions.get("carry")
    left_out = isinstance(found, Butterfly) and (
        found.carried_killer == "others_still_kill" if name == "kill" else found.carried_police == "blocks_self"
    )
    heard = [target for seat, target in stated.items() if not (left_out and seat == carried and len(stated) > 1)]
    return _decided(found, data, name, heard)


def _decided(found: Rules, data: Data, purpose: str, stated: Sequence[Seat | None]) -> Seat | None:
    """As `decide` says, at a table that is only set up where statements differ."""
    if is_settled(stated):
        return next((target for target in stated if target is not None), None)
    return decide(_table(found, 1, data), purpose, stated)


def order(data: Data) -> dict[str, Any]:
    """Tonight's last words and today's speeches, in order."""
    found, _ = rules_of(data)
    players, day = data["players"], data["round"]
    alive = _seats("alive", data["alive"], players)
    dead = _dead_tonight(found, data, alive, players)
    if previous := data.get("previous_anchor"):
        _gone("previous_anchor", [previous], alive, players)
    last = order_of_last_words(found, players, day, dead)
    anchor, start = (last[-1] if last else None), None
    if not last and found.no_death_start == "previous_anchor":
        anchor = previous
    elif not last and found.no_death_start == "random":
        start = _chance(data).draw("first_speaker", day, alive)
    speeches = order_of_speeches(found, players, day, frozenset(alive), anchor, start)
    return {"last_words": list(last), "speeches": list(speeches)}


def _dead_tonight(found: Rules, data: Data, alive: Collection[Seat], players: int) -> Sequence[Seat]:
    dead, anchor = data.get("dead_tonight") or [], data.get("anchor")
    if anchor:
        if dead not in ([], [anchor]):
            raise BadRequest(f"anchor {anchor} is not who died in dead_tonight {dead}: give one of them")
        dead = [anchor]
    if len(dead) > DEAD_AT_MOST[found.game]:
        raise BadRequest(f"dead_tonight: in one night of the {found.game} game at most {DEAD_AT_MOST[found.game]} die")
    if dead:
        _gone("dead_tonight", dead, alive, players)
    return dead


def council(data: Data) -> dict[str, Any]:
    """What a council's last round comes to."""
    found, _ = rules_of(data)
    stated = data["stated"]
    named = favourites(stated)
    tied = list(named) if len(named) > 1 else []
    if tied and found.killers_tie == "lot" and data.get("lot") is None:
        return {"target": None, "tied": tied}
    return {"target": _decided(found, data, "council", stated), "tied": tied}


def tally(data: Data) -> dict[str, Any]:
    """Who is out by one vote (and its revote); of the tie chain only who is tied."""
    found, _ = rules_of(data)
    alive = tuple(sorted(data["alive"]))
    then = after_vote(found, "round", alive, _held(found, "round", alive, alive, data["ballots"]))
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
    for seat in demanded or ():
        if seat not in alive:
            raise BadRequest(f"round_pk: {seat} is not alive")
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
        case "all":
            raise BadRequest("these rules have no chain, but tie = all: ask tally")
        case "draw" | "nobody":
            return {"stages": stages, "result": then.step}
        case "lot":
            return {"stages": stages, "result": "out", "seat": _chance(data).draw("tie", 1, then.seats)}
        case _:
            return {"stages": stages, "result": "out", "seat": min(then.seats)}


def _day(found: Rules, data: Data) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """The living, and the day's order."""
    players = data.get("players") or max(data["alive"])
    alive, anchor = _seats("alive", data["alive"], players), data.get("anchor")
    if anchor and found.no_death_start != "random":  # a lot may have drawn somebody who lives
        _gone("anchor", [anchor], alive, players)
    return alive, order_of_speeches(found, players, data.get("round") or 1, alive, anchor)


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


def _table(found: Rules, players: int, data: Data) -> Table:
    return Table(found, Deal((Role.CIVILIAN,) * players), _chance(data))


def _chance(data: Data) -> Chance:
    lot = data.get("lot")
    return Given([] if lot is None else [lot])


def winner(data: Data) -> dict[str, Any]:
    """Who has won, by the counts of the living."""
    found, _ = rules_of(data)
    alive, dealt = _counts(found.game, data["alive_counts"]), _counts(found.game, data["dealt_counts"])
    if found.game == "butterfly":
        _check_singles(dealt)
    if not dealt.get(Role.KILLER):
        raise BadRequest("dealt_counts: a table has at least one killer (R-SETUP)")
    for role, count in alive.items():
        if count > dealt.get(role, 0):
            raise BadRequest(f"alive_counts: {count} {role} alive of {dealt.get(role, 0)} dealt")
    outcome = victory(found, alive, dealt)
    return {"winner": outcome.winner if outcome else None, "reason": outcome.reason if outcome else None}


def _counts(game: GameName, counts: Mapping[str, int]) -> dict[Role, int]:
    other = {str(role) for role in Role} - _ROLES_OF[game].keys()
    return {role_named(game, name): count for name, count in counts.items() if count or name not in other}


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
