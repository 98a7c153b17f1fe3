"""Whether a claim was true, and whether its speaker knew it.

                     the speaker knew      the speaker did not know
    what is true     truth                 lucky
    what is false    lie                   mistake

'Knew' means that it follows from the speaker's own view at that time (`Known`). What somebody did at night he always
knows, so the report of a check, a needle, a shot, a carrying or a silencing is judged as an act: it is a truth if he
did that, and a lie if he did not, whatever the card of its target.

A lie is a *fabrication* (a card that is not one's own, an act that never was), a *distortion* (an act that was, with
another target, result or night), or *misdirection* (another's card, against better knowledge). Votes, questions and
claims taken back promise or ask, and are neither true nor false; nor is a denial of deeds or words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from tianhei.arena.claims import Claim
from tianhei.arena.events import Foreign as Told
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Foreign
from tianhei.arena.view import View
from tianhei.transcripts.claims.knowledge import Known, card_of

Truth = Literal["lie", "mistake", "truth", "lucky"]
LieType = Literal["fabrication", "distortion", "misdirection"]

DEEDS: Mapping[str, frozenset[str]] = {
    "save": frozenset(("needle", "protect", "guard", "heal", "save", "antidote")),
    "shot": frozenset(("shoot", "poison")),
    "carry": frozenset(("carry",)),
    "silence": frozenset(("silence",)),
}
"""The night actions that a kind of claim reports, ours and those of other games."""
OWNERS: Mapping[str, Role] = {
    "check": Role.POLICE, "save": Role.DOCTOR, "shot": Role.SNIPER, "carry": Role.BUTTERFLY, "silence": Role.ELDER,
}  # fmt: skip
_OTHERS: Mapping[str, frozenset[str]] = {
    "possessed": frozenset(), "doctor": frozenset(("save",)), "bodyguard": frozenset(("save",)),
    "guard": frozenset(("save",)), "witch": frozenset(("save", "shot")), "hunter": frozenset(("shot",)),
}  # fmt: skip
"""What cards of other games can do at night, by the kind of claim that reports it. Of a card that is neither here nor
ours nobody can say what it could not have done."""
SIGNS: Mapping[str, str] = {"nod": "killer", "shake": "not_killer", "none": "no_sign"}


class Verdict(NamedTuple):
    """What a claim is. ``checkable``: it says what can be true or false; ``truth`` is None where that is not known."""

    checkable: bool
    truth: Truth | None = None
    lie_type: LieType | None = None


class Act(NamedTuple):
    """Something that a seat did in a night; ``result`` is what a check showed."""

    night: int
    target: Seat
    result: str = "none"


NEITHER = Verdict(False)


def judge(claim: Claim, view: View, known: Known, cards: Sequence[str]) -> Verdict:
    """The verdict on a claim of the view's seat; ``cards`` are all cards under our names, seat 1 first."""
    if not 1 <= claim.seat <= len(cards):
        return NEITHER
    if claim.kind in OWNERS:
        return _act(claim, view, cards[view.seat - 1])
    if (said := _said(claim, view.seat)) is None:
        return NEITHER
    card, holds = said
    true = (cards[claim.seat - 1] == card) is holds
    if true:
        sure = known.must_be(claim.seat, card) if holds else not known.could_be(claim.seat, card)
        return Verdict(True, "truth" if sure else "lucky")
    sure = not known.could_be(claim.seat, card) if holds else known.must_be(claim.seat, card)
    if not sure:
        return Verdict(True, "mistake")
    return Verdict(True, "lie", "fabrication" if claim.seat == view.seat else "misdirection")


def _said(claim: Claim, speaker: Seat) -> tuple[str, bool] | None:
    """The card that a claim speaks of, and whether it says that its seat holds it; None where it says no such thing."""
    match claim.kind, claim.what:
        case "accuse", "killer" | "none":
            return Role.KILLER, True
        case "clear", what if what not in ("killer", "no_sign"):
            return Role.KILLER, False
        case "role" | "deny", "not_killer":
            return Role.KILLER, claim.kind == "deny"
        case "role" | "deny", what if what not in ("none", "no_sign"):
            return what, claim.kind == "role"
        case _:
            return None


def _act(claim: Claim, view: View, card: str) -> Verdict:
    foreign = isinstance(view.record.rules, Foreign)
    if foreign:  # how its players count the nights is not known
        claim = replace(claim, night=0)
    done = list(_checks(view)) if claim.kind == "check" else list(_deeds(view, DEEDS[claim.kind]))
    if any(_fits(claim, act) for act in done):
        return Verdict(True, "truth")
    if not done and foreign and not _idle(claim, card):
        return Verdict(True)
    changed = any(act.target == claim.seat or claim.night in (0, act.night) for act in done)
    return Verdict(True, "lie", "distortion" if changed else "fabrication")


def _idle(claim: Claim, card: str) -> bool:
    """Whether nobody with this card of an imported game does such things at night, told or not."""
    if card in (Role.KILLER, Role.POLICE, Role.CIVILIAN):
        return card != OWNERS[claim.kind]
    return card in _OTHERS and claim.kind not in _OTHERS[card]


def _checks(view: View) -> Iterable[Act]:
    for night, target, answer in view.checks:
        if answer != "no_check":
            yield Act(night, target, SIGNS.get(answer) or card_of(answer))


def _deeds(view: View, actions: frozenset[str]) -> Iterable[Act]:
    """What the seat did, under our names for it and under another game's."""
    told = [
        (event.day, event.body.name, event.body.data.get("target"))
        for _, event in view.private
        if isinstance(event.body, Told) and event.body.data.get("by") == view.seat
    ]
    return (Act(night, target) for night, action, target in (*view.actions, *told) if action in actions and target)


def _fits(claim: Claim, act: Act) -> bool:
    return act.target == claim.seat and claim.night in (0, act.night) and _same_result(claim.what, act.result)


def _same_result(told: str, was: str) -> bool:
    """Whether a check is told as it came out: in full, without a result, or only as 'no killer'."""
    if told in ("none", was) or was == "none":
        return True
    return told == "not_killer" and was not in ("killer", "no_sign")
