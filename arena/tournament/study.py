"""A run's study: the sums that cards and pictures of how it was played are made from, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tianhei.agents.roster import TOLD
from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.folder import is_finished, path_of, planned
from tianhei.arena.tournament.plan import Plan

if TYPE_CHECKING:
    from tianhei.transcripts.columns.schema import Tables
    from tianhei.transcripts.metrics.card import Row, Tally


@dataclass(slots=True)
class Study:
    """What the games of a run tell of how they were played.

    ``card`` has a figure's rows by player: the whole first, then its sides, then its cards. ``pictures`` are sums, as
    `transcripts.metrics.sections` has them.
    """

    name: str
    games: int
    boards: int
    missing: int
    """Games of the plan that are not finished."""
    damaged: int
    """Files that could not be read."""
    taken_over: int
    """Seats that somebody else took over."""
    keeps_taken_over: bool
    """Whether these count too."""
    card: Sequence[Row]
    pictures: dict[str, list[dict[str, Any]]]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "name": self.name, "games": self.games, "boards": self.boards, "missing": self.missing,
            "damaged": self.damaged, "taken_over": self.taken_over,
            "card": [row.to_json() for row in self.card], "pictures": self.pictures,
        }  # fmt: skip


def study(folder: Path, plan: Plan, processes: int | None = None, *, taken_over: bool = False) -> Study:
    """Fold the finished games of the main arm among players that were told no more than the rules allow.

    Seats that somebody else took over are left out, unless ``taken_over``.
    """
    from tianhei.transcripts.columns.gather import gather, read_parts
    from tianhei.transcripts.metrics.card import Tally
    from tianhei.transcripts.metrics.sections import sections

    games = {path_of(folder, game): game for game in planned(plan) if is_studied(plan, game)}
    finished = {path: game for path, game in games.items() if is_finished(path)}
    by_name = {path.name: game for path, game in finished.items()}
    tally, damaged = Tally(taken_over=taken_over), 0
    with TemporaryDirectory(prefix="tianhei-") as scratch:
        lots = {Path(scratch, str(number)): files for number, files in enumerate(_lots(plan, finished))}
        for lot, files in lots.items():
            damaged += len(gather(files, lot, processes=processes).damaged)

        def batches() -> Iterator[Tables]:
            for lot in lots:
                for tables in read_parts(lot):
                    named = _named(tables, by_name)
                    tally.add(named)
                    yield named

        pictures = sections(batches(), taken_over=taken_over)
    return Study(plan.name, len(tally.games), tally.boards, len(games) - len(finished), damaged,
                 tally.taken_over, taken_over, _card(tally) if tally.games else (), pictures)  # fmt: skip


def is_studied(plan: Plan, game: Game) -> bool:
    """Whether a game is one of those that the study is about."""
    told = any(plan.seat(name).player in TOLD for name in set(game.seats))
    return game.arm == "full" and game.track != "lines" and not told


def _lots(plan: Plan, games: Mapping[Path, Game]) -> list[list[Path]]:
    """The files in lots. Games of one board between like players may start from the same, and then have one id."""
    lots: list[list[Path]] = []
    seen: Counter[Any] = Counter()
    for path, game in sorted(games.items()):
        key = game.seed, tuple(plan.seat(name).player for name in game.seats)
        if seen[key] == len(lots):
            lots.append([])
        lots[seen[key]].append(path)
        seen[key] += 1
    return lots


def _named(tables: Tables, games: Mapping[str, Game]) -> Tables:
    """The tables with games and players under their names in the plan: two of them may be one model."""
    played = {
        game: Path(path).name for game, path in zip(tables["games"]["game"], tables["games"]["path"], strict=True)
    }
    found: Tables = {
        name: {**columns, "game": [played[game] for game in columns["game"]]} for name, columns in tables.items()
    }
    seats = found["seats"]
    names = [games[game].seats[seat - 1] for game, seat in zip(seats["game"], seats["seat"], strict=True)]
    seats["model"] = [model and name for model, name in zip(seats["model"], names, strict=True)]
    seats["player"] = names
    return found


def _card(tally: Tally) -> list[Row]:
    """The figures of whole players, their sides and their cards, figure by figure and player by player."""
    from tianhei.transcripts.metrics.card import BY

    rows: list[Row] = [row for by in BY for row in tally.rows(by)]
    figures = {code: place for place, code in enumerate(dict.fromkeys(row.code for row in rows))}
    return sorted(rows, key=lambda row: (figures[row.code], row.group))
