"""The table of rules 3.4 recounted: `python -m tests.oracle.counts` (about two minutes)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .night import Dawn, Night, dawn
from .options import resolve

ROLES = dict(enumerate(["butterfly", "sniper", "doctor", "police", "elder"] + ["killer"] * 3 + ["civilian"] * 5, 1))
BUTTERFLY = 1
EXPECTED: dict[tuple[str, object], tuple[int, int]] = {
    ("double_hit_needled", "saved"): (694, 694),
    ("double_hit_needled", "shot_always_kills"): (12886, 12886),
    ("double_hit_butterfly", "saved"): (30, 30),
    ("butterfly_unsaveable", True): (1004, 1004),
    ("saved_butterfly_carried", "nothing"): (952, 476),
    ("saved_butterfly_carried", "shares_save"): (952, 476),
    ("voided_attack", "still_uses_needle"): (4784, 2444),
    ("carried_doctor", "pricks"): (18032, 7943),
    ("needle_on_carried", "counts"): (8624, 3822),
    ("butterfly_needle_death_drags", True): (1911, 1911),
    ("carried_killer", "others_still_kill"): (50400, 45282),
    ("save_resets_needles", True): (11598, 0),
}
INPUTS = 245392


def inputs() -> Iterator[tuple[dict[str, int | None], dict[int, int]]]:
    """Every choice of carry, shot, kill and needle, with every relevant needle history."""
    anyone: list[int | None] = [None, *ROLES]
    carries = [s for s in anyone if s != BUTTERFLY]
    for carry, shoot, kill, needle in product(carries, anyone, anyone, anyone):
        actions = {"carry": carry, "shoot": shoot, "kill": kill, "needle": needle}
        marked = sorted({s for s in (BUTTERFLY, carry, needle) if s is not None})
        for pattern in product((0, 1), repeat=len(marked)):
            yield actions, dict(zip(marked, pattern, strict=True))


def count() -> tuple[int, dict[tuple[str, object], tuple[int, int]], int]:
    """Inputs, changed results and changed sets of the dead by option, most deaths in a night.

    A changed cause alone changes the result, not the deaths (45282, not 48606).
    """
    alive = frozenset(ROLES)
    plain = resolve("butterfly")
    variants = {key: plain | {key[0]: key[1]} for key in EXPECTED}
    changed: dict[tuple[str, object], tuple[int, int]] = dict.fromkeys(EXPECTED, (0, 0))
    seen = most = 0
    for actions, needles in inputs():
        seen += 1
        base: Dawn = dawn(Night(plain, ROLES, alive, actions, needles))
        most = max(most, len(base.deaths))
        for key, options in variants.items():
            other = dawn(Night(options, ROLES, alive, actions, needles))
            if other != base:
                results, deaths = changed[key]
                died = other.deaths.keys() != base.deaths.keys()
                changed[key] = (results + 1, deaths + died)
    return seen, changed, most


def main() -> None:
    seen, changed, most = count()
    print(f"inputs: {seen} (page: {INPUTS}); most deaths in one night: {most} (page: 4)")
    for (name, value), found in changed.items():
        agrees = "ok" if found == EXPECTED[name, value] else f"page: {EXPECTED[name, value]}"
        print(f"{name} = {value}: {found[0]} results, {found[1]} deaths; {agrees}")


if __name__ == "__main__":
    main()
