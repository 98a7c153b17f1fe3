"""How a team agrees in the night (R-COUNCIL, R-CARRIED-COUNCIL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from .options import Options

Statements = Mapping[int, int | None]


def favoured(stated: Iterable[int | None]) -> tuple[int, ...]:
    """The targets with the most statements, in seat order; silence joins the others."""
    votes = Counter(target for target in stated if target is not None)
    top = max(votes.values(), default=0)
    return tuple(sorted(target for target, n in votes.items() if n == top))


def is_over(options: Options, rounds: Sequence[Statements]) -> bool:
    """Does the council end after these rounds? A team of one has one round."""
    last = rounds[-1]
    limit = int(options["council_rounds"])
    if len(last) == 1 or len({t for t in last.values() if t is not None}) <= 1:
        return True
    if len(rounds) < limit:
        return False
    asks_again = options["killers_tie"] == "ask_again" and len(favoured(last.values())) > 1
    return not (asks_again and len(rounds) == limit)


def needs_lot(options: Options, stated: Iterable[int | None]) -> tuple[int, ...]:
    """The tied targets to draw among, if a lot has to decide."""
    tied = favoured(stated)
    return tied if options["killers_tie"] == "lot" and len(tied) > 1 else ()


def decision(options: Options, stated: Iterable[int | None], lot: int | None = None) -> int | None:
    """The team's target after its last round."""
    best = favoured(stated)
    if len(best) <= 1:
        return best[0] if best else None
    if options["killers_tie"] == "first":
        return best[0]
    if options["killers_tie"] == "lot":
        if lot not in best:
            raise ValueError(f"a lot among {best} is needed, not {lot}")
        return lot
    return None


def heard(options: Options, action: str, last: Statements, carried: Collection[int]) -> list[int | None]:
    """The statements that decide: a carried member is left out by the lenient options,
    as long as another member lives."""
    lenient = {
        "kill": options.get("carried_killer") == "others_still_kill",
        "check": options.get("carried_police") == "blocks_self",
    }[action]
    left_out = set(carried) if lenient and len(last) > 1 else set()
    return [target for seat, target in sorted(last.items()) if seat not in left_out]
