"""Deaths made public, and the check for the end that follows each batch of them (A0-67, A1-39)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tianhei.arena.events import Dawn, VotedOut
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.chain import Verdict
from tianhei.arena.rules.options import Butterfly
from tianhei.arena.rules.speaking import in_order, last_words
from tianhei.arena.rules.victory import FINAL_TIE, Outcome, victory
from tianhei.arena.script import Script
from tianhei.arena.table import Table


def decided(table: Table) -> Outcome | None:
    """The outcome, if the living decide it."""
    return victory(table.rules, table.alive_counts(), table.dealt)


def reveal(table: Table, seat: Seat, how: str) -> str | None:
    """What is told of a dead seat: nothing, killer or good, or its card (A0-55, A1-35).

    An elder on the killers' side shows as good: he is not a killer (R-ELDER).
    """
    if how == "none":
        return None
    role = table.role(seat)
    if how == "role":
        return role
    return "killer" if role is Role.KILLER else "good"


def dawned(table: Table, dead: Sequence[Seat], causes: Mapping[Seat, tuple[str, ...]] | None = None) -> Dawn:
    """The announcement of the night's dead, in seat order."""
    seats = tuple(sorted(dead))
    shown = {seat: told for seat in seats if (told := reveal(table, seat, table.rules.reveal_at_dawn))}
    return Dawn(seats, {seat: causes[seat] for seat in seats} if causes is not None else None, shown or None)


def judged(table: Table, verdict: Verdict, order: Sequence[Seat]) -> Script[Outcome | None]:
    """Those voted out leave, with last words where the rules give them; then the end is checked."""
    if verdict.draw:
        return FINAL_TIE
    if not verdict.out:
        return None
    table.phase = "vote"
    gone = in_order(verdict.out, order)
    table.out(gone)
    for seat in gone:
        table.tell_all(VotedOut(seat, reveal(table, seat, table.rules.reveal_on_vote)))
    outcome = decided(table)
    if outcome is None or table.rules.last_words_at_end:
        yield from last_words(table, gone, barred=[seat for seat in gone if _is_barred(table, seat)])
    return outcome


def _is_barred(table: Table, seat: Seat) -> bool:
    """Whether one who is voted out may leave no last words (A0-66)."""
    rules = table.rules
    if not isinstance(rules, Butterfly) or rules.executed_last_words == "both":
        return False
    return rules.executed_last_words == "neither" or table.role(seat) is Role.KILLER
