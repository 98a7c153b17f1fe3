"""One table: its lobby, its game, its end, and all that people may do there."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tianhei.arena.budget import BudgetError
from tianhei.arena.guard import Leak
from tianhei.arena.host import PlayerFailed
from tianhei.arena.referee import Differs
from tianhei.arena.roles import Seat
from tianhei.arena.tables.audience import Audience, Message, Stream
from tianhei.arena.tables.ending import chances_of, review
from tianhei.arena.tables.game import Game
from tianhei.arena.tables.hosting import SOLE, start
from tianhei.arena.tables.lobby import lobby_of
from tianhei.arena.tables.names import check_apart, clean_name
from tianhei.arena.tables.pace import Pace
from tianhei.arena.tables.practice import sparing
from tianhei.arena.tables.refused import Refused
from tianhei.arena.tables.state import Chair, Forecast, State
from tianhei.arena.tables.words import pseudonym
from tianhei.transcripts.file import TranscriptError
from tianhei.transcripts.game import Recording, load
from tianhei.transcripts.viewer.frames import Eyes, document

if TYPE_CHECKING:
    from tianhei.arena.tables.house import House

DELAYED = "delayed"
"""Whose streams show everything, but later."""
LATER = 30.0
"""Seconds after which a delayed stream looks for more."""
LONGEST_NOTE = 4000


class Room:
    """A table that is open."""

    def __init__(self, house: House, state: State) -> None:
        self._house = house
        self.state = state
        self.audience = Audience()
        self.game: Game | None = None
        self.changing = asyncio.Lock()
        """Held by whoever ends a game or deals another, one at a time."""
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._answered = asyncio.Event()
        self._ended: tuple[Recording, dict[str, Any]] | None = None
        self._chances: asyncio.Task[dict[str, Any] | None] | None = None
        self._delayed: set[asyncio.Task[None]] = set()
        if state.phase == "playing":
            self.play()

    # Who is who.

    def token(self, whose: str) -> str:
        """The present token of the host, of the invitation, of a seat."""
        name, _, seat = whose.partition("/")
        generation = self.state.chairs[int(seat)].generation if name == "seat" else self.state.generations.get(whose, 1)
        return self._house.store.token(self.state.table, whose, generation)

    def whose(self, token: str) -> str:
        """Whom a token belongs to. Refused where it is nobody's, or was renewed."""
        found = ""
        for whose in (*SOLE, *(f"seat/{seat}" for seat in self.state.chairs)):
            if hmac.compare_digest(self.token(whose).encode(), token.encode("utf-8", "replace")):
                found = whose
        if not found or (found == "spectator" and self.state.plan.spectators == "none"):
            raise Refused(401, "unknown_token", "this link does not open this table, or was renewed")
        return found

    def _everybody(self) -> tuple[str, ...]:
        return (*SOLE, DELAYED, *(f"seat/{seat}" for seat in self.state.chairs))

    def chair(self, whose: str) -> Chair:
        """A person's seat. Refused where the token is no seat's."""
        name, _, seat = whose.partition("/")
        if name != "seat":
            raise Refused(403, "not_allowed", "this is for the players of the table")
        return self.state.chairs[int(seat)]

    # The lobby.

    def lobby(self, whose: str) -> dict[str, Any]:
        """What may be known of the table by whoever has this token."""
        found = lobby_of(self.state, self._house.bots, whose)
        if whose == "host":
            found |= {"invite": self.token("invite"), "spectator": self.token("spectator")}
            for chair in found["chairs"]:
                seat = f"seat/{chair['seat']}"
                chair["away"] = not self.audience.watched(seat)
                if not chair["joined"]:  # a seat that somebody has is opened by nobody else
                    chair["token"] = self.token(seat)
        elif (following := self.following(whose)) is not None:
            found["next"] = following
        return found

    def following(self, whose: str) -> dict[str, str] | None:
        """Where this one goes on to play: the table of the rematch, and a token of their own there."""
        name, _, seat = whose.partition("/")
        if name not in ("seat", "spectator", DELAYED) or (other := self._house.rooms.get(self.state.rematch)) is None:
            return None
        if name == "seat":
            chair = other.state.chairs.get(self.state.places.get(int(seat), 0))
            if chair is None or not chair.joined or chair.replaced or chair.generation > 1:
                return None  # it has gone, or somebody else has come to sit there
            return {"table": other.state.table, "token": other.token(f"seat/{chair.seat}")}
        return {"table": other.state.table, "token": other.token("spectator")}

    def join(self, whose: str, name: str, lang: str, consent: bool, client: str) -> dict[str, Any]:
        """Take a seat, or get the one that one has. Refused where there is none."""
        state = self.state
        chair = self._claimed(whose, client)
        if not chair.joined:
            if state.phase != "lobby":
                raise Refused(409, "table_closed", f"nobody can join: the table is {self.lobby(whose)['phase']}")
            if consent is not True:
                raise Refused(409, "no_consent", "whoever joins agrees to what is recorded")
            others = [each.name for each in state.chairs.values() if each.joined]
            if name.strip():
                name = clean_name(name)
                check_apart(name, others)
            else:
                name = pseudonym(state.plan.lang, others)  # from the list that bots' names come from
            chair.name, chair.lang, chair.client, chair.joined, chair.left = name, lang, client, True, False
            if whose == "invite":
                chair.generation += 1  # a link that nobody was sent, not even the host
            self.save()
            self.tell_lobby()
        return {"seat": chair.seat, "token": self.token(f"seat/{chair.seat}"), "name": chair.name}

    def _claimed(self, whose: str, client: str) -> Chair:
        if whose.startswith("seat/"):
            return self.chair(whose)
        if whose != "invite":
            raise Refused(403, "not_allowed", "players join by a seat's link, or by the invitation")
        chairs = list(self.state.chairs.values())
        mine = [chair for chair in chairs if client and chair.client == client and chair.joined and not chair.replaced]
        free = [chair for chair in chairs if not chair.joined and not self.audience.watched(f"seat/{chair.seat}")]
        if not mine and not free:
            raise Refused(409, "table_full", "every seat for people is taken")
        return (mine or free)[0]

    def ready(self, whose: str, ready: bool, doubled: bool) -> None:
        """Say that one is ready; ask for all times to be doubled."""
        chair = self._present(whose)
        chair.ready = ready
        if doubled and not self.state.doubled:
            self.state.doubled = True
            if self.game:
                self.game.stage.slow_down(self._pace())
        self.save()
        self.tell_lobby()
        if ready and self.state.plan.practice and self.state.phase == "lobby":
            start(self, fill=False)  # a practice night waits for nobody else

    def seen(self, whose: str) -> None:
        """Say that one has looked at the own card."""
        self._present(whose).seen = True
        self.save()
        if self.game:
            self.game.stage.saw()

    def leave(self, whose: str) -> None:
        """Give the seat up: in the lobby for good, in a game until one is back."""
        chair = self._present(whose)
        if self.state.phase == "lobby":
            self.vacate(chair)
            if not any(each.joined for each in self.state.chairs.values()):
                self.close("abandoned")
        else:
            chair.left = True
            self.away(chair)
        self.save()
        self.tell_lobby()

    def back(self, whose: str) -> None:
        """Whoever was away is here again, and has the seat back."""
        chair = self.chair(whose)
        if chair.joined and (chair.taken or chair.left) and not chair.replaced:
            chair.taken = chair.left = False
            self._note("hand-back", chair.seat, "")
            self.audience.tell(whose, {"type": "taken", "taken": False})
            self.save()

    def _present(self, whose: str) -> Chair:
        chair = self.chair(whose)
        if not chair.joined:
            raise Refused(409, "not_joined", "join the table first")
        return chair

    def vacate(self, chair: Chair) -> None:
        """A new, free seat in the place of this one; its old link is void."""
        self.audience.end(f"seat/{chair.seat}", {"type": "closed", "why": "left"})
        self.state.chairs[chair.seat] = Chair(seat=chair.seat, generation=chair.generation + 1)

    # The game.

    async def stop(self) -> None:
        """Stop playing, so that the game can be gone on with."""
        if self._chances:
            self._chances.cancel()
            await asyncio.gather(self._chances, return_exceptions=True)
        task, self._task = self._task, None
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def let_go(self) -> None:
        """End all streams, and what somebody waits for."""
        if self._chances:
            self._chances.cancel()
        self.audience.end(None, {"type": "pad"})

    async def delete(self) -> None:
        """Take the table away, with all that was kept of it."""
        await self.stop()
        self.audience.end(None, {"type": "closed", "why": "deleted"})

    def must_play(self) -> None:
        if self.state.phase != "playing":
            raise Refused(409, "not_playing", "no game is being played at this table")

    def chair_at(self, seat: Seat) -> Chair:
        if seat not in self.state.chairs:
            raise Refused(409, "no_such_seat", "this is no seat of a person")
        return self.state.chairs[seat]

    def play(self) -> None:
        self._stop = asyncio.Event()
        self._task = asyncio.create_task(self._run(self._stop))

    async def _run(self, stop: asyncio.Event) -> None:
        state = self.state
        pace = self._pace()
        try:
            path = self._house.store.game(state.table, state.deals)
            if state.plan.practice and state.seed is None:
                state.seed = await sparing(state.plan, min(state.chairs))
            self.game = Game(path, state, self._house.bots, pace, self.audience, self)
            self.save()
            self._greet()
            ended = await self.game.play(stop)
        except (TranscriptError, Differs, PlayerFailed, Leak, BudgetError) as error:
            self._house.report(f"table {state.table}: {error}")
            self.finish("broken")
            return
        self.finish("" if ended else "practice")

    def _pace(self) -> Pace:
        pace = self._house.practice if self.state.plan.practice else self._house.paces[self.state.plan.pace]
        return pace.times(2) if self.state.doubled else pace

    def absent(self, seat: Seat, request: str) -> None:
        """A person let the time go by: a bot sits in until they are back."""
        chair = self.state.chairs[seat]
        if chair.plays:
            chair.taken = True
            self.away(chair, request)
            self.save()

    def away(self, chair: Chair, request: str = "") -> None:
        self._note("takeover", chair.seat, request)
        if self.game:
            self.game.stage.questions.drop(chair.seat)
            self.game.stage.saw()
        self.audience.tell(f"seat/{chair.seat}", {"type": "taken", "taken": True})

    def _note(self, what: str, seat: Seat, request: str) -> None:
        if self.state.phase != "playing":
            return
        fields = {"seat": seat, **({"request": request} if request else {})}
        self.state.takeovers.append({"what": what, **fields})
        if self.game:
            with suppress(TranscriptError, OSError):
                self.game.host.note(what, **fields)

    # What players do.

    def stage_of(self) -> Game:
        """The game that is played. Refused where there is none."""
        self.must_play()
        if self.game is None:
            raise Refused(409, "not_playing", "the game is about to begin")
        return self.game

    async def answer(self, whose: str, name: str, data: Mapping[str, Any]) -> None:
        """Answer a question; returns once the answer is kept."""
        chair = self._present(whose)
        game = self.stage_of()
        if self.state.paused:
            raise Refused(409, "paused", "the game is paused")
        ask = game.stage.questions.give(chair.seat, name, data)
        with suppress(asyncio.CancelledError, TimeoutError):
            async with asyncio.timeout(5):
                await asyncio.shield(ask.written)

    def note(self, whose: str, text: str) -> None:
        """Keep a person's own notes."""
        if len(text) > LONGEST_NOTE:
            raise Refused(409, "too_long", f"notes have at most {LONGEST_NOTE} letters")
        self._present(whose).notes = text
        self.save()

    def forecast(self, whose: str, marks: Mapping[Seat, float]) -> None:
        """A dead player's marks: how likely each of the living is a killer, before today's vote."""
        chair, stage = self._present(whose), self.stage_of().stage
        if chair.seat in stage.living:
            raise Refused(409, "not_dead", "the living vote; marks are for the dead")
        if not stage.may_forecast:
            raise Refused(409, "too_late", "marks are given before the day's vote, and not by who knows the cards")
        if not marks or any(seat not in stage.living or not 0 <= mark <= 1 for seat, mark in marks.items()):
            raise Refused(409, "illegal", "marks are numbers from 0 to 1 for seats that live")
        kept = [each for each in self.state.forecasts if (each.day, each.seat) != (stage.day, chair.seat)]
        self.state.forecasts = [*kept, Forecast(day=stage.day, seat=chair.seat, marks=dict(marks))]
        self.save()

    def survey(self, whose: str, bots: list[Seat] | None) -> None:
        """Guess which seats were bots', before the verdict is shown."""
        chair = self._present(whose)
        if self.state.phase != "playing" or not self.state.survey_ends:
            raise Refused(409, "not_asked", "this is asked when the game is over, before the cards are shown")
        if chair.surveyed:
            raise Refused(409, "already_answered", "you have answered already")
        if bots is not None and any(not 1 <= seat <= self.state.players or seat == chair.seat for seat in bots):
            raise Refused(409, "illegal", "name seats of others")
        chair.surveyed, chair.survey = True, None if bots is None else sorted(set(bots))
        self.save()
        self.audience.tell(whose, {"type": "surveyed"})
        self._answered.set()

    async def before_end(self) -> None:
        """Ask everybody which seats were bots', and wait for them, or until the time for it is over."""
        state = self.state
        if not state.plan.survey:
            return
        if not state.survey_ends:
            state.survey_ends = time.time() + self._pace().survey
            self.save()
        for chair in state.chairs.values():
            if not chair.surveyed:
                self.audience.tell(f"seat/{chair.seat}", self._survey_message(chair.seat))
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, state.survey_ends - time.time())):
                while any(chair.plays and not chair.surveyed for chair in state.chairs.values()):
                    self._answered.clear()
                    await self._answered.wait()

    def _survey_message(self, seat: Seat) -> Message:
        others = [each for each in range(1, self.state.players + 1) if each != seat]
        return {"type": "survey", "seats": others, "ends_at": round(self.state.survey_ends * 1000)}

    # Looking on.

    def look(self, whose: str, address: str = "") -> Stream:
        """Let somebody look on, told all that they may know so far. Refused where too many do."""
        if whose.startswith("seat/") and self.state.phase == "playing":
            self.back(whose)
        if whose == "spectator" and self.state.plan.spectators == "delayed":
            whose = DELAYED
        stream = Stream(whose, address)
        self.audience.add(stream, self._first(whose))
        if whose == DELAYED:
            task = asyncio.create_task(self._show_later(stream))
            self._delayed.add(task)
            task.add_done_callback(self._delayed.discard)
        self.tell_host()
        return stream

    async def _show_later(self, stream: Stream) -> None:
        """Show everything of the game, each moment when its delay is over."""
        sent = 0
        while self.state.phase == "playing" and self.audience.holds(stream):
            due = time.time() - self.state.plan.delay
            shown = self.game.stage.truth if self.game else []
            while sent < len(shown) and shown[sent][0] <= due:
                stream.say({"type": "frame", "frame": shown[sent][1]})
                sent += 1
            await asyncio.sleep(min(LATER, shown[sent][0] - due if sent < len(shown) else self.state.plan.delay))

    def look_away(self, stream: Stream) -> None:
        """Whoever looked on is gone."""
        self.audience.remove(stream)
        self.tell_host()

    def _eyes(self, whose: str) -> Eyes:
        return int(whose.partition("/")[2]) if whose.startswith("seat/") else "public"

    def _first(self, whose: str) -> list[Message]:
        eyes = self._eyes(whose)
        seat = eyes if isinstance(eyes, int) else None
        game = self.game
        hello: dict[str, Any] = {"type": "hello", "document": None, "lobby": self.lobby(whose), "asks": []}
        if seat is not None:
            hello["notes"] = self.state.chairs[seat].notes
        more: list[Message] = []
        if game is not None and self.state.phase == "playing" and self._looks_on(whose):
            hello["document"] = game.stage.document(eyes)
            if whose == DELAYED:
                hello["document"] |= {"eyes": "truth", "frames": []}
            more = game.stage.standing(seat)
            if seat is not None and self.state.survey_ends and not self.state.chairs[seat].surveyed:
                more.append(self._survey_message(seat))
            hello["asks"] = [message["ask"] for message in more if message["type"] == "ask"]
        elif self.state.phase == "ended":
            more = self._ending(whose)
            if following := self.following(whose):
                more.append({"type": "rematch", **following})
        return [hello, *more]

    def _looks_on(self, whose: str) -> bool:
        """Whether this one is shown the game as it is played; the invitation shows what spectators are shown."""
        return whose != "invite" or self.state.plan.watched

    def _sees_all(self, whose: str) -> bool:
        """Whether this one is shown the truth once the game is over."""
        return whose != "invite" and not (whose == "spectator" and self.state.plan.spectators == "public")

    def _ending(self, whose: str) -> list[Message]:
        """What somebody is told after the end: the truth, or the public view to whom no more was promised."""
        if self._sees_all(whose):
            return [{"type": "end", **self.truth()}]
        if self.state.plan.spectators == "none":
            return []
        return [{"type": "end", "document": document(self._recorded(), "public", players=False), "table": None}]

    def settle(self) -> None:
        """Keep what the game has spent, so that neither a new deal nor a rematch can spend it again."""
        if self.game and (purse := self.game.purse):
            self.state.spent[purse.unit] = max(purse.spent, self.state.spent.get(purse.unit, Decimal(0)))

    def finish(self, why: str) -> None:
        state = self.state
        self.settle()
        state.phase, state.why, state.paused, state.asks = "ended", why, False, {}
        self.save()
        self.tell_lobby()
        for whose in self._everybody():
            if self.audience.watched(whose):
                for message in self._ending(whose):
                    self.audience.tell(whose, message)

    def truth(self) -> dict[str, Any]:
        """The whole game, once it is over. Refused before."""
        if self.state.phase != "ended":
            raise Refused(409, "not_over", "the game is not over")
        if self._ended is None:
            recorded = self._recorded()
            self._ended = recorded, document(recorded, "truth")
        recorded, shown = self._ended
        return {"document": shown, "table": review(self.state, recorded)}

    async def chances(self) -> dict[str, Any] | None:
        """How the chances stood over time, once the game is over: reckoned when first asked for. Refused before."""
        if self.state.phase != "ended":
            raise Refused(409, "not_over", "the game is not over")
        if self._chances is None:
            self._chances = asyncio.create_task(self._look_back())
        await asyncio.wait((self._chances,))
        return None if self._chances.cancelled() else self._chances.result()

    async def _look_back(self) -> dict[str, Any] | None:
        async with self._house.looking_back:
            found, problem = await chances_of(self.transcript())
        if problem:
            self._house.report(f"table {self.state.table}: {problem}")
        return found

    def may_see_all(self, whose: str) -> None:
        """Refused where the truth is not this one's to see, or not yet."""
        if self.state.phase != "ended" or not self.transcript().exists():
            raise Refused(409, "not_over", "the game is not over")
        if not self._sees_all(whose):
            raise Refused(403, "not_allowed", "this link shows the public view alone")

    def transcript(self) -> Path:
        """Where the game is kept."""
        return self._house.store.game(self.state.table, self.state.deals)

    def _recorded(self) -> Recording:
        return load(self.transcript())

    def _greet(self) -> None:
        """Tell everybody anew all that they may know."""
        for whose in self._everybody():
            if self.audience.watched(whose):
                for message in self._first(whose):
                    self.audience.tell(whose, message)

    def shut(self, whose: str, why: str) -> None:
        """End the streams of a link that is void."""
        for each in (whose, DELAYED) if whose == "spectator" else (whose,):
            self.audience.end(each, {"type": "closed", "why": why})

    def tell_rematch(self) -> None:
        """Tell everybody where they go on to play."""
        for whose in self._everybody():
            if self.audience.watched(whose) and (following := self.following(whose)):
                self.audience.tell(whose, {"type": "rematch", **following})

    def close(self, why: str) -> None:
        self.state.phase, self.state.why = "closed", why
        self.save()
        self.audience.end(None, {"type": "closed", "why": why})

    def tell_lobby(self) -> None:
        """Tell everybody how things stand before and beside the game."""
        for whose in self._everybody():
            if self.audience.watched(whose):
                self.audience.tell(whose, {"type": "lobby", "lobby": self.lobby(whose)})

    def tell_host(self) -> None:
        """Tell the host who is here."""
        if self.audience.watched("host"):
            self.audience.tell("host", {"type": "lobby", "lobby": self.lobby("host")})

    def save(self) -> None:
        """Keep what the table has come to."""
        self._house.store.save(self.state)
        if self.state.plan.practice and self.game and self.game.stage.day > 1:
            self._stop.set()
