"""Every input of the small rulings, engine against oracle. Each check yields the inputs on which they differ.

`every` takes each so-manieth input only: a slice of the same check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import count, product
from typing import Any

from oracle import orders, setups
from oracle import victory as oracle_victory
from oracle.night import Night, dawn
from oracle.options import catalogue
from proof import polls
from proof.tables import resolved, values_of
from tianhei.arena.roles import Role
from tianhei.arena.rules.night import resolve
from tianhei.arena.rules.options import Butterfly, Rules, RulesError, make
from tianhei.arena.rules.setups import NoSetup, custom, written
from tianhei.arena.rules.speaking import order_of_last_words, order_of_speeches
from tianhei.arena.rules.victory import victory

Found = Iterator[tuple[bool, Any]]
"""For every input, whether both sides agree, and the input."""

SEATS = ["butterfly", "sniper", "doctor", "police", "elder", *["killer"] * 3, *["civilian"] * 5]
TWO_POLICE = ["butterfly", "sniper", "doctor", "police", "police", "elder", *["killer"] * 2, *["civilian"] * 3]
NIGHT_OPTIONS = (
    "double_hit_needled", "double_hit_butterfly", "butterfly_unsaveable", "saved_butterfly_carried", "voided_attack",
    "carried_doctor", "needle_on_carried", "butterfly_needle_death_drags", "save_resets_needles", "silence_copied",
    "carried_police", "carried_killer",
)  # fmt: skip


def night_variants() -> list[dict[str, Any]]:
    """The defaults, and every other value of every night option."""
    entries = {entry["name"]: entry for entry in catalogue()["options"]}
    variants: list[dict[str, Any]] = [{}]
    for name in NIGHT_OPTIONS:
        entry = entries[name]
        variants += [{name: value} for value in values_of(entry, "butterfly") if value != entry["default"]]
    return variants


def _nights(
    roles: Sequence[str], pairs: Iterable[tuple[dict[str, int | None], dict[int, int]]], changes: Mapping[str, Any]
) -> Found:
    """Compare the reckoning of many nights with everybody alive."""
    rules, options = make("butterfly", changes), resolved("butterfly", dict(changes))
    assert isinstance(rules, Butterfly)
    cards, by_seat = tuple(map(Role, roles)), dict(enumerate(roles, 1))
    alive, living = tuple(by_seat), frozenset(by_seat)
    for actions, needles in pairs:
        ours = resolve(rules, cards, alive, needles, actions)
        theirs = dawn(Night(options, by_seat, living, actions, needles))
        same = (
            {seat: tuple(sorted(causes)) for seat, causes in ours.deaths.items()} == theirs.deaths
            and [ours.saved, ours.empty, ours.silenced] == [set(theirs.saved), set(theirs.empty), set(theirs.silenced)]
            and {s: c for s, c in ours.needles.items() if c} == {s: c for s, c in theirs.totals.items() if c}
            and ours.police == theirs.police
        )
        yield same, {"cmd": "night", "rules": {"preset": "butterfly", **changes}, "roles": list(roles),
                     "alive": list(alive), "needles": needles, "actions": actions} if not same else None  # fmt: skip


def nights(changes: Mapping[str, Any], every: int = 1) -> Found:
    """Every carry, shot, kill and needle at the 13-seat table, with every needle history that matters: 245,392."""
    anyone: list[int | None] = [None, *range(1, 14)]

    def pairs() -> Iterator[tuple[dict[str, int | None], dict[int, int]]]:
        number = count()
        for carry, shoot, kill, needle in product([seat for seat in anyone if seat != 1], anyone, anyone, anyone):
            marked = sorted({seat for seat in (1, carry, needle) if seat})
            for pattern in product((0, 1), repeat=len(marked)):
                if next(number) % every == 0:
                    actions = {"carry": carry, "shoot": shoot, "kill": kill, "needle": needle}
                    yield actions, dict(zip(marked, pattern, strict=True))

    return _nights(SEATS, pairs(), changes)


def announcements(every: int = 1) -> Found:
    """Every check, silence and carry, with one police officer and with two, for the options that bear on them."""
    for roles in (SEATS, TWO_POLICE):
        anyone: list[int | None] = [None, *range(1, len(roles) + 1)]
        triples = list(product(anyone, anyone, [seat for seat in anyone if seat != 1]))[::every]
        pairs: list[tuple[dict[str, int | None], dict[int, int]]] = [
            ({"check": check, "silence": silence, "carry": carry}, {}) for check, silence, carry in triples
        ]
        for copied, police in product((False, True), ("blocks_team", "blocks_self")):
            yield from _nights(roles, pairs, {"silence_copied": copied, "carried_police": police})


@cache
def _both(game: str, changes: tuple[tuple[str, Any], ...]) -> tuple[Rules, dict[str, Any]]:
    """The rules of the engine and the options of the oracle."""
    return make(game, dict(changes)), resolved(game, dict(changes))


def victories() -> Found:
    """Every state up to 9 killers, 9 police or specials and 11 civilians, with every option that bears on it."""
    for killers, police, civilians in product(range(10), range(10), range(12)):
        alive = {"killer": killers, "police": police, "civilian": civilians}
        for dealt_police, kind, parity in product({police, 9}, ("any_identity", "all_good"), (False, True)):
            dealt = {"killer": 9, "police": dealt_police, "civilian": 11}
            yield _victory("classic", {"victory": kind, "parity": parity}, alive, dealt)
    for killers, police, civilians in product(range(10), range(6), range(12)):
        for singles in product((0, 1), repeat=4):
            alive = {"killer": killers, "police": police, "civilian": civilians}
            alive |= dict(zip(("butterfly", "sniper", "doctor", "elder"), singles, strict=True))
            for side in ("good", "killers"):
                yield _victory("butterfly", {"elder_side": side}, alive, alive)


def _victory(game: str, changes: dict[str, Any], alive: dict[str, int], dealt: dict[str, int]) -> tuple[bool, Any]:
    rules, options = _both(game, tuple(changes.items()))
    ours = victory(rules, {Role(r): n for r, n in alive.items()}, {Role(r): n for r, n in dealt.items()})
    theirs = oracle_victory.decide(options, alive, dealt)
    return (None if ours is None else (ours.winner, ours.reason)) == theirs, (game, changes, alive, dealt)


def set_ups() -> Found:
    """Every number of players from 3 to 30: the same counts, or refused with a way out."""
    for game, thirteen, even in product(
        ("classic", "butterfly"), ("dealt_3_5", "recommended_4_4"), ("custom_only", "second_police")
    ):
        changes = {"setup13": thirteen, "even_counts": even} if game == "butterfly" else {}
        rules, options = make(game, changes), resolved(game, changes)
        for players in range(3, 31):
            theirs = setups.setup(options, players)
            try:
                ours = {str(role): n for role, n in written(rules, players)[0].items()}
                same = theirs is not None and ours == {role: n for role, n in theirs.items() if n}
            except NoSetup as error:
                same = theirs is None and "custom" in str(error) and str(players) in str(error)
            yield same, (game, changes, players)


def customs() -> Found:
    """Small custom tables: both deal them, or both refuse."""
    small = (range(4), range(4), range(4))
    for game, more in (("classic", ({},)), ("butterfly", _singles())):
        for changes in ({"parity": True}, {"victory": "all_good"}, {}) if game == "classic" else (
            {}, {"elder_side": "killers"}
        ):  # fmt: skip
            rules, options = make(game, changes), resolved(game, changes)
            for (killers, police, civilians), singles in product(product(*small), more):
                counts = {"killer": killers, "police": police, "civilian": civilians, **singles}
                roles = [role for role, number in counts.items() for _ in range(number)]
                why = setups.refused(options, roles) if roles else "nobody"
                yield _refuses_alike(rules, counts, why), (game, changes, counts)


def _refuses_alike(rules: Rules, counts: dict[str, int], why: str | None) -> bool:
    """Both deal, or both refuse; a table decided when dealt with the same winner and reason in the message."""
    try:
        custom(rules, counts)
    except RulesError as error:
        said = str(error)
        decided = why is not None and why.startswith("already decided")
        reason = why.split("(")[1].rstrip(")") if why and decided else ""
        winner = why.split(": ")[1].split(" ")[0] if why and decided else ""
        return why is not None and (not decided or (reason in said and winner in said and "decided" in said))
    return why is None


def _singles() -> tuple[dict[str, int], ...]:
    names = ("butterfly", "sniper", "doctor", "elder")
    return tuple(dict(zip(names, counts, strict=True)) for counts in product((0, 1, 2), repeat=4))


def speaking(every: int = 1) -> Found:
    """Both orders at every table of 3 to 7 seats, for everybody's every state, two days and every start."""
    number = count()
    for players in range(3, 8):
        for states in product("lnd", repeat=players):  # living, dead tonight, dead before
            where = {s: [seat for seat, state in enumerate(states, 1) if state == s] for s in "lnd"}
            for game, start, day in product(("classic", "butterfly"), ("judge", "previous_anchor", "random"), (1, 2)):
                if next(number) % every == 0 and where["l"]:
                    yield _speaking(game, start, day, players, where)


