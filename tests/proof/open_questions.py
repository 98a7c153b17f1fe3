"""Differences that are known and are no fault of the engine: each with what it is about and when it explains one.

An entry goes when engine or oracle has been corrected; nothing else may differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Line = Mapping[str, Any]


def of_ruling(line: Line, options: Line, ours: Line, theirs: Line) -> str | None:
    """What explains the difference of a single ruling, or None."""
    command, error = line["cmd"], ours.get("error")
    but_for_the_sign = {**ours, "police": ""} == {**theirs, "police": ""}
    if command == "night" and options.get("check_answer") == "role" and but_for_the_sign:
        return "with `check_answer = role` the ruling `night` tells the sign (nod or shake), the oracle the card"
    if command in ("tally", "chain") and error in ("illegal", "must_vote") and theirs["ok"]:
        return "the oracle does not ask whether ballots in `tally` and `chain` are legal; the engine refuses them"
    return None
