"""One row a game, folded from the transcripts of a run; everything in a report comes from these rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tianhei.agents.roster import LOCAL
from tianhei.arena.costs import Costs, costs_of, total
from tianhei.arena.endpoint.prices import price
from tianhei.arena.events import Ballots, Called
from tianhei.arena.roles import Role
from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.folder import path_of, planned
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.start import is_instant
from tianhei.transcripts.calls import usage_from_json
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import Recording, load, seat_of
from tianhei.transcripts.header import Header
from tianhei.transcripts.takeovers import seats_taken_over

TAKEN_OVER = "taken over"
"""Why a game is left out in which a seat was."""


@dataclass(frozen=True, slots=True)
class Used:
    """What a player's calls used in a game, and in how many seats. ``usd`` is None where a price is unknown."""

    seats: int
    calls: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One game: what was planned, how it ended, what its players did without and used.

    ``winner`` is good, killers or draw; empty for a game that is void or not finished, whose cause is ``void``.
    ``fallbacks`` are requests that a seat could not answer, by seat and cause; ``hinged`` says that one of them could
    have changed a vote or a night.
    """

    game: Game
    winner: str
    reason: str
    days: int
    void: str
    fallbacks: tuple[tuple[int, str], ...] = ()
    hinged: bool = False
    speaking: tuple[int, ...] = ()
    """The order of the first day's speeches."""
    costs: Mapping[str, Costs] = field(default_factory=dict)
    used: Mapping[str, Used] = field(default_factory=dict)
    """By player of the plan."""
    asked: Mapping[str, str] = field(default_factory=dict)
    """By player: all that it was asked with, as one text. Games may only be pooled where these agree."""
    seconds: float = 0.0
    taken_over: int = 0
    """Seats that somebody else took over."""
    teams: tuple[str, str] = field(init=False)
    """The player who was all killers, and the one who was all the others; empty where strangers were."""

    def __post_init__(self) -> None:
        sides = (set(self.players_of(killers=True)), set(self.players_of(killers=False)))
        killers, town = (side.pop() if len(side) == 1 else "" for side in sides)
        object.__setattr__(self, "teams", (killers, town))

    @property
    def cluster(self) -> str:
        """The board; its games are not independent."""
        return self.game.board.seed

    def points(self, *, killers: bool) -> float:
        """Of one side; a draw is half."""
        return 0.5 if self.winner == "draw" else float((self.winner == "killers") == killers)

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.game.board.deal

    def players_of(self, *, killers: bool) -> tuple[str, ...]:
        """Who sat on a side, a name for each seat."""
        pairs = zip(self.game.seats, self.roles, strict=True)
        return tuple([name for name, role in pairs if (role is Role.KILLER) == killers])


def rows(folder: Path, plan: Plan, *, taken_over: bool = False) -> Iterator[Row]:
    """A row for every planned game that has a transcript.

    One in which somebody else took a seat over has no winner, unless ``taken_over``: it compares no players.
    """
    for game in planned(plan):
        path = path_of(folder, game)
        if not path.exists():
            continue
        try:
            found = row(game, _recorded(path, whole=not is_instant(plan, game)))
            yield found if taken_over or not (found.taken_over and found.winner) else _without_winner(found)
        except TranscriptError as error:
            yield Row(game, "", "", 0, f"damaged: {error}")


def _without_winner(found: Row) -> Row:
    return replace(found, winner="", reason="", void=TAKEN_OVER)


def _recorded(path: Path, *, whole: bool) -> Recording:
    """A game's recording; of a finished game of scripted players only what a row tells of."""
    if not whole and (found := load(path, _tells)).end and not seats_taken_over(found):
        return found
    return load(path)


def _tells(line: bytes) -> bool:
    """Whether a row needs this line: not a wave that scripted players have answered, but for who speaks when."""
    by_bots = line.count(b'"source":"bot"')
    told = b'"stage":"speeches"' in line or b'"stage":"defence"' in line
    return told or not by_bots or by_bots != line.count(b'"source":"')


def row(game: Game, recorded: Recording) -> Row:
    """What one transcript says. Waves may be left out that `_tells` does not ask for."""
    end = recorded.end or {}
    void = "" if end else recorded.void["cause"] if recorded.void else "unfinished"
    fallbacks = tuple(_fallbacks(recorded))
    return Row(
        game=game,
        winner=end.get("winner", ""),
        reason=end.get("reason", ""),
        days=end.get("day", 0),
        void=void,
        fallbacks=tuple((seat, cause) for seat, cause, _ in fallbacks),
        hinged=any(_could_matter(recorded, request) for _, _, request in fallbacks),
        speaking=_speaking(recorded),
        costs=costs_of(recorded),
        used=_used(game, recorded),
        asked=_asked(game, recorded.header),
        seconds=float(end.get("t", 0.0)),
        taken_over=len(seats_taken_over(recorded)),
    )


