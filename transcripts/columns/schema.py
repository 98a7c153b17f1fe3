"""The tables over which games are studied: every column with its type, its unit and what it means.

What a transcript does not tell is None ('not available'), never zero or empty. Every table begins with `game`, and a
seat is a number from 1, so that any two tables join on `game` and `seat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Tables: TypeAlias = dict[str, dict[str, list[Any]]]
"""By table, then by column: the values, one for each row."""

Type = Literal["text", "whole", "number", "yes", "seats"]
"""A text, a whole number, a number, yes or no, a list of seats."""

SQL: Mapping[Type, str] = {
    "text": "varchar", "whole": "bigint", "number": "double", "yes": "boolean", "seats": "bigint[]",
}  # fmt: skip
"""The types as DuckDB and parquet have them."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    type: Type
    meaning: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: what a row of it is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


_GAME = Column("game", "text", "The game's id: a hash over everything it starts from.")
_SEAT = Column("seat", "whole", "The seat, counted from 1.")
_SOURCE = Column("source", "text", "Who answered: model, human, bot or fallback; bot:takeover, a bot for a person who "
                                   "was away; bot:stand-in, a script for a bot that had no answer; deleted, where a "
                                   "fork took it away.")  # fmt: skip
_DAY = Column("day", "whole", "The day, counted from 1; a night belongs to the day that follows it.")

GAMES = Table("games", "a game, finished or not", (
    _GAME,
    Column("path", "text", "The file it was read from."),
    Column("lang", "text", "The language of the table: en or zh, or an imported game's own."),
    Column("ruleset", "text", "A SHA-256 over the rules with every option."),
    Column("options", "text", "Its rules in JSON: every option with its value. Absent for imported games."),
    Column("rule_game", "text", "classic or butterfly; of an imported game, its own name."),
    Column("source_format", "text", "tianhei, or the format from which the game was imported."),
    Column("seats_n", "whole", "How many seats.", "seats"),
    Column("killers_n", "whole", "How many of them are on the killers' side.", "seats"),
    Column("seed", "text", "The seed of its draws."),
    Column("board", "text", "Games with the same value had the same cards in the same seats, and the same lots: they "
                            "are one cluster, not independent games."),
    Column("track", "text", "The track of the benchmark whose game it is."),
    Column("season", "text", "The season of that benchmark: same rules, words, models and ways of asking."),
    Column("channels", "text", "What could be said: full, claims_only or mute."),
    Column("theme", "text", "The words of the game: plain, or neutral ones."),
    Column("winner", "text", "killers, good, draw, or an imported game's third side; absent while nobody has won."),
    Column("reason", "text", "The rule that decided it."),
    Column("days", "whole", "The last day that was reached.", "days"),
    Column("finished", "yes", "Whether it came to its end."),
    Column("void_cause", "text", "Why a game that is not finished stopped, where it says so."),
    Column("started", "text", "When it was started, as a time in ISO 8601."),
    Column("seconds", "number", "How long it took, without the time in which it lay still.", "seconds"),
    Column("handicap", "yes", "Whether any seat was told more than the rules allow; such a game is never rated."),
    Column("parent", "text", "Of a fork, the game that it goes on from."),
    Column("program", "text", "The version that wrote it."),
))  # fmt: skip

SEATS = Table("seats", "a seat of a game", (
    _GAME,
    _SEAT,
    Column("role", "text", "Its card, an imported game's under its own name."),
    Column("side", "text", "The side it wins with: killers, good, or an imported game's third one."),
    Column("player", "text", "The player as named on the command line."),
    Column("model", "text", "The model, where a model sat there."),
    Column("endpoint", "text", "Where the model was reached, without any key."),
    Column("pack", "text", "The prompt pack."),
    Column("pack_hash", "text", "A hash over the pack's words."),
    Column("variant", "text", "Which wording of the pack."),
    Column("persona", "text", "The persona it was given."),
    Column("handicap", "text", "What it was told beyond the rules."),
    Column("name", "text", "What it was called at the table, where that was not its number."),
    Column("died_day", "whole", "The day on which it left."),
    Column("died_phase", "text", "night or vote."),
    Column("died_cause", "text", "How it left; see deaths."),
    Column("survived", "yes", "Whether it lived when the game, or what there is of it, ended."),
))  # fmt: skip

