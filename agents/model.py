"""A language model in a seat: asked in the words of a prompt pack, read strictly, asked again where that fails."""

from __future__ import annotations

from dataclasses import replace

from tianhei.agents.probe import elicit
from tianhei.agents.reading import Fault, read
from tianhei.arena.player import Ask, Completion, Prompt, Reply, Unusable
from tianhei.arena.probing import Beliefs
from tianhei.arena.requests import Request
from tianhei.arena.view import View
from tianhei.prompts.compose import MAX_TOKENS, Asked, compose, retry
from tianhei.prompts.pack import OFFICIAL, load
from tianhei.prompts.vocabulary import PLAIN, Lang, Theme

MOST_QUESTIONS = 3
"""How often a model is asked, each time told what was wrong, before the seat has no answer."""
_QUESTIONS = {"filtered": 1, "refused": 2}
"""Fewer, where the same words will hardly fare better."""
_FREELY = frozenset(("truncated", "empty"))
"""Faults after which a model is asked without a grammar, which some loop in, and without reasoning of its own."""


class ModelPlayer:
    """Plays by asking a model, in one wording of a pack and under one theme of words.

    ``persona`` is whom it is to speak like; ``reasons``: it thinks by itself, so that a line of thought is enough;
    ``without`` are fields that it is not asked for.
    """

    def __init__(
        self,
        lang: Lang,
        pack: str = OFFICIAL,
        *,
        variant: int = 1,
        theme: Theme = PLAIN,
        persona: str | None = None,
        reasons: bool = False,
        without: tuple[str, ...] = (),
        max_tokens: int | None = MAX_TOKENS,
    ) -> None:
        self.pack = load(pack, lang, variant, theme, without)
        self.persona = persona
        self.reasons = reasons
        self.max_tokens = max_tokens

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        asked = self._compose(view, request)
        try:
            completion = await ask(asked.prompt)
        except Unusable as error:
            if error.cause != "overflow":
                raise
            asked = self._compose(view, request, short=True)
            completion = await ask(asked.prompt)
        questions = 1
        while True:
            try:
                return read(completion, asked)
            except Fault as fault:
                if questions >= _QUESTIONS.get(fault.cause, MOST_QUESTIONS):
                    raise Unusable(fault.cause, fault.detail) from None
                again = _again(asked, fault, completion)
            questions += 1
            completion = await ask(again)

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        return await elicit(self.pack, view, ask, max_tokens=self.max_tokens)

    def _compose(self, view: View, request: Request, *, short: bool = False) -> Asked:
        return compose(
            self.pack,
            view,
            request,
            brief_thought=self.reasons,
            max_tokens=self.max_tokens,
            persona=self.persona,
            short=short,
        )


def _again(asked: Asked, fault: Fault, completion: Completion) -> Prompt:
    """The next question, which says what was wrong with the last answer."""
    prompt = retry(asked, fault.cause, fault.detail)
    if fault.cause not in _FREELY:
        return prompt
    return replace(prompt, schema=None, reasons=prompt.reasons and not completion.reasoning)