def _speaking(game: str, start: str, day: int, players: int, where: dict[str, list[int]]) -> tuple[bool, Any]:
    changes = {"no_death_start": start} | ({"seat_numbering": "ccw" if day == 1 else "cw"} if game == "classic" else {})
    rules, options = _both(game, tuple(changes.items()))
    living, dead = where["l"], where["n"]
    before = where["d"][0] if where["d"] else None
    lot = living[len(dead) % len(living)] if start == "random" else None
    last = order_of_last_words(rules, players, day, dead)
    anchor = last[-1] if last else before if start == "previous_anchor" else None
    ours = (list(last), list(order_of_speeches(rules, players, day, living, anchor, None if last else lot)))
    theirs = (
        orders.last_words_order(options, players, day, dead),
        orders.speech_order(options, players, day, living, dead, before, lot),
    )
    return ours == theirs, (game, changes, day, where)


Check = Callable[[], Found]
RULINGS_UP_TO = 5
"""Ballots of so many voters also go through the single rulings."""


def stride(every: int) -> int:
    """The step of a slice: a prime, so that it does not run in step with what is counted."""
    return every if every < 2 else next(n for n in count(every) if all(n % d for d in range(2, int(n**0.5) + 1)))


def checks(every: int = 1, most_voters: int = 7) -> dict[tuple[str, str], Check]:
    """All checks by part and name; with `every` above 1 a slice of the large ones."""
    step = stride(every)
    found: dict[tuple[str, str], Check] = {
        ("announcements", ""): partial(announcements, step), ("victory", ""): victories, ("set-ups", ""): set_ups,
        ("custom tables", ""): customs, ("orders", ""): partial(speaking, step),
    }  # fmt: skip
    for variant in night_variants():
        title = ", ".join(f"{name} = {value}" for name, value in variant.items()) or "defaults"
        found["nights", title] = partial(nights, variant, step)
    for voters, tie in product(range(4, most_voters + 1), polls.TIES):
        found["ballots", f"of {voters}, tie = {tie}"] = partial(polls.ordinary, voters, tie, step)
        if voters <= RULINGS_UP_TO:
            found["ballots as rulings", f"of {voters}, tie = {tie}"] = partial(polls.as_rulings, voters, tie)
    for voters, stage in product(range(2, min(most_voters, 6) + 1), ("pk", "demanded", "off_field", "revote")):
        for changes in polls.variants_of(stage):
            name = f"of {voters}, {stage} {' '.join(map(str, changes.values()))}"
            found["tie chain", name] = partial(polls.later, voters, stage, changes, step)
    return found
