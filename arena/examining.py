"""Examining a model: does it know the rules from their text, and can its replies be used?

Two gates of the benchmark's protocol: questions on the rules whose answers the referee gives, and probes, requests of
real games of both kinds and languages that the model answers in its prompt pack's words.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from tianhei.arena.calls import Try
from tianhei.arena.player import Completion, Prompt, Unusable, Usage
from tianhei.arena.questions import GAMES, LETTERS, Question
from tianhei.arena.roles import Role
from tianhei.prompts.vocabulary import Lang, texts_of
from tianhei.transcripts.header import CANARY
from tianhei.transcripts.manners.rows import wilson

if TYPE_CHECKING:
    from tianhei.agents.roster import SeatPlan
    from tianhei.arena.pool import Endpoints
    from tianhei.arena.requests import Request
    from tianhei.arena.view import View

LANGS: tuple[Lang, ...] = ("en", "zh")
LEAST_RIGHT, LEAST_USABLE, MOST_REFUSED = 0.90, 0.98, 0.02
"""What an entry must reach to be ranked."""
REPLY_TOKENS = 2000
"""Room for a model that reasons before its letter."""
TOLD_EVERY = 20.0
"""Seconds between two lines on how far a slow model has come."""
T = TypeVar("T")
CHANCE = "random"
"""The player that answers by lot."""


@dataclass(slots=True)
class Share:
    """So many of so many, and what a lot would hit on average."""

    hits: int = 0
    of: int = 0
    expected: float = 0.0

    def add(self, hit: bool, chance: float = 0.0) -> None:
        """Count one."""
        self.hits += hit
        self.of += 1
        self.expected += chance

    def to_json(self) -> dict[str, Any]:
        low, high = wilson(self.hits, self.of) if self.of else (None, None)
        return {
            "hits": self.hits, "of": self.of, "rate": self.hits / self.of if self.of else None,
            "low": low, "high": high, "chance": self.expected / self.of if self.of else None,
        }  # fmt: skip

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = wilson(self.hits, self.of)
        chance = f", chance {self.expected / self.of:.0%}" if self.expected else ""
        return f"{self.hits} of {self.of}, {self.hits / self.of:.0%} [{low:.0%}, {high:.0%}]{chance}"


@dataclass(slots=True)
class Marks:
    """What an examination found."""

    right: dict[str, Share] = field(default_factory=dict)
    """By all, kind of question, game and language."""
    unreadable: int = 0
    usable: dict[str, Share] = field(default_factory=dict)
    """Probes with an answer in the end, and ``at once``, without a second question."""
    refused: dict[str, Share] = field(default_factory=dict)
    """By role."""
    causes: Counter[str] = field(default_factory=Counter)

    def mark(self, asked: Question, letter: str | None) -> None:
        """One question answered; no letter is a wrong answer."""
        self.unreadable += letter is None
        for key in ("all", f"kind {asked.kind}", f"game {asked.game}", f"language {asked.lang}"):
            self.right.setdefault(key, Share()).add(letter == asked.answer, asked.chance)

    def gates(self) -> Iterator[tuple[str, bool]]:
        """What the protocol asks, and whether it is met."""
        if found := self.right.get("all"):
            yield f"rules: at least {LEAST_RIGHT:.0%} right", found.hits >= LEAST_RIGHT * found.of
        if found := self.usable.get("in the end"):
            yield f"replies: at least {LEAST_USABLE:.0%} usable", found.hits >= LEAST_USABLE * found.of
            worst = max((one.hits / one.of for one in self.refused.values()), default=0.0)
            yield f"refusals: at most {MOST_REFUSED:.0%} in any role", worst <= MOST_REFUSED

    def to_json(self) -> dict[str, Any]:
        shares = {"right": self.right, "usable": self.usable, "refused": self.refused}
        found = {name: {key: one.to_json() for key, one in of.items()} for name, of in shares.items()}
        return {**found, "unreadable": self.unreadable, "causes": dict(self.causes), "gates": dict(self.gates())}


def question_file(asked: Sequence[Question]) -> Iterator[str]:
    """The questions as JSON lines: first what they are, then each text of rules once, then the questions."""
    texts = dict.fromkeys(one.rules for one in asked)
    places = {text: number for number, text in enumerate(texts)}
    head = {"set": "questions on the rules", "questions": len(asked), "games": list(GAMES), "canary": CANARY}
    yield json.dumps(head, ensure_ascii=False) + "\n"
    for text, number in places.items():
        yield json.dumps({"rules": number, "text": text}, ensure_ascii=False) + "\n"
    for one in asked:
        yield json.dumps({**one.to_json(), "rules": places[one.rules]}, ensure_ascii=False) + "\n"


def by_lot(asked: Sequence[Question], seed: str) -> Marks:
    """What answers by lot come to."""
    marks, random = Marks(), Random(f"lot {seed}")
    for one in asked:
        marks.mark(one, random.choice(LETTERS[: len(one.options)]))
    return marks


class _Silent:
    """A meter for calls that belong to no game."""

    def begins(self, need: Usage) -> None:
        """No budget is kept."""

    def failed(self, tried: Try) -> None:
        """The call is made again; what fails for good is raised."""

    def adapted(self, what: str) -> None:
        """What an endpoint refuses is the doctor's to tell."""


