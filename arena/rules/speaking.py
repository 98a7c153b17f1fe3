"""Who speaks, and in which order: last words, speeches, the day's direction (A0-56 to A0-61, A1-16 to A1-18)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tianhei.arena.claims import Claim, own_role_claims
from tianhei.arena.events import JUDGE, Called, Flag, LastWords, Reminder, Speech, Stage
from tianhei.arena.requests import Answer
from tianhei.arena.roles import Role, Seat
from tianhei.arena.rules.options import Classic, Rules
from tianhei.arena.script import Script
from tianhei.arena.table import Table


def is_forward(rules: Rules, day: int) -> bool:
    """Whether seats are walked upwards: by seat numbering (A1-16), or on odd days (A0-57)."""
    if isinstance(rules, Classic):
        return rules.seat_numbering == "ccw"
    return day % 2 == 1


def walk(players: int, after: Seat | None, *, forward: bool) -> tuple[Seat, ...]:
    """All seats once around the table, starting next to ``after``; None is the judge's place."""
    seats = range(1, players + 1) if forward else range(players, 0, -1)
    if after is None:
        return tuple(seats)
    start = seats.index(after) + 1
    return (*seats[start:], *seats[:start])


def order_of_last_words(rules: Rules, players: int, day: int, dead: Collection[Seat]) -> tuple[Seat, ...]:
    """The night's dead as met from the judge in the day's direction."""
    return tuple(seat for seat in walk(players, None, forward=is_forward(rules, day)) if seat in dead)


def order_of_speeches(
    rules: Rules,
    players: int,
    day: int,
    alive: Collection[Seat],
    anchor: Seat | None,
    start: Seat | None = None,
) -> tuple[Seat, ...]:
    """The living from the seat next to the anchor (None: the judge), or from ``start`` itself, once around."""
    forward = is_forward(rules, day)
    ring = walk(players, anchor, forward=forward)
    if start is not None:
        around = walk(players, start, forward=forward)
        ring = (start, *around[:-1])
    return tuple(seat for seat in ring if seat in alive)


def days_order(table: Table, dead: Sequence[Seat]) -> tuple[Seat, ...]:
    """Today's order of speaking and of calling candidates; ``dead`` are tonight's, in their order of last words."""
    start = None
    anchor: Seat | None = None
    if dead:
        anchor = table.anchor = dead[-1]
    elif table.rules.no_death_start == "previous_anchor":
        anchor = table.anchor
    elif table.rules.no_death_start == "random":
        start = table.draw("first_speaker", table.living)
    return order_of_speeches(table.rules, table.players, table.day, table.living, anchor, start)


def in_order(seats: Collection[Seat], order: Iterable[Seat]) -> tuple[Seat, ...]:
    """These seats as they stand in the day's order."""
    return tuple(seat for seat in order if seat in seats)


def speeches(table: Table, speakers: Sequence[Seat], stage: Stage, round: int = 1) -> Script[None]:
    """Each speaks once, hearing those before; the silenced are passed over (A0-49)."""
    limit = table.limits.speech if stage == "round" else table.limits.pk
    step = "speech" if stage == "round" else stage
    for seat in speakers:
        if seat in table.silenced:
            continue
        if table.rules.channel == "mute":
            table.tell_all(Speech(seat, "", stage))
            continue
        (answer,) = yield (table.ask(seat, "speech", step=step, text=words(table, limit), round=round),)
        say(table, seat, answer, stage)


def words(table: Table, limit: int) -> int:
    """The limit of free text in this channel (R-CHANNEL)."""
    return limit if table.rules.channel == "full" else 0


def say(table: Table, seat: Seat, answer: Answer, stage: Stage) -> None:
    """Tell a speech to all, and let the judge hear it."""
    if not answer.absent:
        table.tell_all(Speech(seat, answer.text, stage, answer.claims))
        conduct(table, seat, answer)


def last_words(table: Table, dead: Sequence[Seat], barred: Collection[Seat] = ()) -> Script[None]:
    """The dead leave last words one after another, but for the barred; every death counts for the quota."""
    may = []
    for seat in dead:
        within = _counts(table)
        if within and seat not in barred and _may_be_heard(table, seat):
            may.append(seat)
    if may:
        table.tell_all(Called(stage="last_words", seats=tuple(may)))
    for seat in may:
        table.words_left += 1
        if table.rules.channel == "mute":
            table.tell_all(LastWords(seat, "", table.words_left))
            continue
        (answer,) = yield (table.ask(seat, "last_words", text=words(table, table.limits.last_words)),)
        if not answer.absent:
            table.tell_all(LastWords(seat, answer.text, table.words_left, answer.claims))
            conduct(table, seat, answer)


def _counts(table: Table) -> bool:
    """Count one death, and say whether it falls within the quota (S1-70, S1-71)."""
    table.deaths += 1
    match table.rules.last_words:
        case "quota":
            return table.deaths <= table.dealt[Role.KILLER]
        case "all":
            return True
        case _:
            return False


def _may_be_heard(table: Table, seat: Seat) -> bool:
    """A silenced player leaves no last words, unless by option (A0-47, A0-48)."""
    return seat not in table.silenced or getattr(table.rules, "silenced_last_words", False)


def conduct(table: Table, seat: Seat, answer: Answer) -> None:
    """The judge on what a speaker claims to be: a reminder for all alike, a flag for a breach (R-CONDUCT)."""
    if not isinstance(table.rules, Classic):
        return
    claims = answer.claims if answer.claims is not None else own_role_claims(answer.text, seat)
    own = {claim.what for claim in claims if _is_own_role(claim, seat)}
    role = table.role(seat)
    if "killer" in own:
        table.tell_all(Reminder(seat, "S1-6"))
        if role is not Role.KILLER:
            table.tell(JUDGE, Flag(seat, "S1-6"))
    if "police" in own and role is Role.CIVILIAN and table.day == 1:
        table.tell(JUDGE, Flag(seat, "A1-14"))


def _is_own_role(claim: Claim, seat: Seat) -> bool:
    return claim.kind == "role" and claim.seat == seat
