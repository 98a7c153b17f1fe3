"""The rule text: every option has its sentence, in both languages, and no sentence is left over."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from tianhei.arena.roles import Counts, Role
from tianhei.arena.rules.options import GAMES, OptionInfo, Rules, RulesError, make, options
from tianhei.arena.rules.presets import PRESETS, USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import custom, written
from tianhei.prompts.rule_tables import filled
from tianhei.prompts.rulebook import Lang, Sentence, outline, rule_text, words_in

LANGS: tuple[Lang, ...] = ("en", "zh")
LAYOUT = {"line", "heading", "one", "many", "name"}
"""Tables of the sentence files that hold no sentences."""

ALSO_IN: Mapping[str, set[str]] = {
    "abstain": {"last_hand", "all_abstain"},
    "butterfly_unsaveable": {"double_hit_butterfly", "saved_butterfly_carried"},
    "channel": {"council_words"},
    "last_words": {"last_words_order", "silenced_last_words", "executed_last_words", "last_words_at_end"},
    "round_pk": {"abstain", "last_hand", "absent"},
    "seat_numbering": {"no_death_start"},
    "tie": {
        "pk_voters", "narrowing", "off_voters", "final_tie", "further_votes", "round_pk",
        "abstain", "last_hand", "absent", "draw",
    },
    "voided_attack": {"needle_on_carried"},
    "vote_form": {"last_hand", "further_votes"},
}  # fmt: skip
"""Where an option bears on sentences beside its own."""

TABLES: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "classic": (
        {"killer": 2, "civilian": 4},
        {"killer": 1, "police": 1, "civilian": 2},
        {"killer": 3, "police": 3, "civilian": 6},
    ),
    "butterfly": (
        {"killer": 1, "doctor": 1, "civilian": 3},
        {"killer": 2, "butterfly": 1, "police": 2, "civilian": 4},
        {"killer": 1, "sniper": 1, "elder": 1, "civilian": 2},
        {"killer": 3, "butterfly": 1, "sniper": 1, "doctor": 1, "elder": 1, "police": 1, "civilian": 5},
    ),
}

CASES = [(game, info) for game in GAMES for info in options(game)]
IDS = [f"{game}-{info.name}" for game, info in CASES]


def values_of(info: OptionInfo) -> tuple[Any, ...]:
    """All values; of numbers the ends, the default and two more."""
    if isinstance(info.allowed, range):
        return tuple(sorted({info.allowed[0], 2, 3, info.default, info.allowed[-1]}))
    return info.allowed


def beside(game: str, info: OptionInfo) -> dict[str, Any]:
    """What must be set for every value of an option to be allowed."""
    needs = dict(info.needs)
    if game == "butterfly" and info.name == "reveal_on_vote":
        needs["executed_last_words"] = "both"
    return needs


def sentences(rules: Rules, counts: Counts | None = None) -> set[Sentence]:
    return {sentence for paragraph in outline(rules, counts) for sentence in paragraph.sentences}


@cache
def some_rules(game: str, number: int = 120) -> tuple[Rules, ...]:
    """Rule sets drawn over all options: at each step one option of the set before is changed."""
    luck = random.Random(f"rules of {game}")
    rules = make(game)
    found: list[Rules] = []
    while len(found) < number:
        for _ in range(12):
            info = luck.choice(options(game))
            if changed := changed_to(rules, info.name, luck.choice(values_of(info))):
                rules = changed
        found.append(rules)
    return tuple(found)


def changed_to(rules: Rules, name: str, value: Any) -> Rules | None:
    """The rules with one option changed, or None where the others do not allow it."""
    try:
        return rules.replace({name: value})
    except RulesError:
        return None


def tables_of(rules: Rules) -> Iterator[Counts | None]:
    """No table, and those of TABLES that can be dealt."""
    yield None
    for names in TABLES[rules.game]:
        try:
            yield custom(rules, names)
        except RulesError:
            continue


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "info"), CASES, ids=IDS)
def test_every_value_of_every_option_reads_differently(game: str, info: OptionInfo, lang: Lang) -> None:
    texts = [rule_text(make(game, {**beside(game, info), info.name: value}), lang) for value in values_of(info)]
    assert len(set(texts)) == len(values_of(info))


@pytest.mark.parametrize(("game", "info"), CASES, ids=IDS)
def test_an_option_changes_its_own_sentences_alone(game: str, info: OptionInfo) -> None:
    allowed = {info.name, *ALSO_IN.get(info.name, ())}
    bases = [make(game, beside(game, info)), *some_rules(game)[::3]]
    changes = [(base, changed_to(base, info.name, value)) for base in bases for value in values_of(info)]
    assert any(after for _, after in changes)
    for before, after in changes:
        for counts in tables_of(before):
            topics = {sentence.topic for sentence in sentences(before, counts) ^ sentences(after or before, counts)}
            assert topics <= allowed


@pytest.mark.parametrize("lang", LANGS)
def test_two_sentences_never_say_one_thing_twice(lang: Lang) -> None:
    for game in GAMES:
        for rules in some_rules(game):
            for counts in tables_of(rules):
                said = [sentence for paragraph in outline(rules, counts) for sentence in paragraph.sentences]
                topics = [sentence.topic for sentence in said if sentence.topic != "table"]
                assert len(topics) == len(set(topics))


def test_no_sentence_is_left_over() -> None:
    said: set[tuple[str, str]] = set()
    for game in GAMES:
        for rules in (make(game), *some_rules(game)):
            for counts in tables_of(rules):
                said |= {(sentence.topic, sentence.case) for sentence in sentences(rules, counts)}
        for info in options(game):
            for value in values_of(info):
                rules = make(game, {**beside(game, info), info.name: value})
                said |= {(sentence.topic, sentence.case) for sentence in sentences(rules)}
    there = {(topic, case) for topic, cases in words_in("en").items() if topic not in LAYOUT for case in cases}
    assert said == there


def slots_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_sentences_with_the_same_slots() -> None:
    english, chinese = words_in("en"), words_in("zh")
    assert {topic: list(cases) for topic, cases in english.items()} == {
        topic: list(cases) for topic, cases in chinese.items()
    }
    for topic, cases in english.items():
        for case, text in cases.items():
            assert slots_of(text) == slots_of(chinese[topic][case]), f"{topic}.{case}"


FOREIGN = re.compile(
    r"预言家|女巫|猎人|守卫|警长|狼|查杀|金水|\b(?:seer|witch|hunter|guard|sheriff|werewol\w+|wol\w+|lynch\w*|mafia)\b",
    re.I,
)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", GAMES)
def test_every_text_is_whole_and_in_its_own_language(game: str, lang: Lang) -> None:
    for rules in some_rules(game):
        for counts in tables_of(rules):
            text = rule_text(rules, lang, counts)
            assert not re.search(r"[{}|*]|  |\bNone\b|_", text)
            assert not FOREIGN.search(text)
            if lang == "zh":
                assert set(re.findall(r"[A-Za-z]+", text)) <= {"PK"}
                assert not re.search(r"[,;:!?]|(?<!^\d)(?<!^\d\d)\.", text, re.M)
            else:
                assert text.isascii()
            lines = text.split("\n")
            assert [line.split(".")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
            assert all(line.endswith("。" if lang == "zh" else ".") for line in lines)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_short_enough_to_stand_before_every_prompt(name: str) -> None:
    rules, players = read_rules(name)
    counts, _ = written(rules, players or USUAL_PLAYERS[rules.game])
    english, chinese = {"classic": (450, 780), "butterfly": (700, 1220)}[rules.game]
    assert len(rule_text(rules, "en", counts).split()) < english
    assert len(rule_text(rules, "zh", counts)) < chinese


def test_presets_differ() -> None:
    texts = {name: rule_text(read_rules(name)[0], "en") for name in PRESETS}
    for one, other in combinations(PRESETS, 2):
        same = read_rules(one)[0] == read_rules(other)[0]
        assert (texts[one] == texts[other]) == same


def said(rules: Rules, topic: str, counts: Counts | None = None) -> str | None:
    """The case of a topic that is said, or None where it is passed over."""
    return next((sentence.case for sentence in sentences(rules, counts) if sentence.topic == topic), None)


def test_with_no_police_dealt_nothing_is_said_of_them() -> None:
    counts = {Role.KILLER: 2, Role.CIVILIAN: 4}
    for victory in ("any_identity", "all_good"):
        rules = make("classic", {"victory": victory})
        assert said(rules, "victory", counts) == "no_police"
        assert "police" not in rule_text(rules, "en", counts)
        assert "警" not in rule_text(rules, "zh", counts)


def test_where_killers_alone_act_at_night_they_alone_may_pass() -> None:
    """A0-11, A1-07: everybody who acts may pass; with no police dealt the classic killers are the only ones."""
    lone, police = {Role.KILLER: 2, Role.CIVILIAN: 4}, {Role.KILLER: 2, Role.POLICE: 2, Role.CIVILIAN: 4}
    for value in ("allowed", "forbidden"):
        rules = make("classic", {"night_pass": value})
        assert said(rules, "night_pass", lone) == f"{value}_killers"
        assert said(rules, "night_pass", police) == said(rules, "night_pass") == value
        assert said(make("butterfly", {"night_pass": value}), "night_pass", lone) == value


def test_the_quota_is_the_number_of_killers_dealt() -> None:
    rules = make("classic")
    assert "先死的3个人" in rule_text(rules, "zh", written(rules, 12)[0])
    assert "The first 4 to die" in rule_text(rules, "en", written(rules, 16)[0])


def test_a_demanded_pk_is_told_whole_where_ties_are_resolved_otherwise() -> None:
    """R-ROUNDPK: with any other tie rule the off-field PK and the draw after it are met only there."""
    for tie in ("lot", "nobody"):
        rules = make("classic", {"tie": tie, "round_pk": "on"})
        assert said(rules, "round_pk") == "alone"
        assert said(rules, "absent") == "chain"
        assert said(rules, "abstain") == "allowed_pk"
        assert "the game is a draw" in rule_text(rules, "en").split("9. The end")[0]


def test_a_butterfly_whom_no_needle_saves_has_no_sentence_on_being_saved() -> None:
    rules = make("butterfly", {"butterfly_unsaveable": True, "double_hit_butterfly": "saved"})
    assert said(rules, "double_hit_butterfly") is None
    assert said(rules, "saved_butterfly_carried") is None


def test_the_elder_on_the_killers_side_is_not_counted_among_the_specials() -> None:
    rules = make("butterfly", {"elder_side": "killers"})
    assert "(butterfly, sniper, doctor, police)" in rule_text(rules, "en")
    assert "（花蝴蝶、狙击手、医生、警察）" in rule_text(rules, "zh")
    assert "elder" in rule_text(make("butterfly"), "en").split("2. Winning.")[1].split("\n")[0]


def test_setups_change_the_tables_that_are_named() -> None:
    """A0-02, A0-05: they change who is dealt, so they are named only where no table has been dealt."""
    rules = make("butterfly", {"setup13": "recommended_4_4", "even_counts": "second_police"})
    counts, _ = written(rules, 14)
    assert said(rules, "setup13") == "recommended_4_4"
    assert said(rules, "setup13", counts) is said(rules, "even_counts", counts) is None


PAGE = (Path(__file__).resolve().parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
IDS_OF_RULES = {
    "S0": [f"S0-{number}" for number in range(1, 79)],
    "S1": [f"S1-{number}" for number in range(1, 81)],
    "A0": [f"A0-{number:02}" for number in range(1, 86)],
    "A1": [f"A1-{number:02}" for number in range(1, 48)],
    "N": [f"N{number}" for number in range(1, 21)],
    "R": [
        "R-VOTE", "R-COUNCIL", "R-KNOW", "R-CONDUCT", "R-ABSENT", "R-CAP", "R-TIE", "R-ROUNDPK", "R-PUBLIC",
        "R-ELDER", "R-CHANNEL", "R-CARRIED-COUNCIL", "R-LASTWORDS", "R-SETUP",
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["A0", "A1", "N", "R"])
def test_the_page_restates_every_ruling_once(kind: str) -> None:
    heads = re.findall(r"^- \*\*([^*]+)\*\*", PAGE, re.M)
    restated = [name for head in heads for name in head.split(", ")]
    assert sorted(name for name in restated if name.startswith(kind)) == sorted(IDS_OF_RULES[kind])


@pytest.mark.parametrize("kind", ["S0", "S1"])
def test_the_page_gives_every_statement_its_place(kind: str) -> None:
    given = set(re.findall(rf"{kind}-\d+", PAGE))
    for first, last in re.findall(rf"{kind}-(\d+) to {kind}-(\d+)", PAGE):
        given |= {f"{kind}-{number}" for number in range(int(first), int(last) + 1)}
    assert given == set(IDS_OF_RULES[kind])


def test_the_page_names_no_rule_that_is_not_there() -> None:
    known = {name for names in IDS_OF_RULES.values() for name in names}
    assert set(re.findall(r"\b(?:[AS][01]-\d+|N\d+|R-[A-Z]+(?:-[A-Z]+)*)\b", PAGE)) <= known


def test_the_page_names_each_option_beside_its_ruling() -> None:
    """Each ruling's text names the options that the code declares under that ruling."""
    entries: dict[str, str] = {}
    for head, text in re.findall(r"^- \*\*([^*]+)\*\*(.*)$", PAGE, re.M):
        entries |= dict.fromkeys(head.split(", "), text)
    for _, info in CASES:
        named = [text for text in entries.values() if f"`{info.name}`" in text or f"`{info.name} = " in text]
        rulings = [entries[name] for name in info.ruling.split() if name in entries]
        assert named and (not rulings or set(named) & set(rulings)), info.name


