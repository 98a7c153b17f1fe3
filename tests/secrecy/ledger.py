"""The comparison: over all games, equal knowledge has seen equal bytes, and unequal knowledge unequal views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from secrecy.watch import Eyes, Game, Story, play
from tianhei.arena.roles import Seat

EXPLAINED = 3
"""How many findings are explained by playing their games again."""
SHOWN = 240
"""Bytes of a differing item that a finding quotes on either side of the difference."""


@dataclass
class Figures:
    """How much was compared."""

    games: int = 0
    deals: set[object] = field(default_factory=set)
    observers: int = 0
    """Seats of games, and the table of each."""
    moments: int = 0
    """Points in a game at which somebody knew something new."""
    alike: int = 0
    """Pairs of those points, in two games, at which the same watcher knew the same."""
    items: int = 0
    bytes: int = 0
    prompts: Counter[str] = field(default_factory=Counter)
    """Prompts that were read, by the player to whose model they go."""

    def __str__(self) -> str:
        return (
            f"{self.games:,} games, {len(self.deals):,} deals, {self.observers:,} observers, {self.moments:,} moments, "
            f"{self.alike:,} pairs compared, {self.items:,} items, {self.bytes:,} bytes, "
            f"{sum(self.prompts.values()):,} prompts of {len(self.prompts)} kinds"
        )

    def add(self, other: Figures) -> None:
        self.games += other.games
        self.deals |= other.deals
        self.observers += other.observers
        self.moments += other.moments
        self.alike += other.alike
        self.items += other.items
        self.bytes += other.bytes
        self.prompts += other.prompts


@dataclass
class _Entry:
    value: bytes
    game: Game
    times: int = 1


class Ledger:
    """All games of one table, each entered once."""

    def __init__(self, eyes: Eyes) -> None:
        self.eyes = eyes
        self.figures = Figures()
        self.findings: list[str] = []
        self._shown: dict[tuple[Seat, bytes], _Entry] = {}
        self._known: dict[tuple[Seat, bytes], _Entry] = {}
        self._shared: dict[tuple[str, bytes], _Entry] = {}

    def enter(self, game: Game) -> None:
        """Play a game and compare it with all before."""
        story = play(game, self.eyes)
        self._count(game, story)
        self.findings += story.faults
        for seat, track in enumerate(story.tracks):
            for known, shown in track.moments:
                entry = self._shown.setdefault((seat, known), _Entry(shown, game, 0))
                self.figures.alike += entry.times
                entry.times += 1
                if entry.value != shown:
                    self.findings.append(self._leak(seat, entry.game, game))
                    break
        for seat, view, known in story.views:
            entry = self._known.setdefault((seat, view), _Entry(known, game))
            if entry.value != known:
                self.findings.append(f"{_name(seat, game)} is not told all: {_cards(game)}, {_cards(entry.game)}")
        for name, known, shared in story.shared:
            entry = self._shared.setdefault((name, known), _Entry(shared, game))
            if entry.value != shared:
                self.findings.append(
                    f"{name}: the shared part of a prompt differs: {_cards(game)}, {_cards(entry.game)}"
                )

    def _count(self, game: Game, story: Story) -> None:
        figures = self.figures
        figures.games += 1
        figures.deals.add((game.setting.name, game.roles))
        figures.observers += len(story.tracks)
        figures.moments += sum(len(track.moments) for track in story.tracks)
        figures.items += story.items
        figures.bytes += story.bytes
        figures.prompts += story.prompts

    def _leak(self, seat: Seat, one: Game, other: Game) -> str:
        """Play both games again, and name the first item that differs."""
        where = f"{one.setting.name}: {_name(seat, one)} can tell {_cards(one)} from {_cards(other)}"
        if len(self.findings) >= EXPLAINED:
            return where
        tracks = [play(game, replace(self.eyes, keep=seat)).tracks[seat] for game in (one, other)]
        for (knows, here), (knew, there) in zip(*(track.kept or [] for track in tracks), strict=False):
            if here != there or knows != knew:
                place = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
                part = slice(max(0, place - SHOWN), place + SHOWN)
                return f"{where}:\n  {here[part].decode(errors='replace')}\n  {there[part].decode(errors='replace')}"
        return where


def compare(games: Iterable[Game], eyes: Eyes, *, stop: bool = False) -> Ledger:
    """Enter these games; ``stop`` at the first finding."""
    ledger = Ledger(eyes)
    for game in games:
        ledger.enter(game)
        if stop and ledger.findings:
            break
    return ledger


def _name(seat: Seat, game: Game) -> str:
    return f"seat {seat} ({game.roles[seat - 1]})" if seat else "the table"


def _cards(game: Game) -> str:
    manner = game.manner
    return f"[{' '.join(game.roles)}; keys {manner.open}, {manner.dark}, {manner.quiet}]"
