"""docs/proof.md, written from the figures of one run."""

from __future__ import annotations

import ast
import json
import platform
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proof import invariants, million, perft, theory
from proof.full import PARTS, Figures, Sizes, Totals
from tianhei.prompts.persona import personas

HERE = Path(__file__).parent
WHAT = {
    "nights": ("every carry, shot, kill and needle with every needle history that matters at the 13-seat table, for "
               "the defaults and every other value of every night option", "the oracle, which reckons each fact anew"),
    "announcements": ("every check, silence and carry, one police officer and two", "nothing: it is small"),
    "ballots": ("every ballot of 4 to 7 voters, with abstention and self-votes, through every tie option (those of 7 "
                "are asked for once and counted under each)", "the number of ballots"),
    "ballots as rulings": ("those of 4 and 5 voters once more through the single rulings `tally` and `chain`",
                           "the engine's set-up of a table for each ruling"),
    "tie chain": ("every ballot of 2 to 6 voters at every stage (PK after a tie, PK on demand, off-field, revote) with "
                  "every tied set, and who is asked what", "the number of ballots"),
    "victory": ("every count up to 9 killers, 9 police or specials, 11 civilians", "nothing: it is small"),
    "set-ups": ("3 to 30 players: the same cards, or refused with the way to a custom table", "nothing: it is small"),
    "custom tables": ("small custom tables dealt or refused alike; one that is decided, with winner and reason",
                      "nothing: it is small"),
    "orders": ("both orders at every table of 3 to 7 seats, for everybody's every state", "nothing: it is small"),
    "rulings": ("random single rulings, many of them illegal", "the writing of random rule sets"),
    "games": ("whole random games, all options, 6 to 25 seats, wave by wave: requests, events by audience, deaths, "
              "order, end, winner, and after each wave the view of every seat",
              "bringing what both sides tell into one form"),
    "million": ("random games of the engine alone, 4 to 8 seats: how they end, and the invariants below",
                "the game itself, then the books that are kept over it"),
    "theory": ("games of the uninformed player against exact chances", "the engine: the players cost a quarter"),
    "floors": ("games of the players `uniform` and `uninformed` under every preset", "the engine"),
    "perft": ("the tree of small tables, counted by both sides", "the oracle, which plays every node from the start"),
    "secrecy": ("all that every seat is shown, over all deals of small tables and samples of large ones: seats that "
                "know the same are shown the same bytes", "the composing of prompts"),
    "planted leaks": ("faults planted in the engine and the prompts, which secrecy has to find",
                      "the games until one is found"),
}  # fmt: skip
Row = Sequence[object]


def page(total: Totals, sizes: Sizes, seconds: float, processes: int) -> str:
    """The whole page."""
    differences = sum(len(figures.differences) for figures in total.values())
    whole = sizes == Sizes(first=sizes.first)
    size = "at full size" if whole else "at reduced size"
    cores = sum(figures.seconds for figures in total.values())
    parts = [
        "# The rules, proved\n",
        "This page is written by the command that measures it; every figure is of one run. What people have to say "
        "of it stands at the end, under *Notes by hand*.\n",
        "```text\nmake proof                          # everything below; rewrites this page\n"
        "python -m tests.proof --scale 10    # a tenth of it, printed only; --help names the parts and sizes\n"
        "python -m tests.secrecy             # secrecy and its planted leaks alone, printed only\n```\n",
        f"**{differences} differences**, {size}, on {_now()}, commit `{commit()}`, in {seconds / 60:.0f} minutes "
        f"({processes} processes, {cores / 60:.0f} minutes of one core, Python {platform.python_version()}), "
        f"seeds from {sizes.first:,}.\n",
        _METHOD, _parts(total), _known(total), _options(total), _games(total), _many(total), _invariants(),
        _reports(), _theory(total), _floors(total), _secrecy(total), _perft(total),
    ]  # fmt: skip
    return "\n".join(part for part in parts if part)


_METHOD = """## How

`tests/oracle/` states the rules a second time, written from the rules page by somebody who had not read the engine. It
keeps no state: every fact is worked out anew from the whole history. `tests/proof/` gives both sides the same inputs.
An input of a vote is one ballot at one stage: what may be chosen, by whom, and what the rules make of it; where a
chain goes on, the next stage is opened directly with every tied set, so no path is left out and none is walked twice.
Faults planted in the engine one at a time (`tests/proof/test_planted.py`) are all found.
"""


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def commit() -> str:
    """The commit of the working tree, and whether it had changes."""
    try:
        head, changed = (
            subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
            for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "--", ".", "../../arena"))
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head} with changes" if changed else head