def _used(game: Game, recorded: Recording) -> dict[str, Used]:
    found = {name: Used(seats) for name, seats in Counter(game.seats).items()} if recorded.done else {}
    for call in (*recorded.done.values(), *recorded.tries):
        seat = seat_of(call["call"].partition("#")[0])
        name, spec, usage = game.seats[seat - 1], recorded.header.seats[seat - 1], usage_from_json(call)
        old, money = found[name], price(spec.model, spec.endpoint, usage) if spec.endpoint != LOCAL else Decimal()
        usd = None if money is None or old.usd is None else old.usd + float(money)
        found[name] = Used(old.seats, old.calls + 1, old.tokens_out + (usage.completion or 0), usd)
    return found


def _asked(game: Game, header: Header) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, spec in zip(game.seats, header.seats, strict=True):
        if name not in found:
            params = {key: value for key, value in spec.params.items() if key != "found"}
            program = header.program.partition(", ")[0]  # the rest reaches models
            how = (spec.player, spec.model, spec.endpoint, spec.pack_hash, program, json.dumps(params))
            found[name] = " ".join(filter(None, how))
    return found


def _fallbacks(recorded: Recording) -> Iterator[tuple[int, str, str]]:
    for wave in recorded.waves:
        for reply in wave.replies.values():
            if reply.source.startswith("fallback:"):
                yield seat_of(reply.request), reply.source.removeprefix("fallback:"), reply.request


def _could_matter(recorded: Recording, request: str) -> bool:
    """Whether an answer that was missing could have changed who died: a ballot within the margin, or a night act."""
    kind = request.partition(".")[2].rstrip("0123456789.").rstrip("_")
    if request.startswith("n"):
        return True
    if not kind.startswith(("vote", "hand", "defence")):
        return False
    wave = next(wave for wave in recorded.waves if request in wave.replies)
    counts: Counter[int] = Counter()
    void = 0
    for event in wave.events:
        if isinstance(event.body, Ballots):
            ballots = event.body.ballots or {}
            counts.update(target for target in ballots.values() if target is not None)
            counts.update(event.body.totals or {})
            void += len(event.body.void)
    most = [count for _, count in counts.most_common(2)] + [0, 0]
    return most[0] - most[1] <= max(1, void)


def _speaking(recorded: Recording) -> tuple[int, ...]:
    for event in (event for wave in recorded.waves for event in wave.raw_events):  # it comes early
        if event["kind"] == Called.kind and event.get("stage") in ("speeches", "defence"):
            return tuple(event["seats"])
    return ()


def order(one: Row) -> tuple[str, str]:
    """What rows are sorted by: runs that are pooled may have games of one name."""
    return one.game.id, one.cluster


COLUMNS = (
    "id", "seed", "replicate", "track", "table", "board", "language", "variant", "arm", "focus", "killers", "town",
    "seats", "roles", "winner", "reason", "days", "void", "fallbacks", "hinged", "calls", "tokens_in", "tokens_cached",
    "tokens_out", "usd", "seconds",
)  # fmt: skip


def flat(one: Row) -> dict[str, Any]:
    """A row for a table: lists are joined by spaces."""
    used = total(one.costs.values())
    killers, town = one.players_of(killers=True), one.players_of(killers=False)
    values = (
        one.game.id, one.game.seed, one.game.replicate, one.game.track, one.game.board.table.name,
        one.game.board.number, one.game.board.lang, one.game.board.variant, one.game.arm, one.game.focus,
        " ".join(dict.fromkeys(killers)), " ".join(dict.fromkeys(town)), " ".join(one.game.seats), " ".join(one.roles),
        one.winner, one.reason, one.days, one.void, len(one.fallbacks), one.hinged, used.calls, used.prompt,
        used.cached, used.completion, float(used.money), one.seconds,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


_TYPES = {
    "replicate": "integer", "board": "integer", "variant": "integer", "focus": "integer", "days": "integer",
    "fallbacks": "integer", "hinged": "boolean", "calls": "integer", "tokens_in": "bigint", "tokens_cached": "bigint",
    "tokens_out": "bigint", "usd": "double", "seconds": "double",
}  # fmt: skip


def write_parquet(found: Iterable[Row], path: Path) -> None:
    """The rows as a columnar file, by DuckDB."""
    import duckdb

    types = ", ".join(f"'{name}': '{_TYPES.get(name, 'varchar')}'" for name in COLUMNS)
    with TemporaryDirectory() as folder, duckdb.connect() as base:
        lines = Path(folder, "rows.json")
        with lines.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(flat(one)) + "\n" for one in found)
        table = f"read_json('{_quoted(lines)}', format = 'newline_delimited', columns = {{{types}}})"
        base.execute(f"copy (from {table}) to '{_quoted(path)}' (format parquet, compression zstd)")


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
