"""`python -m tournament`: how often ratings' intervals hold the truth, and whether their width was foretold."""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

RUNS = 200


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m tournament", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"tournaments of each kind ({RUNS})")
    given = parser.parse_args()
    if given.runs < 1:
        parser.error("--runs takes a number from 1 on")
    worlds = import_module("tournament.worlds")
    start = time.monotonic()
    print("| world | boards | intervals that held the truth | bias of the best, Elo |\n|---|--:|--:|--:|")
    for boards in (11, 41):
        for world in worlds.WORLDS:
            found = worlds.coverage(world, boards, range(given.runs))
            print(f"| {world} | {boards} | {found.held / found.of:.3f} of {found.of:,} | {found.bias_of_best:+.0f} |")
    print("\n| board's SD, log odds | correlation | standard error, Elo | by the design effect |\n|--:|--:|--:|--:|")
    for board_sd in worlds.BOARD_SDS:
        of = worlds.spread(board_sd, 41, range(given.runs))
        print(f"| {board_sd:g} | {of.correlation:.2f} | {of.error:.1f} | {of.foretold:.1f} |")
    print(f"\n{given.runs} tournaments of each kind, {time.monotonic() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    main()
