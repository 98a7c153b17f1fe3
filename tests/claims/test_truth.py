"""Truth status: what is false and known to be so is a lie; reports of deeds are judged as acts."""

from __future__ import annotations

import pytest

from tianhei.arena.claims import Claim, ClaimKind, ClaimWhat
from tianhei.arena.events import PUBLIC, Acted, Checked, Dawn, Event, Foreign, Mates, RoleDealt
from tianhei.arena.roles import Role, Seat, Side
from tianhei.arena.rules.options import Foreign as ForeignRules
from tianhei.arena.rules.options import Rules, make
from tianhei.arena.view import Views
from tianhei.transcripts.claims.knowledge import Known, card_of
from tianhei.transcripts.claims.truth import Verdict, judge

CARDS = {
    "K": Role.KILLER, "P": Role.POLICE, "c": Role.CIVILIAN, "B": Role.BUTTERFLY, "S": Role.SNIPER, "D": Role.DOCTOR,
    "E": Role.ELDER,
}  # fmt: skip
CLASSIC = make("classic", {"kill_teammate": "forbidden"})
BUTTERFLY = make("butterfly")


class Table:
    """Cards in seat order, ``KKPccc``, each known to its holder; teams know their own."""

    def __init__(self, cards: str, rules: Rules = CLASSIC) -> None:
        roles = [CARDS[letter] for letter in cards]
        self.cards = tuple(map(card_of, roles))
        self.views = Views(rules, {role: roles.count(role) for role in dict.fromkeys(roles)})
        for seat, role in enumerate(roles, start=1):
            side = Side.KILLERS if role is Role.KILLER else Side.GOOD
            self.tell("deal", RoleDealt(role, side), (seat,))
        for role in (Role.KILLER, Role.POLICE):
            team = tuple(seat for seat, held in enumerate(roles, start=1) if held is role)
            if len(team) > 1:
                self.tell("night", Mates(team), team)

    def tell(self, phase: str, body: object, audience: tuple[Seat, ...] | None = None) -> None:
        self.views.add([Event(1, phase, PUBLIC if audience is None else audience, body)])  # type: ignore[arg-type]

    def says(self, seat: Seat, kind: ClaimKind, about: Seat, what: ClaimWhat = "none", night: int = 0) -> Verdict:
        view = self.views.of(seat)
        return judge(Claim(kind, about, what, night), view, Known(view), self.cards)


def status(verdict: Verdict) -> str:
    return f"{verdict.truth} {verdict.lie_type}" if verdict.lie_type else str(verdict.truth)


@pytest.mark.parametrize(
    ("kind", "about", "want"),
    [("accuse", 1, "lucky"), ("accuse", 4, "mistake"), ("clear", 4, "lucky"), ("clear", 1, "mistake")],
)
def test_a_civilian_that_knows_nothing_never_lies_about_others(kind: ClaimKind, about: Seat, want: str) -> None:
    assert status(Table("KKPPcccc").says(5, kind, about)) == want


@pytest.mark.parametrize(
    ("kind", "about", "want"),
    [
        ("accuse", 5, "lie misdirection"),
        ("accuse", 2, "truth"),
        ("clear", 2, "lie misdirection"),
        ("clear", 5, "truth"),
    ],
)
def test_a_killer_knows_every_side(kind: ClaimKind, about: Seat, want: str) -> None:
    assert status(Table("KKPPcccc").says(1, kind, about)) == want


@pytest.mark.parametrize(
    ("seat", "kind", "what", "want"),
    [
        (1, "role", "police", "lie fabrication"),
        (1, "role", "killer", "truth"),
        (1, "role", "not_killer", "lie fabrication"),
        (1, "clear", "none", "lie fabrication"),
        (1, "deny", "killer", "lie fabrication"),
        (3, "role", "police", "truth"),
        (3, "role", "civilian", "lie fabrication"),
        (3, "role", "not_killer", "truth"),
        (3, "deny", "police", "lie fabrication"),
        (5, "deny", "police", "truth"),
    ],
)
def test_everybody_knows_his_own_card(seat: Seat, kind: ClaimKind, what: ClaimWhat, want: str) -> None:
    assert status(Table("KKPPcccc").says(seat, kind, seat, what)) == want


