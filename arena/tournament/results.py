"""One row a game, folded from the transcripts of a run; everything in a report comes from these rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tianhei.arena.costs import Costs, costs_of, total
from tianhei.arena.events import Ballots, Called, Dawn
from tianhei.arena.roles import Role
from tianhei.arena.tournament.boards import Game
from tianhei.arena.tournament.plan import Plan
from tianhei.arena.tournament.run import path_of, planned
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import Recording, load, seat_of


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
    first_dead: int | None = None
    speaking: tuple[int, ...] = ()
    """The order of the first day's speeches."""
    costs: Mapping[str, Costs] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.game.board.deal

    def players_of(self, *, killers: bool) -> tuple[str, ...]:
        """Who sat on a side, a name for each seat."""
        pairs = zip(self.game.seats, self.roles, strict=True)
        return tuple(name for name, role in pairs if (role is Role.KILLER) == killers)


def rows(folder: Path, plan: Plan) -> Iterator[Row]:
    """A row for every planned game that has a transcript."""
    for game in planned(plan):
        path = path_of(folder, game)
        if not path.exists():
            continue
        try:
            yield row(game, load(path))
        except TranscriptError as error:
            yield Row(game, "", "", 0, f"damaged: {error}")


def row(game: Game, recorded: Recording) -> Row:
    """What one transcript says."""
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
        first_dead=_first_dead(recorded),
        speaking=_speaking(recorded),
        costs=costs_of(recorded),
        seconds=float(end.get("t", 0.0)),
    )


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


def _first_dead(recorded: Recording) -> int | None:
    for event in recorded.events:
        if isinstance(event.body, Dawn):
            return event.body.dead[0] if event.body.dead else None
    return None


def _speaking(recorded: Recording) -> tuple[int, ...]:
    for event in recorded.events:
        if isinstance(event.body, Called) and event.body.stage in ("speeches", "defence"):
            return event.body.seats
    return ()


COLUMNS = (
    "id", "track", "table", "board", "language", "variant", "channel", "focus", "killers", "town", "seats", "roles",
    "winner", "reason", "days", "void", "fallbacks", "hinged", "calls", "tokens_in", "tokens_cached", "tokens_out",
    "usd", "seconds",
)  # fmt: skip


def flat(one: Row) -> dict[str, Any]:
    """A row for a table: lists are joined by spaces."""
    used = total(one.costs.values())
    killers, town = one.players_of(killers=True), one.players_of(killers=False)
    values = (
        one.game.id, one.game.track, one.game.board.table.name, one.game.board.number, one.game.board.lang,
        one.game.board.variant, one.game.channel, one.game.focus, " ".join(dict.fromkeys(killers)),
        " ".join(dict.fromkeys(town)), " ".join(one.game.seats), " ".join(one.roles), one.winner, one.reason, one.days,
        one.void, len(one.fallbacks), one.hinged, used.calls, used.prompt, used.cached, used.completion,
        float(used.money), one.seconds,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def write_parquet(found: Iterable[Row], path: Path) -> None:
    """The rows as a columnar file, by DuckDB."""
    import duckdb

    data: Sequence[dict[str, Any]] = [flat(one) for one in found]
    with duckdb.connect() as base:
        base.execute(
            "create table games (id varchar, track varchar, \"table\" varchar, board integer, language varchar, "
            "variant integer, channel varchar, focus integer, killers varchar, town varchar, seats varchar, "
            "roles varchar, winner varchar, reason varchar, days integer, void varchar, fallbacks integer, "
            "hinged boolean, calls integer, tokens_in bigint, tokens_cached bigint, tokens_out bigint, usd double, "
            "seconds double)"
        )  # fmt: skip
        if data:
            marks = ", ".join("?" for _ in COLUMNS)
            base.executemany(f"insert into games values ({marks})", [list(one.values()) for one in data])
        base.execute(f"copy games to '{str(path).replace(chr(39), chr(39) * 2)}' (format parquet, compression zstd)")
