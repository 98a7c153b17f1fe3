"""Tables of games written by hand, a line for each thing that happened."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tianhei.arena.rules.presets import read_rules
from tianhei.transcripts.columns.schema import TABLES, Tables, empty
from tianhei.transcripts.metrics.catalogue import METRICS
from tianhei.transcripts.metrics.frame import Frame

KILLERS, GOOD = "killers", "good"
LETTERS = {"K": "killer", "P": "police", "C": "civilian", "B": "butterfly", "S": "sniper", "D": "doctor", "E": "elder"}


class Hand:
    """One game. ``cards`` names the seats' roles by their first letters, seat 1 first: KKPPCCCCCC."""

    def __init__(
        self, cards: str, winner: str | None = KILLERS, *, name: str = "one", rules: str = "bench-10",
        players: Sequence[str] | None = None, models: Sequence[str | None] | None = None, **columns: Any,
    ) -> None:  # fmt: skip
        self.tables: Tables = empty()
        self.name = name
        self.roles = [LETTERS[card] for card in cards]
        self.left: dict[int, float] = {}
        self.ballots = 0
        self.events = 0
        found, _ = read_rules(rules)
        self.add(
            "games", ruleset=found.hash, options=json.dumps(found.to_dict()), rule_game=found.game, winner=winner,
            finished=winner is not None, seed=name,
            seats_n=len(cards), killers_n=cards.count("K"), handicap=False, **columns,
        )  # fmt: skip
        for seat, role in enumerate(self.roles, start=1):
            self.add(
                "seats", seat=seat, role=role, side=KILLERS if role == "killer" else GOOD, survived=True,
                player=(players or ["x"] * len(cards))[seat - 1], model=(models or [None] * len(cards))[seat - 1],
            )  # fmt: skip

    def add(self, table: str, **values: Any) -> None:
        """A row; what is not given is absent."""
        unknown = set(values) - set(TABLES[table].names)
        assert not unknown, f"{table} has no {unknown}"
        for column in TABLES[table].names:
            self.tables[table][column].append(self.name if column == "game" else values.get(column))

    def killers(self, day: float) -> int:
        return sum(role == "killer" for seat, role in self.living(day).items() if seat)

    def living(self, day: float) -> dict[int, str]:
        """Who lives before the vote of a day."""
        return {seat: role for seat, role in enumerate(self.roles, start=1) if self.left.get(seat, np.inf) > day}

    def dies(self, seat: int, day: int, phase: str = "night") -> None:
        """A seat leaves. Before the day's votes are told."""
        self.left[seat] = day + (0.5 if phase == "vote" else 0.0)
        seats = self.tables["seats"]
        seats["died_day"][seat - 1], seats["died_phase"][seat - 1] = day, phase
        seats["survived"][seat - 1] = False
        self.add("deaths", day=day, phase=phase, seat=seat)

    def votes(
        self, day: int, ballots: Mapping[int, int | None], *, stage: str = "round",
        known: Mapping[int, int] | None = None, first: bool | None = None, ordered: bool = False,
        candidates: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        """One vote; ``known`` how many seats a voter knows to be good (1 for civilians)."""
        self.ballots += 1
        living = self.living(day)
        for place, (seat, target) in enumerate(ballots.items(), start=1):
            self.add(
                "votes", day=day, stage=stage, ballot=self.ballots, seat=seat, target=target, void=False,
                candidates=list(candidates or living), alive_n=len(living), killers_alive_n=self.killers(day),
                known_good_n=(known or {}).get(seat, 1), known_killers_n=0, order=place if ordered else None,
                first_claim_before=first, source="bot",
            )  # fmt: skip

    def says(
        self, seat: int, day: int, text: str = "words", *, stage: str = "round", kind: str = "speech",
        phase: str = "day", claims: Sequence[Mapping[str, Any]] = (), source: str = "declared",
    ) -> None:  # fmt: skip
        """A speech with its claims."""
        self.events += 1
        self.add("speeches", event=self.events, day=day, phase=phase, stage=stage, seat=seat, text=text,
                 passed=not text, kind=kind, source="bot")  # fmt: skip
        for claim in claims:
            self.add("claims", event=self.events, day=day, phase=phase, seat=seat, source=source, **claim)

    def believes(
        self, seat: int, day: int, beliefs: Mapping[int, float], *, point: str = "before_vote",
        posterior: Mapping[int, float] | None = None, of_me: Mapping[int, float] | None = None,
    ) -> None:  # fmt: skip
        """What a seat said when it was asked aside."""
        for about, p in beliefs.items():
            self.add("beliefs", seat=seat, point=point, day=day, wave=day, about=about, p=p,
                     raw_sum=sum(beliefs.values()), posterior=(posterior or {}).get(about),
                     of_me=(of_me or {}).get(about))  # fmt: skip

    def acts(self, night: int, action: str, target: int | None, legal: Sequence[int], *, seat: int | None = None,
             claimed: int | None = 0) -> None:  # fmt: skip
        """An action of a night."""
        self.add("nights", night=night, action=action, seat=seat, target=target, legal=list(legal), claimed_n=claimed)

    def asked(self, seat: int, source: str = "bot", **values: Any) -> None:
        """A request to a seat."""
        self.add("requests", seat=seat, source=source, kind="vote", **values)


def claim(kind: str, about: int, what: str = "none", truth: str | None = None, **values: Any) -> dict[str, Any]:
    return {"kind": kind, "about": about, "what": what, "truth": truth, **values}


def value(code: str, tables: Tables, seats: Sequence[int] | None = None) -> tuple[float, float, float | None]:
    """A metric of some rows of the seats (all by default): its value, n and chance."""
    metric = next(one for one in METRICS if one.code == code)
    sums = metric.count(Frame(tables))
    total = (sums if seats is None else sums[[seat - 1 for seat in seats]]).sum(axis=0)
    chance = metric.statistic.chance
    return (
        float(metric.statistic.value(total)),
        float(metric.statistic.n(total)),
        float(chance(total)) if chance else None,
    )
