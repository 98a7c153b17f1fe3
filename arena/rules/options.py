"""Every option of both games, declared once: its name, values, default, ruling, and what it depends on.

A rule set is one frozen value, `Classic` or `Butterfly`. Unknown names, values that are not allowed and options that
make no sense beside others are refused with the name, the value and what is allowed (`RulesError`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Literal, TypeAlias, get_args, get_type_hints

GameName = Literal["classic", "butterfly", "foreign"]


class RulesError(ValueError):
    """A rule set or set-up that cannot be; the message names the field, the value and what is allowed."""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """What is known of one option: ``allowed`` values (a range for numbers), its rulings and its needs."""

    name: str
    allowed: tuple[Any, ...] | range
    default: Any
    ruling: str
    about: str
    needs: Mapping[str, Any]

    def describe(self) -> str:
        """The allowed values, as an error names them."""
        if isinstance(self.allowed, range):
            return f"a whole number from {self.allowed[0]} to {self.allowed[-1]}"
        return ", ".join(json.dumps(value) for value in self.allowed)

    def allows(self, value: Any) -> bool:
        return any(type(value) is type(choice) and value == choice for choice in self.allowed)


def _option(default: Any, ruling: str, about: str, *, upto: int = 0, **needs: str) -> Any:
    metadata = {"ruling": ruling, "about": about, "upto": upto, "needs": needs}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseRules:
    """The options that both games share."""

    game: ClassVar[GameName]

    first_phase: Literal["night", "day"] = _option(
        "night", "A0-76", "the game opens with a night; 'day' exists for comparison with theory"
    )
    max_days: int = _option(30, "R-CAP", "a game not ended by the end of this day is a draw", upto=200)
    council_rounds: int = _option(2, "A0-15 A1-06 A1-08", "rounds of sealed statements in a council", upto=5)
    night_pass: Literal["allowed", "forbidden"] = _option("allowed", "A0-11 A1-07", "may a night actor choose nobody")
    kill_teammate: Literal["allowed", "forbidden"] = _option(
        "allowed", "A0-16 A1-05", "may the killers name one of their own"
    )
    killers_tie: Literal["lot", "no_kill", "ask_again", "first"] = _option(
        "lot", "A0-15 A1-06", "a tie after the last round of a council, killers' or police"
    )
    call_dead_roles: bool = _option(True, "A0-71 A1-12", "the judge goes on calling roles that are gone")
    abstain: Literal["allowed", "forbidden"] = _option(
        "allowed", "A0-64 S1-62", "may a voter abstain in the ordinary vote"
    )
    self_vote: Literal["allowed", "forbidden"] = _option("allowed", "A1-22 A0-64", "may one vote for oneself")
    pk_voters: Literal["all", "untied"] = _option("all", "A1-24", "who votes in the on-field PK", tie="chain")
    off_voters: Literal["all", "untied"] = _option("all", "A1-27", "who votes in the off-field PK", tie="chain")
    narrowing: Literal["never", "always"] = _option(
        "never", "A1-25 A1-26", "a PK that narrows but still ties opens another PK", tie="chain"
    )
    all_abstain: Literal["chain", "no_elimination"] = _option(
        "chain", "A1-23", "nobody voted at all in the first vote", tie="chain", abstain="allowed"
    )
    final_tie: Literal["draw", "lot", "nobody"] = _option(
        "draw", "A1-29", "still tied after the off-field vote", tie="chain"
    )
    last_words: Literal["quota", "all", "none"] = _option(
        "quota", "A1-33 S0-56", "who leaves last words; the quota is the number of killers dealt"
    )
    last_words_at_end: bool = _option(False, "A0-67 A1-39", "last words of a death that decides the game")
    reveal_on_vote: Literal["none", "side", "role"] = _option(
        "none", "A0-55 A1-35", "what is told of one who is voted out"
    )
    reveal_at_dawn: Literal["none", "side", "role"] = _option("none", "A0-55 A1-35", "what is told of the night's dead")
    no_death_start: Literal["judge", "previous_anchor", "random"] = _option(
        "judge", "A0-59 A1-18", "who speaks first when nobody died"
    )
    dead_view: Literal["public", "all"] = _option("public", "A0-73 A1-41", "what the dead see after leaving")
    channel: Literal["full", "claims_only", "mute"] = _option("full", "R-CHANNEL", "what speech carries")

    def __post_init__(self) -> None:
        for info in options(self.game):
            value = getattr(self, info.name)
            if not info.allows(value):
                raise RulesError(f"{info.name} = {value!r} is not allowed: it takes {info.describe()}")
            if value != info.default:
                for name, needed in info.needs.items():
                    if (given := getattr(self, name)) != needed:
                        raise RulesError(
                            f"{info.name} = {value!r} needs {name} = {needed!r}, but {name} is {given!r}: "
                            f"set {name} = {needed!r} or leave {info.name} at {info.default!r}"
                        )

    def to_dict(self) -> dict[str, Any]:
        """Every option of this game with its value, resolved."""
        return {name: getattr(self, name) for name in _names(self.game)}

    @property
    def hash(self) -> str:
        """A SHA-256 over the game and all its options; equal rule sets have equal hashes."""
        text = json.dumps({"game": self.game, **self.to_dict()}, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def replace(self, changes: Mapping[str, Any]) -> Rules:
        """This rule set with some options changed; RulesError on an unknown name or value."""
        known = _names(self.game)
        for name in changes:
            if name not in known:
                raise RulesError(_unknown_option(name, self.game))
        return make(self.game, {**self.to_dict(), **changes})


@dataclass(frozen=True, slots=True, kw_only=True)
class Classic(BaseRules):
    """The game of police and killers."""

    game: ClassVar[GameName] = "classic"

    check_answer: Literal["side", "role"] = _option("side", "A1-09", "what the judge shows the police")
    vote_form: Literal["called", "simultaneous", "secret"] = _option(
        "called", "A1-15 A1-21", "how ballots are cast and shown"
    )
    tie: Literal["chain", "lot", "nobody"] = _option("chain", "A0-65 S1-77", "several have the most votes")
    round_pk: Literal["off", "on"] = _option("off", "A1-31", "whoever wishes may demand a PK of named seats")
    seat_numbering: Literal["ccw", "cw"] = _option(
        "ccw", "A1-16", "is the right-hand neighbour seat + 1 (ccw) or seat - 1 (cw)"
    )
    round1_claim: Literal["advice", "forbidden"] = _option(
        "advice", "A1-14", "civilians claiming police on day 1: told as advice or as a rule"
    )
    victory: Literal["any_identity", "all_good"] = _option(
        "any_identity", "A1-36", "killers win when one kind of good player is out, or only when all are"
    )
    parity: bool = _option(False, "A1-38", "killers also win when they are no fewer than the others")


@dataclass(frozen=True, slots=True, kw_only=True)
class Butterfly(BaseRules):
    """The butterfly game: five special roles beside killers and civilians."""

    game: ClassVar[GameName] = "butterfly"

    vote_form: Literal["after_speech", "after_speech_secret"] = _option(
        "after_speech", "A0-63", "how ballots are cast and shown"
    )
    abstain: Literal["allowed", "forbidden"] = _option("forbidden", "A0-64", "may a voter abstain in the ordinary vote")
    tie: Literal["nobody", "revote", "chain", "lot", "all"] = _option("nobody", "A0-65", "several have the most votes")
    last_words: Literal["quota", "all", "none"] = _option("all", "S0-56", "who leaves last words")
    reveal_on_vote: Literal["none", "side", "role"] = _option("side", "A0-55", "what is told of one who is voted out")
    executed_last_words: Literal["good_only", "both", "neither"] = _option(
        "good_only", "A0-66 R-LASTWORDS", "may one who is voted out leave last words"
    )
    elder_side: Literal["good", "killers"] = _option("good", "A0-72 R-ELDER", "whose side the elder is on")
    repeat_target: Literal["allowed", "forbidden_for_carry"] = _option(
        "allowed", "A0-13", "may the butterfly carry the same person on successive nights"
    )
    announce_causes: bool = _option(False, "A0-54", "causes of death at dawn")
    announce_needles: bool = _option(False, "A0-80", "a player who got an empty needle is told")
    silenced_votes: bool = _option(True, "A0-45", "a silenced player still votes")
    silenced_last_words: bool = _option(False, "A0-47 A0-48", "a silenced player who dies leaves last words")
    silence_copied: bool = _option(False, "A0-26", "silencing the butterfly silences the carried one")
    double_hit_needled: Literal["dies", "saved", "shot_always_kills"] = _option(
        "dies", "A0-23", "killed and shot, and needled"
    )
    double_hit_butterfly: Literal["as_anyone", "saved"] = _option(
        "as_anyone", "A0-27 A0-28", "the same for the butterfly"
    )
    butterfly_unsaveable: bool = _option(False, "A0-24", "a hit butterfly dies even if needled")
    saved_butterfly_carried: Literal["empty", "shares_save", "nothing"] = _option(
        "empty", "A0-25", "what the carried one gets when a hit butterfly is saved"
    )
    voided_attack: Literal["never_happened", "still_uses_needle"] = _option(
        "never_happened", "A0-29 A0-30 A0-31", "a needle on the target of a void attack"
    )
    carried_doctor: Literal["void", "pricks"] = _option("void", "A0-32", "a carried doctor's needle")
    needle_on_carried: Literal["void", "counts"] = _option("void", "A0-33", "a needle on the carried one")
    butterfly_needle_death_drags: bool = _option(
        False, "A0-36", "the carried one dies with a butterfly who dies of needles"
    )
    save_resets_needles: bool = _option(False, "A0-38", "a saving needle clears the count")
    carried_police: Literal["blocks_team", "blocks_self"] = _option(
        "blocks_team", "A0-18", "one of two police is carried"
    )
    carried_killer: Literal["voids_team", "others_still_kill"] = _option(
        "voids_team", "A0-83", "one of the killers is carried"
    )
    setup13: Literal["dealt_3_5", "recommended_4_4"] = _option(
        "dealt_3_5", "A0-02", "13 seats: 3 killers and 5 civilians as dealt, or 4 and 4"
    )
    even_counts: Literal["custom_only", "second_police"] = _option(
        "custom_only", "A0-05", "14, 16, 20, ... seats: none written, or a second police"
    )

    def __post_init__(self) -> None:
        BaseRules.__post_init__(self)
        if self.reveal_on_vote == "none" and self.executed_last_words == "good_only":
            raise RulesError(
                "executed_last_words = 'good_only' would tell the side that reveal_on_vote = 'none' hides "
                "(R-LASTWORDS): set executed_last_words to 'both' or 'neither'"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign(Classic):
    """Stands where rules must be while an imported game is read. Nobody plays by it: `make` does not know it."""

    game: ClassVar[GameName] = "foreign"

    vote_form: Literal["called", "simultaneous", "secret"] = _option("simultaneous", "", "ballots are shown by voter")
    last_words: Literal["quota", "all", "none"] = _option("all", "", "none are known to be refused")


Rules: TypeAlias = Classic | Butterfly
GAMES: Mapping[str, type[Classic] | type[Butterfly]] = {"classic": Classic, "butterfly": Butterfly}


@cache
def options(game: str) -> tuple[OptionInfo, ...]:
    """All options of a game, in the order of their declaration."""
    rules = Foreign if game == Foreign.game else GAMES[game]
    hints = get_type_hints(rules)
    return tuple(_info(item, hints[item.name]) for item in _option_fields(rules))


def _option_fields(rules: type[BaseRules]) -> Iterator[Field[Any]]:
    return (item for item in fields(rules) if "ruling" in item.metadata)


def _info(item: Field[Any], hint: Any) -> OptionInfo:
    upto = item.metadata["upto"]
    allowed = range(1, upto + 1) if upto else (False, True) if hint is bool else get_args(hint)
    return OptionInfo(
        item.name,
        allowed,
        item.default,
        item.metadata["ruling"],
        item.metadata["about"],
        item.metadata["needs"],
    )


@cache
def _names(game: str) -> tuple[str, ...]:
    return tuple(info.name for info in options(game))


def _unknown_option(name: str, game: str) -> str:
    other = next((title for title in GAMES if title != game and name in _names(title)), None)
    if other:
        return f"{name} is an option of the {other} game, not of the {game} game"
    return f"unknown option {name!r}; the {game} game has {', '.join(_names(game))}"


def make(game: str, changes: Mapping[str, Any] | None = None) -> Rules:
    """The rules of ``game`` with some options changed; RulesError names what is wrong."""
    if game not in GAMES:
        raise RulesError(f"unknown game {game!r}; there are {', '.join(GAMES)}")
    known = _names(game)
    for name in changes or {}:
        if name not in known:
            raise RulesError(_unknown_option(name, game))
    return GAMES[game](**(changes or {}))