def test_of_the_police_card_of_another_a_killer_knows_only_who_cannot_hold_it() -> None:
    table = Table("KKPPcccc")
    assert status(table.says(1, "role", 3, "police")) == "lucky"
    assert status(table.says(1, "role", 5, "police")) == "mistake"
    assert status(table.says(1, "role", 2, "police")) == "lie misdirection"
    assert status(table.says(3, "deny", 4, "police")) == "lie misdirection"
    assert status(table.says(3, "deny", 1, "police")) == "truth"


@pytest.mark.parametrize(
    ("about", "what", "night", "want"),
    [
        (1, "killer", 1, "truth"),
        (1, "killer", 0, "truth"),
        (1, "none", 0, "truth"),
        (1, "not_killer", 1, "lie distortion"),
        (1, "killer", 2, "lie distortion"),
        (5, "not_killer", 1, "lie distortion"),
        (5, "not_killer", 3, "lie fabrication"),
    ],
)
def test_a_check_is_judged_as_an_act(about: Seat, what: ClaimWhat, night: int, want: str) -> None:
    table = Table("KKPPcccc")
    table.tell("night", Checked(1, "nod"), (3, 4))
    assert status(table.says(4, "check", about, what, night)) == want


def test_a_killer_lies_about_a_check_even_where_its_target_is_a_killer() -> None:
    assert status(Table("KKPPcccc").says(1, "check", 2, "killer", 1)) == "lie fabrication"


def test_no_sign_is_a_result_of_its_own() -> None:
    table = Table("KKBSDPEcc", BUTTERFLY)
    table.tell("night", Checked(1, "none"), (6,))
    assert status(table.says(6, "check", 1, "no_sign", 1)) == "truth"
    assert status(table.says(6, "check", 1, "killer", 1)) == "lie distortion"


def test_an_answer_that_names_a_card_also_says_that_it_is_no_killer() -> None:
    table = Table("KKPPcccc")
    table.tell("night", Checked(5, "civilian"), (3, 4))
    assert status(table.says(3, "check", 5, "not_killer", 1)) == "truth"
    assert status(table.says(3, "check", 5, "civilian", 1)) == "truth"
    assert status(table.says(3, "check", 5, "killer", 1)) == "lie distortion"


@pytest.mark.parametrize(
    ("seat", "action", "kind"),
    [(5, "needle", "save"), (4, "shoot", "shot"), (3, "carry", "carry"), (7, "silence", "silence")],
)
def test_deeds_of_the_night_are_judged_as_acts(seat: Seat, action: str, kind: ClaimKind) -> None:
    table = Table("KKBSDPEcc", BUTTERFLY)
    table.tell("night", Acted(action, 8), (seat,))  # type: ignore[arg-type]
    assert status(table.says(seat, kind, 8, night=1)) == "truth"
    assert status(table.says(seat, kind, 9)) == "lie distortion"
    assert status(table.says(1, kind, 8)) == "lie fabrication"


def test_what_a_check_showed_is_known_to_the_police_alone() -> None:
    table = Table("KKPPcccc")
    table.tell("night", Checked(1, "nod"), (3, 4))
    assert status(table.says(3, "accuse", 1)) == "truth"
    assert status(table.says(3, "clear", 1)) == "lie misdirection"
    assert status(table.says(5, "accuse", 1)) == "lucky"


def test_what_follows_by_counting_is_known() -> None:
    table = Table("KPcccc")
    table.tell("night", Checked(1, "nod"), (2,))
    assert status(table.says(2, "accuse", 5)) == "lie misdirection"  # the only killer is found
    assert status(table.says(2, "clear", 5)) == "truth"


def test_where_killers_spare_their_own_the_night_s_dead_are_known_to_be_good() -> None:
    table = Table("KKPPcccc")
    table.tell("dawn", Dawn((5,)))
    assert status(table.says(6, "accuse", 5)) == "lie misdirection"
    assert status(table.says(6, "clear", 5)) == "truth"
    open_rules = Table("KKPPcccc", make("classic", {"kill_teammate": "allowed"}))
    open_rules.tell("dawn", Dawn((5,)))
    assert status(open_rules.says(6, "accuse", 5)) == "mistake"


