"""The scripted player: plays by hand-set rules from its view alone, and speaks in whole sentences.

ledger    what was claimed, said and voted in public       story    real and false claims of police
reads     how far each claim is believed, who is suspected  evidence what the record holds against a seat
mind      both, bent by the side one is on                  speech   which points to make, in which order
night     whom each role points at                          talk     the words for them, and their claims
ballot    votes, hands, demands                             lines    the sentences of a language
"""

from __future__ import annotations

from tianhei.agents.probe import reckon
from tianhei.agents.scripted import ballot, night, speech
from tianhei.agents.scripted.ledger import Ledger
from tianhei.agents.scripted.lines import read_lines
from tianhei.agents.scripted.mind import Mind
from tianhei.agents.scripted.reads import Reads, persona
from tianhei.agents.scripted.talk import Talk
from tianhei.arena.player import Ask, Reply
from tianhei.arena.probing import Beliefs
from tianhei.arena.requests import Answer, Request
from tianhei.arena.view import View


class ScriptedPlayer:
    """A plausible club player without a model; the same view, request and luck give the same answer."""

    name = "scripted"

    def __init__(self, lang: str) -> None:
        self._lines = read_lines(lang)

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer one request; ``ask`` is never used."""
        mind = Mind(view, request)
        match request.kind:
            case "vote":
                return Reply(ballot.vote(mind))
            case "hand":
                return Reply(ballot.hand(mind))
            case "demand":
                return Reply(ballot.demand(mind))
            case "kill" | "check":
                return Reply(night.COUNCIL[request.kind](mind, Talk(mind, self._lines)))
            case "carry" | "shoot" | "needle" | "silence":
                return Reply(Answer(target=night.ALONE[request.kind](mind)))
            case "speech" | "speech_and_vote" | "last_words":
                return Reply(self._speak(mind))

    async def believe(self, view: View, ask: Ask) -> Beliefs:
        """By its reads."""
        ledger = Ledger(view.record)
        return reckon(view, Reads(view, ledger, persona(view, ledger)).score)

    def _speak(self, mind: Mind) -> Answer:
        request, talk = mind.request, Talk(mind, self._lines)
        target = None
        if request.kind == "last_words":
            speech.last_words(mind, talk)
        elif request.kind == "speech_and_vote":
            target = speech.round_speech(mind, talk, request.options, votes_now=True)
        elif mind.record.stage in ("pk", "off_field", "revote"):
            speech.pk_speech(mind, talk)
        else:
            speech.round_speech(mind, talk, mind.view.others, votes_now=False)
        return Answer(target=target, text=talk.text, claims=tuple(talk.claims))