def test_the_tables_of_the_page_are_what_the_code_says() -> None:
    assert filled(PAGE) == PAGE, "run python -m tianhei.prompts.rule_tables docs/rules.md"


def test_a_page_without_its_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="<!-- presets -->"):
        filled(PAGE.replace("<!-- presets -->", ""))


OF_NO_EFFECT = {
    "A0-06", "A0-08", "A0-09", "A0-62", "A0-74", "A0-75", "A1-01", "A1-32", "A1-46", "A1-47", "R-PUBLIC",
}  # fmt: skip
"""Rulings on words, cards and the judge's manners, which no position can show."""


def test_every_ruling_is_shown_by_a_test_that_names_it() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).with_name("rules").glob("*.py"))
    tests = tests.upper().replace("_", "-")
    named = set(re.findall(r"(?<![A-Z0-9])(?:A[01]-\d\d|N\d+)(?!\d)", tests))
    for kind, first, last in re.findall(r"(A[01]-|N)(\d+)(?: |-)TO(?: |-)\1(\d+)", tests):
        named |= {f"{kind}{number:02}" if kind != "N" else f"N{number}" for number in range(int(first), int(last) + 1)}
    named |= {name for name in IDS_OF_RULES["R"] if name in tests}
    rulings = {name for kind in ("A0", "A1", "N", "R") for name in IDS_OF_RULES[kind]}
    assert rulings - named == OF_NO_EFFECT
