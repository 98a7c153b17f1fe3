"""One form for what both sides tell, so that only real differences remain.

What is evened out, because the protocol leaves the form open (each is a difference of shape, not of rules):

- `called`, `note`, `reminder`, `flag` and `drawn` are not compared: the oracle does not model the first four, and the
  engine draws more lots (see `random_games.oracle_draws`).
- The deal has no day. PK, off-field and revote speeches, and `needled`, are compared without their phase.
- A reveal stands under `revealed`; its side is `killer` or `good`. The first vote's stage is `round`.
- A void ballot is the word `void` among the ballots; secret votes are compared by their totals.
- `claims`, the number of last words, a needle's total, and of `resolved` the actions, voids and clauses are left out.
- Where speech is mute the engine tells every speech as an empty one, the oracle tells none: they are left out.
- A pass is told without a target by the engine, with `target: null` by the oracle.
- The defence's ballots, and what is said of its tie, are compared without their phase.
- With `check_answer = role` the police's sign in `resolved` is nod or shake for the engine, the role for the oracle.
- `demanded` is compared as a set of seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from oracle.story import Fact
from tianhei.arena.events import Event

UNCOMPARED = frozenset(("called", "note", "reminder", "flag", "drawn", "handicap"))
PLAIN = frozenset((int, str, bool, type(None)))
RESOLVED = ("deaths", "saved", "empty_needles", "needles", "silenced", "police")
SIGNS = {"no_check": "no_check", "none": "none", "nod": "nod", "killer": "nod"}
Told = tuple[str, int, str, str, str]
"""Kind, day, phase, audience, data."""


def frozen(value: Any) -> Any:
    """Plain, ordered data: mappings by key, sequences as lists, words as words."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is dict or isinstance(value, Mapping):
        return {str(key): frozen(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [item if type(item) in PLAIN else frozen(item) for item in value]
    return str(value) if isinstance(value, str) else value


def from_engine(event: Event, *, mute: bool) -> Told | None:
    """An event as compared, or None."""
    if event.body.kind in UNCOMPARED:
        return None
    data = event.to_json()
    kind, day, phase, audience = (data.pop(name) for name in ("kind", "day", "phase", "audience"))
    if kind == "ballots":
        shown = dict(data.get("ballots") or {})
        void = {seat: "void" for seat in data["void"]}
        data = {"stage": data["stage"], **({"totals": data["totals"]} if "totals" in data else {})}
        if "totals" not in data:
            data["ballots"] = shown | void
    elif kind == "revealed":
        data = {"roles": dict(enumerate(data["roles"], 1))}
    return _told(str(kind), day, str(phase), audience, data, mute)


def from_oracle(fact: Fact, *, mute: bool) -> Told | None:
    """A fact as compared, or None."""
    data = dict(fact.data)
    if "reveal" in data:
        data["revealed"] = data.pop("reveal")
    if data.get("stage") == "vote":
        data["stage"] = "round"
    if data.get("revealed") == "killers":
        data["revealed"] = "killer"
    shown = data.get("revealed")
    if isinstance(shown, Mapping):
        data["revealed"] = {seat: "killer" if side == "killers" else side for seat, side in shown.items()}
        if not shown:
            del data["revealed"]
    return _told(fact.kind, fact.day, fact.phase, fact.audience, data, mute)


def _told(kind: str, day: int, phase: str, audience: Any, data: dict[str, Any], mute: bool) -> Told | None:
    if kind in UNCOMPARED or (mute and kind in ("speech", "last_words")):
        return None
    for name in ("claims", "number", "total"):
        data.pop(name, None)
    if kind == "resolved":
        data = {name: data[name] for name in RESOLVED}
        data["police"] = SIGNS.get(data["police"], "shake")
    if kind == "demanded":
        data["seats"] = sorted(data["seats"])
    if kind in ("role", "mates"):
        day = 0
    if kind in ("stated", "agreed", "acted"):
        data.setdefault("target", None)
    if kind in ("needled", "ballots", "tied") or data.get("stage") in ("pk", "off_field", "revote"):
        phase = "any"
    heard = audience if isinstance(audience, str) else " ".join(map(str, audience))
    return kind, day, phase, heard, repr(frozen(data))


def kept(told: Iterable[Told | None]) -> list[Told]:
    return [item for item in told if item is not None]


def seen_by(told: Iterable[Told], seat: int) -> list[Told]:
    """What one seat hears, in order."""
    name = str(seat)
    return [item for item in told if item[3] == "public" or (item[3] != "judge" and name in item[3].split())]


class Normal:
    """Events and facts of one game in the form in which they are compared, each worked out once."""

    def __init__(self, mute: bool) -> None:
        self._mute = mute
        self._known: dict[int, Told | None] = {}

    def ours(self, event: Event) -> Told | None:
        if id(event) not in self._known:
            self._known[id(event)] = from_engine(event, mute=self._mute)
        return self._known[id(event)]

    def theirs(self, fact: Fact) -> Told | None:
        if id(fact) not in self._known:
            self._known[id(fact)] = from_oracle(fact, mute=self._mute)
        return self._known[id(fact)]
