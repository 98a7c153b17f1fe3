"""The uninformed player: it knows its card and plays it, and learns nothing from what is said or done.

This is the player of the theory: with it a game is a draw of lots, whose chances are known exactly. Speech is a pass;
every vote falls on one of the living others, partners included, and none is withheld. One killer by lot names a
random seat that is not of the team, and the mates assent by silence; where they may not be silent each names one, and
the lots are as even. The police check a seat that they have not checked, in the same way. Special roles act on a
random other seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from tianhei.arena.chance import Luck
from tianhei.arena.player import Ask, Reply
from tianhei.arena.requests import CLAIMING, TARGETED, Answer, Request
from tianhei.arena.roles import Seat
from tianhei.arena.view import View

_COUNCILS = frozenset(("kill", "check"))
_PASS = Answer()
_SILENCE = Answer(claims=())


class UninformedPlayer:
    """Random votes, random victims that are not of the team, no words."""

    name = "uninformed"

    async def act(self, view: View, request: Request, ask: Ask) -> Reply:
        """Answer by lot, as the role wishes."""
        kind = request.kind
        if kind == "hand":
            return Reply(Answer(raised=_raises(view, request)))
        if kind in _COUNCILS:
            return Reply(Answer(target=_council(view, request)))
        if kind in TARGETED:
            return Reply(Answer(target=_pick(view, request.id, _others(view, request.options))))
        return Reply(_SILENCE if kind in CLAIMING else _PASS)


def _others(view: View, seats: Sequence[Seat]) -> Sequence[Seat]:
    """All but oneself; oneself where there is nobody else."""
    return [seat for seat in seats if seat != view.seat] or seats


def _pick(view: View, purpose: str, seats: Sequence[Seat]) -> Seat | None:
    return view.luck.pick(purpose, seats) if seats else None


def _council(view: View, request: Request) -> Seat | None:
    """Name somebody if it falls to this seat; else repeat what was named before, or be silent and so assent."""
    day = view.record.day
    named = [said.target for night, said in view.statements if night == day and said.target is not None]
    if named and named[-1] in request.options:
        return named[-1]
    team = sorted((view.seat, *(seat for seat in view.mates if seat in view.record.living)))
    if request.may_pass and _common_lot(view).pick("spokesman", team) != view.seat:
        return None
    known = {target for _, target, _ in view.checks} if request.kind == "check" else set[Seat]()
    strangers = [seat for seat in request.options if seat not in team]
    fresh = [seat for seat in strangers if seat not in known]
    return _pick(view, request.id, fresh or strangers or _others(view, request.options))


def _common_lot(view: View) -> Luck:
    """A lot that every member of a team draws alike: from its seats and the votes that all have seen."""
    record = view.record
    seen = [sorted(vote.ballots.items(), key=str) for vote in record.votes]
    text = f"{record.day}|{record.living}|{sorted((view.seat, *view.mates))}|{seen}"
    return Luck(sha256(text.encode()).digest())


def _raises(view: View, request: Request) -> bool:
    """Whether this candidate is the one drawn for the whole vote: one draw for all its calls."""
    if not request.may_pass:
        return True
    record = view.record
    called = record.speakers if record.stage == "pk" else record.candidates or record.living
    drawn = _pick(view, f"d{record.day}.{record.stage}.hands{request.round}", _others(view, sorted(called)))
    return drawn == request.options[0]