def table(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, ["--"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def _of(total: Totals, part: str) -> list[Figures]:
    return [figures for (name, _), figures in total.items() if name == part]


def _summed(found: Iterable[Figures]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for figures in found:
        counts.update(figures.counts)
    return counts


def _parts(total: Totals) -> str:
    rows = []
    for part in (*PARTS, "crashed"):
        if not (found := _of(total, part)):
            continue
        counts = _summed(found)
        name = next((name for name in ("inputs", "rulings", "games", "nodes", "leaks") if counts[name]), "inputs")
        seconds = sum(figures.seconds for figures in found)
        what, limit = WHAT.get(part, ("pieces that did not end", ""))
        rate = counts[name] / seconds if seconds else 0
        rows.append((f"**{part}**: {what}", f"{counts[name]:,} {name}", sum(len(f.differences) for f in found),
                     f"{seconds:,.0f}", f"{rate:,.0f}", limit))  # fmt: skip
    head = ("part", "compared", "differences", "seconds of one core", "a second", "what limits it")
    return "## What, how much, at what cost\n\n" + table(head, rows)


def _known(total: Totals) -> str:
    why: Counter[str] = Counter()
    for figures in total.values():
        why.update(figures.explained)
    if not why:
        return ""
    lines = "".join(f"- {number:,} rulings: {reason}.\n" for reason, number in why.items())
    return f"Replies that differ in what the protocol leaves open, and are no differences of rules:\n\n{lines}"


def _options(total: Totals) -> str:
    rows = [(figures.part, figures.name or "all", f"{figures.counts['inputs']:,}", len(figures.differences))
            for part in ("nights", "ballots", "tie chain")
            for figures in sorted(_of(total, part), key=lambda each: each.name)]  # fmt: skip
    return "## Option by option\n\n" + table(("part", "variant", "inputs", "differences"), rows) if rows else ""


def _games(total: Totals) -> str:
    if not (found := _of(total, "games")):
        return ""
    rows = [(f.name, *(f"{f.counts[name]:,}" for name in ("games", "waves", "answers", "wrong answers")),
             len(f.differences)) for f in found]  # fmt: skip
    came: Counter[str] = Counter()
    for figures in found:
        came.update(figures.reached)
    through = ", ".join(f"{what} {number:,}" for what, number in sorted(came.items()))
    head = ("game", "games", "waves", "answers", "wrong answers, refused", "differences")
    return "## Whole games against the oracle\n\n" + table(head, rows) + f"\nThey came through: {through}.\n"


def _many(total: Totals) -> str:
    if not (found := _of(total, "million")):
        return ""
    (figures,) = found
    counts = figures.counts
    rows = [(*what.split(": ", 1), f"{number:,}") for what, number in sorted(figures.reached.items())]
    words = (f"{counts['games']:,} games, {counts['waves']:,} waves, {counts['deaths']:,} deaths, "
             f"{counts['probes']:,} wrong answers refused; {len(figures.differences)} broken. Of ten rule sets "
             f"{million.MUTE_OF_TEN} are mute, so that the time goes into nights and votes.\n\n")  # fmt: skip
    return "## A million games by outcome, deaths and invariants\n\n" + words + table(("game", "what", "times"), rows)


def named() -> list[str]:
    """The invariants as they are named in the source, in its order."""
    tree = [node for module in (invariants, million) for node in ast.walk(ast.parse(_source(module)))]
    calls = [node for node in tree if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "need"]
    found = sorted((call for call in calls if len(call.args) == 2), key=lambda call: call.lineno)
    names = [value for call in found if (value := _text(call.args[1]))]
    return list(dict.fromkeys(names))


def _source(module: Any) -> str:
    return Path(str(module.__file__)).read_text(encoding="utf-8")


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    return str(node.value).rstrip(": ") if isinstance(node, ast.Constant) else ""


def _invariants() -> str:
    return "### Invariants\n\n" + "".join(f"- {name}\n" for name in named())


def reports() -> list[dict[str, Any]]:
    """Faults that were reported of other referees, and what holds them off here."""
    found: list[dict[str, Any]] = json.loads((HERE / "public_reports.json").read_text(encoding="utf-8"))
    return found


def _reports() -> str:
    rows = []
    for entry in reports():
        held = "; ".join([*entry["held_by"], *([entry["ruling"]] if "ruling" in entry else [])])
        rows.append((f"[{entry['id']}]({entry['url']})", entry["fault"], held))
    head = ("report", "what went wrong there", "the invariant here, or the ruling for which it does not apply")
    return "### Faults reported of other referees\n\n" + table(head, rows)


def _theory(total: Totals) -> str:
    found = {figures.place: figures for figures in _of(total, "theory")}
    rows = []
    for place, entry in enumerate(theory.tables()):
        if place not in found:
            continue
        counts, exact = found[place].counts, theory.killers_win(entry)
        text = f"{exact} = {float(exact):.4f}" if exact.denominator < 10**9 else f"{float(exact):.6f}"
        share = counts["killers"] / counts["games"]
        away = theory.standard_errors(entry, counts["killers"], counts["games"])
        rows.append((entry.label, entry.first, entry.tie,
                     text, f"{counts['games']:,}", f"{share:.4f}", f"{away:+.2f}"))  # fmt: skip
    if not rows:
        return ""
    head = ("players (killers, police, civilians)", "first", "tie", "killers win, exactly", "games", "share", "s.e.")
    return _THEORY + table(head, rows)


_THEORY = """## Against theory

Preset `classic-theory` with the variants named, the player `uninformed` in every seat: everybody, killers too, votes
for one of the living others, each alike, never abstains and never listens; at night each killer names a random
seat that is not of the team (silence is not allowed there) and the one named most often dies, by lot where several
are. Long fractions are given as decimals; `tests/proof/theory.py` has them all. A tie by lot takes one of the tied,
`nobody` takes nobody. Speech is mute, which changes no chance; some of the games are also played with speeches, through
the referee, and must end alike. The last column is the distance in standard errors.

"""


def _floors(total: Totals) -> str:
    found = {figures.place: figures for figures in _of(total, "floors")}
    rows = []
    for place, (name, players, player) in enumerate(theory.floors()):
        if place in found:
            counts = found[place].counts
            shares = [f"{counts[winner] / counts['games']:.3f}" for winner in ("killers", "good", "draw")]
            rows.append((f"`{name}`", players, f"`{player}`", f"{counts['games']:,}", *shares))
    if not rows:
        return ""
    head = ("preset", "players", "everybody is", "games", "killers", "good", "draw")
    words = "What players come to who understand nothing; `uniform` takes every legal answer alike, passes too.\n\n"
    return "## Floors\n\n" + words + table(head, rows)


def _secrecy(total: Totals) -> str:
    found, leaks = _of(total, "secrecy"), _summed(_of(total, "planted leaks"))
    shown = ("deals", "games", "pairs", "items", "prompts")
    rows = [(f.name, *(f"{f.counts[name]:,}" for name in shown), len(f.differences), f"{f.seconds:,.0f}")
            for f in sorted(found, key=lambda figures: figures.name)]  # fmt: skip
    prompts: Counter[str] = Counter()
    for figures in found:
        for name, number in figures.reached.items():
            pack, *more = name.replace(",", "").split()
            prompts.update({f"by the pack `{pack}`": number})
            prompts.update(dict.fromkeys({"in neutral words"} if "neutral" in more else (), number))
            prompts.update(dict.fromkeys({"as a persona"} if set(more) & set(personas("en")) else (), number))
            prompts.update(dict.fromkeys({"for probes"} if "aside" in more else (), number))
    head = ("table", *shown[:2], "pairs compared", *shown[3:], "findings", "seconds of one core")
    read = "; ".join(f"{what} {number:,}" for what, number in sorted(prompts.items()))
    parts = [table(head, rows) + f"\nPrompts: {read}.\n" if rows else "",
             f"{leaks['leaks']} leaks planted, {leaks['found']} found.\n" if leaks else ""]  # fmt: skip
    return _SECRECY + "\n".join(filter(None, parts)) if any(parts) else ""


_SECRECY = """## Secrecy

`tests/secrecy/` takes down every byte that a seat is shown (its view, requests, refusals, the judge's words, and the
prompts to its model by every pack, of probes too) and says, from the cards and the answers alone, what the seat may
know by then. A pair are two points of two games at which one seat, or the table, knows the same: it must have been
shown the same. And who knows more must be shown more.

"""


def _perft(total: Totals) -> str:
    found = {figures.place: figures for figures in _of(total, "perft")}
    blocks = []
    for place, small in enumerate(perft.TABLES):
        if place in found:
            rules = ", ".join(f"`{name}` {value}" for name, value in small.rules.items())
            cards = ", ".join(small.roles)
            rows = [(depth, f"{nodes:,}") for depth, nodes in enumerate(found[place].values, 1)]
            blocks.append(f"### {rules}: {cards}\n\n" + table(("depth", "nodes"), rows))
    return _PERFT + "\n".join(blocks) if blocks else ""


_PERFT = """## The tree, counted

For implementations that want to check themselves. A node at depth d is one way to answer the first d waves. A choice is
one legal answer: a target, or a pass where it is allowed; a hand raised, or not where it is allowed; a set of at least
two seats demanded, or none; words have one. Absence is not counted. Each result of a lot is a branch, counted with the
wave that follows it. A game that is over has no further nodes. The cards are those of seat 1, seat 2, and so on.

"""
