"""Values of positions: by the recursion's own small cases, by published chances, and as they were frozen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from proof.drive import run_out
from proof.theory import Table, killers_win, rules_of
from tianhei.agents.uninformed import UninformedPlayer
from tianhei.arena.choosing import ARENA_PLAYERS
from tianhei.arena.roles import Role
from tianhei.arena.rules.presets import USUAL_PLAYERS, read_rules
from tianhei.arena.rules.setups import written
from tianhei.transcripts.metrics import value
from tianhei.transcripts.metrics.value import Unknown, exact, frozen, living_of, tie_chance, values_of

TEN = {Role.KILLER: 2, Role.POLICE: 2, Role.CIVILIAN: 6}


def counts(k: int, p: int, c: int) -> Mapping[Role, int]:
    found = {Role.KILLER: k, Role.POLICE: p, Role.CIVILIAN: c}
    return {role: number for role, number in found.items() if number}


def test_the_last_positions_by_hand() -> None:
    """One killer, one officer, two civilians at nightfall, no parity: of 3 victims, 1 ends it; then a vote of 3.

    N(1,1,2): officer dies (1/3): won. A civilian dies (2/3): D(1,1,1): the killer leaves 1/3 (lost), the officer or
    the civilian 2/3 (won). So 1/3 + 2/3 * 2/3 = 7/9.
    """
    rules, _ = read_rules("bench-10")
    found = exact(rules, TEN)  # type: ignore[arg-type]
    assert found.night(living_of(counts(1, 1, 2))) == pytest.approx(7 / 9)
    assert found.day(living_of(counts(1, 1, 1))) == pytest.approx(2 / 3)
    assert found.night(living_of(counts(1, 0, 3))) == 1.0
    assert found.day(living_of(counts(0, 2, 3))) == 0.0


@pytest.mark.parametrize(
    "table", [Table(2, 2, 5), Table(3, 3, 6), Table(4, 4, 8), Table(2, 0, 8), Table(2, 0, 7, "day"),
              Table(2, 0, 8, "night", "nobody"), Table(3, 0, 9, "day", "nobody")], ids=lambda table: table.label,
)  # fmt: skip
def test_as_theory_says(table: Table) -> None:
    rules = rules_of(table)
    found = exact(rules, counts(table.killers, table.police, table.civilians))  # type: ignore[arg-type]
    assert found.start == pytest.approx(float(killers_win(table)), abs=1e-12)


@pytest.mark.parametrize("voters", [2, 3, 4, 5])
def test_chance_of_a_tie_by_counting(voters: int) -> None:
    """All ballots of so many voters, none for oneself, counted one by one."""
    tied = number = 0
    for ballots in product(range(voters), repeat=voters):
        if all(voter != target for voter, target in enumerate(ballots)):
            totals = sorted(map(ballots.count, range(voters)))
            tied += totals[-1] == totals[-2]
            number += 1
    assert tie_chance(voters) == Fraction(tied, number)


def test_ceiling_of_ten() -> None:
    """A killer leaves each day, so only two victims may fall: both police, 2/8 * 1/7."""
    rules, _ = read_rules("bench-10")
    assert exact(rules, TEN).ceiling == pytest.approx(1 / 28)  # type: ignore[arg-type]


def test_the_frozen_ten_is_the_recursion() -> None:
    rules, _ = read_rules("bench-10")
    found, sure = frozen("bench-10"), exact(rules, TEN)  # type: ignore[arg-type]
    for living in value.positions(found.dealt):
        assert found.night(living) == pytest.approx(sure.night(living), abs=1e-6)
        if sum(living) > 1:
            assert found.day(living) == pytest.approx(sure.day(living), abs=1e-6)


def test_a_changed_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen.cache_clear()
    monkeypatch.setitem(value.FROZEN, "bench-10", "0" * 64)
    with pytest.raises(Unknown, match="changed"):
        frozen("bench-10")
    frozen.cache_clear()


def test_the_frozen_thirteen() -> None:
    """Near the share of 20,000 games of uninformed players, .729 and half of the .011 drawn; monotone in killers."""
    found = frozen("bench-13b")
    assert found.start == pytest.approx(0.729 + 0.011 / 2, abs=0.01)
    rules, _ = read_rules("bench-13b")
    specials = {Role.POLICE: 1, Role.DOCTOR: 1, Role.SNIPER: 1, Role.BUTTERFLY: 1, Role.ELDER: 1}
    by_killers = [found.night(living_of({Role.KILLER: k, Role.CIVILIAN: 5, **specials})) for k in (1, 2, 3)]
    assert by_killers == sorted(by_killers)
    assert values_of(rules, {Role.KILLER: 3, Role.CIVILIAN: 5, **specials}) is found


def test_the_frozen_thirteen_against_the_engine() -> None:
    """Whole games of the uninformed come to the value of the table as dealt, within four standard errors."""
    rules, players = read_rules("bench-13b")
    cards, _ = written(rules, players or 0)
    mute, games = rules.replace({"channel": "mute"}), 400
    points = {"killers": 1.0, "draw": 0.5, "good": 0.0}
    won = sum(points[run_out(mute, cards, UninformedPlayer(), f"values {seed}").winner] for seed in range(games))
    start = frozen("bench-13b").start
    assert won / games == pytest.approx(start, abs=4 * (start * (1 - start) / games) ** 0.5)


@pytest.mark.parametrize("name", ["butterfly", "butterfly-recommended"])
def test_the_usual_tables_of_the_butterfly_game_have_values(name: str) -> None:
    """At thirteen, as they are played unless something else is asked for; and they rise with the killers."""
    rules, players = read_rules(name)
    cards, _ = written(rules, players or USUAL_PLAYERS[rules.game])
    found = values_of(rules, cards)
    assert found is frozen(name)
    assert found.dealt == living_of(cards)
    assert 0 < found.start < 1
    by_killers = [found.night(living_of({**cards, Role.KILLER: k})) for k in range(1, cards[Role.KILLER] + 1)]
    assert by_killers == sorted(by_killers)


def test_the_usual_table_is_worth_what_the_bench_is() -> None:
    """They differ in nothing but how many days a game may last, of which a position knows nothing."""
    usual, bench = frozen("butterfly"), frozen("bench-13b")
    assert usual.dealt == bench.dealt
    assert all(
        usual.night(living) == bench.night(living)
        for living in value.positions(bench.dealt) if value.ended(bench.rules, living, bench.dealt) is None
    )  # fmt: skip


def test_the_table_that_is_played_unless_another_is_named_has_values() -> None:
    """Its nights are those of the greater table, and its ceiling is its own."""
    rules, _ = read_rules("butterfly")
    cards, _ = written(rules, ARENA_PLAYERS["butterfly"])
    found = values_of(rules, cards)
    assert found is frozen("butterfly-11")
    assert found.ceiling is not None
    assert found.start == frozen("butterfly").night(living_of(cards))


def test_a_smaller_table_is_a_position_of_the_greater() -> None:
    """Ten with two civilians is thirteen once three civilians are gone; without a doctor it is another game."""
    rules, _ = read_rules("butterfly")
    cards = {role: 1 for role in Role} | {Role.KILLER: 3, Role.CIVILIAN: 2}
    found = values_of(rules, cards)
    assert found.start == frozen("butterfly").night(living_of(cards))
    assert found.ceiling is None
    with pytest.raises(Unknown, match="butterfly"):
        values_of(rules, cards | {Role.DOCTOR: 0})


def test_no_value_where_none_is_known() -> None:
    rules, _ = read_rules("classic")
    with pytest.raises(Unknown, match="draw"):
        values_of(rules, TEN)
    rules, _ = read_rules("butterfly")
    with pytest.raises(Unknown, match="butterfly"):
        values_of(rules, {Role.KILLER: 3, Role.CIVILIAN: 8, Role.DOCTOR: 1})


@pytest.mark.parametrize("name", ["bench-10"])
def test_the_file_is_what_its_command_writes(name: str) -> None:
    from importlib import resources

    import orjson

    from tianhei.arena.valuing import table

    rules, players = read_rules(name)
    made = table(name, rules, written(rules, players or 0)[0])
    file = resources.files("tianhei.transcripts.metrics").joinpath("values", f"{name}.json")
    assert orjson.loads(file.read_bytes()) == made


def test_drawn_nights_come_near_an_exact_one() -> None:
    """Killers and civilians alone in the butterfly game: who is killed at night dies, so only votes are to reckon.

    One killer, one officer, two civilians at nightfall; parity ends it. Officer dies (1/3): no special: won. Else
    D(1,1,1): tie of three (chance 1/4) and nobody leaves: N(1,1,1); else the killer leaves a third of the time: lost,
    and otherwise 1 against 1: won. N(1,1,1): either victim leaves parity: won. So D = 1/4 + 3/4 * 2/3 = 3/4.
    """
    from tianhei.arena.rules.options import Butterfly
    from tianhei.arena.valuing import drawn

    rules, _ = read_rules("bench-13b")
    assert isinstance(rules, Butterfly)
    assert tie_chance(3) == Fraction(1, 4)
    assert drawn(rules)(living_of(counts(1, 1, 2))) == pytest.approx(1 / 3 + 2 / 3 * 3 / 4, abs=0.04)
