"""The contract of players as rules that an answer can be held against, and the report of what was found.

An answer is what its request offers, its text within the limit, its claims about this table, and whole characters; and
it follows from view, request and luck alone, which change nothing by being asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from tianhei.arena.claims import Claim, claim_from_json
from tianhei.arena.player import Reply
from tianhei.arena.requests import ABSENT, CLAIMING, Answer, Illegal, Kind, Request, check
from tianhei.arena.view import View

SLOW = 1.0
"""Seconds for one answer, on average, above which a player without a model holds up the table."""
RULES: Mapping[str, str] = {
    "no exception": "no answer failed",
    "legal": "every answer was one that the request offers",
    "text": "every text was within its limit",
    "claims": "every claim was of a known kind, about a seat of the table and no night to come",
    "letters": "no half characters",
    "the same twice": "asked again, it gave every answer alike",
    "view alone": "with its view folded anew, it gave every answer alike",
    "no memory": "a new player gave every answer alike",
    "no trace": "the first games, played again at the end, were the same",
    "hands off": "no view was changed",
    "no waiting": "every answer was given at once",
}
"""What is checked, and how it is said where it holds."""
OF_MODELS = ("no exception", "legal", "text", "claims", "letters", "hands off")


class Finding(NamedTuple):
    """One line of the report. ``ok`` is None where something is neither good nor bad."""

    rule: str
    ok: bool | None
    what: str


@dataclass(slots=True)
class Report:
    """What was seen so far, and by which rules it is judged."""

    rules: tuple[str, ...] = tuple(RULES)
    faults: dict[str, list[str]] = field(default_factory=dict)
    games: int = 0
    met: Counter[str] = field(default_factory=Counter)
    """Kinds of requests, and circumstances, with how often the player met them."""
    seconds: list[float] = field(default_factory=list)
    unusable: Counter[str] = field(default_factory=Counter)

    def fault(self, rule: str, where: str, what: str) -> None:
        """Note that a rule was broken."""
        self.faults.setdefault(rule, []).append(f"{where}: {what}")

    def findings(self) -> Iterator[Finding]:
        """The report, rule by rule."""
        met = ", ".join(f"{name} {count}" for name, count in self.met.most_common())
        never = ", ".join(kind for kind in get_args(Kind) if kind not in self.met)
        what = f"{len(self.seconds):,} times in {self.games} games: {met}" + (f"; never: {never}" if never else "")
        yield Finding("asked", bool(self.seconds), what)
        for rule in self.rules:
            faults = self.faults.get(rule, [])
            yield Finding(rule, not faults, f"{len(faults)} times; first, {faults[0]}" if faults else RULES[rule])
        if self.unusable:
            causes = ", ".join(f"{cause} {count}" for cause, count in self.unusable.items())
            few = self.unusable.total() * 10 <= len(self.seconds)
            yield Finding("usable", None if few else False, f"it had no usable answer: {causes}")
        if self.seconds:
            mean, most = sum(self.seconds) / len(self.seconds), max(self.seconds)
            slow = mean > SLOW and self.rules != OF_MODELS
            yield Finding("time", None if slow else True, f"{mean * 1000:.2f} ms an answer, {most * 1000:.0f} at most")


def circumstances(view: View, request: Request) -> Iterator[str]:
    """The kind of a request, and what is odd about it."""
    record, kind = view.record, request.kind
    yield kind
    if view.seat in record.silenced:
        yield "silenced"
    if record.stage in ("pk", "off_field", "revote"):
        yield record.stage.replace("_", " ")
    if not request.may_pass:
        yield "forced"
    if kind in CLAIMING and not request.text:
        yield "wordless"
    if kind in ("kill", "check") and not request.text:
        yield "alone"
    if record.day == 1 and record.rules.first_phase == "day":
        yield "first day"


def played(report: Report, reply: Reply, view: View, request: Request, where: str) -> Answer:
    """Judge an answer, and return what the host would play of it: a text cut, else `absent`."""
    answer = reply.answer
    words: dict[str, Any] = {"text": answer.text, "note": answer.note, "thought": reply.thought}
    for what, text in words.items():
        if isinstance(text, str) and any("\ud800" <= letter <= "\udfff" for letter in text):
            report.fault("letters", where, f"half a character in its {what}")
    if isinstance(words["text"], str) and len(answer.text) > request.text:
        report.fault("text", where, f"{len(answer.text)} characters, and {request.text} are allowed")
        answer = answer._replace(text=answer.text[: request.text])
    claims: Any = answer.claims
    for claim in claims if isinstance(claims, tuple) else ():
        if wrong := _wrong(claim, view):
            report.fault("claims", where, wrong)
            answer = answer._replace(claims=())
    try:
        if answer.absent:
            raise Illegal("a player may not call itself absent")
        check(request, answer)
    except Illegal as error:
        report.fault("legal", where, str(error))
        return ABSENT
    return answer


def _wrong(claim: object, view: View) -> str:
    """What is wrong with a claim, if anything is."""
    if not isinstance(claim, Claim):
        return f"a claim is a Claim, not {type(claim).__name__}"
    try:
        claim_from_json(claim.to_json())
    except ValueError as error:
        return str(error)
    if claim.seat > view.players:
        return f"a claim about seat {claim.seat}, and there are {view.players}"
    return f"a claim about night {claim.night} on day {view.record.day}" if claim.night > view.record.day else ""
