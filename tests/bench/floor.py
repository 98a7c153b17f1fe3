"""The floor: about the least that pure Python must do for a game with events, views and a checksummed file.

Nobody may be asked for anything here; it is only something to measure against in the same run.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

SPEECH = (
    "I have listened to everybody, and the way the last vote went still bothers me: nobody said why they moved so "
    "quickly. Quiet killers live on that. I would like to hear from those who have said nothing before we decide."
)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened."""

    seq: int
    kind: str
    day: int
    actor: int
    target: int
    text: str
    audience: tuple[int, ...] | None


class Floor:
    """One game of random choices: a quarter killers, a quarter police."""

    def __init__(self, players: int, seed: int) -> None:
        self.random = random.Random(seed)
        team = max(1, round(players / 4))
        self.roles = ["killer"] * team + ["police"] * team + ["civilian"] * (players - 2 * team)
        self.random.shuffle(self.roles)
        self.alive = list(range(players))
        self.views: list[list[str]] = [[] for _ in range(players)]
        self.lines: list[str] = []
        self.digest = b""
        self.day = 0
        self.decisions = 0

    def tell(self, kind: str, actor: int = -1, target: int = -1, text: str = "", audience: Any = None) -> None:
        item = Item(len(self.lines), kind, self.day, actor, target, text, audience)
        line = f"[{self.day}] {kind} Player{actor + 1} Player{target + 1} {text}"
        for seat in range(len(self.roles)) if audience is None else audience:
            self.views[seat].append(line)
        body = {
            "seq": item.seq, "kind": kind, "day": self.day, "actor": actor, "target": target, "text": text,
            "audience": audience, "prev": self.digest.hex()[:16],
        }  # fmt: skip
        raw = json.dumps(body, separators=(",", ":"))
        self.digest = hashlib.sha256(raw.encode()).digest()
        self.lines.append(raw)

    def _team(self, role: str) -> tuple[int, ...]:
        return tuple(seat for seat in self.alive if self.roles[seat] == role)

    def _council(self, role: str, kind: str) -> int:
        team = self._team(role)
        others = [seat for seat in self.alive if self.roles[seat] != role]
        named: Counter[int] = Counter()
        for seat in team:
            target = self.random.choice(others)
            named[target] += 1
            self.decisions += 1
            self.tell(kind, seat, target, audience=team)
        return named.most_common(1)[0][0] if named else -1

    def _over(self) -> bool:
        left = Counter(self.roles[seat] for seat in self.alive)
        return not (left["killer"] and left["police"] and left["civilian"])

    def play(self) -> int:
        """Play to the end; the number of decisions."""
        for seat, role in enumerate(self.roles):
            self.tell("role", seat, text=role, audience=(seat,))
        while True:
            self.day += 1
            victim, suspect = self._council("killer", "kill"), self._council("police", "check")
            self.tell("checked", target=suspect, audience=self._team("police"))
            self.alive.remove(victim)
            self.tell("killed", target=victim)
            if self._over():
                break
            for seat in self.alive:
                self.decisions += 1
                self.tell("speech", seat, text=SPEECH)
            votes: Counter[int] = Counter()
            for seat in self.alive:
                votes[target := self.random.choice(self.alive)] += 1
                self.decisions += 1
                self.tell("vote", seat, target, audience=(seat,))
            out = votes.most_common(1)[0][0]
            self.alive.remove(out)
            self.tell("voted_out", target=out)
            if self._over():
                break
        self.tell("end")
        return self.decisions
