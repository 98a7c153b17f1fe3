"""What the host of a table may do: start, stop the clock, see to seats and links, deal anew, end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tianhei.arena.roles import Seat
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.words import pseudonym

if TYPE_CHECKING:
    from tianhei.arena.tables.room import Room

SOLE = ("host", "invite", "spectator")
"""Whose tokens are no seat's."""


def start(room: Room, fill: bool) -> None:
    """Begin. Refused where somebody is missing, unless bots are to fill the seats."""
    state = room.state
    if state.phase != "lobby":
        raise Refused(409, "not_in_lobby", "the game has begun already")
    missing = [chair for chair in state.chairs.values() if not chair.joined]
    waiting = [chair for chair in state.chairs.values() if chair.joined and not chair.ready]
    if waiting or (missing and not fill):
        raise Refused(409, "not_ready", f"{len(missing)} seats are empty, {len(waiting)} players are not ready")
    if len(missing) == len(state.chairs):
        raise Refused(409, "not_ready", "nobody has joined")
    for chair in missing:  # empty seats are bots' from now on
        room.audience.end(f"seat/{chair.seat}", {"type": "closed", "why": "filled"})
        del state.chairs[chair.seat]
    names = {chair.seat: chair.name for chair in state.chairs.values()}
    for seat in range(1, state.players + 1):
        if seat not in names:
            names[seat] = pseudonym(state.plan.lang, names.values())
    state.names = names
    state.phase, state.deals = "playing", 1
    room.save()
    room.play()


def pause(room: Room) -> None:
    """Stop the clock."""
    room.must_play()
    if room.state.paused:
        raise Refused(409, "paused", "the game is paused already")
    room.state.paused, room.state.paused_at = True, time.time()
    if room.game:
        room.game.stage.pause()
    room.save()
    room.tell_lobby()


def go(room: Room) -> None:
    """Let a paused game go on; nothing else is ever hurried."""
    room.must_play()
    if not room.state.paused:
        raise Refused(409, "not_paused", "the game is not paused; a stage ends when all have answered, or in time")
    room.state.paused = False
    if room.state.paused_at:
        room.state.put_off(time.time() - room.state.paused_at)
    room.save()
    if room.game:
        room.game.stage.go()
    room.tell_lobby()


def replace(room: Room, seat: Seat) -> None:
    """Let a bot have a person's seat for good."""
    room.must_play()
    chair = room.chair_at(seat)
    chair.replaced = True
    room.away(chair)
    room.save()
    room.tell_lobby()


def remove(room: Room, seat: Seat) -> None:
    """Put a person out; in a game a bot has the seat from now on, and the link is void."""
    chair = room.chair_at(seat)
    if room.state.phase == "lobby":
        room.vacate(chair)
    else:
        chair.replaced = True
        chair.generation += 1
        room.away(chair)
        room.audience.end(f"seat/{seat}", {"type": "closed", "why": "removed"})
    room.save()
    room.tell_lobby()


def renew(room: Room, whose: str) -> str:
    """Make a new link; the old one opens nothing any more."""
    name, _, seat = whose.partition("/")
    if name == "seat" and seat.isdecimal():
        room.chair_at(int(seat)).generation += 1
    elif whose in SOLE:
        room.state.generations[whose] = room.state.generations.get(whose, 1) + 1
    else:
        raise Refused(409, "no_such_link", "there are links of the host, invite, spectator and seat/NUMBER")
    room.shut(whose, "renewed")
    room.save()
    room.tell_host()
    return room.token(whose)


async def redeal(room: Room) -> None:
    """Deal anew, since a card was seen: only before the first morning."""
    async with room.changing:
        room.must_play()
        if room.game and not room.game.stage.first_night:
            raise Refused(409, "too_late", "cards are dealt anew in the first night only; end the game instead")
        await room.stop()
        room.settle()
        state = room.state
        state.deals += 1
        state.forget()
        room.save()
        room.play()


async def end(room: Room, why: str = "ended") -> None:
    """End the game where it stands, and show what is known of it."""
    async with room.changing:
        if room.state.phase == "lobby":
            room.close(why)
            return
        room.must_play()
        await room.stop()
        room.finish(why)


def rematch(room: Room, other: Room, places: Mapping[Seat, Seat]) -> None:
    """Tell everybody where the next game is played; ``places`` maps seats of this table to the new ones."""
    room.state.rematch, room.state.places = other.state.table, dict(places)
    room.save()
    room.tell_rematch()
