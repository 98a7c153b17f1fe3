"""Who answers for a seat at a table: a person or a bot, and whoever sits in for them, so that no seat is ever dead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tianhei.arena.host import Sitter
from tianhei.arena.player import Ask, Completion, Player, Prompt, Reply, Unusable
from tianhei.arena.requests import Request
from tianhei.arena.tables.stage import Stage
from tianhei.arena.tables.state import Chair
from tianhei.arena.view import View
from tianhei.transcripts.file import TranscriptError

TAKEOVER = "bot:takeover"
"""The source of an answer that a bot gave for a person who was away."""
STAND_IN = "bot:stand-in"
"""The source of an answer that the scripted player gave for a bot that had none in time."""


class PersonsSeat:
    """A person, for whom a scripted player sits in where they are away."""

    def __init__(self, chair: Chair, stage: Stage, stand_in: Player) -> None:
        self._chair = chair
        self._stage = stage
        self._stand_in = stand_in

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """The person's answer, else the stand-in's."""
        if not self._chair.plays:
            self._stage.questions.drop(request.seat)
        answer = await self._stage.questions.answered(request)
        if answer is not None:
            return Reply(answer)
        await self._stage.near()
        reply = await self._stand_in.act(view, request, nobody)
        return reply._replace(source=TAKEOVER)


class BotsSeat:
    """A bot, which thinks no further ahead than the table is shown, and not for ever."""

    def __init__(self, bot: Player, stage: Stage, stand_in: Player, note: Callable[[Request, str], None]) -> None:
        """``note`` is told where the bot had no answer, and why."""
        self._bot = bot
        self._stage = stage
        self._stand_in = stand_in
        self._note = note

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """The bot's answer, else the stand-in's."""
        await self._stage.near()
        try:
            async with asyncio.timeout(self._stage.patience(request)):
                return await self._bot.act(view, request, ask)
        except TranscriptError:
            raise
        except Exception as error:  # whatever it is, the people at the table play on
            self._note(request, f"{type(error).__name__}: {error}")
        reply = await self._stand_in.act(view, request, nobody)
        return reply._replace(source=STAND_IN)


def seated(sitter: Sitter, player: Player) -> Sitter:
    """The sitter with another player in front; it may always have to wait."""
    return Sitter(player, sitter.source, sitter.endpoint, waits=True)


async def nobody(prompt: Prompt) -> Completion:
    """What a player without a model reaches."""
    raise Unusable("error", "this seat has no endpoint")
