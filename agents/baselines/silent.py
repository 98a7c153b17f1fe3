"""The scripted player that never says a word: the same reads and nights, so that only speech is missing."""

from __future__ import annotations

from tianhei.agents.scripted import ScriptedPlayer
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import CLAIMING, Request
from tianhei.arena.view import View


class Silent(ScriptedPlayer):
    """Votes and acts at night as the scripted player would; passes whenever it may speak."""

    name = "silent"

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer one request."""
        answer = (await super().act(view, request, ask)).answer
        return Reply(answer._replace(text="", claims=() if request.kind in CLAIMING else None))