REQUESTS = Table("requests", "one decision of a seat", (
    _GAME,
    _SEAT,
    Column("request", "text", "The request's id, unique in the game."),
    Column("kind", "text", "kill, check, carry, shoot, needle, silence, speech, speech_and_vote, last_words, vote, "
                           "hand or demand."),
    _DAY,
    Column("phase", "text", "night or day."),
    Column("stage", "text", "round, pk, off_field or revote of a speech or a vote."),
    Column("wave", "whole", "The wave in which it closed: requests of one wave were open together."),
    Column("options_n", "whole", "How many seats could be named.", "seats"),
    Column("chosen", "whole", "The seat that was named; absent where none was."),
    Column("position", "whole", "The place of the choice in the list that was shown, from 0."),
    _SOURCE,
    Column("fallback_cause", "text", "Why a fallback had to answer."),
    Column("faults", "whole", "Replies that could not be used before the one that was taken; absent where an "
                             "imported game does not tell.", "replies"),
    Column("text_len", "whole", "Letters of the words that went with it.", "letters"),
    Column("cut", "yes", "Whether the words were longer than allowed, and were shortened."),
    Column("thought", "text", "What the player wrote for itself alone."),
    Column("latency", "number", "Time from the first call to the last answer used, all calls together.", "seconds"),
    Column("prompt_tokens", "whole", "Tokens sent, of all its calls.", "tokens"),
    Column("cached_tokens", "whole", "Those of them that the endpoint had in its cache.", "tokens"),
    Column("completion_tokens", "whole", "Tokens received.", "tokens"),
    Column("reasoning_tokens", "whole", "Those of them that were reasoning.", "tokens"),
    Column("calls", "whole", "Calls to the model that came back.", "calls"),
    Column("cost", "number", "What its calls cost, where the price of all is known.", "US dollars"),
))  # fmt: skip

_EVENT = Column("event", "whole", "The place of the event in the game, from 0.")

SPEECHES = Table("speeches", "a speech, last words, or a statement in a team's council", (
    _GAME,
    _EVENT,
    _DAY,
    Column("phase", "text", "night, dawn or day."),
    Column("stage", "text", "round, pk, off_field or revote of a speech."),
    _SEAT,
    Column("order", "whole", "Its place among the speeches of the stage, from 1; of a statement, the council's round."),
    Column("text", "text", "The words."),
    Column("passed", "yes", "Whether nothing was said."),
    Column("kind", "text", "speech, last_words or stated."),
    _SOURCE,
))  # fmt: skip

VOTES = Table("votes", "a ballot of one voter", (
    _GAME,
    _DAY,
    Column("stage", "text", "round, pk, off_field or revote."),
    Column("ballot", "whole", "Which vote of the game, from 1."),
    _SEAT,
    Column("target", "whole", "Whom it voted for; absent where it abstained."),
    Column("void", "yes", "Whether the voter could not be had: no vote and no abstention."),
    Column("candidates", "seats", "Who could be voted for, in the order of the day."),
    Column("alive_n", "whole", "The living at this vote.", "seats"),
    Column("killers_alive_n", "whole", "Those of them on the killers' side.", "seats"),
    Column("known_good_n", "whole", "Living seats that the voter knew to be on the good side, itself included: by its "
                                    "card, its team, its checks, what was shown, and by counting.", "seats"),
    Column("known_killers_n", "whole", "Living seats that it knew to be on the killers' side, itself included.",
           "seats"),
    Column("order", "whole", "When it was cast, from 1; equal numbers were cast at once, and where all voted at once "
                             "it is absent."),
    Column("tied", "yes", "Whether the vote ended in a tie."),
    Column("out", "whole", "The seat that left by this vote; absent where none or several did."),
    Column("first_claim_before", "yes", "Whether somebody else had made a claim or an accusation in public that day "
                                        "before it was cast."),
    _SOURCE,
))  # fmt: skip

DEATHS = Table("deaths", "a seat that left", (
    _GAME,
    _DAY,
    Column("phase", "text", "night or vote."),
    _SEAT,
    Column("cause", "text", "kill, shot, needles, with_butterfly:CAUSE (several joined by +), vote, lot or all; an "
                            "imported game's own."),
    Column("revealed", "text", "What was shown of its card."),
))  # fmt: skip

NIGHTS = Table("nights", "an action of a night", (
    _GAME,
    Column("night", "whole", "The night, counted from 1."),
    Column("action", "text", "kill, check, carry, shoot, needle or silence; an imported game's own."),
    Column("seat", "whole", "Who acted; absent where a team did."),
    Column("target", "whole", "Whom it named; absent where it passed."),
    Column("legal", "seats", "Whom it could name."),
    Column("effect", "text", "What came of it: died, saved, empty (a needle), silenced, carried, nod, shake, none, "
                             "void (the actor or the target was carried), changed (a team's, without its carried "
                             "member's word); absent where it passed, and where that is not known."),
    Column("claimed_n", "whole", "How many living seats had said in public that they are police.", "seats"),
    Column("rounds", "whole", "Rounds that a team needed to agree.", "rounds"),
))  # fmt: skip

