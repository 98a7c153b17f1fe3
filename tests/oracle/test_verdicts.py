"""Votes, tie chains, victory, set-ups and options against the tables of the rules page."""

from __future__ import annotations

import pytest

from . import setups, victory, votes
from .night import dawn
from .options import catalogue, resolve
from .test_oracle import BUTTERFLY, CLASSIC, night_of


def ballots(text: str) -> dict[int, int | None]:
    """'2 3 - 2' = seat 1 for 2, seat 2 for 3, seat 3 abstains, seat 4 for 2."""
    return {i: None if w == "-" else int(w) for i, w in enumerate(text.split(), 1)}


TIE2, PK2 = "2 3 2 3 - -", "2 3 2 3 - -"
TIE3, ABSTAIN = "2 3 4 2 3 4", "- - - - - -"
NARROW = "2 3 2 3 4 -"
ALWAYS: dict[str, object] = {"narrowing": "always"}
CHAINS: dict[str, tuple[dict[str, object], list[str], list[str], object]] = {
    "T1": ({}, ["2 3 2 2 - 3"], ["vote: 2"], 2),
    "T2": ({}, [TIE2, "2 3 2 3 2 -"], ["vote: 2 3", "pk 2 3: 2"], 2),
    "T3": ({}, [TIE2, PK2, "2 3 2 3 3 3"], ["vote: 2 3", "pk 2 3: 2 3", "off 1 4 5 6: 3"], 3),
    "T4": ({}, [TIE2, PK2, "2 3 2 3 2 3"], ["vote: 2 3", "pk 2 3: 2 3", "off 1 4 5 6: 2 3"], "draw"),
    "T5": ({"final_tie": "lot"}, [TIE2, PK2, "2 3 2 3 2 3"], ["vote: 2 3", "pk 2 3: 2 3", "off 1 4 5 6: 2 3"], 3),
    "T6": ({}, [TIE3, NARROW, "2 3 2 3 3 3"], ["vote: 2 3 4", "pk 2 3 4: 2 3", "off 1 4 5 6: 3"], 3),
    "T7": (ALWAYS, [TIE3, NARROW, "2 3 2 3 3 3"], ["vote: 2 3 4", "pk 2 3 4: 2 3", "pk 2 3: 3"], 3),
    "T8": (
        ALWAYS,
        ["1 2 3 4 - -", "2 1 2 3 1 3", "2 1 2 3 2 3"],
        ["vote: 1 2 3 4", "pk 1 2 3 4: 1 2 3", "pk 1 2 3: 2"],
        2,
    ),
    "T9": (
        ALWAYS,
        ["1 2 3 4 - -", "2 1 2 3 1 3", "2 1 2 3 1 3", "2 1 2 3 2 2"],
        ["vote: 1 2 3 4", "pk 1 2 3 4: 1 2 3", "pk 1 2 3: 1 2 3", "off 4 5 6: 2"],
        2,
    ),
    "T10": (
        ALWAYS,
        ["1 2 3 4 - -", "2 1 2 1 - 3", "2 1 2 2 - 1"],
        ["vote: 1 2 3 4", "pk 1 2 3 4: 1 2", "pk 1 2: 2"],
        2,
    ),
    "T11": ({"round_pk": "on"}, ["2 3 2 3 6 6", "2 3 2 3 3 -"], ["pk 2 3 4 6: 2 3 6", "pk 2 3 6: 3"], 3),
    "T12": ({}, [TIE3, TIE3, "2 3 2 3 2 3"], ["vote: 2 3 4", "pk 2 3 4: 2 3 4", "off 1 5 6: 2 3"], "draw"),
    "T13": ({}, [ABSTAIN, "2 3 2 2 - -"], ["vote: 1 2 3 4 5 6", "pk 1 2 3 4 5 6: 2"], 2),
    "T14": ({}, [ABSTAIN, ABSTAIN, "2 3 2 2 2 2"], ["vote: 1 2 3 4 5 6", "pk 1 2 3 4 5 6: 1 2 3 4 5 6", "off : 2"], 2),
    "T15": ({"all_abstain": "no_elimination"}, [ABSTAIN], ["vote: 1 2 3 4 5 6"], "nobody"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_tie_chains(name: str) -> None:
    options, held, stages, result = CHAINS[name]
    asked = [2, 3, 4, 6] if name == "T11" else None
    got = votes.chain(
        CLASSIC | options,
        [1, 2, 3, 4, 5, 6],
        [ballots(b) for b in held],
        lot=3 if name == "T5" else None,
        round_pk=asked,
    )
    short = {"vote": "vote", "pk": "pk", "off_field": "off"}
    written = [
        f"{short[s['stage']]} {' '.join(map(str, s['speakers']))}: {' '.join(map(str, s['tied']))}".replace(
            "vote :", "vote:"
        )
        for s in got["stages"]
    ]
    assert written == stages
    assert got.get("seat", got["result"]) == result


def test_tie_chain_T16_off_field_abstention() -> None:
    with pytest.raises(votes.MustVote) as error:
        votes.chain(CLASSIC, [1, 2, 3, 4, 5, 6], [ballots(TIE2), ballots(PK2), ballots("2 3 2 3 - -")])
    assert error.value.seats == (5, 6)


def test_absent_voters_cast_no_ballot() -> None:
    order = [1, 2, 3, 4, 5, 6]
    assert votes.chain(CLASSIC, order, [{}])["result"] == "nobody"
    assert votes.chain(CLASSIC, order, [ballots(TIE2), {}])["result"] == "nobody"
    drawn = votes.chain(CLASSIC, order, [ballots(TIE2), ballots(PK2), {}])
    assert drawn["result"] == "draw"
    lone = votes.chain(CLASSIC, order, [{1: None}, {1: 2}])
    assert lone["stages"][0]["tied"] == order and lone["seat"] == 2


@pytest.mark.parametrize(
    ("tie", "expected"), [("nobody", []), ("lot", [3]), ("all", [2, 3]), ("revote", [3]), ("chain", [])]
)
def test_butterfly_ties(tie: str, expected: list[int]) -> None:
    options = BUTTERFLY | {"tie": tie}
    got = votes.verdict(options, [1, 2, 3, 4], {1: 2, 2: 3, 3: 2, 4: 3}, lot=3, revote={1: 3, 2: 3, 3: 2, 4: 3})
    assert got["out"] == expected


def test_second_tie_of_a_revote_is_nobody() -> None:
    tied = {1: 2, 2: 3, 3: 2, 4: 3}
    got = votes.verdict(BUTTERFLY | {"tie": "revote"}, [1, 2, 3, 4], tied, revote=tied)
    assert got == {"out": [], "tied": [2, 3]}


def test_electors_and_choices() -> None:
    untied = CLASSIC | {"pk_voters": "untied", "off_voters": "untied", "self_vote": "forbidden"}
    assert votes.electors(untied, "pk", [1, 2, 3, 4], [2, 3]) == [1, 4]
    assert votes.electors(untied, "off_field", [1, 2], [1, 2]) == [1, 2]
    assert votes.electors(untied, "vote", [1, 2, 3, 4], [1, 2, 3, 4]) == [1, 2, 3, 4]
    assert votes.choices(untied, 2, [2, 3]) == [3]
    assert votes.last_chance(untied, 3, [2, 3], 2) and not votes.last_chance(untied, 1, [2, 3], 2)
    silent = BUTTERFLY | {"silenced_votes": False}
    assert votes.electors(silent, "vote", [1, 2, 3], (), [2]) == [1, 3]


def test_victory_grid_of_the_butterfly_game() -> None:
    expected: str | None
    for killers in range(6):
        for specials in range(6):
            for civilians in range(6):
                alive = dict(zip(victory.SPECIALS, [1] * specials, strict=False))
                alive |= {"killer": killers, "civilian": civilians}
                got = victory.decide(BUTTERFLY, alive, alive)
                if killers == 0:
                    expected = "good" if specials else "draw"
                else:
                    kills = specials == 0 or civilians <= killers - specials
                    expected = "killers" if kills else None
                assert (got[0] if got else None) == expected


BATCHES: list[tuple[str, dict[str, str], dict[str, int], str, str | None]] = [
    ("S K1 C1 C2 C3", {"shoot": "K1", "kill": "S"}, {}, "K1 S", "draw"),
    ("S D K1 C1 C2 C3", {"shoot": "K1", "kill": "S", "needle": "D"}, {"D": 1}, "D K1 S", "draw"),
    ("S D K1 C1 C2 C3", {"shoot": "K1", "kill": "S", "needle": "S"}, {}, "K1", "good"),
    ("S K1 K2 C1 C2 C3", {"shoot": "K1", "kill": "S"}, {}, "K1 S", "killers"),
    ("B S K1 C1 C2 C3", {"carry": "K1", "shoot": "B"}, {}, "B K1", "good"),
    ("B S K1 C1 C2 C3", {"carry": "S", "kill": "B"}, {}, "B S", "killers"),
    ("B S K1 C1 C2", {"carry": "C1", "shoot": "S", "kill": "B"}, {}, "B C1 S", "killers"),
    ("B D K1 C1 C2 C3", {"carry": "K1", "needle": "B"}, {"K1": 1}, "K1", "good"),
    ("B D K1 C1 C2 C3", {"carry": "K1", "needle": "B"}, {"K1": 1, "B": 1}, "B K1", "good"),
    ("D K1 K2 C1 C2", {"kill": "C1"}, {}, "C1", "killers"),
    ("B S D P E K1 K2 K3 C1 C2 C3 C4 C5", {"shoot": "K1", "kill": "C1"}, {}, "C1 K1", None),
    ("D K1", {"kill": "D"}, {}, "D", "killers"),
    ("D K1 C1", {"kill": "K1"}, {}, "K1", "good"),
]


@pytest.mark.parametrize(("alive", "actions", "needles", "dead", "winner"), BATCHES)
def test_victory_after_night_batches(
    alive: str, actions: dict[str, str], needles: dict[str, int], dead: str, winner: str | None
) -> None:
    night, name = night_of(alive.split(), actions, needles)
    died = dawn(night).deaths
    assert sorted(name[s] for s in died) == dead.split()
    left = [role for s, role in night.roles.items() if s not in died]
    verdict = victory.decide(BUTTERFLY, {r: left.count(r) for r in left}, {})
    assert (verdict[0] if verdict else None) == winner


@pytest.mark.parametrize(
    ("k", "p", "c", "p0", "any_identity", "all_good"),
    [
        (3, 3, 6, 3, None, None),
        (0, 2, 3, 3, "good", "good"),
        (0, 0, 1, 3, "good", "good"),
        (1, 0, 4, 3, "killers", None),
        (1, 2, 0, 3, "killers", None),
        (1, 0, 0, 3, "killers", "killers"),
        (1, 1, 4, 3, None, None),
        (2, 1, 1, 3, None, None),
        (2, 0, 5, 0, None, None),
        (2, 0, 1, 0, None, None),
        (1, 0, 0, 0, "killers", "killers"),
        (0, 0, 2, 0, "good", "good"),
    ],
)
def test_victory_of_the_classic_game(
    k: int, p: int, c: int, p0: int, any_identity: str | None, all_good: str | None
) -> None:
    for rule, winner in (("any_identity", any_identity), ("all_good", all_good)):
        got = victory.decide(CLASSIC | {"victory": rule}, {"killer": k, "police": p, "civilian": c}, {"police": p0})
        assert (got[0] if got else None) == winner


def test_parity_and_elder_variants() -> None:
    two = {"killer": 2, "police": 1, "civilian": 1}
    assert victory.decide(CLASSIC | {"parity": True}, two, two) == ("killers", "A1-38")
    turned = resolve("butterfly-elder-killer")
    assert victory.decide(turned, {"killer": 1, "elder": 1, "civilian": 9}, {}) == ("killers", "S0-67")
    assert victory.decide(turned, {"killer": 1, "elder": 1, "sniper": 1, "civilian": 1}, {}) == ("killers", "S0-68")
    assert victory.decide(turned, {"elder": 1, "sniper": 1}, {}) == ("good", "S0-69")


@pytest.mark.parametrize(
    ("players", "police", "killers", "civilians"),
    [
        (11, 1, 3, 3),
        (12, 1, 3, 4),
        (13, 1, 3, 5),
        (15, 1, 4, 6),
        (17, 1, 5, 7),
        (18, 2, 5, 7),
        (19, 1, 6, 8),
        (21, 1, 7, 9),
        (23, 1, 8, 10),
        (25, 1, 9, 11),
    ],
)
def test_butterfly_setups(players: int, police: int, killers: int, civilians: int) -> None:
    got = setups.setup(BUTTERFLY, players)
    assert got and (got["police"], got["killer"], got["civilian"]) == (police, killers, civilians)
    assert sum(got.values()) == players
    roles = [role for role, n in got.items() for _ in range(n)]
    assert setups.refused(BUTTERFLY, roles) is None


def test_even_and_missing_butterfly_setups() -> None:
    assert [n for n in range(1, 26) if not setups.setup(BUTTERFLY, n)] == [*range(1, 11), 14, 16, 20, 22, 24]
    even = BUTTERFLY | {"even_counts": "second_police"}
    got = setups.setup(even, 16)
    assert got and got["police"] == 2 and sum(got.values()) == 16
    recommended = setups.setup(resolve("butterfly-recommended"), 13)
    assert recommended and recommended["killer"] == recommended["civilian"] == 4


def test_classic_setups() -> None:
    table = {
        6: (0, 2, 4),
        7: (0, 2, 5),
        8: (2, 2, 4),
        9: (2, 2, 5),
        10: (2, 2, 6),
        11: (3, 3, 5),
        12: (3, 3, 6),
        13: (3, 3, 7),
        14: (3, 3, 8),
        15: (4, 4, 7),
        16: (4, 4, 8),
        17: (4, 4, 9),
    }
    for players in range(3, 21):
        got = setups.setup(CLASSIC, players)
        found = got and (got["police"], got["killer"], got["civilian"])
        assert found == table.get(players)


@pytest.mark.parametrize(
    ("rules", "roles"),
    [
        ("classic", "killer"),
        ("classic", "civilian civilian"),
        ("classic", "killer sniper"),
        ("classic", "killer police"),
        ("butterfly", "killer killer doctor civilian"),
        ("butterfly", "killer sniper sniper civilian civilian"),
    ],
)
def test_refused_tables(rules: str, roles: str) -> None:
    assert setups.refused(resolve(rules), roles.split())


@pytest.mark.parametrize(
    "spec",
    [
        {"preset": "classic", "tie": "all"},
        {"preset": "classic", "elder_side": "good"},
        {"preset": "classic", "tie": "lot", "final_tie": "lot"},
        {"preset": "butterfly", "reveal_on_vote": "none"},
        {"preset": "classic", "max_days": 0},
        {"preset": "butterfly", "all_abstain": "no_elimination", "tie": "chain"},
    ],
)
def test_refused_options(spec: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        resolve(spec)


def test_every_preset_resolves() -> None:
    for name in catalogue()["presets"]:
        assert resolve(name)["max_days"] in (26, 30)
