"""Single rulings: one question to the rules, without a game around it. Each is a function of its request alone.

``FORMS`` says which fields a request may have and what each holds. What does not fit is refused before, so the rulings
below read their fields as they are. What two fields must be to each other stands with the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Any

from tianhei.arena.chance import Chance, Deal, Given
from tianhei.arena.events import Stage
from tianhei.arena.requests import Illegal
from tianhei.arena.roles import SINGLES, Role, Seat
from tianhei.arena.rules.ballot import Poll, choices
from tianhei.arena.rules.chain import AGAIN, Next, after_vote, electors, is_compulsory, speakers_of
from tianhei.arena.rules.council import TEAM_OF, decide, favourites, is_settled
from tianhei.arena.rules.night import FATAL_NEEDLES, resolve
from tianhei.arena.rules.options import Butterfly, Classic, GameName, Rules, options
from tianhei.arena.rules.presets import read_rules
from tianhei.arena.rules.setups import BUTTERFLY_ROLES, CLASSIC_ROLES, written
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
_NAMES: Mapping[str, str] = {action: str(role) for action, role in ACTORS.items()}
_ROLES_OF: Mapping[GameName, Mapping[str, Role]] = {
    "classic": {str(role): role for role in CLASSIC_ROLES},
    "butterfly": {str(role): role for role in BUTTERFLY_ROLES},
}
SEATS_AT_MOST = 999
"""The largest table that a request may speak of."""
LONGEST_NAME = 60
DAYS_AT_MOST: int = next(info.allowed[-1] for info in options("classic") if info.name == "max_days")
DEAD_AT_MOST: Mapping[GameName, int] = {"classic": 1, "butterfly": 4}
"""How many can die in one night (S1-17, A0-77)."""


class BadRequest(ValueError):
    """A request that cannot be understood; the message says what it lacks."""


class Must(Illegal):
    """Some seats left out a vote that is compulsory."""

    code = "must_vote"

    def __init__(self, seats: Sequence[Seat]) -> None:
        super().__init__(f"must vote: {', '.join(map(str, seats))}")
        self.seats = list(seats)


@dataclass(frozen=True, slots=True)
class Field:
    """What one field of a request holds. Left out, or null, is the same where it is not ``needed``."""

    is_a: str
    fits: Callable[[Any], object]
    needed: bool = False
    game: GameName | None = None

    def of(self, game: GameName) -> Field:
        """The same, in one game alone."""
        return Field(self.is_a, self.fits, self.needed, game)


def needed(field: Field) -> Field:
    """The same, and it may not be left out."""
    return Field(field.is_a, field.fits, True, field.game)


_INT = frozenset((int,))
_INT_OR_NULL = frozenset((int, NoneType))
_TEXT = frozenset((str,))
_OPTION = frozenset((str, int, bool))
_SEATS_OF_ALL = frozenset(range(1, SEATS_AT_MOST + 1))
_SEAT_NAMES = frozenset(map(str, range(1, SEATS_AT_MOST + 1)))


def _are_rules(value: Any) -> bool:
    """A name, or an object of plain values; which names and values, `read_rules` says."""
    if type(value) is str:
        return 0 < len(value) <= LONGEST_NAME
    return type(value) is dict and len(value) > 0 and _OPTION.issuperset(map(type, value.values()))


def _are_seats(value: Any) -> bool:
    return type(value) is list and _INT.issuperset(map(type, value)) and _SEATS_OF_ALL.issuperset(value)


def _are_different_seats(value: Any) -> bool:
    return (not value and type(value) is list) or _are_living(value)


def _are_living(value: Any) -> bool:
    if type(value) is not list or not _INT.issuperset(map(type, value)):
        return False
    seats = set(value)
    return 0 < len(seats) == len(value) and seats <= _SEATS_OF_ALL


def _are_stated(value: Any) -> bool:
    return type(value) is list and _are_seats([seat for seat in value if seat is not None])


def _are_roles(value: Any) -> bool:
    return type(value) is list and 0 < len(value) <= SEATS_AT_MOST and _TEXT.issuperset(map(type, value))


def _are_choices(value: Any) -> bool:
    """Seats that are not there are left to the ruling, which says what could have been chosen."""
    return type(value) is dict and _SEAT_NAMES.issuperset(value) and _INT_OR_NULL.issuperset(map(type, value.values()))


def _are_numbers(value: Any, most: int) -> bool:
    if type(value) is not dict or not _INT.issuperset(map(type, value.values())):
        return False
    return not value or (min(value.values()) >= 0 and max(value.values()) <= most)


RULES = Field("a preset's name, or an object with a preset and options", _are_rules, needed=True)
SEAT = Field(f"a seat, from 1 to {SEATS_AT_MOST}", lambda value: type(value) is int and 1 <= value <= SEATS_AT_MOST)
PLAYERS = Field(f"a number of players, from 1 to {SEATS_AT_MOST}", SEAT.fits)
ROLES = Field("a list of roles, seat 1 first", _are_roles)
_LANG = Field('"en" or "zh"', lambda value: type(value) is str and value in ("en", "zh"))
_DAY = Field(
    f"the number of a day, from 1 to {DAYS_AT_MOST}", lambda value: type(value) is int and 1 <= value <= DAYS_AT_MOST
)
_SEATS = Field("a list of different seats", _are_different_seats)
_LIVING = Field("a list of different seats, one at least", _are_living, needed=True)
_DEMAND = Field(
    "a list of different seats, two at least", lambda value: _are_different_seats(value) and len(value) != 1
)
_CHOICES = Field('an object of seats and whom each chose, a seat or null, as in {"1": 2, "3": null}', _are_choices)
_VOTES = Field(
    f"a list of votes, each {_CHOICES.is_a}", lambda value: type(value) is list and all(map(_are_choices, value))
)
_NEEDLES = Field(
    f'an object of seats and their empty needles so far, {FATAL_NEEDLES} at most, as in {{"4": 1}}',
    lambda value: _are_numbers(value, FATAL_NEEDLES) and _SEAT_NAMES.issuperset(value),
)
_ACTIONS = Field(
    f"an object of {', '.join(ACTORS)}, each a seat or null",
    lambda value: type(value) is dict and _INT_OR_NULL.issuperset(map(type, value.values())),
)
_COUNCILS = Field(
    f"an object of {', '.join(TEAM_OF)}, each {_CHOICES.is_a}",
    lambda value: type(value) is dict and all(map(_are_choices, value.values())),
)
_STATED = Field("a list of a seat or null for each awake member", _are_stated)
_COUNTS = Field(
    'an object of roles and how many hold each, as in {"killer": 2}', lambda value: _are_numbers(value, SEATS_AT_MOST)
)
ANYTHING = Field("anything", type)  # every value has a type, and this asks it without a call of ours


@dataclass(frozen=True, slots=True)
class Form:
    """All fields of one command, and what `check` looks up about them."""

    name: str
    fields: Mapping[str, Field]
    fits: Mapping[str, Callable[[Any], object]]
    needed: frozenset[str]
    of_one_game: frozenset[str]

    @classmethod
    def of(cls, name: str, own: Mapping[str, Field]) -> Form:
        """The form of a command with these fields beside ``cmd`` and ``id``."""
        fields = {**own, "cmd": ANYTHING, "id": ANYTHING}
        return cls(
            name,
            fields,
            {key: field.fits for key, field in fields.items()},
            frozenset(key for key, field in fields.items() if field.needed),
            frozenset(key for key, field in fields.items() if field.game),
        )

    def check(self, data: Data) -> None:
        """BadRequest names a field that is unknown, missing or not what it should be."""
        fits_of = self.fits.get
        for key, value in data.items():
            fits = fits_of(key)
            if fits is None:
                raise BadRequest(f"{self.name}: unknown field {shown(key)}; it has {', '.join(self.fields)}")
            if not fits(value) and (value is not None or key in self.needed):
                raise BadRequest(f"{self.name}: {key} must be {self.fields[key].is_a}, not {shown(value)}")
        if not data.keys() >= self.needed:
            key = next(key for key in self.fields if key in self.needed and key not in data)
            raise BadRequest(f"{self.name}: {key} is missing: {self.fields[key].is_a}")
        if not self.of_one_game.isdisjoint(data):
            self._check_game(data)

    def _check_game(self, data: Data) -> None:
        played = rules_of(data)[0].game
        for key in self.of_one_game:
            game = self.fields[key].game
            if game != played and data.get(key):
                raise BadRequest(f"{self.name}: {key} is of the {game} game, not of the {played} game: leave it out")


_FIELDS_OF: Mapping[str, Mapping[str, Field]] = {
    "rules": {"rules": RULES, "lang": _LANG},
    "setup": {"rules": RULES, "players": PLAYERS},
    "night": {
        "rules": RULES, "roles": needed(ROLES), "alive": _LIVING, "needles": _NEEDLES.of("butterfly"),
        "actions": _ACTIONS, "previous_carry": SEAT.of("butterfly"), "stated": _COUNCILS, "lot": SEAT,
    },
    "order": {
        "rules": RULES, "players": needed(PLAYERS), "alive": _LIVING, "dead_tonight": _SEATS,
        "anchor": SEAT.of("classic"), "round": needed(_DAY), "previous_anchor": SEAT, "lot": SEAT,
    },
    "council": {"rules": RULES, "stated": needed(_STATED), "lot": SEAT},
    "tally": {"rules": RULES, "alive": _LIVING, "ballots": needed(_CHOICES), "lot": SEAT, "revote": _CHOICES},
    "chain": {
        "rules": RULES, "players": PLAYERS, "alive": _LIVING, "anchor": SEAT, "round": _DAY,
        "ballots": needed(_VOTES), "lot": SEAT, "round_pk": _DEMAND.of("classic"),
    },
    "victory": {"rules": RULES, "alive_counts": needed(_COUNTS), "dealt_counts": needed(_COUNTS)},
}  # fmt: skip
"""The fields of each ruling, beside ``cmd`` and ``id``."""
FORMS: Mapping[str, Form] = {name: Form.of(name, fields) for name, fields in _FIELDS_OF.items()}


def shown(value: Any) -> str:
    """A value as an error shows it: its JSON, cut where it is long."""
    try:
        text = to_bytes(value).decode()
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}..."


def rules_of(data: Data) -> tuple[Rules, int | None]:
    """The rules that a request names, and the number of players they are meant for."""
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
