"""Differences that have been found and await a ruling: each with what it is about and when it explains a difference.

An entry goes when engine or oracle has been corrected; nothing else may differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Line = Mapping[str, Any]


def of_game(options: Line, what: str, ours: Any) -> str | None:
    """The open question that explains the first difference of a whole game, or None."""
    if options.get("voided_attack") == "still_uses_needle":
        night = what.startswith("told") and "resolved" in what
        if night and options["needle_on_carried"] == "counts":
            return "A0-29 with A0-33: an attack and a needle both aimed at the carried one: is the needle used?"
        if night and options["carried_killer"] == "others_still_kill":
            return "A0-83 with R-CARRIED-COUNCIL: the only killer is carried: a void kill, or none?"
    if options["tie"] == "revote" and what == "told ['tied']" and "'next': 'nobody'" in str(ours):
        return "R-ABSENT: is a tie told where no ballot was cast in the revote?"
    return None


def of_ruling(line: Line, options: Line, ours: Line, theirs: Line) -> str | None:
    """The same for a single ruling."""
    command, error = line["cmd"], ours.get("error")
    if command == "night":
        if options.get("check_answer") == "role" and {**ours, "police": ""} == {**theirs, "police": ""}:
            return "A1-09: does the ruling `night` show the role where check_answer = role?"
        aimed = line["actions"]
        spent = options.get("voided_attack") == "still_uses_needle" and options.get("needle_on_carried") == "counts"
        if spent and aimed.get("carry") and aimed["carry"] == aimed.get("needle"):
            return "A0-29 with A0-33: an attack and a needle both aimed at the carried one: is the needle used?"
    if command in ("tally", "chain") and error in ("illegal", "must_vote") and theirs["ok"]:
        return "the oracle takes illegal ballots in `tally` and `chain`"
    if command == "tally" and line.get("revote") and {**ours, "tied": ""} == {**theirs, "tied": ""}:
        return "R-TIE: does `tied` name the first tie where the revote decides?"
    return None