@pytest.mark.parametrize("kind", ["vote", "ask", "retract"])
def test_votes_questions_and_what_is_taken_back_are_neither_true_nor_false(kind: ClaimKind) -> None:
    assert Table("KKPPcccc").says(1, kind, 5) == Verdict(False)


def test_what_says_nothing_of_a_card_or_of_a_seat_that_is_not_there_is_not_checkable() -> None:
    table = Table("KKPPcccc")
    assert table.says(1, "deny", 5) == Verdict(False)
    assert table.says(1, "role", 1) == Verdict(False)
    assert table.says(1, "accuse", 9) == Verdict(False)


def test_of_an_imported_game_the_seer_s_checks_are_judged_where_they_are_told() -> None:
    roles = [Role.named(name) for name in ("werewolf", "seer", "villager", "bodyguard", "villager")]
    cards = tuple(map(card_of, roles))
    assert cards == ("killer", "police", "civilian", "bodyguard", "civilian")
    views = Views(ForeignRules(), {role: roles.count(role) for role in dict.fromkeys(roles)})
    for seat, role in enumerate(roles, start=1):
        views.add([Event(1, "deal", (seat,), RoleDealt(role, Side.GOOD))])

    def says(seat: Seat, claim: Claim) -> str:
        return status(judge(claim, views.of(seat), Known(views.of(seat)), cards))

    assert says(2, Claim("check", 1, "killer")) == "None"  # nothing is told of what the seer did
    assert says(3, Claim("check", 1, "killer")) == "lie fabrication"
    assert says(4, Claim("save", 3)) == "None"
    views.add([Event(1, "night", (2,), Checked(1, "werewolf"))])
    assert says(2, Claim("check", 1, "killer")) == "truth"
    assert says(2, Claim("accuse", 1)) == "truth"
    assert says(3, Claim("accuse", 1)) == "lucky"
    assert says(2, Claim("check", 1, "killer", 7)) == "truth", "its players may count the nights in their own way"
    assert says(2, Claim("check", 3, "killer")) == "lie distortion"


def imported(*names: str) -> tuple[Views, tuple[str, ...]]:
    """A game of another arena, each seat told its card."""
    roles = [Role.named(name) for name in names]
    views = Views(ForeignRules(), {role: roles.count(role) for role in dict.fromkeys(roles)})
    for seat, role in enumerate(roles, start=1):
        views.add([Event(1, "deal", (seat,), RoleDealt(role, Side.GOOD))])
    return views, tuple(map(card_of, roles))


@pytest.mark.parametrize(
    ("card", "kind", "want"),
    [
        ("medium", "check", "None"),
        ("cupid", "save", "None"),
        ("witch", "save", "None"),
        ("witch", "check", "lie fabrication"),
        ("possessed", "check", "lie fabrication"),
        ("hunter", "shot", "None"),
        ("werewolf", "save", "lie fabrication"),
    ],
)
def test_of_another_arenas_card_only_what_it_cannot_do_is_a_lie_where_no_deed_is_told(
    card: str, kind: ClaimKind, want: str
) -> None:
    views, cards = imported(card, "werewolf", "seer", "villager")
    verdict = judge(Claim(kind, 4, "none"), views.of(1), Known(views.of(1)), cards)
    assert (verdict.checkable, status(verdict)) == (True, want)


def test_deeds_of_another_arena_are_judged_where_they_are_told() -> None:
    views, cards = imported("bodyguard", "werewolf", "seer", "villager")
    views.add([Event(1, "night", (1,), Foreign("guard", {"by": 1, "target": 4}))])

    def says(claim: Claim) -> str:
        return status(judge(claim, views.of(1), Known(views.of(1)), cards))

    assert says(Claim("save", 4)) == "truth"
    assert says(Claim("save", 3)) == "lie distortion"