async def examined(
    plan: SeatPlan, asked: Sequence[Question], probes: int, seed: str, report: Callable[[str], None]
) -> Marks:
    """Put the questions and so many probes to a model."""
    from tianhei.arena.pool import Endpoints

    async with Endpoints(report) as endpoints:
        return await examine(endpoints, plan, asked, probes, seed, report)


async def examine(
    endpoints: Endpoints,
    plan: SeatPlan,
    asked: Sequence[Question],
    probes: int,
    seed: str,
    report: Callable[[str], None] = lambda line: None,
) -> Marks:
    """The same over endpoints that are open."""
    marks = Marks()
    letters = await _told(report, "questions", [_letter(endpoints, plan, one) for one in asked])
    for one, letter in zip(asked, letters, strict=True):
        marks.mark(one, letter)
    found: list[tuple[Lang, tuple[View, Request, Role]]] = [
        (lang, probe) for lang in LANGS for probe in _probes(lang, probes // len(LANGS), seed)
    ]
    await _told(report, "probes", [_probed(endpoints, plan, lang, *probe, marks) for lang, probe in found])
    return marks


async def _told(report: Callable[[str], None], what: str, asked: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What comes of them all, asked at once; how far it has come is told every so often."""
    done, told = 0, time.monotonic()

    async def counted(one: Coroutine[Any, Any, T]) -> T:
        nonlocal done, told
        found = await one
        done += 1
        if time.monotonic() - told >= TOLD_EVERY and done < len(asked):
            told = time.monotonic()
            report(f"{done} of {len(asked)} {what} answered")
        return found

    return await asyncio.gather(*map(counted, asked))


def prompt_of(asked: Question) -> Prompt:
    """A question as a model is sent it."""
    said, letters = texts_of(asked.lang, "exam"), list(LETTERS[: len(asked.options)])
    schema = {
        "type": "object", "additionalProperties": False, "required": ["answer"],
        "properties": {"answer": {"type": "string", "enum": letters}},
    }  # fmt: skip
    private = f"{asked.text}\n\n{said['reply'].format()}"
    return Prompt(said["system"].format(rules=asked.rules), "", private, schema, max_tokens=REPLY_TOKENS)


def letter_in(text: str, options: int) -> str | None:
    """The letter that a reply gives: in its JSON, or alone; None where it gives none, or several."""
    letters = LETTERS[:options]
    found = re.findall(rf'"answer"\s*:\s*"\s*([{letters}])\b', text)
    found = found or re.findall(rf"(?<![A-Za-z])[{letters}](?![A-Za-z])", text)
    return found[0] if len(set(found)) == 1 else None


async def _letter(endpoints: Endpoints, plan: SeatPlan, asked: Question) -> str | None:
    try:
        completion = await endpoints.of(plan).complete(prompt_of(asked), f"exam.{asked.id}", _Silent())
    except Unusable:
        return None
    return letter_in(completion.text, len(asked.options))


def _probes(lang: Lang, count: int, seed: str) -> Iterator[tuple[View, Request, Role]]:
    """Requests of scripted games, both games in turn, every kind of request as often as it can be."""
    from tianhei.arena.estimate import rehearsal
    from tianhei.arena.rules.presets import read_rules
    from tianhei.arena.rules.setups import written
    from tianhei.transcripts.header import LIMITS, Header, SeatSpec, TableSettings

    random = Random(f"probes {lang} {seed}")
    wanted = [count // 2, count - count // 2]
    for game, number in zip(GAMES, wanted, strict=True):
        rules, players = read_rules(game)
        assert players is not None
        counts = written(rules, players)[0]
        headers = [Header(rules, counts, f"probe {seed} {lang} {place}", lang, (SeatSpec("scripted"),) * players,
                          TableSettings(LIMITS[lang])) for place in range(1 + number // players)]  # fmt: skip
        places = [(place, request.id, request.kind) for place, header in enumerate(headers)
                  for _, request in rehearsal(header)]  # fmt: skip
        chosen = _spread(places, number, random)
        for place, header in enumerate(headers):
            roles = header.dealt().roles
            for view, request in rehearsal(header):
                if (place, request.id) in chosen:
                    yield deepcopy(view), request, roles[request.seat - 1]


def _spread(places: Sequence[tuple[int, str, str]], number: int, random: Random) -> set[tuple[int, str]]:
    """So many of these, kinds in turn."""
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for place, name, kind in random.sample(places, len(places)):
        by_kind.setdefault(kind, []).append((place, name))
    chosen: list[tuple[int, str]] = []
    while len(chosen) < number and any(by_kind.values()):
        chosen += [left.pop() for left in by_kind.values() if left]
    return set(chosen[:number])


async def _probed(
    endpoints: Endpoints, plan: SeatPlan, lang: Lang, view: View, request: Request, role: Role, marks: Marks
) -> None:
    from tianhei.agents.model import ModelPlayer
    from tianhei.arena.host import fitted
    from tianhei.arena.requests import Illegal, check
    from tianhei.arena.seating import Seating

    sitter = Seating({request.seat: plan}, lang, endpoints).sitters()[request.seat]
    sent: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        sent.append(prompt)
        assert sitter.endpoint is not None
        return await sitter.endpoint.complete(prompt, f"{request.id}#{len(sent)}", _Silent())

    cause = ""
    try:
        reply = await sitter.player.act(view, request, ask)
        check(request, fitted(reply, request).answer)
    except Unusable as error:
        cause = error.cause
    except Illegal:
        cause = "illegal"
    if cause:
        marks.causes[cause] += 1
    marks.usable.setdefault("in the end", Share()).add(not cause)
    if isinstance(sitter.player, ModelPlayer):
        marks.usable.setdefault("at once", Share()).add(not cause and len(sent) == 1)
    marks.refused.setdefault(str(role), Share()).add(cause in ("refused", "filtered"))


def said(marks: Marks) -> Iterator[str]:
    """The marks in lines."""
    for title, shares in (("right", marks.right), ("usable", marks.usable), ("refused", marks.refused)):
        for key, share in shares.items():
            yield f"{title:<8} {key:<20} {share}"
    if marks.unreadable or marks.causes:
        causes = ", ".join(f"{cause} {number}" for cause, number in marks.causes.most_common())
        yield f"no letter in {marks.unreadable} answers; probes that came to nothing: {causes or 'none'}"
    for gate, met in marks.gates():
        yield f"{'met' if met else 'MISSED':<8} {gate}"
