"""A language model in a seat: asked in the words of a prompt pack, read strictly, asked once more where that fails."""

from __future__ import annotations

from tianhei.agents.reading import Fault, read
from tianhei.arena.player import Ask, Reply, Unusable
from tianhei.arena.requests import Request
from tianhei.arena.view import View
from tianhei.prompts.compose import MAX_TOKENS, compose, retry
from tianhei.prompts.pack import OFFICIAL, load
from tianhei.prompts.vocabulary import Lang


class ModelPlayer:
    """Plays by asking a model. ``reasons``: the model thinks by itself, so that a line of thought is enough."""

    def __init__(
        self, lang: Lang, pack: str = OFFICIAL, *, reasons: bool = False, max_tokens: int | None = MAX_TOKENS
    ) -> None:
        self.pack = load(pack, lang)
        self.reasons = reasons
        self.max_tokens = max_tokens

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        asked = compose(self.pack, view, request, brief_thought=self.reasons, max_tokens=self.max_tokens)
        completion = await ask(asked.prompt)
        try:
            return read(completion, asked)
        except Fault as fault:
            completion = await ask(retry(asked, fault.cause, fault.detail))
        try:
            return read(completion, asked)
        except Fault as fault:
            raise Unusable(fault.cause, fault.detail) from None
