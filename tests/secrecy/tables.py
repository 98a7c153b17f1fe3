"""The tables of the proof: small ones with every deal there is, and samples of the standard ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from tianhei.arena.roles import Role
from tianhei.arena.rules.options import Rules, make

Roles = tuple[Role, ...]

SMALL_BUTTERFLY = {"killer": 2, "police": 1, "doctor": 1, "civilian": 3}
SMALL_CLASSIC = {"killer": 2, "civilian": 4}
SNIPER_BUTTERFLY = {"butterfly": 1, "sniper": 1, "elder": 1, "killer": 2, "civilian": 2}
POLICE_CLASSIC = {"killer": 2, "police": 2, "civilian": 4}
BUTTERFLY_13 = {"sniper": 1, "doctor": 1, "butterfly": 1, "elder": 1, "police": 1, "killer": 3, "civilian": 5}
POLICE_13 = {"sniper": 1, "doctor": 1, "butterfly": 1, "elder": 1, "police": 2, "killer": 3, "civilian": 4}
CLASSIC_13 = {"killer": 3, "police": 3, "civilian": 7}


@dataclass(frozen=True)
class Setting:
    """A table with its rules: ``sample`` deals of it, or every one (0); ``probes`` are the points at which it asks."""

    name: str
    game: str
    counts: Mapping[str, int]
    changes: Mapping[str, Any] = field(default_factory=dict)
    sample: int = 0
    probes: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        return make(self.game, {"max_days": 3, **self.changes})

    @property
    def players(self) -> int:
        return sum(self.counts.values())

    def deals(self) -> list[Roles]:
        """Every deal, or the sample: one deal, and those that two exchanges of cards make of it."""
        if not self.sample:
            return list(distinct(self.counts))
        rng = Random(self.name)
        first = [Role(role) for role, count in self.counts.items() for _ in range(count)]
        rng.shuffle(first)
        near = sorted(exchanged(tuple(first)) - {tuple(first)})
        far = sorted(set().union(*map(exchanged, near)) - {tuple(first), *near})
        others = rng.sample(near, len(near)) + rng.sample(far, len(far))
        assert self.sample <= len(others), f"{self.name}: {len(others)} deals are near"
        return [tuple(first), *others[: self.sample - 1]]


def exchanged(roles: Roles) -> set[Roles]:
    """All deals in which two seats of this one have exchanged their cards."""
    found = set()
    for one, other in combinations(range(len(roles)), 2):
        cards = list(roles)
        cards[one], cards[other] = cards[other], cards[one]
        found.add(tuple(cards))
    return found


def distinct(counts: Mapping[str, int]) -> Iterator[Roles]:
    """Every way to deal these cards, each once."""
    left = Counter({Role(role): count for role, count in counts.items()})

    def rest(dealt: Sequence[Role]) -> Iterator[Roles]:
        if len(dealt) == sum(counts.values()):
            yield tuple(dealt)
            return
        for role in left:
            if left[role]:
                left[role] -= 1
                yield from rest((*dealt, role))
                left[role] += 1

    return rest(())


def _small(name: str, probes: tuple[str, ...] = (), **changes: Any) -> Setting:
    return Setting(f"butterfly 7, {name}", "butterfly", SMALL_BUTTERFLY, changes, probes=probes)


def _classic(name: str, probes: tuple[str, ...] = (), **changes: Any) -> Setting:
    return Setting(f"classic 6, {name}", "classic", SMALL_CLASSIC, changes, probes=probes)


SETTINGS: tuple[Setting, ...] = (
    _small("default", ("night", "vote")),
    _small(
        "secret votes, the tie chain, nothing revealed", vote_form="after_speech_secret", tie="chain",
        final_tie="lot", reveal_on_vote="none", executed_last_words="both", night_pass="forbidden",
        kill_teammate="forbidden", no_death_start="random",
    ),
    _small(
        "needles and causes announced, open eyes of the dead", announce_needles=True, announce_causes=True,
        reveal_at_dawn="side", dead_view="all", tie="revote", channel="claims_only",
    ),
    Setting("butterfly 7, with butterfly, sniper and elder", "butterfly", SNIPER_BUTTERFLY, {}, 80),
    _classic("hands called", ("vote",)),
    _classic(
        "simultaneous, abstention forbidden", ("day", "speech/3"),
        vote_form="simultaneous", abstain="forbidden", final_tie="lot",
    ),
    _classic("secret, PK on demand", vote_form="secret", round_pk="on", narrowing="always", final_tie="nobody"),
    Setting("classic 8, with police", "classic", POLICE_CLASSIC, {"vote_form": "simultaneous"}),
    Setting(
        "classic 8, roles checked, secret", "classic", POLICE_CLASSIC,
        {"vote_form": "secret", "check_answer": "role", "victory": "all_good", "reveal_on_vote": "side"}, 120,
    ),
    Setting("butterfly 13, default", "butterfly", BUTTERFLY_13, {}, 160),
    Setting(
        "butterfly 13, two police, the elder a killer's friend", "butterfly", POLICE_13,
        {"elder_side": "killers", "carried_police": "blocks_self", "carried_killer": "others_still_kill",
         "silence_copied": True, "reveal_on_vote": "role", "tie": "lot"}, 160, ("night",),
    ),
    Setting("classic 13, hands called", "classic", CLASSIC_13, {"reveal_at_dawn": "role"}, 60),
)  # fmt: skip


def setting(name: str) -> Setting:
    """The setting whose name begins so."""
    return next(found for found in SETTINGS if found.name.startswith(name))
