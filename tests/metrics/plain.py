"""The same metrics the straightforward way: one row after another, in plain loops over dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from statistics import NormalDist
from typing import Any, TypeAlias

from tianhei.arena.roles import Role
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly
from tianhei.arena.rules.presets import PRESETS, read_rules
from tianhei.transcripts.columns.schema import Tables
from tianhei.transcripts.metrics.value import Values, living_of, values_of

Row: TypeAlias = dict[str, Any]
Who: TypeAlias = tuple[str, int]


class Plain:
    """Games as rows, seats by game and number."""

    def __init__(self, tables: Tables) -> None:
        self.tables = {
            name: [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
            for name, columns in tables.items()
        }
        self.games: dict[str, Row] = {row["game"]: row for row in self.tables["games"]}
        self.seats: dict[Who, Row] = {(row["game"], row["seat"]): row for row in self.tables["seats"]}
        declared = {row["game"] for row in self.tables["claims"] if row["source"] == "declared"}
        self.claims = [
            row for row in self.tables["claims"] if (row["source"] == "declared") == (row["game"] in declared)
        ]
        self.speech = {(row["game"], row["event"]): row for row in self.tables["speeches"]}

    def is_killer(self, game: str, seat: int) -> bool:
        return bool(self.seats[game, seat]["side"] == "killers")

    def lives(self, game: str, seat: int, time: float) -> bool:
        row = self.seats[game, seat]
        return row["died_day"] is None or row["died_day"] + (row["died_phase"] == "vote") / 2 > time

    def living(self, game: str, time: float) -> list[int]:
        return [seat for name, seat in self.seats if name == game and self.lives(game, seat, time)]

    def role(self, game: str, seat: int) -> str:
        role: str = self.seats[game, seat]["role"]
        return role

    def first_votes(self) -> Iterator[Row]:
        for row in self.tables["votes"]:
            if row["stage"] == "round" and row["target"] not in (None, row["seat"]):
                yield row

    def early(self, claim: Row) -> bool:
        said = self.speech[claim["game"], claim["event"]]
        return bool(said["phase"] == "dawn" or (said["stage"] == "round" and said["kind"] == "speech"))

    def values(self, game: str) -> Values:
        hashes = {read_rules(name)[0].hash: read_rules(name)[0] for name in PRESETS}
        counts = Counter(Role(row["role"]) for (name, _), row in self.seats.items() if name == game)
        return values_of(hashes[self.games[game]["ruleset"]], counts)


def lift(plain: Plain, voters: Callable[[str, int], bool]) -> tuple[float, int]:
    total, number = 0.0, 0
    for row in plain.first_votes():
        if voters(row["game"], row["seat"]):
            chance = row["killers_alive_n"] / (row["alive_n"] - row["known_good_n"])
            total += plain.is_killer(row["game"], row["target"]) - chance
            number += 1
    return total / number, number


def vote_value(plain: Plain) -> tuple[float, int]:
    total, number = 0.0, 0
    polls: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in plain.tables["votes"]:
        polls[row["game"], row["ballot"]].append(row)
    for (game, _), rows in polls.items():
        table = plain.values(game)
        living = plain.living(game, rows[0]["day"])
        after = {
            seat: table.night(living_of(Counter(Role(plain.role(game, other)) for other in living if other != seat)))
            for seat in living
        }
        nobody = table.night(living_of(Counter(Role(plain.role(game, seat)) for seat in living)))
        for row in rows:
            if row["target"] not in row["candidates"]:
                continue
            others = Counter(other["target"] for other in rows if other is not row and other["target"])
            worth = {}
            for target in {*row["candidates"]}:
                tally = others + Counter([target])
                top = [
                    seat for seat in row["candidates"] if tally[seat] == max(tally[each] for each in row["candidates"])
                ]
                lot = sum(after[seat] for seat in top) / len(top)
                worth[target] = lot if len(top) == 1 or table.ties == "lot" else nobody
            pool = [target for target in row["candidates"] if target != row["seat"]]
            added = worth[row["target"]] - sum(worth[target] for target in pool) / len(pool)
            total += added if plain.is_killer(game, row["seat"]) else -added
            number += 1
    return total / number, number


def action_value(plain: Plain) -> tuple[float, int]:
    total, number = 0.0, 0
    nights: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in plain.tables["nights"]:
        if row["target"] is not None:
            nights[row["game"], row["night"]].append(row)
    needles: dict[str, Mapping[int, int]] = {}
    for (game, night), rows in sorted(nights.items()):
        table = plain.values(game)
        alive = plain.living(game, night - 0.25)
        roles = [Role(plain.role(game, seat)) for name, seat in sorted(plain.seats) if name == game]
        actions = {row["action"]: row["target"] for row in rows}

        def after(actions: Mapping[str, int], table: Values = table, alive: list[int] = alive, game: str = game,
                  roles: list[Role] = roles) -> float:  # fmt: skip
            if isinstance(table.rules, Butterfly):
                dead = set(resolve(table.rules, roles, alive, needles.get(game, {}), actions).deaths)
            else:
                dead = {actions["kill"]} if "kill" in actions else set[int]()
            return table.day(living_of(Counter(roles[seat - 1] for seat in alive if seat not in dead)))

        for row in rows:
            if row["action"] not in ("kill", "carry", "shoot", "needle"):
                continue
            mean = sum(after({**actions, row["action"]: target}) for target in row["legal"]) / len(row["legal"])
            added = after(actions) - mean
            total += added if row["action"] == "kill" or plain.is_killer(game, row["seat"]) else -added
            number += 1
        if isinstance(table.rules, Butterfly):
            needles[game] = resolve(table.rules, roles, alive, needles.get(game, {}), actions).needles
    return total / number, number


def discrimination(plain: Plain) -> tuple[float, int]:
    cells = {True: [0, 0], False: [0, 0]}
    seen: set[tuple[Any, ...]] = set()
    for claim in plain.claims:
        key = claim["game"], claim["day"], claim["seat"], claim["about"]
        if (claim["kind"], claim["what"]) != ("check", "killer") or claim["truth"] not in ("lie", "truth"):
            continue
        if key in seen or not plain.early(claim):
            continue
        seen.add(key)
        if not plain.lives(claim["game"], claim["about"], claim["day"]):
            continue
        for row in plain.first_votes():
            if (row["game"], row["day"]) != key[:2] or row["seat"] in key[2:]:
                continue
            if plain.role(row["game"], row["seat"]) == "civilian" and hears(plain, claim, row):
                cell = cells[claim["truth"] == "truth"]
                cell[0] += row["target"] == claim["about"]
                cell[1] += 1
    normal = NormalDist()
    z = {kind: normal.inv_cdf((hits + 0.5) / (of + 1)) for kind, (hits, of) in cells.items()}
    return z[True] - z[False], cells[True][1] + cells[False][1]


def hears(plain: Plain, claim: Row, ballot: Row) -> bool:
    """In the butterfly game whoever votes before the speaker has not heard his speech."""
    if plain.games[claim["game"]]["rule_game"] != "butterfly" or claim["phase"] != "day":
        return True
    own = [row["order"] for row in plain.tables["votes"]
           if (row["game"], row["day"], row["seat"]) == (claim["game"], claim["day"], claim["seat"])
           and row["stage"] == "round"]  # fmt: skip
    return not own or own[0] is None or ballot["order"] > own[0]


def targeting(plain: Plain) -> tuple[float, int]:
    total, number = 0.0, 0
    for row in plain.tables["nights"]:
        game, target = row["game"], row["target"]
        if row["action"] != "kill" or target is None or row["claimed_n"] != 0 or plain.is_killer(game, target):
            continue
        good = [seat for seat in plain.living(game, row["night"] - 0.25) if not plain.is_killer(game, seat)]
        police = [seat for seat in good if plain.role(game, seat) == "police"]
        if police:
            total += (target in police) - len(police) / len(good)
            number += 1
    return total / number, number


def brier_skill(plain: Plain) -> tuple[float, int]:
    asked: dict[tuple[str, int], dict[tuple[int, str], list[tuple[float, bool]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in plain.tables["beliefs"]:
        game, time = row["game"], {"day_start": 0.1, "before_vote": 0.4, "night_start": 0.6}.get(row["point"])
        if time is None or plain.is_killer(game, row["seat"]) or not plain.lives(game, row["about"], row["day"] + time):
            continue
        asked[game, row["seat"]][row["day"], row["point"]].append((row["p"], plain.is_killer(game, row["about"])))
    loss = base = 0.0
    for points in asked.values():
        for beliefs in points.values():
            q = sum(is_killer for _, is_killer in beliefs) / len(beliefs)
            loss += sum((p - is_killer) ** 2 for p, is_killer in beliefs) / len(beliefs) / len(points)
            base += q * (1 - q) / len(points)
    return 1 - loss / base, len(asked)