CHECKS = Table("checks", "an answer of the judge to the police", (
    _GAME,
    Column("night", "whole", "The night, counted from 1."),
    Column("by_team", "seats", "Who learned it."),
    Column("target", "whole", "Whom they asked about."),
    Column("answer", "text", "nod (a killer), shake (none), none (no sign), or a role."),
    Column("truth", "text", "The side of the target."),
))  # fmt: skip

CLAIMS = Table("claims", "a claim that somebody made in public; the like of one often stands in both sources", (
    _GAME,
    Column("event", "whole", "The event in which it was made: its place in the game, from 0."),
    _DAY,
    Column("phase", "text", "dawn or day."),
    _SEAT,
    Column("source", "text", "declared (by the speaker, beside the words) or extracted (from the words)."),
    Column("kind", "text", "What kind of claim: role, check, accuse, clear, vote, …"),
    Column("about", "whole", "The seat that it is about."),
    Column("what", "text", "What it says of that seat."),
    Column("night", "whole", "The night it speaks of; absent where of none."),
    Column("start", "whole", "Where its words begin in the speech, in letters from 0."),
    Column("end", "whole", "Where they end."),
    Column("truth", "text", "lie (false, and the speaker knew), mistake (false), truth (true, and the speaker knew) or "
                            "lucky (true); absent where it cannot be checked."),
    Column("lie_type", "text", "fabrication, distortion or misdirection."),
    Column("checkable", "yes", "Whether it says what can be true or false."),
))  # fmt: skip

STATEMENTS = Table("statements", "a statement about the public record, read from the words", (
    _GAME,
    Column("event", "whole", "The event in which it was made: its place in the game, from 0."),
    _DAY,
    _SEAT,
    Column("what", "text", "What it says was: a vote, a death, an exile, a claim; see docs/labelling.md."),
    Column("by", "whole", "Who is said to have done it; absent where nobody is meant."),
    Column("about", "whole", "The seat that it is about."),
    Column("true", "yes", "Whether the record has it so; absent where the record does not tell."),
    Column("start", "whole", "Where its words begin in the speech, in letters from 0."),
    Column("end", "whole", "Where they end."),
))  # fmt: skip

PROBES = Table("probes", "a seat asked aside what it believes", (
    _GAME,
    _SEAT,
    Column("point", "text", "When it was asked: day_start, before_vote, night_start or after_speech."),
    _DAY,
    Column("wave", "whole", "How many waves were closed by then."),
    Column("source", "text", "Who answered: model, human or bot."),
    Column("cause", "text", "Why there is no answer."),
    Column("about_n", "whole", "Of how many seats it was asked.", "seats"),
    Column("killers_n", "whole", "How many of them are on the killers' side.", "seats"),
    Column("raw_sum", "number", "The sum of its probabilities, as it gave them."),
))  # fmt: skip

BELIEFS = Table("beliefs", "what a seat believed of another", (
    _GAME,
    _SEAT,
    Column("point", "text", "When it was asked; see probes."),
    _DAY,
    Column("wave", "whole", "How many waves were closed by then."),
    Column("about", "whole", "The seat that it is about."),
    Column("p", "number", "The probability that `about` is a killer, as given.", "0 to 1"),
    Column("raw_sum", "number", "The sum of all that it gave at this point."),
    Column("of_me", "number", "How likely, it thinks, `about` holds it to be a killer.", "0 to 1"),
    Column("posterior", "number", "The exact probability from what the seat knew and the counts of the cards; absent "
                                  "where the deals are too many to count.", "0 to 1"),
))  # fmt: skip

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        GAMES, SEATS, REQUESTS, SPEECHES, VOTES, DEATHS, NIGHTS, CHECKS, CLAIMS, STATEMENTS, PROBES, BELIEFS
    )
}  # fmt: skip


def empty() -> Tables:
    """All tables without a row."""
    return {name: {column: [] for column in table.names} for name, table in TABLES.items()}


def concat(parts: Iterable[Mapping[str, Mapping[str, list[Any]]]]) -> Tables:
    """The rows of several, one after another."""
    found = empty()
    for part in parts:
        for name, columns in found.items():
            for column, values in columns.items():
                values += part[name][column]
    return found
