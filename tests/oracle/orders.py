"""Who speaks in which order: last words and speeches of both games (rules 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .options import Options, game_of


def step(options: Options, day: int) -> int:
    """+1 or -1: the butterfly game alternates by day (A0-57), the classic never turns."""
    if game_of(options) == "classic":
        return 1 if options["seat_numbering"] == "ccw" else -1
    return 1 if day % 2 else -1


def walk(players: int, first: int, way: int) -> list[int]:
    """Every seat once, from `first` on, one way round the table."""
    return [(first - 1 + way * i) % players + 1 for i in range(players)]


def from_judge(options: Options, players: int, day: int) -> list[int]:
    """The judge sits between seat n and seat 1 (A0-07)."""
    way = step(options, day)
    return walk(players, 1 if way == 1 else players, way)


def after(options: Options, players: int, day: int, seat: int) -> list[int]:
    """Every seat once, beginning with the next one after `seat` and ending with it."""
    way = step(options, day)
    return walk(players, (seat - 1 + way) % players + 1, way)


def last_words_order(options: Options, players: int, day: int, dead: Collection[int]) -> list[int]:
    """S0-55: the night's dead in this day's direction from the judge, before quota and silence."""
    return [s for s in from_judge(options, players, day) if s in dead]


def anchor(options: Options, players: int, day: int, dead: Collection[int]) -> int | None:
    """A0-58, A0-60: the last of the night's dead in that order, whether he spoke or not."""
    order = last_words_order(options, players, day, dead)
    return order[-1] if order else None


def speech_order(
    options: Options,
    players: int,
    day: int,
    alive: Collection[int],
    dead: Collection[int],
    previous_anchor: int | None = None,
    lot: int | None = None,
) -> list[int]:
    """S0-60, S1-56, A0-59, A1-18: the living, in the order of the day."""
    start = anchor(options, players, day, dead)
    if start is None and options["no_death_start"] == "previous_anchor":
        start = previous_anchor
    if start is not None:
        ring = after(options, players, day, start)
    elif options["no_death_start"] == "random" and lot is not None:
        ring = walk(players, lot, step(options, day))
    else:
        ring = from_judge(options, players, day)
    return [s for s in ring if s in alive]


def with_last_words(
    options: Options, dying: Sequence[int], deaths_before: int, killers_dealt: int, silenced: Collection[int]
) -> list[int]:
    """Of those dying together, in order: who may speak by quota and silence.

    The silenced are passed over but use up their place in the quota.
    """
    if options["last_words"] == "none":
        return []
    mute = set() if options.get("silenced_last_words") else set(silenced)
    room = len(dying)
    if options["last_words"] == "quota":
        room = max(0, killers_dealt - deaths_before)
    return [s for s in dying[:room] if s not in mute]


def executed_speaks(options: Options, role: str) -> bool:
    """S0-65, S0-66, A0-66; the elder is never a killer, whatever his side (R-ELDER)."""
    rule = options.get("executed_last_words", "both")
    return rule == "both" or (rule == "good_only" and role != "killer")
